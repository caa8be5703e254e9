"""`engramforge continue`: go on from an archive, with the state as the registry has it now."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from engramforge.errors import InvalidSource, NotFound
from engramforge.faces.cli.options import Call, content_of, conversation_option, given, store_options
from engramforge.faces.cli.output import remark, say_text, show_json
from engramforge.faces.views.archive import ContinuationView
from engramforge.model.limits import ARCHIVE_BYTES, NAME_CHARACTERS

_CONTINUED: Final = "-continued"


@click.command("continue")
@click.argument("file", metavar="FILE")
@conversation_option(help="The conversation that goes on; else a new one, named after the archive's.")
@click.option("--project", metavar="NAME", help="Its project; else the archive's.")
@store_options
def command(call: Call, file: str, conversation: str | None, **fields: Any) -> None:
    """Go on in a conversation from the archive FILE (- reads it from standard input).

    Prints what the new conversation should begin with: what the registry says now, and where the archive says
    otherwise.
    """
    text = content_of("-") if file == "-" else _read(Path(file))
    with call.open() as forge:
        if conversation is None:
            conversation = _named_after(forge.archives.read(text).content.conversation_id)
            remark(f"going on as conversation {conversation}")
        found = ContinuationView.of(forge.archives.continue_from(text, conversation, **given(**fields)))
    if call.as_json:
        show_json(found)
        return
    say_text(f"{found.text}\n")
    for problem in found.problems:
        remark(f"problem: {problem}")
    if found.differences:
        number = len(found.differences)
        remark(f"{number} differences between the archive and the registry; the registry is right")


def _named_after(source: str) -> str:
    """A name for a conversation that goes on from another, the same each time: a second call changes nothing."""
    name = " ".join(source.split())[: NAME_CHARACTERS - len(_CONTINUED)].strip()
    return f"{name}{_CONTINUED}".lstrip("-")


def _read(path: Path) -> str:
    """The text of a file within the limit of an archive."""
    try:
        with path.open("rb") as file:
            raw = file.read(ARCHIVE_BYTES + 1)
    except FileNotFoundError as error:
        raise NotFound(f"There is no file {str(path)[:500]!r}", "Check the path") from error
    if len(raw) > ARCHIVE_BYTES:
        raise InvalidSource(
            f"{path} is larger than {ARCHIVE_BYTES:,} bytes, the most of an archive", "Compress it lossy"
        )
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidSource(
            f"{path} is not UTF-8 (byte {error.start})", "Convert it to UTF-8 first"
        ) from error
