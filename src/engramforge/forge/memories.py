"""Verbs that write memories and change them: remember, revise, supersede, invalidate, undo, redo, forget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from engramforge.core.checks.draft_from_mapping import draft_from
from engramforge.core.checks.validation import check_name
from engramforge.errors import NotFound
from engramforge.forge.scoped import ScopedVerbs
from engramforge.model.limits import BATCH_MEMORIES
from engramforge.model.memory import DEFAULT_PROJECT, Draft, Memory
from engramforge.model.storing.record import Erasure, Forgotten
from engramforge.model.timeline import Undone
from engramforge.recall.request import Moment, moment, whole

if TYPE_CHECKING:
    from engramforge.store.door import Transaction
    from engramforge.writing.pictures import Image

Content = str
"""A memory's content; faults of it are InvalidContent."""


class MemoryVerbs(ScopedVerbs):
    """Verbs that write memories. Nothing is overwritten; only forget removes."""

    def remember(
        self,
        content: Content | None = None,
        *,
        project: str | None = DEFAULT_PROJECT,
        images: Sequence[Image] | None = (),
        captions: Sequence[str] | None = (),
        **fields: Any,
    ) -> Memory:
        """Write one memory; it is durable and searchable when this returns.

        Parameters
        ----------
        content : the text; up to 1 MB of UTF-8, not blank. Secrets in it are redacted before anything is stored. With
            images it may be left out; the captions, else the file names, are then the content.
        project : exists from its first memory.
        images : image files that belong to it, each a path, the file's bytes or a data URL; the memory is found by
            what the first one looks like. The store keeps their place, size and hash, no copy.
        captions : of the images, in their order.
        fields : any field of `Draft`: kind, name, source, session_id, sequence, speaker, level, agent, tags,
            metadata, valid_at, invalid_at, recorded_at, energy, confidence, epistemic_tier, emotion_vector, goal,
            mindstate, resolution_state, attachments, chunk, origin.

        Returns the stored memory with its `id`; its `redacted` says how many secrets were replaced. A note or chunk
        whose content the project has already, or any draft whose `origin` it has, is a duplicate: the existing memory
        is returned and nothing is written. With images, these must be the same too.

        Raises InvalidContent, InvalidValue, InvalidTime: nothing was changed; NotFound: an image file does not exist.
        """
        values = {"content": content, "project": project, **fields}
        draft = _draft({**values, "images": images, "captions": captions})
        return self._stages.intake.write(self._scope, [draft], revive_forgotten=True).memories[0]

    def remember_many(self, drafts: Iterable[Draft | Mapping[str, Any]]) -> list[Memory]:
        """Write many memories, in transactions of up to 1,000.

        All drafts of a transaction are checked before any is written: with a faulty one, none of its thousand is. When
        the store has doubled since its calibrations were fitted, they are fitted again at the end. A mapping may have
        `images` and `captions` as in `remember`. Returns a memory per draft, in order; for a duplicate, the existing
        one.
        """
        written: list[Memory] = []
        checked = map(_draft, drafts)
        while batch := list(islice(checked, BATCH_MEMORIES)):
            written += self._stages.intake.write(self._scope, batch, revive_forgotten=True).memories
        self._stages.calibrating.fit_when_due(self._scope, len(written))
        return written

    def create_project(self, name: str) -> None:
        """Make a project exist before its first memory."""
        checked = check_name(name, "project")
        now = self._stages.clock()
        self._stages.door.write(self._scope, lambda writes: writes.create_project(checked, now))

    def revise(
        self,
        memory_id: str,
        content: Content | None = None,
        *,
        version: int | None = None,
        expected_version: int | None = None,
        recorded_at: Moment = None,
        discovery_energy: float | None = None,
        **changes: Any,
    ) -> Memory:
        """We were wrong: a new version replaces the old one, which stays in history.

        Parameters
        ----------
        memory_id : the memory, by version id or logical id.
        content : the corrected content; None keeps it.
        version : an older, ended version; `valid_at` and `invalid_at` then correct when it held, by a new closing
            record. The same applies to an ended memory; `invalid_at=None` says that it has not ended.
        expected_version : refuse if somebody else has revised it since.
        recorded_at : for imported history, when the change was recorded: after the record that it replaces and not in
            the future; default now.
        discovery_energy : how strongly the discovery was felt, 0..1; kept with the new version.
        changes : other fields of `Draft` to change, `valid_at` and `invalid_at` among them. At any time a single
            version holds: times that overlap another version's are refused.

        Raises NotFound, Conflict, InvalidContent, InvalidTime, InvalidValue: nothing was changed.
        """
        logical_id = self._memory(memory_id).logical_id
        recorded = moment(recorded_at, "recorded_at")
        return self._stages.revision.revise(
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
        content: Content | None = None,
        *,
        at: Moment = None,
        expected_version: int | None = None,
        recorded_at: Moment = None,
        discovery_energy: float | None = None,
        **changes: Any,
    ) -> Memory:
        """The world changed at a time, possibly in the past: the old version held until then, the new one since.

        `at`: the time of change; default `recorded_at`, else now. Not before the old version became true.
        `recorded_at`, `discovery_energy`: as in `revise`.

        Raises as `revise`.
        """
        logical_id = self._memory(memory_id).logical_id
        changed_at = moment(at, "the time of change")
        return self._stages.revision.supersede(
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
        self, memory_id: str, *, at: Moment = None, reason: str = "", expected_version: int | None = None
    ) -> Memory:
        """It no longer holds from a time on, without a successor; before that time it stays true.

        `at`: when it ended; default now. After it became true. `reason`: kept in the audit log, so it must not contain
        content. Returns the closing record: the same content and version, with its end.

        Raises NotFound, Conflict, InvalidTime, InvalidValue: nothing was changed.
        """
        said = self._reason(reason)
        logical_id = self._memory(memory_id).logical_id
        ended_at = moment(at, "the time of the end")
        return self._stages.revision.invalidate(self._scope, logical_id, ended_at, said, expected_version)

    def undo(self, *, message: str | None = None, confirmed: bool = False) -> Undone:
        """Take back this agent's last change that stands: what one write remembered, revised, ended, linked or used.

        Again goes one further back, `redo` comes forward; all of it stays in history. Of a `remember_many` or an
        import the last transaction is taken back (up to 1,000 memories, 500 of an import or its Markdown files).

        `message`: id of a memory; take back what was read from it instead: decisions and threads that it made, changed
        or ended, and what waits for review. The message stays, and an `undo` puts that back. `confirmed`: go ahead
        where more than 20 records and links are touched.

        Raises NotFound: the agent has no change left to take back; NotConfirmed: more than 20 records and links are
        touched, the error says how many; Conflict: the last change was a forget, or its records were changed since.
        Nothing was changed.
        """
        if message is not None:
            return self._stages.undo.undo_read(self._scope, self._memory(message), confirmed)
        return self._stages.undo.undo(self._scope, confirmed)

    def redo(self) -> Undone:
        """Bring again what this agent undid last; a change since leaves nothing to redo. Raises NotFound, Conflict."""
        return self._stages.undo.redo(self._scope)

    def forget(self, memory_id: str, *, reason: str = "") -> Forgotten:
        """Remove a memory for good: all versions, embeddings, links, and everything derived from it.

        Afterwards the store is searched for what it said, and parts of that: the proof tells what was searched, and
        where something is left, as in another memory that says the same, or in what another program's transaction
        still holds; that is cleared when the store is next opened or swept. The audit log keeps the id, the time and
        the reason. Raises NotFound.
        """
        said = self._reason(reason)
        logical_id = self._memory(memory_id).logical_id
        now = self._stages.clock()

        def removed(writes: Transaction) -> tuple[list[Forgotten], Erasure]:
            proofs = writes.forget([logical_id], now, self._stages.preparation.sealed_keys)
            for proof in proofs:
                writes.audit("forget", proof.logical_id, said, now)
            return proofs, writes.erasure

        proofs, erasure = self._stages.door.write(self._scope, removed)
        if not proofs:
            raise NotFound(f"There is no memory {memory_id!r}", "Somebody else may have forgotten it first")
        # When the write has returned, the files have been searched and cleared of the content.
        return replace(
            proofs[0],
            verified=not erasure.found and not erasure.queued,
            searched=tuple(erasure.searched),
            found=tuple(erasure.found),
            cleared=tuple(erasure.cleared),
            queued=erasure.queued,
        )


def _draft(values: Draft | Mapping[str, Any]) -> Draft:
    """A draft from a mapping, with its images, if any."""
    if isinstance(values, Mapping) and ("images" in values or "captions" in values):
        fields = dict(values)
        images, captions = fields.pop("images", None), fields.pop("captions", None)
        # An empty list must not load the image readers either.
        if not (_is_empty(images) and _is_empty(captions)):
            from engramforge.writing.pictures import illustrated

            return illustrated(fields, () if images is None else images, () if captions is None else captions)
        values = fields
    return draft_from(values)


def _is_empty(values: object) -> bool:
    return values is None or (isinstance(values, list | tuple) and not values)
