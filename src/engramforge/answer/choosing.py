"""In which order what was found goes in: of a section the first lines are told, the others only where there is room.

By priority; for a prompt also by the ways of the settings (`core.topics.ordering`). Outside a session nothing is by
lot: the same call has the same answer. In one the lot is of the session and the prompt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from typing import Final

from engramforge.answer.injection.occasion import Occasion
from engramforge.answer.injection.offers import Offer
from engramforge.core.injection.budget import LONGEST, SHARES
from engramforge.core.injection.priority import days_between
from engramforge.core.topics.ordering import Chance, Offered, Ways, has_choice, ordered
from engramforge.model.injection import ASKS, DIVERSITY, EXPLORATION, IMPORTANCE, Section
from engramforge.model.scope import Scope
from engramforge.model.topics.topic import ARMS
from engramforge.store.door import Door

_HEAD: Final = 20
"""Tokens of a line beside what is said."""
_LETTERS: Final = 4
"""Letters of a token, on the whole."""


@dataclass(frozen=True, slots=True)
class Choosing:
    """Orders offers. `order`: by which ways beside priority."""

    door: Door
    order: Sequence[str]

    def in_order(self, scope: Scope, offers: Sequence[Offer], asked: Occasion, now: datetime) -> list[Offer]:
        """The offers, in each section what should go in first."""
        found = sorted(offers, key=lambda each: -each.priority)
        if asked.event != ASKS or not self.order or len(found) < 2:
            return found
        sections: dict[Section, list[Offer]] = {}
        for each in found:
            sections.setdefault(each.section, []).append(each)
        left, told = 0, []
        for section, share in SHARES[asked.event].items():
            its = sections.get(section, [])
            places, left = _room(its, share + left)
            told += self._ordered(scope, its, asked, now, places) if len(its) > 1 else its
        return told

    def _ordered(
        self, scope: Scope, its: list[Offer], asked: Occasion, now: datetime, places: int
    ) -> list[Offer]:
        ways = Ways(importance=IMPORTANCE in self.order, diversity=DIVERSITY in self.order)
        offered = [_offered(each, now, has_words=ways.diversity) for each in its]
        chance = None
        may_draw = EXPLORATION in self.order and has_choice([each.priority for each in its], places)
        if may_draw and asked.session and asked.project:
            chance, topics = self._chance(scope.within(asked.project), asked.project, its, asked)
            offered = [
                replace(each, topic=topics.get(offer.memory.id, ""))
                for each, offer in zip(offered, its, strict=True)
            ]
        return [its[place] for place in ordered(offered, ways, chance, places)]

    def _chance(
        self, scope: Scope, project: str, its: Sequence[Offer], asked: Occasion
    ) -> tuple[Chance, Mapping[str, str]]:
        """What a lot needs, and the topics of offers by version id."""
        import numpy as np

        from engramforge.core.topics.choice import Arm

        with self.door.asking(scope) as view:
            places = view.places_of([each.memory.id for each in its])
            of = view.topics_at(list(places.values()))
            kept = view.mark(ARMS + project) or {}
        arms = {topic: Arm(*counts) for topic, counts in kept.items()}
        seed = blake2b(f"{asked.session}\0{asked.prompt}".encode(errors="replace"), digest_size=16).digest()
        rng = np.random.default_rng(int.from_bytes(seed))
        topics = {version: of[place][0] for version, place in places.items() if place in of}
        return Chance(rng, arms), topics


def _room(its: Sequence[Offer], tokens: int) -> tuple[int, int]:
    """How many of a section's offers have room in so many tokens, about; and how many tokens are left."""
    for place, each in enumerate(its):
        most = LONGEST[each.section]
        size = min(len(each.said) // _LETTERS + _HEAD, most)
        if size > tokens:
            return place, tokens
        tokens -= size
    return len(its), tokens


def _offered(offer: Offer, now: datetime, *, has_words: bool) -> Offered:
    memory = offer.memory
    opened_at = memory.last_accessed_at
    return Offered(
        offer.priority,
        memory.access_count,
        memory.exposure_count,
        0.0 if opened_at is None else days_between(opened_at, now),
        words=frozenset(offer.said.casefold().split()) if has_words else frozenset(),
    )
