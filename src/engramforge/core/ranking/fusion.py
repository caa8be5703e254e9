"""Fusion: signals to one similarity in [0, 1].

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

Floats = NDArray[np.float32]

_SIGNALS: Final[Mapping[str, tuple[str, float, float | None]]] = {
    "words_pair": ("words", 0.903, 0.2),
    "words_clause": ("words", 1.669, None),
    "alone_words": ("words", 4.640, 0.0),
    "alone_passage": ("words", 3.012, None),
    "title": ("words", 3.883, None),
    "designation": ("words", 3.000, None),
    "nearest": ("meaning", 0.309, None),
    "alone_nearest": ("meaning", 1.771, None),
    "cosine": ("meaning", 2.138, 0.15),
    "feedback": ("meaning", 2.894, None),
    "alone_cosine": ("meaning", 2.313, 0.15),
    "words_window": ("context", 1.948, 0.2),
    "words_two_before": ("context", 0.822, None),
    "cosine_before": ("context", 0.408, 0.15),
    "asked": ("context", 0.095, None),
    "asked_covered": ("context", 2.154, None),
    "opening": ("context", 0.192, None),
    "session_union": ("session", 0.666, None),
    "session_best": ("session", 2.588, None),
    "session_words": ("session", 2.391, 0.0),
    "session_speaker": ("session", 3.883, None),
    "speaker": ("speaker", 1.063, 0.0),
    "mentions": ("speaker", 0.219, 0.0),
    "of_others": ("speaker", -6.5, None),
    "role_assistant": ("speaker", 1.859, None),
    "role_user": ("speaker", 1.345, None),
    "day_fits": ("dates", 4.993, 0.0),
    "day_fits_long": ("dates", 4.430, 0.0),
    "range_fits": ("dates", 0.731, 0.0),
    "point_fits": ("dates", 0.916, 0.0),
    "end_named": ("dates", 0.320, None),
    "points_inside": ("dates", 1.160, None),
    "latest_before": ("dates", 1.462, None),
    "image": ("image", 20.000, 0.0),
    "entity": ("entity", 8.0, 0.0),
    "causal_fit": ("cause", 0.500, 0.12),
    "causal_lead": ("cause", 90.000, None),
    "causal_toward": ("cause", 3.000, None),
    "causal_away": ("cause", -3.000, None),
    "code": ("code", 3.500, None),
    "code_words": ("code", 7.200, 0.35),
    "code_meaning": ("code", 4.100, 0.15),
    "code_likeness": ("code", 6.000, 0.15),
    "code_length": ("code", -5.400, None),
    "when_time": ("answer", 1.026, None),
    "number_named": ("answer", 0.392, None),
    "who_named": ("answer", 0.741, None),
    "where_named": ("answer", 0.564, None),
    "asks": ("wording", -0.213, None),
    "chunk": ("wording", -1.699, None),
    "note": ("wording", -1.623, None),
    "artifact": ("wording", -2.599, None),
    "action": ("wording", -0.584, None),
    "ended": ("wording", -0.851, None),
    "response": ("wording", 0.433, None),
    "role_other": ("wording", -1.0, None),
    "first_person": ("wording", 0.499, None),
    "heading": ("wording", -0.129, None),
    "picture": ("wording", 0.006, None),
    "short": ("wording", 0.290, None),
    "length": ("wording", -2.548, None),
    "content": ("wording", 0.822, None),
    "content_mean": ("wording", 4.093, None),
}
"""Signal -> the family with which it is reported when a hit explains itself, the log-odds per unit of it, and the value
above which it shows that a memory and a question have something in common (unrelated texts have small cosines); None
where it only says how typical of an answer a memory looks."""
WEIGHTS: Final = {name: weight for name, (_, weight, _) in _SIGNALS.items()}
"""Signals of images, entities, causes and code are present only when a question is asked by more than its words, so
that other questions rank as if these did not exist. The weights of code were fitted by the same loss on questions about
a code base; `code` puts them on a level with the signals of talk that they replace (docs/measurements/code.md)."""
FAMILIES: Final = {
    family: tuple(name for name, (of, *_) in _SIGNALS.items() if of == family)
    for family in dict.fromkeys(family for family, *_ in _SIGNALS.values())
}
MATCHING: Final = {name: floor for name, (_, _, floor) in _SIGNALS.items() if floor is not None}
_KINDS: Final = ("chunk", "note", "artifact", "action", "ended", "response", "role_other")
TURN_PRIORS: Final = tuple(name for name in FAMILIES["wording"] if name not in _KINDS)
"""Priors from the shape of a turn, whatever is asked; pieces of files are cut to length, so their shape means nothing.
"""
SLOPE: Final = 0.571
OFFSET: Final = -4.923
EXPECTED: Final[Mapping[str, float]] = MappingProxyType(
    {"names": -3.064, "short_dates": -0.508, "long_dates": -0.713, "when": -0.751, "self": 0.538}
)
"""From the sum to the log-odds that a memory answers rather than not: slope x sum + offset, plus a term for the
question: if its traits let more signals fire, a good memory is expected to score higher. Fitted by logistic regression
on the same data, with answers and non-answers weighted equally."""


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
        total += WEIGHTS.get(name, 0.0) * signals[name].astype(np.float64)
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
