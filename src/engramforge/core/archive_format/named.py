"""What an archive repeats of a store, by the ids that its text has."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from engramforge.model.registries.archive import ArchiveContent


def entry_ids_in(content: ArchiveContent) -> list[str]:
    """Global ids of the entries whose words an archive shows: its own, and related ones of other projects."""
    own = [each.id for each in content.decisions] + [each.id for each in content.threads]
    return list(dict.fromkeys(each for each in (*own, *(each.id for each in content.related)) if each))


def memory_ids_in(content: ArchiveContent) -> list[str]:
    """Logical ids of the memories whose text an archive shows."""
    shown = [each.id for each in content.artifacts] + [each.id for each in content.memories]
    return list(dict.fromkeys(each for each in shown if each))


def without(content: ArchiveContent, ids: Collection[str]) -> ArchiveContent:
    """An archive without what has one of these ids, and without the summary, which may tell of it."""
    left_out = {each.local_id for each in content.decisions if each.id in ids}
    return replace(
        content,
        summary="",
        decisions=tuple(each for each in content.decisions if each.id not in ids),
        threads=tuple(each for each in content.threads if each.id not in ids),
        artifacts=tuple(each for each in content.artifacts if each.id not in ids),
        memories=tuple(each for each in content.memories if each.id not in ids),
        related=tuple(each for each in content.related if each.id not in ids),
        revalidation=tuple(each for each in content.revalidation if each.local_id not in left_out),
    )
