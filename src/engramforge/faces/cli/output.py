"""Printing: one JSON object, plain text, or colour on a terminal.

Whatever is printed of a memory has what nobody sees made visible: recalled text must not drive the
terminal.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import signal
import sys
import textwrap
import threading
import unicodedata
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import click

from engramforge.errors import InvalidValue
from engramforge.faces.cli.surroundings import (
    environment,
    lent,
    output_encoding,
    standard_error,
    standard_output,
)
from engramforge.faces.views.shape import plain
from engramforge.model.texts.visible import CUT_BEFORE, on_screen

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import FrameType, TracebackType

    from engramforge.errors import EngramforgeError

_ACTED_ON: Final = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""What JSON leaves as it is and terminals act on: DEL, C1, separators of lines, what turns the direction of writing."""
_NARROWEST: Final = 20
"""To how many characters a column of a table is narrowed at most: a time or a short id stays whole."""
_ID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_ID_CHARACTERS: Final = 18
"""Of 36: the time at which it was made, to a part of a millisecond."""


def show_json(value: Any) -> None:
    """Print ONE JSON object on standard output."""
    encoding = output_encoding().lower().replace("-", "")
    text = json.dumps(plain(value), ensure_ascii=encoding != "utf8", indent=2)
    text = _ACTED_ON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    standard_output().write(f"{text}\n")


def show_json_line(value: Any) -> None:
    """Print one of several JSON objects, each a line, as it comes."""
    sys.stdout.write(json.dumps(plain(value)) + "\n")
    sys.stdout.flush()


def show_error(error: EngramforgeError, as_json: bool) -> int:
    """Print a fault and its mend on standard error, for JSON as an object of code, fault and mend; its exit code."""
    said = json.dumps(error.as_dict()) if as_json else f"error: {on_screen(str(error))}"
    if (here := lent()) is not None:
        here.faults.append(error)
    standard_error().write(said + "\n")
    return error.exit_code


def on_terminal(stream: Any = None) -> bool:
    """Whether people look at it."""
    target = standard_output() if stream is None else stream
    return bool(getattr(target, "isatty", lambda: False)())


def width() -> int:
    """Columns to fill: the terminal's, at most 110; 100 when piped."""
    if not on_terminal():
        return 100
    here = lent()
    columns = shutil.get_terminal_size((100, 24)).columns if here is None else here.columns
    return min(columns, 110)


def say(text: str = "", **style: Any) -> None:
    """Print a line, in a style of `click.style` on a terminal; NO_COLOR (no-color.org) asks for none."""
    text = on_screen(text)
    plain_terminal = environment().get("NO_COLOR") or environment().get("TERM") == "dumb"
    if style and on_terminal() and not plain_terminal:
        text = click.style(text, **style)
    standard_output().write(text + "\n")


def say_text(text: str) -> None:
    """Print a text that a file or the next program takes as it is; on a terminal as `on_screen` tells it."""
    standard_output().write(on_screen(text) if on_terminal() else text)


def remark(text: str) -> None:
    """Print a line on standard error."""
    standard_error().write(on_screen(text) + "\n")


def heading(text: str) -> None:
    """Print a line that stands out on a terminal."""
    say(text, bold=True, fg="cyan")


def faint(text: str) -> None:
    """Print a line that stands back on a terminal."""
    say(text, dim=True)


def wrapped(text: str, indent: str) -> str:
    """`text` filled to the width, every line indented; its own line ends stay."""
    room = max(width() - len(indent), 20)
    lines = [
        part
        for line in on_screen(text).expandtabs(4).splitlines()
        for part in (textwrap.wrap(line, room, replace_whitespace=False) or [""])
    ]
    return "\n".join(f"{indent}{line}".rstrip() for line in lines)


def shortened(text: str, columns: int) -> str:
    """The beginning of `text` on one line of so many columns."""
    line = " ".join(on_screen(text).split())
    if _cells(line) <= columns:
        return line
    line = line[: columns - 1]
    while _cells(line) > columns - 1:
        line = line[:-1]
    return line.rstrip(CUT_BEFORE) + "…"


def short(whole: str) -> str:
    """An id as people see it: on a terminal by its first characters, which tell it from others; else whole."""
    return whole[:_ID_CHARACTERS] if on_terminal() and _ID.fullmatch(whole) else whole


def show_table(columns: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> None:
    """Print rows in aligned columns: on a terminal within its width, under a rule.

    Where a terminal is too narrow for columns that can be read, each row is a block of names and values. Cells that
    are ids are `short`.
    """
    texts = [[on_screen(short("" if cell is None else str(cell))) for cell in row] for row in rows]
    widths = [max(map(_cells, column)) for column in zip(columns, *texts, strict=True)]
    if title:
        say(title)
    if not on_terminal():
        for row in ([*columns], *texts):
            standard_output().write("  ".join(_filled(row, widths)).rstrip() + "\n")
        return
    margins = 3 * len(widths) + 1
    while sum(widths) + margins > width() and max(widths) > _NARROWEST:
        widths[widths.index(max(widths))] -= 1
    if sum(widths) + margins > width():
        _show_blocks(columns, texts)
        return
    say("  " + "   ".join(_filled(columns, widths)), bold=True, fg="cyan")
    say(" " + "─" * (sum(widths) + margins - 2))
    for row in texts:
        lines = [textwrap.wrap(cell, size) for cell, size in zip(row, widths, strict=True)]
        for line in zip_longest(*lines, fillvalue=""):
            say(("  " + "   ".join(_filled(line, widths))).rstrip())


def _show_blocks(columns: Sequence[str], texts: Iterable[Sequence[str]]) -> None:
    size = max(map(_cells, columns))
    for number, row in enumerate(texts):
        if number:
            say()
        for name, cell in zip(columns, row, strict=True):
            lines = textwrap.wrap(cell, max(width() - size - 4, _NARROWEST))
            for at, line in enumerate(lines):
                say(f"  {('' if at else name).ljust(size)}  {line}")


def _cells(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(
        0 if unicodedata.combining(letter) else 1 + (unicodedata.east_asian_width(letter) in "WF")
        for letter in text
    )


def _filled(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    return [cell + " " * (size - _cells(cell)) for cell, size in zip(row, widths, strict=True)]


def show_pairs(pairs: Iterable[tuple[str, object]]) -> None:
    """Print names and values, the values in one column; those without a value are left out."""
    kept = [(name, str(value)) for name, value in pairs if value not in (None, "", [], {})]
    size = max((len(name) for name, _ in kept), default=0)
    for name, value in kept:
        say(f"{name.ljust(size)}  {value}")


def megabytes(count: float) -> str:
    """A number of bytes for people."""
    for unit in ("B", "kB", "MB"):
        if count < 1_000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1_000
    return f"{count:.1f} GB"


def share(figure: float | None) -> str:
    """A share of one, or nothing where it is not told."""
    return "" if figure is None else f"{figure:.2f}"


def write_text(place: Path, text: str) -> None:
    """Write a file beside its place, then let it take the place; OSError where the system refuses.

    A link stays one, and what is no ordinary file (a pipe, a device) is written to and never replaced.
    """
    place = Path(os.path.realpath(place))
    if place.is_symlink():
        raise OSError(errno.ELOOP, "its links go round in a circle")
    if place.is_dir():
        raise InvalidValue(f"{place} is a folder", "Name a file")
    if place.exists() and not place.is_file():
        place.write_text(text, encoding="utf-8")
        return
    beside = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(place)
    finally:
        beside.unlink(missing_ok=True)


class PortionBar:
    """A bar and a held interrupt: the first Ctrl-C waits for the next `move`, a second one stops at once.

    `begun`: what is said before the first portion is done.
    """

    def __init__(self, begun: str) -> None:
        self._begun = begun
        self._stopping = False
        self._before: Any = None
        self._bar: Any = None

    def __enter__(self) -> Self:
        if on_terminal(sys.stderr):
            shape = "%(label)s  %(bar)s  %(info)s"
            self._bar = click.progressbar(
                iter(()),
                label=on_screen(self._begun),
                file=sys.stderr,
                bar_template=shape,
                fill_char="━",
                show_percent=False,
            )
            self._bar.__enter__()
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._hold_back)
        return self

    @property
    def is_stopping(self) -> bool:
        """Whether an interrupt is held that no `move` has raised yet."""
        return self._stopping

    def _hold_back(self, number: int, frame: FrameType | None) -> None:
        if self._stopping:
            signal.default_int_handler(number, frame)
        self._stopping = True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
        if self._bar is not None:
            self._bar.__exit__(kind, error, trace)

    def move(self, said: str, done: int, total: int) -> None:
        """Show that a portion is done. Raises KeyboardInterrupt when one was held back."""
        if self._bar is not None:
            self._bar.label, self._bar.length = on_screen(said), total
            self._bar.update(done - self._bar.pos)
        if self._stopping:
            raise KeyboardInterrupt
