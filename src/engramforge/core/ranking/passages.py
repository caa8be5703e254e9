"""The best passage of a text: a long text holds many words somewhere, one that answers holds them together.

Pure functions over arrays; n texts give float32, shape (n,), in [0, 1].
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.ranking.signals import spread

Floats = NDArray[np.float32]
Places = NDArray[np.int64]

PASSAGE_WORDS: Final = 24
PASSAGE_STEP: Final = 12
"""The length of a passage in counted words (about three sentences), and the distance to the next."""
COMMON_SHARE: Final = 0.08
"""The mean cosine of two words of one passage: how much their sum is longer than that of unrelated words."""


def _passages(ends: Places) -> tuple[NDArray[np.bool_], Places, Places, Places]:
    """All passages of n texts, text by text.

    Which texts have words, bool (n,); each text's first passage, int64 (n,); where each passage begins and stops among
    the words, int64 (p,) each.
    """
    lengths = np.diff(ends, prepend=0)
    filled = lengths > 0
    pieces = np.where(filled, np.maximum(-(-(lengths - PASSAGE_WORDS) // PASSAGE_STEP) + 1, 1), 0)
    firsts = np.cumsum(pieces) - pieces
    owner = np.repeat(np.arange(len(ends)), pieces)
    begins = (ends - lengths)[owner] + (np.arange(len(owner)) - firsts[owner]) * PASSAGE_STEP
    return filled, firsts, begins, np.minimum(begins + PASSAGE_WORDS, ends[owner])


def best_passage(closeness: Floats, words: Places, ends: Places, weights: Floats) -> Floats:
    """The weighted cover of the question's words by the best passage of each text.

    A text no longer than a passage has its own cover.

    `closeness`: float32, shape (q, d). `words`, `ends`: which of the d words each counted word of the texts is, end to
    end, and where each ends. `weights`: float32, shape (q,), summing to 1.
    """
    best = np.zeros(len(ends), np.float32)
    if not len(words) or not len(closeness):
        return best
    filled, firsts, begins, stops = _passages(ends)
    bounds = np.column_stack((begins, stops)).ravel()
    # The last passage ends after the last word, which reduceat does not accept as a bound, so a word is added.
    closest = np.maximum.reduceat(spread(closeness, np.append(words, 0)), bounds)[::2]
    covers = closest @ weights
    best[filled] = np.maximum.reduceat(covers, firsts[filled])
    return best


def nearest_passage(likeness: Floats, words: Places, ends: Places) -> Floats:
    """About the cosine of a question with the mean vector of each text's nearest passage.

    The length of a passage's sum is taken from its number of words, so that no vectors have to be added.

    `likeness`: float32, shape (d,): cosine of the question with each of d distinct words. `words`, `ends`: as in
    `best_passage`.
    """
    best = np.zeros(len(ends), np.float32)
    if not len(words):
        return best
    filled, firsts, begins, stops = _passages(ends)
    sums = np.concatenate((np.zeros(1), np.cumsum(likeness[words], dtype=np.float64)))
    sizes = (stops - begins).astype(np.float64)
    near = (sums[stops] - sums[begins]) / np.sqrt(sizes + sizes * (sizes - 1) * COMMON_SHARE)
    best[filled] = np.clip(np.maximum.reduceat(near, firsts[filled]), 0, 1)
    return best
