"""How a decision is used: validated, carried by an archive, and both taken back.

Use counters change in place; their previous values are kept where the change is recorded: in the audit log for a
validation, in the CARRIES link for a carrying.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from engramforge.errors import InvalidTime
from engramforge.model.memory import Memory
from engramforge.model.registration import Registration
from engramforge.model.time import parse_time
from engramforge.registries.registered import mentioned_in
from engramforge.store.door import Transaction

_USE: Final = r"(\S+), (\d+) times, (\d+) hops"
_LINE: Final = re.compile(rf"was validated {_USE}; now {_USE}")


@dataclass(frozen=True, slots=True)
class Use:
    """How an entry was used so far."""

    last_validated: datetime | None
    validation_count: int
    hops: int

    @classmethod
    def of(cls, registration: Registration) -> Use:
        """The use recorded in a registration."""
        return cls(registration.last_validated, registration.validation_count, registration.hops)

    @classmethod
    def read(cls, said: Mapping[str, Any]) -> Use | None:
        """The inverse of `as_dict`; None if the values are not valid."""
        try:
            at = said["last_validated"]
            moment = None if at is None else parse_time(str(at))
            return cls(moment, int(said["validation_count"]), int(said["hops"]))
        except (KeyError, TypeError, ValueError, InvalidTime):
            return None

    def as_dict(self) -> dict[str, Any]:
        """JSON values, kept in a CARRIES link under `before`."""
        at = None if self.last_validated is None else self.last_validated.isoformat()
        return {"last_validated": at, "validation_count": self.validation_count, "hops": self.hops}

    def put(self, registration: Registration) -> Registration:
        """The registration with this use."""
        return replace(
            registration,
            last_validated=self.last_validated,
            validation_count=self.validation_count,
            hops=self.hops,
        )


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

    Parameters
    ----------
    decisions : the current versions.
    for_revalidation : logical ids of those that the archive lists for revalidation.

    Returns
    -------
    logical id -> the `extra` of the CARRIES link to it, by which an undo takes the carrying back. Decisions that are
    gone, or ended meanwhile, are left out.
    """
    standing = writes.fetch([memory.logical_id for memory in decisions])
    extras: dict[str, dict[str, Any]] = {}
    for decision in decisions:
        there = standing.get(decision.logical_id)
        if there is None or there.registration is None or there.is_superseded:
            continue
        needs = decision.logical_id in for_revalidation
        writes.note_use(there, carried(there.registration, at, needs))
        extras[decision.logical_id] = {"bumped": not needs, "before": Use.of(there.registration).as_dict()}
    return extras


def use_line(before: Registration, after: Registration) -> str:
    """What the audit log says of a change of use: how the entry was used before, and since."""
    return f"was validated {_said(before)}; now {_said(after)}"


def read_use_line(line: str) -> tuple[Use, Use] | None:
    """The use before and since, as a line of the audit log says them; None where it says nothing of use."""
    said = _LINE.match(line)
    if said is None:
        return None
    return _use(*said.group(1, 2, 3)), _use(*said.group(4, 5, 6))


def _said(registration: Registration) -> str:
    at = registration.last_validated
    moment = "never" if at is None else at.isoformat()
    return f"{moment}, {registration.validation_count} times, {registration.hops} hops"


def _use(at: str, count: str, hops: str) -> Use:
    return Use(None if at == "never" else parse_time(at), int(count), int(hops))


def uncarry(writes: Transaction, decision: Memory, extra: Mapping[str, Any]) -> bool:
    """Undo the carrying of a decision, by the `extra` of its CARRIES link; False if it was used since.

    `decision` is read inside the transaction.
    """
    before = Use.read(extra.get("before") or {})
    if before is None or decision.registration is None or decision.is_superseded:
        return False
    now = Use.of(decision.registration)
    bumped = int(bool(extra.get("bumped")))
    if (now.hops, now.validation_count) != (before.hops + 1, before.validation_count + bumped):
        return False
    writes.note_use(decision, before.put(decision.registration))
    return True
