"""One question to a model by pydantic-ai: the one module that imports it, on the thread of the question.

Each request is reserved before and settled after, repetitions and corrections included. Repeated within the time limit:
429, 5xx and a connection that broke, after Retry-After or a growing random pause; an answer of the wrong shape is sent
back once with what is wrong about it. Never repeated: any other refusal.
"""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING, Final, TypeVar

from engramforge.errors import EngramforgeError, ModelMisanswered, ModelUnavailable
from engramforge.llm.ledger import Ledger, Reserved
from engramforge.llm.options import ModelOptions
from engramforge.llm.prompts import Prompt
from engramforge.llm.serving import not_installed, served_model
from engramforge.model.language_models.spec import ModelKind

try:
    from pydantic_ai import Agent, NativeOutput, ToolOutput
    from pydantic_ai.exceptions import (
        AgentRunError,
        ContentFilterError,
        ModelAPIError,
        ModelAuthenticationError,
        ModelConnectionError,
        ModelHTTPError,
        ModelTimeoutError,
    )
    from pydantic_ai.messages import ModelMessagesTypeAdapter
    from pydantic_ai.models.wrapper import WrapperModel
    from pydantic_ai.settings import ModelSettings

    from engramforge.llm.bounded import MOST_BYTES, BoundedClient, TooLarge
except ImportError as error:
    raise not_installed() from error

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters

T = TypeVar("T")

_ATTEMPTS: Final = 3
_CORRECTIONS: Final = 1
_FIRST_PAUSE_S: Final = 0.5
_REPEATED: Final = frozenset({408, 425, 429})
_MOST_TOKENS: Final = 10_000_000
"""No model reads or writes more at once."""
_BYTES_A_TOKEN: Final = 4
_BESIDE: Final = 2_000
"""Bytes of a request beside the messages: the shape of the answer and what names it."""


async def asked(options: ModelOptions, ledger: Ledger, prompt: Prompt, material: str, shape: type[T]) -> T:
    """The answer as an object of `shape`. Raises ModelUnavailable, SpendingCapReached."""
    async with BoundedClient(options.timeout_s) as client:
        try:
            model = served_model(options, client)
        except ImportError as error:
            raise not_installed() from error
        agent = Agent(
            _Metered(model, options, ledger),
            # Servers of one's own keep to a schema, but often call no tools.
            output_type=NativeOutput(shape) if options.spec.kind is ModelKind.LOCAL else ToolOutput(shape),
            instructions=prompt.text,
            retries={"output": _CORRECTIONS, "tools": 0},
            model_settings=ModelSettings(max_tokens=options.output_tokens),
        )
        try:
            return (await agent.run(material)).output
        except EngramforgeError:
            raise
        except Exception as fault:  # noqa: BLE001 - whatever the libraries raise, the caller goes on without a model
            # The cause may hold what was sent and the endpoint's words, with a part of the key among them.
            raise _told(options, fault) from None


class _Metered(WrapperModel):
    """A model each of whose requests is counted, and repeated where that can help."""

    def __init__(self, model: Model, options: ModelOptions, ledger: Ledger) -> None:
        super().__init__(model)
        self._options, self._ledger = options, ledger

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """One request with its repetitions."""
        # A token has at least one byte.
        most = len(ModelMessagesTypeAdapter.dump_json(messages)) + _BESIDE
        for attempt in range(_ATTEMPTS):
            reserved = self._ledger.reserve(most, self._options.output_tokens)
            try:
                answer = await super().request(messages, model_settings, model_request_parameters)
            except ModelAPIError as error:
                if _is_billed(error):
                    self._settle_unknown(reserved)
                else:
                    self._ledger.release(reserved)
                is_too_long = (error.retry_after or 0) >= self._options.timeout_s
                if attempt + 1 == _ATTEMPTS or not _is_repeated(error) or is_too_long:
                    raise
                await asyncio.sleep(_pause(attempt, error.retry_after))
            except BaseException:  # given up, or an answer that nobody can read
                self._settle_unknown(reserved)
                raise
            else:
                usage, said = answer.usage, sum(len(repr(part).encode()) for part in answer.parts)
                self._ledger.settle(
                    reserved, _counted(usage.input_tokens, most), _counted(usage.output_tokens, said)
                )
                return answer
        raise AssertionError("the last attempt returns or raises")

    def _settle_unknown(self, reserved: Reserved) -> None:
        """It may have been answered, and will be on the bill: about four bytes to a token, and a whole answer."""
        self._ledger.settle(reserved, _counted(0, reserved.input_tokens), reserved.output_tokens)


def _counted(told: int, size: int) -> int:
    """The tokens that an endpoint counted; by the bytes of the text where it tells none, or what cannot be."""
    return told if 0 < told <= _MOST_TOKENS else -(-size // _BYTES_A_TOKEN)


def _is_billed(error: ModelAPIError) -> bool:
    """Whether the endpoint may have done the work although no answer came."""
    if isinstance(error, ModelHTTPError):
        return False
    return not isinstance(error, ModelConnectionError) or error.phase not in ("pool", "connect")


def _is_repeated(error: ModelAPIError) -> bool:
    if _is_too_large(error):
        return False
    if isinstance(error, ModelHTTPError):
        return error.status_code in _REPEATED or error.status_code >= 500
    return isinstance(error, ModelConnectionError) and not isinstance(error, ModelTimeoutError)


def _is_too_large(error: BaseException | None) -> bool:
    """Whether the client library met an answer without an end, whatever it calls that."""
    while error is not None and not isinstance(error, TooLarge):
        error = error.__cause__
    return error is not None


def _pause(attempt: int, asked_s: float | None) -> float:
    if asked_s is not None:
        return max(0.0, asked_s)
    return 0.05 + random.uniform(0, _FIRST_PAUSE_S * 2**attempt)  # noqa: S311 - jitter, not a secret


def _told(options: ModelOptions, fault: Exception) -> ModelUnavailable:
    """What went wrong in our words; nothing that the endpoint said, for it may repeat the key or what was sent."""
    who = f"The model {options.spec} at {options.place}"
    if isinstance(fault, ContentFilterError):
        return ModelMisanswered(f"{who} refused to answer", "Ask in other words, or another model")
    if _is_too_large(fault):
        return ModelMisanswered(
            f"{who} gave an answer of more than {MOST_BYTES:,} bytes",
            "Check model_base_url: no model answers so long",
        )
    if isinstance(fault, ModelAuthenticationError):
        return ModelUnavailable(f"{who} refused the key", "Set model_api_key to one that is good there")
    if isinstance(fault, ModelHTTPError):
        mend = (
            "Try again later"
            if _is_repeated(fault)
            else "Check the model's name in model_reasoning, model_base_url and model_output_tokens"
        )
        return ModelUnavailable(f"{who} answered {fault.status_code}", mend)
    if isinstance(fault, ModelTimeoutError):
        return ModelUnavailable(
            f"{who} did not answer within {options.timeout_s:g} s",
            "Raise model_timeout_s, or try again later",
        )
    if isinstance(fault, ModelConnectionError):
        return ModelUnavailable(
            f"{who} cannot be reached or broke off",
            "Check the network and model_base_url, or start the server",
        )
    if not isinstance(fault, AgentRunError):
        return ModelUnavailable(f"{who} could not be asked ({type(fault).__name__})", "Check model_base_url")
    return ModelMisanswered(
        f"{who} gave no answer of the shape that was asked for",
        "Try again, raise model_output_tokens, or choose a model that follows a schema",
    )
