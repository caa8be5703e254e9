"""Reading a registry: an entry by id, entries by filters, by keyword and meaning through recall, and their history."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar, Generic, TypeVar

from engramforge.core.checks.validation import check_query
from engramforge.core.registries.local_ids import LOCAL_ID
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.entry import EntryQuery
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.recall.request import recall_request
from engramforge.recall.retrieval import Retriever
from engramforge.registries.registered import ENTRY_ID, find_entry
from engramforge.store.door import Door

E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class EntryReading(ABC, Generic[E]):
    """Finds and shows the entries of a registry.

    `retriever`: finds by words and meaning. `clock`: tells what is current.
    """

    door: Door
    retriever: Retriever
    clock: Callable[[], datetime]
    kind: ClassVar[Kind]

    def find(self, scope: Scope, named: object, conversation: str | None = None) -> Memory:
        """The last record of an entry; see `find_entry`."""
        return find_entry(self.door, scope, self.kind, named, conversation)

    def find_each(self, scope: Scope, named: Iterable[object], conversation: str | None) -> list[Memory]:
        """The last records of several entries, each once."""
        found = [self.find(scope, each, conversation) for each in named]
        return list({memory.logical_id: memory for memory in found}.values())

    def get(self, scope: Scope, named: object, conversation: str | None = None) -> E:
        """An entry as it stands. Raises InvalidValue, NotFound or Conflict, as `find_entry`."""
        return self.shown(scope, [self.find(scope, named, conversation)])[0]

    def shown(
        self, scope: Scope, memories: Sequence[Memory], scores: Sequence[float] | None = None
    ) -> list[E]:
        """Records of entries as the registry shows them, in their order."""
        show = self._view(scope, memories)
        each = scores if scores is not None else [None] * len(memories)
        return [show(memory, score) for memory, score in zip(memories, each, strict=True)]

    @abstractmethod
    def _view(self, scope: Scope, memories: Sequence[Memory]) -> Callable[[Memory, float | None], E]:
        """How the registry shows one of these records, with its score."""

    def browse(self, scope: Scope, query: EntryQuery) -> list[E]:
        """The entries that a query of the registry asks for, in its order."""
        return self.shown(scope, self.door.asking(scope).entries(query))

    def history(self, scope: Scope, named: object, conversation: str | None = None) -> list[E]:
        """All versions of an entry, oldest first; each by its last record, which says how it ended."""
        return self._history(scope, self.find(scope, named, conversation))

    def _history(self, scope: Scope, head: Memory) -> list[E]:
        return self.shown(scope, self._versions(scope, head))

    def _versions(self, scope: Scope, head: Memory) -> list[Memory]:
        versions: dict[int, Memory] = {}
        for record in self.door.asking(scope).versions(head.logical_id):
            # A closing record represents its version, unless it was undone.
            if record.version not in versions or record.expired_at is None:
                versions[record.version] = record
        return [versions[number] for number in sorted(versions)]

    def matching(self, scope: Scope, within: Scope, query: str, selection: Selection, limit: int) -> list[E]:
        """The entries that answer a query, best first, with their mass as score.

        A query that is a global id finds its entry regardless of the selection; a local id finds the entries of that
        name.

        `within`: the scope of the search, narrowed to projects; what an entry refers to may be of others.
        `selection`: statuses, conversations, tags and the valid range to search in; its kinds and times are set here.
        `limit`: 1 to 1,000.

        Raises InvalidContent or InvalidValue where the query is not sound.
        """
        asked = self._whole(within, check_query(query).strip())
        named = self._named(within, asked, selection, limit)
        if named or ENTRY_ID.fullmatch(asked):
            return self.shown(scope, named, [1.0] * len(named))
        now = self.clock()
        chosen = replace(selection, kinds=(self.kind,))
        request = replace(recall_request(query, chosen, clock=lambda: now, limit=limit), explained=False)
        # A memory of the kind without a registration is not one of its entries.
        hits = [
            hit for hit in self.retriever.recall(within, request).hits if hit.memory.registration is not None
        ]
        return self.shown(scope, [hit.memory for hit in hits], [min(max(hit.mass, 0.0), 1.0) for hit in hits])

    def _whole(self, scope: Scope, query: str) -> str:
        """A query that is a shortened global id, as the whole id; of hexadecimal digits alone it may be a word."""
        return self.door.asking(scope).whole_id(query) if query[3:4] == "_" else query

    def _named(self, scope: Scope, asked: str, selection: Selection, limit: int) -> list[Memory]:
        """The entries of which the query is the global id, or the local id if the selection admits them."""
        if ENTRY_ID.fullmatch(asked):
            query = EntryQuery(kind=self.kind, entry_ids=(asked.lower(),), ended=True, limit=limit)
        elif LOCAL_ID.fullmatch(asked):
            query = EntryQuery(
                kind=self.kind,
                local_ids=(asked, asked.upper()),
                statuses=selection.statuses,
                conversations=selection.conversations,
                tags=selection.tags,
                limit=limit,
            )
        else:
            return []
        return self.door.asking(scope).entries(query)
