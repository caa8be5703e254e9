"""Topics as pictures: a map, on which topics that mean alike lie near each other, and a river through time.

    map     a circle for each topic, its area by its memories; what would cover something else moves aside
    river   a stream for each of the largest topics, as wide as it has memories at a time

SVG by drawsvg (faces/cli/drawing).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from engramforge.faces.cli.drawing import (
    EDGE,
    FAINT,
    INK,
    PAPER,
    check_plot_name,
    clean,
    sheet,
    text_at,
    width,
    wrapped,
    write_picture,
)
from engramforge.faces.views.shape import numbered

if TYPE_CHECKING:
    from engramforge.model.topics.told import TopicPlace, TopicRiver

_MARGIN, _TOP = 32, 84
_WIDE, _HIGH = 1080, 720
_SMALL, _LARGE = 10.0, 64.0
"""Radii of circles."""
_LETTERS, _LETTER, _LINE = 22, 7.6, 15
"""Of a name: letters of a line, how wide one is, how high a line is."""
_BROAD: Final = "mw@%\u2014\u2026"
_NAME: Final = 36
_APART: Final = 6.0
_PUSHES: Final = 600
_COLOURS: Final = (
    *("#3b6fb6", "#c4622d", "#2f8f6b", "#8a5fb0", "#b4476b", "#6d7f1e", "#2a8fa3", "#a8792a"),
    *("#5564c8", "#9a4a3c", "#4c8a3a", "#a04fa0", "#3f7a8f", "#c28a1a", "#74578c", "#7a6a55"),
)
_FLOW, _KEY = 760, 330
"""How wide the river is, and the list of its streams beside it."""
_HEIGHT, _DAY = 420, 72
_KEY_LINE: Final = 44


@dataclass
class _Circle:
    """A topic on the map: the middle of the box around its circle and its name, the half of its sides, its radius."""

    x: float
    y: float
    wide: float
    high: float
    radius: float
    lines: Sequence[str]
    colour: str
    place: TopicPlace


def save_topic_map(places: Sequence[TopicPlace], path: str) -> None:
    """Write the map of topics to an SVG file, in place of one that is there.

    Raises InvalidValue: the name does not end in .svg; ModelUnavailable: drawsvg is not installed; StoreUnavailable: it
    cannot be written there.
    """
    check_plot_name(path)
    write_picture(topic_map(places), path)


def save_river(river: TopicRiver, path: str) -> None:
    """Write the river of topics to an SVG file, as `save_topic_map` does."""
    check_plot_name(path)
    write_picture(river_of(river), path)


def topic_map(places: Sequence[TopicPlace]) -> str:
    """The map of topics as SVG."""
    import drawsvg as draw

    circles = _apart([_circle(each, number, places) for number, each in enumerate(places)])
    left = min((each.x - each.wide for each in circles), default=0.0)
    top = min((each.y - each.high for each in circles), default=0.0)
    wide = max((each.x + each.wide for each in circles), default=0.0) - left
    high = max((each.y + each.high for each in circles), default=0.0) - top
    whole = max(wide, 560) + 2 * _MARGIN, max(high, 80) + _TOP + _MARGIN
    told = f"{numbered(len(places), 'topic')}; what means alike lies near, areas by memories"
    picture = sheet(*whole, _MARGIN, "Topics", told if places else "There is no topic yet")
    across = _MARGIN - left + max(560 - wide, 0) / 2
    for each in circles:
        x, y = each.x + across, each.y - top + _TOP
        middle = y - each.high + each.radius
        picture.append(
            draw.Circle(x, middle, each.radius, fill=each.colour, fill_opacity=0.28, stroke=each.colour)
        )
        count = str(each.place.topic.size)
        picture.append(text_at(count, 11, x, middle + 4, INK, anchor="middle"))
        foot = middle + each.radius + _LINE
        for row, line in enumerate(each.lines):
            picture.append(text_at(line, 12, x, foot + row * _LINE, INK, anchor="middle"))
    return str(picture.as_svg())


def _circle(place: TopicPlace, number: int, places: Sequence[TopicPlace]) -> _Circle:
    most = max(each.topic.size for each in places)
    radius = max(_LARGE * math.sqrt(place.topic.size / most), _SMALL)
    lines = wrapped(place.topic.name or "(no name)", _LETTERS)
    wide = max(radius, max(map(_long, lines)) / 2) + _APART
    high = radius + len(lines) * _LINE / 2 + _APART
    x, y = (place.x * _WIDE / 2, place.y * _HIGH / 2)
    return _Circle(x, y, wide, high, radius, lines, _COLOURS[number % len(_COLOURS)], place)


def _long(line: str) -> float:
    """How long a line is at most, in letters of size 12."""
    return sum(_LETTER * (1.6 if letter.isupper() or letter in _BROAD else width(letter)) for letter in line)


def _apart(circles: list[_Circle]) -> list[_Circle]:
    """Circles whose boxes cover none of another: each two that do are pushed apart, the shorter way."""
    for _ in range(_PUSHES):
        moved = False
        for number, one in enumerate(circles):
            for other in circles[number + 1 :]:
                across = one.wide + other.wide - abs(one.x - other.x)
                down = one.high + other.high - abs(one.y - other.y)
                if across <= 0 or down <= 0:
                    continue
                moved = True
                if across < down:
                    push = (across / 2 + 0.5) * (1 if one.x < other.x else -1)
                    one.x, other.x = one.x - push, other.x + push
                else:
                    push = (down / 2 + 0.5) * (1 if one.y < other.y else -1)
                    one.y, other.y = one.y - push, other.y + push
        if not moved:
            break
    return circles


def river_of(river: TopicRiver) -> str:
    """The river of topics as SVG: around a middle line, the streams that begin late outside."""
    import drawsvg as draw

    streams = [
        (topic.name or "(no name)", topic.size, counts, _COLOURS[number % len(_COLOURS)])
        for number, (topic, counts) in enumerate(zip(river.topics, river.counts, strict=True))
    ]
    high = max(_HEIGHT + 60, _KEY_LINE * len(streams)) + _TOP + _MARGIN
    wide = _FLOW + _KEY + 3 * _MARGIN
    told = "There is no topic yet"
    if streams:
        told = (
            f"memories that became true, {_day(river.begins[0])} to {_day(river.end)}, in {len(river.begins)} spans; "
            f"{numbered(sum(river.others), 'memory')} of other topics left out"
        )
    picture = sheet(wide, high, _MARGIN, "Topics through time", told)
    order = _inside_out([counts for _, _, counts, _ in streams])
    totals = [sum(each) for each in zip(*(counts for _, _, counts, _ in streams), strict=True)]
    scale = _HEIGHT / max([1, *totals])
    middle = _TOP + _HEIGHT / 2
    step = _FLOW / max(len(river.begins) - 1, 1)
    feet = [middle - scale * total / 2 for total in totals]
    for place in order:
        name, _, counts, colour = streams[place]
        heads = feet
        feet = [head + scale * count for head, count in zip(heads, counts, strict=True)]
        path = draw.Path(fill=colour, fill_opacity=0.82, stroke=PAPER, stroke_width=0.6)
        _curve(path, [(_MARGIN + number * step, y) for number, y in enumerate(heads)], begins=True)
        _curve(path, [(_MARGIN + number * step, y) for number, y in enumerate(feet)][::-1], begins=False)
        path.Z()
        path.append_title(clean(name)[:200])
        picture.append(path)
    _days(picture, river.begins, step, _TOP + _HEIGHT + 28)
    for row, (name, size, _, colour) in enumerate(streams):
        y = _TOP + row * _KEY_LINE
        x = _FLOW + 2 * _MARGIN
        picture.append(draw.Rectangle(x, y, 14, 14, fill=colour, rx=3))
        letters = _NAME
        while letters > 8 and max(map(_long, wrapped(name, letters))) * 13 / 12 > _KEY - 84:
            letters -= 1
        for line_number, line in enumerate(wrapped(name, letters)):
            picture.append(text_at(line, 13, x + 24, y + 12 + line_number * 16))
        picture.append(text_at(f"{size:,}", 12, x + _KEY - 8, y + 12, FAINT, anchor="end"))
    return str(picture.as_svg())


def _inside_out(counts: Sequence[Sequence[int]]) -> list[int]:
    """The order of streams from top to bottom: those that come first in the middle, later ones around them (Byron and
    Wattenberg 2008)."""

    def begins(each: Sequence[int]) -> int:
        return next((at for at, count in enumerate(each) if count), len(each))

    above: list[int] = []
    below: list[int] = []
    weights = [0, 0]
    for place in sorted(range(len(counts)), key=lambda at: (begins(counts[at]), -sum(counts[at]))):
        side = int(weights[1] < weights[0])
        (above, below)[side].append(place)
        weights[side] += sum(counts[place])
    return [*reversed(above), *below]


def _curve(path: Any, points: Sequence[tuple[float, float]], *, begins: bool) -> None:
    """Points as a line that bends from one to the next and overshoots none."""
    (x, y), *others = points
    (path.M if begins else path.L)(x, y)
    for then_x, then_y in others:
        half = (x + then_x) / 2
        path.C(half, y, half, then_y, then_x, then_y)
        x, y = then_x, then_y


def _days(picture: Any, begins: Sequence[datetime], step: float, y: float) -> None:
    """Days below the river, as many as have room."""
    import drawsvg as draw

    every = max(math.ceil((_DAY + 20) / max(step, 1)), 1)
    for number in range(0, len(begins), every):
        x = _MARGIN + number * step
        picture.append(draw.Line(x, _TOP, x, y - 14, stroke=EDGE, stroke_width=0.8, stroke_dasharray="2 4"))
        if x + _DAY <= _MARGIN + _FLOW:
            picture.append(text_at(_day(begins[number]), 11, x, y, FAINT))


def _day(when: datetime) -> str:
    return f"{when:%Y-%m-%d}"
