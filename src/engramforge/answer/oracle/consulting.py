"""The oracle: evidence from the store, or from a second one where that is silent, and the answer written out of it.

Out of what is remembered alone: where nothing is relevant it says so (spec chapter 9).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final, Protocol

from engramforge.answer.oracle.gathering import Asked, Evidence, Gathering
from engramforge.core.oracle.silk import written
from engramforge.errors import CallerError, InvalidValue, WorldError
from engramforge.model.oracle import Depth, OracleAnswer
from engramforge.model.scope import Scope
from engramforge.recall.request import PRESENT, AskedTimes, Moment
from engramforge.recall.retrieval import Retriever
from engramforge.store.door import Door

if TYPE_CHECKING:
    from engramforge.llm.language_model import LanguageModel

_NO_FALLBACK: Final = "The fallback store was not asked: "


class SecondStore(Protocol):
    """A store that is asked where the first is empty or silent, and only read."""

    def gather(self, asked: Asked) -> Evidence:
        """The evidence there. Raises CallerError or WorldError where the store cannot answer."""

    def close(self) -> None:
        """Let go of it."""


@dataclass(frozen=True, slots=True)
class Consulting:
    """Consults what is remembered.

    Parameters
    ----------
    fallback : the second store; None: there is none.
    model : reasons about the evidence and writes the answer; None: rules do.
    """

    retriever: Retriever
    door: Door
    clock: Callable[[], datetime]
    fallback: SecondStore | None = None
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
        evidence, degraded = self._gathered(Asked(scope, query, depth, times, now))
        ruled = _by_rules(query, depth, evidence, degraded)
        if self.model is None or by_model is False:
            return ruled
        from engramforge.answer.oracle.reasoning import Reasoning

        return Reasoning(self.model).over(ruled, evidence)

    def _gathered(self, asked: Asked) -> tuple[Evidence, str]:
        """The evidence, the second store's where the first is silent, and why that was not asked."""
        evidence = Gathering(self.retriever, self.door, self.clock).gather(asked)
        if evidence.resonant or self.fallback is None:
            return evidence, ""
        try:
            second = self.fallback.gather(asked)
        except (CallerError, WorldError) as error:
            return evidence, f"{_NO_FALLBACK}{error}"
        return (second if second.resonant else evidence), ""


def _by_rules(query: str, depth: Depth, evidence: Evidence, degraded: str) -> OracleAnswer:
    said = [
        (each.excerpt, (cited,)) for each, cited in zip(evidence.resonant, evidence.citations, strict=True)
    ]
    return OracleAnswer(
        query=query,
        depth=depth,
        answered=bool(said),
        answer=written(
            said,
            evidence.contradictions,
            evidence.gaps,
            evidence.successions,
            with_projects=evidence.of_several,
            cautions=evidence.cautions,
            near=evidence.nearest,
        ),
        citations=evidence.citations,
        resonant_set=evidence.resonant,
        contradictions=evidence.contradictions,
        gaps=evidence.gaps,
        degraded=degraded,
        sources=(evidence.store,) if said else (),
        successions=evidence.successions,
        cautions=evidence.cautions,
        nearest=evidence.nearest,
    )
