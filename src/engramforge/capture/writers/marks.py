"""Marks of imported sources, so that an unchanged source is not read again.

A mark is kept with a source's last writes, in one transaction.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from hashlib import blake2b, file_digest
from itertools import filterfalse
from pathlib import Path
from typing import Final

from engramforge.capture.formats.images import UNSEEN
from engramforge.capture.formats.table import FORMATS
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.writers.account import FileCount, KeptMarks, Marks
from engramforge.capture.writers.import_stages import ImportStages
from engramforge.core.checks.identities import holds_secret
from engramforge.model.scope import Scope

_READING: Final = "1"
"""Version of the readers: a source read by another version is read again."""
_SETTLED_NS: Final = 2_000_000_000
"""A file written this shortly before it was read may have changed again with the same time, so its hash is compared."""


@dataclass(frozen=True, slots=True)
class ImportMarks:
    """Which of an import's sources are already imported.

    `scope`: the importer's. `wishes`: other options that decide what is read (a start time, rules); if they differ, it
    is read again.
    """

    stages: ImportStages
    scope: Scope
    wishes: str = ""
    _digests: dict[Path, str | None] = field(default_factory=dict)

    def unchanged(
        self, source: ImportSource, project: str | None
    ) -> tuple[FileCount, tuple[str, ...]] | None:
        """The account and projects of a source already imported in its present state; None otherwise."""
        kept = self.stages.door.asking(self.scope).mark(mark_key(self.scope, source.place, project))
        if kept is None or kept.get("reading") != _READING or kept.get("size") != source.size:
            return None
        # Read as another format it gave other records.
        if kept.get("wishes", "") != self.wishes or kept["count"]["format"] != source.format:
            return None
        is_settled = (
            kept.get("changed_ns") == source.ctime_ns
            and kept.get("read_ns", 0) - source.ctime_ns > _SETTLED_NS
        )
        if not is_settled or source.is_folder or FORMATS[source.format].digest is not None:
            digest = self.digest_of(source)
            if digest is None or kept.get("hash") != digest:
                return None
        return FileCount.kept(kept["count"]), tuple(kept.get("projects", ()))

    def hash_of(self, place: str, project: str | None) -> str | None:
        """The digest of a source as it was when it was imported; None if it was not."""
        kept = self.stages.door.asking(self.scope).mark(mark_key(self.scope, place, project))
        return None if kept is None else kept.get("hash")

    def mark(self, source: ImportSource, project: str | None, count: FileCount) -> Marks:
        """The mark of an imported source; its account is taken when the mark is called for.

        An image that nothing could look at leaves none, so that it is read when something can.
        """
        digest = self.digest_of(source)
        if digest is None:
            # It is read again each time, whatever a mark says.
            return dict
        read_ns = int(self.stages.clock().timestamp() * 1_000_000_000)
        wishes = {"wishes": self.wishes} if self.wishes else {}

        def kept() -> KeptMarks:
            # A project of which all was forgotten, and its name, comes back by no account.
            is_any = count.memories or count.duplicate_memories or count.changes.total()
            named = count.projects if is_any else ()
            said = {
                "reading": _READING,
                "size": source.size,
                "changed_ns": source.ctime_ns,
                "read_ns": read_ns,
                "hash": digest,
                "count": count.as_dict(),
                "projects": sorted(filterfalse(holds_secret, named)),
                **wishes,
            }
            return {} if UNSEEN in count.skipped else {mark_key(self.scope, source.place, project): said}

        return kept

    def digest_of(self, source: ImportSource) -> str | None:
        """A digest that changes with a source; for a zip's members that of the zip, computed once."""
        own = FORMATS[source.format].digest
        if own is not None:
            return own(source)
        if source.is_folder:
            return _digest_of_folder(source.path)
        if not source.member:
            return _digest_of_file(source.path)
        if source.path not in self._digests:
            self._digests[source.path] = _digest_of_file(source.path)
        return self._digests[source.path]


def mark_key(scope: Scope, place: str, project: str | None) -> str:
    """The name of a source's mark, separate for each agent.

    A hash, since the mark outlives forgotten content, which a path might reveal.
    """
    record = f"{scope.agent}\0{project or ''}\0{place}".encode("utf-8", "surrogateescape")
    return f"import:file:{blake2b(record, digest_size=16).hexdigest()}"


def _digest_of_file(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, lambda: blake2b(digest_size=16)).hexdigest()


def _digest_of_folder(folder: Path) -> str:
    """A hash of the names, sizes and times of everything in a folder."""
    digest = blake2b(digest_size=16)
    for here, inner, names in os.walk(folder, followlinks=False):
        inner.sort()
        for name in sorted(names):
            path = os.path.join(here, name)  # noqa: PTH118 - many files
            try:
                stat = os.lstat(path)
            except OSError:
                continue
            said = f"{path}\0{stat.st_size}\0{stat.st_mtime_ns}\0{stat.st_ctime_ns}\0"
            digest.update(said.encode("utf-8", "surrogateescape"))
    return digest.hexdigest()
