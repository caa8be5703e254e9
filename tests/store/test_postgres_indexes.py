"""The vector indexes of PostgreSQL: each kind is really gone through, and finds nearly what comparing all finds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sa
from tests.conformance.conftest import ENCODER, NOW, at, entry

from engramforge.model.scope import Scope
from engramforge.model.search.candidates import FOUND_BY_MEANING, Probe
from engramforge.model.storing.record import Entry
from engramforge.store.postgres.search.candidates import SearchOptions
from engramforge.store.postgres.search.vector_index import IndexOptions, standing
from engramforge.store.postgres.store import open_postgres
from engramforge.store.scoring.strength import quantise

SCOPE = Scope()
MEMORIES = 3_000


@pytest.mark.parametrize("kind", ["full", "bit"])
def test_an_index_is_used_and_finds_the_nearest(postgres_url: str, kind: str) -> None:
    rng = np.random.default_rng(7)
    # In clouds, as texts are: evenly spread vectors have no neighbours to speak of.
    centres = rng.normal(size=(40, 256))
    vectors = np.repeat(centres, MEMORIES // 40, axis=0) + 0.6 * rng.normal(size=(MEMORIES, 256))
    template = entry("copper")
    whole = [quantise(vector.astype(np.float32)) for vector in vectors]
    entries = []
    for vector in whole:
        row = entry("copper", project="atlas")
        nothing = np.empty(0, np.uint32)
        embedding = replace(template.embedding, vector=vector, terms=nothing, counts=np.empty(0, np.uint8))
        entries.append(Entry(row.memory, embedding))
    bits = 1 if kind == "bit" else 10**9
    door = open_postgres(
        postgres_url,
        "default",
        lambda: ENCODER.id,
        SearchOptions(exact_memories=0, compared=0),
        IndexOptions(first_memories=500, bit_memories=bits, looked_after=500),
    )
    for begin in range(0, MEMORIES, 1_000):
        portion = entries[begin : begin + 1_000]
        door.write(SCOPE, lambda writes, portion=portion: writes.insert(portion))
    sent: list[tuple[str, Any]] = []

    def noted(_: Any, __: Any, statement: str, parameters: Any, ___: Any, ____: Any) -> None:
        if "embedding_semantic" in statement and "<=>" in statement:
            sent.append((statement, parameters))

    with door.reading(SCOPE) as connection:
        indexes = standing(connection)
    assert {record.kind for record in indexes} == {kind}
    assert indexes[-1].upto == MEMORIES
    every = np.array(whole, np.float32)
    every /= np.linalg.norm(every, axis=1, keepdims=True)
    sa.event.listen(door._engine, "before_cursor_execute", noted)
    found = asked = 0
    for _ in range(20):
        vector = (centres[rng.integers(40)] + 0.6 * rng.normal(size=256)).astype(np.float32)
        nothing = np.empty(0, np.float32)
        probe = Probe(
            vector, np.empty(0, np.uint32), nothing, np.empty(0, np.int32), nothing, per_way=50, window=0
        )
        batch = door.asking(SCOPE).candidates(at(NOW), probe)
        near = set(batch.position[(batch.found & FOUND_BY_MEANING) > 0].tolist())
        best = np.argsort(-(every @ quantise(vector).astype(np.float32)))[:20] + 1
        found += len(near & set(best.tolist()))
        asked += 20
    assert found >= 0.9 * asked
    sa.event.remove(door._engine, "before_cursor_execute", noted)
    with door.reading(SCOPE) as connection:
        connection.exec_driver_sql("SET LOCAL hnsw.iterative_scan = relaxed_order")
        plans = []
        for statement, parameters in sent[:6]:
            lines = connection.exec_driver_sql("EXPLAIN " + statement, parameters).scalars()
            plans.append("\n".join(lines))
    for index in indexes:
        assert any(index.name in plan for plan in plans), plans
    door.close()
