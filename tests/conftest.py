"""What every test can use: temporary folders in memory, a PostgreSQL server, fresh databases on it, a user who owns
nothing.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import HealthCheck, settings
from tests.folders import IN_MEMORY, has_room
from tests.statements import share

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.embedding_server import EmbeddingServer
    from tests.postgres import PostgresServer

    from engramforge.forge import Forge

ORDINARY = pytest.StashKey[str | None]()


# No test starts or meets a daemon by accident: those that are about daemons switch them on for their own homes.
os.environ["ENGRAMFORGE_DAEMON"] = "off"

LONG: Final = ("bench", "conformance", "robustness", "upkeep")
"""Folders with tests that take many seconds."""


# A busy machine is slow at the first example, and no test means to say how fast examples are made.
settings.register_profile("engramforge", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("engramforge")
share()


def pytest_configure(config: pytest.Config) -> None:
    """Have temporary folders in memory; take the URL of an ordinary server out of the environment.

    The URL is no setting of the product. In memory a commit costs nothing, on a disk 5 ms and more.
    """
    if has_room(IN_MEMORY):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))
    _keep_probes()
    _begin_elsewhere(config)
    # The main process of pytest-xdist runs no test, and its workers need the variable.
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        config.stash[ORDINARY] = os.environ.pop("ENGRAMFORGE_TEST_POSTGRES", None)


def _begin_elsewhere(config: pytest.Config) -> None:
    """Have each worker of pytest-xdist read the folders of tests in a round of its own.

    In a fresh clone all would compile the same module at the same moment, with its assertions rewritten, which takes
    twice the time of all else that a worker does before its first test. So each finds what the others have compiled.
    """
    tests = Path(__file__).parent
    if not hasattr(config, "workerinput") or config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    folders = sorted({found.parent for found in tests.glob("*/test_*.py")})
    sizes = [sum(each.stat().st_size for each in folder.glob("*.py")) for folder in folders]
    number, count = int(os.environ["PYTEST_XDIST_WORKER"][2:]), int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    ends = accumulate(sizes)
    first = next(at for at, end in enumerate(ends) if end * count > sum(sizes) * number)
    config.args = [
        str(each) for each in (*folders[first:], *folders[:first], *sorted(tests.glob("test_*.py")))
    ]


def _keep_probes() -> None:
    """Have slipcover leave its probes in the code until they are taken out, a few times (pytest_runtest_teardown).

    It looks through all modules and frames, for a tenth of a second, each time that a line has run fifty times more
    than it had to. Its option for that does not reach the workers of pytest-xdist.
    """
    if (measuring := _measuring()) is not None:
        measuring.d_miss_threshold = 1_000_000_000


def _measuring() -> Any:
    return getattr(sys.modules.get("slipcover.pytest_plugin"), "_slipcover_instance", None)


_run = 0


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """Take the probes out of the lines that have run, after 20, 40, 80... tests."""
    global _run
    _run += 1
    if (
        _run >= 20
        and _run % 20 == 0
        and (_run // 20).bit_count() == 1
        and (measuring := _measuring()) is not None
    ):
        measuring.deinstrument_seen()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the long tests, so that no process is left with one in the end; else in the order of the folders,
    which is the same in every process."""
    tests = Path(__file__).parent

    def place(item: pytest.Item) -> tuple[bool, str]:
        folder = item.path.relative_to(tests).parts[0]
        return folder not in LONG, folder

    items.sort(key=place)


def pytest_collection_finish() -> None:
    """Keep modules and tests out of the garbage collector, which would look through them again and again."""
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)  # as the command line has it


def pytest_sessionfinish() -> None:
    """Let the process end without a look through all that thousands of tests have left, which takes seconds."""
    gc.freeze()


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """An empty folder; on a disk for tests marked `on_disk`."""
    if request.node.get_closest_marker("on_disk") is None:
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@pytest.fixture
def forge(tmp_path: Path) -> Iterator[Forge]:
    """An empty store on SQLite."""
    import engramforge

    with engramforge.open(tmp_path / "home") as opened:
        yield opened


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    """A server that embeds texts, as providers do."""
    from tests.embedding_server import EmbeddingServer

    with EmbeddingServer() as listening:
        yield listening


@pytest.fixture(scope="session")
def postgres_server(request: pytest.FixtureRequest) -> Iterator[PostgresServer]:
    """A server, one per test process: `.url` of its superuser, `.kill()`, `.stop()`, `.start()`.

    Whoever kills or stops it starts it again.
    """
    from tests.postgres import open_server

    server = open_server(request.config.stash.get(ORDINARY, None))
    try:
        yield server
    finally:
        server.close()


@contextmanager
def _database(server: PostgresServer, name: str) -> Iterator[str]:
    """The URL of a database that goes afterwards, with the users of its tests."""
    try:
        yield server.database_url(name)
    finally:
        server.drop_database(name)
        server.drop_roles()


@pytest.fixture
def postgres_url(request: pytest.FixtureRequest, postgres_server: PostgresServer) -> Iterator[str]:
    """A fresh database with a store's tables and no tenant; the URL is its owner's, who is a superuser.

    Beside `owned_url` it is empty: there another user has to make the tables.
    """
    is_empty = "owned_url" in request.fixturenames
    name = postgres_server.create_empty_database() if is_empty else postgres_server.create_database()
    with _database(postgres_server, name) as url:
        yield url


@pytest.fixture
def empty_url(postgres_server: PostgresServer) -> Iterator[str]:
    """A fresh empty database with the extension vector; the URL is its owner's, who is a superuser."""
    with _database(postgres_server, postgres_server.create_empty_database()) as url:
        yield url


@pytest.fixture
def owned_url(postgres_server: PostgresServer, postgres_url: str) -> str:
    """The same database, empty, for the user who owns it and is nothing else; the URL has a password."""
    user, password = postgres_server.create_role()
    name = postgres_server.name_of(postgres_url)
    postgres_server.run(f"ALTER DATABASE {name} OWNER TO {user}")
    return postgres_server.database_url(name, user, password)


@pytest.fixture
def app_url(postgres_server: PostgresServer, postgres_url: str) -> Callable[..., str]:
    """Makes URLs of the same database for users who own nothing: `app_url("IN ROLE engramforge_app")`."""

    def make(options: str = "") -> str:
        user, password = postgres_server.create_role(options)
        return postgres_server.database_url(postgres_server.name_of(postgres_url), user, password)

    return make


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test on PostgreSQL too where it says so: the conformance suite proves that engines hold the same."""
    if "store_engine" in metafunc.fixturenames:
        each = metafunc.definition.get_closest_marker("each_engine") is not None
        engines = ["sqlite", "postgresql"] if each else ["sqlite"]
        metafunc.parametrize("store_engine", engines, indirect=True, scope="module")


@pytest.fixture(scope="module")
def store_engine(request: pytest.FixtureRequest) -> str:
    """Which engine a test's store is of: SQLite; of tests marked `each_engine` PostgreSQL as well."""
    return str(request.param)


@pytest.fixture(scope="module")
def place(
    store_engine: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """A place for stores for a whole module, of `store_engine`; folders whose tests need one each have their own."""
    if store_engine == "sqlite":
        yield str(tmp_path_factory.mktemp("home"))
        return
    server = request.getfixturevalue("postgres_server")
    name = server.create_database()
    yield str(server.database_url(name))
    server.drop_database(name)
