"""How an entry with a name stands, as a detection."""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.cues.named_cues import ANY, REINSTATED, UNDONE
from engramforge.core.detection.passages import Passage
from engramforge.core.text.late_pattern import late
from engramforge.model.memory import Kind
from engramforge.model.registries.detection import Detection

STANDS: Final = 0.88
SUCCESSOR: Final = "successor"
BLOCKER: Final = "blocker"
PARTS: Final = frozenset((SUCCESSOR, BLOCKER))
"""Rules of what is new in a statement about a named entry: what takes its place, what it waits for."""
_OF_DECISION: Final = {"resolved": "invalidated", "abandoned": "invalidated", "open": "active"}
_OF_THREAD: Final = {"invalidated": "abandoned", "active": "open"}
"""What a status of the other kind means where a sentence names decisions and threads together."""
_BREAK: Final = late(r"[,;:.!?()\u2014\u2013]\s|\s-+>?\s|\Z")


def is_decision(local_id: str) -> bool:
    """Whether a local id names a decision; else it names a thread."""
    return local_id.startswith(("D", "d", "A"))


def local_name(written: str) -> str:
    """A local id as the text has it, without blanks and in upper case, a global one in lower; D-4 and D004 differ."""
    return written.lower() if "_" in written else written.replace(" ", "-").upper()


def ids_in(words: str) -> tuple[str, ...]:
    """The local ids in words, in their order, each once."""
    return tuple(dict.fromkeys(map(local_name, ANY.findall(words))))


def clause_around(plain: str, begin: int, end: int) -> tuple[int, int]:
    """Where the clause of a sentence begins and ends that has a name between these two places."""
    begins = 0
    for hit in _BREAK.finditer(plain):
        if hit.start() >= end:
            return begins, hit.start()
        if hit.end() <= begin:
            begins = hit.end()
    return begins, len(plain)


def updated(
    passage: Passage,
    local_id: str,
    status: str,
    resolution: str,
    by: str | None = None,
    blocked_by: tuple[str, ...] = (),
) -> Detection:
    """How a named entry stands, as a sentence tells."""
    of_decision = is_decision(local_id)
    is_special = status in (REINSTATED, UNDONE)
    status = (_OF_DECISION if of_decision else _OF_THREAD).get(status, status)
    return Detection(
        kind=Kind.DECISION if of_decision else Kind.THREAD,
        sentence=passage.said,
        rule=status if is_special else "named entry stands",
        confidence=STANDS,
        status=("active" if of_decision else "open") if is_special else status,
        local_id=local_id,
        is_update=True,
        rationale=resolution if of_decision else "",
        resolution="" if of_decision or status == "open" else resolution,
        blocked_by=blocked_by,
        superseded_by=by,
    )
