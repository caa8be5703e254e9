"""Texts that changed in a later export: changed chunks supersede the stored ones, as for a Markdown file.

Such a text's memories name their text (`chunk.file_path`) and the digest of the whole (`DIGEST`). A text that is new to
the store is written normally; one that is older than the stored one is left out, and so is one that has not changed
since its last import, whatever was changed here since.
"""

from __future__ import annotations

from dataclasses import replace

from engramforge.capture.reading.format import Context
from engramforge.capture.reading.other_memories import DIGEST
from engramforge.capture.reading.records import Item
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.writers.account import FileCount
from engramforge.capture.writers.changed_records import CHANGED
from engramforge.capture.writers.chunks import ChunkSync, TextFile
from engramforge.capture.writers.import_stages import ImportStages, Screen
from engramforge.model.scope import Scope

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
