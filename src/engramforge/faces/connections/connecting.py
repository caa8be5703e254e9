"""Connecting Claude Code and taking it back: what would be written, what is written, and what is left."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from engramforge.errors import InvalidSource, InvalidValue, StoreUnavailable
from engramforge.faces.connections import plugin_files
from engramforge.faces.connections.claude_code import (
    NAME,
    PLUGIN,
    Commands,
    config_folder,
    homes_in,
    settings_file,
    state_file,
    with_hooks,
    with_server,
    without_hooks,
    without_notes,
    without_plugin,
    without_servers,
)
from engramforge.faces.connections.edits import Edit, parse, read, same, written
from engramforge.faces.connections.kept import Connection, Kept

SERVE_FILE: Final = "connect.json"
OURS_IN_HOME: Final = ("run", "log", "spool", "connections", plugin_files.FOLDER, SERVE_FILE)
"""What lies in a home beside the store and its settings."""
_CACHES: Final = ("/archive-v", "/uv/cache/", "/_npx/")


def commands_of(home: Path, http: tuple[str, str] | None = None) -> Commands:
    """How Claude Code starts us. Raises InvalidValue: we run from a cache that is cleared without notice."""
    python = os.path.abspath(sys.executable)  # noqa: PTH100 - a link of a virtual environment stays one
    if any(part in python for part in _CACHES):
        raise InvalidValue(
            f"engramforge runs from a cache ({python}), which may be cleared any day",
            "Install it first: uv tool install engramforge, or pip install engramforge",
        )
    for place in (python, str(home)):
        _check_name(place)
    return Commands(python, str(home), http)


def _check_name(place: str) -> None:
    """Raises InvalidValue: settings, which are UTF-8, cannot name that place."""
    try:
        place.encode()
    except UnicodeEncodeError as error:
        raise InvalidValue(
            f"The name of {place!a} is not UTF-8, and settings hold nothing else",
            "Rename it, or choose another",
        ) from error


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


@dataclass(frozen=True, slots=True)
class Plan:
    """What connecting would do: files that change, and commands of Claude Code that are run after them.

    `edits` has files too that those commands write, without a change of ours.
    """

    connection: Connection
    edits: list[Edit]
    runs: tuple[tuple[str, ...], ...] = ()

    @property
    def changes(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.edits or self.runs)

    @property
    def replaces(self) -> list[str]:
        """The homes that were connected where this one is to be."""
        found: set[str] = set()
        for edit in (edit for edit in self.edits if edit.changes and edit.path.suffix == ".json"):
            with suppress(InvalidSource):  # a file of ours that somebody damaged is written anew
                before, after = (homes_in(parse(edit.path, text)) for text in (edit.before, edit.after))
                found |= before - after
        return sorted(found)


def plan_settings(home: Path, project: Path | None, commands: Commands) -> Plan:
    """Connect by Claude Code's settings: hooks there, the MCP server in its state. Raises InvalidSource."""
    settings, state = _real(settings_file(project)), _real(state_file())
    _check_name(str(project or ""))
    edits = [
        _edited(settings, lambda value: with_hooks(value, commands, settings)),
        _edited(state, lambda value: with_server(value, commands.server(), project, state)),
        _serving(home, commands),
    ]
    hooks = "command" if commands.http is None else "http"
    place = None if project is None else str(project)
    return Plan(Connection("settings", place, hooks), [edit for edit in edits if edit.changes])


def plan_plugin(home: Path, project: Path | None, commands: Commands) -> Plan:
    """Connect by the plugin: its files in the home, with absolute paths, and Claude Code's own commands install it.

    Raises InvalidValue: there is no claude on PATH.
    """
    claude = _claude()
    folder = _real(home) / plugin_files.FOLDER
    edits = [
        Edit(folder / name, read(folder / name), text) for name, text in plugin_files.files(commands).items()
    ]
    edits.append(_serving(home, commands))
    changed = [edit for edit in edits if edit.changes]
    scope = "user" if project is None else "local"
    runs: tuple[tuple[str, ...], ...] = ()
    place = None if project is None else str(project)
    if changed or not any(
        each.way == "plugin" and each.project == place for each in Kept(home).connections()
    ):
        runs = (
            (claude, "plugin", "marketplace", "add", str(folder)),
            (claude, "plugin", "install", PLUGIN, "--scope", scope),
        )
        # Its commands write these.
        theirs = (_real(settings_file(project)), _real(state_file()))
        changed += [Edit(path, before, before) for path in theirs for before in (read(path),)]
    return Plan(Connection("plugin", place, "command"), changed, runs)


def _claude() -> str:
    found = shutil.which("claude")
    if found is None:
        raise InvalidValue(
            "The plugin is installed by Claude Code's own command, and claude is not on PATH",
            "Install Claude Code, or connect without it: engramforge connect claude-code --settings",
        )
    return found


def _edited(path: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Edit:
    before = read(path)
    value = parse(path, before)
    changed = change(value)
    return Edit(path, before, before if same(changed, value) else written(changed, before))


def _serving(home: Path, commands: Commands) -> Edit:
    """Our own file that says how a daemon is started: whatever it holds now."""
    path = _real(home) / SERVE_FILE
    before, wanted = read(path), {"serve": commands.serve()}
    try:
        is_said = same(parse(path, before), wanted)
    except InvalidSource:
        is_said = False
    return Edit(path, before, before if is_said else written(wanted, None))


def connect(home: Path, plan: Plan) -> None:
    """Do what was planned. Raises StoreUnavailable: a file or Claude Code's command refused."""
    Kept(home).write(plan.edits, plan.connection, strip)
    for command in plan.runs:
        run(command, plan.connection.project)


def run(command: tuple[str, ...], folder: str | None) -> None:
    """Run a command of Claude Code. Raises StoreUnavailable with what it said."""
    done = subprocess.run(  # noqa: S603 - the claude that the person has on PATH
        command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
    )
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["nothing"]
        raise StoreUnavailable(
            f"{' '.join(command)} failed, and said: {said[0]}", "Run it by hand to see why"
        )


def strip(path: Path, content: bytes | None, was: bytes | None, home: Path | None = None) -> bytes | None:
    """A file without our entries, as it is where it has none; None for our own files and for no file.

    `was`: the file before us: what Claude Code left empty of our plugin and was not there goes too. `home`: the entries
    of other homes stay that have a record of being connected; None: all go.
    """
    if content is None or path.name == SERVE_FILE or plugin_files.FOLDER in path.parts:
        return None
    value, before = parse(path, content), parse(path, was)
    spared = frozenset() if home is None else _others(value, home)
    # What held nothing but ours before us too, of another installation, is no part of what was there.
    theirs = without_servers(without_hooks(before, {}), {})
    kept = without_servers(without_hooks(value, theirs, spared), theirs, spared)
    kept = kept if spared else without_notes(without_plugin(kept), before)
    return content if same(kept, value) else written(kept, content)


def _others(value: dict[str, Any], home: Path) -> frozenset[str]:
    """The homes beside this one that a file names and that are connected by their own record."""
    return frozenset(each for each in homes_in(value) if _is_another(each, home))


def _is_another(told: str, home: Path) -> bool:
    try:
        return _real(Path(told)) != _real(home) and Kept(Path(told)).is_kept
    except (OSError, ValueError):  # no file can be called so
        return False


def plan_back(home: Path, only: Iterable[str | None] | None) -> list[tuple[Connection, list[Edit]]]:
    """What disconnecting would take back: all connections, or those of some projects (None: the user's)."""
    kept = Kept(home)
    wanted = None if only is None else list(only)
    chosen = [each for each in kept.connections() if wanted is None or each.project in wanted]
    if not chosen and (wanted is None or None in wanted):
        # A record that is lost, or a home that was moved: what is ours is recognised all the same.
        edits = [_stripped(_real(path), home) for path in (settings_file(None), state_file())]
        edits = [edit for edit in edits if edit.changes]
        if edits:
            return [(Connection("settings", None), edits)]
    seen: dict[str, bytes | None] = {}
    # The last first: what it found was written by those before it.
    return [(each, _taken_back(home, each, chosen, seen)) for each in reversed(chosen)]


def _taken_back(
    home: Path, connection: Connection, chosen: list[Connection], seen: dict[str, bytes | None]
) -> list[Edit]:
    """The edits that take a connection back; what others still need stays. `seen`: as in `Kept.take_back`, kept up."""
    kept = Kept(home)
    staying = [each for each in kept.connections() if each not in chosen]
    needed = {file.path for each in staying for file in each.files}
    edits = kept.take_back(connection, partial(strip, home=home), seen)
    serve = _real(home) / SERVE_FILE
    edits = [edit for edit in edits if edit.path != serve]
    if not staying and str(serve) not in seen:
        edits.append(Edit(serve, read(serve), None))
    files = {file.path: file for file in connection.files}
    edits = [
        _without_its(edit, connection, kept.backup(files[str(edit.path)]))
        if str(edit.path) in needed.intersection(files)
        else edit
        for edit in edits
    ]
    seen.update((str(edit.path), edit.after) for edit in edits)
    return edits


def _without_its(edit: Edit, connection: Connection, was: bytes | None) -> Edit:
    """The state of Claude Code without the server of one connection: that of another one, which stays, is in it."""
    value = parse(edit.path, edit.before)
    kept = without_servers(value, parse(edit.path, was), only=(connection.project,))
    return Edit(edit.path, edit.before, edit.before if same(kept, value) else written(kept, edit.before))


def _stripped(path: Path, home: Path) -> Edit:
    content = read(path)
    return Edit(path, content, strip(path, content, content, home))


def disconnect(home: Path, planned: list[tuple[Connection, list[Edit]]]) -> None:
    """Take connections back."""
    kept = Kept(home)
    chosen = [connection for connection, _ in planned]
    for connection, shown in planned:
        edits = shown
        if connection.way == "plugin":
            if shutil.which("claude") is not None:
                scope = "user" if connection.project is None else "local"
                run((_claude(), "plugin", "uninstall", PLUGIN, "--scope", scope), connection.project)
                run((_claude(), "plugin", "marketplace", "remove", NAME), connection.project)
            edits = _taken_back(home, connection, chosen, {})
            shutil.rmtree(config_folder() / "plugins" / "cache" / NAME, ignore_errors=True)
        for edit in edits:
            if edit.changes:
                edit.write()
        kept.forget(connection)
