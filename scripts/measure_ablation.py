"""What each space is worth: every space alone, all together, and all but one, on the benchmarks' own data.

    scripts/measure_ablation.py locomo FILE [--limit N]

Prints a table, one row per space. The benchmark runs as it is; only what a question sees is changed: alone, candidates
are ordered by one space's raw similarity; all but one, nothing of that space reaches the search or the ranking. A dash:
a question in words has no signal there, or the ranking does not use the space.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.harness import Options, run

from engramforge.core.ranking import signals
from engramforge.indexing.encoders import Encoders
from engramforge.model.embeddings.embedding import QueryEmbedding
from engramforge.model.search.candidates import Candidates, Probe
from engramforge.model.spaces import REGISTRY, Space
from engramforge.recall import multispace, retrieval
from engramforge.recall.multispace import Similarity
from engramforge.spaces.encoder import Documents
from engramforge.spaces.presets import static_part_encoders, static_preset

METRICS: Final = {
    "locomo": ("conversation", "recall_at_10"),
    "longmemeval": ("any_at_5",),
    "cosqa": ("mrr",),
    "ecare": ("accuracy",),
}
ASKED_BY_NOBODY: Final = (
    Space.TEMPORAL_RECENT,
    Space.TEMPORAL_PERIODIC,
    Space.TEMPORAL_POSITIONAL,
    Space.GRAPH,
)
"""Spaces in which a question in words has no signal: alone they find nothing."""
UNRANKED: Final = (*ASKED_BY_NOBODY, Space.HYPERDIMENSIONAL, Space.ENTITY)
"""Spaces that a question in words is not ranked by: without them nothing changes."""


def similarity_in(space: Space, query: QueryEmbedding, candidates: Candidates, table: Any) -> Any:
    """Raw similarities of one space, as the preset compares; None where the question has no signal in it."""
    if space in static_part_encoders():
        if space not in query.parts or space not in candidates.parts:
            return None
        batch = candidates.parts[space]
        return static_part_encoders()[space].query_to_memories(
            query.parts[space], batch.values, batch.present
        )
    return static_preset()[space].query_to_memories(query, Documents.of_candidates(table, candidates))


@contextmanager
def alone(space: Space) -> Iterator[None]:
    """Candidates are ordered by one space."""

    def score(
        query: QueryEmbedding, _question: Any, found: Candidates, _statistics: Any, table: Any, *_: Any
    ) -> Any:
        compared = similarity_in(space, query, found, table)
        present = np.zeros(len(found), np.bool_) if compared is None else compared.present
        raw = np.where(present, 0.0 if compared is None else compared.values, -np.inf)
        ranks = np.empty(len(found))
        ranks[np.lexsort((np.arange(len(found)), -raw))] = np.arange(len(found))
        # Far enough apart that no two are in one band of equal similarity.
        values = np.exp(-0.05 * ranks).astype(np.float32)
        match = {"mentions": present.astype(np.float32)}
        return Similarity(values, values, match, np.zeros(len(found), np.float32), np.empty((0, len(found))))

    with asking(lambda query: query, every_part=space), patch.object(retrieval, "score_similarity", score):
        yield


@contextmanager
def without(space: Space) -> Iterator[None]:
    """Nothing of a space reaches the search or the ranking."""
    if space is Space.SEMANTIC:
        with (
            asking(lambda query: replace(query, vector=None)),
            patch.object(
                multispace.signals, "feedback", lambda vectors, *_: np.zeros(len(vectors), np.float32)
            ),
        ):
            yield
    elif space is Space.SPARSE_EXPANSION:
        with asking(_own_terms):
            yield
    elif space in (Space.LATE_INTERACTION, Space.SPARSE_LEXICAL):
        with patch.object(multispace.signals, "word_closeness", _closeness_without(space)):
            yield
    elif space is Space.CAUSAL:
        # What words let one expect of causes is of this space too.
        with (
            asking(lambda query: _without_part(query, space)),
            patch.object(multispace, "causal_signal", lambda *_: {}),
        ):
            yield
    else:
        with asking(lambda query: _without_part(query, space)):
            yield


@contextmanager
def asking(
    change: Callable[[QueryEmbedding], QueryEmbedding], every_part: Space | None = None
) -> Iterator[None]:
    """Questions are changed before they are asked; `every_part` makes a space's part come along with candidates."""
    encode_query, probe_of = Encoders.encode_query, retrieval.probe_of

    def changed(self: Encoders, *arguments: Any, **options: Any) -> QueryEmbedding:
        return change(encode_query(self, *arguments, **options))

    def probe(query: QueryEmbedding, *arguments: Any) -> Probe:
        made = probe_of(query, *arguments)
        more = [part for space, part in query.parts.items() if space is every_part and not part.scans]
        return replace(made, parts=(*made.parts, *more))

    with patch.object(Encoders, "encode_query", changed), patch.object(retrieval, "probe_of", probe):
        yield


def _own_terms(query: QueryEmbedding) -> QueryEmbedding:
    own = query.expansion_weights >= 1
    return replace(
        query,
        expansion_terms=query.expansion_terms[own],
        expansion_weights=query.expansion_weights[own],
        expansion_words=query.expansion_words[own],
    )


def _without_part(query: QueryEmbedding, space: Space) -> QueryEmbedding:
    return replace(query, parts={name: part for name, part in query.parts.items() if name is not space})


def _closeness_without(space: Space) -> Callable[..., Any]:
    """Word closeness by stems alone, or by vectors alone."""
    closeness = signals.word_closeness

    def changed(terms: Any, vectors: Any, word_terms: Any, word_vectors: Any) -> Any:
        if space is Space.LATE_INTERACTION:
            return (terms[:, None] == word_terms[None, :]).astype(np.float32)
        nothing = np.zeros_like(word_terms)
        return closeness(np.ones_like(terms), vectors, nothing, word_vectors)

    return changed


def figure(name: str, files: list[Path], limit: int | None) -> float:
    """The benchmark's main metric."""
    metrics: Any = run(name, files, Options(limit=limit)).metrics
    for key in METRICS[name]:
        metrics = metrics[key]
    return float(metrics)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", choices=sorted(METRICS))
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--limit", type=int)
    asked = parser.parse_args()
    everything = figure(asked.name, asked.files, asked.limit)
    print(f"{asked.name} {'.'.join(METRICS[asked.name])}: all {everything:.4f}", flush=True)
    for row in REGISTRY:
        by_itself, change = "-", "-"
        if row.space not in ASKED_BY_NOBODY:
            with alone(row.space):
                by_itself = f"{figure(asked.name, asked.files, asked.limit):.4f}"
        if row.space not in UNRANKED:
            with without(row.space):
                change = f"{figure(asked.name, asked.files, asked.limit) - everything:+.4f}"
        print(f"| {row.number} | {row.space} | {by_itself} | {change} |", flush=True)


if __name__ == "__main__":
    main()
