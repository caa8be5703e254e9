"""How much another memory repeats of a forgotten text, and whether that says anything of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

MOST_SHARED: Final = 5
"""What more memories than these say is nothing of one's own."""
_LONG: Final = 120
"""The letters of a stretch that nobody repeats by chance or habit, however many do."""
_OWN: Final = 48
"""The letters of a stretch that, where few repeat it, is no turn of phrase."""
_WHOLE: Final = 0.9
_WORD: Final = re.compile(r"\w{3,}")


@dataclass(slots=True)
class Repetition:
    """What one memory repeats of one forgotten text.

    `stretches`: for a part of the text, begin and end of the longest stretch around it that both say.
    """

    text: str
    stretches: dict[str, tuple[int, int]] = field(default_factory=dict)

    def find(self, part: str, other: str) -> None:
        """Take in a part that the other text has, with what both say around it."""
        here, there = self.text.find(part), other.find(part)
        if here < 0 or there < 0:
            return
        before = _agreeing(lambda n: self.text[here - n : here] == other[there - n : there], min(here, there))
        end, its_end = here + len(part), there + len(part)
        most = min(len(self.text) - end, len(other) - its_end)
        after = _agreeing(lambda n: self.text[end : end + n] == other[its_end : its_end + n], most)
        begin, known = here - before, self.stretches.get(part, (0, 0))
        self.stretches[part] = max(known, (begin, end + after), key=lambda each: each[1] - each[0])

    def is_telling(self, spread: Mapping[str, int], is_rare: Callable[[str], bool]) -> bool:
        """Whether it is more than what many texts have, such as a turn of phrase.

        `spread`: how many memories have each part. `is_rare`: whether few memories have a word.
        """
        if sum(end - begin for begin, end in self._united()) >= _WHOLE * len(self.text.strip()):
            return True
        for part, (begin, end) in self.stretches.items():
            words = _WORD.findall(self.text[begin:end])
            letters = sum(map(len, words))
            is_own = spread[part] <= MOST_SHARED and (
                letters >= _OWN or any(is_rare(word) and is_rare(word.lower()) for word in words)
            )
            if is_own or letters >= _LONG:
                return True
        return False

    def words(self) -> int:
        """How many words it repeats."""
        return sum(len(self.text[begin:end].split()) for begin, end in self._united())

    def _united(self) -> Iterator[tuple[int, int]]:
        """The stretches without overlaps."""
        last = 0
        for begin, end in sorted(self.stretches.values()):
            if end > last:
                yield max(begin, last), end
                last = end


def _agreeing(is_same: Callable[[int], bool], most: int) -> int:
    """The greatest number up to which texts are the same, found by halves."""
    least, step = 0, 16
    while least < most and is_same(min(least + step, most)):
        least, step = min(least + step, most), step * 2
    high = min(least + step, most)
    while least < high:
        middle = (least + high + 1) // 2
        least, high = (middle, high) if is_same(middle) else (least, middle - 1)
    return least
