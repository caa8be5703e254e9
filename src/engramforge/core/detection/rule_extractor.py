"""Extraction of decisions and threads from a text: the protocol, and its implementation by rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Protocol

from engramforge.core.detection.adr_text import record_in
from engramforge.core.detection.cues.cue_rule import beginning_set, beginnings, weighed
from engramforge.core.detection.cues.label_cues import (
    DECISION_LABEL_STEMS,
    LABEL,
    OUTRIGHT,
    THREAD_LABEL_STEMS,
)
from engramforge.core.detection.cues.practice_cues import REST_STAYS
from engramforge.core.detection.cues.settling_cues import SETTLING
from engramforge.core.detection.cues.thread_cues import CLOSERS
from engramforge.core.detection.decision_rules import DECISION_RULES, decision_in
from engramforge.core.detection.leads import asks_to_keep, without_lead
from engramforge.core.detection.named.entries import acts_on_entries, has_name, is_about_thread, named_in
from engramforge.core.detection.named.successors import (
    changed_to,
    followed,
    instead_in,
    preceded,
    replaces,
    stated_beside,
    succeeded,
    turned_from,
    with_successor,
)
from engramforge.core.detection.named.updates import ids_in, updated
from engramforge.core.detection.passages import Passage, passages
from engramforge.core.detection.pointing_back import only_lists, with_matter
from engramforge.core.detection.said_parts import (
    alternatives_line,
    decision_said,
    reason_line,
    thread_said,
    title,
)
from engramforge.core.detection.settling import (
    begin_of_statement,
    settled_by,
    settles,
    settles_matter,
    settles_next,
)
from engramforge.core.detection.thread_rules import THREAD_RULES, thread_in
from engramforge.core.detection.traps import asks_opinion, without_question
from engramforge.core.text.late_pattern import late
from engramforge.core.text.marks import QUOTES
from engramforge.model.memory import Kind
from engramforge.model.registries.detection import Detection
from engramforge.model.registries.entry import ThreadStatus

LEAST_CONFIDENCE: Final = 0.4
"""Less certain findings are not worth a person's attention."""
MOST_DETECTIONS: Final = 64
"""The most detections from a single text."""

_UNDER_DECISIONS: Final = late(r"(?i)^\W*(?:key |our |main )?decisions?(?: made| taken)?\W*$")
_UNDER_THREADS: Final = late(
    r"(?i)^\W*(?:next steps?|open (?:questions?|issues?|points?|items?|threads?|tasks?|problems?)|to-?\s?dos?|action"
    r" items?|actions|follow[- ]?ups?|remaining(?: work)?|outstanding|known (?:issues?|problems?|gaps?)|blockers?"
    r"|unresolved(?: questions?)?|offene (?:punkte|fragen)|n\u00e4chste schritte)\W*$"
)
_SETTLED: Final = 0.7
_KEPT: Final = 0.6
"""Of a statement that somebody asks to keep: what is kept may be a mere fact."""
_FRAGMENT: Final = late(
    r"(?i)\W*(?:(?:no|not|never|only|nothing|also|nowhere)\b.{0,100}|\S+(?:\s+\S+){0,2})\Z"
)
"""A sentence that only adds to the one before it: "Everywhere.", "No exceptions for legacy code.\"."""

_REST_STAYS: Final = late(REST_STAYS)
_IS_SO_ALREADY: Final = late(
    r"(?i)\W*(?:that|this|it|they|these|those|both)(?:['\u2019]s| is| are| has been| have been"
    r"|['\u2019]re)\b.*\b\w+(?:ed|en|t|wn) .*\balready\b"
)
"""Tells of what the sentence before it says that it is done already: "that is painted on the boxes already"."""
_MARKS: Final = frozenset("".join(QUOTES))
_STOPS: Final = " .!?;,"
_LABELS: Final = beginning_set(f"{DECISION_LABEL_STEMS} {THREAD_LABEL_STEMS}")
_BEGINNINGS: Final = _LABELS.union(SETTLING, *(rule.begins for rule in (*DECISION_RULES, *THREAD_RULES)))
_NAMED: Final = late(
    r"[DT]-?\d|\b[dt]\d{3,}\b|ADR|DEC-|THR-|dec_|thr_|\[[ xX]\]|TODO|FIXME|XXX|HACK|[Tt]o[- ]do\b"
)


class Extractor(Protocol):
    """Finds decisions and threads in a text. The rules are the first one; a language model may be another.

    All answers are treated alike: a detection below the threshold waits for review, others become entries; `rule` names
    what found it.
    """

    def extract(self, text: str) -> Sequence[Detection]:
        """What the text says of decisions and threads, in its order; empty if it mentions none."""
        ...


class RuleExtractor:
    """The rules of this package as an extractor."""

    def extract(self, text: str) -> Sequence[Detection]:
        """As `detect`."""
        return detect(text)


def detect(text: str) -> tuple[Detection, ...]:
    """What a text says of decisions and threads by rules, in its order, at most 64."""
    if not may_say(text):
        return ()
    if (record := record_in(text)) is not None:
        return (record,)
    found: list[Detection] = []
    before: list[Passage] = []
    awaits = False
    for passage in passages(text):
        if found and _completes(found, passage):
            continue
        if before and asks_opinion(passage.plain):
            found = [each for each in found if each.sentence != before[-1].said or not _is_proposed(each)]
        if not has_name(passage.plain) and settles(passage.plain):
            is_settled = _settle(found, before, passage)
            awaits = not is_settled and settles_next(passage.plain)
            if is_settled or not begin_of_statement(passage.plain):
                continue
        rest = without_lead(passage)
        said = _said(passage, rest)
        if not said and rest is not passage and asks_to_keep(passage) and settled_by(rest.plain, "decided"):
            said = [decision_said(passage.said, "kept", weighed(_KEPT, rest.said), rest.said)]
        if awaits and not said and settled_by(passage.plain, "decided"):
            said = [decision_said(passage.said, "settled", weighed(_SETTLED, passage.said), passage.said)]
        said = _of_both(said, passage, before, found)
        said = _with_place(said, passage, before, found)
        awaits = settles_matter(rest.plain)
        found += _with_matter(said, before, found)
        before.append(passage)
        if len(found) >= MOST_DETECTIONS:
            break
    return _distinct(found)


def _is_proposed(found: Detection) -> bool:
    """Whether a decision is no more than proposed where somebody asks right behind it what others think of it."""
    return found.is_new_decision and found.rule != LABEL and OUTRIGHT.match(found.sentence) is None


def _of_both(
    said: list[Detection], passage: Passage, before: Sequence[Passage], found: Sequence[Detection]
) -> list[Detection]:
    """What a sentence says, with the one before it where it says no more than that all else stays, or that what
    that one says is so already and settled.
    """
    if not before or any(each.is_update or each.kind is not Kind.DECISION for each in said):
        return said
    is_known = any(each.sentence == before[-1].said for each in found)
    if _REST_STAYS.match(passage.plain) and not is_known and settled_by(before[-1].plain, "decided"):
        both = f"{before[-1].said} {passage.said}"
        return [decision_said(passage.said, "an exception", weighed(_SETTLED, both), both)]
    if not any(each.rule == "settled" and _IS_SO_ALREADY.match(each.text) for each in said):
        return said
    if is_known or not settled_by(without_lead(before[-1]).plain, "decided"):
        return []
    first = without_lead(before[-1]).said
    return [decision_said(before[-1].said, "settled", weighed(_SETTLED, first), first)]


def _with_place(
    said: list[Detection], passage: Passage, before: Sequence[Passage], found: list[Detection]
) -> list[Detection]:
    """What a sentence says, tied to the one before it where one of them tells what took a decision's place."""
    last = [each for each in found if before and each.sentence == before[-1].said]
    if last and replaces(before[-1], last) and (new := succeeded(before[-1], passage, said)):
        found[-len(last) :] = [followed(each, new) for each in last]
        return [new, *(each for each in said if each is not new)]
    if before and not last and (new := changed_to(before[-1], passage, said)):
        old = (updated(before[-1], each, "active", "") for each in ids_in(before[-1].plain))
        return [new, *(each for each in said if each is not new), *(followed(each, new) for each in old)]
    if before and replaces(passage, said) and (new := preceded(before[-1], passage, last)):
        return [*(() if new in last else (new,)), *(followed(each, new) for each in said)]
    return said


def _with_matter(
    said: Sequence[Detection], before: Sequence[Passage], found: Sequence[Detection]
) -> list[Detection]:
    """What a sentence says; one that only points back at the sentence before it opens a thread of both."""
    if not before:
        return [each for each in said if each.kind is not Kind.THREAD or not only_lists(each.sentence)]
    if not said or (words := with_matter(said[0].sentence, before[-1].said)) == said[0].sentence:
        return list(said)
    if any(each.kind is Kind.THREAD and each.sentence == before[-1].said for each in found):
        return []
    name, content = title(words)
    sure = weighed(_SETTLED, words)
    return [
        replace(each, text=name, content=content, confidence=max(each.confidence, sure))
        for each in said
        if each.kind is Kind.THREAD
    ]


def may_say(text: str) -> bool:
    """Whether a text may speak of a decision or a thread at all, by how its words begin; False is certain.

    Most texts hold no cue and cost no more than this look.
    """
    return not _BEGINNINGS.isdisjoint(beginnings(text)) or _NAMED.search(text) is not None


def _said(passage: Passage, rest: Passage) -> list[Detection]:
    """What one sentence says; words before its `rest`, such as "by the way", say nothing."""
    if not (
        passage.is_item
        or passage.box is not None
        or may_say(passage.plain)
        or CLOSERS & beginnings(passage.plain)
    ):
        return []
    if passage.plain.endswith("?"):
        rest = rest.part(end=len(without_question(rest.plain)))
    return [replace(each, sentence=passage.said) for each in _stated(rest)]


def _stated(passage: Passage) -> list[Detection]:
    """What a sentence says from its first word on."""
    if named := named_in(passage):
        # What is said about a named thread may be a decision at the same time.
        told = all(each.kind is Kind.THREAD and each.is_update and each.status != "open" for each in named)
        told = told and not acts_on_entries(passage.plain)
        decision = _decision(passage) if told and stated_beside(passage) else None
        if not told:
            return with_successor(passage, named)
        return named if decision is None else [*named, decision]
    if acts_on_entries(passage.plain):
        return []
    if has_name(passage.plain) and (instead := instead_in(passage)):
        return instead
    if turned := turned_from(passage):
        return turned
    thread = None if is_about_thread(passage.plain) else _thread(passage)
    if thread is not None and thread.rule in ("label", "check list", "closed label"):
        return [thread]
    decision = _decision(passage)
    return [detection for detection in (decision, thread) if detection is not None]


def _decision(passage: Passage) -> Detection | None:
    hit = decision_in(passage)
    if hit is None and passage.is_item and _UNDER_DECISIONS.match(passage.heading):
        hit = ("under a heading", 0.76, passage.said)
    if hit is None or hit[1] < LEAST_CONFIDENCE or not any(map(str.isalpha, hit[2])):
        return None
    return decision_said(passage.said, *hit)


def _thread(passage: Passage) -> Detection | None:
    hit = thread_in(passage)
    if hit is None and passage.is_item and _UNDER_THREADS.match(passage.heading):
        hit = ("under a heading", 0.74, passage.said, ThreadStatus.OPEN)
    if hit is None or hit[1] < LEAST_CONFIDENCE:
        return None
    rule, confidence, words, status = hit
    found = thread_said(passage.said, rule, confidence, words)
    if status is ThreadStatus.OPEN:
        return found
    # A sentence that closes an unnamed matter may mean one that is already known.
    return replace(found, status=str(status), is_update=True, resolution=passage.said)


def _completes(found: list[Detection], passage: Passage) -> bool:
    """Whether a sentence only gives a reason or alternatives for the decision before it, which are then added to it."""
    last = found[-1]
    if last.kind is not Kind.DECISION or not last.text:
        return False
    why, others = reason_line(passage.said), alternatives_line(passage.said)
    if why:
        found[-1] = replace(last, rationale=f"{last.rationale}; {why}" if last.rationale else why)
    elif others:
        found[-1] = replace(last, alternatives_rejected=(*last.alternatives_rejected, *others)[:8])
    return bool(why or others)


def _settle(found: list[Detection], before: Sequence[Passage], passage: Passage) -> bool:
    """Make a decision of the statement before a sentence that only says that it is decided; whether there is one."""
    if not before:
        return False
    last = without_lead(before[-1])
    known = next((each for each in reversed(found) if each.sentence == before[-1].said), None)
    if known is not None and (known.kind is not Kind.DECISION or known.local_id):
        return True
    if not settled_by(last.plain, passage.plain):
        return known is not None
    words = last.said
    if len(before) > 1 and _FRAGMENT.match(last.plain):
        first = without_lead(before[-2])
        if not any(each.sentence == before[-2].said for each in found) and settled_by(
            first.plain, passage.plain
        ):
            words = f"{first.said} {words}"
    confidence = weighed(_SETTLED, f"{words} {passage.said}")
    if known is None or known.confidence < confidence:
        if known is not None:
            found.remove(known)
        found.append(decision_said(before[-1].said, "settled", confidence, words))
    return True


def _distinct(found: Sequence[Detection]) -> tuple[Detection, ...]:
    """Without repetition: of two with the same words, the more confident one is kept."""
    kept: dict[tuple[object, ...], Detection] = {}
    for detection in found:
        key = (detection.kind, detection.local_id, detection.text.casefold(), detection.status)
        if key not in kept or kept[key].confidence < detection.confidence:
            kept[key] = detection
    return tuple(map(_unquoted, kept.values()))[:MOST_DETECTIONS]


def _unquoted(found: Detection) -> Detection:
    sentence, text, content = map(_closed, (found.sentence, found.text, found.content))
    if (sentence, text) == (found.sentence, found.text):
        return found
    return replace(found, sentence=sentence, text=text, content=content)


def _closed(words: str) -> str:
    """The words without a quotation mark at an end whose other one stands in another sentence."""
    last = len(words.rstrip(_STOPS)) - 1
    for signs in QUOTES if words[:1] in _MARKS or words[last : last + 1] in _MARKS else ():
        around = zip(words, f" {words}", f"{words[1:]} ", strict=False)
        marks = [n for n, (x, y, z) in enumerate(around) if x in signs and not (y.isalnum() and z.isalnum())]
        if marks == [0]:
            return words[1:].lstrip()
        is_measure = words[last - 1].isdigit() if signs is QUOTES[0] else words[last - 1].isalnum()
        if marks == [last] and not is_measure:
            return words[:last].rstrip(" .;")
    return words
