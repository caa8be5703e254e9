"""Verbs that change what is remembered: revise, supersede, invalidate, undo, forget."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engramforge.errors import NotFound
from engramforge.forge.parts import ForgePart
from engramforge.model.memory import Memory
from engramforge.model.storing.record import Forgotten
from engramforge.model.timeline import Undone
from engramforge.recall.request import Moment, moment, whole

if TYPE_CHECKING:
    from engramforge.store.door import Transaction


class Changing(ForgePart):
    """Nothing is overwritten; only forget removes."""

    def revise(
        self,
        memory_id: str,
        content: str | None = None,
        *,
        version: int | None = None,
        expected_version: int | None = None,
        recorded_at: Moment = None,
        discovery_energy: float | None = None,
        **changes: Any,
    ) -> Memory:
        """We were wrong: a new version takes the place of the old one, which stays in history.

        Parameters
        ----------
        memory_id : the memory, by version id or logical id.
        content : the corrected content; None keeps it.
        version : an older version that ended; `valid_at` and `invalid_at` correct when it held, which a new closing
            record says. So do they for a memory that ended; `invalid_at=None` says that it has not ended.
        expected_version : refuse when somebody else has revised it since.
        recorded_at : for imported history, when the change was recorded: after the record that it replaces and not in
            the future; default now.
        discovery_energy : how strongly it was felt when it was found, 0..1; kept with the new version.
        changes : other fields of `Draft` to change, `valid_at` and `invalid_at` among them. At any time one version
            holds: times that meet another version's are refused.

        Raises
        ------
        NotFound, Conflict, InvalidContent, InvalidTime, InvalidValue : nothing was changed.
        """
        logical_id = self.get(memory_id).logical_id
        recorded = moment(recorded_at, "recorded_at")
        return self._parts.revision.revise(
            self._scope,
            logical_id,
            content,
            changes,
            expected_version,
            recorded,
            version=None if version is None else whole(version, "version", 1, 2**31),
            discovery_energy=discovery_energy,
        )

    def supersede(
        self,
        memory_id: str,
        content: str | None = None,
        *,
        at: Moment = None,
        expected_version: int | None = None,
        recorded_at: Moment = None,
        discovery_energy: float | None = None,
        **changes: Any,
    ) -> Memory:
        """The world changed at a time, possibly in the past: the old version held until then, the new one since.

        Parameters
        ----------
        at : the time of change; default `recorded_at`, else now. Not before the old version became true.
        recorded_at, discovery_energy : as in `revise`.

        Raises as `revise`.
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
            discovery_energy=discovery_energy,
        )

    def invalidate(
        self,
        memory_id: str,
        *,
        at: Moment = None,
        reason: str = "",
        expected_version: int | None = None,
    ) -> Memory:
        """It is no more since a time, and nothing took its place; before it, it stays true.

        Parameters
        ----------
        at : when it ended; default now. After it became true.
        reason : kept in the audit log, so without content.

        Returns
        -------
        The closing record: the same content and version, with its end.

        Raises
        ------
        NotFound, Conflict, InvalidTime, InvalidValue : nothing was changed.
        """
        said = self._reason(reason)
        logical_id = self.get(memory_id).logical_id
        ended_at = moment(at, "the time of the end")
        return self._parts.revision.invalidate(self._scope, logical_id, ended_at, said, expected_version)

    def undo(self) -> Undone:
        """Take back this agent's last change: what one write remembered, revised, superseded, ended or linked.

        What was undone stays in history, and a second undo brings it back. Of a `remember_many` or an import the
        last transaction is taken back (up to 1,000 memories, 500 of an import or its Markdown files).

        Raises
        ------
        NotFound : the agent has changed nothing yet.
        Conflict : the last change was a forget, or somebody has changed since what it wrote. Nothing was changed.
        """
        from engramforge.capture.undo import Undo

        return Undo(self._parts.door, self._parts.revision, self._parts.clock).undo(self._scope)

    def forget(self, memory_id: str, *, reason: str = "") -> Forgotten:
        """Remove a memory for good: all versions, embeddings, links and what was derived from it.

        The audit log keeps the id, the time and the reason. Raises NotFound.
        """
        said = self._reason(reason)
        logical_id = self.get(memory_id).logical_id
        now = self._parts.clock()

        def removed(writes: Transaction) -> list[Forgotten]:
            proofs = writes.forget([logical_id], now)
            for proof in proofs:
                writes.audit("forget", proof.logical_id, said, now)
            return proofs

        proofs = self._parts.door.write(self._scope, removed)
        if not proofs:
            raise NotFound(f"There is no memory {memory_id!r}", "Somebody else may have forgotten it first")
        # The door returned from the write, so the files have been searched and cleared of the content.
        return replace(proofs[0], verified=True)
