"""`engramforge schemas export`: the MCP tools for programs that call a model provider themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engramforge.errors import InvalidValue
from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import show_json, write_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_types import Tool

_FOLDER = "config"


@click.group("schemas")
def command() -> None:
    """Definitions of the MCP tools for model providers."""


@command.command("export")
@click.option("--format", "format_", metavar="NAME", help="anthropic, openai or gemini; all when left out.")
@click.option("--to", metavar="PATH", help="The file, or without --format the folder (config).")
@store_options
def export(call: Call, format_: str | None, to: str | None) -> None:
    """Write the tools' definitions as a provider wants them in a request's `tools`.

    With --format to standard output or to a file; without it all of them, into config/forge_tools_anthropic.json,
    config/forge_tools_openai.json and config/forge_tools_gemini.json. Tools that a setting switches off are left out.
    """
    from engramforge.entry.tool_formats import FORMATS

    if format_ is not None and format_ not in FORMATS:
        raise InvalidValue(
            f"There is no format {format_[:60]!r} for tools", f"Give one of {', '.join(FORMATS)}"
        )
    tools = _tools(call)
    if format_ is not None and to in (None, "-"):
        show_json(FORMATS[format_](tools))
        return
    if format_ is not None:
        places = {format_: Path(to or "")}
    else:
        folder = Path(to or _FOLDER)
        places = {name: folder / f"forge_tools_{name}.json" for name in FORMATS}
    for name, place in places.items():
        _write(place, f"{json.dumps(FORMATS[name](tools), indent=2, ensure_ascii=False)}\n", format_ is None)
    call.tell(
        {"tools": len(tools), "files": {name: str(place) for name, place in places.items()}},
        "\n".join(f"{len(tools)} tools for {name}: {place}" for name, place in places.items()),
    )


def _write(place: Path, text: str, makes_folder: bool) -> None:
    """Write one file as a whole. Raises InvalidValue: the system refuses its place."""
    try:
        if makes_folder:
            place.parent.mkdir(parents=True, exist_ok=True)
        write_text(place, text)
    except OSError as error:
        is_file = isinstance(error, FileExistsError | NotADirectoryError)
        wrong = f"{place.parent} is no folder" if is_file else f"{place} cannot be written ({error.strerror})"
        mend = "Name a folder after --to, in which the files may lie" if makes_folder else "Name another file"
        raise InvalidValue(wrong, mend) from error


def _tools(call: Call) -> Sequence[Tool]:
    import anyio

    from engramforge.assembly import tools_off
    from engramforge.faces.mcp.calls import Calls
    from engramforge.faces.mcp.server import build_server

    # Nothing is called, so no store is opened.
    server = build_server(Calls(call.store, call.agent), tools_off(call.store))
    return anyio.run(server.list_tools)
