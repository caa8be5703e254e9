"""Takes hook events in: each becomes memories once, however often and in whatever ways it comes.

**What makes something the same.** A tool's request and outcome: its session and call. A text: its prompt's id and what
it says, else its event's id; and where neither is known, the same text again within two seconds with nothing in
between. Of the transcript, when that was imported before: the same call, or the same text at about the same time. When
it is imported later, it recognises what is here (`Draft.live_as`, and writers/told_live for order and time). An import
that writes between the looking and the writing is seen inside the transaction: then the batch is looked at again.

A batch is one transaction up to each session's end; when `take` returns, it is durable. Faults of one event do not keep
the others out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from threading import Lock
from typing import Any, Final

from engramforge.capture.live.answering import answer_in, model_in
from engramforge.capture.live.events import SOURCES, HookRecord, Told, read_event, with_answer
from engramforge.capture.live.sessions import LiveSession, LiveSessions
from engramforge.capture.live.summaries import Summaries
from engramforge.capture.reading.sessions import (
    LIVE,
    SAME_TIME,
    in_chain,
    in_history,
    in_transcript,
    said_live,
    text_digest,
    tool_in_transcript,
    tool_live,
)
from engramforge.capture.writers.switches import State, is_on, paused, switches_of, was_on
from engramforge.core.checks.validation import check_draft
from engramforge.errors import CallerError, Overtaken, StoreLocked
from engramforge.model.limits import BATCH_MEMORIES
from engramforge.model.memory import Draft, Kind
from engramforge.model.registration import Consequence
from engramforge.model.scope import Scope
from engramforge.model.storing.effect import Step
from engramforge.model.storing.live import Switch, TakenIn
from engramforge.store.door import Door
from engramforge.writing.intake import Intake

_TOGETHER: Final = 400
"""After so many memories a batch is written."""
_FURTHER: Final = 4
_MOST_TRIES: Final = 20
"""Looks at a batch while others write the same; each finds more of it in the store."""


@dataclass(slots=True)
class _Batch:
    """What is collected until it is written, and what became of the rest. `identities`: of all of it, and of what the
    store has; `lacking`: the keys of texts that it has not. `before`: what an earlier look at the same has written."""

    identities: set[str] = field(default_factory=set)
    drafts: list[Draft] = field(default_factory=list)
    lacking: list[bytes] = field(default_factory=list)
    before: int = 0
    captured: int = 0
    known: int = 0
    left_out: int = 0
    nothing: int = 0
    faults: list[str] = field(default_factory=list)
    consequences: list[Consequence] = field(default_factory=list)


class LiveCapture:
    """Takes events in.

    `intake`: writes memories. `summaries`: makes those of sessions. `clock`: the time, timezone-aware. `excluded`:
    projects of which nothing is captured.
    """

    def __init__(
        self,
        door: Door,
        intake: Intake,
        summaries: Summaries,
        clock: Callable[[], datetime],
        excluded: Iterable[str] = (),
    ) -> None:
        self._door = door
        self._intake = intake
        self._summaries = summaries
        self._clock = clock
        self._excluded = frozenset(excluded)
        self._lock = Lock()
        self.sessions = LiveSessions(door)

    def take(self, scope: Scope, events: Sequence[Mapping[str, Any]]) -> TakenIn:
        """Capture a batch of events, in their order.

        Raises what the store raises, a fault of the world: then the events may come again.
        """
        with self._lock:
            batch = _Batch()
            for _ in range(_MOST_TRIES):
                try:
                    return self._take(scope, events, batch)
                except Overtaken:
                    self.sessions.forget()
                    batch = _Batch(
                        before=batch.captured, captured=batch.captured, consequences=batch.consequences
                    )
                except BaseException:
                    self.sessions.forget()
                    raise
            raise StoreLocked(
                "Others write the same session all the time", "It is captured when they have ended"
            )

    def _take(self, scope: Scope, events: Sequence[Mapping[str, Any]], batch: _Batch) -> TakenIn:
        now, state = self._clock(), switches_of(self._door, scope)
        read = [read_event(each, now) for each in events]
        batch.identities = self._known(scope, [record for record in read if record is not None])
        for place, record in enumerate(read):
            if record is None:
                batch.faults.append("An event has no hook_event_name")
                continue
            try:
                self._add(scope, batch, record, state, now, events[place])
            except CallerError as error:
                batch.faults.append(f"{record.event}: {error}")
            if len(batch.drafts) >= _TOGETHER:
                self._write(scope, batch)
        self._write(scope, batch)
        return TakenIn(
            events=len(events),
            captured=batch.captured,
            known=max(batch.known - batch.before, 0),
            left_out=batch.left_out,
            nothing=batch.nothing,
            faults=tuple(batch.faults),
            consequences=tuple(batch.consequences),
        )

    def _add(
        self,
        scope: Scope,
        batch: _Batch,
        record: HookRecord,
        state: State,
        now: datetime,
        event: Mapping[str, Any],
    ) -> None:
        session = self.sessions.of(scope, record.session, record.folder)
        if session.project in self._excluded or self._is_paused(session, record, state):
            batch.left_out += 1
            return
        if record.lacks_answer and record.transcript:
            record = self._with_answer(scope, batch, session, record, event, now)
        at = min(record.at or now, now)
        if session.last_at is not None and at < session.last_at <= now:
            at = session.last_at
        session.last_at = at
        for told in record.told:
            draft = self._draft(scope, session, record, told, at, batch)
            if draft is None:
                batch.known += 1
            else:
                batch.drafts.append(check_draft(draft, now))
        if record.is_summarised:
            self._write(scope, batch)
            if record.session and self._summaries.write(
                scope, session.project, record.session, at, self._clock()
            ):
                batch.captured += 1
        elif not record.told:
            batch.nothing += 1

    def _with_answer(
        self,
        scope: Scope,
        batch: _Batch,
        session: LiveSession,
        record: HookRecord,
        event: Mapping[str, Any],
        now: datetime,
    ) -> HookRecord:
        """The end of a turn with the answer that its event does not tell, from the transcript."""
        prompt = session.last.get((record.chain, Kind.PROMPT))
        answer = answer_in(record.transcript, None if prompt is None else prompt[1], record.at)
        found = with_answer(event, answer, now) if answer else None
        if found is None or not found.told:
            batch.faults.append(f"{record.event}: neither it nor the transcript tells the answer")
            return record
        batch.identities |= self._known(scope, [found])
        return replace(found, event_id=record.event_id)

    def _is_paused(self, session: LiveSession, record: HookRecord, state: State) -> bool:
        """Whether an event is of a time in which capture is or was off, however late it comes; so are the answer to
        a prompt of that time, and a compaction that tells of it."""
        is_off = not is_on(state, Switch.CAPTURE, session.project, record.session) or (
            record.at is not None and not was_on(state, session.project, record.session, record.at)
        )
        session.has_paused = session.has_paused or is_off or record.session in paused(state)[0]
        if record.event == "UserPromptSubmit":
            (session.paused.add if is_off else session.paused.discard)(record.chain)
        if record.event == "PostCompact":
            return session.has_paused
        return is_off or (bool(record.told) and record.chain in session.paused)

    def _draft(
        self,
        scope: Scope,
        session: LiveSession,
        record: HookRecord,
        told: Told,
        at: datetime,
        batch: _Batch,
    ) -> Draft | None:
        """What is to be written of something told; None if it is known."""
        identities, known = _identities(record, told), batch.identities
        is_again = bool(told.text) and session.is_repeated(record.chain, told.piece.kind, told.text, at)
        if not known.isdisjoint(identities) or (is_again and not told.is_named):
            return None
        also = identities[:1]
        number = 0
        # A tool's in its transcript, which may come in until this is written.
        imported = identities[1:]
        if told.text:
            number, imported, lacking = self._counted(scope, session, record, told, at)
            batch.lacking += self._keys(scope, lacking)
            also = (*identities, *said_live(record.session, record.chain, told.text, number))
        known.update(identities)
        piece = told.piece
        more: dict[str, Any] = {"agent_id": record.chain} if record.chain else {}
        if piece.kind is Kind.RESPONSE and (model := model_in(record.transcript, piece.text)):
            more["model"] = model
        return Draft(
            content=piece.text,
            kind=piece.kind,
            source=SOURCES[piece.kind],
            project=session.project,
            session_id=record.session or None,
            sequence=session.number(record.chain) if record.session else None,
            speaker=piece.speaker,
            metadata={**piece.metadata, **more, LIVE: number},
            valid_at=at,
            recorded_at=at,
            origin=identities[0],
            also_origins=also,
            # What its transcript brought in is known as this from now on.
            live_as=imported,
        )

    def _counted(
        self, scope: Scope, session: LiveSession, record: HookRecord, told: Told, at: datetime
    ) -> tuple[int, tuple[str, ...], tuple[str, ...]]:
        """Which occurrence of its text something told is, by what it is known if its transcript was imported, and by
        what not, which has to hold when it is written."""
        number = session.counts.get((record.chain, text_digest(told.text)), 0)
        while True:
            ways = {each: _ways(record, told, each) for each in range(number + 1, number + 1 + _FURTHER)}
            found = self._found(scope, [way for some in ways.values() for way in some])
            moments = self._moments(scope, found.values())
            for number, some in ways.items():
                held = [way for way in some if way in found]
                is_told = some[0] in found
                times = [moments[found[way]] for way in held if found[way] in moments]
                # Of what was forgotten nobody knows when it was said; its event has not come yet.
                is_gone = any(found[way] is None for way in held)
                is_near = any(abs(at - moment) <= SAME_TIME for moment in times)
                is_same = not is_told and (is_near or is_gone)
                if is_same or not held:
                    session.count(record.chain, told.text, number)
                    return number, tuple(held), tuple(way for way in some if way not in found)

    def _known(self, scope: Scope, records: Sequence[HookRecord]) -> set[str]:
        """Which of the identities of what is told the store has."""
        asked = {
            identity: None
            for record in records
            for told in record.told
            for identity in _identities(record, told)
        }
        return set(self._found(scope, list(asked)))

    def _found(self, scope: Scope, identities: Sequence[str]) -> dict[str, str | None]:
        """Identities that the store has -> the memory's logical id; None of a forgotten one."""
        if not identities:
            return {}
        keys = self._keys(scope, identities)
        held = self._door.asking(scope).known_origins(None, keys)
        return {identity: held[key] for identity, key in zip(identities, keys, strict=True) if key in held}

    def _keys(self, scope: Scope, identities: Sequence[str]) -> tuple[bytes, ...]:
        return self._intake.preparation.keys_anywhere(scope, Draft(content=""), identities)

    def _moments(self, scope: Scope, logical_ids: Iterable[str | None]) -> dict[str | None, datetime]:
        asked = [each for each in logical_ids if each is not None]
        fetched = self._door.asking(scope).fetch(asked) if asked else {}
        return {logical_id: memory.valid_at for logical_id, memory in fetched.items()}

    def _write(self, scope: Scope, batch: _Batch) -> None:
        """Write what was collected."""
        while batch.drafts:
            some, batch.drafts = batch.drafts[:BATCH_MEMORIES], batch.drafts[BATCH_MEMORIES:]
            lacking, batch.lacking = batch.lacking, []
            written = self._intake.write(
                scope, some, revive_forgotten=False, is_looked_up=True, unless=lacking, step=Step.UPKEEP
            )
            batch.captured += written.written
            batch.known += written.duplicates
            batch.nothing += written.skipped
            batch.consequences += written.consequences


def _identities(record: HookRecord, told: Told) -> tuple[str, ...]:
    """By what something told is known; the first is its own, the others those of its transcript."""
    if told.identity:
        return (told.identity,)
    part = told.piece.part
    return (*tool_live(record.session, part), *tool_in_transcript(record.session, part))


def _ways(record: HookRecord, told: Told, number: int) -> tuple[str, ...]:
    """The origins of the `number`-th occurrence of a text: by a hook, in the transcript, in a history."""
    place = in_chain(record.session, record.chain)
    is_prompt = told.piece.kind is Kind.PROMPT and not record.chain
    return (
        *said_live(record.session, record.chain, told.text, number),
        *in_transcript(place, told.text, number),
        *(in_history(record.session, told.text, number) if is_prompt else ()),
    )
