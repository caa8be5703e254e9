"""Clears a home's spool and logs of what was forgotten: hook events that wait or were refused, and lines about faults.

A line is overwritten with blanks where it stands, which whoever reads these files passes over. Others may append to a
file meanwhile, read it or rename it: nothing else in it changes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from engramforge.store.erasing.finding import Finder
from engramforge.store.erasing.holders import Saying

FOLDERS: Final = ("spool", "log")


def clear_lines(home: Path, parts: Collection[str], saying: Saying) -> list[str]:
    """Clear the lines that say something of forgotten texts, by parts of these; the names of files that had some.

    `saying`: was asked for the parts' `remnants`.
    """
    finder, cleared = Finder(parts), []
    for place in sorted(each for folder in FOLDERS for each in (home / folder).glob("*")):
        # One that is gone was taken in meanwhile; one that cannot be read is told by who searches the home.
        with suppress(OSError):
            if finder and place.is_file() and not place.is_symlink() and _clear(place, finder, saying):
                cleared.append(str(place.relative_to(home)))
    return cleared


def _clear(place: Path, finder: Finder, saying: Saying) -> bool:
    """Clear the lines of a file; whether there were any."""
    found = False
    with place.open("r+b") as file:
        for batch in finder.among(_lines(file.read()), lambda line: _said(line[1])):
            for (begin, raw), its in batch:
                text = _said(raw)
                if saying.is_told_by((part, text) for part in its):
                    os.pwrite(file.fileno(), b" " * len(raw), begin)
                    found = True
        if found:
            os.fsync(file.fileno())
    return found


def _lines(raw: bytes) -> Iterator[tuple[int, bytes]]:
    """Where each line begins, and the line without its end."""
    begin = 0
    for line in raw.split(b"\n"):
        yield begin, line
        begin += len(line) + 1


def _said(raw: bytes) -> str:
    """What a line says: if it is JSON, its texts without the marks that JSON puts into them."""
    line = raw.decode("utf-8", "backslashreplace")
    with suppress(ValueError, RecursionError):
        return "\n".join(_texts(json.loads(line)))
    return line


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        if value.startswith("{"):
            # A line that was refused is kept as a text.
            with suppress(ValueError):
                yield from _texts(json.loads(value))
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)
