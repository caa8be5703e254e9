"""What is told of a language model: what it cost, whether it can be reached, what it read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelSpending:
    """What models cost in one month, of all processes that share a home.

    Parameters
    ----------
    month : in UTC, as 2026-11. calls : those that were answered, and those of which nobody knows.
    input_tokens, output_tokens : as the endpoint counts them.
    money : at the prices of the settings, in their currency; 0 without any.
    cap, cap_tokens : the most that may be spent in a month; None: no limit.
    """

    month: str
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    money: float = 0.0
    cap: float | None = None
    cap_tokens: int | None = None

    @property
    def tokens(self) -> int:
        """Of both kinds together."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class ModelState:
    """A model that is configured. `model`: as in the settings. `place`: its address. `extracts`: whether it reads what
    comes in.
    """

    model: str
    place: str
    extracts: bool
    spending: ModelSpending


@dataclass(frozen=True, slots=True)
class ModelReach:
    """Whether a model can be reached, as found without a call that costs anything; `mend` where it cannot."""

    is_reached: bool
    found: str
    mend: str = ""


@dataclass(frozen=True, slots=True)
class ModelReading:
    """What a model read of a store.

    Parameters
    ----------
    messages : how many it was asked about.
    entries, waiting, names : entries that were made, detections that wait for review, names that are new.
    is_complete : whether nothing is left. stopped : why the model could not be asked any further; empty if it could.
    """

    messages: int
    entries: int
    waiting: int
    names: int
    is_complete: bool
    stopped: str = ""
