"""What the doctor looks at of a home's connections with Claude Code: whether the hooks are where they were put, whether
they can run, and whether the newest session reached the store.

It says nothing where nothing was connected. It changes nothing.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from engramforge.errors import CallerError, EngramforgeError
from engramforge.faces.cli.daemon_checks import Check
from engramforge.faces.connections.claude_code import (
    EVENTS,
    PLUGIN,
    config_folder,
    homes_in,
    is_ours,
    settings_file,
)
from engramforge.faces.connections.edits import parse, read
from engramforge.faces.connections.kept import Connection, Kept
from engramforge.faces.connections.plugin_files import FOLDER
from engramforge.model.storing.live import Switch
from engramforge.runtime.places import Places, read_own
from engramforge.runtime.starting import health

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engramforge.forge import Forge

_AGAIN: Final = "engramforge connect claude-code puts them there again, then start Claude Code again"
_SHOWN: Final = 200
_SETTLED_S: Final = 300.0
"""Events of a session whose transcript was written to so shortly ago may still be on their way."""


def examine_connections(home: Path) -> Iterator[Check]:
    """One finding for each connection."""
    try:
        for each in Kept(home).connections():
            where = "Claude Code" if each.project is None else f"Claude Code in {each.project}"
            fault, mend = _fault(home, each)
            state = "fault" if fault else "ok"
            yield Check("connection", state, f"{where}: {fault or f'connected by {each.way}'}", mend)
    except EngramforgeError as error:
        yield Check("connection", "fault", error.fault, error.mend)


def _fault(home: Path, connection: Connection) -> tuple[str, str]:
    """What keeps a connection's hooks from being called, and how to mend it; both empty where nothing does."""
    folder = None if connection.project is None else Path(connection.project)
    path = settings_file(folder)
    settings = parse(path, read(path), to_write=False)
    if settings.get("disableAllHooks") is True:
        return f"{path} switches all hooks off", "Take disableAllHooks out of it"
    if connection.way == "plugin":
        enabled = settings.get("enabledPlugins")
        if not isinstance(enabled, dict) or enabled.get(PLUGIN) is not True:
            return f"{path} does not enable the plugin {PLUGIN}", f"claude plugin enable {PLUGIN}"
        path = home / FOLDER / "plugin" / "hooks" / "hooks.json"
        settings = parse(path, read(path), to_write=False)
    hooks = [(event, hook) for event, hook in _hooks_of(settings) if is_ours(hook)]
    if not hooks:
        return f"{path} has none of engramforge's hooks", _AGAIN
    if fault := next(filter(any, (_of_hook(home, hook) for _, hook in hooks)), None):
        return fault
    if missing := [event for event in EVENTS if event not in {told for told, _ in hooks}]:
        return f"{path} has no hook of engramforge's for {', '.join(missing)}", _AGAIN
    return _of_start(home)


def _hooks_of(settings: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The hooks of settings, each with its event."""
    hooks = settings.get("hooks")
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            given = group.get("hooks") if isinstance(group, dict) else None
            listed = given if isinstance(given, list) else ()
            yield from ((event, hook) for hook in listed if isinstance(hook, dict))


def _of_start(home: Path) -> tuple[str, str]:
    """What keeps the hooks' client from starting a daemon: until one runs, what it is told waits and nothing comes
    back."""
    from engramforge.faces.connections.connecting import SERVE_FILE

    path = home / SERVE_FILE
    if (content := read(path)) is None:
        return f"{path} is not there, so hooks tell nothing", _AGAIN
    serve = parse(path, content, to_write=False).get("serve")
    if not isinstance(serve, list) or not serve:
        return f"{path} does not say how a daemon is started", _AGAIN
    program = str(serve[0])
    if shutil.which(program) is None:
        return f"{path} starts a daemon with {program}, which cannot be run", _AGAIN
    return "", ""


def _of_hook(home: Path, hook: dict[str, Any]) -> tuple[str, str]:
    if hook.get("type") == "http":
        return _of_http(Places(str(home)), hook)
    given = hook.get("args")
    command, *args = str(hook.get("command")), *map(str, given if isinstance(given, list) else ())
    # Behind the shell stands the interpreter, the only other absolute path before the client.
    last = next((place for place, word in enumerate(args) if word.endswith(".py")), -1)
    run = [command, *(word for word in args[: last + 1] if word.startswith("/") or word.endswith(".py"))]
    if missing := [each for each in run if not os.path.exists(each)]:  # noqa: PTH110 - of any text
        return f"its hooks run {missing[0][:_SHOWN]}, which is not there", _AGAIN
    others = [each for each in homes_in(hook) if not _is_same_place(each, home)]
    return (f"its hooks tell another home, {others[0][:_SHOWN]}", _AGAIN) if others else ("", "")


def _is_same_place(told: str, home: Path) -> bool:
    """Whether a name in settings, which may be none of any file, leads to the home."""
    try:
        return os.path.realpath(told) == os.path.realpath(home)
    except ValueError:
        return False


def _of_http(places: Places, hook: dict[str, Any]) -> tuple[str, str]:
    """An http hook keeps the address and the token that the daemon had."""
    port = _port(str(hook.get("url")))
    if port is None:
        return "its hooks ask an address that has no port", _AGAIN
    said = health(places)
    if said is None:
        return "", ""  # the first session starts one on that port
    if said.get("port") != port:
        mend = f"engramforge stop, then engramforge serve --background --port {port}; or connect again"
        return f"its hooks ask port {port}, and the daemon listens on {said.get('port')}", mend
    headers = hook.get("headers")
    shown = headers.get("Authorization") if isinstance(headers, dict) else None
    if shown != f"Bearer {read_own(places.token)}":
        return "its hooks show a token that the daemon does not take", _AGAIN
    return "", ""


def _port(address: str) -> int | None:
    try:
        return urlsplit(address).port
    except ValueError:
        return None


def examine_calls(home: Path | None, forge: Forge) -> Iterator[Check]:
    """Where capture or injection is off, and whether the newest session since a home was connected is in the store."""
    off = forge.hooks.switches()
    for each in off:
        where, name = ("session", each.session) if each.project is None else ("project", each.project)
        mend = f"engramforge session on --{each.what} --{where} {shlex.quote(str(name))} switches it on"
        yield Check(str(each.what), "note", f"is off in {where} {name}", mend)
    kept = None if home is None else Kept(home)
    try:
        newest = _newest_transcript(kept) if kept is not None and kept.is_kept else None
    except (EngramforgeError, OSError):  # the record is damaged, which was told; or a file went just now
        return
    # A transcript does not tell its project in a word, so one that is off spares them all.
    spared = [each.session or "" for each in off if each.what is Switch.CAPTURE]
    if newest is None or "" in spared or newest.stem in spared:
        return
    try:
        is_told = bool(forge.memories(session_id=newest.stem, limit=1))
    except CallerError:  # no session is called so
        return
    if not is_told:
        ended = time.strftime("%Y-%m-%d %H:%M", time.localtime(newest.stat().st_mtime))
        mend = f"Sessions that began before connecting tell nothing; engramforge import {newest} takes it in"
        yield Check("hooks", "note", f"the newest session ({ended}) told nothing: {newest.stem}", mend)


def _newest_transcript(kept: Kept) -> Path | None:
    """The transcript that was written to last, if that was since something was connected, and not just now."""
    projects = [each.project for each in kept.connections()]
    folder = config_folder() / "projects"
    patterns = ["*" if each is None else re.sub(r"[^A-Za-z0-9]", "-", each) for each in projects]
    found = [path for pattern in patterns for path in folder.glob(f"{pattern}/*.jsonl") if path.is_file()]
    newest = max(found, key=lambda path: path.stat().st_mtime, default=None)
    if newest is None:
        return None
    written = newest.stat().st_mtime
    return newest if kept.connected_at < written < time.time() - _SETTLED_S else None
