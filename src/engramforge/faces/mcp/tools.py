"""The tools: arguments in, facade calls, answers out. Nothing is decided here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from mcp_types import CallToolResult, ToolAnnotations
from pydantic import Field

from engramforge.errors import InvalidValue
from engramforge.faces.mcp import descriptions
from engramforge.faces.mcp.answers import (
    Forgot,
    Recalled,
    Remembered,
    forgot,
    recalled,
    remembered,
)
from engramforge.faces.mcp.timeline_tool import add_timeline_tool
from engramforge.faces.views.memory import MemoryView
from engramforge.faces.views.recall import RecallView
from engramforge.faces.views.store import ForgottenView

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from engramforge.faces.mcp.calls import Calls
    from engramforge.forge import Forge
    from engramforge.model.memory import Memory

Time = Annotated[str | None, Field(description="ISO 8601 with a zone, as 2026-05-01T09:00:00Z, or a date")]
Mode = Annotated[
    str | None,
    Field(
        description="current (when left out), point_in_time (with as_of), evolution (every version on record from "
        "recorded_since until recorded_until) or full_history (every version)"
    ),
]
Query = Annotated[str | None, Field(description="A question or keywords; names and dates help")]
Projects = Annotated[str | list[str] | None, Field(description="One project, several, or all when left out")]
Content = Annotated[
    str | None,
    Field(description="What to remember: one self-contained text, at most 1 MB; may be left out with images"),
]
Images = Annotated[
    list[str] | None, Field(description="Image files that belong to it: paths, or data URLs in base64")
]
Image = Annotated[
    str | None, Field(description="An image file's path or a data URL: memories with images like it")
]
SearchScope = Annotated[
    str | None, Field(description="memories (when left out), decisions, threads or lineage alone")
]
Share = Annotated[float | None, Field(description="0..1, 0.5 when left out")]

_CHANGES: Final = frozenset(
    "kind name tags metadata energy confidence epistemic_tier goal mindstate resolution_state".split()  # noqa: SIM905 - read as words
)
"""Fields that a new version of a memory may change."""
_FIELDS: Final = _CHANGES | frozenset(
    "project session_id sequence speaker level valid_at invalid_at recorded_at origin images captions".split()  # noqa: SIM905 - read as words
)
"""All fields of a new memory."""

_RECALL_HINTS: Final = ToolAnnotations(
    title="Recall", read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def add_tools(server: MCPServer[Any], calls: Calls) -> None:
    """Register the four tools on a server."""
    _add_remember(server, calls)
    _add_recall(server, calls)
    add_timeline_tool(server, calls)
    _add_forget(server, calls)


def _add_remember(server: MCPServer[Any], calls: Calls) -> None:
    @server.tool(
        name="forge_remember",
        title="Remember",
        description=descriptions.REMEMBER,
        annotations=ToolAnnotations(
            title="Remember",
            read_only_hint=False,
            destructive_hint=False,
            idempotent_hint=False,
            open_world_hint=False,
        ),
    )
    async def forge_remember(
        content: Content = None,
        project: Annotated[str | None, Field(description="The body of memories it belongs to")] = None,
        kind: Annotated[
            str | None,
            Field(
                description="note (when left out), decision, learning, message, prompt, response, action, ..."
            ),
        ] = None,
        name: Annotated[str | None, Field(description="A short name")] = None,
        session_id: Annotated[str | None, Field(description="The conversation it belongs to")] = None,
        sequence: Annotated[int | None, Field(description="Its place in the conversation")] = None,
        speaker: Annotated[str | None, Field(description="Who said it")] = None,
        level: Annotated[str | None, Field(description="personal, collective or ecosystem")] = None,
        tags: Annotated[list[str] | None, Field(description="Words to filter by later")] = None,
        metadata: Annotated[dict[str, Any] | None, Field(description="Open fields")] = None,
        valid_at: Time = None,
        invalid_at: Time = None,
        recorded_at: Time = None,
        energy: Share = None,
        confidence: Share = None,
        epistemic_tier: Share = None,
        goal: Annotated[str | None, Field(description="What it serves")] = None,
        mindstate: Annotated[str | None, Field(description="The state of mind it was formed in")] = None,
        resolution_state: Annotated[str | None, Field(description="in_progress, blocked or resolved")] = None,
        origin: Annotated[
            str | None, Field(description="A stable identity: a second one is a duplicate")
        ] = None,
        images: Annotated[
            list[str] | None,
            Field(description="Image files that belong to it: paths, or data URLs in base64"),
        ] = None,
        captions: Annotated[list[str] | None, Field(description="What each image shows, in order")] = None,
        revises: Annotated[str | None, Field(description="The id of a memory that was wrong")] = None,
        supersedes: Annotated[
            str | None, Field(description="The id of a memory that was true before")
        ] = None,
    ) -> Annotated[CallToolResult, Remembered]:
        """Remember one text."""
        asked = {name: value for name, value in locals().items() if name in _FIELDS and value is not None}
        memory = await calls.run(lambda forge: write(forge, content, revises, supersedes, asked))
        return remembered(MemoryView.of(memory))


def write(
    forge: Forge, content: str | None, revises: str | None, supersedes: str | None, asked: dict[str, Any]
) -> Memory:
    """A new memory, or a new version of one, from the fields that were given."""
    if revises is None and supersedes is None:
        return forge.remember(content, **asked)
    if revises is not None and supersedes is not None:
        raise InvalidValue(
            "Both revises and supersedes are given", "Give one: it was wrong, or the world changed"
        )
    changes = {name: value for name, value in asked.items() if name in _CHANGES}
    at = asked.pop("valid_at", None) if supersedes is not None else None
    if refused := asked.keys() - changes.keys():
        raise InvalidValue(
            f"A new version cannot change {', '.join(sorted(refused))}",
            "Leave them out, or remember a new memory without revises and supersedes",
        )
    if revises is not None:
        return forge.revise(revises, content, **changes)
    return forge.supersede(str(supersedes), content, at=at, **changes)


def _add_recall(server: MCPServer[Any], calls: Calls) -> None:
    @server.tool(
        name="forge_recall",
        title="Recall",
        description=descriptions.RECALL,
        annotations=_RECALL_HINTS,
    )
    async def forge_recall(
        query: Query = None,
        image: Image = None,
        code: Annotated[str | None, Field(description="A piece of code: memories with code like it")] = None,
        language: Annotated[str | None, Field(description="The code's language; else recognised")] = None,
        entity: Annotated[
            str | list[str] | None, Field(description="A name, or several: memories that mention one")
        ] = None,
        project: Projects = None,
        budget: Annotated[int | None, Field(description="Characters of content in all; null: no end")] = 4000,
        limit: Annotated[int | None, Field(description="The most hits")] = None,
        min_score: Annotated[float | None, Field(description="Leave out hits with less mass, 0..1")] = None,
        scope: SearchScope = None,
        kinds: Annotated[list[str] | None, Field(description="Only these kinds")] = None,
        session_id: Annotated[str | None, Field(description="Only this conversation")] = None,
        since: Time = None,
        until: Time = None,
        tags: Annotated[list[str] | None, Field(description="Only with all of these tags")] = None,
        mode: Mode = None,
        as_of: Time = None,
        as_of_valid: Time = None,
        as_of_recorded: Time = None,
        recorded_since: Time = None,
        recorded_until: Time = None,
    ) -> Annotated[CallToolResult, Recalled]:
        """Recall what bears on a question."""
        answer = await calls.run(
            lambda forge: forge.recall(
                query,
                image=image,
                code=code,
                language=language,
                entity=entity or (),
                project=project,
                budget=budget,
                limit=limit,
                min_score=min_score,
                scope=scope,
                kinds=kinds,
                session_id=session_id,
                since=since,
                until=until,
                tags=tuple(tags or ()),
                mode=mode,
                as_of=as_of,
                as_of_valid=as_of_valid,
                as_of_recorded=as_of_recorded,
                recorded_since=recorded_since,
                recorded_until=recorded_until,
            )
        )
        return recalled(RecallView.of(answer))


def _add_forget(server: MCPServer[Any], calls: Calls) -> None:
    @server.tool(
        name="forge_forget",
        title="Forget",
        description=descriptions.FORGET,
        annotations=ToolAnnotations(
            title="Forget",
            read_only_hint=False,
            destructive_hint=True,
            idempotent_hint=False,
            open_world_hint=False,
        ),
    )
    async def forge_forget(
        id: Annotated[str, Field(description="The memory; all its versions are removed")],  # noqa: A002 - the argument's name
        reason: Annotated[str, Field(description="Why; kept in the audit log, so without content")] = "",
    ) -> Annotated[CallToolResult, Forgot]:
        """Remove a memory for good."""
        proof = await calls.run(lambda forge: forge.forget(id, reason=reason))
        return forgot(ForgottenView.of(proof))
