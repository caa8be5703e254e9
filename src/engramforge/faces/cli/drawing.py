"""What pictures have in common: texts that fit, and the file they are written to.

SVG by drawsvg (the extra `plot`), which writes the XML and loads when a picture is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from unicodedata import east_asian_width

from engramforge.errors import InvalidValue, ModelUnavailable, StoreUnavailable
from engramforge.model.fence import printable

FONT: Final = "Inter, 'Segoe UI', Helvetica, Arial, sans-serif"
INK, FAINT, PAPER, EDGE, GROUND = "#1d2430", "#5c6675", "#ffffff", "#c9d0da", "#f5f7fa"


def check_plot_name(path: str) -> None:
    """Raise InvalidValue unless a path is that of an SVG file; ModelUnavailable where nothing can draw one."""
    if not path.lower().endswith(".svg"):
        raise InvalidValue(f"The picture is to be {path[:100]!r}", "Name a file that ends in .svg")
    try:
        import drawsvg  # noqa: F401 - asked whether it is there
    except ImportError as error:
        raise ModelUnavailable(
            "Pictures are drawn by drawsvg, which is not installed", "Run pip install 'engramforge[plot]'"
        ) from error


def write_picture(picture: str, path: str) -> None:
    """Write a picture to a file, in place of one that is there. Raises StoreUnavailable: it cannot be written there."""
    try:
        with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123 - as pathlib does it, and pathlib is not loaded yet
            file.write(picture)
    except OSError as error:
        raise StoreUnavailable(
            f"The picture cannot be written to {path[:200]!r} ({error.strerror})", "Name another file"
        ) from error


def sheet(wide: float, high: float, margin: float, title: str, told: str, name: str = "") -> Any:
    """A picture with its title, and a line of what it shows. `name`: what is read out of it; the title by default."""
    import drawsvg as draw

    picture = draw.Drawing(wide, high, font_family=FONT)
    picture.append(draw.Rectangle(0, 0, wide, high, fill=GROUND))
    picture.append_title(name or title)
    room = int(wide - 2 * margin)
    picture.append(text_at(fitted(title, room // 10), 18, margin, 38, weight="bold"))
    picture.append(text_at(fitted(told, room // 6), 12, margin, 58, FAINT))
    return picture


def text_at(
    text: str,
    size: int,
    x: float,
    y: float,
    fill: str = INK,
    *,
    weight: str = "normal",
    anchor: str = "start",
) -> Any:
    """A line of text, whose foot is at y."""
    import drawsvg as draw

    return draw.Text(clean(text), size, x, y, fill=fill, font_weight=weight, text_anchor=anchor)


def clean(text: str) -> str:
    """A text in one line, with what no XML may hold shown by its number."""
    return printable(" ".join(text.split()))


def wrapped(text: str, letters: int, most: int = 2) -> Sequence[str]:
    """The first lines of a text, at most so many, the last cut where there is more; wide letters count twice."""
    lines, rest = [""], clean(text).split(" ")
    while rest:
        word = rest[0]
        longer = f"{lines[-1]} {word}".strip()
        if width(longer) <= letters:
            lines[-1] = longer
            rest.pop(0)
        elif len(lines) == most or not lines[-1]:
            lines[-1] = fitted(" ".join([lines[-1], *rest]).strip(), letters)
            break
        else:
            lines.append("")
    return lines


def fitted(text: str, room: int) -> str:
    """The beginning of a text in so many letters."""
    text = clean(text)
    if width(text) <= room:
        return text
    while text and width(text) > room - 1:
        text = text[: -max(1, (len(text) - room) // 2)]
    return f"{text.rstrip()}\u2026"


def width(text: str) -> int:
    """Letters of a text; wide ones count twice."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)
