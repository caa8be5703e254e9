"""Brings the schema of an older store forward, on either engine."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy.engine import Connection

from engramforge.store.schema import SCHEMA_REVISION


def upgrade_schema(connection: Connection) -> None:
    """Run the migrations that the store has not seen, inside the transaction of the connection."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, SCHEMA_REVISION)
