"""What the verbs of one write share, and what each engine does for them in its own way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, wraps
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, Protocol, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from uuid_utils import uuid7

from engramforge.model.embeddings.encoder_spec import ActiveEncoder
from engramforge.model.link import Link
from engramforge.model.memory import Memory
from engramforge.model.registration import Registration
from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.model.storing.effect import Effect, EnergyChange, LinkChange, Use, UseChange
from engramforge.model.storing.record import AuditEntry, Entry, Erasure
from engramforge.store import schema
from engramforge.store.erasing.traces import ForgottenTexts
from engramforge.store.reading.encoders import active_encoders
from engramforge.store.rows import audit_row

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

P = ParamSpec("P")
R = TypeVar("R")
Row = dict[str, Any]
Purpose = Literal["mention", "change", "removal"]
"""What rows are held for: to point to them, to change what belongs to them, to take them away."""
Vectors = Sequence[tuple[int, "NDArray[np.int8] | None"]]
"""E1 beside positions; None where the encoder abstains."""
Placed = tuple[int, int, int | None, Entry]
"""An entry with its position, project key and session key."""


class Ledger(Protocol):
    """How an engine draws numbers, adds rows and holds what was read, inside one write transaction.

    Where nobody else can write meanwhile, there is nothing to hold.
    """

    @property
    def connection(self) -> Connection:
        """Inside the transaction."""

    @property
    def change(self) -> int:
        """The number of this change, drawn at the first write that readers have to notice."""

    @property
    def tables(self) -> Sequence[sa.Table]:
        """Every table, each after those that it points to."""

    def draw_changes(self, count: int) -> int:
        """The first of this many new change numbers, all greater than the committed ones."""

    def draw_positions(self, count: int) -> Sequence[int]:
        """Positions that were never used, ascending."""

    def add(self, table: sa.Table, rows: list[Row]) -> None:
        """Insert rows of one table."""

    def add_versions(self, rows: list[Row], entries: Sequence[Entry]) -> None:
        """Insert the narrow rows of these entries."""

    def add_origins(self, rows: list[Row], taking_over: bool) -> None:
        """Insert origin keys; a tombstone or the key of an older memory is either taken over or kept."""

    def add_key(self, table: sa.Table, row: Row) -> int | None:
        """Insert a row that gives a name its key; None if another transaction was faster."""

    def add_names(self, names: Sequence[str]) -> None:
        """Insert entities that have no row; the names are distinct and ascend."""

    def add_vectors(self, encoder_key: int, encoder: str, rows: Vectors) -> None:
        """Insert E1 of an encoder beside positions that have none by it."""

    def add_parts(self, rows: list[Row], encoders: Mapping[int, str]) -> None:
        """Insert parts beside positions that have none of the same space and encoder; `encoders` by their keys."""

    def add_postings(self, entries: Sequence[Placed]) -> None:
        """Insert what the words of entries are found by."""

    def hold(self, ids: Sequence[str]) -> None:
        """Keep memories from being changed by others until the end of the transaction."""

    def hold_origins(self, project: str, keys: Sequence[bytes]) -> None:
        """Keep origins from being written by others until the end of the transaction."""

    def hold_encoders(self, alone: bool) -> None:
        """Keep the active encoders from changing until the end; `alone`: also keep others from writing with them."""

    def holding(self, statement: sa.Select[Any], table: sa.Table, for_what: Purpose) -> sa.Select[Any]:
        """The statement so that others leave the rows of a table that it reads until the end."""

    def close(self, memory_id: str) -> None:
        """Note that a version stands no more."""

    def reopen(self, memory_id: str) -> None:
        """Note that a version stands again."""

    def forget(self, positions: Sequence[int]) -> None:
        """Remove what else the engine keeps of these memories."""

    def note_placed(self, space: Space, encoder_key: int, count: int) -> None:
        """Let readers that hold embeddings of a space by this encoder notice that some have changed."""

    def finish(self) -> None:
        """Publish the change number where readers look for it."""

    def note_dropping(self, space: Space, encoder_key: int) -> None:
        """Note that the embeddings of a space by this encoder are about to be removed."""


class Write:
    """One write while it lasts.

    `doings`: what was done so far, for the line of the audit log that it ends with. `forgotten`: what must be in no
    file after the commit. `erasure`: what became of that, filled in by the engine. `adopted`: the identity that the
    store took on, for the engine to tell after the commit. `encoders`: ids of encoders by their
    keys, of those that were looked up.
    """

    def __init__(self, ledger: Ledger, scope: Scope) -> None:
        self.ledger = ledger
        self.connection = ledger.connection
        self.scope = scope
        self.tenant = scope.tenant
        self.doings = Doings()
        self.forgotten = ForgottenTexts()
        self.erasure = Erasure()
        self.adopted: str | None = None
        self.encoders: dict[int, str] = {}
        self._keys: dict[tuple[Any, ...], int] = {}
        self._active: Mapping[Space, ActiveEncoder] | None = None

    @property
    def active(self) -> Mapping[Space, ActiveEncoder]:
        """The active encoders, locked until the end of the transaction."""
        if self._active is None:
            self.ledger.hold_encoders(alone=False)
            self._active = active_encoders(self.connection, self.tenant)
        return self._active

    def activated(self, chosen: Mapping[Space, ActiveEncoder]) -> None:
        """The active encoders are these from now on."""
        self._active = chosen

    def encoder_key(self, encoder: str) -> int:
        """The key of an encoder; a new one gets one."""
        key = self.key_of(schema.encoder, {"id": encoder}, {})
        self.encoders[key] = encoder
        return key

    def finish(self) -> None:
        """Write what is left before the commit; called once."""
        if lines := self.doings.told(str(uuid7())):
            self.ledger.add(schema.audit, [audit_row(line, self.tenant) for line in lines])
        self.ledger.finish()

    def put_mark(self, key: str, text: str | None) -> None:
        """Keep, replace or remove the text of a mark."""
        mark = schema.mark
        its = (mark.c.tenant == self.tenant, mark.c.key == key)
        self.connection.execute(sa.delete(mark).where(*its))
        if text is not None:
            self.ledger.add(mark, [{"tenant": self.tenant, "key": key, "value": text}])

    def key_of(self, table: sa.Table, identity: Row, more: Row) -> int:
        """The key of the row with this identity, inserted if missing."""
        known = (table.name, *identity.values())
        if known not in self._keys:
            whole = {"tenant": self.tenant, **identity}
            find = _by_identity(table, tuple(whole))
            found = self.connection.execute(find, whole).scalar()
            if found is None:
                found = self.ledger.add_key(table, {**whole, **more})
            if found is None:
                found = self.connection.execute(find, whole).scalar_one()
            self._keys[known] = int(found)
        return self._keys[known]


@cache
def _by_identity(table: sa.Table, names: tuple[str, ...]) -> sa.Select[Any]:
    return sa.select(table.c.seq).where(*(table.c[name] == sa.bindparam(name) for name in names))


class Writes:
    """What a transaction's verbs are bound to."""

    def __init__(self, write: Write) -> None:
        self.write = write


def done_by(verb: Callable[Concatenate[Write, P], R]) -> Callable[Concatenate[Writes, P], R]:
    """A verb of a transaction that does one thing of this folder."""

    @wraps(verb)
    def bound(writes: Writes, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return verb(writes.write, *args, **kwargs)

    return bound


@dataclass(slots=True)
class Doings:
    """Collected while a transaction writes; `lines` are those of the audit log, which are written before the commit."""

    made: list[str] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    linked: list[LinkChange] = field(default_factory=list)
    unlinked: list[LinkChange] = field(default_factory=list)
    uses: list[UseChange] = field(default_factory=list)
    faded: list[EnergyChange] = field(default_factory=list)
    lines: list[AuditEntry] = field(default_factory=list)

    @property
    def records(self) -> int:
        """How many records were made and closed."""
        return len(self.made) + len(self.closed)

    def link(self, links: Sequence[Link]) -> None:
        """Note links that were written, without those between versions of a memory."""
        self.linked += [
            LinkChange(each.id, each.source_id) for each in links if each.source_id != each.target_id
        ]

    def unlink(self, link_id: str, source_id: str) -> None:
        """Note a link that was ended."""
        self.unlinked.append(LinkChange(link_id, source_id))

    def use(self, memory: Memory, after: Registration) -> None:
        """Note a change of use counters or conversations; `memory` is as it was before."""
        before = memory.registration
        assert before is not None
        mentioned = tuple(each for each in after.conversations if each not in before.conversations)
        gone = tuple(each for each in before.conversations if each not in after.conversations)
        self.uses.append(UseChange(memory.logical_id, Use.of(before), Use.of(after), mentioned, gone))

    def told(self, new_id: str) -> list[AuditEntry]:
        """The lines, the last of which has the effect of all; `new_id` becomes the effect's."""
        if not self.lines:
            return []
        *others, last = self.lines
        names = ("made", "closed", "linked", "unlinked", "uses", "faded")
        effect = last.effect or Effect()
        done: dict[str, Any] = {name: (*getattr(effect, name), *getattr(self, name)) for name in names}
        effect = replace(effect, **done)
        if effect != Effect():
            effect = replace(effect, id=new_id)
        return [*(replace(each, effect=Effect()) for each in others), replace(last, effect=effect)]
