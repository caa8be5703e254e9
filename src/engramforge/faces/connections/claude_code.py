"""What Claude Code reads of ours: hooks in its settings, and the MCP server; how they are put in and taken out."""

from __future__ import annotations

import itertools
import operator
import os
from collections.abc import Collection, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from engramforge.errors import InvalidSource

CLIENT: Final = Path(__file__).resolve().parents[1] / "hook" / "client.py"
LAUNCHER: Final = CLIENT.with_name("launch.py")
"""What a hook runs: the client from its bytecode."""
NAME: Final = "engramforge"
"""Of the MCP server, the plugin and its marketplace."""
PLUGIN: Final = f"{NAME}@{NAME}"
EVENTS: Final[Mapping[str, tuple[str | None, int]]] = {
    "SessionStart": (None, 5),
    "UserPromptSubmit": (None, 2),
    "PreToolUse": ("Edit|Write|Bash", 1),
    "PostToolUse": ("*", 3),
    "Stop": (None, 3),
    "SubagentStop": (None, 3),
    "PreCompact": (None, 3),
    "SessionEnd": (None, 2),
}
"""Event -> the tools that it is asked for (None where it is of no tool), and its timeout in seconds."""
NO_HTTP: Final = "SessionStart"
"""The event for which Claude Code takes no http hook."""
_NOTES: Final = {"enabledPlugins": PLUGIN, "extraKnownMarketplaces": NAME, "declinedPlugins": PLUGIN}
"""Where Claude Code notes a plugin, and as what."""
_SERVER: Final = "engramforge.entry.console"
_SHELL: Final = "/bin/sh"
_GUARDED: Final = '[ -x "$1" ] && [ -r "$5" ] || { cat >/dev/null 2>&1; exit 0; }; exec "$@"'
"""Run what is named, and say nothing where this installation is gone: Python would exit with 2 for want of its file,
which blocks a prompt, a tool and the end of a turn."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Commands:
    """How we are started, with absolute paths: `python` is the interpreter of this installation.

    `http`: the address and the token of a daemon whose hooks are asked over HTTP; None for the client.
    """

    python: str
    home: str
    http: tuple[str, str] | None = None

    def hook(self, event: str) -> Json:
        """One event's hook."""
        timeout = EVENTS[event][1]
        if self.http is not None and event != NO_HTTP:
            url, token = self.http
            headers = {"Authorization": f"Bearer {token}"}
            return {"type": "http", "url": url, "headers": headers, "timeout": timeout}
        run = [self.python, "-I", "-S", "-E", str(LAUNCHER), event, "--home", self.home]
        given = ["-c", _GUARDED, NAME, *run]
        return {"type": "command", "command": _SHELL, "args": given, "timeout": timeout}

    def server(self) -> Json:
        """The MCP server."""
        given = ["-m", _SERVER, "--home", self.home, "mcp"]
        return {"type": "stdio", "command": self.python, "args": given, "env": {}}

    def serve(self) -> list[str]:
        """How the hook client starts a daemon, which ends by itself when nobody needs it; on the port of http hooks."""
        port = 0 if self.http is None else urlsplit(self.http[0]).port or 0
        code = "import sys; from engramforge.runtime.starting import start; start(sys.argv[1], port=int(sys.argv[2]))"
        return [self.python, "-c", code, self.home, str(port)]

    def hooks(self) -> Json:
        """All hooks, as settings and plugins hold them."""
        found: Json = {}
        for event, (matcher, _) in EVENTS.items():
            group: Json = {"hooks": [self.hook(event)]}
            found[event] = [group if matcher is None else {"matcher": matcher, **group}]
        return found


def config_folder() -> Path:
    """Claude Code's folder of settings and transcripts."""
    given = os.environ.get("CLAUDE_CONFIG_DIR")
    return Path(given).expanduser().absolute() if given else Path.home() / ".claude"


def state_file() -> Path:
    """The file in which Claude Code keeps MCP servers of a user and of a person's projects."""
    given = os.environ.get("CLAUDE_CONFIG_DIR")
    return config_folder() / ".claude.json" if given else Path.home() / ".claude.json"


def settings_file(project: Path | None) -> Path:
    """The settings of a user, or those of a person in one project, which its repository does not hold."""
    return (
        config_folder() / "settings.json" if project is None else project / ".claude" / "settings.local.json"
    )


def is_ours(hook: object) -> bool:
    """Whether a hook is one of ours, of whatever installation."""
    if not isinstance(hook, Mapping):
        return False
    if hook.get("type") == "http":
        return str(hook.get("url", "")).endswith("/hook?engramforge")
    given = hook.get("args")
    words = [str(word) for word in given] if isinstance(given, list) else []
    files = ("engramforge/faces/hook/launch.py", "engramforge/faces/hook/client.py")
    return any(word.endswith(files) for word in words)


def _is_our_server(found: object) -> bool:
    given = found.get("args") if isinstance(found, dict) else None
    return isinstance(given, list) and _SERVER in map(str, given)


def homes_in(value: object) -> set[str]:
    """The homes that our hooks and MCP servers in settings or state name."""
    if isinstance(value, list):
        return set().union(*map(homes_in, value))
    if not isinstance(value, dict):
        return set()
    given = value.get("args")
    words = [str(word) for word in given] if isinstance(given, list) else []
    ours = is_ours(value) or _SERVER in words
    named = {home for flag, home in itertools.pairwise(words) if ours and flag == "--home"}
    return named.union(*map(homes_in, value.values()))


def without_hooks(settings: Json, before: Json, spared: Set[str] = frozenset()) -> Json:
    """Settings without our hooks, and without what is empty because of that and was not there before us (`before`).

    Those of the homes `spared` stay, and what has another shape than Claude Code knows, which holds none of ours.
    """
    hooks, was = settings.get("hooks"), before.get("hooks")
    # An http hook does not say whose it is; one home's hooks are all that a file holds.
    if not isinstance(hooks, dict) or spared & homes_in(hooks):
        return settings
    cleared = {event: _without_ours(groups) for event, groups in hooks.items()}
    if all(cleared[event] is groups for event, groups in hooks.items()):
        return settings
    known = _object(was)
    kept = {event: left for event, left in cleared.items() if left or left is hooks[event] or event in known}
    return _with_part(settings, "hooks", kept, before)


def _without_ours(groups: Any) -> Any:
    """The groups of an event without our hooks, and without those that held no others; as they are without any."""
    if not isinstance(groups, list):
        return groups
    left = []
    for group in groups:
        found = group.get("hooks") if isinstance(group, dict) else None
        others = [hook for hook in found if not is_ours(hook)] if isinstance(found, list) else None
        if found is None or others is None or len(others) == len(found):
            left.append(group)
        elif others:
            left.append({**group, "hooks": others})
    is_same = len(left) == len(groups) and all(map(operator.is_, left, groups))
    return groups if is_same else left


def _with_part(holder: Json, name: str, part: Json, before: Json) -> Json:
    """What holds a part, with what is left of it; without the part where it is empty and was not there before."""
    if part or name in before:
        return {**holder, name: part}
    return {key: value for key, value in holder.items() if key != name}


def with_hooks(settings: Json, commands: Commands, path: Path) -> Json:
    """Settings with our hooks behind those that are there; ours of before are replaced.

    Raises InvalidSource: of another shape.
    """
    there = settings.get("hooks", {})
    if not isinstance(there, dict) or not all(isinstance(groups, list) for groups in there.values()):
        raise InvalidSource(
            f"{path} has hooks of a shape that Claude Code does not know", "Mend its part `hooks`"
        )
    cleared = without_hooks(settings, {})
    hooks = dict(cleared.get("hooks", {}))
    for event, groups in commands.hooks().items():
        hooks[event] = [*hooks.get(event, []), *groups]
    return {**cleared, "hooks": hooks}


def with_server(state: Json, server: Json, project: Path | None, path: Path) -> Json:
    """Claude Code's state with our MCP server for a user or in one project.

    Raises InvalidSource: another server has our name, or the state is of another shape.
    """
    if project is None:
        return _with_named(state, server, path)
    projects = state.get("projects", {})
    own = projects.get(str(project), {}) if isinstance(projects, dict) else None
    if not isinstance(own, dict):
        raise InvalidSource(f"{path} has projects of an unknown shape", "Mend its part `projects`")
    return {**state, "projects": {**projects, str(project): _with_named(own, server, path)}}


def _with_named(holder: Json, server: Json, path: Path) -> Json:
    servers = holder.get("mcpServers", {})
    if not isinstance(servers, dict):
        raise InvalidSource(f"{path} has mcpServers of an unknown shape", "Mend its part `mcpServers`")
    if NAME in servers and not _is_our_server(servers[NAME]):
        raise InvalidSource(
            f"{path} has an MCP server {NAME} that connect did not write",
            f"Take it out first: claude mcp remove {NAME}",
        )
    return {**holder, "mcpServers": {**servers, NAME: server}}


def without_servers(
    state: Json,
    before: Json,
    spared: Set[str] = frozenset(),
    only: Collection[str | None] | None = None,
) -> Json:
    """Claude Code's state without our MCP servers, of the user and of all projects, and without what is empty because
    of that and was not there before us; those of the homes `spared` stay, and what has another shape.

    `only`: of these projects (None: of the user).
    """
    left = state if only is not None and None not in only else _without_named(state, before, spared)
    projects = left.get("projects")
    if not isinstance(projects, dict):
        return left
    known = _object(before.get("projects"))
    cleared = {
        name: _without_named(own, _object(known.get(name)), spared)
        if isinstance(own, dict) and (only is None or name in only)
        else own
        for name, own in projects.items()
    }
    if all(cleared[name] is own for name, own in projects.items()):
        return left
    kept = {name: own for name, own in cleared.items() if own or own is projects[name] or name in known}
    return _with_part(left, "projects", kept, before)


def _without_named(holder: Json, before: Json, spared: Set[str]) -> Json:
    servers = holder.get("mcpServers")
    if not isinstance(servers, dict) or not _is_our_server(found := servers.get(NAME)):
        return holder
    if spared & homes_in(found):
        return holder
    left = {name: value for name, value in servers.items() if name != NAME}
    return _with_part(holder, "mcpServers", left, before)


def _object(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


def without_plugin(settings: Json) -> Json:
    """Settings or state without what Claude Code itself notes of our plugin, also after it was uninstalled."""
    left = dict(settings)
    for name, ours in _NOTES.items():
        found = left.get(name)
        if isinstance(found, dict) and ours in found:
            left[name] = {key: value for key, value in found.items() if key != ours}
        elif isinstance(found, list) and ours in found:
            left[name] = [each for each in found if each != ours]
    return left


def without_notes(settings: Json, before: Json) -> Json:
    """Settings or state without what Claude Code leaves empty of a plugin, unless it was there before."""
    return {name: value for name, value in settings.items() if value or name in before or name not in _NOTES}
