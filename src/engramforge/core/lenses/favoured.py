"""What each role favours in the recall through it: kinds of memories, in place of what a kind is worth to everybody.

The primary signals of spec chapter 6, as far as a memory's kind tells them, whether it resonates with another project,
how a flag stands and how well a pattern worked; what is not named counts as it does without a role.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from engramforge.core.ranking.mass import CATEGORY_BOOST
from engramforge.model.lenses.role import Role
from engramforge.model.memory import Kind

_FAVOURED: Final[Mapping[Role, Mapping[Kind, float]]] = {
    Role.CONNECTOR: {Kind.LEARNING: 1.0, Kind.PATTERN: 1.0, Kind.FLAG: 0.9, Kind.DECISION: 0.8},
    Role.NAVIGATOR: {Kind.DECISION: 1.0, Kind.THREAD: 1.0, Kind.LINEAGE: 0.9},
    Role.BUILDER: {
        Kind.PATTERN: 1.0,
        Kind.PRIMING: 1.0,
        Kind.DECISION: 0.9,
        Kind.ARTIFACT: 0.9,
        Kind.ACTION: 0.7,
    },
    Role.EVALUATOR: {Kind.PATTERN: 1.0, Kind.LEARNING: 1.0, Kind.THREAD: 0.9, Kind.SESSION_SUMMARY: 0.9},
    Role.CRITIC: {Kind.FLAG: 1.0, Kind.THREAD: 1.0, Kind.DECISION: 0.9, Kind.NOTE: 0.7},
    Role.COMPILER: {Kind.PRIMING: 1.0, Kind.FLAG: 0.9, Kind.SESSION_SUMMARY: 0.9, Kind.PATTERN: 0.9},
}


_FLAGS: Final[Mapping[Role, Mapping[bool, float]]] = {
    Role.CRITIC: {False: 1.0, True: CATEGORY_BOOST[Kind.FLAG]},
    Role.COMPILER: {False: CATEGORY_BOOST[Kind.FLAG], True: 1.0},
}
"""Whether a flag is compiled -> its value: a critic looks for pending ones, a compiler for what was compiled."""
_UNTRIED: Final = 0.5
_APART: Final = 0.7
"""What a memory keeps of its value to who looks for what joins projects, if it resonates with nothing elsewhere."""


@cache
def favoured(role: Role) -> Mapping[Kind, float]:
    """The value of each kind to a role, 0..1.

    >>> favoured(Role.COMPILER)[Kind.PRIMING], favoured(Role.COMPILER)[Kind.CHUNK]
    (1.0, 0.5)
    """
    return MappingProxyType({**CATEGORY_BOOST, **_FAVOURED[role]})


def looks_into(role: Role) -> tuple[Kind, ...]:
    """The kinds of which a role favours some memories above others.

    >>> looks_into(Role.EVALUATOR), looks_into(Role.BUILDER)
    ((<Kind.PATTERN: 'pattern'>,), ())
    """
    if role in _FLAGS:
        return (Kind.FLAG,)
    return (Kind.PATTERN,) if role is Role.EVALUATOR else ()


def worth_of_flag(role: Role, *, is_compiled: bool) -> float:
    """The value of a flag to a role that looks into flags, 0..1."""
    return _FLAGS[role][is_compiled]


def worth_of_bridge(of_kind: float, *, resonates: bool) -> float:
    """The value of a memory to who looks for what joins projects, 0..1, by whether it resonates with one of another
    project. `of_kind`: what its kind is worth.

    >>> worth_of_bridge(0.6, resonates=True), worth_of_bridge(1.0, resonates=False)
    (1.0, 0.7)
    """
    return 1.0 if resonates else _APART * of_kind


def worth_of_pattern(success_score: float | None) -> float:
    """The value of a pattern to who judges by outcomes, 0..1, by how often it works at least; None: untried.

    >>> worth_of_pattern(None), worth_of_pattern(0.6)
    (0.5, 0.8)
    """
    return _UNTRIED if success_score is None else _UNTRIED + (1 - _UNTRIED) * success_score
