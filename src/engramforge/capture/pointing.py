"""Turns that give something another value without naming it, with the talk around them that tells of what they are.

Right away counts what was said before; what the assistant answers tells more, so that a turn of which it is not clear
yet what it is of is looked at again behind its answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, NamedTuple

from engramforge.capture.replies import LastTurns, Replies, Trail, said_text
from engramforge.core.detection.endings.reversals import HINTED, REVERSED
from engramforge.core.detection.endings.turned import POINTED
from engramforge.core.detection.whose.denials import is_taken_back
from engramforge.core.detection.whose.own_words import parted
from engramforge.core.detection.whose.speakers import voice_of
from engramforge.core.pointing.anchored import given_in
from engramforge.core.pointing.pointed import Pointed, pointed_in
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.detection import Detection, Said, Talk, Voice
from engramforge.model.registries.entry import DecisionStatus
from engramforge.model.scope import Scope

_SURE: Final = 0.88


class Answered(NamedTuple):
    """A turn that an assistant answered, and what it changes."""

    turn: Memory
    changed: Detection


@dataclass(frozen=True, slots=True)
class Pointing:
    """Finds such turns. `replies`: knows the turns before."""

    replies: Replies

    def pointed(
        self,
        scope: Scope,
        memory: Memory,
        text: str,
        ended: Sequence[Detection],
        trail: Trail,
        now: datetime,
    ) -> list[Detection]:
        """What a person's turn ends, with what it changes by a pronoun or a name alone in the place of what only hints
        at the same; nothing where it changes nothing so."""
        turn = None if memory.kind is Kind.NOTE else _own(text)
        same = [each for each in ended if turn and _is_the_same(each, turn)]
        others = [each for each in ended if each not in same]
        if turn is None or any(each.rule in (REVERSED, HINTED) for each in others):
            return []
        talk = _talk(turn, self.replies.talk_before(scope, memory, trail, now), None)
        by_name = [replace(each, talk=talk) for each in same if each.rule == REVERSED]
        return [*others, *(by_name or [_pointed(turn, talk)])]

    def answered(
        self, scope: Scope, answer: Memory, before: LastTurns, trail: Trail, now: datetime
    ) -> Answered | None:
        """The turn that an assistant answers, where it is one of these, and what it changes by what both say."""
        turn = self.replies.last_of(scope, answer, before, now)
        if turn is None or turn.kind is Kind.NOTE or voice_of(turn) is not Voice.OWN:
            return None
        if (pointed := _own(said_text(turn)) or _own_given(said_text(turn))) is None:
            return None
        talk = self.replies.talk_before(scope, answer, trail, now)
        return Answered(turn, _pointed(pointed, _talk(pointed, _before(talk, turn), said_text(answer))))


def _own(text: str) -> Pointed | None:
    turn = pointed_in(parted(text, is_person=True).own)
    return None if turn is None or is_taken_back(text, turn.sentence) else turn


def _own_given(text: str) -> Pointed | None:
    """What a turn gives in words that may mean something else, so that only an answer tells."""
    own = parted(text, is_person=True).own
    given = given_in(own)
    return None if given is None or is_taken_back(text, own) else given.pointed._replace(sentence=own)


def _talk(turn: Pointed, before: Sequence[Said], answer: str | None) -> Talk:
    own = (Said(turn.before, "", True),) if turn.before else ()
    return Talk((*own, *before), answer)


def _before(talk: Sequence[Said], turn: Memory) -> tuple[Said, ...]:
    at = next((at for at, each in enumerate(talk) if each.message_id == turn.logical_id), -1)
    return tuple(talk[at + 1 :])


def _is_the_same(ended: Detection, turn: Pointed) -> bool:
    is_of_it = ended.sentence in turn.sentence or turn.sentence in ended.sentence
    return is_of_it and ended.rule in (REVERSED, HINTED) and not ended.text


def _pointed(turn: Pointed, talk: Talk) -> Detection:
    return Detection(
        kind=Kind.DECISION,
        sentence=turn.sentence,
        rule=POINTED,
        confidence=_SURE,
        status=str(DecisionStatus.SUPERSEDED),
        is_update=True,
        superseded_by=turn.value,
        talk=talk,
    )
