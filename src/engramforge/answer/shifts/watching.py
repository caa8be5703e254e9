"""Watches the prompts of sessions for shifts of activity.

What is recent is read and laid out when a session has said something (`get_ready`), so that a prompt is compared with
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
from engramforge.core.text.words import is_stop_word
from engramforge.core.topics.shift import COMPARED, Shift, Watch, nearest_similarity, seen
from engramforge.errors import EngramforgeError
from engramforge.indexing.comparing import MemoryBatch, compare
from engramforge.model.embeddings.embedding import Embedding, QueryEmbedding
from engramforge.model.embeddings.encoder_spec import ActiveEncoder
from engramforge.model.fence import named
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
_READ: Final = 30
"""How many are read: while there is a doubt, the newest count for nothing."""
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
}
"""The spaces that are compared, in plain words."""


@dataclass(slots=True)
class Recent:
    """What is recent to a session, newest first. `corpus`, `encoders`: of the moment at which it was read."""

    corpus: Corpus
    encoders: Mapping[Space, ActiveEncoder]
    memories: Sequence[Memory]
    embeddings: dict[str, Embedding]
    _laid_out: tuple[tuple[str, ...], MemoryBatch] | None = None

    def until(self, moment: datetime) -> list[Memory]:
        """The newest that were recent until then, as many as are compared."""
        old = (each for each in self.memories if each.valid_at < moment and each.id in self.embeddings)
        return [each for each, _ in zip(old, range(COMPARED_WITH), strict=False)]

    def batch(self, memories: Sequence[Memory], retriever: Retriever) -> MemoryBatch:
        """These for comparison; laid out once, as long as they are the same."""
        ids = tuple(each.id for each in memories)
        if self._laid_out is None or self._laid_out[0] != ids:
            batch = MemoryBatch.of(retriever.table, [self.embeddings[id_] for id_ in ids])
            self._laid_out = (ids, batch)
        return self._laid_out[1]


@dataclass(slots=True)
class _Session:
    """What is known of a session. `next`, `alert`: what the last prompt makes of it once it is known to be told.
    `question`: what was asked last."""

    watch: Watch
    question: QueryEmbedding | None = None
    recent: Recent | None = None
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
        words = sum(not is_stop_word(word) for word in question.words)
        nearest: dict[Space, float] = {}
        lows: dict[Space, float] = {}
        recent: list[Memory] = []
        if question.vector is not None:
            view = self.door.asking(within)
            ground = view.ground()
            held = self._recent(within, name, session, ground, now)
            recent = held.until(session.watch.recent_until(now))
            nearest, lows = self._nearest(view, ground, question, held, recent)
        session.question = question
        session.next, shift = seen(session.watch, nearest, words, now, lows=lows)
        session.alert = None
        if shift is None:
            return ""
        session.alert = ActivityShift(
            at=now,
            session=name,
            project=project,
            evidence=shift.evidence,
            spaces=shift.spaces,
            before_id=recent[0].logical_id,
        )
        return self._told(self.door.asking(within), shift, recent[0])

    def note(self, scope: Scope, name: str | None) -> None:
        """Note that the last prompt of a session was told what was found of it, and keep the shift if there was one."""
        if name is None:
            return
        with self._lock:
            session = self._sessions.get((scope.agent, name))
        if session is None or session.next is None:
            return
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
        recent = held.until(known.watch.recent_until(now + _RECENT))
        if known.question is not None:
            # What a comparison derives of the memories alone is then there for the next prompt.
            self._nearest(view, ground, known.question, held, recent)

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

    def _nearest(
        self, view: View, ground: Ground, question: QueryEmbedding, held: Recent, recent: Sequence[Memory]
    ) -> tuple[dict[Space, float], dict[Space, float]]:
        """In each space the largest similarity to what is recent; and the low thresholds that somebody set."""
        if not recent:
            return {}, {}
        batch = held.batch(recent, self.retriever)
        encoders = self.retriever.encoder.part_encoders(ground.encoders)
        compared = compare(question, batch, {each: encoders[each] for each in COMPARED if each in encoders})
        calibrations = self.retriever.calibrations.named_by(ground.calibrations, view)
        lows = {space: low for space, low in calibrations.thresholds.low.items() if space in COMPARED}
        nearest = {}
        for space, each in compared.items():
            calibration = calibrations.find(space, Direction.QUERY_TO_MEMORY, each.encoder)
            if space not in COMPARED or calibration is None:
                continue
            present = each.similarities.present
            tails = calibration.apply(each.similarities.values[present], batch.lengths[present]).log_tail
            nearest[space] = nearest_similarity(tails, space, lows.get(space))
        return nearest, lows

    def _told(self, view: View, shift: Shift, before: Memory) -> str:
        """The line of an alert."""
        unlike = ", ".join(f"{PLAIN[space]} {similarity:.2f}" for space, similarity in shift.spaces)
        topic = topic_of(view, before)
        about = f" of the topic {named(topic)}" if topic else ""
        return (
            f"Recent activity{about}, last at {before.told_at:%H:%M}: {named(beginning(before.content))}. "
            f"This prompt is unlike all of it; similarity to the nearest: {unlike}"
        )
