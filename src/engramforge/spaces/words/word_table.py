"""The process-wide table of whole words, in which every space of words looks words up.

A word is tokenised once, as a word of its own; its vector is the mean of its tokens' vectors. Whole words are the unit
because neighbours of sub-words mislead. The table only grows; row ids stay valid for the life of the process and mean
nothing outside it. A process that reads a store meets words it never saw as text: their tokens are spelled out, once.

Unit vectors are kept in int8 with one scale per word (a quarter of float32's memory, and faster to gather, as
the table outgrows the cache); their error in a cosine is below 0.005. No corpus statistics, no spaces' rules.
"""

from __future__ import annotations

import threading
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import simsimd
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import distinct, spans
from engramforge.core.arrays.seeded import STEP, mixed
from engramforge.core.text.words import content_words, is_stop_word, term_of, words_of
from engramforge.spaces.words.static_model import StaticModel, static_model

EXACT_TOKENS: Final = 4
"""Up to this many tokens a word's key is its tokens; beyond, it is a hash of them."""
_HASHED: Final = np.uint64(1 << 63)
_FIRST_ROWS: Final = 4096
_ADDED_CHARACTERS: Final = 4_096
_HASHED_TOKENS: Final = 1 << 20

Rows = NDArray[np.int32]
Ends = NDArray[np.int64]
Tokens = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class _Columns:
    """One generation of the table's arrays; a larger one replaces it, so a reader's copy never moves."""

    vectors: NDArray[np.int8]
    scales: NDArray[np.float32]
    lengths: NDArray[np.float32]
    terms: NDArray[np.uint32]
    stops: NDArray[np.bool_]
    token_ends: Ends


@dataclass(frozen=True, slots=True)
class _Slots:
    """An open-addressing hash table, key -> row; key 0 is an empty slot."""

    keys: NDArray[np.uint64]
    rows: Rows

    def first(self, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        shift = np.uint64(64 - (len(self.keys).bit_length() - 1))
        return ((keys * STEP) >> shift).astype(np.int64)


class WordTable:
    """Words seen by this process.

    Lookups are safe from any thread; growth is serialised. `model`: the static model that gives words their vectors.
    """

    def __init__(self, model: StaticModel) -> None:
        self.model = model
        self._lock = threading.Lock()
        self._rows_by_word: dict[str, int] = {}
        self._words: list[str] = []
        self._size = 0
        self._columns = _columns(_FIRST_ROWS, model.dimensions)
        self._tokens: Tokens = np.zeros(4 * _FIRST_ROWS, np.uint16)
        self._slots = _Slots(np.zeros(4 * _FIRST_ROWS, np.uint64), np.full(4 * _FIRST_ROWS, -1, np.int32))
        self._single: Rows = np.full(1 << 16, -1, np.int32)

    def __len__(self) -> int:
        return self._size

    def rows_of(self, words: Sequence[str]) -> Rows:
        """Rows of these words (as `core.text.words.words_of` gives them), int32, shape (n,); new words are added."""
        known = self._rows_by_word
        try:
            return np.fromiter(map(known.__getitem__, words), np.int32, len(words))
        except KeyError:
            self._add([word for word in dict.fromkeys(words) if word not in known])
            return np.fromiter(map(known.__getitem__, words), np.int32, len(words))

    def words_of(self, tokens: Tokens, ends: Ends) -> tuple[Rows, Ends]:
        """The words in concatenated token arrays, without looking at text that is known.

        `tokens`: uint16, shape (t,): those of n texts end to end. `ends`: int64, shape (n,): where each text's end.

        Returns their rows in order, int32, shape (w,), and where each text's words end, int64, shape (n,).
        """
        if not len(tokens):
            return np.zeros(0, np.int32), np.zeros(len(ends), np.int64)
        begins = self.model.starts_word[tokens]
        begins[0] = True
        begins[ends[ends < len(tokens)]] = True  # a text's first token begins a word, marked or not
        starts = np.flatnonzero(begins)
        sizes = np.diff(starts, append=len(tokens))
        rows = self._rows_of_spans(tokens, starts, sizes)
        return rows, np.searchsorted(starts, ends).astype(np.int64)

    def tokens_of(self, rows: Rows) -> tuple[Tokens, NDArray[np.int64]]:
        """The tokens of these words, concatenated, and how many each word has."""
        ends = self._columns.token_ends
        sizes = ends[rows + 1] - ends[rows]
        return self._tokens[spans(ends[rows], ends[rows + 1])[0]], sizes

    def words(self, rows: Rows) -> list[str]:
        """The words as text."""
        return [self._words[row] for row in rows.tolist()]

    def terms(self, rows: Rows) -> NDArray[np.uint32]:
        """Hashes of the words' stems."""
        return self._columns.terms[rows]

    def is_stop(self, rows: Rows) -> NDArray[np.bool_]:
        """Whether each word is a stop word."""
        return self._columns.stops[rows]

    def lengths(self, rows: Rows) -> NDArray[np.float32]:
        """Euclidean lengths of the words' mean token vectors; 0 where the model knows nothing of the word."""
        return self._columns.lengths[rows]

    def vectors(self, rows: Rows, dimensions: int | None = None) -> NDArray[np.float32]:
        """Unit vectors of the words, float32, shape (n, dimensions); zero where the model knows nothing.

        A prefix of the dimensions (Matryoshka) is brought back to unit length.
        """
        columns = self._columns
        if dimensions is None or dimensions >= self.model.dimensions:
            return columns.vectors[rows] * columns.scales[rows, None]
        part = columns.vectors[rows, :dimensions].astype(np.float32)
        norms = np.sqrt(np.einsum("ij,ij->i", part, part))
        part /= np.where(norms > 0, norms, 1)[:, None]
        return part

    def like(self, words: Sequence[str], others: Sequence[str]) -> NDArray[np.float32]:
        """How like words are in meaning: cosines, shape (n, m), of n words with m others."""
        return self.cosines(self.rows_of(words), self.rows_of(others))

    def cosines(self, rows: Rows, others: Rows) -> NDArray[np.float32]:
        """Cosines of words with others, float32, shape (q, n), without their vectors being made."""
        if not len(rows) or not len(others):
            return np.zeros((len(rows), len(others)), np.float32)
        columns = self._columns
        products = np.asarray(
            simsimd.cdist(columns.vectors[rows], columns.vectors[others], "dot"), np.float32
        )
        products *= columns.scales[rows, None]
        products *= columns.scales[others]
        return products

    def _rows_of_spans(self, tokens: Tokens, starts: Ends, sizes: Ends) -> Rows:
        """Rows of the words that begin at `starts` and have `sizes` tokens."""
        rows = np.where(sizes == 1, self._single[tokens[starts]], np.int32(-1))
        rest = np.flatnonzero(rows < 0)
        if not len(rest):
            return rows
        keys = _keys(tokens, starts[rest], sizes[rest])
        rows[rest] = _find(self._slots, keys)
        missing = rest[rows[rest] < 0]
        if len(missing):
            first = distinct(keys[rows[rest] < 0]).first
            spelled = [
                tuple(tokens[starts[i] : starts[i] + sizes[i]].tolist())
                for i in missing[np.sort(first)].tolist()
            ]
            self._add([self.model.text_of(each) for each in spelled], spelled)
            rows[rest] = _find(self._slots, keys)
        return rows

    def _add(self, words: Sequence[str], tokens: Sequence[Sequence[int]] | None = None) -> None:
        """Add words, with their tokens where those are what was met."""
        for places in _portions(np.arange(len(words)), list(map(len, words)), _ADDED_CHARACTERS):
            some = slice(int(places[0]), int(places[-1]) + 1)
            self._add_some(words[some], None if tokens is None else tokens[some])

    def _add_some(self, words: Sequence[str], tokens: Sequence[Sequence[int]] | None) -> None:
        with self._lock:
            words, tokens = self._still_unknown(words, tokens)
            if not words:
                return
            sizes = np.fromiter(map(len, tokens), np.int64, len(words))
            flat = np.fromiter((token for each in tokens for token in each), np.uint16, int(sizes.sum()))
            first, last = self._size, self._size + len(words)
            self._make_room(last, int(self._columns.token_ends[first]) + len(flat))
            columns = self._columns
            token_start = int(columns.token_ends[first])
            self._tokens[token_start : token_start + len(flat)] = flat
            columns.token_ends[first + 1 : last + 1] = token_start + np.cumsum(sizes)
            means = self._means(words, flat, sizes)
            lengths = np.sqrt(np.einsum("ij,ij->i", means, means))
            columns.lengths[first:last] = lengths
            columns.vectors[first:last], columns.scales[first:last] = quantised(means, lengths)
            columns.terms[first:last] = [term_of(word) for word in words]
            columns.stops[first:last] = [is_stop_word(word) for word in words]
            self._words.extend(words)
            self._size = last
            self._publish(words, flat, sizes, np.arange(first, last, dtype=np.int32))

    def _still_unknown(
        self, words: Sequence[str], tokens: Sequence[Sequence[int]] | None
    ) -> tuple[Sequence[str], Sequence[Sequence[int]]]:
        """The words that no other thread has added since the caller looked."""
        if tokens is None:
            words = [word for word in words if word not in self._rows_by_word]
            return words, self.model.tokens_of(words)
        sizes = np.fromiter(map(len, tokens), np.int64, len(tokens))
        flat = np.fromiter((token for each in tokens for token in each), np.uint16, int(sizes.sum()))
        left = np.flatnonzero(_find(self._slots, _keys(flat, np.cumsum(sizes) - sizes, sizes)) < 0).tolist()
        return [words[i] for i in left], [tokens[i] for i in left]

    def _publish(self, words: Sequence[str], flat: Tokens, sizes: Ends, rows: Rows) -> None:
        """Make finished rows findable; done last, so that a row that is found can be read."""
        starts = np.cumsum(sizes) - sizes
        _place(self._slots, _keys(flat, starts, sizes), rows)
        alone = sizes == 1
        self._single[flat[starts[alone]]] = rows[alone]
        for word, row in zip(words, rows.tolist(), strict=True):
            self._rows_by_word.setdefault(word, row)

    def _make_room(self, rows: int, tokens: int) -> None:
        old = self._columns
        if rows >= len(old.scales):
            new = _columns(max(rows + 1, 3 * len(old.scales) // 2), self.model.dimensions)
            for name in _Columns.__slots__:
                held = getattr(old, name)
                getattr(new, name)[: len(held)] = held
            self._columns = new
        if tokens > len(self._tokens):
            longer = np.zeros(max(tokens, 3 * len(self._tokens) // 2), np.uint16)
            longer[: len(self._tokens)] = self._tokens
            self._tokens = longer
        if 2 * rows > len(self._slots.keys):
            room = 1 << (4 * rows).bit_length()
            slots = _Slots(np.zeros(room, np.uint64), np.full(room, -1, np.int32))
            filled = np.flatnonzero(self._slots.keys)
            _place(slots, self._slots.keys[filled], self._slots.rows[filled])
            self._slots = slots

    def _means(self, words: Sequence[str], flat: Tokens, sizes: Ends) -> NDArray[np.float32]:
        """Mean token vectors; tokens without meaning of their own (raw bytes, the bare mark) do not count."""
        counted = self.model.carries_meaning[flat]
        vectors = self.model.rows(flat) * counted[:, None]
        starts = np.cumsum(sizes) - sizes
        sums = np.add.reduceat(vectors, starts, axis=0)
        counts = np.add.reduceat(counted.astype(np.float32), starts)
        means: NDArray[np.float32] = (sums / np.maximum(counts, 1)[:, None]).astype(np.float32)
        for i in np.flatnonzero(counts == 0).tolist():
            means[i] = self._mean_of_name(words[i])
        return means

    def _mean_of_name(self, word: str) -> NDArray[np.float32] | float:
        """The vector of a character's Unicode name, for an emoji or letter that the model has no token for."""
        if len(word) > 2 or not word:
            return 0.0
        named = content_words(words_of(unicodedata.name(word[0], "")))
        found = [token for tokens in self.model.tokens_of(named) for token in tokens]
        vectors = self.model.rows(np.array([t for t in found if self.model.carries_meaning[t]], np.int64))
        return vectors.mean(axis=0, dtype=np.float32) if len(vectors) else 0.0


_lock = threading.Lock()
_shared: WordTable | None = None


def word_table() -> WordTable:
    """The process's table over the installed static model, made at first use."""
    global _shared
    if _shared is None:
        model = static_model()
        with _lock:
            if _shared is None:
                _shared = WordTable(model)
    return _shared


def _columns(room: int, dimensions: int) -> _Columns:
    return _Columns(
        vectors=np.zeros((room, dimensions), np.int8),
        scales=np.zeros(room, np.float32),
        lengths=np.zeros(room, np.float32),
        terms=np.zeros(room, np.uint32),
        stops=np.zeros(room, np.bool_),
        token_ends=np.zeros(room + 1, np.int64),
    )


def quantised(
    means: NDArray[np.float32], lengths: NDArray[np.float32]
) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Unit vectors in int8 and the factor that brings each back to unit length."""
    peaks = np.abs(means).max(axis=1, initial=0)
    steps = np.rint(means * (127 / np.where(peaks > 0, peaks, 1))[:, None])
    norms = np.sqrt(np.einsum("ij,ij->i", steps, steps))
    return steps.astype(np.int8), np.where(lengths > 0, 1 / np.where(norms > 0, norms, 1), 0).astype(
        np.float32
    )


def _keys(tokens: Tokens, starts: Ends, sizes: Ends) -> NDArray[np.uint64]:
    """Keys of words: four tokens side by side, or with the top bit set a hash of more (token ids are < 32,768)."""
    keys = np.zeros(len(starts), np.uint64)
    for place in range(EXACT_TOKENS):
        has = sizes > place
        keys[has] |= tokens[starts[has] + place].astype(np.uint64) << np.uint64(16 * place)
    long = np.flatnonzero(sizes > EXACT_TOKENS)
    for some in _portions(long, sizes[long], _HASHED_TOKENS):
        places, ends = spans(starts[some], starts[some] + sizes[some])
        flat = tokens[places].astype(np.uint64)
        within = np.arange(len(flat)) - np.repeat(ends - sizes[some], sizes[some])
        spread = mixed((flat + np.uint64(1)) * STEP + mixed(within.astype(np.uint64) + np.uint64(1)))
        keys[some] = mixed(np.add.reduceat(spread, ends - sizes[some])) | _HASHED
    return keys


def _portions(places: Ends, sizes: Sequence[int] | Ends, most: int) -> Sequence[Ends]:
    """Places in order, apart after about `most` of what they have the sizes of: arrays that are made of all of it take
    many times its memory."""
    if not len(places):
        return ()
    return np.split(places, np.flatnonzero(np.diff(np.cumsum(sizes) // most)) + 1)


def _find(slots: _Slots, keys: NDArray[np.uint64]) -> Rows:
    """Rows of the keys, -1 where absent: linear probing, all keys at once."""
    found = np.full(len(keys), -1, np.int32)
    places = slots.first(keys)
    open_ = np.arange(len(keys))
    last = len(slots.keys) - 1
    while len(open_):
        held = slots.keys[places]
        hit = held == keys[open_]
        found[open_[hit]] = slots.rows[places[hit]]
        on = ~hit & (held != 0)
        open_, places = open_[on], (places[on] + 1) & last
    return found


def _place(slots: _Slots, keys: NDArray[np.uint64], rows: Rows) -> None:
    """Put distinct keys into free slots; the row is written before the key, so that a reader finds both or none."""
    places = slots.first(keys)
    open_ = np.arange(len(keys))
    last = len(slots.keys) - 1
    while len(open_):
        free = slots.keys[places] == 0
        slots.rows[places[free]] = rows[open_[free]]
        slots.keys[places[free]] = keys[open_[free]]
        on = slots.rows[places] != rows[open_]
        open_, places = open_[on], (places[on] + 1) & last
    return
