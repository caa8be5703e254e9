"""What a decision builds on: its links, and the check that no decision builds on itself, directly or not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from engramforge.core.registries.registration import entry_id_of
from engramforge.errors import InvalidValue, PlanOutdated
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Kind, Memory
from engramforge.model.scope import Scope
from engramforge.registries.registered import entry_link, registration_of
from engramforge.store.door import Door, Transaction


@dataclass(frozen=True, slots=True)
class Rebased:
    """The changes when a decision's dependencies change.

    `fresh`: new dependencies. `ended`: links that no longer hold. `looked_at`: every decision visited, none of which
    may have changed when this is written.
    """

    fresh: tuple[Memory, ...] = ()
    ended: tuple[Link, ...] = ()
    looked_at: tuple[Memory, ...] = ()


NOTHING_REBASED: Final = Rebased()


def dependency(decision: Memory, base: Memory, at: datetime) -> Link:
    """The link of a decision to a dependency."""
    return entry_link(Relation.DEPENDS_ON, decision, base, at, trigger="a decision builds on another")


def rebase(door: Door, scope: Scope, head: Memory, bases: Sequence[Memory]) -> Rebased:
    """The changes that make a decision build on exactly these.

    Raises InvalidValue if it would build on itself, over any number of others.
    """
    own = head.logical_id
    before = {
        link.target_id: link for link in _building(door.asking(scope).links([own])) if link.source_id == own
    }
    wanted = {base.logical_id for base in bases}
    fresh = [base for base in bases if base.logical_id not in before]
    seen = _everything_under(door, scope, [memory.logical_id for memory in fresh])
    if own in seen:
        entry_id = registration_of(head).entry_id
        over = [entry_id_of(Kind.DECISION, each) for each in seen if each != own]
        raise InvalidValue(
            f"The decision {entry_id} would depend on itself" + (f", over {over[0]}" if over else ""),
            "Leave out the dependency that leads back to it",
        )
    ended = tuple(link for end, link in before.items() if end not in wanted)
    return Rebased(tuple(fresh), ended, tuple(seen.values()))


def _everything_under(door: Door, scope: Scope, wave: Sequence[str]) -> dict[str, Memory]:
    """Decisions and all that they build on, by their logical ids.

    Each is read before its links: changing the links in between changes the decision too, which `unchanged` notices.
    """
    seen: dict[str, Memory] = {}
    asked = set(wave)
    while wave:
        seen |= door.asking(scope).fetch(wave)
        ends = [
            link.target_id for link in _building(door.asking(scope).links(wave)) if link.source_id in seen
        ]
        wave = list(dict.fromkeys(end for end in ends if end not in asked))
        asked.update(wave)
    return seen


def _building(links: Iterable[Link]) -> list[Link]:
    return [
        link for link in links if link.relation == Relation.DEPENDS_ON and link.source_id != link.target_id
    ]


def unchanged(memories: Sequence[Memory]) -> Callable[[Transaction], None] | None:
    """A check inside the transaction that raises PlanOutdated if any of these was changed since it was read."""
    if not memories:
        return None

    def check(writes: Transaction) -> None:
        standing = writes.fetch([each.logical_id for each in memories])
        for memory in memories:
            there = standing.get(memory.logical_id)
            if there is None or (there.id, there.expired_at) != (memory.id, memory.expired_at):
                raise PlanOutdated(
                    f"The decision {registration_of(memory).entry_id} changed meanwhile", "Repeat the call"
                )

    return check
