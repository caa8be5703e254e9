"""How single values are written in an archive and read back: plain where that is exact, else as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

from engramforge.errors import InvalidTime
from engramforge.model.time import parse_time

_HIDDEN: Final = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")
"""Characters that editors and copying change or lose; the tab is not one of them."""
_CELL_ESCAPES: Final = {"\\": "\\\\", "|": "\\|", "\n": "\\n", "\t": "\\t"}
_CELL_SPECIAL: Final = re.compile(_HIDDEN.pattern[:-1] + "\t\\\\|]")
_CELL_ESCAPED: Final = re.compile(r"\\(u[0-9a-f]{4}|[\\|nt\- ])")
_CELL_EDGES: Final = re.compile(r"\A\s+|\s+\Z")
_CELL_PLAIN: Final = {"\\": "\\", "|": "|", "n": "\n", "t": "\t", "-": "-", " ": " "}
_NOTHING: Final = "-"
_HEADING_CHARACTERS: Final = 200
_DIVIDERS: Final = " -\u2013\u2014\u00b7:"
"""What people put between the id and the text of a heading."""
_LOCAL_ID: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,39}")
_DECODER: Final = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Form:
    """A kind of value.

    `write`: to text on one line. `read`: from text; raises ValueError, saying what was expected.
    """

    write: Callable[[Any], str]
    read: Callable[[str], Any]


def quote(text: str) -> list[str]:
    """A text as quoted lines; a line that copying would change is JSON after `>=`."""
    return [_quoted(line) for line in text.split("\n")]


def unquote(line: str) -> str:
    """The text of one quoted line."""
    if line.startswith(">= ") and isinstance(value := _loaded(line[3:]), str):
        return value
    rest = line[1:]
    return rest[1:] if rest.startswith(" ") else rest


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _quoted(line: str) -> str:
    if not line:
        return ">"
    if _HIDDEN.search(line) or line[-1].isspace():
        return f">= {json.dumps(line)}"
    return f"> {line}"


def is_plain(text: str) -> bool:
    """Whether a text can stand on a line as it is."""
    return bool(text) and text == text.strip() and text[0] not in '"[' and not _HIDDEN.search(text)


def fits_heading(text: object) -> bool:
    """Whether a text can stand in a heading."""
    if not isinstance(text, str) or len(text) > _HEADING_CHARACTERS or not is_plain(text):
        return False
    # A leading mark could be mistaken for the divider between id and text.
    return text[0] not in _DIVIDERS


def write_text(text: str) -> str:
    """A text on one line."""
    return text if is_plain(text) else json.dumps(text)


def read_text(text: str) -> str:
    """The inverse of `write_text`; what is not JSON is taken as it is."""
    stripped = text.strip()
    value = _loaded(stripped) if stripped.startswith('"') else None
    return value if isinstance(value, str) else stripped


def write_texts(texts: Sequence[str]) -> str:
    """Several texts on one line: with commas, else as a JSON list."""
    if texts and all(is_plain(text) and "," not in text for text in texts):
        return ", ".join(texts)
    return json.dumps(list(texts))


def read_texts(text: str) -> tuple[str, ...]:
    """The inverse of `write_texts`."""
    if text.strip().startswith("["):
        values = _loaded(text)
        if isinstance(values, list) and all(isinstance(value, str) for value in values):
            return tuple(values)
        text = text.strip().strip("[]")
    return tuple(part for part in map(str.strip, text.split(",")) if part)


def write_heading(local_id: str, text: str | None) -> str:
    """A heading: the local id and the text."""
    name = local_id if _LOCAL_ID.fullmatch(local_id) else json.dumps(local_id)
    return f"### {name}" if text is None else f"### {name}: {text}"


def read_heading(text: str) -> tuple[str, str | None]:
    """The name and the text of a heading, after its `###`; the text is None where there is none."""
    stripped = text.strip()
    if stripped.startswith('"'):
        try:
            value, end = _DECODER.raw_decode(stripped)
        except ValueError:
            value, end = None, 0
        if isinstance(value, str):
            rest = stripped[end:].lstrip()
            return value, rest[1:].strip() or None if rest.startswith(":") else rest or None
    name, colon, rest = stripped.partition(":")
    if not colon or " " in name.strip():
        name, _, rest = stripped.partition(" ")
    return name.strip(" *[]()"), rest.lstrip(_DIVIDERS).strip() or None


def write_cell(text: str | None) -> str:
    """A text within a row of a table; None is a dash."""
    if text is None:
        return _NOTHING
    if text == _NOTHING:
        return "\\-"
    escaped = _CELL_SPECIAL.sub(lambda hit: _CELL_ESCAPES.get(hit[0]) or f"\\u{ord(hit[0]):04x}", text)
    return _CELL_EDGES.sub(
        lambda hit: "".join("\\ " if space == " " else f"\\u{ord(space):04x}" for space in hit[0]), escaped
    )


def read_cell(text: str) -> str | None:
    """The inverse of `write_cell`; an unknown escape is taken as it is."""
    if text == _NOTHING:
        return None

    def plain(hit: re.Match[str]) -> str:
        return chr(int(hit[1][1:], 16)) if hit[1][0] == "u" else _CELL_PLAIN[hit[1]]

    return _CELL_ESCAPED.sub(plain, text)


def cells_of(line: str) -> list[str]:
    """The cells of a row, unread."""
    inner = line.strip().removeprefix("|")
    cells = re.split(r"(?<!\\)((?:\\\\)*)\|", inner)
    joined = ["".join(pair) for pair in zip(cells[::2], [*cells[1::2], ""], strict=True)]
    if joined and not joined[-1].strip():
        joined.pop()
    return [_outside_stripped(cell) for cell in joined]


def _outside_stripped(cell: str) -> str:
    """Without the spaces around it, but with an escaped one."""
    left = cell.lstrip(" ")
    right = left.rstrip(" ")
    slashes = len(right) - len(right.rstrip("\\"))
    return right + " " if len(right) < len(left) and slashes % 2 else right


def write_instant(at: datetime | None) -> str:
    """A time in UTC; None is a dash."""
    return _NOTHING if at is None else at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def read_instant(text: str) -> datetime | None:
    """The inverse; a date alone is its midnight in UTC."""
    asked = text.strip().strip("'\"")
    if asked in ("", _NOTHING, "never", "null", "none"):
        return None
    try:
        return parse_time(asked)
    except InvalidTime:
        raise ValueError("no time such as 2026-05-01T09:00:00Z") from None


def _read_unit(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:
        raise ValueError("no number from 0 to 1")
    return value


def _read_count(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = -1
    if value < 0:
        raise ValueError("no whole number from 0 on")
    return value


def word_form(words: type[StrEnum]) -> Form:
    """The form of a closed vocabulary."""

    def read(text: str) -> StrEnum:
        try:
            return words(text.strip().strip("*`[]").lower())
        except ValueError:
            raise ValueError(f"none of {', '.join(words)}") from None

    return Form(str, read)


TEXT: Final = Form(write_text, read_text)
TEXTS: Final = Form(write_texts, read_texts)
UNIT: Final = Form(repr, _read_unit)
COUNT: Final = Form(str, _read_count)
INSTANT: Final = Form(write_instant, read_instant)
CELL: Final = Form(write_cell, lambda text: read_cell(text) or "")
OPTIONAL_CELL: Final = Form(write_cell, read_cell)
MARK: Final = Form(
    lambda value: "yes" if value else "no", lambda text: text.strip().lower() in ("yes", "true")
)
