"""`engramforge stop`: end the daemon of a home."""

from __future__ import annotations

import shlex

import click

from engramforge.errors import StoreUnavailable
from engramforge.faces.cli.options import Call, store_options
from engramforge.runtime.places import Places


@click.command("stop")
@store_options
def command(call: Call) -> None:
    """End the daemon of this home, after what it is doing. Nothing is lost: what waits in its spool stays there."""
    from engramforge.runtime.lock import is_held
    from engramforge.runtime.starting import pid_in, recorded, stop

    places = Places(str(call.daemon_home))
    if not is_held(places.lock):
        call.tell({"stopped": False}, "No daemon serves this home.")
        return
    if not stop(places):
        pid = pid_in(recorded(places))
        named = f"kill -9 {pid}" if pid is not None else f"kill -9 $(lsof -t {shlex.quote(places.lock)})"
        raise StoreUnavailable(
            f"The daemon{'' if pid is None else f' {pid}'} does not end",
            f"End it with: {named}; nothing blocks the next",
        )
    call.tell({"stopped": True}, "The daemon has ended.")
