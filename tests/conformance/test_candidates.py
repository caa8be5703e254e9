"""The scan: exact against brute force, filters inside it, fresh after every write, the same in every process."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conformance.conftest import ENCODER, NOW, Opener, at, days, entry

from engramforge.core.similarity.comparison import cosine
from engramforge.model.memory import Kind, Source
from engramforge.model.scope import Level, Scope
from engramforge.model.search.candidates import (
    FOUND_BY_MEANING,
    FOUND_BY_WORDS,
    Candidates,
    Probe,
    Profile,
)
from engramforge.model.search.selection import Selection
from engramforge.model.storing.record import Entry, Extent
from engramforge.model.time import AsOf, InvalidationReason, TemporalMode, TimeRange, to_micros
from engramforge.store.door import Door

SCOPE = Scope()
WORDS = [
    "anchor",
    "basil",
    "copper",
    "dune",
    "ember",
    "fjord",
    "garnet",
    "harbor",
    "iris",
    "jasper",
    "kettle",
    "lantern",
    "meadow",
    "nectar",
]
CURRENT = at(NOW)


def written(door: Door, count: int = 120, seed: int = 1) -> list[Entry]:
    """Random texts in sessions of ten, over two projects."""
    rng = random.Random(seed)
    entries = [
        entry(
            " ".join(rng.choices(WORDS, k=rng.randint(2, 9))),
            project=f"p{index % 2}",
            session_id=f"s{index // 10}",
            sequence=index % 10,
            speaker=("Ada", "Bo")[index % 2],
            kind=(Kind.NOTE, Kind.MESSAGE)[index % 3 == 0],
            tags=("even",) * (index % 2 == 0),
            agent=("default", "ferry")[index % 5 == 0],
            level=(Level.PERSONAL, Level.COLLECTIVE)[index % 5 == 0],
            source=(Source.API, Source.ASSISTANT_RESPONSE)[index % 4 == 0],
            metadata={"model": "Harbour-2"} if index % 8 == 0 else {"note": "model harbour-2"},
            valid_at=days(index),
        )
        for index in range(count)
    ]
    with door.transaction(SCOPE) as writes:
        writes.insert(entries)
    return entries


def probe(text: str, per_way: int = 300, window: int = 0, most: int = 1000) -> Probe:
    """Both ways, without expansions, so that brute force can follow."""
    query = ENCODER.encode_query(text)
    owners = np.arange(len(query.terms), dtype=np.int32)
    ones = np.ones(len(query.terms), np.float32)
    return Probe(
        query.vector, query.terms, ones, owners, query.weights, per_way=per_way, window=window, most=most
    )


def ids(door: Door, found: Candidates, bit: int | None = None) -> list[str]:
    """Ids of the candidates, by position."""
    kept = found.position[(found.found & bit) > 0] if bit else found.position
    return [memory.id for _, memory in sorted(door.asking(SCOPE).fetch_at(kept).items())]


def test_each_way_finds_the_best_that_brute_force_finds(door: Door) -> None:
    entries = written(door)
    asked = probe("copper lantern meadow", per_way=20, most=100)
    found = door.asking(SCOPE).candidates(CURRENT, asked)
    assert asked.vector is not None
    meaning = [
        float(cosine(asked.vector, row.embedding.vector[None, :])[0])
        for row in entries
        if row.embedding.vector is not None
    ]
    tenth = sorted(meaning, reverse=True)[9]
    best = {row.memory.id for row, score in zip(entries, meaning, strict=True) if score > tenth}
    assert best <= set(ids(door, found, FOUND_BY_MEANING))
    assert len(found) == 100
    assert len(ids(door, found, FOUND_BY_MEANING)) == 20
    having = {
        row.memory.id for row in entries if set(asked.terms.tolist()) & set(row.embedding.terms.tolist())
    }
    every = door.asking(SCOPE).candidates(CURRENT, probe("copper lantern meadow", per_way=1000))
    assert set(ids(door, every, FOUND_BY_WORDS)) == having


def test_statistics_count_current_memories_in_scope(door: Door) -> None:
    entries = written(door)
    terms = ENCODER.encode_query("copper lantern zebra").terms
    for scope, mine in (
        (SCOPE, entries),
        (SCOPE.within("p1"), [row for row in entries if row.memory.project == "p1"]),
        (SCOPE.within("nowhere"), []),
    ):
        corpus = door.asking(scope).ground().corpus
        assert corpus.total == len(mine)
        expected = [sum(term in row.embedding.terms for row in mine) for term in terms]
        assert corpus.frequencies(terms).tolist() == expected
        lengths = [int(row.embedding.counts.sum()) for row in mine]
        assert corpus.mean_length == pytest.approx(sum(lengths) / len(lengths) if lengths else 0)
    assert door.asking(SCOPE).ground().profile == Profile(120, ("ada", "bo"), (2026,))
    assert door.asking(SCOPE.within("p0")).ground().profile == Profile(60, ("ada",), (2026,))
    with door.transaction(SCOPE) as writes:
        writes.insert([entry("Later.", project="p0", speaker="Cy", valid_at=days(400))])
    assert door.asking(SCOPE.within("p0")).ground().profile == Profile(61, ("ada", "cy"), (2026, 2027))


def test_statistics_are_the_same_whoever_asked_before(opener: Opener) -> None:
    """Who only counts is told what one is told that searches."""
    counting = opener()
    entries = written(counting)
    own = [
        entry("Copper of one agent.", agent="ann", level=Level.PERSONAL, project="p1"),
        replace(entry("Copper, twice copper."), embedding=ENCODER.encode(["copper copper zebra"])[0]),
        replace(entry("No words."), embedding=ENCODER.encode([""])[0]),
    ]
    scopes = (
        SCOPE,
        SCOPE.within("p1"),
        SCOPE.within("p0", "p1"),
        SCOPE.within("nowhere"),
        Scope(agent="ann"),
        Scope(every_agent=True),
        Scope(levels=(Level.COLLECTIVE,)),
    )
    terms = ENCODER.encode_query(" ".join((*WORDS, "zebra", "agent"))).terms

    def told(door: Door, scope: Scope) -> tuple[int, float, list[int]]:
        # Who tends a store counts from the store itself, unless a question has loaded what is counted.
        corpus = door.tending(scope).corpus() if door is counting else door.asking(scope).ground().corpus
        return corpus.total, corpus.mean_length, corpus.frequencies(terms).tolist()

    for change in range(3):
        with counting.transaction(Scope(agent="ann" if change == 0 else "default")) as writes:
            if change == 0:
                writes.insert(own[:1])
            elif change == 1:
                writes.insert(own[1:])
                writes.expire(entries[3].memory.id, days(1), InvalidationReason.DISCOVERED_FALSE)
            else:
                writes.forget(Extent([entries[5].memory.logical_id]), NOW)
        searching = opener()
        for scope in scopes:
            assert searching.asking(scope).ground().profile.total == told(searching, scope)[0]
            assert told(counting, scope) == told(searching, scope)
    assert told(counting, SCOPE)[0] == 120
    assert counting.asking(SCOPE).ground().profile.total == 120 and told(counting, SCOPE) == told(
        searching, SCOPE
    )


def test_filters_run_inside_the_scan(door: Door) -> None:
    entries = written(door)
    wanted = {
        "kinds": (Selection(kinds=(Kind.MESSAGE,)), lambda record: record.kind is Kind.MESSAGE),
        "session": (Selection(session_id="s3"), lambda item: item.session_id == "s3"),
        "other sessions": (Selection(exclude_session="s3"), lambda item: item.session_id != "s3"),
        "since then": (
            Selection(exclude_session="s3", excluded_from=days(9)),
            lambda item: item.session_id != "s3" or item.valid_at < days(9),
        ),
        "tags": (Selection(tags=("even",)), lambda item: "even" in item.tags),
        "no tag": (Selection(tags=("even", "odd")), lambda _: False),
        "an agent's": (Selection(writer="ferry"), lambda item: item.agent == "ferry"),
        "nobody's": (Selection(writer="tug"), lambda _: False),
        "a speaker's": (Selection(speaker="ADA"), lambda item: item.speaker == "Ada"),
        "of a source": (
            Selection(source=Source.ASSISTANT_RESPONSE),
            lambda item: item.source is Source.ASSISTANT_RESPONSE,
        ),
        "a model's, of a tag": (
            Selection(answering="harbour-2", tags=("even",)),
            lambda item: item.metadata.get("model") == "Harbour-2",
        ),
        "another model's": (Selection(answering="harbour"), lambda _: False),
        "range": (
            Selection(valid_range=TimeRange(days(10), days(20))),
            lambda memory: days(10) <= memory.valid_at < days(20),
        ),
        "open range": (
            Selection(valid_range=TimeRange(end=days(7))),
            lambda memory: memory.valid_at < days(7),
        ),
    }
    for name, (selection, fits) in wanted.items():
        selection = replace(selection, as_of=AsOf(NOW, NOW))
        found = door.asking(SCOPE).candidates(selection, probe(" ".join(WORDS), per_way=5, window=2, most=20))
        memories = door.asking(SCOPE).fetch_at(found.position).values()
        assert all(fits(memory) for memory in memories), name
        fitting = [row for row in entries if fits(row.memory)]
        assert len(found) == min(20, len(fitting)), name
        listed = door.asking(SCOPE).browse(selection, 1000)
        assert {record.id for record in listed} == {row.memory.id for row in fitting}, name


def test_neighbours_come_along_within_their_session_and_the_bound(door: Door) -> None:
    entries = written(door)
    with door.transaction(SCOPE) as writes:
        rare = entry("zeppelin", project="p0", session_id="s2", sequence=4, valid_at=days(1))
        writes.insert([rare])
    found = door.asking(SCOPE).candidates(CURRENT, probe("zeppelin", per_way=1, window=2, most=100))
    near = {
        row.memory.id
        for row in entries
        if row.memory.session_id == "s2" and row.memory.project == "p0" and row.memory.sequence in (2, 4, 6)
    }
    assert ids(door, found, FOUND_BY_WORDS) == [rare.memory.id]
    assert near < set(ids(door, found))
    few = door.asking(SCOPE).candidates(CURRENT, probe("zeppelin", per_way=1, window=2, most=5))
    assert len(few) == 5
    assert rare.memory.id in ids(door, few)
    mates = [
        entry("copper iris", project="p1", session_id="far", sequence=place, valid_at=days(1))
        for place in range(7)
    ]
    with door.transaction(SCOPE) as writes:
        writes.insert([*mates[:3], entry("balloon", project="p1", session_id="far", sequence=3), *mates[4:]])
    lone = door.asking(SCOPE).candidates(CURRENT, probe("balloon", per_way=1, window=2, most=90))
    brought = set(ids(door, lone))
    assert {mates[place].memory.id for place in (1, 2, 4, 5)} <= brought


def test_a_batch_carries_each_memorys_own_signals(door: Door) -> None:
    entries = {item.memory.id: item for item in written(door)}
    found = door.asking(SCOPE).candidates(CURRENT, probe("copper", per_way=50, window=1))
    memories = door.asking(SCOPE).fetch_at(found.position)
    begin = begin_terms = 0
    for row, position in enumerate(found.position.tolist()):
        item = entries[memories[position].id]
        assert found.tokens[begin : found.token_ends[row]].tolist() == item.embedding.tokens.tolist()
        assert found.terms[begin_terms : found.term_ends[row]].tolist() == item.embedding.terms.tolist()
        assert found.vector[row].tolist() == item.embedding.vector.tolist()  # type: ignore[union-attr]
        assert found.cues[row] == item.embedding.cues
        assert found.speaker_names[found.speaker[row]] == (item.memory.speaker or "").casefold()
        assert found.sequence[row] == item.memory.sequence
        begin, begin_terms = int(found.token_ends[row]), int(found.term_ends[row])


def test_an_empty_store_and_an_empty_probe_give_an_empty_batch(door: Door) -> None:
    assert len(door.asking(SCOPE).candidates(CURRENT, probe("copper"))) == 0
    written(door, 5)
    nothing = np.empty(0, np.float32)
    empty = Probe(None, np.empty(0, np.uint32), nothing, np.empty(0, np.int32), nothing)
    assert len(door.asking(SCOPE).candidates(CURRENT, empty)) == 0


operation = st.tuples(st.sampled_from(["add", "expire", "forget", "ask"]), st.integers(0, 10_000))


@settings(max_examples=15, deadline=None)
@given(operations=st.lists(operation, min_size=4, max_size=25))
def test_a_warm_process_answers_as_a_cold_one(operations: list[tuple[str, int]]) -> None:
    from tempfile import TemporaryDirectory

    from engramforge.store.sqlite.store import open_sqlite

    with TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        warm = open_sqlite(path, "default", lambda: ENCODER.id)
        writer = open_sqlite(path, "default", lambda: ENCODER.id)
        alive = written(writer, 30)
        for name, number in operations:
            _operate(writer, name, number, alive)
            warm.asking(SCOPE).candidates(CURRENT, probe("copper iris"))
        cold = open_sqlite(path, "default", lambda: ENCODER.id)
        for text in ("copper iris", "kettle", "dune fjord ember"):
            for selection in (CURRENT, Selection(mode=TemporalMode.FULL_HISTORY)):
                asked = probe(text, per_way=7, window=2, most=25)
                first, other = (
                    warm.asking(SCOPE).candidates(selection, asked),
                    cold.asking(SCOPE).candidates(selection, asked),
                )
                for field in Candidates.__dataclass_fields__:
                    if field not in ("speaker", "speaker_names"):
                        assert np.array_equal(getattr(first, field), getattr(other, field)), field
            terms = ENCODER.encode_query(text).terms
            assert (
                warm.asking(SCOPE).ground().corpus.frequencies(terms).tolist()
                == cold.asking(SCOPE).ground().corpus.frequencies(terms).tolist()
            )
        for store in (warm, writer, cold):
            store.close()


def _operate(door: Door, name: str, number: int, alive: list[Entry]) -> None:
    chosen = alive[number % len(alive)] if alive else None
    with door.transaction(SCOPE) as writes:
        if name == "add":
            rng = random.Random(number)
            item = entry(
                " ".join(rng.choices(WORDS, k=4)),
                project="p0",
                session_id=f"s{number % 3}",
                sequence=number % 12,
            )
            writes.insert([item])
            alive.append(item)
        elif name == "expire" and chosen is not None:
            writes.expire(chosen.memory.id, days(1), InvalidationReason.DISCOVERED_FALSE)
            alive.remove(chosen)
        elif name == "forget" and chosen is not None:
            writes.forget(Extent([chosen.memory.logical_id]), NOW)
            alive.remove(chosen)


def test_many_dead_rows_are_swept(opener: Opener, request: pytest.FixtureRequest) -> None:
    warm, writer = opener(), opener()
    # What SQLite's readers hold is swept when 1,000 and a third of it are dead; servers' readers hold nothing.
    dead = 1_200 if request.node.callspec.params["opener"] == "sqlite" else 120
    entries = written(writer, dead + 200)
    warm.asking(SCOPE).candidates(CURRENT, probe("copper"))
    with writer.transaction(SCOPE) as writes:
        for row in entries[:dead]:
            writes.expire(row.memory.id, days(1), InvalidationReason.REALITY_CHANGED)
    assert warm.asking(SCOPE).ground().corpus.total == 200
    found = warm.asking(SCOPE).candidates(CURRENT, probe(" ".join(WORDS), per_way=1000))
    assert {memory.id for memory in warm.asking(SCOPE).fetch_at(found.position).values()} <= {
        row.memory.id for row in entries[dead:]
    }


def test_the_nearest_in_meaning_are_those_of_brute_force(door: Door) -> None:
    entries = written(door)
    asked = probe("copper lantern meadow", most=4)
    assert asked.vector is not None
    at_p1 = {row.memory.id: row for row in entries if row.memory.project == "p1"}
    cosines = {
        name: float(cosine(asked.vector, row.embedding.vector[None, :])[0])
        for name, row in at_p1.items()
        if row.embedding.vector is not None
    }
    view = door.asking(SCOPE.within("p1"))
    found = view.nearest(CURRENT, asked)
    memories = view.fetch_at(np.array(list(found), np.int64))
    told = {memories[position].id: near for position, near in found.items()}
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert sorted(told.values()) == pytest.approx(sorted(cosines.values())[-4:], abs=0.02)
    assert told == pytest.approx({name: cosines[name] for name in told}, abs=0.02)
    only = view.nearest(replace(CURRENT, kinds=(Kind.MESSAGE,)), asked)
    assert {each.kind for each in view.fetch_at(np.array(list(only), np.int64)).values()} == {Kind.MESSAGE}
    assert door.asking(SCOPE.within("nowhere")).nearest(CURRENT, asked) == {}
    assert door.asking(SCOPE).nearest(CURRENT, replace(asked, vector=None)) == {}


def test_those_that_have_all_terms_of_a_group_are_all_found(door: Door) -> None:
    entries = written(door)
    at_p1 = [row for row in entries if row.memory.project == "p1"]
    groups = [np.sort(probe(text).terms) for text in ("copper lantern", "meadow", "copper nowhere")]
    view = door.asking(SCOPE.within("p1"))
    for selection in (CURRENT, replace(CURRENT, kinds=(Kind.MESSAGE,))):
        found = view.having(selection, groups)
        memories = view.fetch_at(found.position)
        told = {
            memories[position].id: (found.has[:, n].tolist(), int(found.kind[n]), int(found.valid_at[n]))
            for n, position in enumerate(found.position.tolist())
        }
        wanted = {
            row.memory.id: (has, list(Kind).index(row.memory.kind), to_micros(row.memory.valid_at))
            for row in at_p1
            if any(has := [set(group.tolist()) <= set(row.embedding.terms.tolist()) for group in groups])
            and row.memory.kind in (selection.kinds or tuple(Kind))
        }
        assert told == wanted and len(told) > 1
        assert any(has == [True, True, False] for has, _, _ in told.values()) or selection is not CURRENT
    nowhere = door.asking(SCOPE.within("nowhere")).having(CURRENT, groups)
    assert (len(nowhere.position), nowhere.has.shape) == (0, (3, 0))
