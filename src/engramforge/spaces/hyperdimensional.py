"""E9: the shape of a text as one bundle of role-filler pairs, 1,024 bits.

Two halves of equal weight. Layout: lines and paragraphs, headings, lists, code, punctuation and lengths, each filler
bound to its role. Order: pairs of neighbouring stems, the first permuted, then bound. Folded from 10,000 bits
(core/arrays/hypervectors).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.hypervectors import (
    BITS,
    FOLDED_BITS,
    bind,
    fold,
    fold_sums,
    item_vectors,
    permute,
    sign,
)
from engramforge.core.text.words import stem_of
from engramforge.model.embeddings.part import QueryPart
from engramforge.model.spaces import ROW_BY_SPACE, Space
from engramforge.spaces.encoder import Item, Similarities, Symmetric

if TYPE_CHECKING:
    from engramforge.model.embeddings.part import Asked, Values

READ_CHARACTERS: Final = 8_000
"""How far into a text its structure is read."""
MOST_PAIRS: Final = 32
"""Pairs of neighbours that a bundle holds, spread evenly over a longer text: what a majority of 1,024 can tell."""
_CACHED: Final = 8_192
_BLOCK: Final = 32
_READ_AT_ONCE: Final = 4 * _BLOCK
_UNSPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
# In scripts written without spaces every character is a word.
_PIECE: Final = re.compile(rf"[^\W_{_UNSPACED}]+|[{_UNSPACED}]|[^\w\s]")
_ASCII_PIECE: Final = re.compile(r"[A-Za-z0-9]+|[^\w\s]")
_MARKS: Final = frozenset(".,;:!?()[]{}<>=+-*/\\|&%$#@\"'`~^_")

Structure = tuple[list[str], list[tuple[str, str]]]
"""The layout of a text as "role=filler", and its pairs of neighbouring stems."""


class HyperdimensionalEncoder(Symmetric):
    """E9. Abstains for a text of fewer than two words and marks, which has no structure. Safe to share."""

    row = ROW_BY_SPACE[Space.HYPERDIMENSIONAL]
    id = f"hyperdimensional-1/{FOLDED_BITS}"
    shape = (1, FOLDED_BITS // 8)

    def __init__(self) -> None:
        self._folded: dict[str, NDArray[np.int16]] = {}
        self._items: dict[str, NDArray[np.uint8]] = {}

    def encode(self, items: Sequence[Item]) -> list[Values | None]:
        """uint8, shape (1, 128), for each item; None where it abstains."""
        found: list[Values | None] = [None] * len(items)
        for start in range(0, len(items), _READ_AT_ONCE):
            read = [structure_of(item.text) for item in items[start : start + _READ_AT_ONCE]]
            held = [(place, each) for place, each in enumerate(read, start) if each is not None]
            # Texts of as many pairs together: a block takes the room of its longest.
            held.sort(key=lambda each: len(each[1][1]))
            for begin in range(0, len(held), _BLOCK):
                block = held[begin : begin + _BLOCK]
                for (place, _), bits in zip(block, self._encode([each for _, each in block]), strict=True):
                    found[place] = bits[None].copy()
        return found

    def encode_query(self, item: Item) -> QueryPart | None:
        """A question's own shape, which scores what other spaces find; it does not search.

        Any two texts agree in half of their bits, so its finds would be mostly chance: on locomo they cost .0005 of
        pooled recall@10 and found nothing new (docs/measurements/spaces.md).
        """
        if (values := self.encode([item])[0]) is None:
            return None
        bits: NDArray[np.uint8] = values.view(np.uint8)
        return QueryPart(Space.HYPERDIMENSIONAL, self.id, bits, np.ones(1, np.float32), scans=False)

    def compare(self, asked: Asked, values: Values, present: NDArray[np.bool_]) -> Similarities:
        """1 - Hamming / bits, in [0, 1]: 1 is the same shape, 0.5 what chance gives."""
        bits = asked.view(np.uint8)
        differing = np.bitwise_count(np.bitwise_xor(values.view(np.uint8), bits[None]))
        share = differing.sum(axis=(1, 2), dtype=np.int64) / np.float32(bits.size * 8)
        return Similarities.where(present, (1 - share).astype(np.float32))

    def _encode(self, held: Sequence[Structure]) -> NDArray[np.uint8]:
        shapes = self._shapes([layout for layout, _ in held])
        orders = self._orders([order for _, order in held])
        # In sixteenths, so that sums stay integers and are the same on every machine.
        weights = [
            (16, round(16 * (len(layout) / len(order)) ** 0.5)) if order else (1, 0) for layout, order in held
        ]
        of_shape, of_order = np.array(weights, np.int32).T[:, :, None]
        return sign(shapes * of_shape + orders * of_order)

    def _shapes(self, layouts: Sequence[list[str]]) -> NDArray[np.int32]:
        """The sum of the folds of each layout's symbols; most of these come again and again."""
        places = {symbol: place for place, symbol in enumerate({each for some in layouts for each in some})}
        folded = self._learn(list(places))
        counts = np.zeros((len(layouts), len(places)), np.float32)
        for row, layout in enumerate(layouts):
            for symbol in layout:
                counts[row, places[symbol]] += 1
        # Whole numbers of at most a few thousand: exact as floats, which multiply fast.
        return (counts @ np.array([folded[symbol] for symbol in places], np.float32)).astype(np.int32)

    def _orders(self, orders: Sequence[list[tuple[str, str]]]) -> NDArray[np.int32]:
        """The sum of the folds of each text's pairs, few of which come again."""
        sizes = np.array([len(order) for order in orders], np.int64)
        pairs = [pair for order in orders for pair in order]
        return fold_sums(self._bound(pairs), sizes)

    def _learn(self, symbols: Sequence[str]) -> Mapping[str, NDArray[np.int16]]:
        """Fold the symbols that are not known yet, all at once; gives a mapping that holds all asked ones."""
        folded = self._folded
        if len(folded) + len(symbols) > _CACHED:
            # A new mapping, so that threads that read the old one are not disturbed.
            folded = {symbol: folded[symbol].copy() for symbol in symbols if symbol in folded}
        fresh = [symbol for symbol in symbols if symbol not in folded]
        if fresh:
            folded.update(
                zip(fresh, fold(self._bound([_role_and_filler(each) for each in fresh])), strict=True)
            )
        self._folded = folded
        return folded

    def _bound(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.uint8]:
        """The first of each pair permuted, then bound with the second."""
        names = {name: place for place, name in enumerate({half for pair in pairs for half in pair})}
        known = self._known(list(names))
        places = np.array([(names[first], names[second]) for first, second in pairs], np.int64).reshape(-1, 2)
        return bind(permute(known, 1)[places[:, 0]], known[places[:, 1]])

    def _known(self, names: Sequence[str]) -> NDArray[np.uint8]:
        items = self._items
        if len(items) + len(names) > _CACHED:
            items = {name: items[name].copy() for name in names if name in items}
        fresh = [name for name in names if name not in items]
        if fresh:
            items.update(zip(fresh, item_vectors(fresh), strict=True))
        self._items = items
        return np.array([items[name] for name in names], np.uint8).reshape(-1, BITS // 8)


def structure_of(text: str) -> Structure | None:
    """The layout of a text as "role=filler" and its pairs of neighbouring stems; None where it has no structure."""
    text = text[:READ_CHARACTERS]
    pieces = (_ASCII_PIECE if text.isascii() else _PIECE).findall(text)
    if len(set(pieces)) < 2:
        return None
    words = [piece for piece in pieces if piece not in _MARKS]
    return _layout_of(text, pieces, words), _order_of(words)


def _order_of(words: Sequence[str]) -> list[tuple[str, str]]:
    """Neighbours by their stems, each pair once, spread evenly where there are many."""
    stems = [stem_of(word[:32].lower()) for word in words]
    pairs = list(dict.fromkeys(pairwise(stems)))
    if len(pairs) <= MOST_PAIRS:
        return pairs
    return [pairs[place * len(pairs) // MOST_PAIRS] for place in range(MOST_PAIRS)]


def _layout_of(text: str, pieces: Sequence[str], words: Sequence[str]) -> list[str]:
    """The look of a text with its words removed."""
    lines = text.split("\n")
    filled = [line for line in lines if line.strip()]
    paragraphs = sum(is_filled for is_filled, _ in groupby(lines, lambda line: bool(line.strip())))
    marks = Counter(piece for piece in pieces if piece in _MARKS)
    letters, begins = sum(map(len, words)), [word[0] for word in words]
    found = [
        f"lines={_level(len(filled))}",
        f"paragraphs={_level(paragraphs)}",
        f"words={_level(len(words))}",
        f"line length={_level(len(text) // max(len(filled), 1))}",
        f"word length={round(letters / max(len(words), 1))}",
        f"mark density={round(8 * sum(marks.values()) / max(len(pieces), 1))}",
        f"begins={_kind_of(pieces[0])}",
        f"ends={_kind_of(text.rstrip()[-1:])}",
        f"sentences={_level(marks['.'] + marks['!'] + marks['?'])}",
        f"capitals={round(6 * sum(map(str.isupper, begins)) / max(len(words), 1))}",
        f"figures={_level(sum(map(str.isdigit, begins)))}",
    ]
    found += [f"mark={mark}{_level(count)}" for mark, count in sorted(marks.items())[:24]]
    if len(filled) > 1:
        shapes = Counter(map(_shape_of_line, filled[:200]))
        found += [f"shape={shape}{_level(count)}" for shape, count in sorted(shapes.items())]
        found += [f"opening={_shape_of_line(filled[0])}", f"closing={_shape_of_line(filled[-1])}"]
        indented = sum(line[0].isspace() for line in filled)
        found.append(f"indents={_level(indented)}")
    return found


def _level(count: int) -> int:
    """0, 1, 2, 3 for 3..4, 4 for 5..8 and so on: doublings, so that like sizes have the same filler."""
    return count if count < 2 else (count - 1).bit_length() + 1


def _kind_of(piece: str) -> str:
    if piece in _MARKS:
        return piece
    if piece[:1].isdigit():
        return "figure"
    return "capital" if piece[:1].isupper() else "small"


_CODE: Final = (
    r".*[;{}]\s*$|\s*(?:def|class|import|from|return|if|for|while|func|fn|let|const|var)\b.*[:({=]"
    r"|\s+\S+\s?=\s"
)
_LINE_SHAPES: Final = (
    ("heading", re.compile(r"#{1,6}\s")),
    ("fence", re.compile(r"\s{0,3}(?:```|~~~)")),
    ("bullet", re.compile(r"\s*[-*+\u2022]\s")),
    ("step", re.compile(r"\s*\d{1,3}[.)]\s")),
    ("quote", re.compile(r"\s{0,3}>")),
    ("table", re.compile(r"\s*\|")),
    ("rule", re.compile(r"\s*(?:[-=*_]\s?){3,}$")),
    ("turn", re.compile(r"[^\W\d_][\w .'-]{0,30}:\s")),
    ("code", re.compile(_CODE)),
)


def _shape_of_line(line: str) -> str:
    head = line[:200]
    return next((name for name, shape in _LINE_SHAPES if shape.match(head)), "prose")


def _role_and_filler(symbol: str) -> tuple[str, str]:
    role, _, filler = symbol.partition("=")
    return f"role {role}", f"filler {filler}"
