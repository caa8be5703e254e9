"""E10 by a CLIP-like pair of models: pictures and words in one space, so that words find pictures.

A memory's vector is that of its first picture that can be read, else of its captions; without both it abstains.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.vectors import quantised, unit
from engramforge.errors import InvalidContent, ModelUnavailable
from engramforge.model.embeddings.encoder_spec import ActiveEncoder, EncoderKind, EncoderSpec
from engramforge.model.embeddings.part import QueryPart
from engramforge.model.spaces import ROW_BY_SPACE, Space
from engramforge.spaces.chosen.model_vectors import kept_size, sized
from engramforge.spaces.encoder import ByCosine, Item
from engramforge.spaces.multimodal.decode import decode
from engramforge.spaces.neural.dense import DenseModel
from engramforge.spaces.neural.loading import NeuralSpace, explained, load

if TYPE_CHECKING:
    from engramforge.model.embeddings.part import Values

_PAIRS: Final[Mapping[str, tuple[str, str]]] = {
    "qdrant/clip-vit-b-32": ("Qdrant/clip-ViT-B-32-text", "Qdrant/clip-ViT-B-32-vision"),
    "nomic-ai/nomic-embed-v1.5": ("nomic-ai/nomic-embed-text-v1.5", "nomic-ai/nomic-embed-vision-v1.5"),
    "jinaai/jina-clip-v1": ("jinaai/jina-clip-v1", "jinaai/jina-clip-v1"),
    "google/siglip2-base-patch16-224": ("google/siglip2-base-patch16-224", "google/siglip2-base-patch16-224"),
}
"""Name in the settings -> the models of text and of pictures."""
_BATCH: Final = 8


class NeuralPictures(NeuralSpace, ByCosine):
    """E10: a part of one row."""

    row = ROW_BY_SPACE[Space.MULTIMODAL]

    def __init__(
        self,
        spec: EncoderSpec,
        setting: str,
        dimensions: int | None = None,
        known: ActiveEncoder | None = None,
    ) -> None:
        super().__init__(spec, setting, known)
        self._dimensions = dimensions
        text, self._vision = self._halves()
        self._text = DenseModel(text, setting, "text" if spec.kind is EncoderKind.LOCAL else "")

    @property
    def shape(self) -> tuple[int, int]:
        """(1, dimension); loads both models."""
        self._loaded()
        return (1, self._size)

    def encode(self, items: Sequence[Item]) -> list[Values | None]:
        """int8, shape (1, size), of each item with a picture or a caption."""
        return [None if row is None else quantised(row[None]) for row in self._rows(items)]

    def encode_query(self, item: Item) -> QueryPart | None:
        """A question by its picture, else by its words."""
        row = self._rows([item])[0]
        if row is None and item.text.strip():
            row = self._words([item.text], is_query=True)[0]
        if row is None or not row.any():
            return None
        return QueryPart(self.row.space, self.id, row[None], np.ones(1, np.float32))

    def _rows(self, items: Sequence[Item]) -> list[NDArray[np.float32] | None]:
        """The unit vector of each item's picture, else captions."""
        found: list[NDArray[np.float32] | None] = [None] * len(items)
        for start in range(0, len(items), _BATCH):
            read = {
                place: picture_in(items[place]) for place in range(start, min(start + _BATCH, len(items)))
            }
            seen = {place: picture for place, picture in read.items() if picture is not None}
            for place, row in zip(seen, self._seen(list(seen.values())), strict=True):
                found[place] = row
        told = {
            place: " ".join(picture.caption for picture in item.pictures if picture.caption.strip())
            for place, item in enumerate(items)
            if found[place] is None
        }
        told = {place: text for place, text in told.items() if text}
        for place, row in zip(told, self._words(list(told.values())), strict=True):
            found[place] = row if row.any() else None
        return found

    def _words(self, texts: list[str], is_query: bool = False) -> NDArray[np.float32]:
        if not texts:
            return np.zeros((0, 0), np.float32)
        self._loaded()
        return unit(self._text.vectors(texts, is_query)[:, : self._size])

    def _seen(self, pictures: list[Any]) -> NDArray[np.float32]:
        if not pictures:
            return np.zeros((0, 0), np.float32)
        self._loaded()
        return unit(self._embed(self._model, pictures)[:, : self._size])

    def _embed(self, model: Any, pictures: list[Any]) -> NDArray[np.float32]:
        with explained(self._spec, self._setting, "used"):
            rows = np.array(list(model.embed(pictures, batch_size=_BATCH)), np.float32)
        if rows.ndim != 2 or not np.isfinite(rows).all():
            raise ModelUnavailable(
                f"The model {self._spec} of {self._setting} gives no vectors of numbers for pictures",
                f"Let {self._setting} name a pair of models like CLIP",
            )
        return rows

    def _halves(self) -> tuple[EncoderSpec, EncoderSpec]:
        if self._spec.kind is EncoderKind.LOCAL:
            return self._spec, self._spec
        if (pair := _PAIRS.get(self._spec.name.lower())) is None:
            raise ModelUnavailable(
                f"The model {self._spec} of {self._setting} is no known pair of text and pictures",
                f"Known: {', '.join(sorted(_PAIRS))}; or local:/folder with the folders text and vision",
            )
        return EncoderSpec(self._spec.kind, pair[0]), EncoderSpec(self._spec.kind, pair[1])

    def _made(self) -> tuple[Any, str, int, str]:
        from fastembed import ImageEmbedding
        from fastembed.common.model_description import DenseModelDescription
        from fastembed.image.onnx_embedding import OnnxImageEmbedding
        from PIL import Image

        made = (ImageEmbedding, OnnxImageEmbedding, DenseModelDescription)
        model, name = load(self._vision, self._setting, *made, part="vision", of_pictures=True, dim=1)
        seen = self._embed(model, [Image.new("RGB", (64, 64))]).shape[1]
        own = self._text.vectors(["size"]).shape[1]
        if seen != own:
            raise ModelUnavailable(
                f"The halves of {self._spec} of {self._setting} differ:"
                f" {own} dimensions for text, {seen} for pictures",
                f"Let {self._setting} name models that were trained together",
            )
        size = kept_size(own, self.row.declared_size, self._dimensions, self._setting)
        return model, f"{self._text.name}&{name}", size, sized(own, size)


def picture_in(item: Item) -> Any:
    """The first picture of an item that can be read, as RGB of moderate size; None where there is none."""
    for picture in item.pictures:
        if picture.content:
            # What cannot be decoded was reported by capture already.
            with suppress(InvalidContent):
                return decode(picture.content)
    return None
