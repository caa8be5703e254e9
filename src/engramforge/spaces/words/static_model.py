"""The bundled static model: 32,000 token vectors and the tokenizer that names them.

The two files come with the installed package wordllama (MIT); they are read directly, because its own loader
looks elsewhere when offline, and importing it configures logging. The weights stay in float16 on a read-only
memory map: rows are converted when they are asked for, and processes share the pages.

No network, no cache of words (word_table) and no notion of spaces belong here.
"""

from __future__ import annotations

import json
import threading
import zlib
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engramforge.errors import ModelUnavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

WEIGHTS_FILE: Final = "weights/l2_supercat_256.safetensors"
TOKENIZER_FILE: Final = "tokenizers/l2_supercat_tokenizer_config.json"
TENSOR: Final = "embedding.weight"
DIMENSIONS: Final = 256
WORD_MARK: Final = "\u2581"
_MEND: Final = "Reinstall it: pip install --force-reinstall --no-deps wordllama"


class StaticModel:
    """Token vectors and tokenizer; immutable, safe to share between threads.

    Parameters
    ----------
    folder : where the two files lie; None for the installed wordllama package.

    Attributes
    ----------
    vectors : float16, shape (32000, 256), memory-mapped; a token's length carries its importance.
    starts_word : bool, shape (32000,): whether a token begins a word.
    carries_meaning : bool, shape (32000,): false for raw bytes, special tokens and the bare word mark.
    id : name, size and fingerprint of the files; embeddings of different ids are never compared.

    Raises
    ------
    ModelUnavailable : a file is missing or damaged, or the two do not belong together.
    """

    def __init__(self, folder: Path | None = None) -> None:
        place = folder or _installed_folder()
        self.vectors = _map_weights(place / WEIGHTS_FILE)
        self._tokenizer, definition = _load_tokenizer(place / TOKENIZER_FILE)
        tokens, dimensions = self.vectors.shape
        pieces: list[str | None] = [None] * tokens
        vocabulary: dict[str, int] = self._tokenizer.get_vocab()
        for piece, token in vocabulary.items():
            if not 0 <= token < tokens:
                raise ModelUnavailable(f"The tokenizer knows token {token}, the weights only {tokens}", _MEND)
            pieces[token] = piece
        self.pieces: tuple[str, ...] = tuple(piece or "" for piece in pieces)
        self.starts_word: NDArray[np.bool_] = np.fromiter(
            (piece.startswith(WORD_MARK) for piece in self.pieces), np.bool_, tokens
        )
        self.carries_meaning: NDArray[np.bool_] = np.fromiter(
            (bool(piece.strip(WORD_MARK)) and not _is_raw_byte(piece) for piece in self.pieces),
            np.bool_,
            tokens,
        )
        self.carries_meaning[:3] = False  # <unk>, <s>, </s>
        # A sample is enough to tell two models apart, and leaves most pages of the map untouched.
        fingerprint = zlib.crc32(self.vectors[:: tokens // 256].tobytes(), zlib.crc32(definition))
        self.id = f"l2-supercat-{dimensions}@{fingerprint:08x}"

    @property
    def dimensions(self) -> int:
        """Length of a token's vector."""
        return int(self.vectors.shape[1])

    def tokens_of(self, words: Sequence[str]) -> list[list[int]]:
        """Token ids of each word taken by itself; the first of each begins a word, none is empty."""
        encode = self._tokenizer.encode
        return [encode(word, add_special_tokens=False).ids for word in words]

    def text_of(self, tokens: Sequence[int]) -> str:
        """The word that these tokens spell: the inverse of `tokens_of` (undecodable bytes become U+FFFD)."""
        spelled = b"".join(_bytes_of(self.pieces[token]) for token in tokens if token < len(self.pieces))
        return spelled.decode("utf-8", errors="replace").strip()

    def rows(self, tokens: NDArray[np.integer[Any]]) -> NDArray[np.float32]:
        """Vectors of these tokens, float32, shape (n, 256)."""
        vectors: NDArray[np.float32] = self.vectors[tokens].astype(np.float32)
        return vectors


_lock = threading.Lock()
_loaded: StaticModel | None = None


def static_model() -> StaticModel:
    """The installed model, loaded once per process at first use."""
    global _loaded
    if _loaded is None:
        with _lock:
            if _loaded is None:
                _loaded = StaticModel()
    return _loaded


def _installed_folder() -> Path:
    """The folder of the installed wordllama package, found without importing it."""
    spec = find_spec("wordllama")
    if spec is None or not spec.submodule_search_locations:
        raise ModelUnavailable(
            "The package wordllama, which carries the static model, is not installed", "pip install wordllama"
        )
    return Path(next(iter(spec.submodule_search_locations)))


def _map_weights(path: Path) -> NDArray[np.float16]:
    """The weights on a memory map, after safetensors has checked the file's header against its length."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(str(path), "numpy") as file:
            part = file.get_slice(TENSOR)
            shape, kind = tuple(part.get_shape()), part.get_dtype()
        with path.open("rb") as raw:
            header_bytes = int.from_bytes(raw.read(8), "little")
            start = json.loads(raw.read(header_bytes))[TENSOR]["data_offsets"][0]
    except FileNotFoundError:
        raise ModelUnavailable(f"The static model's weights are missing: {path}", _MEND) from None
    except (SafetensorError, OSError, ValueError, KeyError, TypeError) as error:
        raise ModelUnavailable(f"The static model's weights are damaged: {path} ({error})", _MEND) from error
    if kind != "F16" or len(shape) != 2 or shape[1] != DIMENSIONS:
        raise ModelUnavailable(
            f"The static model's weights are {kind} {shape}, not F16 (n, {DIMENSIONS}): {path}", _MEND
        )
    return np.memmap(path, np.float16, mode="r", offset=8 + header_bytes + start, shape=shape)


def _load_tokenizer(path: Path) -> tuple[Any, bytes]:
    """The tokenizer without padding and truncation, and the file it came from."""
    from tokenizers import Tokenizer

    try:
        definition = path.read_bytes()
        # The tokenizers library raises bare Exception for any fault in its file.
        tokenizer = Tokenizer.from_buffer(definition)
    except FileNotFoundError:
        raise ModelUnavailable(f"The static model's tokenizer is missing: {path}", _MEND) from None
    except Exception as error:
        raise ModelUnavailable(f"The static model's tokenizer is damaged: {path} ({error})", _MEND) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer, definition


def _is_raw_byte(piece: str) -> bool:
    return len(piece) == 6 and piece.startswith("<0x") and piece.endswith(">")


def _bytes_of(piece: str) -> bytes:
    """What a token spells: a raw byte, or its text with the word mark as a space."""
    if _is_raw_byte(piece):
        return bytes((int(piece[3:5], 16),))
    return piece.replace(WORD_MARK, " ").encode("utf-8")
