"""A decision as a memory and back: the composition of its content, and how a record is shown.

The memory's content ends with the rationale and the rejected alternatives, so that a recall finds it by these; the
registration's details hold them separately.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engramforge.core.registries.registration import entry_id_of, evidence_of
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Draft, Kind, Memory
from engramforge.model.registration import Registration
from engramforge.model.registries.decision import Decision
from engramforge.model.registries.entry import DecisionStatus
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.time import TemporalMode
from engramforge.registries.registered import registration_of
from engramforge.store.door import Door

RATIONALE: Final = "rationale"
ALTERNATIVES: Final = "alternatives_rejected"
REVISED_IN: Final = "revised_in"
"""Keys of a decision's details; `evidence` is common to all kinds (registered.evidence_of)."""
_AROUND: Final = frozenset({str(Relation.DEPENDS_ON), str(Relation.SUPERSEDES)})


def decision_content(decision: str, details: Mapping[str, Any]) -> str:
    """The content of a decision's memory: its text, then rationale and rejected alternatives."""
    return decision + _tail(details)


def composed(draft: Draft) -> str:
    """The full content of a cleaned draft whose content is only the decision's text."""
    return decision_content(draft.content, {} if draft.registration is None else draft.registration.details)


def decision_text(memory: Memory) -> str:
    """What was decided: the content without its tail; all of it if it was written differently."""
    return memory.content.removesuffix(_tail(registration_of(memory).details)) or memory.content


def rejected_of(registration: Registration) -> tuple[str, ...]:
    """The alternatives that a decision rejected."""
    return tuple(map(str, registration.details.get(ALTERNATIVES, ())))


def _tail(details: Mapping[str, Any]) -> str:
    lines = []
    if rationale := details.get(RATIONALE):
        lines.append(f"Rationale: {rationale}")
    if rejected := details.get(ALTERNATIVES):
        lines.append(f"Rejected: {'; '.join(map(str, rejected))}")
    return "\n\n" + "\n".join(lines) if lines else ""


def decision_draft(
    decision: str,
    *,
    rationale: str = "",
    alternatives_rejected: Sequence[str] = (),
    conversation: str | None = None,
    local_id: str | None = None,
    status: DecisionStatus = DecisionStatus.ACTIVE,
    details: Mapping[str, Any] | None = None,
    **fields: Any,
) -> Draft:
    """The draft of a decision, whose content is composed later (`composed`).

    `details`: further details, such as `evidence`. `fields`: other fields of `Draft`.
    """
    said: dict[str, Any] = dict(details or {})
    if rationale:
        said[RATIONALE] = rationale
    if alternatives_rejected:
        said[ALTERNATIVES] = list(alternatives_rejected)
    registration = Registration(
        entry_id="",
        status=str(status),
        local_id=local_id,
        conversations=() if conversation is None else (conversation,),
        details=said,
    )
    return Draft(
        content=decision, kind=Kind.DECISION, session_id=conversation, registration=registration, **fields
    )


@dataclass(frozen=True, slots=True)
class Around:
    """The links of some decisions to others, by logical id.

    `links`: of a decision, those of DEPENDS_ON and SUPERSEDES to other decisions, oldest first.
    """

    links: Mapping[str, tuple[Link, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, links: Iterable[Link]) -> Around:
        """Those of the links that are between two decisions by their relation."""
        by_end: dict[str, list[Link]] = {}
        for link in links:
            if link.relation in _AROUND and link.source_id != link.target_id:
                by_end.setdefault(link.source_id, []).append(link)
                by_end.setdefault(link.target_id, []).append(link)
        return cls({end: tuple(found) for end, found in by_end.items()})

    def named(self, memory: Memory, relation: Relation, outgoing: bool) -> tuple[str, ...]:
        """Logical ids of the decisions with such a link to a record's decision, when it was recorded or now."""
        own = memory.logical_id
        if own not in self.links:
            return ()
        found: dict[str, None] = {}
        for link in self.links[own]:
            here, there = (link.source_id, link.target_id) if outgoing else (link.target_id, link.source_id)
            if here == own and link.relation == relation and _counts(link, memory):
                found[there] = None
        return tuple(found)

    def successor(self, memory: Memory) -> str | None:
        """Logical id of the decision that took the place of this version."""
        found = [
            link
            for link in self.links.get(memory.logical_id, ())
            if link.target_id == memory.logical_id
            and link.relation == Relation.SUPERSEDES
            and link.expired_at is None
            and link.extra.get("target_version", memory.version) == memory.version
        ]
        return found[-1].source_id if found else None


def _counts(link: Link, memory: Memory) -> bool:
    """Whether a link was on record when a version left the record; for a version on record, whether it is now."""
    if memory.expired_at is None:
        return link.expired_at is None
    return link.created_at < memory.expired_at and (
        link.expired_at is None or link.expired_at >= memory.expired_at
    )


def around(door: Door, scope: Scope, memories: Iterable[Memory], history: bool = False) -> Around:
    """The links of these decisions; with `history` also former ones."""
    ids = sorted({memory.logical_id for memory in memories})
    if not ids:
        return Around()
    selection = Selection(mode=TemporalMode.FULL_HISTORY) if history else None
    with door.asking(scope) as view:
        links = [link for link in view.links(ids, selection) if link.relation in _AROUND]
        ends = {end for link in links for end in (link.source_id, link.target_id)} - set(ids)
        others = view.fetch(ends) if ends else {}
    decisions = {each for each, memory in others.items() if memory.kind is Kind.DECISION} | set(ids)
    return Around.of(link for link in links if {link.source_id, link.target_id} <= decisions)


def status_of(memory: Memory) -> DecisionStatus:
    """The status of a decision's record: one that left the record while active has been revised."""
    status = DecisionStatus(registration_of(memory).status)
    if status is DecisionStatus.ACTIVE and memory.is_superseded:
        return DecisionStatus.REVISED
    return status


def decision_of(memory: Memory, score: float | None = None, *, near: Around) -> Decision:
    """A record of a decision as its registry shows it."""
    registration = registration_of(memory)
    details = registration.details
    status = status_of(memory)
    successor = near.successor(memory) if status is DecisionStatus.SUPERSEDED else None
    return Decision(
        id=registration.entry_id,
        memory_id=memory.logical_id,
        version=memory.version,
        decision=decision_text(memory),
        rationale=str(details.get(RATIONALE, "")),
        epistemic_tier=memory.epistemic_tier,
        status=status,
        originated_in=registration.origin,
        revised_in=details.get(REVISED_IN),
        superseded_by=None if successor is None else entry_id_of(Kind.DECISION, successor),
        conversation_ids=registration.conversations,
        project=memory.project,
        dependencies=_ids(near.named(memory, Relation.DEPENDS_ON, outgoing=True)),
        dependents=_ids(near.named(memory, Relation.DEPENDS_ON, outgoing=False)),
        alternatives_rejected=rejected_of(registration),
        last_validated=registration.last_validated or memory.created_at,
        validation_count=registration.validation_count,
        hops=registration.hops,
        tags=memory.tags,
        local_id=registration.local_id,
        valid_at=memory.valid_at,
        invalid_at=memory.invalid_at,
        created_at=memory.created_at,
        confidence=memory.confidence,
        evidence=evidence_of(registration),
        score=score,
        redacted=memory.redacted,
    )


def _ids(logical_ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(entry_id_of(Kind.DECISION, each) for each in logical_ids)
