"""Verbs that write memories and change them: remember, revise, supersede, invalidate, undo, redo, forget."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Unpack

from engramforge.core.checks.draft_from_mapping import draft_from
from engramforge.core.checks.validation import check_name
from engramforge.core.registries.registration import check_not_future
from engramforge.errors import InvalidSource, InvalidValue, NotConfirmed, NotFound, Stopped, StoreUnavailable
from engramforge.forge.scoped import Ids, ScopedVerbs
from engramforge.model.limits import BATCH_MEMORIES, COUNTED, FORGOTTEN_UNASKED
from engramforge.model.memory import DEFAULT_PROJECT, Draft, Kind, Memory
from engramforge.model.scope import Scope
from engramforge.model.storing.record import Erasure, Extent, Forgotten
from engramforge.model.timeline import Undone
from engramforge.recall.request import Moment, listed, moment, whole

if TYPE_CHECKING:
    from engramforge.forge.draft_fields import ChangedFields, DraftFields, DraftMapping
    from engramforge.store.door import Transaction
    from engramforge.writing.pictures import Image

Content = str
"""A memory's content; faults of it are InvalidContent."""

_LOOKED_AFTER: Final = 50
"""After so many single memories it is looked whether the calibrations are due, which counts all."""


class MemoryVerbs(ScopedVerbs, relating=("undo", "redo", "forget")):
    """Verbs that write memories. Nothing is overwritten; only forget removes."""

    def remember(
        self,
        content: Content | None = None,
        *,
        project: str | None = DEFAULT_PROJECT,
        images: Sequence[Image] | None = (),
        captions: Sequence[str] | None = (),
        near: bool = True,
        **fields: Unpack[DraftFields],
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
        near : whether the answer's `near` has up to three current memories of the project that say the same or
            contradict it, and of any project what contradicts a decision, nearest first, each with `id`, `excerpt`,
            `similarity` and `contradicts`: revise one instead.
        fields : any field of `Draft`: kind, name, source, session_id, sequence, speaker, level, agent, tags,
            metadata, valid_at, invalid_at, recorded_at, energy, confidence, epistemic_tier, emotion_vector, goal,
            mindstate, resolution_state, attachments, chunk, origin.

        Returns the stored memory with its `id`; its `redacted` says how many secrets were replaced, and its
        `consequences` what it did to decisions and threads and what waits for review. A note or chunk whose content the
        project has already is a duplicate (a note with a session: whose content that conversation has, at the same
        `sequence`), and so is any draft whose `origin` the project has: the existing memory is returned with
        `is_duplicate`, and nothing is written. With images, these must be the same too.

        Raises InvalidContent, InvalidValue, InvalidTime: nothing was changed; NotFound: an image file does not exist.
        """
        values = {"content": content, "project": project, **fields}
        draft = _draft({**values, "images": images, "captions": captions})
        written = self._stages.intake.write(self._scope, [draft], revive_forgotten=True, looks_near=near)
        memory = written.memories[0]
        if memory.consequences:
            self._place()
        # It is acknowledged: whoever gives up now has remembered it all the same.
        with suppress(Stopped):
            place = self._stages.door.asking(self._scope).places_of([memory.id]).get(memory.id, 0)
            if not (memory.is_duplicate or place % _LOOKED_AFTER):
                self._stages.calibrating.fit_when_due(self._scope, _LOOKED_AFTER)
        return memory

    def remember_many(self, drafts: Iterable[Draft | DraftMapping]) -> list[Memory]:
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
        if any(memory.consequences for memory in written):
            self._place()
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
        **changes: Unpack[ChangedFields],
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
        revised = self._stages.revision.revise(
            self._scope,
            logical_id,
            content,
            changes,
            expected_version,
            recorded,
            version=None if version is None else whole(version, "version", 1, 2**31),
            discovery_energy=discovery_energy,
        )
        return self._place_version(revised)

    def supersede(
        self,
        memory_id: str,
        content: Content | None = None,
        *,
        at: Moment = None,
        expected_version: int | None = None,
        recorded_at: Moment = None,
        discovery_energy: float | None = None,
        **changes: Unpack[ChangedFields],
    ) -> Memory:
        """The world changed at a time, possibly in the past: the old version held until then, the new one since.

        `at`: the time of change; default `recorded_at`, else now. Not before the old version became true; of a decision
        not in the future, since its status changes at once.
        `recorded_at`, `discovery_energy`: as in `revise`.

        Raises as `revise`.
        """
        logical_id, changed_at = self._changing(memory_id, at, "the time of change")
        new = self._stages.revision.supersede(
            self._scope,
            logical_id,
            content,
            changes,
            changed_at,
            expected_version,
            moment(recorded_at, "recorded_at"),
            discovery_energy=discovery_energy,
        )
        return self._place_version(new)

    def invalidate(
        self, memory_id: str, *, at: Moment = None, reason: str = "", expected_version: int | None = None
    ) -> Memory:
        """It no longer holds from a time on, without a successor; before that time it stays true.

        `at`: when it ended; default now. After it became true, and as in `supersede`. `reason`: kept in the
        audit log, so it must not contain content. Returns the closing record: the same content and version, with its
        end.

        Raises NotFound, Conflict, InvalidTime, InvalidValue: nothing was changed.
        """
        said, redacted = self._reason(reason)
        logical_id, ended_at = self._changing(memory_id, at, "the time of the end")
        ended = self._stages.revision.invalidate(self._scope, logical_id, ended_at, said, expected_version)
        return replace(self._place_version(ended), redacted=redacted)

    def _changing(self, memory_id: str, at: Moment, what: str) -> tuple[str, datetime | None]:
        """A memory that changes, by its logical id, and the time of it. Raises NotFound or InvalidTime."""
        memory, when = self._memory(memory_id), moment(at, what)
        if when is not None and memory.kind is Kind.DECISION:
            check_not_future(when, self._stages.clock())
        return memory.logical_id, when

    def undo(
        self, *, message: str | None = None, confirmed: bool = False, project: Ids | None = None
    ) -> Undone:
        """Take back this agent's last change that stands: what one write remembered, revised, ended, linked or used.

        Again goes one further back, `redo` comes forward; all of it stays in history. Of a `remember_many` or an
        import the last transaction is taken back (up to 1,000 memories, 500 of an import or its Markdown files).

        `message`: id of a memory; take back what was read from it instead: decisions and threads that it made, changed
        or ended, and what waits for review. The message stays, and an `undo` puts that back. `confirmed`: go ahead
        where more than 20 records and links are touched, or nothing of the last prompt. `project`: of it alone. Its
        `consequences` say what became. Raises NotFound: the agent has no change left to take back; NotConfirmed: go
        ahead only if `confirmed`, the error says why; Conflict: the last change was a forget, or its records were
        changed since. Nothing was changed.
        """
        from engramforge.registries.detected.consequences import became

        if message is not None:
            return became(self._stages.undo.undo_read(self._scope, self._memory(message), confirmed))
        undone = self._stages.undo.undo(self._within(project), confirmed)
        if undone.action in ("conflict", "settle"):
            self._stages.conflict_detection.begin_again(self._scope)
        return became(undone)

    def redo(self, *, project: Ids | None = None) -> Undone:
        """Bring again what was undone last (of a project); a change since leaves nothing. Raises NotFound, Conflict."""
        from engramforge.registries.detected.consequences import became

        return became(self._stages.undo.redo(self._within(project)))

    def forget(
        self,
        memory_id: Ids = (),
        *,
        conversation: str | None = None,
        file: str | os.PathLike[str] | None = None,
        project: Ids | None = None,
        reason: str = "",
        confirmed: bool = False,
        unasked: int = FORGOTTEN_UNASKED,
    ) -> Forgotten:
        """Remove memories for good: all versions, embeddings, links, and everything derived from them.

        Afterwards the store is searched for what they said, and parts of that: the proof tells what was searched, and
        where something is left, as in another memory that says the same, or in what another program's transaction
        still holds; that is cleared when the store is next opened or swept. The audit log keeps ids, the time and the
        reason. All of it goes in one transaction, or nothing.

        Parameters
        ----------
        memory_id : a memory, or several.
        conversation : what was said in it and the entries that were made in it; with the project if several have it.
        file : what was imported from it, or from a folder, but for texts that other files say too. Of a file that is no
            longer there only chunks are known.
        project : whose memories, entries and archives go, and its name unless others have memories in it; with a
            conversation or file only what of it is in there.
        reason : kept in the audit log, without distinctive words of what was forgotten; the proof has it as it is kept.
        confirmed : go ahead where more than `unasked` memories go, those derived included.

        Raises NotFound: there is nothing of it; NotConfirmed: more memories would go, the error says how many;
        InvalidValue: several are asked for at once, or several projects have the conversation. Nothing was removed.
        """
        said, _ = self._reason(reason)
        most = None if confirmed else whole(unasked, "unasked", 0, COUNTED)
        if (scopes := [each for each in (conversation, file) if each is not None]) and (
            memory_id or scopes[1:]
        ):
            raise InvalidValue("Several are to be forgotten at once", "Give ids, a conversation or a file")
        if memory_id and project is not None:
            raise InvalidValue("Ids are given with a project", "Leave the project out: the ids say which")
        scope = self._scope if project is None else self._within(project)
        extent, what = self._extent(scope, memory_id, conversation, file, project)
        now = self._stages.clock()

        def confirm(asked: Mapping[str, str], derived: int) -> None:
            _confirm(what, extent, scope, asked, derived, most)

        def removed(writes: Transaction) -> tuple[list[Forgotten], Erasure]:
            keys_of = self._stages.preparation.sealed_keys
            if extent.conversation:
                self._stages.scratchpad.clear(self._scope, writes, extent.conversation)
            return writes.forget(extent, now, keys_of, reason=said, confirm=confirm), writes.erasure

        with self._stages.injection_log.forgetting(self._scope):
            proofs, erasure = self._stages.door.write(scope, removed)
        self._stages.forget_kept()
        return _proof(proofs or [Forgotten("", 0, 0, now, verified=False, memories=0)], erasure)

    def _extent(
        self,
        scope: Scope,
        memory_id: Ids,
        conversation: str | None,
        file: str | os.PathLike[str] | None,
        project: Ids | None,
    ) -> tuple[Extent, str]:
        """What is to be forgotten, and what a message calls it."""
        if conversation is not None:
            name = self._conversation(conversation)
            return Extent(conversation=name), f"the conversation {name!r}"
        if file is not None:
            path = _resolved(file)
            ids: list[str] = []
            # One that is gone, or was of a format that is no longer read, is known by the chunks of its text.
            with suppress(NotFound, InvalidSource, StoreUnavailable, OSError):
                ids = self._stages.importing.recorded(scope, path)
            return Extent(ids, file=str(path)), f"the file {str(path)!r}"
        if project is not None:
            names = ", ".join(map(repr, scope.projects or ()))
            return Extent(projects=True), f"the project {names}"
        asked = (memory_id,) if isinstance(memory_id, str) else listed(memory_id, "id")
        if not asked:
            raise InvalidValue("Nothing is named", "Give an id, a conversation, a file or a project")
        # At once, since each request of one takes a transaction.
        known = self._stages.door.asking(self._scope).fetch(asked)
        ids = list(dict.fromkeys((known.get(each) or self._memory(each)).logical_id for each in asked))
        return Extent(ids), f"the memory {asked[0]!r}" if len(asked) == 1 else f"{len(ids):,} memories"


def _resolved(file: str | os.PathLike[str]) -> Path:
    """Where a file lies, or lay. Raises InvalidValue: no file can lie there."""
    try:
        path = Path(file).expanduser().resolve()
        path.lstat()
    except FileNotFoundError:
        return path
    except (OSError, RuntimeError, ValueError) as error:
        raise InvalidValue(
            f"The path {str(file)[:500]!r} cannot be followed ({error})", "Check the path"
        ) from error
    return path


def _proof(proofs: Sequence[Forgotten], erasure: Erasure) -> Forgotten:
    """The proof of all, those that were asked for first, when the write has returned: by then the files have been
    searched and cleared of the content."""
    asked = proofs[: proofs[0].memories]
    return replace(
        proofs[0],
        versions=sum(each.versions for each in asked),
        links=sum(each.links for each in asked),
        verified=not erasure.found and not erasure.queued,
        searched=tuple(erasure.searched),
        found=tuple(erasure.found),
        cleared=tuple(erasure.cleared),
        queued=erasure.queued,
        reason=erasure.reason,
        linked=tuple(erasure.linked),
    )


def _confirm(
    what: str, extent: Extent, scope: Scope, asked: Mapping[str, str], derived: int, most: int | None
) -> None:
    """Raise NotFound if there is nothing, InvalidValue if a conversation is in several projects, NotConfirmed if more
    would go than go without being asked."""
    if not asked and not extent.projects:
        kept = "; what other files say too is forgotten by its id" if extent.file else ""
        raise NotFound(
            f"There is nothing of {what}",
            f"See what there is with list; somebody may have forgotten it{kept}",
        )
    projects = sorted({*asked.values()} - {""})
    if extent.conversation and scope.projects is None and len(projects) > 1:
        raise InvalidValue(
            f"{what.capitalize()} has memories in the projects {', '.join(projects[:5])}",
            "Name one, or all of them",
        )
    if most is not None and len(asked) + derived > most:
        also = f", and {derived:,} made from them" if derived else ""
        raise NotConfirmed(
            f"Forgetting {what} removes {len(asked):,} memor{'y' if len(asked) == 1 else 'ies'}{also}, for good",
            "Nothing was removed yet; confirm it by --yes, in Python and MCP by confirmed",
        )


def _draft(values: Draft | Mapping[str, Any]) -> Draft:
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
