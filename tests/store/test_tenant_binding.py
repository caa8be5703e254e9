"""The reader of statements that `test_postgres_statements.py` believes: what it lets pass and what it reports."""

from __future__ import annotations

import pytest
from tests.store.tenant_binding import Unbound, unbound

OURS = {"memory", "body", "project", "link", "posting"}


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT memory.seq FROM memory WHERE memory.tenant = %(t)s AND memory.id = 3",
        "SELECT seq FROM memory WHERE tenant = %(t)s::VARCHAR",
        "SELECT seq FROM memory WHERE tenant = 'acme'",
        "SELECT 1 FROM memory JOIN body ON body.memory_seq = memory.seq AND body.tenant = memory.tenant"
        " LEFT OUTER JOIN project AS p ON p.tenant = memory.tenant WHERE memory.tenant = %(t)s",
        "SELECT 1 FROM memory WHERE memory.tenant = %(t)s AND (EXISTS (SELECT * FROM body"
        " WHERE body.tenant = memory.tenant) OR memory.seq = 1)",
        "SELECT 1 FROM link LEFT JOIN (memory JOIN body ON body.tenant = memory.tenant)"
        " ON memory.tenant = link.tenant WHERE link.tenant = %(t)s",
        "SELECT near.seq FROM memory AS one JOIN LATERAL (SELECT m.seq FROM memory AS m WHERE m.tenant ="
        " one.tenant) AS near ON true WHERE one.tenant = %(t)s",
        "WITH each AS MATERIALIZED (SELECT seq FROM memory WHERE tenant = %(t)s) SELECT each.seq FROM each",
        "WITH RECURSIVE walk(seq, depth) AS (SELECT seq, 1 FROM memory WHERE memory.tenant = %(t)s UNION SELECT"
        " m.seq, walk.depth + 1 FROM memory AS m JOIN walk ON m.seq = walk.seq WHERE m.tenant = %(t)s)"
        " SELECT walk.seq FROM walk",
        "SELECT x.seq FROM (SELECT seq FROM memory WHERE tenant = %(t)s UNION ALL"
        " SELECT seq FROM link WHERE tenant = %(t)s) AS x",
        "UPDATE memory SET seq = 1 WHERE memory.tenant = %(t)s",
        "DELETE FROM memory WHERE memory.tenant = %(t)s AND seq BETWEEN 1 AND 2",
        "INSERT INTO memory (tenant, seq) VALUES (%(t)s, 1)",
        'INSERT INTO "memory" ("tenant", "seq") SELECT "tenant", "seq" FROM pg_temp.staging_memory',
        "SELECT count(*) FROM pg_class",
    ],
)
def test_what_keeps_to_the_tenant_passes(statement: str) -> None:
    assert unbound(statement, OURS, "acme", {"t": "acme"}) == []


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("SELECT seq FROM memory", "memory"),
        ("SELECT seq FROM memory WHERE memory.tenant = %(other)s", "memory"),
        ("SELECT seq FROM memory WHERE memory.tenant = 'globex'", "memory"),
        ("SELECT seq FROM memory WHERE memory.tenant = %(t)s OR seq = 1", "memory"),
        ("SELECT seq FROM memory WHERE NOT (memory.tenant = %(t)s)", "memory"),
        ("SELECT seq FROM memory WHERE memory.tenant <> %(t)s", "memory"),
        (
            "SELECT 1 FROM memory JOIN body ON body.memory_seq = memory.seq WHERE memory.tenant = %(t)s",
            "body",
        ),
        ("SELECT 1 FROM memory, body WHERE memory.tenant = %(t)s", "body"),
        (
            "SELECT 1 FROM memory LEFT JOIN body ON memory.tenant = %(t)s AND body.tenant = %(t)s",
            "memory",
        ),
        (
            "SELECT 1 FROM memory WHERE memory.tenant = %(t)s AND EXISTS (SELECT 1 FROM link"
            " WHERE link.seq = memory.seq)",
            "link",
        ),
        (
            "SELECT (SELECT max(m.seq) FROM memory AS m) FROM project WHERE project.tenant = %(t)s",
            "memory as m",
        ),
        (
            "SELECT 1 FROM (SELECT seq FROM memory WHERE tenant = %(t)s UNION ALL SELECT seq FROM link) AS x",
            "link",
        ),
        ("WITH each AS (SELECT seq FROM memory) SELECT each.seq FROM each", "memory"),
        (
            "WITH RECURSIVE walk(seq) AS (SELECT seq FROM memory WHERE memory.tenant = %(t)s UNION SELECT m.seq"
            " FROM memory AS m JOIN walk ON m.seq = walk.seq) SELECT walk.seq FROM walk",
            "memory as m",
        ),
        ("UPDATE memory SET seq = 1", "memory"),
        (
            "UPDATE memory SET tenant = %(other)s WHERE memory.tenant = %(t)s",
            "the tenant itself is changed",
        ),
        ("DELETE FROM posting WHERE seq = 1", "posting"),
        ("INSERT INTO memory (seq) VALUES (1)", "INSERT INTO memory"),
        ("INSERT INTO memory (tenant, seq) VALUES (%(other)s, 1)", "INSERT INTO memory: another tenant"),
    ],
)
def test_what_does_not_is_reported(statement: str, fault: str) -> None:
    assert fault in unbound(statement, OURS, "acme", {"t": "acme", "other": "globex"})


def test_what_it_cannot_read_is_refused() -> None:
    with pytest.raises(Unbound):
        unbound("MERGE INTO memory USING body ON true WHEN MATCHED THEN DELETE", OURS, "acme")
    with pytest.raises(Unbound):
        unbound("SELECT 1 FROM memory FULL JOIN body ON true", OURS, "acme")
