"""The stages of upkeep that scan a store: relations, resonance between projects, topics, dreams, degraded
records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engramforge.assembly.once import once
from engramforge.forge.scoped import Stages

if TYPE_CHECKING:
    from engramforge.upkeep.dreams.dreaming import Dreaming
    from engramforge.upkeep.entangling import Entangling
    from engramforge.upkeep.relations import Relations
    from engramforge.upkeep.sweeping import Sweeping
    from engramforge.upkeep.topics.finding import TopicFinding
    from engramforge.upkeep.topics.reading import TopicReading
    from engramforge.upkeep.topics.updating import TopicUpkeep
    from engramforge.writing.changes import VersionChanges


class UpkeepStages(Stages):
    """Part of the wired stages. `changes`: plans and commits changes of versions."""

    changes: VersionChanges

    @once
    def entangling(self) -> Entangling:
        """Scans over projects."""
        from engramforge.upkeep.entangling import Entangling

        return Entangling(self.door, self.calibrations, self.kept_scans, self.clock)

    @once
    def relations(self) -> Relations:
        """Keeps the relational spaces up to date."""
        from engramforge.upkeep.relations import Relations

        return Relations(self.door, self.clock)

    @once
    def sweeping(self) -> Sweeping:
        """Sweeps over every record."""
        from engramforge.upkeep.sweeping import Sweeping

        return Sweeping(self.door, self.clock)

    @once
    def topic_upkeep(self) -> TopicUpkeep:
        """Clusters the memories of projects."""
        from engramforge.upkeep.topics.updating import TopicUpkeep

        return TopicUpkeep(self.door, self.clock)

    @once
    def topic_reading(self) -> TopicReading:
        """Reads what is told of topics."""
        from engramforge.upkeep.topics.reading import TopicReading

        return TopicReading(self.door, self.topic_upkeep)

    @once
    def topic_finding(self) -> TopicFinding:
        """Ranks topics for questions."""
        from engramforge.upkeep.topics.finding import TopicFinding

        return TopicFinding(self.door, self.encoder, self.clock)

    @once
    def dreaming(self) -> Dreaming:
        """Tidies projects up."""
        from engramforge.upkeep.dreams.dreaming import Dreaming

        return Dreaming(self.door, self.changes, self.topic_upkeep, self.undo, self.clock)
