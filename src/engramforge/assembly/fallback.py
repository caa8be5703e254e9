"""The oracle's second store: another one of engramforge, or a table of an older tool, opened when it is first needed.

Both are only read: a store is opened for reading alone, and must be of this schema. The vectors of a LanceDB table are
not looked at, since nobody knows which model made them: its texts are put into a store of their own in a temporary
folder, for as long as this process lasts, and compared there as all others are. What a killed process left there goes
with the next one that has a second store.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from engramforge.answer.oracle.gathering import Asked, Evidence, Gathering
from engramforge.assembly.passing_folder import PassingFolder, sweep
from engramforge.assembly.stages import WiredStages
from engramforge.capture.formats import lance
from engramforge.capture.reading.format import Context
from engramforge.capture.reading.sources import ImportSource
from engramforge.core.text.words import content_words, words_of
from engramforge.errors import CallerError, InvalidSource, NotFound, StoreUnavailable
from engramforge.model.limits import BATCH_MEMORIES
from engramforge.model.oracle import FALLBACK
from engramforge.model.scope import DEFAULT_AGENT, Scope
from engramforge.model.time import from_micros

MOST_ROWS: Final = 5_000
"""Rows of tables up to which all are read, once; of more each question would wait too long."""
ROWS_ASKED: Final = 1_000
"""Rows of each larger table that are read for a question: those that have its rarest words."""
_SHOWN: Final = 200
_PLAIN: Final = {"ENGRAMFORGE_DETECTION": "off"}
"""The settings of the store that the rows are put into: what they say is compared, and nothing is made of it."""

Opens = Callable[[str, Mapping[str, str] | None], WiredStages]
"""Opens the stages over a store that is there; or, given an environment, over a new one with its settings alone."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """A store that answers. `state`: of the files that it was made from. `folder`: its own, if it has one."""

    stages: WiredStages
    state: object = None
    folder: PassingFolder | None = None

    def close(self) -> None:
        self.stages.close()
        if self.folder is not None:
            self.folder.remove()


class Fallback:
    """Gathers evidence in the second store. `place`: a URL, a home folder, a LanceDB table or the folder that holds
    tables."""

    def __init__(self, place: str, opens: Opens) -> None:
        self._place, self._opens = place, opens
        self._opened: _Opened | None = None
        self._lock = threading.Lock()
        sweep()

    def gather(self, asked: Asked) -> Evidence:
        """The evidence there, one question after the other.

        Raises CallerError or WorldError where the store is missing, damaged or of another kind.
        """
        with self._lock, _readable(self._place):
            return _gathered(self._current(asked.query), asked)

    def close(self) -> None:
        """Let go of the store."""
        with self._lock:
            if self._opened is not None:
                self._opened.close()
            self._opened = None

    def _current(self, query: str) -> _Opened:
        """The store as it is now: tables that were written to are read anew, large ones for every other question."""
        tables = _tables_of(self._place)
        is_large = _is_large(tables)
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
        folder = PassingFolder()
        try:
            stages = self._opens(folder.name, _PLAIN)
        except BaseException:
            folder.remove()
            raise
        opened = _Opened(stages, state, folder)
        try:
            faults = [_take(opened.stages, table, words) for table in tables]
            if all(faults):
                raise InvalidSource(f"Nothing of {self._place} can be read: {faults[0]}")
        except BaseException:
            opened.close()
            raise
        return opened


def _gathered(opened: _Opened, asked: Asked) -> Evidence:
    stages = opened.stages
    # Who reads a table owns it.
    agent = asked.scope.agent if opened.folder is None else DEFAULT_AGENT
    scope = replace(asked.scope, tenant=stages.door.identity.tenant, agent=agent)
    gathering = Gathering(stages.retriever, stages.door, stages.clock, FALLBACK)
    return gathering.gather(replace(asked, scope=scope))


@contextmanager
def _readable(place: str) -> Iterator[None]:
    """Turn what the system says of files in the block into an error of ours."""
    try:
        yield
    except OSError as error:
        raise StoreUnavailable(
            f"{_brief(place)} cannot be read ({error.strerror or error})", "Mend the setting oracle_fallback"
        ) from error


def _brief(place: object) -> str:
    return text if len(text := str(place)) <= _SHOWN else f"{text[:_SHOWN]}..."


def _is_large(tables: Sequence[Path]) -> bool:
    return bool(tables) and sum(map(lance.rows_of, tables)) > MOST_ROWS


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
    try:
        path = Path(place).expanduser().absolute()
    except RuntimeError as error:  # the home of a user that there is not
        raise NotFound(
            f"There is no {_brief(place)} ({error})", "Mend the setting oracle_fallback"
        ) from error
    if not path.exists():
        raise NotFound(f"There is no {_brief(path)}", "Mend the setting oracle_fallback")
    if path.suffix == lance.SUFFIX:
        return [path]
    return sorted(each for each in path.glob(f"*{lance.SUFFIX}") if each.is_dir()) if path.is_dir() else []


def _versions_of(table: Path) -> list[str]:
    """The names of a table's versions, of which every write makes one."""
    versions = table / "_versions"
    return sorted(each.name for each in versions.iterdir()) if versions.is_dir() else []
