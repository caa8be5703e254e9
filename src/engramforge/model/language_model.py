"""How a language model is named in the settings, and what is told of one: what it cost, whether it can be reached.

openai:MODEL      OpenAI, or any endpoint that speaks its protocol
anthropic:MODEL   Anthropic's own protocol
gemini:MODEL      Google's, through the address at which it speaks OpenAI's protocol
local:MODEL       a server of one's own that speaks OpenAI's protocol: Ollama, llama.cpp, vLLM, LM Studio
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engramforge.errors import InvalidValue
from engramforge.model.memory import Memory

PRIVATE = "private"
"""The tag, or the name in the metadata, that keeps a memory from every language model."""
_NO = ("", "0", "false", "no", "off")


class ModelKind(StrEnum):
    """Whose model it is."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"
    LOCAL = "local"


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """The choice of a model; `str` of it is what the settings say."""

    kind: ModelKind
    name: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"


def parse_model_spec(text: str, setting: str) -> ModelSpec:
    """The choice that a text names. Raises InvalidValue, naming the setting.

    >>> parse_model_spec("local:llama3.2:3b", "model_reasoning").name
    'llama3.2:3b'
    """
    kind, _, name = text.strip().partition(":")
    if kind.lower() not in set(ModelKind) or not name.strip() or not name.isprintable():
        raise InvalidValue(
            f"The setting {setting} is {text[:100]!r}",
            "Write openai:MODEL, anthropic:MODEL, gemini:MODEL or local:MODEL",
        )
    return ModelSpec(ModelKind(kind.lower()), name.strip())


def is_private(memory: Memory) -> bool:
    """Whether a memory is marked private: it has the tag, or the metadata say so."""
    said = str(memory.metadata.get(PRIVATE, "")).strip().lower()
    return said not in _NO or any(tag.strip().lower() == PRIVATE for tag in memory.tags)


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
