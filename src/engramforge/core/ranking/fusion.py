"""Fusion: signals to one similarity in [0, 1], and updates before what they update.

The weights were fitted once, on six kinds of data together, by a listwise softmax with a ridge; the same set serves
every store (docs/measurements/ranking.md). A signal that says "this matches" may not weigh below 0; only the priors of
wording and shape are free. The sum is a log-odds, turned into the chance that the memory answers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import distinct
from engramforge.core.similarity.cosine_scale import AS_THEY_ARE, CosineScale

Floats = NDArray[np.float32]

WEIGHTS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "alone_cosine": 3.173,
        "alone_passage": 1.603,
        "alone_words": 8.205,
        "asked": 0.182,
        "asked_covered": 1.705,
        "asks": -0.190,
        "chunk": 0.804,
        "content": 0.675,
        "content_mean": 5.845,
        "cosine": 3.014,
        "cosine_before": 0.589,
        "day_fits": 3.642,
        "day_fits_long": 3.368,
        "end_named": 0.334,
        "feedback": 3.485,
        "first_person": 0.432,
        "heading": 0.165,
        "latest_before": 1.483,
        "length": -2.405,
        "mentions": 0.237,
        "number_named": 0.428,
        "opening": 0.410,
        "picture": 0.031,
        "point_fits": 1.296,
        "points_inside": 1.060,
        "range_fits": 0.712,
        "role_assistant": 1.652,
        "role_user": 0.863,
        "session_best": 2.910,
        "session_speaker": 3.472,
        "session_union": 0.591,
        "session_words": 2.446,
        "short": 0.060,
        "speaker": 1.023,
        "when_time": 0.786,
        "where_named": 0.664,
        "who_named": 0.961,
        "words_clause": 1.379,
        "words_pair": 1.350,
        "words_two_before": 0.909,
        "words_window": 1.357,
    }
)
"""Log-odds per unit of each signal."""
PART_WEIGHTS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "entity": 8.0,
        "causal_fit": 0.5,
        "causal_lead": 90.0,
        "image": 20.0,
        "code": 3.5,
        "code_words": 7.2,
        "code_meaning": 4.1,
        "code_likeness": 6.0,
        "code_length": -5.4,
    }
)
"""The same for signals that are present only when a question is asked by more than its words, so that other questions
rank as if these did not exist. Those of code were fitted by the same loss on questions about a code base; `code` puts
them on a level with the signals of talk that they replace (docs/measurements/code.md)."""
_EVERY_WEIGHT: Final = {**WEIGHTS, **PART_WEIGHTS}
SLOPE: Final = 0.564
OFFSET: Final = -5.691
EXPECTED: Final[Mapping[str, float]] = MappingProxyType(
    {"names": -2.643, "short_dates": -0.22, "long_dates": -0.531, "when": -0.649, "self": 1.014}
)
"""From the sum to the log-odds that a memory answers rather than not: slope x sum + offset, plus a term for the
question: if its traits let more signals fire, a good memory is expected to score higher. Fitted by logistic regression
on the same data, with answers and non-answers weighted equally."""

FAMILIES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "words": ("words_pair", "words_clause", "alone_words", "alone_passage"),
        "meaning": ("cosine", "feedback", "alone_cosine"),
        "context": ("words_window", "words_two_before", "cosine_before", "asked", "asked_covered", "opening"),
        "session": ("session_union", "session_best", "session_words", "session_speaker"),
        "speaker": ("speaker", "mentions", "role_assistant", "role_user"),
        "dates": (
            "day_fits",
            "day_fits_long",
            "range_fits",
            "point_fits",
            "end_named",
            "points_inside",
            "latest_before",
        ),
        "image": ("image",),
        "entity": ("entity",),
        "cause": ("causal_fit", "causal_lead"),
        "code": ("code", "code_words", "code_meaning", "code_likeness", "code_length"),
        "answer": ("when_time", "number_named", "who_named", "where_named"),
        "wording": (
            "asks",
            "chunk",
            "first_person",
            "heading",
            "picture",
            "short",
            "length",
            "content",
            "content_mean",
        ),
    }
)
"""Which signals are reported together when a hit explains itself."""

UPDATE_HITS: Final = 10
UPDATE_SESSIONS: Final = 5
UPDATE_FLOOR: Final = 2.4
UPDATE_FLOOR_OF_EVENTS: Final = 5.0
UPDATE_MARGIN: Final = 0.73
UPDATE_COSINE: Final = 4.7
UPDATE_COVER: Final = 2.6
MARGIN_MOST: Final = 4.0
_STEP: Final = 1e-3


MATCHING: Final[Mapping[str, float]] = MappingProxyType(
    {
        "cosine": 0.15,
        "cosine_before": 0.15,
        "words_pair": 0.2,
        "words_window": 0.2,
        "alone_words": 0.0,
        "alone_cosine": 0.15,
        "session_words": 0.0,
        "mentions": 0.0,
        "speaker": 0.0,
        "day_fits": 0.0,
        "day_fits_long": 0.0,
        "range_fits": 0.0,
        "point_fits": 0.0,
        "image": 0.0,
        "entity": 0.0,
        "causal_fit": 0.12,
        "code_words": 0.35,
        "code_meaning": 0.15,
        "code_likeness": 0.15,
    }
)
"""Signals that show a memory and a question to have something in common, and the value above which they do (unrelated
texts have small cosines); the other signals only say how typical of an answer a memory looks."""


def has_match(signals: Mapping[str, Floats], count: int) -> NDArray[np.bool_]:
    """Whether any of the matching signals is above its threshold; a memory without one is not an answer, whatever it
    looks like."""
    found = np.zeros(count, np.bool_)
    for name, floor in MATCHING.items():
        if name in signals:
            found |= signals[name] > floor
    return found


def weighted_sum(signals: Mapping[str, Floats], count: int) -> Floats:
    """The log-odds of n candidates: the sum of the signals by their weights; independent of the signals' order."""
    total = np.zeros(count, np.float64)
    for name in sorted(signals):
        total += _EVERY_WEIGHT.get(name, 0.0) * signals[name].astype(np.float64)
    return total.astype(np.float32)


def similarity_of(total: Floats, traits: Collection[str]) -> Floats:
    """Log-odds to the fused similarity in (0, 1), rising: 0.5 means as likely an answer as not, if both were equally
    frequent.

    Parameters
    ----------
    total : float32, shape (n,).
    traits : the question's.
    """
    odds = SLOPE * total.astype(np.float64) + OFFSET + sum(EXPECTED[name] for name in traits)
    return (1.0 / (1.0 + np.exp(-odds))).astype(np.float32)


def family_shares(signals: Mapping[str, Floats], count: int) -> dict[str, Floats]:
    """What each family of signals gives to the log-odds."""
    return {
        family: weighted_sum({name: signals[name] for name in names if name in signals}, count)
        for family, names in FAMILIES.items()
    }


def update_gains(
    total: Floats,
    session: NDArray[np.int64],
    moment: NDArray[np.int64],
    vectors: NDArray[np.int8],
    soft: Floats,
    weights: Floats,
    is_event: bool = False,
    project: NDArray[np.int64] | None = None,
    is_said: NDArray[np.bool_] | None = None,
    scale: CosineScale = AS_THEY_ARE,
) -> Floats:
    """The gains that lift a newer memory just above an older one about the same matter; log-odds, shape (n,).

    Of the first sessions' best hits, a newer one counts as an update of an older one above it when the two resemble
    each other, cover the same asked words and stand out together from the other hits.

    Parameters
    ----------
    total : float32, shape (n,): log-odds.
    session, moment : int64, shape (n,): key of the session, and valid time.
    vectors : int8, shape (n, dim).
    soft, weights : float32 (q, n) and (q,): cover of the query words.
    is_event : whether the question is about something that happened: a pair then has to be more similar.
    project : int64, shape (n,): updates stay within a project; None puts all into one.
    is_said : bool, shape (n,): which memories can update or be updated; None for all. A piece of a file cannot: its
        time is that of the whole file, and the parts of a text belong side by side.
    scale : of the cosines of `vectors`.
    """
    floor = UPDATE_FLOOR_OF_EVENTS if is_event else UPDATE_FLOOR
    gains = np.zeros(len(total), np.float32)
    best = np.lexsort((np.arange(len(total)), -total))
    if is_said is not None:
        best = best[is_said[best]]
    best = best[:UPDATE_HITS]
    heads = best[np.sort(distinct(session[best]).first)[:UPDATE_SESSIONS]]
    if len(heads) < 2:
        return gains
    kin = _kinship(total[heads].astype(np.float64), vectors[heads], soft[:, heads], weights, scale)
    if project is not None:
        kin = np.where(project[heads][:, None] == project[heads][None, :], kin, -np.inf)
    moments = moment[heads]
    level = total[heads].astype(np.float64)
    for newer in range(1, len(heads)):
        updated = (moments[:newer] < moments[newer]) & (kin[:newer, newer] >= floor)
        if updated.any():
            level[newer] = max(level[newer], float(level[:newer][updated].max()) + _STEP)
    gains[heads] = (level - total[heads]).astype(np.float32)
    return gains


def _kinship(
    total: NDArray[np.float64], vectors: NDArray[np.int8], soft: Floats, weights: Floats, scale: CosineScale
) -> NDArray[np.float64]:
    """How much hit j (column), lower in the list than i (row), looks like an update of i; shape (h, h)."""
    count = len(total)
    shared = np.einsum("q,qij->ij", weights, np.minimum(soft[:, :, None], soft[:, None, :]))
    rows = vectors.astype(np.float64)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    margins = np.full((count, count), MARGIN_MOST)
    for i in range(count):
        for j in range(count):
            others = np.delete(total, [i, j])
            if len(others):
                margins[i, j] = min(MARGIN_MOST, float(total[j] - others.max()))
    kin: NDArray[np.float64] = (
        UPDATE_MARGIN * margins + UPDATE_COSINE * scale.of(rows @ rows.T) + UPDATE_COVER * shared
    )
    return kin
