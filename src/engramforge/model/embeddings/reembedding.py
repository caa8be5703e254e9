"""Reports on moving a store from one encoder to another: what is wanted, what it would take, what was done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from engramforge.model.embeddings.encoder_spec import EncoderSpec
from engramforge.model.spaces import Space


@dataclass(frozen=True, slots=True)
class Spending:
    """Calls that were answered, the tokens that they used, and their price in the currency of the settings."""

    calls: int = 0
    tokens: int = 0
    money: float = 0.0

    def plus(self, tokens: int, money: float) -> Spending:
        """With one more call."""
        return Spending(self.calls + 1, self.tokens + tokens, self.money + money)


@dataclass(frozen=True, slots=True)
class Choice:
    """The encoder that the settings want for a space, and the setting that says so."""

    spec: EncoderSpec
    setting: str


@dataclass(frozen=True, slots=True)
class EncoderStatus:
    """A space whose encoder may be chosen: what the settings name, and what the store holds.

    `wanted`, `setting`: what the settings name, and which of them. `held`, `held_id`: spec and id of the encoder that
    the store compares by; the id is None for the static one. `unfinished`: a reembed of the space was begun and has not
    ended.
    """

    space: Space
    wanted: str
    setting: str
    held: str
    held_id: str | None = None
    unfinished: bool = False

    @property
    def differs(self) -> bool:
        """Whether a reembed is due."""
        return self.wanted != self.held or self.unfinished


@dataclass(frozen=True, slots=True)
class Unfilled:
    """Memories written before some spaces had an encoder, which may lack parts in these.

    `memories`: how many versions a reembed will look at. `spaces`: where they may lack something; mentioned names count
    as the space entity.
    """

    memories: int
    spaces: tuple[Space, ...]


@dataclass(frozen=True, slots=True)
class ReembedEstimate:
    """What a reembed of a space would take.

    Parameters
    ----------
    source, target : the encoders' specs; from "nothing" where memories are older than the space's encoder.
    memories : how many versions lack an embedding by the target; all of them where it was never used.
    tokens : about how many tokens would be sent to an endpoint, four bytes each; 0 for a model that runs here.
    money : their price, by the setting embedding_price.
    """

    space: Space
    source: str
    target: str
    memories: int
    tokens: int
    money: float


@dataclass(frozen=True, slots=True)
class ReembedReport:
    """What a reembed of a space did.

    `source`, `target`: ids of the encoders; from "nothing" where memories were older than the space's encoder.
    `embedded`: how many versions this run embedded. `dropped`: how many embeddings of other encoders were removed.
    `spending`: what the endpoint says that this run used.
    """

    space: Space
    source: str
    target: str
    embedded: int
    dropped: int
    resumed: bool
    seconds: float
    spending: Spending = field(default_factory=Spending)


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """The calibrations in use.

    Parameters
    ----------
    id : of the whole set; hits carry the ids of its members.
    number : how many times the store has been fitted; 0 for what is shipped alone.
    fitted_at, fitted_memories : when it was fitted, and to how many memories; None and 0 for what is shipped alone.
    pairs : how many pairs were compared for it just now.
    live : space/direction -> how many pairs of the store's own are in its background.
    """

    id: str
    number: int
    memories: int
    fitted_at: datetime | None
    fitted_memories: int
    pairs: int
    live: Mapping[str, int]
    seconds: float
