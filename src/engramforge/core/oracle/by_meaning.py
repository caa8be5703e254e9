"""Which decision a question means where it shares no words with any (docs/measurements/oracle.md).

Where a decision shares words with a question the ranking has judged it, and what is near by those words and was not
found to answer is mostly about something beside it. So the nearest one by meaning counts only where hardly a word is
shared, and where it stands out among the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_NEAR: Final = 0.2
"""The least cosine with the question, on the static encoder's scale."""
_COVERED: Final = 0.2
"""The largest share of the question's words, by weight, that it may cover."""
_CROWD: Final = 4
_ABOVE_CROWD: Final = 0.08
"""By how much it is above the one at this place: where many are as near, none is meant."""


def is_meant(cosines: Sequence[float], covered: float) -> bool:
    """Whether a question means the nearest of some decisions.

    `cosines`: of the decisions, descending. `covered`: the share of the question's words that the nearest one covers.

    >>> is_meant([0.3, 0.2, 0.1, 0.1], 0.1), is_meant([0.3, 0.2, 0.1, 0.1], 0.5), is_meant([0.1], 0.1)
    (True, False, False)
    >>> is_meant([0.3, 0.29, 0.28, 0.27], 0.1), is_meant([], 0.0)
    (False, False)
    """
    if not cosines or cosines[0] < _NEAR or covered > _COVERED:
        return False
    return len(cosines) < _CROWD or cosines[0] - cosines[_CROWD - 1] >= _ABOVE_CROWD
