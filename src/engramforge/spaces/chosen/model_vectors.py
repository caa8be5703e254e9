"""Vectors of a model that the user chose, cut and quantised as a space stores them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.vectors import unit
from engramforge.errors import ModelUnavailable
from engramforge.model.embeddings.encoder_spec import ActiveEncoder
from engramforge.model.spaces import SpaceRow


class VectorModel(Protocol):
    """A model that gives one vector for a text: of the hub, of a folder, or behind an endpoint."""

    @property
    def name(self) -> str:
        """Its name in ids, which changes when its vectors change. May load the model."""

    @property
    def asked_size(self) -> int | None:
        """The dimension requested from it, if that is possible; None: its own."""

    def vectors(self, texts: Sequence[str], is_query: bool = False) -> NDArray[np.float32]:
        """float32, shape (n, d), rows of any length; a zero row for a text without signal. Finite.

        Raises ModelUnavailable: no model, no network, a wrong key, an answer that makes no sense; the setting is named.
        Raises SpendingCapReached: the next call would cost more than the user allows.
        """


@dataclass(slots=True)
class SizedVectors:
    """Unit vectors of a model at the size that a space stores, and the matching id.

    `row`: the space; its declared size is the most that is kept. `dimensions`: the size to which vectors are cut; None:
    as the space declares. `setting`: what errors name. `known`: what a store says about its encoder; answers that
    contradict it are refused. `share`: the number of rows of the space's part, which divide that size.
    """

    _row: SpaceRow
    _model: VectorModel
    _dimensions: int | None
    _setting: str
    _known: ActiveEncoder | None = None
    _share: int = 1
    _own: int | None = None

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
        # A prefix of the dimensions, brought back to unit length (Matryoshka, Kusupati 2022).
        return unit(found[:, : self._kept_of(found.shape[1])])

    def _probed(self) -> int:
        """The model's own dimension, which one short text shows."""
        if self._own is None:
            self._check(self._model.vectors(["size"]).shape[1])
        assert self._own is not None
        return self._own

    def _check(self, own: int) -> None:
        """Refuse vectors that do not fit earlier ones, here or in the store."""
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
    """Refuse a model other than the one that the store compares by. Raises ModelUnavailable."""
    if known is not None and known.id != found:
        raise ModelUnavailable(
            f"The model of {setting} is {found}, but the store compares by {known.id}",
            f"Let {setting} name the same model as before, or run engramforge reembed",
        )


def kept_size(own: int, declared: int, wanted: int | None, setting: str) -> int:
    """How many of a model's dimensions are kept: what the setting says, but at most what the space allows.

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
