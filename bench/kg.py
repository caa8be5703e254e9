"""kg: links of a knowledge graph that were left out, predicted from either end.

Each entity is a memory of kind entity, each training triple a link; relations are refreshed, and every test triple asks
for its tail and for its head. A rank is filtered: other true answers, of any split, are taken out before it is counted
(Bordes et al. 2013). The validation triples only filter: there is nothing to choose.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bench.harness import Measured, Options, temporary_forge
from bench.measures import mean
from engramforge.errors import InvalidSource

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from engramforge.forge import Forge

Triple = tuple[str, str, str]
_SPLITS: Final = ("train", "valid", "test")
_SAID: Final = {
    "energy": 0.5,
    "confidence": 0.5,
    "emotion_vector": {},
    "goal": "complete the graph",
    "mindstate": "neutral",
}


@dataclass(frozen=True, slots=True)
class Graph:
    """The three splits, and for each question its true answers in any of them."""

    train: Sequence[Triple]
    valid: Sequence[Triple]
    test: Sequence[Triple]
    tails: Mapping[tuple[str, str], frozenset[str]]
    heads: Mapping[tuple[str, str], frozenset[str]]

    @property
    def entities(self) -> list[str]:
        """All of them, in the order of their first mention."""
        every = (*self.train, *self.valid, *self.test)
        return list(dict.fromkeys(end for head, _, tail in every for end in (head, tail)))


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` takes the first N test triples."""
    graph = read_graph(paths)
    asked = graph.test[: options.limit]
    entities = graph.entities
    options.say(f"Remembering {len(entities)} entities and {len(graph.train)} links")
    with temporary_forge(options.engine) as forge:
        predictor = Predictor(forge, entities)
        left_out = predictor.learn(graph.train)
        options.say(f"Asking for both ends of {len(asked)} links")
        ranks = [rank for triple in asked for rank in _ranks(predictor, graph, triple)]
    options.say("Asking the baseline")
    frequent = Frequency(graph.train, entities)
    baseline = [rank for triple in asked for rank in _ranks(frequent, graph, triple)]
    settings = {
        "entities": len(entities),
        "relations": len({relation for _, relation, _ in graph.train}),
        "train": len(graph.train),
        "left_out_self_links": left_out,
    }
    return Measured(len(asked), measure(ranks), {"frequency": measure(baseline)}, settings)


def measure(ranks: Sequence[int]) -> dict[str, Any]:
    """Mean reciprocal rank, and the share of ranks up to 1, 3 and 10; both sides together, heads and tails apart."""
    return {
        "mrr": mean(1 / rank for rank in ranks),
        **{f"hits_at_{depth}": mean(float(rank <= depth) for rank in ranks) for depth in (1, 3, 10)},
        "mrr_tails": mean(1 / rank for rank in ranks[::2]),
        "mrr_heads": mean(1 / rank for rank in ranks[1::2]),
    }


class Predictor:
    """engramforge as a predictor of links, through its facade alone."""

    def __init__(self, forge: Forge, entities: Sequence[str]) -> None:
        self._forge = forge
        drafts = [
            {"content": name.replace("_", " ") or name, "name": name, "kind": "entity", "origin": f"kg/{i}"}
            for i, name in enumerate(entities)
        ]
        memories = forge.remember_many(drafts)
        self._ids = {name: each.logical_id for name, each in zip(entities, memories, strict=True)}
        self._names = {key: name for name, key in self._ids.items()}
        self._relations: dict[str, str] = {}

    def learn(self, triples: Sequence[Triple]) -> int:
        """Link and refresh; how many triples were left out, since nothing is linked to itself."""
        links = [
            {
                "source_id": self._ids[head],
                "target_id": self._ids[tail],
                "relation": self._relation(relation),
                **_SAID,
            }
            for head, relation, tail in triples
            if head != tail
        ]
        self._forge.link_many(links)
        self._forge.refresh_relations()
        return len(triples) - len(links)

    def tails(self, head: str, relation: str) -> list[str]:
        """Entities by how likely they are tails, likeliest first."""
        if relation not in self._relations:
            return []
        found = self._forge.predict_links(
            self._relations[relation], head=self._ids[head], limit=len(self._ids), known=True
        )
        return [self._names[triple.tail] for triple in found]

    def heads(self, relation: str, tail: str) -> list[str]:
        """Entities by how likely they are heads, likeliest first."""
        if relation not in self._relations:
            return []
        found = self._forge.predict_links(
            self._relations[relation], tail=self._ids[tail], limit=len(self._ids), known=True
        )
        return [self._names[triple.head] for triple in found]

    def _relation(self, name: str) -> str:
        """The name in upper-case words, as a link has it; another one where two would be alike."""
        if name not in self._relations:
            words = re.findall(r"[A-Z0-9]+", name.upper())
            plain = "_".join(words)[:56]
            sound = plain[:1].isalpha() and plain not in self._relations.values()
            self._relations[name] = plain if sound else f"R{len(self._relations)}_{plain}".rstrip("_")
        return self._relations[name]


class Frequency:
    """What is most often at that end of the relation, then at that end of any."""

    def __init__(self, triples: Sequence[Triple], entities: Sequence[str]) -> None:
        self._entities = list(entities)
        self._at: defaultdict[tuple[str, int], Counter[str]] = defaultdict(Counter)
        for head, relation, tail in triples:
            for key, entity in ((relation, 0), head), ((relation, 1), tail), (("", 0), head), (("", 1), tail):
                self._at[key][entity] += 1

    def tails(self, head: str, relation: str) -> list[str]:  # noqa: ARG002 - as a forge is asked
        """Whatever the head is."""
        return self._ordered(relation, 1)

    def heads(self, relation: str, tail: str) -> list[str]:  # noqa: ARG002 - as a forge is asked
        """Whatever the tail is."""
        return self._ordered(relation, 0)

    def _ordered(self, relation: str, side: int) -> list[str]:
        its, every = self._at[relation, side], self._at["", side]
        return sorted(self._entities, key=lambda name: (-its[name], -every[name], name))


def _ranks(predictor: Predictor | Frequency, graph: Graph, triple: Triple) -> tuple[int, int]:
    """Filtered ranks of the tail and of the head; what was not predicted stands behind all entities."""
    head, relation, tail = triple
    return (
        _rank(predictor.tails(head, relation), tail, graph.tails[head, relation], graph),
        _rank(predictor.heads(relation, tail), head, graph.heads[relation, tail], graph),
    )


def _rank(predicted: Sequence[str], answer: str, true: frozenset[str], graph: Graph) -> int:
    if answer not in predicted:
        return len(graph.entities)
    before = predicted[: predicted.index(answer)]
    return 1 + sum(name not in true for name in before)


def read_graph(paths: Sequence[Path]) -> Graph:
    """The splits of one graph, by what the files' names say, else by their order: train, valid, test.

    Raises
    ------
    InvalidSource : other than three files, one that is missing, or a line that is no triple.
    """
    if len(paths) != len(_SPLITS):
        raise InvalidSource(f"{len(paths)} files are no knowledge graph", "Give train, valid and test as TSV")
    named = [[split for split in _SPLITS if split in path.name.lower()] for path in paths]
    if sorted(item[0] for item in named if len(item) == 1) == sorted(_SPLITS):
        files = {item[0]: path for item, path in zip(named, paths, strict=True)}
    else:
        files = dict(zip(_SPLITS, paths, strict=True))
    train, valid, test = (_read(files[split]) for split in _SPLITS)
    tails: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    heads: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for head, relation, tail in (*train, *valid, *test):
        tails[head, relation].add(tail)
        heads[relation, tail].add(head)
    return Graph(
        train,
        valid,
        test,
        {key: frozenset(names) for key, names in tails.items()},
        {key: frozenset(names) for key, names in heads.items()},
    )


def _read(path: Path) -> list[Triple]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidSource(f"{path} cannot be read ({error})", "Give a TSV file of triples") from error
    found: list[Triple] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) != 3 or not all(fields):
            raise InvalidSource(
                f"{path}:{number}: {line[:80]!r} is no triple", "Write head TAB relation TAB tail"
            )
        found.append((fields[0], fields[1], fields[2]))
    if not found:
        raise InvalidSource(f"{path} is empty", "Give a TSV file of triples")
    return found
