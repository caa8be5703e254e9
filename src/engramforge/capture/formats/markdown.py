"""Markdown files: each becomes chunks, and a changed file changes only the chunks that changed.

Only reading is here; capture/writers/chunks compares what a file says now with what the store holds of it, and writes
the difference. Front matter (title, tags, created and other plain fields) goes into the metadata and tags, the headings
above a chunk are its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final, overload

from engramforge.capture.formats.images import ShownImages
from engramforge.capture.reading.format import Clean, Context, Find, Format, Naming, found_nothing, unchanged
from engramforge.capture.reading.records import BrokenText, Item, Place, read_pieces
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.reading.values import digest_of, list_of, text_of, time_of, visible
from engramforge.core.text.chunking import Chunks, Document, TextChunk, chunk_portions
from engramforge.core.text.portions import whole_portions
from engramforge.model.limits import NAME_CHARACTERS, TAGS_PER_MEMORY
from engramforge.model.memory import Draft, Kind, Source
from engramforge.writing.pictures import is_unseen

Complete = Callable[[Draft], Draft]
_KEPT_DRAFTS: Final = 500
_MOST_KNOWN: Final = 1_000
_CREATED: Final = ("created", "date", "created_at")
"""Front matter fields that say since when a text holds, the first present counts."""


def read_markdown(
    path: Path,
    project: str,
    mtime: datetime,
    now: datetime,
    root: Path,
    clean: Clean = unchanged,
    find: Find = found_nothing,
    complete: Complete = lambda draft: draft,
) -> Item:
    """One Markdown file as an item with a draft for each chunk, or with its fault.

    Images that a chunk shows are its own, where they lie under `root`. `valid_at` is the front matter's `created` (or
    `date`), else the file's `mtime`; never after `now`. `clean`, `find`: as in `Context`. `complete`: adds to
    each draft.
    """
    size = path.stat().st_size
    place = Place(str(path), None, size)
    said: list[str] = []
    try:
        document = chunk_portions(_cleaned(path, clean, find, said.append), str(path))
    except BrokenText as error:
        return replace(place, line=error.line).fault("file", error.fault, is_message=True)
    if not document.chunks:
        blank = f"{size:,} bytes of nothing but blanks and line ends" if size else "empty"
        why = "no text besides its front matter, or what is private" if said else blank
        return place.skipped("file", why, is_message=True)
    said_day = next(
        filter(None, (time_of(text_of(document.front_matter.get(key))) for key in _CREATED)), None
    )
    created = said_day or mtime
    known = {"file": str(path.relative_to(root)) if path.is_relative_to(root) else path.name}
    if said_day is not None:
        known["day"] = f"{said_day:%Y-%m-%d}"
    shown = ShownImages(path, root)
    make = partial(_draft, document, project, min(created, now), known)
    drafts: Sequence[Draft] = _Drafts(document.chunks, lambda chunk: complete(shown.illustrate(make(chunk))))
    if len(drafts) <= _KEPT_DRAFTS:
        drafts = tuple(drafts)
    # Looks at all, so that each image has been read and has said what is wrong with it.
    unseen = sum(map(is_unseen, drafts)) > 0
    item = place.item("file", is_message=True)
    return replace(item, drafts=drafts, remarks=tuple(shown.remarks), unseen=unseen)


def _cleaned(path: Path, clean: Clean, find: Find, said: Callable[[str], None]) -> Iterator[str]:
    """The portions of a file's text, cleaned; what is found in one goes from all, so several are read twice.

    `said`: called with each portion that is not blank.
    """
    portions = whole_portions(read_pieces(path))
    first, second = next(portions), next(portions, None)
    known: dict[str, str] = {}
    if second is not None:
        for portion in chain((first, second), portions):
            if len(known) < _MOST_KNOWN and not portion.isspace():
                known |= find(portion)
        portions = whole_portions(read_pieces(path))
        first = next(portions)
    for portion in chain((first,), portions):
        if portion.isspace() or not portion:
            yield portion
        else:
            said(portion[:1])
            yield clean(portion, known)


class _Drafts(Sequence[Draft]):
    """Drafts of chunks, each made when it is asked for: those of a long file would take many times its memory."""

    def __init__(self, chunks: Chunks, make: Callable[[TextChunk], Draft]) -> None:
        self._chunks = chunks
        self._make = make

    def __len__(self) -> int:
        return len(self._chunks)

    @overload
    def __getitem__(self, index: int) -> Draft: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Draft]: ...
    def __getitem__(self, index: int | slice) -> Draft | Sequence[Draft]:
        chunks = self._chunks[index]
        return self._make(chunks) if isinstance(chunks, TextChunk) else list(map(self._make, chunks))


def _draft(
    document: Document, project: str, valid_at: datetime, place: Mapping[str, str], chunk: TextChunk
) -> Draft:
    """The draft of a chunk. `place`: its file within what is imported, and the day that its front matter names."""
    fields = list(document.front_matter.items())[:32]
    title = document.front_matter.get("title")
    name = chunk.name or (title if isinstance(title, str) else None)
    return Draft(
        content=chunk.text,
        kind=Kind.CHUNK,
        name=_clean_name(name) if name else None,
        source=Source.MD_FILE_CHUNK,
        project=project,
        tags=_tags(document.front_matter.get("tags")),
        chunk=chunk.place,
        metadata={key[:100]: value for key, value in fields if key != "tags" and len(value) < 1_000}
        | {"place": place},
        valid_at=valid_at,
        # The same text in several files is one memory.
        origin=f"chunk:{digest_of(chunk.text, 16)}",
    )


def _tags(value: Any) -> tuple[str, ...]:
    words = value.replace(",", " ").split() if isinstance(value, str) else list_of(value)
    cleaned = (_clean_name(str(word).strip().lstrip("#")) for word in words)
    return tuple(dict.fromkeys(filter(None, cleaned)))[:TAGS_PER_MEMORY]


def _clean_name(text: str) -> str | None:
    return visible(text)[:NAME_CHARACTERS].strip() or None


def _read(source: ImportSource, context: Context) -> Iterator[Item]:
    root = context.root if context.root.is_dir() else context.root.parent
    times = context.mtime, context.now
    yield read_markdown(source.path, context.own_project, *times, root, context.clean, context.find)


FORMAT: Final = Format(
    name="markdown",
    title="Markdown or text files",
    read=_read,
    recognises=lambda sample: sample.is_markdown,
    naming=Naming.FOLDER,
    is_text=True,
)
