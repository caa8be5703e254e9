"""Image files: each becomes an artifact; and the images that a Markdown text shows.

An image that cannot be read is a fault of its own file, and a remark beside a text that shows it. A text may show only
files of its own folder tree: no link leads out of it, nothing is fetched. Without Pillow image files are left for an
import that has it, and texts are remembered with the names and captions of what they show.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from engramforge.capture.reading.format import Context, Format, Naming
from engramforge.capture.reading.records import Item, Place
from engramforge.capture.reading.sources import ImportSource
from engramforge.errors import CallerError, ModelUnavailable
from engramforge.model.limits import IMAGES_PER_MEMORY
from engramforge.model.memory import Draft, Kind, Source
from engramforge.spaces.multimodal.decode import can_decode
from engramforge.writing.pictures import SUFFIXES, Loaded, load_image, with_pictures

_SHOWN: Final = re.compile(
    r"!\[([^\[\]\n]{0,500})\]\(\s*(?:<([^<>\n]{1,1000})>|([^\s()<>]{1,1000}))(?:\s+[\"'][^\"'\n]{0,500}[\"'])?\s*\)"
)
"""A Markdown image: its alternative text, and where it lies, in angle brackets or without spaces."""
UNSEEN: Final = "not looked at without Pillow"
_PARTED: Final = re.compile(r"[\s_\-.]+")


def read_image(source: ImportSource, context: Context) -> Iterator[Item]:
    """One image file as an item with one draft, or with its fault.

    The content is its file's name in words, and what a drawing says; it is true since the file was last written.
    """
    path = source.path
    place = Place(str(path), None, path.stat().st_size)
    try:
        loaded = load_image(path)
    except CallerError as error:
        yield place.fault("image", str(error), is_message=True)
        return
    except ModelUnavailable:
        yield replace(place.skipped("image", UNSEEN, is_message=True), unseen=True)
        return
    named = " ".join(filter(None, _PARTED.split(path.stem))) or path.name
    said = loaded.attachment.caption
    draft = Draft(
        content=f"{named}: {said}" if said else named,
        kind=Kind.ARTIFACT,
        name=loaded.attachment.name,
        source=Source.IMPORT,
        project=context.own_project,
        valid_at=context.dated(None),
        origin=f"image:{loaded.attachment.sha256}:{loaded.attachment.name}",
    )
    yield place.item("image", with_pictures(draft, (loaded,)))


class ShownImages:
    """The images that the chunks of one Markdown file show; each file is read once.

    `path`: the Markdown file. `root`: the folder that is imported; only what lies in it is read.
    """

    def __init__(self, path: Path, root: Path) -> None:
        self._folder = path.parent
        self._root = root
        self._read: dict[str, Loaded | None] = {}
        self.remarks: list[str] = []

    def illustrate(self, draft: Draft) -> Draft:
        """The draft with the images that its content shows; the same draft where it shows none."""
        if "![" not in draft.content:
            return draft
        found: dict[str, Loaded] = {}
        for shown in _SHOWN.finditer(draft.content):
            place = shown[2] or shown[3]
            loaded = self._load(place, " ".join(shown[1].split()))
            if loaded is not None and len(found) < IMAGES_PER_MEMORY:
                found.setdefault(loaded.attachment.location or place, loaded)
        return with_pictures(draft, list(found.values())) if found else draft

    def _load(self, place: str, caption: str) -> Loaded | None:
        if place not in self._read:
            self._read[place] = None
            try:
                file = self._inside(place)
                if file is not None:
                    self._read[place] = load_image(file, caption, to_be_seen=can_decode())
            except (CallerError, OSError, ValueError) as error:
                self.remarks.append(f"{error} The text is remembered without it.")
        return self._read[place]

    def _inside(self, place: str) -> Path | None:
        """The file, if it lies under the root without any link on the way; None otherwise."""
        if "://" in place or place.startswith(("/", "data:", "#")):
            return None
        plain = Path(unquote(place.partition("#")[0].partition("?")[0]))
        file = Path(*(self._folder / plain).parts)
        if file.suffix.lower() not in SUFFIXES:
            return None
        real = Path(os.path.realpath(file))
        # `..` is followed by name, so that a link anywhere makes the two differ.
        is_inside = real.is_relative_to(self._root) and str(real) == os.path.normpath(file)
        return file if is_inside else None


FORMAT: Final = Format(
    name="image",
    title="images",
    read=read_image,
    recognises=lambda sample: sample.suffix in SUFFIXES and not sample.source.is_packed,
    naming=Naming.FOLDER,
    only_alone=True,
)
