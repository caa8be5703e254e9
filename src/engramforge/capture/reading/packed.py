"""Files packed by gzip (`.gz`), read as what is in them: unpacked while they are read, within limits, never to disk."""

from __future__ import annotations

import gzip
import io
from pathlib import Path, PurePath
from typing import BinaryIO, Final, TypeVar

from engramforge.capture.reading.zips import RATIO, RATIO_FROM_BYTES, Unpacked

_SUFFIX: Final = ".gz"
_BLOCK_BYTES: Final = 1 << 20
P = TypeVar("P", bound=PurePath)


def is_packed(path: PurePath) -> bool:
    """Whether a file's name says that it is packed."""
    return path.suffix.lower() == _SUFFIX


def bare(path: P) -> P:
    """The path without the suffix `.gz`: its own suffix says what is in it."""
    return path.with_suffix("") if is_packed(path) else path


def open_file(path: Path) -> BinaryIO:
    """The bytes of a file, or of what is packed in it.

    Raises OSError; while reading InvalidSource: it is damaged, or a bomb: from 10 MB on more than 250 times what was
    read of the file.
    """
    file = path.open("rb")
    if not is_packed(path):
        return file
    raw = gzip.GzipFile(fileobj=file)
    raw.myfileobj = file  # type: ignore[assignment]  # closed with it
    return io.BufferedReader(
        Unpacked(raw, str(path), lambda: max(RATIO * file.tell(), RATIO_FROM_BYTES)), 1 << 16
    )


def unpacked_size(path: Path) -> int:
    """How many bytes a packed file has unpacked, all of which are read once. Raises as reading does."""
    size = 0
    with open_file(path) as stream:
        while block := stream.read(_BLOCK_BYTES):
            size += len(block)
    return size
