"""The priority of a memory in an injection: relevance x recency x diversity.

Relevance is the fused similarity of a recall, 0..1: ranking by the weighted excess over the thresholds measured far
below it. Diversity speaks of agreement: the topic weights of the spaces in which a memory is similar, added up. What is
not asked for by words (the entries of a portfolio) is as relevant as it is sure and used.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from engramforge.model.spaces import ROW_BY_SPACE, Space

RECENCIES: Final = ((1 / 24, 1.3), (1.0, 1.2), (7.0, 1.1), (30.0, 1.0))
"""Days -> the factor of what is younger."""
OLD_DAYS: Final = 90.0
OLD: Final = 0.8
"""The factor falls from 1 at 30 days to this at 90, and stays."""
STRONG, TOPIC, RELATED = 5.0, 2.5, 1.0
"""Agreement of a strong topic, of a topic, and of what is related."""
_DIVERSITIES: Final = ((STRONG, 1.5), (TOPIC, 1.2), (RELATED, 1.0))
_WEAK: Final = 0.8
_SATURATION: Final = 1.2
_SECONDS: Final = 86_400.0


def priority(relevance: float, days: float, agreement: float) -> float:
    """The product; `relevance` 0..1, `days` since it became true, `agreement` 0..8.5.

    >>> round(priority(0.8, 0.5 / 24, 5.5), 2)  # .8 x 1.3 x 1.5
    1.56
    >>> round(priority(0.8, 60, 1.0), 2)  # .8 x .9 x 1
    0.72
    >>> round(priority(0.5, 365, 0.5), 2)  # .5 x .8 x .8
    0.32
    """
    return relevance * recency(days) * diversity(agreement)


def recency(days: float) -> float:
    """The factor of age; what lies ahead counts as new.

    >>> [recency(days) for days in (0.04, 1 / 24, 0.99, 1, 6.99, 7, 30, 60, 90, 400)]
    [1.3, 1.2, 1.2, 1.1, 1.1, 1.0, 1.0, 0.9, 0.8, 0.8]
    """
    for below, factor in RECENCIES:
        if days < below:
            return factor
    begin = RECENCIES[-1][0]
    share = min((days - begin) / (OLD_DAYS - begin), 1.0)
    return round(1.0 - (1.0 - OLD) * share, 12)


def diversity(agreement: float) -> float:
    """The factor of agreement.

    >>> [diversity(each) for each in (8.5, 5, 4.99, 2.5, 2.49, 1, 0.99, 0)]
    [1.5, 1.5, 1.2, 1.2, 1.0, 1.0, 0.8, 0.8]
    """
    return next((factor for least, factor in _DIVERSITIES if agreement >= least), _WEAK)


def agreement_of(high: Iterable[Space]) -> float:
    """The topic weights of the spaces in which a memory is above the high threshold; temporal ones weigh nothing.

    >>> agreement_of([Space.SEMANTIC, Space.SPARSE_LEXICAL, Space.ENTITY, Space.TEMPORAL_RECENT])
    2.5
    """
    return sum(ROW_BY_SPACE[space].topic_weight for space in high)


def families_of(high: Iterable[Space]) -> int:
    """How many families of spaces agree, temporal ones left out: two of one family know the same by the same means.

    >>> families_of([Space.SPARSE_LEXICAL, Space.SPARSE_EXPANSION, Space.SEMANTIC])
    2
    """
    return len({ROW_BY_SPACE[each].family for each in high if ROW_BY_SPACE[each].takes_part_in_relevance})


def standing(tier: float, accesses: int) -> float:
    """How relevant an entry is that nobody asked for: half by its tier, half by how much it was opened, which
    saturates.

    >>> round(standing(0.5, 0), 2), round(standing(0.5, 3), 2), round(standing(1.0, 1000), 2)
    (0.25, 0.52, 0.93)
    """
    opened = math.log1p(accesses)
    return 0.5 * tier + 0.5 * opened / (opened + _SATURATION)


def days_between(then: datetime, now: datetime) -> float:
    """Days from one moment to another; not negative."""
    return max((now - then).total_seconds() / _SECONDS, 0.0)
