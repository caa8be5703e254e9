"""Texts to embeddings: what capture stores and recall asks with.

The document side depends on the text alone. The query side may be weighed by the terms of a scope, handed in, so that
nothing here knows a store.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import distinct, distinct_values
from engramforge.core.decision_records.record_references import number_of_file
from engramforge.core.entities.known_names import LONGEST_WORDS
from engramforge.core.entities.naming import LONGEST_NAME, name_key
from engramforge.core.ranking.question import plain_plurals, word_shares
from engramforge.core.text.dates import POINT, Interval, intervals_in
from engramforge.core.text.spelling import as_written
from engramforge.core.text.summarising import cues_of
from engramforge.core.text.words import ANALYSIS, is_identifier, is_stop_word, term_of, words_of
from engramforge.model.embeddings.embedding import Embedding, QueryEmbedding
from engramforge.model.memory import Draft, Kind, Memory
from engramforge.model.search.candidates import Corpus
from engramforge.spaces.encoder import Item, Picture
from engramforge.spaces.words import dictionary
from engramforge.spaces.words.vocabulary import Vocabulary, vocabulary
from engramforge.spaces.words.word_table import Ends, Rows, WordTable, word_table

UNSEEN_SHARE: Final = 0.6
"""Factor of a word that occurs nowhere, since only its neighbours can match."""
READ_CHARACTERS: Final = 20_000
"""How far into a text dates and cues are looked for."""
QUERY_WORDS: Final = 32
SPELLED_WORDS: Final = 4 * QUERY_WORDS
"""The most words of a query that count."""
MOST_COUNTED: Final = 255
_BATCH_WORDS: Final = 16_384
_LONG_WORD: Final = 16
"""Characters that count as a word where words are longer than most: each may be a token or more."""
_FILE_WORD: Final = re.compile(r"[^\W\d_]+|\d+")
_FILE_WORDS: Final = 12
"""How many words of a file's name count."""
_MORE_FILES: Final = 4
"""Of how many other files that say the same the names count."""
_KEPT_WORDS: Final = 20_000
"""The most words of written texts that a process keeps, some 600 bytes each."""


class TextEncoder:
    """The static preset's encoder of texts; loads its model at first use, safe to share between threads."""

    def __init__(self, table: WordTable | None = None, words: Vocabulary | None = None) -> None:
        self._given_table = table
        self._given_vocabulary = words
        self._spare: WordTable | None = None

    @property
    def table(self) -> WordTable:
        """The word table; loads the model at first use. Raises ModelUnavailable."""
        return self._given_table or word_table()

    @property
    def id(self) -> str:
        """Name and version of everything a stored embedding depends on."""
        return encoder_id(self.table)

    def encode(self, texts: Sequence[str], moments: Sequence[datetime] | None = None) -> list[Embedding]:
        """The embedding of each text; one without words has no vector, tokens or terms.

        `moments` says when each was said, which "yesterday" counts from; without it such dates are not read.

        E1 is the sum of the distinct content words' unit vectors, each times the square root of its raw
        length (the model's own importance of a word), brought to int8. Measured on locomo dev, turn recall@10
        with live IDF on the query: .478 for the plain normalised mean of all words, .586 for the raw mean,
        .607 for content words by root length, .615 with each word once.
        """
        found: list[Embedding] = []
        batch: list[_Read] = []
        held = 0
        days: Sequence[int | None] = (
            [None] * len(texts) if moments is None else [m.toordinal() for m in moments]
        )
        for text, day in zip(texts, days, strict=True):
            batch.append(read := _read(text, day))
            held += max(len(read.words), len(text) // _LONG_WORD)
            if held >= _BATCH_WORDS:
                found += self._encode(batch)
                batch, held = [], 0
        return found + self._encode(batch)

    def encode_query(
        self, text: str, corpus: Corpus | None = None, named: Sequence[str] = ()
    ) -> QueryEmbedding:
        """The embedding of a query.

        `corpus`: the terms of the scope asked; without it words weigh by the model's own importance. With it,
        expansions that occur nowhere in the scope are left out. `named`: speakers whom the query names; their names are
        compared with the speakers, not with the text.
        """
        table = self.table
        rows = self.asked_words(text, named, corpus)
        terms, vectors, lengths = table.terms(rows), table.vectors(rows), table.lengths(rows)
        near = self._vocabulary.nearest_to(rows)
        owners = np.repeat(np.arange(len(rows), dtype=np.int32), near.terms.shape[1])
        expansion = _distinct_expansion(
            np.concatenate((terms, near.terms.ravel())),
            np.concatenate((np.ones(len(terms), np.float32), near.weights.ravel())),
            np.concatenate((np.arange(len(terms), dtype=np.int32), owners)),
        )
        importance = np.sqrt(lengths)
        weights = importance
        if corpus is not None and len(rows):
            present = (corpus.frequencies(expansion[0]) > 0) | (expansion[1] >= 1)
            frequencies = corpus.frequencies(terms)
            weights = idf(corpus.total, frequencies) * np.where(frequencies > 0, 1, UNSEEN_SHARE)
            weights = (
                weights * word_shares(text, table.words(rows), frequencies / max(corpus.total, 1))
            ).astype(np.float32)
            expansion = (expansion[0][present], expansion[1][present], expansion[2][present])
        # What an identifier's letters and digits resemble says nothing of what it names.
        plain = np.array([not is_identifier(word) for word in table.words(rows)], np.float32)
        mean = (importance * plain * (weights if corpus is not None else 1)) @ vectors
        norm = float(np.linalg.norm(mean))
        return QueryEmbedding(
            encoder=encoder_id(table),
            text=text,
            words=tuple(table.words(rows)),
            terms=terms,
            vectors=vectors,
            weights=_shares(weights),
            vector=(mean / norm).astype(np.float32) if norm > 0 else None,
            expansion_terms=expansion[0],
            expansion_weights=expansion[1],
            expansion_words=expansion[2],
        )

    def asked_words(self, text: str, named: Sequence[str] = (), corpus: Corpus | None = None) -> Rows:
        """The words of a query that count, as rows of the word table: its first 32 distinct content words.

        All of its words, if none is a content word. `corpus`, `named`: as in `encode_query`; words that no text of the
        corpus has are asked as its texts write them.
        """
        table = self.table
        names = {word for name in named for word in words_of(name)}
        words = words_of(plain_plurals(text))
        if corpus is not None and corpus.total:
            spelled = words[:SPELLED_WORDS]
            spelled = as_written(spelled, lambda each: _frequencies(corpus, each), self.is_real)
            words = [*spelled, *words[SPELLED_WORDS:]] or words
        words = list(dict.fromkeys(words))
        words = [word for word in words if word not in names] or words
        every = table.rows_of(words)
        content = ~table.is_stop(every)
        rows = every[content] if content.any() else every
        first = distinct(table.terms(rows)).first
        return rows[np.sort(first)][:QUERY_WORDS]

    def look_up(self, words: Sequence[Rows]) -> None:
        """Look up the neighbours of the words of several texts at once: by far cheaper than one by one."""
        if words:
            self._vocabulary.nearest_to(distinct(np.concatenate(words)).values)

    def is_real(self, word: str) -> bool:
        """Whether a lower-cased word is one of English, whether a memory has it or not."""
        return word in self._vocabulary.known or dictionary.is_real(word)

    @property
    def _vocabulary(self) -> Vocabulary:
        return self._given_vocabulary or vocabulary()

    def _table_for_writing(self) -> WordTable:
        """The word table while it is small; then one that is begun anew whenever it has as many words: what is written
        may have more words than a process should hold, and most of them once."""
        table = self.table
        if len(table) < _KEPT_WORDS:
            return table
        spare = self._spare
        if spare is None or len(spare) >= _KEPT_WORDS:
            spare = self._spare = WordTable(table.model)
        return spare

    def _encode(self, texts: Sequence[_Read]) -> list[Embedding]:
        table = self._table_for_writing()
        identity = encoder_id(table)
        rows = table.rows_of([word for each in texts for word in each.words])
        sizes = np.fromiter((len(each.words) for each in texts), np.int64, len(texts))
        ends = np.cumsum(sizes)
        tokens, token_sizes = table.tokens_of(rows)
        token_ends = np.concatenate(([0], np.cumsum(token_sizes)))[ends]
        owners = np.repeat(np.arange(len(texts)), sizes)
        content = ~table.is_stop(rows)
        has_content = np.bincount(owners[content], minlength=len(texts)) > 0
        # Content words; all words of a text without any.
        counted = content | ~has_content[owners]
        vectors, has_vector = _vectors(table, rows[counted], owners[counted], len(texts))
        terms, counts, term_ends = _terms(table, rows[counted], owners[counted], len(texts))
        token_starts, term_starts = np.append(0, token_ends[:-1]), np.append(0, term_ends[:-1])
        return [
            Embedding(
                encoder=identity,
                vector=vectors[i].copy() if has_vector[i] else None,
                tokens=tokens[token_starts[i] : token_ends[i]].copy(),
                terms=terms[term_starts[i] : term_ends[i]].copy(),
                counts=counts[term_starts[i] : term_ends[i]].copy(),
                cues=each.cues,
                intervals=np.array(each.intervals, np.int32) if each.intervals else None,
            )
            for i, each in enumerate(texts)
        ]


class _Read(NamedTuple):
    """The words of a text, its cues, and the days that it names."""

    words: list[str]
    cues: int
    intervals: Sequence[Interval]


def _read(text: str, day: int | None) -> _Read:
    head = text[:READ_CHARACTERS]
    intervals = intervals_in(head, day)
    return _Read(words_of(text), cues_of(head, bool(intervals)), intervals)


def encoder_id(table: WordTable) -> str:
    """Name and version of everything that a stored embedding depends on: the analysis and the model."""
    return f"static-1/{ANALYSIS}/{table.model.id}"


def idf(total: int, frequencies: NDArray[np.int64]) -> NDArray[np.float32]:
    """ln(1 + (N - n + 0.5)/(n + 0.5)): the weight of a term in BM25 (Robertson, Zaragoza 2009), always above
    0."""
    found = np.minimum(frequencies, total).astype(np.float64)
    return np.log1p((total - found + 0.5) / (found + 0.5)).astype(np.float32)


def _shares(weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Weights that sum to 1; equal ones where all are 0."""
    total = weights.sum()
    if total <= 0:
        return np.full_like(weights, 1 / max(len(weights), 1))
    shares: NDArray[np.float32] = weights / total
    return shares


def _frequencies(corpus: Corpus, words: Sequence[str]) -> Sequence[int]:
    terms = np.fromiter(map(term_of, words), np.uint32, len(words))
    found: list[int] = corpus.frequencies(terms).tolist()
    return [count or int(is_stop_word(word)) for count, word in zip(found, words, strict=True)]


def _distinct_expansion(
    terms: NDArray[np.uint32], weights: NDArray[np.float32], owners: NDArray[np.int32]
) -> tuple[NDArray[np.uint32], NDArray[np.float32], NDArray[np.int32]]:
    """Distinct terms with their largest weight and its word; ordered by word, then weight."""
    terms, weights, owners = terms[weights > 0], weights[weights > 0], owners[weights > 0]
    order = np.lexsort((owners, -weights, terms))
    first = order[np.flatnonzero(np.diff(terms[order].astype(np.int64), prepend=-1))]
    kept = first[np.lexsort((terms[first], -weights[first], owners[first]))]
    return terms[kept], weights[kept], owners[kept]


def _vectors(
    table: WordTable, rows: Rows, owners: NDArray[np.int64], texts: int
) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """E1 of each text in int8, and whether it has one."""
    pairs = distinct_values(owners << np.int64(32) | rows)
    owners, rows = pairs >> np.int64(32), (pairs & np.int64(0xFFFFFFFF)).astype(np.int32)
    sums = np.zeros((texts, table.model.dimensions), np.float32)
    for start in range(0, len(rows), _BATCH_WORDS):
        part = slice(start, start + _BATCH_WORDS)
        weighted = table.vectors(rows[part])
        weighted *= np.sqrt(table.lengths(rows[part]))[:, None]
        begins = np.flatnonzero(np.diff(owners[part], prepend=-1))
        sums[owners[part][begins]] += np.add.reduceat(weighted, begins, axis=0)
    peaks = np.abs(sums).max(axis=1, initial=0)
    has = peaks > 0
    return np.rint(sums * (127 / np.where(has, peaks, 1))[:, None]).astype(np.int8), has


def _terms(
    table: WordTable, rows: Rows, owners: NDArray[np.int64], texts: int
) -> tuple[NDArray[np.uint32], NDArray[np.uint8], Ends]:
    """Distinct terms of each text in ascending order, their counts, and where each text's end."""
    found = distinct(owners.astype(np.uint64) << np.uint64(32) | table.terms(rows))
    keys, counts = found.values, found.counts
    ends = np.cumsum(np.bincount((keys >> np.uint64(32)).astype(np.int64), minlength=texts))
    terms = (keys & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    return terms, np.minimum(counts, MOST_COUNTED).astype(np.uint8), ends


def naming_day(embedding: Embedding, moment: datetime) -> Embedding:
    """An embedding as if its text named a day, too."""
    day = np.array([[moment.toordinal(), moment.toordinal(), POINT]], np.int32)
    others = embedding.intervals
    return replace(embedding, intervals=day if others is None else np.concatenate((others, day)))


def item_of(record: Draft | Memory, pictures: tuple[Picture, ...] = ()) -> Item:
    """The item of a draft or memory; pictures are passed in.

    Captions are words that people search by, so those that the content does not hold already are part of the text. What
    has a name mentions it, however it is written; a piece of a file is only called by what stands above it. A memory of
    kind entity is about its own name. Archives and detections waiting for review only repeat other memories, so nothing
    of them is seen.
    """
    if record.kind is Kind.ARCHIVE or (record.kind is Kind.FLAG and record.registration is not None):
        return Item("")
    text = spoken_text(record)
    captions = [each.caption for each in record.attachments if each.caption and each.caption not in text]
    return Item("\n".join((text, *captions)), pictures=pictures, names=_names_of(record))


def _names_of(record: Draft | Memory) -> tuple[str, ...]:
    if record.kind is Kind.ENTITY:
        return (record.name or record.content[:LONGEST_NAME],)
    if record.name is None or record.chunk is not None or not name_key(record.name):
        return ()
    # A title of more words is looked for in no question.
    return (record.name,) if len(record.name.split()) <= LONGEST_WORDS else ()


def spoken_text(record: Draft | Memory) -> str:
    """The text of a record that is embedded: its name, since people ask by it, and its content without a leading
    "speaker:".

    Speakers are compared separately; as a word in every turn the name would only drown out the others. A decision
    record is asked for by the number that only its file's name tells ("ADR 25"), a piece of a file by the file's name.
    """
    content = record.content
    prefix = f"{record.speaker}:"
    if record.speaker and content[: len(prefix)].casefold() == prefix.casefold():
        content = content[len(prefix) :].lstrip() or content
    named = content if record.name is None else f"{record.name}\n{content}"
    if (number := _record_number(record)) is not None:
        return f"{named}\nADR {number}"
    if record.chunk is None:
        return named
    paths = (record.chunk.file_path, *(each.file_path for each in record.also_in[:_MORE_FILES]))
    words = dict.fromkeys(filter(None, map(_file_words, paths)))
    return "\n".join((named, *words))


def _file_words(path: str) -> str:
    """The words of a file's name, and its numbers as people say them: day-009.md is day 9."""
    stem = path.replace("\\", "/").rpartition("/")[2].rpartition(".")[0]
    return " ".join(word.lstrip("0") or word for word in _FILE_WORD.findall(stem)[:_FILE_WORDS])


def _record_number(record: Draft | Memory) -> int | None:
    """The number of an imported decision record, by its file's name."""
    told = record.metadata.get("adr")
    file = told.get("file") if isinstance(told, dict) else None
    return number_of_file(file) if isinstance(file, str) else None
