"""What travels between the store and the ranking: a probe in, a batch of candidates out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from engramforge.model.embeddings.encoder_spec import ActiveEncoder
from engramforge.model.embeddings.part import PartBatch, QueryPart
from engramforge.model.spaces import Space

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FOUND_BY_MEANING = 1  # among the nearest by E1
FOUND_BY_WORDS = 2  # among the best by the words' postings
FOUND_BY_NEIGHBOUR = 4  # stands near a found memory in its session
FOUND_BY_CAUSE = 8  # among the best by causes and effects
FOUND_BY_CODE = 16  # among the best by the shape and names of code
FOUND_BY_STRUCTURE = 32  # among the nearest by hyperdimensional structure
FOUND_BY_IMAGE = 64  # among the nearest by image or caption
FOUND_BY_ENTITY = 128  # mentions an entity that was asked for
"""Bits of `Candidates.found`."""

FOUND_BY_SPACE: Mapping[Space, int] = {
    Space.CAUSAL: FOUND_BY_CAUSE,
    Space.CODE: FOUND_BY_CODE,
    Space.HYPERDIMENSIONAL: FOUND_BY_STRUCTURE,
    Space.MULTIMODAL: FOUND_BY_IMAGE,
    Space.ENTITY: FOUND_BY_ENTITY,
}


CANDIDATES: Final = 1_000
"""How many candidates a probe brings at most, unless it says so."""
CALIBRATIONS_MARK: Final = "calibrations"
"""Mark that names the calibrations in use; every question is told it with its ground."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """In how many of a scope's current memories each term occurs.

    `total`: number of current memories in scope. `length`: term occurrences in all of them. `terms`, `counts`: uint32,
    ascending, and int64, shape (k,): every term, and how many memories have it.
    """

    total: int
    length: int
    terms: NDArray[np.uint32]
    counts: NDArray[np.int64]

    @property
    def mean_length(self) -> float:
        """Mean number of term occurrences per memory."""
        return self.length / max(self.total, 1)

    def frequencies(self, terms: NDArray[np.uint32]) -> NDArray[np.int64]:
        """In how many memories each of these terms occurs."""
        import numpy as np

        if not len(self.terms):
            return np.zeros(len(terms), np.int64)
        places = np.minimum(np.searchsorted(self.terms, terms), len(self.terms) - 1)
        return np.where(self.terms[places] == terms, self.counts[places], np.int64(0))


@dataclass(frozen=True, slots=True)
class Profile:
    """What a scope holds, told without any term.

    `total`: number of current memories in scope. `speakers`: lower-cased names of those who speak, distinct, sorted.
    `years`: the years in which its memories became true, ascending.
    """

    total: int
    speakers: tuple[str, ...] = ()
    years: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Ground:
    """What has to be known of a scope before a question can be put to it: the one set of statistics of an answer.

    `encoders`: the active encoders that somebody chose. `calibrations`: the value of `CALIBRATIONS_MARK`.
    """

    profile: Profile
    corpus: Corpus
    encoders: Mapping[Space, ActiveEncoder]
    calibrations: Mapping[str, Any] | None


Near = Callable[[], "NDArray[np.int64] | None"]
"""Gives positions of memories that are near to a question, or None where nobody looked for them."""


@dataclass(frozen=True, slots=True)
class Probe:
    """What to look for.

    Parameters
    ----------
    vector : float32, shape (256,), or None: the query in E1, for the scan.
    terms, closeness, owners : uint32, float32 and int32, shape (k,): distinct stems (the query's own and their
        expansions), how close each is to its query word (0..1), and which word that is.
    word_weights : float32, shape (q,): how much each query word counts, summing to 1. A memory's word score, 0..1,
        is the weighted sum over words of the best closeness x saturated count among the word's terms.
    beside : how many of the last words only help to find memories, and count nothing for their sessions.
    speakers : lower-cased names of speakers whom the query names.
    days : closed intervals of ordinal days that the query is about.
    per_way : how many candidates count as found by each way (meaning, words).
    window : how many neighbours on each side in the session come along, at most 2.
    most : the most candidates in all; a selection that is no larger comes along whole.
    encoder : id of the encoder of `vector`; None: the one of words. Another than the store's active one is refused with
        EncoderChanged, so that no answer mixes encoders.
    parts : questions to other spaces. Those that scan bring their best `per_way` into the candidates; the parts of all
        asked spaces come along with the candidates.
    entities : names; memories that mention one are found and say so.
    near : gives positions that stand for those nearest to `vector`, if they were looked for already; may wait for them.
    """

    vector: NDArray[np.float32] | None
    terms: NDArray[np.uint32]
    closeness: NDArray[np.float32]
    owners: NDArray[np.int32]
    word_weights: NDArray[np.float32]
    speakers: tuple[str, ...] = ()
    days: tuple[tuple[int, int], ...] = ()
    per_way: int = 250
    window: int = 2
    most: int = CANDIDATES
    encoder: str | None = None
    parts: tuple[QueryPart, ...] = ()
    entities: tuple[str, ...] = ()
    beside: int = 0
    near: Near | None = None


MOST_HAVING: Final = 10_000
"""How many memories that have all terms of a group are told of at most: of a name that everything says, the first by
`Having`'s order."""


@dataclass(frozen=True, slots=True)
class Having:
    """The n memories that have all terms of one of k groups, in no order. Of more than were asked for decisions come
    first, of decisions and of the others what was written last.

    `position`: int64 (n,). `kind`: uint8 (n,): which of `Kind`. `valid_at`: int64 (n,): microseconds since 1970. `has`:
    bool (k, n): which groups each has whole.
    """

    position: NDArray[np.int64]
    kind: NDArray[np.uint8]
    valid_at: NDArray[np.int64]
    has: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Candidates:
    """A batch of n candidates, ordered by project, session, sequence, position.

    Parameters
    ----------
    position : int64 (n,): the store's own key of the version, ascending in order of writing.
    project, session : int64 (n,): the store's keys; a memory without a session has session -1.
    sequence : int64 (n,): order within the session, as its writer gave it; below 0 in an implied one.
    session_place, session_size : int64 (n,): how many of the session's memories stand before it, and how many there
        are; 0 and 1 without a session.
    kind : list of n kind names.
    speaker : int32 (n,): place in `speaker_names`; "" where nobody is named.
    speaker_names : lower-cased names.
    valid_at, created_at : int64 (n,): microseconds since 1970.
    epistemic_tier : float32 (n,).
    vector : int8 (n, 256); all zero where E1 abstains.
    tokens, token_ends : uint16 (t,) and int64 (n,): concatenated tokens, candidate i's end at token_ends[i].
    terms, counts, term_ends : uint32, uint8 and int64: concatenated distinct stems, likewise.
    cues : uint8 (n,): what the wording shows (core/text/summarising).
    intervals, interval_ends : int32 (m, 3) and int64 (n,): the days that the content names, likewise.
    session_words : float32 (n,): the word score of the memory's whole session (its own without one).
    session_speaks : bool (n,): whether somebody whom the query names takes part in the session.
    found : uint16 (n,): bits of FOUND_BY_*.
    parts : the candidates in every space that the probe asked, by its encoder.
    mentioned : float32 (n,): share of the probe's entities that each mentions; None where none were asked.
    """

    position: NDArray[np.int64]
    project: NDArray[np.int64]
    session: NDArray[np.int64]
    sequence: NDArray[np.int64]
    session_place: NDArray[np.int64]
    session_size: NDArray[np.int64]
    kind: NDArray[np.uint8]
    speaker: NDArray[np.int32]
    valid_at: NDArray[np.int64]
    created_at: NDArray[np.int64]
    epistemic_tier: NDArray[np.float32]
    vector: NDArray[np.int8]
    tokens: NDArray[np.uint16]
    token_ends: NDArray[np.int64]
    terms: NDArray[np.uint32]
    counts: NDArray[np.uint8]
    term_ends: NDArray[np.int64]
    cues: NDArray[np.uint8]
    intervals: NDArray[np.int32]
    interval_ends: NDArray[np.int64]
    session_words: NDArray[np.float32]
    session_speaks: NDArray[np.bool_]
    found: NDArray[np.uint16]
    speaker_names: tuple[str, ...] = ("",)
    parts: Mapping[Space, PartBatch] = field(default_factory=dict)
    mentioned: NDArray[np.float32] | None = None

    def __len__(self) -> int:
        return len(self.position)

    @property
    def is_alone(self) -> NDArray[np.bool_]:
        """bool (n,): which are in no session, or the only one of an implied one, which then says nothing."""
        return (self.session < 0) | ((self.sequence < 0) & (self.session_size < 2))
