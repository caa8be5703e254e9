"""Reading patterns, priming blocks and flags: listed, found by recall, and shown with what links say of them.

What was tried of a pattern, and what a block was compiled from, is told by DERIVED_FROM links, so that a forget of the
one takes the other along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Final

from engramforge.core.registries.success import success_score
from engramforge.model.limits import RECALL_HITS
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Kind, Memory, ResolutionState
from engramforge.model.registries.learned import (
    Flag,
    FlagStatus,
    Outcome,
    Pattern,
    PrimingBlock,
    Territory,
)
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.time import AsOf
from engramforge.recall.request import recall_request
from engramforge.recall.retrieval import Retriever
from engramforge.store.door import Door

FLAG_TYPE: Final = "flag_type"
"""Key of a flag's metadata: what it is."""
USUAL_TYPE: Final = "observation"
SUCCESS: Final = "success"
"""Key of an outcome's metadata, and of its link to the pattern: whether it was good."""
MOST_READ: Final = 10_000
"""How many of the newest patterns are put in order by how well they work."""
_PAGE: Final = 500
_FIRST: Final = 20
_MORE: Final = 4
"""How many hits are looked at first where only relevant ones count, and how many times more then."""

Wanted = Callable[[Memory], bool]
Found = tuple[Memory, float | None]
"""A memory, and its mass where a search found it."""


@dataclass(frozen=True, slots=True)
class LearnedReading:
    """Reads what stands now. `retriever`: finds by words and meaning. `clock`: tells what has expired."""

    door: Door
    retriever: Retriever
    clock: Callable[[], datetime]

    def listed(
        self,
        scope: Scope,
        kind: Kind,
        limit: int,
        offset: int = 0,
        *,
        tags: tuple[str, ...] = (),
        wanted: Wanted,
    ) -> list[Found]:
        """Memories of a kind that are wanted, the newest first."""
        every = filter(wanted, self._each(scope, kind, tags))
        return [(each, None) for each in islice(every, offset, offset + limit)]

    def found(
        self, scope: Scope, kind: Kind, query: str, limit: int, *, wanted: Wanted, relevant: bool = False
    ) -> list[Found]:
        """Memories of a kind that are wanted and answer a query, best first; `relevant`: only what clearly does."""
        # What is not wanted may stand before what is: so more is asked for until there is enough.
        asked = max(limit, _FIRST) if relevant else limit
        while True:
            request = recall_request(query, Selection(kinds=(kind,)), clock=self.clock, limit=asked)
            hits = self.retriever.recall(scope, replace(request, explained=False)).hits
            found = [each for each in hits if wanted(each.memory) and (each.relevant or not relevant)]
            is_last = len(hits) < asked or (relevant and not hits[-1].relevant)
            if len(found) >= limit or is_last or asked == RECALL_HITS:
                return [(each.memory, min(max(each.mass, 0.0), 1.0)) for each in found[:limit]]
            asked = min(asked * _MORE, RECALL_HITS)

    def patterns(self, scope: Scope, found: Sequence[Found], *, whole: bool = False) -> list[Pattern]:
        """Patterns with how often they worked; `whole`: with each outcome, too."""
        tried = self._made_from(scope, [memory for memory, _ in found])
        return [self._pattern(scope, *each, tried.get(each[0].logical_id, ()), whole) for each in found]

    def best_patterns(self, scope: Scope, tags: tuple[str, ...], limit: int, offset: int) -> list[Pattern]:
        """Patterns, those that work best first; of equal ones the newest."""
        every = self.patterns(scope, self.listed(scope, Kind.PATTERN, MOST_READ, tags=tags, wanted=is_plain))
        every.sort(key=lambda each: -(each.success_score or 0.0))
        return every[offset : offset + limit]

    def blocks(self, scope: Scope, found: Sequence[Found]) -> list[PrimingBlock]:
        """Priming blocks with what they were made from."""
        made_from: dict[str, list[str]] = {}
        for link in self._links(scope, [each for each, _ in found]):
            made_from.setdefault(link.source_id, []).append(link.target_id)
        return [
            PrimingBlock(
                id=each.logical_id,
                version=each.version,
                territory=each.name or "",
                content=each.content,
                project=each.project,
                tags=each.tags,
                made_from=tuple(made_from.get(each.logical_id, ())),
                valid_at=each.valid_at,
                expires_at=each.invalid_at,
                score=score,
                redacted=each.redacted,
            )
            for each, score in found
        ]

    def territories(self, scope: Scope) -> list[Territory]:
        """The territories that blocks name, by project and name."""
        by_name: dict[tuple[str, str], list[Memory]] = {}
        for each in self._each(scope, Kind.PRIMING, ()):
            if each.name is not None:
                by_name.setdefault((each.project, each.name.casefold()), []).append(each)
        return [
            Territory(its[0].name or "", project, len(its), its[0].valid_at)
            for (project, _), its in sorted(by_name.items(), key=lambda each: each[0])
        ]

    def flags(self, scope: Scope, found: Sequence[Found]) -> list[Flag]:
        """Flags with the blocks that they were compiled in."""
        compiled = self._made_from(scope, [each for each, _ in found])
        return [
            Flag(
                id=each.logical_id,
                version=each.version,
                type=type_of(each),
                status=status_of(each),
                content=each.content,
                project=each.project,
                tags=each.tags,
                compiled_in=tuple(link.source_id for link in compiled.get(each.logical_id, ())),
                valid_at=each.valid_at,
                score=score,
                redacted=each.redacted,
            )
            for each, score in found
        ]

    def _each(self, scope: Scope, kind: Kind, tags: tuple[str, ...]) -> Iterator[Memory]:
        now = self.clock()
        selection = Selection(kinds=(kind,), tags=tags, as_of=AsOf(now, now))
        read = 0
        while page := self.door.asking(scope).browse(selection, _PAGE, read):
            yield from page
            read += len(page)
            if len(page) < _PAGE:
                return

    def _pattern(
        self, scope: Scope, memory: Memory, score: float | None, tried: Sequence[Link], whole: bool
    ) -> Pattern:
        judged = [each for each in tried if isinstance(each.extra.get(SUCCESS), bool)]
        successes = sum(bool(each.extra[SUCCESS]) for each in judged)
        return Pattern(
            id=memory.logical_id,
            version=memory.version,
            name=memory.name,
            content=memory.content,
            project=memory.project,
            tags=memory.tags,
            successes=successes,
            tries=len(judged),
            success_score=success_score(successes, len(judged)),
            outcomes=self._outcomes(scope, judged) if whole else (),
            valid_at=memory.valid_at,
            score=score,
            redacted=memory.redacted,
        )

    def _outcomes(self, scope: Scope, judged: Sequence[Link]) -> tuple[Outcome, ...]:
        notes = self.door.asking(scope).fetch([each.source_id for each in judged])
        found = [
            Outcome(
                id=note.logical_id, success=bool(each.extra[SUCCESS]), note=note.content, at=note.valid_at
            )
            for each in judged
            if (note := notes.get(each.source_id)) is not None
        ]
        return tuple(sorted(found, key=lambda each: each.at, reverse=True))

    def _made_from(self, scope: Scope, memories: Sequence[Memory]) -> dict[str, list[Link]]:
        """Logical id -> the links of what was made from it."""
        made: dict[str, list[Link]] = {}
        for link in self._links(scope, memories):
            made.setdefault(link.target_id, []).append(link)
        return made

    def _links(self, scope: Scope, memories: Sequence[Memory]) -> list[Link]:
        """The DERIVED_FROM links at memories; of a projects' scope also those from elsewhere."""
        ids = [each.logical_id for each in memories]
        found = self.door.asking(replace(scope, projects=None)).links(ids, to_others=True) if ids else []
        return [each for each in found if each.relation == Relation.DERIVED_FROM]


def is_plain(memory: Memory) -> bool:
    """Whether it is what somebody wrote, and no detection that waits for review."""
    return memory.registration is None


def type_of(flag: Memory) -> str:
    """What a flag is."""
    said = flag.metadata.get(FLAG_TYPE)
    return said if isinstance(said, str) and said else USUAL_TYPE


def status_of(flag: Memory) -> FlagStatus:
    """How a flag stands: as far as its matter has come."""
    is_done = flag.resolution_state is ResolutionState.RESOLVED
    return FlagStatus.COMPILED if is_done else FlagStatus.PENDING
