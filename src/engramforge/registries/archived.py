"""What an archive's text shows, as the store has it: so that a copy of the text is forgotten with any of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from engramforge.core.archive_format.clues import HEAD_KEY
from engramforge.core.archive_format.reader import (
    LINE_END,
    entry_ids_in,
    memory_ids_in,
    read_archive,
    without,
)
from engramforge.core.archive_format.recognition import Found, archives_in
from engramforge.core.archive_format.writer import write_archive
from engramforge.errors import CallerError
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.archive import ArchiveContent
from engramforge.model.scope import Scope
from engramforge.registries.lineage.lineage_reading import ARCHIVE
from engramforge.registries.registered import entries_named, entry_link, registration_of
from engramforge.store.door import Door

_MOST_ARCHIVES: Final = 20
"""How many archives of one text are looked into."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What an archive shows.

    `sources`: logical ids of what the store has of it, whoever's they are. `gone`: ids that the text has and the store
    lacks. `kept`: the memory of the archive that the store wrote, if it wrote it and still has it; `lost_text`: it has
    it no more, or not as it is here.
    """

    sources: tuple[str, ...]
    gone: frozenset[str]
    kept: Memory | None
    lost_text: bool


def shown_in(door: Door, scope: Scope, content: ArchiveContent) -> Shown:
    """What an archive shows, looked for among the memories of everybody: an archive may be passed on."""
    everybody = Scope(scope.tenant, every_agent=True)
    entries, memories = entry_ids_in(content), memory_ids_in(content)
    records = entries_named(door, everybody, Kind.DECISION, [each for each in entries if each[:3] == "dec"])
    records |= entries_named(door, everybody, Kind.THREAD, [each for each in entries if each[:3] == "thr"])
    said = door.asking(everybody).fetch(memories) if memories else {}
    kept, names_text = _text_of(door, everybody, content)
    sources = [each.logical_id for each in (*records.values(), *said.values())]
    sources += [kept.logical_id] if kept is not None else []
    gone = frozenset({*entries, *memories} - {*records, *said})
    # A text that was continued from before may be kept without its summary, since something in it was forgotten.
    is_lost = names_text if kept is None else read_archive(kept.content).content.summary != content.summary
    return Shown(tuple(dict.fromkeys(sources)), gone, kept, is_lost)


def still_known(door: Door, scope: Scope, text: str) -> str:
    """A text in which archives of this store stand without what was forgotten since."""
    if HEAD_KEY not in text:
        return text
    written = LINE_END.sub("\n", text)
    known: list[str] = []
    end = 0
    for found, content in _archives_in(written):
        if content.external_store.get("store_id") != door.identity.store_id:
            continue
        shown = shown_in(door, scope, content)
        if shown.gone or shown.lost_text:
            known += [written[end : found.start], write_archive(without(content, shown.gone))]
            end = found.end
    return "".join([*known, written[end:]]) if known else text


def archives_of(text: str) -> list[ArchiveContent]:
    """What the archives in a text say; of one that has lost its head, too."""
    found = [content for _, content in _archives_in(LINE_END.sub("\n", text))]
    if not found:
        with suppress(CallerError):
            found.append(read_archive(text).content)
    return found


def _archives_in(text: str) -> Iterator[tuple[Found, ArchiveContent]]:
    for found in archives_in(text, _MOST_ARCHIVES):
        # What only looks like one names nothing of any store.
        with suppress(CallerError):
            yield found, read_archive(text[found.start : found.end]).content


def copied_from(copy: Memory, shown: Shown) -> list[Link]:
    """DERIVED_FROM of a copy to each thing that it shows: forgetting any of them forgets it."""
    trigger = "it shows what an archive says"
    found = (
        entry_link(Relation.DERIVED_FROM, copy, source, copy.created_at, trigger=trigger)
        for source in shown.sources
        if source != copy.logical_id
    )
    return [replace(link, confidence=1.0) for link in found]


def _text_of(door: Door, scope: Scope, content: ArchiveContent) -> tuple[Memory | None, bool]:
    """The kept text of the compression that wrote an archive, and whether there was one: also where the edge that the
    archive names is gone, since it goes with the text."""
    edges = entries_named(door, scope, Kind.LINEAGE, [content.lineage_id] if content.lineage_id else [])
    texts = [registration_of(edge).details.get(ARCHIVE) for edge in edges.values()]
    named = {str(text) for text in texts if text}
    found = entries_named(door, scope, Kind.ARCHIVE, named)
    return next(iter(found.values()), None), bool(named or (content.lineage_id and not edges))
