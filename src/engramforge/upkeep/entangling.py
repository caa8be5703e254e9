"""Scans over projects: which memories of different projects resonate (spec chapter 6, entanglement).

    door.meanings -> neighbours across projects -> calibrated -> union-find -> a mark of the store, by agent

A scan goes on from the last one, with what was written since; it is made anew when asked, with another threshold, and
when the store has doubled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.lenses.entangling import clusters_of, neighbours_across
from engramforge.core.similarity.calibration import Calibration, Direction
from engramforge.indexing.calibrations import Calibrations
from engramforge.indexing.kept_scans import KeptScans, marks_of
from engramforge.model.embeddings.encoder_spec import Meanings
from engramforge.model.lenses.entanglement import EntanglementScan
from engramforge.model.memory import Kind
from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.spaces.presets import static_preset
from engramforge.store.door import Door, Transaction

THRESHOLD: Final = 0.75
KINDS: Final = tuple(
    kind
    for kind in Kind
    if kind not in (Kind.ARCHIVE, Kind.LINEAGE, Kind.FLAG, Kind.TOOL_USE, Kind.ACTION, Kind.SESSION_SUMMARY)
)
"""What may resonate: what machines did and what repeats others does not."""
_LEAST_COSINE: Final = 0.3
"""Below it nothing is above a threshold, by any calibration."""
_LEAST_WORDS: Final = 4
_DUE_SHARE: Final = 0.1
_DUE_FEW: Final = 200
_SEED: Final = 7


@dataclass(frozen=True, slots=True)
class Entangling:
    """Makes scans and keeps the last one."""

    door: Door
    calibrations: Calibrations
    kept: KeptScans
    clock: Callable[[], datetime]

    def is_due(self, scope: Scope) -> bool:
        """Whether a tenth as many memories were written since as were compared, and some hundreds."""
        last = self.kept.latest(scope)
        if last is None:
            return False  # nobody asked for one yet
        count = self.door.tending(scope).count().memories
        return count - last.memories >= max(_DUE_FEW, _DUE_SHARE * last.memories)

    def go_on(self, scope: Scope) -> EntanglementScan:
        """Go on from the last scan as somebody asked for it."""
        last = self.kept.latest(scope)
        return self.scan(scope, None if last is None else last.threshold)

    def scan(self, scope: Scope, threshold: float | None = None, anew: bool = False) -> EntanglementScan:
        """Compare what was written since the last scan with everything, or everything anew.

        `threshold`: default 0.75, whatever the last scan was asked for.
        """
        last = self.kept.latest(scope)
        least = THRESHOLD if threshold is None else threshold
        found = self.door.asking(scope).meanings(KINDS)
        if last is not None and (anew or last.threshold != least or len(found.positions) > 2 * last.memories):
            last = None
        fresh = found.positions > (0 if last is None else last.last_position)
        pairs = self._resonances(scope, found, fresh, least)
        ids = found.logical_ids
        # What was revised since is compared anew: it may have left its cluster.
        same = {each for each, is_fresh in zip(ids, fresh.tolist(), strict=True) if not is_fresh}
        project_of = dict(zip(ids, found.projects.tolist(), strict=True))
        before = [] if last is None else [[x for x in each if x in same] for each in last.clusters]
        connected = clusters_of([(ids[one], ids[other]) for one, other in pairs.tolist()], before)
        made = EntanglementScan(
            at=self.clock(),
            threshold=least,
            memories=len(ids),
            projects=len(set(found.projects.tolist())),
            resonances=len(pairs) + (0 if last is None else last.resonances),
            # What is left of a cluster once the members of all other projects are gone resonates across none.
            clusters=tuple(each for each in connected if len({project_of[x] for x in each}) > 1),
            last_position=int(found.positions[-1]) if len(ids) else 0,
        )

        def write(writes: Transaction) -> None:
            for key, value in marks_of(made, scope).items():
                writes.save_mark(key, value)

        self.door.write(scope, write)
        return made

    def _resonances(
        self, scope: Scope, found: Meanings, fresh: NDArray[np.bool_], least: float
    ) -> NDArray[np.int64]:
        """Pairs of rows that are at least as alike, shape (m, 2)."""
        calibration = self._calibration(scope, found.encoder)
        if calibration is None:
            return np.empty((0, 2), np.int64)
        # What says next to nothing is like everything: it takes no part, by a vector that is like nothing.
        vectors = found.vectors.astype(np.float32)
        vectors[found.lengths < _LEAST_WORDS] = 0
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        rng = np.random.default_rng(_SEED)
        pairs, cosines = neighbours_across(vectors, found.projects, fresh, _LEAST_COSINE, rng)
        shorter = found.lengths[pairs].min(axis=1)
        return pairs[calibration.apply(cosines, shorter).similarity >= least]

    def _calibration(self, scope: Scope, encoder: str | None) -> Calibration | None:
        by = encoder or static_preset()[Space.SEMANTIC].id
        return self.calibrations.current(scope).find(Space.SEMANTIC, Direction.MEMORY_TO_MEMORY, by)
