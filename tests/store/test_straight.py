"""What SQLite's driver gives straight is what SQLAlchemy gives, for every scope and however many values are asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

import engramforge
from engramforge.forge import Forge
from engramforge.model.injection import InjectionQuery
from engramforge.model.memory import Kind
from engramforge.model.registries.entry import EntryQuery
from engramforge.model.scope import Level, Scope
from engramforge.model.search.selection import Selection
from engramforge.model.time import AsOf
from engramforge.store.reading import entries, links, memories, records
from engramforge.store.reading.predicates import shape_of
from engramforge.store.sqlite.store import SqliteStore
from engramforge.store.straight import mappings_of, rows_of

Made = tuple[Any, dict[str, Any]]
PLACES = ([1], [2, 3, 5], list(range(1, 40)))


@pytest.fixture(scope="module")
def forge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forge]:
    folder: Path = tmp_path_factory.mktemp("straight")
    with engramforge.open(folder, agent="ann") as opened:
        for project in ("quay", "mill"):
            for number in range(8):
                opened.remember(
                    f"We use crane {number} for {project}.",
                    project=project,
                    session_id=f"s{number % 2}",
                    kind="decision" if number % 3 == 0 else "note",
                    level="personal" if number % 2 else "collective",
                )
            first, second = opened.memories(project=project, limit=2)
            felt: dict[str, Any] = {"energy": 0.5, "confidence": 0.5, "emotion_vector": {}}
            opened.link(
                first.logical_id, second.logical_id, "CONTRADICTS", goal="moor", mindstate="calm", **felt
            )
        yield opened


def _memories(scope: Scope) -> Iterator[Made]:
    for places in PLACES:
        yield memories._placed(scope), {"places": places}
        yield memories._with_entries(scope), {"places": places}
    for session, kinds in (("s0", ()), ("s1", (Kind.NOTE,)), (None, (Kind.NOTE, Kind.DECISION))):
        now = datetime.now(UTC)
        shape = shape_of(Selection(kinds=kinds, session_id=session, as_of=AsOf(now, now)))
        for newest_first in (False, True):
            statement = memories._browsed(scope, shape.selection, newest_first)
            yield statement, {**shape.values, "most": 3, "behind": 1}


def _by_ids(ids: list[bytes]) -> Callable[[Scope], Iterator[Made]]:
    def made(scope: Scope) -> Iterator[Made]:
        for some in (ids[:1], ids):
            yield memories._named(scope, len(some) == 1), {"ids": some}
            yield memories._positions(scope), {"ids": some}
            yield links._linked(scope, None, None, False), {"ids": some}

    return made


def _of_registries(scope: Scope) -> Iterator[Made]:
    for kind in (Kind.DECISION, Kind.FLAG):
        yield entries._asked(scope, EntryQuery(kind=kind, limit=5)), {}
        yield entries._asked(scope, EntryQuery(kind=kind, statuses=("active",), limit=2)), {}
    yield links._strongest_tensions(scope), {}
    yield records._asked(scope, InjectionQuery(session="")), {"session": "s0", "most": 4, "behind": 0}


def test_it_gives_what_sqlalchemy_gives(forge: Forge) -> None:
    store = forge._stages.door
    assert isinstance(store, SqliteStore)
    whole = Scope(store.identity.tenant, agent="ann")
    scopes = [
        *(whole, whole.within("quay"), whole.within("mill"), whole.within("nowhere")),
        *(Scope(store.identity.tenant, agent="bob"), Scope(store.identity.tenant, every_agent=True)),
    ]
    told: dict[int, int] = {}
    with store.reading(whole) as connection:
        ids = [bytes(each) for each in connection.execute(sa.text("SELECT id FROM memory")).scalars()]
        for makes in (_memories, _by_ids(ids), _of_registries):
            for scope in scopes:
                for number, (statement, values) in enumerate(makes(scope)):
                    theirs = [dict(row) for row in connection.execute(statement, values).mappings()]
                    assert [dict(row) for row in mappings_of(connection, statement, values)] == theirs
                    assert list(rows_of(connection, statement, values)) == [tuple(x.values()) for x in theirs]
                    told[number] = told.get(number, 0) + len(theirs)
    assert len(ids) > 16 and all(told[number] for number in range(4))


def test_scopes_do_not_share_their_values(forge: Forge) -> None:
    for project in ("quay", "mill", "quay"):
        found = forge.memories(project=project, limit=20)
        assert found and {each.project for each in found} == {project}
    levels = {each.level for each in forge.lend("bob").memories(project="quay", limit=20)}
    assert levels == {Level.COLLECTIVE}
