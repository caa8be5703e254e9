"""Which of the found memories are shown, and how much of each: the limit, the budget, what is one with another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.conflicts.choices import choices
from engramforge.core.ranking.twins import Twins, gives_way
from engramforge.core.text.portions import LEAST_EXCERPT
from engramforge.core.text.words import stem_of, words_of
from engramforge.core.topics.usage import importances
from engramforge.model.memory import Kind, Memory
from engramforge.model.time import TemporalMode
from engramforge.recall.outcomes import outcomes
from engramforge.recall.passages import Passages
from engramforge.recall.request import RecallRequest
from engramforge.store.door import View

_HITS_WITHOUT_LIMIT: Final = 50
_FETCHED_FIRST: Final = 25
_SPARE: Final = 5
"""Hits that may take the places of those that joined others."""
_SHARES: Final = 5
"""The part of the budget that one text may take before all others have theirs."""
_COMPARED: Final = 5
_STATEMENT: Final = 400
"""How many of the best hits are compared with each other, and characters of a text that says one thing."""
_EQUAL: Final = 0.005
"""By how much similarities, and masses, of what is equal differ at most."""
_AS_GOOD: Final = 0.5
"""The part of the older one's similarity that the newer of two statements has at least."""


@dataclass(slots=True)
class Passage:
    """A row that is shown: its memory, how many characters of it, the text, and what is one with it."""

    row: int
    memory: Memory
    size: int
    text: str
    joined: list[Memory]
    gist: str = ""
    outcome: Memory | None = None

    def with_twin(self, other: Passage) -> Passage:
        """The two as one, under the one that says more."""
        if gives_way(self.memory, other.memory):
            return replace(other, joined=[*self.joined, self.memory])
        self.joined.append(other.memory)
        return self


def shown_within(
    view: View,
    request: RecallRequest,
    position: NDArray[np.int64],
    order: NDArray[np.int64],
    similarity: NDArray[np.float32],
    masses: NDArray[np.float32],
    fetched: Mapping[int, Memory] | None,
    passages: Passages,
) -> list[Passage]:
    """The best rows that fit the limit and the budget, with their memories and what is shown of them.

    No text takes more than its share of the budget before all others have theirs; what says the same as a better one
    joins it. Of what holds now, what became of each is told. Memories not yet `fetched` are fetched together: a few
    more than the limit, or at first a few if a budget may end before it. `position`, `similarity`, `masses`: the
    store's key of each row, its similarity, 0..1, and its mass.
    """
    shown: list[Passage] = []
    entries: list[Memory] = []
    twins = Twins()
    room = request.budget
    share = None if room is None else max(room // _SHARES, LEAST_EXCERPT)
    most = request.limit or _HITS_WITHOUT_LIMIT
    best = order[: most + _SPARE]
    first = len(best) if room is None else _FETCHED_FIRST
    for rows in (best[:first], best[first:]):
        if len(shown) == most or (room is not None and room <= 0):
            break
        memories = fetched
        if memories is None:
            memories, told = view.fetch_with_entries(position[rows]) if len(rows) else ({}, [])
            entries += told
        for row, memory in _equal_by_use(request, rows, similarity, masses, position, memories):
            size = len(memory.content)
            if room is not None and share is not None:
                size = min(size, share, room)
                if size < min(len(memory.content), LEAST_EXCERPT):
                    room = 0
                    break
            text = passages.of(memory, size)
            if (same := twins.of(memory, text)) is not None:
                before = shown[same].size
                shown[same] = shown[same].with_twin(Passage(row, memory, size, text, []))
                room = None if room is None else room + before - shown[same].size
                continue
            room = None if room is None else room - size
            shown.append(Passage(row, memory, size, text, []))
            if len(shown) == most:
                break
    if entries and request.selection.mode is TemporalMode.CURRENT:
        shown = with_outcomes(shown, outcomes(view, entries))
    ordered = newest_first(shown, request.query, similarity)
    return _filled(ordered, room, passages, has_gists=request.explained)


def _equal_by_use(
    request: RecallRequest,
    rows: NDArray[np.int64],
    similarity: NDArray[np.float32],
    masses: NDArray[np.float32],
    position: NDArray[np.int64],
    memories: Mapping[int, Memory],
) -> list[tuple[int, Memory]]:
    """The rows that are still there; of what holds now, those of near-equal similarity and mass by their importance.

    Not by how often they were shown: to ask something twice changes no answer.
    """
    there = [
        (row, memories[at])
        for row, at in zip(rows.tolist(), position[rows].tolist(), strict=True)
        if at in memories
    ]
    if request.selection.mode is not TemporalMode.CURRENT or not any(each.access_count for _, each in there):
        return there
    likes, weights = similarity[rows].tolist(), masses[rows].tolist()
    of = dict(zip(rows.tolist(), zip(likes, weights, strict=True), strict=True))
    kept: list[tuple[int, Memory]] = []
    run: list[tuple[int, Memory]] = []
    for each in there:
        like, weight = of[each[0]]
        first = of[run[0][0]] if run else (like, weight)
        if abs(like - first[0]) > _EQUAL or abs(weight - first[1]) > _EQUAL:
            kept += _by_importance(run, request.now)
            run = []
        run.append(each)
    return kept + _by_importance(run, request.now)


def _by_importance(run: list[tuple[int, Memory]], now: datetime) -> list[tuple[int, Memory]]:
    if len(run) < 2:
        return run
    worth = importances([memory for _, memory in run], now)
    return [run[at] for at in sorted(range(len(run)), key=lambda at: -worth[at])]


def _filled(shown: list[Passage], room: int | None, passages: Passages, *, has_gists: bool) -> list[Passage]:
    """The hits with more of their text as far as the budget goes, and the passage that is nearest where hits are
    explained."""
    for rank, each in enumerate(shown):
        if room and (more := min(room, len(each.memory.content) - each.size)):
            room -= more
            each.text = passages.of(each.memory, each.size + more)
        if has_gists:
            each.gist = passages.gist(each.memory, each.text, rank)
    return shown


def with_outcomes(shown: list[Passage], became: Mapping[str, Memory]) -> list[Passage]:
    """The hits with what became of what they tell, and what holds now just above what it took the place of."""
    ordered = list(shown)
    for each in shown:
        each.outcome = became.get(each.memory.logical_id)
        if each.outcome is None:
            continue
        place = ordered.index(each)
        for later in ordered[place:]:
            if later.memory.logical_id == each.outcome.logical_id:
                ordered.remove(later)
                ordered.insert(place, later)
    return ordered


def newest_first(shown: list[Passage], query: str, similarity: NDArray[np.float32]) -> list[Passage]:
    """The hits with the newer of two statements that differ in one choice just above the older one, near the top.

    Not where the question names the choice: it asks for one of them.
    """
    ordered = list(shown)
    asked = {stem_of(word) for word in words_of(query)}
    statements = [each for each in shown[:_COMPARED] if _is_statement(each.memory)]
    for older, newer in combinations(statements, 2):
        is_newer = newer.memory.told_at > older.memory.told_at and _whose(newer) == _whose(older)
        is_newer &= bool(similarity[newer.row] >= _AS_GOOD * similarity[older.row])
        differing = choices(older.memory.content, newer.memory.content) if is_newer else frozenset()
        if differing and not differing & asked and ordered.index(older) < ordered.index(newer):
            ordered.remove(newer)
            ordered.insert(ordered.index(older), newer)
    return ordered


def _whose(shown: Passage) -> tuple[str | None, str | None]:
    return shown.memory.project, shown.memory.speaker


def _is_statement(memory: Memory) -> bool:
    return memory.kind is not Kind.CHUNK and len(memory.content) <= _STATEMENT
