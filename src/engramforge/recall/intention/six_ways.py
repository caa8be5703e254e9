"""Six ways at once: three levels, each by vectors and along the graph.

    intention -> names it means -> its text embedded once -> each level by vectors -> the graph of all -> a report of
    each

Where a server does the work the levels are asked at once; where this process does all of it, threads would only take
turns. A way that fails or is too slow is reported, and the others answer. Source: spec chapter 5, "Retrieval by
intention".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

import numpy as np
from numpy.typing import NDArray

from engramforge.core.entities.everyday_words import without_everyday_words
from engramforge.core.entities.known_names import Meant, rightly_spelt
from engramforge.core.entities.naming import name_key
from engramforge.core.entities.spellings import DULL, squeezed
from engramforge.core.ranking.question import named_speakers
from engramforge.core.text.words import term_of, words_of
from engramforge.model.memory import Memory
from engramforge.model.scope import Level, Scope
from engramforge.model.search.candidates import Corpus
from engramforge.model.search.hit import Hit
from engramforge.model.streams.asked import RetrievalIntention
from engramforge.model.streams.stream import LevelItems, StreamItem, WayReport
from engramforge.model.streams.ways import Way, way_name
from engramforge.recall.intention.beside.reasons import with_reasons
from engramforge.recall.intention.fitting import wanted
from engramforge.recall.intention.graph_search import GraphFound, GraphSearch
from engramforge.recall.intention.name_index import NameIndex
from engramforge.recall.intention.optional.spreading import spread
from engramforge.recall.intention.time_limit import WAY_S, Tried, tried
from engramforge.recall.intention.vector_search import VectorSearch
from engramforge.recall.intention.walking import in_turns
from engramforge.recall.intention.why_none import has_stop_words_alone
from engramforge.recall.retrieval import Retriever, Shared
from engramforge.store.door import Door

Nearest = Future[Tried[Mapping[Level, NDArray[np.int64]]]]
"""Of each level what is nearest in meaning, as soon as that is found."""


@dataclass(frozen=True, slots=True)
class WaysFound:
    """What the six ways brought. `names`: those of the question that led somewhere."""

    levels: Mapping[Level, LevelItems]
    reports: tuple[WayReport, ...]
    names: tuple[str, ...]

    @property
    def memories(self) -> list[Memory]:
        """Each once."""
        found = (item.memory for held in self.levels.values() for item in held.items)
        return list({each.id: each for each in found}.values())

    @property
    def nearest(self) -> list[str]:
        """Version ids, the most relevant first."""
        found = [item for held in self.levels.values() for item in held.items]
        found.sort(key=lambda each: -each.relevance)
        return list(dict.fromkeys(each.memory.id for each in found))


def together(found: Sequence[WaysFound]) -> WaysFound:
    """What several questions brought as if one had: of each way in turns what each brought, a memory once as it is most
    relevant, and a report of them all."""
    if len(found) == 1:
        return found[0]
    levels = {
        level: LevelItems(
            _in_turns([each.levels[level].vector for each in found]),
            _in_turns([each.levels[level].graph for each in found]),
            tuple({link.id: link for each in found for link in each.levels[level].links}.values()),
            _in_turns([each.levels[level].spread for each in found]),
        )
        for level in found[0].levels
    }
    of_way: dict[str, list[WayReport]] = {}
    for report in (each for one in found for each in one.reports):
        of_way.setdefault(report.way, []).append(report)
    held = Counter(item.retrieval_source for each in levels.values() for item in each.items)
    reports = tuple(
        WayReport(
            way,
            held[way],
            sum(each.latency_ms for each in told),
            next((each.fault for each in told if each.fault is not None), None),
        )
        for way, told in of_way.items()
    )
    return WaysFound(levels, reports, tuple(dict.fromkeys(name for each in found for name in each.names)))


def _in_turns(ways: Sequence[Sequence[StreamItem]]) -> tuple[StreamItem, ...]:
    ordered = sorted((each for way in ways for each in way), key=lambda each: -each.relevance)
    best = {each.memory.id: each for each in reversed(ordered)}
    return tuple(best[one] for one in in_turns([[each.memory.id for each in way] for way in ways]))


@dataclass(frozen=True, slots=True)
class SixWays:
    """Runs the ways of an intention. `way_s`: how long each may take."""

    door: Door
    retriever: Retriever
    names: NameIndex
    way_s: float = WAY_S

    def run(self, scope: Scope, intention: RetrievalIntention, shared: Shared, now: datetime) -> WaysFound:
        """What every level has. Raises what the first way raised where none answered."""
        scope = replace(scope, levels=intention.query_levels)
        nobody: list[Meant] = []
        vectors = VectorSearch(self.retriever, scope, intention, (), shared, now)
        with self._looking(vectors) as nearest:
            known = tried(self.way_s, lambda: self.names.meant(scope, intention.query_text), nobody)
            known = replace(known, answer=self._uncommon(known.answer, shared.corpus))
            spelt = self._spelt(intention.query_text, known.answer, shared.corpus)
            if spelt == intention.query_text:
                return self._found(vectors, known, nearest)
        # A slip finds what its other words find, and of the name nothing: it is asked as it was meant.
        return self.run(scope, replace(intention, query_text=spelt), self.retriever.shared(scope, spelt), now)

    def _found(self, vectors: VectorSearch, known: Tried[list[Meant]], nearest: Nearest | None) -> WaysFound:
        """What the ways find of a question that is rightly spelt."""
        scope, intention = vectors.scope, vectors.intention
        named = tuple(each.name for each in known.answer)
        meant = (*named, *spoken_of(intention.query_text, named, vectors.shared.speakers))
        if not meant and has_stop_words_alone(intention.query_text):
            # Whatever has such words would be found by them.
            return WaysFound({level: LevelItems() for level in intention.query_levels}, (), ())
        aliased = (
            each.name
            for each in known.answer
            # What is written so is found by its words.
            if not each.spelt and name_key(each.said) != name_key(each.name)
        )
        vectors = replace(vectors, aliased=tuple(aliased))
        near = dict(zip(intention.query_levels, self._by_vectors(vectors, nearest), strict=True))
        walked = self._walked(GraphSearch(self.door, scope, intention, meant), vectors, near, known)
        far = self._spread(scope, intention, near)
        answered = any(each.answer or not each.fault for each in near.values())
        if (fault := walked.fault) and not answered and not walked.answer.items:
            raise fault
        levels, reports = {}, []
        for level, each in near.items():
            items = vectors.items(level, each.answer)
            on_graph = walked.answer.items.get(level, [])
            reached = far.answer.get(level, [])
            levels[level] = LevelItems(
                tuple(items), tuple(on_graph), tuple(walked.answer.links.get(level, ())), tuple(reached)
            )
            reports.append(each.report(way_name(level, Way.VECTOR), len(items)))
            reports.append(walked.report(way_name(level, Way.GRAPH), len(on_graph)))
            if intention.spreading:
                reports.append(far.report(way_name(level, Way.SPREAD), len(reached)))
        return WaysFound(levels, tuple(reports), tuple(each for each in meant if each in walked.answer.names))

    def _spelt(self, text: str, meant: list[Meant], corpus: Corpus) -> str:
        """A question with the names that it misspells as these are spelt, unless something in scope is written so."""

        def is_written(name: Meant) -> bool:
            said, spelt = (set(map(term_of, words_of(each))) for each in (name.said, name.spelt))
            # What is left of "Melani" without its ending is left of "Melanie", too.
            own = np.array(sorted(said - spelt), np.uint32)
            return bool(len(own)) and bool(np.all(corpus.frequencies(own) > 0))

        return rightly_spelt(text, meant, is_written)

    def _uncommon(self, meant: list[Meant], corpus: Corpus) -> list[Meant]:
        """Without names that are only words of the question."""

        def frequency_of(word: str) -> int:
            return int(corpus.frequencies(np.array([term_of(word)], np.uint32))[0])

        is_real = self.retriever.encoder.words.is_real
        return without_everyday_words(meant, frequency_of, corpus.total, is_real)

    @contextmanager
    def _looking(self, search: VectorSearch) -> Iterator[Nearest | None]:
        """What is nearest in all levels, looked for meanwhile where a server does that: once, for each level's search
        would pass through what is near in the others."""
        if self.door.identity.engine == "sqlite" or len(search.intention.query_levels) < 2:
            yield None
            return
        with ThreadPoolExecutor(max_workers=1) as pool:
            nothing: Mapping[Level, NDArray[np.int64]] = {}
            looks = partial(tried, self.way_s, partial(search.near, self.door), nothing)
            yield pool.submit(copy_context().run, looks)

    def _by_vectors(self, search: VectorSearch, nearest: Nearest | None) -> list[Tried[list[Hit]]]:
        """What each level has by vectors; asked at once where what is nearest is looked for."""

        def one(level: Level) -> Tried[list[Hit]]:
            near = None if nearest is None else lambda: nearest.result().answer.get(level)
            return tried(self.way_s, lambda: search.hits(level, fitting=True, near=near), [])

        levels = search.intention.query_levels
        if nearest is None:
            return [one(level) for level in levels]
        with ThreadPoolExecutor(max_workers=len(levels)) as pool:
            asked = [pool.submit(copy_context().run, one, level) for level in levels]
            return [each.result() for each in asked]

    def _walked(
        self,
        graph: GraphSearch,
        search: VectorSearch,
        near: Mapping[Level, Tried[list[Hit]]],
        known: Tried[list[Meant]],
    ) -> Tried[GraphFound]:
        """What the graph has. Without names it has no beginning, so a fault in reading them is a fault of this way."""
        nothing = GraphFound({}, {}, frozenset())
        if known.fault is not None:
            return Tried(nothing, known.took_ms, known.fault)

        def found() -> GraphFound:
            hits = [hit for each in near.values() for hit in each.answer]
            on_graph = graph.find(self._begin(search, near))
            return with_reasons(on_graph, self.door, graph.scope, graph.intention, hits)

        return tried(self.way_s, found, nothing)

    def _spread(
        self, scope: Scope, intention: RetrievalIntention, near: Mapping[Level, Tried[list[Hit]]]
    ) -> Tried[dict[Level, list[StreamItem]]]:
        """What activation reaches from the hits, where it is to spread."""
        if not intention.spreading:
            return Tried({}, 0.0, None)
        hits = [hit for each in near.values() for hit in each.answer]
        return tried(self.way_s, lambda: spread(self.door, scope, intention, hits), {})

    def _begin(self, search: VectorSearch, near: Mapping[Level, Tried[list[Hit]]]) -> Sequence[Hit]:
        """From what a walk may begin: what was found by vectors, or more where the intention leaves some of that
        out."""
        filters = wanted(search.intention) is not search.intention.selection
        if filters or search.intention.only_fully_valid:
            return [hit for level in near for hit in search.hits(level, fitting=False)]
        return [hit for each in near.values() for hit in each.answer]


def spoken_of(text: str, named: Collection[str], speakers: Sequence[str]) -> list[str]:
    """The speakers whom a text names beside the names that are known in it, however it writes them.

    >>> spoken_of("what did bob lund or will say of anna?", ["anna"], ["anna", "bob lund", "will smith"])
    ['bob lund']
    """
    known, said = set(map(squeezed, named)), set(words_of(text)) - DULL
    return [
        each
        for each in named_speakers(text, speakers)
        if not known & {squeezed(each), *each.split()} and said.intersection(words_of(each))
    ]
