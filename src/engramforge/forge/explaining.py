"""Verbs that explain: a memory's embeddings and surprise, and the calibrations that make similarities comparable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engramforge.errors import CallerError, WorldError
from engramforge.forge.parts import ForgePart, checked_id
from engramforge.model.embeddings.calibration_report import CalibrationReport
from engramforge.model.embeddings.memory_embeddings import MemoryEmbeddings

if TYPE_CHECKING:
    from engramforge.model.memory import Memory


class Explaining(ForgePart):
    """What lies behind a score."""

    _written_until_due = 0
    """How many memories this object may still bring in before it looks whether a fit is due."""

    def embeddings(self, memory_id: str) -> MemoryEmbeddings:
        """A memory in each of the thirteen spaces: encoder, shape, norm, calibrations, surprise, or why it abstains.

        Surprise is measured against up to 1,000 of the newest other memories of its project.

        Parameters
        ----------
        memory_id : a version's id, or the id that all versions share (then the current one).

        Raises
        ------
        NotFound : there is no such memory.
        """
        from engramforge.recall.embeddings import embeddings_of
        from engramforge.recall.surroundings import surroundings_of

        memory: Memory = self.get(checked_id(memory_id))
        parts = self._parts
        active = parts.door.encoders(self._scope)
        around = surroundings_of(parts.door, self._scope, memory, parts.clock())
        calibrations = parts.calibrations.current(self._scope)
        return embeddings_of(around, parts.encoder.table, parts.encoder.part_encoders(active), calibrations)

    def calibrate(self) -> CalibrationReport:
        """Fit the calibrations of every space to the store's own memories, in about a second.

        `remember_many` and `import_path` do it by themselves whenever the store has doubled. Answers that are being
        made keep the calibrations that they began with. A store of fewer than 100 memories keeps what is shipped.
        """
        from engramforge.upkeep.calibrating import calibrate

        parts = self._parts
        return calibrate(parts.door, self._scope, parts.encoder, parts.calibrations, parts.clock())

    def calibration(self) -> CalibrationReport:
        """The calibrations in use now; nothing is fitted."""
        from engramforge.upkeep.calibrating import calibration_in_use

        return calibration_in_use(self._parts.door, self._scope, self._parts.calibrations)

    def calibration_is_due(self) -> bool:
        """Whether the store has doubled since its calibrations were fitted."""
        from engramforge.upkeep.calibrating import memories_until_due

        return memories_until_due(self._parts.door, self._scope) <= 0

    def _calibrate_when_due(self, written: int) -> None:
        """Fit when the store has doubled. Never fails: what was written is acknowledged, and a fit can wait."""
        self._written_until_due -= written
        if self._written_until_due > 0 or not written:
            return
        from engramforge.upkeep.calibrating import memories_until_due

        try:
            self._written_until_due = memories_until_due(self._parts.door, self._scope)
            if self._written_until_due <= 0:
                self._written_until_due = max(self.calibrate().memories, 1)
        except (CallerError, WorldError):
            self._written_until_due = 1
