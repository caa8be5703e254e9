"""Verbs that look at time itself: the history of a memory, and timelines."""

from __future__ import annotations

from typing import Final

from engramforge.core.history.beliefs import changes_of, holds_at
from engramforge.core.history.dissonance import dissonances
from engramforge.errors import InvalidTime, InvalidValue, NotFound
from engramforge.forge.parts import ForgePart, Ids
from engramforge.model.memory import Memory
from engramforge.model.search.selection import Selection
from engramforge.model.time import AsOf, TemporalMode, TimeRange
from engramforge.model.timeline import Change, Timeline
from engramforge.recall.request import AskedTimes, Moment, moment, point_of, selection_of, whole

_MOST_CHANGES: Final = 1_000


class LookingBack(ForgePart):
    """Nothing is overwritten, so everything that was can be seen."""

    def history(self, memory_id: str) -> list[Memory]:
        """Every record of a memory, closing records too, oldest first. Raises NotFound."""
        found = self._parts.door.versions(self._scope, self.get(memory_id).logical_id)
        if not found:
            raise NotFound(
                f"There is no memory {memory_id!r}", "Somebody else may have forgotten it just now"
            )
        return found

    def timeline(
        self,
        memory_id: str | None = None,
        *,
        project: Ids | None = None,
        kinds: Ids | None = None,
        session_id: str | None = None,
        tags: Ids = (),
        since: Moment = None,
        until: Moment = None,
        as_of: Moment = None,
        as_of_valid: Moment = None,
        as_of_recorded: Moment = None,
        limit: int = 50,
        offset: int = 0,
    ) -> Timeline:
        """What changed: of one memory everything, without one the versions that began or ended in a range.

        Parameters
        ----------
        memory_id : a memory, by version id or logical id: its records, its changes and its dissonances.
        project, kinds, session_id, tags : without a memory: only of these.
        since, until : only changes in [since, until) on either axis, either end open.
        as_of : of one memory: what was known then of what held then; the two axes apart as `as_of_valid` and
            `as_of_recorded`.
        limit, offset : how many changes at most, up to 1,000, and how many of the newest to pass over.

        Raises
        ------
        NotFound : there is no such memory or project.
        InvalidTime, InvalidValue : the question is not sound.
        """
        most = whole(limit, "limit", 1, _MOST_CHANGES)
        passed = whole(offset, "offset", 0, 2**62)
        span = TimeRange(moment(since, "since"), moment(until, "until"))
        point = point_of(AskedTimes(None, as_of, as_of_valid, as_of_recorded))
        selection = selection_of(kinds, session_id, tags, None, None)
        if memory_id is not None:
            if project is not None or selection != Selection():
                raise InvalidValue(
                    "A memory is given together with filters",
                    "Ask for the memory, or for what the filters select",
                )
            return self._timeline_of(memory_id, span, point, most, passed)
        if point is not None:
            raise InvalidTime(
                "A point in time is asked without a memory",
                "Name the memory; memories and recall answer for a whole project as of a time",
            )
        return self._timeline_within(project, selection, span, most, passed)

    def _timeline_of(
        self, memory_id: str, span: TimeRange, point: AsOf | None, limit: int, offset: int
    ) -> Timeline:
        records = self.history(memory_id)
        found = [change for change in changes_of(records) if _is_within(change, span)]
        filled: AsOf | None = None
        held: tuple[Memory, ...] = ()
        if point is not None:
            now = self._parts.clock()
            valid, recorded = point.valid or now, point.recorded or now
            filled = AsOf(valid, recorded)
            held = tuple(record for record in records if holds_at(record, valid, recorded))
        return Timeline(
            memory_id=records[0].logical_id,
            changes=tuple(found[offset : offset + limit]),
            versions=tuple(records),
            dissonances=tuple(dissonances(records)),
            as_of=filled,
            believed=held,
        )

    def _timeline_within(
        self, project: Ids | None, selection: Selection, span: TimeRange, limit: int, offset: int
    ) -> Timeline:
        scope = self._within(project)
        asked = Selection(
            selection.kinds, selection.session_id, selection.tags, None, TemporalMode.FULL_HISTORY, None, span
        )
        changes = self._parts.door.changes(scope, asked, limit, offset)
        # A dissonance takes both its versions, one of which may have changed outside the range.
        memories = dict.fromkeys(change.memory.logical_id for change in changes)
        records = [record for memory in memories for record in self._parts.door.versions(scope, memory)]
        changed = {change.memory.id for change in changes}
        found = [each for each in dissonances(records) if {each.original_id, each.corrected_id} & changed]
        return Timeline(None, tuple(changes), (), tuple(found))


def _is_within(change: Change, span: TimeRange) -> bool:
    """Whether a change lies in a half-open range."""
    return (span.start is None or span.start <= change.at) and (span.end is None or change.at < span.end)
