"""What the tests of robustness share: places for stores, the whole content of a store, searches of its files."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.postgres import PrivateServer
from tests.robustness.forget_trial import words_in_files, words_on_server

from engramforge.forge import Forge
from engramforge.model.memory import Memory


@pytest.fixture(params=["sqlite", "postgresql"])
def new_place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], str]]:
    """Makes places for empty stores, of either engine: a home folder or a URL, as `engramforge.open` takes them."""
    made: list[str] = []
    if request.param == "sqlite":
        yield lambda: made.append("") or str(tmp_path / f"home-{len(made)}")  # type: ignore[func-returns-value]
        return
    server = request.getfixturevalue("postgres_server")

    def new() -> str:
        made.append(server.create_database())
        return str(server.database_url(made[-1]))

    yield new
    for name in made:
        server.drop_database(name)


@pytest.fixture
def place(new_place: Callable[[], str]) -> str:
    """A place for an empty store, of either engine."""
    return new_place()


@pytest.fixture
def search(place: str, request: pytest.FixtureRequest) -> Callable[[Iterable[str]], set[str]]:
    """Which of some words the files of the place have, on a server those of all its databases."""
    if not place.startswith("postgresql"):
        return words_in_files([Path(place)])
    server = request.getfixturevalue("postgres_server")
    if not isinstance(server, PrivateServer):
        pytest.skip("an ordinary server's files are not ours to read")
    return words_on_server(server)


def every(forge: Forge, **filters: Any) -> list[Memory]:
    """All current memories of a store, oldest first."""
    found: list[Memory] = []
    while page := forge.memories(limit=1_000, offset=len(found), newest_first=False, **filters):
        found += page
    return found


def dump(home: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table of the store in a home folder."""
    connection = sqlite3.connect(home / "memory.db")
    try:
        tables = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        ).fetchall()
        return {name: sorted(connection.execute(f'SELECT * FROM "{name}"'), key=repr) for (name,) in tables}
    finally:
        connection.close()


def traces(home: Path, words: list[str]) -> set[str]:
    """Which of the words stand in a file of the folder or in a file's name, in any case, as UTF-8 or UTF-16."""
    found = set()
    for path in sorted(home.rglob("*")):
        raw = path.name.encode() + (path.read_bytes() if path.is_file() else b"")
        # The case of ASCII letters is one bit, in both encodings.
        lowered = raw.lower()
        for word in words:
            if any(
                word.lower().encode(encoding) in lowered for encoding in ("utf-8", "utf-16-le", "utf-16-be")
            ):
                found.add(word)
    return found
