"""Reading archives of older tools: decisions and threads as lists, tables, headings or YAML, by their ids D001, T001.

These texts follow no fixed rules, so what most of them share is read; that the text is of this kind is always the first
problem reported.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engramforge.core.archive_format.forms import cells_of, read_text
from engramforge.core.archive_format.head import complete, read_head
from engramforge.core.archive_format.recognition import ENTRY, Found
from engramforge.core.archive_format.shapes import TABLES, Table
from engramforge.core.archive_format.tables import read_table
from engramforge.core.registries.local_ids import NUMBER
from engramforge.model.registries.archive import (
    ArchiveContent,
    ArchivedArtifact,
    ArchivedDecision,
    ArchivedThread,
    ReadArchive,
)
from engramforge.model.registries.entry import DecisionStatus, Priority, ThreadStatus

_HEADING: Final = re.compile(r"^#{1,6}+[ \t]++(?P<title>\S(?:.*[^ \t#])?)[ \t#]*+$")
_TITLED: Final = re.compile(r"^(?:\*\*(?P<bold>[^*:]+):?\*\*:?|(?P<key>[a-z_]+):)[ \t]*$")
_YAML_ID: Final = re.compile(rf"^[ \t]*-[ \t]+(?:local_)?id:[ \t]*[\"']?(?P<id>[DTA]{NUMBER})\b")
_KEY: Final = re.compile(
    r"^[ \t]*(?:[-*+][ \t]+)?\**(?P<key>[A-Za-z][A-Za-z _]{1,30}?)\**[ \t]*:\**[ \t]*(?P<value>.*)$"
)
_INLINE_KEY: Final = re.compile(
    r"(?i)(?:^|[.;,|(\u2013\u2014-][ \t]*|\s)(?P<key>rationale|because|rejected|alternatives(?: rejected)?|resolution)"
    r"[ \t]*:[ \t]*(?P<value>[^|]*?)(?=(?:[.;|][ \t]*)(?:rationale|rejected|alternatives|resolution)[ \t]*:|$)"
)
_TIER: Final = re.compile(
    r"(?i)[(\[]?(?:(?:epistemic[ \t]++)?tier|confidence)[ \t:=]*+(?P<said>[01](?:\.\d+)?)[)\]]?"
    r"|[(\[](?P<alone>[01]\.\d+|1)[)\]]"
)
_MARKED: Final = re.compile(
    r"(?i)(?<![(\[*`_])[(\[*`_]++(?P<word>open|resolved|closed|done|superseded|abandoned|active|revised|invalidated"
    r"|high|medium|low)(?:[ \t]priority)?[)\]*`_]++"
)
_LAST_WORD: Final = re.compile(
    r"(?i)[\u2013\u2014|:-][ \t]*+(?P<word>open|resolved|superseded|abandoned|active|invalidated)[ \t.]*+$"
)
_BLOCKED: Final = re.compile(
    # A run of blanks or marks is read from its beginning only, and once.
    r"(?i)(?:(?<![ \t])[ \t]++|(?<![ \t(\[\u2013\u2014,;-]))[(\[\u2013\u2014,;-]*+[ \t]*+"
    r"blocked[ _]by:?[ \t]*+(?P<ids>T\d+(?:[ ,and]+T\d+)*)[)\]]?"
)
_THREAD_ID: Final = re.compile(r"T\d+")
_MEANINGS: Final = {
    "decision": "text", "thread": "text", "title": "text", "description": "text", "content": "text", "summary": "text",
    "question": "text", "artifact": "text", "artefact": "text", "name": "text", "topic": "text",
    "rationale": "rationale", "because": "rationale", "reason": "rationale", "why": "rationale",
    "tier": "tier", "epistemic tier": "tier", "confidence": "tier",
    "status": "status", "state": "status", "priority": "priority",
    "blocked by": "blocked", "blockers": "blocked", "resolution": "resolution", "outcome": "resolution",
    "rejected": "rejected", "alternatives": "rejected", "alternatives rejected": "rejected",
    "rejected alternatives": "rejected", "tags": "tags", "id": "id", "version": "version",
}  # fmt: skip
_STATUS_WORDS: Final = {"closed": "resolved", "done": "resolved"}
_TABLES: Final = {name.casefold(): table for table in TABLES for name in (table.title, *table.also)}


@dataclass(slots=True)
class _Raw:
    """What was gathered of one entry, and the number of its line; `more`: lines below it that are no field."""

    local_id: str
    number: int
    said: dict[str, str] = field(default_factory=dict)
    more: list[str] = field(default_factory=list)


def read_older(text: str, found: Found) -> ReadArchive:
    """What an older tool's archive says; see the module."""
    first = text.count("\n", 0, found.start) + 1
    lines = list(enumerate(text[found.start : found.end].split("\n"), first))
    problems = ["the archive is of another tool's kind; decisions and threads were read by their ids"]
    gathered = _Gathering(problems)
    gathered.read(lines)
    # Keys may stand anywhere; those within an entry are not the archive's.
    head = read_head([f"{name}: {value}" for name, value in gathered.head.items()], first)
    values, missing = complete(head.values)
    raws = gathered.merged()
    values |= gathered.tables
    values["decisions"] = tuple(_decision(raw, problems) for raw in raws if raw.local_id[0] == "D")
    values["threads"] = tuple(_thread(raw, problems) for raw in raws if raw.local_id[0] == "T")
    values["artifacts"] = tuple(_artifact(raw) for raw in raws if raw.local_id[0] == "A")
    return ReadArchive(ArchiveContent(**values), (*problems, *missing))


class _Gathering:
    """Gathers entries, tables and keys, line by line."""

    def __init__(self, problems: list[str]) -> None:
        self.head: dict[str, str] = {}
        self.tables: dict[str, tuple[Any, ...]] = {}
        self._problems = problems
        self._raws: list[_Raw] = []
        self._current: _Raw | None = None
        self._columns: list[str] = []
        self._status = ""

    def read(self, lines: Sequence[tuple[int, str]]) -> None:
        """Take all lines."""
        table: Table | None = None
        rows: list[tuple[int, str]] = []
        for number, line in lines:
            title = _HEADING.match(line) or _TITLED.match(line)
            entry = ENTRY.match(line)
            if title is not None and entry is None:
                self._end_table(table, rows)
                table, rows = self._begin_section(next(filter(None, title.groups()))), []
            elif table is not None:
                rows.append((number, line))
            else:
                self._take(number, line, entry)
        self._end_table(table, rows)

    def merged(self) -> list[_Raw]:
        """The entries, each id once: the first mention counts, later ones complete it."""
        by_id: dict[str, _Raw] = {}
        for raw in self._raws:
            if raw.more:
                raw.said["more"] = "\n".join(raw.more)
            there = by_id.setdefault(raw.local_id, raw)
            if there is not raw:
                there.said = {**raw.said, **there.said}
        return list(by_id.values())

    def _begin_section(self, title: str) -> Table | None:
        name = title.strip(" *:").replace("_", " ").casefold()
        self._current, self._columns = None, []
        self._status = next((word for word in ("resolved", "superseded", "abandoned") if word in name), "")
        return _TABLES.get(name)

    def _end_table(self, table: Table | None, rows: list[tuple[int, str]]) -> None:
        if table is not None and any("|" in line for _, line in rows):
            read = read_table(table, rows, self._problems)
            self.tables[table.field] = (*self.tables.get(table.field, ()), *read)

    def _take(self, number: int, line: str, entry: re.Match[str] | None) -> None:
        if (yaml_id := _YAML_ID.match(line)) is not None:
            self._begin(yaml_id["id"], number)
        elif line.lstrip().startswith("|"):
            self._row(number, line)
        elif entry is not None:
            self._begin(entry["id"], number)
            self._inline(line[entry.end("id") :])
        elif (key := _KEY.match(line)) is not None:
            self._key(key["key"], key["value"])
        elif line.strip() and self._current is not None and not line.startswith("```"):
            self._current.more.append(line.strip())

    def _begin(self, local_id: str, number: int) -> None:
        self._current = _Raw(local_id, number, {"status": self._status} if self._status else {})
        self._raws.append(self._current)

    def _key(self, key: str, value: str) -> None:
        name = key.casefold().replace("_", " ").strip()
        meaning = _MEANINGS.get(name)
        if self._current is not None and meaning is not None:
            self._current.said.setdefault(meaning, read_text(value.strip("'")))
        elif self._current is None and value:
            self.head.setdefault(key.strip().replace(" ", "_").casefold(), value.strip("*` '"))

    def _row(self, number: int, line: str) -> None:
        cells = [cell.strip() for cell in cells_of(line)]
        match = ENTRY.match(f"- {cells[0]}") if cells else None
        if match is None:
            if not set(line) <= set("|-: \t"):
                self._columns = [_MEANINGS.get(cell.strip("*` ").casefold(), "") for cell in cells]
            return
        self._begin(match["id"], number)
        columns = self._columns or ["id", "text"]
        assert self._current is not None
        for meaning, cell in zip(columns[1:], cells[1:], strict=False):
            if meaning == "text":
                self._inline(cell)
            elif meaning and cell:
                self._current.said[meaning] = cell.strip("*`")
        self._current = None

    def _inline(self, text: str) -> None:
        """What one line says of an entry, with tier, status, priority and blockers in brackets among the words."""
        assert self._current is not None
        said, rest = self._current.said, text.strip().lstrip("*`_]) \t")
        if tier := _TIER.search(rest):
            said.setdefault("tier", tier["said"] or tier["alone"])
            rest = rest[: tier.start()].rstrip(" \t") + rest[tier.end() :]
        if blocked := _BLOCKED.search(rest):
            said["blocked"] = blocked["ids"]
            rest = rest[: blocked.start()] + rest[blocked.end() :]
        for pattern in (_MARKED, _MARKED, _LAST_WORD):
            if word := pattern.search(rest):
                is_priority = word["word"].casefold() in set(Priority)
                said["priority" if is_priority else "status"] = word["word"]
                rest = rest[: word.start()].rstrip(" \t") + rest[word.end() :]
        for key in list(_INLINE_KEY.finditer(rest)):
            said.setdefault(_MEANINGS[key["key"].casefold()], key["value"].strip(" .;"))
        first = _INLINE_KEY.search(rest)
        rest = rest if first is None else rest[: first.start()]
        said.setdefault("text", rest.strip(" \t:*|-\u2013\u2014").strip())


def _decision(raw: _Raw, problems: list[str]) -> ArchivedDecision:
    said = raw.said
    text, rationale = said.get("text") or said.get("more") or "", said.get("rationale", "")
    if not text:
        problems.append(f"line {raw.number}: {raw.local_id} has no text")
    if not rationale and said.get("text"):
        rationale = said.get("more", "")
    return ArchivedDecision(
        local_id=raw.local_id,
        decision=text or raw.local_id,
        rationale=rationale,
        epistemic_tier=_tier(raw, problems),
        status=_word(raw, "status", DecisionStatus.ACTIVE, problems),
        alternatives_rejected=tuple(
            part for part in (each.strip() for each in re.split(r"[;,]", said.get("rejected", ""))) if part
        ),
        tags=_tags(said),
    )


def _thread(raw: _Raw, problems: list[str]) -> ArchivedThread:
    said = raw.said
    status = _word(raw, "status", ThreadStatus.OPEN, problems)
    return ArchivedThread(
        local_id=raw.local_id,
        title=said.get("text") or said.get("more") or raw.local_id,
        content=said.get("more", "") if said.get("text") else "",
        status=status,
        priority=_word(raw, "priority", Priority.MEDIUM, problems),
        blocked_by=tuple(dict.fromkeys(_THREAD_ID.findall(said.get("blocked", "")))),
        resolution=said.get("resolution") or None,
        tags=_tags(said),
    )


def _artifact(raw: _Raw) -> ArchivedArtifact:
    version = re.sub(r"\D", "", raw.said.get("version", ""))
    return ArchivedArtifact(
        local_id=raw.local_id,
        name=raw.said.get("text", ""),
        version=int(version[:6]) if version else 1,
        content=raw.said.get("more", ""),
    )


def _tier(raw: _Raw, problems: list[str]) -> float:
    if (said := raw.said.get("tier")) is None:
        return 0.5
    number = re.search(r"[01](?:\.\d+)?", said)
    if number is None or float(number[0]) > 1:
        problems.append(f"line {raw.number}: {raw.local_id}: the tier {said[:40]!r} is no number from 0 to 1")
        return 0.5
    return float(number[0])


def _word(raw: _Raw, name: str, usual: Any, problems: list[str]) -> Any:
    if (said := raw.said.get(name)) is None:
        return usual
    word = said.strip(" *`[]().").casefold()
    try:
        return type(usual)(_STATUS_WORDS.get(word, word))
    except ValueError:
        problems.append(
            f"line {raw.number}: {raw.local_id}: the {name} {said[:40]!r} is unknown; {usual} was taken"
        )
        return usual


def _tags(said: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(part.strip(" []'\"") for part in said.get("tags", "").split(",") if part.strip(" []'\""))
