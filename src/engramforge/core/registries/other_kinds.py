"""The same thing of another kind: "a white background after all" where a dark one was decided.

Which of the decisions that stand is meant: the only one that names that thing with another word before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Final, NamedTuple

from engramforge.core.registries.named_stems import stems_in_order
from engramforge.core.text.late_pattern import late

_CLAUSE: Final = late(r"[,;:!?()\u2014\u2013]|\.(?:\s|\Z)|\s-\s|\s(?:because|since|as|so that)\s")
_PREPOSITION: Final = late(r"(?i)\b(?:for|in|on|at|of|to|with|from|by|as)\b")


class OtherKind(NamedTuple):
    """The place of a decision, the stem of its kind, and the clause that names another."""

    place: int
    kind: str
    clause: str


def with_another_kind(decisions: Sequence[str], said: str) -> OtherKind | None:
    """The only decision that has another kind of what a clause names; None where there is none, or several.

    Beside the kind the clause names nothing that the decision does not.

    >>> with_another_kind(("a dark background for the kiosk", "a small logo"), "back to a white background, it glares")
    OtherKind(place=0, kind='dark', clause='back to a white background')
    >>> with_another_kind(("a dark background for the kiosk",), "a white background for the flyer") is None
    True
    """
    for clause in _CLAUSE.split(said):
        found = [
            OtherKind(at, kind, clause)
            for at, each in enumerate(decisions)
            if (kind := _other_kind(each, clause))
        ]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _other_kind(decision: str, named: str) -> str:
    """The stem before a thing in the decision, in whose place a clause has another beside the same thing."""
    mine, its = _phrases(decision), _phrases(named)
    old, all_named = set(chain(*mine)), list(chain(*its))
    new = [stem for stem in all_named if stem not in old]
    if len(new) != 1:
        return ""
    beside = {one for each in its for pair in pairwise(each) if new[0] in pair for one in pair} - set(new)
    kinds = [
        kind for each in mine for kind, thing in pairwise(each) if thing in beside and kind not in all_named
    ]
    return kinds[0] if len(kinds) == 1 else ""


def _phrases(text: str) -> list[list[str]]:
    """The stems of a text, in its order; what a preposition parts is not side by side."""
    return [stems_in_order(each, frozenset()) for each in _PREPOSITION.split(text)]
