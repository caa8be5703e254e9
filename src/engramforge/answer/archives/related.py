"""Decisions that bear on what a conversation decided or left open: of other projects, and those of any that conflict;
what matches a context in one.

Relevance is the similarity of a recall, 0..1, and of a conflict that was detected its score. Whether others conflict is
judged by their wording (core/conflicts/disagreement), unless the conflict was dismissed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from engramforge.answer.archives.conversation_contents import Gathered
from engramforge.answer.conflicts.conflict_registry import ConflictRegistry
from engramforge.core.conflicts.alignment import Likeness
from engramforge.core.conflicts.disagreement import disagreement
from engramforge.core.text.portions import excerpt_within
from engramforge.model.lenses.conflict import Conflict, ConflictSide
from engramforge.model.limits import RECALL_HITS
from engramforge.model.memory import Kind
from engramforge.model.registries.archive import ArchivedDecision, ArchivedThread, RelatedDecision
from engramforge.model.registries.entry import DecisionStatus, EntryQuery, ThreadStatus
from engramforge.model.scope import Scope
from engramforge.model.search.hit import Hit
from engramforge.model.search.selection import Selection
from engramforge.recall.request import recall_request
from engramforge.recall.retrieval import Retriever
from engramforge.registries.decisions.decision_view import RATIONALE, decision_text, rejected_of
from engramforge.registries.registered import registration_of
from engramforge.store.door import Door

MOST_RELATED: Final = 10
"""The most decisions of other projects that an archive lists."""
LEAST_SIMILARITY: Final = 0.3
"""Below this a decision of another project is related only if a space finds it relevant."""
_MOST_SUBJECTS: Final = 24
_EACH: Final = 5
_REASON: Final = 160
"""Characters of a rationale beside a conflict."""
_QUERY_CHARACTERS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Subject:
    """What others may have decided about: an entry's local id, its text, its rejected alternatives, its reason, and its
    global id."""

    local_id: str
    text: str
    rejected: tuple[str, ...] = ()
    rationale: str = ""
    id: str | None = None


def subjects_of(decisions: Sequence[ArchivedDecision], threads: Sequence[ArchivedThread]) -> list[Subject]:
    """Active decisions and open threads as subjects, in their order."""
    made = [
        Subject(
            decision.local_id,
            decision.decision,
            decision.alternatives_rejected,
            decision.rationale,
            decision.id,
        )
        for decision in decisions
        if decision.status is DecisionStatus.ACTIVE
    ]
    made += [
        Subject(thread.local_id, f"{thread.title}\n{thread.content}".strip())
        for thread in threads
        if thread.status is ThreadStatus.OPEN
    ]
    return [subject for subject in made if subject.text.strip()]


@dataclass(frozen=True, slots=True)
class RelatedDecisions:
    """Finds decisions of other projects, and those of any project that conflict."""

    door: Door
    retriever: Retriever
    clock: Callable[[], datetime]
    registry: ConflictRegistry

    def find(
        self, scope: Scope, project: str, subjects: Sequence[Subject], known: Collection[str]
    ) -> tuple[RelatedDecision, ...]:
        """Active decisions of other projects, conflicting ones of any project first, then the most relevant.

        `subjects`: most important first; only a limited number is searched. `known`: global ids to leave out, unless a
        conflict with them was detected.
        """
        found, dismissed = self._detected(scope, subjects)
        others = [name for name in self.door.asking(scope).project_names() if name != project]
        elsewhere = scope.within(*others) if others else None
        for subject in subjects[:_MOST_SUBJECTS] if elsewhere is not None else ():
            assert elsewhere is not None
            for hit in self._asked(elsewhere, subject):
                decision = _related(subject, hit, dismissed, self.retriever.table.like)
                before = found.get(decision.id)
                if decision.id not in known and (before is None or _order(decision) < _order(before)):
                    found[decision.id] = decision
        return tuple(sorted(found.values(), key=_order)[:MOST_RELATED])

    def _detected(
        self, scope: Scope, subjects: Sequence[Subject]
    ) -> tuple[dict[str, RelatedDecision], set[frozenset[str]]]:
        """What was detected to conflict with the subjects, by its global id; and the pairs that were dismissed."""
        by_id = {subject.id: subject for subject in subjects if subject.id}
        query = EntryQuery(kind=Kind.DECISION, entry_ids=tuple(by_id), limit=max(len(by_id), 1))
        own = self.door.asking(scope).entries(query) if by_id else []
        conflicts = self.registry.of_memories(scope, {each.logical_id for each in own}, ended=True)
        found: dict[str, RelatedDecision] = {}
        for conflict in conflicts:
            for mine, other in ((conflict.newer, conflict.older), (conflict.older, conflict.newer)):
                subject = by_id.get(mine.entry_id or "")
                if conflict.dismissed is None and subject is not None and other.entry_id is not None:
                    found.setdefault(other.entry_id, _conflicting(subject, other, conflict))
        ends = ((x.newer.entry_id, x.older.entry_id) for x in conflicts if x.dismissed is not None)
        return found, {frozenset((one, other)) for one, other in ends if one and other}

    def _asked(self, scope: Scope, subject: Subject) -> list[Hit]:
        selection = Selection(kinds=(Kind.DECISION,), statuses=(str(DecisionStatus.ACTIVE),))
        request = recall_request(subject.text[:_QUERY_CHARACTERS], selection, limit=_EACH, clock=self.clock)
        hits = self.retriever.recall(scope, request).hits
        return [hit for hit in hits if hit.relevance_score > 0 or hit.parts.similarity >= LEAST_SIMILARITY]


def _conflicting(subject: Subject, other: ConflictSide, conflict: Conflict) -> RelatedDecision:
    """The other side of a conflict that was detected."""
    return RelatedDecision(
        id=str(other.entry_id),
        project=other.project,
        decision=other.text,
        epistemic_tier=other.epistemic_tier,
        relevance=round(conflict.score, 3),
        reason=f"against {subject.local_id}: {conflict.why}{_reasons(subject.rationale, other.rationale)}",
        conflicts=True,
    )


def _reasons(own: str, other: str) -> str:
    """The rationales of both sides of a conflict, as far as they are known."""
    told = (("our reason", own), ("its reason", other))
    said = (
        f"; {name}: {excerpt_within(' '.join(text.split()), _REASON, least=1)}"
        for name, text in told
        if text.strip()
    )
    return "".join(said)


def _related(
    subject: Subject, hit: Hit, dismissed: Collection[frozenset[str]], like: Likeness
) -> RelatedDecision:
    registration = registration_of(hit.memory)
    text = decision_text(hit.memory)
    against = disagreement(subject.text, text, subject.rejected, rejected_of(registration), like)
    if frozenset((subject.id or "", registration.entry_id)) in dismissed:
        against = None
    about = subject.local_id
    reasons = _reasons(subject.rationale, str(registration.details.get(RATIONALE, "")))
    said = f"about the same as {about}" if against is None else f"against {about}: {against.why}{reasons}"
    return RelatedDecision(
        id=registration.entry_id,
        project=hit.memory.project,
        decision=text,
        epistemic_tier=hit.memory.epistemic_tier,
        relevance=round(min(max(hit.parts.similarity, 0.0), 1.0), 3),
        reason=said,
        conflicts=against is not None,
    )


def _order(decision: RelatedDecision) -> tuple[bool, float, str]:
    return not decision.conflicts, -decision.relevance, decision.id


SHARE_OF_BEST: Final = 0.22
"""A memory matches if its similarity is at least this share of the best (docs/measurements/compression.md)."""
LEAST_OF_CONTEXT: Final = 0.02
"""The least similarity of any match."""


@dataclass(frozen=True, slots=True)
class ContextMatching:
    """Finds what matches a context."""

    retriever: Retriever
    clock: Callable[[], datetime]

    def find(self, within: Scope, scope: Scope, gathered: Gathered, context: str) -> set[str]:
        """Logical ids of the memories, and global ids of the entries, that match.

        Parameters
        ----------
        within : the conversation's project; scope : where inherited entries are found.
        """
        said = self._similar(within, Selection(session_id=gathered.conversation), context)
        memories = {memory.logical_id for memory in gathered.memories}
        kinds = Selection(kinds=(Kind.DECISION, Kind.THREAD))
        entries = {record.logical_id: each for each, record in gathered.entries.records.items()}
        known = {
            entries[each]: value
            for each, value in self._similar(scope, kinds, context).items()
            if each in entries
        }
        best = max((*said.values(), *known.values()), default=0.0)
        least = max(SHARE_OF_BEST * best, LEAST_OF_CONTEXT)
        return {each for each, value in said.items() if each in memories and value >= least} | {
            each for each, value in known.items() if value >= least
        }

    def _similar(self, scope: Scope, selection: Selection, context: str) -> dict[str, float]:
        request = recall_request(context, selection, limit=RECALL_HITS, clock=self.clock)
        hits = self.retriever.recall(scope, request).hits
        return {hit.memory.logical_id: hit.parts.similarity for hit in hits}
