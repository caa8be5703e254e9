"""What a transcript says beside what hooks told of its session before: recognised by time, and put in the same order.

Hooks tell prompts, calls of tools and last responses; the transcript has all that was said. Of a text said several
times, the one at about the same time is the same. What only the transcript has gets a sequence number behind
that of what stands before it: a number of the file would stand elsewhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Final

from engramforge.capture.reading.format import Context
from engramforge.capture.reading.records import Item
from engramforge.capture.reading.sessions import (
    COMPACTION,
    LIVE,
    LIVE_STEP,
    SAME_TIME,
    said_live,
    text_digest,
)
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.writers.import_stages import ImportStages, Screen
from engramforge.model.memory import Draft, Kind, Memory
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.time import TemporalMode

_LOOKED_AT: Final = 200
_READ: Final = 50_000
_SESSIONS_KEPT: Final = 20
_Said = tuple[str, Kind, bytes]
"""Chain, kind and digest of a text."""


@dataclass(slots=True)
class _ToldSession:
    """What hooks told of a session. `texts`: each until it is recognised; `numbers`: of those of a text that are here;
    `places`: logical id -> sequence; `at`: chain -> the sequence of what was recognised last."""

    texts: dict[_Said, list[Memory]] = field(default_factory=lambda: defaultdict(list))
    numbers: dict[_Said, set[int]] = field(default_factory=lambda: defaultdict(set))
    places: dict[str, int] = field(default_factory=dict)
    at: dict[str, int] = field(default_factory=dict)


def beside_told(stages: ImportStages, scope: Scope, _: ImportSource, __: Context) -> Screen:
    """A filter that leaves all drafts in, and says of each which memory it is, or where it stands."""
    told = lru_cache(_SESSIONS_KEPT)(partial(_told, stages, scope))

    def placed(item: Item) -> Item:
        drafts = []
        for draft in item.drafts:
            session = told(draft.session_id) if draft.session_id else None
            drafts.append(draft if session is None else _placed(stages, scope, session, draft))
        return replace(item, drafts=tuple(drafts)) if drafts else item

    return placed


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


def _placed(stages: ImportStages, scope: Scope, told: _ToldSession, draft: Draft) -> Draft:
    chain = str(draft.metadata.get("agent_id") or "")
    if not draft.live_as:
        place = None
    elif draft.kind is Kind.TOOL_USE:
        keys = stages.preparation.keys_anywhere(scope, draft, draft.live_as)
        known = stages.door.asking(scope).known_origins(None, keys)
        place = next((told.places.get(each) for each in known.values() if each is not None), None)
    else:
        draft, place = _recognised(stages, told, draft, chain)
    if place is not None:
        told.at[chain] = place
    elif chain in told.at:
        told.at[chain] += told.at[chain] % LIVE_STEP < LIVE_STEP - 1
        draft = replace(draft, sequence=told.at[chain])
    return draft


def _recognised(
    stages: ImportStages, told: _ToldSession, draft: Draft, chain: str
) -> tuple[Draft, int | None]:
    """A text, known by the origin of the one that a hook told at about its time; and that one's place."""
    # As it is in the store, without secrets.
    said = _said(draft, stages.preparation.redactor.redact(draft.content).text)
    at = draft.valid_at
    left = [
        each for each in told.texts.get(said, ()) if at is not None and abs(each.valid_at - at) <= SAME_TIME
    ]
    if not left:
        here: Mapping[_Said, set[int]] = told.numbers
        number = int(draft.live_as[0].rpartition(":")[2])
        # What is here was said at another time; the number of none that is here is of one that was forgotten.
        return (replace(draft, live_as=()) if number in here.get(said, ()) else draft), None
    assert at is not None
    nearest = min(left, key=lambda each: (abs(each.valid_at - at), each.sequence or 0))
    told.texts[said].remove(nearest)
    text = COMPACTION if draft.kind is Kind.SESSION_SUMMARY else draft.content
    session = draft.session_id or ""
    return replace(draft, live_as=said_live(session, chain, text, nearest.metadata[LIVE])), nearest.sequence
