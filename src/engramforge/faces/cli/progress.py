"""A progress bar for long work that is done in portions, and an interrupt that waits until a portion is whole.

On standard error, where that is a terminal; elsewhere only the interrupt is held back.
"""

from __future__ import annotations

import signal
import sys
import threading
from typing import TYPE_CHECKING, Any, Self

import click

from engramforge.faces.cli.output import on_terminal, printable

if TYPE_CHECKING:
    from types import FrameType, TracebackType


class PortionBar:
    """A bar and a held interrupt: the first Ctrl-C waits for the next `move`, a second one stops at once.

    `begun`: what is said before the first portion is done.
    """

    def __init__(self, begun: str) -> None:
        self._begun = begun
        self._stopping = False
        self._before: Any = None
        self._bar: Any = None

    def __enter__(self) -> Self:
        if on_terminal(sys.stderr):
            shape = "%(label)s  %(bar)s  %(info)s"
            self._bar = click.progressbar(
                iter(()),
                label=printable(self._begun),
                file=sys.stderr,
                bar_template=shape,
                fill_char="━",
                show_percent=False,
            )
            self._bar.__enter__()
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._hold_back)
        return self

    def _hold_back(self, number: int, frame: FrameType | None) -> None:
        if self._stopping:
            signal.default_int_handler(number, frame)
        self._stopping = True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
        if self._bar is not None:
            self._bar.__exit__(kind, error, trace)

    def move(self, said: str, done: int, total: int) -> None:
        """Show that a portion is done. Raises KeyboardInterrupt when one was held back."""
        if self._bar is not None:
            self._bar.label, self._bar.length = printable(said), total
            self._bar.update(done - self._bar.pos)
        if self._stopping:
            raise KeyboardInterrupt
