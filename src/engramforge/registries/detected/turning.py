"""Which decision a person turns from in plain words ("scrap SQLite, we go with Postgres"), and what takes its place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from engramforge.core.detection.endings.closings import CLOSED
from engramforge.core.detection.endings.reversals import (
    HINTED,
    REVERSED,
    choice_of,
    means_last,
    revokes,
    wants_none,
)
from engramforge.core.registries.closed_threads import meant_thread
from engramforge.core.registries.reversed_decisions import Standing, echoes, meant, says_the_same
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.detection import Detection, Voice
from engramforge.model.registries.entry import DecisionStatus, ThreadStatus
from engramforge.registries.decisions.decision_view import decision_text, rejected_of
from engramforge.registries.detected.detected_lookup import Head, Lookup
from engramforge.registries.registered import registration_of
from engramforge.registries.threads.thread_view import title_of

_TAKEN: Final = 0.88
"""How sure it is that something takes the place of what somebody turned from."""
_UNCLEAR: Final = 0.5
"""How sure a reversal is of which it is not clear what it ends."""


def is_turn(detection: Detection) -> bool:
    """Whether somebody turns from a decision in plain words."""
    return detection.rule in (REVERSED, HINTED) and detection.is_update


def with_meant(lookup: Lookup, message: Memory, detections: Sequence[Detection]) -> list[Detection]:
    """Detections of a message, a turn from a decision with the one that it ends; left out where it ends none, unsure
    where it is not clear which. Asked before what is new stands beside the old."""
    found: list[Detection] = []
    sure: set[str | None] = set()
    is_done = False
    for each in _with_closed(lookup, message, detections):
        if not is_turn(each):
            found.append(each)
            continue
        if is_done:
            continue
        if each.entry:
            found += [replace(each, entry=entry) for entry in _same(lookup, message, each.entry)]
            continue
        heads, is_clear = _turned_from(lookup, message, each)
        if not heads:
            continue
        entry = heads[0].memory.logical_id
        if not is_clear:
            why = "it is not clear which decision it ends, or whether"
            found.append(replace(each, entry=entry, why=why, confidence=_UNCLEAR))
            continue
        found += [replace(each, entry=one) for one in _same(lookup, message, entry)]
        sure.add(each.superseded_by)
        is_done = each.rule == HINTED
    return [
        replace(each, confidence=max(each.confidence, _TAKEN))
        if each.text in sure and not each.is_update
        else each
        for each in found
    ]


def _with_closed(lookup: Lookup, message: Memory, detections: Sequence[Detection]) -> Iterable[Detection]:
    """Detections of a message; what it says to be over with the open thread that is meant, or left out. Another
    reading of the same sentence as the end of a thread says no more."""
    closings = [each for each in detections if each.rule == CLOSED and not each.entry]
    if not closings:
        return detections
    threads = [head.memory for head in lookup.open_threads(message)]
    threads = [each for each in threads if each.valid_at <= message.valid_at]
    titles = [title_of(each) for each in threads]
    ended = {
        closing.sentence: replace(closing, text="", entry=threads[place].logical_id)
        for closing in closings
        if (place := meant_thread(closing.text, titles)) is not None
    }
    others = [
        each
        for each in detections
        if each not in closings
        and not (each.sentence in ended and each.kind is Kind.THREAD and each.status != ThreadStatus.OPEN)
    ]
    return [*others, *ended.values()]


def taken_in(turn: Detection) -> Detection | None:
    """What takes the place of a decision that somebody turns from, as a decision; None where nothing does."""
    if not is_turn(turn) or turn.superseded_by is None:
        return None
    return replace(
        turn,
        text=turn.superseded_by,
        status=str(DecisionStatus.ACTIVE),
        is_update=False,
        superseded_by=None,
        alternatives_rejected=(turn.text,) if turn.text else (),
        entry="",
    )


def _turned_from(lookup: Lookup, message: Memory, turn: Detection) -> tuple[list[Head], bool]:
    """The decisions that a turn may end, the likeliest first, and whether the first is clearly meant."""
    standing = [head for head in lookup.active_decisions(message) if head.memory.valid_at <= message.valid_at]
    last = _said_last(message, standing) if means_last(turn.sentence) else None
    said = [
        Standing(decision_text(head.memory), rejected_of(registration_of(head.memory)), is_last=head is last)
        for head in standing
    ]
    taken = "" if turn.superseded_by is None and revokes(turn.sentence) else turn.superseded_by
    places, is_clear = meant(
        turn.text,
        taken,
        choice_of(turn),
        said,
        is_hint=turn.rule == HINTED,
        is_none=wants_none(turn.sentence),
    )
    return [standing[place] for place in places], is_clear


def _same(lookup: Lookup, message: Memory, entry: str) -> list[str]:
    """A decision, and those that hold beside it and say the same in other words, by logical id."""
    head = lookup.entry(entry)
    if head is None:
        return [entry]
    said = decision_text(head.memory)
    beside = (each.memory for each in lookup.active_decisions(message))
    same = [each.logical_id for each in beside if says_the_same(decision_text(each), said)]
    return list(dict.fromkeys([entry, *same]))


def echoed(lookup: Lookup, message: Memory, detection: Detection) -> Head | None:
    """The decision of a message's conversation that an assistant only says again in other words."""
    is_new = detection.kind is Kind.DECISION and not (detection.is_update or detection.local_id)
    if not is_new or detection.voice is not Voice.STATED or message.session_id is None:
        return None
    own = [
        head
        for head in lookup.active_decisions(message, in_conversation=True)
        if registration_of(head.memory).origin == message.session_id
        and echoes(detection.text, decision_text(head.memory))
    ]
    return max(own, key=lambda head: head.memory.valid_at, default=None)


def _said_last(message: Memory, standing: Sequence[Head]) -> Head | None:
    """The decision of a message's conversation that was said later than any other."""
    if message.session_id is None:
        return None
    own = [head for head in standing if registration_of(head.memory).origin == message.session_id]
    own.sort(key=lambda head: head.memory.valid_at)
    is_one = len(own) == 1 or (len(own) > 1 and own[-1].memory.valid_at > own[-2].memory.valid_at)
    return own[-1] if is_one else None
