"""The oracle's second store: another one of engramforge, or a table of an older tool, opened when it is first needed.

Both are only read. The vectors of a LanceDB table are not looked at, since nobody knows which model made them: its
texts are put into a store of their own in a temporary folder, for as long as this process lasts, and compared there as
all others are.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from engramforge.answer.oracle.gathering import Asked, Evidence, Gathering
from engramforge.assembly.stages import WiredStages
from engramforge.capture.formats import lance
from engramforge.capture.reading.format import Context
from engramforge.capture.reading.sources import ImportSource
from engramforge.core.text.words import content_words, words_of
from engramforge.errors import CallerError, InvalidSource, NotFound
from engramforge.model.limits import BATCH_MEMORIES
from engramforge.model.oracle import FALLBACK
from engramforge.model.scope import DEFAULT_AGENT, Scope
from engramforge.model.time import from_micros

MOST_ROWS: Final = 5_000
"""Rows of tables up to which all are read, once; of more each question would wait too long."""
ROWS_ASKED: Final = 1_000
"""Rows of each larger table that are read for a question: those that have its rarest words."""
_PLAIN: Final = {"ENGRAMFORGE_DETECTION": "off"}
"""The settings of the store that the rows are put into: what they say is compared, and nothing is made of it."""

Opens = Callable[[str, Mapping[str, str] | None], WiredStages]
"""Opens the stages over a store that is there; or, given an environment, over a new one with its settings alone."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """A store that answers. `state`: of the files that it was made from. `folder`: its own, if it has one."""

    stages: WiredStages
    state: object = None
    folder: tempfile.TemporaryDirectory[str] | None = None

    def close(self) -> None:
        self.stages.close()
        if self.folder is not None:
            self.folder.cleanup()


class Fallback:
    """Gathers evidence in the second store. `place`: a URL, a home folder, a LanceDB table or the folder that holds
    tables."""

    def __init__(self, place: str, opens: Opens) -> None:
        self._place, self._opens = place, opens
        self._opened: _Opened | None = None
        self._lock = threading.Lock()

    def gather(self, asked: Asked) -> Evidence:
        """The evidence there, one question after the other.

        Raises CallerError or WorldError where the store is missing, damaged or of another kind.
        """
        with self._lock:
            opened = self._current(asked.query)
            stages = opened.stages
            # Who reads a table owns it.
            agent = asked.scope.agent if opened.folder is None else DEFAULT_AGENT
            scope = replace(asked.scope, tenant=stages.door.identity.tenant, agent=agent)
            gathering = Gathering(stages.retriever, stages.door, stages.clock, FALLBACK)
            return gathering.gather(replace(asked, scope=scope))

    def close(self) -> None:
        """Let go of the store."""
        with self._lock:
            if self._opened is not None:
                self._opened.close()
            self._opened = None

    def _current(self, query: str) -> _Opened:
        """The store as it is now: tables that were written to are read anew, large ones for every other question."""
        tables = _tables_of(self._place)
        is_large = bool(tables) and sum(map(lance.rows_of, tables)) > MOST_ROWS
        state = [(path, _versions_of(path)) for path in tables], query if is_large else ""
        if self._opened is not None and self._opened.state == state:
            return self._opened
        if self._opened is not None:
            self._opened.close()
            self._opened = None
        self._opened = (
            self._of_tables(tables, content_words(words_of(query)) if is_large else (), state)
            if tables
            else _Opened(self._opens(self._place, None), state)
        )
        return self._opened

    def _of_tables(self, tables: Sequence[Path], words: Sequence[str], state: object) -> _Opened:
        """A store of the tables' rows. `words`: of large tables, only rows that hold one of these."""
        folder = tempfile.TemporaryDirectory(prefix="engramforge-fallback-")
        opened = _Opened(self._opens(folder.name, _PLAIN), state, folder)
        try:
            faults = [_take(opened.stages, table, words) for table in tables]
            if all(faults):
                raise InvalidSource(f"Nothing of {self._place} can be read: {faults[0]}")
        except BaseException:
            opened.close()
            raise
        return opened


def _take(stages: WiredStages, table: Path, words: Sequence[str]) -> str:
    """Take rows of a table in; what is wrong with it, if nothing of it can be read."""
    source, now = ImportSource.of(table), stages.clock()
    context = Context(
        project=None, asked_project=None, now=now, mtime=from_micros(source.mtime_ns // 1_000), root=table
    )
    read = lance.read_about(source, context, words, ROWS_ASKED) if words else lance.read(source, context)
    try:
        items = list(read)
    except InvalidSource as error:
        return str(error)
    drafts = [draft for item in items for draft in item.drafts]
    scope = Scope(stages.door.identity.tenant)
    for start in range(0, len(drafts), BATCH_MEMORIES):
        batch = drafts[start : start + BATCH_MEMORIES]
        try:
            stages.intake.write(scope, batch, revive_forgotten=False)
        except (
            CallerError
        ):  # a row that is no memory, such as one that is too large: the others are still taken
            for each in batch:
                with suppress(CallerError):
                    stages.intake.write(scope, [each], revive_forgotten=False)
    return "" if drafts else next((item.fault for item in items if item.fault), "")


def _tables_of(place: str) -> list[Path]:
    """The tables that a path names; none where it names a store. Raises NotFound."""
    if "://" in place:
        return []
    path = Path(place).expanduser().absolute()
    if not path.exists():
        raise NotFound(f"There is no {path}", "Mend the setting oracle_fallback")
    if path.suffix == lance.SUFFIX:
        return [path]
    return sorted(each for each in path.glob(f"*{lance.SUFFIX}") if each.is_dir()) if path.is_dir() else []


def _versions_of(table: Path) -> list[str]:
    """The names of a table's versions, of which every write makes one."""
    versions = table / "_versions"
    return sorted(each.name for each in versions.iterdir()) if versions.is_dir() else []
