"""Sync: importing what is new since the last run from sources that are remembered; made to be run by cron.

The sources of an agent are a mark of the store, so they move with it. Every import finds by itself what is new, and
does not read unchanged sources. A lock on a file, which the system releases when its process ends, allows a single run
at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engramforge.capture.formats.table import FORMATS
from engramforge.capture.imports.options import fields_of, options_of
from engramforge.capture.sync.alone import alone
from engramforge.core.checks.identities import path_holds_secret
from engramforge.core.checks.validation import check_name
from engramforge.errors import Conflict, EngramforgeError, InvalidValue, NotFound
from engramforge.model.limits import NAME_CHARACTERS
from engramforge.model.scope import Scope
from engramforge.model.storing.import_survey import ImportProgress
from engramforge.model.storing.sync import Synced, SyncReport, SyncSource
from engramforge.model.time import parse_time
from engramforge.store.door import Door
from engramforge.writing.redact import Redactor

if TYPE_CHECKING:
    from engramforge.capture.imports.importing import Importing

_MARK: Final = "sync:sources:{}"
MOST_SOURCES: Final = 1_000


@dataclass(frozen=True, slots=True)
class Syncing:
    """The sources of an agent.

    `make_importing`: builds what imports them, at the first run. `scope`: the owner of the sources. `folder`: the
    folder of the lock; created if missing. `redactor`: takes secrets out of an error, which is kept.
    """

    door: Door
    clock: Callable[[], datetime]
    make_importing: Callable[[], Importing]
    scope: Scope
    folder: Path
    redactor: Redactor

    @property
    def _key(self) -> str:
        return _MARK.format(self.scope.agent)

    def sources(self) -> tuple[SyncSource, ...]:
        """All of them, by path."""
        mark = self.door.asking(self.scope).mark(self._key) or {}
        return tuple(_source_of(path, mark[path]) for path in sorted(mark))

    def add(self, path: Path, project: str | None = None, format: str | None = None) -> SyncSource:  # noqa: A002
        """Remember a source, or how it is imported from now on; nothing is read yet.

        Raises NotFound: there is no such path; InvalidValue: there is no such format, or the project's name is not
        sound, or the path holds a secret.
        """
        if format is not None and format not in FORMATS:
            known = ", ".join(FORMATS)
            raise InvalidValue(f"There is no import format {format[:100]!r}", f"Choose one of {known}")
        try:
            # Not resolved, since a link may point elsewhere later.
            place = path.expanduser().absolute()
            place.resolve(strict=True)
            str(place).encode()
        except (OSError, RuntimeError, ValueError) as error:
            raise NotFound(f"There is no file or folder {str(path)[:500]!r}", "Check the path") from error
        if path_holds_secret(str(place)):
            raise InvalidValue("The path holds a secret, and is kept as it is", "Rename the folder")
        source = SyncSource(
            path=str(place),
            project=None if project is None else check_name(project, "project"),
            format=format,
            added_at=self.clock(),
        )
        there = {source.path: source for source in self.sources()}
        if len(there) >= MOST_SOURCES and source.path not in there:
            raise InvalidValue(f"There are {len(there):,} sources already", "Remove some")
        if (before := there.get(source.path)) is not None:
            source = replace(source, added_at=before.added_at, last_at=before.last_at)
        self._save({**there, source.path: source})
        return source

    def remove(self, path: Path) -> SyncSource:
        """Forget a source; what came from it stays. Raises NotFound."""
        there = {source.path: source for source in self.sources()}
        with suppress(RuntimeError):  # the folder of a user that there is not
            path = path.expanduser()
        gone = there.pop(str(path.absolute()), None)
        if gone is None:
            raise NotFound(
                f"{str(path)[:500]!r} is no source of sync", "See them with `engramforge sync --list`"
            )
        self._save(there)
        return gone

    def run(self, progress: Callable[[ImportProgress], None] | None = None) -> SyncReport:
        """Import what is new in all sources; one that cannot be read does not keep the others from it.

        Raises Conflict: another run is going on.
        """
        began = self.clock()
        with alone(self.door, self.scope, self.folder, "sync", _taken()):
            done = tuple(self._synced(source, progress) for source in self.sources())
        return SyncReport(done, (self.clock() - began).total_seconds())

    def _synced(self, source: SyncSource, progress: Callable[[ImportProgress], None] | None) -> Synced:
        """Import a source, and keep when that was and what was wrong."""
        try:
            fields = fields_of(self.door, self.scope, Path(source.path), None, source.format)
            options = options_of(self.door, self.scope, fields=fields)
            report = self.make_importing().import_path(
                self.scope, Path(source.path), source.project, source.format, progress, options
            )
            synced = Synced(source, report)
        except EngramforgeError as error:
            synced = Synced(source, None, self.redactor.redact(str(error)).text, error.exit_code)
        there = {each.path: each for each in self.sources()}
        # Somebody may have removed it meanwhile.
        if (before := there.get(source.path)) is not None:
            last_at = self.clock() if synced.report is not None else before.last_at
            self._save({**there, before.path: replace(before, last_at=last_at, error=synced.error)})
        return synced

    def _save(self, sources: dict[str, SyncSource]) -> None:
        value = {path: _as_mark(source) for path, source in sorted(sources.items())}
        self.door.write(self.scope, lambda writes: writes.save_mark(self._key, value or None))


def _taken() -> Conflict:
    return Conflict(
        "Another sync of this store is going on", "Wait for it; it does what this one would have done"
    )


def _as_mark(source: SyncSource) -> dict[str, Any]:
    said = {
        "project": source.project,
        "format": source.format,
        "added_at": source.added_at.isoformat(),
        "last_at": None if source.last_at is None else source.last_at.isoformat(),
        "error": source.error[: 5 * NAME_CHARACTERS],
    }
    return {name: value for name, value in said.items() if value}


def _source_of(path: str, kept: Any) -> SyncSource:
    return SyncSource(
        path=path,
        project=kept.get("project"),
        format=kept.get("format"),
        added_at=parse_time(kept["added_at"]),
        last_at=parse_time(kept["last_at"]) if kept.get("last_at") else None,
        error=str(kept.get("error", "")),
    )
