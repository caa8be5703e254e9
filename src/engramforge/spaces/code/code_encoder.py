"""E7: code as two rows, its shape and its words.

    row 0   768 hashed paths of the syntax, names left out: the same for a clone with other names
    row 1   512 hashed words of names, documentation, calls and strings, with the concepts of programming that they
            stand for; then 256 of the static model: the mean of the words of definitions and their documentation

Signed feature hashing: K. Weinberger et al., "Feature hashing for large scale multitask learning", 2009; the sign keeps
collisions unbiased. Words count by 1 + ln of their weighted count and by the model's own importance of them. The dense
part of row 1 has unit length, the hashed part `HASHED_SHARE`; its cosine is their mean by the squares of these.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.vectors import quantised, unit
from engramforge.core.text.code_words import asks_about_code, asks_for_fact, concepts, language_words
from engramforge.core.text.words import is_stop_word, term_of, words_of
from engramforge.model.embeddings.part import QueryPart
from engramforge.model.spaces import ROW_BY_SPACE, Space
from engramforge.spaces.code.features import CALLS, HEAD, NAMES, REST, Features, add_snippet, add_trace
from engramforge.spaces.code.recognition import Form, Recognised, Snippet, recognise
from engramforge.spaces.encoder import Item, Similarities, mean_of_rows
from engramforge.spaces.words.word_table import WordTable, word_table

if TYPE_CHECKING:
    from engramforge.model.embeddings.part import Values

SIZE: Final = 768
HASHED: Final = 512
"""Of row 1; the rest is dense."""
DENSE: Final = SIZE - HASHED
PLACES: Final = {NAMES: 3.0, HEAD: 2.0, CALLS: 1.5, REST: 1.0}
"""Weight of a word by its place, in the hashed part."""
DENSE_PLACES: Final = {NAMES: 2.0, HEAD: 1.0}
"""The same in the dense part; called names and the rest count only if a piece defines and documents nothing."""
HASHED_SHARE: Final = 0.7
"""Length of the hashed part of row 1 beside the dense one."""
CONCEPT_SHARE: Final = 0.5
"""Weight of a concept relative to a word for it."""
QUERY_WEIGHTS: Final = (0.3, 0.7)
"""Weights in a scan of the shape and the words of a question that is code."""
_KEPT: Final = 65_536
_SALT: Final = 0x9E3779B1


@dataclass(frozen=True, slots=True)
class CodeReport:
    """What E7 sees in a text.

    `languages`: of the pieces and tracebacks, distinct, in their order. `snippets`: how many pieces of code there are.
    `parsed`: whether there is a piece with a grammar, and all of those were read without an error.
    """

    languages: tuple[str, ...]
    snippets: int
    parsed: bool


def report_on_code(text: str) -> CodeReport:
    """What E7 sees in a text, for `show` and for the share of a code base that was parsed."""
    from engramforge.spaces.code.languages import parse

    found = recognise(text)
    known = [piece for piece in found.snippets if piece.language is not None]
    parsed = [not parse(piece.text, piece.language or "").root_node.has_error for piece in known]
    named = [*(piece.language or "" for piece in known), *(trace.language for trace in found.traces)]
    return CodeReport(tuple(dict.fromkeys(named)), len(found.snippets), bool(parsed) and all(parsed))


class CodeEncoder:
    """E7. Abstains for a text without code. Safe to share between threads; loads the model at first use."""

    row = ROW_BY_SPACE[Space.CODE]
    shape = (2, SIZE)

    @property
    def table(self) -> WordTable:
        """The word table. Raises ModelUnavailable."""
        return word_table()

    @property
    def id(self) -> str:
        """Name, version, dimension and the model of its dense part."""
        return f"code-1/{SIZE}/{self.table.model.id}"

    def encode(self, items: Sequence[Item]) -> list[Values | None]:
        """int8, shape (2, 768), for each item; None where it holds no code."""
        return [self._encode(item) for item in items]

    def encode_query(self, item: Item) -> QueryPart | None:
        """A question: one that holds code compares in both rows, one in words about code in row 1 alone."""
        found = Recognised()
        if item.code is not None:
            found = recognise(item.code, item.language)
            if not found.is_code:
                found = Recognised((Snippet(item.code, None, Form.GIVEN),))
        elif item.text:
            found = recognise(item.text)
        has_code = bool(found.snippets or found.traces)
        if not has_code and not item.language:
            is_about_code = bool(found.identifiers) or asks_about_code(item.text)
            if not is_about_code or asks_for_fact(item.text):
                return None
        if has_code:
            rows = self._rows(features_of(found))
        else:
            names = set(language_words(item.text))
            features = Features()
            features.words[NAMES].update(word for word in words_of(item.text) if word not in names)
            rows = self._rows(features)
        if not rows.any():
            return None
        shape_weight, word_weight = QUERY_WEIGHTS if rows[0].any() else (0.0, 1.0)
        weights = np.array([shape_weight, word_weight], np.float32)
        return QueryPart(Space.CODE, self.id, unit(rows), weights)

    def query_to_memories(self, query: QueryPart, values: Values, present: NDArray[np.bool_]) -> Similarities:
        """Mean of the rows' cosines by the question's weights, over the rows that both sides have; in [-1, 1]."""
        return mean_of_rows(np.asarray(query.values, np.float32), query.weights, values, present)

    def memory_to_memories(self, memory: Values, values: Values, present: NDArray[np.bool_]) -> Similarities:
        """As `query_to_memories` of a question that is code."""
        return mean_of_rows(memory.astype(np.float32), np.array(QUERY_WEIGHTS, np.float32), values, present)

    def _encode(self, item: Item) -> Values | None:
        found = recognise(item.text, item.language)
        if not found.is_code:
            return None
        rows = self._rows(features_of(found))
        return quantised(rows) if rows.any() else None

    def _rows(self, features: Features) -> NDArray[np.float32]:
        rows = np.zeros((2, SIZE), np.float32)
        rows[0] = _hashed_paths(features.paths)
        rows[1, :HASHED] = HASHED_SHARE * self._hashed_words(features)
        rows[1, HASHED:] = self._dense_words(features)
        return rows

    def _hashed_words(self, features: Features) -> NDArray[np.float32]:
        counts: dict[str, float] = {}
        for place, worth in PLACES.items():
            for word, count in features.words[place].items():
                counts[word] = counts.get(word, 0.0) + worth * count
        words = [word for word in counts if not is_stop_word(word)] or list(counts)
        if not words:
            return np.zeros(HASHED, np.float32)
        importance = np.sqrt(self.table.lengths(self.table.rows_of(words)))
        terms: dict[int, float] = {}
        for word, share in zip(words, importance.tolist(), strict=True):
            weight = (1.0 + float(np.log(counts[word]))) * share if counts[word] > 1 else counts[word] * share
            term = term_of(word)
            terms[term] = max(terms.get(term, 0.0), weight)
            for concept in concepts().get(term, ()):
                key = (concept + 1) * _SALT & 0xFFFFFFFF
                terms[key] = max(terms.get(key, 0.0), CONCEPT_SHARE * weight)
        keys = np.fromiter(terms, np.uint64, len(terms))
        return unit(_hashed(keys, np.fromiter(terms.values(), np.float32, len(terms)), HASHED))

    def _dense_words(self, features: Features) -> NDArray[np.float32]:
        weights: dict[str, float] = {}
        for place, worth in DENSE_PLACES.items():
            for word in features.words[place]:
                weights[word] = max(weights.get(word, 0.0), worth)
        if not weights:
            weights = dict.fromkeys([*features.words[CALLS], *features.words[REST]], 1.0)
        words = [word for word in weights if not is_stop_word(word)] or list(weights)
        if not words:
            return np.zeros(DENSE, np.float32)
        rows = self.table.rows_of(words)
        shares = np.array([weights[word] for word in words], np.float32) * np.sqrt(self.table.lengths(rows))
        return unit(shares @ self.table.vectors(rows))


def features_of(found: Recognised) -> Features:
    """The features of all code that was found in a text."""
    features = Features()
    for snippet in found.snippets:
        add_snippet(features, snippet)
    for trace in found.traces:
        add_trace(features, trace)
    for name in found.identifiers:
        features.add_text(NAMES, name)
    return features


@lru_cache(maxsize=_KEPT)
def _key_of(path: str) -> int:
    return zlib.crc32(path.encode())


@lru_cache(maxsize=_KEPT)
def _worth_of(path: str) -> float:
    """A single node says little, a path between leaves a lot."""
    steps = path.count(">")
    return 1.0 if "^" in path else (0.3, 0.7, 1.0)[min(steps, 2)]


def _hashed_paths(paths: Counter[str]) -> NDArray[np.float32]:
    if not paths:
        return np.zeros(SIZE, np.float32)
    keys = np.fromiter(map(_key_of, paths), np.uint64, len(paths))
    counts = np.fromiter(paths.values(), np.float32, len(paths))
    worth = np.fromiter(map(_worth_of, paths), np.float32, len(paths))
    return unit(_hashed(keys, (1 + np.log(counts)) * worth, SIZE))


def _hashed(keys: NDArray[np.uint64], weights: NDArray[np.float32], size: int) -> NDArray[np.float32]:
    """Each key's weight at its place and with its sign, which come from different bits of the mixed key."""
    mixed = (keys * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(16)
    signs = np.where(mixed & np.uint64(1), 1.0, -1.0)
    places = ((mixed >> np.uint64(1)) % np.uint64(size)).astype(np.int64)
    return np.bincount(places, weights=signs * weights, minlength=size).astype(np.float32)
