"""registry: how fast the registries answer as they grow: search, stale decisions, the trace of a long lineage.

N synthetic decisions of the last two years, in 50 projects, are remembered in batches of 1,000; some of them are then
revised, superseded and validated, as in use. Timed are 200 searches over everything and 200 within one project, stale
decisions likewise, and traces of a chain of 1,000 conversations from its end, its beginning and its middle, everything
through the facade and in one process. Baseline: the same questions put to plain Python objects in a list.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from bench.harness import Measured, Options, ms_of, temporary_forge
from bench.measures import percentile
from bench.synthetic import Generator
from engramforge.errors import InvalidValue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from engramforge.forge import Forge
    from engramforge.model.memory import Memory

PROJECTS: Final = tuple(f"project-{number:02}" for number in range(50))
SCOPED: Final = PROJECTS[0]
_SEED: Final = 20_261_121
_LEAST: Final = 200
_BATCH: Final = 1_000
_ASKED: Final = 200
_STALE_ASKED: Final = 50
_CHAIN: Final = 1_000
_WARM_UP: Final = 5
_HITS: Final = 10
_DAYS: Final = 730
_CHANGED: Final = 500
"""One in so many decisions is revised, and one superseded."""
_VALIDATED: Final = 10
"""One in so many was validated lately."""


@dataclass(frozen=True, slots=True)
class _Plain:
    """A decision as plain Python has it."""

    words: frozenset[str]
    project: str
    tier: float
    last_validated: datetime


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure at N decisions; `limit` sets the number of timed searches when it is below 200."""
    total = options.memories
    if total < _LEAST:
        raise InvalidValue(
            f"{total} decisions are too few to measure", f"Give --memories of at least {_LEAST}"
        )
    if paths:
        raise InvalidValue("The benchmark registry makes its own decisions", "Leave --data out")
    asked = min(_ASKED, options.limit or _ASKED)
    chain = min(_CHAIN, total // 5)
    with temporary_forge(options.engine) as forge:
        generator = Generator()
        plain, metrics = fill(forge, generator, total, options)
        build_chain(forge, chain, options)
        options.say(f"Asking {asked} times each way")
        everywhere, within = generator.queries(asked), generator.queries(asked, SCOPED)
        metrics |= measure(forge, everywhere, within)
        metrics |= _traces(forge, chain)
        baselines = {"plain_objects": _plain(plain, everywhere, within)}
    settings = {"memories": total, "queries": asked, "projects": len(PROJECTS), "chain": chain}
    return Measured(total, metrics, baselines, settings)


def fill(
    forge: Forge, generator: Generator, total: int, options: Options
) -> tuple[list[_Plain], dict[str, Any]]:
    """Decide `total` times, then change and validate some; what plain Python would keep, and the rate."""
    rng = random.Random(_SEED)
    plain: list[_Plain] = []
    seconds = 0.0
    source = _drafts(generator, rng, total)
    options.say(f"Remembering {total:,} decisions")
    while batch := list(islice(source, _BATCH)):
        started = time.perf_counter()
        memories = forge.remember_many(batch)
        seconds += time.perf_counter() - started
        plain += [
            _Plain(
                frozenset(memory.content.lower().split()),
                memory.project,
                memory.epistemic_tier,
                memory.created_at,
            )
            for memory in memories
        ]
        _change(forge, rng, memories)
    return plain, {"ingest_per_second": total / seconds}


def _drafts(generator: Generator, rng: random.Random, total: int) -> Iterator[dict[str, Any]]:
    """Decisions of the last two years: their texts, tiers and times, in conversations of some twenty."""
    now = datetime.now(UTC)
    share, spare = divmod(total, len(PROJECTS))
    counts = {project: share + (number < spare) for number, project in enumerate(PROJECTS)}
    for draft in generator.drafts(counts):
        age = timedelta(days=rng.uniform(1, _DAYS))
        yield {
            "content": f"We decided: {draft['content'].partition(': ')[2]}",
            "kind": "decision",
            "project": draft["project"],
            "session_id": draft["session_id"],
            "recorded_at": now - age,
            "epistemic_tier": round(rng.uniform(0.3, 0.98), 3),
        }


def _change(forge: Forge, rng: random.Random, memories: Sequence[Memory]) -> None:
    """What happens to a batch of decisions in use: some are validated, a few revised or superseded."""
    chosen = rng.sample(range(len(memories)), len(memories) // _VALIDATED + 2 * (len(memories) // _CHANGED))
    changed = 2 * (len(memories) // _CHANGED)
    for number, place in enumerate(chosen[:changed]):
        memory = memories[place]
        if number % 2:
            forge.decisions.supersede(memory.logical_id, f"Instead of it: {memory.content}")
        else:
            forge.decisions.revise(memory.logical_id, rationale="The first measurements were wrong.")
    if chosen[changed:]:
        forge.decisions.validate(*(memories[place].logical_id for place in chosen[changed:]))


def build_chain(forge: Forge, length: int, options: Options) -> None:
    """A lineage of `length` links, each conversation going on from the one before."""
    options.say(f"Linking {length:,} conversations")
    for number in range(length):
        forge.lineage.link(f"chain-{number}", f"chain-{number + 1}", tag=f"hop {number}", project=SCOPED)


def measure(forge: Forge, everywhere: Sequence[str], within: Sequence[str]) -> dict[str, Any]:
    """Latencies of searches and of stale decisions, over everything and within one project."""
    for query in within[:_WARM_UP]:
        forge.decisions.search(query, limit=_HITS)
        forge.decisions.search(query, project=SCOPED, limit=_HITS)
    return {
        **_told("search", [ms_of(partial(forge.decisions.search, q, limit=_HITS)) for q in everywhere]),
        **_told(
            "scoped_search",
            [ms_of(partial(forge.decisions.search, q, project=SCOPED, limit=_HITS)) for q in within],
        ),
        **_told("stale", [ms_of(forge.decisions.stale) for _ in range(_STALE_ASKED)]),
        **_told(
            "scoped_stale",
            [ms_of(lambda: forge.decisions.stale(project=SCOPED)) for _ in range(_STALE_ASKED)],
        ),
        "stale_found": len(forge.decisions.stale()),
    }


def _traces(forge: Forge, length: int) -> dict[str, Any]:
    """Latencies of traces of the whole chain, from either end and from its middle."""
    ends = [f"chain-{length}", "chain-0", f"chain-{length // 2}"] * 10
    for end in ends[:3]:
        found = forge.lineage.trace(end, limit=length)
        if len(found) != length:
            raise InvalidValue(f"The trace from {end} has {len(found)} links, not {length}", "Report it")
    return _told("trace", [ms_of(partial(forge.lineage.trace, end, limit=length)) for end in ends])


def _told(name: str, values: Sequence[float]) -> dict[str, float]:
    return {f"{name}_p50_ms": percentile(values, 0.5), f"{name}_p95_ms": percentile(values, 0.95)}


def _plain(decisions: Sequence[_Plain], everywhere: Sequence[str], within: Sequence[str]) -> dict[str, float]:
    """The same questions to a list: shared words, and the rule of staleness."""
    before = datetime.now(UTC) - timedelta(days=30)

    def search(query: str, project: str | None) -> None:
        words = set(query.lower().split())
        there = [decision for decision in decisions if project is None or decision.project == project]
        sorted(there, key=lambda item: -len(words & item.words))[:_HITS]

    def stale(project: str | None) -> None:
        there = [decision for decision in decisions if project is None or decision.project == project]
        found = [edge for edge in there if edge.tier <= 0.7 and edge.last_validated <= before]
        sorted(found, key=lambda edge: edge.last_validated)[:_BATCH]

    return {
        **_told("search", [ms_of(partial(search, q, None)) for q in everywhere[:_STALE_ASKED]]),
        **_told("scoped_search", [ms_of(partial(search, q, SCOPED)) for q in within[:_STALE_ASKED]]),
        **_told("stale", [ms_of(lambda: stale(None)) for _ in range(_STALE_ASKED)]),
        **_told("scoped_stale", [ms_of(lambda: stale(SCOPED)) for _ in range(_STALE_ASKED)]),
    }
