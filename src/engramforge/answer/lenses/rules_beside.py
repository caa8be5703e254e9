"""Rules of a lens that guards which may bear on a question though they do not answer it: told, and marked so.

"Customer records must never leave the live systems" shares no word with a question for a copy of production. So what
constrains is held to a lower bar in such a lens; where the question asks whether something may be done, what forbids is
held to the lowest: that it speaks of anything that is asked, in like words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engramforge.answer.lenses.agreeing import statement
from engramforge.core.conflicts.alignment import Likeness, align
from engramforge.core.conflicts.statements import CHOOSING, STATING, read_statement
from engramforge.core.lenses.leave import asks_leave, forbids
from engramforge.core.lenses.rejections import is_constraint
from engramforge.core.oracle.resonance import asked_stems
from engramforge.core.text.words import root_of, words_of
from engramforge.model.lenses.role import Role
from engramforge.model.search.hit import Hit

GUARDING: Final = frozenset({Role.CRITIC, Role.EVALUATOR})
_MOST: Final = 2
_LEAST_ODDS: Final = -1.5
"""The log-odds that a constraint answers, below which it is about something else."""
_LIKE: Final = 0.35
"""How close a word of what forbids is to one that is asked, at least."""
_READ: Final = 400


def rules_beside(query: str, role: Role, hits: Sequence[Hit], like: Likeness) -> tuple[Hit, ...]:
    """Of what a lens found and does not answer, the rules that may bear on the question, the nearest first."""
    if role not in GUARDING:
        return ()
    asked, asks = asked_stems(query), asks_leave(query)
    rules = (
        each
        for each in hits
        if not each.relevant
        and is_constraint(said := statement(each))
        and _bears(query, said, asked, like, each.answer_odds, asks=asks)
    )
    return tuple(rules)[:_MOST]


def _bears(query: str, said: str, asked: frozenset[str], like: Likeness, odds: float, *, asks: bool) -> bool:
    if odds >= _LEAST_ODDS and not asked.isdisjoint(map(root_of, words_of(said[:_READ]))):
        return True
    if not asks or not forbids(said):
        return False
    sides = read_statement(query), read_statement(said[:_READ])
    closeness = align(*sides, like).closeness
    rows = [at for at, word in enumerate(sides[0].words) if word.stem not in CHOOSING | STATING]
    return bool(closeness.size and rows and closeness[rows].max() >= _LIKE)
