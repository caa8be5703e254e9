"""The bundled static model: 32,000 token vectors and the tokenizer that names them.

The two files are those of the package wordllama (MIT). A wheel of engramforge carries copies, so that the package with
all that it depends on need not be installed; a source tree reads them from the installed package, without importing it.
The weights stay in float16 on a read-only memory map: rows are converted when they are asked for, and processes share
the pages.
"""

from __future__ import annotations

import json
import os
import threading
import zlib
from importlib.util import find_spec
from itertools import pairwise
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
_CARRIED: Final = Path(__file__).with_name("l2_supercat")
"""Where a wheel has the two files; hatch_build.py puts them there."""
_MEND: Final = "Reinstall it: pip install --force-reinstall --no-deps " + (
    "engramforge" if _CARRIED.is_dir() else "wordllama"
)


class StaticModel:
    """Token vectors and tokenizer; immutable, safe to share between threads.

    `folder`: where the two files lie; None for the installed ones.

    Attributes
    ----------
    vectors : float16, shape (32000, 256), memory-mapped; a token's length carries its importance.
    starts_word : bool, shape (32000,): whether a token begins a word.
    carries_meaning : bool, shape (32000,): false for raw bytes, special tokens and the bare word mark.
    id : name, size and fingerprint of the files; embeddings of different ids are never compared.

    Raises ModelUnavailable: a file is missing or damaged, or the two do not belong together.
    """

    def __init__(self, folder: Path | None = None) -> None:
        place = folder or _installed_folder()
        self.vectors = _map_weights(place / WEIGHTS_FILE)
        self._tokenizer, definition = _load_tokenizer(place / TOKENIZER_FILE)
        tokens, dimensions = self.vectors.shape
        pieces: list[str | None] = [None] * tokens
        for piece, token in self._tokenizer.vocabulary.items():
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
        return [self._tokenizer.tokens_of(word) for word in words]

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
    if _CARRIED.is_dir():
        return _CARRIED
    spec = find_spec("wordllama")
    if spec is None or not spec.submodule_search_locations:
        raise ModelUnavailable(
            "The package wordllama, which carries the static model, is not installed", "pip install wordllama"
        )
    return Path(next(iter(spec.submodule_search_locations)))


def _map_weights(path: Path) -> NDArray[np.float16]:
    """The weights on a memory map.

    A file of safetensors: the header's length in eight bytes, a header of JSON, the values.
    """
    try:
        with path.open("rb") as raw:
            size_bytes = os.fstat(raw.fileno()).st_size
            values_at = 8 + int.from_bytes(raw.read(8), "little")
            if values_at > size_bytes:
                raise ValueError("its header is longer than the file")
            tensor = json.loads(raw.read(values_at - 8))[TENSOR]
        kind, shape, (begin, end) = tensor["dtype"], tuple(tensor["shape"]), tensor["data_offsets"]
        if values_at + end != size_bytes:
            raise ValueError(f"{size_bytes} bytes, not {values_at + end}")
        if kind != "F16" or len(shape) != 2 or shape[1] != DIMENSIONS:
            raise ModelUnavailable(
                f"The static model's weights are {kind} {shape}, not F16 (n, {DIMENSIONS}): {path}", _MEND
            )
        return np.memmap(path, np.float16, mode="r", offset=values_at + begin, shape=shape)
    except FileNotFoundError:
        raise ModelUnavailable(f"The static model's weights are missing: {path}", _MEND) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelUnavailable(f"The static model's weights are damaged: {path} ({error})", _MEND) from error


def _load_tokenizer(path: Path) -> tuple[BytePairs, bytes]:
    """The tokenizer, and the file it came from."""
    try:
        definition = path.read_bytes()
        return BytePairs(definition), definition
    except FileNotFoundError:
        raise ModelUnavailable(f"The static model's tokenizer is missing: {path}", _MEND) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelUnavailable(f"The static model's tokenizer is damaged: {path} ({error})", _MEND) from error


def _is_raw_byte(piece: str) -> bool:
    return len(piece) == 6 and piece.startswith("<0x") and piece.endswith(">")


def _bytes_of(piece: str) -> bytes:
    """What a token spells: a raw byte, or its text with the word mark as a space."""
    if _is_raw_byte(piece):
        return bytes((int(piece[3:5], 16),))
    return piece.replace(WORD_MARK, " ").encode("utf-8")


WORD_MARK: Final = "\u2581"


class BytePairs:
    """The tokens of words.

    `definition`: the content of a `tokenizer.json` with a byte pair model. `vocabulary`: piece -> token.

    Raises ValueError, KeyError, TypeError: the definition is no such file.
    """

    def __init__(self, definition: bytes) -> None:
        model = json.loads(definition)["model"]
        self.vocabulary: dict[str, int] = dict(model["vocab"])
        self._ranks: dict[str, int] = {pair: rank for rank, pair in enumerate(model["merges"])}

    def tokens_of(self, word: str) -> list[int]:
        """The tokens of a word, the first of which begins it; never empty."""
        vocabulary, ranks = self.vocabulary, self._ranks
        pieces: list[str] = []
        for character in WORD_MARK + word.replace(" ", WORD_MARK):
            if character in vocabulary:
                pieces.append(character)
            else:
                pieces.extend(f"<0x{byte:02X}>" for byte in character.encode())
        unranked = len(ranks)
        found = [ranks.get(f"{left} {right}", unranked) for left, right in pairwise(pieces)]
        while found and (first := min(found)) != unranked:
            place = found.index(first)
            pieces[place : place + 2] = [joined := pieces[place] + pieces[place + 1]]
            del found[place]
            # Only the pairs on either side are others now.
            if place:
                found[place - 1] = ranks.get(f"{pieces[place - 1]} {joined}", unranked)
            if place < len(found):
                found[place] = ranks.get(f"{joined} {pieces[place + 1]}", unranked)
        return [vocabulary[piece] for piece in pieces]
