"""The live schema as the server describes it: the tenant is in every key, and row-level security binds every table.

Read from the catalogue, not from our own metadata. What Citus asks of a table before it distributes it is checked as
far as that goes without Citus: its manual, "Distributing tables", and its errors for keys without the column.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from engramforge.store.postgres import schema
from engramforge.store.postgres.connection import APP_ROLE
from engramforge.store.postgres.store import open_postgres

EXEMPT = {"alembic_version"}
"""It holds one row, the schema's revision, which is the same for all tenants."""

_KEYS = """
SELECT t.relname, i.relname, array_agg(a.attname ORDER BY k.place)
FROM pg_index x
JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
CROSS JOIN LATERAL unnest(x.indkey::int2[]) WITH ORDINALITY AS k(number, place)
LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number
WHERE t.relnamespace = 'public'::regnamespace AND (x.indisunique OR x.indisprimary OR x.indisexclusion)
  AND k.place <= x.indnkeyatts
GROUP BY 1, 2
"""
_FOREIGN = """
SELECT c.conname, t.relname, o.relname,
  ARRAY(SELECT attname::text FROM unnest(c.conkey) WITH ORDINALITY AS k(n, p)
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.n ORDER BY p),
  ARRAY(SELECT attname::text FROM unnest(c.confkey) WITH ORDINALITY AS k(n, p)
        JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.n ORDER BY p)
FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_class o ON o.oid = c.confrelid
WHERE c.contype = 'f' AND t.relnamespace = 'public'::regnamespace
"""
_TABLES = """
SELECT relname, relrowsecurity, relforcerowsecurity, relkind, relpersistence,
  EXISTS (SELECT 1 FROM pg_trigger WHERE tgrelid = pg_class.oid AND NOT tgisinternal),
  EXISTS (SELECT 1 FROM pg_inherits WHERE inhrelid = pg_class.oid OR inhparent = pg_class.oid)
FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
"""
_COLUMN = """
SELECT relname, format_type(atttypid, atttypmod), attnotnull, collname, attgenerated::text
FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid LEFT JOIN pg_collation ON pg_collation.oid = attcollation
WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attname = 'tenant'
"""


@pytest.fixture
def database(postgres_url: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection of the superuser to a database with a fresh store."""
    open_postgres(postgres_url, "acme", lambda: "e").close()
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        yield connection


def _keys_without_tenant(database: psycopg.Connection[Any]) -> set[str]:
    rows = database.execute(_KEYS).fetchall()
    return {index for table, index, columns in rows if table not in EXEMPT and "tenant" not in columns}


def _links_across(database: psycopg.Connection[Any]) -> set[str]:
    """Foreign keys that do not hold the tenant at the same place on both sides."""
    return {
        name
        for name, _, _, own, others in database.execute(_FOREIGN).fetchall()
        if ("tenant", "tenant") not in zip(own, others, strict=True)
    }


def test_every_key_carries_the_tenant(database: psycopg.Connection[Any]) -> None:
    rows = database.execute(_KEYS).fetchall()
    with_key = {table for table, _, _ in rows}
    assert {"memory", "body", "posting", "link", "mark", "audit", "store"} <= with_key
    assert _keys_without_tenant(database) == set()
    # First, so that a tenant's rows lie together in each index.
    assert {columns[0] for table, _, columns in rows if table not in EXEMPT} == {"tenant"}


def test_every_foreign_key_stays_within_a_tenant(database: psycopg.Connection[Any]) -> None:
    assert len(database.execute(_FOREIGN).fetchall()) >= 10
    assert _links_across(database) == set()


def test_a_key_without_the_tenant_would_be_seen(database: psycopg.Connection[Any]) -> None:
    database.execute("CREATE UNIQUE INDEX planted ON memory (id)")
    database.execute("CREATE TABLE stray (seq bigint PRIMARY KEY, tenant text)")
    database.execute("CREATE TABLE leak (tenant text, seq bigint REFERENCES stray (seq))")
    assert _keys_without_tenant(database) == {"planted", "stray_pkey"}
    assert _links_across(database) == {"leak_seq_fkey"}


def test_every_table_has_row_security_that_binds_its_owner(database: psycopg.Connection[Any]) -> None:
    rows = database.execute(_TABLES).fetchall()
    tables = {row[0] for row in rows}
    assert tables - EXEMPT == set(schema.tables.tables)
    assert {row[0] for row in rows if not (row[1] and row[2])} == EXEMPT
    policies = database.execute(
        "SELECT tablename, permissive, roles::text[], cmd, qual, with_check FROM pg_policies"
        " WHERE schemaname = 'public'"
    ).fetchall()
    # One policy for every command and role: permissive ones add up, so a second could only widen.
    assert sorted(row[0] for row in policies) == sorted(tables - EXEMPT)
    for _, permissive, roles, command, condition, check in policies:
        assert (permissive, roles, command) == ("PERMISSIVE", ["public"], "ALL")
        assert "engramforge.tenant" in condition
        assert condition == check


def test_the_role_owns_nothing_and_may_only_use_rows(database: psycopg.Connection[Any]) -> None:
    role = database.execute(
        "SELECT rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolcreatedb, rolreplication FROM pg_roles"
        " WHERE rolname = %s",
        (APP_ROLE,),
    ).fetchone()
    assert role == (False,) * 6
    owned = database.execute(
        "SELECT count(*) FROM pg_class WHERE relowner = (SELECT oid FROM pg_roles WHERE rolname = %s)",
        (APP_ROLE,),
    ).fetchone()
    assert owned == (0,)
    rights = database.execute(
        "SELECT DISTINCT privilege_type FROM information_schema.role_table_grants WHERE grantee = %s"
        " AND table_schema = 'public'",
        (APP_ROLE,),
    ).fetchall()
    # TRUNCATE and REFERENCES are not bound by policies.
    assert {right for (right,) in rights} == {"SELECT", "INSERT", "UPDATE", "DELETE"}


def test_the_schema_distributes_by_tenant(database: psycopg.Connection[Any]) -> None:
    """What `create_distributed_table(..., 'tenant')` asks: a plain table, a column of one type, colocated keys."""
    columns = database.execute(_COLUMN).fetchall()
    tables = [row for row in database.execute(_TABLES).fetchall() if row[0] not in EXEMPT]
    assert {row[0] for row in columns} == {row[0] for row in tables}
    # The same type and collation everywhere, or the tables could not be colocated; never null, never computed.
    assert {row[1:] for row in columns} == {("text", True, "C", "")}
    for name, _, _, kind, persistence, has_trigger, inherits in tables:
        assert (kind, persistence, has_trigger, inherits) == ("r", "p", False, False), name
    # A foreign key of a distributed table may only point to a colocated one.
    distributed = {row[0] for row in tables}
    assert all(other in distributed for _, _, other, _, _ in database.execute(_FOREIGN).fetchall())
    # The distribution column can never be updated: no statement of ours does (test_postgres_statements.py).


def test_the_metadata_and_the_server_agree(database: psycopg.Connection[Any]) -> None:
    """The catalogue has every primary key of the tables as they are declared: nothing was left out on the way."""
    primary = database.execute(
        "SELECT conrelid::regclass::text FROM pg_constraint WHERE contype = 'p'"
        " AND connamespace = 'public'::regnamespace"
    ).fetchall()
    # Postings have a unique index that covers their columns instead.
    assert {name for (name,) in primary} == (set(schema.tables.tables) | EXEMPT) - {"posting"}
