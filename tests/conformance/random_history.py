"""A random history that can be told to any engine: remember, change, end, link and forget, in some order."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, replace
from datetime import timedelta
from typing import Any

import numpy as np
import uuid_utils
from tests.conformance.conftest import ENCODER, START, entry

from engramforge.errors import EngramforgeError
from engramforge.model.link import Link
from engramforge.model.memory import Kind, Memory
from engramforge.model.scope import Level, Scope
from engramforge.model.storing.record import Entry, Extent
from engramforge.model.time import InvalidationReason
from engramforge.store.door import Door, Transaction

TEXT = (
    "anchor basil copper dune ember fjord garnet harbor iris jasper kettle lantern meadow nectar orchard pebble "
    "quarry raven saffron timber umbrella velvet willow yarrow zephyr bridge candle drizzle engine feather"
)
WORDS = TEXT.split()
AGENTS = ("default", "ann")
PROJECTS = ("atlas", "borealis", "corona")
SPEAKERS = (None, "Ada", "ADA", "ada", "Bo", "Straße", "STRASSE", "Øyvind")


class History:
    """A random history that can be told to any door: the same deeds in the same transactions.

    Parameters
    ----------
    length : how many deeds.
    ending : what share of memories end in the future; 0: nothing that is on record now does.
    agents : whose memories they are.
    """

    def __init__(self, seed: int, length: int, ending: float, agents: tuple[str, ...] = AGENTS) -> None:
        self._agents = agents
        self._ending = ending
        self._rng = random.Random(seed)
        self._clock = START
        self._open: list[Memory] = []
        self._links: list[Link] = []
        self.deeds: list[tuple[str, Callable[[Transaction], None]]] = []
        for _ in range(length):
            self._step()

    @property
    def open(self) -> list[Memory]:
        """Versions on record at the end."""
        return self._open

    def tell(self, door: Door) -> None:
        """Do everything, each deed in its own write."""
        for agent, deed in self.deeds:
            with door.transaction(Scope(agent=agent)) as writes:
                deed(writes)

    def _step(self) -> None:
        rng = self._rng
        self._clock += timedelta(hours=rng.randint(1, 12), microseconds=rng.randint(0, 999))
        names = (
            "remember",
            "remember",
            "many",
            "revise",
            "supersede",
            "invalidate",
            "link",
            "unlink",
            "forget",
            "both",
        )
        deed: Callable[[], tuple[str, Callable[[Transaction], None]] | None] = getattr(
            self, f"_{rng.choice(names)}"
        )
        made = deed()
        if made is not None:
            self.deeds.append(made)

    def _text(self) -> str:
        rng = self._rng
        return " ".join(rng.choices(WORDS, k=rng.choice((1, 2, 3, 5, 9, 40))))

    def _entry(self, **given: Any) -> Entry:
        rng = self._rng
        in_session = rng.random() < 0.7
        made = {
            "created_at": self._clock,
            "valid_at": self._clock
            - timedelta(days=rng.choice((0, 0, 1, 40, 400)), seconds=rng.randint(0, 9)),
            "project": rng.choice(PROJECTS),
            "level": rng.choice((Level.PERSONAL, Level.PERSONAL, Level.COLLECTIVE)),
            "agent": rng.choice(self._agents),
            "kind": rng.choice((Kind.NOTE, Kind.MESSAGE, Kind.DECISION)),
            "tags": tuple(rng.sample(("red", "blue", "green"), rng.randint(0, 2))),
            "speaker": rng.choice(SPEAKERS),
            "session_id": f"s{rng.randint(0, 6)}" if in_session else None,
            "sequence": rng.choice((None, 0, 1, 2, 3, 7, 2**40)) if in_session else None,
            **given,
        }
        if rng.random() < self._ending:
            made["invalid_at"] = self._clock + timedelta(days=rng.randint(1, 90))
        row = entry(
            given.pop("content", None) or self._text(), **{k: v for k, v in made.items() if k != "content"}
        )
        chance = rng.random()
        signals = replace(row.embedding, cues=row.embedding.cues % 200)
        if chance < 0.04:
            signals = replace(signals, vector=None)
        elif chance < 0.08:
            nothing = np.empty(0, np.uint32)
            signals = replace(signals, terms=nothing, counts=np.empty(0, np.uint8))
        return Entry(row.memory, signals, rng.randbytes(16) if rng.random() < 0.3 else None)

    def _remember(self) -> Any:
        return self._inserted([self._entry()])

    def _many(self) -> Any:
        agent = self._rng.choice(self._agents)
        return self._inserted([self._entry(agent=agent) for _ in range(self._rng.choice((5, 39, 40, 55)))])

    def _inserted(self, entries: list[Entry]) -> Any:
        self._open += [row.memory for row in entries]
        return entries[0].memory.agent, lambda writes: writes.insert(entries)

    def _chosen(self) -> Memory | None:
        return self._rng.choice(self._open) if self._open else None

    def _after(self, old: Memory, content: str, **given: Any) -> Entry:
        kept = {field.name: getattr(old, field.name) for field in fields(Memory)}
        kept.update(given, id=str(uuid_utils.uuid7()), content=content, created_at=self._clock)
        signals = replace(ENCODER.encode([content])[0], cues=0)
        return Entry(Memory(**kept), signals)

    def _revise(self) -> Any:
        old = self._chosen()
        if old is None:
            return None
        new = self._after(old, self._text(), version=old.version + 1)
        return self._replaced(old, [new], InvalidationReason.DISCOVERED_FALSE)

    def _both(self) -> Any:
        """A version that is written and expired in one transaction, as a repaired import does."""
        old = self._chosen()
        if old is None:
            return None
        first = self._after(old, self._text(), version=old.version + 1)
        second = self._after(old, self._text(), version=old.version + 2)
        at = self._clock
        self._open.remove(old)
        self._open.append(second.memory)

        def deed(writes: Transaction) -> None:
            writes.expire(old.id, at, InvalidationReason.DISCOVERED_FALSE, first.memory.id)
            writes.insert([first])
            writes.expire(first.memory.id, at + timedelta(seconds=1), InvalidationReason.DISCOVERED_FALSE)
            writes.insert([second])

        return old.agent, deed

    def _supersede(self) -> Any:
        old = self._chosen()
        if old is None:
            return None
        at = old.valid_at + (self._clock - old.valid_at) * self._rng.random()
        if at <= old.valid_at or (old.invalid_at is not None and at >= old.invalid_at):
            return None
        reason = InvalidationReason.REALITY_CHANGED
        closing = self._after(old, old.content, invalid_at=at, invalidation_reason=reason)
        new = self._after(old, self._text(), version=old.version + 1, valid_at=at)
        return self._replaced(old, [closing, new], reason)

    def _invalidate(self) -> Any:
        old = self._chosen()
        if old is None:
            return None
        reason = InvalidationReason.REALITY_CHANGED
        end = self._clock + timedelta(days=self._rng.choice((0, 30, 100)) if self._ending else 0)
        closing = self._after(old, old.content, invalid_at=end, invalidation_reason=reason)
        return self._replaced(old, [closing], reason)

    def _replaced(self, old: Memory, new: list[Entry], reason: InvalidationReason) -> Any:
        at = self._clock
        self._open.remove(old)
        self._open.append(new[-1].memory)

        def deed(writes: Transaction) -> None:
            writes.expire(old.id, at, reason, new[-1].memory.id)
            writes.insert(new)

        return old.agent, deed

    def _link(self) -> Any:
        whose = self._rng.choice(self._agents)
        ends = {
            memory.logical_id
            for memory in self._rng.sample(self._open, min(2, len(self._open)))
            if memory.level is not Level.PERSONAL or memory.agent == whose
        }
        if len(ends) < 2:
            return None
        source, target = sorted(ends)
        made = Link(
            id=str(uuid_utils.uuid7()),
            source_id=source,
            target_id=target,
            relation=self._rng.choice(("CAUSES", "DERIVED_FROM", "SUPPORTS")),
            valid_at=self._clock,
            created_at=self._clock,
            energy=0.5,
            confidence=0.5,
            emotion_vector={"joy": 0.5},
            goal="g",
            mindstate="m",
        )
        self._links.append(made)
        return whose, lambda writes: writes.link([made])

    def _unlink(self) -> Any:
        if not self._links:
            return None
        chosen = self._links.pop(self._rng.randrange(len(self._links)))
        at = self._clock

        def deed(writes: Transaction) -> None:
            with suppress(EngramforgeError):
                writes.expire_link(chosen.id, at, InvalidationReason.DISCOVERED_FALSE)

        return "default", deed

    def _forget(self) -> Any:
        old = self._chosen()
        if old is None or self._rng.random() < 0.5:
            return None
        # What is derived from it may go, too; so that nothing later touches those, no history goes on with them.
        derived = {edge.source_id for edge in self._links if edge.relation == "DERIVED_FROM"}
        gone = {old.logical_id} | derived
        self._open = [memory for memory in self._open if memory.logical_id not in gone]
        at = self._clock
        self._links = [edge for edge in self._links if not {edge.source_id, edge.target_id} & gone]
        every = sorted(gone)
        return old.agent, lambda writes: writes.forget(Extent(every), at)
