"""Which encoders a store compares its spaces by, and which memories lack an embedding by one.

The choice is the mark "encoders"; only `Transaction.activate` writes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.errors import EncoderChanged
from engramforge.model.embeddings.encoder_spec import ActiveEncoder
from engramforge.model.memory import Memory
from engramforge.model.scope import Scope
from engramforge.model.search.candidates import Probe
from engramforge.model.spaces import Space
from engramforge.store.reading.memories import fetch_at
from engramforge.store.reading.predicates import CURRENT, IN_PROJECT, together, visible
from engramforge.store.rows import dump
from engramforge.store.schema import (
    embedding_part,
    embedding_semantic,
    encoder,
    entity,
    mark,
    memory,
    mention,
)

ENCODERS_MARK: Final = "encoders"
"""Key of the mark that holds the active encoders."""

Active = Mapping[Space, ActiveEncoder]


def encoders_of(text: str | None) -> dict[Space, ActiveEncoder]:
    """The active encoders from the value of their mark; none where there is no mark."""
    said = {} if text is None else json.loads(text)
    return {
        Space(space): ActiveEncoder(each["spec"], each["id"], each["size"], each.get("background"))
        for space, each in said.items()
    }


def mark_of(active: Active) -> str:
    """The inverse of `encoders_of`."""
    return dump({str(space): asdict(each) for space, each in active.items()})


_CHOSEN: Final = sa.select(mark.c.value).where(
    mark.c.tenant == sa.bindparam("tenant"), mark.c.key == ENCODERS_MARK
)


def active_encoders(connection: Connection, tenant: str) -> dict[Space, ActiveEncoder]:
    """The encoders that somebody chose for the tenant's store."""
    return encoders_of(connection.execute(_CHOSEN, {"tenant": tenant}).scalar())


def check_encoders(probe: Probe, active: Active, words: str) -> None:
    """Refuse a probe by inactive encoders, so that no answer mixes encoders.

    `words`: id of the encoder of words, which is E1's where nobody chose another.

    Raises EncoderChanged: a space is compared by another encoder than the probe's.
    """
    asked = probe.encoder or (None if probe.vector is None else words)
    wanted = [(Space.SEMANTIC, asked), *((part.space, part.encoder) for part in probe.parts)]
    for space, by in wanted:
        chosen = active.get(space)
        known = words if space is Space.SEMANTIC else by
        right = known if chosen is None else chosen.id
        if by is not None and by != right:
            raise EncoderChanged(
                f"The store compares {space} by {right}, not by {by}", "Embed the question again"
            )


def unencoded(
    connection: Connection, scope: Scope, space: Space, encoder: str, limit: int, after: int = 0
) -> list[tuple[int, Memory]]:
    """Versions without an embedding by this encoder, by position; see the door.

    None for an active encoder: it was complete when activated, and all writes since then used it, so anything missing
    is an abstention.
    """
    chosen = active_encoders(connection, scope.tenant).get(space)
    if chosen is not None and chosen.id == encoder:
        return []
    positions = lacking(connection, scope, space, encoder, limit, after)
    found = fetch_at(connection, scope, positions)
    return [(position, found[position]) for position in positions if position in found]


def lacking(
    connection: Connection, scope: Scope, space: Space, encoder_id: str, limit: int, after: int = 0
) -> list[int]:
    """Positions of versions in scope without an embedding by this encoder, ascending.

    Of E11, whose vectors belong to entities: the current versions that mention one without a vector by it. Entities
    that only ended versions mention are never reported (`entities.mentions`), so they are not trained.
    """
    known = sa.select(encoder.c.seq).where(encoder.c.tenant == scope.tenant, encoder.c.id == encoder_id)
    key = connection.execute(known).scalar()
    wanted = (visible(scope), memory.c.seq > after, _lacks(space, key))
    statement = sa.select(memory.c.seq).select_from(IN_PROJECT).where(*wanted)
    rows = connection.execute(statement.order_by(memory.c.seq).limit(limit))
    return [int(seq) for seq in rows.scalars()]


def _lacks(space: Space, key: Any) -> sa.ColumnElement[bool]:
    """Predicate: a memory has no embedding in a space by the encoder with this key; None for an encoder never used."""
    if space is Space.ENTITY:
        its = sa.exists().where(
            together(mention.c.memory_seq, memory.c.seq), together(entity.c.seq, mention.c.entity_seq)
        )
        if key is not None:
            its = its.where(entity.c.encoder_seq.is_distinct_from(int(key)))
        return sa.and_(*CURRENT, its)
    if key is None:
        return sa.true()
    table = embedding_semantic if space is Space.SEMANTIC else embedding_part
    its = sa.exists().where(together(table.c.memory_seq, memory.c.seq), table.c.encoder_seq == int(key))
    return ~(its if table is embedding_semantic else its.where(embedding_part.c.space == str(space)))
