"""Writing links, and ending them: check -> find both ends -> redact -> recognise -> write.

Nothing is deleted: the recorded interval of a wrong link is closed. What a link RESOLVED_BY resolves has a new version,
written with it, and so has the thread that was read from that and says the same: one undo takes back all of it
(document 003, "blocked -> resolved").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol
from uuid import UUID

from engramforge.core.checks.link_validation import CheckedLink, Faults, check_link
from engramforge.core.checks.validation import check_name
from engramforge.core.history.resolution import resolved_from, stands, why_open
from engramforge.core.ranking.twins import sources
from engramforge.errors import Conflict, InvalidContent, InvalidValue, NotFound, PlanOutdated
from engramforge.model.link import METADATA_FIELDS, REQUIRED_FIELDS, Link, Linked, Relation, Unlinked
from engramforge.model.memory import UNRESOLVED, Memory, ResolutionState
from engramforge.model.scope import Scope
from engramforge.model.time import InvalidationReason, from_micros, to_micros
from engramforge.store.door import Door, Transaction
from engramforge.writing.changes import VersionChanges
from engramforge.writing.preparing import draft_of, new_id
from engramforge.writing.redact import Redactor
from engramforge.writing.repeating import embedding_again
from engramforge.writing.version_change import VersionChange, saying_the_same

_ID = re.compile(r"[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE)
_LAST_MICROSECOND: Final = to_micros(datetime.max.replace(tzinfo=UTC))
_NOT_TEXT: Final = frozenset(
    {"energy", "confidence", "energy_transfer_coefficient", "resolution_state", "emotion_vector"}
)


@dataclass(frozen=True, slots=True)
class LinkRequest:
    """A requested link: its ends by version id or logical id, and fields by name."""

    source_id: str
    target_id: str
    relation: str
    fields: Mapping[str, Any]


class Resolution(NamedTuple):
    """What links resolve. `left_open`: by a link's id, why what it begins at stays open."""

    changes: Sequence[VersionChange] = ()
    left_open: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Resolving:
    """Plans the new versions of what links resolve; an entry of a registry is closed by its own verbs."""

    changes: VersionChanges

    def plan(
        self,
        scope: Scope,
        links: Sequence[Link],
        now: datetime,
        states: Collection[ResolutionState] = UNRESOLVED,
        new: Sequence[Memory] = (),
    ) -> Resolution:
        """One change for each memory that is in one of these states and that one of the links resolves by now: of
        several the first to hold.

        `new`: memories that are written with the links.
        """
        asked = [each for each in links if each.relation == Relation.RESOLVED_BY]
        if not asked:
            return Resolution()
        ends = {end for link in asked for end in (link.source_id, link.target_id)}
        known = self.changes.door.asking(scope).fetch(ends) | {each.logical_id: each for each in new}
        resolving: dict[str, Link] = {}
        left_open: dict[str, str] = {}
        for link in sorted(asked, key=lambda each: each.valid_at):
            memory, by = known.get(link.source_id), known.get(link.target_id)
            if memory is None or by is None or not _is_open(memory, states, now):
                continue
            if why := why_open(memory, by, link, now):
                left_open[link.id] = why
            else:
                resolving.setdefault(memory.logical_id, link)
        left_open = {
            each.id: left_open[each.id]
            for each in asked
            if each.source_id not in resolving and each.id in left_open
        }
        return Resolution(
            [self._resolved(scope, known[one], link, now) for one, link in resolving.items()], left_open
        )

    def _resolved(self, scope: Scope, memory: Memory, link: Link, now: datetime) -> VersionChange:
        """Resolved from when the link holds: before, it was open, and is told as open of that time. What it says has
        been so since its own day."""
        draft = replace(draft_of(memory), resolution_state=ResolutionState.RESOLVED)
        draft = saying_the_same(memory, draft)
        return self.changes.succeeded(scope, memory, draft, now, at=resolved_from(memory, link))


class Beside(Protocol):
    """Plans what changes with what a link resolves."""

    def plan(self, scope: Scope, resolved: Sequence[Memory], now: datetime) -> list[VersionChange]:
        """The changes; `resolved`: the new versions of what was resolved."""


@dataclass(frozen=True, slots=True)
class Linkage:
    """Writes and ends links.

    `door`: where to. `redactor`: takes secrets out of the texts. `clock`: the time of the write, timezone-aware.
    `resolving`: plans what a link resolves, `beside` what changes with that.
    """

    door: Door
    redactor: Redactor
    clock: Callable[[], datetime]
    resolving: Resolving
    beside: Beside | None = None

    def link(self, scope: Scope, request: LinkRequest) -> Linked:
        """Write one link; it is durable when this returns.

        Repeating the same link writes nothing. A different link with the same ends and relation may not hold at the
        same time.

        Raises InvalidValue, InvalidTime, NotFound: the link is not valid; every fault is named. Raises InvalidContent:
        nothing of a REQUIRED text is left after redaction. Raises Conflict: the ends have such a link already, with
        other metadata.
        """
        return self._linked(scope, {"The link": request})[0]

    def link_many(self, scope: Scope, requests: Sequence[LinkRequest]) -> list[Linked]:
        """Write many links in one transaction; as `link` for each. A fault in any changes nothing and is raised.

        A repeated link among them is written once.
        """
        return self._linked(scope, {f"Link {place}": each for place, each in enumerate(requests, 1)})

    @embedding_again
    def _linked(self, scope: Scope, requests: Mapping[str, LinkRequest]) -> list[Linked]:
        """Write links, named as errors name them, in one transaction; again from the beginning where another linked the
        same memories meanwhile."""
        now = self.clock()
        ends = {
            end
            for request in requests.values()
            for end in (request.source_id, request.target_id)
            if isinstance(end, str)
        }
        view = self.door.asking(scope)
        whole = {end: view.whole_id(end.strip()) for end in ends}
        known = view.fetch(whole.values())
        found = {end: known[its] for end, its in whole.items() if its in known}
        there: dict[tuple[str, str], list[Link]] = {}
        for other in view.links_between(_pairs_among(found, requests)):
            there.setdefault((other.source_id, other.target_id), []).append(other)
        answers: list[Linked] = []
        for name, request in requests.items():
            faults = Faults()
            checked = check_link(request.relation, request.fields, now, faults)
            source, target = _ends_among(found, request, faults)
            faults.refuse(name)
            assert checked is not None
            link, warnings, redacted = self._made(checked, source, target)
            warnings += _too_late(link, [found[request.source_id], found[request.target_id]])
            same = _there(
                there.get((source, target), []), link, valid_given=request.fields.get("valid_at") is not None
            )
            if same is None:
                there.setdefault((source, target), []).append(link)
            answers.append(Linked(same or link, warnings, same is None, redacted))
        fresh = [answer.link for answer in answers if answer.written]
        resolution = self.resolving.plan(scope, fresh, now)
        resolved = {each.memory.logical_id: each for each in resolution.changes}
        versions = [each.memory for each in resolved.values()]
        also = self.beside.plan(scope, versions, now) if self.beside is not None and versions else []
        seen = {each.id for links in there.values() for each in links}

        def work(writes: Transaction) -> None:
            writes.link(fresh, seen)
            for change in (*resolved.values(), *also):
                _write_or_plan_again(change, writes)
            for link in fresh:
                writes.audit("link", link.id, f"from {link.source_id} to {link.target_id}", now)

        if fresh:
            self.door.write(scope, work)
        return [_told(each, resolution, also) for each in answers]

    def unlink(self, scope: Scope, link_id: str, reason: str) -> Unlinked:
        """Close a link's recorded interval now, as discovered_false. Raises NotFound if it is not open."""
        asked = self.door.asking(scope).whole_id(link_id.strip(), of_link=True)
        if not _ID.fullmatch(asked):
            raise NotFound(
                f"There is no open link {link_id[:100]!r}", "List the links of one of its memories"
            )
        said = self.redactor.redact(check_name(reason, "reason")).text if reason else ""
        now = max(self.clock(), _after_making(asked))

        def work(writes: Transaction) -> None:
            writes.expire_link(asked, now, InvalidationReason.DISCOVERED_FALSE)
            writes.audit("unlink", asked, said, now)

        self.door.write(scope, work)
        return Unlinked(asked, now, said)

    def _made(self, checked: CheckedLink, source: str, target: str) -> tuple[Link, tuple[str, ...], int]:
        """The link with its texts redacted, its warnings, and how many secrets were replaced."""
        secrets = Counter[str]()
        cleaned = redacted_texts(checked, self.redactor, secrets)
        emptied = [name for name, text in cleaned.items() if isinstance(text, str) and not text.strip()]
        if lost := [name for name in emptied if name in REQUIRED_FIELDS]:
            raise InvalidContent(
                f"Nothing of {', '.join(lost)} is left to store: it is private or was injected",
                "Write something outside <private>",
            )
        kept = {name: text for name, text in cleaned.items() if name not in emptied}
        dropped = tuple(f"{name} was left out: it is private or was injected" for name in emptied)
        link = new_link(checked, source, target, kept)
        return link, checked.warnings + dropped, secrets.total()


def _write_or_plan_again(change: VersionChange, writes: Transaction) -> None:
    """Write what a link resolves; raises PlanOutdated where somebody changed or resolved it meanwhile: the link stands
    beside that."""
    try:
        change.write(writes)
    except Conflict as error:
        raise PlanOutdated(error.fault, error.mend) from error


def _too_late(link: Link, ends: Sequence[Memory]) -> tuple[str, ...]:
    """What is told where an end holds only after the link begins to: as of then it leads nowhere."""
    # Of later versions it is not known here since when the first one held.
    since = max((each.valid_at for each in ends if each.version == 1), default=link.valid_at)
    if since <= link.valid_at:
        return ()
    return (
        f"it holds from {link.valid_at:%Y-%m-%d}, and what it links only from {since:%Y-%m-%d}: give that an earlier "
        "valid_at, or streams as of before leave the link out",
    )


def _told(answer: Linked, resolution: Resolution, also: Sequence[VersionChange]) -> Linked:
    """An answer with what its link resolved, and what was resolved with that; or why it resolved nothing."""
    link = answer.link
    if not answer.written or link.relation != Relation.RESOLVED_BY:
        return answer
    if why := resolution.left_open.get(link.id):
        return replace(answer, warnings=(*answer.warnings, f"{link.source_id} is not resolved by it: {why}"))
    change = next((each for each in resolution.changes if each.memory.logical_id == link.source_id), None)
    if change is None:
        return answer
    more = (
        f"{entry.entry_id}, which was read from it, is {entry.status} with it; an undo takes that back, too"
        for each in also
        if (entry := each.memory.registration) and sources(each.memory)[1:] == (link.source_id,)
    )
    ends = (f"it stays resolved when the link ends on {link.invalid_at:%Y-%m-%d}",) if link.invalid_at else ()
    return replace(answer, warnings=(*answer.warnings, _said_of(change), *ends, *more))


def _said_of(change: VersionChange) -> str:
    """What is told to whom made the link."""
    before = change.replaced.resolution_state if change.replaced is not None else ResolutionState.IN_PROGRESS
    return f"{change.memory.logical_id} was {before.replace('_', ' ')} and is resolved now; an undo takes back both"


def _is_open(memory: Memory, states: Collection[ResolutionState], now: datetime) -> bool:
    """Whether a link may resolve it: it stands, is open, and is no entry of a registry."""
    return stands(memory, now) and memory.registration is None and memory.resolution_state in states


def redacted_texts(
    checked: CheckedLink, redactor: Redactor, secrets: Counter[str] | None = None
) -> dict[str, Any]:
    """The texts of a link's metadata and its `extra` after redaction, which may leave nothing; `secrets` counts."""
    texts = {name: value for name, value in checked.metadata.items() if name not in _NOT_TEXT}
    return redactor.redact_values({**texts, "extra": checked.extra}, secrets)


def new_link(checked: CheckedLink, source: str, target: str, texts: Mapping[str, Any]) -> Link:
    """The link between two logical ids, with these texts in its metadata."""
    return Link(
        id=new_id(),
        source_id=source,
        target_id=target,
        relation=checked.relation,
        valid_at=checked.valid_at,
        invalid_at=checked.invalid_at,
        created_at=checked.recorded_at,
        **{name: value for name, value in checked.metadata.items() if name in _NOT_TEXT},
        **texts,
    )


def _pairs_among(found: Mapping[str, Memory], requests: Mapping[str, LinkRequest]) -> list[tuple[str, str]]:
    """The pairs of logical ids that are to be linked and are there."""
    asked = ((each.source_id, each.target_id) for each in requests.values())
    return [
        (found[source].logical_id, found[target].logical_id)
        for source, target in asked
        if source in found and target in found
    ]


def _ends_among(found: Mapping[str, Memory], request: LinkRequest, faults: Faults) -> tuple[str, str]:
    """The logical ids of both ends; a missing one, and a link to itself, are faults."""
    asked = {"source": request.source_id, "target": request.target_id}
    ends: dict[str, str] = {}
    for role, end in asked.items():
        if not isinstance(end, str) or not end.strip():
            said = f"{role}_id is missing" if end is None else f"{role}_id is {str(end)[:40]!r}"
            faults.add(InvalidValue(said, "Give the ids of two memories as source_id and target_id"))
        elif end not in found:
            faults.add(
                NotFound(f"There is no memory {end[:100]!r} ({role})", "Find its id with recall or list")
            )
        else:
            ends[role] = found[end].logical_id
    if len(ends) == len(asked) and ends["source"] == ends["target"]:
        faults.add(
            InvalidValue(
                f"The link goes from the memory {ends['source']} to itself",
                "Link two memories; a new version is linked by revise and supersede",
            )
        )
    return ends.get("source", ""), ends.get("target", "")


def _there(others: Sequence[Link], link: Link, valid_given: bool) -> Link | None:
    """The same link if it is on record; raises Conflict for a different one that holds at the same time.

    `others`: links with the same ends.
    """
    for other in others:
        is_other = other.relation != link.relation
        begins_too_late = other.invalid_at is not None and link.valid_at >= other.invalid_at
        ends_too_early = link.invalid_at is not None and other.valid_at >= link.invalid_at
        if is_other or begins_too_late or ends_too_early:
            continue
        if _says_the_same(other, link, valid_given):
            return other
        raise Conflict(
            f"{link.source_id} is linked {link.relation} to {link.target_id} already, by {other.id}",
            "Unlink that one first, or give valid_at and invalid_at that do not overlap with its own",
        )
    return None


def _after_making(link_id: str) -> datetime:
    """The first millisecond after a link's id was made: a link ends after it began, even when the clock was set back.

    A UUIDv7 begins with the milliseconds since 1970 (RFC 9562, section 5.7); another id tells no time.
    """
    number = UUID(link_id)
    made_ms = number.int >> 80 if number.version == 7 else 0
    return from_micros(min((made_ms + 1) * 1_000, _LAST_MICROSECOND))


def _says_the_same(old: Link, new: Link, valid_given: bool) -> bool:
    # Without a given valid time a repeated call has a later one; it is still the same link.
    if valid_given and old.valid_at != new.valid_at:
        return False
    names = ("invalid_at", "extra", *METADATA_FIELDS)
    return all(getattr(old, name) == getattr(new, name) for name in names)
