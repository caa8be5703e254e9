"""What `scale --links` measures: retrieval by intention and by state in a graph, and beside a hub.

N memories over three levels are linked N links, three quarters of them within what belongs together, the rest anywhere.
Every memory mentions a file, and questions name one, so that a walk begins. Then one memory becomes a hub: it mentions
all files that are asked for and gets as many links as two fifths of the others; the same questions are asked again.
`recall` is a recall of the same questions as long as a stream's two ways of a level, the baseline.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from bench.harness import Measured, Options, ms_of, temporary_forge
from bench.measures import percentile
from bench.synthetic import PROJECTS, Generator
from engramforge.model.streams.asked import QueryMode

if TYPE_CHECKING:
    from engramforge.forge import Forge

_BATCH: Final = 1_000
_QUERIES: Final = 100
_WARM_UP: Final = 10
_HITS: Final = 40
_NEAR: Final = 200
_AT_HUB: Final = 0.4
_LEVELS: Final = ("personal", "collective", "ecosystem")
_RELATIONS: Final = ("CAUSES", "FOLLOWS", "REFERENCES", "JUSTIFIES", "DEPENDS_ON", "CO_MENTIONS")
_EMOTIONS: Final = ("frustration", "joy", "curiosity", "fear", "drive", "calm", "uncertainty", "pride")
_STATES: Final = ("in_progress", "blocked", "resolved", None)
_GOALS: Final = 300
_FILES: Final = 500
_ASKED_FOR: Final = 50


def run_linked(options: Options) -> Measured:
    """Measure; `limit` lowers the number of questions."""
    assert options.links is not None
    asked = min(_QUERIES, options.limit or _QUERIES)
    warm_up = min(_WARM_UP, asked)
    rng, generator = random.Random(11), Generator()
    with temporary_forge(options.engine) as forge:
        options.say(f"Remembering {options.memories:,} memories")
        ids = _remember(forge, generator, rng, options.memories)
        options.say(f"Linking them by {options.links:,} links")
        _link(forge, _anywhere(ids, rng, options.links))
        questions = _questions(generator, rng, asked + warm_up)
        metrics = {**_streams(forge, questions, warm_up, "six_way"), **_states(forge, rng, asked, warm_up)}
        baselines = {"recall": _recalls(forge, questions, warm_up)}
        at_hub = min(int(options.links * _AT_HUB), 100_000, len(ids) * len(_RELATIONS))
        options.say(f"Linking one of them by {at_hub:,}")
        hub = forge.remember(f"It concerns {', '.join(map(_file, range(_ASKED_FOR)))}.", project=PROJECTS[0])
        _link(forge, _at(hub.logical_id, ids, rng, at_hub))
        metrics |= _streams(forge, questions, warm_up, "hub_six_way")
    metrics["hub_ratio"] = metrics["hub_six_way_p95_ms"] / metrics["six_way_p95_ms"]
    settings = {
        "memories": options.memories,
        "links": options.links,
        "links_at_hub": at_hub,
        "queries": asked,
    }
    return Measured(options.memories, metrics, baselines, settings)


def _remember(forge: Forge, generator: Generator, rng: random.Random, total: int) -> list[str]:
    """Write memories of all levels, felt in some way and about some goal; their ids."""
    goals = [" ".join(rng.sample(generator.words, 3)) for _ in range(_GOALS)]
    share, spare = divmod(total, len(PROJECTS))
    drafts = generator.drafts({name: share + (at < spare) for at, name in enumerate(PROJECTS)})
    ids: list[str] = []
    while some := list(islice(drafts, _BATCH)):
        felt = [
            {
                "level": rng.choice(_LEVELS),
                "energy": round(rng.random(), 3),
                "emotion_vector": {name: round(rng.random(), 2) for name in rng.sample(_EMOTIONS, 2)},
                "goal": rng.choice(goals),
                "resolution_state": rng.choice(_STATES),
            }
            for _ in some
        ]
        for draft in some:
            draft["content"] += f" in {_file(rng.randrange(_FILES))}"
        made = forge.remember_many({**draft, **more} for draft, more in zip(some, felt, strict=True))
        ids += [each.logical_id for each in made]
    return ids


def _link(forge: Forge, links: Iterator[dict[str, Any]]) -> None:
    while some := list(islice(links, _BATCH)):
        forge.link_many(some)


def _anywhere(ids: Sequence[str], rng: random.Random, count: int) -> Iterator[dict[str, Any]]:
    """Links between memories that were written near each other, a quarter of them between any two."""
    made: set[tuple[int, int]] = set()
    while len(made) < count:
        at = rng.randrange(len(ids))
        to = rng.randrange(len(ids)) if rng.random() < 0.25 else (at + rng.randint(1, _NEAR)) % len(ids)
        if at != to and (at, to) not in made:
            made.add((at, to))
            yield _between(ids[at], ids[to], rng)


def _at(hub: str, ids: Sequence[str], rng: random.Random, count: int) -> Iterator[dict[str, Any]]:
    for number in range(count):
        yield _between(hub, ids[number % len(ids)], rng, _RELATIONS[number // len(ids) % len(_RELATIONS)])


def _between(source: str, target: str, rng: random.Random, relation: str | None = None) -> dict[str, Any]:
    return {
        "source_id": source,
        "target_id": target,
        "relation": relation or rng.choice(_RELATIONS),
        "energy": round(rng.random(), 3),
        "confidence": round(rng.random(), 3),
        "emotion_vector": {rng.choice(_EMOTIONS): 0.5},
        "goal": "measured",
        "mindstate": "measured",
    }


def _questions(generator: Generator, rng: random.Random, count: int) -> list[str]:
    return [f"{each} in {_file(rng.randrange(_ASKED_FOR))}" for each in generator.queries(count)]


def _file(number: int) -> str:
    return f"src/part_{number}.py"


def _streams(forge: Forge, questions: Sequence[str], warm_up: int, name: str) -> dict[str, float]:
    """How long streams take, and how many memories the ways of one bring."""
    waits, found = [], []
    for question in questions:
        stream = forge.streams.by_intention(question)
        waits.append(stream.latency_ms)
        found.append(sum(len(each.graph) for each in stream.levels.values()))
    waits = waits[warm_up:]
    return {
        f"{name}_p50_ms": percentile(waits, 0.5),
        f"{name}_p95_ms": percentile(waits, 0.95),
        f"{name}_on_graph": sum(found) / len(found),
    }


def _states(forge: Forge, rng: random.Random, asked: int, warm_up: int) -> dict[str, float]:
    """The slower share of each mode, the goal and the emotions drawn by lot."""
    goals = [each.goal for each in forge.memories(limit=asked + warm_up)]
    measured = {}
    for mode in QueryMode:
        waits = [
            forge.streams.by_state(
                current_energy=round(rng.random(), 2),
                current_emotions={rng.choice(_EMOTIONS): 0.8},
                current_goal=goal,
                query_mode=mode,
                temporal_scope="all_time",
            ).latency_ms
            for goal in goals
        ]
        measured[f"{mode}_p95_ms"] = percentile(waits[warm_up:], 0.95)
    return measured


def _recalls(forge: Forge, questions: Sequence[str], warm_up: int) -> dict[str, float]:
    waits = [ms_of(partial(forge.recall, each, limit=_HITS, budget=None)) for each in questions]
    return {f"p{share}_ms": percentile(waits[warm_up:], share / 100) for share in (50, 95)}
