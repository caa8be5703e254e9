"""Every error that engramforge raises on purpose, as one tree.

    EngramforgeError
    ├── CallerError                 the request is at fault: change the call
    │   ├── InvalidContent          empty, too large, not text
    │   ├── InvalidValue            a number, name or option out of its range
    │   │   └── NotConfirmed        it would do more than is done unasked
    │   ├── InvalidTime             naive, backwards, in the future
    │   ├── InvalidSource           a file to import that cannot be read as what it claims to be
    │   ├── NotFound                no such memory, project, session or path
    │   ├── Conflict                someone else changed it first
    │   │   ├── EncoderChanged      a space is compared by another encoder meanwhile
    │   │   ├── PlanOutdated        what a write was to follow on was changed meanwhile
    │   │   └── Overtaken           somebody else brought the same in meanwhile
    │   └── OutOfScope              it exists, but not for this tenant or agent
    ├── WorldError                  the machine is at fault: mend it, the call was right
    │   ├── StoreUnavailable        missing folder, no permission, read-only
    │   │   └── StoreGone           its file was removed or replaced while it was open
    │   ├── StoreLocked             another process holds it too long
    │   ├── StoreFull               no space left
    │   ├── StoreCorrupt            not a database, or a damaged one
    │   ├── StoreTooNew             written by a later version
    │   └── ModelUnavailable        a model or its library is missing or damaged, or its endpoint does not answer
    │       ├── ModelMisanswered    it answered, but not what it was asked for
    │       └── SpendingCapReached  the next call to an endpoint could cost more than the user allows
    ├── Stopped                     the caller gave up waiting; the transaction under way was rolled back
    └── InternalError               ours: please report it

Each names the fault and the mend: `str(error)` is "fault. mend". This module imports nothing of ours.
"""

from __future__ import annotations

_LONGEST = 2_000


class EngramforgeError(Exception):
    """The root of all errors of this package.

    `fault`: what is wrong, with the offending value. `mend`: what the reader can do about it.
    """

    exit_code = 1

    def __init__(self, fault: str, mend: str = "") -> None:
        self.fault = _shortened(fault.rstrip("."))
        self.mend = _shortened(mend.rstrip("."))
        super().__init__(self.fault, self.mend)

    def __str__(self) -> str:
        return " ".join(
            part if part.endswith(("?", "!")) else f"{part}." for part in (self.fault, self.mend) if part
        )

    @property
    def code(self) -> str:
        """The stable name of this kind of error, as faces print it."""
        return type(self).__name__

    def as_dict(self) -> dict[str, str]:
        """The error as every face's `--json` shape: code, fault and mend."""
        return {"error": self.code, "fault": self.fault, "mend": self.mend}


def _shortened(text: str) -> str:
    # A value that is shown whole, such as a path in what the system says, may be of any length.
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} [...]"


class CallerError(EngramforgeError):
    """The request is at fault; nothing was changed."""

    exit_code = 2


class InvalidContent(CallerError):
    """The content of a memory is empty, too large or not text."""


class InvalidValue(CallerError):
    """A number, name or option is out of its range."""


class NotConfirmed(InvalidValue):
    """The call would do more than is done without being asked for twice."""


class InvalidTime(CallerError):
    """A time is naive, backwards or in the future."""


class InvalidSource(CallerError):
    """A file to import cannot be read as what it claims to be."""


class NotFound(CallerError):
    """There is no such memory, project, session or path."""

    exit_code = 3


class Conflict(CallerError):
    """Someone else changed the same thing first."""

    exit_code = 4


class EncoderChanged(Conflict):
    """A space of the store is compared by another encoder than the caller's embedding; embed again."""


class PlanOutdated(Conflict):
    """An entry that a write was to change was changed meanwhile; plan again."""


class Overtaken(Conflict):
    """What the store did not have when a write was made is there by now; look again which of it is new."""


class OutOfScope(CallerError):
    """It belongs to another tenant or agent."""

    exit_code = 3


class WorldError(EngramforgeError):
    """The machine is at fault; the call may be repeated once it is mended."""

    exit_code = 5


class StoreUnavailable(WorldError):
    """The store's folder is missing, forbidden or read-only."""


class StoreGone(StoreUnavailable):
    """The store's file was removed or replaced while it was open."""


class StoreLocked(WorldError):
    """Another process holds the store for longer than we wait."""


class StoreFull(WorldError):
    """There is no space left on the device."""


class StoreCorrupt(WorldError):
    """The file is not a database, or a damaged one."""


class StoreTooNew(WorldError):
    """The store was written by a later version of engramforge."""


class ModelUnavailable(WorldError):
    """A model or its library is missing or damaged, or the endpoint that holds it does not answer as it should."""


class ModelMisanswered(ModelUnavailable):
    """A language model refused, or gave back something of another shape than it was asked for."""


class SpendingCapReached(ModelUnavailable):
    """The next call to an endpoint could cost more than the user allows; it was not made."""


class Stopped(EngramforgeError):
    """The caller gave the call up, or its time was over; the transaction under way was rolled back."""

    exit_code = 5


class InternalError(EngramforgeError):
    """A fault of engramforge itself."""

    exit_code = 70
