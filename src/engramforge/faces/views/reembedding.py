"""The shapes of a store's encoders: which it compares by, what a reembed would take, and what it did."""

from __future__ import annotations

from dataclasses import dataclass

from engramforge.faces.views.shape import Shape
from engramforge.model.embeddings.reembedding import EncoderStatus, ReembedEstimate, ReembedReport


@dataclass(frozen=True, slots=True)
class EncoderView(Shape[EncoderStatus]):
    """A space whose encoder may be chosen: what the settings name, what the store holds, whether the two differ."""

    space: str
    wanted: str
    setting: str
    held: str
    held_id: str | None
    unfinished: bool
    differs: bool

    @property
    def said(self) -> str:
        """The difference in a sentence."""
        if self.unfinished:
            return f"{self.space}: a reembed was begun and has not ended: run engramforge reembed"
        return f"{self.space}: the settings name {self.wanted}, the store holds {self.held}: run engramforge reembed"


@dataclass(frozen=True, slots=True)
class ReembedEstimateView(Shape[ReembedEstimate]):
    """What a reembed of a space would take."""

    space: str
    source: str
    target: str
    memories: int
    tokens: int
    money: float

    @classmethod
    def _derived(cls, value: ReembedEstimate) -> dict[str, object]:
        return {"money": round(value.money, 6)}


@dataclass(frozen=True, slots=True)
class ReembedView(Shape[ReembedReport]):
    """What a reembed of a space did; calls, tokens and money are what the endpoint says of this run."""

    space: str
    source: str
    target: str
    embedded: int
    dropped: int
    resumed: bool
    seconds: float
    calls: int
    tokens: int
    money: float

    @classmethod
    def _derived(cls, value: ReembedReport) -> dict[str, object]:
        spent = value.spending
        money = round(spent.money, 6)
        return {
            "seconds": round(value.seconds, 3),
            "calls": spent.calls,
            "tokens": spent.tokens,
            "money": money,
        }
