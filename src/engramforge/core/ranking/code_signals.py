"""The signals of code: how a memory that is code answers a question about code.

A function names things once and in its own words, so it is matched differently from talk: each word of the question
counts by the logarithm of its cover (a missing word costs most), words that mean the same in code cover each other, and
the name of a language counts nothing, since all code in it shares that unsaid. Each signal is float32, shape (n,). The
weights in core/ranking/fusion were fitted on a code base and web search questions (docs/measurements/code.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.ranking.fusion import TURN_PRIORS
from engramforge.core.ranking.signals import Signals, cover
from engramforge.core.text.code_words import frame_shares, is_language_name

Floats = NDArray[np.float32]

SAME_CONCEPT: Final = 0.5
"""How well a word covers another word that means the same in code."""
FLOOR: Final = 0.04
"""The least cover that a word counts as having, so that its logarithm is bounded."""
REPLACED: Final = (
    "alone_cosine", "alone_nearest", "alone_passage", "alone_words", "cosine", "cosine_before", "words_clause",
    "words_pair", "words_two_before", "words_window", "artifact", *TURN_PRIORS,
)  # fmt: skip
"""Signals of talk that are meaningless for code standing alone; the signals here replace them."""


def code_weights(words: Sequence[str], weights: Floats) -> Floats:
    """What q words of a question about code count, summing to 1: names of languages 0, framing words little."""
    named = np.array([is_language_name(word) for word in words], np.bool_)
    counted = np.where(named, 0, weights * frame_shares(words)).astype(np.float32)
    total = float(counted.sum())
    return (counted / np.float32(total)).astype(np.float32) if total > 0 else weights


def code_cover(
    closeness: Floats,
    same: NDArray[np.bool_],
    words: NDArray[np.int64],
    ends: NDArray[np.int64],
    weights: Floats,
) -> Floats:
    """The weighted mean logarithm of the cover of q asked words, stretched to [0, 1]; float32, shape (n,).

    `closeness`, `same`: float32 and bool, shape (q, d): closeness of asked words to d words, and which mean the same.
    `words`, `ends`: which of the d words each word of the candidates is, end to end, and where each candidate ends.
    `weights`: float32, shape (q,), summing to 1.
    """
    soft = cover(np.maximum(closeness, np.where(same, np.float32(SAME_CONCEPT), 0)), words, ends)
    least = np.log(FLOOR)
    mean: Floats = weights @ ((np.log(FLOOR + soft) - least) / (np.log(1 + FLOOR) - least)).astype(np.float32)
    return mean


def code_signals(
    covered: Floats,
    meaning: Floats,
    likeness: Floats,
    length: Floats,
    is_code: NDArray[np.bool_],
    alone: NDArray[np.bool_],
) -> Signals:
    """The signals of candidates with code; nothing for the others.

    Parameters
    ----------
    covered : of `code_cover`.
    meaning : cosine in E1 with the question without the names of languages.
    likeness : raw similarity in E7.
    length : the signal of length of all memories.
    is_code, alone : bool, shape (n,): has a signal in E7; stands in no session. Code within a session is part of talk:
        it keeps the signals of talk, and only its likeness is added.
    """
    whole = (is_code & alone).astype(np.float32)
    return {
        "code": whole,
        "code_words": covered * whole,
        "code_meaning": np.clip(meaning, 0, 1) * whole,
        "code_length": length * whole,
        "code_likeness": np.clip(likeness, 0, 1) * is_code,
    }


def in_place_of_talk(found: Signals, code: Signals) -> Signals:
    """All signals together, those of talk silent where code stands alone."""
    talk = 1 - code["code"]
    return {**found, **{name: found[name] * talk for name in REPLACED if name in found}, **code}
