"""Dissonances: from the records of beliefs to what was believed, what replaced it and why.

A closing record counts with its version: it only says how long the version held.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from engramforge.core.history.beliefs import beliefs_of
from engramforge.model.link import Link
from engramforge.model.memory import Memory, Source
from engramforge.model.time import InvalidationReason
from engramforge.model.timeline import Dissonance

_SUFFIX: Final = re.compile(r"(?is)(?P<base>.+?)[_\-. ]v(?P<number>\d{1,9})")
_IDENTITIES: Final = ("origin", "id", "node_id", "name")
"""Metadata that may identify the source record of an import, tried before its name."""
_UNFELT: Final = 0.5
"""Discovery energy if none was given."""


def dissonances(
    records: Iterable[Memory], restored: Mapping[tuple[str, int], int] | None = None
) -> list[Dissonance]:
    """One dissonance for each superseded version that has a successor, oldest correction first.

    A correction that was undone is none, and neither is its undoing; one that was redone stands as it was first made.

    Versions are grouped by logical id and ordered by when they came on record. Records that were imported apart, each a
    memory of its own, are versions of one belief where their source's ids (metadata `origin`, `id`, `node_id` or
    `name`, else the name) differ only in a trailing version suffix, such as `pump_v1` and `pump_v2`, within one project
    and owner. `records`: any records, in any order; a version whose records are missing is not seen.
    `restored`: logical id and version of what an undo or redo brought back -> the version that it repeats.
    """
    memories: dict[str, list[Memory]] = {}
    for record in records:
        memories.setdefault(record.logical_id, []).append(record)
    found: list[Dissonance] = []
    apart: dict[tuple[str, ...], list[tuple[int, Memory]]] = {}
    for logical_id, own in memories.items():
        beliefs = beliefs_of(own)
        found.extend(
            _between(logical_id, old, new, old.version, new.version, {each.id for each in own})
            for old, new in _corrections(beliefs, restored or {})
        )
        if len(beliefs) == 1 and (known := _imported_version(beliefs[0])) is not None:
            base, number = known
            owner = (beliefs[0].project, str(beliefs[0].level), beliefs[0].agent, base)
            apart.setdefault(owner, []).append((number, beliefs[0]))
    for (*_, base), numbered in apart.items():
        ordered = sorted(numbered, key=lambda pair: (pair[1].created_at, pair[0], pair[1].id))
        for (old_number, old), (new_number, new) in pairwise(ordered):
            found.append(_between(base, old, new, old_number, new_number, {new.id}))
    return sorted(found, key=lambda each: (each.corrected_at, each.belief_id, each.corrected_version))


def held_since(found: Iterable[Dissonance], records: Iterable[Memory]) -> list[Dissonance]:
    """Dissonances as of all records of their beliefs. Of a range alone there may be no more of a version than the
    closing record that ended it, by which it seems to have been held for no time, or until what came after the next."""
    first: dict[tuple[str, int], Memory] = {}
    for each in sorted(records, key=lambda record: record.created_at):
        first.setdefault((each.logical_id, each.version), each)

    def dated(case: Dissonance) -> Dissonance:
        old = first.get((case.belief_id, case.original_version))
        new = first.get((case.belief_id, case.corrected_version))
        if old is None or new is None:
            return case
        return replace(
            case,
            held_from=old.created_at,
            held_until=old.expired_at or new.created_at,
            corrected_at=new.created_at,
        )

    return [dated(each) for each in found]


def restored_versions(links: Iterable[Link]) -> dict[tuple[str, int], int]:
    """Which version each one repeats that an undo or redo brought back, by the links between versions."""
    return {
        (link.source_id, link.extra["source_version"]): link.extra["restores"]
        for link in links
        if link.source_id == link.target_id and "restores" in link.extra
    }


def _corrections(
    beliefs: Sequence[Memory], restored: Mapping[tuple[str, int], int]
) -> list[tuple[Memory, Memory]]:
    """Each version with the one that it replaced, less what was undone; `beliefs` in the order of recording."""
    first = {belief.version: belief for belief in beliefs}
    before: dict[int, Memory | None] = {}
    standing: list[tuple[int, Memory]] = []
    for belief in beliefs:
        repeated = number = belief.version
        while (belief.logical_id, repeated) in restored:
            repeated = restored[belief.logical_id, repeated]
        places = [place for place, (known, _) in enumerate(standing) if known == repeated]
        if places or repeated not in first:
            # An undo: what came after it is as if it had never been said. Of a range it may repeat what ended before.
            del standing[places[0] if places else 0 :]
            before.setdefault(repeated, None)
        else:
            before.setdefault(repeated, standing[-1][1] if standing else None)
        standing.append((repeated, belief))
        is_taken_back = belief.invalidation_reason is InvalidationReason.DISCOVERED_FALSE
        if number > 1 and is_taken_back and belief.correction_id is None:
            standing.pop()
    pairs = [(old, first[version]) for version, _ in standing if (old := before.get(version)) is not None]
    return [(old, new) for old, new in pairs if not _says_the_same(old, new)]


def _says_the_same(old: Memory, new: Memory) -> bool:
    """Whether a version says what the one before it did, of the same times, or since the world changed: it stands in
    another file, was resolved, or counts for more. No belief changed."""
    is_correction = old.invalidation_reason is not InvalidationReason.REALITY_CHANGED
    same_times = (old.valid_at, old.invalid_at) == (new.valid_at, new.invalid_at)
    return old.content == new.content and (same_times or not is_correction)


def base_identity(identity: str) -> tuple[str, int] | None:
    """An id less its trailing version suffix, and the number of that; None where it has none.

    `decision_v2_pump_v1` gives (`decision_v2_pump`, 1).
    """
    match = _SUFFIX.fullmatch(identity.strip())
    return None if match is None else (match["base"], int(match["number"]))


def _imported_version(memory: Memory) -> tuple[str, int] | None:
    """The identity and version number of an imported record, from its source ids."""
    if memory.source is not Source.IMPORT:
        return None
    told = [memory.metadata.get(name) for name in _IDENTITIES]
    for identity in (*told, memory.name):
        if isinstance(identity, str) and (known := base_identity(identity)) is not None:
            return known
    return None


def _between(
    belief_id: str, old: Memory, new: Memory, old_version: int, new_version: int, own: set[str]
) -> Dissonance:
    """The dissonance of a version and its successor; `own` are the ids of the belief's own records."""
    correction = old.correction_id
    if correction is None and old.logical_id != new.logical_id:
        correction = new.id
    by_successor = correction is None or correction in own | {new.logical_id}
    trigger = f"version {new_version}" if by_successor else f"memory {correction}"
    if new.goal and by_successor:
        trigger += f", serving: {new.goal}"
    energy = new.discovery_energy if new.discovery_energy is not None else old.discovery_energy
    return Dissonance(
        belief_id=belief_id,
        original_id=old.id,
        corrected_id=new.id,
        original_version=old_version,
        corrected_version=new_version,
        name=old.name,
        original=old.content,
        corrected=new.content,
        reason=old.invalidation_reason or _implied(old),
        trigger=f"Corrected by {trigger}",
        correction_id=correction,
        held_from=old.created_at,
        held_until=old.expired_at or new.created_at,
        corrected_at=new.created_at,
        discovery_energy=_UNFELT if energy is None else energy,
        emotions=new.emotion_vector,
    )


def _implied(old: Memory) -> InvalidationReason | None:
    """The reason for which a record without one ended: reality changed, if its end in the world is known."""
    told = old.metadata.get("invalidation_reason")
    if isinstance(told, str) and told in set(InvalidationReason):
        return InvalidationReason(told)
    return None if old.invalid_at is None else InvalidationReason.REALITY_CHANGED
