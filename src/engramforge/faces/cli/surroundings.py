"""What a command line has around it: its streams, environment and store.

In a process of its own these are the process's; in the daemon, where several command lines run at once, each has its
own in a context variable.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from engramforge.errors import EngramforgeError
    from engramforge.forge import Forge


class Written(io.StringIO):
    """A stream that keeps what is written for a client, and answers as the client's own does.

    `encoding`: the client's. `on_terminal`: whether people look at it.
    """

    def __init__(self, encoding: str = "utf-8", on_terminal: bool = False) -> None:
        super().__init__(newline="")
        self._encoding = encoding
        self._on_terminal = on_terminal

    def said_encoding(self) -> str:
        """The encoding in which the client writes it."""
        return self._encoding

    def isatty(self) -> bool:
        """Whether people look at it."""
        return self._on_terminal


class StandardInput:
    """The client's standard input: bytes that it sent, or None where it has not been asked for them yet."""

    def __init__(self, given: bytes | None, on_terminal: bool) -> None:
        self._given = given
        self._on_terminal = on_terminal

    def isatty(self) -> bool:
        """Whether a person types there."""
        return self._on_terminal

    @property
    def buffer(self) -> IO[bytes]:
        """The bytes. Raises Elsewhere: the client has to send them."""
        if self._given is None:
            raise Elsewhere("stdin")
        return io.BytesIO(self._given)


class Elsewhere(BaseException):
    """This command line cannot be run here, and nothing was done: the client runs it itself, or sends what is missing.

    No fault, so that nobody who tells faults catches it.
    """


@dataclass
class Surroundings:
    """One command line's. `opens`: lends the store, given home, URL and agent as they were given."""

    out: Written
    err: Written
    stdin: StandardInput
    environment: Mapping[str, str]
    columns: int
    opens: Callable[[str | None, str | None, str | None], Forge]
    folder: str = ""
    """The client's working folder."""
    faults: list[EngramforgeError] = field(default_factory=list)


_here: ContextVar[Surroundings | None] = ContextVar("surroundings", default=None)


@contextmanager
def within(surroundings: Surroundings) -> Iterator[None]:
    """The block is a command line that has these around it."""
    before = _here.set(surroundings)
    try:
        yield
    finally:
        _here.reset(before)


def lent() -> Surroundings | None:
    """What a client lent; None in a process of its own."""
    return _here.get()


def standard_output() -> Any:
    """Where answers go."""
    here = _here.get()
    return sys.stdout if here is None else here.out


def standard_error() -> Any:
    """Where faults and remarks go."""
    here = _here.get()
    return sys.stderr if here is None else here.err


def standard_input() -> Any:
    """Where contents come from."""
    here = _here.get()
    return sys.stdin if here is None else here.stdin


def working_folder() -> str:
    """The folder in which the command was given; "" where that is gone."""
    here = _here.get()
    try:
        return str(Path.cwd()) if here is None else here.folder
    except OSError:
        return ""


def output_encoding() -> str:
    """The encoding of standard output."""
    here = _here.get()
    return (getattr(sys.stdout, "encoding", None) or "ascii") if here is None else here.out.said_encoding()


def environment() -> Mapping[str, str]:
    """The variables that say how to print."""
    here = _here.get()
    return os.environ if here is None else here.environment
