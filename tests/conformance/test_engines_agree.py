"""The engines give the same answers: one random history into SQLite and PostgreSQL, exact and by indexes, asked alike.

Every position is drawn in the same order, so positions are the same everywhere and answers can be compared whole.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import uuid_utils
from tests.conformance.conftest import ENCODER, START, days, entry

from engramforge.core.attention import AttentionOptions
from engramforge.errors import EngramforgeError
from engramforge.forge import Forge, ForgeParts
from engramforge.model.candidates import Candidates, Probe
from engramforge.model.link import Link
from engramforge.model.memory import Kind, Memory
from engramforge.model.record import Entry
from engramforge.model.scope import Level, Scope
from engramforge.model.selection import Selection
from engramforge.model.time import AsOf, InvalidationReason, TemporalMode, TimeRange
from engramforge.recall.retrieval import Retriever
from engramforge.store.door import Door, Transaction
from engramforge.store.postgres.search import SearchOptions
from engramforge.store.postgres.store import open_postgres
from engramforge.store.postgres.vector_index import IndexOptions
from engramforge.store.sqlite import open_sqlite

TEXT = (
    "anchor basil copper dune ember fjord garnet harbor iris jasper kettle lantern meadow nectar orchard pebble "
    "quarry raven saffron timber umbrella velvet willow yarrow zephyr bridge candle drizzle engine feather"
)
WORDS = TEXT.split()
AGENTS = ("default", "ann")
PROJECTS = ("atlas", "borealis", "corona")
SPEAKERS = (None, "Ada", "ADA", "ada", "Bo", "Straße", "STRASSE", "Øyvind")
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


class History:
    """A random history that can be told to any door: the same deeds in the same transactions.

    Parameters
    ----------
    length : how many deeds.
    ending : what share of memories end in the future; 0: nothing that is on record now does.
    agents : whose memories they are.
    """

    def __init__(self, seed: int, length: int, ending: float, agents: tuple[str, ...] = AGENTS) -> None:
        self._agents = agents
        self._ending = ending
        self._rng = random.Random(seed)
        self._clock = START
        self._open: list[Memory] = []
        self._links: list[Link] = []
        self.deeds: list[tuple[str, Callable[[Transaction], None]]] = []
        for _ in range(length):
            self._step()

    @property
    def open(self) -> list[Memory]:
        """Versions on record at the end."""
        return self._open

    def tell(self, door: Door) -> None:
        """Do everything, each deed in its own write."""
        for agent, deed in self.deeds:
            with door.transaction(Scope(agent=agent)) as writes:
                deed(writes)

    def _step(self) -> None:
        rng = self._rng
        self._clock += timedelta(hours=rng.randint(1, 12), microseconds=rng.randint(0, 999))
        names = (
            "remember",
            "remember",
            "many",
            "revise",
            "supersede",
            "invalidate",
            "link",
            "unlink",
            "forget",
            "both",
        )
        deed: Callable[[], tuple[str, Callable[[Transaction], None]] | None] = getattr(
            self, f"_{rng.choice(names)}"
        )
        made = deed()
        if made is not None:
            self.deeds.append(made)

    def _text(self) -> str:
        rng = self._rng
        return " ".join(rng.choices(WORDS, k=rng.choice((1, 2, 3, 5, 9, 40))))

    def _entry(self, **given: Any) -> Entry:
        rng = self._rng
        in_session = rng.random() < 0.7
        made = {
            "created_at": self._clock,
            "valid_at": self._clock
            - timedelta(days=rng.choice((0, 0, 1, 40, 400)), seconds=rng.randint(0, 9)),
            "project": rng.choice(PROJECTS),
            "level": rng.choice((Level.PERSONAL, Level.PERSONAL, Level.COLLECTIVE)),
            "agent": rng.choice(self._agents),
            "kind": rng.choice((Kind.NOTE, Kind.MESSAGE, Kind.DECISION)),
            "tags": tuple(rng.sample(("red", "blue", "green"), rng.randint(0, 2))),
            "speaker": rng.choice(SPEAKERS),
            "session_id": f"s{rng.randint(0, 6)}" if in_session else None,
            "sequence": rng.choice((None, 0, 1, 2, 3, 7, 2**40)) if in_session else None,
            **given,
        }
        if rng.random() < self._ending:
            made["invalid_at"] = self._clock + timedelta(days=rng.randint(1, 90))
        one = entry(
            given.pop("content", None) or self._text(), **{k: v for k, v in made.items() if k != "content"}
        )
        chance = rng.random()
        signals = replace(one.embedding, cues=one.embedding.cues % 200)
        if chance < 0.04:
            signals = replace(signals, vector=None)
        elif chance < 0.08:
            nothing = np.empty(0, np.uint32)
            signals = replace(signals, terms=nothing, counts=np.empty(0, np.uint8))
        return Entry(one.memory, signals, rng.randbytes(16) if rng.random() < 0.3 else None)

    def _remember(self) -> Any:
        return self._inserted([self._entry()])

    def _many(self) -> Any:
        agent = self._rng.choice(self._agents)
        return self._inserted([self._entry(agent=agent) for _ in range(self._rng.choice((5, 39, 40, 55)))])

    def _inserted(self, entries: list[Entry]) -> Any:
        self._open += [one.memory for one in entries]
        return entries[0].memory.agent, lambda writes: writes.insert(entries)

    def _chosen(self) -> Memory | None:
        return self._rng.choice(self._open) if self._open else None

    def _after(self, old: Memory, content: str, **given: Any) -> Entry:
        kept = {field.name: getattr(old, field.name) for field in fields(Memory)}
        kept.update(given, id=str(uuid_utils.uuid7()), content=content, created_at=self._clock)
        signals = replace(ENCODER.encode([content])[0], cues=0)
        return Entry(Memory(**kept), signals)

    def _revise(self) -> Any:
        old = self._chosen()
        if old is None:
            return None
        new = self._after(old, self._text(), version=old.version + 1)
        return self._replaced(old, [new], InvalidationReason.DISCOVERED_FALSE)

    def _both(self) -> Any:
        """A version that is written and expired in one transaction, as a repaired import does."""
        old = self._chosen()
        if old is None:
            return None
        first = self._after(old, self._text(), version=old.version + 1)
        second = self._after(old, self._text(), version=old.version + 2)
        at = self._clock
        self._open.remove(old)
        self._open.append(second.memory)

        def deed(writes: Transaction) -> None:
            writes.expire(old.id, at, InvalidationReason.DISCOVERED_FALSE, first.memory.id)
            writes.insert([first])
            writes.expire(first.memory.id, at + timedelta(seconds=1), InvalidationReason.DISCOVERED_FALSE)
            writes.insert([second])

        return old.agent, deed

    def _supersede(self) -> Any:
        old = self._chosen()
        if old is None:
            return None
        at = old.valid_at + (self._clock - old.valid_at) * self._rng.random()
        if at <= old.valid_at or (old.invalid_at is not None and at >= old.invalid_at):
            return None
        reason = InvalidationReason.REALITY_CHANGED
        closing = self._after(old, old.content, invalid_at=at, invalidation_reason=reason)
        new = self._after(old, self._text(), version=old.version + 1, valid_at=at)
        return self._replaced(old, [closing, new], reason)

    def _invalidate(self) -> Any:
        old = self._chosen()
        if old is None:
            return None
        reason = InvalidationReason.REALITY_CHANGED
        end = self._clock + timedelta(days=self._rng.choice((0, 30, 100)) if self._ending else 0)
        closing = self._after(old, old.content, invalid_at=end, invalidation_reason=reason)
        return self._replaced(old, [closing], reason)

    def _replaced(self, old: Memory, new: list[Entry], reason: InvalidationReason) -> Any:
        at = self._clock
        self._open.remove(old)
        self._open.append(new[-1].memory)

        def deed(writes: Transaction) -> None:
            writes.expire(old.id, at, reason, new[-1].memory.id)
            writes.insert(new)

        return old.agent, deed

    def _link(self) -> Any:
        whose = self._rng.choice(self._agents)
        ends = {
            one.logical_id
            for one in self._rng.sample(self._open, min(2, len(self._open)))
            if one.level is not Level.PERSONAL or one.agent == whose
        }
        if len(ends) < 2:
            return None
        source, target = sorted(ends)
        made = Link(
            id=str(uuid_utils.uuid7()),
            source_id=source,
            target_id=target,
            relation=self._rng.choice(("CAUSES", "DERIVED_FROM", "SUPPORTS")),
            valid_at=self._clock,
            created_at=self._clock,
            energy=0.5,
            confidence=0.5,
            emotion_vector={"joy": 0.5},
            goal="g",
            mindstate="m",
        )
        self._links.append(made)
        return whose, lambda writes: writes.link([made])

    def _unlink(self) -> Any:
        if not self._links:
            return None
        chosen = self._links.pop(self._rng.randrange(len(self._links)))
        at = self._clock

        def deed(writes: Transaction) -> None:
            with suppress(EngramforgeError):
                writes.expire_link(chosen.id, at, InvalidationReason.DISCOVERED_FALSE)

        return "default", deed

    def _forget(self) -> Any:
        old = self._chosen()
        if old is None or self._rng.random() < 0.5:
            return None
        # What is derived from it may go, too; so that nothing later touches those, no history goes on with them.
        derived = {one.source_id for one in self._links if one.relation == "DERIVED_FROM"}
        gone = {old.logical_id} | derived
        self._open = [one for one in self._open if one.logical_id not in gone]
        at, keep = self._clock, self._rng.random() < 0.5
        self._links = [one for one in self._links if not {one.source_id, one.target_id} & gone]
        every = sorted(gone)
        return old.agent, lambda writes: writes.forget(every, at, keep)


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
            SearchOptions(exact_memories=0),
            IndexOptions(first_memories=40, looked_after=20),
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
    left_out = ("project", "session", "session_place", "session_size", "speaker", "speaker_names")
    rows: list[dict[str, Any]] = [{"speaker": batch.speaker_names[code]} for code in batch.speaker.tolist()]
    for name in {field.name for field in fields(Candidates)} - {*left_out, *ends.values()}:
        values = getattr(batch, name)
        if name in ends:
            values = np.split(values, getattr(batch, ends[name])[:-1]) if len(rows) else []
        for row, value in zip(rows, values, strict=True):
            row[name] = value.tolist()
    return {row["position"]: row for row in rows}


def assert_same(one: Candidates, other: Candidates, note: str, but: tuple[str, ...] = ()) -> None:
    """Two batches say the same of the same candidates, floats up to rounding."""
    mine, theirs = told(one), told(other)
    assert mine.keys() == theirs.keys(), note
    for position, row in mine.items():
        for name, value in row.items():
            if name in but:
                continue
            expected = pytest.approx(value, abs=1e-3) if isinstance(value, float) else value
            assert theirs[position][name] == expected, (note, name, position)


@pytest.mark.parametrize("seed", range(2))
def test_one_history_gives_the_same_answers(doors: dict[str, Door], seed: int) -> None:
    history = History(seed, 90, 0.05 if seed else 0.0)
    for door in doors.values():
        history.tell(door)
        assert door.check() == []
    sqlite, exact, indexed = (doors[name] for name in ("sqlite", "exact", "indexed"))
    rng, unmixed = random.Random(seed), 0
    ids = sorted({one.logical_id for one in history.open})
    for scope in SCOPES:
        wide = [
            door.browse(scope, Selection(mode=TemporalMode.FULL_HISTORY), 5_000) for door in doors.values()
        ]
        assert wide[0] == wide[1] == wide[2], scope
        for chosen in rng.sample(ids, min(15, len(ids))):
            assert sqlite.versions(scope, chosen) == exact.versions(scope, chosen)
            assert sqlite.last_change(scope, chosen) == exact.last_change(scope, chosen)
        assert sqlite.fetch(scope, ids) == exact.fetch(scope, ids) == indexed.fetch(scope, ids)
        every = [one.logical_id for one in wide[0]]
        counts = [replace(door.count(scope), bytes_on_disk=0) for door in doors.values()]
        assert counts[0] == counts[1] == counts[2]
        profiles = [door.profile(scope) for door in doors.values()]
        assert profiles[0] == profiles[1] == profiles[2]
        terms = np.sort(ENCODER.encode_query(" ".join(WORDS)).terms)
        corpora = [door.corpus(scope, terms) for door in doors.values()]
        for other in corpora[1:]:
            assert other.total == corpora[0].total
            assert other.mean_length == pytest.approx(corpora[0].mean_length)
            assert other.frequencies.tolist() == corpora[0].frequencies.tolist()
        assert sqlite.projects(scope) == exact.projects(scope)
        for selection in (None, *selections(rng, 4)):
            found = [door.links(scope, every, selection) for door in doors.values()]
            assert found[0] == found[1] == found[2]
        names = profiles[0].speakers
        for selection in selections(rng, 12):
            note = f"{scope} {selection}"
            listed = [door.browse(scope, selection, 30, 3, rng.random() < 0) for door in doors.values()]
            assert listed[0] == listed[1] == listed[2], note
            turned = [door.changes(scope, selection, 50) for door in doors.values()]
            assert turned[0] == turned[1] == turned[2], note
            chosen = sqlite.browse(scope, selection, 5_000)
            whole = {one.id for one in chosen}
            # SQLite scores ended and standing versions of a session apart, PostgreSQL the session as a whole.
            mixed = any(one.session_id and (one.expired_at or one.invalid_at) for one in chosen)
            unmixed += not mixed and len(chosen) > 20
            asked = probe(rng, tuple(rng.sample(names, min(1, len(names)))))
            batches = [door.candidates(scope, selection, asked) for door in doors.values()]
            assert_same(batches[0], batches[1], note, ("session_words", "session_speaks") if mixed else ())
            assert {one.id for one in sqlite.fetch_at(scope, batches[0].position).values()} == whole or len(
                whole
            ) > asked.most, note
            # By indexes only what a way leads to is found, but never another's, and never too few.
            assert set(batches[2].position.tolist()) <= set(batches[0].position.tolist()), note
            cut = replace(asked, most=20)
            batches = [door.candidates(scope, selection, cut) for door in doors.values()]
            assert len(batches[0]) == len(batches[1]), note
            if not mixed:
                assert_same(batches[0], batches[1], note)
            if asked.vector is not None:
                with_vector = sum(
                    bool(row.any()) for row in sqlite.candidates(scope, selection, asked).vector
                )
                assert len(batches[2]) >= min(20, with_vector), note
    assert unmixed > (5 if seed == 0 else 0)


def forge_on(door: Door) -> Forge:
    """A forge that recalls from a door, at a fixed time."""

    def never(*_: Any) -> Any:
        raise AssertionError("nothing is written")

    parts = ForgeParts(
        door=door,
        encoder=ENCODER,
        retriever=Retriever(door, ENCODER, AttentionOptions()),
        make_intake=never,
        make_revision=never,
        make_linkage=never,
        clock=lambda: NOW.astimezone(UTC),
    )
    return Forge(parts, Scope())


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
                (one.memory.id, round(one.mass, 3)) for one in forge.recall(query, limit=10, **filters).hits
            ]
            for name, forge in forges.items()
        }
        top = {one for one, _ in hits["sqlite"][:5]}
        if "as_of" not in filters and "mode" not in filters:
            assert hits["sqlite"] == hits["exact"], (query, filters)
        else:
            # SQLite scores ended and standing versions of a session apart, PostgreSQL the session as a whole.
            strayed += len(top - {one for one, _ in hits["exact"]})
        missed += len(top - {one for one, _ in hits["indexed"]})
        asked += len(top)
    assert asked > 100
    assert missed <= 0.1 * asked
    assert strayed <= 0.05 * asked
