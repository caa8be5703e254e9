"""A stream as a picture: tiers as rings around attention, links with their weights, the likeliest path marked.

    focus in the middle, periphery and background around it; beside them the same numbers with what they say

SVG by drawsvg (faces/cli/drawing).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from engramforge.faces.cli.drawing import (
    EDGE,
    FAINT,
    GROUND,
    INK,
    PAPER,
    check_plot_name,
    clean,
    fitted,
    sheet,
    text_at,
    wrapped,
    write_picture,
)
from engramforge.faces.cli.stream_picture import NEAREST, Change, Picture, seen

if TYPE_CHECKING:
    from engramforge.faces.views.stream import StreamView
    from engramforge.faces.views.stream_graph import EdgeView, NodeView

_MARGIN, _TOP, _SIZE = 28, 96, 940
_ROW, _LIST, _APART = 20, 440, 24
_RINGS: Final[Mapping[str, tuple[float, float]]] = {
    "focus": (120.0, 19.0),
    "peripheral": (275.0, 14.0),
    "background": (440.0, 11.0),
    NEAREST: (275.0, 14.0),
}
"""Tier -> how far from the middle it lies, and how large what lies there is."""
_LEVELS: Final[Mapping[str, str]] = {"personal": "#1d4f91", "collective": "#1b7a4b", "ecosystem": "#6a3fb5"}
_PATH, _LINK, _CHANGED = "#b3261e", "#8a94a3", "#a86a00"
_NUMBERED: Final = 24
"""Of how many links, the heaviest, it is written what they say, and their weight."""
_RELATION: Final = 24
_LABEL_HIGH: Final = 22
_LINES: Final = 4
_TURNS: Final = 4


@dataclass(frozen=True, slots=True)
class _Place:
    node: NodeView
    number: int
    x: float
    y: float
    size: float


@dataclass(frozen=True, slots=True)
class _Spot:
    """The middle of what is written, or of a memory, and how far it goes to either side."""

    x: float
    y: float
    wide: float


def save_stream_plot(view: StreamView, path: str) -> None:
    """Write the picture of a stream to an SVG file, in place of one that is there.

    Raises InvalidValue: the name does not end in .svg; ModelUnavailable: drawsvg is not installed; StoreUnavailable: it
    cannot be written there.
    """
    check_plot_name(path)
    write_picture(stream_plot(view), path)


def stream_plot(view: StreamView) -> str:
    """The picture of a stream as SVG."""

    drawn = Picture.of(view)
    places = _placed(drawn.nodes, drawn.edges)
    columns = 1 if len(drawn.nodes) <= _SIZE // _ROW else 2
    wide = _MARGIN + _SIZE + columns * (_LIST + _APART) + _MARGIN
    narrative = wrapped(seen(_narrative(drawn)), (wide - 2 * _MARGIN) // 7, _LINES)
    below = _TOP + _SIZE + 34
    high = below + 24 + 18 * len(narrative) + 20
    title = view.query or view.mode.replace("_", " ")
    name = f"Stream of: {clean(title)[:200]}"
    picture = sheet(wide, high, _MARGIN, title, _told(view, drawn), name)
    _legend(picture)
    walked = frozenset(() if drawn.path is None else drawn.path.links)
    for each in _links(drawn.edges, places, walked):
        picture.append(each)
    for each in _changes(drawn.changes, places):
        picture.append(each)
    _rings(picture, drawn.nodes)
    for place in places.values():
        _node(picture, place, drawn.steps.get(place.node.id))
    _list(picture, list(places.values()), drawn.steps, columns)
    picture.append(text_at("The likeliest line of thought", 13, _MARGIN, below, _PATH, weight="bold"))
    for row, line in enumerate(narrative):
        picture.append(text_at(line, 12, _MARGIN, below + 22 + 18 * row))
    return str(picture.as_svg())


def _told(view: StreamView, drawn: Picture) -> str:
    if drawn.notice:
        return drawn.notice
    graph, summary = view.traversal_graph, view.summary
    themes = f"; about {', '.join(graph.central_themes)}" if graph.central_themes else ""
    left = f" (the strongest {len(drawn.edges)} are drawn)" if len(drawn.edges) < drawn.links else ""
    far = f", {drawn.far} far less relevant than the best not drawn" if drawn.far else ""
    return (
        f"{view.mode.replace('_', ' ')} \u00b7 {summary.total} found, {len(drawn.nodes)} in the picture{far} \u00b7 "
        f"{drawn.links} links{left}, density {graph.graph_density:.3f} \u00b7 energy feedback "
        f"{view.energy_feedback_potential:.3f}{themes}"
    )


def _narrative(drawn: Picture) -> str:
    if drawn.path is None:
        return "None: no link joins what was found." if drawn.nodes else "Nothing was found."
    return f"{drawn.path.narrative}  (probability {drawn.path.probability:.2f})"


def _placed(nodes: Sequence[NodeView], edges: Sequence[EdgeView]) -> dict[str, _Place]:
    """Where each node lies: on the ring of its tier, near to what it is linked with on the rings within."""
    near: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for edge in edges:
        near[edge.source].append((edge.target, edge.traversal_weight))
        near[edge.target].append((edge.source, edge.traversal_weight))
    angles: dict[str, float] = {}
    places: dict[str, _Place] = {}
    numbers = {each.id: number for number, each in enumerate(nodes, 1)}
    for tier, (radius, size) in _RINGS.items():
        members = [each for each in nodes if each.tier == tier]
        angles.update(_around([each.id for each in members], near, angles))
        for each in members:
            angle = angles[each.id]
            x = _MARGIN + _SIZE / 2 + radius * math.sin(angle)
            y = _TOP + _SIZE / 2 - radius * math.cos(angle)
            places[each.id] = _Place(each, numbers[each.id], x, y, size)
    return places


def _around(
    members: Sequence[str], near: Mapping[str, Sequence[tuple[str, float]]], angles: Mapping[str, float]
) -> Iterator[tuple[str, float]]:
    """An angle for each member, evenly on the ring, in the order in which what they are linked with lies."""
    count = len(members)
    slots = {each: 2 * math.pi * number / count for number, each in enumerate(members)}
    for _ in range(_TURNS):
        known = {**slots, **angles}
        wanted = {
            each: _mean([(known[to], by) for to, by in near[each] if to in known], slots[each])
            for each in members
        }
        ordered = sorted(members, key=lambda each: (wanted[each], slots[each]))
        slots = {each: 2 * math.pi * number / count for number, each in enumerate(ordered)}
    yield from slots.items()


def _mean(angles: Sequence[tuple[float, float]], otherwise: float) -> float:
    """The mean direction of weighed angles, 0..2 pi."""
    east = math.fsum(math.sin(angle) * weight for angle, weight in angles)
    north = math.fsum(math.cos(angle) * weight for angle, weight in angles)
    if math.hypot(east, north) < 1e-9:
        return otherwise
    return math.atan2(east, north) % (2 * math.pi)


def _rings(picture: Any, nodes: Sequence[NodeView]) -> None:
    """The rings, each with its name, where nothing lies on it."""
    import drawsvg as draw

    middle_x, middle_y = _MARGIN + _SIZE / 2, _TOP + _SIZE / 2
    told = {each.tier for each in nodes}
    for tier, (radius, size) in reversed(list(_RINGS.items())):
        if (tier == NEAREST) is not (NEAREST in told):
            continue
        count = sum(1 for each in nodes if each.tier == tier)
        picture.append(
            draw.Circle(middle_x, middle_y, radius, fill="none", stroke=EDGE, stroke_dasharray="2 6")
        )
        angle = math.pi / count if count else 0.0
        x, y = middle_x + radius * math.sin(angle), middle_y - radius * math.cos(angle)
        if count * (2 * size + 76) > 2 * math.pi * radius:
            y -= size + 14
        picture.append(draw.Rectangle(x - 36, y - 8, 72, 16, rx=4, fill=GROUND))
        picture.append(text_at(tier, 11, x, y + 4, FAINT, anchor="middle"))


def _links(edges: Sequence[EdgeView], places: Mapping[str, _Place], walked: frozenset[str]) -> Iterator[Any]:
    """The lines of links from source to target, those of the path above the others, then of the heaviest what the
    link says, with its weight."""
    import drawsvg as draw

    heads = {colour: _head(colour) for colour in (_PATH, _LINK)}
    drawn = [each for each in edges if each.source in places and each.target in places]
    drawn = [each for each in drawn if each.source != each.target]
    taken = [_Spot(each.x, each.y, _LABEL_HIGH) for each in places.values()]
    labels = []
    for number, each in enumerate(sorted(drawn, key=lambda each: each.id not in walked)):
        one, other = places[each.source], places[each.target]
        colour = _PATH if each.id in walked else _LINK
        line = draw.Line(
            *_ends(one, other),
            stroke=colour,
            stroke_width=round(0.6 + 3.4 * each.traversal_weight, 2),
            stroke_opacity=1 if each.id in walked else 0.45,
            marker_end=heads[colour],
        )
        line.append_title(
            clean(f"{one.number} {each.relation} {other.number}, weight {each.traversal_weight:.2f}")
        )
        labels.append((each.id in walked, number, each, line))
    for _, _, _, line in reversed(labels):
        yield line
    for is_walked, number, each, _ in labels:
        if is_walked or number < _NUMBERED:
            told = f"{fitted(each.relation, _RELATION)} {each.traversal_weight:.2f}"
            wide = 2.8 * len(told) + 5
            spot = _free(places[each.source], places[each.target], taken, wide, must=is_walked)
            if spot is not None:
                taken.append(spot)
                yield from _label(spot, told, _PATH if is_walked else FAINT)


def _changes(changes: Sequence[Change], places: Mapping[str, _Place]) -> Iterator[Any]:
    """From each version of a belief that changed a broken line to the next, with why and when."""
    import drawsvg as draw

    head = _head(_CHANGED)
    for each in changes:
        if each.source in places and each.target in places:
            one, other = places[each.source], places[each.target]
            ends = _ends(one, other)
            line = draw.Line(*ends, stroke=_CHANGED, stroke_width=2, stroke_dasharray="6 4", marker_end=head)
            line.append_title(clean(f"{one.number} {each.said}, then {other.number}"))
            yield line
            middle = _Spot((ends[0] + ends[2]) / 2, (ends[1] + ends[3]) / 2, 2.8 * len(each.said) + 5)
            yield from _label(middle, each.said, _CHANGED)


def _ends(one: _Place, other: _Place) -> tuple[float, float, float, float]:
    """A line between two circles, from edge to edge."""
    length = math.hypot(other.x - one.x, other.y - one.y) or 1.0
    east, south = (other.x - one.x) / length, (other.y - one.y) / length
    return (
        one.x + east * one.size,
        one.y + south * one.size,
        other.x - east * other.size,
        other.y - south * other.size,
    )


def _head(colour: str) -> Any:
    """The head of an arrow, as large on a thin line as on a thick one."""
    import drawsvg as draw

    head = draw.Marker(-9, -4.5, 0, 4.5, orient="auto", markerUnits="userSpaceOnUse", scale=1)
    head.append(draw.Lines(-9, -4.5, 0, 0, -9, 4.5, fill=colour, close=True))
    return head


def _free(one: _Place, other: _Place, taken: Sequence[_Spot], wide: float, *, must: bool) -> _Spot | None:
    """Where on a line a label so wide to either side has room; in its middle where it must be written and has none."""
    begin_x, begin_y, end_x, end_y = _ends(one, other)
    for share in (0.5, 0.4, 0.6, 0.3, 0.7):
        x, y = begin_x + share * (end_x - begin_x), begin_y + share * (end_y - begin_y)
        if all(abs(x - each.x) > wide + each.wide or abs(y - each.y) > _LABEL_HIGH for each in taken):
            return _Spot(x, y, wide)
    return _Spot((begin_x + end_x) / 2, (begin_y + end_y) / 2, wide) if must else None


def _label(spot: _Spot, told: str, colour: str) -> Iterator[Any]:
    import drawsvg as draw

    yield draw.Rectangle(
        spot.x - spot.wide, spot.y - 8, 2 * spot.wide, 15, rx=4, fill=GROUND, stroke=colour, stroke_width=0.75
    )
    yield text_at(told, 10, spot.x, spot.y + 3.5, colour, anchor="middle")


def _node(picture: Any, place: _Place, step: int | None) -> None:
    import drawsvg as draw

    colour = _LEVELS.get(place.node.level, FAINT)
    dot = draw.Circle(place.x, place.y, place.size, fill=PAPER, stroke=colour, stroke_width=2)
    dot.append_title(
        clean(f"{seen(place.node.said)} ({place.node.kind}, activation {place.node.activation_score:.2f})")
    )
    if step is not None:
        picture.append(
            draw.Circle(place.x, place.y, place.size + 4, fill=GROUND, stroke=_PATH, stroke_width=2.5)
        )
    picture.append(dot)
    size = 14 if place.size > 15 else 11 if place.size > 12 else 9
    picture.append(
        text_at(str(place.number), size, place.x, place.y + size / 3, colour, weight="bold", anchor="middle")
    )


def _list(picture: Any, places: Sequence[_Place], steps: Mapping[str, int], columns: int) -> None:
    """What the numbers are, as a stream lists them. `steps`: node -> its place on the likeliest path, from 1."""
    rows = max(math.ceil(len(places) / columns), _SIZE // _ROW - 6)
    for number, place in enumerate(sorted(places, key=lambda each: each.number)):
        column, row = divmod(number, rows)
        x = _MARGIN + _SIZE + _APART + column * (_LIST + _APART)
        y = _TOP + 14 + _ROW * row
        node = place.node
        step = steps.get(node.id)
        colour = _PATH if step is not None else INK
        mark = f"{step}. on the path \u00b7 " if step is not None else ""
        picture.append(
            text_at(
                str(place.number), 11, x + 20, y, _LEVELS.get(node.level, FAINT), weight="bold", anchor="end"
            )
        )
        picture.append(text_at(f"{node.activation_score:.2f}", 10, x + 28, y, FAINT))
        said = fitted(f"{mark}{seen(node.said)}", 62)
        weight = "bold" if node.tier == "focus" else "normal"
        picture.append(text_at(said, 11, x + 56, y, colour, weight=weight))


def _legend(picture: Any) -> None:
    import drawsvg as draw

    x = float(_MARGIN)
    for level, colour in _LEVELS.items():
        picture.append(draw.Circle(x + 6, 76, 6, fill=PAPER, stroke=colour, stroke_width=2))
        picture.append(text_at(level, 11, x + 18, 80, FAINT))
        x += 40 + 6.2 * len(level)
    for told, colour in (
        ("a link to its target, thicker with its weight", _LINK),
        ("the likeliest path", _PATH),
        ("a belief that changed", _CHANGED),
    ):
        picture.append(draw.Line(x, 76, x + 26, 76, stroke=colour, stroke_width=3.0))
        picture.append(text_at(told, 11, x + 32, 80, FAINT))
        x += 52 + 6.0 * len(told)
    picture.append(text_at("numbers beside: activation, what it says", 11, x, 80, FAINT))
