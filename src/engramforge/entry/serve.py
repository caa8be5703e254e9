"""`engramforge serve`: the daemon of a home, in the foreground or started in the background."""

from __future__ import annotations

import os

import click

from engramforge.entry import thin
from engramforge.errors import InvalidValue, StoreUnavailable
from engramforge.faces.cli.options import Call, store_options
from engramforge.runtime.places import Places


def _check_settings(home: str) -> None:
    """Refuse what a daemon cannot serve."""
    from engramforge.assembly import daemon_options

    is_on, _ = daemon_options(home)
    if not is_on:
        raise InvalidValue("The setting daemon is off", f"Set it to on in {home}/engramforge.toml")
    if not thin.may_ask({**os.environ, "ENGRAMFORGE_DAEMON": "on"}, home):
        raise InvalidValue(
            "The environment has settings, and a daemon answers for everybody who asks at its home",
            f"Write them into {home}/engramforge.toml; of the environment it takes ENGRAMFORGE_HOME and _AGENT",
        )


def _end_older(places: Places) -> None:
    """Have a daemon of an older version make room."""
    import engramforge
    from engramforge.runtime.client import older
    from engramforge.runtime.starting import health, stop

    said = health(places)
    if said is not None and older(str(said.get("version")), engramforge.__version__):
        stop(places)


@click.command("serve")
@click.option("--background", is_flag=True, help="Start it, and return when it answers.")
@click.option("--until-idle", is_flag=True, help="With --background: it ends when nobody needs it for long.")
@click.option("--port", type=click.IntRange(0, 65_535), default=0, metavar="N", help="On loopback; 0: any.")
@store_options
def command(call: Call, background: bool, until_idle: bool, port: int) -> None:
    """Serve the store of a home to commands, MCP clients and hooks, which then load nothing themselves.

    One daemon serves a home. MCP clients and hooks start one by themselves, which ends when it is idle for 30 minutes.
    """
    from engramforge.runtime.starting import CannotStart, start

    if until_idle and not background:
        raise InvalidValue("--until-idle is for a daemon in the background", "Add --background")
    places = Places(str(call.daemon_home))
    _check_settings(places.home)
    _end_older(places)
    if background:
        try:
            said = start(places.home, self_started=until_idle, port=port)
        except CannotStart as error:
            raise StoreUnavailable(f"The daemon does not start: {error}", f"See {places.log}") from error
        call.tell(said, f"The daemon {said['pid']} serves {places.home}.")
        return
    from engramforge.entry.wiring import wire
    from engramforge.runtime.daemon import hold, log_to, serve

    lock = hold(places)
    log_to(places)
    wiring = wire(places.home)
    call.tell({"home": places.home, "pid": os.getpid()}, f"The daemon {os.getpid()} serves {places.home}.")
    serve(wiring, lock, port=port)
