"""Links a turn to the earlier turn of its conversation of which it says outright what it is to it.

What rows say by themselves, as that one turn follows another or names the same thing, is walked and never stored.
Planned before the transaction and written inside it, so that an undo takes back a turn and its links together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from engramforge.capture.replies import TURNS, said_text
from engramforge.core.detection.whose.own_words import parted
from engramforge.core.detection.whose.speakers import voice_of
from engramforge.core.entities.references import CONFIDENCE, Reference, To, has_words, raises, references_in
from engramforge.errors import Conflict, NotFound, PlanOutdated
from engramforge.model.link import Link, Relation
from engramforge.model.memory import SUMMARISES, Kind, Memory, ResolutionState, Source
from engramforge.model.registration import Act, Consequence
from engramforge.model.registries.detection import Voice
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.storing.record import Entry
from engramforge.model.time import AsOf
from engramforge.store.door import Door, Transaction

if TYPE_CHECKING:
    from engramforge.writing.intake import Follow, Follower
    from engramforge.writing.linkage import Resolving
    from engramforge.writing.version_change import VersionChange

_LOOKED_BACK: Final = 12
"""How many turns back an earlier one is looked for."""


@dataclass(frozen=True, slots=True)
class LinkWrite:
    """The links of a turn, and what was blocked and is resolved by it; a `Follow` of the intake.

    `needs`: version ids of the batch that they join.
    """

    source: str
    needs: frozenset[str]
    links: tuple[Link, ...]
    resolved: tuple[VersionChange, ...] = ()

    @property
    def consequences(self) -> tuple[Consequence, ...]:
        """What is resolved."""
        return tuple(
            Consequence(
                kind=str(memory.kind),
                id=memory.logical_id,
                local_id=None,
                text=memory.content,
                status=str(memory.resolution_state),
                act=Act.CHANGED,
            )
            for memory in (each.memory for each in self.resolved)
        )

    @property
    def is_change(self) -> bool:
        """Whether something is resolved: links alone go with their turn."""
        return bool(self.resolved)

    def hold(self, writes: Transaction) -> None:
        """Nothing of the turns is repeated."""

    def write(self, writes: Transaction) -> None:
        """Write it. Raises PlanOutdated where an earlier turn was forgotten meanwhile."""
        try:
            writes.link(self.links)
            for change in self.resolved:
                change.write(writes)
        except (Conflict, NotFound) as error:
            raise PlanOutdated(error.fault, "Repeat the call") from error


@dataclass(frozen=True, slots=True)
class Linking:
    """Links new turns, after what `others` plan of them; a `Follower` of the intake.

    `resolving`: plans what links resolve. `reads`: whether turns are read.
    """

    door: Door
    others: Follower
    resolving: Resolving
    reads: bool = True

    def plan(self, scope: Scope, entries: Sequence[Entry], now: datetime) -> Sequence[Follow]:
        """The consequences of memories that are about to be written, in order."""
        follows = [*self.others.plan(scope, entries, now)]
        if not self.reads:
            return follows
        before: dict[tuple[str | None, str], list[Memory]] = {}
        for memory in (entry.memory for entry in entries):
            if not _is_turn(memory) or memory.session_id is None:
                continue
            turns = before.setdefault((memory.project, memory.session_id), [])
            if write := self._of_turn(scope, memory, turns, now):
                follows.append(write)
            turns.insert(0, memory)
        return follows

    def plan_change(self, scope: Scope, memory: Memory, now: datetime) -> Sequence[Follow]:
        """The consequences of a memory's new version; links stay, as those do that somebody made."""
        return self.others.plan_change(scope, memory, now)

    def still_known(self, scope: Scope, text: str) -> str:
        """A text without what it shows of this store that was forgotten since."""
        return self.others.still_known(scope, text)

    def _of_turn(
        self, scope: Scope, memory: Memory, turns: Sequence[Memory], now: datetime
    ) -> LinkWrite | None:
        text = said_text(memory)
        found = references_in(text)
        if not found:
            return None
        own = parted(text, is_person=voice_of(memory) is Voice.OWN).own
        kept = set(references_in(own))
        found = [each for each in found if each.to is To.QUOTED or each in kept]
        earlier = [*turns, *self._stored(scope, memory, now)][:_LOOKED_BACK]
        links: list[Link] = []
        needs = {memory.id}
        for each in found:
            other = _meant(memory, each, earlier)
            if other is not None and all(other.logical_id not in (x.source_id, x.target_id) for x in links):
                links.append(_link(memory, other, each.relation, now))
                needs |= {other.id} if other in turns else set()
        if not links:
            return None
        # Whatever nobody said anything of is in progress: words alone resolve only what somebody called blocked.
        resolved = self.resolving.plan(scope, links, now, (ResolutionState.BLOCKED,), [memory])
        return LinkWrite(memory.id, frozenset(needs), tuple(links), tuple(resolved.changes))

    def _stored(self, scope: Scope, memory: Memory, now: datetime) -> list[Memory]:
        """The last turns of the conversation that are stored, the last one first."""
        selection = Selection(kinds=tuple(TURNS), session_id=memory.session_id, as_of=AsOf(now, now))
        found = self.door.asking(scope.within(memory.project)).browse(selection, limit=_LOOKED_BACK)
        return [each for each in found if each.valid_at <= memory.valid_at and _is_turn(each)]


def _is_turn(memory: Memory) -> bool:
    """Whether somebody says it in a conversation, and it is no piece of a document."""
    is_document = memory.kind is Kind.NOTE and memory.source is Source.IMPORT
    return (
        memory.kind in TURNS
        and not (is_document or memory.chunk or memory.registration)
        and SUMMARISES not in memory.metadata
    )


def _meant(memory: Memory, reference: Reference, earlier: Sequence[Memory]) -> Memory | None:
    """The earlier turn that a reference means, where only one can be; `earlier`: the last one first."""
    if reference.to is To.BEFORE:
        return earlier[0] if earlier else None
    if reference.to is To.NAMED:
        return next((each for each in reversed(earlier) if raises(said_text(each), reference)), None)
    if reference.to is To.QUOTED:
        found = [each for each in earlier if has_words(said_text(each), reference)]
        return found[0] if len(found) == 1 else None
    if reference.to is To.OWN:
        return next((each for each in earlier if _speaker(each) == _speaker(memory)), None)
    turn = next((each for each in earlier if _speaker(each) != _speaker(memory)), None)
    if turn is not None and reference.to is To.ASKED and "?" not in said_text(turn):
        return None
    return turn


def _speaker(memory: Memory) -> tuple[str, Voice]:
    return (memory.speaker or "").casefold(), voice_of(memory)


def _link(memory: Memory, other: Memory, relation: Relation, now: datetime) -> Link:
    """A link with the feelings of the turn that says it, and a confidence of its own."""
    # What remembers a note needs no registries.
    from engramforge.registries.registered import entry_link

    told_by_turn = relation in (Relation.REVISES, Relation.REPLIES_TO)
    source, target = (memory, other) if told_by_turn else (other, memory)
    link = entry_link(
        relation, source, target, now, valid_at=memory.valid_at, trigger="a turn says so of an earlier one"
    )
    return replace(
        link,
        energy=memory.energy,
        confidence=CONFIDENCE[relation],
        emotion_vector=memory.emotion_vector,
        goal=memory.goal or "unstated",
        mindstate=memory.mindstate or "captured",
    )
