"""Attention recall, end to end: embed once, find candidates, score, order, cut to a budget.

    view -> Ground -> QueryEmbedding -> Probe -> view -> Candidates -> similarity with signals -> mass -> Hits

Each stage is a pure function elsewhere; here they are called in order and timed. A recall asks its view at most six
times: for the ground, the candidates, what contradicts them, their memories (twice if a budget may end early; with what
was read from them), and their signals. Where what was read from them ended, what took its place costs two questions
more.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engramforge.core.causes.causation import asked_direction
from engramforge.core.checks.completeness import report_on
from engramforge.core.checks.validation import check_query
from engramforge.core.entities.naming import name_key
from engramforge.core.ranking.fusion import has_match
from engramforge.core.ranking.mass import Attention, AttentionOptions, attend
from engramforge.core.ranking.question import Question, in_full, named_speakers, read_question
from engramforge.core.text.spelling import with_apostrophes
from engramforge.core.topics.usage import with_usage
from engramforge.errors import EncoderChanged
from engramforge.indexing.calibrations import Calibrations, CalibrationSet, scales_of
from engramforge.indexing.encoders import Encoders
from engramforge.model.embeddings.embedding import Embedding, QueryEmbedding
from engramforge.model.memory import Memory
from engramforge.model.scope import Scope
from engramforge.model.search.candidates import (
    CANDIDATES,
    FOUND_BY_MEANING,
    FOUND_BY_NEIGHBOUR,
    FOUND_BY_SPACE,
    FOUND_BY_WORDS,
    Candidates,
    Corpus,
    Ground,
    Probe,
    Profile,
)
from engramforge.model.search.hit import Hit, Recall
from engramforge.model.time import TemporalMode
from engramforge.recall.answering import odds_of
from engramforge.recall.asked_dates import asked_intervals
from engramforge.recall.badges import badges_of
from engramforge.recall.candidate_words import cover_of, names_beside
from engramforge.recall.matching import NO_MATCH, NO_SIGNALS, Match, match_spaces
from engramforge.recall.multispace import Similarity, compare_parts, score_similarity
from engramforge.recall.passages import Passages
from engramforge.recall.request import NOTHING_SHOWN, RecallRequest, Shown
from engramforge.recall.showing import Passage, shown_within
from engramforge.spaces.encoder import Item, Picture
from engramforge.spaces.words.word_table import WordTable
from engramforge.store.door import Door, View

_FOUND_BY = (
    (FOUND_BY_MEANING, "meaning"),
    (FOUND_BY_WORDS, "words"),
    *((bit, str(space)) for space, bit in FOUND_BY_SPACE.items()),
    (FOUND_BY_NEIGHBOUR, "neighbour"),
)
_RECENT_YEARS = 6
_ASKED = 16
_NO_BADGES: tuple[str, ...] = ()
_HISTORY = (TemporalMode.EVOLUTION, TemporalMode.FULL_HISTORY)
_STAGES = ("embed", "candidates", "score", "attend", "fetch", "explain")


class _Asked(NamedTuple):
    """A request as it is put to a view."""

    view: View
    request: RecallRequest
    ground: Ground
    query: QueryEmbedding
    question: Question
    shared: Shared | None


@dataclass(slots=True)
class Shared:
    """What recalls of one question in several scopes have in common.

    `embedding`: the question's. `calibrations`: by which hits are compared. `speakers`: in lower case, those of all
    scopes. `corpus`: of all scopes. `embeddings`: of all hits, by version id.
    """

    embedding: QueryEmbedding
    calibrations: CalibrationSet
    speakers: tuple[str, ...]
    corpus: Corpus
    embeddings: dict[str, Embedding] = field(default_factory=dict)
    _tensions: Mapping[int, float] | None = None

    def tensions_by(self, view: View) -> Mapping[int, float]:
        """What contradicts what, read once: it is the same for all projects."""
        if self._tensions is None:
            self._tensions = view.tensions()
        return self._tensions


class Retriever:
    """Answers recalls over a door.

    `door`: the store. `encoder`: the query's way into the spaces. `options`: weights of the mass, the half-life and the
    band. `calibrations`: of the store; None: by the registry's thresholds.
    """

    def __init__(
        self,
        door: Door,
        encoder: Encoders,
        options: AttentionOptions,
        calibrations: Calibrations | None = None,
    ) -> None:
        self._door = door
        self._encoder = encoder
        self._options = options
        self.calibrations = calibrations or Calibrations(door)

    @property
    def table(self) -> WordTable:
        """The words that the encoder knows."""
        return self._encoder.table

    @property
    def encoder(self) -> Encoders:
        """The way of texts into the spaces."""
        return self._encoder

    def embed(self, scope: Scope, query: str) -> QueryEmbedding:
        """The question in all spaces, weighed by the scope's live statistics."""
        return self._embed(self._door.asking(scope).ground(), query, NOTHING_SHOWN)

    def shared(self, scope: Scope, query: str) -> Shared:
        """The same with what else recalls in parts of the scope have in common."""
        view = self._door.asking(scope)
        ground = view.ground()
        calibrations = self.calibrations.named_by(ground.calibrations, view)
        embedding = self._embed(ground, query, NOTHING_SHOWN)
        return Shared(embedding, calibrations, ground.profile.speakers, ground.corpus)

    def _embed(self, ground: Ground, query: str, shown: Shown) -> QueryEmbedding:
        checked = with_apostrophes(check_query(query)) if query or not shown else ""
        checked = in_full(checked, ground.profile.speakers)
        named = named_speakers(checked, ground.profile.speakers)
        pictures = () if shown.image is None else (Picture(shown.image, checked),)
        text = "\n".join(part for part in (checked, shown.code, *shown.entities) if part)
        item = Item(text, pictures=pictures, code=shown.code, language=shown.language)
        return self._encoder.encode_query(item, ground.corpus, named, ground.encoders)

    def recall(self, scope: Scope, request: RecallRequest, embedding: QueryEmbedding | None = None) -> Recall:
        """Hits for a request, best first, within its budget."""
        return self.recalls(scope, (request,), embedding)[0]

    def recalls(
        self,
        scope: Scope,
        requests: Sequence[RecallRequest],
        embedding: QueryEmbedding | None = None,
        shared: Shared | None = None,
    ) -> list[Recall]:
        """The answers to several requests at one moment. `shared`: with other recalls of the question."""
        try:
            with self._door.asking(scope) as view:
                return [self._recall(view, each, embedding, shared) for each in requests]
        except EncoderChanged:
            # The store changed its encoder after the question was embedded.
            with self._door.asking(scope) as view:
                return [self._recall(view, each, None, shared) for each in requests]

    def _recall(
        self,
        view: View,
        request: RecallRequest,
        embedding: QueryEmbedding | None,
        shared: Shared | None,
    ) -> Recall:
        watch = _Stopwatch()
        ground = view.ground()
        query = embedding if embedding is not None else self._embed(ground, request.query, request.shown)
        question = ask(request.query, ground.profile, request.now)
        watch.lap("embed")
        probe = probe_of(query, question, ground.corpus, request.shown.entities, request.most)
        probe = replace(probe, near=request.near)
        candidates = view.candidates(request.selection, probe)
        watch.lap("candidates")
        asked = _Asked(view, request, ground, query, question, shared)
        hits, found = self._found(asked, candidates, watch) if len(candidates) else ((), 0)
        return Recall(
            query=request.query,
            hits=hits,
            searched=ground.profile.total,
            budget=request.budget,
            budget_used=sum(len(hit.excerpt) for hit in hits),
            left_out=found - len(hits) - sum(len(hit.joined) for hit in hits),
            as_of=request.now,
            timings_ms={stage: watch.laps_ms.get(stage, 0.0) for stage in _STAGES},
            mode=request.selection.mode,
            validation=report_on(hit.memory for hit in hits),
        )

    def _found(self, asked: _Asked, candidates: Candidates, watch: _Stopwatch) -> tuple[tuple[Hit, ...], int]:
        """The hits among some candidates, and how many of these match."""
        view, request, ground, query, question, shared = asked
        part_encoders = self._encoder.part_encoders(ground.encoders)
        calibrations = self.calibrations.named_by(ground.calibrations, view)
        similarity = score_similarity(
            query,
            question,
            candidates,
            ground.corpus,
            self._encoder.table,
            compare_parts(query, candidates, part_encoders),
            scales_of(ground.encoders, lambda: calibrations),
            supposing=request.supposing,
        )
        watch.lap("score")
        weighing = self._weighing(view, request, candidates, shared)
        attention = attend(candidates, similarity.values, request.now, *weighing)
        order = _best_first(attention, similarity, request)
        watch.lap("attend")
        fetched: Mapping[int, Memory] | None = None
        if request.selection.mode in _HISTORY:
            fetched = view.fetch_at(candidates.position[order])
            order = newest_of_versions(order, candidates.position, fetched)
        passages, position = self._passages(query, question), candidates.position
        shown = shown_within(
            view, request, position, order, similarity.values, attention.mass, fetched, passages
        )
        watch.lap("fetch")
        rows = np.array([each.row for each in shown], np.int64)
        matches, badges = [NO_MATCH] * len(rows), [_NO_BADGES] * len(rows)
        signals, is_compared = NO_SIGNALS, request.explained and bool(query.parts or query.entities)
        if len(rows) and (is_compared or shared is not None):
            signals = view.signals(position[rows], query.entities or None)
        if shared is not None:
            held = zip(shown, map(signals.embeddings.get, position[rows].tolist()), strict=True)
            shared.embeddings.update((one.memory.id, each) for one, each in held if each is not None)
        if request.explained:
            table = self._encoder.table
            matches = match_spaces(query, candidates, rows, table, signals, part_encoders, calibrations)
            badges = _badges(request, candidates, shown) if request.badged else badges
        odds = None
        if query.words:
            memories, words = [each.memory for each in shown], self._encoder.words
            odds = odds_of(rows, memories, query, question, candidates, similarity, ground.corpus, words)
        hits = _hits(shown, candidates, attention, similarity.shares_of(rows), matches, badges, odds)
        if request.badged:
            hits = with_usage(hits, request.now)
        watch.lap("explain")
        return hits, len(order)

    def _weighing(
        self, view: View, request: RecallRequest, candidates: Candidates, shared: Shared | None
    ) -> tuple[AttentionOptions, Mapping[int, float], Mapping[int, float]]:
        """By what candidates are weighed: options, tensions, and which have a value of their own."""
        boosts = request.category_boosts
        options = self._options if boosts is None else replace(self._options, category_boosts=boosts)
        tensions: Mapping[int, float] = {}
        if request.selection.mode is TemporalMode.CURRENT:
            tensions = view.tensions() if shared is None else shared.tensions_by(view)
        return options, tensions, {} if request.worth is None else request.worth(view, candidates)

    def _passages(self, query: QueryEmbedding, question: Question) -> Passages:
        found = Passages(query.weights, partial(cover_of, query, self._encoder.table))
        return found.for_kind(question, asked_direction(query.text))


def _best_first(attention: Attention, similarity: Similarity, request: RecallRequest) -> NDArray[np.int64]:
    """The rows that share something with the question and reach what is asked for, best first."""
    order = attention.order
    order = order[has_match(similarity.signals, len(attention.mass))[order]]
    order = order[attention.mass[order] >= request.min_score]
    return order[similarity.values[order] >= request.min_similarity]


def _hits(
    shown: list[Passage],
    candidates: Candidates,
    attention: Attention,
    shares: list[dict[str, float]],
    matches: list[Match],
    badges: list[tuple[str, ...]],
    odds: NDArray[np.float32] | None,
) -> tuple[Hit, ...]:
    """The hits that are shown, with all their reasons. `odds`: that each answers; None where words ask nothing."""
    told = np.zeros(len(shown), np.float32) if odds is None else odds
    return tuple(
        Hit(
            memory=each.memory,
            mass=float(attention.mass[each.row]),
            parts=attention.parts_of(each.row),
            signals=share,
            matches=match.matches,
            found_by=tuple(name for bit, name in _FOUND_BY if candidates.found[each.row] & bit),
            relevant=bool(odd > 0) if odds is not None else match.relevance_score > 0,
            relevance_score=match.relevance_score,
            excerpt=each.text,
            gist=each.gist,
            badges=near,
            joined=tuple(each.joined),
            outcome=each.outcome,
            answer_odds=float(odd),
        )
        for each, match, near, share, odd in zip(shown, matches, badges, shares, told, strict=True)
    )


def _badges(request: RecallRequest, candidates: Candidates, shown: list[Passage]) -> list[tuple[str, ...]]:
    """How near in time the shown hits are to the moment of asking, in the asked session if there is one."""
    rows = [each.row for each in shown]
    session = request.selection.session_id
    size = int(candidates.session_size[rows].max()) if session is not None and rows else None
    memories = [each.memory for each in shown]
    return badges_of(memories, request.now, session, candidates.session_place[rows], size)


def ask(text: str, profile: Profile, now: datetime) -> Question:
    """The question read for a scope: its speakers are known, a date without a year may lie in any recent one."""
    return _ask(with_apostrophes(text), profile.speakers, profile.years[-_RECENT_YEARS:], now)


@lru_cache(maxsize=_ASKED)
def _ask(text: str, speakers: tuple[str, ...], years: tuple[int, ...], now: datetime) -> Question:
    """Kept, since several scopes are asked one question, and one more than once."""
    return read_question(in_full(text, speakers), speakers, asked_intervals(text, now, years))


def probe_of(
    query: QueryEmbedding,
    question: Question,
    corpus: Corpus,
    entities: tuple[str, ...] = (),
    most: int = CANDIDATES,
) -> Probe:
    """What the store is to find.

    Entities are looked up only if they are asked for by name; names in a question are found as words.
    """
    terms, weights = names_beside(query, corpus)
    owners = np.arange(len(query.weights), len(query.weights) + len(terms), dtype=np.int32)
    return Probe(
        encoder=query.meaning_encoder,
        parts=tuple(part for part in query.parts.values() if part.scans),
        entities=tuple(dict.fromkeys(map(name_key, entities))),
        vector=query.vector,
        terms=np.concatenate((query.expansion_terms, terms)),
        closeness=np.concatenate((query.expansion_weights, np.ones(len(terms), np.float32))),
        owners=np.concatenate((query.expansion_words, owners)),
        word_weights=np.concatenate((query.weights, weights)),
        speakers=question.speakers,
        days=tuple((interval.start, interval.end) for interval in question.intervals),
        most=most,
        beside=len(terms),
    )


class _Stopwatch:
    """Milliseconds between laps."""

    def __init__(self) -> None:
        self._last = time.perf_counter()
        self.laps_ms: dict[str, float] = {}

    def lap(self, name: str) -> None:
        """End a lap."""
        now = time.perf_counter()
        self.laps_ms[name] = (now - self._last) * 1e3
        self._last = now


def newest_of_versions(
    order: NDArray[np.int64], position: NDArray[np.int64], memories: Mapping[int, Memory]
) -> NDArray[np.int64]:
    """The rows whose record is the newest of its version among these, in the same order.

    A superseded version and its closing record are one belief, so they are one hit.

    `order`: rows, best first. `position`: the store's key of each row's record; a record written later has a greater
    one. `memories`: position -> memory; rows forgotten since are left out.
    """
    newest: dict[tuple[str, int], int] = {}
    for place, memory in memories.items():
        version = (memory.logical_id, memory.version)
        newest[version] = max(place, newest.get(version, place))
    kept = np.array(sorted(newest.values()), np.int64)
    return order[np.isin(position[order], kept)]
