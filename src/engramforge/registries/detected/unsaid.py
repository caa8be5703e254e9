"""What waits for review when a message no longer says what entries were read from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from engramforge.core.registries.registration import evidence_of
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.detection import Detection, Voice
from engramforge.model.registries.entry import STANDING, DecisionStatus, ThreadStatus
from engramforge.model.scope import Scope
from engramforge.registries.decisions.decision_view import decision_text
from engramforge.registries.detected.consequences import DetectedWrite
from engramforge.registries.detected.detected_changes import says_already
from engramforge.registries.detected.detected_entries import Detected
from engramforge.registries.detected.detected_lookup import Lookup
from engramforge.registries.registered import registration_of
from engramforge.registries.threads.thread_view import title_of


def plan_change(
    detected: Detected, scope: Scope, message: Memory, found: Sequence[Detection], now: datetime
) -> list[DetectedWrite]:
    """The consequences of a message's new version, or of its end, for the entries that were read from it: all wait.

    `found`: what is read from it now; nothing of one that ended.
    """
    heads = Lookup(detected.changes.door, detected.changes.preparation, scope).read_from(message.logical_id)
    left = _unsaid(message, [head.memory for head in heads], found)
    if not left:
        return []
    planned = detected.plan(scope, [(message, _left_to_review(left, found))], now)
    (write,) = planned or [DetectedWrite(message)]
    return [replace(write, left=left)]


def _unsaid(message: Memory, entries: Sequence[Memory], found: Sequence[Detection]) -> list[Memory]:
    """Which of the entries that were read from a message stand, and are not said by it as it is now."""
    standing = [
        each for each in entries if not each.is_superseded and registration_of(each).status in STANDING
    ]
    if message.is_superseded:
        return standing
    return [each for each in standing if not _is_said(message, each, found)]


def _left_to_review(left: Sequence[Memory], found: Sequence[Detection]) -> list[Detection]:
    """For each of these entries what waits: what the message says in its place, where that is plain, else its end."""
    waiting = []
    for entry in left:
        of_kind = [
            each for each in found if each.kind is entry.kind and each.status in STANDING and each.text
        ]
        is_only = len(of_kind) == 1 and [each.kind for each in left].count(entry.kind) == 1
        said = replace(of_kind[0], local_id=None) if is_only else _end_of(entry)
        waiting.append(
            replace(
                said, voice=Voice.REPORTED, is_update=True, entry=entry.logical_id, why="its message changed"
            )
        )
    return waiting


def _end_of(entry: Memory) -> Detection:
    evidence = evidence_of(registration_of(entry))
    assert evidence is not None  # by which it was found
    return Detection(
        kind=entry.kind,
        sentence=evidence.sentence,
        rule="its message does not say it any more",
        confidence=1.0,
        status=str(DecisionStatus.INVALIDATED if entry.kind is Kind.DECISION else ThreadStatus.ABANDONED),
    )


def _is_said(message: Memory, entry: Memory, found: Sequence[Detection]) -> bool:
    evidence = evidence_of(registration_of(entry))
    if evidence is not None and evidence.sentence in message.content:
        return True
    words = decision_text(entry) if entry.kind is Kind.DECISION else title_of(entry)
    return any(each.kind is entry.kind and each.text and says_already(words, each.text) for each in found)
