"""Reading the entries of a section: a heading, fields on lines, longer texts in quoted lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from engramforge.core.archive_format.forms import read_heading, read_text, unquote
from engramforge.core.archive_format.shapes import Line, Shape

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
