"""The tool of decisions. Arguments in, facade calls, answers out; nothing is decided here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from mcp_types import CallToolResult, ToolAnnotations
from pydantic import BaseModel, Field

from engramforge.faces.mcp import descriptions
from engramforge.faces.mcp.actions import Action, act, answered, arguments, fenced
from engramforge.faces.mcp.answers import DATA_NOTICE
from engramforge.faces.views.registry import DecisionView, WhyView, with_status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcp.server.mcpserver import MCPServer

    from engramforge.faces.mcp.calls import Calls
    from engramforge.forge import Forge
    from engramforge.model.registries.decision import Decision

Time = Annotated[str | None, Field(description="ISO 8601 with a zone, as 2026-05-01T09:00:00Z, or a date")]


class Decisions(BaseModel):
    """Decisions, in the order that was asked for; with `why` also the reasons of the first."""

    notice: str
    decisions: list[DecisionView]
    why: WhyView | None = None


def _found(decisions: Iterable[Decision]) -> Decisions:
    return Decisions(notice=DATA_NOTICE, decisions=DecisionView.list_of(decisions))


def _why(forge: Forge, asked: dict[str, Any]) -> Decisions:
    why = WhyView.of(forge.decisions.why(asked.pop("id"), **asked))
    return Decisions(notice=DATA_NOTICE, decisions=[why.decision], why=why)


def _validated(forge: Forge, asked: dict[str, Any]) -> Decisions:
    ids = asked.pop("ids")
    return _found(forge.decisions.validate(*ids, **asked))


_FIELDS: Final = ("rationale", "tier", "alternatives_rejected", "dependencies", "tags", "conversation")
ACTIONS: Final[dict[str, Action[Decisions]]] = {
    "search": Action(
        lambda forge, asked: _found(
            forge.decisions.search(asked.pop("query"), **with_status(asked, "active"))
        ),
        ("query",),
        ("project", "status", "tags", "conversation", "since", "until", "min_tier", "limit"),
    ),
    "list": Action(
        lambda forge, asked: _found(forge.decisions.browse(**with_status(asked, "active"))),
        (),
        ("project", "status", "conversation", "tags", "limit", "offset"),
    ),
    "create": Action(
        lambda forge, asked: _found([forge.decisions.create(asked.pop("decision"), **asked)]),
        ("decision",),
        (*_FIELDS, "project", "local_id", "valid_at"),
    ),
    "revise": Action(
        lambda forge, asked: _found([forge.decisions.revise(asked.pop("id"), **asked)]),
        ("id",),
        ("decision", *_FIELDS, "expected_version"),
    ),
    "supersede": Action(
        lambda forge, asked: _found(
            [forge.decisions.supersede(asked.pop("id"), asked.pop("decision", None), **asked)]
        ),
        ("id",),
        ("decision", "by", "at", "rationale", "tier", "conversation"),
    ),
    "invalidate": Action(
        lambda forge, asked: _found([forge.decisions.invalidate(asked.pop("id"), **asked)]),
        ("id",),
        ("reason", "at", "conversation"),
    ),
    "validate": Action(_validated, ("ids",), ("conversation",)),
    "reinstate": Action(
        lambda forge, asked: _found([forge.decisions.reinstate(asked.pop("id"), **asked)]),
        ("id",),
        ("reason", "conversation"),
    ),
    "stale": Action(
        lambda forge, asked: _found(forge.decisions.stale(**asked)),
        (),
        ("days", "max_tier", "hops", "project", "limit"),
    ),
    "history": Action(lambda forge, asked: _found(forge.decisions.history(asked["id"])), ("id",)),
    "why": Action(_why, ("id",), ("conversation",)),
}
"""Action -> what it needs, takes and does."""


def add_decisions_tool(server: MCPServer[Any], calls: Calls) -> None:
    """Register the tool."""

    @server.tool(
        name="forge_decisions",
        title="Decisions",
        description=descriptions.DECISIONS,
        annotations=ToolAnnotations(
            title="Decisions",
            read_only_hint=False,
            destructive_hint=False,
            idempotent_hint=False,
            open_world_hint=False,
        ),
    )
    async def forge_decisions(
        action: Annotated[str, Field(description=f"One of {', '.join(ACTIONS)}")] = "search",
        query: Annotated[str | None, Field(description="search: words, a question, or an id")] = None,
        id: Annotated[str | None, Field(description="dec_..., or D001 with its conversation")] = None,  # noqa: A002 - the argument's name
        ids: Annotated[list[str] | None, Field(description="validate: which still hold")] = None,
        decision: Annotated[str | None, Field(description="What was decided, in one sentence")] = None,
        rationale: Annotated[str | None, Field(description="Why")] = None,
        tier: Annotated[float | None, Field(description="How sure it is, 0..1")] = None,
        alternatives_rejected: Annotated[list[str] | None, Field(description="What was not chosen")] = None,
        dependencies: Annotated[list[str] | None, Field(description="Decisions that it builds on")] = None,
        by: Annotated[str | None, Field(description="supersede: a decision that is there already")] = None,
        reason: Annotated[str | None, Field(description="invalidate, reinstate: why")] = None,
        at: Time = None,
        project: Annotated[str | None, Field(description="Its project; all when left out")] = None,
        conversation: Annotated[str | None, Field(description="The conversation at hand")] = None,
        local_id: Annotated[str | None, Field(description="create: what the conversation calls it")] = None,
        status: Annotated[
            str | None, Field(description="active (when left out), superseded, invalidated or all")
        ] = None,
        tags: Annotated[list[str] | None, Field(description="Tags")] = None,
        valid_at: Time = None,
        since: Time = None,
        until: Time = None,
        min_tier: Annotated[float | None, Field(description="search: at least so sure")] = None,
        days: Annotated[int | None, Field(description="stale: not validated for so long, 30")] = None,
        max_tier: Annotated[float | None, Field(description="stale: of those at most so sure, 0.7")] = None,
        hops: Annotated[int | None, Field(description="stale: or carried so often, 3")] = None,
        expected_version: Annotated[int | None, Field(description="revise: refuse another")] = None,
        limit: Annotated[int | None, Field(description="The most decisions")] = None,
        offset: Annotated[int | None, Field(description="list: leave out the first")] = None,
    ) -> Annotated[CallToolResult, Decisions]:
        """Search, list, make and change decisions."""
        asked = arguments(locals())
        return _told(action, await calls.run(lambda forge: act(forge, ACTIONS, action, asked)))


def _told(action: str, answer: Decisions) -> CallToolResult:
    number = len(answer.decisions)
    head = f"{action}: {number} decision{'' if number == 1 else 's'}. {DATA_NOTICE}"
    return answered(answer, "\n\n".join([head, *map(decision_block, answer.decisions)]))


def decision_block(view: DecisionView) -> str:
    """One decision as a marked block."""
    ended = f" until {view.invalid_at}" if view.invalid_at else ""
    by = f", superseded by {view.superseded_by}" if view.superseded_by else ""
    head = (
        f"{view.id} {view.status}{by}, tier {view.epistemic_tier:.2f}, project {view.project}, holds from "
        f"{view.valid_at}{ended}, validated {view.last_validated}, {view.hops} hops"
    )
    rejected = f"\nRejected: {'; '.join(view.alternatives_rejected)}" if view.alternatives_rejected else ""
    why = f"\nRationale: {view.rationale}" if view.rationale else ""
    return fenced(head, f"{view.decision}{why}{rejected}")
