"""How a decision is used: validated, and carried by an archive.

Use counters change in place; the effect of the write in the audit log keeps what they were before.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from engramforge.model.memory import Memory
from engramforge.model.registration import Registration
from engramforge.model.storing.effect import Use
from engramforge.registries.registered import mentioned_in
from engramforge.store.door import Transaction


def validated(registration: Registration, at: datetime, conversation: str | None) -> Registration:
    """The registration after an explicit validation, the only thing that resets the hops."""
    return replace(
        registration,
        last_validated=at,
        validation_count=registration.validation_count + 1,
        hops=0,
        conversations=mentioned_in(registration, conversation),
    )


def carried(registration: Registration, at: datetime, needs_revalidation: bool) -> Registration:
    """The registration after an archive carried it, with another hop.

    It also counts as validated, unless the archive lists it for revalidation; an older archive never moves the
    validation back.
    """
    hops = registration.hops + 1
    if needs_revalidation:
        return replace(registration, hops=hops)
    return replace(
        registration,
        hops=hops,
        last_validated=max(at, registration.last_validated or at),
        validation_count=registration.validation_count + 1,
    )


def carry(
    writes: Transaction, decisions: Sequence[Memory], for_revalidation: Collection[str], at: datetime
) -> dict[str, dict[str, Any]]:
    """Count that an archive carries decisions, in place and inside its transaction.

    `decisions`: the current versions. `for_revalidation`: logical ids of those that the archive lists for revalidation.

    Returns
    -------
    logical id -> the `extra` of the CARRIES link to it: whether it counts as validated, and how it was used before.
    Decisions that are gone, or ended meanwhile, are left out.
    """
    standing = writes.fetch([memory.logical_id for memory in decisions])
    extras: dict[str, dict[str, Any]] = {}
    for decision in decisions:
        there = standing.get(decision.logical_id)
        if there is None or there.registration is None or there.is_superseded:
            continue
        needs = decision.logical_id in for_revalidation
        writes.note_use(there, carried(there.registration, at, needs))
        at_last, before = there.registration.last_validated, Use.of(there.registration)
        said = {**asdict(before), "last_validated": None if at_last is None else at_last.isoformat()}
        extras[decision.logical_id] = {"bumped": not needs, "before": said}
    return extras
