"""Watches the prompts of sessions for shifts of activity.

A prompt is judged together with the one before it and what was answered since. What is recent is read, laid out and
compared with these when a session has said something (`get_ready`), so that at a prompt that alone is compared, with
what lies there; it is read again only where the store has changed since. Of a session that this process does not know
it is known whether the last alert of its project was one of its own: then it is silent until activity is like something
recent again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import RLock
from typing import Final

import numpy as np

from engramforge.answer.shifts.kept import beginning, keep, kept_shifts, topic_of
from engramforge.core.similarity.calibration import Direction
from engramforge.core.text.words import content_words, is_stop_word, words_of
from engramforge.core.topics.shift import (
    COMPARED,
    FEWEST_WORDS,
    Unlikeness,
    Watch,
    nearest_similarity,
    seen,
    unlikeness,
)
from engramforge.errors import EngramforgeError
from engramforge.indexing.comparing import MemoryBatch, compare
from engramforge.model.embeddings.embedding import Embedding, QueryEmbedding
from engramforge.model.embeddings.encoder_spec import ActiveEncoder
from engramforge.model.fence import quoted
from engramforge.model.memory import Kind, Memory
from engramforge.model.scope import Scope
from engramforge.model.search.candidates import Corpus, Ground
from engramforge.model.search.selection import Selection
from engramforge.model.spaces import Space
from engramforge.model.time import TimeRange
from engramforge.model.topics.shift import ActivityShift
from engramforge.recall.request import PRESENT, in_time
from engramforge.recall.retrieval import Retriever
from engramforge.store.door import Door, View

COMPARED_WITH: Final = 12
"""How many memories a prompt is compared with, the newest; more are less alike (docs/measurements/shifts.md)."""
_TOGETHER: Final = 6
"""How many things said since the prompt before count at most, the newest."""
_READ: Final = 40
_ON_ITS_WAY: Final = timedelta(seconds=1)
"""A prompt is recorded with the time at which its host sent it, which is before anybody looks at it."""
_RECENT: Final = timedelta(hours=2)
_SESSIONS: Final = 64
_KINDS: Final = (Kind.PROMPT, Kind.MESSAGE, Kind.RESPONSE, Kind.NOTE)
"""What activity is told by: what was said. What tools did is of many words and little matter."""
PLAIN: Final = {
    Space.SEMANTIC: "meaning",
    Space.CAUSAL: "causes and effects",
    Space.SPARSE_LEXICAL: "words",
    Space.CODE: "code",
    Space.MULTIMODAL: "pictures",
    Space.LATE_INTERACTION: "meaning word by word",
    Space.SPARSE_EXPANSION: "related words",
    Space.ENTITY: "names",
}
"""The spaces that an alert may name, in plain words."""

Nearest = Mapping[Space, float]
"""The largest similarity in each space."""


@dataclass(frozen=True, slots=True)
class Laid:
    """What is compared with a prompt. `said`: what was said since the prompt before and that itself, and how near it is
    to what is recent; `names` of it. `before`: what is recent, newest first; `known`: the names there."""

    said: Sequence[Nearest]
    names: frozenset[str]
    before: Sequence[Memory]
    known: frozenset[str]
    batch: MemoryBatch


@dataclass(slots=True)
class Recent:
    """What was said of late, newest first. `corpus`, `encoders`: of the moment at which it was read. `laid`: for a
    prompt, by what `together` says. `_words`: of prompts, how many content words they have."""

    corpus: Corpus
    encoders: Mapping[Space, ActiveEncoder]
    memories: Sequence[Memory]
    embeddings: dict[str, Embedding]
    laid: dict[tuple[int, int], Laid] = field(default_factory=dict)
    _words: dict[int, int] = field(default_factory=dict)

    def together(self, session: str, words: int, now: datetime) -> tuple[int, int] | None:
        """The place of the newest that was said before a prompt of so many content words, and of the newest of what
        is recent to it; None where the prompt is the first, or says too little with all before it."""
        first, until = None, now - _ON_ITS_WAY
        for place, each in enumerate(self.memories):
            if each.valid_at >= until:
                continue
            first = place if first is None else first
            if each.kind is Kind.PROMPT and each.session_id == session:
                if place not in self._words:
                    self._words[place] = len(content_words(words_of(each.content.casefold())))
                words += self._words[place]
                if words >= FEWEST_WORDS:
                    return first, place + 1
        return None


@dataclass(slots=True)
class _Session:
    """What is known of a session. `next`, `alert`: what the prompt of the moment `asked` makes of it once it is known
    to be told."""

    watch: Watch
    recent: Recent | None = None
    asked: datetime | None = None
    next: Watch | None = None
    alert: ActivityShift | None = None


@dataclass(frozen=True, slots=True)
class ShiftWatching:
    """Shared between threads."""

    door: Door
    retriever: Retriever
    clock: Callable[[], datetime]
    _sessions: OrderedDict[tuple[str, str], _Session] = field(default_factory=OrderedDict)
    _lock: RLock = field(default_factory=RLock)

    def look(
        self, scope: Scope, project: str, name: str | None, question: QueryEmbedding, now: datetime
    ) -> str:
        """What is to be told of a shift with a prompt, as a line; empty for nothing, or nothing that is known.

        It counts only when `note` says so, for it may be that nobody hears of it. `name`: of the session; None for
        none.
        """
        if name is None:
            return ""
        within = scope.within(project)
        session = self._session(within, project, name)
        unlike, recent = None, None
        if question.vector is not None:
            view = self.door.asking(within)
            unlike, recent = self._judged(view, within, name, session, question, now)
        session.asked = now
        session.next, is_alert = seen(session.watch, None if unlike is None else unlike.evidence)
        session.alert = None
        if not is_alert or unlike is None or recent is None:
            return ""
        session.alert = ActivityShift(
            at=now,
            session=name,
            project=project,
            evidence=unlike.evidence,
            spaces=unlike.spaces,
            before_id=recent.logical_id,
        )
        return self._told(self.door.asking(within), unlike, recent)

    def note(self, scope: Scope, name: str | None, now: datetime) -> None:
        """Note that a session was told what was found at its prompt of this moment, if that was looked at, and keep the
        shift if there was one."""
        if name is None:
            return
        with self._lock:
            session = self._sessions.get((scope.agent, name))
        if session is None or session.next is None or session.asked != now:
            return  # Of a prompt whose host gave up nothing was told, whatever event comes after it.
        session.watch, alert = session.next, session.alert
        session.next = session.alert = None
        if alert is not None:
            try:
                keep(self.door, scope, alert)
            except EngramforgeError:
                return  # It was told; who looks back later does without it.

    def get_ready(self, scope: Scope, project: str | None, session: str | None) -> None:
        """Read what is recent to a session of which something was captured, if it is watched."""
        if project is None or session is None:
            return
        with self._lock:
            known = self._sessions.get((scope.agent, session))
        if known is None:
            return
        within, now = scope.within(project), self.clock()
        view = self.door.asking(within)
        ground = view.ground()
        held = self._recent(within, session, known, ground, now)
        if places := held.together(session, FEWEST_WORDS, now + _RECENT):
            self._laid(view, ground, held, places)

    def _session(self, within: Scope, project: str, name: str) -> _Session:
        key = (within.agent, name)
        with self._lock:
            if (known := self._sessions.get(key)) is not None:
                self._sessions.move_to_end(key)
                return known
        last = kept_shifts(self.door.asking(within), within, project)[:1]
        made = _Session(Watch(is_silent=any(each.session == name for each in last)))
        with self._lock:
            known = self._sessions.setdefault(key, made)
            while len(self._sessions) > _SESSIONS:
                self._sessions.popitem(last=False)
        return known

    def clear(self) -> None:
        """Let go of what is kept of what memories say."""
        with self._lock:
            for each in self._sessions.values():
                each.recent = None

    def _recent(self, within: Scope, session: str, known: _Session, ground: Ground, now: datetime) -> Recent:
        """What is recent, read again where the store has changed since."""
        held = known.recent
        if held is None or held.corpus is not ground.corpus:
            known.recent = held = self._read(within, session, ground, held, now)
        return held

    def _read(
        self, within: Scope, session: str, ground: Ground, before: Recent | None, now: datetime
    ) -> Recent:
        as_of = self.clock()
        of_session = in_time(Selection(kinds=_KINDS, session_id=session), PRESENT, as_of)
        with self.door.asking(within) as view:
            memories = view.browse(of_session, _READ)
            if len(memories) < _READ:
                lately = Selection(kinds=_KINDS, valid_range=TimeRange(start=now - _RECENT))
                memories = max(memories, view.browse(in_time(lately, PRESENT, as_of), _READ), key=len)
            is_same = before is not None and before.encoders == ground.encoders
            known = before.embeddings if before is not None and is_same else {}
            fresh = [each.id for each in memories if each.id not in known]
            places = view.places_of(fresh) if fresh else {}
            found = view.signals(np.array(sorted(places.values()), np.int64)).embeddings if places else {}
        made = {id_: found[place] for id_, place in places.items() if place in found}
        embeddings = {each.id: known.get(each.id) or made.get(each.id) for each in memories}
        held = {id_: each for id_, each in embeddings.items() if each is not None}
        return Recent(ground.corpus, ground.encoders, memories, held)

    def _judged(
        self,
        view: View,
        within: Scope,
        name: str,
        session: _Session,
        question: QueryEmbedding,
        now: datetime,
    ) -> tuple[Unlikeness | None, Memory | None]:
        """How unlike what is recent a prompt with the one before is, and the newest of what is recent; None where it
        cannot be told."""
        ground = view.ground()
        held = self._recent(within, name, session, ground, now)
        places = held.together(name, sum(not is_stop_word(word) for word in question.words), now)
        laid = None if places is None else self._laid(view, ground, held, places)
        if laid is None:
            return None, None
        said = [*laid.said, self._nearest(view, ground, question, laid.batch)]
        names = laid.names | frozenset(question.entities)
        lows = self.retriever.calibrations.named_by(ground.calibrations, view).thresholds.low
        return unlikeness(said, names, laid.known, lows=lows), laid.before[0]

    def _laid(self, view: View, ground: Ground, held: Recent, places: tuple[int, int]) -> Laid | None:
        """What a prompt is compared with, laid out once; None for nothing."""
        if (known := held.laid.get(places)) is not None:
            return known
        first, until = places
        before = [each for each in held.memories[until:] if each.id in held.embeddings][:COMPARED_WITH]
        if not before:
            return None
        recent = [held.embeddings[each.id] for each in before]
        batch = MemoryBatch.of(self.retriever.table, recent)
        said = [held.embeddings.get(each.id) for each in held.memories[first:until][:_TOGETHER]]
        embedded = [each for each in said if each is not None]
        lengths = MemoryBatch.of(self.retriever.table, embedded).lengths.tolist()
        laid = Laid(
            [
                self._nearest(view, ground, each, batch, length)
                for each, length in zip(embedded, lengths, strict=True)
            ],
            frozenset(name for each in embedded for name in each.entities),
            before,
            frozenset(name for each in recent for name in each.entities),
            batch,
        )
        held.laid[places] = laid
        return laid

    def _nearest(
        self,
        view: View,
        ground: Ground,
        asked: QueryEmbedding | Embedding,
        batch: MemoryBatch,
        length: int = 0,
    ) -> dict[Space, float]:
        """In each space the largest similarity to what is recent. `length`: of a memory, in words."""
        direction, lengths = Direction.QUERY_TO_MEMORY, batch.lengths
        if not isinstance(asked, QueryEmbedding):
            direction, lengths = Direction.MEMORY_TO_MEMORY, np.minimum(lengths, length)
        encoders = self.retriever.encoder.part_encoders(ground.encoders)
        compared = compare(asked, batch, {each: encoders[each] for each in COMPARED if each in encoders})
        calibrations = self.retriever.calibrations.named_by(ground.calibrations, view)
        nearest = {}
        for space, each in compared.items():
            calibration = calibrations.find(space, direction, each.encoder)
            if space not in COMPARED or calibration is None:
                continue
            present = each.similarities.present
            tails = calibration.log_tail(each.similarities.values[present], lengths[present])
            nearest[space] = nearest_similarity(tails, space, calibrations.thresholds.low.get(space))
        return nearest

    def _told(self, view: View, shift: Unlikeness, before: Memory) -> str:
        """The line of an alert."""
        unlike = ", ".join(f"{PLAIN[space]} {similarity:.2f}" for space, similarity in shift.spaces)
        topic = topic_of(view, before)
        about = f" of the topic {quoted(topic)}" if topic else ""
        return (
            f"Recent activity{about}, last at {before.told_at:%H:%M}: {quoted(beginning(before.content))}. "
            f"What was said since is unlike it; similarity to the nearest: {unlike}"
        )
