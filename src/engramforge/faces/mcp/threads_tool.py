"""The tool of threads. Arguments in, facade calls, answers out; nothing is decided here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from mcp_types import CallToolResult, ToolAnnotations
from pydantic import BaseModel, Field

from engramforge.faces.mcp import descriptions
from engramforge.faces.mcp.actions import Action, act, answered, arguments, fenced
from engramforge.faces.mcp.answers import DATA_NOTICE
from engramforge.faces.views.registry import ThreadView, with_status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcp.server.mcpserver import MCPServer

    from engramforge.faces.mcp.calls import Calls
    from engramforge.model.registries.thread import Thread

Time = Annotated[str | None, Field(description="ISO 8601 with a zone, as 2026-05-01T09:00:00Z, or a date")]


class Threads(BaseModel):
    """Threads, in the order that was asked for."""

    notice: str
    threads: list[ThreadView]


def _found(threads: Iterable[Thread]) -> Threads:
    return Threads(notice=DATA_NOTICE, threads=ThreadView.list_of(threads))


_FIELDS: Final = ("content", "priority", "blocked_by", "tags", "conversation")
ACTIONS: Final[dict[str, Action[Threads]]] = {
    "active": Action(lambda forge, asked: _found(forge.threads.active(**asked)), (), ("project", "limit")),
    "search": Action(
        lambda forge, asked: _found(forge.threads.search(asked.pop("query"), **with_status(asked, "open"))),
        ("query",),
        ("project", "status", "tags", "conversation", "since", "until", "limit"),
    ),
    "list": Action(
        lambda forge, asked: _found(forge.threads.browse(**with_status(asked, "open"))),
        (),
        ("project", "status", "conversation", "tags", "limit", "offset"),
    ),
    "create": Action(
        lambda forge, asked: _found([forge.threads.create(asked.pop("title"), **asked)]),
        ("title",),
        (*_FIELDS, "project", "local_id", "valid_at"),
    ),
    "update": Action(
        lambda forge, asked: _found([forge.threads.update(asked.pop("id"), **asked)]),
        ("id",),
        ("status", "resolution", "title", *_FIELDS, "at", "expected_version"),
    ),
    "get": Action(
        lambda forge, asked: _found([forge.threads.get(asked.pop("id"), **asked)]), ("id",), ("conversation",)
    ),
    "history": Action(lambda forge, asked: _found(forge.threads.history(asked["id"])), ("id",)),
}
"""Action -> what it needs, takes and does."""


def add_threads_tool(server: MCPServer[Any], calls: Calls) -> None:
    """Register the tool."""

    @server.tool(
        name="forge_threads",
        title="Threads",
        description=descriptions.THREADS,
        annotations=ToolAnnotations(
            title="Threads",
            read_only_hint=False,
            destructive_hint=False,
            idempotent_hint=False,
            open_world_hint=False,
        ),
    )
    async def forge_threads(
        action: Annotated[str, Field(description=f"One of {', '.join(ACTIONS)}")] = "active",
        query: Annotated[str | None, Field(description="search: words, a question, or an id")] = None,
        id: Annotated[str | None, Field(description="thr_..., or T001 with its conversation")] = None,  # noqa: A002 - the argument's name
        title: Annotated[str | None, Field(description="What is open, in short")] = None,
        content: Annotated[str | None, Field(description="The same in full")] = None,
        status: Annotated[
            str | None,
            Field(description="open, resolved, superseded or abandoned; to search and list also all"),
        ] = None,
        resolution: Annotated[str | None, Field(description="update: how it was closed")] = None,
        priority: Annotated[str | None, Field(description="high, medium or low")] = None,
        blocked_by: Annotated[list[str] | None, Field(description="The threads that it waits for")] = None,
        project: Annotated[str | None, Field(description="Its project; all when left out")] = None,
        conversation: Annotated[str | None, Field(description="The conversation at hand")] = None,
        local_id: Annotated[str | None, Field(description="create: what the conversation calls it")] = None,
        tags: Annotated[list[str] | None, Field(description="Tags")] = None,
        at: Time = None,
        valid_at: Time = None,
        since: Time = None,
        until: Time = None,
        expected_version: Annotated[int | None, Field(description="update: refuse another")] = None,
        limit: Annotated[int | None, Field(description="The most threads")] = None,
        offset: Annotated[int | None, Field(description="list: leave out the first")] = None,
    ) -> Annotated[CallToolResult, Threads]:
        """List, search, open and close threads."""
        asked = arguments(locals())
        return _told(action, await calls.run(lambda forge: act(forge, ACTIONS, action, asked)))


def _told(action: str, answer: Threads) -> CallToolResult:
    number = len(answer.threads)
    head = f"{action}: {number} thread{'' if number == 1 else 's'}. {DATA_NOTICE}"
    return answered(answer, "\n\n".join([head, *map(thread_block, answer.threads)]))


def thread_block(view: ThreadView) -> str:
    """One thread as a marked block."""
    waits = ", ".join(f"{each.id} ({each.status})" for each in view.blocked_by)
    blocked = f", blocked by {waits}" if waits else ""
    head = f"{view.id} {view.status}{blocked}, {view.priority}, project {view.project}, open since {view.opened_at}"
    content = f"\n{view.content}" if view.content and view.content != view.title else ""
    closed = f"\nResolution: {view.resolution}" if view.resolution else ""
    return fenced(head, f"{view.title}{content}{closed}")
