"""Which open thread a person ends: in plain words ("the labels are done"), or by a decision that answers it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from engramforge.core.detection.endings.back_again import REOPENED
from engramforge.core.detection.endings.closings import CLOSED
from engramforge.core.detection.likelihood import WORDED
from engramforge.core.registries.closed.doers import tells_surely_who
from engramforge.core.registries.closed.matters import asks
from engramforge.core.registries.closed_threads import Over, is_of_another, meant_again, meant_thread
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.detection import Detection, Voice
from engramforge.model.registries.entry import ThreadStatus
from engramforge.registries.detected.detected_lookup import Lookup
from engramforge.registries.threads.thread_view import title_of

_LEAST: Final = 0.6
"""How sure a decision is at least that answers a question."""
_SURE: Final = 0.85
_UNSURE: Final = 0.5
"""The same of what answers it by a verb alone: it waits."""
_TELLS_DEEDS: Final = frozenset(
    map(str, (Over.ACTED, Over.DID, Over.COME, Over.REPLACED, Over.SENT, Over.THERE, Over.MENDED, Over.HAS))
)
"""Closings that tell what was done: the same words are no decision that is only heard."""


def with_closed(lookup: Lookup, message: Memory, detections: Sequence[Detection]) -> Iterable[Detection]:
    """Detections of a message; what it says to be over with the open thread that is meant, or left out. Another
    reading of the same sentence as the end of a thread says no more."""
    if any(each.rule == REOPENED for each in detections):
        return _reopened(lookup, message, detections)
    closings = [each for each in detections if each.rule in CLOSED and not each.entry]
    answers = [_answer(each) for each in detections if _may_answer(each)]
    if not closings and not answers:
        return detections
    threads = [head.memory for head in lookup.threads(message)]
    threads = [each for each in threads if each.valid_at <= message.valid_at]
    titles = [title_of(each) for each in threads]
    ended: dict[str, Detection] = {}
    for closing in (*closings, *answers):
        place = meant_thread(closing.text, titles, Over(closing.rule))
        if place is not None and closing.sentence not in ended:
            is_answer = asks(titles[place]) or closing.status == ThreadStatus.RESOLVED
            status = ThreadStatus.RESOLVED if is_answer else ThreadStatus.ABANDONED
            is_sure = closing.rule != Over.WHO or tells_surely_who(closing.text, titles[place])
            ended[closing.sentence] = replace(
                closing,
                text="",
                entry=threads[place].logical_id,
                status=str(status),
                confidence=closing.confidence if is_sure else _UNSURE,
            )
    others = [
        each if _is_alike(each, closings, titles) else replace(each, is_update=False)
        for each in detections
        if each not in closings and not any(_is_said_by(each, one) for one in ended.values())
    ]
    return [*others, *ended.values()]


def _reopened(lookup: Lookup, message: Memory, detections: Sequence[Detection]) -> list[Detection]:
    """The same of what is amiss again: with the closed thread that is meant, if none is open that may be."""
    found: list[Detection] = []
    for each in detections:
        if each.rule != REOPENED:
            found.append(each)
            continue
        is_named = bool(each.content)
        standing = [title_of(head.memory) for head in lookup.threads(message)]
        closed = [head.memory for head in lookup.threads(message, ThreadStatus.RESOLVED)]
        closed = sorted(
            (x for x in closed if x.valid_at <= message.valid_at), key=lambda x: x.valid_at, reverse=True
        )
        place = meant_again(each.text, list(map(title_of, closed)), is_named=is_named)
        if place is not None and meant_again(each.text, standing, is_named=is_named) is None:
            found.append(replace(each, text="", content="", entry=closed[place].logical_id))
    return found


def _may_answer(detection: Detection) -> bool:
    """Whether a person decides something, which may be what was asked."""
    is_own = detection.is_new_decision and detection.voice is Voice.OWN
    return is_own and detection.confidence >= _LEAST


def _answer(decision: Detection) -> Detection:
    """What a decision ends if it answers a question."""
    return Detection(
        kind=Kind.THREAD,
        sentence=decision.sentence,
        rule=str(Over.DECIDED),
        confidence=_SURE,
        text=decision.text,
        status=str(ThreadStatus.RESOLVED),
        is_update=True,
        resolution=decision.sentence,
        speaker=decision.speaker,
    )


def _is_said_by(detection: Detection, closing: Detection) -> bool:
    """Whether what is read from the sentence that closes a thread says no more than that."""
    if not (detection.sentence in closing.sentence or closing.sentence in detection.sentence):
        return False
    if detection.kind is Kind.DECISION:
        is_unsure = detection.rule.startswith(WORDED) and detection.confidence < _LEAST
        return is_unsure and not detection.is_update and closing.rule in _TELLS_DEEDS
    return _is_end(detection) or _is_heard(detection)


def _is_end(detection: Detection) -> bool:
    return detection.kind is Kind.THREAD and detection.status != ThreadStatus.OPEN


def _is_heard(detection: Detection) -> bool:
    """Whether a thread is only heard by its wording: "parking is sorted" is none beside the thread that it closes."""
    return detection.kind is Kind.THREAD and detection.rule.startswith(WORDED)


def _is_alike(detection: Detection, closings: Sequence[Detection], titles: Sequence[str]) -> bool:
    """Whether what another reading says to be over may be an open thread whose words are nearly the same: not where
    each names something that the other does not."""
    if not _is_end(detection) or detection.local_id or not detection.is_update:
        return True
    said = [each.text for each in closings if each.sentence == detection.sentence]
    return not said or any(not is_of_another(said[0], title) for title in titles)
