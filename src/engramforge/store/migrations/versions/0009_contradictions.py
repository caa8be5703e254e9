"""An index of the links that contradict, which are read for every question."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

_STANDING = "relation = 'CONTRADICTS' AND expired_at IS NULL"


def upgrade() -> None:
    """Make the index."""
    if op.get_bind().dialect.name == "postgresql":
        made = "CREATE INDEX IF NOT EXISTS link_contradicts ON link (tenant, energy, id)"
        op.get_bind().exec_driver_sql(f"{made} WHERE {_STANDING}")
        return
    op.create_index(
        "link_contradicts", "link", ["energy", "id"], sqlite_where=sa.text(_STANDING), if_not_exists=True
    )
