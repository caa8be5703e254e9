"""What the question makes of two items: whether they answer it differently, and whether that concerns it.

By wording alone two texts contradict each other where they make the same claim; asked for how long logs are kept, "90
days, to look back" and "deleted after 30 days" do, too.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.answer.lenses.agreeing import statement
from engramforge.answer.oracle.differing import STATEMENT, differ
from engramforge.core.conflicts.alignment import Likeness
from engramforge.core.conflicts.asked_matter import YES_OR_NO
from engramforge.core.conflicts.disagreement import disagreement
from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.conflicts.statements import CHOOSING, STATING, read_statement
from engramforge.core.lenses.agreement import ALIKE
from engramforge.core.lenses.field import TIERS_APART
from engramforge.core.lenses.leave import asks_leave
from engramforge.core.oracle.resonance import asked_stems
from engramforge.core.text.words import root_of, roots_of, words_of
from engramforge.model.lenses.orchestration import LensItem
from engramforge.model.memory import Kind
from engramforge.model.search.hit import Hit

_SHARE: Final = 0.5
"""How many of the words of a question an item says that is on its matter, at least."""
SURELY: Final = 0.75
"""The calibrated similarity to the question from which an item is on its matter in whatever words."""
NEAR: Final = 0.35
"""Calibrated similarity of two statements that may be about the same thing."""
_NEARLY_ALL: Final = 0.75
"""How many of the words of a question both say that may be unlike else."""
_EACH: Final = 3
"""Items of a lens that are compared at most."""
_LEAST_PAIRS: Final = 4
_LEAST_SHARED: Final = 2
"""Words of a question that two answers share of which one may deny the other."""
_STRENGTH: Final = 0.6
_BUT_FOR: Final = re.compile(r"(?i)\b(?:without|unless|except|other than|until)\b")
"""Denies what is said beside these words alone: "never lent without a receipt" lends."""
_OF_ALL: Final = re.compile(
    r"(?i)\b(?:everything|anything|all (?:of )?(?:that|we|our|the)\b|all \w+s\b|always)"
)
_PLAIN: Final = CHOOSING | STATING
READ: Final = 400
"""Characters of a statement that are compared with the question."""


@dataclass(frozen=True)
class ByQuestion:
    """Compares items by the question that they answer. `like`: how like words are."""

    query: str
    like: Likeness

    @cached_property
    def _asked(self) -> frozenset[str]:
        return asked_stems(self.query)

    def concerns(self, hit: Hit) -> bool:
        """Whether an item is on the matter of the question, and does not only share a word of it."""
        return hit.parts.similarity >= SURELY or self._says(hit) >= _SHARE

    def concerns_both(self, one: Hit | None, other: Hit | None) -> bool:
        """Whether what two items clash about is on the matter of the question.

        One that is on it may stand against the other in something else, which is what they both speak of.
        """
        sides = [each for each in (one, other) if each is not None]
        on = [self.concerns(each) for each in sides]
        if all(on):
            return True
        said = [read_statement(statement(each)[:READ]) for each in sides]
        mine, theirs = ({word.stem for word in each.words} - _PLAIN for each in said)
        shared = mine & theirs
        if not shared:  # they name the same in other words
            return any(on) or any(each.relevant for each in sides)
        return any(on) and not self._asked.isdisjoint(shared)

    def _says(self, hit: Hit) -> float:
        """The share of the words of the question that an item says."""
        if not self._asked:
            return 1.0
        return len(self._asked & said_roots(hit)) / len(self._asked)

    def compared(self, items: Sequence[LensItem], alike: NDArray[np.float64]) -> frozenset[tuple[int, int]]:
        """The places of those items that are compared as answers: the strongest of each lens.

        Comparing two costs half a millisecond, so not many more are than there are pairs of lenses.
        """
        of: defaultdict[str, list[int]] = defaultdict(list)
        for at in sorted(range(len(items)), key=lambda at: -items[at].mass):
            of[items[at].lens].append(at)
        ranks = {at: rank for places in of.values() for rank, at in enumerate(places[:_EACH])}
        says = {at: self._says(items[at].hit) for at in ranks}
        on = [at for at in sorted(ranks) if says[at] >= _SHARE or items[at].hit.parts.similarity >= SURELY]
        pairs = [
            (at, to)
            for at, to in combinations(on, 2)
            if alike[at, to] >= NEAR or min(says[at], says[to]) >= _NEARLY_ALL
        ]
        pairs.sort(key=lambda each: (ranks[each[0]] + ranks[each[1]], -alike[each]))
        return frozenset(pairs[: max(len(of) * (len(of) - 1) // 2 + 1, _LEAST_PAIRS)])

    def asks_for(self, what: str) -> bool:
        """Whether the question asks if something may be that it names by all of its words."""
        words = roots_of(what)
        return bool(words) and words <= self._asked and asks_leave(self.query)

    def is_within(self, one: Hit, other: Hit) -> bool:
        """Whether an item answers the question, and another says of everything what is asked, as by the same verb."""
        both = said_roots(one) & said_roots(other)
        is_of_all = _OF_ALL.search(statement(other)[:READ]) is not None
        return one.relevant and is_of_all and not self._asked.isdisjoint(both)

    def against(self, one: LensItem, other: LensItem, near: float) -> Disagreement | None:
        """How two items answer the question differently. `near`: their calibrated similarity."""
        newer, older = sorted((one.hit, other.hit), key=lambda each: each.memory.told_at, reverse=True)
        told = differ(self.query, newer, older, self.like, is_one_matter=near > ALIKE)
        return None if told is None else Disagreement(Signal(told[0]), told[1], _STRENGTH)

    def denies(self, one: LensItem, other: LensItem) -> Disagreement | None:
        """That one of two answers denies the other, where both say much of what a question for yes or no asks.

        Whoever follows both would do two opposite things, though each says more than the other denies.
        """
        texts = [statement(each.hit) for each in (one, other)]
        is_asked = YES_OR_NO.match(self.query) is not None and one.hit.relevant and other.hit.relevant
        if not is_asked or any(map(_BUT_FOR.search, texts)):
            return None
        said = [self._asked & set(map(root_of, words_of(each[:READ]))) for each in texts]
        if len(said[0] & said[1]) < _LEAST_SHARED or min(map(len, said)) < _SHARE * len(self._asked):
            return None
        if max(map(len, texts)) > STATEMENT:
            return None
        told = disagreement(texts[0], texts[1], like=self.like, is_one_matter=True)
        return told if told is not None and told.signal is Signal.NEGATION else None


def said_roots(hit: Hit) -> frozenset[str]:
    """The roots of all that an item says, as far as it is compared."""
    return frozenset(map(root_of, words_of(statement(hit)[:READ])))


def goes_before(newer: LensItem, older: LensItem) -> bool:
    """Whether of two answers of one project the later one holds: no less binding a memory than the earlier one."""
    sides = newer.hit.memory, older.hit.memory
    return (
        newer.lens == older.lens
        and sides[0].project == sides[1].project
        and sides[0].told_at > sides[1].told_at
        and (sides[0].kind is Kind.DECISION or sides[1].kind is not Kind.DECISION)
        and sides[1].epistemic_tier - sides[0].epistemic_tier < TIERS_APART
    )
