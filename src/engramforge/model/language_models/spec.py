"""How a language model is named in the settings.

openai:MODEL      OpenAI, or any endpoint that speaks its protocol
anthropic:MODEL   Anthropic's own protocol
gemini:MODEL      Google's, through the address at which it speaks OpenAI's protocol
local:MODEL       a server of one's own that speaks OpenAI's protocol: Ollama, llama.cpp, vLLM, LM Studio
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engramforge.errors import InvalidValue


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
