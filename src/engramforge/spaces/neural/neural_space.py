"""What the encoders of the neural preset have in common: a model that loads at first use, and an id that is checked."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from typing import Any

from engramforge.model.embeddings.active_encoders import ActiveEncoder
from engramforge.model.embeddings.encoder_spec import EncoderSpec
from engramforge.model.spaces import SpaceRow
from engramforge.spaces.chosen.model_vectors import check_known
from engramforge.spaces.neural.loading import explained


class NeuralSpace(ABC):
    """One space by a model; safe to share between threads.

    `setting`: what errors name. `known`: what a store says about its encoder; another model is refused.
    """

    row: SpaceRow

    def __init__(self, spec: EncoderSpec, setting: str, known: ActiveEncoder | None = None) -> None:
        self._spec, self._setting, self._known = spec, setting, known
        self._lock = threading.Lock()
        self._model: Any = None
        self._id = ""
        self._size = 0

    @property
    def id(self) -> str:
        """Name and dimension; loads the model, unless a store knows it."""
        if self._known is not None:
            return self._known.id
        self._loaded()
        return self._id

    def _loaded(self) -> Any:
        with self._lock:
            if self._model is None:
                with explained(self._spec, self._setting, "loaded"):
                    model, name, self._size, size = self._made()
                self._id = f"{self.row.space}-1/{name}/{size}"
                check_known(self._known, self._id, self._setting)
                self._model = model
            return self._model

    @abstractmethod
    def _made(self) -> tuple[Any, str, int, str]:
        """The model, its name, and its dimension as a number and as ids say it."""
