"""The oracle: pluck (embed), echo (the nearest), resonance (relevant, against, missing), silk (the answer).

Out of what is remembered alone: where nothing is relevant it says so (spec chapter 9).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import TYPE_CHECKING, Final

from engramforge.core.conflicts.disagreement import disagreement
from engramforge.core.oracle.resonance import LEAST, gaps, resonant
from engramforge.core.oracle.silk import written
from engramforge.core.text.portions import excerpt_within
from engramforge.errors import InvalidValue
from engramforge.model.memory import Kind
from engramforge.model.oracle import Citation, Contradiction, Depth, OracleAnswer
from engramforge.model.scope import Scope
from engramforge.model.search.hit import Hit
from engramforge.model.search.selection import Selection
from engramforge.recall.request import PRESENT, AskedTimes, Moment, recall_request
from engramforge.recall.retrieval import Retriever
from engramforge.registries.decisions.decision_view import decision_text, rejected_of
from engramforge.registries.registered import registration_of

if TYPE_CHECKING:
    from engramforge.llm.language_model import LanguageModel

_ECHO: Final = 20
"""How many of the nearest are looked at."""
_SAID: Final = 300
"""Characters of a statement."""
_STATEMENT: Final = 400
"""Characters of a text that says one thing."""
_KINDS: Final = tuple(kind for kind in Kind if kind not in (Kind.ARCHIVE, Kind.LINEAGE, Kind.FLAG))
_REGISTRIES: Final = (Kind.DECISION, Kind.THREAD)
_PRIMARY: Final = "primary"


@dataclass(frozen=True, slots=True)
class Consulting:
    """Consults what is remembered. `model`: reasons about it and writes the answer; None: rules do."""

    retriever: Retriever
    clock: Callable[[], datetime]
    model: LanguageModel | None = None

    def consult(
        self,
        scope: Scope,
        query: str,
        depth: Depth,
        times: AskedTimes = PRESENT,
        now: Moment = None,
        by_model: bool | None = None,
    ) -> OracleAnswer:
        """The answer to a question. `now`: what relative dates count from. `by_model`: whether the model is asked;
        None: where there is one. Raises InvalidValue: it is to be asked, and none is configured.
        """
        if by_model and self.model is None:
            raise InvalidValue(
                "The answer is to be by a model, and none is configured",
                "Set model_reasoning, such as openai:MODEL or local:MODEL",
            )
        found = self._found(scope, query, _KINDS, times, now)
        if depth is Depth.DEEP:
            found = _together(found, self._found(scope, query, _REGISTRIES, times, now))
        chosen = _relevant(found)
        missing = gaps(query, [_whole(each) for each in chosen])
        if depth is Depth.DEEP and chosen and missing:
            # A second round on what is missing, beside what was found.
            further = _relevant(self._found(scope, " ".join(missing), _KINDS, times, now))
            chosen = _together(chosen, further)
            missing = gaps(query, [_whole(each) for each in chosen])
        said = [(_said(each), (_citation(each),)) for each in chosen]
        against = _contradictions(chosen)
        ruled = OracleAnswer(
            query=query,
            depth=depth,
            answered=bool(said),
            answer=written(said, against, missing if said else ()),
            citations=tuple(each for _, cited in said for each in cited),
            resonant_set=tuple(chosen),
            contradictions=against,
            gaps=missing,
            degraded="",
            sources=(_PRIMARY,) if said else (),
        )
        if self.model is None or by_model is False:
            return ruled
        from engramforge.answer.oracle.reasoning import Reasoning

        return Reasoning(self.model, _citation).over(ruled, _together(chosen, found))

    def _found(
        self, scope: Scope, query: str, kinds: Sequence[Kind], times: AskedTimes, now: Moment
    ) -> list[Hit]:
        request = recall_request(
            query, Selection(kinds=tuple(kinds)), times, clock=self.clock, limit=_ECHO, now=now
        )
        return list(self.retriever.recall(scope, request).hits)


def _relevant(found: Sequence[Hit]) -> list[Hit]:
    """The hits that an answer rests on; none where nothing answers."""
    ranked = sorted(found, key=lambda each: -each.parts.similarity)
    if not any(each.relevant for each in ranked) or ranked[0].parts.similarity < LEAST:
        return []
    return ranked[: resonant([each.parts.similarity for each in ranked])]


def _together(first: Sequence[Hit], more: Sequence[Hit]) -> list[Hit]:
    known = {each.memory.logical_id for each in first}
    known |= {each.logical_id for hit in first for each in hit.joined}
    return [*first, *(each for each in more if each.memory.logical_id not in known)]


def _whole(hit: Hit) -> str:
    return f"{hit.memory.content} {hit.memory.name or ''} {hit.but_now}"


def _said(hit: Hit) -> str:
    """What a hit says to the question, and what became of it."""
    line = " ".join((hit.gist or hit.excerpt).split())
    said = excerpt_within(line, _SAID, least=1) or ""
    return f"{said} (but now: {hit.but_now})" if hit.but_now else said


def _citation(hit: Hit) -> Citation:
    memory = hit.memory
    entry = memory.registration
    return Citation(
        id=entry.entry_id if entry else memory.logical_id,
        version_id=memory.id,
        kind=memory.kind,
        project=memory.project,
        at=memory.valid_at,
        epistemic_tier=memory.epistemic_tier,
        where=hit.where,
    )


def _contradictions(chosen: Sequence[Hit]) -> tuple[Contradiction, ...]:
    found = []
    for one, other in combinations(chosen, 2):
        texts = [_statement(one), _statement(other)]
        if max(map(len, texts)) > _STATEMENT:
            continue
        against = disagreement(texts[0], texts[1], _rejected(one), _rejected(other))
        if against is not None:
            newer, older = sorted((one, other), key=lambda each: each.memory.valid_at, reverse=True)
            found.append(Contradiction(_citation(newer), _citation(older), str(against.signal), against.why))
    return tuple(found)


def _statement(hit: Hit) -> str:
    return decision_text(hit.memory) if hit.memory.kind is Kind.DECISION else hit.memory.content


def _rejected(hit: Hit) -> tuple[str, ...]:
    return rejected_of(registration_of(hit.memory)) if hit.memory.kind is Kind.DECISION else ()
