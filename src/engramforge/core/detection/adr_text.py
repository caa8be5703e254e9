"""A whole text that is a decision record, as one decision: title, status, decision, context."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from engramforge.core.detection.passages import plain_words, sentences
from engramforge.core.detection.said_parts import alternatives_said, statement
from engramforge.core.text.late_pattern import late
from engramforge.model.memory import Kind
from engramforge.model.registries.detection import Detection
from engramforge.model.registries.entry import DecisionStatus

if TYPE_CHECKING:
    from engramforge.core.decision_records.decision_record import DecisionRecord

_MAY_BE: Final = late(
    r"(?im)^ {0,3}#{1,6}[ \t]+\W{0,3}(?:\d+\.?\s*)?(?:the |our )?(?:decision|proposal|outcome)s?\b"
)
_STATUSES: Final = {
    "superseded": DecisionStatus.SUPERSEDED,
    "rejected": DecisionStatus.INVALIDATED,
    "deprecated": DecisionStatus.INVALIDATED,
}
_PROPOSAL: Final = "proposed"
RECORD: Final = "decision record"
"""The rule that reads a whole text as a record."""
_DECIDES: Final = late(r"(?im)^ {0,3}#{1,6}[ \t].*\bdecisions?\b")
_SURE: Final = 0.9
_PROPOSED: Final = 0.62
_MERE_PROPOSAL: Final = 0.5
"""Something merely proposed is less likely to have been decided, even less so if no section is called a decision."""
_GIST: Final = 600


def record_in(text: str) -> Detection | None:
    """The decision in a decision record; None if the text is not a record or its decision section is empty."""
    if _MAY_BE.search(text) is None:
        return None
    # Few texts are records, so the parser is imported only for those.
    from engramforge.core.decision_records.decision_record import read_record

    record = read_record(text, "")
    if record is None or not record.decision:
        return None
    gist = _gist(record.decision)
    proposed = _PROPOSED if _DECIDES.search(text) else _MERE_PROPOSAL
    return Detection(
        kind=Kind.DECISION,
        sentence=_first(record.decision),
        rule=RECORD,
        confidence=proposed if record.status == _PROPOSAL else _SURE,
        text=f"{record.title}: {gist}",
        status=str(_STATUSES.get(str(record.status), DecisionStatus.ACTIVE)),
        local_id=_local_id(record.number),
        rationale=record.reason or _gist(record.context),
        alternatives_rejected=_unchosen(record) or alternatives_said(gist),
        superseded_by=_successor(record),
    )


def _local_id(number: int | None) -> str | None:
    return None if number is None else f"ADR-{number:04d}"


def _successor(record: DecisionRecord) -> str | None:
    """What took a superseded record's place, where it says so by number."""
    if record.status != "superseded":
        return None
    others = (each for each in record.references if each.relation == "SUPERSEDES" and each.is_passive)
    return _local_id(next((each.number for each in others if each.number is not None), None))


def _gist(body: str) -> str:
    """The first paragraph that is prose, cut at a sentence's end within 600 characters."""
    for block in re.split(r"\n\s*\n", body):
        lines = (line for line in block.splitlines() if not line.lstrip().startswith(("|", "```", "![", "#")))
        bare = " ".join(map(plain_words, lines)).strip()
        if len(bare) < 8:
            continue
        if len(bare) <= _GIST:
            return statement(bare)
        cut = max(bare.rfind(mark, 0, _GIST) for mark in (". ", "; ", ", ", " "))
        return bare[: cut if cut > 0 else _GIST].rstrip(" ,;.")
    return " ".join(body.split())[:_GIST]


def _first(body: str) -> str:
    """The first sentence of a section as it stands there."""
    prose = " ".join(line.strip() for line in body.strip().split("\n\n")[0].splitlines())
    return next(iter(sentences(prose)), prose)[:_GIST]


def _unchosen(record: DecisionRecord) -> tuple[str, ...]:
    """The options that were considered and not chosen; nothing if the record does not say which was chosen."""
    chosen = record.chosen.casefold()
    return tuple(option[:200] for option in record.options if chosen and chosen not in option.casefold())[:8]
