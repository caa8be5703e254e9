"""Whether a sentence says that a matter is open, or closed, by which wording, and how sure that is."""

from __future__ import annotations

import re
from typing import Final

from engramforge.core.detection.cues.cue_rule import (
    CueRule,
    RuleIndex,
    beginnings,
    has_label_mark,
    is_english,
    weighed,
)
from engramforge.core.detection.cues.errand_cues import (
    ASKS_TO_MEND,
    BREAKS,
    ERRAND,
    ERRAND_RULES,
)
from engramforge.core.detection.cues.label_cues import (
    BARE_TODO,
    CLOSED_LABEL,
    MARK,
    MARKS,
    NOTHING,
    THREAD_LABEL,
    WEAK_THREAD_LABEL,
)
from engramforge.core.detection.cues.language_cues import LANGUAGE_THREAD_RULES
from engramforge.core.detection.cues.thread_cues import (
    ASKING,
    CLOSERS,
    CLOSING,
    COUNTED,
    MEETING,
    NEVER_CONDITIONAL,
    NO_BLOCK,
    NO_STEP,
    OPEN_RULES,
    TRACKS,
)
from engramforge.core.detection.cues.topic_words import everyday_words, work_words
from engramforge.core.detection.passages import Passage
from engramforge.core.detection.passing import leads_in, names_no_matter
from engramforge.core.detection.traps import asks, depends, is_hearsay, is_negated, is_question, is_request
from engramforge.core.text.late_pattern import late
from engramforge.model.registries.entry import ThreadStatus

_ENGLISH_RULES: Final = (*OPEN_RULES, *ERRAND_RULES)
THREAD_RULES: Final = (*_ENGLISH_RULES, *LANGUAGE_THREAD_RULES)
_ENGLISH: Final = RuleIndex(_ENGLISH_RULES)
_ABROAD: Final = RuleIndex(LANGUAGE_THREAD_RULES)
_BOX: Final = {False: 0.75, True: 0.5}
_LED_MARK: Final = 0.8
_MARK_WITHIN: Final = 0.66
_LABELLED: Final = 0.82
_WEAKLY_LABELLED: Final = 0.64
_LEADS_IN: Final = 0.55
"""How sure is at most what only leads in the sentences that tell it."""
_CLOSED: Final = 0.66
_MATTER_CLOSED: Final = 0.58

_OF_THE_LIST: Final = late(
    r"(?i)\W*(?:and|or|but|together|documents?|files?|docs?|items?|entries|section|again|first|has|have|in (?:the|our) "
    r"(?:repo|root|docs))\b"
)
_READS: Final = late(
    r"(?i)\b(?:read|review|check|open|update|see|show|revise|look(?:ing|ed)? (?:at|into)|go (?:over|through)|reading"
    r"|reviewing|updating|checking|listed in|noted in|written in|(?:in|from|into|to|of|with) (?:the|our|my|your))"
    r" (?:(?:the|our|my|your|current|whole|this|that) ){0,3}$"
)
"""Stands before a list that somebody reads or writes."""

ThreadSaid = tuple[str, float, str, ThreadStatus]
"""Rule, confidence 0..1, words and status."""


def thread_in(passage: Passage) -> ThreadSaid | None:
    """The thread that a sentence states, if any. The words are the sentence without its label."""
    if (found := _labelled(passage)) is not None:
        return found
    plain = passage.plain
    if asks(plain) or is_request(plain) or MEETING.match(plain) or TRACKS.match(plain):
        return None
    if _is_closing(plain) and not is_hearsay(plain):
        return "matter closed", weighed(_MATTER_CLOSED, passage.said), passage.said, ThreadStatus.RESOLVED
    work: int | None = None
    best: tuple[str, float] | None = None
    own = plain
    tried = _ENGLISH.tried(plain)
    if not is_english(beginnings(plain)):
        tried += _ABROAD.tried(plain)
    for rule in tried:
        if (hit := rule.pattern.search(plain)) is not None:
            work = work_words(passage.said) if work is None else work
            if rule.needs_work and not work:
                continue
            confidence = _confidence(rule, passage, hit, work)
            if confidence and (best is None or confidence > best[1]):
                best = (rule.name, confidence)
                # Behind it stands what somebody else is asked: "i have to ask Reto if he wants it".
                own = plain[: hit.end()] if rule.name == ASKING else plain
    if best is None or is_hearsay(own) or names_no_matter(passage.said):
        return None
    name, sure = best
    return name, min(sure, _LEADS_IN) if leads_in(plain) else sure, passage.said, ThreadStatus.OPEN


def _is_closing(plain: str) -> bool:
    """Whether a sentence says that a matter is closed."""
    if CLOSERS.isdisjoint(beginnings(plain)):
        return False
    hit = CLOSING.search(plain)
    return (
        hit is not None
        and not is_negated(plain, hit.end() - 4)
        and not depends(plain, hit.start())
        and " not " not in hit[0]
    )


def _labelled(passage: Passage) -> ThreadSaid | None:
    """What a mark, a checklist item or a label states."""
    plain, said = passage.plain, passage.said
    if passage.box is not None:
        status = ThreadStatus.RESOLVED if passage.box else ThreadStatus.OPEN
        return "check list", weighed(_BOX[passage.box], said), said, status
    mark = MARK.search(plain) if any(word in plain for word in MARKS) else None
    if mark and not is_question(plain) and not is_negated(plain, mark.start()) and not _is_list(plain, mark):
        rest = said[mark.start("said") :].strip() if len(mark["said"].strip()) > 3 else said
        is_led = mark.start() <= 2 or plain[mark.start() - 2] in ";:,.-" or mark["said"][:1] == ":"
        return "mark", weighed(_LED_MARK if is_led else _MARK_WITHIN, said), rest, ThreadStatus.OPEN
    if (bare := BARE_TODO.match(plain)) is not None and not is_question(plain):
        return "label", weighed(_LABELLED, said), said[bare.start("said") :].strip(), ThreadStatus.OPEN
    if not has_label_mark(plain):
        return None
    label = THREAD_LABEL.match(plain)
    if label and not NOTHING.match(label["said"]) and not MEETING.match(plain):
        prior = _WEAKLY_LABELLED if WEAK_THREAD_LABEL.match(plain) else _LABELLED
        begin = label.start("about") if label["about"] else label.start("said")
        return "label", weighed(prior, said), said[begin:].strip(), ThreadStatus.OPEN
    closed = CLOSED_LABEL.match(plain)
    if closed and not NOTHING.match(closed["said"]):
        words = said[closed.start("said") :].strip()
        return "closed label", weighed(_CLOSED, said), words, ThreadStatus.RESOLVED
    return None


def _is_list(plain: str, mark: re.Match[str]) -> bool:
    """Whether a mark names the list itself, and leads to no matter: "let's go over TODO once more"."""
    said = mark["said"]
    if mark[0][: len(mark[0]) - len(said)].rstrip()[-1:] in (":", "-", "\u2014") or said[:1] in (
        ":",
        "-",
        "\u2014",
    ):
        return False
    return _OF_THE_LIST.match(said) is not None or (
        _READS.search(plain, 0, mark.start()) is not None or names_no_matter(said)
    )


def _confidence(rule: CueRule, passage: Passage, hit: re.Match[str], work: int) -> float:
    """How sure a rule's cue is in its sentence; 0 where a trap takes it away."""
    plain = passage.plain
    if rule.name not in NEVER_CONDITIONAL and depends(plain, hit.start()):
        return 0.0
    if rule.is_denied and is_negated(plain, hit.start()):
        return 0.0
    if rule.name == BREAKS and ASKS_TO_MEND.search(f"{passage.around} {plain}"):
        return 0.0
    if rule.name == ERRAND and not work and everyday_words(plain):
        return 0.0
    if rule.name == "blocked" and NO_BLOCK.search(plain):
        return 0.0
    if rule.name.startswith("next") and NO_STEP.search(plain):
        return 0.0
    return 0.0 if COUNTED.search(hit[0]) else weighed(rule.prior, passage.said, work)
