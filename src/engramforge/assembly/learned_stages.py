"""The stages of patterns, priming blocks, flags and the scratchpad, and of what asks several projects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engramforge.assembly.once import once
from engramforge.forge.scoped import Stages

if TYPE_CHECKING:
    from engramforge.answer.lenses.orchestrating import Orchestrating
    from engramforge.indexing.kept_scans import KeptScans
    from engramforge.registries.learned.learned_changes import LearnedChanges
    from engramforge.registries.learned.learned_reading import LearnedReading
    from engramforge.registries.scratchpad import Scratchpad
    from engramforge.writing.changes import VersionChanges


class LearnedStages(Stages):
    """Part of the wired stages. `changes`: plans and commits changes of versions."""

    changes: VersionChanges

    @once
    def learned(self) -> LearnedReading:
        """Reads patterns, priming blocks and flags."""
        from engramforge.registries.learned.learned_reading import LearnedReading

        return LearnedReading(self.door, self.retriever, self.clock)

    @once
    def learned_changes(self) -> LearnedChanges:
        """Records outcomes, and compiles flags."""
        from engramforge.registries.learned.learned_changes import LearnedChanges

        return LearnedChanges(self.changes)

    @once
    def scratchpad(self) -> Scratchpad:
        """The scratch entries of agents."""
        from engramforge.registries.scratchpad import Scratchpad

        return Scratchpad(self.door, self.clock)

    @once
    def kept_scans(self) -> KeptScans:
        """The last scan over projects."""
        from engramforge.indexing.kept_scans import KeptScans

        return KeptScans(self.door)

    @once
    def orchestrating(self) -> Orchestrating:
        """Asks several projects at once."""
        from engramforge.answer.lenses.orchestrating import Orchestrating

        return Orchestrating(self.door, self.retriever, self.kept_scans.latest, self.learned, self.clock)
