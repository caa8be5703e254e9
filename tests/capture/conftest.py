"""A real SQLite store with the stages of capture on it, and a clock that a test can set."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import engramforge
from engramforge.capture.imports.importing import Importing
from engramforge.forge import Forge
from engramforge.indexing.encoders import Encoders
from engramforge.model.memory import Memory
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.storing.record import ImportReport
from engramforge.model.time import AsOf, TemporalMode
from engramforge.store.sqlite.store import SqliteStore, open_sqlite
from engramforge.writing.changes import VersionChanges
from engramforge.writing.intake import Intake
from engramforge.writing.preparing import Preparation
from engramforge.writing.redact import Redactor
from engramforge.writing.revision import Revision

EXPORTS = Path(__file__).parents[3] / "shared" / "data" / "exports"
SHARED = Path(__file__).parents[3] / "shared"
_FOLDERS = count(1)
needs_exports = pytest.mark.skipif(not SHARED.exists(), reason="the shared data is not beside the repository")


class Workbench:
    """The wired stages over one store."""

    def __init__(self, home: Path) -> None:
        self.now = datetime(2026, 11, 1, 12, tzinfo=UTC)
        self.encoder = Encoders()
        self.door: SqliteStore = open_sqlite(home / "memory.db", "default", lambda: self.encoder.id)
        self.scope = Scope()
        preparation = Preparation(self.door, self.encoder, Redactor(), self.clock)
        self.changes = VersionChanges(self.door, preparation, self.clock)
        self.intake = Intake(self.door, preparation, self.clock)
        self.revision = Revision(self.changes)
        self.importing = Importing(self.changes, self.intake, self.revision)

    def exclude(self, *projects: str) -> None:
        """Import nothing of these projects from now on."""
        self.importing = Importing(self.changes, self.intake, self.revision, excluded_projects=projects)

    def clock(self) -> datetime:
        """The set time, a microsecond later each time it is asked."""
        self.now += timedelta(microseconds=1)
        return self.now

    def every(self, mode: TemporalMode = TemporalMode.CURRENT) -> list[Memory]:
        """All memories of the store, oldest first."""
        return self.door.asking(self.scope).browse(
            Selection(mode=mode, as_of=AsOf(self.now, self.now)), 10_000, newest_first=False
        )


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    """A workbench on an empty store."""
    home = tmp_path / "home"
    home.mkdir()
    made = Workbench(home)
    yield made
    made.door.close()


@pytest.fixture(scope="module")
def em(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forge]:
    """A store for all tests of a module, each of which keeps to a project of its own."""
    with engramforge.open(tmp_path_factory.mktemp("home")) as opened:
        yield opened


@pytest.fixture
def project(request: pytest.FixtureRequest) -> str:
    """A test's own project."""
    return str(request.node.name)[-150:]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of a project of its own, of a name that no other test of the module has."""
    made = tmp_path / f"place{next(_FOLDERS)}"
    made.mkdir()
    return made


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Forge]:
    with engramforge.open(tmp_path / "other") as opened:
        yield opened


@pytest.fixture(params=["sqlite", "postgres"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Forge]:
    """An empty store of each engine."""
    place = str(tmp_path / "home") if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    with engramforge.open(place) as opened:
        yield opened


def run(bench: Workbench, path: Path) -> ImportReport:
    """The report of an import by the workbench."""
    return bench.importing.import_path(bench.scope, path)


def write(path: Path, *records: Any) -> Path:
    """JSON lines; texts as they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "".join((record if isinstance(record, str) else json.dumps(record)) + "\n" for record in records)
    )
    return path
