"""What is counted over the rows of shards that a scope admits, for the ground of questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engramforge.core.arrays.ragged import distinct
from engramforge.model.search.candidates import Corpus, Profile
from engramforge.store.scoring.strength import Mask
from engramforge.store.sqlite.resident.postings import summed_counts
from engramforge.store.sqlite.resident.shard import Shard


def counted(shards: Sequence[Shard], masks: Sequence[Mask]) -> Corpus:
    """The terms of these rows."""
    found = [shard.postings.document_frequencies(mask) for shard, mask in zip(shards, masks, strict=True)]
    found.append((np.empty(0, np.uint32), np.empty(0, np.int64)))
    total = int(sum(mask.sum() for mask in masks))
    length = sum(int(shard.lengths[mask].sum()) for shard, mask in zip(shards, masks, strict=True))
    return Corpus(total, length, *summed_counts(*zip(*found, strict=True)))


def profiled(shards: Sequence[Shard], masks: Sequence[Mask], speakers: Mapping[str, int]) -> Profile:
    """What these rows are, told without any term; `speakers`: numbers of all names, ascending."""
    total = int(sum(mask.sum() for mask in masks))
    return Profile(total, _speaking(shards, masks, speakers), _years(shards, masks))


def _speaking(shards: Sequence[Shard], masks: Sequence[Mask], numbers: Mapping[str, int]) -> tuple[str, ...]:
    """Names of those who speak in these rows; `numbers`: of all names, ascending."""
    names = list(numbers)
    found: set[int] = set()
    for shard, mask in zip(shards, masks, strict=True):
        found.update(np.flatnonzero(np.bincount(shard.column("speaker")[mask])).tolist())
    return tuple(sorted(names[code] for code in found if names[code]))


def _years(shards: Sequence[Shard], masks: Sequence[Mask]) -> tuple[int, ...]:
    """The years of these rows' valid times, ascending."""
    found: set[int] = set()
    for shard, mask in zip(shards, masks, strict=True):
        valid = shard.column("valid_at")[mask].view("datetime64[us]").astype("datetime64[Y]")
        found.update(int(year) + 1970 for year in distinct(valid.astype(np.int64)).values)
    return tuple(sorted(found))
