"""What one write did, as the audit log keeps it beside the line that people read: undo and redo go by it.

Ids, times and counters, never content. The one exception is the names of conversations that an entry was said to be
mentioned in: a forget of the entry takes them out again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from engramforge.model.registration import Registration


class Step(StrEnum):
    """Which way a write went on the stack of an agent's changes; upkeep, which nobody asked for, lies beside it."""

    CHANGE = "change"
    UNDO = "undo"
    REDO = "redo"
    UPKEEP = "upkeep"


@dataclass(frozen=True, slots=True)
class Use:
    """How an entry of a registry was used so far; see `Registration`."""

    last_validated: datetime | None
    validation_count: int
    hops: int

    @classmethod
    def of(cls, registration: Registration) -> Use:
        """The use recorded in a registration."""
        return cls(registration.last_validated, registration.validation_count, registration.hops)

    def put(self, registration: Registration) -> Registration:
        """The registration with this use."""
        return replace(
            registration,
            last_validated=self.last_validated,
            validation_count=self.validation_count,
            hops=self.hops,
        )


@dataclass(frozen=True, slots=True)
class UseChange:
    """How the use of an entry changed in place.

    `memory_id`: logical id of the entry's memory. `mentioned`, `unmentioned`: conversations that were added to those
    that mention it, and taken from them.
    """

    memory_id: str
    before: Use
    after: Use
    mentioned: tuple[str, ...] = ()
    unmentioned: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LinkChange:
    """A link between two memories that was written or ended; `source_id` is the logical id at which it begins."""

    id: str
    source_id: str


@dataclass(frozen=True, slots=True)
class EnergyChange:
    """How a dream changed the energy of a version in place, 0..1; `id`: of the version."""

    id: str
    before: float
    after: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What one transaction did.

    Parameters
    ----------
    id : of this effect; empty where the transaction's last line has it, or there is none.
    made, closed : version ids of the records that it put on record and whose recorded interval it closed.
    linked, unlinked : links between different memories that it wrote and ended.
    uses : what it changed in place, in order.
    faded : energies that it changed in place.
    dream : id of the dream that it was a step of, or an undo or redo of; empty for none.
    of : of an undo or redo the action that was taken back or brought again.
    takes_back : id of the effect that it reverses: a change or a redo, or of a redo the undo.
    stands_for : the id of each record or link that it brought back -> the id of the one that this repeats.
    """

    id: str = ""
    step: Step = Step.CHANGE
    made: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    linked: tuple[LinkChange, ...] = ()
    unlinked: tuple[LinkChange, ...] = ()
    uses: tuple[UseChange, ...] = ()
    faded: tuple[EnergyChange, ...] = ()
    dream: str = ""
    of: str = ""
    takes_back: str = ""
    stands_for: Mapping[str, str] = field(default_factory=dict)


def use_line(before: Use, after: Use) -> str:
    """What the audit log tells people of a change of use: how the entry was used before, and since."""
    return f"was validated {_said(before)}; now {_said(after)}"


def _said(use: Use) -> str:
    moment = "never" if use.last_validated is None else use.last_validated.isoformat()
    return f"{moment}, {use.validation_count} times, {use.hops} hops"


def records_line(number: int) -> str:
    """What the audit log tells people of how many records a change made and closed."""
    return f"{number} record" + ("" if number == 1 else "s")
