"""Has a language model read the pairs that the rules call a conflict: it confirms or rejects them, and finds none.

Whatever goes wrong with the model, what the rules found stands, and says so. A statement that is marked private is not
sent. That one names what the other rejects or replaces is a declaration, which needs no judge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from engramforge.answer.conflicts.conflict_links import side_of
from engramforge.answer.conflicts.opposing import Opposition
from engramforge.core.conflicts.judging import Judgements, Reading, material, readings
from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.oracle.reasoning import Given
from engramforge.errors import ModelMisanswered, ModelUnavailable
from engramforge.llm.language_model import LanguageModel
from engramforge.llm.prompts import CONFLICT
from engramforge.model.language_models.private import is_private
from engramforge.model.lenses.conflict import Conflict
from engramforge.model.memory import Memory

AT_ONCE: Final = 10
"""Pairs of one question: so many verdicts fit into the shortest answer that can be set."""
_PRIVATE: Final = "a statement is private"
_SILENT: Final = "the model gave no clear verdict"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pair that the rules call a conflict. `is_private`: a statement of it is."""

    found: Opposition
    one: Given
    other: Given
    is_private: bool


@dataclass(frozen=True, slots=True)
class JudgingByModel:
    """Judges by a model."""

    model: LanguageModel

    def of(self, candidates: Sequence[Candidate]) -> list[Opposition | None]:
        """What stands of each candidate; None where the model reads no contradiction.

        Raises Stopped: the caller was given up.
        """
        stands: list[Opposition | None] = [each.found for each in candidates]
        asked = []
        for at, each in enumerate(candidates):
            if each.is_private:
                stands[at] = each.found._replace(unjudged=_PRIVATE)
            elif each.found.first.signal is not Signal.REJECTED:
                asked.append(at)
        fault = ""
        for begin in range(0, len(asked), AT_ONCE):
            some = asked[begin : begin + AT_ONCE]
            told: Sequence[Reading | None] = [None] * len(some)
            made_by, why = "", fault
            if not fault:
                try:
                    made_by, told = self._ask([candidates[at] for at in some])
                    why = _SILENT
                except ModelMisanswered as error:
                    why = str(error)
                except ModelUnavailable as error:
                    # The next question would wait as long for as little.
                    why = fault = str(error)
            for at, reading in zip(some, told, strict=True):
                stands[at] = _judged(candidates[at].found, reading, made_by, why)
        return stands

    def _ask(self, candidates: Sequence[Candidate]) -> tuple[str, list[Reading | None]]:
        """Which model by which prompt, and what it reads in each pair."""
        pairs = [(self._cleaned(each.one), self._cleaned(each.other)) for each in candidates]
        answered = self.model.ask(CONFLICT, material(pairs), Judgements)
        return answered.made_by, readings(answered.said, len(candidates))

    def _cleaned(self, given: Given) -> Given:
        # Each by itself, so that a mark which one text opens and another closes takes no fence with it.
        return replace(given, text=self.model.clean(given.text))


def _judged(found: Opposition, reading: Reading | None, made_by: str, why: str) -> Opposition | None:
    if reading is None:
        return found._replace(unjudged=why)
    if not reading.contradicts:
        return None
    agrees = Disagreement(Signal.JUDGE, f"{made_by} agrees: {reading.why}", found.first.strength)
    return found._replace(joined=(*found.joined, agrees))


def given_of(memory: Memory) -> Given:
    """A memory as a model is given it."""
    side = side_of(memory)
    return Given(side.text, side.at, side.epistemic_tier, side.project)


def candidate_of(pair: tuple[Memory, Memory], found: Opposition) -> Candidate:
    """What is read of a pair, the newer first."""
    newer, older = pair
    return Candidate(found, given_of(newer), given_of(older), any(map(is_private, pair)))


def unjudged_among(found: Sequence[Conflict]) -> str:
    """How many of what was found no language model judged, and why."""
    reasons = Counter(each.degraded for each in found if each.degraded)
    return "; ".join(f"{count:,} of {len(found):,} not judged: {why}" for why, count in reasons.items())
