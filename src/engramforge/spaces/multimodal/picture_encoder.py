"""E10: a memory's picture and its captions, each compared with its own kind.

    row 0  what the picture looks like (features), of the first picture that can be decoded
    row 1  the words of all its captions: the model's vectors of the words, and their stems

Pictures are found by pictures and captions by words; the two kinds are never compared with each other. Abstains for
memories without a picture.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.vectors import quantised
from engramforge.core.text.words import words_of
from engramforge.errors import InvalidContent
from engramforge.model.embeddings.part import QueryPart
from engramforge.model.limits import IMAGES_PER_MEMORY
from engramforge.model.spaces import ROW_BY_SPACE, Space
from engramforge.spaces.encoder import Item, Picture, Similarities, mean_of_rows
from engramforge.spaces.multimodal.decode import decode, svg_text
from engramforge.spaces.multimodal.features import ASKED_VIEWS, SIZE, STORED_VIEWS, View, features
from engramforge.spaces.words.word_table import WordTable

if TYPE_CHECKING:
    from engramforge.model.embeddings.part import Values

Floats = NDArray[np.float32]

_MEANING: Final = 256
_STEMS: Final = SIZE - _MEANING
_STEM_WEIGHT: Final = 1.0
"""Weight of the exact stems of a caption against the meaning of its words."""
_CAPTION_WORDS: Final = 64
"""How many words of captions count."""
_BESIDE_IMAGE: Final = 0.5
"""Weight of a question's words if it shows a picture too."""
_SPREAD: Final = np.uint32(0x9E3779B1)


class MultimodalEncoder:
    """E10 of the static preset.

    `table`: the word table; asked for at the first caption, so that nothing is loaded for it before.
    """

    row = ROW_BY_SPACE[Space.MULTIMODAL]
    shape = (2, SIZE)

    def __init__(self, table: Callable[[], WordTable]) -> None:
        self._table = table
        self._id: str | None = None

    @property
    def id(self) -> str:
        """Name, version and dimension."""
        if self._id is None:
            self._id = f"multimodal-1/{self._table().model.id}/2x{SIZE}"
        return self._id

    def encode(self, items: Sequence[Item]) -> list[Values | None]:
        """int8, shape (2, 384), of each item; None without a picture, or if neither look nor caption has a signal.

        A picture without a caption uses the memory's text instead.
        """
        return [self._values(item) if item.pictures else None for item in items]

    def encode_query(self, item: Item) -> QueryPart | None:
        """A question by its picture, its words, or both; None where it has neither."""
        look = _look(item.pictures, ASKED_VIEWS)
        said = self._said(item.text)
        if not look.any() and not said.any():
            return None
        weights = np.array(
            [1.0 if look.any() else 0.0, (_BESIDE_IMAGE if look.any() else 1.0) if said.any() else 0.0],
            np.float32,
        )
        return QueryPart(Space.MULTIMODAL, self.id, np.stack((look, said)), weights)

    def query_to_memories(self, query: QueryPart, values: Values, present: NDArray[np.bool_]) -> Similarities:
        """Cosines in [-1, 1]; of a question with both, the weighted mean over the kinds that a memory has."""
        return mean_of_rows(np.asarray(query.values, np.float32), query.weights, values, present)

    def memory_to_memories(self, memory: Values, values: Values, present: NDArray[np.bool_]) -> Similarities:
        """Cosines in [-1, 1]; of two with picture and caption, the mean of both kinds."""
        return mean_of_rows(memory.astype(np.float32), np.ones(2, np.float32), values, present)

    def _values(self, item: Item) -> NDArray[np.int8] | None:
        captions = [caption for picture in item.pictures if (caption := caption_of(picture))]
        rows = np.stack(
            (_look(item.pictures, STORED_VIEWS), self._said(" ".join(captions) if captions else item.text))
        )
        return quantised(rows) if rows.any() else None

    def _said(self, text: str) -> Floats:
        """The words of a caption, float32, shape (384,), of unit length: meaning (256) beside hashed stems (128)."""
        words = list(dict.fromkeys(words_of(text[: 32 * _CAPTION_WORDS])))[:_CAPTION_WORDS]
        if not words:
            return np.zeros(SIZE, np.float32)
        table = self._table()
        rows = table.rows_of(words)
        content = ~table.is_stop(rows)
        rows = rows[content] if content.any() else rows
        weights = np.sqrt(table.lengths(rows))
        meaning = _unit(weights @ table.vectors(rows, _MEANING))
        stems = np.zeros(_STEMS, np.float32)
        hashes = table.terms(rows) * _SPREAD
        signs = np.where(hashes & np.uint32(1), 1.0, -1.0).astype(np.float32)
        # A word unknown to the model weighs as much as one that it knows well.
        np.add.at(
            stems, (hashes >> np.uint32(25)).astype(np.int64), signs * np.where(weights > 0, weights, 1)
        )
        return _unit(np.concatenate((meaning, _STEM_WEIGHT * _unit(stems))))


def caption_of(picture: Picture) -> str:
    """The caption of a picture, or the texts in a drawing."""
    if picture.caption or picture.content is None:
        return picture.caption
    return svg_text(picture.content) or ""


def _look(pictures: Sequence[Picture], views: tuple[View, ...]) -> Floats:
    """The features of the first picture that can be decoded and shows anything; zero where there is none."""
    for picture in pictures[:IMAGES_PER_MEMORY]:
        if picture.content is None or svg_text(picture.content) is not None:
            continue
        try:
            found = features(decode(picture.content), views)
        except InvalidContent:
            continue
        if found.any():
            return found
    return np.zeros(SIZE, np.float32)


def _unit(values: Floats) -> Floats:
    norm = float(np.linalg.norm(values))
    return (values / norm).astype(np.float32) if norm > 1e-9 else np.zeros_like(values, np.float32)
