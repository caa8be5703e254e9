"""What happens to a draft before it is stored: validate -> redact -> emotions -> keys by which it is known -> encode.

All of it is slow and happens before a transaction begins; nothing here writes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, fields, replace
from datetime import datetime
from hashlib import blake2b
from threading import Lock
from typing import Final

import numpy as np

from engramforge.core.checks.validation import check_draft
from engramforge.core.emotions.emotion import emotions_of
from engramforge.core.registries.registration import first_registration
from engramforge.core.text.marks import alike, seen
from engramforge.errors import OutOfScope
from engramforge.indexing.encode import item_of, naming_day
from engramforge.indexing.encoders import Encoders
from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.memory import Draft, Kind, Memory, since_said
from engramforge.model.scope import Level, Scope
from engramforge.model.spaces import Space
from engramforge.model.storing.record import Entry
from engramforge.store.door import Door
from engramforge.writing.pictures import is_image, pictures_of
from engramforge.writing.redact import Redactor

KNOWN_BY_CONTENT: Final = frozenset({Kind.NOTE, Kind.CHUNK})
"""Kinds that are recognised by their content when they name no origin; two turns may both say "ok", and so may notes of
two conversations."""
_TURNS: Final = frozenset({Kind.PROMPT, Kind.RESPONSE, Kind.MESSAGE, Kind.TOOL_USE, Kind.SESSION_SUMMARY})
_SAYS_MORE: Final = 4
"""The words of a turn that nobody says twice by chance."""
_OWN: Final = ("recorded_at", "origin", "also_origins", "same_as", "live_as", "registration")
SHARED: Final = tuple(each.name for each in fields(Draft) if each.name not in _OWN)
"""Fields that a draft and a memory have in common."""

_ticking: Final = Lock()
_last_tick = 0
NO_ANSWER: Final[Mapping[str, str]] = {}

Compose = Callable[[Draft], str]
"""The content that is stored for a cleaned draft, made of its content and its registration's details."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A draft ready to be written: checked, redacted, with emotions and the keys by which it is recognised.

    Parameters
    ----------
    key : of its origin, within its project; None when it can never be a duplicate by it.
    by_content : whether the key is made of its content, since it names no origin.
    redacted : how many secrets were replaced.
    former_key : the one that earlier versions wrote with such a memory, in whatever conversation it was said.
    more_keys : written with it, for the other ways on which the same record may come.
    same_keys : of records of other ways that are this one, `live_keys` among them.
    live_keys : of what a hook told; a memory that is recognised by one gets `key` and `more_keys`.
    sealed_keys : what a forget leaves of this text, by which an import recognises it under whatever origin.
    """

    draft: Draft
    key: bytes | None
    by_content: bool
    redacted: int
    former_key: bytes | None = None
    more_keys: tuple[bytes, ...] = ()
    same_keys: tuple[bytes, ...] = ()
    live_keys: tuple[bytes, ...] = ()
    sealed_keys: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Preparation:
    """Prepares drafts.

    `door`: says which encoders are active, and what an earlier version was encoded to. `encoder`: makes the signals.
    `redactor`: takes out what may not be stored. `clock`: the time of the write, timezone-aware.
    """

    door: Door
    encoder: Encoders
    redactor: Redactor
    clock: Callable[[], datetime]

    def prepare(
        self,
        scope: Scope,
        draft: Draft,
        now: datetime,
        compose: Compose | None = None,
        known: Callable[[Draft], Mapping[str, str]] = lambda _: NO_ANSWER,
        is_explicit: bool = False,
    ) -> Prepared | None:
        """The draft checked, redacted and completed; None when nothing is left of its content.

        `compose`: puts the content together when its parts have been redacted. `known`: what of the checked
        draft's content answers a message before it (writing/intake). `is_explicit`: somebody asks to remember it, which
        needs no sealed keys.

        Raises InvalidContent, InvalidTime, InvalidValue: the draft is not sound; OutOfScope: it is not the caller's to
        write.
        """
        if compose is not None:
            ready = self.prepare(scope, draft, now)
            if ready is None:
                return None
            whole = replace(ready.draft, content=compose(ready.draft), emotion_vector=draft.emotion_vector)
            again = self.prepare(scope, whole, now)
            return again and replace(again, redacted=ready.redacted + again.redacted)
        checked = check_draft(draft, now)
        check_scope(scope, checked)
        cleaned, redaction = self.redactor.redact_draft(checked, known(checked), emotions_of)
        if redaction.is_empty:
            return None
        by_content = cleaned.origin is None and _is_known_by_content(cleaned)
        return Prepared(
            cleaned,
            self.origin_key(scope, cleaned),
            by_content,
            sum(redaction.secrets.values()),
            former_key=self._content_key(scope, cleaned) if by_content and _is_said(cleaned) else None,
            more_keys=self.keys_anywhere(scope, cleaned, cleaned.also_origins),
            same_keys=self.keys_anywhere(scope, cleaned, (*cleaned.same_as, *cleaned.live_as)),
            live_keys=self.keys_anywhere(scope, cleaned, cleaned.live_as),
            # Earlier versions left the keys of texts as they are, and as they are seen.
            sealed_keys=()
            if is_explicit
            else self._sealed_keys(
                cleaned, _owner(scope, cleaned), {make(cleaned.content) for make in (alike, seen, str)}
            ),
        )

    def encode(self, drafts: Sequence[Draft]) -> list[Embedding]:
        """The signals of drafts, said on the day that is told of them. Where they hold only from later on, that is
        among the days which they name, so that a question for it finds them."""
        now = self.clock()
        began = [draft.valid_at or draft.recorded_at or now for draft in drafts]
        moments = [
            since_said(draft.metadata, valid_at) for draft, valid_at in zip(drafts, began, strict=True)
        ]
        active = self.door.asking(self._everything).encoders()
        items = [item_of(draft, pictures_of(draft) if draft.attachments else ()) for draft in drafts]
        made = self.encoder.encode(items, moments, active)
        return [
            each if said == valid_at else naming_day(each, said)
            for each, said, valid_at in zip(made, moments, began, strict=True)
        ]

    def encode_again(
        self, memories: Sequence[Memory], stored: Sequence[str] | None = None
    ) -> list[Embedding]:
        """The signals of records whose content does not change; `stored`: ids of versions with it."""
        if not memories:
            return []
        made = self.encode([draft_of(memory) for memory in memories])
        ids = [memory.id for memory in memories] if stored is None else stored
        return [self.seen_before(*each) for each in zip(made, memories, ids, strict=True)]

    def seen_before(self, embedding: Embedding, record: Memory | Draft, stored_id: str) -> Embedding:
        """With E10 as a stored version has it: an image need not be where it was any more."""
        if not any(map(is_image, record.attachments)):
            return embedding
        view = self.door.asking(self._everything)
        places = np.array(list(view.places_of([stored_id]).values()), np.int64)
        for held in view.signals(places).embeddings.values():
            if Space.MULTIMODAL in held.parts:
                kept = {Space.MULTIMODAL: held.parts[Space.MULTIMODAL]}
                return replace(embedding, parts={**embedding.parts, **kept})
        return embedding

    def entries(self, scope: Scope, prepared: Sequence[Prepared]) -> list[Entry]:
        """The first versions of memories made of prepared drafts, with their signals."""
        signals = self.encode([each.draft for each in prepared]) if prepared else []
        return [entry_of(scope, *each) for each in zip(prepared, signals, strict=True)]

    def origin_key(self, scope: Scope, draft: Draft) -> bytes | None:
        """16 bytes that recognise the source record in this store, or None when it can never be a duplicate.

        A keyed hash: keys of forgotten memories stay in the store, and tell nobody what they were. Personal memories
        of two agents are never duplicates of each other.
        """
        if draft.origin is not None:
            return self._key(scope, draft, "origin", draft.origin)
        if _is_said(draft):
            # Conversation and position; with the content, because some callers number loosely.
            place = f"{draft.session_id}\0{draft.sequence}\0{draft.content}"
            return self._key(scope, draft, "position", place)
        return self._content_key(scope, draft) if _is_known_by_content(draft) else None

    def sealed_keys(self, memory: Memory) -> tuple[bytes, ...]:
        """The keys that a forgotten version leaves beside those of its origin: a renamed file has other origins."""
        owner = memory.agent if memory.level is Level.PERSONAL else ""
        return self._sealed_keys(memory, owner, {alike(memory.content)})

    def _sealed_keys(self, said: Draft | Memory, owner: str, texts: Set[str]) -> tuple[bytes, ...]:
        """A turn is recognised by its time and text, since two turns may both say "ok"; anything else by its text, and
        so is a turn that says more, where its source told no time: it has that of the import then."""
        times = [""]
        if said.kind in _TURNS and said.valid_at is not None:
            recorded = said.recorded_at if isinstance(said, Draft) else said.created_at
            is_untimed = said.valid_at == recorded and len(said.content.split()) >= _SAYS_MORE
            times = [f"{said.valid_at}\0", *([""] if is_untimed else [])]
        its = (self.door.identity.store_id, said.project, said.level, owner, "forgotten")
        return tuple(keyed(*its, when + text) for when in times for text in texts)

    def _content_key(self, scope: Scope, draft: Draft) -> bytes:
        return self._key(scope, draft, "content", draft.content)

    def _key(self, scope: Scope, draft: Draft, kind: str, identity: str) -> bytes:
        # Read each time: a store that an export is brought back into takes on that one's identity.
        store_id = self.door.identity.store_id
        return keyed(store_id, draft.project, draft.level, _owner(scope, draft), kind, identity)

    @property
    def _everything(self) -> Scope:
        return Scope(self.door.identity.tenant, every_agent=True)

    def keys_anywhere(self, scope: Scope, draft: Draft, identities: Sequence[str]) -> tuple[bytes, ...]:
        """The keys of identities that are the same in whatever project: the name of no project is empty."""
        store_id, owner = self.door.identity.store_id, _owner(scope, draft)
        return tuple(keyed(store_id, "", draft.level, owner, "origin", each) for each in identities)


def draft_of(memory: Memory) -> Draft:
    """What a version says, as the draft of which a change makes the next one."""
    return Draft(**{name: getattr(memory, name) for name in SHARED}, registration=memory.registration)


def entry_of(scope: Scope, prepared: Prepared, embedding: Embedding) -> Entry:
    """The first version of a memory made of a prepared draft."""
    draft = prepared.draft
    assert draft.recorded_at is not None and draft.valid_at is not None
    logical_id = new_id()
    said = {name: getattr(draft, name) for name in SHARED}
    said |= {"agent": draft.agent or scope.agent, "emotion_vector": draft.emotion_vector or {}}
    memory = Memory(
        id=new_id(),
        logical_id=logical_id,
        version=1,
        created_at=draft.recorded_at,
        tenant=scope.tenant,
        registration=first_registration(draft, logical_id, draft.recorded_at),
        redacted=prepared.redacted,
        **said,
    )
    return Entry(memory, embedding, prepared.key, prepared.more_keys)


def keyed(store_id: str, *record: str) -> bytes:
    """The 16 bytes by which a store knows a record: its project, level, owner, kind of identity and identity."""
    return blake2b("\0".join(record).encode(), digest_size=16, key=store_id.encode()[:64]).digest()


def _is_known_by_content(draft: Draft) -> bool:
    """Whether its content recognises it: of decisions those that come as memories, with nothing of a registry."""
    is_told = draft.kind is Kind.DECISION and draft.registration is None
    return draft.kind in KNOWN_BY_CONTENT or is_told


def _is_said(draft: Draft) -> bool:
    """Whether a draft has a place in a conversation: a turn by its number there; a note has one without a number."""
    if draft.session_id is None or draft.kind is Kind.CHUNK:
        return False
    return draft.sequence is not None or draft.kind in (Kind.NOTE, Kind.DECISION)


def _owner(scope: Scope, draft: Draft) -> str:
    """Whose a personal memory is; empty for what all share."""
    return (draft.agent or scope.agent) if draft.level is Level.PERSONAL else ""


def check_scope(scope: Scope, draft: Draft) -> None:
    """Raise OutOfScope unless a caller of this scope may write a draft of this level, agent and project."""
    agent = draft.agent or scope.agent
    if not scope.admits(draft.level, agent):
        raise OutOfScope(
            f"Agent {scope.agent!r} may not write {draft.level.value} memories of {agent!r}",
            "Write as that agent, or at a level of your own",
        )
    if scope.projects is not None and draft.project not in scope.projects:
        raise OutOfScope(
            f"The project {draft.project!r} is outside the scope {', '.join(scope.projects)}",
            "Write to one of these, or widen the scope",
        )


def new_id() -> str:
    """A UUIDv7: unique, ordered by creation time, and told from others of its millisecond by its first 18 characters.

    The twelve bits behind the milliseconds are parts of one (RFC 9562, section 6.2, method 3), so that ids that were
    made together can be shortened, too.
    """
    global _last_tick
    with _ticking:
        _last_tick = tick = max(time.time_ns() * 4_096 // 1_000_000, _last_tick + 1)
    chance = int.from_bytes(os.urandom(8)) >> 2
    digits = f"{tick >> 12:012x}7{tick & 4_095:03x}{1 << 63 | chance:016x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
