"""The same matter with another time, amount or frequency: "washing at 9 from now on", "brush down to 30 rpm".

Which of the decisions that stand is meant, and what it says with the new value; what it says beside that stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from engramforge.core.registries.changed.turned_values import (
    ENDS,
    LED,
    ONLY_NOW,
    ONWARDS,
    WHAT,
    WORD,
    may_be_turned,
    with_value_turned,
)
from engramforge.core.registries.intervals import intervals_in, without_intervals
from engramforge.core.registries.named_stems import stems_in
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import words_of

_CLOCK: Final = (
    r"(?:\d{1,2}(?::\d\d)? ?(?:[ap]m\b|o['\u2019]?clock\b)|\d{1,2}:\d\d|\d{1,2}(?![\d.,]*\w)|noon|midnight)"
    r"(?: (?:in the (?:morning|afternoon|evening)|at night))?"
)
_SHIFTS: Final = tuple(
    late(f"{LED}{frame}")
    for frame in (
        rf"{WHAT} (?:moves?|goes|shifts?) to (?:(?:at|on) )?(?P<value>{_CLOCK}){ENDS}",
        rf"(?:(?:we|let['\u2019]?s) )?(?:move|shift|push) {WHAT} to (?P<value>{_CLOCK}){ENDS}",
        rf"{WHAT} (?:(?:is|starts?|begins?|runs?|happens?|opens?|closes?) )?at (?P<value>{_CLOCK}){ONWARDS}",
    )
)
"""Gives a matter another time."""
_MOVED: Final = late(
    rf"(?i)\A\W*(?:the |our )?(?P<what>{WORD}(?:\s{WORD}){{0,1}}?) at (?P<old>{_CLOCK}) (?:clashes|collides"
    r"|conflicts"
    rf"|overlaps|is too|does(?:n['\u2019]?t| not) (?:work|fit|suit))\b[^.;!?]{{0,80}}[.;!,]\s*(?:so )?(?:(?:we"
    rf"|let['\u2019]?s) )?(?:move|shift|push) it to (?P<value>{_CLOCK}){ENDS}"
)
"""Says first what is wrong with the time."""
_OFTEN: Final = late(rf"{LED}[^.;!?]{{3,100}}?{ONWARDS}{ENDS}")
_NO_MATTER: Final = late(r"(?i)\b(?:from (?:now|today) on|make|do|get|have|it|them)\b")
_IT: Final = late(r"(?i)\b(?:it|them|that)\b")
_CLAUSE: Final = late(r"[,;]\s|\s(?:and|but)\s")
_CLOCKED: Final = late(rf"(?i)(?<=\bat )(?P<value>{_CLOCK})")


class _Anew(NamedTuple):
    """A matter by its stems, with another time; `old`: the one that it had, "" where nobody says."""

    matter: frozenset[str]
    value: str
    old: str = ""


def may_be_anew(sentence: str) -> bool:
    """Whether a sentence may give a matter another time, amount or frequency.

    >>> [may_be_anew(each) for each in ("brush down to 30 rpm", "the cpu is up to 80 percent", "feed it from now on")]
    [True, False, False]
    """
    return _set_in(sentence) is not None or _often_in(sentence) is not None or may_be_turned(sentence)


def with_value_anew(decisions: Sequence[str], sentence: str) -> tuple[int, str] | None:
    """The place of the only decision of the same matter with another such value, and the decision with the new one.

    >>> decided = ("brine is 3% salt and the brush turns at 40 rpm", "washing starts at 6 in the morning")
    >>> with_value_anew(decided, "brush down to 30 rpm, 40 tears the rind")
    (0, 'brine is 3% salt and the brush turns at 30 rpm')
    >>> with_value_anew(decided, "washing at 9 in the evening from now on")
    (1, 'washing starts at 9 in the evening')
    >>> with_value_anew(decided, "milking at 9 in the evening from now on") is None
    True
    """
    if (turned := with_value_turned(decisions, sentence)) is not None:
        return turned
    if (anew := _set_in(sentence)) is not None:
        found = [(at, new) for at, each in enumerate(decisions) if (new := _with_value(each, anew))]
    elif (said := _often_in(sentence)) is not None:
        found = [(at, new) for at, each in enumerate(decisions) if (new := _with_frequency(each, said))]
    else:
        return None
    return found[0] if len(found) == 1 else None


def _set_in(sentence: str) -> _Anew | None:
    if ONLY_NOW.search(sentence):
        return None
    if (moved := _MOVED.match(sentence)) is not None:
        return _Anew(stems_in(moved["what"]), moved["value"], moved["old"])
    hit = next((hit for shift in _SHIFTS if (hit := shift.match(sentence)) is not None), None)
    if hit is None or not (matter := stems_in(hit["what"])):
        return None
    return _Anew(matter, hit["value"])


def _often_in(sentence: str) -> str | None:
    """The clause that says how often something happens from now on."""
    hit = _OFTEN.match(sentence)
    if hit is None or ONLY_NOW.search(sentence) or len(intervals_in(hit[0])) != 1:
        return None
    return hit[0]


def _with_value(decision: str, anew: _Anew) -> str:
    """A decision with another time in the clause that tells the matter; "" where it has none."""
    for begin, clause in _clauses(decision):
        hits = list(_CLOCKED.finditer(clause))
        if len(hits) != 1 or not anew.matter <= stems_in(clause):
            continue
        (hit,) = hits
        if hit[0] != anew.value and anew.old.split()[:1] in ([], hit[0].split()[:1]):
            return f"{decision[: begin + hit.start()]}{anew.value}{decision[begin + hit.end() :]}"
    return ""


def _clauses(decision: str) -> Iterator[tuple[int, str]]:
    """The clauses of a decision, each with where it begins."""
    begin = 0
    for end in (*(hit.start() for hit in _CLAUSE.finditer(decision)), len(decision)):
        yield begin, decision[begin:end]
        begin = end


def _with_frequency(decision: str, said: str) -> str:
    """A decision with another frequency in the clause of which a sentence says all."""
    new = intervals_in(said)[0]
    matter = _matter(said)
    if not matter and not _IT.search(said):
        return ""
    is_single = len(intervals_in(decision)) == 1
    # One word, or none, tells a matter where a decision has no other frequency.
    if not is_single and len(matter) < 2:
        return ""
    for begin, clause in _clauses(decision):
        if matter <= _matter(clause) and len(its := intervals_in(clause)) == 1 and its[0] != new:
            changed = clause.replace(_every_in(clause), _every_in(said))
            return f"{decision[:begin]}{changed}{decision[begin + len(clause) :]}"
    return ""


def _every_in(text: str) -> str:
    """The words of a text that say how often."""
    rest = without_intervals(text)
    begin = next(
        (at for at, (one, other) in enumerate(zip(text, rest, strict=False)) if one != other), len(rest)
    )
    return text[begin : begin + len(text) - len(rest) + 1].strip()


def _matter(text: str) -> frozenset[str]:
    return stems_in(" ".join(words_of(_NO_MATTER.sub(" ", without_intervals(text)))))
