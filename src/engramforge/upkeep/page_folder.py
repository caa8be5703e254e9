"""The folder that an export of pages fills: names that are safe everywhere, complete files, nothing outside it.

Every file takes its place when it is complete. Files of an earlier export that this one did not write are removed,
since they may contain what was forgotten, but only those named in the folder's manifest or in the journal of an
interrupted export. A folder without a manifest that holds anything but hidden files is refused.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import IO, Final

from engramforge.core.text.page_marks import MANIFEST
from engramforge.errors import InvalidValue, StoreUnavailable
from engramforge.upkeep.exporting import replacing

_NO_WORD: Final = re.compile(r"[^a-z0-9]+")
_NAME_CHARACTERS: Final = 60
_FORMAT: Final = 1
_JOURNAL: Final = ".engramforge-export"
"""The journal of a running export, a file per line; removed once the manifest is written."""
_SPOOL: Final = ".parts-"


def safe_name(text: str) -> str:
    """A file name from any text: lower-case letters, digits and hyphens, and a hash that keeps names distinct."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    word = _NO_WORD.sub("-", plain).strip("-")[:_NAME_CHARACTERS].strip("-")
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{word}-{digest}" if word else digest


class PageFolder:
    """A folder to export into.

    `folder`: created if missing, readable by its owner only.

    Raises InvalidValue: it holds files from elsewhere; StoreUnavailable: it cannot be created, or is a file.
    """

    def __init__(self, folder: Path) -> None:
        try:
            self.root = folder.expanduser().absolute()
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.root = self.root.resolve(strict=True)
            there = {path.name for path in self.root.iterdir()}
        except (OSError, RuntimeError, ValueError) as error:
            raise StoreUnavailable(
                f"The folder {str(folder)[:500]!r} cannot be used ({error})",
                "Name a folder that you may write to",
            ) from error
        self._journal = self.root / _JOURNAL
        if not {MANIFEST, _JOURNAL} & there and any(not name.startswith(".") for name in there):
            raise InvalidValue(
                f"The folder {self.root} holds other files, and no earlier export",
                "Name an empty or a new folder",
            )
        self._before = set(self._named() if MANIFEST in there else ())
        with suppress(OSError, ValueError):
            # The files written by an interrupted export.
            self._before.update(self._journal.read_text(encoding="utf-8").splitlines())
        self._written: list[str] = []
        self.size_bytes = 0
        for left in self.root.glob(f"{_SPOOL}*"):
            shutil.rmtree(left, ignore_errors=True)

    @contextmanager
    def page(self, *parts: str) -> Iterator[Page]:
        """A file of these parts, in place when the block ends well."""
        name = str(PurePosixPath(*parts))
        place = self._inside(name)
        try:
            # One by one, since the mode applies only to the last of several.
            for folder in reversed([parent for parent in place.parents if parent.is_relative_to(self.root)]):
                folder.mkdir(mode=0o700, exist_ok=True)
            with self._journal.open("a", encoding="utf-8") as journal:
                journal.write(f"{name}\n")
        except OSError as error:
            raise StoreUnavailable(
                f"The page {place} cannot be written ({error.strerror})",
                "Check the folder's permissions and its disk",
            ) from error
        with replacing(place) as file:
            page = Page(file)
            yield page
        self._written.append(name)
        self.size_bytes += page.size_bytes

    @contextmanager
    def spool(self) -> Iterator[Path]:
        """A temporary folder for sorting, on the same disk; always removed."""
        place = tempfile.mkdtemp(prefix=_SPOOL, dir=self.root)
        try:
            yield Path(place)
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def finish(self) -> None:
        """Write the manifest, and remove what an earlier export wrote and this one did not."""
        for name in sorted(self._before - set(self._written)):
            place = self._inside(name)
            with suppress(OSError):
                place.unlink(missing_ok=True)
                for folder in place.parents:
                    if folder == self.root or any(folder.iterdir()):
                        break
                    folder.rmdir()
        manifest = {"format": _FORMAT, "files": sorted(self._written)}
        with replacing(self.root / MANIFEST) as file:
            file.write(json.dumps(manifest, indent=1).encode() + b"\n")
        self._journal.unlink(missing_ok=True)

    def _inside(self, name: str) -> Path:
        """A path below the root that no link leads out of. Raises InvalidValue."""
        path = PurePosixPath(name)
        place = self.root.joinpath(*path.parts)
        links = [
            parent
            for parent in (place, *place.parents)
            if parent != self.root and parent.is_relative_to(self.root)
        ]
        if path.is_absolute() or ".." in path.parts or any(link.is_symlink() for link in links):
            raise InvalidValue(
                f"{name[:200]!r} leads out of {self.root}", "Remove the link, or name a new folder"
            )
        return place

    def _named(self) -> tuple[str, ...]:
        """The files named by the manifest, without any that lead out of the folder."""
        try:
            value = json.loads((self.root / MANIFEST).read_bytes())
            names = value["files"]
            assert isinstance(names, list) and all(isinstance(name, str) for name in names)
        except (OSError, ValueError, KeyError, TypeError, AssertionError):
            raise InvalidValue(
                f"The file {MANIFEST} in {self.root} is no export's", "Name an empty or a new folder"
            ) from None
        return tuple(names)


@dataclass(slots=True)
class Page:
    """A file that is being written."""

    file: IO[bytes]
    size_bytes: int = 0

    def write(self, line: bytes, /) -> int:
        """Bytes, as a stream takes them."""
        self.file.write(line)
        self.size_bytes += len(line)
        return len(line)

    def say(self, text: str) -> None:
        """Text."""
        self.write(text.encode("utf-8", "replace"))
