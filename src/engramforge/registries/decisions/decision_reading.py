"""Reading the registry of decisions: by id, by filters, by content, with their history and links.

Search uses the retriever, like every recall, so that the same words and meanings find the same things.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final

from engramforge.core.checks.validation import check_query
from engramforge.core.registries.local_ids import LOCAL_ID
from engramforge.core.registries.registration import entry_id_of
from engramforge.model.limits import RECALL_HITS
from engramforge.model.link import Relation
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.decision import Decision, Why
from engramforge.model.registries.entry import DecisionStatus, EntryQuery
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.time import AsOf, TemporalMode, TimeRange
from engramforge.recall.request import RecallRequest
from engramforge.registries.decisions.decision_view import Around, around, decision_of, status_of
from engramforge.registries.entry_reading import EntryReading
from engramforge.registries.registered import ENTRY_ID, MEMORY_ID

_WIDER: Final = 4
"""The factor by which more hits are requested if ended versions had to be left out."""


class DecisionReading(EntryReading[Decision]):
    """Finds and shows decisions."""

    kind = Kind.DECISION

    def _view(self, scope: Scope, memories: Sequence[Memory]) -> Callable[[Memory, float | None], Decision]:
        return partial(decision_of, near=around(self.door, scope, memories))

    def search(
        self, scope: Scope, query: str, asked: Selection, status: DecisionStatus | None, limit: int
    ) -> list[Decision]:
        """Decisions that answer a query, best first, each with its score.

        A query that is an id finds its decision regardless of the filters; a local id finds all decisions of that name.

        `asked`: tags, a conversation, least tier and the range in which they became true. `status`: None for any.
        Revised are the versions that a later one replaced.

        Raises InvalidValue where the query is not sound.
        """
        named = self._whole(scope, check_query(query).strip())
        found = self._by_name(scope, named, asked.conversations)
        if found:
            best = found[:limit]
            return self.shown(scope, best, [1.0] * len(best))
        memories, scores = self._by_words(scope, query, asked, status, limit)
        return self.shown(scope, memories, scores)

    def _by_name(self, scope: Scope, named: str, conversations: tuple[str, ...]) -> list[Memory]:
        """The decisions that a query names by id."""
        if ENTRY_ID.fullmatch(named):
            query = EntryQuery(kind=Kind.DECISION, entry_ids=(named.lower(),), ended=True)
            return self.door.asking(scope).entries(query)
        if MEMORY_ID.fullmatch(named):
            found = self.door.asking(scope).fetch([named]).get(named)
            return [found] if found is not None and found.kind is Kind.DECISION else []
        if not LOCAL_ID.fullmatch(named):
            return []
        spoken = (named, named.upper())
        query = EntryQuery(kind=Kind.DECISION, local_ids=spoken, conversations=conversations, ended=True)
        return sorted(self.door.asking(scope).entries(query), key=lambda memory: memory.is_superseded)

    def _by_words(
        self, scope: Scope, query: str, asked: Selection, status: DecisionStatus | None, limit: int
    ) -> tuple[list[Memory], list[float]]:
        """Memories and scores of the best hits."""
        now = self.clock()
        selection = _selection(asked, status, now)
        embedding = self.retriever.embed(scope, query)
        wanted = limit if status is DecisionStatus.ACTIVE else min(_WIDER * limit, RECALL_HITS)
        while True:
            request = RecallRequest(query, selection, now, None, wanted, 0.0, explained=False)
            recall = self.retriever.recall(scope, request, embedding)
            hits = [(hit.memory, hit.mass) for hit in recall.hits]
            if status is not DecisionStatus.ACTIVE:
                kept = self._as_asked(scope, [memory for memory, _ in hits], status)
                hits = [hit for hit in hits if hit[0].id in kept]
            if len(hits) >= limit or not recall.left_out or wanted >= RECALL_HITS:
                best = hits[:limit]
                return [memory for memory, _ in best], [score for _, score in best]
            # As many as possible at once, since a recall costs the same however many hits it gives.
            wanted = RECALL_HITS

    def _as_asked(self, scope: Scope, memories: Sequence[Memory], status: DecisionStatus | None) -> set[str]:
        """Ids of records that stand as asked: the last record of each decision, or its revised versions."""
        if status is DecisionStatus.REVISED:
            return {memory.id for memory in memories if status_of(memory) is status}
        last = self.door.asking(scope).fetch({memory.logical_id for memory in memories})
        return {
            memory.id
            for memory in memories
            if memory.logical_id in last and last[memory.logical_id].id == memory.id
        }

    def _history(self, scope: Scope, head: Memory) -> list[Decision]:
        records = self._versions(scope, head)
        near = around(self.door, scope, records, history=True)
        return [decision_of(record, near=near) for record in records]

    def why(self, scope: Scope, named: object, conversation: str | None = None) -> Why:
        """Why a decision stands or no longer does: its history and present links."""
        head = self.find(scope, named, conversation)
        near = around(self.door, scope, [head])
        decision = decision_of(head, near=near)
        successor = near.successor(head) if decision.superseded_by else None
        others = self._others(scope, head, near)
        links = [
            link
            for link in self.door.asking(scope).links([head.logical_id])
            if link.source_id != link.target_id
        ]
        carriers = [link.source_id for link in links if link.relation == Relation.CARRIES]

        def seen(relation: Relation, outgoing: bool) -> tuple[Decision, ...]:
            return tuple(others[each] for each in near.named(head, relation, outgoing) if each in others)

        told = {link.id for link in near.links.get(head.logical_id, ())}
        return Why(
            decision=decision,
            history=tuple(self._history(scope, head)),
            dependencies=seen(Relation.DEPENDS_ON, True),
            dependents=seen(Relation.DEPENDS_ON, False),
            superseded=seen(Relation.SUPERSEDES, True),
            superseded_by=None if successor is None else others.get(successor),
            carried_by=tuple(dict.fromkeys(entry_id_of(Kind.LINEAGE, carrier) for carrier in carriers)),
            links=tuple(link for link in links if link.id not in told and link.relation != Relation.CARRIES),
        )

    def _others(self, scope: Scope, head: Memory, near: Around) -> dict[str, Decision]:
        """The decisions that a decision is linked to, as they are now, by logical id."""
        ends = {
            end for link in near.links.get(head.logical_id, ()) for end in (link.source_id, link.target_id)
        }
        found = self.door.asking(scope).fetch(ends - {head.logical_id})
        return {decision.memory_id: decision for decision in self.shown(scope, list(found.values()))}


def _selection(asked: Selection, status: DecisionStatus | None, now: datetime) -> Selection:
    """The filters of the scan. Ended decisions are found by their closing records, which are on record now."""
    chosen = replace(asked, kinds=(Kind.DECISION,), as_of=AsOf(now, now))
    if status is DecisionStatus.REVISED:
        return replace(chosen, mode=TemporalMode.FULL_HISTORY)
    statuses = () if status is None else (str(status),)
    if status is DecisionStatus.ACTIVE:
        return replace(chosen, statuses=statuses)
    return replace(
        chosen, mode=TemporalMode.EVOLUTION, recorded_range=TimeRange(now, None), statuses=statuses
    )
