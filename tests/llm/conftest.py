"""A model to ask, at a server of the test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.model_server import KEY, ModelServer

from engramforge.llm.language_model import LanguageModel
from engramforge.llm.options import ModelOptions
from engramforge.model.language_models.spec import parse_model_spec


@dataclass
class Part:
    """A part of what a model is asked for."""

    word: str


@dataclass
class Shape:
    """What a model is asked for."""

    name: str
    parts: list[Part]


GOOD: dict[str, Any] = {"name": "buoy", "parts": [{"word": "red"}]}
ASKED = Shape("buoy", [Part("red")])
Made = Callable[..., LanguageModel]


@pytest.fixture
def make(tmp_path: Path) -> Made:
    """A model at a server. `kind`: whose protocol; further options as `ModelOptions` has them."""

    def made(server: ModelServer, kind: str = "openai", **options: Any) -> LanguageModel:
        chosen: dict[str, Any] = {"timeout_s": 60.0, "api_key": KEY, **options}
        address = server.root if kind == "anthropic" else server.url
        spec = parse_model_spec(f"{kind}:tiny", "model_reasoning")
        found = ModelOptions(spec, tmp_path, base_url=address, **chosen)
        return LanguageModel(found, str, lambda: datetime.now(UTC))

    return made
