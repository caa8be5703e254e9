"""The words of the candidates against those of a question: how well each says each, by its best passage and whole,
and how well they go together as cause and effect.

Collects the arrays; what closeness and cover mean is in core/ranking/signals.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import distinct
from engramforge.core.causes.causation import asked_direction
from engramforge.core.ranking import signals
from engramforge.core.ranking.causal_signals import causal_signals, share_of_knowledge
from engramforge.core.ranking.passages import best_passage, nearest_passage
from engramforge.core.ranking.question import Question
from engramforge.core.similarity.comparison import places_in, segment_maxima, segment_sums
from engramforge.core.text.words import is_identifier, words_of
from engramforge.indexing.encode import idf
from engramforge.model.embeddings.embedding import QueryEmbedding
from engramforge.model.search.candidates import Candidates, Corpus
from engramforge.spaces.causal.causal_knowledge import FRAME, causal_knowledge
from engramforge.spaces.words.word_table import Rows, WordTable

Floats = NDArray[np.float32]

NAMES_BESIDE = 0.3
"""What a speaker's name counts in finding, of what it would as a word."""
SAID_BY_FEW = 20
"""Memories that say it, at most: all that speaks to somebody says the name, and would crowd out the rest."""


def names_beside(query: QueryEmbedding, corpus: Corpus) -> tuple[NDArray[np.uint32], NDArray[np.float32]]:
    """The stems of the names of speakers that a question has beside its words, and how much they count in finding what
    is said about these."""
    if query.about is None:
        return np.empty(0, np.uint32), np.empty(0, np.float32)
    fresh = ~np.isin(query.about.terms, query.expansion_terms)
    fresh &= corpus.frequencies(query.about.terms) <= SAID_BY_FEW
    return query.about.terms[fresh], query.about.weights[fresh] * np.float32(NAMES_BESIDE)


def cover_of(query: QueryEmbedding, table: WordTable, texts: Sequence[str]) -> Floats:
    """How well each of n texts covers each word of a question; float32, shape (q, n)."""
    words = [words_of(text) for text in texts]
    known, _, places = distinct(table.rows_of(list(chain.from_iterable(words))))
    ends = np.cumsum([len(each) for each in words], dtype=np.int64)
    closeness = _closeness(query, table, known, _cosines(query, table, known))
    return signals.cover(closeness, places.astype(np.int64), ends)


def clauses_of(query: QueryEmbedding, question: Question, table: WordTable) -> NDArray[np.bool_]:
    """Which query words stand together in a clause, for clauses of two or more words; else all of them in one."""
    parts = [
        places_in(table.terms(table.rows_of(list(words))), query.terms) >= 0
        for words in question.clauses
        if words
    ]
    kept = [part for part in parts if part.sum() >= 2]
    return np.array(kept or [np.ones(len(query.terms), np.bool_)], np.bool_)


def _cosines(query: QueryEmbedding, table: WordTable, rows: Rows) -> Floats:
    return table.cosines(table.rows_of(query.words), rows)


def _closeness(query: QueryEmbedding, table: WordTable, rows: Rows, cosines: Floats) -> Floats:
    """Closeness of the question's words to words; an identifier is like nothing but itself."""
    is_exact = np.array([is_identifier(word) for word in query.words], np.bool_)
    return signals.word_closeness(cosines, query.terms, table.terms(rows), is_exact)


class CandidateWords:
    """The candidates' words against the query's.

    Attributes
    ----------
    soft : float32, shape (q, n): cover of each query word.
    passage, nearest : float32, shape (n,): cover of all of them by the best passage, likeness of the nearest one.
    mentions : float32, shape (n,): 1 where the text holds a name of the question.
    lengths, counted : int64, shape (n,): words, and those that are no stop words.
    terms, closeness : uint32 (d,) and float32 (q, d): the distinct counted words against the query's.
    places, ends : which of the d words each counted word is, end to end, and where each candidate ends.
    importance : float32, shape (d,): what the model gives each of the d words.
    rows, row_ends : every word's row in the table, and where each candidate ends.
    counted_rows : the rows of the counted words; each candidate's end where `ends` says.
    """

    def __init__(
        self, query: QueryEmbedding, candidates: Candidates, table: WordTable, question: Question
    ) -> None:
        rows, ends = table.words_of(candidates.tokens, candidates.token_ends)
        self.rows, self.row_ends = rows, ends
        self.lengths = np.diff(ends, prepend=0)
        counts = ~table.is_stop(rows)
        before = np.concatenate((np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)))
        counted_ends: NDArray[np.int64] = before[ends]
        self.counted = np.diff(counted_ends, prepend=0)
        self.counted_rows = rows[counts]
        known, _, places = distinct(self.counted_rows)
        terms, cosines = table.terms(known), _cosines(query, table, known)
        closeness = _closeness(query, table, known, cosines)
        self.terms, self.closeness, self.places, self.ends = terms, closeness, places, counted_ends
        self.importance = np.sqrt(table.lengths(known))
        self.soft = signals.cover(closeness, places, counted_ends)
        # Only memories that stand alone are judged by their best passage's words.
        self.passage = np.zeros(len(candidates), np.float32)
        if bool(candidates.is_alone.any()):
            self.passage = best_passage(closeness, places, counted_ends, query.weights)
        length = float(np.linalg.norm(query.weights @ query.vectors))
        likeness = query.weights @ cosines / np.float32(max(length, 1e-9))
        self.nearest = nearest_passage(likeness, places, counted_ends)
        names = [word for name in question.speakers for word in words_of(name)]
        self.mentions = np.zeros(len(candidates), np.float32)
        if names:
            is_named = places_in(table.terms(table.rows_of(names)), terms) >= 0
            self.mentions = segment_maxima(is_named[None, places].astype(np.float32), counted_ends)[0]

    def content(self, corpus: Corpus) -> Floats:
        """Sum of the live IDF of each candidate's counted words."""
        rarity = idf(corpus.total, corpus.frequencies(self.terms))[self.places]
        return segment_sums(rarity.astype(np.float32), self.ends)


def causal_signal(
    query: QueryEmbedding, words: CandidateWords, table: WordTable, is_document: NDArray[np.bool_]
) -> dict[str, Floats]:
    """The signals `causal_fit` and `causal_lead`, float32, shape (n,), in [0, 1].

    Empty if no cause or effect is asked for, or if a candidate has the question's words, which tells more. For talk its
    neighbours are better evidence than typical causes of words, so only texts that stand alone count.

    `is_document`: bool, shape (n,): whether a candidate stands alone and is not a piece of a file.
    """
    direction = asked_direction(query.text)
    asked = [word for word in query.words if word not in FRAME]
    share = share_of_knowledge(query.weights @ words.soft)
    if direction is None or not asked or share <= 0 or not is_document.any():
        return {}
    fits = causal_knowledge().scores(table, table.rows_of(asked), words.counted_rows, words.ends, direction)
    return causal_signals(fits, is_document, share)
