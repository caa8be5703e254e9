"""Engines under test and the entries that the suite writes. Another engine is one more parameter here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import uuid_utils

from engramforge.indexing.encode import TextEncoder
from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.memory import Kind, Memory, Source
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.storing.record import Entry
from engramforge.model.time import AsOf
from engramforge.store.door import Door
from engramforge.store.postgres.search.candidates import SearchOptions
from engramforge.store.postgres.search.vector_index import IndexOptions
from engramforge.store.postgres.store import open_postgres
from engramforge.store.sqlite.resident.index import KEPT_FROM
from engramforge.store.sqlite.store import open_sqlite

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
ENCODER = TextEncoder()
Opener = Callable[[], Door]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test on every engine; by indexes only where candidates may be asked for, for nothing else goes by them."""
    if "opener" in metafunc.fixturenames:
        engines = ["sqlite", "postgres", "sqlite by kept columns", "postgres by indexes"]
        asks = metafunc.definition.get_closest_marker("asks_no_candidates") is None
        metafunc.parametrize("opener", engines if asks else engines[:2], indirect=True)


@pytest.fixture
def opener(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    """Opens the same store again and again, as several processes would."""
    opened: list[Door] = []
    # By indexes: as in a large store, where nothing is compared one by one that an index can find.
    # By kept columns: as in a large store, which maps them from files.
    kept_from = 1 if "columns" in request.param else KEPT_FROM
    options = (
        (SearchOptions(exact_memories=0, compared=0), IndexOptions(20, looked_after=20, packed_patience=1))
        if "indexes" in request.param
        else ()
    )
    is_sqlite = request.param.startswith("sqlite")
    url = "" if is_sqlite else request.getfixturevalue("postgres_url")

    def open_one() -> Door:
        door: Door
        if is_sqlite:
            door = open_sqlite(tmp_path / "memory.db", "default", lambda: ENCODER.id, kept_from=kept_from)
        else:
            door = open_postgres(url, "default", lambda: ENCODER.id, *options)
        opened.append(door)
        return door

    yield open_one
    for door in opened:
        door.close()


@pytest.fixture
def files(opener: Opener, request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Path]:
    """Gives the folder that holds the store's files, written out."""
    engine = request.node.callspec.params["opener"]
    if engine.startswith("sqlite"):
        return lambda: tmp_path
    server = request.getfixturevalue("postgres_server")
    database = server.name_of(request.getfixturevalue("postgres_url"))
    if not hasattr(server, "state"):
        pytest.skip("the files of an ordinary server are out of reach")

    def written_out() -> Path:
        ((oid,),) = server.run(
            "CHECKPOINT", f"SELECT oid FROM pg_database WHERE datname = '{database}'", database=database
        )
        return Path(server.state) / "base" / str(oid)

    return written_out


@pytest.fixture
def door(opener: Opener) -> Door:
    """One open store."""
    return opener()


@pytest.fixture
def scope() -> Scope:
    """Everything of the default tenant and agent."""
    return Scope()


@lru_cache(maxsize=10_000)
def _embedded(content: str) -> Embedding:
    """The embedding of a text; each engine gets the same ones."""
    return ENCODER.encode([content])[0]


def entry(content: str, *, origin: bytes | None = None, **fields: Any) -> Entry:
    """An entry with a real embedding; times default to START."""
    identifier = str(uuid_utils.uuid7())
    memory = Memory(
        **{
            "id": identifier,
            "logical_id": identifier,
            "version": 1,
            "kind": Kind.NOTE,
            "content": content,
            "source": Source.API,
            "project": "atlas",
            "valid_at": START,
            "created_at": START,
            **fields,
        }
    )
    embedding = replace(_embedded(content), cues=fields.get("sequence") or 0)
    return Entry(memory, embedding, origin)


def at(valid: datetime, recorded: datetime | None = None) -> Selection:
    """The selection of a point in time; current when it is far in the future."""
    return Selection(as_of=AsOf(valid, recorded or valid))


def days(number: float) -> datetime:
    """START and some days."""
    return START + timedelta(days=number)


NOW = days(1000)
