"""six_way: what retrieval by intention finds in a long conversation, beside a recall as long as its union.

Each turn is a memory of its agent's own level (N1); what somebody noted down of turns is knowledge that all share (N2),
linked to the turns that it is from. A question's evidence is found where one of its turns is, or a note from it. The
union of the ways is cut to sixty: by reciprocal rank among what vectors found, the most relevant first, and among what
the graph found, the strongest paths first, the graph with a quarter of the weight. `vectors` is the same without the
graph. Baseline: the best sixty of a recall.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from bench.harness import Measured, Options, temporary_forge
from bench.locomo import Question, load
from bench.measures import mean, percentile
from bench.records import read_records, take

if TYPE_CHECKING:
    from pathlib import Path

    from engramforge.forge import Forge
    from engramforge.model.memory import Memory
    from engramforge.model.streams.stream import Stream, StreamItem

UNION: Final = 60
_FLAT: Final = 180
"""What is added to a rank: of many near each other the order says little."""
_GRAPH: Final = 0.25
_BATCH: Final = 500
_LINK: Final = {
    "relation": "DERIVED_FROM",
    "energy": 0.5,
    "confidence": 0.9,
    "emotion_vector": {},
    "goal": "unstated",
    "mindstate": "captured",
}


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N questions, all conversations stay in the store."""
    documents, questions = load(paths)
    questions = questions[: options.limit]
    with temporary_forge(options.engine) as forge:
        options.say(f"Remembering {len(documents)} turns, and what was noted of them")
        turn_of = _remember(forge, paths, documents)
        options.say(f"Asking {len(questions)} questions")
        found: dict[str, list[tuple[Question, float]]] = {"union": [], "vectors": [], "recall": []}
        waits = []
        for question in questions:
            stream = forge.streams.by_intention(
                question.text, project=question.project, max_results_per_level=UNION
            )
            waits.append(stream.latency_ms)
            recalled = forge.recall(question.text, project=question.project, limit=UNION, budget=None)
            lists = {
                "union": union_of(stream, UNION, graph=True),
                "vectors": union_of(stream, UNION, graph=False),
                "recall": [hit.memory for hit in recalled.hits],
            }
            for name, memories in lists.items():
                found[name].append((question, _share(memories, question, turn_of)))
    metrics: dict[str, Any] = {name: _by_category(found[name]) for name in ("union", "vectors")}
    metrics["latency"] = {"p50_ms": percentile(waits, 0.5), "p95_ms": percentile(waits, 0.95)}
    settings = {"turns": len(documents), "of": UNION}
    return Measured(len(questions), metrics, {"recall": _by_category(found["recall"])}, settings)


def union_of(stream: Stream, most: int, *, graph: bool) -> list[Memory]:
    """The memories of all ways, each once, the best first."""
    ways = [(1.0, [item for level in stream.levels.values() for item in level.vector])]
    if graph:
        ways.append((_GRAPH, [item for level in stream.levels.values() for item in level.graph]))
    known: dict[str, Memory] = {}
    scores: defaultdict[str, float] = defaultdict(float)
    for weight, items in ways:
        for rank, item in enumerate(sorted(items, key=_strength, reverse=True), 1):
            known.setdefault(item.memory.id, item.memory)
            scores[item.memory.id] += weight / (_FLAT + rank)
    return [known[each] for each in sorted(scores, key=lambda each: -scores[each])[:most]]


def _strength(item: StreamItem) -> float:
    """How relevant what vectors found is; of what the graph found the mean energy of its path over its depth."""
    return item.relevance if item.path is None else item.path.energy / item.path.depth**2


def _remember(forge: Forge, paths: Sequence[Path], documents: Sequence[Any]) -> dict[str, frozenset[int]]:
    """Write turns and notes; logical id -> the turns that a memory is, or is from."""
    turn_of: dict[str, frozenset[int]] = {}
    ids: dict[int, str] = {}
    for begin in range(0, len(documents), _BATCH):
        some = documents[begin : begin + _BATCH]
        drafts = [
            {
                "content": each.content,
                "kind": "message",
                "source": "import",
                "project": each.project,
                "session_id": each.session,
                "sequence": each.sequence,
                "speaker": each.speaker,
                "valid_at": each.at,
            }
            for each in some
        ]
        for at, memory in enumerate(forge.remember_many(drafts), begin):
            ids[at], turn_of[memory.logical_id] = memory.logical_id, frozenset({at})
    notes = list(_notes(paths))
    for begin in range(0, len(notes), _BATCH):
        some = notes[begin : begin + _BATCH]
        drafts = [
            {"content": text, "project": project, "level": "collective", "origin": f"note/{begin + at}"}
            for at, (project, text, _) in enumerate(some)
        ]
        made = forge.remember_many(drafts)
        turn_of |= {memory.logical_id: turns for memory, (_, _, turns) in zip(made, some, strict=True)}
        forge.link_many(
            {"source_id": memory.logical_id, "target_id": ids[turn], **_LINK}
            for memory, (_, _, turns) in zip(made, some, strict=True)
            for turn in sorted(turns)
        )
    return turn_of


def _notes(paths: Sequence[Path]) -> Iterator[tuple[str, str, frozenset[int]]]:
    """Project, text and turns of what was noted."""
    at = 0
    for record in read_records(paths):
        keys: dict[str, int] = {}
        for session in record.items("sessions"):
            for turn in take(session, "turns", list, record.where):
                keys[turn["id"]] = at
                at += 1
        for noted in record.items("observations") if record.has("observations") else ():
            _, text, named = noted
            names = [named] if isinstance(named, str) else named
            turns = frozenset(keys[name] for each in names for name in _split(each) if name in keys)
            if turns:
                yield record.text("sample_id"), str(text), turns


def _split(named: object) -> Iterable[str]:
    return str(named).replace(";", ",").replace(" ", ",").split(",")


def _share(memories: Sequence[Memory], question: Question, turn_of: dict[str, frozenset[int]]) -> float:
    """The share of a question's evidence that these memories are, or are from."""
    reached = frozenset().union(*(turn_of.get(each.logical_id, frozenset()) for each in memories))
    return len(question.evidence & reached) / len(question.evidence)


def _by_category(found: Sequence[tuple[Question, float]]) -> dict[str, Any]:
    categories = sorted({question.category for question, _ in found})
    return {
        "recall_at_60": mean(share for _, share in found),
        **{
            name: mean(share for question, share in found if question.category == name) for name in categories
        },
    }
