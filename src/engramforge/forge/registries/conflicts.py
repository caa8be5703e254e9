"""Verbs of conflicts, as `forge.conflicts`: detect, list, dismiss; check a text or a pair without keeping anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engramforge.core.checks.validation import check_claim, check_unit
from engramforge.errors import InvalidValue
from engramforge.forge.scoped import Ids, ScopedVerbs
from engramforge.model.lenses.conflict import Conflict, ConflictReport
from engramforge.model.limits import RECALL_HITS
from engramforge.recall.request import listed, whole

_TIER: Final = 0.5


class ConflictVerbs(ScopedVerbs, relating=("detect", "dismiss")):
    """Statements that contradict each other, within a project and across projects."""

    def detect(
        self, project: Ids | None = None, *, anew: bool = False, most: int | None = None
    ) -> ConflictReport:
        """Look for conflicts among decisions, learnings, patterns, notes and priming blocks, and keep them as links.

        Goes on from the last detection, with what was written since; `anew`, or with `project`, everything is compared,
        each memory with its nearest few. A conflict that was dismissed is not found again while its statements say the
        same; one whose statements changed and agree now is settled. `undo` takes a detection back, and the next one
        compares everything. `most`: compare so many, the oldest first, and leave the rest to the next (`left` of the
        report); not within a project, where no detection goes on from another, and with `anew` in the first call only,
        which begins again.

        Raises NotFound: there is no such project; InvalidValue: `most` within a project.
        """
        scope = self._within(project)
        if most is not None and scope.projects is not None:
            raise InvalidValue(
                "A detection within a project compares everything", "Leave out most or project"
            )
        least = None if most is None else whole(most, "most", 1, 2**31)
        return self._stages.conflict_detection.detect(scope, anew, least)

    def list(
        self,
        project: Ids | None = None,
        *,
        dismissed: bool = False,
        replaced: bool = False,
        limit: int = 50,
    ) -> Sequence[Conflict]:
        """Open conflicts of which a statement is in the project, the surest first; `dismissed`: those instead.

        `replaced`: instead, pairs that are no conflict, as one declares that it takes the other's place. `limit`: 1 to
        1,000. Raises NotFound, InvalidValue.
        """
        named = self._within(project).projects or ()
        most = whole(limit, "limit", 1, RECALL_HITS)
        return self._stages.conflict_registry.conflicts(self._scope, named, dismissed, most, replaced)

    def of(self, memory_id: str, *, replaced: bool = False) -> Sequence[Conflict]:
        """The open conflicts of a memory, by version id, logical id or entry id, the surest first; `replaced`: also
        what it declares to replace, and what replaces it. Raises NotFound."""
        memory = self._memory(memory_id)
        return self._stages.conflict_registry.of_memories(self._scope, [memory.logical_id], replaced=replaced)

    def dismiss(self, id: str, reason: str) -> Conflict:  # noqa: A002 - the word a user expects
        """Dismiss an open conflict by its id, for a reason; it is not found again. `undo` opens it again.

        Raises NotFound: no open conflict has this id; InvalidValue: no reason is given.
        """
        said, _ = self._reason(reason)
        return self._stages.conflict_registry.dismiss(self._scope, id, said)

    def check(
        self,
        text: str,
        tier: float = _TIER,
        project: Ids | None = None,
        *,
        rejected: Sequence[str] = (),
    ) -> Sequence[Conflict]:
        """What is remembered that a text would contradict, the surest first; nothing is kept.

        `tier`: how sure the text is, 0..1. `project`: look in these alone. `rejected`: alternatives that it rejects.

        Raises InvalidValue, NotFound.
        """
        from engramforge.answer.conflicts.opposing import Claim

        scope = self._within(project)
        said = check_claim(text)
        claim = Claim(said, tuple(listed(rejected, "rejected")), check_unit(tier, "tier"))
        where = scope.projects[0] if scope.projects else ""
        return self._stages.conflict_detection.check(scope, claim, where)

    def compare(self, pairs: Sequence[tuple[str, str]]) -> Sequence[tuple[str, float] | None]:
        """How the two statements of each pair contradict each other: signal and score, 0..1; None where they do not.

        Nothing is stored, and nothing of the store is asked. Raises InvalidValue: an item is no pair of texts.
        """
        from engramforge.answer.conflicts.opposing import Claim

        claims = [(Claim(one), Claim(other)) for one, other in pairs]
        found = self._stages.conflict_detection.opposing.of(claims, is_one_matter=True)
        return [None if each is None else (each.signals[0], each.score) for each in found]
