"""What became of what is cited: the decision that holds in its place, the one that an answer made of a proposal, and
statements that wait for review before they end it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engramforge.answer.oracle.cited import SAID, Cited, beside, standing_versions, stands_at, statement_of
from engramforge.answer.oracle.opposed import TOOK_ITS_PLACE
from engramforge.core.registries.registration import evidence_of
from engramforge.core.text.portions import excerpt_within
from engramforge.core.text.words import is_stop_word, root_of, words_of
from engramforge.model.memory import Kind, Memory
from engramforge.model.oracle import Mentioned
from engramforge.model.registries.entry import DecisionStatus, EntryQuery, ReviewStatus
from engramforge.model.search.selection import Selection
from engramforge.registries.registered import registration_of
from engramforge.store.door import View

DECIDED: Final = "what was decided of a proposal"
_ENDING: Final = (str(DecisionStatus.SUPERSEDED), str(DecisionStatus.INVALIDATED))
_LOOKED_AT: Final = 200
_MOST: Final = 3


@dataclass(frozen=True, slots=True)
class FollowUps:
    """Finds what became of what is cited."""

    view: View
    selection: Selection

    def before(self, found: Sequence[Cited]) -> list[Cited]:
        """What is cited, each behind the decision that took its place or that was made of it by an answer."""
        told: list[Cited] = []
        known = {each for cited in found for each in cited.hit.logical_ids}
        for each in found:
            told += [one.said() for one in self._of(each) if one.hit.memory.logical_id not in known]
            known |= {one.hit.memory.logical_id for one in told}
            told.append(each)
        return told

    def _of(self, each: Cited) -> Iterator[Cited]:
        outcome, memory = each.hit.outcome, each.hit.memory
        if outcome is not None and outcome.kind is Kind.DECISION and stands_at(outcome, self.selection):
            yield beside(outcome, TOOK_ITS_PLACE)
        if memory.speaker == "assistant" and memory.session_id:
            for made in self._made_of(memory):
                yield beside(made, DECIDED)

    def _made_of(self, proposal: Memory) -> Iterator[Memory]:
        """The decisions of its conversation that say what a proposal said, by words of somebody else behind it."""
        query = EntryQuery(kind=Kind.DECISION, conversations=(str(proposal.session_id),), limit=_LOOKED_AT)
        ids = [
            each.logical_id
            for each in self.view.entries(query)
            if each.project == proposal.project
            and each.valid_at >= proposal.valid_at
            and _evidence_id(each) != proposal.logical_id
            and _has(proposal.content, statement_of(each))
        ]
        yield from standing_versions(self.view, ids[:1], self.selection).values()

    def waiting(self, found: Sequence[Cited]) -> tuple[Mentioned, ...]:
        """The later statements that wait for review and may end what is cited, by the name of what they end."""
        point = self.selection.as_of
        if not found or point is None or point.recorded is None or point.valid is None:
            return ()
        query = EntryQuery(kind=Kind.FLAG, statuses=(str(ReviewStatus.PENDING),), limit=_LOOKED_AT)
        told = []
        for flag in self.view.entries(query):
            proposal = registration_of(flag).details.get("proposal")
            is_known = flag.created_at <= point.recorded and flag.valid_at <= point.valid
            if (
                proposal
                and is_known
                and proposal.get("status") in _ENDING
                and _may_end(proposal, flag, found)
            ):
                says = excerpt_within(" ".join(str(proposal["sentence"]).split()), SAID, least=1) or ""
                id_ = registration_of(flag).entry_id
                told.append(Mentioned(id_, flag.project, flag.valid_at, says, str(proposal.get("why", ""))))
        return tuple(told[:_MOST])


def _may_end(proposal: dict[str, Any], flag: Memory, found: Sequence[Cited]) -> bool:
    ended = set(_words(str(proposal.get("text", ""))))
    return bool(ended) and any(
        each.hit.memory.project == flag.project
        and each.hit.memory.valid_at <= flag.valid_at
        and ended <= set(_words(statement_of(each.hit.memory)))
        for each in found
    )


def _words(text: str) -> list[str]:
    return [root_of(word) for word in words_of(text) if not is_stop_word(word)]


def _has(text: str, part: str) -> bool:
    return bool(part) and f" {' '.join(words_of(part))} " in f" {' '.join(words_of(text))} "


def _evidence_id(decision: Memory) -> str:
    evidence = evidence_of(registration_of(decision))
    return "" if evidence is None else evidence.message_id
