"""Rules of a lens that guards which may bear on a question though they do not answer it: told, and marked so.

"Customer records must never leave the live systems" shares no word with a question for a copy of production. So what
constrains is held to a lower bar in such a lens; where the question asks whether something may be done, what forbids is
held to the lowest: that it speaks of anything that is asked, in like words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engramforge.answer.lenses.agreeing import statement
from engramforge.answer.lenses.by_question import READ, SURELY, said_roots
from engramforge.core.conflicts.alignment import Likeness, align
from engramforge.core.conflicts.statements import CHOOSING, STATING, read_statement
from engramforge.core.lenses.leave import asks_leave, forbids
from engramforge.core.lenses.rejections import is_constraint
from engramforge.core.oracle.orders import gives_orders
from engramforge.core.oracle.resonance import asked_stems
from engramforge.model.lenses.role import Role
from engramforge.model.search.hit import Hit

GUARDING: Final = frozenset({Role.CRITIC, Role.EVALUATOR})
_MOST: Final = 2
_LEAST_ODDS: Final = -1.5
"""The log-odds that a constraint answers, below which it is about something else."""
_LIKE: Final = 0.35
"""How close a word of what forbids is to one that is asked, at least."""


def rules_beside(query: str, role: Role, hits: Sequence[Hit], like: Likeness) -> tuple[Hit, ...]:
    """Of what a lens found and does not answer, the rules that may bear on the question: what forbids first, then the
    nearest. None where it answers itself, by a rule or surely."""
    rules = [
        each
        for each in hits
        if role in GUARDING and is_constraint(statement(each)) and not gives_orders(each.memory.content)
    ]
    if not rules or any(_answers(each) for each in hits):
        return ()
    asked, asks = asked_stems(query), asks_leave(query)
    found = [each for each in rules if _is_near(each, asked) or (asks and _is_alike(query, each, like))]
    return tuple(sorted(found, key=lambda each: not forbids(statement(each)))[:_MOST])


def _answers(hit: Hit) -> bool:
    return hit.relevant and (hit.parts.similarity >= SURELY or is_constraint(statement(hit)))


def _is_near(hit: Hit, asked: frozenset[str]) -> bool:
    """Whether a hit all but answers, and says a word of the question."""
    return hit.answer_odds >= _LEAST_ODDS and not asked.isdisjoint(said_roots(hit))


def _is_alike(query: str, hit: Hit, like: Likeness) -> bool:
    """Whether a rule forbids, and has a word like one that is asked."""
    said = statement(hit)[:READ]
    if not forbids(said):
        return False
    sides = read_statement(query), read_statement(said)
    closeness = align(*sides, like).closeness
    rows = [at for at, word in enumerate(sides[0].words) if word.stem not in CHOOSING | STATING]
    return bool(closeness.size and rows and closeness[rows].max() >= _LIKE)
