"""The shapes of an oracle's answer."""

from __future__ import annotations

from dataclasses import dataclass

from engramforge.faces.views.lens import SourceView
from engramforge.faces.views.shape import Shape
from engramforge.model.oracle import Citation, Contradiction, Mentioned, OracleAnswer, Succession


@dataclass(frozen=True, slots=True)
class CitationView(Shape[Citation]):
    """A memory that a statement rests on; `at` since when it is true; `store` primary or fallback;
    `because` why it is cited though the question's words did not find it, else empty; `speaker` who said it, or
    null."""

    id: str
    version_id: str
    kind: str
    project: str
    at: str
    epistemic_tier: float
    where: str
    quote: str
    store: str
    because: str
    speaker: str | None


@dataclass(frozen=True, slots=True)
class ContradictionView(Shape[Contradiction]):
    """Two cited memories that contradict each other, the newer first."""

    one: CitationView
    other: CitationView
    signal: str
    why: str


@dataclass(frozen=True, slots=True)
class SuccessionView(Shape[Succession]):
    """Two cited memories of which one took the place of the other."""

    successor: CitationView
    predecessor: CitationView
    why: str


@dataclass(frozen=True, slots=True)
class MentionedView(Shape[Mentioned]):
    """What an answer tells of beside what it rests on; `at` since when it is true, `why` in a few words or empty."""

    id: str
    project: str
    at: str
    says: str
    why: str
    store: str


@dataclass(frozen=True, slots=True)
class OracleView(Shape[OracleAnswer]):
    """An answer of the oracle; `answer` is Markdown."""

    query: str
    depth: str
    answered: bool
    answer: str
    citations: list[CitationView]
    resonant_set: list[SourceView]
    contradictions: list[ContradictionView]
    gaps: list[str]
    degraded: str
    sources: list[str]
    made_by: str
    citations_dropped: int
    successions: list[SuccessionView]
    cautions: list[MentionedView]
    nearest: list[MentionedView]
