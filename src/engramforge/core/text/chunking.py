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
- **Portions**: a long text comes in portions, and what was cut is kept compressed, so that the memory needed is
  little more than the text's bytes. The chunks are the same wherever the portions end at line ends.
"""

from __future__ import annotations

import re
import zlib
from array import array
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, overload

from engramforge.core.text.marks import WHOLE_MARK
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
_LONG_CHARACTERS: Final = 100_000
"""The longest chunk that is left as it is, and the longest gap that is held."""
_GAP = re.compile(r"(?<!\s)\s{1000,}+")
_LONG_GAP = re.compile(rf"(?<!\s)\s{{{_LONG_CHARACTERS},}}+")
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

    `text`: a slice of the document's text without its front matter, unchanged inside; only of one of more than 100,000
    characters long gaps between words are shortened, so that no chunk is larger than a memory may be. `name`: the
    headings that the chunk stands under, outermost first, joined by ` > `; None before the first. `place`: file path,
    index, total, and the offset of the first word, counted without the front matter.
    """

    text: str
    name: str | None
    place: Chunk


class Chunks(Sequence[TextChunk]):
    """The chunks of a text in order, made when they are asked for."""

    def __init__(self, file_path: str, cuts: Iterable[tuple[str, str | None, int]]) -> None:
        """`cuts`: of each chunk its text, its name, and the offset of its first word."""
        self._file_path = file_path
        self._texts: list[bytes] = []
        self._names: list[str | None] = []
        self._offsets = array("Q")
        for text, name, offset in cuts:
            self._texts.append(zlib.compress(text.encode("utf-8", "surrogatepass"), 1))
            self._names.append(name)
            self._offsets.append(offset)

    def __len__(self) -> int:
        return len(self._texts)

    @overload
    def __getitem__(self, index: int) -> TextChunk: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[TextChunk]: ...
    def __getitem__(self, index: int | slice) -> TextChunk | Sequence[TextChunk]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        at = range(len(self))[index]
        text = zlib.decompress(self._texts[at]).decode("utf-8", "surrogatepass")
        return TextChunk(text, self._names[at], Chunk(self._file_path, at, len(self), self._offsets[at]))


@dataclass(frozen=True, slots=True)
class Document:
    """A Markdown text taken apart: its front matter's fields and its chunks."""

    front_matter: Mapping[str, Any]
    chunks: Chunks


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a text: where each begins and ends, and how good a cut before each is."""

    starts: Sequence[int]
    ends: Sequence[int]
    strength: Sequence[int]
    fences: Sequence[tuple[int, int]]
    """First word and word after the last of each fence, ascending."""


@dataclass(frozen=True, slots=True)
class _Fence:
    """A code fence: where its first line begins and its last one ends, and the mark that opened it."""

    begin: int
    end: int
    mark: str


def chunk_markdown(text: str, file_path: str) -> Document:
    """A Markdown text as chunks; an empty one has none.

    Every word is in a chunk; neighbours share 50 words (more where an overlap begins with its code fence).
    """
    return chunk_portions((text,), file_path)


def chunk_portions(portions: Iterable[str], file_path: str) -> Document:
    """As `chunk_markdown`, of a text that comes in portions, which end at line ends where they can; its front matter
    is in the first."""
    rest = iter(portions)
    front_matter, body = split_front_matter(next(rest, ""))
    return Document(front_matter, Chunks(file_path, _Cutter().cuts(body, rest)))


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
        pair = re.match(r"^([A-Za-z_][\w-]*+(?>(?: ++[\w-]++)*))[ \t]*+:(?:[ \t]++(.*)|)$", line)
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
    if value.startswith("[") and value.endswith("]") and not WHOLE_MARK.fullmatch(value):
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


class _Cutter:
    """Cuts a text that comes in portions; keeps of it what the next chunk may still need."""

    def __init__(self) -> None:
        self._text = ""
        self._begin = 0
        """Where reading goes on in the text; before it is the end of an earlier word, so that a line's begin shows."""
        self._open: str | None = None
        """The mark of the fence in which reading goes on."""
        self._characters = self._words = 0
        """How many came before the text."""
        self._last_end = 0
        self._headings = _HeadingPath()

    def cuts(self, portion: str, rest: Iterator[str]) -> Iterator[tuple[str, str | None, int]]:
        """Text, name and offset of the first word of each chunk of this and the other portions."""
        while True:
            following = next(rest, None)
            yield from self._cut(portion, is_last=following is None)
            if following is None:
                return
            portion = following

    def _cut(self, portion: str, is_last: bool) -> Iterator[tuple[str, str | None, int]]:
        text = self._text = self._text + _LONG_GAP.sub(_held_gap, portion)
        fences = _fences(text, self._begin, self._open)
        headings = _headings(text, self._begin, fences)
        words = _read_words(text, self._begin, fences, headings)
        self._headings.extend(self._characters, headings)
        start = 0
        for start, end in self._spans(words, is_last):
            first, last = words.starts[start], words.ends[end - 1]
            name = self._headings.name(self._characters + first, self._characters + last)
            said = text[first:last]
            yield (
                said if len(said) <= _LONG_CHARACTERS else _GAP.sub(_short_gap, said),
                name,
                self._words + start,
            )
            self._last_end = self._words + end
            start = _overlap_start(words, end)
        if start and not is_last:
            self._forget(words.ends[start - 1] - 1, fences)
            self._words += start

    def _forget(self, before: int, fences: Sequence[_Fence]) -> None:
        self._text = self._text[before:]
        self._characters += before
        self._begin = 1
        self._open = next((each.mark for each in fences if each.begin <= before < each.end - 1), None)

    def _spans(self, words: _Words, is_last: bool) -> Iterator[tuple[int, int]]:
        """First word and word after the last of each chunk; the last is known only with the last portion."""
        total = len(words.starts)
        start = 0
        while total - start > CHUNK_WORDS:
            # Even the earliest cut gives this chunk at least one word that the previous chunk does not have.
            earliest = max(start + CHUNK_WORDS - NEAR_WORDS, self._last_end - self._words + 1)
            end = max(range(earliest, start + CHUNK_WORDS + 1), key=lambda at: (words.strength[at], at))
            yield start, end
            start = _overlap_start(words, end)
        if is_last and start < total:
            yield start, total


def _held_gap(gap: re.Match[str]) -> str:
    """The end of a gap, with as many line ends as count, so that what is made of it stays the same."""
    begin = len(gap[0]) - _LONG_CHARACTERS
    return "\n" * min(gap[0].count("\n", 0, begin), 2) + gap[0][begin:]


def _short_gap(gap: re.Match[str]) -> str:
    return "\n" * min(gap[0].count("\n"), 2) or " "


def _read_words(text: str, begin: int, fences: Sequence[_Fence], headings: Sequence[re.Match[str]]) -> _Words:
    starts, ends = array("Q"), array("Q")
    for match in _WORD.finditer(text, begin):
        starts.append(match.start())
        ends.append(match.end())
    spans = [(bisect_left(starts, fence.begin), bisect_left(starts, fence.end)) for fence in fences]
    heading_starts = {bisect_left(starts, match.start()) for match in headings}
    strength = array("b", bytes(len(starts)))
    for at in range(1, len(starts)):
        gap = text[ends[at - 1] : starts[at]]
        if at in heading_starts:
            strength[at] = _HEADING_CUT
        elif gap.count("\n") > 1:
            strength[at] = _PARAGRAPH_CUT
        elif _SENTENCE_END.search(word := text[starts[at - 1] : ends[at - 1]]) and not _NO_END.match(word):
            strength[at] = _SENTENCE_CUT
        elif "\n" in gap:
            strength[at] = _LINE_CUT
    for first, after in spans:
        for at in range(first + 1, after):
            # Inside a fence a line end is the best place to cut, but worse than any place outside.
            strength[at] = _FENCED if "\n" in text[ends[at - 1] : starts[at]] else _FENCED - 1
        for at in (first, after):
            if 0 < at < len(starts):
                strength[at] = max(strength[at], _SENTENCE_CUT)
    return _Words(starts, ends, strength, spans)


def _fences(text: str, begin: int, opened: str | None) -> list[_Fence]:
    """Code fences, both fence lines included; an unclosed one runs to the end.

    `opened`: the mark of the fence in which the text begins.
    """
    found: list[_Fence] = []
    at = begin
    for match in _FENCE.finditer(text, begin):
        mark = match[1]
        if opened is None:
            at, opened = match.start(), mark
        elif mark[0] == opened[0] and len(mark) >= len(opened) and match[0].strip() == mark:
            found.append(_Fence(at, match.end(1), opened))
            opened = None
    if opened is not None:
        found.append(_Fence(at, len(text), opened))
    return found


def _headings(text: str, begin: int, fences: Sequence[_Fence]) -> list[re.Match[str]]:
    begins = [fence.begin for fence in fences]

    def fenced(at: int) -> bool:
        before = bisect_left(begins, at + 1) - 1
        return before >= 0 and at < fences[before].end

    return [match for match in _HEADING.finditer(text, begin) if not fenced(match.start())]


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

    def __init__(self) -> None:
        self._coming: deque[tuple[int, int, str]] = deque()
        self._last = -1
        self._path: list[tuple[int, str]] = []

    def extend(self, before: int, headings: Iterable[re.Match[str]]) -> None:
        """Add the headings of a text that `before` characters precede; those added earlier count once."""
        for match in headings:
            if (at := before + match.start()) > self._last:
                self._last = at
                self._coming.append((at, len(match[1]), _printable(heading_words(match[2]))))

    def name(self, begin: int, end: int) -> str | None:
        """The path above the character at `begin`; before the first heading, the first one up to `end`."""
        while self._coming and self._coming[0][0] <= begin:
            _, depth, title = self._coming.popleft()
            self._path = [*(step for step in self._path if step[0] < depth), (depth, title)]
        titles = [title for _, title in self._path]
        if not titles and self._coming and self._coming[0][0] < end:
            titles = [self._coming[0][2]]
        while len(titles) > 1 and len(_JOINT.join(titles)) > NAME_CHARACTERS:
            del titles[0]
        return _JOINT.join(titles)[:NAME_CHARACTERS].strip() or None
