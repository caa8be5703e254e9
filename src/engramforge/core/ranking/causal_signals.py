"""How well texts fit as the cause or the effect of a question's text, by learned knowledge of words.

A square map W says of two unit word vectors how well the first is a cause of the second: c' W e, which differs from e'
W c. After R. Sharp et al., "Creating causal embeddings for question answering", 2016, and Z. Luo et al., "Commonsense
causal reasoning between short texts", 2016 (sums over pairs of words).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.similarity.comparison import segment_maxima, segment_sums

Floats = NDArray[np.float32]
Ends = NDArray[np.int64]

COVER_FULL: Final = 0.3
COVER_NONE: Final = 0.4
"""Knowledge counts in full while the best text covers at most the first share of the question, and not at all from the
second on. Measured: 95 % of questions about long conversations lie above, 90 % of plain pairs below."""
_TOP: Final = 3
_LEAST: Final = 1e-9


def causal_features(
    pairs: Floats,
    alike: Floats,
    query: tuple[Floats, Floats, float],
    words: tuple[Floats, Floats],
    ends: Ends,
) -> Floats:
    """Features of n texts beside a question's text, float32, shape (n, 5); 0 for a text without words.

    Parameters
    ----------
    pairs, alike : float32, shape (q, w): each question word with each word of the texts, by the map and by cosine.
    query : rarity (q,) and weight (q,) of the question's words, and the length of their weighted sum.
    words : rarity (w,) and weight (w,) of the texts' words; each word counts once per text.
    ends : int64, shape (n,): where each text's words end.
    """
    rarity, weight, norm = query
    text_rarity, text_weight = words
    # Unrelated words are nearly orthogonal, so the length of a text's sum is nearly the root of its squares.
    norms = np.sqrt(segment_sums(text_weight**2, ends)) * norm + _LEAST
    share = rarity / (rarity.sum() + _LEAST)
    best = segment_maxima(pairs * rarity[:, None] * text_rarity, ends)
    top = np.sort(best, axis=0)[-_TOP:]
    found = (
        segment_sums((weight @ pairs) * text_weight, ends) / norms,
        best.sum(axis=0) / (rarity.sum() + _LEAST),
        top.sum(axis=0) / _TOP,
        segment_sums((weight @ alike) * text_weight, ends) / norms,
        share @ segment_maxima(alike, ends),
    )
    return np.stack(found, axis=1).astype(np.float32)


def causal_fit(features: Floats, weights: Floats, span: tuple[float, float]) -> Floats:
    """Features to one number in [0, 1], float32, shape (n,), linear in the log-odds that a text is the one asked for.

    `weights`: float32, shape (5,): log-odds per feature. `span`: the log-odds that become 0 and 1.
    """
    low, high = span
    fit: Floats = np.clip((features @ weights - low) / (high - low), 0, 1).astype(np.float32)
    return fit


def share_of_knowledge(cover: Floats) -> float:
    """How much knowledge counts beside the words, 0..1: less, the more of the question the best text covers.

    `cover`: float32, shape (n,): share of the question's words that each text covers.
    """
    best = float(cover.max(initial=0))
    return min(max((COVER_NONE - best) / (COVER_NONE - COVER_FULL), 0.0), 1.0)


def causal_signals(fits: Floats, is_plain: NDArray[np.bool_], share: float) -> dict[str, Floats]:
    """How well each plain text fits, and how much better than the median; both times the share, 0 for other texts."""
    middle = float(np.median(fits[is_plain])) if is_plain.any() else 0.0
    lead = np.clip(fits - middle, 0, 1)
    return {
        "causal_fit": np.where(is_plain, fits * share, 0).astype(np.float32),
        "causal_lead": np.where(is_plain, lead * share, 0).astype(np.float32),
    }


def direction_signals(cosines: Floats, weights: Floats, present: NDArray[np.bool_]) -> dict[str, Floats]:
    """How far each text tells of the side that is asked for, and how far of the other; float32, shape (n,), in [0, 1].

    "Why did the requests time out?" is about an effect: a text whose effect is like it tells its cause, one whose cause
    is like it tells what came of it.

    `cosines`: float32, shape (n, 2): of the question with each text's causes and effects. `weights`: float32, shape
    (2,): the modifiers of the two, the larger one with the asked direction. `present`: bool, shape (n,): texts that
    tell of cause and effect.

    >>> cosines = np.array([[0.1, 0.9], [0.8, 0.2]], np.float32)
    >>> found = direction_signals(cosines, np.array([0.8, 1.2], np.float32), np.ones(2, np.bool_))
    >>> {name: (10 * values).round().tolist() for name, values in found.items()}
    {'causal_toward': [8.0, 0.0], 'causal_away': [0.0, 6.0]}
    """
    toward = int(np.argmax(weights))
    lead = np.where(present, cosines[:, toward] - cosines[:, 1 - toward], 0)
    return {
        "causal_toward": np.clip(lead, 0, 1).astype(np.float32),
        "causal_away": np.clip(-lead, 0, 1).astype(np.float32),
    }
