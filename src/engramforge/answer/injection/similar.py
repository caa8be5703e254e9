"""Memories that answer a prompt or are like it: the project's own first, others' only where they clearly are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from engramforge.answer.injection.answered import Answered, leans, settled_after
from engramforge.answer.injection.decided import Decided, decided_of
from engramforge.answer.injection.occasion import Occasion
from engramforge.answer.injection.offers import SAID, Offer
from engramforge.answer.injection.stated import Stated, compared_with, reply_to, told_of, with_question
from engramforge.answer.injection.telling import (
    as_it_stands,
    crosses,
    is_own_doing,
    is_proposal,
    is_question,
    is_request_of_a_tool,
    ruled,
    telling,
    was_done,
    without_faint,
    without_nods,
)
from engramforge.answer.injection.warned import deed_in, forbidden_offers, warned_about
from engramforge.core.injection.gate import (
    Gate,
    asked_by,
    asks,
    asks_of_what_is,
    begins_work,
    is_of_own_project,
    replies,
)
from engramforge.core.injection.inputs.beside import is_of_another
from engramforge.core.injection.inputs.echoes import looks_for_a_rule
from engramforge.core.injection.inputs.matters import distinctive
from engramforge.core.injection.inputs.worth import MOST_OF_IT
from engramforge.core.injection.priority import TOPIC, agreement_of, days_between, families_of, priority
from engramforge.core.names.asked_project import asked_of_project
from engramforge.core.text.injection_marks import strip_injected
from engramforge.model.embeddings.embedding import QueryEmbedding
from engramforge.model.injection import Reason, Section
from engramforge.model.memory import Kind
from engramforge.model.scope import Scope
from engramforge.model.search.hit import Hit
from engramforge.model.spaces import Space
from engramforge.recall.outcomes import stands
from engramforge.recall.request import PRESENT, in_time, recall_request
from engramforge.recall.retrieval import Retriever
from engramforge.store.door import Door

_ASKED: Final = 12
_SCORED: Final = 150
"""Candidates that are scored; what is further down passes the gate hardly ever (docs/how-to/injection.md)."""
_KINDS: Final = tuple(
    kind for kind in Kind if kind not in (Kind.LINEAGE, Kind.ARCHIVE, Kind.FLAG, Kind.SESSION_SUMMARY)
)
"""What may be injected: of archives, edges and summaries, which repeat other memories, nothing."""
_MOST_REPLIES: Final = 2
_MOST_LEANING: Final = 4


@dataclass(frozen=True, slots=True)
class Similar:
    """Finds what a prompt should have beside it."""

    door: Door
    retriever: Retriever
    clock: Callable[[], datetime]
    gate: Gate
    embedded: list[QueryEmbedding] = field(default_factory=list)
    """What was asked of the project itself, for who else compares it."""

    def offers(self, scope: Scope, asked: Occasion, now: datetime) -> list[Offer]:
        """Memories that are relevant to the prompt and similar in enough spaces; none for a prompt that only steers."""
        prompt = strip_injected(asked.prompt)[0]
        forbidden = self._forbidden(scope, prompt, asked, now)
        query = asked_by(prompt)
        found = without_nods(self._answering(scope, query, asked, now)) if query else []
        return [*forbidden, *(each for each in found if not is_of_another(query, each.said))]

    def _forbidden(self, scope: Scope, prompt: str, asked: Occasion, now: datetime) -> list[Offer]:
        """What persons have ruled of what a prompt orders, at most two; whether or not it names a matter."""
        if asked.project is None or not (deed := deed_in(prompt)):
            return []
        chosen = in_time(asked.not_in_context(SAID), PRESENT, self.clock())
        with self.door.asking(scope.within(asked.project)) as view:
            return forbidden_offers(view, chosen, deed, now)

    def _answering(self, scope: Scope, query: str, asked: Occasion, now: datetime) -> list[Offer]:
        """What is relevant to what is asked: the project's own, others' where it has none."""
        if replies(query) and not distinctive(query):
            return []  # "ok do that but 5 min" is of what it replies to
        project = asked.project
        if project is not None and (named := self._of_named(scope, query, asked, now)):
            return named
        searched = 0
        if project is not None:
            offers, searched = self._own(scope.within(project), query, asked, now)
            if offers is not None:
                return offers
        if searched and searched == self.door.asking(scope).ground().profile.total:
            return []  # there is nothing else
        found, _ = self._found(scope, query, asked, now)
        elsewhere = (self._offer(hit, now, project) for hit in found if hit.memory.project != project)
        offers = [each for each in elsewhere if each is not None and crosses(each, query)]
        return telling(offers, query, is_of_own=is_of_own_project(query))

    def _of_named(self, scope: Scope, query: str, asked: Occasion, now: datetime) -> list[Offer]:
        """What another project has that a question names as where it asks: as that itself would be told it."""
        if not asks(query):
            return []
        names = self.door.asking(scope).project_names()
        found = asked_of_project(query, (name for name in names if name != asked.project))
        if found is None:
            return []
        name, question = found
        there = replace(self, embedded=[])
        offers, _ = there._own(scope.within(name), question, replace(asked, project=name), now)
        return [replace(each, reason=Reason.OTHER_PROJECT) for each in offers or ()]

    def _own(
        self, scope: Scope, query: str, asked: Occasion, now: datetime
    ) -> tuple[list[Offer] | None, int]:
        """What the project itself has, None where that is nothing and others may be asked; and how many memories it
        has."""
        question = self.retriever.embed(scope, query)
        self.embedded.append(question)
        hits, searched = self._found(scope, query, asked, now, question)
        found = [offer for hit in hits if (offer := self._offer(hit, now, asked.project)) is not None]
        found = [each for each in found if not is_own_doing(each.memory, asked)]
        offers = self._with_replies(scope, query, without_faint(found), asked)
        decided, is_sure, warned = self._answers(scope, query, question, asked, now)
        offers = ruled(offers, warned, query)
        if not (is_sure or warned) and all(each.memory.kind is Kind.TOOL_USE for each in offers):
            if asks(query):
                # Reads more, and is less sure than what has an answer already.
                looked = self.door, self.retriever, self.clock
                decided = Stated(*looked).offers(scope, question, asked, now) or decided
            if not decided:
                decided = self._named(scope, query, question, asked, now)
        decided = [x for each in self._settled(scope, decided, asked) for x in each]
        # Where the project itself has asked the same before, what others have is no nearer; also where it is answered.
        same = [hit.memory for hit in hits if is_question(hit.memory) and self._admits(hit, is_own=True)]
        since = Answered(self.door, self.clock).offers(scope, query, same, asked, now)
        if not (found or decided or warned or since):
            return None, searched
        # What was decided since of another matter ends no rule.
        told = as_it_stands(query, decided, [*offers, *telling(since, query)])
        return [*warned, *told], searched

    def _answers(
        self, scope: Scope, query: str, question: QueryEmbedding, asked: Occasion, now: datetime
    ) -> tuple[list[Offer], bool, list[Offer]]:
        """What was decided of what a prompt asks, whether that is sure to answer, and what persons warn of where it
        looks for a rule."""
        if not asks(query):
            return [], False, []
        warned: list[Offer] = []
        if looks_for_a_rule(query):
            chosen = in_time(asked.not_in_context(_KINDS), PRESENT, self.clock())
            with self.door.asking(scope) as view:
                warned = warned_about(view, chosen, query, now)
        decided, is_sure = Decided(self.door, self.retriever, self.clock).offers(scope, question, asked, now)
        return decided, is_sure, warned

    def _named(
        self, scope: Scope, query: str, question: QueryEmbedding, asked: Occasion, now: datetime
    ) -> list[Offer]:
        """What was decided of the matter that an order or a question about the project names: for a question, of the
        most of it."""
        is_order = begins_work(query)
        if not (is_order or asks_of_what_is(query)):
            return []
        with self.door.asking(scope) as view:
            found = decided_of(view, asked, query, self.clock, now)
        if is_order or not found or not question.words:
            return found
        texts = [told_of(each.memory) for each in found]
        covers = compared_with(question, self.retriever.table, texts, [0.0] * len(texts)).covers
        return [each for each, cover in zip(found, covers, strict=True) if cover >= MOST_OF_IT]

    def _with_replies(self, scope: Scope, query: str, found: list[Offer], asked: Occasion) -> list[Offer]:
        """The offers without turns that tell nothing; in the place of what an assistant asked or proposed is told what
        the person replied."""
        found, settled = self._settled(scope, found, asked)
        told = [*telling(found, query), *settled]
        asking = [each for each in found if is_proposal(each.memory)][:_MOST_REPLIES]
        if not asking and not any(is_request_of_a_tool(each.memory) for each in told):
            return told
        chosen = in_time(asked.not_in_context(_KINDS), PRESENT, self.clock())
        with self.door.asking(scope) as view:
            told = [
                each
                for each in told
                if not is_request_of_a_tool(each.memory) or was_done(view, chosen, each.memory)
            ]
            replies = [(each, reply_to(view, chosen, each.memory)) for each in asking]
        return [
            *told,
            *(
                replace(offer, memory=found[0], said=with_question(*found))
                for offer, found in replies
                if found is not None
            ),
        ]

    def _settled(self, scope: Scope, found: list[Offer], asked: Occasion) -> tuple[list[Offer], list[Offer]]:
        """The offers without what a person only asked or leaned to, where they said next what it is to be; and that,
        with what it is said to."""
        leaning = [each for each in found if leans(each.memory)][:_MOST_LEANING]
        if not leaning:
            return found, []
        chosen = in_time(asked.not_in_context(SAID), PRESENT, self.clock())
        with self.door.asking(scope) as view:
            after = [(each, settled_after(view, chosen, each.memory)) for each in leaning]
        settled = [
            replace(each, memory=reply, said=with_question(reply, each.memory.content))
            for each, reply in after
            if reply is not None
        ]
        left = {each.memory.logical_id for each, reply in after if reply is not None}
        return [each for each in found if each.memory.logical_id not in left], settled

    def _found(
        self,
        scope: Scope,
        query: str,
        asked: Occasion,
        now: datetime,
        embedding: QueryEmbedding | None = None,
    ) -> tuple[tuple[Hit, ...], int]:
        """The hits of a scope, and how many memories it has."""
        selection = asked.not_in_context(_KINDS)
        request = recall_request(query, selection, clock=self.clock, limit=_ASKED, now=now)
        # What the gate would turn away is neither read nor explained; how near in time a hit is, it does not ask.
        request = replace(request, min_similarity=self.gate.similarity, most=_SCORED, badged=False)
        found = self.retriever.recall(scope, request, embedding)
        return found.hits, found.searched

    def _admits(self, hit: Hit, *, is_own: bool) -> bool:
        high = _high(hit)
        families = families_of(high)
        return self.gate.admits(
            hit.relevant, hit.parts.similarity, agreement_of(high), families, is_own=is_own
        )

    def _offer(self, hit: Hit, now: datetime, project: str | None) -> Offer | None:
        is_own = hit.memory.project == project
        if not self._admits(hit, is_own=is_own):
            return None
        agreement, similarity = agreement_of(_high(hit)), hit.parts.similarity
        section = Section.RECENT if agreement >= TOPIC else Section.POSSIBLE
        reason = Reason.ANSWERS if is_own else Reason.OTHER_PROJECT
        worth = priority(similarity, days_between(hit.memory.valid_at, now), agreement)
        if hit.outcome is None:
            return Offer(hit.memory, section, reason, worth, hit.gist or hit.excerpt)
        # What stands now in the place of a message that told only of what ended: a model should read that, or nothing.
        is_standing = stands(hit.outcome)
        return Offer(hit.outcome, section, reason, worth, hit.outcome.content) if is_standing else None


def _high(hit: Hit) -> list[Space]:
    """The spaces in which a hit is high."""
    return [match.space for match in hit.matches if match.high]
