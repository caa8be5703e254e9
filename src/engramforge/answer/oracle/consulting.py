"""The oracle: evidence from the store, or from a second one where that is silent, and the answer written out of it.

Out of what is remembered alone: where nothing is relevant it says so (spec chapter 9).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

from engramforge.answer.oracle.gathering import Asked, Evidence, Gathering
from engramforge.core.oracle.silk import written
from engramforge.errors import CallerError, WorldError
from engramforge.model.oracle import Depth, OracleAnswer
from engramforge.model.scope import Scope
from engramforge.recall.request import PRESENT, AskedTimes, Moment
from engramforge.recall.retrieval import Retriever
from engramforge.store.door import Door

_NO_FALLBACK: Final = "The fallback store was not asked: "


class SecondStore(Protocol):
    """A store that is asked where the first is empty or silent, and only read."""

    def gather(self, asked: Asked) -> Evidence:
        """The evidence there. Raises CallerError or WorldError where the store cannot answer."""

    def close(self) -> None:
        """Let go of it."""


@dataclass(frozen=True, slots=True)
class Consulting:
    """Consults what is remembered. `fallback`: the second store; None: there is none."""

    retriever: Retriever
    door: Door
    clock: Callable[[], datetime]
    fallback: SecondStore | None = None

    def consult(
        self, scope: Scope, query: str, depth: Depth, times: AskedTimes = PRESENT, now: Moment = None
    ) -> OracleAnswer:
        """The answer to a question. `now`: what relative dates count from."""
        asked = Asked(scope, query, depth, times, now)
        evidence, degraded = Gathering(self.retriever, self.door, self.clock).gather(asked), ""
        if not evidence.resonant and self.fallback is not None:
            try:
                second = self.fallback.gather(asked)
                evidence = second if second.resonant else evidence
            except (CallerError, WorldError) as error:
                degraded = f"{_NO_FALLBACK}{error}"
        said = [
            (each.excerpt, (cited,))
            for each, cited in zip(evidence.resonant, evidence.citations, strict=True)
        ]
        return OracleAnswer(
            query=query,
            depth=depth,
            answered=bool(said),
            answer=written(said, evidence.contradictions, evidence.gaps),
            citations=evidence.citations,
            resonant_set=evidence.resonant,
            contradictions=evidence.contradictions,
            gaps=evidence.gaps,
            degraded=degraded,
            sources=(evidence.store,) if said else (),
        )
