"""A model at its address in the protocol that is spoken there, by the client library of that protocol alone.

The libraries' own variables for addresses and keys do not count: nothing goes where the settings do not name it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engramforge.errors import ModelUnavailable
from engramforge.llm.options import ModelOptions
from engramforge.model.language_models.spec import ModelKind

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model

_NO_KEY: Final = "none"
"""Stands where the libraries want a key for a server that needs none."""


def not_installed() -> ModelUnavailable:
    """What is missing, and how to get it."""
    return ModelUnavailable(
        "A language model is configured, and the library that asks it is not installed",
        "Run pip install 'engramforge[llm]'",
    )


def served_model(options: ModelOptions, client: httpx2.AsyncClient) -> Model:
    """The model, asked through `client`. Raises ImportError: a library is not installed."""
    if options.spec.kind is ModelKind.ANTHROPIC:
        return _anthropic(options, client)
    return _openai(options, client)


def _anthropic(options: ModelOptions, client: httpx2.AsyncClient) -> Model:
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    spoken = AsyncAnthropic(
        api_key=options.api_key or _NO_KEY,
        base_url=options.address,
        http_client=client,
        max_retries=0,
        timeout=options.timeout_s,
    )
    return AnthropicModel(options.spec.name, provider=AnthropicProvider(anthropic_client=spoken))


def _openai(options: ModelOptions, client: httpx2.AsyncClient) -> Model:
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    spoken = AsyncOpenAI(
        api_key=options.api_key or _NO_KEY,
        base_url=options.address,
        http_client=client,
        max_retries=0,
        timeout=options.timeout_s,
    )
    kind, name = options.spec.kind, options.spec.name
    if options.base_url is None and kind is ModelKind.OPENAI:
        return OpenAIChatModel(name, provider=OpenAIProvider(openai_client=spoken))
    # Others know the name of before for the most tokens of an answer.
    profile = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=kind is ModelKind.OPENAI)
    provider = OpenAICompatibleProvider(str(kind), openai_client=spoken, profile=profile)
    return OpenAIChatModel(name, provider=provider)
