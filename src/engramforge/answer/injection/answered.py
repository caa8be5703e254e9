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
from engramforge.core.injection.gate import asks, is_half_known, only_asks, replies, states, steers
from engramforge.core.injection.inputs.beside import EVERYDAY
from engramforge.core.injection.inputs.matters import distinctive
from engramforge.core.injection.last_session import says_something
from engramforge.core.text.late_pattern import late
from engramforge.core.text.spelling import with_apostrophes
from engramforge.core.text.words import content_words, is_stop_word, stem_of, term_of, words_of
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.detection import Voice
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.time import TimeRange
from engramforge.recall.outcomes import outcomes
from engramforge.recall.request import PRESENT, in_time
from engramforge.store.door import Door, View

_MOST: Final = 20
_LONGEST_REPLY: Final = 120
_TURNS_AFTER: Final = 4
"""The turn itself, its answer, what was said to that, and the answer to it."""
_LEANS: Final = late(
    r"(?i)\b(?:i guess|i suppose|i(?: was| am|['\u2019]?m)? (?:just )?(?:thinking|leaning)|thinking (?:of|about)|maybe"
    r"|perhaps|probably|might|could be|i['\u2019]?d say)\b"
)
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


def leans(turn: Memory) -> bool:
    """Whether a person only asks in a turn, or leans to something; who half remembers does neither."""
    said = turn.content
    return turn.kind in SAID and (
        _LEANS.search(said) is not None or (only_asks(said) and not is_half_known(said))
    )


def settled_after(view: View, chosen: Selection, turn: Memory) -> Memory | None:
    """What a person said next of what they only asked or leaned to in a turn ("web mercator i guess"), where that
    decided it or leans on the turn: who asks for it later must not be told of the turn alone."""
    if turn.session_id is None or voice_of(turn) is not Voice.OWN:
        return None
    since = TimeRange(start=turn.valid_at)
    after = replace(chosen, kinds=(*SAID, Kind.RESPONSE), session_id=turn.session_id, valid_range=since)
    later = view.browse(after, _TURNS_AFTER, newest_first=False)
    said = [each for each in later if each.kind in SAID and each.logical_id != turn.logical_id]
    reply = said[0] if said else None
    if reply is None or len(reply.content) > _LONGEST_REPLY or voice_of(reply) is not Voice.OWN:
        return None
    if asks(reply.content) or not says_something(reply.content) or steers(reply.content):
        return None
    its = [
        reply.id,
        *(each.id for each in later if each.kind is Kind.RESPONSE and each.valid_at > reply.valid_at),
    ]
    places = np.array(list(view.places_of(its[:2]).values()), np.int64)
    _, entries = view.fetch_with_entries(places)
    if reply.logical_id in outcomes(view, entries):
        return None
    is_of_it = replies(reply.content) or (
        states(reply.content) and not distinctive(reply.content).isdisjoint(distinctive(turn.content))
    )
    return reply if is_of_it or any(each.kind is Kind.DECISION for each in entries) else None


def rare_words(view: View, words: list[str]) -> list[str]:
    """The words of which few memories have each."""
    corpus = view.ground().corpus
    most = max(_RARE, int(_RARE_SHARE * corpus.total))
    counts = corpus.frequencies(np.array([term_of(word) for word in words], np.uint32))
    return [word for word, count in zip(words, counts.tolist(), strict=True) if count <= most]
