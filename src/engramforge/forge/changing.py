"""Verbs that change what is remembered: revise, supersede, forget; and the history that they leave."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engramforge.core.validation import check_name
from engramforge.errors import NotFound
from engramforge.forge.parts import ForgePart
from engramforge.model.memory import Memory
from engramforge.model.record import Forgotten
from engramforge.recall.request import Moment, moment

if TYPE_CHECKING:
    from engramforge.store.door import Transaction


class Changing(ForgePart):
    """Nothing is overwritten; only forget removes."""

    def revise(
        self,
        memory_id: str,
        content: str | None = None,
        *,
        expected_version: int | None = None,
        recorded_at: Moment = None,
        **changes: Any,
    ) -> Memory:
        """We were wrong: a new version takes the place of the old one, which stays in history.

        Parameters
        ----------
        memory_id : the memory, by version id or logical id.
        content : the corrected content; None keeps it.
        expected_version : refuse when somebody else has revised it since.
        recorded_at : for imported history, when the change was recorded: after the record that it replaces and not in
            the future (spec chapter 1); default now.
        changes : other fields of `Draft` to change.

        Raises
        ------
        NotFound, Conflict, InvalidContent, InvalidTime, InvalidValue : nothing was changed.
        """
        logical_id = self.get(memory_id).logical_id
        recorded = moment(recorded_at, "recorded_at")
        return self._parts.revision.revise(
            self._scope, logical_id, content, changes, expected_version, recorded
        )

    def supersede(
        self,
        memory_id: str,
        content: str | None = None,
        *,
        at: Moment = None,
        expected_version: int | None = None,
        recorded_at: Moment = None,
        **changes: Any,
    ) -> Memory:
        """The world changed at a time, possibly in the past: the old version held until then, the new one since.

        Parameters
        ----------
        at : the time of change; default `recorded_at`, else now. Not before the old version became true.
        recorded_at : as in `revise`.
        """
        logical_id = self.get(memory_id).logical_id
        changed_at = moment(at, "the time of change")
        return self._parts.revision.supersede(
            self._scope,
            logical_id,
            content,
            changes,
            changed_at,
            expected_version,
            moment(recorded_at, "recorded_at"),
        )

    def forget(self, memory_id: str, *, reason: str = "") -> Forgotten:
        """Remove a memory for good: all versions, embeddings, links and what was derived from it.

        The audit log keeps the id, the time and the reason. Raises NotFound.
        """
        if reason:
            check_name(reason, "reason")
        logical_id = self.get(memory_id).logical_id
        now = self._parts.clock()

        def removed(writes: Transaction) -> list[Forgotten]:
            proofs = writes.forget([logical_id], now)
            for proof in proofs:
                writes.audit("forget", proof.logical_id, reason, now)
            return proofs

        proofs = self._parts.door.write(self._scope, removed)
        if not proofs:
            raise NotFound(f"There is no memory {memory_id!r}", "Somebody else may have forgotten it first")
        # The door returned from the write, so the files have been searched and cleared of the content.
        return replace(proofs[0], verified=True)

    def history(self, memory_id: str) -> list[Memory]:
        """Every record of a memory, closing records too, oldest first. Raises NotFound."""
        found = self._parts.door.versions(self._scope, self.get(memory_id).logical_id)
        if not found:
            raise NotFound(
                f"There is no memory {memory_id!r}", "Somebody else may have forgotten it just now"
            )
        return found
