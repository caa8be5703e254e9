"""The stages of retrieval by intention and by state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engramforge.assembly.once import once
from engramforge.forge.scoped import Stages

if TYPE_CHECKING:
    from engramforge.answer.shifts.watching import ShiftWatching
    from engramforge.answer.streams.learnings import Learnings
    from engramforge.model.embeddings.encoder_spec import EncoderSpec
    from engramforge.recall.intention.assembling import Assembling
    from engramforge.recall.intention.by_state import ByState
    from engramforge.recall.intention.optional.kept_streams import KeptStreams
    from engramforge.recall.intention.six_ways import SixWays


class StreamStages(Stages):
    """Part of the wired stages. `reranker`: as in the settings."""

    reranker: EncoderSpec | None

    @once
    def six_ways(self) -> SixWays:
        """Searches three levels in two ways each."""
        from engramforge.recall.intention.name_index import NameIndex
        from engramforge.recall.intention.six_ways import SixWays

        return SixWays(self.door, self.retriever, NameIndex(self.door))

    @once
    def by_state(self) -> ByState:
        """Retrieves by states."""
        from engramforge.recall.intention.by_state import ByState
        from engramforge.recall.intention.goal_likeness import GoalLikeness

        return ByState(self.door, GoalLikeness(self.door, self.retriever))

    @once
    def assembling(self) -> Assembling:
        """Makes streams."""
        from engramforge.recall.intention.assembling import Assembling

        scorer = None
        if self.reranker is not None:
            from engramforge.spaces.neural.cross_encoder import CrossEncoder

            scorer = CrossEncoder(self.reranker)
        return Assembling(self.door, self.retriever, scorer)

    @once
    def kept_streams(self) -> KeptStreams:
        """Keeps streams for those who ask again."""
        from engramforge.recall.intention.optional.kept_streams import KeptStreams

        return KeptStreams(self.door)

    def forget_kept(self) -> None:
        """Let go of what is kept in memory of what memories say."""
        self.kept_streams.clear()
        self.six_ways.names.clear()
        self.by_state.goals.clear()
        self.shift_watching.clear()

    @once
    def shift_watching(self) -> ShiftWatching:
        """Watches prompts for shifts of activity."""
        from engramforge.answer.shifts.watching import ShiftWatching

        return ShiftWatching(self.door, self.retriever, self.clock)

    @once
    def learnings(self) -> Learnings:
        """Keeps what streams teach."""
        from engramforge.answer.streams.learnings import Learnings

        return Learnings(self.door, self.intake)
