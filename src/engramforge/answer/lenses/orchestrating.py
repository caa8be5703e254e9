"""Asks several projects at once, each in its role, and says where they agree and where they pull apart.

    query -> embedded once -> a recall in each project -> matters, tensions, field -> text within a budget

No result is stored. A lens with few results is kept: what it has not is information.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.answer.lenses.context_text import context_text
from engramforge.answer.lenses.divergences import Conflicts, conflicts, divergences
from engramforge.core.lenses.agreement import BOOST, NO_CLUSTER, combined_mass, matters
from engramforge.core.lenses.favoured import favoured
from engramforge.core.lenses.field import coherence, dominant
from engramforge.core.text.portions import excerpt_within
from engramforge.indexing.likeness import likeness
from engramforge.model.embeddings.embedding import QueryEmbedding
from engramforge.model.lenses.entanglement import EntanglementScan
from engramforge.model.lenses.orchestration import (
    Convergence,
    ConvergenceType,
    Divergence,
    FieldSummary,
    LensItem,
    LensResult,
    Orchestration,
)
from engramforge.model.lenses.role import ROLE_TYPES, LensProject
from engramforge.model.memory import Kind
from engramforge.model.scope import Scope
from engramforge.model.search.hit import Hit
from engramforge.model.search.selection import Selection
from engramforge.recall.request import PRESENT, AskedTimes, RecallRequest, recall_request
from engramforge.recall.retrieval import Retriever
from engramforge.store.door import Door

_EACH: Final = 10
"""Results of a lens at most."""
_SUMMARY: Final = 160
_NOWHERE: Final = -1
_KINDS: Final = tuple(kind for kind in Kind if kind is not Kind.ARCHIVE)


@dataclass(frozen=True, slots=True)
class Orchestrating:
    """Looks at a question through lenses. `latest_scan`: over projects; None where none was made."""

    door: Door
    retriever: Retriever
    latest_scan: Callable[[Scope], EntanglementScan | None]
    clock: Callable[[], datetime]

    def orchestrate(
        self,
        scope: Scope,
        query: str,
        lenses: Sequence[LensProject],
        *,
        lens_name: str | None,
        budget: int,
        min_score: float | None,
        times: AskedTimes = PRESENT,
    ) -> Orchestration:
        """The answer of these lenses, each with its weight; `scope`: in which their projects are."""
        names = _names_of(lenses)
        wide = scope.within(*dict.fromkeys(each.project for each in lenses))
        # Once: what a question weighs is a matter of all that is looked at, and a model may cost.
        embedding = self.retriever.embed(wide, query)
        request = recall_request(
            query, Selection(kinds=_KINDS), times, clock=self.clock, limit=_EACH, min_score=min_score
        )
        with ThreadPoolExecutor(max_workers=len(lenses)) as pool:
            asked = [
                pool.submit(copy_context().run, self._recall, scope, each, request, embedding)
                for each in lenses
            ]
            found = [each.result() for each in asked]
        per_lens = {
            name: _result(name, each, hits) for name, each, hits in zip(names, lenses, found, strict=True)
        }
        items = [LensItem(name, hit, hit.mass) for name, each in per_lens.items() for hit in each.results]
        alike = self._similarity(wide, [each.hit for each in items])
        contradicting = conflicts(items, alike)
        scan = self.latest_scan(scope)
        clusters = [_cluster_of(scan, each.hit) for each in items]
        agreed = _convergences(items, names, clusters, alike, contradicting)
        apart = divergences(per_lens, items, alike, contradicting)
        summary = _field(per_lens, items, agreed, apart)
        text, used = context_text(per_lens, agreed, apart, summary, budget)
        return Orchestration(
            query=query,
            lens_name=lens_name,
            lenses_used=tuple(per_lens),
            per_lens=per_lens,
            convergence=agreed,
            divergence=apart,
            field_summary=summary,
            context_text=text,
            budget=budget,
            budget_used=used,
        )

    def _recall(
        self, scope: Scope, lens: LensProject, request: RecallRequest, embedding: QueryEmbedding
    ) -> tuple[Hit, ...]:
        """What one lens finds: its role favours some kinds of memories."""
        favouring = replace(request, category_boosts=favoured(lens.role))
        return self.retriever.recall(scope.within(lens.project), favouring, embedding).hits

    def _similarity(self, scope: Scope, hits: Sequence[Hit]) -> NDArray[np.float64]:
        """Calibrated similarities of hits to each other, shape (n, n), 0..1."""
        with self.door.asking(scope) as view:
            places = view.places_of([each.memory.id for each in hits])
            stored = view.signals(np.array(sorted(set(places.values())), np.int64)).embeddings
        embeddings = [stored.get(places.get(each.memory.id, _NOWHERE)) for each in hits]
        return likeness(self.retriever.table, embeddings, self.retriever.calibrations.current(scope))


def _names_of(lenses: Sequence[LensProject]) -> list[str]:
    """What each lens is called: its role, with its project where the role occurs twice."""
    roles = Counter(each.role for each in lenses)
    return [str(x.role) if roles[x.role] == 1 else f"{x.role}:{x.project}" for x in lenses]


def _result(name: str, lens: LensProject, hits: tuple[Hit, ...]) -> LensResult:
    return LensResult(
        lens=name,
        project=lens.project,
        role=lens.role,
        gravity_type=ROLE_TYPES[lens.role].gravity_type,
        weight=1.0 if lens.weight is None else lens.weight,
        results=hits,
        top_attention=max((each.mass for each in hits), default=0.0),
    )


def _cluster_of(scan: EntanglementScan | None, hit: Hit) -> int:
    """The cluster of a memory, or of the message that it was read from."""
    if scan is None:
        return NO_CLUSTER
    names = (hit.memory.logical_id, *(each.logical_id for each in hit.joined))
    return next((scan.cluster_of[name] for name in names if name in scan.cluster_of), NO_CLUSTER)


def _convergences(
    items: Sequence[LensItem],
    names: Sequence[str],
    clusters: Sequence[int],
    alike: NDArray[np.float64],
    contradicting: Conflicts,
) -> tuple[Convergence, ...]:
    """The matters on which lenses agree, with their members' masses amplified."""
    places = {name: at for at, name in enumerate(names)}
    lenses = np.array([places[each.lens] for each in items], np.int64)
    masses = np.array([each.mass for each in items], np.float64)
    against = np.zeros((len(items), len(items)), np.bool_)
    for at, to in contradicting:
        against[at, to] = against[to, at] = True
    found = matters(lenses, masses, np.array(clusters, np.int64), alike, against)
    return tuple(
        Convergence(
            type=ConvergenceType.SEMANTIC_OVERLAP
            if each.cluster is None
            else ConvergenceType.ENTANGLEMENT_CLUSTER,
            lenses=tuple(name for name in names if any(items[at].lens == name for at in each.items)),
            items=tuple(replace(items[at], mass=BOOST * items[at].mass) for at in each.items),
            cluster_id=each.cluster,
            combined_mass=combined_mass([items[at].mass for at in each.items]),
            summary=excerpt_within(" ".join(items[each.items[0]].hit.excerpt.split()), _SUMMARY, least=1)
            or "",
        )
        for each in found
    )


def _field(
    per_lens: Mapping[str, LensResult],
    items: Sequence[LensItem],
    agreed: Sequence[Convergence],
    apart: Sequence[Divergence],
) -> FieldSummary:
    tensions: dict[tuple[str, str, str], list[float]] = {}
    for each in apart:
        one, other = sorted((each.lens_a, each.lens_b))
        tensions.setdefault((one, other, str(each.type)), []).append(each.tension)
    convergent = sum(item.mass / BOOST for each in agreed for item in each.items)
    total = sum(each.mass for each in items)
    return FieldSummary(
        total_candidates=len(items),
        convergence_points=len(agreed),
        divergence_points=len(apart),
        dominant_lens=dominant({name: [x.mass for x in each.results] for name, each in per_lens.items()}),
        coherence=coherence(convergent, total, tensions, len(per_lens)),
    )
