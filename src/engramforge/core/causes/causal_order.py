"""Which of two marked spans of a sentence is the cause and which the effect. Pure rules over the words around them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from engramforge.core.causes.causal_cues import BACKWARD, CUE, lowered

Span = tuple[int, int]

_VERBS: Final = ("verb", "works", "sends")
_WEAK: Final = frozenset({"works", "sends"})
_REACH: Final = 400
_IS_PASSIVE: Final = re.compile(r"(?i)\b(?:is|are|was|were|be|been|being|gets?|got)\s+(?:\w+\s+)?\Z")
_NOUN_BEFORE: Final = re.compile(
    r"(?i)\b(?:causes?|reasons?|sources?|triggers?|root)\s+(?:of|for|behind)\s+(?:[\w-]+\s+){0,6}\Z"
)
_FRONTED: Final = re.compile(
    r"(?i)\b(?:because\s+of|due\s+to|owing\s+to|thanks\s+to|as\s+a\s+result\s+of|in\s+the\s+wake\s+of|given|following|after|from"
    r"|because|since)\s+(?:[\w'-]+\s+){0,6}\Z"
)
_RELATIVE: Final = re.compile(
    r"(?i)\s*+,?+\s*+(?>(?:that|which)?)\s*+(?>(?:(?:the|a|an|this|that|these|those|its|their|his|her|our|my|your)\s++)?)"
    r"(?>(?:[\w-]++\s++){0,3})\Z"
)
_PREPOSITION: Final = re.compile(
    r"(?i)\b(from|by|after|following|of|with|over|through|out\s+of|under|during|when|upon|for|to|into|in|about|without|against)\b"
)
_SECOND_IS_CAUSE: Final = frozenset(
    {"from", "by", "after", "following", "of", "over", "through", "out of", "under", "upon", "when", "during", "about"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CausalOrder:
    """Which of two spans is the cause.

    `cause`: 0: the one that was given first; 1: the other. `is_said`: whether a wording of cause and effect joins them;
    else it is the likelier of the two. `cue`: the words that decided, lower-cased; empty where none did.
    """

    cause: int
    is_said: bool
    cue: str


def direction_between(text: str, given: Span, other: Span) -> CausalOrder:
    """Which of two spans [start, end) of a text is the cause; the spans are distinct and within the text."""
    is_swapped = other < given
    first, second = (other, given) if is_swapped else (given, other)
    order = _order_of(lowered(text), first, second)
    return CausalOrder(order.cause ^ is_swapped, order.is_said, " ".join(order.cue.split()))


def _order_of(text: str, first: Span, second: Span) -> CausalOrder:
    """The order of two spans that stand in this order."""
    between_start, between_end = first[1], max(first[1], second[0])
    cues = list(CUE.finditer(text, max(between_start, between_end - _REACH), between_end))
    if (fronted := _fronted(text, first, second)) is not None:
        return fronted
    strong = [cue for cue in cues if cue.lastgroup not in _WEAK]
    strong = [cue for cue in strong if cue.lastgroup != "induced"] or strong
    if strong or cues:
        return _by_cue(text, (strong or cues)[-1], between_end)
    return _by_relative(text, first, second) or _by_preposition(text[between_start:between_end])


def _by_cue(text: str, cue: re.Match[str], end: int) -> CausalOrder:
    """The order that a cue between the spans tells."""
    kind = str(cue.lastgroup)
    is_backward = kind in BACKWARD
    if kind in _VERBS:
        # "the harm produced, some say, by": a participle whose agent comes later.
        is_participle = cue.group().endswith(("ed", "t")) and re.search(r"\bby\b", text[cue.end() : end])
        is_backward = bool(_IS_PASSIVE.search(text[max(0, cue.start() - 40) : cue.start()]) or is_participle)
    return CausalOrder(int(is_backward), kind not in _WEAK, cue.group())


def _fronted(text: str, first: Span, second: Span) -> CausalOrder | None:
    """ "The cause of FIRST was SECOND", "Because of FIRST, SECOND"."""
    before, between = text[max(0, first[0] - 100) : first[0]], text[first[1] : second[0]]
    noun = _NOUN_BEFORE.search(before)
    if noun is not None and re.search(r"\b(?:is|are|was|were|include[sd]?|being)\b", between, re.I):
        return CausalOrder(1, True, noun.group())
    opened = _FRONTED.search(before)
    if opened is not None and "," in between and CUE.search(between) is None:
        return CausalOrder(0, True, opened.group())
    return None


def _by_relative(text: str, first: Span, second: Span) -> CausalOrder | None:
    """ "FIRST that the SECOND caused"."""
    if not _RELATIVE.match(text[first[1] : second[0]]):
        return None
    after = CUE.search(text, second[1], min(len(text), second[1] + 40))
    if after is None or after.lastgroup not in _VERBS:
        return None
    if not re.fullmatch(r"\s*(?:\w+\s+){0,2}", text[second[1] : after.start()]):
        return None
    return CausalOrder(1, True, after.group())


def _by_preposition(between: str) -> CausalOrder:
    """The likelier order, where only a preposition, or nothing, stands between."""
    found = _PREPOSITION.findall(between)
    if not found:
        return CausalOrder(0, False, "")
    last = " ".join(found[-1].split())
    return CausalOrder(int(last in _SECOND_IS_CAUSE), False, last)
