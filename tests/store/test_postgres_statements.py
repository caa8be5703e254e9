"""No statement joins across tenants: every verb of the door is run, and every statement that it sends is read.

What is sent is taken from the driver's cursor, so COPY and scripts are among it. `tenant_binding.py` reads them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import numpy as np
import psycopg
import pytest
from tests.conformance.conftest import ENCODER, NOW, START, at, entry
from tests.conformance.spaces import SIZES, encoder_of, part, with_signals
from tests.conformance.spaces import asked as asked_in
from tests.conformance.test_candidates import probe
from tests.conformance.test_entries import edge, registered
from tests.conformance.test_scope import _link
from tests.store.tenant_binding import unbound

from engramforge.model import injection as injections
from engramforge.model.embeddings.encoder_spec import ActiveEncoder
from engramforge.model.injection import ASKS, Injected, Injection, InjectionQuery, Reason
from engramforge.model.memory import Chunk, Kind
from engramforge.model.registries.entry import EntryQuery, StaleRule
from engramforge.model.scope import Level, Scope
from engramforge.model.search.selection import Selection
from engramforge.model.spaces import Space
from engramforge.model.storing.effect import EnergyChange
from engramforge.model.storing.record import Entry, Extent
from engramforge.model.storing.section import Section
from engramforge.model.time import InvalidationReason, TemporalMode, TimeRange
from engramforge.model.topics.topic import TopicQuery, TopicRow
from engramforge.store import door as doors
from engramforge.store.door import Door, Transaction, View
from engramforge.store.postgres import schema
from engramforge.store.postgres.search.candidates import SearchOptions
from engramforge.store.postgres.search.vector_index import IndexOptions
from engramforge.store.postgres.store import PostgresStore, open_postgres
from engramforge.store.postgres.wire import BinaryCursor

TENANT = "acme"
OURS = set(schema.tables.tables)
SCOPES = [
    Scope(TENANT),
    Scope(TENANT, agent="ada").within("atlas", "other"),
    Scope(TENANT, levels=(Level.COLLECTIVE,)),
    Scope(TENANT, every_agent=True),
]
SELECTIONS = [
    at(NOW),
    Selection(mode=TemporalMode.FULL_HISTORY, tags=("red",), session_id="s1"),
    Selection(mode=TemporalMode.FULL_HISTORY, statuses=("active", "open"), conversations=("c1", "c2")),
    Selection(mode=TemporalMode.EVOLUTION, recorded_range=TimeRange(START, None)),
    replace(at(NOW), mode=TemporalMode.POINT_IN_TIME, valid_range=TimeRange(START, NOW)),
]

# What reads no row of ours: transactions, settings, upkeep of files and indexes (whether an index that all share still
# holds anything), the temporary tables of bulk.
_ROWLESS = re.compile(
    r"BEGIN\b[^;]*; SELECT (set_config\([^()]*\)(, )?)+$|COMMIT$|ROLLBACK$|SET |RESET |VACUUM |ANALYZE "
    r"|DROP INDEX |CREATE INDEX |ALTER INDEX |SELECT pg_backend_pid\(\)$"
    r"|SELECT row_security_active\('\w+'\) OR EXISTS \(SELECT 1 FROM \w+ WHERE encoder_code = \d+\)$"
    r"|CREATE TEMPORARY TABLE .* WITH NO DATA$|TRUNCATE pg_temp\.staging_\w+$|COPY pg_temp\.staging_\w+ .* FROM STDIN"
)

# Before a statement that is a transaction of its own.
_SETTINGS = re.compile(r"^SELECT (set_config\([^()]*\)(, )?)+; ")

Sent = list[tuple[str, Any]]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """Every statement that a cursor of ours sends from now on, with its values."""
    found: Sent = []

    def noting(name: str) -> None:
        real = getattr(BinaryCursor, name)

        def noted(self: Any, query: Any, params: Any = None, **options: Any) -> Any:
            text = query if isinstance(query, str) else psycopg.sql.SQL("{}").format(query).as_string(None)
            for values in params if name == "executemany" else [params]:
                found.append((text, values))
            return real(self, query, *([] if params is None else [params]), **options)

        monkeypatch.setattr(BinaryCursor, name, noted)

    for name in ("execute", "executemany", "copy"):
        noting(name)
    return found


@pytest.fixture(params=["exact", "by indexes"])
def store(request: pytest.FixtureRequest, postgres_url: str) -> Iterator[PostgresStore]:
    """A tenant's store beside another tenant's."""
    options: tuple[Any, ...] = ()
    if request.param == "by indexes":
        options = (
            SearchOptions(exact_memories=0, compared=0),
            IndexOptions(20, bit_memories=60, looked_after=20),
        )
    with_other = open_postgres(postgres_url, "globex", lambda: ENCODER.id)
    with_other.write(Scope("globex"), lambda writes: writes.insert([entry("Their secret.", tenant="globex")]))
    with_other.close()
    opened = open_postgres(postgres_url, TENANT, lambda: ENCODER.id, *options)
    yield opened
    opened.close()


def across(sent: Sent) -> list[str]:
    """The statements that do not keep to the tenant, with what is wrong in each."""
    whole = ((_SETTINGS.sub("", " ".join(text.split())), _fixing(values)) for text, values in sent)
    distinct = dict.fromkeys(whole)
    faults = []
    for statement, fixing in distinct:
        if _ROWLESS.match(statement):
            continue
        if wrong := unbound(statement, OURS, TENANT, dict.fromkeys(fixing, TENANT)):
            faults.append(f"{wrong}: {statement}")
    return faults


def _fixing(values: Any) -> frozenset[str]:
    """Which of a statement's values are the tenant: of all values, what binds a statement to it."""
    if not isinstance(values, Mapping):
        return frozenset()
    return frozenset(name for name, value in values.items() if isinstance(value, str) and value == TENANT)


def _written(store: PostgresStore) -> list[Entry]:
    """Memories with everything that a memory can have, few and in bulk."""
    made = [
        entry(
            f"The red harbor number {number} on 2026-03-0{number % 9 + 1}.",
            tenant=TENANT,
            project="atlas" if number % 2 else "other",
            agent="ada" if number % 3 else "default",
            level=Level.COLLECTIVE if number % 5 else Level.PERSONAL,
            session_id=f"s{number % 4}",
            sequence=number,
            speaker="Ada" if number % 2 else "Bo",
            tags=("red",),
            invalid_at=NOW + timedelta(days=1) if number == 7 else None,
            chunk=Chunk("/notes/a.md", number, 90, 0) if number % 7 == 0 else None,
            origin=bytes([number]) * 16,
        )
        for number in range(90)
    ]
    rng = np.random.default_rng(1)
    made += [
        registered("Use red.", tenant=TENANT, local_id="D001", conversations=("c1",), tags=("red",)),
        registered("Red or blue?", Kind.THREAD, tenant=TENANT, conversations=("c1", "c2")),
        *(edge(f"c{number}", f"c{number + 1}", tenant=TENANT) for number in range(3)),
    ]
    made = [
        with_signals(item, [part(space, rng) for space in SIZES], ("Red Harbor", f"Pier {number % 7}"))
        for number, item in enumerate(made)
    ]
    scope = Scope(TENANT, every_agent=True)
    store.write(scope, lambda writes: writes.insert(made[:3]))
    store.write(scope, lambda writes: writes.insert(made[3:]))
    return made


def _positions(door: Door, scope: Scope, selection: Selection) -> np.ndarray:
    rng = np.random.default_rng(2)
    parts = tuple(asked_in(space, rng) for space in SIZES)
    more = {"speakers": ("ada",), "days": ((739_676, 739_680),), "parts": parts, "entities": ("Red Harbor",)}
    asked = replace(probe("red harbor"), window=2, **more)
    return door.asking(scope).candidates(selection, asked).position


ASKED_OF_REGISTRIES = [
    EntryQuery(kind=Kind.DECISION, stale=StaleRule(NOW), longest_unvalidated_first=True),
    EntryQuery(kind=Kind.THREAD, statuses=("open",), conversations=("c1",), urgent_first=True),
    EntryQuery(kind=Kind.DECISION, local_ids=("D001",), tags=("red",), ended=True, limit=3, offset=1),
    EntryQuery(kind=Kind.LINEAGE, continuations=("c2",), entry_ids=("lin_000000000000",)),
]
Reading = Callable[[Door, Scope, Selection, list[Entry]], object]
READING: dict[str, Reading] = {
    "fetch": lambda door, scope, _, made: door.asking(scope).fetch([row.memory.id for row in made[:3]]),
    "whole_id": lambda door, scope, _, made: [
        door.asking(scope).whole_id(made[0].memory.id[:-1], of_link) for of_link in (False, True)
    ],
    "meanings": lambda door, scope, *_: door.asking(scope).meanings(tuple(Kind)),
    "conversations": lambda door, scope, *_: door.asking(scope).conversations(10),
    "whole_conversation": lambda door, scope, *_: door.asking(scope).whole_conversation("c"),
    "fetch_at": lambda door, scope, selection, _: door.asking(scope).fetch_at(
        _positions(door, scope, selection)
    ),
    "fetch_with_entries": lambda door, scope, selection, _: door.asking(scope).fetch_with_entries(
        _positions(door, scope, selection)
    ),
    "nearest": lambda door, scope, selection, _: door.asking(scope).nearest(selection, probe("red harbor")),
    "having": lambda door, scope, selection, _: door.asking(scope).having(
        selection, [probe("red harbor").terms]
    ),
    "versions": lambda door, scope, _, made: door.asking(scope).versions(made[0].memory.logical_id),
    "browse": lambda door, scope, selection, _: door.asking(scope).browse(selection, 10),
    "links": lambda door, scope, selection, made: [
        door.asking(scope).links([made[1].memory.logical_id], item) for item in (None, selection)
    ],
    "neighbours": lambda door, scope, selection, made: [
        door.asking(scope).neighbours([each.memory.logical_id for each in made[1:4]], 2, 5, asked, relation)
        for asked, relation in ((None, None), (selection, "CAUSES"))
    ],
    "steps": lambda door, scope, selection, made: door.asking(scope).steps(
        selection, [each.memory.logical_id for each in made[1:4]], 2
    ),
    "relations_at": lambda door, scope, selection, made: door.asking(scope).relations_at(
        selection, [each.memory.logical_id for each in made[1:4]]
    ),
    "steps_by": lambda door, scope, selection, made: door.asking(scope).steps_by(
        selection, [each.memory.logical_id for each in made[1:4]], ["CAUSES", "DEPENDS_ON"], 5
    ),
    "contradictions": lambda door, scope, *_: door.asking(scope).contradictions(5),
    "tensions": lambda door, scope, *_: door.asking(scope).tensions(),
    "changes": lambda door, scope, selection, _: door.asking(scope).changes(selection, 10),
    "projects": lambda door, scope, *_: door.asking(scope).projects(),
    "project_names": lambda door, scope, *_: door.asking(scope).project_names(),
    "corpus": lambda door, scope, *_: door.tending(scope).corpus(),
    # The first counts, the second asks whether that still serves.
    "ground": lambda door, scope, *_: [door.asking(scope).ground() for _ in range(2)],
    "known_origins": lambda door, scope, *_: [
        door.asking(scope).known_origins(name, [bytes([1]) * 16]) for name in ("atlas", None)
    ],
    "candidates": lambda door, scope, selection, _: _positions(door, scope, selection),
    "count": lambda door, scope, *_: door.tending(scope).count(),
    "audit_log": lambda door, scope, *_: door.asking(scope).audit_log(5),
    "events": lambda door, scope, *_: [door.asking(scope).events(after, 5) for after in (None, 0)],
    "mark": lambda door, scope, *_: door.asking(scope).mark("k"),
    "marks": lambda door, scope, *_: door.asking(scope).marks("k"),
    "known_files": lambda door, scope, *_: door.asking(scope).known_files("atlas", "/notes"),
    "encoders": lambda door, scope, *_: door.asking(scope).encoders(),
    "unencoded": lambda door, scope, *_: [
        door.tending(scope).unencoded(space, f"{space}/new", 5)
        for space in (Space.SEMANTIC, Space.CODE, Space.ENTITY)
    ],
    "signals": lambda door, scope, selection, _: _signals(door.asking(scope), selection),
    "graph": lambda door, scope, *_: door.tending(scope).graph(),
    "mentions": lambda door, scope, *_: door.tending(scope).mentions(),
    "gathered": lambda door, scope, *_: door.tending(scope).gathered([Kind.NOTE]),
    "topics": lambda door, scope, *_: [
        door.asking(scope).topics(query)
        for query in (TopicQuery(), TopicQuery("atlas", TimeRange(NOW), NOW, 5))
    ],
    "topic_members": lambda door, scope, _, made: door.asking(scope).topic_members(
        [made[0].memory.id], TopicQuery()
    ),
    "clusters_at": lambda door, scope, *_: door.asking(scope).clusters_at([1, 2]),
    "topic_sizes": lambda door, scope, *_: door.asking(scope).topic_sizes([Kind.NOTE]),
    "topics_at": lambda door, scope, *_: door.asking(scope).topics_at([1, 2]),
    "entries": lambda door, scope, *_: [door.asking(scope).entries(item) for item in ASKED_OF_REGISTRIES],
    "lineage": lambda door, scope, *_: [
        door.asking(scope).lineage("c1", backward, 9) for backward in (True, False)
    ],
    "injections": lambda door, scope, *_: [
        door.asking(scope).injections(query)
        for query in (InjectionQuery(), InjectionQuery("0198", "s", "atlas", "0198a"))
    ],
    "forgotten": lambda door, scope, _, made: door.asking(scope).forgotten([made[0].memory.logical_id]),
    "stamp": lambda door, scope, *_: door.asking(scope).stamp(),
    "named_at": lambda door, scope, selection, _: door.asking(scope).named_at(
        door.asking(scope).positions(selection, 5).tolist()
    ),
    "places_of": lambda door, scope, _, made: door.asking(scope).places_of(
        [row.memory.id for row in made[:3]]
    ),
    "embedding_bytes": lambda door, scope, *_: door.tending(scope).embedding_bytes(),
    "positions": lambda door, scope, selection, _: door.asking(scope).positions(selection, 5),
    "went_on": lambda door, scope, selection, _: door.asking(scope).went_on(selection, ("c1", "c2"), 5),
    "portion": lambda door, scope, *_: _sections(door, scope),
    "check": lambda door, *_: door.check(),
    "finish_erasure": lambda door, *_: door.finish_erasure(),
}
SELECTING = {
    "fetch_at",
    "fetch_with_entries",
    "browse",
    "links",
    "neighbours",
    "steps",
    "relations_at",
    "steps_by",
    "changes",
    "candidates",
    "signals",
    "positions",
    "went_on",
    "nearest",
    "having",
}
"""Those that a selection makes a difference to."""
WRITING: dict[str, Callable[[Transaction, list[Entry]], object]] = {
    "fetch": lambda writes, made: writes.fetch([row.memory.id for row in made[:3]]),
    "count_uses": lambda writes, made: writes.count_uses(
        {row.memory.id: 2 for row in made[:3]}, {made[0].memory.id: 1}, NOW
    ),
    "set_energies": lambda writes, made: writes.set_energies(
        [EnergyChange(row.memory.id, row.memory.energy, 0.4) for row in made[:3]]
    ),
    "hold": lambda writes, made: writes.hold([made[0].memory.id, made[1].memory.logical_id]),
    "known_origins": lambda writes, _: [
        writes.known_origins(name, [bytes([1]) * 16]) for name in ("atlas", None)
    ],
    "add_origins": lambda writes, made: writes.add_origins(
        "atlas", made[2].memory.logical_id, [bytes([2]) * 16]
    ),
    "link": lambda writes, made: writes.link([_link(made[1].memory.logical_id, made[3].memory.logical_id)]),
    "bind": lambda writes, made: writes.bind([_link(made[5].memory.logical_id, made[7].memory.logical_id)]),
    "expire": lambda writes, made: writes.expire(
        made[4].memory.id, NOW, InvalidationReason.DISCOVERED_FALSE, made[6].memory.id
    ),
    "forget": lambda writes, made: writes.forget(Extent([made[8].memory.logical_id]), NOW),
    "audit": lambda writes, made: [
        writes.audit("revise", made[index].memory.logical_id, "", NOW) for index in range(3)
    ],
    "create_project": lambda writes, _: writes.create_project("empty", NOW),
    "held_mark": lambda writes, _: [writes.held_mark("k"), writes.held_mark("gone")],
    "save_mark": lambda writes, _: [writes.save_mark("k", {"v": 1}), writes.save_mark("gone", None)],
    "place_vectors": lambda writes, _: [
        writes.place_vectors(np.arange(count), "E1/64", [*[np.ones(64, np.int8)] * (count - 1), None])
        for count in (9, 60)
    ],
    "place_parts": lambda writes, _: [
        writes.place_parts(np.arange(count), item.space, item.encoder, [*[item] * (count - 1), None])
        for item in (part(space, np.random.default_rng(3), 2) for space in SIZES)
        for count in (9, 60)
    ],
    "place_entities": lambda writes, _: writes.place_entities("E11/8", ["Pier 2"], np.ones((1, 8), np.int8)),
    "place_mentions": lambda writes, _: writes.place_mentions(np.arange(2, 5), [("Pier 3",), (), ("Quay",)]),
    "place_clusters": lambda writes, _: writes.place_clusters(np.arange(1, 4), np.zeros((3, 10), np.int32)),
    "save_topics": lambda writes, made: writes.save_topics(
        "atlas", [TopicRow(made[0].memory.id, "pier", None, NOW)]
    ),
    "place_members": lambda writes, _: writes.place_members(NOW, [1, 2], [None, None], [0.0, 0.0]),
    "is_unforgotten": lambda writes, _: writes.is_unforgotten("atlas", [1, 2], None),
    "end_topics": lambda writes, _: writes.end_topics("atlas", [], {}, NOW),
    "activate": lambda writes, _: writes.activate(
        Space.CODE, ActiveEncoder("static", encoder_of(Space.CODE), SIZES[Space.CODE][1])
    ),
    "drop_encoder": lambda writes, _: [
        writes.drop_encoder(Space.SEMANTIC, "E1/64"),
        writes.drop_encoder(Space.CODE, encoder_of(Space.CODE, 2)),
        writes.drop_encoder(Space.ENTITY, "E11/8"),
    ],
    "note_use": lambda writes, made: [
        writes.note_use(row.memory, replace(row.memory.registration, hops=1))
        for row in made
        if row.memory.registration is not None
    ],
    "lineage": lambda writes, _: writes.lineage("c1", False, 9),
    "save_injections": lambda writes, made: writes.save_injections([injection(made[0].memory.logical_id)]),
    "prune_injections": lambda writes, _: writes.prune_injections(NOW, 10),
    "adopt": lambda writes, _: writes.adopt("00000000-0000-0000-0000-000000000001"),
}
ELSEWHERE = {
    "asking",
    "tending",
    "write",
    "close",
    "identity",
    "insert",
    "expire_link",
    "erasure",
    "records",
    "restore",
    "settle",
    "discard",
}
"""Verbs that the tests below run by themselves."""


def injection(memory_id: str) -> Injection:
    injected = Injected(memory_id, memory_id, injections.Section.RECENT, Reason.ANSWERS, 1.0)
    return Injection(
        id="01980000-0000-7000-8000-000000000001",
        event=ASKS,
        session="s",
        project="atlas",
        at=NOW,
        tokens=9,
        latency_ms=1.5,
        memories=(injected,),
        note="it helped",
    )


def _signals(view: View, selection: Selection) -> None:
    view.signals(view.positions(selection, 5))
    view.signals(view.positions(selection, 5), ("Pier 1", "?"))


def _sections(door: Door, scope: Scope) -> None:
    with door.tending(replace(scope, every_agent=True, projects=None)) as shot:
        shot.counts(), shot.writes()
        for section in Section:
            cursor = None
            while (portion := shot.portion(section, cursor, 40)).rows:
                cursor = portion.cursor
        for section in (Section.MEMORIES, Section.LINKS):
            shot.at(section, shot.ordered(section))
        shot.writes_of(shot.ordered(Section.MEMORIES))


def _verbs(protocol: type) -> set[str]:
    return {name for name in vars(protocol) if not name.startswith("_")}


def test_every_verb_of_the_door_has_its_case() -> None:
    assert set(READING) | ELSEWHERE >= _verbs(doors.Door) | _verbs(doors.View)
    assert set(READING) | {"counts", "writes", "ordered", "at", "writes_of"} >= _verbs(doors.Upkeep)
    assert set(WRITING) | ELSEWHERE >= _verbs(doors.Transaction)


def test_every_statement_keeps_to_its_tenant(store: PostgresStore, sent: Sent) -> None:
    made = _written(store)
    whole = Scope(TENANT, every_agent=True)
    for name, case in WRITING.items():
        before = len(sent)
        store.write(whole, lambda writes, case=case: case(writes, made))
        assert len(sent) > before, name
    link = store.asking(whole).links([made[1].memory.logical_id])[0]
    store.write(whole, lambda writes: writes.expire_link(link.id, NOW, InvalidationReason.DISCOVERED_FALSE))
    for name, verb in READING.items():
        before = len(sent)
        for scope in SCOPES:
            for selection in SELECTIONS if name in SELECTING else SELECTIONS[:1]:
                verb(store, scope, selection, made)
        assert len(sent) > before, name
    tables = {word for text, _ in sent for word in re.findall(r"\w+", text) if word in OURS}
    assert tables == OURS
    assert across(sent) == []


def test_statements_of_a_move_keep_to_their_tenant(store: PostgresStore, sent: Sent) -> None:
    _written(store)
    whole = Scope(TENANT, every_agent=True)
    rows: dict[Section, list[Any]] = {}
    with store.tending(whole) as shot:
        for section in Section:
            rows[section] = list(shot.portion(section, None, 1_000).rows)
    store.write(whole, lambda writes: writes.discard())
    for section, found in rows.items():
        store.write(whole, lambda writes, section=section, found=found: writes.restore(section, found))
    store.write(whole, lambda writes: writes.settle())
    assert store.tending(whole).count().versions == 95
    assert across(sent) == []


def test_opening_a_store_keeps_to_its_tenant(store: PostgresStore, postgres_url: str, sent: Sent) -> None:
    open_postgres(postgres_url, TENANT, lambda: ENCODER.id).close()
    rows = [(text, values) for text, values in sent if set(re.findall(r"\w+", text)) & OURS]
    assert any("store" in text for text, _ in rows)
    # The check of what the database holds names tables in the catalogue, as values.
    assert across([(text, values) for text, values in rows if "pg_" not in text]) == []


def test_a_statement_across_tenants_is_caught(
    store: PostgresStore, sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check sees a product whose joins forget the tenant."""
    from engramforge.store.reading import counts

    monkeypatch.setattr(counts, "together", lambda left, right: left == right)
    with store.reading(Scope(TENANT)) as connection:
        counts.faults(connection, Scope(TENANT))
    assert len(across(sent)) == 1
    assert across(sent)[0].startswith("['body']")
