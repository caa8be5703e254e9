"""Verbs of the store itself: which it is, how much it holds, whether it is sound, all of it as a file."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from engramforge.errors import InvalidValue
from engramforge.forge.parts import ForgePart
from engramforge.model.project import Project
from engramforge.model.storing.record import AuditEntry, StoreCounts, StoreIdentity
from engramforge.recall.request import whole

if TYPE_CHECKING:
    from engramforge.model.storing.section import ExportReport


class Keeping(ForgePart):
    """The store and its contents as a whole."""

    @property
    def identity(self) -> StoreIdentity:
        """Which store this is."""
        return self._parts.door.identity

    @property
    def encoder_id(self) -> str:
        """Id of the encoders in use; loads the model. Raises ModelUnavailable."""
        return self._parts.encoder.id

    def projects(self) -> list[Project]:
        """The projects with their counts of current memories."""
        return self._parts.door.projects(self._scope)

    def stats(self) -> StoreCounts:
        """How much the store holds."""
        return self._parts.door.count(self._scope)

    def embedding_bytes(self) -> int:
        """What the embeddings of all versions take in bytes: vectors, words, parts, mentions and entities.

        Of the values alone, without the engine's own account of rows and indexes.
        """
        return self._parts.door.embedding_bytes(self._scope)

    def audit_log(self, limit: int = 50, *, every_agent: bool = False) -> list[AuditEntry]:
        """What was written, changed and forgotten, newest first; never content.

        Parameters
        ----------
        limit : how many lines at most.
        every_agent : the lines of all agents, for whoever keeps the store; else the agent's own, and those of others
            about memories that the agent sees.
        """
        whole(limit, "limit", 1, 2**62)
        scope = replace(self._scope, every_agent=True) if every_agent else self._scope
        return self._parts.door.audit_log(scope, limit)

    def check(self) -> list[str]:
        """Faults of the store, each with its mend; empty when it is sound."""
        return self._parts.door.check()

    def export(self, to: str | os.PathLike[str] | IO[bytes]) -> ExportReport:
        """Write everything of the tenant as JSON lines: all agents' memories, history, links, origins, log, marks.

        Stores that hold the same give the same bytes, on either engine (docs/how-to/migrate.md has the format).

        Parameters
        ----------
        to : a file, which is replaced as a whole when it is complete; or a binary stream.

        Raises
        ------
        StoreFull, StoreUnavailable : the file cannot be written; what was there before stays.
        """
        from engramforge.upkeep.exporting import export

        target = Path(to) if isinstance(to, str | os.PathLike) else to
        return export(self._parts.door, self._scope.tenant, target)

    def export_markdown(self, to: str | os.PathLike[str], *, project: str | None = None) -> ExportReport:
        """Write pages that people read into a folder: decisions, threads, lineage, conversations and notes by project.

        Beside them lies the same as JSON lines, from which `import_path` brings everything back; edited texts of
        decisions come back as revisions (docs/how-to/export.md). All agents' memories, as of one moment.

        Parameters
        ----------
        to : a new or empty folder, or one that an earlier export wrote; its files are replaced one by one, each whole.
        project : only this one.

        Raises
        ------
        NotFound : there is no such project.
        InvalidValue : the folder holds other files.
        StoreFull, StoreUnavailable : the folder cannot be written.
        """
        from engramforge.upkeep.markdown_export import export_markdown

        if not isinstance(to, str | os.PathLike) or not os.fspath(to):
            raise InvalidValue(f"The folder is {str(to)[:40]!r}", "Name a folder")
        if project is not None:
            self._within(project)
        return export_markdown(self._parts.door, self._scope.tenant, Path(to), project)
