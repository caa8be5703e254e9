"""What a message does to the registries, planned, written and as its writer is told; what a detection is about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engramforge.core.detection.cues.named_cues import UNDONE
from engramforge.core.detection.proposal import detection_of
from engramforge.errors import Conflict, NotFound, PlanOutdated
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Kind, Memory
from engramforge.model.registration import Act, Consequence, NamedEntry, Registration
from engramforge.model.registries.detection import Detection
from engramforge.model.registries.entry import STANDING, ReviewStatus
from engramforge.model.timeline import Undone
from engramforge.registries.decisions.decision_view import decision_text
from engramforge.registries.registered import ENTRY_ID, entry_link, registration_of
from engramforge.registries.threads.thread_view import title_of
from engramforge.store.door import Transaction
from engramforge.writing.expected_state import hold, hold_sources
from engramforge.writing.version_change import VersionChange

REFUSED: Final = "refused"
"""Rule of what cannot be, as its `why` says."""
_MOST_OTHERS: Final = 5
"""How many conversations are named in which a name means something else."""


@dataclass(slots=True)
class DetectedWrite:
    """The consequences of a message; a `Follow` of the intake.

    Parameters
    ----------
    message : what was said; needs : version ids of all messages of the batch that it builds on.
    entries : detection -> the entry that it became, or that already says the same.
    changes, links : of entries, in order.
    copies : links from the message to what it repeats, whoever's that is (see `Transaction.bind`).
    mentions : entries that the message mentions, and their registrations with its conversation.
    besides : further writes of the transaction, after the changes.
    origins : by project, the keys of new entries and what the store had for them, to notice if somebody made the same
        meanwhile.
    left : entries that stand as they were, although the message no longer says them.
    unknown : what names an entry that is not known, with the conversations in which that name means one; or says
        what cannot be, with why.
    """

    message: Memory
    needs: frozenset[str] = frozenset()
    entries: dict[Detection, Memory] = field(default_factory=dict)
    changes: list[VersionChange] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    copies: list[Link] = field(default_factory=list)
    mentions: list[tuple[Memory, Registration]] = field(default_factory=list)
    besides: list[Callable[[Transaction], None]] = field(default_factory=list)
    origins: dict[str, dict[bytes, str | None]] = field(default_factory=dict)
    left: Sequence[Memory] = ()
    unknown: dict[Detection, Sequence[str | None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.needs |= {self.message.id}

    @property
    def source(self) -> str:
        """The version id of the message."""
        return self.message.id

    @property
    def consequences(self) -> tuple[Consequence, ...]:
        """What it does to entries, in order, and to each once: as the last of its changes left it."""
        made = {
            each.memory.logical_id for each in self.changes if each.replaced is None and each.ended is None
        }
        last = {each.memory.logical_id: each.memory for each in self.changes}
        standing = tuple(Consequence(act=Act.LEFT, **_fields(memory)) for memory in self.left)
        done = tuple(
            Consequence(act=_act(memory, is_new=logical_id in made), why=_why(memory), **_fields(memory))
            for logical_id, memory in last.items()
        )
        unknown = (_unknown(self.message, each, others) for each, others in self.unknown.items())
        return (*standing, *done, *dict.fromkeys(unknown))

    @property
    def is_change(self) -> bool:
        """Whether it registers, changes or ends something: saying again or mentioning what stands does not."""
        return bool(self.changes or self.links or self.besides)

    @property
    def is_empty(self) -> bool:
        """Whether nothing follows."""
        return not (self.changes or self.links or self.mentions or self.entries or self.unknown)

    def hold(self, writes: Transaction) -> None:
        """Keep what the message repeats until the end; called before the message is written. Raises as `write`."""
        hold_sources(writes, (copy.target_id for copy in self.copies))

    def write(self, writes: Transaction) -> None:
        """Write it. Raises PlanOutdated where somebody came between."""
        for project, before in self.origins.items():
            there = writes.known_origins(project, list(before))
            if any(there.get(key) != seen for key, seen in before.items()):
                raise PlanOutdated("The same entry was detected meanwhile", "Repeat the call")
        try:
            for change in self.changes:
                change.write(writes)
            writes.link(self.links)
            writes.bind(self.copies)
            for beside in self.besides:
                beside(writes)
            for memory, registration in self.mentions:
                hold(writes, memory, None)
                writes.note_use(memory, registration)
        except (Conflict, NotFound) as error:
            raise PlanOutdated(error.fault, "Repeat the call") from error

    def derive(self, change: VersionChange) -> None:
        """Bind a change that takes words of the message, to be forgotten with it."""
        why = "it was detected in what was said"
        self.links.append(
            entry_link(Relation.DERIVED_FROM, change.memory, self.message, change.at, trigger=why)
        )

    def end(self, change: VersionChange) -> None:
        """Say which message ended an entry; as a person may have made it, it is not forgotten with the message."""
        why = "a statement in a message ended it"
        self.links.append(
            entry_link(Relation.RESOLVED_BY, change.memory, self.message, change.at, trigger=why)
        )


def became(undone: Undone) -> Undone:
    """An undo or a redo with what became of each memory and entry."""
    last = {
        each.logical_id: each for each in sorted(undone.restored, key=lambda each: not each.is_superseded)
    }
    left = {each.logical_id: each for each in undone.taken_back}
    told = []
    for logical_id, memory in (left | last).items():
        fields = _fields(memory)
        status = registration_of(memory).status if memory.registration else ""
        if memory.kind is Kind.FLAG:
            fields["status"] = status
        back = Act.WAITS if status == ReviewStatus.PENDING else Act.BACK
        told.append(Consequence(act=back if logical_id in last else Act.GONE, **fields))
    return replace(undone, consequences=tuple(told))


def named_entry(memory: Memory) -> NamedEntry:
    """An entry, or a detection that waits, in short."""
    return NamedEntry(**_fields(memory))


def made_entry(memory: Memory) -> Consequence:
    """That an entry was made."""
    return Consequence(act=Act.MADE, **_fields(memory))


def _act(memory: Memory, *, is_new: bool) -> Act:
    if memory.kind is Kind.FLAG:
        return Act.WAITS
    if is_new:
        return Act.MADE
    has_ended = memory.kind is not Kind.LINEAGE and registration_of(memory).status not in STANDING
    return Act.ENDED if has_ended else Act.CHANGED


def _why(memory: Memory) -> str:
    if memory.kind is not Kind.FLAG:
        return ""
    return detection_of(registration_of(memory).details["proposal"]).why


def _unknown(message: Memory, detection: Detection, others: Sequence[str | None]) -> Consequence:
    """A name that means no entry, or more than one; `others`: the conversations in which it means one."""
    local_id = detection.local_id
    where = "project" if message.session_id is None or ENTRY_ID.fullmatch(f"{local_id}") else "conversation"
    said = f"No {local_id} in this {where}"
    if others:
        its = ", ".join(each or "what has no conversation" for each in others[:_MOST_OTHERS])
        more = f" and {len(others) - _MOST_OTHERS} more" if len(others) > _MOST_OTHERS else ""
        said = (
            f"{said}; others have one" if message.session_id else f"Several conversations have a {local_id}"
        )
        said = f"{said} ({its}{more}): name one of them, or the id"
    if detection.rule == REFUSED:
        said = detection.why
    if detection.rule == UNDONE:
        said = "Nothing was undone, since a message is no command: undo takes back the last change"
    return Consequence(
        act=Act.UNKNOWN, kind=str(detection.kind), id="", local_id=local_id, text=said, status=""
    )


def _fields(memory: Memory) -> dict[str, Any]:
    registration = memory.registration or Registration(entry_id=memory.logical_id)
    said = {"kind": str(memory.kind), "text": memory.content, "status": registration.status}
    if memory.kind is Kind.DECISION:
        said["text"] = decision_text(memory)
    elif memory.kind is Kind.THREAD:
        said["text"] = title_of(memory)
    elif memory.kind is Kind.FLAG and "proposal" in registration.details:
        proposal = detection_of(registration.details["proposal"])
        said |= {"kind": str(proposal.kind), "status": proposal.status}
    return {**said, "id": registration.entry_id, "local_id": registration.local_id}
