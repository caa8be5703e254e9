"""The static word model as the baselines see it: token vectors and a tokenizer, read from the wheel."""

from __future__ import annotations

import importlib.util
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from engramforge.errors import ModelUnavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_WORD_START = "\u2581"


@lru_cache(maxsize=1)
def _files() -> tuple[NDArray[np.float32], Any]:
    """The matrix of token vectors, shape (32000, 256), and the tokenizer."""
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    spec = importlib.util.find_spec("wordllama")
    if spec is None or not spec.submodule_search_locations:
        raise ModelUnavailable("The package wordllama is not installed", "Run: pip install wordllama")
    folder = Path(next(iter(spec.submodule_search_locations)))
    try:
        weights = load_file(folder / "weights" / "l2_supercat_256.safetensors")
        tokenizer = Tokenizer.from_file(str(folder / "tokenizers" / "l2_supercat_tokenizer_config.json"))
    except Exception as error:
        raise ModelUnavailable(
            f"The static model in {folder} cannot be read ({error})", "Reinstall wordllama"
        ) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return next(iter(weights.values())).astype(np.float32), tokenizer


def mean_vectors(texts: Sequence[str]) -> NDArray[np.float32]:
    """The mean token vector of each text, scaled to length 1; zeros without tokens. Shape (n, 256)."""
    matrix, tokenizer = _files()
    rows = np.zeros((len(texts), matrix.shape[1]), dtype=np.float32)
    encodings = tokenizer.encode_batch(list(texts), add_special_tokens=False)
    for row, encoding in zip(rows, encodings, strict=True):
        if encoding.ids:
            row[:] = matrix[encoding.ids].mean(axis=0)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    rows /= np.where(lengths == 0, 1, lengths)
    return rows


def whole_words() -> list[str]:
    """The tokenizer's whole lower-case words of three letters and more, in the order of their ids."""
    _, tokenizer = _files()
    ordered = sorted(tokenizer.get_vocab().items(), key=lambda pair: pair[1])
    words = (token.removeprefix(_WORD_START) for token, _ in ordered if token.startswith(_WORD_START))
    return [word for word in words if len(word) > 2 and word.isascii() and word.isalpha() and word.islower()]
