"""What a transcript says beside what hooks told of its session before: recognised by time, and put in the same order.

Hooks tell prompts, calls of tools and last responses; the transcript has all that was said. Of a text said several
times, the one at about the same time is the same. What only the transcript has gets a sequence number behind
that of what stands before it: a number of the file would stand elsewhere.

Hooks go on telling meanwhile. So with the drafts come the keys that a text told in between would have: if the store has
one of them when the drafts are written, they are placed anew.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Final

from engramforge.capture.reading.sessions import (
    COMPACTION,
    LIVE,
    LIVE_STEP,
    SAME_TIME,
    said_live,
    text_digest,
)
from engramforge.capture.writers.import_stages import ImportStages
from engramforge.model.memory import Draft, Kind, Memory
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.time import TemporalMode

_LOOKED_AT: Final = 200
_READ: Final = 50_000
_SESSIONS_KEPT: Final = 20
_NUMBERS: Final = 8
"""What a hook tells next of a text is its first occurrence that nobody brought in: one of the first of them, or of the
last ones before the transcript's own."""
_Said = tuple[str, Kind, bytes]
"""Chain, kind and digest of a text."""


@dataclass(slots=True)
class _ToldSession:
    """What hooks told of a session. `texts`: each of them; `numbers`: of those of a text that are here;
    `places`: logical id -> sequence."""

    texts: dict[_Said, list[Memory]] = field(default_factory=lambda: defaultdict(list))
    numbers: dict[_Said, set[int]] = field(default_factory=lambda: defaultdict(set))
    places: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class _Passed:
    """How far a transcript is. `texts`: logical ids of the texts that were recognised; `at`: chain -> the sequence of
    what was recognised last."""

    texts: set[str] = field(default_factory=set)
    at: dict[str, int] = field(default_factory=dict)


class BesideTold:
    """Says of a transcript's drafts, batch by batch, which memory each is, or where it stands."""

    def __init__(self, stages: ImportStages, scope: Scope) -> None:
        self._stages = stages
        self._scope = scope
        self._told = lru_cache(_SESSIONS_KEPT)(partial(_told, stages, scope))
        self._passed: defaultdict[str, _Passed] = defaultdict(_Passed)
        self._placed = self._passed
        self._imported: set[str] = set()

    def place(self, drafts: Sequence[Draft]) -> tuple[list[Draft], list[bytes]]:
        """A batch beside what was told, and the keys that the store must lack until it is written."""
        asked = dict(self._may_be_told(drafts))
        own = [self._own_key(draft) for draft in drafts]
        keys = [*asked, *filter(None, own)]
        everywhere = self._stages.door.asking(self._scope).known_origins(None, keys) if keys else {}
        held = {key: each for key, each in everywhere.items() if key in asked}
        if any(each is not None and not self._is_read(asked[key], each) for key, each in held.items()):
            self._told.cache_clear()
            # What came in by its transcript first is known by the keys of hooks, too, and no hook's memory.
            again = {each for key, each in held.items() if each and not self._is_read(asked[key], each)}
            self._imported |= again
        self._placed = deepcopy(self._passed)
        placed = []
        for draft, key in zip(drafts, own, strict=True):
            if (told := self._told(draft.session_id) if draft.session_id else None) is not None:
                here, passed = everywhere.get(key or b""), self._placed[draft.session_id or ""]
                draft = _placed(self._stages, self._scope, told, passed, draft, here)
            placed.append(draft)
        return placed, [key for key in asked if key not in held]

    def written(self) -> None:
        """The batch that was placed last is in the store."""
        self._passed = self._placed

    def forget(self) -> None:
        """Others wrote since: read anew what is here."""
        self._told.cache_clear()

    def _own_key(self, draft: Draft) -> bytes | None:
        """The key by which a text of the transcript is known, which what a hook told has got if it was recognised."""
        if not draft.session_id or draft.kind is Kind.TOOL_USE or not draft.also_origins:
            return None
        return self._stages.preparation.keys_anywhere(self._scope, draft, draft.also_origins[:1])[0]

    def _may_be_told(self, drafts: Sequence[Draft]) -> Iterator[tuple[bytes, str]]:
        """The keys of what hooks may tell of the drafts' texts, each with its session."""
        asked: dict[str, Draft] = {}
        for draft in drafts:
            if draft.session_id and draft.live_as and draft.kind is not Kind.TOOL_USE:
                said, _, last = draft.live_as[0].rpartition(":")
                numbers = {*range(1, int(last) + 1)[:_NUMBERS], *range(1, int(last) + 1)[-_NUMBERS:]}
                asked |= {f"{said}:{number}": draft for number in numbers}
        for identity, draft in asked.items():
            (key,) = self._stages.preparation.keys_anywhere(self._scope, draft, [identity])
            yield key, draft.session_id or ""

    def _is_read(self, session: str, logical_id: str) -> bool:
        told = self._told(session)
        return logical_id in self._imported or (told is not None and logical_id in told.places)


def _told(stages: ImportStages, scope: Scope, session: str) -> _ToldSession | None:
    """What hooks told of a session; None where they told nothing."""
    selection = Selection(session_id=session, mode=TemporalMode.FULL_HISTORY)
    view = stages.door.asking(scope)
    found = view.browse(selection, _LOOKED_AT)
    if not any(LIVE in memory.metadata for memory in found):
        return None
    if len(found) == _LOOKED_AT:
        found = view.browse(selection, _READ)
    told = _ToldSession()
    for memory in found:
        number = memory.metadata.get(LIVE)
        if not isinstance(number, int) or memory.version != 1 or memory.sequence is None:
            continue
        told.places[memory.logical_id] = memory.sequence
        if number:
            said = _said(memory, memory.content)
            told.texts[said].append(memory)
            told.numbers[said].add(number)
    return told


def _said(of: Memory | Draft, text: str) -> _Said:
    is_compaction = of.kind is Kind.SESSION_SUMMARY
    return (
        str(of.metadata.get("agent_id") or ""),
        Kind(of.kind),
        text_digest(COMPACTION if is_compaction else text),
    )


def _placed(
    stages: ImportStages, scope: Scope, told: _ToldSession, passed: _Passed, draft: Draft, here: str | None
) -> Draft:
    """A draft as it stands beside what was told. `here`: the logical id of the memory that it is, where it came in
    before."""
    chain = str(draft.metadata.get("agent_id") or "")
    if here is not None:
        passed.texts.add(here)
        place = told.places.get(here)
    elif not draft.live_as:
        place = None
    elif draft.kind is Kind.TOOL_USE:
        keys = stages.preparation.keys_anywhere(scope, draft, draft.live_as)
        known = stages.door.asking(scope).known_origins(None, keys)
        place = next((told.places.get(each) for each in known.values() if each is not None), None)
    else:
        draft, place = _recognised(stages, told, passed, draft, chain)
    if place is not None:
        passed.at[chain] = place
    elif chain in passed.at:
        passed.at[chain] += passed.at[chain] % LIVE_STEP < LIVE_STEP - 1
        draft = replace(draft, sequence=passed.at[chain])
    return draft


def _recognised(
    stages: ImportStages, told: _ToldSession, passed: _Passed, draft: Draft, chain: str
) -> tuple[Draft, int | None]:
    """A text, known by the origin of the one that a hook told at about its time; and that one's place."""
    # As it is in the store, without secrets.
    said = _said(draft, stages.preparation.redactor.redact(draft.content).text)
    at = draft.valid_at
    left = [
        each
        for each in told.texts.get(said, ())
        if at is not None and abs(each.valid_at - at) <= SAME_TIME and each.logical_id not in passed.texts
    ]
    if not left:
        here: Mapping[_Said, set[int]] = told.numbers
        number = int(draft.live_as[0].rpartition(":")[2])
        # What is here was said at another time; the number of none that is here is of one that was forgotten.
        return (replace(draft, live_as=()) if number in here.get(said, ()) else draft), None
    assert at is not None
    nearest = min(left, key=lambda each: (abs(each.valid_at - at), each.sequence or 0))
    passed.texts.add(nearest.logical_id)
    text = COMPACTION if draft.kind is Kind.SESSION_SUMMARY else draft.content
    session = draft.session_id or ""
    return replace(draft, live_as=said_live(session, chain, text, nearest.metadata[LIVE])), nearest.sequence
