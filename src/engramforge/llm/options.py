"""What a door to a language model is made with; assembly reads it from the settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from engramforge.model.language_models.spec import ModelKind, ModelSpec

BASE_URLS: Final[Mapping[ModelKind, str]] = {
    ModelKind.OPENAI: "https://api.openai.com/v1",
    ModelKind.ANTHROPIC: "https://api.anthropic.com",
    ModelKind.GEMINI: "https://generativelanguage.googleapis.com/v1beta/openai",
    ModelKind.LOCAL: "http://127.0.0.1:11434/v1",
}
"""The providers' own addresses; for `local` that of Ollama."""
_MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Which model, and within what limits.

    Parameters
    ----------
    spec : the model. base_url : its address, None for the provider's own. api_key : in no repr.
    home : the folder in which the spending of all processes is kept.
    timeout_s : the longest that one question may take, with its repetitions.
    output_tokens : the most tokens of one answer.
    price_input, price_output : money per million tokens.
    cap, cap_tokens : the most money, and the most tokens, of a calendar month in UTC; None: no limit.
    extracts : whether it reads what comes in.
    """

    spec: ModelSpec
    home: Path
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    timeout_s: float = 30.0
    output_tokens: int = 4_096
    price_input: float = 0.0
    price_output: float = 0.0
    cap: float | None = None
    cap_tokens: int | None = None
    extracts: bool = False

    @property
    def address(self) -> str:
        """Where calls go, without a slash at its end."""
        return (self.base_url or BASE_URLS[self.spec.kind]).rstrip("/")

    @property
    def place(self) -> str:
        """The address without user, password or query, for people."""
        parts = urlsplit(self.address)
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"

    @property
    def lacks_key(self) -> bool:
        """Whether the provider itself would be asked without a key; a server of one's own may need none."""
        return self.api_key is None and self.base_url is None and self.spec.kind is not ModelKind.LOCAL

    def money(self, input_tokens: int, output_tokens: int) -> float:
        """What so many tokens cost."""
        return (input_tokens * self.price_input + output_tokens * self.price_output) / _MILLION
