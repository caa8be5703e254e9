"""Whether a hit answers a question: the ranking's log-odds against what of the question it leaves unsaid.

The sum of the signals alone tells little (AUC .81 between right hits and the best hits of questions that nothing
answers, .91 with this rule; docs/measurements/ranking.md): a memory may share most of a question and miss the one word
that it is about. The weights were fitted by logistic regression on answered questions of five kinds, and on the same
questions asked of a store without the project that answers them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.ranking.question import FRAME_SHARE, FRAME_WORDS
from engramforge.core.ranking.signals import ABSENT, PRESENT
from engramforge.core.text.dates import names_date

Floats = NDArray[np.float32]

PER_TOTAL: Final = 0.56
PER_UNSAID: Final = -0.214
PER_UNSAID_NAME: Final = -0.864
PER_STRANGE: Final = -1.2
PER_PERSON: Final = -1.325
PER_NO_NUMBER: Final = -2.247
PER_EXACT: Final = 5.511
PER_WORD: Final = 0.772
PER_SIZE: Final = -2.0
OFFSET: Final = -5.11
"""Log-odds per unit of the ranking's log-odds; of importance that a hit leaves unsaid, and of the most important name
that it does; per word that nobody uses; where a person is named, whose every turn ranks high; where
a number is asked for and there is none; for an identifier that is there; per word of the question; in a large scope;
and of none of these."""
LARGE: Final = 10_000
"""Memories of a scope in which every word that people use occurs; in a small one, a missing word tells little."""


@dataclass(frozen=True, slots=True)
class AskedWords:
    """The q words of a question, and what is known of them in a scope.

    `importance`: float32, shape (q,), from `importance_of`. `is_strange`: bool, shape (q,): words of the language that
    no memory in scope has. `is_exact`, `is_name`: bool, shape (q,): identifiers; what is written as a name. `size`:
    from `size_of`. `has_person`: whether somebody who speaks in the scope is named.
    """

    importance: Floats
    is_strange: NDArray[np.bool_]
    is_exact: NDArray[np.bool_]
    is_name: NDArray[np.bool_]
    size: float
    has_person: bool = False


def size_of(total: int) -> float:
    """How large a scope of so many memories is, from 0 to 1, by orders of magnitude.

    >>> [round(size_of(total), 2) for total in (0, 9, 999, 20_000)]
    [0.0, 0.25, 0.75, 1.0]
    """
    return min(1.0, float(np.log1p(total) / np.log1p(LARGE)))


def importance_of(
    words: tuple[str, ...],
    frequencies: NDArray[np.int64],
    total: int,
    lengths: Floats,
    is_dated: bool = False,
) -> Floats:
    """How much it tells that each of q words is missing: its rarity in the scope times what the model gives it.

    Nothing where the question asks for a day or a month (`is_dated`) and the word names it: days are compared as days.

    `frequencies`: int64, shape (q,): how many of the scope's `total` memories have it. `lengths`: float32, shape (q,):
    of its raw word vector.
    """
    rarity = np.minimum(np.log1p(total / (frequencies + 1)) / np.log1p(LARGE), 1)
    framing = np.array([word in FRAME_WORDS for word in words], np.bool_)
    dates = np.array([is_dated and names_date(word) for word in words], np.bool_)
    shares = np.where(dates, 0, np.where(framing, FRAME_SHARE, 1))
    found: Floats = (rarity * shares * np.sqrt(lengths)).astype(np.float32)
    return found


def answer_odds(
    total: Floats,
    cover: Floats,
    asked: AskedWords,
    lacks_number: NDArray[np.bool_],
) -> Floats:
    """The log-odds that each of k hits answers; above 0 it counts as relevant.

    `total`: float32, shape (k,): log-odds of the ranking. `cover`: float32, shape (q, k): how well each hit and what
    stands around it covers each word. `lacks_number`: bool, shape (k,): a number is asked for, and it has none.
    """
    said = np.clip((cover - ABSENT) / (PRESENT - ABSENT), 0, 1)
    unsaid = asked.importance[:, None] * (1 - said)
    exact = (said[asked.is_exact] > 0.5).any(axis=0)
    of_hits = PER_TOTAL * total + PER_UNSAID * unsaid.sum(axis=0) + PER_EXACT * exact
    of_hits += PER_NO_NUMBER * lacks_number
    of_hits += PER_UNSAID_NAME * unsaid[asked.is_name].max(axis=0, initial=0)
    of_question = (
        asked.size * (PER_STRANGE * asked.is_strange.sum() + PER_SIZE) + PER_PERSON * asked.has_person
    )
    odds: Floats = (of_hits + of_question + PER_WORD * len(asked.importance) + OFFSET).astype(np.float32)
    return odds
