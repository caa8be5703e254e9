"""The shapes of a store's encoders: which it compares by, what a reembed would take, and what it did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engramforge.model.embeddings.reembedding import EncoderStatus, ReembedEstimate, ReembedReport


@dataclass(frozen=True, slots=True)
class EncoderView:
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
class ReembedEstimateView:
    """What a reembed of a space would take."""

    space: str
    source: str
    target: str
    memories: int
    tokens: int
    money: float


@dataclass(frozen=True, slots=True)
class ReembedView:
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


def view_encoders(statuses: Sequence[EncoderStatus]) -> list[EncoderView]:
    """The encoders as shapes."""
    return [
        EncoderView(
            str(one.space), one.wanted, one.setting, one.held, one.held_id, one.unfinished, one.differs
        )
        for one in statuses
    ]


def view_estimates(estimates: Sequence[ReembedEstimate]) -> list[ReembedEstimateView]:
    """The estimates as shapes."""
    return [
        ReembedEstimateView(
            str(one.space), one.source, one.target, one.memories, one.tokens, round(one.money, 6)
        )
        for one in estimates
    ]


def view_reembeds(reports: Sequence[ReembedReport]) -> list[ReembedView]:
    """The reports as shapes."""
    return [
        ReembedView(
            str(one.space),
            one.source,
            one.target,
            one.embedded,
            one.dropped,
            one.resumed,
            round(one.seconds, 3),
            one.spending.calls,
            one.spending.tokens,
            round(one.spending.money, 6),
        )
        for one in reports
    ]
