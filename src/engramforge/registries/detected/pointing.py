"""Which decision a turn changes that does not name it ("set it to 12"), by the talk around it; see core/pointing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engramforge.core.detection.endings.turned import POINTED
from engramforge.core.pointing.anchored import given_in, is_anchored
from engramforge.core.pointing.meant import Choice, meant
from engramforge.core.pointing.pointed import Pointed, changed_by, pointed_in
from engramforge.core.registries.registration import evidence_of
from engramforge.model.memory import Memory
from engramforge.model.registries.detection import Detection
from engramforge.model.registries.entry import DecisionStatus
from engramforge.registries.decisions.decision_view import decision_text
from engramforge.registries.detected.detected_lookup import Head, Lookup
from engramforge.registries.registered import registration_of

NOT_CLEAR: Final = "it is not clear which decision it ends, or whether"
UNCLEAR: Final = 0.5
"""How sure a reversal is of which it is not clear what it ends."""


def changed_by_talk(
    lookup: Lookup, message: Memory, turn: Detection, standing: Sequence[Head]
) -> list[Detection]:
    """A turn with the decision that it changes, in that decision's words; unsure where it is not clear which, with each
    that may be; nothing where none is, or an answer will tell."""
    pointed = pointed_in(turn.sentence)
    if turn.talk is None or (turn.talk.answer is not None and lookup.read_from(message.logical_id)):
        return []
    choices = [_choice(head.memory) for head in standing]
    if pointed is None:
        return _anchored(turn, choices, standing)
    places, is_clear = meant(pointed, turn.talk, choices)
    found = [_changed(turn, pointed, choices[at], standing[at]) for at in places]
    if is_clear and found[0].superseded_by:
        return found[:1]
    if not pointed.is_name and (anchored := _anchored(turn, choices, standing)):
        return anchored
    # A name alone waits right away, an amount for the answer, which tells what it is of.
    if pointed.is_name is (turn.talk.answer is not None):
        return []
    if pointed.is_name and len(found) > 1:
        return [_alone(turn)]
    return [replace(each, why=NOT_CLEAR, confidence=UNCLEAR) for each in found]


def _anchored(turn: Detection, choices: Sequence[Choice], standing: Sequence[Head]) -> list[Detection]:
    """A turn that an answer took up with the decision that was stated, asked or answered right before it; unsure where
    that is not one, or its words have no place for what the turn gives."""
    talk, given = turn.talk, given_in(turn.sentence)
    if given is None or talk is None or talk.answer is None:
        return []
    places = [
        at
        for at, each in enumerate(choices)
        if is_anchored(turn.sentence, each.text, {each.message_id}, talk.before, talk.answer)
    ]
    found = [_changed(turn, given.pointed, choices[at], standing[at]) for at in places]
    if len(found) == 1 and found[0].superseded_by:
        return found
    return [replace(each, why=NOT_CLEAR, confidence=UNCLEAR) for each in found]


def _choice(decision: Memory) -> Choice:
    evidence = evidence_of(registration_of(decision))
    return Choice(decision_text(decision), "" if evidence is None else evidence.message_id)


def _changed(turn: Detection, pointed: Pointed, choice: Choice, head: Head) -> Detection:
    new = changed_by(choice.text, pointed) or None
    return replace(turn, rule=POINTED, entry=head.memory.logical_id, superseded_by=new, talk=None)


def _alone(turn: Detection) -> Detection:
    """What a turn takes by its name where several decisions may be meant: a person shall say of what it is."""
    return replace(
        turn,
        text=turn.sentence,
        status=str(DecisionStatus.ACTIVE),
        is_update=False,
        superseded_by=None,
        why=NOT_CLEAR,
        confidence=UNCLEAR,
        talk=None,
    )
