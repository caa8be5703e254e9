"""Writers and readers on one store for a minute, on either engine: errors, writes and reads, the longest waits.

    PYTHONPATH=. python scripts/measure_concurrency.py [--seconds 60] [--writers 8] [--readers 8] [--engine URL ...]

Without --engine: on SQLite in a temporary folder and on a private PostgreSQL server of its own. A URL has to name an
empty database. Ends with an error where a process had one, or where the store does not hold what a writer was told.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.postgres import open_server
from tests.robustness.crowd import crowd


def main() -> None:
    """Run and print one JSON object per engine."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--readers", type=int, default=8)
    parser.add_argument("--engine", nargs="*", default=["sqlite", "postgresql"], metavar="URL")
    asked = parser.parse_args()
    for engine in asked.engine:
        with empty_store(engine) as (place, folder):
            begun = time.monotonic()
            done = crowd(place, folder / "sources", asked.seconds, asked.writers, asked.readers)
            print(
                json.dumps(
                    {
                        "engine": engine.partition(":")[0],
                        "seconds": asked.seconds,
                        "seconds_with_start_and_check": round(time.monotonic() - begun, 1),
                        "writes": _of(done.wrote, "deeds"),
                        "write_slowest_s": _of(done.wrote, "slowest"),
                        "contested_won": sum(report["won"] for report in done.wrote),
                        "contested_lost": sum(report["lost"] for report in done.wrote),
                        "reads": _of(done.read, "reads"),
                        "read_slowest_s": _of(done.read, "slowest"),
                        "errors": 0,
                    }
                ),
                flush=True,
            )


def _of(told: Sequence[dict[str, float]], name: str) -> dict[str, float]:
    """Sum, least and most of what the processes told."""
    values = [item[name] for item in told]
    return {"sum": round(sum(values), 2), "least": round(min(values), 2), "most": round(max(values), 2)}


@contextmanager
def empty_store(engine: str) -> Iterator[tuple[str, Path]]:
    """An empty store on the engine, and a folder for files."""
    with tempfile.TemporaryDirectory(prefix="engramforge-crowd-") as name:
        folder = Path(name)
        if engine == "sqlite":
            yield str(folder / "home"), folder
        elif "://" in engine:
            yield engine, folder
        else:
            server = open_server(None)
            try:
                yield server.database_url(server.create_database()), folder
            finally:
                server.close()


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
