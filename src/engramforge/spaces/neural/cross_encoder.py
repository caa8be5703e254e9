"""A cross-encoder: an ONNX model that reads a question and a text together and says how well the one answers the other.

It gives one logit for a pair, or two, the second for "it does": the forms in which such models are published.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.errors import ModelUnavailable
from engramforge.model.embeddings.encoder_spec import EncoderKind, EncoderSpec
from engramforge.model.stopping import interrupted_by_stop
from engramforge.spaces.neural.dense import readable
from engramforge.spaces.neural.loading import explained, load

SETTING: Final = "reranker"
_BATCH: Final = 16
_FATAL: Final = 4
_LONGEST: Final = 256
"""Tokens of a pair, where the model itself does not read less: an excerpt has up to 200."""


class CrossEncoder:
    """Scores texts for a question; loads its model at first use, safe to share between threads."""

    def __init__(self, spec: EncoderSpec) -> None:
        self._spec = spec
        self._lock = threading.Lock()
        self._model: Any = None

    def load(self) -> None:
        """Have the model in memory. Raises ModelUnavailable: it is not there, damaged, or reads no pairs."""
        with self._lock:
            if self._model is None:
                with explained(self._spec, SETTING, "loaded"):
                    self._model = self._made()

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the question, 0..1.

        Raises ModelUnavailable: the model cannot be used; Stopped: the call was given up, also amid a batch.
        """
        self.load()
        found = np.zeros(len(texts))
        # Texts of similar length share a batch, since each is padded to the longest.
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        for begin in range(0, len(order), _BATCH):
            some = order[begin : begin + _BATCH]
            found[some] = self._read([(readable(question), readable(texts[at])) for at in some])
        return [float(each) for each in found]

    def _read(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        with explained(self._spec, SETTING, "used"):
            from onnxruntime import RunOptions

            session, options = self._model.model, RunOptions()
            options.log_severity_level = _FATAL  # what goes wrong is told by us
            encoded = self._model.tokenizer.encode_batch(list(pairs))
            told = {
                "input_ids": [each.ids for each in encoded],
                "attention_mask": [each.attention_mask for each in encoded],
                "token_type_ids": [each.type_ids for each in encoded],
            }
            taken = {each.name for each in session.get_inputs()}
            fed = {name: np.array(value, np.int64) for name, value in told.items() if name in taken}
            with interrupted_by_stop(lambda: setattr(options, "terminate", True)):
                logits = np.asarray(session.run(None, fed, options)[0], np.float64)
        if logits.shape == (len(pairs), 2):
            # The second share of a softmax over two is the sigmoid of what they differ by.
            logits = logits[:, 1] - logits[:, 0]
        if logits.size != len(pairs) or not np.isfinite(logits).all():
            raise self._no_cross_encoder("gives neither one number nor two for a pair of texts")
        return 1 / (1 + np.exp(-np.clip(logits.reshape(-1), -500, 500)))

    def _made(self) -> Any:
        from fastembed.common.model_description import BaseModelDescription
        from fastembed.rerank.cross_encoder import TextCrossEncoder
        from fastembed.rerank.cross_encoder.onnx_text_cross_encoder import OnnxTextCrossEncoder

        made, _ = load(self._spec, SETTING, TextCrossEncoder, OnnxTextCrossEncoder, BaseModelDescription)
        model = made if self._spec.kind is EncoderKind.LOCAL else made.model
        tokenizer = model.tokenizer
        if tokenizer.num_special_tokens_to_add(True) <= tokenizer.num_special_tokens_to_add(False):
            raise self._no_cross_encoder("has a tokenizer that puts nothing between two texts")
        limits = tokenizer.truncation
        tokenizer.enable_truncation(min(_LONGEST, limits["max_length"]), direction=limits["direction"])
        return model

    def _no_cross_encoder(self, why: str) -> ModelUnavailable:
        return ModelUnavailable(
            f"The model {self._spec} of {SETTING} {why}", f"Let {SETTING} name a cross-encoder (a reranker)"
        )
