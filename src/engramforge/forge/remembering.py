"""Verbs that bring memories in: remember, import, make a project."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from engramforge.core.checks.drafting import draft_from
from engramforge.core.checks.validation import check_name
from engramforge.forge.explaining import Explaining
from engramforge.forge.syncing import path_of
from engramforge.model.limits import BATCH_MEMORIES
from engramforge.model.memory import DEFAULT_PROJECT, Draft, Memory
from engramforge.model.storing.record import ImportReport
from engramforge.recall.request import Moment, listed, moment

if TYPE_CHECKING:
    from engramforge.capture.imports.run import ImportProgress
    from engramforge.model.storing.import_survey import ImportSurvey
    from engramforge.writing.pictures import Image


class Remembering(Explaining):
    """The way in."""

    def remember(
        self,
        content: str | None = None,
        *,
        project: str = DEFAULT_PROJECT,
        images: Sequence[Image] = (),
        captions: Sequence[str] = (),
        **fields: Any,
    ) -> Memory:
        """Write one memory; it is durable and searchable when this returns.

        Parameters
        ----------
        content : the text; up to 1 MB of UTF-8, not blank. Secrets in it are redacted before anything is stored. With
            images it may be left out: then the captions, else the files' names, are the content.
        project : the project's name; it exists from its first memory.
        images : image files that belong to it, each a path, the file's bytes or a data URL; the memory is found by
            what the first one looks like. The store keeps their place, size and hash, no copy.
        captions : what is said of the images, in their order.
        fields : any field of `Draft`: kind, name, source, session_id, sequence, speaker, level, agent, tags,
            metadata, valid_at, invalid_at, recorded_at, energy, confidence, epistemic_tier, emotion_vector, goal,
            mindstate, resolution_state, attachments, chunk, origin.

        Returns
        -------
        The stored memory with its `id`. A note or chunk whose content the project has already, or any draft whose
        `origin` it has, is a duplicate: the memory that was there is returned and nothing is written. With images it is
        a duplicate where its images are the same too.

        Raises
        ------
        InvalidContent, InvalidValue, InvalidTime : nothing was changed.
        NotFound : there is no such image file.
        """
        values = {"content": content, "project": project, **fields}
        draft = _draft({**values, "images": images, "captions": captions})
        return self._parts.intake.write(self._scope, [draft], revive_forgotten=True).memories[0]

    def remember_many(self, drafts: Iterable[Draft | Mapping[str, Any]]) -> list[Memory]:
        """Write many memories, in transactions of up to 1,000.

        All drafts of a transaction are checked before any is written: a bad one changes nothing of its thousand.
        When the store has doubled since its calibrations were fitted, they are fitted again at the end.
        A mapping may have `images` and `captions` as in `remember`.
        Returns one memory per draft, in order; a duplicate gives the memory that it duplicates.
        """
        written: list[Memory] = []
        for batch in _batches(map(_draft, drafts), BATCH_MEMORIES):
            written += self._parts.intake.write(self._scope, batch, revive_forgotten=True).memories
        self._calibrate_when_due(len(written))
        return written

    def import_path(
        self,
        path: str | os.PathLike[str],
        *,
        project: str | None = None,
        format: str | None = None,  # noqa: A002 - the word a user expects
        since: Moment = None,
        assign: str | Sequence[str] | None = None,
        progress: Callable[[ImportProgress], None] | None = None,
        begun: Callable[[ImportSurvey], None] | None = None,
    ) -> ImportReport:
        """Import a file or folder, recognised by what it holds: chats, transcripts, notes, other memories' exports.

        A second import adds nothing; an interrupted one goes on where it stopped. Broken records are in the
        report's `faults` with file and line; the rest goes in.

        Parameters
        ----------
        project : whose memories these become; left out, the source says, or rules do.
        format : only this one; see `survey` for what is found.
        since : leave out what became true before this time, and files of text that were last written before it.
        assign : rules for conversations that say no project, each `PATTERN=PROJECT`, `title:PATTERN=PROJECT` or
            `text:PATTERN=PROJECT`, or `@FILE` with one a line. They are kept for later imports; empty for none.
        progress : told how far it is, after each batch and each file.
        begun : told what was found, before anything is read.

        Raises
        ------
        NotFound : there is no such path.
        InvalidSource : nothing there can be imported.
        InvalidValue : there is no such format, or a rule is not sound.
        """
        from engramforge.capture.imports.options import options_of

        asked = path_of(path)
        options = options_of(
            self._parts.door, self._scope, moment(since, "since"), _rules(assign), begun=begun
        )
        report = self._parts.importing.import_path(self._scope, asked, project, format, progress, options)
        self._calibrate_when_due(report.written)
        return report

    def survey(
        self,
        path: str | os.PathLike[str],
        *,
        project: str | None = None,
        format: str | None = None,  # noqa: A002 - as of import_path
    ) -> ImportSurvey:
        """What an import of a path would read: formats, numbers, sizes, projects and times; nothing is written.

        Raises as `import_path`.
        """
        from engramforge.capture.imports.describing import describe
        from engramforge.capture.imports.survey import MARKDOWN_GLOBS, survey

        asked = None if project is None else check_name(project, "project")
        found = survey(path_of(path), format, self._parts.markdown_globs or MARKDOWN_GLOBS)
        return describe(found, asked, self._parts.clock())

    def create_project(self, name: str) -> None:
        """Make a project exist before its first memory."""
        checked = check_name(name, "project")
        now = self._parts.clock()
        self._parts.door.write(self._scope, lambda writes: writes.create_project(checked, now))


def _draft(values: Draft | Mapping[str, Any]) -> Draft:
    """A draft from a mapping, with its images where it has any."""
    if isinstance(values, Mapping) and ("images" in values or "captions" in values):
        fields = dict(values)
        images, captions = fields.pop("images", None), fields.pop("captions", None)
        # Not even an empty list is worth loading what reads images.
        if not (_is_empty(images) and _is_empty(captions)):
            from engramforge.writing.pictures import illustrated

            return illustrated(fields, () if images is None else images, () if captions is None else captions)
        values = fields
    return draft_from(values)


def _rules(assign: object) -> Sequence[str] | None:
    """Rules for conversations as a list of texts; None where none are given."""
    if assign is None:
        return None
    return [assign] if isinstance(assign, str) else list(listed(assign, "assign"))


def _is_empty(values: object) -> bool:
    return values is None or (isinstance(values, list | tuple) and not values)


def _batches(drafts: Iterator[Draft], size: int) -> Iterator[list[Draft]]:
    while batch := list(islice(drafts, size)):
        yield batch
