"""The one way in for new memories: prepare -> recognise duplicates -> encode -> write.

A batch of drafts becomes one short transaction; everything slow (writing/preparing) happens before it begins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any, Final, Protocol

from engramforge.core.secrets.chance import KIND
from engramforge.core.secrets.speech.answers import Asked, answer_in, asked_after
from engramforge.errors import InvalidContent, InvalidValue
from engramforge.model.limits import BATCH_MEMORIES
from engramforge.model.link import Link
from engramforge.model.memory import Draft, Kind, Memory, Near
from engramforge.model.registration import Act, Consequence, Registration
from engramforge.model.scope import Scope
from engramforge.model.storing.effect import Step
from engramforge.model.storing.record import Entry
from engramforge.store.door import Door, Transaction
from engramforge.writing.preparing import NO_ANSWER, Preparation, Prepared
from engramforge.writing.recognising import Outcome, Recognition, is_unknown, known_keys
from engramforge.writing.repeating import embedding_again
from engramforge.writing.sittings import TURNS, Sittings

Book = Callable[[Sequence[Outcome]], Mapping[str, Mapping[str, Any] | None]]
"""Outcomes of a batch's drafts -> small named values to keep in the same transaction."""
Links = Callable[[Sequence[Entry]], Sequence[Link]]
"""New entries -> links from and to them."""

_MOST_ASKED: Final = 1_000
"""Conversations with an open question; the oldest one is given up."""


@dataclass(frozen=True, slots=True)
class Intaken:
    """The outcome of a batch of drafts.

    `memories`: for an explicit write a memory per draft, in order, with its consequences, for a duplicate the existing
    one; for an import the memories that were written. `written`, `duplicates`: how many. `skipped`: drafts of which
    nothing was left to store, or whose origin was forgotten (imports only). `redacted`: how many secrets were replaced.
    `consequences`: what the batch did to entries, in order.
    """

    memories: tuple[Memory, ...]
    written: int
    duplicates: int
    skipped: int
    redacted: int
    consequences: tuple[Consequence, ...] = ()


class Follow(Protocol):
    """What is written together with some memories, because of their content."""

    @property
    def source(self) -> str:
        """Version id of the memory that it follows from."""

    @property
    def consequences(self) -> tuple[Consequence, ...]:
        """What it does to entries, for the one who wrote the memory."""

    @property
    def is_change(self) -> bool:
        """Whether it registers, changes or ends something, so that a person would take it back."""

    @property
    def needs(self) -> frozenset[str]:
        """Version ids that the same transaction must have written; otherwise it is left out."""

    def hold(self, writes: Transaction) -> None:
        """Keep what the memories repeat until the end; called before they are written. Raises as `write`."""

    def write(self, writes: Transaction) -> None:
        """Write it. Raises PlanOutdated where the plan is."""


class Follower(Protocol):
    """Reads new memories and plans what follows from them (capture/detecting)."""

    def plan(self, scope: Scope, entries: Sequence[Entry], now: datetime) -> Sequence[Follow]:
        """The consequences of memories that are about to be written, in order; only planned."""

    def plan_change(self, scope: Scope, memory: Memory, now: datetime) -> Sequence[Follow]:
        """The consequences of a memory's new version, or of its end; only planned."""

    def still_known(self, scope: Scope, text: str) -> str:
        """A text without what it shows of this store that was forgotten since."""


class Turns:
    """What the last message of each conversation asked for, so that an answer of nothing but a password is redacted.

    Held in memory for the conversations that this process wrote to last: reading the message before from the store
    would cost every message a round trip.
    """

    def __init__(self) -> None:
        self._asked: dict[tuple[str, str, str], Asked] = {}

    def answer(self, scope: Scope, draft: Draft) -> Mapping[str, str]:
        """The secret that a message is the answer to the one before it with, and its type; then it is the last one."""
        # Prompts without a session, as old histories have them, are typed one after the other.
        if draft.kind not in TURNS or (draft.session_id is None and draft.kind is not Kind.PROMPT):
            return NO_ANSWER
        conversation = scope.tenant, draft.project, draft.session_id or ""
        asked = self._asked.pop(conversation, Asked.NOTHING)
        secret = answer_in(draft.content, asked)
        if secret is not None:
            return {secret: KIND}
        if (still := asked_after(asked, draft.content)) is not Asked.NOTHING:
            self._asked[conversation] = still
            if len(self._asked) > _MOST_ASKED:
                self._asked.pop(next(iter(self._asked)), None)
        return NO_ANSWER


@dataclass(slots=True)
class Intake:
    """Writes drafts.

    `door`: where to. `preparation`: checks, redacts and encodes. `clock`: the time of the write, timezone-aware.
    `follower`: plans what follows from what comes in. `sittings`: finds implied sessions. `near`: finds what an entry
    comes near to in a scope, as of a moment. Without one, none.
    """

    door: Door
    preparation: Preparation
    clock: Callable[[], datetime]
    follower: Follower | None = None
    sittings: Sittings | None = None
    near: Callable[[Scope, Entry, datetime], tuple[Near, ...]] | None = None
    _turns: Turns = field(default_factory=Turns)

    @embedding_again
    def write(
        self,
        scope: Scope,
        drafts: Sequence[Draft],
        *,
        revive_forgotten: bool,
        marks: Book | None = None,
        looks_near: bool = False,
        is_looked_up: bool = False,
        unless: Sequence[bytes] = (),
        step: Step = Step.CHANGE,
        linked: Links | None = None,
    ) -> Intaken:
        """Write a batch of up to 1,000 drafts, all or nothing.

        `revive_forgotten`: an explicit write, which brings back what was forgotten, though not from an archive, and
        refuses a draft of which nothing is left after redaction; otherwise an import, which skips both. `marks`: called
        inside the transaction for values to keep with it, again if it is repeated. `looks_near`: the first memory says
        what it comes near to. `is_looked_up`: the store had none of the drafts. `unless`: keys that it lacked then.
        `step`: of a batch from which nothing follows; what registers or ends something is a change. `linked`: the links
        that are written with the memories that are new.

        Raises InvalidContent, InvalidTime, InvalidValue: a draft is not sound; OutOfScope: it may not be written;
        Overtaken: the store has one of `unless` by now; NotFound: an end of a link is gone. Nothing was changed.
        """
        now = self.clock()
        every = self._every(scope, drafts, now, revive_forgotten)
        prepared = [draft for draft in every if draft is not None]
        fresh = prepared if revive_forgotten or is_looked_up else self._unknown(scope, prepared)
        made = self._entries(scope, fresh, is_explicit=revive_forgotten)
        entries = dict(zip(map(id, fresh), made, strict=True))
        near = self.near(scope, made[0], now) if looks_near and self.near else ()
        follows = self.follower.plan(scope, list(entries.values()), now) if self.follower else ()

        def written(writes: Transaction) -> tuple[Recognition, list[Outcome], list[Follow]]:
            batch = Recognition(writes, revive_forgotten, unless)
            for each in batch.recognised(prepared):
                # One that another writer forgot since `_unknown` looked has no signals yet.
                batch.write(entries.get(id(each)) or self.preparation.entries(scope, [each])[0])
            done = {entry.memory.id for entry in batch.entries}
            due = [follow for follow in follows if follow.needs <= done]
            for follow in due:
                follow.hold(writes)
            writes.insert(batch.entries)
            writes.link(linked(batch.entries) if linked else ())
            for follow in due:
                follow.write(writes)
            batch.log(now, Step.CHANGE if any(follow.is_change for follow in due) else step)
            became = iter(batch.outcomes)
            outcomes = [Outcome.EMPTY if prepared is None else next(became) for prepared in every]
            for name, value in (marks(outcomes) if marks else {}).items():
                writes.save_mark(name, value)
            return batch, outcomes, due

        batch, outcomes, due = self.door.write(scope, written)
        return _intaken(batch, outcomes, due, near, sum(each.redacted for each in prepared))

    def _every(
        self, scope: Scope, drafts: Sequence[Draft], now: datetime, is_explicit: bool
    ) -> list[Prepared | None]:
        """Every draft prepared; None where nothing is left of it, which an explicit write refuses."""
        if len(drafts) > BATCH_MEMORIES:
            raise InvalidValue(
                f"A batch has {len(drafts):,} drafts", f"Write at most {BATCH_MEMORIES:,} at once"
            )
        known = partial(self._turns.answer, scope)
        every = [
            self.preparation.prepare(scope, each, now, known=known, is_explicit=is_explicit)
            for each in drafts
        ]
        if is_explicit and None in every:
            raise InvalidContent(
                "Nothing of the content is left to store: it is private, or was injected by engramforge itself",
                "Remember something outside <private> and <engramforge-context>",
            )
        return every

    def _entries(self, scope: Scope, prepared: Sequence[Prepared], *, is_explicit: bool) -> list[Entry]:
        known = [self._still_known(scope, each) for each in prepared]
        made = self.preparation.entries(scope, known)
        return self.sittings.seated(scope, made) if is_explicit and self.sittings else made

    def _still_known(self, scope: Scope, prepared: Prepared) -> Prepared:
        """A draft without what archives in it show of what was forgotten; it is recognised as it came."""
        said = prepared.draft.content
        left = self.follower.still_known(scope, said) if self.follower else said
        return prepared if left == said else replace(prepared, draft=replace(prepared.draft, content=left))

    def _unknown(self, scope: Scope, prepared: Sequence[Prepared]) -> list[Prepared]:
        """Those that the store does not have yet; only they are worth encoding."""
        if not any(each.key for each in prepared):
            return list(prepared)
        known = self.door.write(scope, lambda writes: known_keys(writes, prepared))
        return [each for each in prepared if is_unknown(each, known)]


def _made(entry: Memory, registration: Registration) -> Consequence:
    return Consequence(
        act=Act.MADE,
        kind=str(entry.kind),
        id=registration.entry_id,
        local_id=registration.local_id,
        text=entry.content,
        status=registration.status,
    )


def _intaken(
    batch: Recognition,
    outcomes: Sequence[Outcome],
    due: Sequence[Follow],
    near: tuple[Near, ...],
    redacted: int,
) -> Intaken:
    did = _consequences(batch.memories, due)
    return Intaken(
        memories=tuple(_told(batch.memories, did, near) if batch.is_explicit else batch.memories),
        written=len(batch.entries),
        duplicates=outcomes.count(Outcome.DUPLICATE),
        skipped=outcomes.count(Outcome.EMPTY) + outcomes.count(Outcome.FORGOTTEN),
        redacted=redacted,
        consequences=tuple(each for its in did.values() for each in its),
    )


def _consequences(
    memories: Sequence[Memory], follows: Sequence[Follow]
) -> dict[str, tuple[Consequence, ...]]:
    """Version id -> what follows from a memory that was written; one that is an entry itself makes that."""
    did: dict[str, tuple[Consequence, ...]] = {
        each.id: (_made(each, each.registration),) for each in memories if each.registration
    }
    for follow in follows:
        did[follow.source] = did.get(follow.source, ()) + follow.consequences
    return did


def _told(
    memories: Sequence[Memory], did: Mapping[str, tuple[Consequence, ...]], near: Sequence[Near]
) -> Sequence[Memory]:
    """Memories that were written, with what follows from them. `near`: what the first one comes near to."""
    others = tuple(each for each in near if each.id != memories[0].id)
    memories = [replace(each, near=others) for each in memories[:1]] + [*memories[1:]]
    return [
        replace(each, consequences=did[each.id]) if each.id in did and not each.is_duplicate else each
        for each in memories
    ]
