"""Markdown files: each becomes chunks, and a changed file changes only the chunks that changed.

Reading is here, and the comparison of what a file says now with what the store holds of it; writing the difference is
the import's. Front matter (title, tags, created and other plain fields) goes into the metadata and tags, the headings
above a chunk are its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from engramforge.capture.formats.images import ShownImages
from engramforge.capture.reading.format import Context, Format, Naming
from engramforge.capture.reading.records import Item, read_text
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.reading.values import digest_of, visible
from engramforge.core.text.chunking import Document, TextChunk, chunk_markdown
from engramforge.errors import InvalidTime
from engramforge.model.limits import NAME_CHARACTERS, TAGS_PER_MEMORY
from engramforge.model.memory import DEFAULT_PROJECT, Draft, Kind, Source
from engramforge.model.time import parse_time

_CREATED: Final = ("created", "date", "created_at")
"""Front matter fields that say since when a text holds, the first present counts."""


def read_markdown(path: Path, project: str, mtime: datetime, now: datetime, root: Path | None = None) -> Item:
    """One Markdown file as an item with a draft for each chunk, or with its fault.

    Images that a chunk shows are its own, where they lie under `root` (the file's folder when left out).

    `valid_at` is the front matter's `created` (or `date`), else the file's `mtime`; never after `now`.
    """
    text, line, fault = read_text(path)
    size = path.stat().st_size
    if fault:
        return Item(str(path), line, "file", is_message=True, fault=fault, end=size)
    document = chunk_markdown(text, str(path))
    if not document.chunks:
        return Item(str(path), None, "file", is_message=True, skipped="no text", end=size)
    valid_at = min(_created(document) or mtime, now)
    tags = _tags(document.front_matter.get("tags"))
    drafts = tuple(
        _draft(document, chunk, project=project, valid_at=valid_at, tags=tags) for chunk in document.chunks
    )
    shown = ShownImages(path, root or path.parent)
    drafts = tuple(shown.illustrate(draft) for draft in drafts)
    remarks = tuple(shown.remarks)
    return Item(str(path), None, "file", is_message=True, drafts=drafts, end=size, remarks=remarks)


def _draft(
    document: Document, chunk: TextChunk, *, project: str, valid_at: datetime, tags: tuple[str, ...]
) -> Draft:
    title = document.front_matter.get("title")
    name = chunk.name or (title if isinstance(title, str) else None)
    digest = digest_of(f"{chunk.place.file_path}\0{chunk.text}", 16)
    return Draft(
        content=chunk.text,
        kind=Kind.CHUNK,
        name=_clean_name(name) if name else None,
        source=Source.MD_FILE_CHUNK,
        project=project,
        tags=tags,
        chunk=chunk.place,
        metadata=_metadata(document.front_matter),
        valid_at=valid_at,
        origin=f"chunk:{digest}",
    )


def _metadata(front_matter: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key[:100]: value
        for key, value in list(front_matter.items())[:32]
        if key != "tags" and len(value) < 1_000
    }


def _tags(value: Any) -> tuple[str, ...]:
    words = (
        value.replace(",", " ").split()
        if isinstance(value, str)
        else value
        if isinstance(value, list)
        else []
    )
    cleaned = (_clean_name(str(word).strip().lstrip("#")) for word in words)
    return tuple(dict.fromkeys(filter(None, cleaned)))[:TAGS_PER_MEMORY]


def _clean_name(text: str) -> str | None:
    return visible(text)[:NAME_CHARACTERS].strip() or None


def _created(document: Document) -> datetime | None:
    for key in _CREATED:
        value = document.front_matter.get(key)
        if isinstance(value, str):
            try:
                return parse_time(value, key)
            except InvalidTime:
                continue
    return None


def _read(source: ImportSource, context: Context) -> Iterator[Item]:
    root = context.root if context.root.is_dir() else context.root.parent
    project = context.project or DEFAULT_PROJECT
    yield read_markdown(source.path, project, context.mtime, context.now, root)


FORMAT: Final = Format(
    name="markdown",
    title="Markdown",
    read=_read,
    recognises=lambda sample: sample.is_markdown,
    naming=Naming.FOLDER,
    is_text=True,
)
