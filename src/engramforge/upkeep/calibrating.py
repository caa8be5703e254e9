"""Fit the calibrations again to what a store holds.

    newest memories of each project -> pairs of different projects, else of different sessions -> raw similarities
    -> reservoirs (numbers only, kept) -> backgrounds mixed with what is shipped -> one new set of calibrations

Due when the store has doubled since the last fit. A fit is bounded (some 50 questions and 50 memories, each against
some 200 memories, with a limit on their tokens), so it takes a quarter of a second whatever the store holds.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.similarity.calibration import (
    BUCKETS,
    Calibration,
    Direction,
    bucket_of,
    fit,
    fit_alone,
    is_due,
)
from engramforge.core.similarity.reservoir import Reservoir
from engramforge.core.text.words import words_of
from engramforge.errors import CallerError, InvalidValue, Stopped, WorldError
from engramforge.indexing.calibrations import Calibrations, CalibrationSet, Measure, save, shipped_set
from engramforge.indexing.comparing import Compared, EntityVectors, MemoryBatch, compare
from engramforge.indexing.encoders import Encoders
from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.embeddings.encoder_spec import PROVIDERS
from engramforge.model.embeddings.reembedding import CalibrationReport
from engramforge.model.memory import Kind, Memory
from engramforge.model.scope import Scope
from engramforge.model.search.candidates import CALIBRATIONS_MARK
from engramforge.model.search.selection import Selection
from engramforge.model.spaces import ROW_BY_SPACE, Space
from engramforge.model.time import AsOf
from engramforge.spaces.encoder import Item
from engramforge.store.door import Door, Transaction

LEAST_MEMORIES: Final = 100
"""A smaller store keeps the shipped backgrounds."""
SAMPLED: Final = 800
"""How many memories a fit looks at, the newest of each project."""
MOST_PROJECTS: Final = 40
ASKED: Final = 48
"""How many questions, and how many memories, are compared with others."""
COMPARED: Final = 200
"""How many others each is compared with."""
COMPARED_TOKENS: Final = 20_000
ASKED_TOKENS: Final = 4_000
"""How many tokens those others, and those that are compared with them, have together: each is compared with each, so
what would be more is passed over."""
CONTENT_WORDS: Final = 6
"""The fewest words of a question that are not stop words: "how are you, John" asks for nothing and matches everything.
Measured on locomo, of the evidence 42 % passes with 4 and 51 % with 6 (docs/measurements/calibration.md)."""
LEAST_APART: Final = 0.2
"""From this share of pairs of different projects on, pairs within a project are left out."""
ASKED_FOR_MONEY: Final = 12
"""How many questions are embedded if an endpoint does it."""
QUESTION_WORDS: Final = (3, 24)
"""A prompt or first sentence with a number of words in this range serves as a question."""
SEED: Final = 20_260_101
_RESERVOIR: Final = "calibration-reservoir/{}/{}"
_READ_CHARACTERS: Final = 400
_SENTENCE_ENDS: Final = ".!?\n"

Samples = dict[Measure, list[list[NDArray[np.float32]]]]


@dataclass(frozen=True, slots=True)
class _Sampled:
    """The memories of a fit, each with its group; memories of different groups count as unrelated.

    `others`: places of those with which the rest is compared; `told`: of those that are compared with them.
    `embeddings`: of both, by place. `apart`: whether groups are projects or parts of projects: their pairs are not
    mixed in one reservoir.
    """

    memories: Sequence[Memory]
    others: Sequence[int]
    told: Sequence[int]
    embeddings: Mapping[int, Embedding]
    entities: EntityVectors
    groups: NDArray[np.int64]
    apart: str


@dataclass(slots=True)
class Calibrating:
    """Fits a store's calibrations: when asked, or when the store has doubled."""

    door: Door
    encoders: Encoders
    calibrations: Calibrations
    clock: Callable[[], datetime]
    _written_until_due: int = 0
    """How many memories may still come in before it is looked whether a fit is due."""

    def fit(self, scope: Scope) -> CalibrationReport:
        """Fit every space, in both directions, to the tenant's memories; from now on calls use the new set.

        Spaces, encoders and lengths with too few pairs keep the shipped background, or stay raw if there is none. A
        store of fewer than 100 memories changes nothing.
        """
        began, now = time.perf_counter(), self.clock()
        whole = scope.of_everybody()
        count = _count(self.door, whole)
        head = self.door.asking(scope).mark(CALIBRATIONS_MARK)
        before = self.calibrations.current(scope)
        if count < LEAST_MEMORIES:
            return _report(before, count, 0, began)
        rng = np.random.default_rng([SEED, before.number])
        sampled = _sample(self.door, whole, now, rng)
        samples = _compare(self.door, whole, self.encoders, sampled, rng)
        reservoirs: dict[tuple[Space, Direction], dict[str, Any]] = {}
        # A space that this sample does not reach keeps what it had.
        fitted = dict(before.calibrations)
        for measure, buckets in sorted(samples.items()):
            held = _reservoirs(self.door, scope, measure, sampled.apart)
            held = [each.offer(np.concatenate(fresh), rng) for each, fresh in zip(held, buckets, strict=True)]
            reservoirs[measure.space, measure.direction] = {
                "encoder": measure.encoder,
                "apart": sampled.apart,
                "buckets": [each.as_mapping() for each in held],
            }
            found = _fitted(measure, [each.values for each in held])
            if found is not None:
                fitted[measure] = found
        fresh_set = CalibrationSet(fitted, before.number + 1, count, now)

        def work(writes: Transaction) -> None:
            for (space, direction), kept in reservoirs.items():
                writes.save_mark(_RESERVOIR.format(space, direction), kept)
            save(writes, head, fresh_set)

        self.door.write(scope, work)
        pairs = sum(len(part) for buckets in samples.values() for parts in buckets for part in parts)
        return _report(self.calibrations.current(scope), count, pairs, began)

    def in_use(self, scope: Scope) -> CalibrationReport:
        """The calibrations in use; nothing is fitted."""
        began = time.perf_counter()
        return _report(self.calibrations.current(scope), _count(self.door, scope.of_everybody()), 0, began)

    def is_due(self, scope: Scope) -> bool:
        """Whether the store has doubled since its calibrations were fitted."""
        return memories_until_due(self.door, scope) <= 0

    def fit_when_due(self, scope: Scope, written: int) -> None:
        """Fit when the store has doubled. Never fails: what was written is acknowledged, and a fit can wait."""
        self._written_until_due -= written
        if self._written_until_due > 0 or not written:
            return
        try:
            self._written_until_due = memories_until_due(self.door, scope)
            if self._written_until_due <= 0:
                self._written_until_due = max(self.fit(scope).memories, 1)
        except (CallerError, WorldError, Stopped):
            self._written_until_due = 1


def memories_until_due(door: Door, scope: Scope) -> int:
    """How many more memories make a fit due; 0 or less if the store has doubled since the last one."""
    count = _count(door, scope.of_everybody())
    head = door.asking(scope).mark(CALIBRATIONS_MARK)
    fitted = 0 if head is None else int(head.get("memories", 0))
    if count >= LEAST_MEMORIES and is_due(fitted, count):
        return 0
    return max(2 * fitted, LEAST_MEMORIES) - count


def _count(door: Door, scope: Scope) -> int:
    return sum(each.memories for each in door.asking(scope).projects())


def _sample(door: Door, scope: Scope, now: datetime, rng: np.random.Generator) -> _Sampled:
    """The newest memories of up to 40 projects with their groups, and the embeddings of those that are compared."""
    projects = [each for each in door.asking(scope).projects() if each.memories > 0]
    projects = sorted(projects, key=lambda each: (-each.memories, each.name))[:MOST_PROJECTS]
    most = -(-SAMPLED // max(len(projects), 1))
    newest = Selection(as_of=AsOf(now, now))
    within = (scope.within(project.name) for project in projects)
    positions = [each for some in within for each in door.asking(some).positions(newest, most).tolist()]
    with door.asking(scope) as view:
        held = view.fetch_at(np.array(positions, np.int64))
        known = [each for each in positions if each in held]
        others, told = (rng.permutation(len(known))[:size].tolist() for size in (COMPARED, ASKED))
        signals = view.signals(np.array([known[place] for place in {*others, *told}], np.int64), named=())
    embeddings = {
        place: signals.embeddings[known[place]]
        for place in (*others, *told)
        if known[place] in signals.embeddings
    }
    others, told = (_within(others, embeddings, COMPARED_TOKENS), _within(told, embeddings, ASKED_TOKENS))
    memories = [held[each] for each in known]
    assert signals.entities is not None
    entities = EntityVectors.of(signals.entities)
    return _Sampled(memories, others, told, embeddings, entities, *_groups(memories))


def _within(places: Sequence[int], embeddings: Mapping[int, Embedding], most: int) -> list[int]:
    """Those of some places, in order, that have an embedding and no more than so many tokens together."""
    found = []
    for place in places:
        tokens = len(embeddings[place].tokens) if place in embeddings else most + 1
        if tokens <= most:
            found.append(place)
            most -= tokens
    return found


def _groups(memories: Sequence[Memory]) -> tuple[NDArray[np.int64], str]:
    """Which memories belong together: by project if there are several, else by session or file; memories with neither
    are one group, since nothing says that two notes of a project are unrelated.

    Two sessions of one project share people and subjects, so pairs of different projects are the better background if
    there are enough of them (docs/measurements/calibration.md).
    """
    projects = Counter(memory.project for memory in memories)
    by_project = 1 - sum((held / len(memories)) ** 2 for held in projects.values()) >= LEAST_APART
    parts = [memory.session_id or (memory.chunk.file_path if memory.chunk else "") for memory in memories]
    keys = [
        (memory.project, "" if by_project else part) for memory, part in zip(memories, parts, strict=True)
    ]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    return np.array([numbers[key] for key in keys], np.int64), "projects" if by_project else "parts"


def _compare(
    door: Door, scope: Scope, encoders: Encoders, sampled: _Sampled, rng: np.random.Generator
) -> Samples:
    """Raw similarities of pairs of different groups by measure and length bucket."""
    active = door.asking(scope).encoders()
    parts = encoders.part_encoders(active)
    corpus = door.tending(scope).corpus()
    samples: Samples = {}
    others, told = sampled.others, sampled.told
    batch = MemoryBatch.of(encoders.table, [sampled.embeddings[place] for place in others])
    groups, lengths = sampled.groups[others], batch.lengths
    asking = MemoryBatch.of(encoders.table, [sampled.embeddings[place] for place in told])
    words = asking.documents.words[0]
    encoders.words.look_up([words[~encoders.table.is_stop(words)]])
    for item, length in zip(told, asking.lengths, strict=True):
        compared = compare(sampled.embeddings[item], batch, parts, sampled.entities)
        shorter = np.minimum(lengths, length)
        _keep(samples, compared, Direction.MEMORY_TO_MEMORY, groups != sampled.groups[item], shorter)
    questions = _questions(sampled.memories)
    paid = any(each.spec.startswith(tuple(PROVIDERS)) for each in active.values())
    wanted = ASKED_FOR_MONEY if paid else ASKED
    order = (questions[place] for place in rng.permutation(len(questions)).tolist())
    telling = ((item, text, encoders.words.asked_words(text)) for item, text in order)
    asked = list(islice((each for each in telling if len(each[2]) >= CONTENT_WORDS), wanted))
    encoders.words.look_up([words for _, _, words in asked])
    for item, text, _ in asked:
        query = encoders.encode_query(Item(text), corpus, (), active)
        compared = compare(query, batch, parts, sampled.entities)
        _keep(samples, compared, Direction.QUERY_TO_MEMORY, groups != sampled.groups[item], lengths)
    return samples


def _keep(
    samples: Samples,
    compared: Mapping[Space, Compared],
    direction: Direction,
    unrelated: NDArray[np.bool_],
    lengths: NDArray[np.int64],
) -> None:
    buckets = bucket_of(lengths)
    for space, each in compared.items():
        if ROW_BY_SPACE[space].high is None:
            continue
        found = samples.setdefault(Measure(space, direction, each.encoder), [[] for _ in range(BUCKETS)])
        for bucket in range(BUCKETS):
            inside = each.similarities.present & unrelated & (buckets == bucket)
            found[bucket].append(each.similarities.values[inside])


def _questions(memories: Sequence[Memory]) -> list[tuple[int, str]]:
    """The place of a memory, and a question for which it stands: a prompt, or its first sentence if that is short.

    Questions come first, so that a store full of them is measured by real ones.
    """
    asked: list[tuple[int, str]] = []
    said: list[tuple[int, str]] = []
    fewest, most = QUESTION_WORDS
    for place, memory in enumerate(memories):
        text = memory.content[:_READ_CHARACTERS].lstrip()
        end = next((at for at, mark in enumerate(text) if mark in _SENTENCE_ENDS), len(text))
        sentence = text[: end + 1].strip()
        if fewest <= len(words_of(sentence)) <= most:
            is_asked = memory.kind is Kind.PROMPT or sentence.endswith("?")
            (asked if is_asked else said).append((place, sentence))
    return asked if len(asked) >= ASKED else asked + said


def _reservoirs(door: Door, scope: Scope, measure: Measure, apart: str) -> list[Reservoir]:
    """The reservoirs of earlier fits, one per length bucket; empty for another encoder or kind of pairs."""
    kept = door.asking(scope).mark(_RESERVOIR.format(measure.space, measure.direction))
    empty = [Reservoir.empty() for _ in range(BUCKETS)]
    if kept is None or (kept.get("encoder"), kept.get("apart")) != (measure.encoder, apart):
        return empty
    try:
        held = [Reservoir.from_mapping(each) for each in kept["buckets"]]
    except (InvalidValue, KeyError, TypeError):
        return empty
    return held if len(held) == BUCKETS else empty


def _fitted(measure: Measure, samples: Sequence[NDArray[np.float32]]) -> Calibration | None:
    row = ROW_BY_SPACE[measure.space]
    base = shipped_set().find(*measure)
    if base is None:
        return fit_alone(samples, row, measure.encoder, measure.direction)
    return fit(samples, base.shipped, row, measure.encoder, measure.direction)


def _report(current: CalibrationSet, memories: int, pairs: int, began: float) -> CalibrationReport:
    return CalibrationReport(
        id=current.id,
        number=current.number,
        memories=memories,
        fitted_at=current.at,
        fitted_memories=current.memories,
        pairs=pairs,
        live={
            f"{measure.space}/{measure.direction}": each.pairs
            for measure, each in sorted(current.calibrations.items())
            if each.pairs
        },
        seconds=time.perf_counter() - began,
    )
