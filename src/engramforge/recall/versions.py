"""A single hit per version: a superseded version and its closing record are one belief.

Pure.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from engramforge.model.memory import Memory

Rows = NDArray[np.int64]


def newest_of_versions(order: Rows, position: Rows, memories: Mapping[int, Memory]) -> Rows:
    """The rows whose record is the newest of its version among these, in the same order.

    `order`: rows, best first. `position`: the store's key of each row's record; a record written later has a greater
    one. `memories`: position -> memory; rows forgotten since are left out.
    """
    newest: dict[tuple[str, int], int] = {}
    for place, memory in memories.items():
        version = (memory.logical_id, memory.version)
        newest[version] = max(place, newest.get(version, place))
    kept = np.array(sorted(newest.values()), np.int64)
    return order[np.isin(position[order], kept)]
