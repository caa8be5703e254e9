"""The entries that a batch of messages mentions, and their state after each message.

Entries are found by their global id; by their name in the conversation, or in the archive that it began with; by their
words; and threads also by similarity. What a project's messages without a session say is one conversation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from engramforge.core.detection.proposal import detection_of
from engramforge.core.registries.registration import evidence_of
from engramforge.model.memory import Draft, Kind, Memory
from engramforge.model.registries.detection import Detection
from engramforge.model.registries.entry import DecisionStatus, EntryQuery, ReviewStatus, ThreadStatus
from engramforge.model.registries.lineage import LineageEdge
from engramforge.model.scope import Scope
from engramforge.registries.lineage.lineage_reading import edge_of
from engramforge.registries.registered import ENTRY_ID, registration_of
from engramforge.registries.threads.thread_view import blocking_of, title_of
from engramforge.store.door import Door
from engramforge.writing.preparing import Preparation

_ANCESTORS: Final = 64
"""How many archives back a local id is looked up."""
_MOST: Final = 1_000
_MOST_NAMED: Final = 10_000
"""How many entries are looked up at once by their names."""
_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_ALIKE: Final = 0.6
_READ: Final = (Kind.DECISION, Kind.THREAD)
_EMPTY_WORDS: Final = frozenset(
    re.findall(
        r"\w+",
        "that this with from have been will when what which still need needs next step open done fixed issue problem"
        " about todo thread into before after should must also then they there resolved closed question matter",
    )
)

Name = tuple[Kind, str, str | None, str]
"""Kind, project, conversation and what an entry is called there."""


@dataclass(slots=True)
class Head:
    """The state of an entry after the messages so far.

    `needs`: version ids of this batch's messages that it came from.
    """

    memory: Memory
    needs: frozenset[str] = frozenset()

    @property
    def is_detected(self) -> bool:
        """Whether a detection made it, not a person."""
        return evidence_of(registration_of(self.memory)) is not None


@dataclass(frozen=True, slots=True)
class Lookup:
    """Finds entries, remembering what was found or made.

    `preparation`: knows by which key an origin is recognised. `edges`: of lineage, about to be written.
    """

    door: Door
    preparation: Preparation
    scope: Scope
    edges: Sequence[Memory] = ()
    _origins: dict[bytes, str | None] = field(default_factory=dict)
    _asked: set[bytes] = field(default_factory=set)
    _heads: dict[str, Head] = field(default_factory=dict)
    _names: dict[Name, Head | None] = field(default_factory=dict)
    _open: dict[str, list[Head]] = field(default_factory=dict)
    _waiting: dict[Name, list[Detection]] = field(default_factory=dict)

    def ask_origins(self, drafts: Iterable[Draft]) -> None:
        """Look up these origins at a single moment."""
        by_project: dict[str, list[bytes]] = {}
        for draft in drafts:
            by_project.setdefault(draft.project, []).append(self._key(draft))
        self._asked.update(*by_project.values())
        if not by_project:
            return
        with self.door.asking(self.scope) as view:
            for project, keys in by_project.items():
                self._origins.update(view.known_origins(project, list(dict.fromkeys(keys))))
            heads = view.fetch({each for each in self._origins.values() if each} - self._heads.keys())
        for memory in heads.values():
            if memory.registration is not None and memory.expired_at is None:
                self._heads.setdefault(memory.logical_id, Head(memory))

    def known(self, draft: Draft) -> bool:
        """Whether the store knows this origin and it was not undone; a forgotten one counts as known."""
        there = self.origin(draft)
        return there in self._heads or (there is None and self._key(draft) in self._origins)

    def origin(self, draft: Draft) -> str | None:
        """The logical id that the store has for an origin; None if it has none, or it was forgotten.

        It is looked up now where it is of words that were found only while the message was followed.
        """
        key = self._key(draft)
        if key not in self._origins and key not in self._asked:
            self.ask_origins([draft])
        return self._origins.get(key)

    def waits(self, thread: Memory, other: str) -> bool:
        """Whether a thread is the other one, or waits for it, directly or through others."""
        seen: set[str] = set()
        wave = {thread.logical_id}
        while wave:
            if other in wave:
                return True
            seen |= wave
            unknown = wave - set(self._heads)
            found = self.door.asking(self.scope).fetch(unknown) if unknown else {}
            standing = [self._heads[each].memory if each in self._heads else found.get(each) for each in wave]
            wave = {
                there
                for memory in standing
                if memory is not None and memory.registration
                for there in blocking_of(memory)
            } - seen
        return False

    def by_origin(self, draft: Draft) -> Head | None:
        """The entry with the same words."""
        there = self.origin(draft)
        return None if there is None else self._heads.get(there)

    def named(self, message: Memory, kind: Kind, local_id: str) -> Head | None:
        """The entry with this name in a message's conversation, or in the archive that it began with; or this id."""
        name = (kind, message.project, message.session_id, local_id)
        if name not in self._names:
            self._names[name] = self._by_name(message, kind, local_id)
        return self._names[name]

    def meant(self, message: Memory, kind: Kind, local_id: str) -> Head | None:
        """As `named`; outside of conversations also the only entry of that name in the project."""
        if (head := self.named(message, kind, local_id)) is not None or message.session_id is not None:
            return head
        others = self.elsewhere(message, kind, local_id)
        return self._head(others[0]) if len(others) == 1 else None

    def elsewhere(self, message: Memory, kind: Kind, local_id: str) -> list[Memory]:
        """The entries of a message's project with this name, whatever their conversations; of each one the newest."""
        query = EntryQuery(kind=kind, local_ids=(local_id,), ended=True, limit=_MOST)
        noted = [head.memory for head in self._heads.values() if head.memory.kind is kind]
        called = [
            each
            for each in (*noted, *self.door.asking(self.scope.within(message.project)).entries(query))
            if registration_of(each).local_id == local_id and _is_beside(each, message)
        ]
        # The last of each conversation is kept: the newest that stands.
        called.sort(key=lambda memory: memory.is_superseded)
        called.reverse()
        return list({registration_of(each).origin: each for each in called}.values())

    def ask_names(self, asked: Sequence[tuple[Memory, Kind, str]]) -> None:
        """Look up many names in a few requests: those of `named`, but where a conversation began with an archive."""
        if not (
            conversations := tuple({message.session_id for message, _, _ in asked if message.session_id})
        ):
            return
        edges = EntryQuery(kind=Kind.LINEAGE, continuations=conversations, limit=_MOST_NAMED)
        going_on = {
            registration_of(each).continuation for each in self.door.asking(self.scope).entries(edges)
        }
        for kind in {kind for _, kind, _ in asked}:
            local_ids = tuple({name for _, its, name in asked if its is kind})
            query = EntryQuery(
                kind=kind, local_ids=local_ids, conversations=conversations, ended=True, limit=_MOST_NAMED
            )
            if len(found := self.door.asking(self.scope).entries(query)) == _MOST_NAMED:
                continue
            called: dict[str, list[Memory]] = {}
            for entry in found:
                called.setdefault(registration_of(entry).local_id or "", []).append(entry)
            for message, its, name in asked:
                if its is kind and message.session_id is not None and message.session_id not in going_on:
                    its_own = [
                        entry
                        for entry in called.get(name, ())
                        if _is_beside(entry, message)
                        and message.session_id in registration_of(entry).conversations
                    ]
                    self._names[kind, message.project, message.session_id, name] = self._begun_here(
                        message, its_own
                    )

    def note_new(
        self, message: Memory, detection: Detection, memory: Memory, draft: Draft, needs: frozenset[str]
    ) -> Head:
        """Remember an entry that is about to be made."""
        head = self._heads[memory.logical_id] = Head(memory, needs)
        self._origins[self._key(draft)] = memory.logical_id
        if detection.local_id is not None:
            self._names[detection.kind, message.project, message.session_id, detection.local_id] = head
        if message.session_id in self._open and detection.kind is Kind.THREAD:
            self._open[message.session_id].append(head)
        return head

    def note_flag(self, draft: Draft) -> None:
        """Remember that a detection waits."""
        self._origins[self._key(draft)] = None

    def waits_already(self, message: Memory, detection: Detection) -> bool:
        """Whether the same change of an entry of this name waits in the conversation; if not, from now on it does."""
        if detection.local_id is None:
            return False
        name = (detection.kind, message.project, message.session_id, detection.local_id)
        if name not in self._waiting:
            query = EntryQuery(
                kind=Kind.FLAG,
                local_ids=(detection.local_id,),
                conversations=_conversations(message),
                statuses=(str(ReviewStatus.PENDING),),
                limit=_MOST,
            )
            flags = (registration_of(flag).details for flag in self._within(message, query))
            self._waiting[name] = [detection_of(each["proposal"]) for each in flags if "proposal" in each]
        waiting = self._waiting[name]
        if any(_is_same_change(each, detection) for each in waiting):
            return True
        waiting.append(detection)
        return False

    def read_from(self, message_id: str) -> list[Head]:
        """The entries that were read from a message, by its logical id."""
        view = self.door.asking(self.scope)
        links = view.links([message_id], to_others=True)
        sources = [link.source_id for link in links if link.target_id == message_id]
        for memory in view.fetch(sources).values() if sources else ():
            if memory.kind in _READ and memory.registration and memory.expired_at is None:
                self._head(memory)
        return [
            head
            for head in self._heads.values()
            if head.memory.kind in _READ
            and (evidence := evidence_of(registration_of(head.memory))) is not None
            and evidence.message_id == message_id
        ]

    def entry(self, logical_id: str) -> Head | None:
        """An entry by its logical id; None where it was forgotten."""
        if logical_id not in self._heads and (found := self.door.asking(self.scope).fetch([logical_id])):
            self._heads[logical_id] = Head(found[logical_id])
        return self._heads.get(logical_id)

    def open_thread_like(self, message: Memory, words: str) -> Head | None:
        """The open thread of a conversation most of whose title's words are in a text; the newest of several."""
        if message.session_id is None:
            return None
        said = _words_of(words)
        best: tuple[float, Head] | None = None
        for head in self._open_threads(message, message.session_id):
            wanted = _words_of(title_of(head.memory))
            share = len(wanted & said) / len(wanted) if len(wanted) > 1 else 0.0
            is_over = registration_of(head.memory).status != ThreadStatus.OPEN or head.memory.is_superseded
            if not is_over and share >= _ALIKE and (best is None or share > best[0]):
                best = (share, head)
        return None if best is None else best[1]

    def decision_with(self, message: Memory, words: str) -> Head | None:
        """The only active decision of a conversation's project with these words; None if there are several."""
        query = EntryQuery(kind=Kind.DECISION, statuses=(str(DecisionStatus.ACTIVE),), limit=_MOST_NAMED)
        wanted = _words_of(words)
        alike = [
            each
            for each in self._beside(message, query)
            if wanted and wanted <= _words_of(each.content) and not self._head(each).memory.is_superseded
        ]
        return self._head(alike[0]) if len(alike) == 1 else None

    def active_decisions(self, message: Memory, *, in_conversation: bool = False) -> list[Head]:
        """The decisions of a message's project that hold after the messages so far; or of its conversation alone."""
        its = _conversations(message) if in_conversation else ()
        return self._standing(message, Kind.DECISION, DecisionStatus.ACTIVE, its)

    def threads(self, message: Memory, status: ThreadStatus = ThreadStatus.OPEN) -> list[Head]:
        """The threads of a message's project that are open, or stand so, after the messages so far."""
        return self._standing(message, Kind.THREAD, status)

    def _standing(
        self, message: Memory, kind: Kind, status: DecisionStatus | ThreadStatus, its: tuple[str, ...] = ()
    ) -> list[Head]:
        query = EntryQuery(kind=kind, statuses=(str(status),), conversations=its, limit=_MOST_NAMED)
        found = [*map(self._head, self._beside(message, query)), *self._heads.values()]
        return [
            head
            for head in {head.memory.logical_id: head for head in found}.values()
            if head.memory.kind is kind
            and not head.memory.is_superseded
            and _is_beside(head.memory, message)
            and registration_of(head.memory).status == status
        ]

    def _open_threads(self, message: Memory, conversation: str) -> list[Head]:
        if conversation not in self._open:
            self._open[conversation] = [
                head
                for head in self._standing(message, Kind.THREAD, ThreadStatus.OPEN, (conversation,))
                if conversation in registration_of(head.memory).conversations
            ]
        return self._open[conversation]

    def _by_name(self, message: Memory, kind: Kind, local_id: str) -> Head | None:
        if ENTRY_ID.fullmatch(local_id):
            query = EntryQuery(kind=kind, entry_ids=(local_id,), ended=True)
            return next(map(self._head, self._beside(message, query)), None)
        its = _conversations(message)
        query = EntryQuery(kind=kind, local_ids=(local_id,), conversations=its, ended=True, limit=_MOST)
        found = self._begun_here(message, self._within(message, query))
        return self._inherited(message, kind, local_id) if found is None and its else found

    def _begun_here(self, message: Memory, found: Sequence[Memory]) -> Head | None:
        """Of entries with the same name, the one that began here and stands; else the first."""
        own = [memory for memory in found if registration_of(memory).origin == message.session_id]
        own.sort(key=lambda memory: memory.is_superseded)
        return self._head((own or found)[0]) if found else None

    def _inherited(self, message: Memory, kind: Kind, local_id: str) -> Head | None:
        """The entry with this name in the nearest archive that leads to a conversation."""
        assert message.session_id is not None
        for edge in self._leading_to(message.session_id):
            source = edge.source_conversation_id
            if head := self._names.get((kind, message.project, source, local_id)):
                return head
            called = tuple(entry_id for entry_id, local in edge.local_ids.items() if local == local_id)
            by_id = EntryQuery(kind=kind, entry_ids=called, ended=True, limit=_MOST)
            # Ids of another store are unknown here, where its conversation may have come in by itself.
            by_name = replace(by_id, entry_ids=(), local_ids=(local_id,), conversations=(source,))
            for query in (by_id, by_name) if called else (by_name,):
                if found := self._beside(message, query):
                    return self._head(found[0])
        return None

    def _leading_to(self, conversation: str) -> Iterator[LineageEdge]:
        """The edges that lead to a conversation, the nearest first; those that are about to be written, too."""
        planned = {edge.target_conversation_id: edge for edge in map(edge_of, self.edges)}
        while edge := planned.pop(conversation, None):
            yield edge
            conversation = edge.source_conversation_id
        yield from map(edge_of, self.door.asking(self.scope).lineage(conversation, True, _ANCESTORS))

    def _beside(self, message: Memory, query: EntryQuery) -> list[Memory]:
        # Of its project alone: a store may have thousands in others, and the limit is on those that are read.
        entries = self.door.asking(self.scope.within(message.project)).entries(query)
        return [entry for entry in entries if _is_beside(entry, message)]

    def _within(self, message: Memory, query: EntryQuery) -> list[Memory]:
        """As `_beside`, for a query of the message's conversation; without one, what none has."""
        found = self._beside(message, query)
        return [each for each in found if message.session_id or not registration_of(each).conversations]

    def _head(self, memory: Memory) -> Head:
        """A single head per entry, however it is found."""
        return self._heads.setdefault(memory.logical_id, Head(memory))

    def _key(self, draft: Draft) -> bytes:
        key = self.preparation.origin_key(self.scope, draft)
        assert key is not None
        return key


def _is_same_change(one: Detection, other: Detection) -> bool:
    """Whether two statements about an entry say that it changes alike, in whatever words."""
    fields = ("kind", "text", "status", "superseded_by", "blocked_by")
    return all(getattr(one, name) == getattr(other, name) for name in fields)


def _conversations(message: Memory) -> tuple[str, ...]:
    return () if message.session_id is None else (message.session_id,)


def _is_beside(entry: Memory, message: Memory) -> bool:
    """Whether an entry is of the message's project and owner."""
    return (entry.project, entry.level, entry.agent) == (message.project, message.level, message.agent)


def shares_words(text: str, other: str) -> bool:
    """Whether two texts have a word in common that says something."""
    return bool(_words_of(text) & _words_of(other))


def says_something(text: str) -> bool:
    """Whether a text has a word that says something: "that" has none."""
    return bool(_words_of(text))


def _words_of(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text)) - _EMPTY_WORDS
