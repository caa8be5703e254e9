"""What a person said since against what is about to be told: an older value by itself is worse than silence.

Whether or not a registry has either, the later turn is told before the older one, both with their dates; where the
session itself has the later one before its eyes, the older one is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from engramforge.answer.injection.naming import Asked, with_names
from engramforge.answer.injection.occasion import Occasion
from engramforge.answer.injection.offers import SAID, Offer, sources_of
from engramforge.answer.injection.stated import told_of
from engramforge.core.detection.endings.turned import turns
from engramforge.core.detection.proposal import detection_of
from engramforge.core.detection.whose.speakers import voice_of
from engramforge.core.injection.inputs.matters import distinctive
from engramforge.core.injection.inputs.overtaking import left_standing, looked_for, overtakes
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.detection import Detection, Voice
from engramforge.model.registries.entry import EntryQuery, ReviewStatus
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.time import TimeRange
from engramforge.recall.outcomes import outcomes
from engramforge.recall.request import PRESENT, in_time
from engramforge.registries.decisions.decision_view import decision_text
from engramforge.registries.registered import registration_of
from engramforge.store.door import Door, View

_MAY_BE_STALE: Final = frozenset((*SAID, Kind.RESPONSE, Kind.DECISION))
_FLAGS: Final = 200
"""What waits for review that is read where a hook waits; the newest of it."""
_QUOTED: Final = 120
_MOST: Final = 20
"""Later turns that are looked at."""
_FOLLOWED: Final = 3
_BEFORE: Final = 1.01
"""How much more the later turn counts than what it overtakes."""


@dataclass(frozen=True, slots=True)
class Overtaken:
    """Looks for the last turn of a person that changes what is about to be told."""

    door: Door
    clock: Callable[[], datetime]

    def as_said_since(self, scope: Scope, offers: Sequence[Offer], asked: Occasion) -> list[Offer]:
        """The offers, before each that was overtaken the later turn; `scope`: narrowed to the project."""
        older = [each for each in offers if each.memory.kind in _MAY_BE_STALE and not each.is_for_good]
        texts = (text for each in older for text in _texts(each))
        names = list(dict.fromkeys(name for text in texts for name in looked_for(text)))
        if not names:
            return list(offers)
        since = min(each.memory.valid_at for each in older)
        selection = in_time(Selection(kinds=SAID, valid_range=TimeRange(start=since)), PRESENT, self.clock())
        with self.door.asking(scope) as view:
            found, entries = with_names(view, selection, Asked(names, _MOST))
            ended = outcomes(view, entries)
        later = [each for each in found if voice_of(each) is Voice.OWN and each.logical_id not in ended]
        later.sort(key=lambda each: each.valid_at, reverse=True)
        told: list[Offer] = []
        for offer in offers:
            newer = _newer(offer, later) if offer in older else None
            if newer is None:
                told.append(offer)
                continue
            is_before_eyes = asked.is_in_context(newer)
            if not is_before_eyes:
                worth = offer.priority * _BEFORE
                told.append(replace(offer, memory=newer, said=newer.content, priority=worth))
            # The values beside the one that was changed hold.
            turns = [each.content for each in later if each.valid_at > offer.memory.valid_at]
            rest = left_standing(turns, told_of(offer.memory))
            if rest and distinctive(rest) & distinctive(asked.prompt):
                told.append(replace(offer, said=rest))
            elif not (is_before_eyes or rest):
                told.append(offer)
        return told


def with_what_waits(view: View, offers: Sequence[Offer]) -> list[Offer]:
    """The offers, each decision with what a person said that perhaps takes its place and waits for review."""
    is_told = any(each.memory.kind is Kind.DECISION for each in offers)
    return beside_decisions(offers, perhaps_turned(view) if is_told else ())


def beside_decisions(offers: Iterable[Offer], perhaps: Iterable[Detection]) -> list[Offer]:
    """The offers, each decision with the last of these turns, the oldest first, that puts something in its place."""
    left = {turn.entry: turn for turn in perhaps}
    return [
        replace(each, said=_beside(each.memory, turn)) if (turn := left.get(each.memory.logical_id)) else each
        for each in offers
    ]


def perhaps_turned(view: View) -> list[Detection]:
    """The turns from a decision in a person's own words that wait for review, the oldest first."""
    query = EntryQuery(kind=Kind.FLAG, statuses=(str(ReviewStatus.PENDING),), limit=_FLAGS)
    details = (registration_of(flag).details for flag in reversed(view.entries(query)))
    found = (detection_of(each["proposal"]) for each in details if "proposal" in each)
    return [each for each in found if each.entry and turns(each) and each.voice is Voice.OWN]


def _beside(decision: Memory, turn: Detection) -> str:
    """A decision without its reasons, and what may take its place, or the words that leave it."""
    new = " ".join((turn.superseded_by or turn.sentence).split())
    new = new if len(new) <= _QUOTED else f"{new[:_QUOTED].rpartition(' ')[0]} \u2026"
    return f'{decision_text(decision)} (may be replaced: "{new}" waits for review)'


def _texts(offer: Offer) -> set[str]:
    """What an offer says, also without what it is told with: a reply's question says much beside."""
    return {offer.said, told_of(offer.memory)}


def _newer(offer: Offer, later: Sequence[Memory]) -> Memory | None:
    """The last of these turns, newest first, that overtakes an offer, or what has overtaken that."""
    own = {offer.memory.logical_id, *sources_of(offer.memory)}
    since = [each for each in later if each.logical_id not in own]
    newest, texts, at = None, _texts(offer), offer.memory.valid_at
    for _ in range(_FOLLOWED):
        after = [
            each
            for each in since
            if each.valid_at > at and any(overtakes(each.content, text) for text in texts)
        ]
        if not after:
            break
        # "Back to 15" says of what only together with what it takes back.
        newest, at = after[0], after[0].valid_at
        texts = {f"{text} {newest.content}" for text in texts}
    return newest
