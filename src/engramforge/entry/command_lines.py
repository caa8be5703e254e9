"""Command lines in the daemon: the program of the command line, on the store that the daemon holds."""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from engramforge.entry.thin import command_in
from engramforge.errors import StoreCorrupt, StoreUnavailable
from engramforge.faces.cli.program import run
from engramforge.faces.cli.surroundings import Elsewhere, StandardInput, Surroundings, Written, within

if TYPE_CHECKING:
    from engramforge.forge import Forge
    from engramforge.runtime.shared_store import SharedStore
    from engramforge.runtime.wiring import Json


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
    lent = ExitStack()

    def opens(home: str | None, url: str | None, agent: str | None) -> Forge:
        # Options may name another store than the client found in them.
        if url is not None or (home is not None) != asked.get("home_given", False):
            raise Elsewhere("the store is another one")
        if home is not None and not _is_same(home, asked["cwd"], asked["home"]):
            raise Elsewhere("the home is another one")
        return lent.enter_context(store.lent(asked.get("agent") if agent is None else agent))

    here = Surroundings(
        out=Written(str(asked.get("encoding", "utf-8")), bool(asked.get("tty"))),
        err=Written("utf-8", bool(asked.get("err_tty", asked.get("tty")))),
        stdin=StandardInput(given, bool(asked.get("in_tty"))),
        environment=asked.get("env") or {},
        columns=int(asked.get("columns") or 100),
        opens=opens,
        folder=str(asked["cwd"]),
    )
    try:
        with lent, within(here):
            code: Any = run(argv)
    except Elsewhere as reason:
        return {"elsewhere": str(reason)}
    if any(isinstance(fault, StoreUnavailable | StoreCorrupt) for fault in here.faults):
        # Nothing was committed; the client opens what is there now, and tells what is wrong with that.
        return {"elsewhere": "the store cannot be used", "faults": here.faults}
    return {"exit": code, "out": here.out.getvalue(), "err": here.err.getvalue(), "faults": here.faults}


def _is_same(home: str, folder: str, meant: str) -> bool:
    named = os.path.abspath(os.path.join(folder, os.path.expanduser(home)))  # noqa: PTH100, PTH111, PTH118 - links stay
    return named == meant
