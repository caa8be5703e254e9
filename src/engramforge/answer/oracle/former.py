"""What there was before what is cited: its predecessor on record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engramforge.answer.oracle.cited import Cited, beside
from engramforge.core.oracle.asked_time import asks_for_former
from engramforge.model.link import Relation
from engramforge.model.memory import Kind, Memory
from engramforge.model.search.selection import Selection
from engramforge.store.door import View

FORMER: Final = "what it took the place of"


@dataclass(frozen=True, slots=True)
class Former:
    """Finds what held before, where a question asks for it."""

    view: View
    selection: Selection
    query: str

    def first(self, found: Sequence[Cited]) -> list[Cited]:
        """What is cited, the first decision of it behind its predecessor."""
        if not asks_for_former(self.query):
            return list(found)
        known = {each for cited in found for each in cited.hit.logical_ids}
        for place, each in enumerate(found):
            if each.hit.memory.kind is not Kind.DECISION:
                continue
            for memory in self._before(each.hit.memory.logical_id):
                if memory.logical_id not in known:
                    return [*found[:place], beside(memory, FORMER).said(), *found[place:]]
        return list(found)

    def _before(self, logical_id: str) -> list[Memory]:
        links = self.view.links([logical_id], self.selection, to_others=True)
        ends = [
            link.target_id
            for link in links
            if link.relation == Relation.SUPERSEDES and link.source_id == logical_id
        ]
        return [versions[-1] for versions in map(self.view.versions, ends) if versions]
