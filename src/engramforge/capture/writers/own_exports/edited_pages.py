"""Restores an exported folder: its JSON lines first, then every decision whose text was edited, as a revision.

A text counts as edited if it differs from what its mark says was written. It is taken only if the decision is still as
exported; one changed in the store since is reported and left. Nothing else of a page is read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from engramforge.capture.reading.format import Context
from engramforge.capture.reading.records import Item, read_text
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.writers.account import FileCount
from engramforge.capture.writers.import_stages import ImportStages
from engramforge.capture.writers.own_exports.restoring import restore
from engramforge.core.text.page_marks import (
    DECISIONS_PAGE,
    MANIFEST,
    RATIONALE,
    SIDECAR,
    TEXT,
    Region,
    regions_in,
)
from engramforge.errors import CallerError, InvalidSource
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.entry import DecisionStatus
from engramforge.model.scope import Scope
from engramforge.registries.decisions.decision_revision import Revised, revised_draft
from engramforge.registries.decisions.decision_view import RATIONALE as RATIONALE_KEY
from engramforge.registries.decisions.decision_view import composed, decision_text, status_of
from engramforge.registries.registered import find_entry, registration_of
from engramforge.writing.repeating import embedding_again

_RECORD: Final = "page"


def bring_back(
    stages: ImportStages, scope: Scope, source: ImportSource, context: Context, count: FileCount
) -> Iterator[Item]:
    """Restore a folder; yields an item for each line, then for each edited text."""
    pages = _pages(source.path)
    lines = ImportSource.of(source.path / SIDECAR, source.format)
    yield from restore(stages, scope, lines, context, count)
    edits = _Edits(stages, scope, count)
    for page in pages:
        yield from edits.of(page)


def _pages(folder: Path) -> list[Path]:
    """The pages of decisions that the manifest names and that lie in the folder itself. Raises InvalidSource."""
    try:
        names = json.loads((folder / MANIFEST).read_bytes())["files"]
        paths = [PurePosixPath(name) for name in names if PurePosixPath(name).name == DECISIONS_PAGE]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InvalidSource(f"{folder / MANIFEST} names no files ({error})", "Export again") from error
    found = []
    for path in paths:
        place = folder.joinpath(*path.parts)
        links = [
            parent for parent in (place, *place.parents) if parent != folder and parent.is_relative_to(folder)
        ]
        if path.is_absolute() or ".." in path.parts or any(link.is_symlink() for link in links):
            continue
        if place.is_file():
            found.append(place)
    return sorted(found)


@dataclass(frozen=True, slots=True)
class _Edits:
    """The edited texts of one folder."""

    stages: ImportStages
    scope: Scope
    count: FileCount

    def of(self, page: Path) -> Iterator[Item]:
        """The edits of one page."""
        text, line, fault = read_text(page)
        if fault:
            yield Item(str(page), line, _RECORD, fault=fault)
            return
        by_entry: dict[str, dict[str, Region]] = {}
        for region in regions_in(text):
            if region.is_edited:
                by_entry.setdefault(region.entry_id, {})[region.what] = region
        for entry_id, regions in by_entry.items():
            first = min(region.line for region in regions.values())
            try:
                told = self._revise(entry_id, regions)
            except CallerError as error:
                told = str(error)
            self.count.records[_RECORD] += 1
            yield Item(str(page), first, _RECORD, remarks=(told,) if told else ())

    @embedding_again
    def _revise(self, entry_id: str, regions: dict[str, Region]) -> str:
        """Take an edited text; returns a remark if it is not taken. Raises CallerError."""
        head = find_entry(self.stages.door, self.scope, Kind.DECISION, entry_id)
        wanted = self._wanted(head, regions)
        if wanted is None:
            return ""
        version = next(iter(regions.values())).version
        if head.version != version:
            return (
                f"{entry_id} was changed since the export, from version {version} to {head.version}: its edited text "
                "was not taken. Export again, then edit"
            )
        if status_of(head) is not DecisionStatus.ACTIVE or head.is_superseded:
            return f"{entry_id} is {status_of(head)}: its edited text was not taken. Reinstate it first"
        now = self.stages.clock()
        draft = revised_draft(head, wanted, now)
        change = self.stages.changes.revised(
            self.scope, head, draft, now, compose=composed, expected_version=head.version
        )
        self.stages.changes.commit(self.scope, [change], "revise", change.told)
        self.count.changes["revised"] += 1
        return ""

    def _wanted(self, head: Memory, regions: dict[str, Region]) -> Revised | None:
        """What an edit asks for; None where the decision says so already."""
        text, before = decision_text(head), registration_of(head).details.get(RATIONALE_KEY, "")
        asked = regions[TEXT].text.strip() if TEXT in regions else text
        rationale = regions[RATIONALE].text.strip() if RATIONALE in regions else before
        if (asked, rationale) == (text.strip(), str(before).strip()):
            return None
        return Revised(decision=asked, rationale=rationale)
