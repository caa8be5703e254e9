"""Moving a tenant's store into another, on either engine: in portions, resumable, verified by counts and checksums.

The source is only read. The target must be empty; it takes on the source's identity, because origin keys are keyed by
it, so that an import into the moved store still finds its duplicates. A mark in the target says how far the move has
come and is written in the transaction of each portion, so a killed move continues there and nothing is written twice.
Nothing that is moved may be changed on the way.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engramforge.core.rows.row_digest import Digest, digested
from engramforge.errors import Conflict, InvalidValue
from engramforge.model.limits import BATCH_MEMORIES
from engramforge.model.scope import Scope
from engramforge.model.storing.section import MOVE_MARK, Cursor, MoveReport, Section, SectionRow
from engramforge.store.door import Door, Transaction, Upkeep

Progress = Callable[[str, int, int], None]
"""Called with the current section (`checksums` at the end), the rows read so far, and the rows in all."""

_START_OVER: Final = "Let nobody write to either store, and move again with start_over (--start-over)"


@dataclass(frozen=True, slots=True)
class _State:
    """How far a move has come; kept as a mark of the target.

    `source`: id of the store that is moved. `writes`: of the source when the move began; a different number means that
    it has changed. `cursors`: section -> where it was read to. `digests`: of what was read, by name. `done`: sections
    that are complete.
    """

    source: str
    writes: tuple[int, int]
    cursors: Mapping[str, Cursor] = field(default_factory=dict)
    digests: Mapping[str, Digest] = field(default_factory=dict)
    done: tuple[str, ...] = ()
    settled: bool = False

    def as_mark(self) -> dict[str, Any]:
        """The state as JSON values."""
        return {
            "source": self.source,
            "writes": list(self.writes),
            "cursors": dict(self.cursors),
            "digests": {
                name: [digest.count, f"{digest.total:032x}"] for name, digest in self.digests.items()
            },
            "done": list(self.done),
            "settled": self.settled,
        }

    @classmethod
    def of_mark(cls, mark: Mapping[str, Any]) -> _State:
        """The inverse of `as_mark`."""
        return cls(
            mark["source"],
            (mark["writes"][0], mark["writes"][1]),
            {name: tuple(each) if isinstance(each, list) else each for name, each in mark["cursors"].items()},
            {name: Digest(count, int(total, 16)) for name, (count, total) in mark["digests"].items()},
            tuple(mark["done"]),
            mark["settled"],
        )


def move(
    source: Door, target: Door, tenant: str, *, start_over: bool = False, progress: Progress | None = None
) -> MoveReport:
    """Move everything of a tenant; see the module.

    `start_over`: discard what an unfinished move has written into the target, and begin again.

    Raises Conflict: the target holds something else, or either store changed during the move; the sections that differ
    are named. Raises InvalidValue: source and target are the same store.
    """
    return _Move(source, target, Scope(tenant, every_agent=True), progress).run(start_over)


class _Move:
    """One run of a move."""

    def __init__(self, source: Door, target: Door, scope: Scope, progress: Progress | None) -> None:
        if source.identity.location == target.identity.location:
            raise InvalidValue(
                f"Source and target are the same store, {source.identity.location}", "Name another target"
            )
        self._source, self._target, self._scope = source, target, scope
        self._progress = progress
        self._moved = {str(section): 0 for section in Section}
        self._total = self._seen = 0
        self._began = time.perf_counter()

    def run(self, start_over: bool) -> MoveReport:
        """Move, continue, or find everything moved already."""
        with self._source.tending(self._scope) as shot:
            # Everything is read once for the move, and once more on both sides for verification.
            self._total = 3 * sum(shot.counts().values())
            state = self._beginning(shot, start_over)
            if state is not None:
                was_begun = bool(state.cursors)
                self._seen = sum(state.digests[name].count for name in Section if name in state.digests)
                for section in Section:
                    state = self._copied(shot, section, state)
        if state is None:
            return self._report(self._verified(None), resumed=False)
        if not state.settled:
            state = self._saved(replace(state, settled=True), lambda writes: writes.settle())
        verified = self._verified(state)
        self._target.write(self._scope, lambda writes: writes.save_mark(MOVE_MARK, None))
        return self._report(verified, was_begun)

    def _beginning(self, shot: Upkeep, start_over: bool) -> _State | None:
        """Where to continue; None if the store has been moved already."""
        source, place = self._source.identity.store_id, self._target.identity.location
        mark = self._target.asking(self._scope).mark(MOVE_MARK)
        if mark is not None and not start_over:
            state = _State.of_mark(mark)
            if state.source != source:
                raise Conflict(f"{place} holds the unfinished move of another store", _START_OVER)
            if state.writes != shot.writes():
                raise Conflict("The source has changed since the move began", _START_OVER)
            return state
        if mark is None:
            with self._target.tending(self._scope) as there:
                held = {str(section): count for section, count in there.counts().items() if count}
            if held and self._target.identity.store_id == source:
                return None
            if held:
                said = ", ".join(f"{count:,} {name}" for name, count in held.items())
                raise Conflict(
                    f"{place} already holds something else ({said})",
                    "Name an empty target; nothing was changed",
                )

        def begin(writes: Transaction) -> None:
            if mark is not None:
                writes.discard()
            writes.adopt(source)

        return self._saved(_State(source, shot.writes()), begin)

    def _copied(self, shot: Upkeep, section: Section, state: _State) -> _State:
        """The rest of a section, portion by portion."""
        while section not in state.done:
            portion = shot.portion(section, state.cursors.get(section), BATCH_MEMORIES)
            digests = dict(state.digests)
            for name, rows in digested(section, portion.rows).items():
                digests[name] = digests.get(name, Digest()).plus(*rows)
            state = replace(
                state,
                cursors={**state.cursors, section: portion.cursor},
                digests=digests,
                done=state.done if portion.rows else (*state.done, section),
            )

            def restore(writes: Transaction, rows: tuple[SectionRow, ...] = portion.rows) -> None:
                writes.restore(section, rows)

            state = self._saved(state, restore)
            self._moved[section] += len(portion.rows)
            self._tell(str(section), len(portion.rows))
        return state

    def _saved(self, state: _State, work: Callable[[Transaction], None]) -> _State:
        """The work together with the progress mark, in one transaction."""

        def both(writes: Transaction) -> None:
            work(writes)
            writes.save_mark(MOVE_MARK, state.as_mark())

        self._target.write(self._scope, both)
        return state

    def _verified(self, state: _State | None) -> dict[str, Digest]:
        """The digests of both sides, which must equal those of what was read."""
        source = self._digests(self._source)
        target = self._digests(self._target)
        if state is not None:
            _compare(source, state.digests, "The source was changed while it was moved", _START_OVER)
        elif source != target:
            mend = "Keep one of the two, or name an empty target"
            _compare(
                source, target, f"{self._target.identity.location} holds this store in another state", mend
            )
        fault = f"{self._target.identity.location} does not hold what the source does"
        _compare(source, target, fault, f"Somebody may have written into it. {_START_OVER}")
        return target

    def _digests(self, door: Door) -> dict[str, Digest]:
        found: dict[str, Digest] = {}
        with door.tending(self._scope) as shot:
            for section in Section:
                cursor: Cursor = None
                while True:
                    portion = shot.portion(section, cursor, BATCH_MEMORIES)
                    for name, rows in digested(section, portion.rows).items():
                        found[name] = found.get(name, Digest()).plus(*rows)
                    if not portion.rows:
                        break
                    cursor = portion.cursor
                    self._tell("checksums", len(portion.rows))
        return found

    def _tell(self, what: str, rows: int) -> None:
        self._seen += rows
        if self._progress is not None:
            self._progress(what, self._seen, max(self._total, self._seen))

    def _report(self, verified: Mapping[str, Digest], resumed: bool) -> MoveReport:
        return MoveReport(
            source=self._source.identity.location,
            target=self._target.identity.location,
            tenant=self._scope.tenant,
            store_id=self._source.identity.store_id,
            moved=self._moved,
            counts={name: digest.count for name, digest in verified.items()},
            resumed=resumed,
            seconds=time.perf_counter() - self._began,
        )


def _compare(source: Mapping[str, Digest], other: Mapping[str, Digest], fault: str, mend: str) -> None:
    """Refuse two sides that differ, naming the sections."""
    differ = [name for name in source if source[name] != other.get(name)]
    if differ:
        said = ", ".join(
            f"{name} ({source[name].count:,} and {other.get(name, Digest()).count:,} rows, other checksums)"
            for name in differ
        )
        raise Conflict(f"{fault}: {said}", mend)
