"""The weights of a model of wording, kept so that a process unpacks only those that it meets.

    name of a feature = all but its last word + its last word:  "b we use" -> "b we" -> "use" -> weights

Of some 70,000 features a message meets a few hundred; unpacking all of them takes longer than reading it, and as lists
of numbers they would be walked through by each collection of garbage.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Final, NamedTuple

Odds = tuple[float, float]
"""A log-odds of each kind: of a decision, of a thread."""
Packed = Mapping[str, str]
"""All but the last words of names -> lines of the last ones and of their weights of each kind in steps."""
_NONE: Final[Mapping[str, Odds]] = {}


class Weights:
    """Feature -> log-odds of each kind; features without any count nothing.

    Parameters
    ----------
    packed : the weights in whole steps.
    step : the log-odds of a step.
    """

    def __init__(self, packed: Packed, step: float) -> None:
        self.packed: Final = packed
        self.step: Final = step
        self._met: Final[dict[str, Mapping[str, Odds]]] = {}

    def behind(self, first: str) -> Mapping[str, Odds]:
        """The weights of all features that begin with these words, by the one word that follows."""
        found = self._met.get(first)
        if found is None:
            if first not in self.packed:
                return _NONE
            lasts, decided, opened = (line.split(" ") for line in self.packed[first].split("\n"))
            odds = (map(self.step.__mul__, map(int, steps)) for steps in (decided, opened))
            # Thousands at once: in no loop of ours.
            found = self._met[first] = dict(zip(lasts, zip(*odds, strict=True), strict=True))
        return found

    def get(self, name: str) -> Odds | None:
        """The weights of a feature, None if it has none."""
        first, _, last = name.rpartition(" ")
        return self.behind(first).get(last)

    def beginning(self, words: str) -> list[Odds]:
        """The weights of all features whose names begin so."""
        return [
            each for first in self.packed if first.startswith(words) for each in self.behind(first).values()
        ]


class _Group(NamedTuple):
    lasts: list[str]
    decided: list[int]
    opened: list[int]


def packed(weights: Mapping[str, Odds], step: float) -> dict[str, str]:
    """Weights by name as `Packed`, rounded to whole steps; names have no space at an end."""
    groups: defaultdict[str, _Group] = defaultdict(lambda: _Group([], [], []))
    for name in sorted(weights):
        first, _, last = name.rpartition(" ")
        group = groups[first]
        group.lasts.append(last)
        for steps, each in zip((group.decided, group.opened), weights[name], strict=True):
            steps.append(round(each / step))
    return {first: "\n".join(" ".join(map(str, line)) for line in group) for first, group in groups.items()}
