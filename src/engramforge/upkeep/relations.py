"""Refresh of the relational spaces: E8 from the graph of links, E11 from links, mentions and what texts say.

    door.graph -> FastRP -> parts of changed nodes
    links, mentions, triples of texts -> TransE, on from what is stored -> vectors of entities and of linked memories

Training uses all of the tenant; answers show only what the asking scope sees. E11's vectors of memories are stored as
parts, those of relations in a mark.
"""

from __future__ import annotations

import math
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import distinct_values, places_among
from engramforge.core.arrays.translation import Translations
from engramforge.core.entities.entity_relations import triples_in
from engramforge.errors import InvalidValue
from engramforge.model.embeddings.encoder_spec import MemoryGraph, Mentions
from engramforge.model.embeddings.part import Part
from engramforge.model.entity import PredictedLink, RelationsReport, Triple
from engramforge.model.link import Relation
from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.model.time import to_micros
from engramforge.spaces.entity import SIZE, TransE, quantised, scale_for
from engramforge.spaces.graph import GraphEncoder, adjacency_of
from engramforge.store.door import Door, Transaction

MARK: Final = "relations"
"""Key of the mark that holds the relations' vectors, the scale of all vectors, and which memories have parts."""
READ_MEMORIES: Final = 2_000
"""How many of the newest memories that mention two entities are read for triples."""
INLINE_LINKS: Final = 10_000
"""Up to this many links E8 is updated with every change of links, in some 0.1 s; beyond, only by a refresh."""
LEARNED_MEMORIES: Final = 2_000
"""Up to so many memories E11 is learned by itself, whenever the store has doubled, in some 2 s at most."""
_BATCH: Final = 1_000
_PAGE: Final = 64

_Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Trained:
    """E11 as stored: the vectors and the scale of their int8 values."""

    model: TransE
    scale: float


@dataclass(slots=True)
class Relations:
    """Keeps E8 and E11 of a store up to date; one per process, so that a second refresh knows what the first has seen.

    `clock`: the time of a training, timezone-aware; part of the id of what is trained from seeds.
    """

    door: Door
    clock: Callable[[], datetime]
    _graph: MemoryGraph | None = None
    _trained: _Trained | None = None

    def refresh(self, scope: Scope, anew: bool = False) -> RelationsReport:
        """Bring both spaces up to date with links and mentions.

        `anew`: train E11 from its seeds, under a new encoder id.
        """
        everything = Scope(scope.tenant, every_agent=True)
        graph, mentions = self.door.tending(everything).graph(), self.door.tending(everything).mentions()
        mark = self.door.asking(everything).mark(MARK) or {}
        placed = self._refresh_places(everything, graph, mark)
        before = None if anew else self._stored(everything, graph, mentions, mark)
        triples = self._triples(everything, graph, mentions)
        if before is None and triples:
            before = _Trained(TransE.seeded(f"transe-1/{SIZE}/{to_micros(self.clock()):x}"), 1.0)
            anew = True
        known = set(mentions.names) | set(graph.logical_ids)
        trained = None if before is None else _only(before.model, known).trained(triples)
        self._write(everything, graph, mentions, trained)
        self._graph = graph
        entities = 0 if trained is None else len(trained.entities)
        return RelationsReport(
            len(graph.logical_ids), len(graph.sources), placed, entities, len(triples), anew and bool(triples)
        )

    def is_due(self, scope: Scope) -> bool:
        """Whether the store, of whatever size, has doubled since E11 was learned."""
        return self._doubled(scope, math.inf)

    def learn_when_due(self, scope: Scope) -> None:
        """Refresh both spaces where the store has doubled since, and is small enough to do so at once."""
        if self._doubled(scope, LEARNED_MEMORIES):
            self.refresh(scope)

    def _doubled(self, scope: Scope, most: float) -> bool:
        """Whether a store of so many memories at most has doubled since E11 was learned."""
        asking = self.door.asking(Scope(scope.tenant, every_agent=True))
        count = sum(each.memories for each in asking.projects())
        learned = int((asking.mark(MARK) or {}).get("memories", 0))
        return 0 < count <= most and count >= 2 * learned

    def place(self, scope: Scope) -> bool:
        """Bring E8 up to date after links changed; False if there are too many to do so at once."""
        everything = Scope(scope.tenant, every_agent=True)
        mark = self.door.asking(everything).mark(MARK) or {}
        if int(mark.get("links", 0)) > INLINE_LINKS:
            return False
        graph = self.door.tending(everything).graph()
        kept = {**mark, "links": len(graph.sources)}
        if len(graph.sources) <= INLINE_LINKS:
            self._refresh_places(everything, graph, mark)
            self._graph = graph
            kept["nodes"] = _packed(graph.positions)
        self.door.write(everything, lambda writes: writes.save_mark(MARK, kept))
        return len(graph.sources) <= INLINE_LINKS

    def predict(
        self, scope: Scope, head: str | None, relation: str, tail: str | None, limit: int, known: bool
    ) -> list[PredictedLink]:
        """The likeliest links of a memory, best first: of `head` to any, or of any to `tail`.

        `head`, `tail`: a logical id, exactly one of them. `known`: include links that exist already. What was not
        learned yet, or of a store that has doubled since, is learned first, in about a second for a thousand memories.

        Raises InvalidValue: nothing was trained yet, or no link has the relation.
        """
        if self.is_due(scope):
            self.refresh(scope)
        model = self._model(scope)
        if relation not in model.relations:
            raise InvalidValue(
                f"No link had the relation {relation} when relations were refreshed",
                f"Use one of {', '.join(sorted(model.relations)[:8])}, or refresh",
            )
        asked = head or tail or ""
        order, distances = (
            model.ranked_tails(asked, relation) if head else model.ranked_heads(relation, asked)
        )
        left_out = {asked} | (set() if known else self._linked(scope, asked, relation, bool(head)))
        found: list[PredictedLink] = []
        for page in _slices(len(order), max(limit, _PAGE)):
            ids = [model.entities[place] for place in order[page].tolist()]
            seen = self.door.asking(scope).fetch(
                [item for item in ids if item not in left_out and len(item) == _UUID]
            )
            for each, distance in zip(ids, distances[page].tolist(), strict=True):
                if each in seen and seen[each].is_current_record:
                    ends = (asked, each) if head else (each, asked)
                    found.append(PredictedLink(ends[0], relation, ends[1], distance))
            if len(found) >= limit:
                break
        return found[:limit]

    def _linked(self, scope: Scope, asked: str, relation: str, is_head: bool) -> set[str]:
        links = [link for link in self.door.asking(scope).links([asked]) if link.relation == relation]
        if is_head:
            return {link.target_id for link in links if link.source_id == asked}
        return {link.source_id for link in links if link.target_id == asked}

    def _refresh_places(self, scope: Scope, graph: MemoryGraph, mark: Mapping[str, Any]) -> int:
        """Write E8 of the nodes whose surroundings changed, and clear it where no link is left."""
        encoder = GraphEncoder()
        only = None if self._graph is None else _touched(self._graph, graph, encoder.hops)
        chosen = np.arange(len(graph.positions)) if only is None else only
        values = encoder.encode_graph(graph, only) if len(chosen) else []
        parts = [None if value is None else Part(Space.GRAPH, encoder.id, value) for value in values]
        positions = graph.positions[chosen]
        placed = _unpacked(mark.get("nodes"))
        gone = placed[places_among(distinct_values(graph.positions), placed) < 0]
        self._place(scope, Space.GRAPH, encoder.id, np.append(positions, gone), [*parts, *[None] * len(gone)])
        return len(positions)

    def _place(
        self, scope: Scope, space: Space, encoder: str, positions: _Places, parts: Sequence[Part | None]
    ) -> None:
        for batch in _slices(len(positions), _BATCH):

            def work(writes: Transaction, batch: slice = batch) -> None:
                writes.place_parts(positions[batch], space, encoder, parts[batch])

            self.door.write(scope, work)

    def _write(self, scope: Scope, graph: MemoryGraph, mentions: Mentions, trained: TransE | None) -> None:
        """Store E11 for entities and linked memories, then the mark that makes it valid."""
        memories = sum(each.memories for each in self.door.asking(scope).projects())
        mark: dict[str, Any] = {
            "nodes": _packed(graph.positions),
            "links": len(graph.sources),
            "memories": memories,
        }
        if trained is not None:
            held = trained.vectors_of((*mentions.names, *graph.logical_ids))
            scale = scale_for(held)
            values = quantised(held, scale)
            names, nodes = values[: len(mentions.names)], values[len(mentions.names) :]
            parts = [Part(Space.ENTITY, trained.encoder, node[None]) for node in nodes]
            self._place(scope, Space.ENTITY, trained.encoder, graph.positions, parts)
            for batch in _slices(len(names), _BATCH):

                def work(writes: Transaction, batch: slice = batch) -> None:
                    writes.place_entities(trained.encoder, mentions.names[batch], names[batch])

                self.door.write(scope, work)
            relations = trained.vectors.relations.astype("<f4")
            mark |= {
                "encoder": trained.encoder,
                "scale": scale,
                "relations": list(trained.relations),
                "vectors": b64encode(relations.tobytes()).decode(),
            }
            self._trained = _Trained(trained, scale)
        self.door.write(scope, lambda writes: writes.save_mark(MARK, mark))

    def _model(self, scope: Scope) -> TransE:
        """E11 as it was last trained, here or by another process."""
        everything = Scope(scope.tenant, every_agent=True)
        mark = self.door.asking(everything).mark(MARK) or {}
        held = self._trained
        if held is None or held.model.encoder != mark.get("encoder") or held.scale != mark.get("scale"):
            graph, mentions = (
                self.door.tending(everything).graph(),
                self.door.tending(everything).mentions(),
            )
            held = self._trained = self._stored(everything, graph, mentions, mark)
        if held is None:
            raise InvalidValue(
                "There was nothing to learn from: no two memories that hold are linked, and none names an entity",
                "Link two of them, then call refresh_relations",
            )
        return held.model

    def _stored(
        self, scope: Scope, graph: MemoryGraph, mentions: Mentions, mark: Mapping[str, Any]
    ) -> _Trained | None:
        """E11 as stored; None if nothing was trained."""
        encoder = mark.get("encoder")
        if encoder is None:
            return None
        held = self._trained
        if held is not None and held.model.encoder == encoder and held.scale == mark["scale"]:
            return held
        scale = float(mark["scale"])
        relations = np.frombuffer(b64decode(mark["vectors"]), "<f4").reshape(len(mark["relations"]), -1)
        names: list[str] = []
        rows: list[NDArray[np.int8]] = []
        if mentions.encoder == encoder:
            for name, vector in zip(mentions.names, mentions.vectors, strict=True):
                if vector.any():
                    names.append(name)
                    rows.append(vector)
        for begin in range(0, len(graph.positions), _BATCH):
            portion = graph.positions[begin : begin + _BATCH]
            signals = self.door.asking(scope).signals(portion).embeddings
            for place, position in enumerate(portion.tolist(), begin):
                part = signals[position].parts.get(Space.ENTITY) if position in signals else None
                if part is not None and part.encoder == encoder:
                    names.append(graph.logical_ids[place])
                    rows.append(part.values[0].astype(np.int8))
        entities = np.array(rows, np.float32).reshape(len(rows), relations.shape[1]) * np.float32(scale)
        vectors = Translations(entities.astype(np.float32), relations.astype(np.float32))
        return _Trained(TransE(encoder, tuple(names), tuple(mark["relations"]), vectors), scale)

    def _triples(self, scope: Scope, graph: MemoryGraph, mentions: Mentions) -> list[Triple]:
        """Links, mentions, and what the newest memories say about the entities that they mention."""
        ids, relations = graph.logical_ids, graph.relation_names
        found = [
            Triple(ids[source], relations[relation], ids[target])
            for source, relation, target in zip(
                graph.sources.tolist(), graph.relations.tolist(), graph.targets.tolist(), strict=True
            )
        ]
        id_of = dict(zip(graph.positions.tolist(), ids, strict=True))
        for position, place in zip(mentions.positions.tolist(), mentions.entities.tolist(), strict=True):
            who = id_of.get(position, f"memory {position}")
            found.append(Triple(who, Relation.MENTIONS, mentions.names[place]))
        if len(mentions.positions):
            counts = np.bincount(mentions.positions)
            telling = np.flatnonzero(counts > 1)[-READ_MEMORIES:]
            known = set(mentions.names)
            for memory in self.door.asking(scope).fetch_at(telling).values():
                said = triples_in(memory.content, memory.speaker)
                found += [triple for triple in said if triple.head in known and triple.tail in known]
        return found


_UUID: Final = 36
"""Length of a logical id; other names are entities, which nobody asks about."""


def _only(model: TransE, known: set[str]) -> TransE:
    """The model without entities that no longer exist, so that nothing forgotten is left in a vector."""
    kept = [place for place, name in enumerate(model.entities) if name in known]
    vectors = Translations(model.vectors.entities[kept], model.vectors.relations)
    return TransE(model.encoder, tuple(model.entities[place] for place in kept), model.relations, vectors)


def _touched(before: MemoryGraph, after: MemoryGraph, hops: int) -> _Places:
    """Nodes of `after` whose E8 may differ: near the end of a changed link, or with a new version."""
    old, new = _edges(before), _edges(after)
    ends = {each for edge in old.symmetric_difference(new) for each in edge[:2]}
    names: set[str] = set()
    for graph in (before, after):
        place_of = {name: place for place, name in enumerate(graph.logical_ids)}
        begin = np.array(sorted(place_of[end] for end in ends if end in place_of), np.int64)
        if len(begin):
            names |= {graph.logical_ids[i] for i in adjacency_of(graph).within(begin, hops).tolist()}
    stood = dict(zip(before.logical_ids, before.positions.tolist(), strict=True))
    places = [
        place
        for place, (name, position) in enumerate(
            zip(after.logical_ids, after.positions.tolist(), strict=True)
        )
        if name in names or stood.get(name) != position
    ]
    return np.array(places, np.int64)


def _edges(graph: MemoryGraph) -> set[tuple[str, str, int, float]]:
    """The links by their ends and weights; equal links are numbered."""
    counts: dict[tuple[str, str, float], int] = {}
    found = set()
    ids = graph.logical_ids
    for source, target, weight in zip(
        graph.sources.tolist(), graph.targets.tolist(), graph.weights.tolist(), strict=True
    ):
        edge = (ids[source], ids[target], weight)
        counts[edge] = counts.get(edge, 0) + 1
        found.add((*edge[:2], counts[edge], weight))
    return found


def _packed(positions: _Places) -> str:
    """Ascending positions, encoded compactly."""
    steps = np.diff(np.sort(positions), prepend=0).astype("<i8")
    return b64encode(zlib.compress(steps.tobytes())).decode()


def _unpacked(text: str | None) -> _Places:
    if text is None:
        return np.empty(0, np.int64)
    return np.cumsum(np.frombuffer(zlib.decompress(b64decode(text)), "<i8"), dtype=np.int64)


def _slices(count: int, size: int) -> Iterator[slice]:
    return (slice(begin, begin + size) for begin in range(0, count, size))
