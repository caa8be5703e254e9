"""Verbs that ask for decisions: get, search, browse, stale, history, why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engramforge.core.checks.validation import check_name, check_unit
from engramforge.forge.registries.argument_checks import (
    conversation_of,
    conversations_of,
    days_before,
    status_of,
    tags_of,
)
from engramforge.forge.scoped import Ids, ScopedVerbs
from engramforge.model.limits import RECALL_HITS
from engramforge.model.memory import Kind
from engramforge.model.registries.decision import Decision, Why
from engramforge.model.registries.entry import DecisionStatus, EntryQuery
from engramforge.model.registries.staleness import STALE_DAYS, STALE_HOPS, STALE_TIER, StaleRule
from engramforge.model.time import TimeRange
from engramforge.recall.request import Moment, moment, whole

if TYPE_CHECKING:
    from engramforge.registries.decisions.decision_reading import DecisionReading


class DecisionQuestions(ScopedVerbs):
    """Questions about decisions."""

    def get(self, id: str, *, conversation: str | None = None) -> Decision:  # noqa: A002
        """The current state of a decision, also of an ended one. Raises InvalidValue, NotFound or Conflict."""
        return self._reading.get(self._scope, id, conversation_of(conversation))

    def search(
        self,
        query: str,
        *,
        project: Ids | None = None,
        status: DecisionStatus | str | None = DecisionStatus.ACTIVE,
        tags: Ids = (),
        conversation: str | None = None,
        since: Moment = None,
        until: Moment = None,
        min_tier: float | None = None,
        limit: int = 10,
    ) -> list[Decision]:
        """Decisions by keyword and meaning, best first, each with its score.

        Parameters
        ----------
        query : a question, some words, or an id: a global id finds that decision, a local one (D001) all of that name.
        project : a project's name, several, or None for all.
        status : active, revised, superseded, invalidated; None for any.
        tags, conversation, since, until, min_tier : filters: every tag, a conversation that mentions it, became true
            in [since, until), at least this tier.
        limit : at most, up to 1,000.

        Raises InvalidTime, InvalidValue or NotFound.
        """
        from engramforge.registries.decisions.decision_reading import DecisionFilter

        span = None
        if since is not None or until is not None:
            span = TimeRange(moment(since, "since"), moment(until, "until"))
        asked = DecisionFilter(
            status=status_of(status),
            tags=tags_of(tags),
            conversation=conversation_of(conversation),
            valid_range=span,
            min_tier=None if min_tier is None else check_unit(min_tier, "min_tier"),
        )
        most = whole(limit, "limit", 1, RECALL_HITS)
        return self._reading.search(self._within(project), query, asked, most)

    def browse(
        self,
        *,
        project: Ids | None = None,
        status: DecisionStatus | str | None = None,
        conversation: str | None = None,
        local_id: str | None = None,
        tags: Ids = (),
        limit: int = 50,
        offset: int = 0,
    ) -> list[Decision]:
        """Decisions in their current state, of any status by default, newest first by when they became true."""
        query = EntryQuery(
            kind=Kind.DECISION,
            statuses=() if status is None else (str(status_of(status)),),
            conversations=conversations_of(conversation),
            local_ids=() if local_id is None else (check_name(local_id, "local_id"),),
            tags=tags_of(tags),
            ended=True,
            limit=whole(limit, "limit", 1, RECALL_HITS),
            offset=whole(offset, "offset", 0, 2**62),
        )
        return self._reading.browse(self._within(project), query)

    def stale(
        self,
        days: float = STALE_DAYS,
        max_tier: float = STALE_TIER,
        *,
        hops: int = STALE_HOPS,
        project: Ids | None = None,
        limit: int = 1000,
    ) -> list[Decision]:
        """Active decisions that need validation, the longest unvalidated first.

        `days`, `max_tier`: last validated at least this many days ago, with at most this tier; or. `hops`: carried by
        at least this many archives since it was created, revised or validated, whatever its tier.

        Raises InvalidValue or NotFound.
        """
        rule = StaleRule(
            days_before(self._stages.clock(), days),
            check_unit(max_tier, "max_tier"),
            whole(hops, "hops", 1, 2**31),
        )
        query = EntryQuery(
            kind=Kind.DECISION,
            stale=rule,
            limit=whole(limit, "limit", 1, 1_000_000),
            longest_unvalidated_first=True,
        )
        return self._reading.browse(self._within(project), query)

    def history(self, id: str, *, conversation: str | None = None) -> list[Decision]:  # noqa: A002
        """All versions of a decision, oldest first. Raises as `get`."""
        return self._reading.history(self._scope, id, conversation_of(conversation))

    def why(self, id: str, *, conversation: str | None = None) -> Why:  # noqa: A002
        """Why a decision stands, or no longer does: history, dependencies, successor, and the edges that carried it.

        Raises as `get`.
        """
        return self._reading.why(self._scope, id, conversation_of(conversation))

    @property
    def _reading(self) -> DecisionReading:
        return self._stages.decision_reading
