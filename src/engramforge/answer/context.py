"""Context for a question: decisions, open threads and memories in one text within a budget.

Each part has a share of the budget; what a part leaves unused, the next may use. A message that a decision was read
from is not repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from engramforge.core.text.portions import LEAST_EXCERPT, excerpt_within
from engramforge.model.fence import CONTEXT_BEGIN, CONTEXT_END, named, on_one_line
from engramforge.model.fence import shown as shown_text
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.archive import LoadedContext
from engramforge.model.registries.decision import Decision
from engramforge.model.registries.entry import DecisionStatus, ThreadStatus, standing_of
from engramforge.model.registries.thread import Thread
from engramforge.model.scope import Scope
from engramforge.model.search.hit import Hit
from engramforge.model.search.selection import Selection
from engramforge.recall.request import recall_request
from engramforge.recall.retrieval import Retriever
from engramforge.registries.decisions.decision_reading import DecisionReading
from engramforge.registries.threads.thread_view import ThreadReading

_MEMORY_KINDS: Final = tuple(
    kind for kind in Kind if kind not in (Kind.DECISION, Kind.THREAD, Kind.LINEAGE, Kind.ARCHIVE)
)
_ASKED: Final = 50
_SHARES: Final = {"decisions": 0.35, "threads": 0.3}
_LEAST_EXCERPT: Final = 80
_LINES: Final = 4
"""As many lines of a part have room for sure."""
_SHARE_OF_BEST: Final = 0.25
"""A decision or thread belongs to the context if its similarity is at least this share of the best."""


@dataclass(slots=True)
class _Text:
    """A marked text that grows within what its marks leave of a budget."""

    room: int
    parts: list[str] = field(default_factory=list)
    left_out: int = 0

    def add_section(self, title: str, lines: Sequence[tuple[str, str]], share: float) -> list[str]:
        """Add lines under a title, as far as a share of the budget goes; returns the ids of those that fit.

        `lines`: id -> line, best first; none takes more than its part of the share before all others have theirs.
        """
        heading = f"## {title}\n\n"
        limit = int(self.room * share)
        longest = max(limit // min(max(len(lines), 1), _LINES), LEAST_EXCERPT)
        taken, ids, kept = len(heading) + 1, [], []
        for id_, line in lines:
            shown = excerpt_within(shown_text(line), min(limit - taken - 1, longest), _LEAST_EXCERPT)
            if shown is None or limit - taken - 1 <= 0:
                self.left_out += 1
                continue
            kept.append(shown)
            ids.append(id_)
            taken += len(shown) + 1
        if kept:
            self.parts.append(heading + "\n".join(kept) + "\n")
            self.room -= taken
        return ids

    def __str__(self) -> str:
        return "".join([CONTEXT_BEGIN, "\n".join(self.parts), CONTEXT_END]) if self.parts else ""


@dataclass(frozen=True, slots=True)
class ContextLoading:
    """Loads context."""

    retriever: Retriever
    decisions: DecisionReading
    threads: ThreadReading
    clock: Callable[[], datetime]

    def load(
        self,
        scopes: Sequence[Scope],
        query: str,
        *,
        include_decisions: bool,
        include_threads: bool,
        budget: int,
    ) -> LoadedContext:
        """The context for a question; empty where nothing that is found is relevant.

        `scopes`: where to look; results of the first come before those of the others. `budget`: characters of the text.
        """
        text = _Text(budget - len(CONTEXT_BEGIN) - len(CONTEXT_END))
        active = Selection(kinds=(Kind.DECISION,), statuses=(str(DecisionStatus.ACTIVE),))
        still_open = Selection(kinds=(Kind.THREAD,), statuses=(str(ThreadStatus.OPEN),))
        decided = self._found(scopes, query, active) if include_decisions else []
        waiting = self._found(scopes, query, still_open) if include_threads else []
        found = self._found(scopes, query, Selection(kinds=_MEMORY_KINDS))
        decisions = self.decisions.shown(scopes[0], _near(decided)) if decided else []
        threads = self.threads.shown(scopes[0], _near(waiting)) if waiting else []
        now = self.clock()
        decision_ids = text.add_section(
            "Decisions",
            [(decision.id, _decision_line(decision, now)) for decision in decisions],
            _SHARES["decisions"],
        )
        thread_ids = text.add_section(
            "Open threads", [(thread.id, _thread_line(thread)) for thread in threads], _SHARES["threads"]
        )
        shown = {*decision_ids, *thread_ids}
        entries: list[Decision | Thread] = [*decisions, *threads]
        told_of = [entry for entry in entries if entry.id in shown]
        told = {entry.evidence.message_id for entry in told_of if entry.evidence}
        said = {_folded(decision.decision) for decision in decisions if decision.id in decision_ids}
        hits = [
            hit
            for hit in found
            if hit.memory.logical_id not in told and _folded(hit.memory.content) not in said
        ]
        memory_ids = text.add_section(
            "Memories", [(hit.memory.logical_id, _memory_line(hit)) for hit in hits], 1.0
        )
        kept = {*memory_ids, *(entry.memory_id for entry in told_of)}
        return LoadedContext(
            text=str(text),
            memory_ids=tuple(memory_ids),
            decision_ids=tuple(decision_ids),
            thread_ids=tuple(thread_ids),
            left_out=text.left_out,
            versions=tuple(
                hit.memory.id for hit in (*decided, *waiting, *hits) if hit.memory.logical_id in kept
            ),
        )

    def _found(self, scopes: Sequence[Scope], query: str, selection: Selection) -> list[Hit]:
        """What answers, best first."""
        request = recall_request(query, selection, limit=_ASKED, clock=self.clock)
        found: dict[str, Hit] = {}
        for scope in scopes:
            for hit in self.retriever.recall(scope, request).hits:
                if hit.relevant:
                    found.setdefault(hit.memory.logical_id, hit)
        return list(found.values())


def _near(hits: Sequence[Hit]) -> list[Memory]:
    """What is found with at least a share of the best similarity."""
    best = max((hit.parts.similarity for hit in hits), default=0.0)
    return [hit.memory for hit in hits if hit.parts.similarity >= _SHARE_OF_BEST * best]


def _decision_line(decision: Decision, now: datetime) -> str:
    head = _listed(
        decision.id,
        _name(decision.local_id),
        standing_of(decision.status, decision.tags),
        f"tier {decision.epistemic_tier:g}",
        _name(decision.project),
        "to be validated again" if decision.is_stale(now) else None,
    )
    said = f"- [{head}] {on_one_line(decision.decision)}"
    if decision.rationale:
        said += f" Because: {on_one_line(decision.rationale)}"
    if decision.alternatives_rejected:
        said += f" Rejected: {on_one_line('; '.join(decision.alternatives_rejected))}"
    return said


def _thread_line(thread: Thread) -> str:
    waits_for = [each.id for each in thread.blocked_by if each.status is ThreadStatus.OPEN]
    head = _listed(
        thread.id,
        _name(thread.local_id),
        str(thread.status),
        f"{thread.priority} priority",
        _name(thread.project),
        f"blocked by {' '.join(waits_for)}" if waits_for else None,
    )
    return f"- [{head}] {on_one_line(thread.title)}" + (
        f": {on_one_line(thread.content)}" if thread.content else ""
    )


def _memory_line(hit: Hit) -> str:
    memory = hit.memory
    head = _listed(
        memory.logical_id, str(memory.kind), _name(hit.where), _name(memory.project), _name(memory.speaker)
    )
    but_now = f" But now: {on_one_line(hit.but_now)}" if hit.but_now else ""
    return f"- [{head}] {on_one_line(hit.excerpt)}{but_now}"


def _listed(*parts: str | None) -> str:
    return ", ".join(filter(None, parts))


def _name(text: str | None) -> str | None:
    return None if text is None else named(text)


def _folded(text: str) -> str:
    return on_one_line(text).casefold()
