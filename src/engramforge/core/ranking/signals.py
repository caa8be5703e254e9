"""The signals of the multi-space ranking: how each candidate answers a question, in many small ways.

Each is a pure function over arrays of n candidates and gives float32, shape (n,), in [0, 1]. Their weights are in
core/ranking/fusion. Candidates are ordered by session and place in it, so a neighbour is found by its place. MaxSim: O.
Khattab, M. Zaharia, "ColBERT", 2020, on static word vectors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import among
from engramforge.core.ranking.fusion import TURN_PRIORS
from engramforge.core.ranking.question import SHORT_DAYS, Question
from engramforge.core.ranking.temporal_context import day_fit
from engramforge.core.similarity.comparison import segment_maxima
from engramforge.core.similarity.cosine_scale import AS_THEY_ARE, CosineScale
from engramforge.core.text.dates import POINT, RANGE, Interval
from engramforge.core.text.summarising import (
    ASKS,
    HAS_NAMES,
    HAS_NUMBER,
    HAS_PICTURE,
    HAS_TIME,
    IS_FIRST_PERSON,
    IS_HEADING,
)

Floats = NDArray[np.float32]
Places = NDArray[np.int64]
Signals = dict[str, Floats]

COSINE_FLOOR: Final = 0.25
COSINE_SPAN: Final = 0.6
"""The cosine of two words above the floor, divided by the span: how far it stands out from unrelated words."""
SAME_STEM: Final = 0.8
"""The least closeness of two words of one stem."""
FEEDBACK_BEST: Final = 8
FEEDBACK_SOFTNESS: Final = 3.0
WINDOW: Final = (-2, -1, 1, 2)
ABSENT: Final = 0.35
PRESENT: Final = 0.8
"""The closeness of a word up to which it is not said at all, and from which it is said."""
DATE_ALONE: Final = 0.3
ENOUGH_SAID: Final = 0.4
"""What an asked date counts where nothing else of the question is said, and the share of it that has to be said for the
date to count in full."""
_SHORT_WORDS: Final = 12
_SLACK_DAYS: Final = 31
_YEAR_DAYS: Final = 366.0


class Sessions:
    """Where n candidates stand in their sessions.

    `session`: int64, shape (n,): key of the session, ascending; a negative one is the candidate's own. `place`, `size`:
    int64, shape (n,): how many stand before it in its session, and how many there are.
    """

    def __init__(self, session: Places, place: Places, size: Places) -> None:
        self.count = len(session)
        fresh = np.diff(session, prepend=session[:1] - 1) != 0 if self.count else np.empty(0, np.bool_)
        self.starts: Places = np.flatnonzero(fresh)
        self.group: Places = np.cumsum(fresh) - 1
        self.opens: Floats = ((place < 2) & (place + 1 < size)).astype(np.float32)
        # A key of session and place, spaced so that no step reaches another session.
        keys = self.group * (int(place.max(initial=0)) + 2 * max(WINDOW)) + place
        self._steps = {step: _places_of(keys + step, keys) for step in WINDOW}

    def of(self, values: Floats, step: int) -> Floats:
        """Values (last axis n) of the candidate `step` places on; 0 where it is no candidate."""
        blank = np.zeros((*values.shape[:-1], 1), values.dtype)
        return np.concatenate((values, blank), axis=-1)[..., self._steps[step]]

    def largest(self, values: Floats) -> Floats:
        """For each candidate the largest value (last axis n) in its session."""
        if not self.count:
            return values
        return np.maximum.reduceat(values, self.starts, axis=-1)[..., self.group]


def _places_of(wanted: Places, keys: Places) -> Places:
    """Where each wanted key stands among ascending ones; their number where it does not."""
    places = np.searchsorted(keys, wanted)
    return np.where(np.append(keys, -1)[places] == wanted, places, len(keys))


@dataclass(frozen=True, slots=True)
class Coverage:
    """How well each of n candidates covers each of q query words.

    `soft`: float32, shape (q, n), in [0, 1]: squared cosine of the best word, .8 at least for the same stem. `weights`:
    float32, shape (q,), summing to 1: how much each query word counts. `clauses`: bool, shape (p, q): which words stand
    together in a clause.
    """

    soft: Floats
    weights: Floats
    clauses: NDArray[np.bool_]

    @property
    def linear(self) -> Floats:
        """Shape (q, n): the cosine where it stands out of the background, stretched to [0, 1]."""
        return np.clip((np.sqrt(self.soft) - COSINE_FLOOR) / COSINE_SPAN, 0, 1)

    @property
    def own(self) -> Floats:
        """Shape (n,): the weighted cover of the candidate alone."""
        return self.weights @ self.soft


def word_closeness(
    cosines: Floats, terms: NDArray[np.uint32], word_terms: NDArray[np.uint32], is_exact: NDArray[np.bool_]
) -> Floats:
    """Closeness of q query words to d words: squared cosine, .8 at least for the same stem; float32, shape (q, d).

    A word matches itself by its cosine; another word of the same stem may mean something slightly different
    (docs/measurements/ranking.md).

    `cosines`: float32, shape (q, d). `terms`, `word_terms`: uint32 (q,) and (d,): stems. `is_exact`: bool, shape (q,):
    words that mean nothing but themselves.
    """
    closeness: Floats = np.clip(cosines, 0, 1)
    closeness *= closeness
    closeness[is_exact] = 0
    same = (terms[:, None] == word_terms) * np.float32(SAME_STEM)
    np.maximum(closeness, same, out=closeness)
    return closeness


def cover(closeness: Floats, words: Places, ends: Places) -> Floats:
    """The best closeness per query word and candidate; float32, shape (q, n).

    `closeness`: shape (q, d). `words`, `ends`: which of the d words each word of the candidates is, end to end, and
    where each candidate ends.
    """
    return np.ascontiguousarray(segment_maxima(spread(closeness, words), ends, axis=0).T)


def spread(closeness: Floats, words: Places) -> Floats:
    """The closeness of each word of the candidates to each query word; float32, shape (words, q).

    Rows, which lie together, are copied many times faster than columns.
    """
    return np.take(closeness.T, words, axis=0)


def word_signals(coverage: Coverage, sessions: Sessions) -> Signals:
    """Word-level MaxSim: of the turn with the one before, of its window, of its best clause, of the turn two before."""
    soft, weights = coverage.soft, coverage.weights
    wide = soft
    for step in WINDOW:
        wide = np.maximum(wide, sessions.of(soft, step))
    linear = coverage.linear
    shares = np.maximum(coverage.clauses @ weights, 1e-9)
    clauses = ((coverage.clauses * weights) @ soft) / shares[:, None]
    return {
        "words_pair": weights @ np.maximum(linear, sessions.of(linear, -1)),
        "words_window": weights @ wide,
        "words_clause": clauses.max(axis=0, initial=0),
        "words_two_before": weights @ sessions.of(soft, -2),
    }


def meaning_signals(cosine: Floats, sessions: Sessions) -> Signals:
    """Cosine in E1 of the query with the turn and with the turn before."""
    own = np.clip(cosine, 0, 1)
    return {"cosine": own, "cosine_before": sessions.of(own, -1)}


def session_signals(coverage: Coverage, sessions: Sessions, session_words: Floats) -> Signals:
    """What the candidate's session covers: all its candidates together, its best one, the words of all of it."""
    return {
        "session_union": coverage.weights @ sessions.largest(coverage.soft),
        "session_best": sessions.largest(coverage.own),
        "session_words": session_words,
    }


def apart(
    found: Signals, passage: Floats, nearest: Floats, is_alone: NDArray[np.bool_], is_chunk: NDArray[np.bool_]
) -> Signals:
    """The same signals, with memories outside sessions abstaining in those of sessions and chunks in those of turns.

    A memory outside a session has no surroundings to support it, so its own words and meaning count separately, as
    `alone_*`; `chunk` replaces all priors of wording.

    `found`: signals of all n candidates; `session_words` is a memory's own word score where it is alone. `passage`:
    float32, shape (n,): cover by the best passage. `nearest`: float32, shape (n,): likeness of the nearest passage.
    `is_alone`, `is_chunk`: bool, shape (n,): memories without a session; pieces of files.
    """
    alone = is_alone.astype(np.float32)
    abstaining = {name: values * (1 - alone) for name, values in found.items() if name in _OF_SESSIONS}
    abstaining |= {name: found[name] * ~is_chunk for name in TURN_PRIORS}
    return {
        **found,
        **abstaining,
        "alone_words": found["session_words"] * alone,
        "alone_passage": passage * alone,
        "alone_nearest": nearest * alone,
        "nearest": nearest * (1 - alone),
        "alone_cosine": found["cosine"] * alone,
        "chunk": is_chunk.astype(np.float32),
    }


_OF_SESSIONS: Final = ("session_union", "session_best", "session_words")


ROLES: Final = ("user", "human", "assistant", "ai", "model")
"""Speakers that are no persons of their own."""


def speaker_signals(
    question: Question,
    names: tuple[str, ...],
    speaker: NDArray[np.int32],
    session_speaks: NDArray[np.bool_],
    mentions: Floats,
) -> Signals:
    """Whether the first speaker that a question names speaks, whether any of them speaks in the session; and roles: of
    oneself one speaks as the user, and other persons do not.

    `names`, `speaker`: lower-cased names, and which of them speaks, shape (n,). `session_speaks`: whether anybody whom
    the question names takes part in the candidate's session. `mentions`: 1 where the text holds such a name.
    """
    codes = [names.index(name) for name in question.speakers if name in names]
    told = "told" in question.cues

    def role(name: str, asked: bool) -> Floats:
        is_it = speaker == names.index(name) if asked and name in names else np.zeros(len(speaker), np.bool_)
        return is_it.astype(np.float32)

    is_own = "self" in question.cues and not told and "user" in names
    named = [code for code, name in enumerate(names) if name and name not in ROLES]
    takes_part = session_speaks | (mentions > 0) | among(speaker, codes)
    return {
        "speaker": (speaker == codes[0]).astype(np.float32) if codes else np.zeros(len(speaker), np.float32),
        "session_speaker": session_speaks.astype(np.float32),
        "mentions": mentions,
        "of_others": (bool(codes) & ~takes_part).astype(np.float32),
        "role_assistant": role("assistant", told),
        "role_user": role("user", is_own),
        "role_other": among(speaker, named if is_own else []).astype(np.float32),
    }


def date_support(coverage: Coverage, sessions: Sessions, is_date: NDArray[np.bool_], size: float) -> Floats:
    """How far an asked date counts for each candidate: by how much of the question's other words it or its neighbours
    say; float32, shape (n,), in [.3, 1]. A thing of that day is no answer if it is another thing; in a scope of up to a
    hundred memories, of one subject, that is rarely so.

    `is_date`: bool, shape (q,): words that name a date. `size`: of the scope, from 0 to 1.
    """
    weights = np.where(is_date, 0, coverage.weights)
    if weights.sum() <= 0:
        return np.ones(sessions.count, np.float32)
    soft = coverage.soft
    for step in WINDOW:
        soft = np.maximum(soft, sessions.of(coverage.soft, step))
    said = (weights / weights.sum()) @ np.clip((soft - ABSENT) / (PRESENT - ABSENT), 0, 1)
    least = 1 - max(2 * size - 1, 0) * (1 - DATE_ALONE)
    support: Floats = np.minimum(least + (1 - least) * said / ENOUGH_SAID, 1).astype(np.float32)
    return support


def date_signals(
    asked: tuple[Interval, ...], days: Places, intervals: NDArray[np.int32], interval_ends: Places
) -> Signals:
    """The asked days compared with the candidates' own days and with the days that their texts name.

    `days`: int64, shape (n,): ordinal day of each candidate's valid time. `intervals`, `interval_ends`: int32 (m, 3)
    and int64 (n,): start, end and kind of every named interval.
    """
    names = ("day_fits", "day_fits_long", *_TEXT_DATES)
    result = {name: np.zeros(len(days), np.float32) for name in names}
    begins = np.concatenate((np.zeros(min(len(days), 1), np.int64), interval_ends[:-1]))
    filled = np.flatnonzero(interval_ends > begins)
    for interval in asked:
        key = "day_fits_long" if interval.end - interval.start > SHORT_DAYS else "day_fits"
        result[key] = np.maximum(result[key], day_fit(days, interval.start, interval.end))
        if len(filled):
            for name, fits in _interval_fits(
                intervals.astype(np.int64), interval.start, interval.end
            ).items():
                best = np.maximum.reduceat(fits, begins[filled]).astype(np.float32)
                result[name][filled] = np.maximum(result[name][filled], best)
    return result


_TEXT_DATES: Final = ("range_fits", "point_fits", "end_named", "points_inside", "latest_before")


def _interval_fits(found: Places, start: int, end: int) -> Mapping[str, NDArray[np.float64]]:
    """For named intervals (m, 3): the cosine of the two spans, and how their ends meet the asked ones."""
    first, last, kind = found[:, 0], found[:, 1], found[:, 2]
    overlap = np.clip(np.minimum(last, end) - np.maximum(first, start) + 1, 0, None)
    lengths, asked = last - first + 1, end - start + 1
    cosine = overlap / np.sqrt(lengths * float(asked))
    exact = kind == POINT
    tight = np.sqrt(_YEAR_DAYS / np.maximum(lengths, _YEAR_DAYS))
    years_before = (start + _SLACK_DAYS - first) / _YEAR_DAYS
    return {
        "range_fits": np.where(kind == RANGE, cosine, 0.0),
        "point_fits": np.where(kind != RANGE, cosine, 0.0),
        "end_named": exact * tight * ((first <= end) & (end <= last + _SLACK_DAYS)),
        "points_inside": exact * 1.0 * ((first >= start - _SLACK_DAYS) & (last <= end + _SLACK_DAYS)),
        "latest_before": exact * np.where(years_before >= 0, np.exp(-np.clip(years_before, 0, 50) / 3), 0.0),
    }


def wording_signals(
    cues: NDArray[np.uint8], question: Question, coverage: Coverage, sessions: Sessions
) -> Signals:
    """The kind of answer asked for compared with cues in the wording; questions, and answers to questions."""

    def bit(flag: int, asked: bool = True) -> Floats:
        return ((cues & flag) > 0).astype(np.float32) * np.float32(asked)

    after_question = sessions.of(bit(ASKS), -1)
    return {
        "when_time": bit(HAS_TIME, "when" in question.cues),
        "number_named": bit(HAS_NUMBER, "number" in question.cues),
        "who_named": bit(HAS_NAMES, "who" in question.cues),
        "where_named": bit(HAS_NAMES, "where" in question.cues),
        "asks": bit(ASKS),
        "asked": after_question,
        "asked_covered": after_question * sessions.of(coverage.own, -1),
        "first_person": bit(IS_FIRST_PERSON),
        "heading": bit(IS_HEADING),
        "picture": bit(HAS_PICTURE),
    }


def shape_signals(words: Places, counted: Places, content: Floats, sessions: Sessions) -> Signals:
    """Priors of shape: shortness, length, how much of what is said is rare, the opening of a session.

    `words`, `counted`: int64, shape (n,): number of words, and of those that are no stop words. `content`: float32,
    shape (n,): sum of the IDF of the counted words.
    """
    return {
        "short": np.clip(1 - words / _SHORT_WORDS, 0, 1).astype(np.float32),
        "length": np.clip(np.log1p(words) / 6, 0, 1).astype(np.float32),
        "content": content / (content + 40),
        "content_mean": np.clip(content / np.maximum(counted + 1, 1) / 10, 0, 1).astype(np.float32),
        "opening": sessions.opens,
    }


def feedback(vectors: NDArray[np.int8], first: Floats, scale: CosineScale = AS_THEY_ARE) -> Floats:
    """Cosine with the mean vector of the best candidates of a first ranking (pseudo relevance feedback).

    `vectors`: int8, shape (n, dim). `first`: float32, shape (n,): log-odds of the first ranking.
    """
    if not len(first):
        return first
    best = np.argsort(-first, kind="stable")[:FEEDBACK_BEST]
    rows = vectors.astype(np.float32)
    centre = np.exp((first[best] - first[best[0]]) / FEEDBACK_SOFTNESS) @ rows[best]
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows)) * np.linalg.norm(centre)
    near: Floats = np.clip(scale.of((rows @ centre) / np.maximum(lengths, 1e-9)), 0, 1).astype(np.float32)
    return near
