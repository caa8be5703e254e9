"""lenses: how fast several projects are asked at once, and compared with each other.

N synthetic memories over three projects are asked through three lenses; N others over 20 projects are scanned for what
resonates, then 1,000 more are written and scanned. With `--engine URL` both stores are tenants of that database, which
has to have none of them. Baseline: the same three projects recalled one after the other.
"""

from __future__ import annotations

import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bench.harness import Measured, Options, ms_of
from bench.measures import percentile
from bench.scale import Place, _check_empty
from bench.synthetic import PROJECTS, Generator
from engramforge.errors import InvalidValue

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engramforge.forge import Forge

_LENSES: Final = [
    {"project_name": PROJECTS[0], "role": "connector"},
    {"project_name": PROJECTS[1], "role": "navigator"},
    {"project_name": PROJECTS[2], "role": "builder"},
]
_QUERIES: Final = 200
_WARM_UP: Final = 10
_BATCH: Final = 1_000
_MORE: Final = 1_000
_LEAST: Final = 400
_TENANTS: Final = ("bench-lenses", "bench-lenses-scan")


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure with N memories in each of two stores; `limit` lowers the number of timed questions."""
    total = options.memories
    if total < _LEAST:
        raise InvalidValue(
            f"{total} memories are too few to measure", f"Give --memories of at least {_LEAST}"
        )
    if paths:
        raise InvalidValue("The benchmark lenses makes its own memories", "Leave --data out")
    asked = min(_QUERIES, options.limit or _QUERIES)
    with tempfile.TemporaryDirectory(prefix="engramforge-bench-") as folder:
        if options.engine is None:
            three, many = (Place(str(Path(folder) / name)) for name in _TENANTS)
        else:
            three, many = (Place(options.engine, tenant) for tenant in _TENANTS)
            _check_empty(three, many)
        options.say(f"Asking {asked} questions through three lenses")
        metrics, in_turn = _asked(three, total, asked)
        options.say("Scanning 20 projects")
        metrics |= _scanned(many, total)
    settings = {
        "memories": total,
        "queries": asked,
        "lenses": len(_LENSES),
        "scanned_projects": len(PROJECTS),
    }
    return Measured(total, metrics, {"recalls_in_turn": in_turn}, settings)


def _asked(place: Place, total: int, asked: int) -> tuple[dict[str, float], dict[str, float]]:
    """Latencies of questions through three lenses, and of three recalls one after the other."""
    projects = [each["project_name"] for each in _LENSES]
    generator = Generator()
    with place.open() as forge:
        _write(forge, generator.drafts({name: total // len(projects) for name in projects}))
        queries = generator.queries(asked)
        for query in queries[:_WARM_UP]:
            forge.orchestrate(query, _LENSES)
        # In turn, so that a busy machine slows both alike.
        times = [
            (
                ms_of(lambda query=query: forge.orchestrate(query, _LENSES)),
                ms_of(lambda query=query: [forge.recall(query, project=each, limit=10) for each in projects]),
            )
            for query in queries
        ]
    ours, in_turn = zip(*times, strict=True)
    return (
        {"orchestrate_p50_ms": percentile(ours, 0.5), "orchestrate_p95_ms": percentile(ours, 0.95)},
        {"orchestrate_p50_ms": percentile(in_turn, 0.5), "orchestrate_p95_ms": percentile(in_turn, 0.95)},
    )


def _scanned(place: Place, total: int) -> dict[str, float]:
    """How long a scan of everything takes, and one of what was written since."""
    share = {name: total // len(PROJECTS) for name in PROJECTS}
    generator = Generator()
    with place.open() as forge:
        _write(forge, generator.drafts(share))
        started = time.perf_counter()
        found = forge.lenses.scan()
        seconds = time.perf_counter() - started
        _write(forge, islice(generator.drafts(share), _MORE))
        started = time.perf_counter()
        forge.lenses.scan()
        return {
            "scan_seconds": seconds,
            "scan_more_seconds": time.perf_counter() - started,
            "resonances": float(found.resonances),
            "clusters": float(len(found.clusters)),
        }


def _write(forge: Forge, drafts: Iterable[dict[str, Any]]) -> None:
    source = iter(drafts)
    while batch := list(islice(source, _BATCH)):
        forge.remember_many(batch)
