"""Keeps what the faces are asked and answer, as text that is the same in every run: for test_golden.

The clock stands still within a call and goes on by a minute between two; ids are numbered by their first appearance;
what depends on the machine (places, sizes, seconds) is left out.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import anyio
import click
from mcp import Client

from engramforge.entry.console import COMMANDS as MOUNTED
from engramforge.faces.cli.program import COMMANDS, LazyGroup
from engramforge.faces.mcp.calls import Calls
from engramforge.faces.mcp.server import build_server

from .conftest import Cli

BEGAN: Final = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
_ID: Final = re.compile(r"\b(?:[a-z]{3}_[0-9a-f]{12}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\b")
_MACHINE: Final = frozenset(
    {"seconds", "bytes_on_disk", "embedding_bytes", "location", "path", "store_id", "schema"}
    | {"timings_ms", "latency_ms", "claude_code", "details", "found", "size_bytes"}
)
"""Fields whose values are the machine's, or change with every migration."""


class Record:
    """Runs commands and tool calls and keeps what was asked and answered.

    Parameters
    ----------
    cli : runs a command line.
    home : the store's folder.
    folder : where files of the scenario lie.
    """

    def __init__(self, cli: Cli, home: Path, folder: Path) -> None:
        self._cli = cli
        self.home = home
        self.folder = folder
        self._ids: dict[str, str] = {}
        self._blocks: list[str] = []

    @property
    def text(self) -> str:
        """All that was kept."""
        return "\n\n".join(self._blocks) + "\n"

    def now(self) -> datetime:
        """The time at which the next call is made."""
        return BEGAN + timedelta(minutes=len(self._blocks))

    def ask(self, *arguments: str, stdin: str = "") -> Any:
        """Run a command with --json; its answer as values."""
        answer = self._cli(*arguments, "--json", stdin=stdin.encode())
        value = json.loads(answer.out or answer.err)
        self._keep(f"$ engramforge {' '.join(arguments)} --json", answer.code, self._laid_out(value))
        return value

    def say(self, *arguments: str, stdin: str = "") -> None:
        """Run a command and keep what it says to people."""
        answer = self._cli(*arguments, stdin=stdin.encode())
        self._keep(f"$ engramforge {' '.join(arguments)}", answer.code, answer.out + answer.err)

    async def call(self, client: Client, tool: str, **arguments: Any) -> Any:
        """Call a tool; its structured answer."""
        result = await client.call_tool(tool, arguments)
        text = "\n".join(getattr(part, "text", "") for part in result.content)
        structure = self._laid_out(result.structured_content) if result.structured_content else ""
        asked = json.dumps(arguments, ensure_ascii=False)
        self._keep(f"> {tool} {asked}", int(result.is_error or 0), f"{text}\n{structure}")
        return result.structured_content

    async def read(self, client: Client, uri: str) -> None:
        """Read a resource."""
        result = await client.read_resource(uri)
        self._keep(f"> read {uri}", 0, "\n".join(getattr(part, "text", "") for part in result.contents))

    def _keep(self, asked: str, code: int, answered: str) -> None:
        body = self._settled(f"{asked}\n= {code}\n{answered.rstrip()}")
        self._blocks.append("\n".join(line.rstrip() for line in body.splitlines()))

    def _laid_out(self, value: Any) -> str:
        return laid_out(self._settled(value))

    def _settled(self, value: Any, name: str = "") -> Any:
        """A value without what differs from run to run."""
        if name in _MACHINE and value is not None:
            return f"<{name}>"
        if isinstance(value, dict):
            return {self._settled(key): self._settled(item, key) for key, item in value.items()}
        if isinstance(value, list):
            return [self._settled(item) for item in value]
        if not isinstance(value, str):
            return round(value, 2) if isinstance(value, float) else value
        for place, named in ((self.folder, "<folder>"), (self.home, "<home>")):
            value = value.replace(str(place), named)
        value = _ID.sub(lambda found: self._named(found[0]), value)
        value = re.sub(r"\d+(?:\.\d+)? (?:B|kB|MB|GB)\b", "<size>", value)
        value = re.sub(r"\bin \d+\.\d s\b", "in <seconds>", value)
        value = re.sub(r"schema \w+", "schema <schema>", value)
        value = re.sub(r"Python \d+\.\d+\.\d+", "Python <version>", value)
        value = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+\+00:00", "<now>", value)
        return re.sub(r"sha256 [0-9a-f]+ of \d+", "sha256 <hash> of <n>", value)

    def _named(self, found: str) -> str:
        prefix = found.partition("_")[0] + "_" if "_" in found else ""
        return self._ids.setdefault(found, f"<{prefix}{len(self._ids) + 1}>")


def laid_out(value: Any, indent: str = "") -> str:
    """A JSON value with as much on a line as fits."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(line) + len(indent) <= 110:
        return line
    deeper = indent + " "
    begin, end = "{}" if isinstance(value, dict) else "[]"
    names = [f"{json.dumps(key)}: " for key in value] if isinstance(value, dict) else [""] * len(value)
    values = value.values() if isinstance(value, dict) else value
    lines = [deeper]
    for part in (name + laid_out(item, deeper) + "," for name, item in zip(names, values, strict=True)):
        if lines[-1] != deeper and ("\n" in lines[-1] + part or len(lines[-1]) + len(part) > 110):
            lines.append(deeper)
        lines[-1] += part if lines[-1] == deeper else f" {part}"
    return "\n".join([begin, *lines, indent + end])


def helps() -> str:
    """`--help` of every command and subcommand."""
    group = LazyGroup({**COMMANDS, **MOUNTED})
    return (
        "\n\n".join(
            _helps(
                group,
                click.Context(group, info_name="engramforge", terminal_width=100, **group.context_settings),
            )
        )
        + "\n"
    )


def _helps(command: click.Command, context: click.Context) -> list[str]:
    found = [f"$ {context.command_path} --help\n{command.get_help(context)}"]
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            found += _helps(inner, click.Context(inner, context, name, terminal_width=100))
    return found


def tools() -> str:
    """What the MCP server says of itself: instructions, tools with their schemas, resources, prompts."""

    async def described() -> dict[str, Any]:
        async with Client(build_server(Calls(None, "default"))) as client:
            return {
                "instructions": client.instructions,
                "tools": [tool.model_dump(mode="json") for tool in (await client.list_tools()).tools],
                "resources": [
                    resource_template.model_dump(mode="json")
                    for resource_template in (await client.list_resource_templates()).resource_templates
                ],
                "prompts": [
                    prompt.model_dump(mode="json") for prompt in (await client.list_prompts()).prompts
                ],
            }

    return laid_out(anyio.run(described)) + "\n"
