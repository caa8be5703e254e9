"""How near to attention a memory of a stream is, and the three tiers.

Source: spec chapter 5, "The stream"; document 003, component 5.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from engramforge.core.streams.asked_relations import Said, Ways, either_way
from engramforge.model.streams.stream import Path
from engramforge.model.streams.ways import Tier

TIER_SIZES: Final[Mapping[Tier, int]] = {Tier.FOCUS: 5, Tier.PERIPHERAL: 20, Tier.BACKGROUND: 50}
"""How many memories a tier holds at most, in order."""
PRIORITY: Final = 0.4
OF_ENERGY: Final = 0.4
OF_PRESSURE: Final = 0.6
OF_CONFIDENCE: Final = 0.2
OF_EMOTION: Final = 0.5
OF_GAPS: Final = 0.1
OF_RELATION: Final = 0.5
"""What it adds to a tier score, for the order alone, that a question says the relation which leads to something: of
links of equal energy those that are asked for come first, however near to the question the ends of the others are."""
FAR_BELOW: Final = 0.2
"""The share of the best relevance below which something has little to do with a question: it diverges by chapter 2, too
(E1 below 0.30), and what links lead to counts as an answer from there on."""
LARGEST: Final = 1 + PRIORITY * (OF_ENERGY + OF_PRESSURE) + OF_CONFIDENCE + OF_EMOTION
"""The tier score of what is 1 in everything: 2.1."""
T = TypeVar("T")


def tier_score(
    relevance: float,
    *,
    energy: float,
    reality_pressure: float,
    confidence: float,
    resonance: float,
    completeness: float,
) -> float:
    """relevance + 0.4 (0.4 energy + 0.6 reality_pressure) + 0.2 confidence + 0.5 emotional resonance
    - 0.1 (1 - completeness); all in 0..1.

    0.8 + 0.4 (0.4 x 0.6 + 0.6 x 0.5) + 0.2 x 0.9 + 0.5 x 0.5 - 0.1 x 0.5 = 1.396:

    >>> score = tier_score(0.8, energy=0.6, reality_pressure=0.5, confidence=0.9, resonance=0.5, completeness=0.5)
    >>> round(score, 3)
    1.396
    """
    priority = OF_ENERGY * energy + OF_PRESSURE * reality_pressure
    return (
        relevance
        + PRIORITY * priority
        + OF_CONFIDENCE * confidence
        + OF_EMOTION * resonance
        - OF_GAPS * (1 - completeness)
    )


def activation_of(score: float) -> float:
    """A tier score over the largest there is, 2.1, clamped to 0..1.

    >>> round(activation_of(1.396), 3), activation_of(-0.05)
    (0.665, 0.0)
    """
    return min(1.0, max(0.0, score / LARGEST))


def asked_for(path: Path, said: Said, ways: Ways = either_way) -> float:
    """How much sooner something comes by the path that leads to it: 0.5 x the mean share of the relations of its links
    that the question says / depth. `ways`: in which direction it asks for the first of them; in the other it counts
    half.

    >>> asked_for(Path(0.6, 0.9, 1, "avalon", ("TRADES_WITH",)), {"TRADES_WITH": 1.0, "BORDERS": 0.0}.__getitem__)
    0.5
    >>> path = Path(1.2, 1.8, 2, "avalon", ("TRADES_WITH", "BORDERS"))
    >>> asked_for(path, {"TRADES_WITH": 1.0, "BORDERS": 0.0}.__getitem__)
    0.125
    """
    shares = [said(each) for each, _ in path.led]
    if shares and shares[0]:
        relation, forward = path.led[0]
        shares[0] *= ways(relation, path.start).share_of(forward)
    return OF_RELATION * math.fsum(shares) / len(shares) / path.depth if shares else 0.0


def in_tiers(ordered: Sequence[T], far: Sequence[T] = ()) -> dict[Tier, tuple[T, ...]]:
    """What is ordered by activation, best first, in its tiers: the first 5, the next 20, the next 50. `far`: what has
    little to do with the question, which fills up the background alone.

    >>> {str(tier): len(held) for tier, held in in_tiers(range(30)).items()}
    {'focus': 5, 'peripheral': 20, 'background': 5}
    >>> {str(tier): len(held) for tier, held in in_tiers("ab", "xyz").items()}
    {'focus': 2, 'peripheral': 0, 'background': 3}
    """
    held, begin = {}, 0
    for tier, size in TIER_SIZES.items():
        held[tier] = tuple(ordered[begin : begin + size])
        begin += size
    rest = TIER_SIZES[Tier.BACKGROUND] - len(held[Tier.BACKGROUND])
    held[Tier.BACKGROUND] += tuple(far[:rest])
    return held


def far_below(*scales: Mapping[str, float]) -> frozenset[str]:
    """What is far less relevant than the best on every scale on which it stands. What the words of a question find and
    what links lead to stand on scales of their own: a path halves with each link, whatever it leads to.

    >>> sorted(far_below({"a": 0.9, "b": 0.2, "c": 0.17, "d": 0.01}))
    ['c', 'd']
    >>> sorted(far_below({"a": 0.9, "b": 0.2, "c": 0.17, "d": 0.01}, {"a": 0.4, "c": 0.1, "e": 0.02}))
    ['d', 'e']
    """
    near: set[str] = set()
    for scale in scales:
        best = max(scale.values(), default=0.0)
        near.update(one for one, relevance in scale.items() if best > 0 and relevance >= FAR_BELOW * best)
    # Where nothing has anything to do with it nothing has less.
    return frozenset().union(*scales) - near if near else frozenset()
