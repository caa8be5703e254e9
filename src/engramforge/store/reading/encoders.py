"""Which encoders a store compares its spaces by, and which memories lack an embedding by one. Shared by the engines.

The choice is the mark "encoders"; only `Transaction.activate` writes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.embeddings.active_encoders import ActiveEncoder
from engramforge.model.memory import Memory
from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.store.reading import memories as reading
from engramforge.store.reading.memories import together, visible
from engramforge.store.rows import dump
from engramforge.store.schema import (
    embedding_part,
    embedding_semantic,
    encoder,
    entity,
    mark,
    memory,
    mention,
    project,
)

ENCODERS_MARK: Final = "encoders"
"""Key of the mark that holds the active encoders."""

Active = Mapping[Space, ActiveEncoder]


def encoders_of(text: str | None) -> dict[Space, ActiveEncoder]:
    """The active encoders from the value of their mark; none where there is no mark."""
    if text is None:
        return {}
    said = json.loads(text)
    return {
        Space(space): ActiveEncoder(each["spec"], each["id"], each["size"], each.get("background"))
        for space, each in said.items()
    }


def mark_of(active: Active) -> str:
    """The inverse of `encoders_of`."""
    return dump(
        {
            str(space): {"spec": each.spec, "id": each.id, "size": each.size, "background": each.background}
            for space, each in active.items()
        }
    )


def active_encoders(connection: Connection, tenant: str) -> dict[Space, ActiveEncoder]:
    """The encoders that somebody chose for the tenant's store."""
    chosen = sa.select(mark.c.value).where(mark.c.tenant == tenant, mark.c.key == ENCODERS_MARK)
    return encoders_of(connection.execute(chosen).scalar())


def unencoded(
    connection: Connection, scope: Scope, space: Space, encoder_id: str, limit: int, after: int
) -> list[tuple[int, Memory]]:
    """Versions without an embedding by this encoder, by position; see the door.

    None for an active one: it was complete when it was activated, and since then every write has been made with it, so
    that what is not there is an abstention.
    """
    chosen = active_encoders(connection, scope.tenant).get(space)
    if chosen is not None and chosen.id == encoder_id:
        return []
    positions = lacking(connection, scope, space, encoder_id, limit, after)
    found = reading.fetch_at(connection, scope, positions)
    return [(position, found[position]) for position in positions if position in found]


def lacking(
    connection: Connection, scope: Scope, space: Space, encoder_id: str, limit: int, after: int = 0
) -> list[int]:
    """Positions of versions in scope without an embedding by this encoder, ascending.

    Of E11, whose vectors belong to entities: the current versions that mention one without a vector by it. What only
    ended versions mention is told by nobody (`relations.mentions`), so nobody trains it.
    """
    known = sa.select(encoder.c.seq).where(encoder.c.tenant == scope.tenant, encoder.c.id == encoder_id)
    key = connection.execute(known).scalar()
    frame = sa.select(memory.c.seq).join(project, together(project.c.seq, memory.c.project_seq))
    wanted = (visible(scope), memory.c.seq > after, _lacks(space, key))
    rows = connection.execute(frame.where(*wanted).order_by(memory.c.seq).limit(limit))
    return [int(seq) for seq in rows.scalars()]


def _lacks(space: Space, key: Any) -> sa.ColumnElement[bool]:
    """That a memory has no embedding in a space by the encoder of this key; None: an encoder that nobody has used."""
    if space is Space.ENTITY:
        its = sa.exists().where(
            together(mention.c.memory_seq, memory.c.seq), together(entity.c.seq, mention.c.entity_seq)
        )
        if key is not None:
            its = its.where(entity.c.encoder_seq.is_distinct_from(int(key)))
        return sa.and_(memory.c.expired_at.is_(None), memory.c.invalid_at.is_(None), its)
    if key is None:
        return sa.true()
    table = embedding_semantic if space is Space.SEMANTIC else embedding_part
    its = sa.exists().where(together(table.c.memory_seq, memory.c.seq), table.c.encoder_seq == int(key))
    return ~(its if table is embedding_semantic else its.where(embedding_part.c.space == str(space)))
