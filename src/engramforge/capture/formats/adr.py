"""Folders of architecture decision records (ADR): each record is a decision of the registry.

A folder is recognised by what its files say: two numbered records, or one in a folder named after decisions, and more
records than other texts. It is read as a whole, because records refer to each other; other texts in it (a README, a
template) are left out and counted. core/decision_records/decision_record parses a record;
capture/writers/decision_records writes it.

| status | decision |
|---|---|
| accepted, approved | active, tier 0.8; partly superseded 0.6; without a status 0.5 |
| proposed, pending, incomplete | active, tier 0.3: what a team wrote down and has not taken back holds for now |
| superseded | superseded, with the decision that took its place where the record names it |
| rejected, and it says so | active, tier 0.3, tag `rejected`, which keeps it from the list of the active |
| else rejected; deprecated | invalidated |
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from engramforge.capture.reading.cutting import cut
from engramforge.capture.reading.format import Context, Format, Naming
from engramforge.capture.reading.records import Item, Place, read_text
from engramforge.capture.reading.sources import ImportSource, Listing
from engramforge.capture.reading.values import digest_of
from engramforge.core.decision_records.decision_record import DecisionRecord, RecordStatus, read_record
from engramforge.core.decision_records.record_references import Reference, number_of_file
from engramforge.model.limits import NAME_CHARACTERS
from engramforge.model.memory import Draft, Source
from engramforge.model.registries.entry import PROPOSED, REJECTED
from engramforge.model.time import from_micros
from engramforge.registries.decisions.decision_view import decision_draft

GIST_CHARACTERS: Final = 600
"""How much of the section Decision becomes the decision's text, after the title; the rationale has the rest."""
_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^)\n\[]*\)")
_LOOKED_AT_FILES: Final = 60
_LOOKED_AT_CHARACTERS: Final = 65_536
_MARKDOWN: Final = (".md", ".markdown", ".mdown")
_FOLDER_NAMES: Final = frozenset({
    "adr", "adrs", "decisions", "decision-records", "architecture-decision-record", "architecture-decision-records",
    "architecture-decisions", "architecture_decisions", "decision-log", "decisionlog", "decision_records",
})  # fmt: skip
_NAMELESS: Final = _FOLDER_NAMES | {"doc", "docs", "documentation", "architecture", "design", "dev", "arch"}
"""Folder names that do not identify a project; it is named after the folder above."""
_TIERS: Final = {
    RecordStatus.ACCEPTED: 0.8,
    RecordStatus.SUPERSEDED: 0.8,
    RecordStatus.DEPRECATED: 0.8,
    RecordStatus.UNSTATED: 0.5,
    RecordStatus.PROPOSED: 0.3,
    RecordStatus.REJECTED: 0.3,
}
_PARTLY_TIER: Final = 0.6


@dataclass(frozen=True, slots=True)
class RecordFile:
    """One record of a folder; `key` is its number, else its name, `at` the time when it began to hold."""

    path: Path
    size: int
    key: str
    record: DecisionRecord
    at: datetime


@dataclass(slots=True)
class RecordFolder:
    """The records of a folder and their references to each other.

    `records`: in order of their files' names. `others`: items of files that are not records, with the reason or fault.
    """

    path: Path
    records: list[RecordFile] = field(default_factory=list)
    others: list[Item] = field(default_factory=list)

    @property
    def superseded_by(self) -> Mapping[str, str]:
        """Key of a record -> key of the one that took its place; without those that took their own."""
        circular = self.circular
        return {key: by for key, by in self._taken().items() if key not in circular}

    @property
    def circular(self) -> Set[str]:
        """Keys of records that would take their own place, directly or through others: none of them ended."""
        taken = self._taken()
        found: set[str] = set()
        for key, by in taken.items():
            seen: set[str] = set()
            while by in taken and by != key and by not in seen:
                seen.add(by)
                by = taken[by]
            found |= {key} if by == key else set()
        return found

    def _taken(self) -> Mapping[str, str]:
        found: dict[str, str] = {}
        # That a record names itself counts where no other took its place.
        for file, other, relation in sorted(self._edges(), key=lambda edge: edge[0] is edge[1]):
            # Not while it is proposed, nor if it was rejected.
            is_in_force = file.record.status not in (RecordStatus.PROPOSED, RecordStatus.REJECTED)
            if relation == "SUPERSEDES" and is_in_force:
                found.setdefault(other.key, file.key)
        return found

    @property
    def links(self) -> list[tuple[str, str, str]]:
        """(key, relation, key of the other) of all other references between records."""
        taken = self.superseded_by
        said = {
            (file.key, "RELATES_TO" if relation == "SUPERSEDES" else relation, other.key): None
            for file, other, relation in self._edges()
            if taken.get(other.key) != file.key and file is not other
        }
        return list(said)

    def _edges(self) -> Iterator[tuple[RecordFile, RecordFile, str]]:
        """The references as edges."""
        for record in self.records:
            for reference in record.record.references:
                other = self._meant(reference, record)
                if other is not None:
                    first, second = (other, record) if reference.is_passive else (record, other)
                    yield first, second, reference.relation

    def _meant(self, reference: Reference, said_in: RecordFile) -> RecordFile | None:
        file, number = reference.file, reference.number
        named = [record for record in self.records if file and record.path.name == file]
        numbered = [
            record for record in self.records if number is not None and record.record.number == number
        ]
        # Of two with the same number the other one is meant.
        return min(named or numbered, key=lambda record: record is said_in, default=None)


def read_folder(source: ImportSource, context: Context) -> RecordFolder:
    """The records of a folder; symbolic links below it are not followed."""
    folder = RecordFolder(source.path)
    keys: set[str] = set()
    for path in _texts(source.path):
        size = path.stat().st_size
        text, line, fault = read_text(path)
        if fault:
            folder.others.append(Place(str(path), line, size).fault("record", fault, is_message=True))
            continue
        record = None if "template" in path.name.lower() else read_record(text, path.name)
        if record is not None and record.is_sign_post:
            folder.others.append(Place(str(path), None, size).skipped("file", "only points elsewhere"))
            continue
        if record is None:
            folder.others.append(Place(str(path), None, size).skipped("file", "no decision record"))
            continue
        key = f"{record.number:04d}" if record.number is not None else path.stem
        key = key if key not in keys else f"{key}:{path.stem}"
        keys.add(key)
        written = from_micros(path.stat().st_mtime_ns // 1_000)
        folder.records.append(RecordFile(path, size, key, record, min(record.date or written, context.now)))
    return folder


def record_draft(file: RecordFile, root: Path, project: str, outcome: str) -> Draft:
    """The draft of a record's decision, with its content composed later.

    `root`: the folder of the records. `outcome`: its final status with its successor, part of what recognises a change.
    """
    record = file.record
    title = cut(record.title, NAME_CHARACTERS)
    gist = _one_line(f"Chosen: {record.chosen}" if record.chosen else record.decision)
    rejected = [option for option in record.options if record.chosen and not _same(option, record.chosen)]
    tier = _TIERS[record.status]
    if record.status is RecordStatus.ACCEPTED and any(
        said.relation == "PARTLY_SUPERSEDES" and said.is_passive for said in record.references
    ):
        tier = _PARTLY_TIER
    draft = decision_draft(
        f"{title}: {gist}" if gist and not _same(gist, title) else title,
        rationale=_reasons(record, gist),
        alternatives_rejected=[cut(option, 500) for option in rejected],
        local_id=f"ADR-{record.number:04d}" if record.number is not None else None,
        name=title,
        project=project,
        source=Source.IMPORT,
        tags=_tags(record),
        epistemic_tier=tier,
        confidence=tier,
        valid_at=file.at,
        recorded_at=file.at,
        origin=f"adr:{'/'.join(root.parts[-2:])}:{file.key}",
    )
    digest = digest_of(repr((draft.content, draft.registration, draft.tags, tier, file.at, outcome)))
    said = {
        "file": str(file.path.relative_to(root)),
        "status": cut(record.status_text, 1_000),
        "digest": digest,
    }
    return replace(draft, metadata={"adr": said})


def _reasons(record: DecisionRecord, gist: str) -> str:
    """All that a record says beside the text of its decision."""
    is_whole = not record.chosen and len(gist) == len(_as_line(record.decision))
    parts = ["Status: rejected"] if record.is_rejection else []
    parts += [record.reason, record.context]
    if record.decision and not is_whole:
        parts.append(f"Decision: {record.decision}")
    if record.consequences:
        parts.append(f"Consequences: {record.consequences}")
    return "\n\n".join(filter(None, [*parts, record.rest]))


def _tags(record: DecisionRecord) -> tuple[str, ...]:
    """What a record is tagged with; one that was only proposed, or rejects something, says so."""
    own = (cut(tag, NAME_CHARACTERS) for tag in record.tags)
    stage = (PROPOSED,) if record.status is RecordStatus.PROPOSED else ()
    stage = (REJECTED,) if record.is_rejection else stage
    return tuple(dict.fromkeys(("adr", *stage, *own)))


def is_record_folder(listing: Listing) -> bool:
    """Whether a folder holds decision records; reads the first of its texts."""
    texts = [
        name for name in listing.files if Path(name).suffix.lower() in _MARKDOWN and not name.startswith(".")
    ]
    numbered = [name for name in texts if number_of_file(name) is not None]
    is_named = listing.path.name.lower() in _FOLDER_NAMES or ".adr-dir" in listing.files
    if not texts or (len(numbered) < 2 and not is_named):
        return False
    looked_at = (numbered + [name for name in texts if name not in numbered])[:_LOOKED_AT_FILES]
    records = sum(_is_record(listing.path / name) for name in looked_at)
    return records >= (1 if is_named else 2) and records * 2 > len(looked_at)


def owning_folder(source: ImportSource) -> str:
    """The owning folder: the first above that is not named after documents or decisions."""
    path = source.path
    while path.name.lower() in _NAMELESS and path.parent != path:
        path = path.parent
    return str(path)


def _is_record(path: Path) -> bool:
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(_LOOKED_AT_CHARACTERS).decode("utf-8-sig", "replace")
    return "template" not in path.name.lower() and read_record(head, path.name) is not None


def _texts(folder: Path) -> Sequence[Path]:
    """Its Markdown files, and those in folders below it, hidden ones and links left out."""
    found = [
        path
        for path in folder.rglob("*")
        if path.suffix.lower() in _MARKDOWN
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and not any(each.is_symlink() for each in (path, *path.parents) if each.is_relative_to(folder))
        and path.is_file()
    ]
    return sorted(found)


def _one_line(text: str) -> str:
    """The first paragraphs of a text as one line, cut at the end of a sentence if possible."""
    whole = _as_line(text)
    if len(whole) <= GIST_CHARACTERS:
        return whole
    begun = cut(whole, GIST_CHARACTERS)
    end = max(begun.rfind(". "), begun.rfind("; "), begun.rfind(" * "), begun.rfind(" - "))
    return (begun[: end + 1] if end > GIST_CHARACTERS // 2 else begun.rpartition(" ")[0]).strip() + " ..."


def _as_line(text: str) -> str:
    return " ".join(_LINK.sub(r"\1", text).split())


def _same(text: str, other: str) -> bool:
    first, second = (" ".join(said.casefold().split()).strip(" .\"'") for said in (text, other))
    return first == second or (len(second) > 3 and first.startswith(second))


FORMAT: Final = Format(
    name="adr",
    title="decision records (ADR)",
    claims=is_record_folder,
    naming=Naming.WORKING_FOLDER,
    working_folder=owning_folder,
)
