"""Signals of memories that stand alone: how much of its title a question says, and whether it says that it has ended.

Pure functions over arrays; n candidates give float32, shape (n,), in [0, 1].
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.similarity.comparison import segment_sums

Floats = NDArray[np.float32]
Places = NDArray[np.int64]

TITLE_WORDS: Final = 8
"""How many of the first counted words of a note, a record or a piece of code say what it is about."""
STATUS: Final = "status"
ENDED: Final = ("rejected", "withdrawn", "superseded", "deprecated", "obsolete", "abandoned")
REPLACED: Final = ("obsoleted", "superseded", "replaced")
BY: Final = "by"
"""`Status: Rejected` and the like, or `Obsoleted by` and the like."""


def title_share(closeness: Floats, importance: Floats, words: Places, ends: Places) -> Floats:
    """The share of each candidate's first words that the question says, by their importance.

    What a text covers of a question says nothing of what else it is about; this does. A text that is no longer than a
    title has none.

    `closeness`: float32, shape (q, d), of the question's words to d distinct words. `importance`: float32, shape (d,).
    `words`, `ends`: which of the d words each counted word is, end to end, and where each candidate ends.
    """
    lengths = np.diff(ends, prepend=0)
    taken = np.where(lengths > TITLE_WORDS, TITLE_WORDS, 0)
    if not len(closeness) or not taken.any():
        return np.zeros(len(ends), np.float32)
    title_ends = np.cumsum(taken)
    within = np.arange(int(title_ends[-1])) - np.repeat(title_ends - taken, taken)
    places = words[np.repeat(ends - lengths, taken) + within]
    said = segment_sums((closeness.max(axis=0) * importance)[places].astype(np.float32), title_ends)
    whole = segment_sums(importance[places].astype(np.float32), title_ends)
    share: Floats = (said / np.maximum(whole, 1e-9)).astype(np.float32)
    return share


def says_it_ended(
    words: NDArray[np.int32],
    ends: Places,
    status: int,
    ended: NDArray[np.int32],
    replaced: NDArray[np.int32],
    by: int,
) -> Floats:
    """1 where a text says of itself that it is rejected, superseded and the like, else 0.

    `words`, `ends`: the key of every word, end to end, and where each candidate ends. The others: keys of `STATUS`,
    `ENDED`, `REPLACED`, `BY`.

    >>> keys = np.array([7, 1, 2, 7, 3, 4], np.int32)  # "... status rejected", "... obsoleted by"
    >>> one = np.array([2], np.int32), np.array([3], np.int32)
    >>> says_it_ended(keys, np.array([3, 6]), 1, *one, 4), says_it_ended(keys, np.array([2, 6]), 1, *one, 4)
    (array([1., 1.], dtype=float32), array([0., 1.], dtype=float32))
    """
    first, second = words[:-1], words[1:]
    says = ((first == status) & np.isin(second, ended)) | (np.isin(first, replaced) & (second == by))
    places = np.flatnonzero(says)
    owners = np.searchsorted(ends, places, "right")
    whole = owners == np.searchsorted(ends, places + 1, "right")
    found = np.zeros(len(ends), np.float32)
    found[owners[whole]] = 1
    return found
