"""How a call that nobody waits for any longer comes to an end: whoever gave up sets a signal, the store looks at it.

A statement under way is interrupted, and nothing is begun or committed after the signal. Where nobody set one up, as in
Python and on the command line, nothing is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Protocol

from engramforge.errors import Stopped


class StopSignal(Protocol):
    """Set from another thread when the call is given up."""

    def is_set(self) -> bool:
        """Whether the call was given up."""

    def interrupting(self, interrupt: Callable[[], object]) -> AbstractContextManager[None]:
        """Has `interrupt` called, from another thread, if the call is given up during the block."""


_signal: ContextVar[StopSignal | None] = ContextVar("signal", default=None)


@contextmanager
def stopped_by(signal: StopSignal) -> Iterator[None]:
    """The block ends soon after the signal is set, with `Stopped`."""
    before = _signal.set(signal)
    try:
        check_wanted()
        yield
    finally:
        _signal.reset(before)


def check_wanted() -> None:
    """Raise Stopped if the call was given up."""
    signal = _signal.get()
    if signal is not None and signal.is_set():
        raise _stopped()


def interrupted_by_stop(interrupt: Callable[[], object]) -> AbstractContextManager[None]:
    """A block whose statement is interrupted, and which raises Stopped, if the call is given up meanwhile."""
    signal = _signal.get()
    return nullcontext() if signal is None else _interrupted(signal, interrupt)


@contextmanager
def _interrupted(signal: StopSignal, interrupt: Callable[[], object]) -> Iterator[None]:
    check_wanted()
    try:
        with signal.interrupting(interrupt):
            yield
    except Exception as error:
        if signal.is_set() and not isinstance(error, Stopped):
            raise _stopped() from error
        raise
    check_wanted()


def _stopped() -> Stopped:
    return Stopped("The call was given up, so its work was stopped", "Ask again, for less or with more time")
