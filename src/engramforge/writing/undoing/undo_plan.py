"""What an undo or a redo will do: which records and links leave the record, which come back, how entries are used."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from engramforge.core.history.beliefs import check_apart, is_closing, next_version
from engramforge.errors import Conflict, InvalidTime
from engramforge.model.lenses.conflict import CONFLICT_ID
from engramforge.model.link import Link, Relation
from engramforge.model.memory import LEARNED_OF, Kind, Memory
from engramforge.model.registries.entry import ReviewStatus
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.storing.effect import Effect, EnergyChange, LinkChange, Step, UseChange
from engramforge.model.storing.record import AuditEntry
from engramforge.model.time import InvalidationReason, TemporalMode, just_after
from engramforge.store.door import Door
from engramforge.writing.preparing import new_id
from engramforge.writing.version_change import version_link

READ: Final = (Relation.DERIVED_FROM, Relation.RESOLVED_BY)
"""The links of what was read from a message to the message."""
_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True)
class Found:
    """A line whose write is to be reversed.

    `since`: the lines after it, newest first. `which`: what a message calls it. `forgot`: the newest line after it of
    a forgetting, of this project or another, of which nobody has heard yet.
    """

    line: AuditEntry
    effect: Effect
    since: Sequence[AuditEntry]
    which: str
    forgot: AuditEntry | None = None

    @property
    def action(self) -> str:
        """The change that it is about: of an undo or redo the one that it reversed or repeated."""
        return self.effect.of or self.line.action


@dataclass(slots=True)
class Reversal:
    """What is to be written.

    Parameters
    ----------
    taken_back : open records that the write made.
    restored : new records, with the closed record that each brings back.
    heads : the memories as they were read before anything was planned, and must still be.
    others : open records of the same memories, which must not have changed.
    written, ended : links that the write wrote and ended, if they are still as it left them.
    again : new links for the ended ones, in their order.
    uses : the write's own, newest first.
    faded : energies to put back.
    """

    at: datetime
    taken_back: list[Memory] = field(default_factory=list)
    restored: list[tuple[Memory, Memory]] = field(default_factory=list)
    heads: Mapping[str, Memory] = field(default_factory=dict)
    others: list[Memory] = field(default_factory=list)
    written: list[Link] = field(default_factory=list)
    ended: list[Link] = field(default_factory=list)
    again: list[Link] = field(default_factory=list)
    uses: list[UseChange] = field(default_factory=list)
    faded: list[EnergyChange] = field(default_factory=list)

    @property
    def links(self) -> int:
        """How many links it ends and restores."""
        return len(self.written) + len(self.ended)

    @property
    def touched(self) -> int:
        """How many records and links it touches, with what was used and what faded."""
        return self.changed + len({use.memory_id for use in self.uses}) + len(self.faded)

    @property
    def changed(self) -> int:
        """How many records and links it ends and restores."""
        return len(self.taken_back) + len(self.restored) + self.links

    @property
    def stands_for(self) -> dict[str, str]:
        """New record or link -> the one that it repeats."""
        records = {new.id: old.id for new, old in self.restored}
        return records | {new.id: old.id for new, old in zip(self.again, self.ended, strict=True)}

    def successor_of(self, memory: Memory) -> str | None:
        """The successor of a record that is taken back: the restored version, else a closing record."""
        own = [new for new, _ in self.restored if new.logical_id == memory.logical_id]
        heads = [new for new in own if new.invalidation_reason is None]
        return next((new.id for new in heads or own), None)


def touched_by(door: Door, scope: Scope, line: AuditEntry, effect: Effect) -> set[str]:
    """The ids of what the change of a line is of: the records that it made and ended and the entries that it used. Of a
    change of links both ends: who stands in either project sees the link there. What is linked beside a new record, and
    is no more than mentioned by it, may be of a project in which nobody did anything.
    """
    own = {*effect.made, *effect.closed, *(each.memory_id for each in effect.uses)}
    own |= {each.id for each in effect.faded}
    changed = {each.id: each.source_id for each in (*effect.linked, *effect.unlinked)}
    if own and line.subject not in changed:
        return own
    links = door.asking(replace(scope, projects=None)).links_named(sorted(changed)) if changed else {}
    ends = {end for each in links.values() for end in (each.source_id, each.target_id)}
    return own | ends | set(changed.values())


def read_from(door: Door, scope: Scope, message: Memory) -> Effect | None:
    """What detection wrote because of a message, found by its links to the message; None if nothing stands.

    The records of an entry and its links were written at the moment of the link that leads to the message. A detection
    that somebody has reviewed stays.
    """
    view = door.asking(scope)
    causes = [
        link
        for link in view.links([message.logical_id])
        if link.target_id == message.logical_id and link.relation in READ
    ]
    entries = view.fetch({link.source_id for link in causes})
    moments = {(link.source_id, link.created_at) for link in causes if _is_read(entries.get(link.source_id))}
    made: dict[str, None] = {}
    closed: dict[str, None] = {}
    for entry_id, at in moments:
        for record in view.versions(entry_id):
            made |= {record.id: None} if record.created_at == at else {}
            closed |= {record.id: None} if record.expired_at == at else {}
    if not moments:
        return None
    linked = {
        link.id: LinkChange(link.id, link.source_id)
        for link in view.links(sorted({entry_id for entry_id, _ in moments}))
        if moments & {(link.source_id, link.created_at), (link.target_id, link.created_at)}
        and link.source_id != link.target_id
    }
    return Effect(made=tuple(made), closed=tuple(closed), linked=tuple(linked.values()))


def _is_read(entry: Memory | None) -> bool:
    """Whether it is a decision, a thread, or a detection that waits."""
    if entry is None or entry.registration is None:
        return False
    is_waiting = entry.kind is Kind.FLAG and entry.registration.status == ReviewStatus.PENDING
    return is_waiting or entry.kind in (Kind.DECISION, Kind.THREAD)


def dream_found(
    door: Door, scope: Scope, said: AuditEntry, lines: Iterable[AuditEntry], count: int
) -> Found | None:
    """What a dream did, of what nobody changed since, or what put all of it back; None where nothing of it stands.

    `said`: a line about the dream. `lines`: the audit log, newest first. `count`: how many lines of it are the dream's.
    """
    its: list[Effect] = []
    since: list[AuditEntry] = []
    for line in lines if count else ():
        if line.effect is not None and line.effect.dream == said.subject:
            if line.effect.step is Step.UNDO:
                return Found(said, replace(line.effect, of=""), since, "dream")
            its += [line.effect] if line.effect.step is Step.UPKEEP else []
            if len(its) == count:
                break
        since.append(line)
    effect = _dream_effect(door, scope, its[::-1])
    return None if effect is None else Found(said, replace(effect, dream=said.subject), since, "dream")


def _dream_effect(door: Door, scope: Scope, found: Sequence[Effect]) -> Effect | None:
    """What these steps of a dream did, of what nobody changed since."""
    made = tuple(each for effect in found for each in effect.made)
    closed = tuple(each for effect in found for each in effect.closed)
    linked = tuple(each for effect in found for each in effect.linked)
    faded = tuple(each for effect in found for each in effect.faded)
    there, left = door.asking(scope).fetch(made) if made else {}, _left(door, scope, closed)
    made = tuple(each for each in made if each in there and there[each].expired_at is None)
    closed = tuple(each for each in closed if each in left)
    linked = linked if made or closed else ()
    return Effect(made=made, closed=closed, linked=linked, faded=faded) if made or closed or faded else None


def _left(door: Door, scope: Scope, ids: tuple[str, ...]) -> set[str]:
    """Which of these versions were the last of their memories, which nobody brought back or forgot."""
    view = door.asking(scope)
    found: set[str] = set()
    for begin in range(0, len(ids), _AT_ONCE):
        part = ids[begin : begin + _AT_ONCE]
        there = view.fetch(part)
        heads = view.fetch({each.logical_id for each in there.values()})
        found |= {name for name, each in there.items() if heads[each.logical_id].id == name}
    return found


def plan_reversal(door: Door, scope: Scope, found: Found, now: datetime) -> Reversal:
    """What leaves the record and what returns. Raises Conflict if that would overlap what holds now."""
    effect, now_is = found.effect, _standing_now(found.since)
    made = [now_is(each) for each in effect.made if each not in effect.closed]
    closed = [each for each in effect.closed if each not in effect.made]
    records = door.asking(scope).fetch({*made, *closed})
    _check_whole(found, [records.get(each) for each in made], [records.get(each) for each in closed])
    links = _links_of(door, scope, (*effect.linked, *effect.unlinked))
    learned = _learned_of(door, scope, [records[each] for each in made], [records[each] for each in closed])
    # After everything that the change recorded, even when the clock jumped back.
    recorded = [record.expired_at or record.created_at for record in (*records.values(), *learned)]
    recorded += [link.expired_at or link.created_at for link in links.values()]
    plan = Reversal(just_after(max(recorded), now) if recorded else now)
    plan.heads = door.asking(scope).fetch({each.logical_id for each in records.values()}) if records else {}
    plan.taken_back = [*(records[each] for each in made), *learned]
    plan.uses = list(reversed(effect.uses))
    plan.faded = [EnergyChange(each.id, each.after, each.before) for each in reversed(effect.faded)]
    _plan_links(plan, found, links, now_is)
    plan.written += _links_from(door, scope, learned)
    _plan_return(door, scope, plan, [records[each] for each in closed])
    return plan


def _learned_of(door: Door, scope: Scope, made: Sequence[Memory], closed: Sequence[Memory]) -> list[Memory]:
    """What anybody learned of memories that say something else once records are taken back and these return: it has
    their words, and tells of a correction that is as if it had never been said. What somebody has written anew since
    is their own."""
    said = {(each.logical_id, each.content) for each in closed}
    changed = {each.logical_id for each in made if (each.logical_id, each.content) not in said}
    if not changed:
        return []
    view, own = door.asking(scope), {each.id for each in made}
    links = view.links(sorted(changed), relation=Relation.DERIVED_FROM, to_others=True)
    found = view.fetch({each.source_id for each in links if each.target_id in changed}).values()
    return [
        each
        for each in found
        if each.kind is Kind.LEARNING
        and LEARNED_OF in each.metadata
        and each.expired_at is None
        and each.invalidation_reason is None
        and each.version == 1
        and each.id not in own
    ]


def _links_from(door: Door, scope: Scope, learned: Sequence[Memory]) -> list[Link]:
    """By which links these are derived from what they were learned of."""
    own = {each.logical_id for each in learned}
    found = door.asking(scope).links(sorted(own), relation=Relation.DERIVED_FROM) if own else []
    return [each for each in found if each.source_id in own]


def _plan_return(door: Door, scope: Scope, plan: Reversal, closed: Sequence[Memory]) -> None:
    """Add the records that come back."""
    taken = {record.id for record in plan.taken_back}
    by_memory: dict[str, list[Memory]] = {}
    for each in closed:
        by_memory.setdefault(each.logical_id, []).append(each)
    records: defaultdict[str, list[Memory]] = defaultdict(list)
    for begin in range(0, len(by_memory), _AT_ONCE):
        for each in door.asking(scope).versions(*[*by_memory][begin : begin + _AT_ONCE]):
            records[each.logical_id].append(each)
    for logical_id, its in by_memory.items():
        history = records[logical_id]
        others = [each for each in history if each.expired_at is None and each.id not in taken]
        plan.others += others
        back = _brought_back(its, history, plan)
        plan.restored += back
        try:
            for new, _ in back:
                check_apart(new, [*others, *(other for other, _ in back)])
        except InvalidTime as error:
            raise Conflict(
                f"The memory {logical_id} was changed since: {error.fault}",
                "Correct it with revise; its history has what it said before",
            ) from None


def _links_of(door: Door, scope: Scope, changes: Iterable[LinkChange]) -> dict[str, Link]:
    """All links, ended ones too, that begin where these do."""
    sources = sorted({each.source_id for each in changes})
    if not sources:
        return {}
    found = door.asking(scope).links(sources, Selection(mode=TemporalMode.FULL_HISTORY))
    return {link.id: link for link in found}


def _plan_links(
    plan: Reversal, found: Found, links: Mapping[str, Link], now_is: Callable[[str], str]
) -> None:
    """Add the links to end and to restore, except those changed since; Conflict if the write was of links alone."""
    effect = found.effect
    written = {each.id: links.get(now_is(each.id)) for each in effect.linked}
    ended = {each.id: links.get(each.id) for each in effect.unlinked}
    stand = {id_ for id_, each in written.items() if each is not None and each.expired_at is None}
    stand |= {id_ for id_, each in ended.items() if each is not None}
    lost = [each for each in (*written, *ended) if each not in stand]
    if lost and not (effect.made or effect.closed):
        raise Conflict(f"The link {lost[0]} was changed since", "List the links of one of its memories")
    plan.written = [each for id_, each in written.items() if each is not None and id_ in stand]
    plan.ended = [each for each in ended.values() if each is not None]
    plan.again = [_again(each, plan.at) for each in plan.ended]


def _again(link: Link, at: datetime) -> Link:
    """A link that comes back; a conflict with the id by which it is known."""
    known = {CONFLICT_ID: link.id} if link.relation == Relation.CONTRADICTS else {}
    extra = {**known, **link.extra}
    return replace(link, id=new_id(), created_at=at, expired_at=None, invalidation_reason=None, extra=extra)


def _standing_now(since: Sequence[AuditEntry]) -> Callable[[str], str]:
    """What stands for a record or link now, after the undos and redos since."""
    stands: dict[str, str] = {}
    for line in reversed(since):
        if line.effect is not None:
            stands |= {old: new for new, old in line.effect.stands_for.items()}

    def now_is(each: str) -> str:
        seen = {each}
        # A line of an edited export may lead in a circle.
        while (following := stands.get(each)) is not None and following not in seen:
            seen.add(each := following)
        return each

    return now_is


def _check_whole(found: Found, made: Sequence[Memory | None], closed: Sequence[Memory | None]) -> None:
    """Raise Conflict unless everything is as the change of this line left it."""
    line = found.line
    is_whole = all(each is not None and each.expired_at is None for each in made) and None not in closed
    others = [each for each in found.since if each.agent != line.agent and each.subject == line.subject]
    if not is_whole or others:
        who = f" by {others[0].agent!r} ({others[0].action})" if others else ""
        raise Conflict(
            f"What the {found.which} ({line.action} of {line.subject}) wrote was changed since{who}",
            "Correct what is wrong with revise; the history of each memory has what it said before",
        )


def _brought_back(
    olds: Sequence[Memory], history: Sequence[Memory], plan: Reversal
) -> list[tuple[Memory, Memory]]:
    """The records that restore a memory's closed ones, each with the one that it restores.

    Same content and valid times, on record from now. A version takes the next number; a closing record stays one of
    its version, followed by the version that comes back with it, else by what followed it before.
    """
    back: list[tuple[Memory, Memory]] = []
    follower: str | None = None
    for old in sorted(olds, key=lambda each: is_closing(each, history)):
        again = replace(old, id=new_id(), created_at=plan.at, expired_at=None, correction_id=None)
        if is_closing(old, history):
            same = (each for each in plan.taken_back if each.logical_id == old.logical_id)
            before = next((each.correction_id for each in same if each.version == old.version), None)
            reason = InvalidationReason.REALITY_CHANGED
            again = replace(again, invalidation_reason=reason, correction_id=follower or before)
        else:
            again = replace(again, version=next_version(history), invalidation_reason=None)
            follower = again.id
        back.append((again, old))
    return back


def returning_link(before: Memory, new: Memory, old: Memory) -> Link:
    """The link from a restored version to the one that it replaces; `restores` is the version that it repeats."""
    link = version_link(Relation.REVISES, before, new)
    return replace(link, extra={**link.extra, "restores": old.version})
