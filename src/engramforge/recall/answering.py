"""Which hits answer: collects what `core/ranking/answering` needs of the shown rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.ranking.answering import AskedWords, answer_odds, importance_of, size_of
from engramforge.core.ranking.designations import Designation, designations, spellings
from engramforge.core.ranking.fusion import weighted_sum
from engramforge.core.ranking.question import Question, words_of_names
from engramforge.core.text.words import is_identifier
from engramforge.indexing.encode import TextEncoder
from engramforge.model.embeddings.embedding import QueryEmbedding
from engramforge.model.memory import Memory
from engramforge.model.search.candidates import Candidates, Corpus
from engramforge.recall.multispace import Similarity
from engramforge.spaces.words.word_table import WordTable

_DIGITS: Final = re.compile(r"\d+")
AROUND: Final = 2
"""Turns before and after a hit whose words count as its own: an answer need not repeat what was asked."""


def odds_of(
    rows: NDArray[np.int64],
    memories: Sequence[Memory],
    query: QueryEmbedding,
    question: Question,
    candidates: Candidates,
    similarity: Similarity,
    corpus: Corpus,
    encoder: TextEncoder,
) -> NDArray[np.float32]:
    """The log-odds that each of k rows answers the question's words; float32, shape (k,).

    Nothing answers what asks for a thing by its designation (core/ranking/designations) that is nowhere in the scope.
    `memories`: of the rows.
    """
    if not len(rows):
        return np.empty(0, np.float32)
    named = _named_things(query, encoder)
    if named and not any(_is_said(each, candidates, memories, encoder.table) for each in named):
        return np.full(len(rows), -np.inf, np.float32)
    signals = {name: values[rows] for name, values in similarity.signals.items()}
    total = weighted_sum(signals, len(rows)) + similarity.gains[rows]
    lacks_number = np.zeros(len(rows), np.bool_)
    if "number" in question.cues:
        lacks_number = signals["number_named"] <= 0

    def read_as(
        query: QueryEmbedding, question: Question, soft: NDArray[np.float32], among: NDArray[np.bool_]
    ) -> NDArray[np.float32]:
        """The odds of some rows by one reading of the question, of whose words `soft` is the cover."""
        cover = np.stack([_around(row, candidates, soft) for row in rows[among].tolist()], axis=1)
        asked = asked_words(query, question, corpus, encoder)
        return answer_odds(total[among], cover, asked, lacks_number[among])

    odds = read_as(query, question, similarity.soft, np.ones(len(rows), np.bool_))
    if query.about is not None and similarity.about is not None:
        is_about = similarity.about.is_better[rows]
        if is_about.any():
            unnamed = replace(question, speakers=())
            odds[is_about] = read_as(query.about, unnamed, similarity.about.soft, is_about)
    return odds


def asked_words(
    query: QueryEmbedding, question: Question, corpus: Corpus, encoder: TextEncoder
) -> AskedWords:
    """What is known of the question's words in a scope."""
    frequencies = corpus.frequencies(query.terms)
    lengths = encoder.table.lengths(encoder.table.rows_of(query.words))
    exact = np.array([is_identifier(word) for word in query.words], np.bool_)
    unseen = zip(query.words, frequencies == 0, exact, strict=True)
    strange = [
        bool(is_unseen) and not is_exact and encoder.is_real(word) for word, is_unseen, is_exact in unseen
    ]
    importance = importance_of(query.words, frequencies, corpus.total, lengths, bool(question.intervals))
    names = words_of_names(query.text)
    named = np.array([word in names for word in query.words], np.bool_)
    size = size_of(corpus.total)
    return AskedWords(importance, np.array(strange, np.bool_), exact, named, size, bool(question.speakers))


def _around(row: int, candidates: Candidates, soft: NDArray[np.float32]) -> NDArray[np.float32]:
    """The cover of each word by a candidate and its neighbours in the session."""
    if candidates.is_alone[row]:
        return soft[:, row]
    near = (candidates.session == candidates.session[row]) & ~candidates.is_alone
    near &= np.abs(candidates.session_place - candidates.session_place[row]) <= AROUND
    best: NDArray[np.float32] = soft[:, near].max(axis=1)
    return best


def _named_things(query: QueryEmbedding, encoder: TextEncoder) -> list[Designation]:
    """The designations that a question asks by; none whose name was a typing error."""
    asked = set(query.words)
    return [
        each
        for each in designations(query.text, encoder.is_real)
        if each[0] in asked or "".join(each) in asked
    ]


def _is_said(
    designation: Designation, candidates: Candidates, memories: Sequence[Memory], table: WordTable
) -> bool:
    """Whether a candidate says it, or what is shown is from a file with its number: all that has its words is among the
    candidates."""
    numbers, joined = spellings(designation)
    rows, _ = table.words_of(candidates.tokens, candidates.token_ends)
    if bool(np.isin(rows, table.rows_of(joined)).any()):
        return True
    pairs = (rows[:-1] == table.rows_of([designation[0]])[0]) & np.isin(rows[1:], table.rows_of(numbers))
    files = (each.chunk.file_path for each in memories if each.chunk is not None)
    return bool(pairs.any()) or any(
        each in numbers for path in files for each in _DIGITS.findall(path.rpartition("/")[2])
    )
