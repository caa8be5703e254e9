"""One language model: asked by a prompt about some material, it answers with an object of a given shape or an error.

What is sent was cleaned of secrets and private parts first, whoever asks. Every fault is a `ModelUnavailable`, so that
the caller can go on without a model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from engramforge.errors import ModelUnavailable
from engramforge.llm.ledger import Ledger
from engramforge.llm.options import ModelOptions
from engramforge.llm.prompts import Prompt
from engramforge.llm.waiting import wait_for
from engramforge.model.language_models.reports import ModelReach, ModelState

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answered(Generic[T]):
    """What a model gave back. `made_by`: the model and the prompt with its version, as `openai:NAME consult-1`."""

    said: T
    made_by: str


class LanguageModel:
    """A model behind an endpoint; safe to share between threads. Its repr shows no key.

    `clean`: takes secrets and private parts out of a text. `clock`: the time, timezone-aware.
    """

    def __init__(
        self, options: ModelOptions, clean: Callable[[str], str], clock: Callable[[], datetime]
    ) -> None:
        self._options, self.clean = options, clean
        self._ledger = Ledger(options, clock)

    def __repr__(self) -> str:
        return f"LanguageModel({self._options.spec} at {self._options.place})"

    @property
    def name(self) -> str:
        """As in the settings."""
        return str(self._options.spec)

    @property
    def extracts(self) -> bool:
        """Whether the settings have it read what comes in."""
        return self._options.extracts

    @property
    def state(self) -> ModelState:
        """What is configured, and what it cost. Raises ModelUnavailable: the count is damaged."""
        options = self._options
        return ModelState(str(options.spec), options.place, options.extracts, self._ledger.spending())

    def ask(self, prompt: Prompt, material: str, shape: type[T]) -> Answered[T]:
        """What the model makes of the material: an object of `shape`, a dataclass.

        Raises ModelUnavailable: no key or library, or no answer in time; ModelMisanswered: none of that shape;
        SpendingCapReached: it was not asked; Stopped: the caller was given up.
        """
        if self._options.lacks_key:
            variable = f"{self._options.spec.kind.upper()}_API_KEY"
            raise ModelUnavailable(
                f"The model of model_reasoning is at {self._options.place}, and no key for it is set",
                f"Set model_api_key, or the variable {variable}",
            )
        sent = self.clean(material)

        async def work() -> T:
            # Imported here, on the thread that is waited for: it takes longer than some answers.
            from engramforge.llm.asking import asked

            return await asked(self._options, self._ledger, prompt, sent, shape)

        said = wait_for(work, self._options.timeout_s, f"The model {self._options.spec}")
        return Answered(said, f"{self._options.spec} {prompt}")

    def reach(self) -> ModelReach:
        """Whether the endpoint answers and takes the key: by its list of models, which costs nothing."""
        from engramforge.llm.reaching import reached

        return reached(self._options)
