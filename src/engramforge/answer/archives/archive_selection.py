"""Selects what goes into an archive that cannot hold a whole conversation: within a size, or by a context.

Entries come in the order of core/registries/archive_priority; a summary consists of the conversation's own sentences.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from engramforge.answer.archives.describing import ArchivedEntry, entries_in
from engramforge.core.archive_format.writer import write_archive, write_entry
from engramforge.core.registries.archive_priority import Rank, importance_of, rank_of
from engramforge.core.text.portions import excerpt_within
from engramforge.core.text.summarising import choose_sentences
from engramforge.model.registries.archive import (
    ArchiveContent,
    ArchivedArtifact,
    ArchivedDecision,
    ArchivedMemory,
    ArchivedThread,
)

LEAST_SIZE: Final = 2_000
"""The smallest size of a lossy archive, in characters: its head and its protocol take about a half of that."""
DEFAULT_SIZE: Final = 8_000
"""The default size of a lossy archive, in characters."""
_BESIDE_SHARE: Final = 0.75
"""How much of the size may be filled with what is not open or active: ended entries, artefacts, tables; the rest is for
the summary."""
_ARTIFACTS: Final = 20
"""The most artefacts that are tried."""
_MARGIN: Final = 200
"""Characters reserved for what grows with the entries: counts in the head, headings of sections."""
_FEWER: Final = 0.97
_SHORT_CHARACTERS: Final = 160
"""How much of a long text an entry shows if not all entries fit whole."""


def within_size(whole: ArchiveContent, size: int) -> tuple[ArchiveContent, tuple[str, ...]]:
    """The entries that matter most, then a summary of what was said, in at most `size` characters of text.

    What was said comes last: open threads and active decisions may take all the room, artefacts and ended entries most
    of what these leave. With it comes what a reader should know of the entries that found no room.
    """
    empty = replace(
        whole, decisions=(), threads=(), artifacts=(), memories=(), revalidation=(), related=(), lineage=()
    )
    room = size - len(write_archive(empty)) - _MARGIN
    every = sorted(entries_in(whole), key=importance_of)
    standing = [entry for entry in every if rank_of(entry) is not Rank.LOW]
    kept, lost = _fitting(standing, room, size, whole)
    if lost:
        # Shortened, more of them fit; the store has their full texts.
        kept, lost = _fitting([_in_short(each) for each in standing], room, size, whole)
    content = _with_entries(empty, kept, whole)
    if not lost:
        content = _with_artifacts(content, whole.artifacts, size)
        ended = [_in_short(entry) for entry in every if rank_of(entry) is Rank.LOW]
        left = size - len(write_archive(content)) - _MARGIN
        content = _with_entries(content, [*kept, *_fitting(ended, left, size, whole)[0]], whole)
    content = _with_rows(content, whole, size)
    content = _with_summary(content, whole.memories, size)
    return content, _told(lost)


def matching(whole: ArchiveContent, ids: Collection[str]) -> ArchiveContent:
    """The part with these ids: global ids of entries, logical ids of memories."""
    kept = [entry for entry in entries_in(whole) if entry.id in ids]
    return replace(
        _with_entries(whole, kept, whole),
        artifacts=tuple(artifact for artifact in whole.artifacts if artifact.id in ids),
        memories=tuple(memory for memory in whole.memories if memory.id in ids),
    )


def _fitting(
    every: Sequence[ArchivedEntry], room: int, size: int, whole: ArchiveContent
) -> tuple[list[ArchivedEntry], list[ArchivedEntry]]:
    """The entries that fit, most important first, and those that do not."""
    listed = {revalidation.local_id for revalidation in whole.revalidation}
    kept: list[ArchivedEntry] = []
    lost: list[ArchivedEntry] = []
    for entry in every:
        rank = rank_of(entry)
        taken = len(write_entry(entry)) + 1
        if isinstance(entry, ArchivedDecision) and entry.local_id in listed:
            # Its row in the revalidation table.
            taken += len(entry.decision) + _MARGIN
        least = (1 - _BESIDE_SHARE) * size if rank is Rank.LOW else 0
        # Once an entry of a rank does not fit, none of a lower rank is included.
        if room - taken >= least and not any(rank_of(each) < rank for each in lost):
            kept.append(entry)
            room -= taken
        else:
            lost.append(entry)
    return kept, lost


def _in_short(entry: ArchivedEntry) -> ArchivedEntry:
    """An entry with its long texts cut."""
    if isinstance(entry, ArchivedThread):
        return replace(entry, content=_cut(entry.content))
    return replace(entry, decision=_cut(entry.decision), rationale=_cut(entry.rationale))


def _cut(text: str) -> str:
    return excerpt_within(text, _SHORT_CHARACTERS, least=1) or ""


def _with_entries(
    empty: ArchiveContent, kept: Sequence[ArchivedEntry], whole: ArchiveContent
) -> ArchiveContent:
    names = {decision.local_id for decision in kept if isinstance(decision, ArchivedDecision)}
    return replace(
        empty,
        decisions=tuple(decision for decision in kept if isinstance(decision, ArchivedDecision)),
        threads=tuple(thread for thread in kept if isinstance(thread, ArchivedThread)),
        revalidation=tuple(
            revalidation for revalidation in whole.revalidation if revalidation.local_id in names
        ),
    )


def _with_artifacts(
    content: ArchiveContent, artifacts: Sequence[ArchivedArtifact], size: int
) -> ArchiveContent:
    """Adds the artefacts that fit whole."""
    for artifact in artifacts[:_ARTIFACTS]:
        fuller = replace(content, artifacts=(*content.artifacts, artifact))
        if len(write_archive(fuller)) <= _BESIDE_SHARE * size:
            content = fuller
    return content


def _with_rows(content: ArchiveContent, whole: ArchiveContent, size: int) -> ArchiveContent:
    """Adds the tables that fit beside a summary: decisions of other projects, lineage."""
    for fuller in (
        replace(content, related=whole.related, lineage=whole.lineage),
        replace(content, related=whole.related[:3], lineage=whole.lineage[-1:]),
        replace(content, lineage=whole.lineage[-1:]),
    ):
        if len(write_archive(fuller)) <= _BESIDE_SHARE * size:
            return fuller
    return content


def _with_summary(content: ArchiveContent, memories: Sequence[ArchivedMemory], size: int) -> ArchiveContent:
    """Adds as much of a summary as fits."""
    texts = [memory.content for memory in memories]
    room = float(size - len(write_archive(content)) - len("## Summary\n\n\n"))
    longest = max((len(memory.speaker or "") for memory in memories), default=0)
    while room > 0:
        lines = []
        for sentence in choose_sentences(texts, int(room), longest + len("> - : \n")):
            speaker = memories[sentence.place].speaker
            lines.append(f"- {speaker}: {sentence.text}" if speaker else f"- {sentence.text}")
        summarised = replace(content, summary="\n".join(lines))
        if not lines or len(write_archive(summarised)) <= size:
            return summarised
        room = room * _FEWER - 1
    return content


def _told(lost: Sequence[ArchivedEntry]) -> tuple[str, ...]:
    if not lost:
        return ()
    names = ", ".join(each.local_id for each in lost[:20])
    return (f"{len(lost)} entries found no room within the size and are left to the store: {names}",)
