"""Records of other tools that changed since they were imported: the memory gets a new version.

Such a record keeps its id and changes in place, so its draft has a digest of its content (`other_memories.DIGEST`). If
the memory of its origin has another digest, the record changed at its source and the memory is revised; changes made
here are left alone as long as the source stays the same.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engramforge.capture.reading.format import Context
from engramforge.capture.reading.other_memories import DIGEST
from engramforge.capture.reading.records import Item
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.writers.account import FileCount
from engramforge.capture.writers.chunks import ChunkSync, TextFile
from engramforge.capture.writers.import_stages import ImportStages, Screen
from engramforge.core.checks.validation import check_draft
from engramforge.errors import CallerError, InvalidValue
from engramforge.model.memory import Draft
from engramforge.model.scope import Scope

TWICE = "a record with the same id says something else"
CHANGED = "changed at its source: a new version was written"


def revising(stages: ImportStages, scope: Scope, _: ImportSource, context: Context) -> Screen:
    """A filter that revises the memories of changed records, and leaves those out of their items; of several records
    with one id that say different things the first counts."""
    seen: dict[tuple[str, str | None], object] = {}

    def left(item: Item) -> Item:
        kept, changed = [], False
        for draft in item.drafts:
            digest = draft.metadata.get(DIGEST)
            if seen.setdefault((draft.project, draft.origin), digest) != digest:
                return replace(item, drafts=(), links=(), fault=TWICE)
            try:
                became = draft.project not in stages.excluded and _revised(stages, scope, draft, context)
            except CallerError as error:
                return replace(item, drafts=(), links=(), fault=str(error))
            changed = changed or became
            if not became:
                kept.append(draft)
        return replace(item, drafts=tuple(kept), skipped="" if kept else CHANGED) if changed else item

    return left


def _revised(stages: ImportStages, scope: Scope, draft: Draft, context: Context) -> bool:
    """Revise the memory of a draft's origin if its source changed; returns whether it did. Raises CallerError."""
    checked = check_draft(draft, context.now)
    if context.since is not None and checked.valid_at is not None and checked.valid_at < context.since:
        return False
    key = stages.origin_key(scope, checked)
    logical_id = stages.known_origins(scope, checked.project, [key]).get(key)
    head = None if logical_id is None else stages.door.asking(scope).fetch([logical_id]).get(logical_id)
    if head is None or head.metadata.get(DIGEST) in (None, checked.metadata.get(DIGEST)):
        return False
    if head.is_superseded:
        # Somebody ended it here deliberately, so an import does not bring it back.
        return False
    changes: dict[str, Any] = {"tags": checked.tags, "name": checked.name}
    changes["metadata"] = {**head.metadata, **checked.metadata}
    if checked.invalid_at is not None:
        changes["invalid_at"] = checked.invalid_at
    content = checked.content if checked.content != head.content else None
    try:
        stages.revision.revise(scope, head.logical_id, content, changes)
    except InvalidValue:
        # After redaction it is unchanged.
        return False
    return True


AS_IT_WAS = "as it was"
OLDER = "the store has a later text"


def superseding(stages: ImportStages, scope: Scope, source: ImportSource, context: Context) -> Screen:
    """A filter that writes the changes of known texts, and leaves those out of their items."""
    sync = ChunkSync(stages)

    def left(item: Item) -> Item:
        first = item.drafts[0] if item.drafts else None
        if first is None or first.chunk is None or DIGEST not in first.metadata:
            return item
        at = first.valid_at
        if first.project in stages.excluded or at is None or (context.since and at < context.since):
            return item
        path = first.chunk.file_path
        stored = stages.door.asking(scope).known_files(first.project, path).get(path, [])
        if not stored:
            return item
        last = max(stored, key=lambda chunk: chunk.valid_at)
        newest = stages.door.asking(scope).fetch([last.id]).get(last.id)
        if newest is None:
            return item
        if newest.metadata.get(DIGEST) == first.metadata[DIGEST]:
            return replace(item, drafts=(), skipped=AS_IT_WAS)
        if at <= newest.valid_at:
            return replace(item, drafts=(), skipped=OLDER)
        file = TextFile(source, item, stored, at, FileCount(source.format))
        (synced,) = sync.write(scope, [file], context.now)
        fault = synced.faults[0].reason if synced.faults else ""
        return replace(item, drafts=(), skipped=CHANGED if synced.touched else AS_IT_WAS, fault=fault)

    return left
