"""Whether a sentence says a decision, by which wording, and how sure that is. Traps take a cue away (traps)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from engramforge.core.detection.cues.choice_cues import CHOICE_RULES
from engramforge.core.detection.cues.cue_rule import (
    CueRule,
    RuleIndex,
    beginnings,
    has_label_mark,
    is_english,
    weighed,
)
from engramforge.core.detection.cues.decision_cues import DECIDING_RULES, NOT_OURS, OTHERS
from engramforge.core.detection.cues.label_cues import DECISION_LABEL, LABEL, NOT_MADE, WEAK_LABEL, is_of_life
from engramforge.core.detection.cues.language_cues import LANGUAGE_DECISION_RULES
from engramforge.core.detection.cues.plan_cues import LIMIT_RULES, PLAN_RULES
from engramforge.core.detection.cues.practice_cues import PRACTICE_RULES, SPOKEN_RULES
from engramforge.core.detection.cues.topic_words import work_words
from engramforge.core.detection.passages import Passage
from engramforge.core.detection.passing import decides_nothing, is_of_the_screen, leads_in
from engramforge.core.detection.said_parts import why_said
from engramforge.core.detection.settling import begin_after_head, begin_of_statement, end_of_statement
from engramforge.core.detection.traps import (
    asks,
    has_condition_after,
    is_conditional,
    is_elsewhere,
    is_hearsay,
    is_hedged,
    is_negated,
    is_request,
    lets_go,
    own_clause,
    tells_of_others,
)
from engramforge.core.text.late_pattern import late

_ENGLISH_RULES: Final = (
    *DECIDING_RULES,
    *CHOICE_RULES,
    *PLAN_RULES,
    *PRACTICE_RULES,
    *LIMIT_RULES,
    *SPOKEN_RULES,
)
DECISION_RULES: Final = (*_ENGLISH_RULES, *LANGUAGE_DECISION_RULES)
_ENGLISH: Final = RuleIndex(_ENGLISH_RULES)
_ABROAD: Final = RuleIndex(LANGUAGE_DECISION_RULES)
_LABELLED: Final = 0.86
_WEAKLY_LABELLED: Final = 0.7
_SAMPLE: Final = late(r"(?i)\b(?:examples?|sample)\b")
_WORDED: Final = late(
    r"(?i)^\W*(?:(?:please|now|ok|so|and|then|just|let['\u2019]?s)\b\W*){0,3}(?:(?:write|draft|compose|phrase"
    r"|word)\b[^.:]{0,80}?\b(?:that|saying|telling|about|why|how)|pretend|imagine|suppose|assume|say that|explain)\b"
)
"""Asks for words that tell of a decision, or to suppose one."""
_LEANS: Final = late(r"(?i)\W*(?:it|they|these|those|this|that|both|all of (?:it|them))\b")
"""Speaks of what the label names: "Decision on ids: they are random"."""
_SETTLED: Final = 0.7
_DEFERRED: Final = late(
    r"(?i)[,;]\s+[\w-]{2,30}(?: [\w-]{2,30}){0,2}? (?:(?:maybe|perhaps|possibly|probably|may (?:come|follow)) )?later"
    r"(?: maybe| perhaps| possibly)?\W*$"
)
"""Says behind a decision what may follow another time, which makes that no less sure: "..., inches later maybe"."""
_CONDITION_COSTS: Final = 0.15
_HEDGE_COSTS: Final = 0.2
"""Below this confidence a detection waits for review."""
_LEADS_IN: Final = 0.55
"""How sure is at most what only leads in the sentences that tell it: a person has to look at these."""
_REASON_ADDS: Final = 0.05
"""Someone who gives a reason is more likely to have decided."""


def decision_in(passage: Passage) -> tuple[str, float, str] | None:
    """The rule, confidence (0..1) and words of the decision that a sentence states, if any.

    The words are the sentence without its label, and without what only says that it is decided.
    """
    plain = passage.plain
    if (own := own_clause(plain)) > 0:
        rest = passage.part(own)
        found = decision_in(rest)
        return None if found is None else (found[0], found[1], passage.said)
    if (end := end_of_statement(plain)) > 0:
        stated = replace(passage, said=passage.said[:end].strip(), plain=plain[:end].strip())
        sure = ("settled", weighed(_SETTLED, passage.said), stated.said)
        return max(_stated(stated) or sure, sure, key=lambda each: each[1])
    return _stated(passage)


def _stated(passage: Passage) -> tuple[str, float, str] | None:
    """As `decision_in`, of a sentence in which nothing else says that it is decided."""
    plain = passage.plain
    if is_of_life(plain):
        return None
    if (labelled := _labelled(passage)) is not None:
        return labelled
    if (begin := begin_of_statement(plain)) > 0:
        return "settled", weighed(_SETTLED, passage.said), passage.said[begin:]
    if asks(plain) or is_request(plain):
        return None
    work: int | None = None
    best: tuple[str, float] | None = None
    tried = _ENGLISH.tried(plain)
    if not is_english(beginnings(plain)):
        tried += _ABROAD.tried(plain)
    for rule in tried:
        for hit in rule.pattern.finditer(plain):
            work = _work(passage) if work is None else work
            if rule.needs_work and not work:
                break
            confidence = _confidence(rule, passage, hit, work)
            if confidence and (best is None or confidence > best[1]):
                best = (rule.name, confidence)
    if (
        best is None
        or is_hearsay(plain)
        or is_elsewhere(plain)
        or _WORDED.match(plain)
        or lets_go(plain)
        or tells_of_others(plain)
        or decides_nothing(plain)
        or is_of_the_screen(passage.said)
    ):
        return None
    name, sure = best
    return name, min(sure, _LEADS_IN) if leads_in(plain) else sure, passage.said


def _labelled(passage: Passage) -> tuple[str, float, str] | None:
    """What a label leads to: "Decision:", "What we agreed on:"."""
    plain = passage.plain
    if not has_label_mark(plain) or asks(plain):
        return None
    label = DECISION_LABEL.search(plain)
    if label is not None and not _SAMPLE.search(plain, 0, label.start("said")):
        begin = label.start("said")
        is_weak = WEAK_LABEL.search(plain[:begin]) is not None
    elif (begin := begin_after_head(plain)) > 0:
        is_weak = "deci" not in plain[:begin].lower()
    else:
        return None
    said = plain[begin:]
    if NOT_MADE.match(said) or asks(said):
        return None
    if _LEANS.match(said):
        begin = 0
    prior = _WEAKLY_LABELLED if is_weak else _LABELLED
    return LABEL, weighed(prior, passage.said), passage.said[begin:].strip()


def _work(passage: Passage) -> int:
    """Words of work in the sentence; one where only the text around it has some."""
    return work_words(passage.said) or min(work_words(passage.around), 1)


def _confidence(rule: CueRule, passage: Passage, hit: re.Match[str], work: int) -> float:
    """How sure a rule's cue is in its sentence; 0 where a trap takes it away."""
    plain = passage.plain
    if is_conditional(plain, hit.start()) or NOT_OURS.search(plain) or rule.is_doubted(plain, hit.start()):
        return 0.0
    if rule.is_plan:
        if OTHERS.match(plain):
            return 0.0
    elif rule.is_denied:
        verb = max(plain.rfind(" ", hit.start(), hit.end()) + 1, hit.start())
        if is_negated(plain, verb) or is_negated(plain, hit.start()):
            return 0.0
    prior = rule.prior + (_REASON_ADDS if why_said(passage.said)[1] else 0.0)
    confidence = max(weighed(prior, passage.said, work), rule.least) - (
        _HEDGE_COSTS if is_hedged(_DEFERRED.sub("", plain)) else 0.0
    )
    return confidence - _CONDITION_COSTS if has_condition_after(plain, hit.end()) else confidence
