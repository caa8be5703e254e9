"""The turns of one conversation that change a statement which they do not name, or as their answers report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from itertools import pairwise
from typing import Final

from engramforge.core.detection.whose.speakers import voice_of
from engramforge.core.injection.gate import asks
from engramforge.core.injection.inputs.slots import changes_it
from engramforge.core.pointing.anchored import given_in, is_anchored
from engramforge.core.pointing.asked_kinds import may_answer
from engramforge.core.pointing.reported import changed_by_reports, reported_in
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.detection import Said, Voice

_TALK: Final = 4
"""How much of the talk before a turn tells what it is of."""


def changed_in_talk(turns: Sequence[Memory], said: str, own: Set[str]) -> dict[str, Memory]:
    """The turns among some of one conversation that change a statement which they do not name, as the talk tells.
    `own`: the logical ids of the statement and of what it was read from."""
    changed: dict[str, Memory] = {}
    for at, turn in enumerate(turns):
        is_own = turn.kind is not Kind.RESPONSE and voice_of(turn) is Voice.OWN
        if not at or not is_own or turn.logical_id in own or given_in(turn.content) is None:
            continue
        before = [
            Said(each.content, each.logical_id, each.kind is not Kind.RESPONSE)
            for each in turns[max(0, at - _TALK) : at][::-1]
        ]
        answer = turns[at + 1] if at + 1 < len(turns) else None
        answered = answer.content if answer is not None and answer.kind is Kind.RESPONSE else ""
        if is_anchored(turn.content, said, own | changed.keys(), before, answered):
            changed[turn.logical_id] = turn
    return changed


def changed_as_reported(turns: Sequence[Memory], texts: Iterable[str], own: Set[str]) -> dict[str, Memory]:
    """The turns of one conversation that change a statement as the answers right behind them report. `texts`: what it
    says; `own`: as above."""
    answered = [
        (turn, answer.content)
        for turn, answer in pairwise(turns)
        if answer.kind is Kind.RESPONSE
        and turn.kind is not Kind.RESPONSE
        and turn.logical_id not in own
        and reported_in(answer.content) is not None
        and voice_of(turn) is Voice.OWN
    ]
    if not answered:
        return {}
    said = [(turn.logical_id, turn.content, answer) for turn, answer in answered]
    keys = {key for text in texts for key in changed_by_reports(said, text)}
    return {turn.logical_id: turn for turn, _ in answered if turn.logical_id in keys}


def changed_unnamed(turns: Sequence[Memory], texts: Set[str]) -> dict[str, Memory]:
    """Those of the turns soon after in its session that give something another value without naming it."""
    said = "\n".join(texts)
    changed: dict[str, Memory] = {}
    is_next, asked = True, ""
    for turn, answer in pairwise([*turns, None]):
        if turn is None or turn.kind is Kind.RESPONSE or voice_of(turn) is not Voice.OWN:
            continue
        answered = answer.content if answer is not None and answer.kind is Kind.RESPONSE else ""
        if changes_it(turn.content, said, answered, is_next=is_next) and may_answer(asked, said):
            changed[turn.logical_id] = turn
            said = f"{said}\n{turn.content}"
        else:
            is_next, asked = False, turn.content if asks(turn.content) else ""
    return changed
