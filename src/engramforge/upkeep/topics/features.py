"""What is kept of a clustering, so that a new memory joins its clusters and topics without another being read.

    embedding -> points -> in each space the nearest centre, if it is as near as its members are -> agreement with each
        topic -> of those with which it agrees the one whose middle is the nearest

Of the cluster features that BIRCH keeps in its leaves (Zhang, Ramakrishnan, Livny 1996) these are the centres; they
stay until the next clustering. They are made of every memory that took part: a forget drops them, and they are made
anew of what is left.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import distinct
from engramforge.core.topics.agreement import UNCLUSTERED, Labels, kept_as, nearest_of
from engramforge.core.topics.membership import Shares, joined
from engramforge.model.spaces import Space
from engramforge.upkeep.topics.clusters import centres_of, reach
from engramforge.upkeep.topics.gathering import Gathering, likeness, middles_of
from engramforge.upkeep.topics.vectors import SPACES, Points, Rarity, Vectorizer

if TYPE_CHECKING:
    from engramforge.model.embeddings.embedding import Embedding

Floats = NDArray[np.float32]
_BLOCK: Final = 2_048


@dataclass(frozen=True, slots=True)
class SpaceFeatures:
    """The clusters of a space, and the topics there.

    `numbers`: int32, shape (k,), of its clusters. `centres`: float32, shape (k, size), unit rows. `least`: how near to
    the centre a memory of a cluster is, a cosine. `middles`: float32, shape (topics, size), unit rows or 0.
    """

    numbers: NDArray[np.int32]
    centres: Floats
    least: float
    middles: Floats

    @classmethod
    def of(cls, points: Points, labels: Labels, topics: NDArray[np.int64], count: int) -> SpaceFeatures:
        """Of all memories' points. `labels`: the nearest cluster of each memory here. `topics`: below `count`."""
        known = labels[points.places]
        found = distinct(known[known >= 0])
        compact = np.full(len(known), UNCLUSTERED, np.int32)
        compact[known >= 0] = found.places
        middles = middles_of(points, topics, count)
        if not len(found.values):
            return cls(
                np.zeros(0, np.int32), np.zeros((0, points.vectors.shape[1]), np.float32), 1.0, middles
            )
        centres = centres_of(points.vectors, compact)
        return cls(found.values.astype(np.int32), centres, reach(points.vectors, centres, compact), middles)

    def nearest(self, vectors: Floats) -> Labels:
        """The number of the nearest cluster of each, int32, -1 for those too far from all."""
        if not len(self.numbers):
            return np.full(len(vectors), UNCLUSTERED, np.int32)
        cosines = vectors @ self.centres.T
        inside = cosines.max(axis=1) >= self.least
        return np.where(inside, self.numbers[cosines.argmax(axis=1)], UNCLUSTERED).astype(np.int32)

    def beside(self, others: SpaceFeatures, beyond: int) -> SpaceFeatures:
        """With clusters and topics of others, whose numbers begin at `beyond`."""
        return SpaceFeatures(
            np.append(self.numbers, others.numbers + beyond).astype(np.int32),
            np.vstack([self.centres, others.centres]),
            min(self.least, others.least),
            np.vstack([self.middles, others.middles]),
        )


@dataclass(frozen=True, slots=True)
class Features:
    """A clustering of a project.

    `topics`: their ids, in the order of the columns of `shares` and the rows of middles.
    """

    rarities: Mapping[Space, Rarity]
    spaces: Mapping[Space, SpaceFeatures]
    shares: Shares
    topics: tuple[str, ...]

    @classmethod
    def of(
        cls,
        points: Mapping[Space, Points],
        labels: Labels,
        topics: NDArray[np.int64],
        ids: Sequence[str],
        rarities: Mapping[Space, Rarity],
    ) -> Features:
        """Of memories that were clustered, all or a sample.

        `labels`: as of `Gathering`. `topics`: places in `ids`, -1 for what is of none.
        """
        full = nearest_of(labels)
        return cls(
            rarities,
            {
                space: SpaceFeatures.of(points[space], full[:, column], topics, len(ids))
                for column, space in enumerate(SPACES)
                if space in points
            },
            _of_all(Shares.counted(full, topics, SPACES), len(ids)),
            tuple(ids),
        )

    def join(self, embeddings: Sequence[Embedding]) -> Gathering:
        """The clusters and topics of new memories; these are near to clusters, and bound by none."""
        points = Vectorizer(self.rarities).points(embeddings)
        full = np.full((len(embeddings), len(SPACES)), UNCLUSTERED, np.int32)
        for column, space in enumerate(SPACES):
            if space in points and space in self.spaces:
                full[points[space].places, column] = self.spaces[space].nearest(points[space].vectors)
        topics = np.full(len(full), -1, np.int64)
        agreements = np.zeros(len(full), np.float32)
        middles = {space: each.middles for space, each in self.spaces.items()}
        for begin in range(0, len(full), _BLOCK):
            part = slice(begin, min(begin + _BLOCK, len(full)))
            alike = likeness(points, middles, part)
            if self.topics:
                topics[part], agreements[part] = joined(self.shares.agreement(full[part]), alike)
        return Gathering(kept_as(np.full_like(full, UNCLUSTERED), full), topics, agreements)

    def beside(self, others: Features) -> tuple[Features, NDArray[np.int32]]:
        """With what was found since, and by how much the numbers of its clusters rise, int32, shape (spaces,)."""
        beyond = np.array([len(each) - 1 for each in self.shares.columns], np.int32)
        spaces = dict(self.spaces)
        for column, space in enumerate(SPACES):
            if space in self.spaces and space in others.spaces:
                spaces[space] = self.spaces[space].beside(others.spaces[space], int(beyond[column]))
        both = Features(
            self.rarities, spaces, self.shares.beside(others.shares), (*self.topics, *others.topics)
        )
        return both, beyond

    def packed(self) -> dict[str, Any]:
        """The same as a mark keeps it: vectors in half precision."""
        arrays: dict[str, NDArray[Any]] = {}
        for space, rarity in self.rarities.items():
            arrays |= {f"{space}.terms": rarity.terms, f"{space}.counts": rarity.counts}
        for space, each in self.spaces.items():
            arrays |= {
                f"{space}.numbers": each.numbers,
                f"{space}.centres": each.centres.astype(np.float16),
                f"{space}.middles": each.middles.astype(np.float16),
            }
        for column, shares in enumerate(self.shares.columns):
            arrays |= {f"{column}.cells": np.flatnonzero(shares), f"{column}.shares": shares[shares != 0]}
        buffer = io.BytesIO()
        np.savez(buffer, allow_pickle=False, **arrays)
        return {
            "topics": list(self.topics),
            "texts": {str(space): each.texts for space, each in self.rarities.items()},
            "least": {str(space): each.least for space, each in self.spaces.items()},
            "rows": [len(each) for each in self.shares.columns],
            "arrays": base64.b64encode(buffer.getvalue()).decode("ascii"),
        }

    @classmethod
    def unpacked(cls, kept: Mapping[str, Any]) -> Features:
        """What `packed` kept."""
        topics = tuple(kept["topics"])
        with np.load(io.BytesIO(base64.b64decode(kept["arrays"])), allow_pickle=False) as arrays:
            rarities = {
                Space(name): Rarity(arrays[f"{name}.terms"], arrays[f"{name}.counts"], texts)
                for name, texts in kept["texts"].items()
            }
            spaces = {
                Space(name): SpaceFeatures(
                    arrays[f"{name}.numbers"],
                    arrays[f"{name}.centres"].astype(np.float32),
                    least,
                    arrays[f"{name}.middles"].astype(np.float32),
                )
                for name, least in kept["least"].items()
            }
            columns = []
            for column, rows in enumerate(kept["rows"]):
                shares = np.zeros((rows, len(topics)), np.float32)
                shares.ravel()[arrays[f"{column}.cells"]] = arrays[f"{column}.shares"]
                columns.append(shares)
        return cls(rarities, spaces, Shares(SPACES, tuple(columns)), topics)


def _of_all(shares: Shares, count: int) -> Shares:
    """With columns for topics of which the sample has no memory."""
    missing = count - shares.count
    wide = tuple(np.pad(each, ((0, 0), (0, missing))) for each in shares.columns)
    return Shares(shares.spaces, wide)
