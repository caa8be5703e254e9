"""Which memories a detection compares beside neighbours in meaning, and which of all pairs it may."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from engramforge.answer.conflicts.opposing import claim_of
from engramforge.core.conflicts.replacement import names_in
from engramforge.core.ranking.designations import Designation
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Kind, Memory

Pair = tuple[Memory, Memory]


def pairs_by_name(memories: Mapping[str, Memory], changed: Collection[str]) -> list[tuple[str, str]]:
    """Pairs of which one says by name that it replaces the other; of those that were looked at."""
    claims = {name: claim for name, memory in memories.items() if (claim := claim_of(memory)) is not None}
    called: dict[Designation, list[str]] = {}
    for name, claim in claims.items():
        for designation in claim.called:
            called.setdefault(designation, []).append(name)
    return [
        (name, other)
        for name, claim in claims.items()
        if called and name in changed
        for designation in names_in(claim.told)
        for other in called.get(designation, ())
        if other != name
    ]


def comparable(
    named: Iterable[tuple[str, str]], memories: Mapping[str, Memory], links: Sequence[Link]
) -> list[Pair]:
    """The pairs to be judged, the newer first: neither is read from the other, nor has an entry in its place."""
    read = {(x.source_id, x.target_id) for x in links if x.relation == Relation.DERIVED_FROM}
    of = {target for source, target in read if source in memories and memories[source].kind is Kind.DECISION}
    pairs = []
    for ends in {frozenset(each): each for each in named}.values():
        if not set(ends) <= memories.keys() or set(ends) & of or ends in read or ends[::-1] in read:
            continue
        one, other = (memories[end] for end in ends)
        newer, older = sorted((one, other), key=lambda each: (each.told_at, each.id), reverse=True)
        pairs.append((newer, older))
    return pairs
