"""`engramforge status`: whether a daemon serves a home, and how it is."""

from __future__ import annotations

from os.path import lexists

import click

from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import say, show_json, show_pairs
from engramforge.runtime.places import Places


@click.command("status")
@store_options
def command(call: Call) -> None:
    """Say whether a daemon serves this home, how long it is idle and what waits to be captured."""
    from engramforge.runtime.lock import is_held
    from engramforge.runtime.starting import health, hung, pid_in, recorded

    places = Places(str(call.daemon_home))
    said = health(places)
    if said is None and is_held(places.lock):
        held = hung(places)
        said = {"name": "engramforge", **(held or {})}
        if held is None:
            said["starting"] = "It starts just now; ask again in some seconds"
        else:
            said["fault"] = "It does not answer"
        if held is None and lexists(places.record) and pid_in(recorded(places)) is None:
            del said["starting"]
            said["fault"] = (
                f"It does not answer, and {places.record} does not say which it is; see engramforge doctor"
            )
    if call.as_json:
        show_json({"running": said is not None, "home": places.home, "daemon": said})
        return
    if said is None:
        say(
            f"No daemon serves {places.home}. Commands work without one; engramforge serve --background starts it."
        )
        return
    pid, idle_s = pid_in(said), said.get("idle_s")
    show_pairs(
        [
            ("home", places.home),
            ("daemon", f"{pid}, version {said.get('version')}" if pid is not None else None),
            ("since", said.get("started_at")),
            (
                "ends by itself",
                "when idle" if said.get("self_started") else "no" if pid is not None else None,
            ),
            ("idle", f"{idle_s:.0f} s" if isinstance(idle_s, (int, float)) else None),
            ("waiting", f"{said['waiting']} events to capture" if said.get("waiting") else None),
            (
                "left alone",
                f"{said['left_alone']} in the spool; see engramforge doctor"
                if said.get("left_alone")
                else None,
            ),
            ("port", said.get("port")),
            ("starting", said.get("starting")),
            ("fault", said.get("fault")),
        ]
    )
