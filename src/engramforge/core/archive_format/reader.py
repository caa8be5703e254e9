"""From the text of an archive to its content, as far as the text still holds one.

What is not an archive at all is refused; everything else is read, and faults are listed with their line.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engramforge.core.archive_format.forms import read_heading, read_text, unquote
from engramforge.core.archive_format.head import Head, complete, read_head
from engramforge.core.archive_format.older import read_older
from engramforge.core.archive_format.recognition import END_MARK, Found, find_archive
from engramforge.core.archive_format.shapes import (
    CHANGED,
    PROTOCOL,
    SHAPES,
    SUMMARY,
    TABLES,
    Line,
    Shape,
    Table,
)
from engramforge.core.archive_format.tables import read_table
from engramforge.core.archive_format.writer import digest_of
from engramforge.errors import InvalidSource
from engramforge.model.registries.archive import ArchiveContent, ReadArchive

_SECTION: Final = re.compile(r"^##[ \t]++(?P<title>\S(?:.*[^ \t#])?)[ \t#]*+$")
_FENCE: Final = re.compile(r"^(?:---|\.\.\.)[ \t]*$")
LINE_END: Final = re.compile(r"\r\n?")
_KNOWN: Final[dict[str, Shape | Table]] = {
    title.casefold(): part for part in (*SHAPES, *TABLES) for title in (part.title, *part.also)
}


@dataclass(slots=True)
class _Section:
    """Lines under one heading of the second level, each with its number."""

    title: str
    number: int
    lines: list[tuple[int, str]] = field(default_factory=list)


def read_archive(text: str) -> ReadArchive:
    """What an archive says, and its problems, each with its line.

    A text that a person edited is read: sections may be missing or in another order, rows broken, notes added. One that
    was cut short is read as far as it goes.

    Raises InvalidSource: the text is no archive.
    """
    if not isinstance(text, str):
        raise InvalidSource(f"The archive is a {type(text).__name__}, not text", "Give its Markdown as a str")
    written = LINE_END.sub("\n", text)
    if (found := find_archive(written)) is None:
        raise InvalidSource(
            "The text holds no archive: neither a head with engramforge_archive, nor decisions and threads under the "
            "headings of one",
            "Give the whole text that compress returned",
        )
    if found.is_older:
        return read_older(written, found)
    return _Reading(written, found).read()


class _Reading:
    """One reading of one text."""

    def __init__(self, text: str, found: Found) -> None:
        self._text = text
        self._found = found
        self._problems: list[str] = []
        self._first = text.count("\n", 0, found.start) + 1

    def read(self) -> ReadArchive:
        """Read it."""
        before = self._text[: self._found.start].strip()
        after = self._text[self._found.end :].strip().strip("`~").strip()
        archive = self._text[self._found.start : self._found.end]
        lines = archive.split("\n")
        head, below = self._head(lines)
        self._problems += head.problems
        values, missing = complete(head.values)
        self._problems += missing
        for section in self._sections(lines, below):
            self._take(section, values)
        self._check_end(archive, head, values)
        for text, where in ((before, "line 1: what stands before"), (after, "what stands after")):
            if text:
                self._problems.append(f"{where} the archive was left out ({len(text):,} characters)")
        return ReadArchive(ArchiveContent(**values), tuple(self._problems), head.is_known)

    def _head(self, lines: list[str]) -> tuple[Head, int]:
        """The head and the index of the first line below it."""
        if lines[0].startswith("#"):
            self._problems.append(f"line {self._first}: the head is missing")
            return Head(), 0
        begin = 1 if _FENCE.match(lines[0]) else 0
        for end in range(begin, len(lines)):
            if _FENCE.match(lines[end]) or lines[end].startswith("#"):
                if lines[end].startswith("#"):
                    self._problems.append(f"line {self._first + end}: the head is not closed by ---")
                return read_head(lines[begin:end], self._first + begin), end
        return read_head(lines[begin:], self._first + begin), len(lines)

    def _sections(self, lines: list[str], below: int) -> Iterable[_Section]:
        """The sections below the head; what precedes the first is the title and is ignored."""
        section: _Section | None = None
        for index in range(below, len(lines)):
            if (match := _SECTION.match(lines[index])) is not None:
                if section is not None:
                    yield section
                section = _Section(match["title"], self._first + index)
            elif section is not None and not END_MARK.match(lines[index]):
                section.lines.append((self._first + index, lines[index]))
        if section is not None:
            yield section

    def _take(self, section: _Section, values: dict[str, Any]) -> None:
        title = section.title.strip(" *:").casefold()
        known = _KNOWN.get(title)
        if isinstance(known, Shape):
            read = EntryReader(known, self._problems).read(section.lines)
            values[known.field] = (*values.get(known.field, ()), *read)
        elif isinstance(known, Table):
            rows = read_table(known, section.lines, self._problems)
            values[known.field] = (*values.get(known.field, ()), *rows)
        elif title == SUMMARY.casefold():
            values["summary"] = EntryReader.block(section.lines)
        elif title not in (PROTOCOL.casefold(), CHANGED.casefold()):
            self._problems.append(
                f"line {section.number}: the section {section.title[:60]!r} is unknown, left out"
            )

    def _check_end(self, archive: str, head: Head, values: dict[str, Any]) -> None:
        end = END_MARK.search(archive)
        lost = [
            f"{len(values.get(name, ()))} of {count} {name}"
            for name, count in head.counts.items()
            if len(values.get(name, ())) < count
        ]
        there = f": {', '.join(lost)} are there" if lost else ""
        if end is None:
            self._problems.append(f"the archive is cut short: its end mark is missing{there}")
        elif digest_of(archive[: end.start()]) != end["digest"]:
            self._problems.append(f"the archive was edited since it was written{there}")


_ENTRY: Final = re.compile(r"^###[ \t]+(?P<text>\S.*)$")
_FIELD: Final = re.compile(
    r"^[-*+][ \t]+(?P<label>[A-Za-z][A-Za-z_]*+(?>(?: ++[A-Za-z_]++)*))[ \t]*+:(?:[ \t](?P<value>.*))?$"
)
_LABEL: Final = re.compile(r"^\**(?P<label>[A-Za-z][A-Za-z ]*?)\**:\**(?:[ \t]+(?P<value>\S.*))?$")
_SHOWN: Final = 60

Numbered = tuple[int, str]


class EntryReader:
    """Reads the entries of one kind.

    `shape`: the kind. `problems`: collects what was wrong, with its line.
    """

    def __init__(self, shape: Shape, problems: list[str]) -> None:
        self._shape = shape
        self._problems = problems
        self._lines: dict[str, Line] = {}
        for line in shape.lines:
            self._lines.update(dict.fromkeys((line.label, *line.also), line))
        self._blocks = {*shape.blocks, shape.heading}
        self._seen: set[str] = set()

    def read(self, lines: Sequence[Numbered]) -> list[Any]:
        """The entries under a section's heading, in their order."""
        made = []
        notes: list[int] = []
        entry: list[Numbered] = []
        for number, line in lines:
            if _ENTRY.match(line):
                if entry:
                    made.append(self._entry(entry))
                entry = [(number, line)]
            elif entry:
                entry.append((number, line))
            elif line.strip():
                notes.append(number)
        if entry:
            made.append(self._entry(entry))
        self._note(notes, f"among the {self._shape.what}s")
        return [each for each in made if each is not None]

    @staticmethod
    def block(lines: Sequence[Numbered]) -> str:
        """The text of a section that is a single block."""
        kept = [line for _, line in lines]
        while kept and not kept[0].strip():
            kept.pop(0)
        while kept and not kept[-1].strip():
            kept.pop()
        return "\n".join(unquote(line) if line.startswith(">") else line for line in kept)

    def _entry(self, lines: Sequence[Numbered]) -> Any | None:
        number, heading = lines[0]
        match = _ENTRY.match(heading)
        assert match is not None
        local_id, headline = read_heading(match["text"])
        values: dict[str, Any] = {"local_id": local_id}
        if headline is not None:
            values[self._shape.heading] = headline
        blocks = self._body(lines[1:], values, local_id)
        for name, texts in blocks.items():
            values[name] = "\n".join(texts)
        if not self._shape.required <= values.keys():
            self._problems.append(f"line {number}: {local_id} has no text; it was left out")
            return None
        if local_id in self._seen:
            self._problems.append(f"line {number}: {local_id} comes twice; both were taken")
        self._seen.add(local_id)
        return self._shape.make(**values)

    def _body(self, lines: Iterable[Numbered], values: dict[str, Any], local_id: str) -> dict[str, list[str]]:
        """Take the fields into `values`; the lines of the longer texts by their field."""
        blocks: dict[str, list[str]] = {}
        current = None if self._shape.required else self._shape.blocks[0]
        gap = 0
        notes: list[int] = []
        quoted: set[str] = set()
        for number, line in lines:
            label = _LABEL.match(line)
            if not line.strip():
                gap += 1
                continue
            if line.startswith(">") and current is not None:
                into = blocks.setdefault(current, [])
                quoted.add(current)
                # People separate paragraphs by an empty line, which a quotation would not have.
                into += [""] * (gap if into else 0)
                into.append(unquote(line))
            elif label is not None and label["label"].casefold() in self._blocks:
                current = label["label"].casefold()
                if label["value"]:
                    blocks.setdefault(current, []).append(label["value"])
            elif (field := _FIELD.match(line)) is not None:
                self._field(number, field["label"], field["value"] or "", values)
            elif current is not None and current not in quoted and not line.startswith(("#", ">")):
                # Written by hand, without the marks of a quotation.
                into = blocks.setdefault(current, [])
                into += [""] * (gap if into else 0)
                into.append(line)
            else:
                notes.append(number)
            gap = 0
        self._note(notes, f"at {local_id}")
        return blocks

    def _field(self, number: int, label: str, value: str, values: dict[str, Any]) -> None:
        name = label.casefold().replace("_", " ")
        if (line := self._lines.get(name)) is None:
            if name == self._shape.heading:
                values[self._shape.heading] = read_text(value)
            else:
                what = f"{self._shape.what} has no field {label[:_SHOWN]!r}"
                self._problems.append(f"line {number}: a {what}; it was left out")
            return
        try:
            read = line.form.read(value)
        except ValueError as error:
            self._problems.append(f"line {number}: {label}: {value[:_SHOWN]!r} is {error}; it was left out")
            return
        values[line.field] = (*values.get(line.field, ()), read) if line.repeated else read

    def _note(self, numbers: Sequence[int], where: str) -> None:
        if numbers:
            place = f"line {numbers[0]}" if len(numbers) == 1 else f"lines {numbers[0]} to {numbers[-1]}"
            self._problems.append(f"{place}: a note {where} was left out")


def entry_ids_in(content: ArchiveContent) -> list[str]:
    """Global ids of the entries whose words an archive shows: its own, and related ones of other projects."""
    own = [each.id for each in content.decisions] + [each.id for each in content.threads]
    return list(dict.fromkeys(each for each in (*own, *(each.id for each in content.related)) if each))


def memory_ids_in(content: ArchiveContent) -> list[str]:
    """Logical ids of the memories whose text an archive shows."""
    shown = [each.id for each in content.artifacts] + [each.id for each in content.memories]
    return list(dict.fromkeys(each for each in shown if each))


def without(content: ArchiveContent, ids: Collection[str]) -> ArchiveContent:
    """An archive without what has one of these ids, and without the summary, which may tell of it."""
    left_out = {each.local_id for each in content.decisions if each.id in ids}
    return replace(
        content,
        summary="",
        decisions=tuple(each for each in content.decisions if each.id not in ids),
        threads=tuple(each for each in content.threads if each.id not in ids),
        artifacts=tuple(each for each in content.artifacts if each.id not in ids),
        memories=tuple(each for each in content.memories if each.id not in ids),
        related=tuple(each for each in content.related if each.id not in ids),
        revalidation=tuple(each for each in content.revalidation if each.local_id not in left_out),
    )
