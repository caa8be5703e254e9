"""What migrations have in common: columns of tables, and statements that PostgreSQL alone needs.

Older migrations go by this, too, so it never changes what it makes.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_ROLE = "engramforge_app"


def columns(kind: Any, *names: str, nullable: bool = False) -> list[sa.Column[Any]]:
    """Columns of one type."""
    return [sa.Column(name, kind, nullable=nullable) for name in names]


def keys(*names: str) -> list[sa.Column[Any]]:
    """Columns with keys that are not counted by the server."""
    return [sa.Column(name, KEY, autoincrement=False, nullable=False) for name in names]


def tenant() -> sa.Column[Any]:
    """The tenant of a row."""
    return sa.Column("tenant", sa.Text(), nullable=False, server_default="default")


def belongs_to(*tables: str) -> list[sa.ForeignKeyConstraint]:
    """Foreign keys to rows of other tables, by columns such as `memory_seq`."""
    return [sa.ForeignKeyConstraint([f"{name}_seq"], [f"{name}.seq"]) for name in tables]


def run_script(connection: sa.Connection, statements: str) -> None:
    """Send several statements as one message: by the simple protocol, so that no percent sign is a parameter."""
    connection.exec_driver_sql(statements, None, {"no_parameters": True})


@contextmanager
def without_policies(connection: sa.Connection, *tables: str) -> Iterator[None]:
    """Let the owner see the rows of all tenants, which policies hide from an owner who is no superuser."""
    for name in tables:
        connection.exec_driver_sql(f"ALTER TABLE {name} NO FORCE ROW LEVEL SECURITY")
    yield
    for name in tables:
        connection.exec_driver_sql(f"ALTER TABLE {name} FORCE ROW LEVEL SECURITY")


def secure(connection: sa.Connection, *tables: str) -> None:
    """Give new tables the policy of the others, and their rights to the role of transactions, if it has any."""
    has_rights = (
        "SELECT count(*) FROM information_schema.role_table_grants"
        " WHERE grantee = %s AND table_name = 'memory'"
    )
    is_granted = bool(connection.exec_driver_sql(has_rights, (_ROLE,)).scalar_one())
    whose = "tenant = (SELECT current_setting('engramforge.tenant', true))"
    for name in tables:
        connection.exec_driver_sql(f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY")
        connection.exec_driver_sql(f"ALTER TABLE {name} FORCE ROW LEVEL SECURITY")
        connection.exec_driver_sql(
            f"CREATE POLICY tenant_alone ON {name} USING ({whose}) WITH CHECK ({whose})"
        )
        if is_granted:
            connection.exec_driver_sql(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {name} TO {_ROLE}")
