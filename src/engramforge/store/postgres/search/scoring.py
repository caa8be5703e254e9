"""Scores of rows that a search fetched: the parts of `store/scoring/strength.py` from rows and postings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import distinct, places_among
from engramforge.model.search.candidates import Probe
from engramforge.store.scoring.strength import (
    NO_SESSION,
    PART_SHARE,
    Floats,
    Mask,
    Occurrences,
    around_in_sessions,
    score_words,
    strength_of,
    strongest,
    with_neighbours,
)

Positions = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Columns:
    """Parallel arrays, one a field."""

    def at(self, places: Positions | Mask) -> Self:
        """The elements at some places."""
        return replace(self, **{each.name: getattr(self, each.name)[places] for each in fields(self)})


@dataclass(frozen=True, slots=True)
class Rows(Columns):
    """What choosing candidates needs of n memories, ascending by position.

    `position`, `session`, `sequence`, `length`, `valid_at`: int64 (n,); session -1 without one. `meaning`: float32
    (n,): cosine to the probe's vector, 0 where either abstains. `speaks`: bool (n,): whether somebody whom the probe
    names speaks.
    """

    position: Positions
    session: Positions
    sequence: Positions
    length: Positions
    valid_at: Positions
    meaning: Floats
    speaks: Mask

    def __len__(self) -> int:
        return len(self.position)

    def missing(self, positions: Positions) -> Positions:
        """Those of the positions that are not here, ascending."""
        return np.setdiff1d(positions, self.position)

    def joined(self, other: Rows) -> Rows:
        """These and others, each once, ascending."""
        first = distinct(np.concatenate((self.position, other.position))).first
        columns = ((getattr(self, each.name), getattr(other, each.name)) for each in fields(self))
        return Rows(*(np.concatenate(both)[first] for both in columns))


@dataclass(frozen=True, slots=True)
class Postings(Columns):
    """Occurrences of a probe's terms: parallel arrays, one element a posting.

    `position`, `session`, `length`: the memory, its session (-1 without), its term occurrences. `term`: which of the
    probe's terms. `times`: how often.
    """

    position: Positions
    session: Positions
    length: Positions
    term: Positions
    times: NDArray[np.uint8]

    def of(self, positions: Positions) -> Postings:
        """The postings of some memories, given ascending."""
        return self.at(places_among(positions, self.position) >= 0)

    def best(self, probe: Probe, means: Means) -> Positions:
        """Memories with any of the terms, best by their own words and their session's first."""
        found = distinct(self.position)
        lengths = self.length[found.first].astype(np.int32)
        words = score_words(Occurrences(found.places, self.term, self.times), probe, lengths, means.memory)
        sessions = self.session[found.first]
        inside, of_session = self.of_sessions(sessions, probe, means)
        strength = strength_of(
            np.zeros_like(words),
            words,
            np.where(inside, of_session, words),
            np.zeros(len(words), np.bool_),
            np.zeros(len(words), np.int64),
            (),
        )
        # They are ascending, so that of equal ones the earlier stays first.
        best: Positions = found.values[np.argsort(-strength, kind="stable")]
        return best

    def of_sessions(self, sessions: Positions, probe: Probe, means: Means) -> tuple[Mask, Floats]:
        """Whether each has a session, and the word score of that whole session."""
        groups = distinct(sessions)
        lengths = means.session_lengths(groups.values)
        into = places_among(groups.values, self.session)
        into = np.where(self.session == NO_SESSION, -1, into).astype(np.int64)
        each = Occurrences(np.arange(len(self.session)), self.term, self.times)
        scores = score_words(each, probe, lengths.astype(np.int32), means.session, into)
        inside = sessions != NO_SESSION
        return inside, scores[groups.places]


@dataclass(frozen=True, slots=True)
class Means:
    """Mean lengths that word scores are measured against.

    `memory`, `session`: term occurrences of a memory and of a session on average. `session_lengths`: session keys,
    ascending -> their term occurrences.
    """

    memory: float
    session: float
    session_lengths: Callable[[Positions], Positions]

    @classmethod
    def over(cls, rows: Rows) -> Means:
        """The means over all memories that take part."""
        groups = distinct(rows.session)
        lengths = np.bincount(groups.places, weights=rows.length, minlength=len(groups.values)).astype(
            np.int64
        )
        apart = int((rows.session == NO_SESSION).sum())
        units = len(groups.values) - (apart > 0) + apart
        total = int(rows.length.sum())

        def of(sessions: Positions) -> Positions:
            places = places_among(groups.values, sessions)
            return np.where(places >= 0, lengths[places], 0)

        return cls(total / max(len(rows), 1), total / max(units, 1), of)


@dataclass(frozen=True, slots=True)
class Scores(Columns):
    """The parts and the whole of n rows' strength; see `store/scoring/strength.py`."""

    words: Floats
    session_words: Floats
    session_speaks: Mask
    strength: Floats


def score(
    rows: Rows, postings: Postings, probe: Probe, means: Means, parts: Sequence[Floats | None] = ()
) -> Scores:
    """Strength of every row; postings of other memories count for their sessions alone.

    `parts`: the score of every row in each other space, None where it does not scan.
    """
    own = postings.of(rows.position)
    places = np.searchsorted(rows.position, own.position)
    each = Occurrences(places, own.term, own.times)
    words = score_words(each, probe, rows.length.astype(np.int32), means.memory)
    inside, of_session = postings.of_sessions(rows.session, probe, means)
    session_words = np.where(inside, of_session, words).astype(np.float32)
    groups = distinct(rows.session)
    any_speaks = np.bincount(groups.places, weights=rows.speaks, minlength=len(groups.values)) > 0
    speaks: Mask = np.where(inside, any_speaks[groups.places], rows.speaks)
    strength = strength_of(rows.meaning, words, session_words, speaks, rows.valid_at, probe.days)
    for of_part in parts:
        if of_part is not None:
            strength = (strength + PART_SHARE * np.maximum(of_part, 0)).astype(np.float32)
    return Scores(words, session_words, speaks, strength)


def choose(
    rows: Rows, scores: Scores, probe: Probe, sure: Positions | None = None
) -> tuple[Positions, Positions]:
    """Places of the chosen rows, ascending, and of those that only neighbours brought in; `sure` as for those."""
    ranked, is_whole = strongest(scores.strength, rows.position, probe.most)
    if is_whole:
        return ranked, np.empty(0, np.int64)
    order = np.lexsort((rows.position, rows.sequence, rows.session))
    rank = np.empty(len(rows), np.int64)
    rank[order] = np.arange(len(rows))
    around = partial(around_in_sessions, session=rows.session, order=order, rank=rank)
    return with_neighbours(ranked, around, probe, sure)


def session_places(rows: Rows, found: Sequence[NDArray[Any]]) -> tuple[Positions, Positions]:
    """How many memories of the selected time stand before each in its session, and how many there are."""
    places, sizes = np.zeros(len(rows), np.int64), np.ones(len(rows), np.int64)
    inside = rows.session != NO_SESSION
    if not inside.any():
        return places, sizes
    seq, session, sequence = found
    order = np.lexsort((seq, sequence, session))
    in_order = session[order]
    begins = np.searchsorted(in_order, rows.session[inside], side="left")
    sizes[inside] = np.searchsorted(in_order, rows.session[inside], side="right") - begins
    by_position = np.argsort(seq[order])
    at = np.searchsorted(seq[order], rows.position[inside], sorter=by_position)
    places[inside] = by_position[at] - begins
    return places, sizes
