"""A store that the version with schema 0002 wrote: it opens, answers as before, and takes what is new.

`store_0002.sql` is the dump of such a file: remember, revise, supersede and a text without words, in two projects.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.conformance.conftest import ENCODER, NOW, at, entry
from tests.conformance.spaces import asked, encoder_of, nothing_but, part, with_signals
from tests.store.sqlite_file import read

import engramforge
from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.model.storing.record import Extent
from engramforge.store.schema import SCHEMA_REVISION
from engramforge.store.sqlite.store import SqliteStore, open_sqlite

DUMP = Path(__file__).with_name("store_0002.sql")
SCOPE = Scope(every_agent=True)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """The file as it was."""
    path = tmp_path / "memory.db"
    connection = sqlite3.connect(path)
    connection.executescript(DUMP.read_text())
    connection.close()
    assert read(path, "SELECT version_num FROM alembic_version") == [("0002",)]
    return path


@pytest.fixture
def opened(old: Path) -> Callable[[], SqliteStore]:
    return lambda: open_sqlite(old, "default", lambda: ENCODER.id)


def test_it_answers_as_before(old: Path) -> None:
    before = read(old, "SELECT memory_seq, encoder_seq, vector, tenant FROM embedding_semantic ORDER BY 1")
    memories = read(old, "SELECT * FROM memory ORDER BY seq")
    with engramforge.open(old.parent) as forge:
        assert forge.check() == []
        assert forge.recall("mill").hits[0].memory.content == "The mill rests on Sundays."
        assert forge.stats().versions == 7
        assert [
            version.content for version in forge.history(forge.recall("What is dry?").hits[0].memory.id)
        ] == [
            "The well is behind the mill.",
            "The well is behind the mill.",
            "The well is dry.",
        ]
        written = forge.remember("The mill has a new wheel.", project="farm")
        assert forge.get(written.id).content in {hit.memory.content for hit in forge.recall("wheel").hits}
    after = read(old, "SELECT memory_seq, encoder_seq, vector, tenant FROM embedding_semantic ORDER BY 1")
    assert after[:-1] == before and len(before) == 7
    kept = [row[:20] for row in read(old, "SELECT * FROM memory ORDER BY seq")[:-1]]
    assert kept == [row[:20] for row in memories]
    assert read(
        old.with_name(f"memory.db.before-{SCHEMA_REVISION}"), "SELECT version_num FROM alembic_version"
    ) == [("0002",)]


def test_what_it_holds_lacks_parts_until_they_are_placed(opened: Callable[[], SqliteStore]) -> None:
    store = opened()
    assert store.tending(SCOPE).unencoded(Space.SEMANTIC, ENCODER.id, 100) == []
    encoder, rng = encoder_of(Space.CAUSAL), np.random.default_rng(1)
    lacking = store.tending(SCOPE).unencoded(Space.CAUSAL, encoder, 100)
    assert len(lacking) == 7
    told = store.asking(SCOPE).signals(np.array([at for at, _ in lacking])).embeddings
    assert all(item.encoder == ENCODER.id and not item.parts and not item.entities for item in told.values())
    made = [part(Space.CAUSAL, rng) if at % 2 else None for at, _ in lacking]
    positions = np.array([at for at, _ in lacking])
    with store.transaction(SCOPE) as writes:
        writes.place_parts(positions, Space.CAUSAL, encoder, made)
        writes.place_mentions(
            positions, [("Mill",) if "mill" in memory.content else () for _, memory in lacking]
        )
    assert store.tending(SCOPE).unencoded(Space.CAUSAL, encoder, 100) == []
    found = store.asking(SCOPE).candidates(at(NOW), nothing_but(asked(Space.CAUSAL, rng), entities=("Mill",)))
    current = {at for at, memory in lacking if memory.expired_at is None and memory.invalid_at is None}
    assert set(found.position.tolist()) == current
    assert {int(p) for p in found.position[found.parts[Space.CAUSAL].present]} == {
        at for at in current if at % 2
    }
    with store.transaction(SCOPE) as writes:
        writes.insert([with_signals(entry("Another."), [part(Space.CAUSAL, rng)], ("Mill",))])
        writes.forget(Extent([memory.logical_id for _, memory in lacking if "mill" in memory.content]), NOW)
    assert store.tending(SCOPE).mentions().names == ("Mill",)
    assert len(store.tending(SCOPE).mentions().positions) == 1
    assert store.check() == []
    store.close()


def test_decisions_and_threads_of_before_are_registered(old: Path) -> None:
    connection = sqlite3.connect(old)
    connection.executescript(
        "UPDATE memory SET kind = 'decision' WHERE seq IN (1, 5, 6); UPDATE memory SET kind = 'thread' WHERE seq > 6;"
        "UPDATE memory SET kind = 'thread' WHERE seq IN (2, 3);"
        "UPDATE memory SET invalid_at = valid_at + 9, invalidation_reason = 'reality_changed' WHERE seq = 7"
    )
    connection.close()
    with engramforge.open(old.parent) as forge:
        (well,) = forge.decisions.browse()
        assert well.id == "dec_" + well.memory_id[-12:]
        assert (well.decision, well.originated_in, well.project) == ("The well is dry.", "walk", "farm")
        assert well.last_validated == well.created_at
        assert [(version.version, version.status) for version in forge.decisions.history(well.id)] == [
            (1, "revised"),
            (2, "active"),
        ]
        assert forge.decisions.stale(0) == [well]
        assert [decision.id for decision in forge.decisions.browse(conversation="walk")] == [well.id]
        boat, mill = forge.threads.browse()
        assert (mill.content or mill.title, mill.status) == ("The mill rests on Sundays.", "open")
        assert (boat.title, boat.status) == ("The boat lies in the harbour.", "abandoned")
        assert [thread.id for thread in forge.threads.active()] == [mill.id]
        assert forge.recall("mill", scope="threads").hits[0].memory.registration is not None
        assert forge.threads.update(mill.id, status="resolved").conversation_ids == ("walk",)
        assert forge.check() == []
    columns = "entry_id, status, standing, last_validated IS NULL"
    kept = read(old, f"SELECT {columns} FROM registry WHERE memory_seq < 8 ORDER BY memory_seq")
    assert [row[1:] for row in kept] == [
        ("active", 0, 0),
        ("open", 0, 1),
        ("open", 0, 1),
        ("revised", 0, 0),
        ("active", 1, 0),
        ("abandoned", 0, 1),
    ]
