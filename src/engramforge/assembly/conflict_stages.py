"""The stages of conflicts over one store, each built when it is first needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from engramforge.assembly.once import once
from engramforge.core.checks.setting_values import JUDGE_BY_MODEL
from engramforge.forge.scoped import Stages
from engramforge.indexing.calibrations import Calibrations
from engramforge.indexing.encoders import Encoders
from engramforge.model.embeddings.encoder_spec import EncoderSpec
from engramforge.model.memory import Memory
from engramforge.recall.retrieval import Retriever
from engramforge.store.door import Door

if TYPE_CHECKING:
    from engramforge.answer.conflicts.conflict_registry import ConflictRegistry
    from engramforge.answer.conflicts.detecting import ConflictDetection
    from engramforge.answer.conflicts.judging_by_model import JudgingByModel
    from engramforge.answer.conflicts.opposing import Opposing


class ConflictStages(Stages):
    """What the stages of conflicts are built from, and these; the fields are those of the stages as a whole."""

    door: Door
    encoder: Encoders
    retriever: Retriever
    clock: Callable[[], datetime]
    calibrations: Calibrations
    conflict_judge: EncoderSpec | str | None

    @once
    def conflict_detection(self) -> ConflictDetection:
        """Detects conflicts."""
        from engramforge.answer.conflicts.detecting import ConflictDetection

        return ConflictDetection(
            self.door, self.encoder, self.calibrations, self.opposing, self.clock, self.judging_by_model
        )

    @once
    def judging_by_model(self) -> JudgingByModel | None:
        """Has the language model read what the rules find, where the settings want it."""
        if self.conflict_judge != JUDGE_BY_MODEL or self.language_model is None:
            return None
        from engramforge.answer.conflicts.judging_by_model import JudgingByModel

        return JudgingByModel(self.language_model)

    @once
    def opposing(self) -> Opposing:
        """Judges whether statements oppose each other."""
        from engramforge.answer.conflicts.opposing import Opposing

        judge = None
        if isinstance(self.conflict_judge, EncoderSpec):
            from engramforge.spaces.neural.entailment import EntailmentJudge

            judge = EntailmentJudge(Path(self.conflict_judge.name))
        return Opposing(self.retriever.table, judge)

    def against(self, memory: Memory, others: Sequence[Memory]) -> list[str | None]:
        """Why each of some memories contradicts one that is about to be written; None for those that do not."""
        from engramforge.answer.conflicts.opposing import claim_of

        claim = claim_of(memory)
        claims = [None if claim is None else claim_of(each) for each in others]
        told = self.opposing.of([(claim, each) for each in claims if claim is not None and each is not None])
        found = iter(told)
        return [None if each is None or (one := next(found)) is None else one.why for each in claims]

    @once
    def conflict_registry(self) -> ConflictRegistry:
        """Lists and dismisses conflicts."""
        from engramforge.answer.conflicts.conflict_registry import ConflictRegistry

        return ConflictRegistry(self.door, self.clock, lambda: self.opposing)
