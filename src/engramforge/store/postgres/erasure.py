"""Removes dead rows from the tables' files after a forget, without anybody waiting for it.

A deleted row lies in its page until VACUUM, and its bytes until the page is filled again. So small tables are rewritten
as a whole, larger ones vacuumed. A lock is taken only where it is free at once (SKIP_LOCKED), so that no other tenant's
question queues behind a waiting rewrite, and no setting is changed that a pooler could hand on to somebody else. What
was in use, or what an older snapshot still sees, is left for the next to open or to sweep the store.

The write-ahead log and backups are the server's, and keep what they had until they are recycled
(docs/how-to/postgres.md says how to shorten that).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.storing.record import Remnant
from engramforge.store.postgres.schema import tables

REWRITTEN_BYTES: Final = 16 * 2**20
"""The largest table that is rewritten, during which its readers wait: about a tenth of a second."""
SWEPT_BYTES: Final = 512 * 2**20
"""The largest that a sweep rewrites."""
PATIENCE_S: Final = 1.5
"""How long a table in use is tried again. Longer than the second after which the server stops an autovacuum that blocks
somebody."""
_PAUSE_S: Final = 0.05
_QUEUED: Final = "queued, cleared when the store is next opened or swept"


@dataclass(frozen=True, slots=True)
class Cleared:
    """What is left after clearing.

    `held`: what can be cleared as soon as somebody lets go. `large`: what a sweep clears. `unowned`: what only another
    user can. `huge`: what is cleared only by a rewrite that somebody orders.
    """

    held: tuple[Remnant, ...] = ()
    large: tuple[Remnant, ...] = ()
    unowned: tuple[Remnant, ...] = ()
    huge: tuple[Remnant, ...] = ()

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left to be cleared later."""
        return not (self.held or self.large or self.unowned)

    @property
    def every(self) -> tuple[Remnant, ...]:
        """Everything that is left."""
        return self.held + self.large + self.unowned + self.huge


def erase_traces(connection: Connection, since: int, most_bytes: int, patience_s: float) -> Cleared:
    """Remove dead rows from the files, as the user of the URL; what is left, and who holds it.

    `connection`: in autocommit. `since`: number of the transaction that deleted the rows. `most_bytes`: the largest
    table to rewrite. `patience_s`: how long to wait for others.
    """
    owned = sa.text(
        "SELECT relname, pg_total_relation_size(oid) AS size, pg_has_role(session_user, relowner, 'USAGE') AS own, "
        "pg_get_userbyid(relowner) AS owner, "
        "EXISTS (SELECT FROM pg_index JOIN pg_class AS made ON made.oid = indexrelid "
        "JOIN pg_am ON pg_am.oid = made.relam WHERE indrelid = pg_class.oid AND amname = 'hnsw') AS is_slow "
        "FROM pg_class WHERE oid = ANY(SELECT to_regclass(name) FROM unnest(CAST(:names AS text[])) AS name)"
    )
    found = connection.execute(owned, {"names": list(tables.tables)}).all()
    if owners := {each.owner for each in found if not each.own}:
        why = (
            f"only their owner, the user {', '.join(sorted(owners))}, can clear them; queued, cleared when that user "
            "opens or sweeps this tenant's store"
        )
        return Cleared(unowned=(Remnant("tables", "", why),))
    if holders := _waited_for(connection, since, patience_s):
        # A rewrite would keep what they still see.
        return Cleared(held=tuple(holders))
    # A vector index is built anew with its table, which takes seconds: while others work that waits for a sweep.
    most = {each.relname: 0 if each.is_slow and most_bytes < SWEPT_BYTES else most_bytes for each in found}
    small = [each.relname for each in found if each.size <= most[each.relname]]
    left = _rewritten(connection, small, patience_s)
    large = [each.relname for each in found if most[each.relname] < each.size <= SWEPT_BYTES]
    huge = [each.relname for each in found if each.size > max(most_bytes, SWEPT_BYTES)]
    for name in (*left, *large, *huge):
        connection.exec_driver_sql(f"VACUUM (SKIP_LOCKED) {name}")
    in_use = (
        "others are reading or writing there just now, so the removed rows are still in its file, where no question "
        f"finds them; {_QUEUED}"
    )
    too_large = "it is too large to rewrite while others work: its free space is not overwritten"
    return Cleared(
        held=(Remnant("table", ", ".join(left), in_use),) if left else (),
        large=tuple(Remnant("table", name, f"{too_large}; queued, a sweep does it") for name in large),
        huge=tuple(
            Remnant("table", name, f"{too_large} until it is used; VACUUM FULL does it") for name in huge
        ),
    )


def _waited_for(connection: Connection, since: int, patience_s: float) -> list[Remnant]:
    """The snapshots that still see what a transaction deleted, when there was time for short ones to end."""
    deadline = time.monotonic() + patience_s
    while (found := _seen_by(connection, since)) and time.monotonic() < deadline:
        time.sleep(_PAUSE_S)
    return found


def _rewritten(connection: Connection, names: Sequence[str], patience_s: float) -> list[str]:
    """Rewrite tables as their locks become free; those that were in use all the time."""
    left, deadline = list(names), time.monotonic() + patience_s
    while True:
        left = [name for name in left if not _rewrite(connection, name)]
        if not left or time.monotonic() > deadline:
            return left
        time.sleep(_PAUSE_S)


def _rewrite(connection: Connection, name: str) -> bool:
    """Rewrite a table unless somebody is using it; whether it was, which its new file tells."""
    file = f"SELECT pg_relation_filenode('{name}')"
    before = connection.exec_driver_sql(file).scalar()
    connection.exec_driver_sql(f"VACUUM (FULL, SKIP_LOCKED) {name}")
    return bool(connection.exec_driver_sql(file).scalar() != before)


def _seen_by(connection: Connection, since: int) -> list[Remnant]:
    """Sessions and prepared transactions that began before a transaction ended, as far as this user may see them."""
    older = sa.text(
        "WITH deleted AS (SELECT age(CAST(CAST(:since AS text) AS xid)) AS behind), held AS ("
        "SELECT coalesce(nullif(application_name, ''), usename, 'a session') || ', pid ' || pid AS who, "
        "xact_start AS began, greatest(age(backend_xmin), age(backend_xid)) AS behind FROM pg_stat_activity "
        "WHERE pid <> pg_backend_pid() AND (datname = current_database() OR datname IS NULL) "
        "UNION ALL SELECT 'prepared transaction ' || gid, prepared, age(transaction) FROM pg_prepared_xacts "
        "WHERE database = current_database()) "
        "SELECT who, began FROM held, deleted WHERE held.behind >= deleted.behind ORDER BY began"
    )
    rows = connection.execute(older, {"since": since % 2**32}).all()
    return [
        Remnant(
            "transaction",
            row.who,
            f"it began {'before' if row.began is None else f'at {row.began:%Y-%m-%d %H:%M:%S}'}, so the server keeps "
            f"the removed rows for it, also where it only reads something else; {_QUEUED}",
        )
        for row in rows
    ]
