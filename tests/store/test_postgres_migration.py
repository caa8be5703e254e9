"""From schema 0002 to today's on PostgreSQL: the same catalogue as a fresh store's, no vector lost, whoever owns it."""

from __future__ import annotations

from typing import Any

import numpy as np
import psycopg
import pytest
from tests.conformance.conftest import ENCODER, NOW, at, entry
from tests.conformance.spaces import asked, nothing_but, part, with_signals
from tests.conformance.test_candidates import probe
from tests.robustness.older import WITHOUT_LEVELS

import engramforge
from engramforge.model.registration import Registration
from engramforge.model.scope import Level, Scope
from engramforge.model.spaces import Space
from engramforge.model.storing.record import Extent
from engramforge.model.time import InvalidationReason
from engramforge.store.postgres.search.candidates import SearchOptions
from engramforge.store.postgres.search.vector_index import IndexOptions, standing
from engramforge.store.postgres.store import PostgresStore, open_postgres
from engramforge.store.rows import LEVEL_CODE
from engramforge.store.schema import SCHEMA_REVISION

OLD_LINK_INDEXES = """
DROP INDEX link_source, link_target, link_contradicts;
CREATE INDEX ix_link_source_id ON link (tenant, source_id);
CREATE INDEX ix_link_target_id ON link (tenant, target_id);
"""
SAMPLED = """
ALTER TABLE embedding_words ALTER COLUMN tokens SET STATISTICS -1, ALTER COLUMN terms SET STATISTICS -1,
  ALTER COLUMN counts SET STATISTICS -1, ALTER COLUMN intervals SET STATISTICS -1;
ALTER TABLE embedding_semantic ALTER COLUMN vector SET STATISTICS -1;
ANALYZE
"""
WITHOUT_REGISTRY = f"""
{SAMPLED};
ALTER TABLE embedding_part ALTER COLUMN vector SET STATISTICS -1, ALTER COLUMN near SET STATISTICS -1,
  ALTER COLUMN near_bits SET STATISTICS -1;
ALTER TABLE entity ALTER COLUMN vector SET STATISTICS -1;
{OLD_LINK_INDEXES}{WITHOUT_LEVELS}
DROP TABLE registry, entry_conversation, memory_file, injection, memory_goal, memory_emotion;
DROP INDEX link_ends;
ALTER TABLE audit DROP COLUMN effect;
UPDATE alembic_version SET version_num = '0003';
"""
"""What 0004 and 0005 have more than 0003, taken away again."""
BACK = f"""
{SAMPLED};
{OLD_LINK_INDEXES}{WITHOUT_LEVELS}
DROP TABLE registry, entry_conversation, memory_file, injection, memory_goal, memory_emotion;
DROP INDEX link_ends;
ALTER TABLE audit DROP COLUMN effect;
DROP TABLE mention, entity, embedding_part;
ALTER TABLE embedding_semantic DROP COLUMN encoder_code, DROP CONSTRAINT embedding_semantic_pkey,
  ALTER COLUMN vector TYPE halfvec(256) USING vector::halfvec(256), ALTER COLUMN vector SET NOT NULL,
  ADD PRIMARY KEY (tenant, memory_seq);
CREATE INDEX semantic_halfvec_0_40 ON embedding_semantic USING hnsw (vector halfvec_cosine_ops)
  WHERE memory_seq > 0 AND memory_seq <= 40;
UPDATE alembic_version SET version_num = '0002';
"""
"""What today's schema has more than 0002, taken away again; and an index as 0002 made them."""
CATALOGUE = (
    "SELECT relname, attname, format_type(atttypid, atttypmod), attnotnull, attidentity::text, attstattarget, collname,"
    " col_description(attrelid, attnum) FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid"
    " LEFT JOIN pg_collation ON pg_collation.oid = attcollation"
    " WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped",
    "SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint"
    " WHERE connamespace = 'public'::regnamespace",
    "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND indexname !~ '^(near|semantic)_'",
    "SELECT tablename, policyname, permissive, roles::text, cmd, qual, with_check FROM pg_policies",
    "SELECT relname, relrowsecurity, relforcerowsecurity,"
    " (SELECT array_agg(privilege_type ORDER BY 1) FROM aclexplode(relacl)"
    "  WHERE grantee = (SELECT oid FROM pg_roles WHERE rolname = 'engramforge_app'))"
    " FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'",
)
SAMPLES = (
    "SELECT tablename, attname FROM pg_stats WHERE schemaname = 'public'"
    " AND (tablename ~ '^(near|semantic)_' OR attname ~ '^(vector|near|near_bits|tokens|terms|counts|intervals)$')"
)
"""What the planner keeps of what encoders made: of columns, and of indexes over expressions."""
INDEXES = IndexOptions(first_memories=30, looked_after=30)
BY_INDEXES = SearchOptions(exact_memories=0)
LEVELS = [tuple(Level), *((level,) for level in Level), (Level.PERSONAL, Level.ECOSYSTEM)]


def opened(url: str, tenant: str, search: SearchOptions | None = None) -> PostgresStore:
    return open_postgres(url, tenant, lambda: ENCODER.id, search, INDEXES)


def catalogue(url: str) -> list[list[Any]]:
    with psycopg.connect(url) as connection:
        return [sorted(connection.execute(item).fetchall(), key=repr) for item in CATALOGUE]


def filled(url: str, tenant: str, count: int) -> None:
    store = opened(url, tenant)
    made = [entry(f"{tenant} copper note {number}", tenant=tenant) for number in range(count)]
    store.write(Scope(tenant), lambda writes: writes.insert(made))
    store.close()


@pytest.mark.parametrize("owner", ["superuser", "owner"])
def test_an_older_store_becomes_what_a_fresh_one_is(postgres_url: str, owned_url: str, owner: str) -> None:
    url = owned_url if owner == "owner" else postgres_url
    filled(url, "acme", 45)
    filled(url, "globex", 5)
    fresh = catalogue(postgres_url)
    with psycopg.connect(postgres_url) as connection:
        connection.execute("DROP INDEX IF EXISTS semantic_halfvec_0_40")
        for (name,) in connection.execute(
            "SELECT indexname FROM pg_indexes WHERE indexname ~ '^near_'"
        ).fetchall():
            connection.execute(f"DROP INDEX {name}".encode())
        for statement in BACK.strip().split(";\n"):
            connection.execute(statement.encode())
    assert catalogue(postgres_url) != fresh
    store, other = opened(url, "acme"), opened(url, "globex")
    assert catalogue(postgres_url) == fresh
    with psycopg.connect(postgres_url) as connection:
        sampled = connection.execute(
            "SELECT attname FROM pg_stats WHERE tablename ~ '^embedding_'"
        ).fetchall()
    assert ("encoder_seq",) in sampled and not {("tokens",), ("terms",), ("vector",)} & set(sampled)
    assert store.identity.schema == other.identity.schema == SCHEMA_REVISION
    with store.reading(Scope("acme")) as connection:
        (index,) = standing(connection)
        assert (index.space, index.upto) == ("semantic", 45)
    for handle, count in ((store, 45), (other, 5)):
        scope = Scope(handle.identity.tenant)
        found = handle.asking(scope).candidates(at(NOW), probe("copper note 3"))
        assert len(found) == count
        assert found.vector.any(axis=1).all()
        # What is new works beside what was there.
        rng = np.random.default_rng(1)
        more = with_signals(entry("new", tenant=scope.tenant), [part(Space.CODE, rng)], ("Harbor",))
        handle.write(scope, lambda writes, more=more: writes.insert([more]))
        assert (
            handle.asking(scope)
            .candidates(at(NOW), nothing_but(asked(Space.CODE, rng)))
            .parts[Space.CODE]
            .present.sum()
            == 1
        )
        assert handle.tending(scope).mentions().names == ("Harbor",)
        handle.close()


@pytest.mark.parametrize("owner", ["superuser", "owner"])
def test_samples_of_before_are_dropped(postgres_url: str, owned_url: str, owner: str) -> None:
    url = owned_url if owner == "owner" else postgres_url
    filled(url, "acme", 45)
    fresh = catalogue(postgres_url)
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("ANALYZE")
        assert connection.execute(SAMPLES).fetchall() == [], "a new store keeps none"
        (index,) = connection.execute(
            "SELECT indexname FROM pg_indexes WHERE indexname ~ '^near_'"
        ).fetchall()
        connection.execute(f"ALTER INDEX {index[0]} ALTER COLUMN 1 SET STATISTICS -1".encode())
        connection.execute(SAMPLED.encode())
        before = connection.execute(SAMPLES).fetchall()
        assert {("embedding_words", "terms"), ("embedding_semantic", "vector")} < set(before)
        assert index[0] in {table for table, _ in before}
        connection.execute(
            "DROP TABLE memory_file, injection, memory_goal, memory_emotion; DROP INDEX link_contradicts, link_ends"
        )
        connection.execute(WITHOUT_LEVELS.encode())
        connection.execute("UPDATE alembic_version SET version_num = '0005'")
    store = opened(url, "acme")
    with store.reading(Scope("acme")) as connection:
        assert [each.upto for each in standing(connection)] == [45]
    store.close()
    assert catalogue(postgres_url) == fresh
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("ANALYZE")
        assert connection.execute(SAMPLES).fetchall() == []


@pytest.mark.parametrize("owner", ["superuser", "owner"])
def test_decisions_and_threads_of_before_are_registered(
    postgres_url: str, owned_url: str, owner: str
) -> None:
    url = owned_url if owner == "owner" else postgres_url
    for tenant in ("acme", "globex"):
        with engramforge.open(url, tenant=tenant) as forge:
            made = forge.remember(
                f"{tenant} rings twice.", kind="decision", session_id="talk", project="bells"
            )
            forge.supersede(made.id, f"{tenant} rings once.")
            forge.remember("Which bell?", kind="thread", project="bells")
            gone = forge.remember("Who rings?", kind="thread", session_id="talk", project="bells")
            forge.invalidate(gone.id)
            forge.remember("No entry.", session_id="talk", project="bells")
    fresh, before = catalogue(postgres_url), {tenant: _entries(url, tenant) for tenant in ("acme", "globex")}
    with psycopg.connect(postgres_url) as connection:
        for statement in WITHOUT_REGISTRY.strip().split(";\n"):
            connection.execute(statement.encode())
    for tenant, entries in before.items():
        assert _entries(url, tenant) == entries
        assert len(entries) == 6
        with engramforge.open(url, tenant=tenant) as forge:
            (decision,) = forge.decisions.browse()
            assert (decision.decision, decision.conversation_ids) == (f"{tenant} rings once.", ("talk",))
            assert [thread.title for thread in forge.threads.active()] == ["Which bell?"]
            assert [thread.title for thread in forge.threads.browse(conversation="talk")] == ["Who rings?"]
    assert catalogue(postgres_url) == fresh


def _entries(url: str, tenant: str) -> list[Registration | None]:
    """The registrations of all records of a tenant that have one, in order of writing."""
    with engramforge.open(url, tenant=tenant) as forge:
        found = sorted(forge.memories(mode="full_history", limit=99), key=lambda memory: memory.id)
    return [item.registration for item in found if item.registration is not None]


@pytest.mark.parametrize("owner", ["superuser", "owner"])
def test_postings_of_before_say_their_level(postgres_url: str, owned_url: str, owner: str) -> None:
    url = owned_url if owner == "owner" else postgres_url
    for tenant in ("acme", "globex"):
        made = [
            entry(
                f"{tenant} copper note {number}", tenant=tenant, level=level, agent=agent, session_id="talk"
            )
            for number in range(3)
            for level in Level
            for agent in ("ada", "bo")
        ]
        store = opened(url, tenant)
        store.write(Scope(tenant, every_agent=True), lambda writes, made=made: writes.insert(made))
        ended = made[2].memory.id
        with store.transaction(Scope(tenant, every_agent=True)) as writes:
            writes.expire(ended, NOW, InvalidationReason.REALITY_CHANGED)
        store.close()
    fresh, postings = catalogue(postgres_url), _postings(postgres_url)
    assert {closed for *_, closed in postings} == {False, True}
    assert all(code == LEVEL_CODE[level] for code, level, *_ in postings)
    answers = {tenant: _answers(url, tenant) for tenant in ("acme", "globex")}
    assert all(len(found) > 1 for found in answers["acme"])
    with psycopg.connect(postgres_url) as connection:
        connection.execute(WITHOUT_LEVELS.encode())
        connection.execute("UPDATE alembic_version SET version_num = '0010'")
    assert {tenant: _answers(url, tenant) for tenant in ("acme", "globex")} == answers
    assert (catalogue(postgres_url), _postings(postgres_url)) == (fresh, postings)
    # They are found by their level where their memory is forgotten, or ends.
    store = opened(url, "acme")
    scope = Scope("acme", every_agent=True)
    with store.transaction(scope) as writes:
        gone, ends = store.asking(scope).browse(at(NOW), 2)
        writes.forget(Extent([gone.logical_id]), NOW)
        writes.expire(ends.id, NOW, InvalidationReason.REALITY_CHANGED)
    store.close()
    left = _postings(postgres_url)
    assert 0 < len(postings) - len(left) < 9
    assert sum(closed for *_, closed in left) > sum(closed for *_, closed in postings)


def _postings(url: str) -> list[Any]:
    """Every posting: its level, as its memory has it too, the memory, the term, and whether the version ended."""
    asked = (
        "SELECT posting.level, memory.level, tenant, memory_seq, term, closed FROM posting"
        " JOIN memory USING (tenant) WHERE memory.seq = memory_seq ORDER BY tenant, memory_seq, term"
    )
    with psycopg.connect(url) as connection:
        return connection.execute(asked).fetchall()


def _answers(url: str, tenant: str) -> list[list[tuple[int, float]]]:
    """What is found by words in each scope, with the word scores of the sessions."""
    store = opened(url, tenant, BY_INDEXES)
    found = []
    for levels in LEVELS:
        scope = Scope(tenant, agent="ada", levels=levels)
        batch = store.asking(scope).candidates(at(NOW), probe("copper note 2"))
        found.append(list(zip(batch.position.tolist(), batch.session_words.tolist(), strict=True)))
    store.close()
    return found
