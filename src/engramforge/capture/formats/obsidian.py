"""Vaults of notes: Obsidian, basic-memory and other folders of Markdown with [[wiki links]].

A vault is recognised by its `.obsidian` folder; a folder that is imported also by a wiki link that leads from one of
its notes to another, or by basic-memory's `permalink`, where it holds notes and little else. Notes are chunks like any
Markdown (formats/markdown); in addition, #tags and the categories of observations are tags, and links lead from a
note's first chunk to that of the other (capture/writers/vault).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, Final

from engramforge.capture.formats.markdown import read_markdown
from engramforge.capture.reading.cutting import cut
from engramforge.capture.reading.format import Clean, Find, Format, Naming, found_nothing, unchanged
from engramforge.capture.reading.records import Item, read_text
from engramforge.capture.reading.sources import Listing, is_left_out, is_utf8
from engramforge.capture.reading.values import visible
from engramforge.core.text.chunking import split_front_matter
from engramforge.core.text.wiki_text import WikiLink, WikiText, read_wiki_text
from engramforge.model.limits import NAME_CHARACTERS, TAGS_PER_MEMORY
from engramforge.model.memory import Draft

SUFFIXES: Final = (".md", ".markdown")
BESIDE: Final = frozenset({
    ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".heic", ".pdf", ".canvas", ".base", ".css", ".mp3", ".mp4",
    ".m4a", ".webm", ".wav", ".ogg", ".excalidraw", ".txt", ".docx", ".xlsx", ".csv",
})  # fmt: skip
"""Suffixes of files that are common among notes and say nothing about the folder."""
_LOOKED_AT_NOTES: Final = 200
_LOOKED_AT_FILES: Final = 20_000
_LOOKED_AT_CHARACTERS: Final = 65_536
_OBSERVATIONS_KEPT: Final = 50
_FACT_CHARACTERS: Final = 300


@dataclass(frozen=True, slots=True)
class Note:
    """A note's references to others, and the names by which others may refer to it.

    `name`: within the vault, without its suffix, with slashes. `also`: title, aliases and permalink.
    """

    path: Path
    name: str
    links: tuple[WikiLink, ...] = ()
    also: tuple[str, ...] = ()


@dataclass(slots=True)
class NoteNames:
    """Finds the note that a link means."""

    _exact: dict[str, str] = field(default_factory=dict)
    _short: dict[str, list[str]] = field(default_factory=dict)
    _also: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, notes: Sequence[Note]) -> NoteNames:
        """The names of a vault's notes."""
        names = cls()
        for note in notes:
            names.add(note.name)
            for also in note.also:
                names._also.setdefault(_folded(also), []).append(note.name)
        return names

    def add(self, name: str) -> None:
        """One more note, by its name within the vault."""
        self._exact[_folded(name)] = name
        self._short.setdefault(_folded(PurePosixPath(name).name), []).append(name)

    def find(self, target: str, source: str) -> str | None:
        """The note that a link of another one means; None where there is none.

        The whole name counts before the last part of it, a title, an alias or a permalink; of several the one in the
        same folder, then the one of the shortest name (as Obsidian does).
        """
        asked = _folded(target)
        if asked in self._exact:
            return self._exact[asked]
        short = self._short.get(_folded(PurePosixPath(asked).name), [])
        found = [name for name in short if "/" not in asked or _folded(name).endswith(f"/{asked}")]
        found = found or self._also.get(asked, [])
        beside = PurePosixPath(source).parent
        return min(
            found, key=lambda name: (PurePosixPath(name).parent != beside, len(name), name), default=None
        )


def note_files(vault: Path) -> list[Path]:
    """The notes of a vault; hidden files and folders and all links are left out."""
    found: list[Path] = []
    for folder, inner, names in os.walk(vault, followlinks=False):
        here = Path(folder)
        inner[:] = [name for name in inner if not is_left_out(here, name)]
        found += [
            here / name
            for name in names
            if name.lower().endswith(SUFFIXES) and not name.startswith(".") and not (here / name).is_symlink()
        ]
    return sorted(path for path in found if path.is_file() and is_utf8(str(path)))


def read_note(path: Path, vault: Path) -> Note:
    """A note's references to others; without links if it cannot be read (which its chunks report)."""
    name = path.relative_to(vault).with_suffix("").as_posix()
    text, _, fault = read_text(path)
    if fault:
        return Note(path, name)
    front, body = split_front_matter(text)
    also = [front.get(key) for key in ("title", "permalink")]
    for key in ("aliases", "alias"):
        given = front.get(key, [])
        also += given if isinstance(given, list) else [given]
    said = tuple(str(each).strip() for each in also if isinstance(each, str) and each.strip())
    return Note(path, name, read_wiki_text(body).links, said)


def read_chunks(
    path: Path,
    vault: Path,
    project: str,
    mtime: datetime,
    now: datetime,
    clean: Clean = unchanged,
    find: Find = found_nothing,
) -> Item:
    """A note as an item with a draft for each chunk, or with its fault."""
    return read_markdown(path, project, mtime, now, vault, clean, find, partial(_with_wiki, path.stem))


def _with_wiki(stem: str, draft: Draft) -> Draft:
    said: WikiText = read_wiki_text(draft.content)
    categories = [observation.category for observation in said.observations]
    words = dict.fromkeys(_tag(word) for word in (*draft.tags, *said.tags, *categories))
    metadata: dict[str, Any] = dict(draft.metadata)
    if said.observations:
        metadata["observations"] = [
            {"category": observation.category, "fact": cut(observation.fact, _FACT_CHARACTERS)}
            for observation in said.observations[:_OBSERVATIONS_KEPT]
        ]
    return replace(
        draft,
        name=draft.name or _tag(stem) or None,
        tags=tuple(word for word in words if word)[:TAGS_PER_MEMORY],
        metadata=metadata,
    )


def is_vault(listing: Listing) -> bool:
    """Whether a folder is a vault; of the folder that is imported the notes are looked into, if it says it by no
    `.obsidian`."""
    if ".obsidian" in listing.folders:
        return True
    if not listing.is_root:
        return False
    notes = _only_notes(listing.path)
    names = NoteNames()
    for path in notes:
        names.add(path.relative_to(listing.path).with_suffix("").as_posix())
    return any(_says_so(path, listing.path, names) for path in notes[:_LOOKED_AT_NOTES])


def _only_notes(folder: Path) -> list[Path]:
    """The notes of a folder that holds only notes and their files; none of any other folder."""
    others = seen = 0
    for here, inner, names in os.walk(folder, followlinks=False):
        inner[:] = [name for name in inner if not is_left_out(Path(here), name)]
        for name in names:
            seen += 1
            suffix = os.path.splitext(name)[1].lower()  # noqa: PTH122 - many files
            others += (
                not name.startswith(".") and suffix not in SUFFIXES and suffix != "" and suffix not in BESIDE
            )
        if seen > _LOOKED_AT_FILES:
            break
    notes = note_files(folder) if seen <= _LOOKED_AT_FILES or others == 0 else []
    return notes if others * 10 <= len(notes) else []


def _says_so(path: Path, vault: Path, names: NoteNames) -> bool:
    with path.open("rb") as file:
        head = file.read(_LOOKED_AT_CHARACTERS).decode("utf-8-sig", "replace")
    if "[[" not in head and "permalink" not in head:
        return False
    front, body = split_front_matter(head)
    own = path.relative_to(vault).with_suffix("").as_posix()
    found = (names.find(link.target, own) for link in read_wiki_text(body).links)
    return "permalink" in front or any(name is not None and name != own for name in found)


def _folded(name: str) -> str:
    plain = name.strip().replace("\\", "/").removeprefix("./").strip("/").casefold()
    return " ".join(plain.removesuffix(".md").split())


def _tag(word: str) -> str:
    return cut(visible(word), NAME_CHARACTERS).strip()


FORMAT: Final = Format(
    name="obsidian",
    title="vaults of notes with wiki links (Obsidian, basic-memory)",
    claims=is_vault,
    naming=Naming.FOLDER,
)
