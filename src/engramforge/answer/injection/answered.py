"""What was said since to a question that was asked before: a recall finds the question, which is nearest to itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import numpy as np

from engramforge.answer.injection.naming import Asked, with_names
from engramforge.answer.injection.occasion import Occasion
from engramforge.answer.injection.offers import SAID, Offer, answering
from engramforge.core.detection.whose.speakers import voice_of
from engramforge.core.injection.gate import only_asks
from engramforge.core.injection.inputs.beside import EVERYDAY
from engramforge.core.text.spelling import with_apostrophes
from engramforge.core.text.words import content_words, is_stop_word, stem_of, term_of, words_of
from engramforge.model.memory import Memory
from engramforge.model.registries.detection import Voice
from engramforge.model.scope import Scope
from engramforge.model.time import TimeRange
from engramforge.recall.outcomes import outcomes
from engramforge.recall.request import PRESENT, in_time
from engramforge.store.door import Door, View

_MOST: Final = 20
_RARE: Final = 8
_RARE_SHARE: Final = 0.01
"""A word names a matter that no more memories have, or no greater share of them."""


@dataclass(frozen=True, slots=True)
class Answered:
    """Looks for the last statement of a person that has a rare word of both questions."""

    door: Door
    clock: Callable[[], datetime]

    def offers(
        self, scope: Scope, prompt: str, questions: Sequence[Memory], asked: Occasion, now: datetime
    ) -> list[Offer]:
        """At most one statement since the first of these questions; `scope`: narrowed to the project."""
        shared = _words(prompt).intersection(*(_words(q.content) for q in questions)) if questions else None
        if not shared:
            return []
        since = min(each.valid_at for each in questions)
        later = replace(asked.not_in_context(SAID), valid_range=TimeRange(start=since))
        selection = in_time(later, PRESENT, self.clock())
        with self.door.asking(scope) as view:
            if not (rare := rare_words(view, sorted(shared))):
                return []
            found, entries = with_names(view, selection, Asked(rare, _MOST))
            overtaken = outcomes(view, entries)
        told = [
            each
            for each in found
            if each.valid_at > since
            and each.logical_id not in overtaken
            and voice_of(each) is Voice.OWN
            and not only_asks(each.content)
        ]
        best = max(
            told, key=lambda each: (len(_words(each.content) & set(rare)), each.valid_at), default=None
        )
        return [] if best is None else [answering(best, now)]


def _words(text: str) -> frozenset[str]:
    """The words that name a matter, and not every one."""
    words = content_words(words_of(with_apostrophes(text.casefold())))
    return frozenset(word for word in words if not is_stop_word(word) and stem_of(word) not in EVERYDAY)


def rare_words(view: View, words: list[str]) -> list[str]:
    """The words of which few memories have each."""
    corpus = view.ground().corpus
    most = max(_RARE, int(_RARE_SHARE * corpus.total))
    counts = corpus.frequencies(np.array([term_of(word) for word in words], np.uint32))
    return [word for word, count in zip(words, counts.tolist(), strict=True) if count <= most]
