"""What each write did beside its line of the audit log, read once from the English of the lines that are there; links
indexed by strength.

A line that cannot be read stays without an effect: undo stops there, as it stops at a forget.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from alembic import op

from engramforge.store.migrations.steps import without_policies

revision = "0005"
down_revision = "0004"

_OF_ONE = ("revise", "supersede", "invalidate", "reinstate")
_COUNTED = re.compile(r"(\d{1,18}) records?\b")
_VERSIONS = re.compile(r"version (\d{1,18}) (?:replaces|follows) \d+")
_ENDS = re.compile(r"link from \S+ to \S+ (taken back|restored)")
_USE = r"(\S+), (\d{1,18}) times, (\d{1,18}) hops"
_USED = re.compile(rf"was validated {_USE}; now {_USE}")
_OF_A_FILE = "its file does not say it any more"
"""Reason of lines that an import writes beside its own."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Effect = dict[str, Any]


def upgrade() -> None:
    """Add the column and fill it, tenant by tenant; replace the indexes of a link's ends."""
    connection = op.get_bind()
    is_postgres = connection.dialect.name == "postgresql"
    for end in ("source", "target"):
        op.drop_index(f"ix_link_{end}_id", table_name="link")
        keys = [f"{end}_id", "energy", "id"]
        op.create_index(f"link_{end}", "link", ["tenant", *keys] if is_postgres else keys)
    if is_postgres:
        connection.exec_driver_sql('ALTER TABLE audit ADD COLUMN effect text COLLATE "C"')
        connection.exec_driver_sql("ALTER TABLE audit ALTER COLUMN effect SET STATISTICS 0")
    else:
        op.add_column("audit", sa.Column("effect", sa.Text(), nullable=True))
    with without_policies(connection, "memory", "link", "audit") if is_postgres else nullcontext():
        for (tenant,) in _rows(connection, "SELECT DISTINCT tenant FROM audit"):
            _fill(connection, tenant)


def _fill(connection: sa.Connection, tenant: str) -> None:
    log = _Log(connection, tenant)
    found = [
        {"t": tenant, "s": seq, "e": json.dumps(each)} for seq, each in log.effects() if each is not None
    ]
    if found:
        connection.execute(sa.text("UPDATE audit SET effect = :e WHERE tenant = :t AND seq = :s"), found)
    if log.restored:
        connection.execute(sa.text("UPDATE link SET felt = :f WHERE tenant = :t AND seq = :s"), log.restored)


def _rows(connection: sa.Connection, statement: str, **values: Any) -> Sequence[Any]:
    return connection.execute(sa.text(statement), values).all()


@dataclass(frozen=True)
class _Record:
    """A record of a memory."""

    id: str
    logical_id: str
    version: int
    times: tuple[int, int | None]
    created_at: int
    expired_at: int | None
    change: int


@dataclass(frozen=True)
class _Link:
    """A link between two memories, or between versions of one."""

    seq: int
    id: str
    ends: tuple[str, str]
    relation: str
    created_at: int
    expired_at: int | None
    felt: str


@dataclass
class _Group:
    """The records that one write made and closed."""

    made: list[_Record] = field(default_factory=list)
    closed: list[_Record] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.made) + len(self.closed)


class _Log:
    """The audit log of a tenant, and what its lines are about."""

    def __init__(self, connection: sa.Connection, tenant: str) -> None:
        self._connection, self._tenant = connection, tenant
        statement = (
            "SELECT id, logical_id, version, valid_at, invalid_at, created_at, expired_at, change FROM memory"
            " WHERE tenant = :t ORDER BY seq"
        )
        rows = _rows(connection, statement, t=tenant)
        self._own: dict[str, list[_Record]] = defaultdict(list)
        self._at: dict[int, _Group] = defaultdict(_Group)
        self._of_change: dict[int, list[_Record]] = defaultdict(list)
        self._by_id: dict[str, _Record] = {}
        for raw, logical, version, valid, invalid, created, expired, change in rows:
            each = _Record(_text(raw), _text(logical), version, (valid, invalid), created, expired, change)
            self._by_id[each.id] = each
            self._own[each.logical_id].append(each)
            self._of_change[change].append(each)
            self._at[created].made.append(each)
            if expired is not None:
                self._at[expired].closed.append(each)
        statement = (
            "SELECT seq, id, source_id, target_id, relation, created_at, expired_at, felt FROM link"
            " WHERE tenant = :t ORDER BY seq"
        )
        rows = _rows(connection, statement, t=tenant)
        self._links: dict[str, _Link] = {}
        self._links_of: dict[str, list[_Link]] = defaultdict(list)
        for seq, raw, source, target, *rest in rows:
            link = _Link(seq, _text(raw), (_text(source), _text(target)), *rest)
            self._links[link.id] = link
            for end in set(link.ends):
                self._links_of[end].append(link)
        self._taken: set[int] = set()
        self.restored: list[dict[str, Any]] = []

    def effects(self) -> Iterable[tuple[int, Effect | None]]:
        """The lines' keys with their effects, oldest first."""
        statement = "SELECT seq, at, action, subject, agent, reason FROM audit WHERE tenant = :t ORDER BY seq"
        lines = _rows(self._connection, statement, t=self._tenant)
        last: dict[str, tuple[str, Effect | None]] = {}
        written: dict[tuple[str, int], list[tuple[int, set[str]]]] = defaultdict(list)
        together: list[Effect] = []
        for place, line in enumerate(lines):
            following = lines[place + 1] if place + 1 < len(lines) else None
            if line.action == "forget" or _is_beside_import(lines, place):
                yield line.seq, {}
                if line.action == "forget":
                    last[line.agent] = (line.action, None)
                continue
            before_action, before = last.get(line.agent, ("", None))
            uses = self._uses(line)
            if uses:
                together += uses
                if following is not None and _is_same_write(line, following):
                    yield line.seq, {}
                    continue
                effect: Effect | None = {"uses": together}
                together = []
            elif line.action in ("link", "unlink") or (line.action == "undo" and _ENDS.match(line.reason)):
                effect = self._of_link(line, before)
            else:
                effect = self._of_records(line, before)
            if effect is not None:
                effect = {"id": f"audit-{line.seq}", **effect}
                if line.action == "undo":
                    effect = None if before is None else {**effect, **_reversing(before_action, before)}
            if effect is not None and (made := set(effect.get("made", ()))):
                # An import told its supersessions one by one before it told the whole of itself.
                of_this_write = written[line.agent, line.at]
                for earlier, part in of_this_write:
                    if part <= made:
                        yield earlier, {}
                of_this_write.append((line.seq, made))
            last[line.agent] = (line.action, effect)
            yield line.seq, effect

    def _uses(self, line: Any) -> list[Any]:
        said = _USED.match(line.reason)
        if said is None or line.action not in ("validate", "undo"):
            return []
        groups = said.groups()
        try:
            return [[line.subject, _use(*groups[:3]), _use(*groups[3:]), [], []]]
        except (ValueError, TypeError):  # no time, or one without a zone
            return []

    def _of_link(self, line: Any, before: Effect | None) -> Effect | None:
        link = self._links.get(line.subject)
        if link is None:
            return None
        is_written = line.action == "link" or (line.action == "undo" and line.reason.endswith("restored"))
        effect: Effect = {"linked" if is_written else "unlinked": [[link.id, link.ends[0]]]}
        if line.action == "undo" and is_written and before is not None and before.get("unlinked"):
            effect["stands_for"] = {link.id: before["unlinked"][0][0]}
        return effect

    def _of_records(self, line: Any, before: Effect | None) -> Effect | None:
        group = self._group(line)
        if group is None:
            return None
        made = {(each.logical_id, each.created_at) for each in group.made}
        closed = {(each.logical_id, each.expired_at) for each in group.closed}
        ids = {each.logical_id for each in (*group.made, *group.closed)}
        near = {link.id: link for each in ids for link in self._links_of[each] if len(set(link.ends)) > 1}
        linked = [link for link in near.values() if any((end, link.created_at) in made for end in link.ends)]
        unlinked = [
            link for link in near.values() if any((end, link.expired_at) in closed for end in link.ends)
        ]
        effect: Effect = {
            "made": [each.id for each in group.made],
            "closed": [each.id for each in group.closed],
            "linked": [[link.id, link.ends[0]] for link in linked],
            "unlinked": [[link.id, link.ends[0]] for link in unlinked],
            "uses": [use for link in linked if (use := self._carried(link)) is not None],
        }
        if line.action == "undo" and before is not None:
            effect["stands_for"] = self._standing(group.made, before) | self._relinked(linked, before)
        return {name: value for name, value in effect.items() if value}

    def _group(self, line: Any) -> _Group | None:
        """The records that a line's write made and closed; None where that cannot be told any more."""
        told = _COUNTED.match(line.reason)
        own = self._own.get(line.subject, [])
        # The line may have been written a little later than what it is about was recorded.
        times = {time for each in own for time in (each.created_at, each.expired_at) if time is not None}
        at = max((time for time in times if time <= line.at), default=line.at)
        if line.action in ("invalidate", "reinstate") or (line.action in _OF_ONE and told is None):
            # Of those that end or reinstate, the reason is the user's own.
            is_ours = line.action in ("revise", "supersede")
            if is_ours and (versions := _VERSIONS.match(line.reason)):
                begun = [each.created_at for each in own if each.version == int(versions[1])]
                at = min(begun, default=at)
            group = _Group(
                [each for each in own if each.created_at == at],
                [each for each in own if each.expired_at == at],
            )
            return group if group.made else None
        if told is None:
            return None
        group = self._at.get(at, _Group())
        writes = {each.change for each in group.made if each.expired_at is None}
        if (
            len(group) == int(told[1])
            and len(writes) <= 1
            and any(each.logical_id == line.subject for each in (*group.made, *group.closed))
        ):
            return group
        if told[1] == "1" and line.action in ("import", "remember") and own:
            return _Group([min(own, key=lambda each: each.created_at)])
        # Of records that were recorded at other times, as an import's: those that no later write touched.
        for change in sorted({each.change for each in own} - self._taken):
            records = self._of_change[change]
            if len(records) == int(told[1]) and all(each.created_at <= line.at for each in records):
                self._taken.add(change)
                return _Group(
                    [each for each in records if each.expired_at is None],
                    [each for each in records if each.expired_at is not None],
                )
        return None

    def _carried(self, link: _Link) -> list[Any] | None:
        """How the use of a decision changed when an edge carried it."""
        extra = json.loads(link.felt).get("extra", {}) if link.relation == "CARRIES" else {}
        if not (said := extra.get("before")):
            return None
        before = _use(said["last_validated"] or "never", said["validation_count"], said["hops"])
        at, count, hops = before
        if extra.get("bumped"):
            at, count = max(link.created_at, at or 0), count + 1
        return [link.ends[1], before, [at, count, hops + 1], [], []]

    def _standing(self, made: Iterable[_Record], before: Effect) -> dict[str, str]:
        """Which record each one that an undo made repeats: one that the undone write had closed."""
        closed = [self._by_id[each] for each in before.get("closed", ()) if each in self._by_id]
        found: dict[str, str] = {}
        for new in made:
            for old in closed:
                if (old.logical_id, old.times) == (new.logical_id, new.times):
                    found[new.id] = old.id
                    if old.version != new.version:
                        self._note_restored(new, old.version)
                    break
        return found

    def _note_restored(self, new: _Record, version: int) -> None:
        """Let the link between versions say which one came back."""
        for link in self._links_of[new.logical_id]:
            felt = json.loads(link.felt) if set(link.ends) == {new.logical_id} else {}
            extra = felt.get("extra", {})
            if link.relation == "REVISES" and extra.get("source_version") == new.version:
                extra["restores"] = version
                said = json.dumps(felt, ensure_ascii=False, separators=(",", ":"))
                self.restored.append({"t": self._tenant, "s": link.seq, "f": said})

    def _relinked(self, linked: Iterable[_Link], before: Effect) -> dict[str, str]:
        gone = [self._links[each] for each, _ in before.get("unlinked", ()) if each in self._links]
        return {
            new.id: old.id
            for new in linked
            for old in gone
            if (old.ends, old.relation) == (new.ends, new.relation)
        }


def _reversing(action: str, before: Mapping[str, Any]) -> Effect:
    """What an undo says of the write that it took back: an undo of an undo brought a change back."""
    step = "redo" if before.get("step") == "undo" else "undo"
    return {"step": step, "of": before.get("of") or action, "takes_back": before["id"]}


def _is_beside_import(lines: Sequence[Any], place: int) -> bool:
    """Whether a file's import wrote the line beside its own; anybody may have given the same reason."""
    line = lines[place]
    if (line.action, line.reason) != ("invalidate", _OF_A_FILE):
        return False
    for later in (lines[each] for each in range(place + 1, len(lines))):
        if (later.agent, later.at) != (line.agent, line.at):
            return False
        if later.action == "import":
            return True
    return False


def _is_same_write(line: Any, other: Any) -> bool:
    said = (other.agent, other.action, other.at)
    return said == (line.agent, line.action, line.at) and _USED.match(other.reason) is not None


def _use(at: str, count: Any, hops: Any) -> list[Any]:
    moment = None if at == "never" else (datetime.fromisoformat(at) - _EPOCH) // timedelta(microseconds=1)
    return [moment, int(count), int(hops)]


def _text(raw: Any) -> str:
    return str(UUID(bytes=bytes(raw)))
