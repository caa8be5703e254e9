"""Finds what matches a context by recall within a conversation, for a partial archive."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from engramforge.answer.archives.conversation_contents import Gathered
from engramforge.model.limits import RECALL_HITS
from engramforge.model.memory import Kind
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.recall.request import recall_request
from engramforge.recall.retrieval import Retriever

SHARE_OF_BEST: Final = 0.2
"""A memory matches if its similarity is at least this share of the best (docs/measurements/compression.md)."""
LEAST_SIMILARITY: Final = 0.02
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
        least = max(SHARE_OF_BEST * best, LEAST_SIMILARITY)
        return {each for each, value in said.items() if each in memories and value >= least} | {
            each for each, value in known.items() if value >= least
        }

    def _similar(self, scope: Scope, selection: Selection, context: str) -> dict[str, float]:
        request = recall_request(context, selection, limit=RECALL_HITS, clock=self.clock)
        hits = self.retriever.recall(scope, request).hits
        return {hit.memory.logical_id: hit.parts.similarity for hit in hits}
