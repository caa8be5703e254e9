"""Fusion: signals to one similarity in [0, 1], and updates before what they update.

The weights were fitted on seven kinds of data together, a store of many projects among them, by a listwise softmax with
a ridge; the same set serves every store (docs/measurements/ranking.md). A signal that says "this matches" may not weigh
below 0; only the priors of kind, wording and shape are free. The sum is a log-odds, turned into the chance that the
memory answers.
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

_SIGNALS: Final[Mapping[str, tuple[str, float, float | None]]] = {
    "words_pair": ("words", 0.915, 0.2),
    "words_clause": ("words", 1.627, None),
    "alone_words": ("words", 8.221, 0.0),
    "alone_passage": ("words", 2.249, None),
    "cosine": ("meaning", 2.734, 0.15),
    "feedback": ("meaning", 2.910, None),
    "alone_cosine": ("meaning", 1.671, 0.15),
    "words_window": ("context", 1.762, 0.2),
    "words_two_before": ("context", 0.823, None),
    "cosine_before": ("context", 0.395, 0.15),
    "asked": ("context", 0.076, None),
    "asked_covered": ("context", 2.206, None),
    "opening": ("context", 0.194, None),
    "session_union": ("session", 0.671, None),
    "session_best": ("session", 2.915, None),
    "session_words": ("session", 2.558, 0.0),
    "session_speaker": ("session", 3.648, None),
    "speaker": ("speaker", 1.092, 0.0),
    "mentions": ("speaker", 0.231, 0.0),
    "role_assistant": ("speaker", 1.970, None),
    "role_user": ("speaker", 1.326, None),
    "day_fits": ("dates", 4.135, 0.0),
    "day_fits_long": ("dates", 3.552, 0.0),
    "range_fits": ("dates", 0.944, 0.0),
    "point_fits": ("dates", 1.041, 0.0),
    "end_named": ("dates", 0.160, None),
    "points_inside": ("dates", 1.130, None),
    "latest_before": ("dates", 1.317, None),
    "image": ("image", 20.000, 0.0),
    "entity": ("entity", 8.0, 0.0),
    "causal_fit": ("cause", 0.500, 0.12),
    "causal_lead": ("cause", 90.000, None),
    "code": ("code", 3.500, None),
    "code_words": ("code", 7.200, 0.35),
    "code_meaning": ("code", 4.100, 0.15),
    "code_likeness": ("code", 6.000, 0.15),
    "code_length": ("code", -5.400, None),
    "when_time": ("answer", 0.837, None),
    "number_named": ("answer", 0.326, None),
    "who_named": ("answer", 0.670, None),
    "where_named": ("answer", 0.407, None),
    "asks": ("wording", -0.138, None),
    "chunk": ("wording", -1.823, None),
    "note": ("wording", -1.271, None),
    "artifact": ("wording", -2.179, None),
    "response": ("wording", 0.269, None),
    "first_person": ("wording", 0.549, None),
    "heading": ("wording", -0.039, None),
    "picture": ("wording", 0.015, None),
    "short": ("wording", 0.101, None),
    "length": ("wording", -2.385, None),
    "content": ("wording", 0.524, None),
    "content_mean": ("wording", 4.620, None),
}
"""Signal -> the family with which it is reported when a hit explains itself, the log-odds per unit of it, and the value
above which it shows that a memory and a question have something in common (unrelated texts have small cosines); None
where it only says how typical of an answer a memory looks."""
_EVERY_WEIGHT: Final = {name: weight for name, (_, weight, _) in _SIGNALS.items()}
_PARTS: Final = ("image", "entity", "cause", "code")
WEIGHTS: Final = {name: weight for name, (family, weight, _) in _SIGNALS.items() if family not in _PARTS}
PART_WEIGHTS: Final = {name: weight for name, (family, weight, _) in _SIGNALS.items() if family in _PARTS}
"""The weights of signals that are present only when a question is asked by more than its words, so that other questions
rank as if these did not exist. Those of code were fitted by the same loss on questions about a code base; `code` puts
them on a level with the signals of talk that they replace (docs/measurements/code.md)."""
FAMILIES: Final = {
    family: tuple(name for name, (of, *_) in _SIGNALS.items() if of == family)
    for family in dict.fromkeys(family for family, *_ in _SIGNALS.values())
}
MATCHING: Final = {name: floor for name, (_, _, floor) in _SIGNALS.items() if floor is not None}
_KINDS: Final = ("chunk", "note", "artifact", "response")
TURN_PRIORS: Final = tuple(name for name in FAMILIES["wording"] if name not in _KINDS)
"""Priors from the shape of a turn, whatever is asked; pieces of files are cut to length, so their shape means nothing.
"""
SLOPE: Final = 0.564
OFFSET: Final = -5.108
EXPECTED: Final[Mapping[str, float]] = MappingProxyType(
    {"names": -2.891, "short_dates": -0.364, "long_dates": -0.537, "when": -0.69, "self": 0.637}
)
"""From the sum to the log-odds that a memory answers rather than not: slope x sum + offset, plus a term for the
question: if its traits let more signals fire, a good memory is expected to score higher. Fitted by logistic regression
on the same data, with answers and non-answers weighted equally."""

UPDATE_HITS: Final = 10
UPDATE_SESSIONS: Final = 5
UPDATE_FLOOR: Final = 2.0
UPDATE_FLOOR_OF_EVENTS: Final = 5.0
UPDATE_MARGIN: Final = 0.73
UPDATE_COSINE: Final = 4.7
UPDATE_COVER: Final = 2.6
UPDATE_GAP: Final = 0.7
"""How far below an older memory an update of it may stand, in log-odds: a memory that tells what is new about the same
matter answers about as well."""
UPDATE_GAP_OF_OWN: Final = 9.0
"""The same where the one who asks said both: what one tells of oneself changes more often than what others say."""
MARGIN_MOST: Final = 4.0
_STEP: Final = 1e-3


def has_match(signals: Mapping[str, Floats], count: int) -> NDArray[np.bool_]:
    """Whether any matching signal is above its threshold; a memory without one is no answer, whatever it looks like."""
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
    """Log-odds to the fused similarity in (0, 1), rising: 0.5 is as likely an answer as not at even odds.

    `total`: float32, shape (n,). `traits`: the question's.
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
    is_own: NDArray[np.bool_] | None = None,
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
    is_own : bool, shape (n,): what the one who asks said; None for all.
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
    own = np.ones(len(heads), np.bool_) if is_own is None else is_own[heads]
    gaps = np.where(own[:, None] & own[None, :], UPDATE_GAP_OF_OWN, UPDATE_GAP)
    kin = np.where(level[:, None] - level[None, :] <= gaps, kin, -np.inf)
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
