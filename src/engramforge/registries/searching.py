"""Searching a registry: by keyword and meaning through recall, and directly if the query is an id."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from typing import Final

from engramforge.core.checks.validation import check_query
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.entry import EntryQuery
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.recall.request import recall_request
from engramforge.recall.retrieval import Retriever
from engramforge.registries.registered import ENTRY_ID
from engramforge.store.door import Door

_LOCAL_ID: Final = re.compile(r"[A-Za-z]{1,3}-?\d{1,6}")

Found = tuple[list[Memory], list[float]]
"""Entries, best first, with their scores, 0..1."""


def search_entries(
    retriever: Retriever,
    door: Door,
    scope: Scope,
    kind: Kind,
    query: str,
    selection: Selection,
    limit: int,
    now: datetime,
) -> Found:
    """The entries that answer a query, best first, with their mass.

    A query that is a global id finds its entry regardless of the selection; a local id finds the entries of that name.

    `selection`: statuses, conversations, tags and the valid range to search in; its kinds and times are set here.
    `limit`: 1 to 1,000.

    Raises InvalidContent or InvalidValue where the query is not sound.
    """
    asked = check_query(query).strip()
    named = _named(door, scope, kind, asked, selection, limit)
    if named or ENTRY_ID.fullmatch(asked):
        return named, [1.0] * len(named)
    chosen = replace(selection, kinds=(kind,))
    request = replace(recall_request(query, chosen, clock=lambda: now, limit=limit), explained=False)
    # A memory of the kind without a registration is not one of its entries.
    hits = [hit for hit in retriever.recall(scope, request).hits if hit.memory.registration is not None]
    return [hit.memory for hit in hits], [min(max(hit.mass, 0.0), 1.0) for hit in hits]


def _named(
    door: Door, scope: Scope, kind: Kind, asked: str, selection: Selection, limit: int
) -> list[Memory]:
    """The entries of which the query is the global id, or the local id if the selection admits them."""
    if ENTRY_ID.fullmatch(asked):
        return door.asking(scope).entries(
            EntryQuery(kind=kind, entry_ids=(asked.lower(),), ended=True, limit=limit)
        )
    if not _LOCAL_ID.fullmatch(asked):
        return []
    query = EntryQuery(
        kind=kind,
        local_ids=tuple(dict.fromkeys((asked, asked.upper()))),
        statuses=selection.statuses,
        conversations=selection.conversations,
        tags=selection.tags,
        limit=limit,
    )
    return door.asking(scope).entries(query)
