"""E1 by an encoder that the user chose: what it offers, how it is made, and the cut and the int8 that all share.

The static model's E1 comes with the words (indexing/encode) and is not made here. What must not enter: settings, storage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engramforge.errors import ModelUnavailable
from engramforge.model.encoder_spec import EncoderKind, EncoderSpec

Vector: TypeAlias = NDArray[np.int8]


class MeaningEncoder(Protocol):
    """E1 of texts. Loads its model at first use; safe to share between threads."""

    @property
    def spec(self) -> EncoderSpec:
        """How it was chosen."""

    @property
    def id(self) -> str:
        """Name, version and dimension; vectors of different ids are never compared. May load the model."""

    @property
    def size(self) -> int:
        """Dimension of its vectors, at most the space's declared size. May load the model."""

    def encode(self, texts: Sequence[str]) -> list[Vector | None]:
        """int8, shape (size,), of each text: a unit vector times 127/peak; None for a text without signal.

        Depends on each text alone.

        Raises
        ------
        ModelUnavailable : no model, no network, a wrong key, an answer that makes no sense; the setting is named.
        SpendingCapReached : the next call would cost more than the user allows.
        """

    def encode_query(self, text: str) -> NDArray[np.float32] | None:
        """float32, shape (size,), unit length; None for a text without signal. Raises as `encode`."""


@dataclass(frozen=True, slots=True)
class EndpointOptions:
    """What an endpoint needs besides the model's name. The key is in no repr.

    Parameters
    ----------
    base_url : address before `/embeddings`; None: the provider's own.
    api_key : None where the endpoint asks for none.
    price : money per million tokens, for the count of costs.
    cap : the most money that a process may spend; None: no limit.
    timeout_s : the longest wait for one answer.
    retries : how often a failed call is repeated at most.
    """

    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    price: float = 0.0
    cap: float | None = None
    timeout_s: float = 30.0
    retries: int = 5


@dataclass(frozen=True, slots=True)
class EncoderOptions:
    """What encoders of models take from the settings.

    Parameters
    ----------
    dimensions : the size that longer vectors are cut to, or that a provider is asked for; None: the model's own.
    openai, voyage : the endpoints.
    """

    dimensions: int | None = None
    openai: EndpointOptions = field(default_factory=EndpointOptions)
    voyage: EndpointOptions = field(default_factory=EndpointOptions)


def meaning_encoder(
    spec: EncoderSpec,
    options: EncoderOptions,
    setting: str = "model_embedding",
    known_size: int | None = None,
) -> MeaningEncoder:
    """The encoder of E1 that a spec other than `static` names; nothing is loaded yet.

    Parameters
    ----------
    setting : what errors name.
    known_size : the dimension, where a store knows it already: saves a provider's encoder a call.
    """
    if spec.kind in (EncoderKind.FASTEMBED, EncoderKind.LOCAL):
        from engramforge.spaces.neural.dense import NeuralMeaning

        return NeuralMeaning(spec, options.dimensions, setting)
    from engramforge.spaces.provider.meaning import ProviderMeaning

    return ProviderMeaning(spec, options, setting, known_size)


def kept_size(own: int, declared: int, wanted: int | None, setting: str) -> int:
    """How many of a model's dimensions are kept: what the setting says, at most what the space may take.

    Raises ModelUnavailable where more are wanted than the model has.
    """
    if wanted is not None and wanted > own:
        raise ModelUnavailable(
            f"The model of {setting} gives vectors of {own} dimensions, not {wanted}",
            f"Set embedding_dimensions to at most {own}, or leave it out",
        )
    return min(own, declared, wanted or own)


def sized(own: int, kept: int) -> str:
    """The last part of an encoder's id: its dimension, and what it was cut from."""
    return str(kept) if kept == own else f"{kept}of{own}"


def unit(vectors: NDArray[np.float32], size: int) -> NDArray[np.float32]:
    """The first `size` columns, each row brought to unit length (Matryoshka, Kusupati 2022); a zero row stays zero."""
    cut = np.ascontiguousarray(vectors[:, :size], np.float32)
    norms = np.linalg.norm(cut, axis=1, keepdims=True)
    return np.divide(cut, norms, out=np.zeros_like(cut), where=norms > 0)


def quantised(vectors: NDArray[np.float32]) -> NDArray[np.int8]:
    """float32 rows to int8, each by its own peak; a zero row stays zero."""
    peaks = np.abs(vectors).max(axis=1, keepdims=True, initial=0)
    return np.rint(vectors * (127 / np.where(peaks > 0, peaks, 1))).astype(np.int8)
