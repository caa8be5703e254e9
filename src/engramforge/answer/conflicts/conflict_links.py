"""A conflict as a CONTRADICTS link and back: its signals and score are kept with the link, and why it was dismissed.

The link of an open conflict holds; a dismissed one ended, with the reason, and stays on record, so that the same two
statements are not brought up again while they say the same. A replacement that is declared is settled from the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import Final

from engramforge.answer.conflicts.opposing import Opposition
from engramforge.core.conflicts.signals import Signal
from engramforge.model.lenses.conflict import CONFLICT_ID, Conflict, ConflictSide
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Kind, Memory, ResolutionState
from engramforge.registries.decisions.decision_view import RATIONALE, decision_text
from engramforge.writing.preparing import new_id

SIGNALS: Final = "signals"
WHY: Final = "why"
DISMISSED: Final = "dismissed"
_SAID: Final = "said"
"""Keys of a link's `extra`."""
_TRIGGER: Final = "conflict detection"
_DIGITS: Final = 32


def conflict_link(newer: Memory, older: Memory, found: Opposition, at: datetime) -> Link:
    """The link from the newer statement to the older one; it holds since both do, until a replacement is declared."""
    is_settled = found.first.signal is Signal.REPLACED
    return Link(
        id=new_id(),
        source_id=newer.logical_id,
        target_id=older.logical_id,
        relation=Relation.CONTRADICTS,
        valid_at=min(newer.valid_at, at),
        created_at=at,
        invalid_at=at if is_settled else None,
        resolution_state=ResolutionState.RESOLVED if is_settled else ResolutionState.IN_PROGRESS,
        energy=found.score,
        confidence=found.score,
        emotion_vector={},
        goal="tell of what contradicts",
        mindstate="detected",
        formation_trigger=_TRIGGER,
        extra={SIGNALS: list(found.signals), WHY: found.why},
    )


def conflict_id_of(link: Link) -> str:
    """The id of a link's conflict: that of its first link, however often it was dismissed and opened again."""
    return str(link.extra.get(CONFLICT_ID, link.id))


def is_detected(link: Link) -> bool:
    """Whether a detection made a link, and nobody stated it."""
    return link.formation_trigger == _TRIGGER


def is_open(link: Link) -> bool:
    """Whether a link stands for an open conflict."""
    return link.expired_at is None and link.invalid_at is None


def is_replacement(link: Link) -> bool:
    """Whether a link tells of two statements of which one declares that it takes the other's place."""
    signals = link.extra.get(SIGNALS) or ("",)
    return signals[0] == Signal.REPLACED and not is_dismissed(link)


def is_dismissed(link: Link) -> bool:
    """Whether somebody dismissed its conflict."""
    return DISMISSED in link.extra


def compared_again(link: Link, found: Opposition) -> Link:
    """The link of a conflict as its statements stand against each other now."""
    return replace(
        link, confidence=found.score, extra={**link.extra, SIGNALS: list(found.signals), WHY: found.why}
    )


def is_as_said(link: Link, memories: Iterable[Memory]) -> bool:
    """Whether both statements of a dismissed conflict say what they said then, in whatever version."""
    kept = link.extra.get(_SAID)
    if not isinstance(kept, Mapping):  # dismissed before that was kept
        return all(memory.created_at <= link.created_at for memory in memories)
    return all(kept.get(memory.logical_id) == _digest(memory) for memory in memories)


def _digest(memory: Memory) -> str:
    said = " ".join(side_of(memory).text.casefold().split()).rstrip(".!")
    return sha256(said.encode()).hexdigest()[:_DIGITS]


def dismissed_link(link: Link, memories: Iterable[Memory], reason: str, at: datetime) -> Link:
    """The same conflict, dismissed as its two memories stand; it keeps its id."""
    return replace(
        link,
        id=new_id(),
        created_at=at,
        invalid_at=max(at, link.valid_at),
        resolution_state=ResolutionState.RESOLVED,
        extra={
            **link.extra,
            DISMISSED: reason,
            _SAID: {memory.logical_id: _digest(memory) for memory in memories},
            CONFLICT_ID: conflict_id_of(link),
        },
    )


def conflict_of(link: Link, memories: Mapping[str, Memory]) -> Conflict | None:
    """The conflict of a link; None where one of its memories is gone.

    `memories`: by logical id.
    """
    ends = [memories.get(end) for end in (link.source_id, link.target_id)]
    if None in ends:
        return None
    source, target = (side_of(each) for each in ends if each is not None)
    newer, older = sorted(
        (source, target), key=lambda each: (each.at, each.id == link.source_id), reverse=True
    )
    signals = tuple(map(str, link.extra.get(SIGNALS, ()))) or (str(Signal.STATED),)
    dismissed = link.extra.get(DISMISSED)
    return Conflict(
        id=conflict_id_of(link),
        signal=signals[0],
        signals=signals,
        why=str(link.extra.get(WHY) or link.formation_trigger or "somebody linked them"),
        score=link.confidence,
        newer=newer,
        older=older,
        since=link.valid_at,
        found_at=link.created_at,
        dismissed=None if dismissed is None else str(dismissed),
        dismissed_at=None if dismissed is None else link.created_at,
    )


def unsaved(newer: ConflictSide, older: ConflictSide, found: Opposition, at: datetime) -> Conflict:
    """A conflict that is told of and not kept."""
    return Conflict(
        id="",
        signal=found.signals[0],
        signals=found.signals,
        why=found.why,
        score=found.score,
        newer=newer,
        older=older,
        since=newer.at,
        found_at=at,
        degraded=found.unjudged,
    )


def side_of(memory: Memory) -> ConflictSide:
    """A memory as one side of a conflict."""
    entry = memory.registration
    is_decision = memory.kind is Kind.DECISION and entry is not None
    return ConflictSide(
        id=memory.logical_id,
        entry_id=None if entry is None else entry.entry_id,
        kind=memory.kind,
        project=memory.project,
        text=decision_text(memory) if is_decision else memory.content,
        rationale=str(entry.details.get(RATIONALE, "")) if is_decision and entry is not None else "",
        epistemic_tier=memory.epistemic_tier,
        at=memory.told_at,
    )
