"""What the oracle answers: statements with citations, contradictions, gaps, or that it does not know."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from engramforge.model.memory import Kind
from engramforge.model.search.hit import Hit

PRIMARY: Final = "primary"
FALLBACK: Final = "fallback"
"""The store that is asked, and the one that is asked where that is empty or silent."""


class Depth(StrEnum):
    """How far the oracle looks: the nearest memories, or what they are linked to, the registries and a second round
    too."""

    SHALLOW = "shallow"
    DEEP = "deep"


@dataclass(frozen=True, slots=True)
class Citation:
    """A memory that a statement rests on. `id`: of its entry, else its logical id. `at`: since when it is true.

    `quote`: the words of it that a model's statement rests on; empty where no model was asked.
    `store`: which holds it, primary or fallback. `because`: why it is cited though the question's words did not find
    it, such as that it is the other side of an open conflict; empty where they did. Also says of a memory that it
    gives orders to its reader. `speaker`: who said it, of what was said in a conversation.
    """

    id: str
    version_id: str
    kind: Kind
    project: str
    at: datetime
    epistemic_tier: float
    where: str
    quote: str = ""
    store: str = PRIMARY
    because: str = ""
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Succession:
    """Two cited memories of which one took the place of the other. `why`: by what that is known."""

    successor: Citation
    predecessor: Citation
    why: str


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two cited memories that contradict each other. `one`: the newer. `signal`, `why`: by what that is seen."""

    one: Citation
    other: Citation
    signal: str
    why: str


@dataclass(frozen=True, slots=True)
class Mentioned:
    """What an answer tells of beside what it rests on. `at`: since when it is true. `why`: in a few words, or empty."""

    id: str
    project: str
    at: datetime
    says: str
    why: str = ""
    store: str = PRIMARY


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleAnswer:
    """An answer of the oracle.

    Parameters
    ----------
    query, depth : what was asked, and how far it looked.
    answered : whether anything relevant was found; if not, `answer` says so and cites nothing.
    answer : Markdown, in which every statement cites ids in brackets.
    citations : what it cites, in the order of the answer.
    resonant_set : the memories that were found relevant, best first; their excerpts are what is cited.
    contradictions : among them.
    successions : among them; what took the place of another does not contradict it.
    gaps : words of the question that nothing cited says; without citations, that nothing near says.
    degraded : why a fallback store or a model that was to answer could not; empty where none was to, or it could.
    sources : the stores that answered: primary, fallback.
    made_by : the model that answered, and the prompt with its version; empty where none did.
    citations_dropped : how many of its citations did not hold.
    cautions : later statements that wait for review and may end what is cited; `id` of the detection.
    nearest : what comes nearest where nothing answers; no answer.
    """

    query: str
    depth: Depth
    answered: bool
    answer: str
    citations: tuple[Citation, ...]
    resonant_set: tuple[Hit, ...]
    contradictions: tuple[Contradiction, ...]
    gaps: tuple[str, ...]
    degraded: str
    sources: tuple[str, ...]
    made_by: str = ""
    citations_dropped: int = 0
    successions: tuple[Succession, ...] = ()
    cautions: tuple[Mentioned, ...] = ()
    nearest: tuple[Mentioned, ...] = ()
