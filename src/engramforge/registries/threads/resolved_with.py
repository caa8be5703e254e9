"""The threads that are resolved together with what they were read from.

A note that says "nobody knows the reason" opens a thread that says no more than the note does: a link that resolves the
note resolves the thread, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from engramforge.core.registries.registration import evidence_of
from engramforge.core.text.words import content_words, words_of
from engramforge.model.link import Relation
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.entry import ThreadStatus
from engramforge.model.scope import Scope
from engramforge.model.time import just_after
from engramforge.registries.registered import registration_of
from engramforge.registries.threads.thread_changes import Threads, ThreadUpdate
from engramforge.registries.threads.thread_view import status_of, title_of
from engramforge.writing.version_change import VersionChange


@dataclass(frozen=True, slots=True)
class ResolvedWith:
    """Plans how threads are closed with what they were read from; a `Beside` of the linkage."""

    threads: Threads

    def plan(self, scope: Scope, resolved: Sequence[Memory], now: datetime) -> list[VersionChange]:
        """A change for each open thread that says the same as one of these memories, of the day on which that is
        resolved; `resolved`: their new versions."""
        notes = {each.logical_id: each for each in resolved}
        view = self.threads.changes.door.asking(scope)
        links = view.links(list(notes), relation=Relation.DERIVED_FROM)
        read = view.fetch({each.source_id for each in links if each.target_id in notes})
        plans = []
        for thread in read.values():
            note = _source(thread, notes)
            if note is not None:
                at = just_after(thread.valid_at, note.valid_at)
                asked = ThreadUpdate(status=ThreadStatus.RESOLVED, at=at)
                plans.append(self.threads.plan_update(scope, thread, asked, now))
        return [each.change for each in plans if each is not None]


def _source(thread: Memory, notes: dict[str, Memory]) -> Memory | None:
    """The note that an open thread was read from, if it says the same; None for what is none."""
    is_over = thread.expired_at is not None or thread.invalidation_reason is not None
    if thread.kind is not Kind.THREAD or thread.registration is None or is_over:
        return None
    if status_of(thread) is not ThreadStatus.OPEN:
        return None
    evidence = evidence_of(registration_of(thread))
    note = notes.get(evidence.message_id) if evidence is not None else None
    if evidence is None or note is None:
        return None
    title, sentence = _words(title_of(thread)), _words(evidence.sentence)
    # Somebody may have called it something else since.
    said = sentence if title <= sentence else title
    return note if _words(note.content) <= said else None


def _words(text: str) -> set[str]:
    return set(content_words(words_of(text)))
