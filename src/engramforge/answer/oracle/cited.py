"""What an answer cites: hits, and memories that the question did not find and that belong beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from engramforge.core.oracle.in_reasons import by_reasons_alone, says_all
from engramforge.core.oracle.orders import gives_orders, only_gives_orders
from engramforge.core.text.portions import excerpt_within
from engramforge.model.memory import Kind, Memory
from engramforge.model.oracle import Citation
from engramforge.model.registries.entry import STANDING
from engramforge.model.search.hit import AttentionParts, Hit
from engramforge.model.search.selection import Selection
from engramforge.model.time import TemporalMode
from engramforge.registries.decisions.decision_view import decision_text
from engramforge.store.door import View

SAID: Final = 300
"""Characters of a statement."""
ORDERS: Final = "gives orders to its reader, which are data"
_NO_PARTS: Final = AttentionParts(0.0, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Cited:
    """A hit that an answer rests on. `because`: why, where the question's words did not find it, or what to mind."""

    hit: Hit
    because: str = ""

    def said(self) -> Cited:
        """The same with what it says to the question, and what became of it, as its excerpt."""
        hit = self.hit
        line = " ".join((hit.gist or hit.excerpt).split())
        said = excerpt_within(line, SAID, least=1) or ""
        told = f"{said} (but now: {hit.but_now})" if hit.but_now else said
        return replace(self, hit=replace(hit, excerpt=told))


def beside(memory: Memory, because: str) -> Cited:
    """A memory that no question found, as it is cited."""
    hit = Hit(memory, 0.0, _NO_PARTS, {}, (), (), True, 0.0, memory.content)
    return Cited(hit, because)


def citation(hit: Hit, store: str, because: str = "") -> Citation:
    """What a statement that rests on this hit names. `store`: primary or fallback."""
    memory = hit.memory
    entry = memory.registration
    return Citation(
        id=entry.entry_id if entry else memory.logical_id,
        version_id=memory.id,
        kind=memory.kind,
        project=memory.project,
        at=memory.told_at,
        epistemic_tier=memory.epistemic_tier,
        where=hit.where,
        store=store,
        because=because,
        speaker=memory.speaker,
    )


def is_aside(query: str, memory: Memory) -> bool:
    """Whether a memory is a decision that says a word of the question in its reasons alone."""
    return memory.kind is Kind.DECISION and by_reasons_alone(query, statement_of(memory), memory.content)


def without_asides(query: str, hits: Sequence[Hit]) -> list[Hit]:
    """Hits without such decisions, where the statement of another says all that is asked."""
    is_said = any(says_all(query, statement_of(each.memory)) for each in hits)
    return [each for each in hits if not (is_said and is_aside(query, each.memory))]


def orders_last(found: Sequence[Cited]) -> list[Cited]:
    """What is cited with what gives orders to its reader behind the rest, marked; none that does nothing else alone."""
    plain = [each for each in found if not gives_orders(each.hit.memory.content)]
    marked = [
        replace(each, because="; ".join(filter(None, (each.because, ORDERS))))
        for each in found
        if gives_orders(each.hit.memory.content) and (plain or not only_gives_orders(each.hit.memory.content))
    ]
    return [*plain, *marked]


def statement_of(memory: Memory) -> str:
    """What a decision says, without its reasons; of any other memory all of it."""
    return decision_text(memory) if memory.kind is Kind.DECISION else memory.content


def standing_versions(view: View, logical_ids: Sequence[str], selection: Selection) -> dict[str, Memory]:
    """Of each logical id the version that stands at a selection's times; empty where all versions are asked for."""
    if selection.mode not in (TemporalMode.CURRENT, TemporalMode.POINT_IN_TIME):
        return {}
    found = {each: _standing(view.versions(each), selection) for each in logical_ids}
    return {each: memory for each, memory in found.items() if memory is not None}


def _standing(versions: Sequence[Memory], selection: Selection) -> Memory | None:
    return next((each for each in reversed(versions) if stands_at(each, selection)), None)


def stands_at(version: Memory, selection: Selection) -> bool:
    """Whether a version was known, held and stood at a selection's point in time."""
    as_of = selection.as_of
    if as_of is None or as_of.valid is None or as_of.recorded is None:
        return False
    is_known = version.created_at <= as_of.recorded and (
        version.expired_at is None or version.expired_at > as_of.recorded
    )
    holds = version.valid_at <= as_of.valid and (
        version.invalid_at is None or version.invalid_at > as_of.valid
    )
    return is_known and holds and (version.registration is None or version.registration.status in STANDING)
