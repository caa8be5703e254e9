"""One store of either engine for a module of tests; each test keeps to projects and conversations of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import engramforge
from engramforge.forge import Forge


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A place for a store, of either engine."""
    if request.param == "sqlite":
        yield str(tmp_path_factory.mktemp("home"))
        return
    server = request.getfixturevalue("postgres_server")
    name = server.create_database()
    yield str(server.database_url(name))
    server.drop_database(name)


@pytest.fixture(scope="module")
def em(place: str) -> Iterator[Forge]:
    """A forge on the module's store."""
    with engramforge.open(place) as forge:
        yield forge
