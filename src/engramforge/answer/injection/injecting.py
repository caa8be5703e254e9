"""Makes injections: for each event what it is worth saying, within its budget; nothing where nothing is."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from uuid_utils import uuid7

from engramforge.answer.injection.brief import Brief
from engramforge.answer.injection.occasion import Occasion
from engramforge.answer.injection.offers import Offer, make
from engramforge.answer.injection.portfolio import Portfolio, without
from engramforge.answer.injection.similar import Similar
from engramforge.core.injection.gate import Gate
from engramforge.core.registries.registration import evidence_of
from engramforge.model.injection import ASKS, STARTS, Injection
from engramforge.model.link import Relation
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.entry import DecisionStatus
from engramforge.model.scope import Scope
from engramforge.recall.retrieval import Retriever
from engramforge.store.door import Door

_FOLLOWED: Final = 10
"""How many decisions one after the other are looked at for the one that holds."""


@dataclass(frozen=True, slots=True)
class Injecting:
    """Makes the injection for an event. `gate`: when to say nothing."""

    door: Door
    retriever: Retriever
    clock: Callable[[], datetime]
    gate: Gate

    def inject(
        self, scope: Scope, asked: Occasion, now: datetime, known: Set[str], started: float
    ) -> Injection | None:
        """What to put before the model; None where nothing is worth it.

        `known`: logical ids of what is in the session's context already. `started`: when the event came, by the clock
        of `time.perf_counter`.
        """
        offers = without(self._offers(scope, asked, now), known)
        made = make(asked.event, offers, asked.session, now, asked.project)
        if not made.text:
            return None
        return Injection(
            id=str(uuid7()),
            event=asked.event,
            cause=asked.cause,
            session=asked.session,
            project=asked.project,
            at=now,
            tokens=made.tokens,
            latency_ms=(time.perf_counter() - started) * 1_000,
            memories=made.memories,
            text=made.text,
        )

    def _offers(self, scope: Scope, asked: Occasion, now: datetime) -> list[Offer]:
        if asked.event == STARTS:
            if asked.project is None:
                return []
            return Portfolio(self.door, self.clock).offers(scope.within(asked.project), asked, now)
        if asked.event == ASKS:
            return self._that_hold(
                scope, Similar(self.retriever, self.clock, self.gate).offers(scope, asked, now)
            )
        return Brief(self.door, self.clock).offers(scope, asked, now)

    def _that_hold(self, scope: Scope, offers: list[Offer]) -> list[Offer]:
        """The offers, with what stands now in the place of messages that told of decisions of which none holds: a model
        should read that, or nothing."""
        read_from = self._decisions_of(scope, [offer.memory.logical_id for offer in offers])
        found: dict[str, Offer] = {}
        for offer in offers:
            told = read_from.get(offer.memory.logical_id, [])
            has_ended = bool(told) and not any(map(_holds, told))
            standing = self._successor(scope, told[0], offer) if has_ended else offer
            if standing is not None:
                found.setdefault(standing.memory.logical_id, standing)
        return list(found.values())

    def _decisions_of(self, scope: Scope, messages: Sequence[str]) -> dict[str, list[Memory]]:
        """The decisions that were read from messages, by these' logical ids."""
        view = self.door.asking(scope)
        links = view.links(messages) if messages else []
        sources = sorted({link.source_id for link in links if link.target_id in messages})
        found: dict[str, list[Memory]] = {}
        for entry in view.fetch(sources).values() if sources else ():
            if entry.kind is Kind.DECISION and entry.registration is not None:
                evidence = evidence_of(entry.registration)
                found.setdefault(evidence.message_id if evidence else "", []).append(entry)
        return found

    def _successor(self, scope: Scope, ended: Memory, offer: Offer) -> Offer | None:
        """The decision that holds in the place of one that ended; None where none does."""
        view = self.door.asking(scope)
        for _ in range(_FOLLOWED):
            links = view.links([ended.logical_id])
            newer = [
                link.source_id
                for link in links
                if link.relation == Relation.SUPERSEDES and link.target_id == ended.logical_id
            ]
            found = view.fetch(newer[-1:]) if newer else {}
            if not found:
                return None
            ended = found[newer[-1]]
            if _holds(ended):
                return replace(offer, memory=ended, said=ended.content)
        return None


def _holds(decision: Memory) -> bool:
    return decision.registration is not None and decision.registration.status == DecisionStatus.ACTIVE
