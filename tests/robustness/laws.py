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
    """One store for a module; each example has a project of its own in it. After all of them it is sound."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engramforge.assembly.opening.now", CLOCK)
        name = ""
        if request.param == "sqlite":
            place = str(tmp_path_factory.mktemp("laws") / "home")
        else:
            server = request.getfixturevalue("postgres_server")
            name = server.create_database()
            place = server.database_url(name)
        with engramforge.open(place) as opened:
            yield opened
            assert opened.check() == []
        if name:
            server.drop_database(name)
