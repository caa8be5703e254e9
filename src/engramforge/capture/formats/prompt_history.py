"""Histories of prompts: Claude Code's `~/.claude/history.jsonl`, and Codex's `~/.codex/history.jsonl`.

They hold what was typed and outlive the transcripts, which Claude Code deletes after 30 days. Each line {display,
timestamp, project, sessionId, pastedContents}, or {session_id, ts, text}, is one prompt of the user. Pasted texts are
put where they were pasted.

**Identity.** Its session, its text, and how often it came before in that session. By these it is also identified with a
prompt of the session's transcript (reading/sessions): it is imported once, whichever comes first, and once forgotten
neither brings it back. Of a text typed several times the first corresponds to the first, and so on; if a history leaves
out a repetition, the transcript supplies it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from engramforge.capture.reading.cutting import cut
from engramforge.capture.reading.format import Context, Format
from engramforge.capture.reading.records import Item, Place, read_json_lines, read_objects
from engramforge.capture.reading.sessions import Said, in_history, in_transcript, said_live, text_digest
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.reading.transcript_text import plain_text
from engramforge.capture.reading.values import object_of, text_of, time_of
from engramforge.model.limits import NAME_CHARACTERS
from engramforge.model.memory import Attachment, Draft, Kind, Source

FOLDER: Final = "working_folder"
"""Key of a draft's metadata: where it was typed, which decides its project."""
TIMES: Final = "history_occurrence"
"""Key of a draft's metadata: which occurrence of its text in the session it is, from 1."""
_PASTED = re.compile(r"\[(?:Pasted text|\.\.\.Truncated text) #(\d{1,6})(?: \+\d+ lines)?(?:\.\.\.)?\]")
_HASH = re.compile(r"[0-9a-f]{8,128}\Z")
_PASTED_BYTES: Final = 1 << 20


def read_history(source: ImportSource, context: Context) -> Iterator[Item]:
    """The prompts of a history as items, in order."""
    counted, last_at, folder = Said(), context.mtime, source.path.parent

    def item(value: dict[str, Any], place: Place) -> Item:
        nonlocal last_at
        if not is_history_record(value):
            return place.skipped("other", "no prompt")
        typed = text_of(value.get("display")) or text_of(value.get("text"))
        # What was pasted stands where its mark is.
        pasted = object_of(value.get("pastedContents"))
        whole = _PASTED.sub(lambda mark: _pasted_text(pasted.get(mark[1]), folder) or mark[0], typed)
        said = plain_text(whole)
        if not said:
            return place.skipped("prompt", "no text", is_message=True)
        at = time_of(value.get("timestamp")) or time_of(value.get("ts")) or last_at
        last_at = min(at, context.now)
        return place.item("prompt", _draft(value, said, counted, last_at, context, whole != typed))

    return read_objects(source.path, read_json_lines(source.path), item)


def _draft(
    value: Mapping[str, Any], said: str, counted: Said, at: datetime, context: Context, is_pasted: bool
) -> Draft:
    session = (text_of(value.get("sessionId")) or text_of(value.get("session_id"))).strip()
    folder = text_of(value.get("project")).strip().replace("\\", "/")
    number = counted.count(session, said)
    where = session or f"{folder}:{at.isoformat()}"
    own: tuple[str, ...] = in_history(session, said, number) if session else ()
    same: tuple[str, ...] = in_transcript(session, said, number) if session else ()
    live: tuple[str, ...] = said_live(session, "", said, number) if session else ()
    if not folder and context.asked_project is None:
        # Its project is that of its session's remaining memories, so it may already be in another project.
        same += own
    return Draft(
        content=said,
        kind=Kind.PROMPT,
        source=Source.IMPORT,
        project=context.own_project,
        session_id=cut(session, NAME_CHARACTERS) or None,
        speaker="user",
        metadata={
            TIMES: number,
            **({FOLDER: cut(folder, 1_000)} if folder else {}),
            **({"pasted": True} if is_pasted else {}),
        },
        attachments=_images(value.get("pastedContents")),
        valid_at=at,
        recorded_at=at,
        origin=f"history:{where[:1_500]}:{text_digest(said).hex()}:{number}",
        also_origins=own,
        same_as=same,
        live_as=live,
    )


def is_history_record(value: Any) -> bool:
    """Whether a JSON value looks like a line of a history."""
    if not isinstance(value, dict) or "type" in value:
        return False
    if isinstance(value.get("display"), str):
        return "timestamp" in value and ("project" in value or "sessionId" in value)
    return isinstance(value.get("text"), str) and "ts" in value and "session_id" in value


def folders_of(source: ImportSource) -> set[str]:
    """The working folders that a history names."""
    found = {
        text_of(line.value.get("project")).strip().replace("\\", "/")
        for line in read_json_lines(source.path)
        if isinstance(line.value, dict)
    }
    return found - {""}


def _pasted_text(entry: Any, folder: Path) -> str:
    """What was pasted: beside the prompt, or in the file of `paste-cache` that its hash names."""
    if not isinstance(entry, Mapping):
        return ""
    if text := text_of(entry.get("content")):
        return text
    digest = text_of(entry.get("contentHash"))
    file = folder / "paste-cache" / f"{digest}.txt"
    if not _HASH.match(digest) or file.is_symlink() or file.parent.is_symlink() or not file.is_file():
        return ""
    return file.read_text("utf-8", "replace") if file.stat().st_size <= _PASTED_BYTES else ""


def _images(pasted: Any) -> tuple[Attachment, ...]:
    shown = [entry for entry in object_of(pasted).values() if object_of(entry).get("type") == "image"]
    return tuple(
        Attachment(f"image {place}", cut(text_of(entry.get("mediaType")), 100) or "image/*")
        for place, entry in enumerate(shown[:16], 1)
    )


FORMAT: Final = Format(
    name="prompt_history",
    title="histories of prompts",
    read=read_history,
    recognises=lambda sample: any(map(is_history_record, sample.lines)),
    is_conversation=True,
    comes_last=True,
)
