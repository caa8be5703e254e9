"""The portfolio of a project: what was decided and holds, what is open, where the last session stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from engramforge.answer.injection.occasion import Occasion
from engramforge.answer.injection.offers import Offer, sources_of
from engramforge.core.injection.priority import days_between, priority, recency, standing
from engramforge.model.injection import COMPACT, RESUME, Reason, Section
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.entry import DecisionStatus, EntryQuery, Priority, ThreadStatus
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.recall.request import PRESENT, in_time
from engramforge.registries.registered import registration_of
from engramforge.registries.threads.thread_view import PRIORITY, content_of, title_of
from engramforge.store.door import Door, View

_ENTRIES: Final = 200
_DECIDED: Final = 10
_OPEN: Final = 6
"""The most of each that a portfolio shows: the rest is a question away."""
_TURNS: Final = 40
_LAST: Final = 3
_NEUTRAL: Final = 1.0
"""Agreement of what nothing was asked for: it neither raises nor lowers."""
_OWN: Final = 2.0
"""How much more counts, after a compaction, what the session itself decided and has open."""
_URGENCY: Final = {Priority.HIGH: 1.0, Priority.MEDIUM: 0.6, Priority.LOW: 0.3}
_STOPPED_BY: Final = (Kind.SESSION_SUMMARY, Kind.RESPONSE, Kind.PROMPT)
_SPOKEN: Final = (*_STOPPED_BY, Kind.MESSAGE)


@dataclass(frozen=True, slots=True)
class Portfolio:
    """Gathers the portfolio of a project."""

    door: Door
    clock: Callable[[], datetime]

    def offers(self, scope: Scope, asked: Occasion, now: datetime) -> list[Offer]:
        """What a session that starts should know; of one that resumes only what is new since, of others' doing.

        `scope`: narrowed to the project.
        """
        with self.door.asking(scope) as view:
            decided = view.entries(
                EntryQuery(kind=Kind.DECISION, statuses=(DecisionStatus.ACTIVE,), limit=_ENTRIES)
            )
            waiting = view.entries(
                EntryQuery(kind=Kind.THREAD, statuses=(ThreadStatus.OPEN,), limit=_ENTRIES, urgent_first=True)
            )
            stopped = [] if asked.cause == COMPACT else self._stopped_at(view, asked.session)
            since = self._last_of(view, asked.session) if asked.cause == RESUME else None
        own = asked.session if asked.cause == COMPACT else None
        if asked.cause == RESUME:
            decided, waiting, stopped = (
                [each for each in some if _is_new(each, since, asked.session)]
                for some in (decided, waiting, stopped)
            )
        offers = _best(
            (
                Offer(each, Section.DECIDED, Reason.HOLDS, _worth(each, now, own), each.content)
                for each in decided
            ),
            _DECIDED,
        )
        offers += _best(
            (
                Offer(each, Section.OPEN, Reason.IS_OPEN, _urgency(each, now, own), _thread_text(each))
                for each in waiting
            ),
            _OPEN,
        )
        offers += [
            Offer(each, Section.LAST_SESSION, Reason.STOPPED_AT, 1.0 / place, each.content)
            for place, each in enumerate(stopped, 1)
        ]
        return offers

    def _stopped_at(self, view: View, session: str | None) -> Sequence[Memory]:
        """How the last session but this one ended: by its summary, else its last response and prompt."""
        turns = view.browse(self._now(Selection(kinds=_SPOKEN, exclude_session=session)), _TURNS)
        last = next((each.session_id for each in turns if each.session_id), None)
        its = [each for each in turns if last is not None and each.session_id == last and _is_main(each)]
        summaries = [each for each in its if each.kind is Kind.SESSION_SUMMARY]
        if summaries:
            return summaries[:1]
        found: dict[Kind, Memory] = {}
        for each in its:
            found.setdefault(each.kind, each)
        ends = [found[kind] for kind in _STOPPED_BY if kind in found]
        return ends or its[: _LAST - 1]

    def _last_of(self, view: View, session: str | None) -> datetime | None:
        """When the session last wrote something."""
        if session is None:
            return None
        turns = view.browse(self._now(Selection(session_id=session)), 1)
        return turns[0].created_at if turns else None

    def _now(self, selection: Selection) -> Selection:
        return in_time(selection, PRESENT, self.clock())


def _best(offers: Iterable[Offer], most: int) -> list[Offer]:
    return sorted(offers, key=lambda each: -each.priority)[:most]


def _worth(memory: Memory, now: datetime, own: str | None) -> float:
    worth = priority(
        standing(memory.epistemic_tier, memory.access_count), days_between(memory.valid_at, now), _NEUTRAL
    )
    return worth * (_OWN if _is_of(memory, own) else 1.0)


def _urgency(memory: Memory, now: datetime, own: str | None) -> float:
    said = registration_of(memory).details.get(PRIORITY, Priority.MEDIUM)
    urgency = _URGENCY[Priority(said)] * recency(days_between(memory.valid_at, now))
    return urgency * (_OWN if _is_of(memory, own) else 1.0)


def _is_of(memory: Memory, session: str | None) -> bool:
    return session is not None and (
        memory.session_id == session or session in registration_of(memory).conversations
    )


def _thread_text(memory: Memory) -> str:
    title, content = title_of(memory), content_of(memory)
    return f"{title}: {content}" if content else title


def _is_main(memory: Memory) -> bool:
    return "agent_id" not in memory.metadata


def _is_new(memory: Memory, since: datetime | None, session: str | None) -> bool:
    is_others = memory.session_id is None or memory.session_id != session
    return since is not None and is_others and memory.created_at > since


def without(offers: Sequence[Offer], known: Set[str]) -> list[Offer]:
    """The offers without what is in the session's context already, by logical id."""
    return [
        each
        for each in offers
        if each.memory.logical_id not in known and not known & set(sources_of(each.memory))
    ]
