"""What of a lens's results answers by itself: nothing that gives its reader orders, nor a decision by its reasons alone
where another statement says all that is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from engramforge.answer.lenses.agreeing import statement
from engramforge.answer.oracle.cited import is_aside
from engramforge.core.oracle.in_reasons import says_all
from engramforge.core.oracle.orders import gives_orders
from engramforge.model.search.hit import Hit


class Found(NamedTuple):
    """What one lens finds, and what of it that does not hold any more."""

    hits: tuple[Hit, ...]
    ended: tuple[Hit, ...]


def own_answers(query: str, found: Sequence[tuple[Sequence[Hit], Sequence[Hit]]]) -> list[Found]:
    """The results of every lens; what does not answer by itself is told as such, what gives orders behind the rest."""
    is_said = any(each.relevant and says_all(query, statement(each)) for hits, _ in found for each in hits)
    return [Found(_told(query, hits, is_said=is_said), tuple(ended)) for hits, ended in found]


def _told(query: str, hits: Sequence[Hit], *, is_said: bool) -> tuple[Hit, ...]:
    ordering = [replace(each, relevant=False) for each in hits if gives_orders(each.memory.content)]
    plain = [
        replace(each, relevant=False) if is_said and is_aside(query, each.memory) else each
        for each in hits
        if not gives_orders(each.memory.content)
    ]
    return (*plain, *ordering)
