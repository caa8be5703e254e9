"""What the next version of a decision says: one rule for people, detection, decision records and edited pages. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from engramforge.core.registries.registration import entry_id_of
from engramforge.errors import InvalidValue, PlanOutdated
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Draft, Kind, Memory
from engramforge.model.registration import Registration
from engramforge.model.registries.entry import DecisionStatus
from engramforge.model.scope import Scope
from engramforge.model.storing.effect import Use
from engramforge.registries.decisions.decision_view import ALTERNATIVES, RATIONALE, decision_text
from engramforge.registries.registered import entry_link, mentioned_in, registration_of
from engramforge.store.door import Door, Transaction
from engramforge.writing.changes import next_draft


@dataclass(frozen=True, slots=True, kw_only=True)
class Revised:
    """What a revision changes; None keeps a field.

    `dependencies`: ids of all decisions that it builds on from now on. `details`: further details of the registration,
    as `evidence`. `fields`: other fields of `Draft`.
    """

    decision: str | None = None
    rationale: str | None = None
    tier: float | None = None
    alternatives_rejected: tuple[str, ...] | None = None
    dependencies: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return any(getattr(self, name) not in (None, {}) for name in self.__dataclass_fields__)


def revised_draft(
    head: Memory, changes: Revised, validated_at: datetime, conversation: str | None = None
) -> Draft:
    """The draft of the next version, active and made anew; its content is yet to be composed (`composed`).

    `head`: what stands, or the last record of a decision that returns. `conversation`: one that mentions it from now
    on.
    """
    before, text = registration_of(head), decision_text(head)
    details = {**before.details, **changes.details}
    if changes.rationale is not None:
        details[RATIONALE] = changes.rationale
    if changes.alternatives_rejected is not None:
        details[ALTERNATIVES] = list(changes.alternatives_rejected)
    registration = replace(
        before,
        status=str(DecisionStatus.ACTIVE),
        last_validated=validated_at,
        hops=0,
        conversations=mentioned_in(before, conversation),
        details={name: value for name, value in details.items() if value not in ("", [])},
    )
    said = text if changes.decision is None else changes.decision
    fields = {"content": said, **changes.fields}
    if said == text and registration.details == before.details:
        fields.setdefault("emotion_vector", head.emotion_vector)
    fields |= {} if changes.tier is None else {"epistemic_tier": changes.tier}
    fields |= {} if changes.tags is None else {"tags": changes.tags}
    return next_draft(head, fields, registration)


def validated(registration: Registration, at: datetime, conversation: str | None) -> Registration:
    """The registration after an explicit validation, the only thing that resets the hops."""
    return replace(
        registration,
        last_validated=at,
        validation_count=registration.validation_count + 1,
        hops=0,
        conversations=mentioned_in(registration, conversation),
    )


def carried(registration: Registration, at: datetime, needs_revalidation: bool) -> Registration:
    """The registration after an archive carried it, with another hop.

    It also counts as validated, unless the archive lists it for revalidation; an older archive never moves the
    validation back.
    """
    hops = registration.hops + 1
    if needs_revalidation:
        return replace(registration, hops=hops)
    return replace(
        registration,
        hops=hops,
        last_validated=max(at, registration.last_validated or at),
        validation_count=registration.validation_count + 1,
    )


def carry(
    writes: Transaction, decisions: Sequence[Memory], for_revalidation: Collection[str], at: datetime
) -> dict[str, dict[str, Any]]:
    """Count that an archive carries decisions, in place and inside its transaction.

    `decisions`: the current versions. `for_revalidation`: logical ids of those that the archive lists for revalidation.

    Returns
    -------
    logical id -> the `extra` of the CARRIES link to it: whether it counts as validated, and how it was used before.
    Decisions that are gone, or ended meanwhile, are left out.
    """
    standing = writes.fetch([memory.logical_id for memory in decisions])
    extras: dict[str, dict[str, Any]] = {}
    for decision in decisions:
        there = standing.get(decision.logical_id)
        if there is None or there.registration is None or there.is_superseded:
            continue
        needs = decision.logical_id in for_revalidation
        writes.note_use(there, carried(there.registration, at, needs))
        at_last, before = there.registration.last_validated, Use.of(there.registration)
        said = {**asdict(before), "last_validated": None if at_last is None else at_last.isoformat()}
        extras[decision.logical_id] = {"bumped": not needs, "before": said}
    return extras


@dataclass(frozen=True, slots=True)
class Rebased:
    """The changes when a decision's dependencies change.

    `fresh`: new dependencies. `ended`: links that no longer hold. `looked_at`: every decision visited, none of which
    may have changed when this is written.
    """

    fresh: tuple[Memory, ...] = ()
    ended: tuple[Link, ...] = ()
    looked_at: tuple[Memory, ...] = ()


NOTHING_REBASED: Final = Rebased()


def dependency(decision: Memory, base: Memory, at: datetime) -> Link:
    """The link of a decision to a dependency."""
    return entry_link(Relation.DEPENDS_ON, decision, base, at, trigger="a decision builds on another")


def rebase(door: Door, scope: Scope, head: Memory, bases: Sequence[Memory]) -> Rebased:
    """The changes that make a decision build on exactly these.

    Raises InvalidValue if it would build on itself, over any number of others.
    """
    own = head.logical_id
    before = {
        link.target_id: link for link in _building(door.asking(scope).links([own])) if link.source_id == own
    }
    wanted = {base.logical_id for base in bases}
    fresh = [base for base in bases if base.logical_id not in before]
    seen = _everything_under(door, scope, [memory.logical_id for memory in fresh])
    if own in seen:
        entry_id = registration_of(head).entry_id
        over = [entry_id_of(Kind.DECISION, each) for each in seen if each != own]
        raise InvalidValue(
            f"The decision {entry_id} would depend on itself" + (f", over {over[0]}" if over else ""),
            "Leave out the dependency that leads back to it",
        )
    ended = tuple(link for end, link in before.items() if end not in wanted)
    return Rebased(tuple(fresh), ended, tuple(seen.values()))


def _everything_under(door: Door, scope: Scope, wave: Sequence[str]) -> dict[str, Memory]:
    """Decisions and all that they build on, by their logical ids.

    Each is read before its links: changing the links in between changes the decision too, which `unchanged` notices.
    """
    seen: dict[str, Memory] = {}
    asked = set(wave)
    while wave:
        seen |= door.asking(scope).fetch(wave)
        ends = [
            link.target_id for link in _building(door.asking(scope).links(wave)) if link.source_id in seen
        ]
        wave = list(dict.fromkeys(end for end in ends if end not in asked))
        asked.update(wave)
    return seen


def _building(links: Iterable[Link]) -> list[Link]:
    return [
        link for link in links if link.relation == Relation.DEPENDS_ON and link.source_id != link.target_id
    ]


def unchanged(memories: Sequence[Memory]) -> Callable[[Transaction], None] | None:
    """A check inside the transaction that raises PlanOutdated if any of these was changed since it was read."""
    if not memories:
        return None

    def check(writes: Transaction) -> None:
        standing = writes.fetch([each.logical_id for each in memories])
        for memory in memories:
            there = standing.get(memory.logical_id)
            if there is None or (there.id, there.expired_at) != (memory.id, memory.expired_at):
                raise PlanOutdated(
                    f"The decision {registration_of(memory).entry_id} changed meanwhile", "Repeat the call"
                )

    return check
