"""Asks several projects at once, each in its role, and says where they agree and where they pull apart.

    query -> embedded once -> a recall in each project -> matters, tensions, field -> text within a budget

No result is stored. A lens with few results is kept: what it has not is information.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engramforge.answer.conflicts.opposing import Opposing
from engramforge.answer.lenses.agreeing import not_agreeing
from engramforge.answer.lenses.by_question import ByQuestion
from engramforge.answer.lenses.context_text import context_text
from engramforge.answer.lenses.divergences import conflicts, divergences, outdone
from engramforge.answer.lenses.guarding import EndedDecision, guardian_marks, opposed
from engramforge.answer.lenses.on_record import OnRecord, Sighted
from engramforge.answer.lenses.outcomes import weighed
from engramforge.answer.lenses.own_answers import own_answers
from engramforge.answer.lenses.planning import field_of, summary_of
from engramforge.answer.lenses.rules_beside import rules_beside
from engramforge.answer.lenses.worth import LatestScan, worth_to
from engramforge.core.lenses.agreement import BOOST, NO_CLUSTER, combined_mass, matters
from engramforge.core.lenses.favoured import favoured
from engramforge.core.text.portions import excerpt_within
from engramforge.indexing.likeness import likeness
from engramforge.model.lenses.entanglement import EntanglementScan
from engramforge.model.lenses.orchestration import (
    Convergence,
    ConvergenceType,
    Divergence,
    GuardianMark,
    LensItem,
    LensResult,
    Orchestration,
    Weighed,
)
from engramforge.model.lenses.role import ROLE_TYPES, LensProject
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.entry import DecisionStatus
from engramforge.model.scope import Scope
from engramforge.model.search.hit import Hit
from engramforge.model.search.selection import Selection
from engramforge.model.time import TemporalMode, TimeRange
from engramforge.recall.request import PRESENT, AskedTimes, RecallRequest, recall_request, times_of
from engramforge.recall.retrieval import Retriever, Shared
from engramforge.registries.decisions.decision_view import around, decision_text
from engramforge.registries.learned.learned_reading import LearnedReading
from engramforge.store.door import Door, View

_EACH: Final = 10
"""Results of a lens at most."""
_SUMMARY: Final = 160
_ENDED: Final = (str(DecisionStatus.SUPERSEDED), str(DecisionStatus.INVALIDATED))
_EACH_ENDED: Final = 5
_LOOKED_AT: Final = 50
"""Ended decisions of a lens that are told, and that are scored."""
_KINDS: Final = tuple(kind for kind in Kind if kind is not Kind.ARCHIVE)


@dataclass(frozen=True, slots=True)
class _Look:
    scope: Scope
    request: RecallRequest


class _Compared(NamedTuple):
    """What comes of several answers beside each other. `outdated`: logical ids of what does not hold any more."""

    agreed: tuple[Convergence, ...]
    apart: tuple[Divergence, ...]
    marks: tuple[GuardianMark, ...]
    outdated: frozenset[str]


@dataclass(frozen=True, slots=True)
class Orchestrating:
    """Looks at a question through lenses. `latest_scan`: over projects; None where none was made."""

    door: Door
    retriever: Retriever
    latest_scan: LatestScan
    learned: LearnedReading
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
        adaptive: bool = False,
    ) -> Orchestration:
        """The answer of these lenses, each with its weight; `scope`: in which their projects are.

        `times`: of lenses without a date of their own. `adaptive`: whether weights follow outcomes.
        """
        why: Mapping[str, Weighed] = {}
        if adaptive:
            lenses, why = weighed(self.door, scope, lenses)
        names = _names_of(lenses)
        wide = _wide(scope, lenses)
        # Once, as a model may cost; its words weigh what they do in all projects, so that what a lens finds does not
        # depend on which others look too.
        shared = self.retriever.shared(scope, query)
        now = self.clock()
        looks = [self._look(scope, each, query, min_score, times, now) for each in lenses]
        found = own_answers(query, self._recalls(looks, shared))
        like = self.retriever.table.like
        per_lens = {
            name: _result(name, each, hits, why.get(each.project), rules_beside(query, each.role, hits, like))
            for name, each, (hits, _) in zip(names, lenses, found, strict=True)
        }
        given_up = {name: hits for name, (_, hits) in zip(names, found, strict=True)}
        agreed, apart, marks, outdated = self._compared(scope, query, wide, per_lens, given_up, looks, shared)
        summary = summary_of(per_lens, agreed, apart)
        field = field_of(query, per_lens, agreed, apart, marks, summary, outdated)
        text, used = context_text(per_lens, agreed, apart, marks, summary, budget, field.steps)
        return Orchestration(
            query=query,
            lens_name=lens_name,
            lenses_used=tuple(per_lens),
            per_lens=per_lens,
            convergence=agreed,
            divergence=apart,
            guardian=marks,
            field_summary=summary,
            field=field,
            context_text=text,
            budget=budget,
            budget_used=used,
        )

    def _compared(
        self,
        scope: Scope,
        query: str,
        wide: Scope,
        per_lens: Mapping[str, LensResult],
        given_up: Mapping[str, Sequence[Hit]],
        looks: Sequence[_Look],
        shared: Shared,
    ) -> _Compared:
        """What comes of the lenses' answers beside each other: only what answers the question takes part.

        `given_up`: the decisions that each lens found and does not hold any more.
        """
        items = _items(per_lens, answering=True)
        beside = _items(per_lens, answering=False)
        sights = [
            Sighted(name, look.scope.projects or (), look.request.selection)
            for name, look in zip(per_lens, looks, strict=True)
        ]
        over = [LensItem(name, hit, 0.0) for name, hits in given_up.items() for hit in hits if hit.relevant]
        read = [shared.embeddings.get(each.hit.memory.id) for each in (*items, *over)]
        alike = likeness(self.retriever.table, read, shared.calibrations)
        with self.door.asking(wide) as view:
            rules = Opposing(self.retriever.table)
            recorded = OnRecord(view, query, sights, rules).among(items, beside)
            ended = self._ended(view, wide, over)
        like = self.retriever.table.like
        asked = ByQuestion(query, like)
        contradicting = conflicts(items, alike, asked, recorded)
        outdated = _outdated(items, ended, looks)
        marks = guardian_marks(
            items, ended, alike, contradicting, asked, recorded.dismissed, outdated, beside
        )
        own = alike[: len(items), : len(items)]
        clusters = self._clusters(scope, items)
        older = outdone(items, contradicting, recorded)
        no_agreement = {
            *contradicting,
            *((at, to) for at in older for to in range(len(items)) if to != at),
            *opposed(items, ended, marks),
            *not_agreeing(items, clusters, own, like, recorded),
        }
        agreed = _convergences(items, list(per_lens), clusters, own, no_agreement)
        apart = divergences(per_lens, items, own, contradicting, asked, recorded)
        return _Compared(agreed, apart, marks, outdated)

    def _look(
        self,
        scope: Scope,
        lens: LensProject,
        query: str,
        min_score: float | None,
        times: AskedTimes,
        now: datetime,
    ) -> _Look:
        """What one lens asks: its role favours some kinds of memories, its sight selects."""
        sees = lens.sees
        selection = Selection(
            kinds=_KINDS,
            tags=sees.tags,
            writer=sees.agent,
            speaker=sees.speaker,
            source=sees.source,
            answering=sees.model,
        )
        own = times_of(sees, times)
        request = recall_request(query, selection, own, clock=lambda: now, limit=_EACH, min_score=min_score)
        narrow = scope.within(*sees.projects) if sees.projects else scope
        worth = worth_to(lens.role, self.learned, narrow, self.latest_scan)
        return _Look(narrow, replace(request, category_boosts=favoured(lens.role), worth=worth))

    def _recalls(
        self, looks: Sequence[_Look], shared: Shared
    ) -> list[tuple[tuple[Hit, ...], tuple[Hit, ...]]]:
        """What every lens finds: all at once where a server does the work.

        Where this process does all of it, threads would take turns, and wait for each other at every change of turns.
        """
        if self.door.identity.engine == "sqlite":
            return [self._recall(each, shared) for each in looks]
        with ThreadPoolExecutor(max_workers=len(looks)) as pool:
            asked = [pool.submit(copy_context().run, self._recall, each, shared) for each in looks]
            return [each.result() for each in asked]

    def _recall(self, look: _Look, shared: Shared) -> tuple[tuple[Hit, ...], tuple[Hit, ...]]:
        """What one lens finds, and of what it does not hold any more the decisions that answer."""
        point = look.request.selection.as_of
        assert point is not None
        assert point.valid is not None
        assert point.recorded is not None
        known = TimeRange(point.recorded, point.recorded + timedelta(microseconds=1))
        chosen = replace(
            look.request.selection,
            kinds=(Kind.DECISION,),
            statuses=_ENDED,
            mode=TemporalMode.EVOLUTION,
            recorded_range=known,
        )
        request = replace(
            look.request,
            selection=chosen,
            limit=_EACH_ENDED,
            most=_LOOKED_AT,
            worth=None,
            explained=False,
        )
        found, ended = self.retriever.recalls(look.scope, (look.request, request), shared.embedding, shared)
        return found.hits, tuple(
            each
            for each in ended.hits
            if each.memory.invalid_at is not None and each.memory.invalid_at <= point.valid
        )

    def _ended(self, view: View, scope: Scope, items: Sequence[LensItem]) -> list[EndedDecision]:
        """Decisions that ended, each with what took its place."""
        memories = [each.hit.memory for each in items]
        near = around(self.door, scope, memories)
        next_ones = {each.id: near.successor(each) for each in memories}
        wanted = {each for each in next_ones.values() if each is not None}
        found = view.fetch(wanted) if wanted else {}
        return [
            EndedDecision(each.lens, each.hit, _why_ended(each, found.get(successor or "")), successor)
            for each in items
            for successor in (next_ones[each.hit.memory.id],)
        ]

    def _clusters(self, scope: Scope, items: Sequence[LensItem]) -> list[int]:
        """Which entanglement cluster each item is in."""
        scan = self.latest_scan(scope)
        return [_cluster_of(scan, each.hit) for each in items]


def _wide(scope: Scope, lenses: Sequence[LensProject]) -> Scope:
    """The scope of all that lenses look at."""
    if not all(each.sees.projects for each in lenses):
        return scope
    return scope.within(*dict.fromkeys(name for each in lenses for name in each.sees.projects))


def _names_of(lenses: Sequence[LensProject]) -> list[str]:
    """What each lens is called: its role, with its project where the role occurs twice, and with its date or a number
    where that does."""
    names = [str(each.role) for each in lenses]
    for tell in (
        lambda name, lens, _: f"{name}:{lens.project}",
        lambda name, lens, _: f"{name}@{lens.sees.when or 'now'}",
        lambda name, _, place: f"{name}#{place}",
    ):
        counts = Counter(names)
        names = [
            name if counts[name] == 1 else tell(name, lens, place)
            for place, (name, lens) in enumerate(zip(names, lenses, strict=True), 1)
        ]
    return names


def _items(per_lens: Mapping[str, LensResult], *, answering: bool) -> list[LensItem]:
    """What the lenses found that answers the question, or what else they found."""
    return [
        LensItem(name, hit, hit.mass)
        for name, each in per_lens.items()
        for hit in each.results
        if hit.relevant is answering
    ]


def _outdated(
    items: Sequence[LensItem], ended: Sequence[EndedDecision], looks: Sequence[_Look]
) -> frozenset[str]:
    """Logical ids of items that do not hold any more at the latest point in time of these looks."""
    points = [each.request.selection.as_of for each in looks]
    latest = max((each.valid for each in points if each is not None and each.valid is not None), default=None)
    ends = {(each.hit.memory.logical_id, each.hit.memory.invalid_at) for each in items}
    over = {one for one, end in ends if end is not None and latest is not None and end <= latest}
    # Of a memory that says something else since, another version holds.
    held = {one for one, end in ends if end is None or latest is None or end > latest}
    return frozenset((over - held) | {each.hit.memory.logical_id for each in ended})


def _why_ended(item: LensItem, successor: Memory | None) -> str:
    ended = item.hit.memory
    when = f" on {ended.invalid_at:%Y-%m-%d}" if ended.invalid_at else ""
    if successor is None:
        return f"{item.lens} invalidated it{when}"
    said = " ".join(decision_text(successor).split())
    return f"{item.lens} superseded it{when}: {excerpt_within(said, _SUMMARY, least=1) or ''}"


def _result(
    name: str,
    lens: LensProject,
    hits: tuple[Hit, ...],
    weighed: Weighed | None,
    rules: tuple[Hit, ...],
) -> LensResult:
    return LensResult(
        lens=name,
        project=lens.project,
        role=lens.role,
        gravity_type=ROLE_TYPES[lens.role].gravity_type,
        weight=1.0 if lens.weight is None else lens.weight,
        results=hits,
        top_attention=max((each.mass for each in hits), default=0.0),
        sight=lens.sees,
        weighed=weighed,
        rules=rules,
    )


def _cluster_of(scan: EntanglementScan | None, hit: Hit) -> int:
    """The cluster of a memory, or of the message that it was read from; none of one that was changed since."""
    if scan is None or hit.memory.created_at > scan.at:
        return NO_CLUSTER
    number = scan.cluster_with(hit.logical_ids)
    return NO_CLUSTER if number is None else number


def _convergences(
    items: Sequence[LensItem],
    names: Sequence[str],
    clusters: Sequence[int],
    alike: NDArray[np.float64],
    no_agreement: Collection[tuple[int, int]],
) -> tuple[Convergence, ...]:
    """The matters on which lenses agree, with their members' masses amplified."""
    places = {name: at for at, name in enumerate(names)}
    lenses = np.array([places[each.lens] for each in items], np.int64)
    masses = np.array([each.mass for each in items], np.float64)
    against = np.zeros((len(items), len(items)), np.bool_)
    for at, to in no_agreement:
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
