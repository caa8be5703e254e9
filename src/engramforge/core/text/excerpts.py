"""What is shown of a text that is too long: the passage that answers, not its head.

A text is cut into sentences and lines; the one that covers the question best, with its neighbours, is the anchor, and
grows to the side that covers more of what is missing, else onwards, since answers follow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engramforge.core.text.portions import excerpt_within

Floats = NDArray[np.float32]
Cover = Callable[[Sequence[str]], Floats]
"""Pieces of a text -> how well each covers each word of the question: float32, shape (q, n), in [0, 1]."""

_CUT: Final = re.compile(r"(?<=[.!?])\s+|\n\s*")
_LONGEST_PIECE: Final = 240
_MOST_PIECES: Final = 4_000
_BESIDE: Final = 0.5
"""What the pieces beside the anchor count."""
_AHEAD: Final = 3
"""How many pieces on a side are looked at before it grows there."""
_TITLE: Final = 200
"""Characters of a title with what follows it."""
_ROOM_FOR_TWO: Final = 1_200
_SHARE_OF_SECOND: Final = 0.4
"""From how much room on a second passage is shown, and what share of it that has."""
_GAP: Final = "\u2026 "
Spans = Sequence[tuple[int, int]]


class Passage(NamedTuple):
    """The first and the last piece of a passage, and the characters that it may have."""

    first: int
    last: int
    free: int


def passage_within(text: str, room: int, weights: Floats, cover: Cover, *, has_title: bool = False) -> str:
    """The passage of a text, at most `room` characters, that answers a question; the text itself where it fits.

    `weights`: float32, shape (q,): how much each word of the question counts. `has_title`: whether its beginning says
    what it is about, and is shown too. Of a very long text only the beginning is looked at, some hundred thousand
    characters.
    """
    if len(text) <= room:
        return text
    if has_title and room >= 2 * _TITLE:
        head = excerpt_within(text, _TITLE, least=1) or ""
        begin = len(head.removesuffix(_GAP.strip()).rstrip())
        behind = text[begin:].lstrip()
        rest = passage_within(behind, room - len(head) - 1, weights, cover)
        if rest.startswith(_GAP):
            return f"{head} {rest.removeprefix(_GAP)}"
        # What follows the title at once leaves nothing out between them.
        space = text[begin : len(text) - len(behind)]
        return text[:begin] + ("\n" if "\n" in space else space[:1]) + rest
    spans = _pieces(text)
    soft = cover([text[begin:end] for begin, end in spans])
    if not soft.any():
        return excerpt_within(text, room, least=1) or ""
    anchor = _anchor(soft, weights)
    if room < _ROOM_FOR_TWO:
        return _shown(text, spans, _grown(spans, soft, weights, anchor, room))
    best = _grown(spans, soft, weights, anchor, round(room * (1 - _SHARE_OF_SECOND)))
    return _with_second(text, spans, soft, weights, best, room)


def _with_second(text: str, spans: Spans, soft: Floats, weights: Floats, best: Passage, room: int) -> str:
    """The best passage and the best one before or after it, in the text's order."""
    others = soft.copy()
    others[:, best.first : best.last + 1] = 0
    if not others.any():
        return _shown(text, spans, best._replace(free=room - 2 * len(_GAP)))
    shown = _shown(text, spans, _whole_pieces(spans, best))
    left = room - len(shown)
    anchor = _anchor(others, weights)
    # A piece of the other passage stays outside of the best one.
    inside = slice(best.last + 1, len(spans)) if anchor > best.last else slice(0, best.first)
    second = _grown(spans[inside], soft[:, inside], weights, anchor - inside.start, left)
    said = _shown(text, spans[inside], _whole_pieces(spans[inside], second))
    parts = (shown, said) if anchor > best.last else (said, shown)
    return "\n".join(part.rstrip() for part in parts)


def _grown(spans: Spans, soft: Floats, weights: Floats, anchor: int, room: int) -> Passage:
    """The passage around a piece, at most `room` characters."""
    first = last = anchor
    held = soft[:, first]
    free = room - 2 * len(_GAP)
    while True:
        sides = [
            (float(weights @ np.maximum(ahead.max(axis=1) - held, 0)), side > last, side)
            for side, ahead in (
                (first - 1, soft[:, max(first - _AHEAD, 0) : first]),
                (last + 1, soft[:, last + 1 : last + 1 + _AHEAD]),
            )
            if 0 <= side < len(spans) and _reach(spans, min(first, side), max(last, side)) <= free
        ]
        if not sides:
            break
        _, _, side = max(sides)
        first, last, held = min(first, side), max(last, side), np.maximum(held, soft[:, side])
    return Passage(first, last, free)


def _whole_pieces(spans: Spans, passage: Passage) -> Passage:
    """The passage without what its room would still hold of the piece behind it."""
    return passage._replace(free=min(passage.free, _reach(spans, passage.first, passage.last)))


def _shown(text: str, spans: Spans, passage: Passage) -> str:
    """The passage as text, from its first piece on to the end of its room."""
    begin = spans[passage.first][0]
    shown = excerpt_within(text[begin:], passage.free, least=1) or ""
    return (_GAP if begin else "") + shown


def _anchor(soft: Floats, weights: Floats) -> int:
    """The piece that covers most, with half of what its neighbours add."""
    own = weights @ soft
    wide = soft.copy()
    wide[:, 1:] = np.maximum(wide[:, 1:], soft[:, :-1])
    wide[:, :-1] = np.maximum(wide[:, :-1], soft[:, 1:])
    return int(np.argmax(own + _BESIDE * (weights @ wide - own)))


def _reach(spans: Spans, first: int, last: int) -> int:
    return spans[last][1] - spans[first][0]


def _pieces(text: str) -> list[tuple[int, int]]:
    """Where sentences and lines stand; long ones are cut after a word."""
    spans: list[tuple[int, int]] = []
    begin = 0
    for end, following in [
        *((hit.start(), hit.end()) for hit in _CUT.finditer(text)),
        (len(text), len(text)),
    ]:
        while end - begin > _LONGEST_PIECE:
            space = text.rfind(" ", begin + 1, begin + _LONGEST_PIECE)
            cut = space if space > 0 else begin + _LONGEST_PIECE
            spans.append((begin, cut))
            begin = cut
        if end > begin:
            spans.append((begin, end))
        begin = following
        if len(spans) >= _MOST_PIECES:
            break
    return spans
