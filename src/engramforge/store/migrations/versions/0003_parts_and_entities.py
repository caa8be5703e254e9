"""Embeddings of several encoders beside each other, parts of the other spaces, entities and their mentions."""

from hashlib import blake2b
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


_UNFILLED = """
INSERT INTO mark (tenant, key, value)
  SELECT tenant, 'unfilled', '{"upto": ' || max(seq) || ', "left": ' || count(*) || '}' FROM memory GROUP BY tenant
"""
"""Which memories lack parts and names, since they are older than those: a reembed fills them (upkeep/backfilling)."""


def upgrade() -> None:
    """Let a memory have E1 of more than one encoder, and make the tables of parts and entities."""
    if op.get_bind().dialect.name == "postgresql":
        _upgrade_postgres()
        return
    _remake_semantic()
    _make_parts()
    _make_entities()
    op.execute(_UNFILLED)


def _tenant() -> sa.Column[Any]:
    return sa.Column("tenant", sa.Text(), nullable=False, server_default="default")


def _keys(*names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, _KEY, autoincrement=False, nullable=False) for name in names]


def _remake_semantic() -> None:
    """The same rows under a key with the encoder; SQLite cannot change a primary key in place."""
    op.create_table(
        "embedding_semantic_new",
        *_keys("memory_seq", "encoder_seq"),
        sa.Column("vector", sa.LargeBinary(), nullable=True),
        _tenant(),
        sa.ForeignKeyConstraint(["memory_seq"], ["memory.seq"]),
        sa.ForeignKeyConstraint(["encoder_seq"], ["encoder.seq"]),
        sa.PrimaryKeyConstraint("memory_seq", "encoder_seq"),
    )
    op.execute(
        "INSERT INTO embedding_semantic_new (memory_seq, encoder_seq, vector, tenant) "
        "SELECT memory_seq, encoder_seq, vector, tenant FROM embedding_semantic ORDER BY memory_seq"
    )
    op.drop_table("embedding_semantic")
    op.rename_table("embedding_semantic_new", "embedding_semantic")


def _make_parts() -> None:
    op.create_table(
        "embedding_part",
        *_keys("memory_seq"),
        sa.Column("space", sa.Text(), nullable=False),
        *_keys("encoder_seq"),
        sa.Column("rows", sa.SmallInteger(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=True),
        _tenant(),
        sa.ForeignKeyConstraint(["memory_seq"], ["memory.seq"]),
        sa.ForeignKeyConstraint(["encoder_seq"], ["encoder.seq"]),
        sa.PrimaryKeyConstraint("memory_seq", "space", "encoder_seq"),
    )
    op.create_index("embedding_part_space", "embedding_part", ["space", "encoder_seq", "memory_seq"])


def _make_entities() -> None:
    op.create_table(
        "entity",
        sa.Column("seq", _KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=True),
        sa.Column("encoder_seq", _KEY, nullable=True),
        _tenant(),
        sa.ForeignKeyConstraint(["encoder_seq"], ["encoder.seq"]),
        sa.PrimaryKeyConstraint("seq"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "mention",
        *_keys("memory_seq", "entity_seq"),
        sa.Column("place", sa.SmallInteger(), nullable=False),
        _tenant(),
        sa.ForeignKeyConstraint(["memory_seq"], ["memory.seq"]),
        sa.ForeignKeyConstraint(["entity_seq"], ["entity.seq"]),
        sa.PrimaryKeyConstraint("memory_seq", "entity_seq"),
        sqlite_with_rowid=False,
    )
    op.create_index("mention_entity", "mention", ["entity_seq", "memory_seq"])


_POSTGRES = """
DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indrelid = 'embedding_semantic'::regclass AND relname ~ '^semantic_[a-z]+_[0-9]+_[0-9]+$'
  LOOP EXECUTE format('DROP INDEX %I', name); END LOOP;
END $$;
ALTER TABLE embedding_semantic ALTER COLUMN vector TYPE halfvec, ALTER COLUMN vector DROP NOT NULL,
  DROP CONSTRAINT embedding_semantic_pkey, ADD PRIMARY KEY (tenant, memory_seq, encoder_seq);
CREATE TABLE embedding_part (
  tenant text COLLATE "C" NOT NULL,
  memory_seq bigint NOT NULL,
  space text COLLATE "C" NOT NULL,
  encoder_seq bigint NOT NULL,
  rows smallint NOT NULL,
  vector bytea,
  near halfvec,
  near_bits bit varying,
  encoder_code bigint NOT NULL,
  PRIMARY KEY (tenant, memory_seq, space, encoder_seq),
  FOREIGN KEY (tenant, memory_seq) REFERENCES memory (tenant, seq),
  FOREIGN KEY (tenant, encoder_seq) REFERENCES encoder (tenant, seq)
);
CREATE INDEX embedding_part_code ON embedding_part (tenant, encoder_code, memory_seq);
COMMENT ON COLUMN embedding_part.near IS
  'rows brought to unit length, end to end: a scan''s score is one inner product with it';
COMMENT ON COLUMN embedding_part.near_bits IS
  'packed bits as the server compares them: a scan''s score is one Hamming distance';
COMMENT ON COLUMN embedding_part.encoder_code IS
  '48 bits of space, encoder and shape: what of a tenant has one code can be compared; vector indexes go '
  'by it, and all tenants share them';
COMMENT ON COLUMN embedding_semantic.encoder_code IS
  '48 bits of space, encoder and shape: what of a tenant has one code can be compared; vector indexes go '
  'by it, and all tenants share them';
CREATE TABLE entity (
  tenant text COLLATE "C" NOT NULL,
  seq bigint GENERATED BY DEFAULT AS IDENTITY,
  name text COLLATE "C" NOT NULL,
  vector bytea,
  encoder_seq bigint,
  PRIMARY KEY (tenant, seq),
  UNIQUE (tenant, name),
  FOREIGN KEY (tenant, encoder_seq) REFERENCES encoder (tenant, seq)
);
ALTER TABLE entity ALTER COLUMN name SET STATISTICS 0;
CREATE TABLE mention (
  tenant text COLLATE "C" NOT NULL,
  memory_seq bigint NOT NULL,
  entity_seq bigint NOT NULL,
  place smallint NOT NULL,
  PRIMARY KEY (tenant, memory_seq, entity_seq),
  FOREIGN KEY (tenant, memory_seq) REFERENCES memory (tenant, seq),
  FOREIGN KEY (tenant, entity_seq) REFERENCES entity (tenant, seq)
);
CREATE INDEX mention_entity ON mention (tenant, entity_seq, memory_seq)
"""


def _upgrade_postgres() -> None:
    """The same for every tenant of a database at once; vector indexes are made anew by whoever opened it."""
    connection = op.get_bind()
    _add_codes(connection)
    # One message of several statements: the simple protocol, and no percent sign is a parameter.
    connection.exec_driver_sql(_POSTGRES, None, {"no_parameters": True})
    # Policies would hide the tenants' rows from an owner who is no superuser.
    for name in ("memory", "mark"):
        connection.exec_driver_sql(f"ALTER TABLE {name} NO FORCE ROW LEVEL SECURITY")
    connection.exec_driver_sql(_UNFILLED)
    for name in ("memory", "mark"):
        connection.exec_driver_sql(f"ALTER TABLE {name} FORCE ROW LEVEL SECURITY")
    role = "engramforge_app"
    has_rights = (
        "SELECT count(*) FROM information_schema.role_table_grants"
        " WHERE grantee = %s AND table_name = 'memory'"
    )
    is_granted = bool(connection.exec_driver_sql(has_rights, (role,)).scalar_one())
    for name in ("embedding_part", "entity", "mention"):
        whose = "tenant = (SELECT current_setting('engramforge.tenant', true))"
        connection.exec_driver_sql(f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY")
        connection.exec_driver_sql(f"ALTER TABLE {name} FORCE ROW LEVEL SECURITY")
        connection.exec_driver_sql(
            f"CREATE POLICY tenant_alone ON {name} USING ({whose}) WITH CHECK ({whose})"
        )
        if is_granted:
            connection.exec_driver_sql(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {name} TO {role}")


def _add_codes(connection: sa.Connection) -> None:
    """The code of each vector's encoder: as a default where all have one encoder, so that no row is written anew."""
    # Policies would hide the tenants' rows from an owner who is no superuser.
    for name in ("encoder", "embedding_semantic"):
        connection.exec_driver_sql(f"ALTER TABLE {name} NO FORCE ROW LEVEL SECURITY")
    ids = connection.exec_driver_sql("SELECT DISTINCT id FROM encoder ORDER BY id").scalars().all()
    hashed = {item: blake2b(f"semantic {item} 1 256".encode(), digest_size=6).digest() for item in ids}
    codes = {item: int.from_bytes(code, "big") for item, code in hashed.items()}
    first = codes[ids[0]] if ids else 0
    connection.exec_driver_sql(
        f"ALTER TABLE embedding_semantic ADD COLUMN encoder_code bigint NOT NULL DEFAULT {first}"
    )
    connection.exec_driver_sql("ALTER TABLE embedding_semantic ALTER COLUMN encoder_code DROP DEFAULT")
    for each in ids[1:]:
        connection.exec_driver_sql(
            "UPDATE embedding_semantic v SET encoder_code = %s FROM encoder e"
            " WHERE e.tenant = v.tenant AND e.seq = v.encoder_seq AND e.id = %s",
            (codes[each], each),
        )
    for name in ("encoder", "embedding_semantic"):
        connection.exec_driver_sql(f"ALTER TABLE {name} FORCE ROW LEVEL SECURITY")
