"""What a rule of any lens seems to forbid: nobody follows that before a person has looked, though no wording shows that
the two contradict each other.

"The app reports where guests are" and "where a guest is must stay on the phone" differ in too much for that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import product
from typing import Final, NamedTuple

from engramforge.answer.lenses.agreeing import statement
from engramforge.answer.lenses.by_question import said_roots
from engramforge.core.lenses.leave import asks_leave, forbidden_matter, forbids
from engramforge.model.lenses.orchestration import LensResult
from engramforge.model.search.hit import Hit

FORBIDDEN: Final = "a rule may forbid what is asked"
_NEAR_ODDS: Final = -1.5
"""The log-odds that a rule answers from which one word of the question that it says is enough."""


class Forbidden(NamedTuple):
    """An item that answers, and a rule on what both and the question speak of."""

    lens: str
    item: Hit
    by_lens: str
    rule: Hit


def forbidden(
    query: str, per_lens: Mapping[str, LensResult], outdated: Collection[str] = ()
) -> Iterator[Forbidden]:
    """What answers a question for leave beside a standing rule that forbids something of the same subject."""
    if not asks_leave(query):
        return
    found = [(name, hit) for name, each in per_lens.items() for hit in each.results]
    held = [(name, hit) for name, hit in found if hit.memory.logical_id not in outdated]
    rules = [
        (name, hit, matter)
        for name, hit in held
        if (
            matter := forbidden_matter(
                query, statement(hit), is_near=hit.relevant or hit.answer_odds >= _NEAR_ODDS
            )
        )
    ]
    ways = [(name, hit) for name, hit in held if hit.relevant and not forbids(statement(hit))]
    for (lens, item), (by_lens, rule, matter) in product(ways, rules):
        if not matter.isdisjoint(said_roots(item)):
            yield Forbidden(lens, item, by_lens, rule)
