"""A field as a picture: a column for each lens, lines for what agrees and pulls apart, and what to do first.

SVG by drawsvg (faces/cli/drawing).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from engramforge.faces.cli.drawing import (
    EDGE,
    FAINT,
    FONT,
    GROUND,
    PAPER,
    check_plot_name,
    clean,
    fitted,
    text_at,
    wrapped,
    write_picture,
)

if TYPE_CHECKING:
    from engramforge.faces.views.lens import LensResultView, OrchestrationView, SourceView

_WIDE, _GUTTER, _MARGIN, _TOP = 300, 110, 28, 142
_CARD, _BETWEEN = 72, 14
_APART: Final = 16
_LANE, _ASIDE, _TRACKS = 20, 12, 5
_LETTERS: Final = 42
"""Letters of a line of a card; wide ones count twice."""
_STEPS: Final = 6
_AGREE, _CONFLICT, _TIER, _GAP, _GUARD = "#1b7a4b", "#b3261e", "#6a3fb5", "#7a8290", "#b26a00"
_LOOKS: Final = {
    "conflicting_direction": (_CONFLICT, "7 4"),
    "tier_mismatch": (_TIER, "2 4"),
    "gap": (_GAP, "9 5"),
}
Place = tuple[str, str]
"""A lens, and the id of an item of it."""


@dataclass(frozen=True, slots=True)
class _Box:
    column: int
    x: float
    y: float
    height: float = _CARD

    @property
    def middle(self) -> float:
        return self.y + self.height / 2


@dataclass(frozen=True, slots=True)
class _Edge:
    left: _Box
    right: _Box
    colour: str
    dashes: str | None
    label: str
    width: float

    @property
    def is_long(self) -> bool:
        """Whether it passes a column."""
        return self.right.column - self.left.column > 1


def save_plot(view: OrchestrationView, path: str) -> None:
    """Write the picture of a field to an SVG file, in place of one that is there.

    Raises InvalidValue: the name does not end in .svg; ModelUnavailable: drawsvg is not installed; StoreUnavailable: it
    cannot be written there.
    """
    check_plot_name(path)
    write_picture(plot(view), path)


def plot(view: OrchestrationView) -> str:
    """The picture of a field as SVG."""
    import drawsvg as draw

    cards = {name: _cards(view, name) for name in view.per_lens}
    rows = max((max(len(each), 1) for each in cards.values()), default=1)
    lenses = len(view.per_lens)
    wide = max(2 * _MARGIN + lenses * _WIDE + (lenses - 1) * _GUTTER, 2 * _MARGIN + 2 * _WIDE + _GUTTER)
    boxes = _boxes(cards)
    lanes = _TOP + rows * (_CARD + _BETWEEN) + _LANE
    below = lanes + _LANE * sum(1 for each in _edges(view, boxes) if each.is_long) - _LANE + 10
    steps = view.field.steps[:_STEPS]
    high = below + 96 + 20 * max(len(steps), 1)
    picture = draw.Drawing(wide, high, font_family=FONT)
    picture.append(draw.Rectangle(0, 0, wide, high, fill=GROUND))
    picture.append_title(f"Field of: {clean(view.query)[:200]}")
    picture.append(text_at(fitted(view.query, (wide - 2 * _MARGIN) // 10), 18, _MARGIN, 40, weight="bold"))
    _legend(picture, wide)
    for line in _lines(_edges(view, boxes), lanes):
        picture.append(line)
    against = {(x.lens, x.item.id): x.by_lens.partition(":")[0] for x in view.guardian}
    for column, (name, lens) in enumerate(view.per_lens.items()):
        _column(picture, column, name, lens, cards[name], against)
    _summary(picture, view, below + 20, wide)
    return str(picture.as_svg())


def _cards(view: OrchestrationView, name: str) -> list[SourceView]:
    """What a column shows: what answers, and what stands against something that does."""
    sides = [
        item
        for each in view.divergence
        for lens, item in ((each.lens_a, each.item_a), (each.lens_b, each.item_b))
        if lens == name and item is not None
    ]
    return list({each.id: each for each in (*view.per_lens[name].answering, *sides)}.values())


def _boxes(cards: Mapping[str, Sequence[SourceView]]) -> dict[Place, _Box]:
    """Where each card lies; of a lens without any, an empty id has the box that says so."""
    boxes = {}
    for column, (name, items) in enumerate(cards.items()):
        x = _MARGIN + column * (_WIDE + _GUTTER)
        boxes[name, ""] = _Box(column, x, _TOP if not items else _TOP - 44, _CARD if not items else 34)
        for row, item in enumerate(items):
            boxes[name, item.id] = _Box(column, x, _TOP + row * (_CARD + _BETWEEN))
    return boxes


def _edges(view: OrchestrationView, boxes: dict[Place, _Box]) -> list[_Edge]:
    """What agrees and pulls apart, each from card to card."""
    found = []
    for each in view.convergence:
        ends = sorted((boxes[x.lens, x.item.id] for x in each.items), key=lambda box: (box.column, box.y))
        wide = 1.5 + 2.5 * each.combined_mass
        found += [
            _Edge(one, other, _AGREE, None, f"{each.combined_mass:.2f}", wide)
            for one, other in pairwise(ends)
            if one.column != other.column
        ]
    for apart in view.divergence:
        colour, dashes = _LOOKS[apart.type]
        sides = ((apart.lens_a, apart.item_a), (apart.lens_b, apart.item_b))
        one, other = sorted(
            (boxes[lens, item.id if item else ""] for lens, item in sides), key=lambda box: box.x
        )
        found.append(_Edge(one, other, colour, dashes, f"{apart.tension:.2f}", 1.5))
    return found


def _lines(edges: Sequence[_Edge], lanes: float) -> Iterator[Any]:
    """Lines between cards, then their numbers. `lanes`: where those run that pass a column: below all cards."""
    labels: list[Any] = []
    ports: Counter[_Box] = Counter()
    lane = 0
    for edge in edges:
        if edge.is_long:
            yield _detour(edge, ports, labels, lanes + _LANE * lane, lane)
            lane += 1
        else:
            yield _curve(edge, ports, labels)
    yield from labels


def _curve(edge: _Edge, ports: Counter[_Box], labels: list[Any]) -> Any:
    """A line to the next column, or beside its own. `ports`: how many begin or end at each card, so that no two lie on
    each other."""
    from_y, to_y = _ends(edge, ports)
    begin, end = edge.left.x + _WIDE, edge.right.x
    bend = _GUTTER / 2
    if edge.left.column == edge.right.column:
        # The last column has no room at its right.
        side = end if edge.left.column else begin
        bow = side - bend if edge.left.column else side + bend
        _label(edge, labels, side + 0.75 * (bow - side), (from_y + to_y) / 2)
        return _path(edge).M(side, from_y).C(bow, from_y, bow, to_y, side, to_y)
    _label(edge, labels, begin + bend, (from_y + to_y) / 2)
    return _path(edge).M(begin, from_y).C(begin + bend, from_y, end - bend, to_y, end, to_y)


def _detour(edge: _Edge, ports: Counter[_Box], labels: list[Any], lane_y: float, lane: int) -> Any:
    """A line that passes a column, in a lane of its own below the cards, so that none lies over it."""
    from_y, to_y = _ends(edge, ports)
    begin, end = edge.left.x + _WIDE, edge.right.x
    aside = _ASIDE + _APART * (lane % _TRACKS)
    down, up = begin + aside, end - aside
    _label(edge, labels, begin + _GUTTER / 2, lane_y)
    path = _path(edge, stroke_linejoin="round")
    return path.M(begin, from_y).L(down, from_y).L(down, lane_y).L(up, lane_y).L(up, to_y).L(end, to_y)


def _ends(edge: _Edge, ports: Counter[_Box]) -> tuple[float, float]:
    from_y, to_y = (each.middle + _port(ports[each]) for each in (edge.left, edge.right))
    ports.update((edge.left, edge.right))
    return from_y, to_y


def _path(edge: _Edge, **more: str) -> Any:
    import drawsvg as draw

    dashes = {"stroke_dasharray": edge.dashes} if edge.dashes else {}
    return draw.Path(stroke=edge.colour, stroke_width=round(edge.width, 2), fill="none", **dashes, **more)


def _label(edge: _Edge, labels: list[Any], x: float, y: float) -> None:
    """The number of a line, in the gutter, where no card lies over it."""
    import drawsvg as draw

    labels.append(
        draw.Rectangle(x - 17, y - 8, 34, 16, rx=4, fill=GROUND, stroke=edge.colour, stroke_width=0.75)
    )
    labels.append(text_at(edge.label, 11, x, y + 4, edge.colour, anchor="middle"))


def _port(number: int) -> float:
    """How far from a card's middle its next line begins: 0, -16, 16, and so on within the card."""
    step = (number + 1) // 2 % 3
    return _APART * (step if number % 2 == 0 else -step)


def _column(
    picture: Any,
    column: int,
    name: str,
    lens: LensResultView,
    cards: Sequence[SourceView],
    against: dict[Place, str],
) -> None:
    import drawsvg as draw

    x = _MARGIN + column * (_WIDE + _GUTTER)
    picture.append(
        text_at(fitted(f"{lens.role.upper()} \u00b7 {lens.project}", 34), 14, x, _TOP - 32, weight="bold")
    )
    when = f"{lens.told.removeprefix(lens.project).strip(' ,')} \u00b7 " if lens.as_of else ""
    told = f"{when}{lens.gravity_type} gravity, weight {lens.weight:g}"
    picture.append(text_at(fitted(told, 52), 11, x, _TOP - 15, FAINT))
    if not cards:
        picture.append(
            draw.Rectangle(x, _TOP, _WIDE, _CARD, rx=6, fill=GROUND, stroke=_GAP, stroke_dasharray="4 4")
        )
        picture.append(text_at("nothing: a gap", 12, x + 14, _TOP + _CARD / 2 + 4, FAINT))
    for row, item in enumerate(cards):
        _card(picture, x, _TOP + row * (_CARD + _BETWEEN), item, against.get((name, item.id)))


def _card(picture: Any, x: float, y: float, item: SourceView, against: str | None) -> None:
    import drawsvg as draw

    edge, thick = (_GUARD, 2.5) if against else (EDGE, 1)
    picture.append(draw.Rectangle(x, y, _WIDE, _CARD, rx=6, fill=PAPER, stroke=edge, stroke_width=thick))
    mass = min(max(item.mass, 0.0), 1.0) * (_WIDE - 24)
    picture.append(draw.Rectangle(x + 12, y + _CARD - 9, _WIDE - 24, 3, fill="#e6eaf0"))
    picture.append(draw.Rectangle(x + 12, y + _CARD - 9, mass, 3, fill="#3a6ea5"))
    head = f"{item.kind}  \u00b7  mass {item.mass:.2f}  \u00b7  tier {item.epistemic_tier:g}"
    picture.append(text_at(head, 10, x + 12, y + 17, FAINT))
    if against:
        picture.append(
            text_at(fitted(f"\u26a0 {against}", 18), 10, x + _WIDE - 10, y + 17, _GUARD, anchor="end")
        )
    for line, text in enumerate(wrapped(item.excerpt, _LETTERS)):
        picture.append(text_at(text, 12, x + 12, y + 35 + 16 * line))


def _legend(picture: Any, wide: float) -> None:
    """What the lines mean, in a second row where one has no room."""
    import drawsvg as draw

    x, y = float(_MARGIN), 58
    for text, colour, dashes in (
        ("agree (combined mass)", _AGREE, None),
        ("contradict (tension)", _CONFLICT, _LOOKS["conflicting_direction"][1]),
        ("tiers apart", _TIER, _LOOKS["tier_mismatch"][1]),
        ("gap", _GAP, _LOOKS["gap"][1]),
        ("\u26a0 another lens is against it", _GUARD, None),
    ):
        more = {"stroke_dasharray": dashes} if dashes else {}
        taken = 32 + 6.2 * len(text)
        if x + taken > wide - _MARGIN:
            x, y = float(_MARGIN), y + 18
        picture.append(draw.Line(x, y, x + 26, y, stroke=colour, stroke_width=2.5, **more))
        picture.append(text_at(text, 11, x + 32, y + 4, FAINT))
        x += taken + 20


def _summary(picture: Any, view: OrchestrationView, y: float, wide: float) -> None:
    import drawsvg as draw

    field = view.field_summary
    picture.append(draw.Rectangle(_MARGIN, y, 200, 8, rx=4, fill="#dfe4ec"))
    picture.append(draw.Rectangle(_MARGIN, y, 200 * field.coherence, 8, rx=4, fill=_AGREE))
    told = (
        f"coherence {field.coherence:.2f}  \u00b7  dominant lens {field.dominant_lens or 'none'}  \u00b7  "
        f"{field.convergence_points} agree  \u00b7  {field.divergence_points} pull apart  \u00b7  "
        f"{len(view.guardian)} marked"
    )
    picture.append(text_at(clean(told), 12, _MARGIN + 212, y + 9))
    picture.append(text_at("What to do first", 13, _MARGIN, y + 40, weight="bold"))
    room = int((wide - 2 * _MARGIN) / 6.8)
    steps = [f"{n}. {x.act}: {x.because}" for n, x in enumerate(view.field.steps[:_STEPS], 1)]
    for row, text in enumerate(steps or ["Nothing: no lens has an answer."]):
        picture.append(text_at(fitted(text, room), 12, _MARGIN, y + 62 + 20 * row))
