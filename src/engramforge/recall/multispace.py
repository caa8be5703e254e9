"""The multi-space similarity of candidates: what the store found, scored by every signal.

Collects the arrays that the signals need (word rows and vectors, sessions, live IDF, the question's own shape) and
fuses them; formulas and weights are in core/ranking.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import among
from engramforge.core.ranking import code_signals, signals
from engramforge.core.ranking.answering import size_of
from engramforge.core.ranking.causal_signals import direction_signals
from engramforge.core.ranking.document_signals import BY, ENDED, REPLACED, STATUS, says_it_ended, title_share
from engramforge.core.ranking.fusion import family_shares, similarity_of, weighted_sum
from engramforge.core.ranking.precedence import reply_gains, update_gains
from engramforge.core.ranking.question import Question
from engramforge.core.ranking.succession import newest_gains, succession_gains
from engramforge.core.similarity.comparison import cosine
from engramforge.core.similarity.cosine_scale import AS_THEY_ARE, CosineScale
from engramforge.core.text.code_words import same_concept
from engramforge.core.text.dates import names_date
from engramforge.core.text.summarising import ASKS
from engramforge.core.text.words import is_identifier
from engramforge.model.embeddings.embedding import QueryEmbedding
from engramforge.model.memory import Kind
from engramforge.model.search.candidates import Candidates, Corpus
from engramforge.model.spaces import Space
from engramforge.model.time import EPOCH_ORDINAL, MICROS_PER_DAY
from engramforge.recall.candidate_words import CandidateWords, causal_signal, clauses_of
from engramforge.spaces.encoder import PartEncoder, Similarities, row_cosines
from engramforge.spaces.words.word_table import WordTable

Floats = NDArray[np.float32]

_CHUNK = list(Kind).index(Kind.CHUNK)
_ARTIFACT = list(Kind).index(Kind.ARTIFACT)
_ACTION = list(Kind).index(Kind.ACTION)
ASKING: Final = ("user", "human", "")
ANSWERING: Final = ("assistant", "ai", "model")
NAMED: Final = 1.0
"""The log-odds of a document whose first word is an identifier of the question."""
SUCCESSORS: Final = 50
"""Among how many of the best documents one that replaces another is looked for."""


class About(NamedTuple):
    """Where a question is understood better with the names of speakers as words. `is_better`: bool, shape (n,);
    `soft`: as of a `Similarity`, of the words of that question."""

    is_better: NDArray[np.bool_]
    soft: Floats


@dataclass(frozen=True, slots=True)
class Similarity:
    """Fused similarities of n candidates.

    Parameters
    ----------
    values : float32, shape (n,), in (0, 1).
    signals : each signal, float32, shape (n,).
    gains : log-odds that a memory gained because it updates an older one.
    soft : float32, shape (q, n): how well each candidate covers each query word.
    about : for which of them the names of speakers count as words; None: for none.
    """

    values: Floats
    signals: Mapping[str, Floats]
    gains: Floats
    soft: Floats
    about: About | None = None

    def or_about(self, other: Similarity, among_these: NDArray[np.bool_]) -> Similarity:
        """The same, with some candidates as another reading of the question has them, where that is better."""
        better = among_these & (other.values > self.values)
        nothing = np.zeros(len(better), np.float32)
        names = self.signals.keys() | other.signals.keys()
        return Similarity(
            np.where(better, other.values, self.values),
            {
                each: np.where(better, other.signals.get(each, nothing), self.signals.get(each, nothing))
                for each in names
            },
            np.where(better, other.gains, self.gains),
            self.soft,
            About(better, other.soft),
        )

    def shares_of(self, rows: NDArray[np.int64]) -> list[dict[str, float]]:
        """What each family of signals contributed to some candidates' log-odds, without those that contributed
        nothing."""
        shares = family_shares({name: values[rows] for name, values in self.signals.items()}, len(rows))
        shares["update"] = self.gains[rows]
        return [
            {family: float(share[place]) for family, share in shares.items() if abs(share[place]) > 1e-6}
            for place in range(len(rows))
        ]


def compare_parts(
    query: QueryEmbedding, candidates: Candidates, encoders: Mapping[Space, PartEncoder]
) -> dict[Space, Similarities]:
    """The raw similarity of the question with all n candidates in every space for which they have parts."""
    return {
        space: encoders[space].query_to_memories(query.parts[space], batch.values, batch.present)
        for space, batch in candidates.parts.items()
        if space in query.parts and space in encoders
    }


def score_similarity(
    query: QueryEmbedding,
    question: Question,
    candidates: Candidates,
    corpus: Corpus,
    table: WordTable,
    parts: Mapping[Space, Similarities],
    scales: Mapping[Space, CosineScale],
    *,
    supposing: bool = True,
) -> Similarity:
    """Similarity of every candidate to the query, whose text was read as the question.

    A question that names a speaker asks what they said; of texts that stand alone and have the name it asks what is
    said about them, too, and the better of the two counts.

    `parts`: the raw similarities of the spaces asked in addition to words and meaning. `scales`: how to read the
    cosines of spaces that are compared by models. `supposing`: as of a `RecallRequest`.
    """
    if not len(candidates):
        nothing = np.empty(0, np.float32)
        return Similarity(nothing, {}, nothing, np.empty((len(query.terms), 0), np.float32))
    score = partial(_score, corpus=corpus, table=table, parts=parts, scales=scales, supposing=supposing)
    words = CandidateWords(query, candidates, table, question)
    said = score(query, question, words, candidates=candidates)
    is_named = ((candidates.session < 0) | (candidates.sequence < 0)) & (words.mentions > 0)
    if query.about is None or not is_named.any():
        return said
    unnamed = replace(question, speakers=())
    alike = replace(candidates, session_speaks=np.zeros(len(candidates), np.bool_))
    about = score(query.about, unnamed, CandidateWords(query.about, alike, table, unnamed), candidates=alike)
    return said.or_about(about, is_named)


def _score(
    query: QueryEmbedding,
    question: Question,
    words: CandidateWords,
    *,
    candidates: Candidates,
    corpus: Corpus,
    table: WordTable,
    parts: Mapping[Space, Similarities],
    scales: Mapping[Space, CosineScale],
    supposing: bool,
) -> Similarity:
    """The similarity by one reading of the question."""
    count = len(candidates)
    # A candidate without a session gets a negative key of its own.
    keys = np.where(candidates.is_alone, -2 - np.arange(count), candidates.session)
    order = np.lexsort((candidates.session_place, keys))
    back = np.empty(count, np.int64)
    back[order] = np.arange(count)
    sessions = signals.Sessions(keys[order], candidates.session_place[order], candidates.session_size[order])
    coverage = signals.Coverage(words.soft[:, order], query.weights, clauses_of(query, question, table))
    is_chunk = candidates.kind == _CHUNK
    scale = scales.get(Space.SEMANTIC, AS_THEY_ARE)
    told = share_of_meaning(query, corpus)
    near = scale.of(cosine(_asked_vector(query, candidates), candidates.vector[order])) * told
    found = _of_talk(question, candidates, corpus, words, coverage, sessions, near, order)
    found = {name: values[back] for name, values in found.items()}
    found = signals.apart(found, words.passage, words.nearest * told, candidates.is_alone, is_chunk) | _kinds(
        candidates
    )
    found |= _documents(candidates, words, table)
    if Space.CODE in parts:
        code = _code(query, candidates, words, parts[Space.CODE], found["length"], table, scales)
        found = code_signals.in_place_of_talk(found, code)
    days = candidates.valid_at // MICROS_PER_DAY + EPOCH_ORDINAL
    dates = signals.date_signals(question.intervals, days, candidates.intervals, candidates.interval_ends)
    if question.intervals:
        is_date = np.array([names_date(word) for word in query.words], np.bool_)
        support = signals.date_support(coverage, sessions, is_date, size_of(corpus.total))[back]
        dates = {name: values * support for name, values in dates.items()}
    found |= dates
    found |= _asked_beside_words(query, candidates, parts)
    if supposing:
        found |= causal_signal(query, words, table, _are_documents(candidates))
    found["feedback"] = signals.feedback(candidates.vector, weighted_sum(found, count), scale) * told
    total = weighted_sum(found, count)
    gains = _gains(total, keys, query, question, candidates, words, scale)
    gains += _of_named(query, question, candidates, words, table)
    if "successor" in question.cues:
        gains += _of_successors(total + gains, candidates, words, table, "newest" in question.cues)
    return Similarity(similarity_of(total + gains, question.traits), found, gains, words.soft)


def share_of_meaning(query: QueryEmbedding, corpus: Corpus) -> np.float32:
    """How much of a question its meaning speaks for: an identifier that the scope knows means nothing but itself."""
    exact = np.array([is_identifier(word) for word in query.words], np.bool_)
    return np.float32(1 - query.weights[exact & (corpus.frequencies(query.terms) > 0)].sum())


def _asked_vector(query: QueryEmbedding, candidates: Candidates) -> Floats:
    return query.vector if query.vector is not None else np.zeros(candidates.vector.shape[1], np.float32)


def _of_talk(
    question: Question,
    candidates: Candidates,
    corpus: Corpus,
    words: CandidateWords,
    coverage: signals.Coverage,
    sessions: signals.Sessions,
    near: Floats,
    order: NDArray[np.int64],
) -> dict[str, Floats]:
    """The signals of words, meaning, sessions, speakers and wording, of the candidates in an order.

    `near`: float32, shape (n,): cosine with the question, in that order.
    """
    return {
        **signals.word_signals(coverage, sessions),
        **signals.meaning_signals(near, sessions),
        **signals.session_signals(coverage, sessions, candidates.session_words[order]),
        **signals.speaker_signals(
            question,
            candidates.speaker_names,
            candidates.speaker[order],
            candidates.session_speaks[order],
            words.mentions[order],
        ),
        **signals.wording_signals(candidates.cues[order], question, coverage, sessions),
        **signals.shape_signals(
            words.lengths[order], words.counted[order], words.content(corpus)[order], sessions
        ),
    }


def _are_documents(candidates: Candidates) -> NDArray[np.bool_]:
    """Which candidates stand alone and are no pieces of files; bool, shape (n,)."""
    found: NDArray[np.bool_] = candidates.is_alone & (candidates.kind != _CHUNK)
    return found


def _kinds(candidates: Candidates) -> dict[str, Floats]:
    """What a candidate is: a note, an artifact, an action, or what a model said in a conversation; else none."""
    is_artifact = candidates.kind == _ARTIFACT
    is_document = _are_documents(candidates)
    return {
        "note": (is_document & ~is_artifact).astype(np.float32),
        "artifact": (is_document & is_artifact).astype(np.float32),
        "action": (is_document & (candidates.kind == _ACTION)).astype(np.float32),
        "response": (~candidates.is_alone & spoken_by(candidates, ANSWERING)).astype(np.float32),
    }


def _documents(candidates: Candidates, words: CandidateWords, table: WordTable) -> dict[str, Floats]:
    """What notes, records and code alone have: a title, and a status that may say that they ended."""
    is_document = _are_documents(candidates)
    if not is_document.any():
        return {}
    status, by = table.rows_of([STATUS, BY]).tolist()
    ended = says_it_ended(
        words.rows, words.row_ends, status, table.rows_of(ENDED), table.rows_of(REPLACED), by
    )
    title = title_share(words.closeness, words.importance, words.places, words.ends)
    # Code speaks of what it does to others.
    return {"title": title * is_document, "ended": ended * is_document * (candidates.kind != _ARTIFACT)}


def spoken_by(candidates: Candidates, names: Sequence[str]) -> NDArray[np.bool_]:
    """Which candidates one of these speaks; bool, shape (n,)."""
    codes = [code for code, name in enumerate(candidates.speaker_names) if name in names]
    return among(candidates.speaker, codes)


def _gains(
    total: Floats,
    keys: NDArray[np.int64],
    query: QueryEmbedding,
    question: Question,
    candidates: Candidates,
    words: CandidateWords,
    scale: CosineScale,
) -> Floats:
    """The gains of the newest of several memories about the same matter, and of replies to requests."""
    is_talk = ~candidates.is_alone
    gains = update_gains(
        total,
        keys,
        candidates.valid_at,
        candidates.vector,
        words.soft,
        query.weights,
        is_event="event" in question.cues,
        is_state="state" in question.cues,
        project=candidates.project,
        # Of two decisions or notes the later may be about another matter; in talk the later is the news.
        is_said=(candidates.kind != _CHUNK) & is_talk,
        is_own=spoken_by(candidates, ASKING),
        scale=scale,
    )
    asks = ((candidates.cues & ASKS) > 0) & is_talk & spoken_by(candidates, ASKING)
    replies = is_talk & spoken_by(candidates, ANSWERING)
    cover = query.weights @ words.soft
    return gains + reply_gains(total + gains, keys, candidates.session_place, cover, asks, replies)


def _of_named(
    query: QueryEmbedding, question: Question, candidates: Candidates, words: CandidateWords, table: WordTable
) -> Floats:
    """The gains of documents that are called as the question says, unless it asks for what is in the place of one."""
    names = [word for word in query.words if is_identifier(word)]
    if not names or "successor" in question.cues or not len(words.rows):
        return np.zeros(len(candidates), np.float32)
    begins = np.minimum(words.row_ends - words.lengths, len(words.rows) - 1)
    called = (
        _are_documents(candidates) & np.isin(words.rows[begins], table.rows_of(names)) & (words.lengths > 0)
    )
    return called * np.float32(NAMED)


def _of_successors(
    total: Floats, candidates: Candidates, words: CandidateWords, table: WordTable, asks_newest: bool
) -> Floats:
    """The gains of documents that replace others, among the best, and of the newest of these if that is asked."""
    gains = np.zeros(len(total), np.float32)
    is_document = _are_documents(candidates) & (candidates.kind != _ARTIFACT)
    best = np.argsort(-np.where(is_document, total, -np.inf), kind="stable")[:SUCCESSORS]
    best = best[is_document[best]]
    if len(best):
        begins = words.row_ends[best] - words.lengths[best]
        spans = zip(begins.tolist(), words.row_ends[best].tolist(), strict=True)
        texts = [table.words(words.rows[start:end]) for start, end in spans]
        is_record = candidates.kind[best] == _ACTION
        gains[best] = succession_gains(total[best], texts, candidates.valid_at[best], is_record)
        if asks_newest:
            gains[best] += newest_gains(total[best] + gains[best], candidates.valid_at[best])
    return gains


def _asked_beside_words(
    query: QueryEmbedding,
    candidates: Candidates,
    parts: Mapping[Space, Similarities],
) -> dict[str, Floats]:
    """The signals of images, names and causes, if these are asked for; else none, so that nothing else changes."""
    found: dict[str, Floats] = {}
    if Space.MULTIMODAL in parts:
        image = parts[Space.MULTIMODAL]
        found["image"] = np.where(image.present, np.clip(image.values, 0, 1), 0).astype(np.float32)
    if candidates.mentioned is not None:
        found["entity"] = candidates.mentioned
    if (asked := query.parts.get(Space.CAUSAL)) and (told := candidates.parts.get(Space.CAUSAL)):
        cosines, _ = row_cosines(asked.values.astype(np.float32), told.values)
        found |= direction_signals(cosines, asked.weights, told.present)
    return found


def _code(
    query: QueryEmbedding,
    candidates: Candidates,
    words: CandidateWords,
    likeness: Similarities,
    length: Floats,
    table: WordTable,
    scales: Mapping[Space, CosineScale],
) -> signals.Signals:
    """The signals of code; for code that stands alone the name of its language is not a word of the question."""
    weights = code_signals.code_weights(query.words, query.weights)
    near = (weights * np.sqrt(table.lengths(table.rows_of(query.words)))) @ query.vectors
    if query.vector_encoder is not None:
        # Only the static model has vectors of words; another model's E1 is asked with the whole question.
        near = _asked_vector(query, candidates)
    return code_signals.code_signals(
        code_signals.code_cover(
            words.closeness, same_concept(query.terms, words.terms), words.places, words.ends, weights
        ),
        scales.get(Space.SEMANTIC, AS_THEY_ARE).of(cosine(near, candidates.vector)),
        scales.get(Space.CODE, AS_THEY_ARE).of(likeness.values),
        length,
        likeness.present,
        # A file's pieces speak of code, and show it among other things.
        _are_documents(candidates),
    )
