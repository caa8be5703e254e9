"""E1 by an encoder that the user chose: what it offers, and the cut and the int8 that all models share.

The static model's E1 comes with the words (indexing/encode) and is not made here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engramforge.errors import ModelUnavailable
from engramforge.model.embeddings.active_encoders import ActiveEncoder
from engramforge.model.embeddings.encoder_spec import EncoderSpec
from engramforge.model.spaces import ROW_BY_SPACE, Space, SpaceRow

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


class VectorModel(Protocol):
    """A model that gives one vector for a text: of the hub, of a folder, or behind an endpoint."""

    @property
    def name(self) -> str:
        """What it is, for ids: changes when its vectors change. May load the model."""

    @property
    def asked_size(self) -> int | None:
        """The dimension that it was asked to give, where it can be asked; None: its own."""

    def vectors(self, texts: Sequence[str], is_query: bool = False) -> NDArray[np.float32]:
        """float32, shape (n, d), rows of any length; a zero row for a text without signal. Finite.

        Raises
        ------
        ModelUnavailable, SpendingCapReached : as `MeaningEncoder.encode`.
        """


class ModelMeaning:
    """E1 by a model.

    Parameters
    ----------
    dimensions : the size to which vectors are cut; None: as the space declares.
    setting : what errors name.
    known : what a store says of its encoder; an answer that does not fit it is refused.
    """

    def __init__(
        self,
        spec: EncoderSpec,
        model: VectorModel,
        dimensions: int | None,
        setting: str,
        known: ActiveEncoder | None = None,
    ) -> None:
        self._spec, self._setting, self._known = spec, setting, known
        self._vectors = SizedVectors(ROW_BY_SPACE[Space.SEMANTIC], model, dimensions, setting, known)

    @property
    def spec(self) -> EncoderSpec:
        """How it was chosen."""
        return self._spec

    @property
    def id(self) -> str:
        """Name, version and dimension. Loads the model or asks the endpoint, unless a store knows it."""
        return self._vectors.id

    @property
    def size(self) -> int:
        """Dimension. Likewise."""
        return self._vectors.size

    def background(self) -> float | None:
        """How alike it finds unrelated texts (spaces/chosen/background). Asks the model."""
        from engramforge.spaces.chosen.background import background_of

        return background_of(Space.SEMANTIC, self._vectors)

    def encode(self, texts: Sequence[str]) -> list[Vector | None]:
        """See `MeaningEncoder`."""
        vectors = self._vectors.of(texts)
        return [row if row.any() else None for row in quantised(vectors)]

    def encode_query(self, text: str) -> NDArray[np.float32] | None:
        """See `MeaningEncoder`."""
        vector = self._vectors.of([text], is_query=True)[0]
        return vector if vector.any() else None


class SizedVectors:
    """Unit vectors of a model at the size that a space keeps, and the id that says so.

    Parameters
    ----------
    row : the space; its declared size is the most that is kept.
    share : how many rows of the space's part divide that size.
    """

    def __init__(
        self,
        row: SpaceRow,
        model: VectorModel,
        dimensions: int | None,
        setting: str,
        known: ActiveEncoder | None = None,
        share: int = 1,
    ) -> None:
        self._row, self._model, self._dimensions = row, model, dimensions
        self._setting, self._known, self._share = setting, known, share
        self._own: int | None = None

    @property
    def id(self) -> str:
        """Space, name and dimension."""
        return self._known.id if self._known else self._id_of(self._probed())

    @property
    def size(self) -> int:
        """How many dimensions are kept."""
        return self._known.size if self._known else self._kept_of(self._probed())

    def of(self, texts: Sequence[str], is_query: bool = False) -> NDArray[np.float32]:
        """float32, shape (n, size), rows of unit length, or zero. Raises as `VectorModel.vectors`."""
        if not texts:
            return np.zeros((0, self.size), np.float32)
        found = self._model.vectors(texts, is_query)
        self._check(found.shape[1])
        return unit(found, self._kept_of(found.shape[1]))

    def _probed(self) -> int:
        """The model's own dimension, which one short text shows."""
        if self._own is None:
            self._check(self._model.vectors(["size"]).shape[1])
        assert self._own is not None
        return self._own

    def _check(self, own: int) -> None:
        """Refuse vectors that do not fit what came before them, here or in the store."""
        if self._own is None and self._known is not None:
            is_short = own < self._known.size
            check_known(self._known, self._named(str(own)) if is_short else self._id_of(own), self._setting)
        if self._own not in (None, own):
            raise ModelUnavailable(
                f"The model of {self._setting} gave {self._own} dimensions before and {own} now",
                "Let one model answer under that name",
            )
        self._own = own

    def _kept_of(self, own: int) -> int:
        return kept_size(own, self._row.declared_size // self._share, self._dimensions, self._setting)

    def _id_of(self, own: int) -> str:
        asked = self._model.asked_size
        size = f"{own}asked" if asked == own == self._kept_of(own) else sized(own, self._kept_of(own))
        return self._named(size)

    def _named(self, size: str) -> str:
        return f"{self._row.space}-1/{self._model.name}/{size}"


def check_known(known: ActiveEncoder | None, found: str, setting: str) -> None:
    """Refuse a model that is another than the one that a store compares by. Raises ModelUnavailable."""
    if known is not None and known.id != found:
        raise ModelUnavailable(
            f"The model of {setting} is {found}, but the store compares by {known.id}",
            f"Let {setting} name the same model as before, or run engramforge reembed",
        )


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
    brought: NDArray[np.float32] = np.divide(cut, norms, out=np.zeros_like(cut), where=norms > 0)
    return brought


def quantised(vectors: NDArray[np.float32]) -> NDArray[np.int8]:
    """float32 rows to int8, each by its own peak; a zero row stays zero."""
    peaks = np.abs(vectors).max(axis=1, keepdims=True, initial=0)
    scaled: NDArray[np.int8] = np.rint(vectors * (127 / np.where(peaks > 0, peaks, 1))).astype(np.int8)
    return scaled
