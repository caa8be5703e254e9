"""The history of `peps` lived through `em.decisions`: created, revised, superseded, invalidated and reinstated.

What was recorded goes into the registry of a store of its own in the order of time. A decision's first state is
created; a later title or status revises it, with a tier for each status. Superseded supersedes it by the decision that
took its place, or invalidates it where that one is not known or does not stand; Rejected, Withdrawn and Deferred
invalidate it; what stands after those is reinstated. When the day of an as-of line ends, its decision is searched for
by its title among decisions of every status: all that are shown as anything but active are stale.

At last `decisions.stale` is asked, for any tier, what has not been validated for ten years. Right are decisions that
stand and of which nothing was recorded since. A change without a recorded time counts from the run, since
`em.decisions` records it then.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bench.register import Asked, Decision, Event, Key, Register
    from engramforge.forge import Forge

_PROJECT: Final = "register"
_DEPTH: Final = 10
_MOST: Final = 100_000
_DAYS: Final = 3_650
_TIERS: Final = {"Draft": 0.3, "Provisional": 0.5, "Accepted": 0.7, "Active": 0.8, "Final": 0.9}
_OTHER_TIER: Final = 0.4
_ACTIVE: Final = "active"


@dataclass(slots=True)
class Keeper:
    """Keeps the register as somebody would who has `em.decisions` alone.

    Parameters
    ----------
    forge : an empty store.
    ids : decision -> its entry's global id.
    recorded : decision -> when the last change of its entry was recorded; None: during the run.
    """

    forge: Forge
    register: Register
    ids: dict[Key, str] = field(default_factory=dict)
    recorded: dict[Key, datetime | None] = field(default_factory=dict)
    changes: int = 0
    latencies_ms: list[float] = field(default_factory=list)

    def live(self, lines: Sequence[Asked]) -> Iterator[tuple[Asked, bool | None]]:
        """Record everything in order; each line with whether its decision is shown as stale at its end."""
        waiting = sorted(
            (line for line in lines if line.key in self.register.decisions), key=lambda line: line.end
        )
        for decision, event, before in self._events():
            while waiting and waiting[0].end < event.at:
                line = waiting.pop(0)
                yield line, self._seen(line)
            self._record(decision, event, before)
        for line in waiting:
            yield line, self._seen(line)

    def unvalidated(self) -> dict[str, Any]:
        """Precision and recall of what is told to lack validation for ten years."""
        before = datetime.now(UTC) - timedelta(days=_DAYS)
        told = {
            decision.id for decision in self.forge.decisions.stale(_DAYS, 1.0, project=_PROJECT, limit=_MOST)
        }
        right = {
            self.ids[key]
            for key, recorded in self.recorded.items()
            if recorded is not None
            and recorded <= before
            and not self.register.decisions[key].events[-1].state.is_stale
        }
        return {
            "days": _DAYS,
            "expected": len(right),
            "precision": len(told & right) / len(told) if told else None,
            "recall": len(told & right) / len(right) if right else None,
        }

    def _events(self) -> list[tuple[Decision, Event, Event | None]]:
        """All events in the order of their times, each with the one before it of the same decision."""
        every = [
            (decision, event, before)
            for decision in self.register.decisions.values()
            for before, event in zip([None, *decision.events], decision.events, strict=False)
        ]
        return sorted(every, key=lambda turn: turn[1].at)

    def _seen(self, line: Asked) -> bool | None:
        """Whether a decision is shown as stale, searched for by its title; None where it is not found."""
        decision = self.register.decisions[line.key]
        if not self.ids:
            return None
        started = time.perf_counter()
        found = self.forge.decisions.search(
            decision.title or decision.content(), project=_PROJECT, status=None, limit=_DEPTH
        )
        self.latencies_ms.append((time.perf_counter() - started) * 1_000)
        return next(
            (record.status != _ACTIVE for record in found if record.id == self.ids.get(line.key)), None
        )

    def _record(self, decision: Decision, event: Event, before: Event | None) -> None:
        """One event as calls of the registry; how a decision stood before says which."""
        if before is None:
            self._create(decision, event)
        elif not event.state.is_stale:
            if before.state.is_stale:
                self._changed(decision, None)
                self.forge.decisions.reinstate(self.ids[decision.key])
            self._revise(decision, event)
        if event.state.is_stale and not (before is not None and before.state.is_stale):
            self._end(decision, event)

    def _create(self, decision: Decision, event: Event) -> None:
        made = self.forge.decisions.create(
            decision.content(event.title),
            tier=_tier(event),
            project=_PROJECT,
            valid_at=decision.valid_since,
            recorded_at=event.at,
        )
        self.ids[decision.key] = made.id
        self.recorded[decision.key] = event.at

    def _revise(self, decision: Decision, event: Event) -> None:
        """The title and tier of an event, recorded when it was, unless something was recorded later already."""
        entry, text = self.forge.decisions.get(self.ids[decision.key]), decision.content(event.title)
        if (entry.decision, entry.epistemic_tier) == (text, _tier(event)):
            return
        recorded = event.at if self.recorded[decision.key] is not None else None
        self._changed(decision, recorded)
        self.forge.decisions.revise(entry.id, text, tier=_tier(event), recorded_at=recorded)

    def _end(self, decision: Decision, event: Event) -> None:
        entry = self.forge.decisions.get(self.ids[decision.key])
        at = event.at if event.at > entry.valid_at else None
        self._changed(decision, None)
        for key in event.state.superseded_by:
            if key in self.ids and self.forge.decisions.get(self.ids[key]).status == _ACTIVE:
                self.forge.decisions.supersede(entry.id, by=self.ids[key], at=at)
                return
        self.forge.decisions.invalidate(entry.id, at=at)

    def _changed(self, decision: Decision, recorded: datetime | None) -> None:
        self.recorded[decision.key] = recorded
        self.changes += 1


def _tier(event: Event) -> float:
    return _TIERS.get(event.state.status, _OTHER_TIER)
