"""Texts to vectors by OpenAI's protocol (POST {base}/embeddings; Ollama, vLLM and others speak it) and by Voyage's.

texts -> cut to what every model takes -> batches by count and size -> checked rows, in the order asked
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.errors import ModelUnavailable
from engramforge.model.embeddings.encoder_spec import EncoderKind, EncoderSpec
from engramforge.spaces.provider.endpoint import Endpoint

BASE_URLS: Final[Mapping[EncoderKind, str]] = {
    EncoderKind.OPENAI: "https://api.openai.com/v1",
    EncoderKind.VOYAGE: "https://api.voyageai.com/v1",
}
MOST_BYTES_OF_TEXT: Final = 8_000
"""How much of a text is sent. A token has at least one byte, so it fits the 8,191 tokens that such models take."""
MOST_TEXTS: Final = 128
MOST_BYTES: Final = 100_000
"""The most texts and bytes of a call: below what both providers take."""
_LARGEST: Final = 1e15
"""No embedding has larger values; their square would be infinite in float32."""
RETRIES_OF_QUESTION: Final = 2
"""How often a question's call is repeated at most, since somebody is waiting for it."""


class EndpointModel:
    """A `VectorModel` behind an endpoint.

    `asked_size`: the dimension that the endpoint is asked for; None: the model's own.
    """

    def __init__(self, spec: EncoderSpec, endpoint: Endpoint, setting: str, asked_size: int | None) -> None:
        self._spec, self._endpoint, self._setting = spec, endpoint, setting
        self.asked_size = asked_size

    @property
    def name(self) -> str:
        """The spec: a provider changes a model's vectors under a new name only."""
        return str(self._spec)

    def vectors(self, texts: Sequence[str], is_query: bool = False) -> NDArray[np.float32]:
        """See `VectorModel`. A blank text has no signal and is not sent."""
        sent = [cut_text(text) for text in texts]
        places = [place for place, text in enumerate(sent) if text.strip()]
        rows: list[NDArray[np.float32]] = []
        for batch in batches([sent[place] for place in places]):
            rows += self._call(batch, is_query)
        size = len(rows[0]) if rows else len(self._call(["size"], is_query)[0])
        found = np.zeros((len(texts), size), np.float32)
        if any(len(row) != size for row in rows):
            raise self._senseless("vectors of different dimensions")
        if rows:
            found[places] = np.array(rows)
        return found

    def _call(self, texts: Sequence[str], is_query: bool) -> list[NDArray[np.float32]]:
        sizes = [len(text.encode()) for text in texts]
        # A model may add tokens to each text, at its beginning and end or for its purpose.
        most_tokens = sum(sizes) + 32 * len(texts)
        answer, reserved = self._endpoint.post(
            "/embeddings",
            self._body(texts, is_query),
            most_tokens,
            self._setting,
            RETRIES_OF_QUESTION if is_query else None,
        )
        self._endpoint.ledger.settle(reserved, tokens_used(answer, sizes))
        return self._rows(answer, len(texts))

    def _body(self, texts: Sequence[str], is_query: bool) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self._spec.name, "input": list(texts)}
        if self._spec.kind is EncoderKind.VOYAGE:
            body |= {"input_type": "query" if is_query else "document", "truncation": True}
            if self.asked_size is not None:
                body["output_dimension"] = self.asked_size
            return body
        body["encoding_format"] = "float"
        if self.asked_size is not None:
            body["dimensions"] = self.asked_size
        return body

    def _rows(self, answer: Mapping[str, Any], count: int) -> list[NDArray[np.float32]]:
        """The vectors in the order asked, each checked."""
        entries = answer.get("data")
        if not isinstance(entries, list) or len(entries) != count:
            got = len(entries) if isinstance(entries, list) else "no"
            raise self._senseless(f"{got} vectors for {count} texts")
        rows: list[NDArray[np.float32] | None] = [None] * count
        for place, entry in enumerate(entries):
            given = entry.get("index", place) if isinstance(entry, dict) else None
            if not isinstance(given, int) or not 0 <= given < count or rows[given] is not None:
                raise self._senseless("vectors without a place of their own")
            rows[given] = self._row(entry.get("embedding"))
        return [row for row in rows if row is not None]

    def _row(self, values: object) -> NDArray[np.float32]:
        try:
            row = np.array(values, np.float64) if isinstance(values, list) else np.zeros(0)
        except (TypeError, ValueError, OverflowError):
            row = np.zeros(0)
        if row.ndim != 1 or not len(row):
            raise self._senseless("a vector that is no list of numbers")
        if not np.isfinite(row).all() or np.abs(row).max() > _LARGEST:
            raise self._senseless("a vector with values that are no numbers (NaN or infinite)")
        return row.astype(np.float32)

    def _senseless(self, what: str) -> ModelUnavailable:
        return ModelUnavailable(
            f"The endpoint gave {what} for the model of {self._setting}",
            "Check that embedding_base_url is an embedding endpoint, and that the model embeds texts",
        )


def cut_text(text: str) -> str:
    """The beginning of a text that is sent, whole characters."""
    content = text.encode("utf-8", "replace")
    return content[:MOST_BYTES_OF_TEXT].decode("utf-8", "ignore")


def batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """The texts in order, in calls of bounded numbers of texts and bytes."""
    batch: list[str] = []
    held = 0
    for text in texts:
        size = len(text.encode())
        if batch and (len(batch) == MOST_TEXTS or held + size > MOST_BYTES):
            yield batch
            batch, held = [], 0
        batch.append(text)
        held += size
    if batch:
        yield batch


def tokens_used(answer: Mapping[str, Any], sizes: Sequence[int]) -> int:
    """The tokens that the endpoint says it used; if it does not, about four bytes per token."""
    usage = answer.get("usage")
    for name in ("total_tokens", "prompt_tokens"):
        tokens = usage.get(name) if isinstance(usage, dict) else None
        if isinstance(tokens, int) and tokens >= 0:
            return tokens
    return -(-sum(sizes) // 4)
