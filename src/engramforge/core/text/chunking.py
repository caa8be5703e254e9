"""Markdown becomes chunks of about 200 words, 50 overlapping, cut at sentence ends where one is near.


- **A word** is a run of non-space characters; a Chinese or Japanese character is a word of its own, and a
  run longer than 200 characters counts as several, so that a text without spaces is cut too.
- **Near**: a cut is looked for in the last 50 of a chunk's 200 words. The strongest place wins, the later of
  two equals: before a heading, then a blank line, then the end of a sentence, then the end of a line. Without
  any, the cut falls after word 200. So no chunk has more than 200 words, and only the last fewer than 150.
- **Code fences** are not cut while the chunk can end before or after the fence; one longer than a chunk is
  cut at its line ends. An overlap that would begin inside a fence begins at the fence's first word instead,
  if that at most doubles the overlap.
- Because the strong places are the text's own, cuts after an edit soon fall where they fell before.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engramforge.model.limits import NAME_CHARACTERS
from engramforge.model.memory import Chunk

CHUNK_WORDS: Final = 200
OVERLAP_WORDS: Final = 50
NEAR_WORDS: Final = 50
RUN_CHARACTERS: Final = 200
"""The longest run of characters that counts as a single word."""

_HEADING_CUT, _PARAGRAPH_CUT, _SENTENCE_CUT, _LINE_CUT, _HARD_CUT, _FENCED = 4, 3, 2, 1, 0, -1

_JOINT = " > "
_OWN_WORDS = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
"""Kana and Chinese characters, which are written without spaces."""
_WORD = re.compile(rf"[{_OWN_WORDS}]|[^\s{_OWN_WORDS}]{{1,{RUN_CHARACTERS}}}")
_FENCE = re.compile(r"(?m)^[ ]{0,3}(`{3,}|~{3,})[^\n]*$")
_HEADING = re.compile(r"(?m)^[ ]{0,3}(#{1,6})[ \t]++([^\n]+)$")
_SENTENCE_END = re.compile("[.!?\u2026\u3002\uff01\uff1f][\"')\\]*_`\u2019\u201d\u00bb\u300d\u300f]*$")
_NO_END = re.compile(
    r"(?i)^(?:\(?(?:e\.g|i\.e|cf|vs|etc|approx|mr|mrs|ms|dr|prof|st|no|fig|eq|sec|al|resp)\.|[A-Z]\.|\d+\.)$"
)
_FRONT_MATTER = re.compile(r"(?s)\A\ufeff?---[ \t]*\r?\n(.*?)(?:^|\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)")


@dataclass(frozen=True, slots=True)
class TextChunk:
    """One chunk of a text.

    `text`: a slice of the document's text without its front matter, unchanged inside. `name`: the headings that the
    chunk stands under, outermost first, joined by ` > `; None before the first. `place`: file path, index, total, and
    the offset of the first word, counted without the front matter.
    """

    text: str
    name: str | None
    place: Chunk


@dataclass(frozen=True, slots=True)
class Document:
    """A Markdown text taken apart: its front matter's fields and its chunks."""

    front_matter: Mapping[str, Any] = field(default_factory=dict)
    chunks: tuple[TextChunk, ...] = ()


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a text: where each begins and ends, and how good a cut before each is."""

    starts: Sequence[int]
    ends: Sequence[int]
    strength: Sequence[int]
    fences: Sequence[tuple[int, int]]
    """First word and word after the last of each fence, ascending."""


def chunk_markdown(text: str, file_path: str) -> Document:
    """A Markdown text as chunks; an empty one has none.

    Every word is in a chunk; neighbours share 50 words (more where an overlap begins with its code fence).
    """
    front_matter, body = split_front_matter(text)
    words = _read_words(body)
    spans = _cut(words)
    headings = _HeadingPath(
        [(match.start(), len(match[1]), _printable(heading_words(match[2]))) for match in _headings(body)]
    )
    chunks = tuple(
        TextChunk(
            body[words.starts[first] : words.ends[last - 1]],
            headings.name(words.starts[first], words.ends[last - 1]),
            Chunk(file_path, index, len(spans), first),
        )
        for index, (first, last) in enumerate(spans)
    )
    return Document(front_matter, chunks)


def split_front_matter(text: str) -> tuple[dict[str, Any], str]:
    """The fields of a `---` block at the very start, and the text after it.

    Plain `name: value` lines, `[a, b]` lists and `- item` lists are read; anything nested is left out.
    A block that holds no field is text (a rule between paragraphs).
    """
    if (match := _FRONT_MATTER.match(text)) is None:
        return {}, text
    fields: dict[str, Any] = {}
    name = ""
    for line in match[1].splitlines():
        pair = re.match(r"^([A-Za-z_][\w-]*+(?: ++[\w-]++)*+)[ \t]*+:(?:[ \t]++(.*)|)$", line)
        item = re.match(r"^[ \t]*+-[ \t]+(.+)$", line)
        if pair:
            name = pair[1].strip().lower()
            fields[name] = _plain_value(pair[2] or "")
        elif item and name and (fields[name] == "" or isinstance(fields[name], list)):
            fields[name] = [*fields[name], _unquoted(item[1])]
    if not fields:
        return {}, text
    return {key: value for key, value in fields.items() if value not in ("", [])}, text[match.end() :]


def _plain_value(value: str) -> Any:
    value = value.strip()
    if value.startswith("[") and value.endswith("]"):
        return [_unquoted(part) for part in value[1:-1].split(",") if part.strip()]
    return _unquoted(value)


def _unquoted(value: str) -> str:
    value = value.strip()
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value


def heading_words(line: str) -> str:
    """The words of a Markdown heading, without the marks that may close it."""
    return line.rstrip(" \t").rstrip("#").rstrip(" \t") or line.strip()


def _printable(title: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in title).strip()


def _read_words(text: str) -> _Words:
    found = list(_WORD.finditer(text))
    starts, ends = [match.start() for match in found], [match.end() for match in found]
    fences = [(bisect_left(starts, begin), bisect_left(starts, end)) for begin, end in _fence_spans(text)]
    heading_starts = {bisect_left(starts, match.start()) for match in _headings(text)}
    strength = [_HARD_CUT] * len(starts)
    for at in range(1, len(starts)):
        gap = text[ends[at - 1] : starts[at]]
        if at in heading_starts:
            strength[at] = _HEADING_CUT
        elif gap.count("\n") > 1:
            strength[at] = _PARAGRAPH_CUT
        elif _SENTENCE_END.search(word := found[at - 1][0]) and not _NO_END.match(word):
            strength[at] = _SENTENCE_CUT
        elif "\n" in gap:
            strength[at] = _LINE_CUT
    for first, after in fences:
        for at in range(first + 1, after):
            # Inside a fence a line end is the best place to cut, but worse than any place outside.
            strength[at] = _FENCED if "\n" in text[ends[at - 1] : starts[at]] else _FENCED - 1
        for at in (first, after):
            if 0 < at < len(starts):
                strength[at] = max(strength[at], _SENTENCE_CUT)
    return _Words(starts, ends, strength, fences)


def _fence_spans(text: str) -> list[tuple[int, int]]:
    """Character spans of code fences, both fence lines included; an unclosed one runs to the end."""
    spans: list[tuple[int, int]] = []
    opened: tuple[int, str] | None = None
    for match in _FENCE.finditer(text):
        mark = match[1]
        if opened is None:
            opened = match.start(), mark
        elif mark[0] == opened[1][0] and len(mark) >= len(opened[1]) and match[0].strip() == mark:
            spans.append((opened[0], match.end()))
            opened = None
    if opened is not None:
        spans.append((opened[0], len(text)))
    return spans


def _headings(text: str) -> list[re.Match[str]]:
    fences = _fence_spans(text)
    begins = [begin for begin, _ in fences]

    def fenced(at: int) -> bool:
        before = bisect_left(begins, at + 1) - 1
        return before >= 0 and at < fences[before][1]

    return [match for match in _HEADING.finditer(text) if not fenced(match.start())]


def _cut(words: _Words) -> list[tuple[int, int]]:
    """First word and word after the last of each chunk."""
    total = len(words.starts)
    spans: list[tuple[int, int]] = []
    start = 0
    while start < total:
        if total - start <= CHUNK_WORDS:
            spans.append((start, total))
            break
        # Even the earliest cut gives this chunk at least one word that the previous chunk does not have.
        previous = spans[-1][1] if spans else 0
        earliest = max(start + CHUNK_WORDS - NEAR_WORDS, previous + 1)
        end = max(range(earliest, start + CHUNK_WORDS + 1), key=lambda at: (words.strength[at], at))
        spans.append((start, end))
        start = _overlap_start(words, end)
    return spans


def _overlap_start(words: _Words, end: int) -> int:
    start = end - OVERLAP_WORDS
    before = bisect_left(words.fences, (start, 0)) - 1
    if before >= 0:
        first, after = words.fences[before]
        if first < start < after and end - first <= 2 * OVERLAP_WORDS:
            return first
    return start


class _HeadingPath:
    """The headings above a place; asked with ascending places, so that a long document is read once."""

    def __init__(self, headings: Sequence[tuple[int, int, str]]) -> None:
        self._headings = headings
        self._next = 0
        self._path: list[tuple[int, str]] = []

    def name(self, begin: int, end: int) -> str | None:
        """The path above the character at `begin`; before the first heading, the first one up to `end`."""
        while self._next < len(self._headings) and self._headings[self._next][0] <= begin:
            _, depth, title = self._headings[self._next]
            self._path = [*(step for step in self._path if step[0] < depth), (depth, title)]
            self._next += 1
        titles = [title for _, title in self._path]
        if not titles and self._next < len(self._headings) and self._headings[self._next][0] < end:
            titles = [self._headings[self._next][2]]
        while len(titles) > 1 and len(_JOINT.join(titles)) > NAME_CHARACTERS:
            del titles[0]
        return _JOINT.join(titles)[:NAME_CHARACTERS].strip() or None
