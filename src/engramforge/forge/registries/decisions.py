"""Verbs of the registry of decisions, as `forge.decisions`: texts and times in, decisions out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engramforge.core.checks.validation import check_unit, check_word
from engramforge.errors import InvalidValue
from engramforge.forge.registries.argument_checks import (
    alternatives_of,
    conversation_of,
    conversations_of,
    days_before,
    listing_of,
    local_id_of,
    names_of,
    rationale_of,
    statuses_of,
    tags_of,
)
from engramforge.forge.scoped import Ids, ScopedVerbs
from engramforge.model.limits import RECALL_HITS
from engramforge.model.memory import DEFAULT_PROJECT, Draft, Kind
from engramforge.model.registries.decision import Decision, Why
from engramforge.model.registries.entry import (
    REJECTED,
    STALE_DAYS,
    STALE_HOPS,
    STALE_TIER,
    DecisionStatus,
    EntryQuery,
    StaleRule,
)
from engramforge.model.scope import Level
from engramforge.recall.request import Moment, moment, selection_of, whole


class DecisionVerbs(ScopedVerbs, relating=("create", "revise", "supersede", "invalidate", "reinstate")):
    """The decisions of a memory.

    A decision is named by its global id (dec_...), by an id of its memory, or by its local id (D001), with a
    `conversation` that mentions it where several have that. A verb's conversation is also the one in which the change
    happened.
    """

    def create(
        self,
        decision: str,
        *,
        rationale: str = "",
        tier: float = 0.5,
        project: str = DEFAULT_PROJECT,
        conversation: str | None = None,
        local_id: str | None = None,
        dependencies: Ids = (),
        alternatives_rejected: Ids = (),
        tags: Ids = (),
        valid_at: Moment = None,
        recorded_at: Moment = None,
        level: Level | str = Level.PERSONAL,
        confidence: float = 0.5,
        near: bool = True,
    ) -> Decision:
        """Write a decision; when this returns it is durable, and found by its words, rationale and alternatives.

        Parameters
        ----------
        decision, rationale : what was decided, and why. Secrets are redacted before anything is stored.
        tier, confidence : how certain it is, and how certain that it was decided at all; 0..1.
        conversation, local_id : where it was made, and its name there (D001), which needs the conversation.
        dependencies, alternatives_rejected : decisions that it builds on; what was not chosen, a text each.
        valid_at, recorded_at : when it began to hold, and for imported history when it was recorded; default now.
        near : whether the answer's `contradicts` says what stands against it.

        Raises InvalidContent, InvalidTime, InvalidValue, NotFound: nothing was changed.
        """
        draft = _draft(
            decision,
            rationale=rationale,
            tier=tier,
            conversation=conversation,
            local_id=local_id,
            alternatives_rejected=alternatives_rejected,
            tags=tags,
            project=project,
            valid_at=moment(valid_at, "valid_at"),
            recorded_at=moment(recorded_at, "recorded_at"),
            level=check_word(Level, level, "level"),
            confidence=check_unit(confidence, "confidence"),
        )
        bases = names_of(dependencies, "dependency")
        made = self._stages.decisions.create
        if not near:
            return made(self._scope, draft, bases)
        from engramforge.answer.conflicts.standing_against import standing_against

        rejected, detection = alternatives_of(alternatives_rejected), self._stages.conflict_detection
        against = standing_against(detection, self._scope, decision, rejected, tier, draft.project)
        return replace(made(self._scope, draft, bases), contradicts=against)

    def revise(
        self,
        id: str,  # noqa: A002 - the word a user expects
        decision: str | None = None,
        *,
        rationale: str | None = None,
        tier: float | None = None,
        alternatives_rejected: Ids | None = None,
        dependencies: Ids | None = None,
        tags: Ids | None = None,
        conversation: str | None = None,
        expected_version: int | None = None,
        recorded_at: Moment = None,
    ) -> Decision:
        """Change a decision: the id stays, the old version becomes revised, the new one active with 0 hops.

        `decision`, `rationale`, `tier`, `alternatives_rejected`, `dependencies`, `tags`: omitted ones stay; an empty
        text or list removes. `expected_version`: refuse if somebody else has revised it since. `recorded_at`: for
        imported history, when the change was recorded.

        Raises Conflict: it has ended (revise its successor, or reinstate it), or somebody changed it first;
        InvalidContent, InvalidTime, InvalidValue, NotFound: nothing was changed.
        """
        from engramforge.registries.decisions.decision_revision import Revised

        changes = Revised(
            decision=decision,
            rationale=None if rationale is None else rationale_of(rationale),
            tier=None if tier is None else check_unit(tier, "tier"),
            alternatives_rejected=None
            if alternatives_rejected is None
            else alternatives_of(alternatives_rejected),
            dependencies=None if dependencies is None else names_of(dependencies, "dependency"),
            tags=None if tags is None else tags_of(tags),
        )
        return self._stages.decisions.revise(
            self._scope,
            id,
            changes,
            conversation=conversation_of(conversation),
            expected_version=expected_version,
            recorded_at=moment(recorded_at, "recorded_at"),
        )

    def supersede(
        self,
        id: str,  # noqa: A002
        decision: str | None = None,
        *,
        by: str | None = None,
        rationale: str = "",
        tier: float = 0.5,
        local_id: str | None = None,
        dependencies: Ids = (),
        alternatives_rejected: Ids = (),
        tags: Ids = (),
        at: Moment = None,
        conversation: str | None = None,
        expected_version: int | None = None,
    ) -> Decision:
        """Close a decision in favour of another, and link the two.

        `decision`: the text of a new decision, whose project and level are those of the old one, with its other fields
        as in `create`. `by`: instead, an existing active decision. `at`: from when on; default now, not in the future.

        Returns the successor. Raises as `revise`.
        """
        where, when = conversation_of(conversation), moment(at, "the time of change")
        given = (rationale, local_id, dependencies, alternatives_rejected, tags)
        successor: Draft | str = _existing(decision, by, any(given) or tier != 0.5)
        if decision is not None:
            successor = _draft(
                decision,
                rationale=rationale,
                tier=tier,
                conversation=where,
                local_id=local_id,
                alternatives_rejected=alternatives_rejected,
                tags=tags,
            )
        return self._stages.decisions.supersede(
            self._scope,
            id,
            successor,
            names_of(dependencies, "dependency"),
            at=when,
            conversation=where,
            expected_version=expected_version,
        )

    def invalidate(
        self,
        id: str,  # noqa: A002
        *,
        reason: str = "",
        at: Moment = None,
        conversation: str | None = None,
        expected_version: int | None = None,
    ) -> Decision:
        """A decision no longer holds, and has no successor.

        `reason`: kept in the audit log, so it must not contain content; up to 200 characters. `at`: from when on;
        default now, not in the future.

        Raises as `revise`.
        """
        said, redacted = self._reason(reason)
        ended = self._stages.decisions.invalidate(
            self._scope,
            id,
            reason=said,
            at=moment(at, "the time of the end"),
            conversation=conversation_of(conversation),
            expected_version=expected_version,
        )
        return replace(ended, redacted=redacted)

    def validate(
        self, *ids: str, conversation: str | None = None, project: Ids | None = None
    ) -> list[Decision]:
        """These decisions still hold: they count as validated now, with 0 hops. All of them, or none.

        `project`: whose D001 it is, where several have one.

        Raises Conflict: any of them has ended; InvalidValue, NotFound: nothing was changed.
        """
        found = ids if project is None else [self._found(each, conversation, project) for each in ids]
        return self._stages.decisions.validate(self._scope, found, conversation_of(conversation))

    def _found(self, named: str, conversation: str | None, project: Ids) -> str:
        """The logical id of a decision of a project. Raises as `get`."""
        reading, asked = self._stages.decision_reading, conversation_of(conversation)
        return reading.find(self._within(project), named, asked).logical_id

    def reinstate(self, id: str, *, reason: str = "", conversation: str | None = None) -> Decision:  # noqa: A002
        """Make an ended decision active again, as a new version from now on. Its successor is not changed.

        `reason` as in `invalidate`. Raises Conflict if it is active; InvalidValue, NotFound.
        """
        said, redacted = self._reason(reason)
        active = self._stages.decisions.reinstate(
            self._scope, id, reason=said, conversation=conversation_of(conversation)
        )
        return replace(active, redacted=redacted)

    def get(self, id: str, *, conversation: str | None = None) -> Decision:  # noqa: A002
        """The current state of a decision, also of an ended one. Raises InvalidValue, NotFound or Conflict."""
        return self._stages.decision_reading.get(self._scope, id, conversation_of(conversation))

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
        status : active, revised, superseded, invalidated; None for any.
        tags, conversation, since, until, min_tier : filters: every tag, a conversation that mentions it, became true
            in [since, until), at least this tier.
        limit : up to 1,000.

        Raises InvalidTime, InvalidValue or NotFound.
        """
        asked = replace(
            selection_of(None, None, tags_of(tags), since, until, now=self._stages.clock()),
            conversations=conversations_of(conversation),
            min_tier=None if min_tier is None else check_unit(min_tier, "min_tier"),
        )
        most = whole(limit, "limit", 1, RECALL_HITS)
        wanted = None if status is None else check_word(DecisionStatus, status, "status")
        return self._stages.decision_reading.search(self._within(project), query, asked, wanted, most)

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
        """Decisions in their current state, of any status by default, newest first by when they became true.

        Of the active ones without those that only reject something, which hold, but of which nothing is to be done;
        the tag `rejected` asks for them.
        """
        statuses = statuses_of(DecisionStatus, status)
        query = listing_of(Kind.DECISION, statuses, conversation, local_id, tags, limit, offset)
        if statuses == (DecisionStatus.ACTIVE,) and REJECTED not in query.tags:
            query = replace(query, without_tags=(REJECTED,))
        return self._stages.decision_reading.browse(self._within(project), query)

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
        return self._stages.decision_reading.browse(self._within(project), query)

    def history(self, id: str, *, conversation: str | None = None) -> list[Decision]:  # noqa: A002
        """All versions of a decision, oldest first. Raises as `get`."""
        return self._stages.decision_reading.history(self._scope, id, conversation_of(conversation))

    def why(self, id: str, *, conversation: str | None = None, project: Ids | None = None) -> Why:  # noqa: A002
        """Why a decision stands, or no longer does: history, dependencies, successor, and the edges that carried it.

        `project`: whose D001 it is, where several have one. Raises as `get`.
        """
        named = id if project is None else self._found(id, conversation, project)
        return self._stages.decision_reading.why(self._scope, named, conversation_of(conversation))


def _existing(decision: str | None, by: str | None, has_fields: bool) -> str:
    """The id of the existing decision that is the successor; empty if it is a new one. Raises InvalidValue."""
    if (decision is None) is (by is None):
        raise InvalidValue(
            "Either a new decision or an existing one takes its place", "Give its text, or `by` its id"
        )
    if decision is None and has_fields:
        raise InvalidValue(
            "An existing decision takes its place, and fields of a new one are given",
            "Leave them out; revise changes the existing one",
        )
    return "" if by is None else by


def _draft(
    decision: str,
    *,
    rationale: str,
    tier: float,
    conversation: str | None,
    local_id: str | None,
    alternatives_rejected: Ids,
    tags: Ids,
    **fields: Any,
) -> Draft:
    """The draft of a decision, with its registry fields checked."""
    from engramforge.registries.decisions.decision_view import decision_draft

    return decision_draft(
        decision,
        rationale=rationale_of(rationale),
        alternatives_rejected=alternatives_of(alternatives_rejected),
        conversation=conversation_of(conversation),
        local_id=local_id_of(local_id, Kind.DECISION, conversation),
        epistemic_tier=check_unit(tier, "tier"),
        tags=tags_of(tags),
        **fields,
    )
