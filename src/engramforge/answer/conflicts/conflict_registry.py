"""Open conflicts as they are listed, and conflicts that somebody dismissed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from engramforge.answer.conflicts.conflict_links import (
    DISMISSED,
    compared_again,
    conflict_id_of,
    conflict_of,
    dismissed_link,
    is_as_said,
    is_detected,
    is_dismissed,
    is_open,
    is_replacement,
)
from engramforge.answer.conflicts.opposing import Opposing, claim_of
from engramforge.errors import InvalidValue, NotFound
from engramforge.model.lenses.conflict import Conflict
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Kind, Memory
from engramforge.model.scope import Scope
from engramforge.model.search.hit import Hit
from engramforge.model.time import InvalidationReason, just_after
from engramforge.store.door import Door, Transaction, View

MOST: Final = 10_000
"""How many contradictions are looked through."""


@dataclass(frozen=True, slots=True)
class ConflictRegistry:
    """Lists conflicts, and dismisses them. `opposing`: judges again what was revised since it was found."""

    door: Door
    clock: Callable[[], datetime]
    opposing: Callable[[], Opposing]

    def conflicts(
        self, scope: Scope, projects: Collection[str], dismissed: bool, limit: int, replaced: bool = False
    ) -> list[Conflict]:
        """Open conflicts, the surest first; `projects`: one of the statements is in one of these.

        `dismissed`: those that somebody dismissed instead; `replaced`: pairs of which one declares that it takes the
        other's place.
        """
        wanted = is_replacement if replaced else is_dismissed if dismissed else is_open
        with self.door.asking(scope) as view:
            links = [link for link in view.contradictions(MOST) if wanted(link)]
            memories = view.fetch({end for link in links for end in (link.source_id, link.target_id)})
        if wanted is is_open:
            links = self._standing(links, memories)
        return [
            each
            for link in links
            if (each := conflict_of(link, memories)) is not None
            and (not projects or {each.newer.project, each.older.project} & set(projects))
        ][:limit]

    def of_memories(
        self, scope: Scope, logical_ids: Collection[str], ended: bool = False, replaced: bool = False
    ) -> list[Conflict]:
        """The open conflicts of some memories, the surest first; `ended`: the dismissed ones, too; `replaced`: declared
        replacements, too."""
        if not logical_ids:
            return []
        with self.door.asking(scope) as view:
            links = [
                link
                for link in view.links(sorted(logical_ids), to_others=True)
                if link.relation == Relation.CONTRADICTS
                and (is_open(link) or (replaced if is_replacement(link) else ended))
            ]
            memories = view.fetch({end for link in links for end in (link.source_id, link.target_id)})
        found = [conflict_of(link, memories) for link in self._standing(links, memories)]
        return sorted((x for x in found if x is not None), key=lambda x: (-x.score, x.id))

    def _standing(self, links: Sequence[Link], memories: Mapping[str, Memory]) -> list[Link]:
        """The links whose statements still stand, and still oppose each other where one was revised since; a
        replacement and a dismissal stay what they are."""
        standing = [each for each in links if is_replacement(each) or _stands(each, memories)]
        return still_opposing(standing, memories, self.opposing)

    def dismiss(self, scope: Scope, conflict_id: str, reason: str) -> Conflict:
        """Dismiss an open conflict for a reason. Raises NotFound; InvalidValue without a reason."""
        if not reason:
            raise InvalidValue("A conflict is dismissed without a reason", "Say why it is none")
        with self.door.asking(scope) as view:
            asked = view.whole_id(conflict_id.strip(), of_link=True)
            known = [x for x in view.contradictions(MOST) if asked in (x.id, conflict_id_of(x))]
            link = next(filter(is_open, known), None)
            memories = {} if link is None else view.fetch([link.source_id, link.target_id])
        if link is None or (conflict := conflict_of(link, memories)) is None:
            if (why := next((x.extra[DISMISSED] for x in known if DISMISSED in x.extra), None)) is not None:
                raise NotFound(
                    f"The conflict {conflict_id[:100]!r} is dismissed already: {why}",
                    "Undo the dismissal to open it again",
                )
            raise NotFound(f"There is no open conflict {conflict_id[:100]!r}", "List the conflicts")
        at = just_after(link.created_at, self.clock())
        ended = dismissed_link(link, memories.values(), reason, at)

        def work(writes: Transaction) -> None:
            writes.expire_link(link.id, at, InvalidationReason.DISCOVERED_FALSE)
            writes.link([ended])
            writes.audit("dismiss", link.id, reason, at)

        self.door.write(scope, work)
        return conflict_of(ended, memories) or conflict


def still_opposing(
    links: Sequence[Link], memories: Mapping[str, Memory], opposing: Callable[[], Opposing]
) -> list[Link]:
    """The links whose statements still oppose each other where one was revised since. `memories`: of both ends of
    each, by logical id."""
    revised = [each for each in links if _is_revised(each, memories)]
    if not revised:
        return list(links)
    claims = {
        each.id: (one, other)
        for each in revised
        if (one := claim_of(memories[each.source_id])) and (other := claim_of(memories[each.target_id]))
    }
    found = dict(zip(claims, opposing().of(list(claims.values())), strict=True))
    gone = {each.id for each in revised if found.get(each.id) is None}
    return [
        each if (opposed := found.get(each.id)) is None else compared_again(each, opposed)
        for each in links
        if each.id not in gone
    ]


def links_among(view: View, hits: Sequence[Hit]) -> list[Link]:
    """Links of these hits' memories to others, and of what is one hit with each."""
    ids = {each for hit in hits for each in hit.logical_ids}
    return view.links(sorted(ids), to_others=True) if len(ids) > 1 else []


def dismissed_among(links: Sequence[Link], hits: Sequence[Hit]) -> set[frozenset[str]]:
    """Pairs of hits, as the logical ids of their memories, whose conflict somebody dismissed, and of which neither says
    something else since; and those of which one declares that it takes the other's place. What is one hit with a
    memory, such as the entry that was read from it, counts for it. `links`: of `links_among`.
    """
    written = {each.logical_id: each for hit in hits for each in (hit.memory, *hit.joined)}
    heads: dict[str, set[str]] = {}
    for hit in hits:
        for each in hit.logical_ids:
            heads.setdefault(each, set()).add(hit.memory.logical_id)
    return {
        frozenset((one, other))
        for link in links
        if link.relation == Relation.CONTRADICTS
        and {link.source_id, link.target_id} <= written.keys()
        and (
            is_replacement(link)
            or (is_dismissed(link) and is_as_said(link, (written[link.source_id], written[link.target_id])))
        )
        for one in heads[link.source_id]
        for other in heads[link.target_id]
        if one != other
    }


def _is_revised(link: Link, memories: Mapping[str, Memory]) -> bool:
    """Whether a statement of an open conflict that a detection found was written anew since."""
    return (
        is_detected(link)
        and is_open(link)
        and any(memories[end].created_at > link.created_at for end in (link.source_id, link.target_id))
    )


def _stands(link: Link, memories: Mapping[str, Memory]) -> bool:
    """Whether both statements of a link still stand."""
    ends = [memories.get(end) for end in (link.source_id, link.target_id)]
    return all(end is not None and (end.kind is not Kind.DECISION or claim_of(end)) for end in ends)
