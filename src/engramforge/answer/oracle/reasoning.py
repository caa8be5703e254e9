"""The oracle's resonance and silk by a language model: judged and written by it, checked here.

Whatever goes wrong with the model, the answer that was found without it stands, and says so. A memory that is marked
private is not sent; what was found without a model may still rest on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from engramforge.answer.oracle.cited import citation
from engramforge.answer.oracle.gathering import Evidence
from engramforge.core.oracle.reasoning import Given, Reasoned, Upheld, material, upheld
from engramforge.core.oracle.silk import written
from engramforge.core.text.portions import excerpt_within
from engramforge.errors import ModelUnavailable
from engramforge.llm.language_model import Answered, LanguageModel
from engramforge.llm.prompts import CONSULT
from engramforge.model.language_models.private import is_private
from engramforge.model.oracle import Citation, Contradiction, OracleAnswer
from engramforge.model.search.hit import Hit

_MOST: Final = 20
_TEXT: Final = 1_500
"""Characters of a memory that a model reads; of a longer one its nearest part."""
_BY: Final = "model"
"""The signal of a contradiction that a model found."""


@dataclass(frozen=True, slots=True)
class Reasoning:
    """Answers by a model."""

    model: LanguageModel

    def over(self, ruled: OracleAnswer, evidence: Evidence) -> OracleAnswer:
        """The model's answer to the question of `ruled` out of the evidence, or `ruled` with why it is not.

        Where no memory seems to answer, or all are private, no model is asked.
        """
        near = {each.memory.id: each for each in evidence.echo if each.relevant}
        near = {each.memory.id: each for each in evidence.resonant} | near
        shown = [each for each in near.values() if not _is_kept_back(each)][:_MOST]
        if not shown:
            return _degraded(ruled, "all that was found is private") if near else ruled
        given = [replace(each, text=self.model.clean(each.text)) for each in map(_given, shown)]
        question = self.model.clean(ruled.query)
        try:
            answered = self.model.ask(CONSULT, material(question, given), Reasoned)
        except ModelUnavailable as error:
            return _degraded(ruled, str(error))
        held = upheld(answered.said, given)
        if answered.said.statements and not held.statements:
            return _degraded(ruled, "no citation of the model's answer holds, so it was dropped")
        return _answer(ruled, evidence, shown, held, answered)


def _degraded(ruled: OracleAnswer, why: str) -> OracleAnswer:
    return replace(ruled, degraded=f"{ruled.degraded} Answered without a model: {why}".lstrip())


def _answer(
    ruled: OracleAnswer, evidence: Evidence, shown: Sequence[Hit], held: Upheld, answered: Answered[Reasoned]
) -> OracleAnswer:
    store = evidence.store
    citations = [citation(each, store) for each in shown]
    ids = [each.memory.logical_id for each in shown]
    opposed = [
        each
        for each in held.contradictions
        if frozenset((ids[each[0]], ids[each[1]])) not in evidence.dismissed
    ]
    cited = dict.fromkeys(place for _, holding in held.statements for place, _ in holding)
    quotes = {place: quote for _, holding in held.statements for place, quote in holding}
    against = _with_ruled(
        [_contradiction(citations[one], citations[other], why) for one, other, why in opposed],
        ruled.contradictions,
    )
    said = [(text, tuple(citations[place] for place, _ in holding)) for text, holding in held.statements]
    return replace(
        ruled,
        answered=bool(said),
        answer=written(
            said,
            against if said else (),
            held.missing if said else (),
            ruled.successions if said else (),
            with_projects=evidence.of_several,
            cautions=ruled.cautions,
            near=ruled.nearest,
        ),
        citations=tuple(replace(citations[place], quote=quotes[place]) for place in cited),
        resonant_set=tuple(shown[place] for place in held.relevant) if said else (),
        contradictions=against if said else (),
        successions=ruled.successions if said else (),
        gaps=held.missing,
        sources=(store,) if said else (),
        made_by=answered.made_by,
        citations_dropped=held.dropped,
        cautions=ruled.cautions if said else (),
        nearest=() if said else ruled.nearest,
    )


def _is_kept_back(hit: Hit) -> bool:
    """Whether a hit, or what it is one with (an entry's message, a copy), is marked private."""
    return any(map(is_private, (hit.memory, *hit.joined)))


def _given(hit: Hit) -> Given:
    memory = hit.memory
    text = memory.content if len(memory.content) <= _TEXT else (hit.gist or hit.excerpt)
    cut = excerpt_within(text, _TEXT, least=1) or ""
    status = "" if hit.outcome is not None and is_private(hit.outcome) else hit.but_now
    return Given(cut, memory.told_at, memory.epistemic_tier, memory.project, status)


def _contradiction(one: Citation, other: Citation, why: str) -> Contradiction:
    newer, older = sorted((one, other), key=lambda each: each.at, reverse=True)
    return Contradiction(newer, older, _BY, why)


def _with_ruled(found: Sequence[Contradiction], ruled: Sequence[Contradiction]) -> tuple[Contradiction, ...]:
    """What a model found, and what the rules see beside."""
    known = {frozenset((each.one.id, each.other.id)) for each in found}
    return (*found, *(each for each in ruled if frozenset((each.one.id, each.other.id)) not in known))
