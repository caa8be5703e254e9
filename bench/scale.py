"""scale: how fast and how large the store is as it grows.

N synthetic memories over 20 projects are remembered in batches of 1,000; then recalls are timed within one
project and over all. growth_ratio = the scoped p95 at N over that at N/4, in the same scope (a project of
N/20 memories that is complete in the first quarter); both stores are asked in turn, so that a busy machine
slows both alike. Memory use, import time and the cold command line are measured in processes of their own.
With `--engine URL` the memories go into that database, which has to be empty, and the store of N/4 is a second
tenant of it; memory use is the client's, and the size is that of the server's relations before the second tenant came.
capture: one prompt's hook event is taken in by itself, and asked for by a word that it alone has; `found` is both
together, from the moment at which a daemon has acknowledged it to the answer that has it. Baseline: a plain NumPy scan.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import engramforge
from bench.harness import Measured, Options, ms_of
from bench.linked_scale import run_linked
from bench.measures import percentile
from bench.synthetic import PROJECTS, SCOPED, Generator
from engramforge.errors import InvalidValue, StoreFull

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engramforge.forge import Forge

_BATCH: Final = 1_000
_QUERIES: Final = 200
_WARM_UP: Final = 10
_HITS: Final = 10
_LENSES: Final = 3
_COLD_RUNS: Final = 5
_DISK_BYTES_PER_MEMORY: Final = 8_000
_LEAST: Final = 400
_TENANTS: Final = ("bench-scale", "bench-scale-quarter")
_PLACES: Final = ("ENGRAMFORGE_HOME", "ENGRAMFORGE_URL", "ENGRAMFORGE_TENANT")

_RSS_CHILD: Final = """
import sys
import engramforge
scoped, *queries = sys.argv[1:]
with engramforge.open() as forge:
    for query in queries:
        forge.recall(query, limit=10, budget=None)
        forge.recall(query, project=scoped, limit=10, budget=None)
try:
    with open("/proc/self/status") as status:
        peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
except OSError:
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1)
print(peak / 1024)
"""
_IMPORT_CHILD: Final = """
import time
started = time.perf_counter()
import engramforge
print((time.perf_counter() - started) * 1000)
"""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a store is: a home folder, or the URL of a database with a tenant."""

    where: str
    tenant: str | None = None

    def open(self) -> Forge:
        """The store, as any caller opens one."""
        return engramforge.open(self.where, tenant=self.tenant)

    @property
    def environment(self) -> dict[str, str]:
        """Variables with which a process opens this store unasked: a URL's password is no argument for all to see."""
        kept = {name: value for name, value in os.environ.items() if name not in _PLACES}
        if self.tenant is None:
            return {**kept, "ENGRAMFORGE_HOME": self.where}
        return {**kept, "ENGRAMFORGE_URL": self.where, "ENGRAMFORGE_TENANT": self.tenant}


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure at N memories and at N/4; `limit` lowers the number of timed recalls, and that of processes."""
    total = options.memories
    if total < _LEAST:
        raise InvalidValue(
            f"{total} memories are too few to measure", f"Give --memories of at least {_LEAST}"
        )
    if paths:
        raise InvalidValue("The benchmark scale makes its own memories", "Leave --data out")
    if options.links is not None:
        return run_linked(options)
    asked = min(_QUERIES, options.limit or _QUERIES)
    with tempfile.TemporaryDirectory(prefix="engramforge-bench-") as folder:
        if options.engine is None:
            whole, quarter = (Place(str(Path(folder) / name)) for name in ("whole", "quarter"))
            _check_space(Path(folder), total)
        else:
            whole, quarter = (Place(options.engine, tenant) for tenant in _TENANTS)
            _check_empty(whole, quarter, Place(options.engine, "default"))
        generator = Generator()
        first, rest = _plan(total)
        metrics = _grow(whole, quarter, generator, (first, rest), options)
        queries, scoped_queries = generator.queries(asked), generator.queries(asked, SCOPED)
        options.say(f"Timing {asked} recalls each way")
        metrics |= _recalls(whole, quarter, queries, scoped_queries)
        metrics |= _captures(whole, queries)
        options.say("Measuring fresh processes")
        metrics |= _processes(whole, queries, min(_COLD_RUNS, asked))
        options.say("Scanning with NumPy")
        baselines = {"numpy_scan": _numpy_scan(total, first[SCOPED], asked)}
    settings = {"memories": total, "queries": asked, "projects": len(PROJECTS), "scope": first[SCOPED]}
    return Measured(total, metrics, baselines, settings)


def _grow(
    whole: Place,
    quarter: Place,
    generator: Generator,
    plan: tuple[dict[str, int], dict[str, int]],
    options: Options,
) -> dict[str, float]:
    """Fill both stores; how fast the whole one was filled, and how large it is."""
    first, rest = plan
    seconds, cpu_seconds = _ingest(whole, generator.drafts(first), options, "the first quarter")
    if quarter.tenant is None:
        shutil.copytree(whole.where, quarter.where)
    more = _ingest(whole, generator.drafts(rest), options, "the rest")
    with whole.open() as forge:
        counts, embedding_bytes = forge.stats(), forge.embedding_bytes()
    if quarter.tenant is not None:
        _ingest(quarter, Generator().drafts(first), options, "the first quarter once more")
    total = sum(first.values()) + sum(rest.values())
    return {
        "ingest_per_second": total / (seconds + more[0]),
        "ingest_per_cpu_second": total / (cpu_seconds + more[1]),
        # The texts are ASCII: a byte is a character.
        "ingest_characters_per_second": counts.content_bytes / (seconds + more[0]),
        "bytes_per_memory": (counts.bytes_on_disk - counts.content_bytes) / counts.memories,
        "embedding_bytes_per_memory": embedding_bytes / counts.versions,
        "content_bytes_per_memory": counts.content_bytes / counts.memories,
    }


def _plan(total: int) -> tuple[dict[str, int], dict[str, int]]:
    """How many memories of each project come in the first quarter and after it."""
    share, spare = divmod(total, len(PROJECTS))
    whole = {project: share + (number < spare) for number, project in enumerate(PROJECTS)}
    others = PROJECTS[1:]
    base, extra = divmod(total // 4 - whole[SCOPED], len(others))
    first = {SCOPED: whole[SCOPED]} | {name: base + (number < extra) for number, name in enumerate(others)}
    return first, {project: whole[project] - first[project] for project in PROJECTS}


def _check_space(folder: Path, total: int) -> None:
    needed, free = total * _DISK_BYTES_PER_MEMORY, shutil.disk_usage(folder).free
    if free < needed:
        raise StoreFull(
            f"{folder} has {free // 10**6} MB free, {total} memories may need {needed // 10**6} MB",
            "Free some space, set TMPDIR to a larger disk, or give fewer --memories",
        )


def _check_empty(*places: Place) -> None:
    for place in places:
        with place.open() as forge:
            held = forge.stats().memories
        if held:
            raise InvalidValue(
                f"The database already holds {held:,} memories of the tenant {place.tenant!r}",
                "Give an empty one that is made for this",
            )


def _ingest(
    place: Place, drafts: Iterable[dict[str, Any]], options: Options, what: str
) -> tuple[float, float]:
    """Remember drafts in batches; wall and processor seconds within the facade, without those of making
    them."""
    wall = cpu = 0.0
    source = iter(drafts)
    options.say(f"Remembering {what}")
    with place.open() as forge:
        while batch := list(islice(source, _BATCH)):
            started, spent = time.perf_counter(), time.process_time()
            forge.remember_many(batch)
            wall += time.perf_counter() - started
            cpu += time.process_time() - spent
    return wall, cpu


def _recalls(whole: Place, quarter: Place, queries: list[str], scoped: list[str]) -> dict[str, float]:
    """Latencies over all and within one project, and how the latter grow."""
    with whole.open() as large, quarter.open() as small:
        for query in scoped[:_WARM_UP]:
            for forge in (large, small):
                forge.recall(query, limit=_HITS, budget=None)
                forge.recall(query, project=SCOPED, limit=_HITS, budget=None)
        everywhere = [_timed(large, query, None) for query in queries]
        lenses = [{"project_name": name, "role": "critic"} for name in PROJECTS[:_LENSES]]
        large.orchestrate(queries[0], lenses)
        orchestrated = [ms_of(partial(large.orchestrate, query, lenses)) for query in queries]
        pairs = [(_timed(large, query, SCOPED), _timed(small, query, SCOPED)) for query in scoped]
    at_whole, at_quarter = zip(*pairs, strict=True)
    return {
        "recall_p50_ms": percentile(everywhere, 0.5),
        "recall_p95_ms": percentile(everywhere, 0.95),
        "scoped_recall_p50_ms": percentile(at_whole, 0.5),
        "scoped_recall_p95_ms": percentile(at_whole, 0.95),
        "scoped_recall_p95_ms_at_quarter": percentile(at_quarter, 0.95),
        "growth_ratio": percentile(at_whole, 0.95) / percentile(at_quarter, 0.95),
        "orchestrate_p95_ms": percentile(orchestrated, 0.95),
        "growth_ratio_p50": percentile(at_whole, 0.5) / percentile(at_quarter, 0.5),
    }


def _timed(forge: Forge, query: str, project: str | None) -> float:
    return ms_of(lambda: forge.recall(query, project=project, limit=_HITS, budget=None))


def _captures(place: Place, texts: Sequence[str]) -> dict[str, float]:
    """How long a hook's event takes to be captured, and to be found by its words."""
    taken, found = [], []
    with place.open() as forge:
        for number, text in enumerate([texts[0]] * _WARM_UP + list(texts)):
            word = f"captured{number}"
            event = {"hook_event_name": "UserPromptSubmit", "session_id": "bench", "cwd": "/bench/capture"}
            taken.append(ms_of(partial(forge.hooks.take, [{**event, "prompt": f"{text} {word}"}])))
            asked = time.perf_counter()
            while word not in forge.recall(word, limit=1, budget=None).hits[0].memory.content:
                pass
            found.append(taken[-1] + (time.perf_counter() - asked) * 1_000)
    named = {"capture": taken[_WARM_UP:], "capture_found": found[_WARM_UP:]}
    return {
        f"{name}_p{share}_ms": percentile(times, share / 100)
        for name, times in named.items()
        for share in (50, 95)
    }


def _processes(place: Place, queries: list[str], runs: int) -> dict[str, float]:
    """What processes that open the store need, the median of some runs."""
    command = [sys.executable, "-m", "engramforge.entry.console", "recall", queries[0], "--json"]
    imports = sorted(float(_output([sys.executable, "-c", _IMPORT_CHILD], place)) for _ in range(runs))
    spent = _children_seconds()
    cold = sorted(ms_of(lambda: _output(command, place)) for _ in range(runs))
    spent = _children_seconds() - spent
    return {
        "rss_mb": float(_output([sys.executable, "-c", _RSS_CHILD, SCOPED, *queries[:20]], place)),
        "import_ms": imports[runs // 2],
        "cold_cli_ms": cold[runs // 2],
        "cold_cli_cpu_ms": spent / runs * 1_000,
    }


def _children_seconds() -> float:
    """Processor time of all children so far: what a busy machine leaves as it is."""
    times = os.times()
    return times.children_user + times.children_system


def _output(command: list[str], place: Place) -> str:
    """What a child prints; its own fault becomes ours."""
    return subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, env=place.environment
    ).stdout


def _numpy_scan(total: int, scoped: int, asked: int) -> dict[str, float]:
    """A plain scan of float32 vectors (256 dimensions, seeded noise) for the ten nearest, over all and in
    scope."""
    rng = np.random.default_rng(7)
    matrix = rng.standard_normal((total, 256), dtype=np.float32)
    queries = rng.standard_normal((asked, 256), dtype=np.float32)

    def scan(rows: int, query: int) -> None:
        scores = matrix[:rows] @ queries[query]
        nearest = np.argpartition(-scores, _HITS)[:_HITS]
        nearest[np.argsort(-scores[nearest])].tolist()

    everywhere = [ms_of(partial(scan, total, query)) for query in range(asked)]
    within = [ms_of(partial(scan, scoped, query)) for query in range(asked)]
    return {
        "recall_p50_ms": percentile(everywhere, 0.5),
        "recall_p95_ms": percentile(everywhere, 0.95),
        "scoped_recall_p95_ms": percentile(within, 0.95),
    }
