"""The engines give the same answers: one random history into SQLite and PostgreSQL, exact and by indexes, asked alike.

Every position is drawn in the same order, so positions are the same everywhere and answers can be compared whole.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.conformance.conftest import ENCODER, START, days
from tests.conformance.random_history import WORDS, History

from engramforge.assembly.stages import WiredStages
from engramforge.core.ranking.mass import AttentionOptions
from engramforge.forge import Forge
from engramforge.indexing.encoders import Encoders
from engramforge.model.memory import Kind
from engramforge.model.scope import Level, Scope
from engramforge.model.search.candidates import Candidates, Probe
from engramforge.model.search.selection import Selection
from engramforge.model.time import AsOf, TemporalMode, TimeRange
from engramforge.recall.retrieval import Retriever
from engramforge.spaces.chosen.choice import EncoderOptions
from engramforge.spaces.model_workshop import ModelWorkshop
from engramforge.store.door import Door, View
from engramforge.store.postgres.search.candidates import SearchOptions
from engramforge.store.postgres.search.vector_index import IndexOptions
from engramforge.store.postgres.store import open_postgres
from engramforge.store.sqlite.store import open_sqlite

SCOPES = (
    Scope(),
    Scope(agent="ann"),
    Scope(levels=(Level.COLLECTIVE,)),
    Scope(levels=(Level.PERSONAL,), agent="ann"),
    Scope(projects=("atlas",)),
    Scope(projects=("borealis", "corona"), agent="ann"),
    Scope(projects=()),
    Scope(projects=("nowhere",)),
    Scope(every_agent=True),
)
NOW = days(60)


@pytest.fixture
def doors(postgres_server: Any, tmp_path: Path) -> Iterator[dict[str, Door]]:
    """SQLite, PostgreSQL that compares everything, PostgreSQL by indexes."""
    names = [postgres_server.create_database() for _ in range(2)]
    exact, indexed = map(postgres_server.database_url, names)
    made: dict[str, Door] = {
        "sqlite": open_sqlite(tmp_path / "memory.db", "default", lambda: ENCODER.id),
        "exact": open_postgres(exact, "default", lambda: ENCODER.id, SearchOptions(exact_memories=10**6)),
        "indexed": open_postgres(
            indexed,
            "default",
            lambda: ENCODER.id,
            SearchOptions(exact_memories=0, compared=0),
            IndexOptions(first_memories=40, looked_after=20, packed_patience=1),
        ),
    }
    yield made
    for door in made.values():
        door.close()
    for name in names:
        postgres_server.drop_database(name)


def selections(rng: random.Random, number: int) -> list[Selection]:
    """Random questions in every mode, with every filter."""
    made: list[Selection] = []
    for index in range(number):
        moment = START + timedelta(days=rng.uniform(-20, 60))
        later = START + timedelta(days=rng.uniform(0, 60))
        span = TimeRange(moment, moment + timedelta(days=rng.uniform(1, 50)))
        mode = list(TemporalMode)[index % len(TemporalMode)]
        times: dict[str, Any] = {
            TemporalMode.CURRENT: {"as_of": AsOf(NOW, NOW)},
            TemporalMode.POINT_IN_TIME: {"as_of": AsOf(moment, later)},
            TemporalMode.EVOLUTION: {
                "recorded_range": rng.choice((None, span, TimeRange(start=moment), TimeRange(end=later)))
            },
            TemporalMode.FULL_HISTORY: {},
        }[mode]
        made.append(
            Selection(
                kinds=rng.choice((None, None, (Kind.NOTE,), (Kind.MESSAGE, Kind.DECISION))),
                session_id=rng.choice((None, None, "s1", "s5", "s99")),
                exclude_session=rng.choice((None, None, None, "s1", "s99")),
                tags=rng.choice(((), (), ("red",), ("red", "blue"))),
                valid_range=rng.choice((None, None, span, TimeRange(end=later))),
                mode=mode,
                **times,
            )
        )
    return made


def probe(rng: random.Random, speakers: tuple[str, ...], most: int = 1_000) -> Probe:
    """A random question: words, meaning, or both, with speakers and days."""
    query = ENCODER.encode_query(" ".join(rng.choices(WORDS, k=rng.randint(1, 6))))
    few = rng.random() < 0.1
    terms = query.terms[:0] if few else query.terms
    day = (START + timedelta(days=rng.randint(-5, 40))).toordinal()
    return Probe(
        None if rng.random() < 0.1 and not few else query.vector,
        terms,
        np.ones(len(terms), np.float32),
        np.arange(len(terms), dtype=np.int32),
        query.weights[: len(terms)] if len(terms) else np.empty(0, np.float32),
        speakers=speakers,
        days=rng.choice(((), (), ((day, day + 3),))),
        per_way=rng.choice((3, 50, 250)),
        window=rng.randint(0, 2),
        most=most,
    )


def told(batch: Candidates) -> dict[int, dict[str, Any]]:
    """What a batch says of each candidate, by position; keys of projects and sessions and their places left out."""
    ends = {"tokens": "token_ends", "terms": "term_ends", "counts": "term_ends", "intervals": "interval_ends"}
    left_out = ("project", "session", "session_place", "session_size", "speaker", "speaker_names", "parts")
    rows: list[dict[str, Any]] = [{"speaker": batch.speaker_names[code]} for code in batch.speaker.tolist()]
    for name in {field.name for field in fields(Candidates)} - {*left_out, *ends.values()}:
        values = getattr(batch, name)
        if values is None:
            continue
        if name in ends:
            values = np.split(values, getattr(batch, ends[name])[:-1]) if len(rows) else []
        for row, value in zip(rows, values, strict=True):
            row[name] = value.tolist()
    for space, part in batch.parts.items():
        for row, value, present in zip(rows, part.values, part.present.tolist(), strict=True):
            row[str(space)] = value.tolist() if present else None
    return {row["position"]: row for row in rows}


def assert_same(first: Candidates, other: Candidates, note: str, but: tuple[str, ...] = ()) -> None:
    """Two batches say the same of the same candidates, floats up to rounding."""
    mine, theirs = told(first), told(other)
    assert mine.keys() == theirs.keys(), note
    for position, row in mine.items():
        for name, value in row.items():
            if name in but:
                continue
            expected = pytest.approx(value, abs=1e-3) if isinstance(value, float) else value
            assert theirs[position][name] == expected, (note, name, position)


def assert_same_scope(
    rng: random.Random, views: list[View], ids: list[str]
) -> tuple[list[str], tuple[str, ...]]:
    """The views have the same memories and the same ground; returns the ids of all, and who spoke."""
    sqlite, exact, indexed = views
    wide = [view.browse(Selection(mode=TemporalMode.FULL_HISTORY), 5_000) for view in views]
    assert wide[0] == wide[1] == wide[2], sqlite.scope
    for chosen in rng.sample(ids, min(15, len(ids))):
        assert sqlite.versions(chosen) == exact.versions(chosen)
    assert sqlite.fetch(ids) == exact.fetch(ids) == indexed.fetch(ids)
    grounds = [view.ground() for view in views]
    assert grounds[0].profile == grounds[1].profile == grounds[2].profile
    terms = np.sort(ENCODER.encode_query(" ".join(WORDS)).terms)
    corpora = [ground.corpus for ground in grounds]
    for other in corpora[1:]:
        assert other.total == corpora[0].total
        assert other.mean_length == pytest.approx(corpora[0].mean_length)
        assert other.frequencies(terms).tolist() == corpora[0].frequencies(terms).tolist()
    assert sqlite.projects() == exact.projects()
    return [memory.logical_id for memory in wide[0]], grounds[0].profile.speakers


def assert_same_answers(
    rng: random.Random, views: list[View], selection: Selection, speakers: tuple[str, ...], note: str
) -> bool:
    """The views answer alike about a selection; returns whether it is a large one of standing versions only."""
    sqlite = views[0]
    listed = [view.browse(selection, 30, 3, rng.random() < 0) for view in views]
    assert listed[0] == listed[1] == listed[2], note
    turned = [view.changes(selection, 50) for view in views]
    assert turned[0] == turned[1] == turned[2], note
    chosen = sqlite.browse(selection, 5_000)
    whole = {record.id for record in chosen}
    # SQLite scores ended and standing versions of a session apart, PostgreSQL the session as a whole.
    mixed = any(memory.session_id and (memory.expired_at or memory.invalid_at) for memory in chosen)
    asked = probe(rng, tuple(rng.sample(speakers, min(1, len(speakers)))))
    batches = [view.candidates(selection, asked) for view in views]
    assert_same(batches[0], batches[1], note, ("session_words", "session_speaks") if mixed else ())
    assert {memory.id for memory in sqlite.fetch_at(batches[0].position).values()} == whole or len(
        whole
    ) > asked.most, note
    # By indexes only what a way leads to is found, but never another's, and never too few.
    assert set(batches[2].position.tolist()) <= set(batches[0].position.tolist()), note
    with_vector = int(batches[0].vector.any(1).sum())
    batches = [view.candidates(selection, replace(asked, most=20)) for view in views]
    assert len(batches[0]) == len(batches[1]), note
    if not mixed:
        assert_same(batches[0], batches[1], note)
    if asked.vector is not None:
        assert len(batches[2]) >= min(20, with_vector), note
    assert_same_holders(random.Random(note), views, selection, note)
    return not mixed and len(chosen) > 20


def assert_same_holders(rng: random.Random, views: list[View], selection: Selection, note: str) -> None:
    """The views find the same memories that have one of some groups of terms whole: those of brute force."""
    vocabulary = [*WORDS, "unheard"]
    said = [" ".join(rng.choices(vocabulary, k=rng.choice((1, 1, 2, 3)))) for _ in range(rng.randint(1, 9))]
    groups = [ENCODER.encode_query(each).terms for each in said]
    every = np.unique(np.concatenate(groups))
    ones = np.ones(len(every), np.float32)
    asked = Probe(None, every, ones, np.arange(len(every), dtype=np.int32), ones, per_way=10_000, most=10_000)
    rows = told(views[1].candidates(selection, asked))
    wanted = {
        position: (has, row["kind"], row["valid_at"])
        for position, row in rows.items()
        if any(has := [set(group.tolist()) <= set(row["terms"]) for group in groups])
    }
    for view in views:
        found = view.having(selection, groups)
        columns = (found.has.T, found.kind, found.valid_at)
        holders = zip(*(column.tolist() for column in columns), strict=True)
        assert dict(zip(found.position.tolist(), holders, strict=True)) == wanted, (note, said)


@pytest.mark.parametrize("seed", range(2))
def test_one_history_gives_the_same_answers(doors: dict[str, Door], seed: int) -> None:
    history = History(seed, 90, 0.05 if seed else 0.0)
    for door in doors.values():
        history.tell(door)
        assert door.check() == []
    rng, unmixed = random.Random(seed), 0
    ids = sorted({memory.logical_id for memory in history.open})
    for scope in SCOPES:
        counts = [replace(door.tending(scope).count(), bytes_on_disk=0) for door in doors.values()]
        assert counts[0] == counts[1] == counts[2]
        with ExitStack() as moments:
            views = [moments.enter_context(door.asking(scope)) for door in doors.values()]
            every, speakers = assert_same_scope(rng, views, ids)
            for selection in (None, *selections(rng, 4)):
                found = [view.links(every, selection) for view in views]
                assert found[0] == found[1] == found[2]
            unmixed += sum(
                assert_same_answers(rng, views, selection, speakers, f"{scope} {selection}")
                for selection in selections(rng, 8)
            )
    assert unmixed > (3 if seed == 0 else 0)


class ReadOnlyStages(WiredStages):
    """Stages of which none writes."""

    @property
    def intake(self) -> Any:
        raise AssertionError("nothing is written")

    revision = linkage = intake


def forge_on(door: Door) -> Forge:
    """A forge that recalls from a door, at a fixed time."""

    encoders = Encoders()
    encoders.static_parts = {}
    stages = ReadOnlyStages(
        door=door,
        encoder=encoders,
        retriever=Retriever(door, encoders, AttentionOptions()),
        clock=lambda: NOW.astimezone(UTC),
        workshop=ModelWorkshop(EncoderOptions(), {}),
    )
    return Forge(stages, Scope())


def test_recall_finds_the_same(doors: dict[str, Door]) -> None:
    # Of one agent: SQLite counts the turns of other agents in a session's size, PostgreSQL only those in scope.
    history = History(11, 130, 0.0, ("default",))
    for door in doors.values():
        history.tell(door)
    rng = random.Random(5)
    forges = {name: forge_on(door) for name, door in doors.items()}
    missed = asked = strayed = 0
    for index in range(40):
        query = " ".join(rng.choices(WORDS, k=rng.randint(1, 4)))
        if index % 3 == 0:
            query = f"what did {rng.choice(('Ada', 'straße', 'Bo'))} say about {query}"
        moment: datetime = START + timedelta(days=rng.uniform(1, 50))
        filters: dict[str, Any] = rng.choice(
            (
                {},
                {"kinds": ["note"]},
                {"session_id": "s2"},
                {"project": "atlas"},
                {"as_of": moment},
                {"mode": "full_history"},
                {"tags": ["red"]},
            )
        )
        hits = {
            name: [
                (hit.memory.id, round(hit.mass, 3)) for hit in forge.recall(query, limit=10, **filters).hits
            ]
            for name, forge in forges.items()
        }
        top = {item for item, _ in hits["sqlite"][:5]}
        if "as_of" not in filters and "mode" not in filters:
            assert hits["sqlite"] == hits["exact"], (query, filters)
        else:
            # SQLite scores ended and standing versions of a session apart, PostgreSQL the session as a whole.
            strayed += len(top - {item for item, _ in hits["exact"]})
        missed += len(top - {item for item, _ in hits["indexed"]})
        asked += len(top)
    assert asked > 100
    assert missed <= 0.1 * asked
    assert strayed <= 0.05 * asked
