"""Verbs that read cause and effect out of a text: causes, cause_between. They look at no memory."""

from __future__ import annotations

from engramforge.core.causes.causal_order import CausalOrder, direction_between
from engramforge.core.causes.causation import causations
from engramforge.core.checks.validation import check_content
from engramforge.errors import InvalidValue
from engramforge.forge.parts import ForgePart
from engramforge.model.causation import Causation


class Causing(ForgePart):
    """What a text says of cause and effect."""

    def causes(self, text: str) -> tuple[Causation, ...]:
        """Each statement of a text that something causes something else, in its order (English).

        Raises InvalidContent where the text could not be the content of a memory.
        """
        return causations(check_content(text))

    def cause_between(self, text: str, one: tuple[int, int], other: tuple[int, int]) -> CausalOrder:
        """Which of two spans of a text is the cause, where one of them is.

        Parameters
        ----------
        one, other : [start, end) in characters; they may not overlap.

        Raises InvalidContent where the text is not sound, InvalidValue where a span is not within it.
        """
        if not isinstance(text, str):
            raise InvalidValue("The text is none", "Give the sentence as a string")
        for span in (one, other):
            if not 0 <= span[0] < span[1] <= len(text):
                raise InvalidValue(
                    f"The span {span} is not within the text", "Give [start, end) in characters"
                )
        if max(one[0], other[0]) < min(one[1], other[1]):
            raise InvalidValue(f"The spans {one} and {other} overlap", "Give two that are apart")
        return direction_between(text, one, other)
