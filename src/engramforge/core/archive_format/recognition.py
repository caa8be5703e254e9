"""Whether a text holds an archive, and from where to where; cheap enough for every first message."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from engramforge.core.archive_format.clues import HEAD_KEY, LOOKED_AT_CHARACTERS, may_be_archive
from engramforge.core.archive_format.shapes import SHAPES, TABLES
from engramforge.core.registries.local_ids import NUMBER

_LEAST_CHARACTERS: Final = 40
_HEAD: Final = re.compile(rf"(?m)^[ \t]*{HEAD_KEY}[ \t]*:")
END_MARK: Final = re.compile(
    r"(?m)^<!-- end of archive: sha256 (?P<digest>\w+) of (?P<characters>\d+) characters -->"
)
_TITLE: Final = re.compile(r"(?m)^# Archive\b.*$")
_SECTION: Final = re.compile(
    rf"(?m)^##[ \t]+(?:{'|'.join(part.title for part in (*SHAPES, *TABLES))})[ \t]*$"
)
ENTRY: Final = re.compile(
    r"(?m)^[ \t]*(?:#{2,5}[ \t]+|[-*+][ \t]+|\d+[.)][ \t]+|\|[ \t]*)?[*`_\[]{0,3}"
    rf"(?:(?:local_)?id:[ \t]*[\"']?)?(?P<id>[DTA]{NUMBER})\b[\"'*`_\]]{{0,3}}[ \t]*(?:[:|\[(\u2013\u2014-]|$)"
)
_OLDER_MARK: Final = re.compile(
    r"(?im)compression[_ ](?:lineage|tag|mode)|continuation prompt|^external_store:|^#+[ \t].*(?:retrieval protocol"
    r"|compressed (?:context|conversation|archive|session)|(?:conversation|context|session) archive"
    r"|continuation|compression)"
)
_FENCED: Final = re.compile(
    r"(?ms)^[ \t]*+(?P<mark>`{3,}+|~{3,}+)[^\n]*+\n(?P<inside>.*?)(?:^[ \t]*(?P=mark)|\Z)"
)


@dataclass(frozen=True, slots=True)
class Found:
    """Where an archive stands in a text.

    `start`, `end`: characters. `is_older`: of another tool's kind.
    """

    start: int
    end: int
    is_older: bool = False


def find_archive(text: str) -> Found | None:
    """Where a text holds an archive, this format's or an older tool's; None for a text about archives, too."""
    if len(text) < _LEAST_CHARACTERS or not may_be_archive(text):
        return None
    looked_at = text[:LOOKED_AT_CHARACTERS]
    return _own(text, looked_at) or _older(looked_at, len(text))


def archives_in(text: str, most: int) -> Iterator[Found]:
    """The archives of this format in a text by their heads, wherever they begin; of so many heads."""
    end = 0
    for head in islice(_HEAD.finditer(text), most):
        if head.start() >= end:
            start = max(_start_of(text, head.start()), end)
            end = _end_after(text, start)
            yield Found(start, end)


def _start_of(text: str, head: int) -> int:
    """Where an archive with this head begins: with the mark above it, if that is there."""
    line = text.rfind("\n", 0, max(head - 1, 0)) + 1
    return line if text[line:head].strip() == "---" else head


def _own(text: str, looked_at: str) -> Found | None:
    """An archive of this format: by its head, else by title and entries."""
    if head := _HEAD.search(looked_at):
        start = _start_of(looked_at, head.start())
        return Found(start, _end_after(text, start))
    title = _TITLE.search(looked_at)
    if title is not None and (ENTRY.search(looked_at, title.end()) or END_MARK.search(text, title.end())):
        return Found(title.start(), _end_after(text, title.start()))
    return None


def _end_after(text: str, start: int) -> int:
    """Where an archive ends: at its end mark; but a person may have moved sections behind it."""
    heads = _HEAD.finditer(text, start)
    own = next(heads, None)
    another = next(heads, None) if own is not None else None
    limit = len(text) if another is None else another.start()
    end = END_MARK.search(text, start, limit)
    if end is None or _SECTION.search(text, end.end(), limit):
        return limit
    return end.end()


def _older(text: str, length: int) -> Found | None:
    """An archive of an older tool: a mark of it, and entries; in the text itself, or whole in one fenced block."""
    if not _OLDER_MARK.search(text):
        return None
    for block in _FENCED.finditer(text):
        if ENTRY.search(block["inside"]) and _OLDER_MARK.search(block["inside"]):
            return Found(block.start("inside"), block.end("inside"), is_older=True)
    open_text = _FENCED.sub("", text)
    if ENTRY.search(open_text) and _OLDER_MARK.search(open_text):
        return Found(0, length, is_older=True)
    return None
