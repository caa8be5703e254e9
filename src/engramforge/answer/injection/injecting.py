"""Makes injections: for each event what it is worth saying, within its budget; nothing where nothing is."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime

from uuid_utils import uuid7

from engramforge.answer.injection.brief import brief_offers
from engramforge.answer.injection.decided import with_what_waits
from engramforge.answer.injection.kept.plain_values import PlainValues
from engramforge.answer.injection.kept.talks import Talks
from engramforge.answer.injection.occasion import Occasion
from engramforge.answer.injection.offers import Offer, make, sources_of
from engramforge.answer.injection.overtaken import Overtaken
from engramforge.answer.injection.portfolio import portfolio_offers, without
from engramforge.answer.injection.similar import Similar
from engramforge.answer.shifts.kept import last_shift
from engramforge.answer.shifts.watching import ShiftWatching
from engramforge.core.injection.gate import Gate
from engramforge.core.injection.tokens import tokens_of
from engramforge.model.injection import ASKS, COMPACT, RESUME, STARTS, Injection
from engramforge.model.scope import Scope
from engramforge.model.time import AsOf
from engramforge.recall.retrieval import Retriever
from engramforge.store.door import Door

InOrder = Callable[[Scope, Sequence[Offer], Occasion, datetime], list[Offer]]
"""Orders what may go in: of each section first what goes in first."""


@dataclass(frozen=True, slots=True)
class Injecting:
    """Makes the injection for an event. `gate`: when to say nothing. `in_order`: what goes in first."""

    door: Door
    retriever: Retriever
    clock: Callable[[], datetime]
    gate: Gate
    watching: ShiftWatching
    in_order: InOrder
    plain: PlainValues = field(default_factory=PlainValues)
    talks: Talks = field(default_factory=Talks)

    def inject(
        self, scope: Scope, asked: Occasion, now: datetime, known: Set[str], started: float
    ) -> Injection:
        """What to put before the model: no text where nothing is worth it.

        `known`: logical ids of what is in the session's context already. `started`: when the event came, by the clock
        of `time.perf_counter`.
        """
        offers, shifted = self._offers(scope, asked, now)
        if asked.event != STARTS:
            own = scope if asked.project is None else scope.within(asked.project)
            offers = with_what_waits(self.door.asking(own), offers)
        # Whatever is told, and wherever: nothing that a person has changed since stands alone.
        offers = Overtaken(self.door, self.clock, self.talks).as_said_since(scope, offers, asked, known)
        offers = self.in_order(scope, without(offers, known, asked.fresh), asked, now)
        text, memories = make(asked.event, offers, asked.session, now, asked.project, shifted)
        return Injection(
            id=str(uuid7()),
            event=asked.event,
            cause=asked.cause,
            session=asked.session,
            project=asked.project,
            at=now,
            tokens=tokens_of(text) if text else 0,
            latency_ms=(time.perf_counter() - started) * 1_000,
            memories=memories,
            text=text,
        )

    def _offers(self, scope: Scope, asked: Occasion, now: datetime) -> tuple[list[Offer], str]:
        """What may go in, and what is told of a shift of activity."""
        if asked.event == ASKS:
            similar = Similar(self.door, self.retriever, self.clock, self.gate)
            offers = similar.offers(scope, asked, now)
            if asked.project is None or not similar.embedded or _is_command(asked.prompt):
                return offers, ""
            return offers, self.watching.look(scope, asked.project, asked.session, similar.embedded[0], now)
        if asked.project is None:
            return [], ""
        at = self.clock()
        own = self.door.asking(scope.within(asked.project))
        if asked.event == STARTS:
            offers = portfolio_offers(own, asked, now, AsOf(at, at), self.plain)
            if asked.cause in (COMPACT, RESUME):
                return offers, ""
            told = {key for each in offers for key in (each.memory.logical_id, *sources_of(each.memory))}
            return offers, last_shift(own, scope, asked.project, asked.session, told, at)
        return brief_offers(own, asked, now, AsOf(at, at)), ""


def _is_command(prompt: str) -> bool:
    """Whether a prompt is a command of the host with what that printed: "/model opus", but no path."""
    first = prompt.lstrip().partition("\n")[0].split(" ", 1)[0]
    return first.startswith("/") and first.count("/") == 1
