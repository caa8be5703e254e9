"""Writes the links in an import's records, once both of their ends are in the store.

Ends are named by origins; a missing one is looked for again at the end of its source. A link that is on record is not
written twice, and one that somebody ended as false is not restored. Metadata that a source does not give is taken from
the link's source memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final

from engramforge.capture.reading.records import Item, ItemLink
from engramforge.capture.writers.import_stages import ImportStages
from engramforge.core.checks.identities import quoted
from engramforge.core.checks.link_validation import Faults, check_link
from engramforge.errors import CallerError
from engramforge.model.link import Link
from engramforge.model.memory import DEFAULT_PROJECT, Draft, Memory
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.storing.record import Fault
from engramforge.model.time import InvalidationReason, TemporalMode
from engramforge.store.door import Door, Transaction
from engramforge.writing.linkage import new_link, redacted_texts

LINKS_AT_ONCE: Final = 500
"""Links per transaction, and memories whose links are asked for at once."""
_CONFIDENCE: Final = 1.0
"""The confidence of what a source states explicitly."""


@dataclass(frozen=True, slots=True)
class _Said:
    """A link and the place of its record; `is_beside`: whether that is a memory without it."""

    link: ItemLink
    path: str
    line: int | None
    is_beside: bool


@dataclass(slots=True)
class Linked:
    """The outcome of a source's links: written, existing or ended by somebody, with a missing end, invalid."""

    written: int = 0
    there: int = 0
    unresolved: int = 0
    faults: list[Fault] = field(default_factory=list)

    def as_dict(self) -> dict[str, int]:
        """The numbers for a report; empty if a source has no links."""
        numbers = {"links": self.written, "links_there": self.there, "links_unresolved": self.unresolved}
        return numbers if any(numbers.values()) or self.faults else {}


def save_links(
    door: Door, scope: Scope, now: datetime, fresh: Sequence[Link], gone: Sequence[Link] = (), why: str = ""
) -> None:
    """Write links, and end those that are said no more; `why` goes into the audit log."""
    for begin in range(0, max(len(fresh), len(gone)), LINKS_AT_ONCE):
        some, ended = fresh[begin : begin + LINKS_AT_ONCE], gone[begin : begin + LINKS_AT_ONCE]

        def work(writes: Transaction, some: Sequence[Link] = some, ended: Sequence[Link] = ended) -> None:
            for link in ended:
                at = max(now, link.created_at + timedelta(microseconds=1))
                writes.expire_link(link.id, at, InvalidationReason.REALITY_CHANGED)
                writes.audit("unlink", link.id, why, at)
            writes.link(some)
            for link in some:
                writes.audit("link", link.id, f"from {link.source_id} to {link.target_id}", now)

        door.write(scope, work)


def links_there(door: Door, scope: Scope, ids: Sequence[str]) -> Iterator[Link]:
    """The links of these memories that are on record, and those that somebody ended as false."""
    selection = Selection(mode=TemporalMode.FULL_HISTORY)
    for begin in range(0, len(ids), LINKS_AT_ONCE):
        for link in door.asking(scope).links(ids[begin : begin + LINKS_AT_ONCE], selection):
            if link.expired_at is None or link.invalidation_reason is InvalidationReason.DISCOVERED_FALSE:
                yield link


@dataclass(slots=True)
class LinkBook:
    """The links of one source, until they are written; `tells_missing`: whether a missing end is a fault."""

    stages: ImportStages
    scope: Scope
    now: datetime
    project: str | None
    excluded: frozenset[str] = frozenset()
    tells_missing: bool = False
    outcome: Linked = field(default_factory=Linked)
    _waiting: list[_Said] = field(default_factory=list)
    _fresh: list[_Said] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether there was no link so far."""
        return not (self._waiting or self._fresh or self.outcome.as_dict())

    def add(self, item: Item) -> None:
        """Take the links of an item."""
        own = item.drafts[0].project if item.drafts else self.project
        for link in item.links:
            placed = replace(link, project=link.project or own or DEFAULT_PROJECT)
            if placed.project not in self.excluded:
                self._fresh.append(_Said(placed, item.path, item.line, bool(item.drafts)))

    def settle(self) -> None:
        """Write those whose ends exist by now; the others wait."""
        fresh, self._fresh = self._fresh, []
        self._waiting += self._write(fresh)

    def finish(self) -> None:
        """Write what can be written by now, and count links with missing ends."""
        self.settle()
        waiting, self._waiting = self._waiting, []
        left = self._write(waiting)
        self.outcome.unresolved += len(left)
        for begin in range(0, len(left) if self.tells_missing else 0, LINKS_AT_ONCE):
            self.outcome.faults += self._missing(left[begin : begin + LINKS_AT_ONCE])

    def _missing(self, left: Sequence[_Said]) -> Iterable[Fault]:
        """A fault for each end that nothing here had, not even what was forgotten."""
        return dict.fromkeys(
            Fault(each.path, each.line, f"there is no {quoted(_called(origin))} to link to", each.is_beside)
            for each, ends in zip(left, self._ends(left), strict=True)
            for origin, end in zip((each.link.source, each.link.target), ends, strict=True)
            if end is None
        )

    def _write(self, said: Sequence[_Said]) -> list[_Said]:
        """Write those with both ends; the others remain."""
        begins = range(0, len(said), LINKS_AT_ONCE)
        return [left for begin in begins for left in self._write_some(said[begin : begin + LINKS_AT_ONCE])]

    def _write_some(self, said: Sequence[_Said]) -> list[_Said]:
        ends = self._ends(said)
        memories = self.stages.door.asking(self.scope).fetch({end for pair in ends for end in pair if end})
        sources = sorted({first for first, second in ends if first and second})
        there: set[tuple[str, str, str, datetime | None]] = set()
        for link in links_there(self.stages.door, self.scope, sources):
            # If it gives a time, a different time makes a different link.
            there |= {(link.source_id, link.target_id, link.relation, at) for at in (link.valid_at, None)}
        left: list[_Said] = []
        links: list[Link] = []
        for each, (first, second) in zip(said, ends, strict=True):
            if first not in memories or second not in memories:
                left.append(each)
                continue
            place = (first, second, each.link.relation, each.link.valid_at)
            if first == second or place in there:
                self.outcome.there += 1
                continue
            try:
                links.append(self._link(each.link, memories[first], second))
                there |= {place, (*place[:3], None)}
            except CallerError as error:
                self.outcome.faults.append(Fault(each.path, each.line, str(error)))
        save_links(self.stages.door, self.scope, self.now, links)
        self.outcome.written += len(links)
        return left

    def _ends(self, said: Sequence[_Said]) -> list[tuple[str | None, str | None]]:
        """The logical ids of both ends of each link; None if an origin is unknown, empty if it was forgotten."""
        pairs = [
            (self._key(each.link, each.link.source), self._key(each.link, each.link.target)) for each in said
        ]
        by_project: dict[str, dict[bytes, None]] = {}
        for each, pair in zip(said, pairs, strict=True):
            by_project.setdefault(each.link.project or DEFAULT_PROJECT, {}).update(dict.fromkeys(pair))
        known: dict[bytes, str | None] = {}
        for project, keys in by_project.items():
            known.update(self.stages.known_origins(self.scope, project, list(keys)))
        there = {key: its or "" for key, its in known.items()}
        return [(there.get(first), there.get(second)) for first, second in pairs]

    def _key(self, link: ItemLink, origin: str) -> bytes:
        project = link.project or DEFAULT_PROJECT
        draft = Draft(content="-", project=project, level=link.level, origin=origin)
        return self.stages.origin_key(self.scope, draft)

    def _link(self, asked: ItemLink, source: Memory, target_id: str) -> Link:
        """The link completed from its source memory. Raises CallerError if it is invalid."""
        fields: dict[str, Any] = {
            "energy": source.energy,
            "confidence": _CONFIDENCE,
            "emotion_vector": source.emotion_vector,
            "goal": source.goal or "unstated",
            "mindstate": source.mindstate or "captured",
            "formation_trigger": "an imported record says it",
            "valid_at": asked.valid_at or source.valid_at,
            "invalid_at": asked.invalid_at,
            **asked.fields,
        }
        faults = Faults()
        checked = check_link(asked.relation, fields, self.now, faults)
        faults.refuse("The link")
        assert checked is not None
        redactor = self.stages.preparation.redactor
        # A text of which redaction leaves nothing is replaced by a note.
        texts = {
            name: value if not isinstance(value, str) or value.strip() else "redacted"
            for name, value in redacted_texts(checked, redactor).items()
        }
        return new_link(checked, source.logical_id, target_id, texts)


def _called(origin: str) -> str:
    """What a source calls a record: its origin without the format's name in front."""
    return origin.partition(":")[2] or origin
