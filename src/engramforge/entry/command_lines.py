"""Command lines in the daemon: the program of the command line, on the store that the daemon holds."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from engramforge.entry.thin import command_in
from engramforge.errors import StoreCorrupt, StoreUnavailable
from engramforge.faces.cli.program import run
from engramforge.faces.cli.surroundings import Elsewhere, StandardInput, Surroundings, Written, within

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from engramforge.forge import Forge
    from engramforge.runtime.shared_store import SharedStore
    from engramforge.runtime.wiring import Json


class CommandStore:
    """The store of one command line: lent when the command opens it, and given back when the command line ends."""

    def __init__(self, store: SharedStore, asked: Json) -> None:
        self._store = store
        self._asked = asked
        self._lent: list[AbstractContextManager[Forge]] = []

    def opens(self, home: str | None, url: str | None, agent: str | None) -> Forge:
        """The store, if the options name the one that the client meant. Raises Elsewhere where they do not."""
        meant = self._asked["home"]
        if url is not None or (home is not None) != self._asked["home_given"]:
            raise Elsewhere("the store is another one")
        if home is not None and not _is_same(home, self._asked["cwd"], meant):
            raise Elsewhere("the home is another one")
        block = self._store.lent(self._asked.get("agent") if agent is None else agent)
        forge = block.__enter__()
        self._lent.append(block)
        return forge

    def close(self) -> None:
        """Give back what was lent."""
        for block in self._lent:
            block.__exit__(None, None, None)


def run_command(store: SharedStore, asked: Json) -> Json:
    """Run a command line on a store: its exit code, what it printed and its faults; or why the client has to run it.

    `asked`: as the thin client sends it.
    """
    argv = [str(word) for word in asked["argv"]]
    if command_in(argv) is None:
        # It names files of the client, takes long, or is about the client's own process.
        return {"elsewhere": "it is no command of a daemon"}
    sent = asked.get("stdin")
    given = sent.encode("utf-8", "surrogateescape") if isinstance(sent, str) else None
    opened = CommandStore(store, {"home_given": False, "home": None, "cwd": "/", **asked})
    here = Surroundings(
        out=Written(str(asked.get("encoding", "utf-8")), bool(asked.get("tty"))),
        err=Written("utf-8", bool(asked.get("err_tty", asked.get("tty")))),
        stdin=StandardInput(given, bool(asked.get("in_tty"))),
        environment=asked.get("env") or {},
        columns=int(asked.get("columns") or 100),
        opens=opened.opens,
    )
    try:
        with within(here):
            code: Any = run(argv)
    except Elsewhere as reason:
        return {"elsewhere": str(reason)}
    finally:
        opened.close()
    if any(isinstance(fault, StoreUnavailable | StoreCorrupt) for fault in here.faults):
        # Nothing was committed; the client opens what is there now, and tells what is wrong with that.
        return {"elsewhere": "the store cannot be used", "faults": here.faults}
    return {"exit": code, "out": here.out.getvalue(), "err": here.err.getvalue(), "faults": here.faults}


def _is_same(home: str, folder: str, meant: str | None) -> bool:
    named = os.path.abspath(os.path.join(folder, os.path.expanduser(home)))  # noqa: PTH100, PTH111, PTH118 - links stay
    return meant is not None and named == meant
