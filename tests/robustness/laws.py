"""Stores for the laws of time, on every engine, whose clock a test can set; one store for a whole module."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

import engramforge
from engramforge.forge import Forge


class Clock:
    """The real time and an offset; it can be set back as a machine's can."""

    def __init__(self) -> None:
        self.offset = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.offset


CLOCK = Clock()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def forge(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forge]:
    """One store for a module; each example has a project of its own in it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engramforge.assembly.opening.now", CLOCK)
        if request.param == "sqlite":
            with engramforge.open(tmp_path_factory.mktemp("laws") / "home") as opened:
                yield opened
            return
        server = request.getfixturevalue("postgres_server")
        name = server.create_database()
        with engramforge.open(server.database_url(name)) as opened:
            yield opened
        server.drop_database(name)
