"""A judge of contradictions by an encoder for natural language inference, from a folder with an ONNX model.

The folder holds model.onnx, tokenizer.json and config.json, whose id2label says which output is the contradiction: the
form in which such models are published. Each pair is read in both directions and the surer reading counts, since a
contradiction has no direction.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.conflicts.judging import Verdict
from engramforge.errors import ModelUnavailable
from engramforge.model.embeddings.encoder_spec import EncoderKind, EncoderSpec
from engramforge.spaces.neural.loading import ModelFolder, explained, model_folder

SETTING: Final = "conflict_judge"
_BATCH: Final = 16
_LONGEST: Final = 256
"""Tokens of a pair."""


class EntailmentJudge:
    """Judges pairs of statements; loads its model at the first, and may be shared between threads.

    `folder`: where the model is.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._model: _Model | None = None

    @property
    def name(self) -> str:
        """The folder's name."""
        return self._folder.name

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
        """A verdict for each pair. Raises ModelUnavailable: the model is not there, or no judge of pairs."""
        with self._lock:
            if self._model is None:
                self._model = _Model(self._folder)
        both = [each for one, other in pairs for each in ((one, other), (other, one))]
        order = sorted(range(len(both)), key=lambda at: sum(map(len, both[at])))
        read = np.zeros((len(both), 2))
        for begin in range(0, len(order), _BATCH):
            some = order[begin : begin + _BATCH]
            read[some] = self._model.read([both[at] for at in some])
        surer = read.reshape(-1, 2, 2).max(axis=1)
        return [Verdict(float(contradiction), float(entailment)) for contradiction, entailment in surer]


class _Model:
    """The model with its tokenizer and the places of its labels."""

    def __init__(self, folder: Path) -> None:
        self._spec = EncoderSpec(EncoderKind.LOCAL, str(folder))
        found = model_folder(folder, SETTING)
        with explained(self._spec, SETTING, "loaded"):
            import onnxruntime
            from tokenizers import Tokenizer

            self._tokenizer = Tokenizer.from_file(str(found.path / "tokenizer.json"))
            self._tokenizer.enable_padding()
            self._tokenizer.enable_truncation(_LONGEST)
            self._session = onnxruntime.InferenceSession(
                str(found.path / found.file), providers=["CPUExecutionProvider"]
            )
        self._inputs = {each.name for each in self._session.get_inputs()}
        self._places = _places(found)

    def read(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """Probabilities of contradiction and entailment, shape (n, 2)."""
        with explained(self._spec, SETTING, "asked"):
            encoded = self._tokenizer.encode_batch(list(pairs))
            told: dict[str, list[Any]] = {
                "input_ids": [each.ids for each in encoded],
                "attention_mask": [each.attention_mask for each in encoded],
                "token_type_ids": [each.type_ids for each in encoded],
            }
            fed = {name: np.array(value, np.int64) for name, value in told.items() if name in self._inputs}
            logits = np.asarray(self._session.run(None, fed)[0], np.float64)
            chances = np.exp(logits - logits.max(axis=1, keepdims=True))
            chances /= chances.sum(axis=1, keepdims=True)
            kept: NDArray[np.float64] = chances[:, list(self._places)]
            return kept


def _places(folder: ModelFolder) -> tuple[int, int]:
    """Where a model says contradiction and entailment. Raises ModelUnavailable where it does not."""
    labels = folder.read_json("config.json").get("id2label")
    named = labels.items() if isinstance(labels, dict) else ()
    found = {str(label).lower(): int(place) for place, label in named if str(place).isdigit()}
    if not {"contradiction", "entailment"} <= found.keys():
        raise ModelUnavailable(
            f"The model in {folder.path} of {SETTING} does not say which of its outputs is a contradiction",
            "Choose a model for natural language inference whose config.json has id2label",
        )
    return found["contradiction"], found["entailment"]
