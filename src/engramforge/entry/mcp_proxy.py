"""`engramforge mcp` through a daemon: which session it is, and a daemon for it. Standard library only."""

from __future__ import annotations

import os
import socket

from engramforge.entry.thin import may_ask
from engramforge.runtime.client import NoDaemon, connect, older
from engramforge.runtime.places import Places, find_home
from engramforge.runtime.proxy import Proxy, begin
from engramforge.runtime.starting import CannotStart, health, start, stop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_DEADLINE_S = 30.0
_GREETS_S = 10.0


def run(argv: Sequence[str], version: str) -> int | None:
    """Serve an MCP session through a daemon, which is started where there is none; None where there can be none."""
    asked = _options(argv)
    if asked is None:
        return None
    home = find_home(asked.get("home"), os.environ)
    if home is None or not may_ask(os.environ, home):
        return None
    preface = {
        "version": version,
        "agent": asked.get("agent", os.environ.get("ENGRAMFORGE_AGENT")),
        "deadline_s": asked.get("deadline", _DEADLINE_S),
        "cwd": os.getcwd(),
    }
    try:
        daemon = _session(home, preface)
    except OSError:
        return None

    def again() -> socket.socket:
        if not os.path.isdir(home):
            # Where the home is gone nothing is made: it may be on its way back.
            raise FileNotFoundError(home)
        return _session(home, preface)

    try:
        return Proxy(again, daemon).run()
    except BrokenPipeError:
        return 0


def _session(home: str, preface: dict[str, Any]) -> socket.socket:
    """A session with the home's daemon, of our version. Raises OSError."""
    places = Places(home)
    for _ in range(2):
        try:
            said = health(places) or start(home)
            if said.get("version") == preface["version"]:
                ends = connect(places.mcp_socket)
                ends.settimeout(_GREETS_S)
                if begin(ends, preface).get("ok"):
                    return ends
                ends.close()
            elif not older(str(said.get("version")), preface["version"]):
                break
        except (NoDaemon, CannotStart) as error:
            raise ConnectionRefusedError(str(error)) from error
        if not stop(places):
            break
    raise ConnectionRefusedError("the daemon is of another version")


def _options(argv: Sequence[str]) -> dict[str, Any] | None:
    """Home, agent and deadline of a line that runs `mcp`; None for any other, and for one that is to be refused."""
    found: dict[str, Any] = {}
    seen = False
    words = iter(argv)
    for word in words:
        name, sign, value = word.partition("=")
        if name in ("--home", "--agent", "--deadline"):
            given = value if sign else next(words, None)
            if given is None:
                return None
            found[name.removeprefix("--")] = given
        elif word == "mcp" and not seen:
            seen = True
        else:
            return None
    try:
        if "deadline" in found:
            found["deadline"] = float(found["deadline"])
    except ValueError:
        return None
    usable = found.get("deadline", 1.0) > 0 and found.get("agent", "x").strip()
    return found if seen and usable else None
