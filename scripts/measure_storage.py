"""Bytes per memory on both engines, by table and index, of N synthetic memories; the figures of docs/scale.md.

    PYTHONPATH=. python scripts/measure_storage.py [--memories 10000] [--engine sqlite postgresql URL ...]

On SQLite in a temporary folder, on PostgreSQL on a private server of its own; a URL has to name an empty database whose
owner asks. There every vector index is made anew, of both kinds, and the time of it told.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import time
from itertools import islice
from pathlib import Path
from typing import Any, Final

import psycopg
from bench.synthetic import PROJECTS, Generator
from measure_concurrency import empty_store

import engramforge

_BATCH: Final = 1_000
_KINDS: Final = {
    "halfvec": "vector halfvec_cosine_ops",
    "bit": "(binary_quantize(vector)::bit(256)) bit_hamming_ops",
}


def main() -> None:
    """Measure and print one JSON object per engine."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--engine", nargs="*", default=["sqlite", "postgresql"])
    asked = parser.parse_args()
    for engine in asked.engine:
        with empty_store(engine) as (place, folder):
            seconds = _fill(place, asked.memories)
            if engine == "sqlite":
                found = _of_sqlite(folder / "home" / "memory.db")
            else:
                found = _of_postgres(place, asked.memories)
        sizes = {name: round(size / asked.memories, 1) for name, size in found.pop("sizes").items()}
        told = {
            "engine": engine.partition(":")[0],
            "memories": asked.memories,
            "memories_per_second": round(asked.memories / seconds),
            "bytes_per_memory": round(sum(sizes.values()), 1),
            "by_part": dict(sorted(sizes.items(), key=lambda part: -part[1])),
            **found,
        }
        print(json.dumps(told, indent=1), flush=True)


def _fill(place: str, memories: int) -> float:
    """Write the memories; the seconds it took."""
    each = -(-memories // len(PROJECTS))
    drafts = islice(Generator().drafts(dict.fromkeys(PROJECTS, each)), memories)
    with engramforge.open(place) as forge:
        begun = time.perf_counter()
        while batch := list(islice(drafts, _BATCH)):
            forge.remember_many(batch)
        return time.perf_counter() - begun


def _of_sqlite(path: Path) -> dict[str, Any]:
    """Bytes of each table and index of a file."""
    connection = sqlite3.connect(path)
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (content,) = connection.execute("SELECT sum(length(CAST(content AS BLOB))) FROM body").fetchone()
        (memories,) = connection.execute("SELECT count(*) FROM memory").fetchone()
        try:
            rows = connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name").fetchall()
        except sqlite3.OperationalError:
            rows = [("file", path.stat().st_size)]  # this SQLite was built without dbstat
    finally:
        connection.close()
    return {"sizes": dict(rows), "content_per_memory": round(content / memories, 1)}


def _of_postgres(url: str, memories: int) -> dict[str, Any]:
    """Bytes of each table and index of a database, after VACUUM; the vector indexes made anew."""
    with psycopg.connect(url, autocommit=True) as connection:
        made = {}
        for (name,) in connection.execute(
            "SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid"
            " WHERE indrelid = 'embedding_semantic'::regclass AND relname LIKE 'semantic%'"
        ).fetchall():
            connection.execute(f"DROP INDEX {name}".encode())
        connection.execute("SET maintenance_work_mem = '256MB'")
        for kind, what in _KINDS.items():
            begun = time.perf_counter()
            connection.execute(
                f"CREATE INDEX measured_{kind} ON embedding_semantic USING hnsw ({what})".encode()
            )
            made[kind] = round(time.perf_counter() - begun, 2)
        connection.execute("VACUUM ANALYZE")
        sizes = connection.execute(
            "SELECT relname, CASE relkind WHEN 'r' THEN pg_table_size(oid) ELSE pg_relation_size(oid) END"
            " FROM pg_class WHERE relkind IN ('r', 'i') AND relnamespace = 'public'::regnamespace"
        ).fetchall()
        item = connection.execute(
            "SELECT (SELECT count(*) FROM posting), (SELECT avg(octet_length(content)) FROM body)"
        ).fetchone()
        assert item is not None
        return {
            "sizes": dict(sizes),
            "postings_per_memory": round(item[0] / memories, 1),
            "content_per_memory": round(float(item[1]), 1),
            "hnsw_seconds": made,
        }


if __name__ == "__main__":
    main()
