"""Reads decisions, threads and archives from new messages: the follower of the intake.

Planned before the transaction and written inside it, so that an undo takes back a message and what was detected in it
together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from engramforge.capture.hearing import SURE, only_waits, waiting, with_worded
from engramforge.capture.pointing import Pointing
from engramforge.capture.replies import (
    TURNS,
    LastTurns,
    Replies,
    Trail,
    answered_in,
    holds_answers,
    said_text,
)
from engramforge.core.archive_format.clues import HEAD_KEY, may_be_archive
from engramforge.core.detection.adr_text import RECORD
from engramforge.core.detection.cues.label_cues import LABEL, OUTRIGHT, OUTRIGHT_LABEL
from engramforge.core.detection.cues.practice_cues import ADVISED, SPOKEN
from engramforge.core.detection.endings.back_again import back_again
from engramforge.core.detection.endings.closings import CLOSED, closings_in, may_close, told_plainly
from engramforge.core.detection.endings.disliked import rejected_in
from engramforge.core.detection.endings.reversals import chosen_beside, may_turn, reversals_in
from engramforge.core.detection.likelihood import AMONG_PERSONS, WORDED
from engramforge.core.detection.matter.corrected_within import with_correction
from engramforge.core.detection.rule_extractor import Extractor
from engramforge.core.detection.traps import is_hedged
from engramforge.core.detection.whose.denials import is_taken_back
from engramforge.core.detection.whose.framed import disowned
from engramforge.core.detection.whose.own_words import held_by, is_record_alone, parted
from engramforge.core.detection.whose.speakers import voice_of
from engramforge.core.detection.whose.taken_in import asks_to_take_in, goes_on
from engramforge.core.extraction.extracted import BY_MODEL, overlap
from engramforge.core.ranking.question import ROLES
from engramforge.core.text.late_pattern import late
from engramforge.model.memory import SUMMARISES, Kind, Memory, Source
from engramforge.model.registries.detection import Detection, Voice
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.storing.record import Entry
from engramforge.model.time import AsOf
from engramforge.store.door import Door

if TYPE_CHECKING:
    from engramforge.registries.detected.consequences import DetectedWrite
    from engramforge.registries.detected.detected_entries import Detected
    from engramforge.registries.detected.detected_lineage import DetectedLineage
    from engramforge.writing.intake import Follow

READ_KINDS: Final = TURNS | {Kind.SESSION_SUMMARY}
"""Kinds of memories in which somebody says something; others come from machines or are entries themselves."""
_MAY_HOLD_ARCHIVE: Final = READ_KINDS | {Kind.ARTIFACT}
"""A text attachment is an artifact."""
_RANKS: Final = tuple(Voice)
"""From the voice that may do most to the one that may do least."""
_LIKELY: Final = 0.6
_OUTRIGHT: Final = 0.85
"""How sure it is what a person says outright to be decided or open, if it is likely at all."""
_FORMS: Final = frozenset({RECORD, LABEL, "closed label", "check list"})
"""Rules of forms that make an entry whoever wrote it."""
_AT_THE_MOMENT: Final = late(
    r"(?i)\W*(?:(?:now|next|first|then|ok(?:ay)?),?\s)?(?:let me|i\W(?:ll|d|will|would|(?:need|have|want|decide) to))\b"
)
_LONGEST_STATEMENT: Final = 300
"""Characters of a note that is taken for somebody's own statement; a longer one is a text about something."""


class _Turns(NamedTuple):
    """The turns of a batch so far, by session: the last that asked, the last, and all."""

    asked: LastTurns
    before: LastTurns
    trail: Trail


@dataclass
class Detecting:
    """Detects entries in new memories; a `Follower` of the intake.

    `door`: to tell whether a message is its conversation's first. `extractor`: finds decisions and threads in a text.
    `make_detected`, `make_lineage`: build, when they are first needed, the planners of the consequences of a detection
    and of the edge to a conversation that begins with an archive; most texts have neither, and a cold write must not
    wait for these.
    `reads`: whether anything is detected; a copy of an archive is bound to what it shows in any case.
    """

    door: Door
    extractor: Extractor
    make_detected: Callable[[], Detected]
    make_lineage: Callable[[], DetectedLineage]
    reads: bool = True

    @cached_property
    def _replies(self) -> Replies:
        return Replies(self.door)

    @cached_property
    def _pointing(self) -> Pointing:
        return Pointing(self._replies)

    @cached_property
    def _detected(self) -> Detected:
        return self.make_detected()

    @cached_property
    def _lineage(self) -> DetectedLineage:
        return self.make_lineage()

    def plan(self, scope: Scope, entries: Sequence[Entry], now: datetime) -> Sequence[Follow]:
        """The consequences of messages that are about to be written, in order."""
        said: list[tuple[Memory, Sequence[Detection]]] = []
        follows: list[Follow] = []
        edges: list[Memory] = []
        begun: set[str] = set()
        asked: dict[str, Memory] = {}
        before: dict[str, Memory] = {}
        trail: dict[str, list[Memory]] = {}
        said_to: dict[str, Memory] = {}
        turns = _Turns(asked, before, trail)
        for memory in (entry.memory for entry in entries):
            if memory.registration or SUMMARISES in memory.metadata:
                continue
            if self.reads and (found := answered_in(memory)):
                said.append((memory, found))
            text = said_text(memory)
            beside = _beside_archive(text)
            if beside is not None or HEAD_KEY in text:
                follows += [write] if (write := self._lineage.copy(scope, memory, text)) else []
            if not self.reads or memory.kind not in _MAY_HOLD_ARCHIVE or memory.chunk:
                continue
            if beside is not None:
                # Its entries are those of the conversation that it comes from: only what stands below it is read here.
                is_first = self._is_first(scope, memory, begun, now)
                if is_first and (write := self._lineage.plan(scope, memory, text, now)):
                    follows.append(write)
                    edges.append(write.changes[0].memory)
                text = beside
            voice = voice_of(memory)
            if text and memory.kind in READ_KINDS:
                found = self._read(scope, memory, text, voice, asked, now)
                found = [each for each in found if not is_taken_back(text, each.sentence)]
                if voice is Voice.STATED:
                    found = self._replies.said_first(scope, memory, found, before, now)
                    found = self._replies.without_promises(scope, memory, found, before, now, self.extractor)
                    if answered := self._pointing.answered(scope, memory, before, trail, now):
                        said.append((answered.turn, [answered.changed]))
                        said_to[answered.turn.id] = memory
                if voice is Voice.OWN:
                    found = self._said_by_person(scope, memory, text, found, turns, now)
                said += [(memory, found)] if found else []
            if memory.session_id is not None and memory.kind in TURNS:
                before[memory.session_id] = memory
                trail.setdefault(memory.session_id, []).append(memory)
                begun.add(memory.session_id)
                if voice is Voice.OWN and not goes_on(text):
                    asked[memory.session_id] = memory
        if not said:
            return follows
        planned = self._detected.plan(scope, said, now, edges=edges)
        return [*follows, *_with_answers(planned, entries, said_to)]

    def _said_by_person(
        self, scope: Scope, memory: Memory, text: str, found: list[Detection], turns: _Turns, now: datetime
    ) -> list[Detection]:
        """What a person's turn says, with what it ends, takes and changes by the turns before it."""
        asked, before, trail = turns
        found += self._replies.contradicted(scope, memory, text, before, now)
        # What only waits takes nothing's place.
        sure = [each for each in found if not only_waits(each)]
        if ended := _ended(memory, text, sure):
            found = sure
            if instead := self._replies.corrected(scope, memory, text, ended, asked, now):
                # Its few words say nothing else.
                found, ended = [], [instead]
        is_free = self._replies.may_alter(text) or all(each.rule in CLOSED for each in ended)
        is_free &= all(map(only_waits, found))
        if is_free and (taken := self._replies.taken(scope, memory, text, before, asked, now)):
            found, ended = taken, [each for each in ended if each.rule in CLOSED]
        elif pointed := self._pointing.pointed(scope, memory, text, ended, trail, now):
            found, ended = sure, pointed
        if not ended:
            found = self._replies.with_matter(scope, memory, found, before, asked, now)
        return [*with_correction(text, found), *ended] or _told_beside(memory, text)

    def plan_change(self, scope: Scope, memory: Memory, now: datetime) -> Sequence[Follow]:
        """The consequences of a memory's new version, or of its end, for the entries that were read from it."""
        is_answer = holds_answers(memory)
        is_said = is_answer or memory.kind in READ_KINDS
        is_read = self.reads and is_said and SUMMARISES not in memory.metadata
        if not is_read or memory.registration or memory.chunk:
            return ()
        from engramforge.registries.detected.unsaid import plan_change

        found = (
            []
            if memory.is_superseded
            else answered_in(memory)
            if is_answer
            else self._read(scope, memory, said_text(memory), voice_of(memory), {}, now)
        )
        return plan_change(self._detected, scope, memory, found, now)

    def plan_again(
        self, scope: Scope, memory: Memory, extractor: Extractor, now: datetime
    ) -> Sequence[DetectedWrite]:
        """The consequences of what a language model finds, beside what the rules do, in a message that is there."""
        text, voice = said_text(memory), voice_of(memory)
        known = self._read(scope, memory, text, voice, {}, now) if self.reads else ()
        again = self._read(scope, memory, text, voice, {}, now, extractor)
        new = [
            each
            for each in again
            if each.rule.startswith(BY_MODEL)
            and not overlap(each, known)
            and not is_taken_back(text, each.sentence)
        ]
        return self._detected.plan(scope, [(memory, new)], now) if new else ()

    def still_known(self, scope: Scope, text: str) -> str:
        """A text without what archives of this store in it show of forgotten memories."""
        if HEAD_KEY not in text:
            return text
        from engramforge.registries.archived import still_known

        return still_known(self.door, scope, text)

    def _read(
        self,
        scope: Scope,
        memory: Memory,
        text: str,
        voice: Voice,
        asked: LastTurns,
        now: datetime,
        extractor: Extractor | None = None,
    ) -> list[Detection]:
        """What a message says, each with whose words it is in. `extractor`: in place of the rules."""
        extractor = extractor or self.extractor
        found = extractor.extract(text)
        is_text = memory.kind is Kind.NOTE and (
            memory.source is Source.IMPORT or len(text) > _LONGEST_STATEMENT
        )
        is_said = voice is Voice.OWN and not is_text
        if not found:
            heard = with_worded(text, found) if is_said else []
            if is_said and not heard and (memory.speaker or "").casefold() in ROLES:
                heard = waiting(text)
            return [_doubted(each, memory, is_text=is_text) for each in heard]
        if is_record_alone(text, is_read=found[0].rule == RECORD):
            own = [replace(each, voice=max(voice, Voice.STATED, key=_RANKS.index)) for each in found]
            return [_doubted(each, memory, is_text=is_text) for each in own]
        parts = parted(text, is_person=voice is Voice.OWN)
        why = "its speaker only reports"
        if voice is Voice.STATED and self._reports(scope, memory, asked, now):
            voice, why = Voice.REPORTED, "it was asked to read a text"
        if parts.held:
            found = extractor.extract(parts.own) if parts.own else ()
            # What hands a text over may look like a statement: "I need feedback on this text:".
            found = [x for x in found if x.confidence >= SURE or not x.sentence.rstrip().endswith(":")]
        if is_said:
            found = with_worded(text, found)
        if why_all := disowned(text, parts.own, [each for each in found if each.confidence >= SURE]):
            voice, why = Voice.REPORTED, why_all
        elif voice is Voice.STATED and _makes_and_ends(found):
            voice, why = Voice.REPORTED, "an assistant changes several entries"
        own = [replace(each, voice=max(voice, each.voice, key=_RANKS.index), why=why) for each in found]
        own = [_doubted(_outright(each), memory, is_text=is_text) for each in own]
        held = extractor.extract(parts.held) if parts.held else ()
        shown = [held_by(text, parts.own, each.sentence) for each in held]
        return own + [replace(x, voice=Voice.REPORTED, why=y) for x, y in zip(held, shown, strict=True)]

    def _reports(self, scope: Scope, memory: Memory, asked: LastTurns, now: datetime) -> bool:
        """Whether an assistant's turn answers one in which a person asked it to read a text, or gave it one."""
        if memory.session_id is None:
            return False
        turn = self._replies.asked_before(scope, memory, asked, now)
        if turn is None:
            return False
        text = said_text(turn)
        if asks_to_take_in(text):
            return True
        held = parted(text, is_person=True).held
        return bool(held and self.extractor.extract(held))

    def _is_first(self, scope: Scope, memory: Memory, begun: Set[str], now: datetime) -> bool:
        if memory.session_id is None or memory.session_id in begun:
            return False
        selection = Selection(kinds=tuple(TURNS), session_id=memory.session_id, as_of=AsOf(now, now))
        own = scope.within(memory.project)
        earliest = self.door.asking(own).browse(selection, limit=1, newest_first=False)
        return not earliest or earliest[0].valid_at >= memory.valid_at


def _with_answers(
    planned: Sequence[DetectedWrite], entries: Sequence[Entry], said_to: Mapping[str, Memory]
) -> Sequence[DetectedWrite]:
    """What follows from messages; from a stored one, with what is answered to it: that is what is written now.
    `said_to`: the answers, by the version ids of what they answer."""
    new = {entry.memory.id for entry in entries}
    for write in planned:
        stored = write.needs - new
        write.needs = (write.needs - stored) | {said_to[each].id for each in stored if each in said_to}
    return planned


def _ended(memory: Memory, text: str, found: Sequence[Detection]) -> list[Detection]:
    """What a person turns from, or says to be over, in plain words in a turn of a conversation."""
    disliked = rejected_in(text)
    if not (disliked or may_turn(text) or may_close(text)):
        return []
    if memory.kind is Kind.NOTE and (memory.source is Source.IMPORT or len(text) > _LONGEST_STATEMENT):
        return []
    parts = parted(text, is_person=True)
    own = [each for each in found if each.voice is Voice.OWN]
    if disowned(text, parts.own, own):
        return []
    turned = reversals_in(parts.own, own)
    is_said = bool(disliked) and not any(each.text for each in turned)
    ended = [*turned, *(rejected_in(parts.own) if is_said else ()), *closings_in(parts.own, parts.held)]
    return [each for each in ended if not is_taken_back(text, each.sentence)]


def _told_beside(memory: Memory, text: str) -> list[Detection]:
    """What a person's turn that says nothing else takes by its name for a matter, or may answer."""
    if memory.kind is Kind.NOTE:
        return []
    own = parted(text, is_person=True).own
    return chosen_beside(own) or back_again(own) or told_plainly(own)


def _doubted(found: Detection, memory: Memory, *, is_text: bool) -> Detection:
    """A detection that waits where its memory makes no entry by itself: a text, or what an assistant does or advises
    at the moment, which is nobody's decision and nothing left open.
    """
    if found.rule in _FORMS or found.local_id is not None:
        return found
    if is_text:
        return replace(found, voice=Voice.REPORTED, why="it stands in no turn of a conversation")
    if memory.kind is Kind.RESPONSE and (found.rule in ADVISED or _AT_THE_MOMENT.match(found.sentence)):
        return replace(found, voice=Voice.REPORTED, why="an assistant advises it, or is doing it")
    is_heard = (found.rule.startswith(WORDED) or found.rule in SPOKEN) and found.confidence < AMONG_PERSONS
    if is_heard and (memory.speaker or "").casefold() not in ROLES:
        return replace(found, voice=Voice.REPORTED, why="in talk of persons, by its wording alone")
    return found


def _outright(found: Detection) -> Detection:
    """A person's "Decision: ..." or "we have decided ..." is sure, whatever it is about; what waited for other reasons
    than its label's topic still does.
    """
    if found.voice is not Voice.OWN or found.is_update or is_hedged(found.sentence):
        return found
    is_labelled = found.rule == LABEL and OUTRIGHT_LABEL.match(found.sentence)
    is_sure = is_labelled or (found.confidence >= _LIKELY and OUTRIGHT.match(found.sentence))
    least = _OUTRIGHT if is_sure else _LIKELY if found.rule in SPOKEN else 0.0
    return replace(found, confidence=max(found.confidence, least))


def _makes_and_ends(found: Sequence[Detection]) -> bool:
    """Whether a decision is made beside words on what became of a named entry."""
    is_made = any(each.kind is Kind.DECISION and not each.is_update for each in found)
    return is_made and any(each.is_update and each.local_id is not None for each in found)


def _beside_archive(text: str) -> str | None:
    """What stands below an archive in a text that holds one; None for any other text."""
    if not may_be_archive(text):
        return None
    from engramforge.core.archive_format.recognition import find_archive

    found = find_archive(text)
    return None if found is None else text[found.end :].strip()
