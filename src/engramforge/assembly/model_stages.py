"""The stages that may ask a language model; without one each does what it can by rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engramforge.assembly.once import once
from engramforge.forge.scoped import Stages

if TYPE_CHECKING:
    from engramforge.answer.oracle.consulting import Consulting, SecondStore
    from engramforge.capture.detecting import Detecting
    from engramforge.capture.reading_by_model import ReadingByModel
    from engramforge.llm.language_model import LanguageModel
    from engramforge.llm.options import ModelOptions


class ModelStages(Stages):
    """Part of `WiredStages`. `model_options`: the model; `fallback`: the oracle's second store; None for none."""

    model_options: ModelOptions | None
    fallback: SecondStore | None
    detecting: Detecting

    @once
    def language_model(self) -> LanguageModel | None:
        """The model of the settings; what it is sent is redacted as what is stored is."""
        if self.model_options is None:
            return None
        from engramforge.llm.language_model import LanguageModel
        from engramforge.writing.redact import Redactor

        redactor = Redactor()
        return LanguageModel(self.model_options, lambda text: redactor.redact(text).text, self.clock)

    @once
    def consulting(self) -> Consulting:
        """The oracle."""
        from engramforge.answer.oracle.consulting import Consulting

        return Consulting(self.retriever, self.door, self.clock, self.fallback, self.language_model)

    @once
    def reading_by_model(self) -> ReadingByModel | None:
        """Reads messages once more, where there is a model."""
        if self.language_model is None:
            return None
        from engramforge.capture.reading_by_model import ReadingByModel

        return ReadingByModel(self.door, self.language_model, self.detecting, self.clock)
