"""The name of a topic: the words that its memories share and others have not.

The weight of a term in a topic is how many of its memories have it, times the logarithm of how much rarer it is
outside: class-based TF-IDF (Grootendorst 2022), over memories in place of occurrences, so that one long memory names
nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

TERMS: Final = 3
"""Of how many terms a name is made."""
_LEAST_SHARE: Final = 0.15
"""A term that fewer of its memories have says what one of them is about."""


def weights_of(
    inside: Mapping[str, int], everywhere: Mapping[str, int], size: int, total: int
) -> dict[str, float]:
    """How well each term names a topic, above 0.

    Parameters
    ----------
    inside, everywhere : in how many memories of the topic, and of all, a term stands.
    size, total : how many memories the topic has, and how many there are.

    Half of a topic of 10 have "kiln", nobody else of 100; all have "clay", as have 30 others:

    >>> weights = weights_of({"kiln": 5, "clay": 10}, {"kiln": 5, "clay": 40}, 10, 100)
    >>> {term: round(weight, 3) for term, weight in weights.items()}
    {'kiln': 1.151, 'clay': 0.916}
    """
    found = {}
    for term, count in inside.items():
        share = count / size
        rarer = math.log(share * total / max(everywhere.get(term, count), 1))
        if share >= _LEAST_SHARE and rarer > 0:
            found[term] = share * rarer
    return found


def name_of(
    weights: Mapping[str, float],
    spelled: Callable[[str], str],
    pairs: Mapping[tuple[str, str], int] | None = None,
) -> str:
    """A name of the best terms, best first, those that stand side by side in the texts together; "" without terms.

    Parameters
    ----------
    weights : as of `weights_of`.
    spelled : a term as people write it.
    pairs : how many memories of the topic have one term right before another.

    >>> name_of({"card": 2.0, "arriv": 1.5, "track": 1.0}, {"card": "card", "arriv": "arrival", "track": "track"}.get)
    'card, arrival, track'
    >>> name_of({"pin": 2.0, "chang": 1.9}, {"pin": "PIN", "chang": "change"}.get, {("chang", "pin"): 4})
    'change PIN'
    """
    best = sorted(weights, key=lambda term: (-weights[term], term))[:TERMS]
    said = _joined(best, pairs or {})
    return ", ".join(" ".join(spelled(term) for term in group) for group in said)


def _joined(terms: Sequence[str], pairs: Mapping[tuple[str, str], int]) -> list[list[str]]:
    """Terms as groups in which each stands right before the next in the texts; in the order of the best of each."""
    groups = [[term] for term in terms]
    wanted = [pair for pair in pairs if pair[0] in terms and pair[1] in terms and pair[0] != pair[1]]
    for one, other in sorted(wanted, key=lambda pair: (-pairs[pair], pair)):
        ends = next((group for group in groups if group[-1] == one), None)
        begins = next((group for group in groups if group[0] == other), None)
        if ends is None or begins is None or ends is begins:
            continue
        at = min(groups.index(ends), groups.index(begins))
        groups = [group for group in groups if group is not ends and group is not begins]
        groups.insert(at, [*ends, *begins])
    return groups
