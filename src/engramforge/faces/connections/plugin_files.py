"""The plugin's files as `connect` writes them: those of the repository, with absolute paths."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Final

from engramforge.errors import InternalError
from engramforge.faces.connections.claude_code import NAME, Commands

FOLDER: Final = "claude-code"
_INSTALLED: Final = Path(__file__).resolve().parents[2] / "plugin"
_CLONE: Final = Path(__file__).resolve().parents[4] / "plugin"
_LEFT_OUT: Final = ("hooks/run", "hooks/launch.py", "hooks/client.py")
"""What finds the installation where nobody wrote its paths down."""
_SERVED: Final = "!`engramforge "
_ALLOWED: Final = "Bash(engramforge "


def source() -> Path:
    """Where the plugin's files are: in the wheel, or in a clone of the repository."""
    for folder in (_INSTALLED, _CLONE):
        if (folder / ".claude-plugin" / "plugin.json").is_file():
            return folder
    raise InternalError("The plugin's files are missing from this installation", "Install engramforge again")


def files(commands: Commands) -> dict[str, bytes]:
    """Path in the marketplace's folder -> content."""
    folder = source()
    program = (
        f"{shlex.quote(commands.python)} -m engramforge.entry.console --home {shlex.quote(commands.home)} "
    )
    found: dict[str, bytes] = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        if name in _LEFT_OUT or "__pycache__" in name:
            continue
        content = path.read_bytes()
        if path.suffix == ".md":
            text = content.decode()
            content = text.replace(_SERVED, f"!`{program}").replace(_ALLOWED, f"Bash({program}").encode()
        found[f"plugin/{name}"] = content
    found["plugin/hooks/hooks.json"] = _json({"hooks": commands.hooks()})
    server = {name: value for name, value in commands.server().items() if name != "env"}
    found["plugin/.mcp.json"] = _json({"mcpServers": {NAME: server}})
    listed = {"name": NAME, "source": "./plugin", "description": "A persistent memory for Claude Code."}
    owner = {"name": NAME}
    found[".claude-plugin/marketplace.json"] = _json(
        {"name": NAME, "owner": owner, "description": "engramforge of this machine.", "plugins": [listed]}
    )
    return found


def _json(value: object) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode()
