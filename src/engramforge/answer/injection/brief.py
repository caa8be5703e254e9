"""What is known of the file, package or program that a tool is about to touch: decisions and warnings that name it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from engramforge.answer.injection.occasion import Occasion
from engramforge.answer.injection.offers import Offer
from engramforge.core.injection.gate import is_warning
from engramforge.core.injection.priority import agreement_of, days_between, priority
from engramforge.core.injection.tool_names import TOOLS, names_in, names_it
from engramforge.model.injection import Reason, Section
from engramforge.model.memory import Kind
from engramforge.model.registries.entry import DecisionStatus
from engramforge.model.scope import Scope
from engramforge.model.search.hit import Hit
from engramforge.model.search.selection import Selection
from engramforge.recall.request import recall_request
from engramforge.recall.retrieval import Retriever

_ASKED: Final = 20
_KINDS: Final = (
    *(Kind.DECISION, Kind.NOTE, Kind.LEARNING, Kind.PATTERN, Kind.PROMPT, Kind.MESSAGE, Kind.CHUNK),
    Kind.SESSION_SUMMARY,
)
"""Of what kinds warnings are taken: what a model said by the way warns of too much."""


@dataclass(frozen=True, slots=True)
class Brief:
    """Finds what should be known before a tool is used."""

    retriever: Retriever
    clock: Callable[[], datetime]

    def offers(self, scope: Scope, asked: Occasion, now: datetime) -> list[Offer]:
        """The project's standing decisions and warnings that name what the tool is about; none without a project."""
        if asked.tool not in TOOLS or asked.project is None:
            return []
        names = names_in(asked.tool, asked.given)
        if not names:
            return []
        selection = Selection(kinds=_KINDS, exclude_session=asked.session)
        request = recall_request(" ".join(names), selection, clock=self.clock, limit=_ASKED, now=now)
        hits = self.retriever.recall(scope.within(asked.project), request).hits
        return [offer for hit in hits if (offer := _offer(hit, names, now)) is not None]


def _offer(hit: Hit, names: tuple[str, ...], now: datetime) -> Offer | None:
    said = hit.gist or hit.excerpt
    entry = hit.memory.registration
    is_decision = hit.memory.kind is Kind.DECISION
    if is_decision and entry is not None and entry.status != DecisionStatus.ACTIVE:
        return None
    if names_it(said, names) is None or not (is_decision or is_warning(said)):
        return None
    agreement = agreement_of(match.space for match in hit.matches if match.high)
    worth = priority(hit.parts.similarity, days_between(hit.memory.valid_at, now), agreement)
    return Offer(hit.memory, Section.RECENT, Reason.NAMES, worth, said)
