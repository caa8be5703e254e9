"""The tool that looks at time: versions, dissonances, changes, as-of. Arguments in, facade calls, answers out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from mcp_types import CallToolResult, ToolAnnotations
from pydantic import Field

from engramforge.faces.mcp import descriptions
from engramforge.faces.mcp.answers import Timeline, timeline
from engramforge.faces.views.embeddings import EmbeddingsView
from engramforge.faces.views.memory import MemoryView
from engramforge.faces.views.timeline import TimelineView

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from engramforge.faces.mcp.calls import Calls
    from engramforge.faces.views.embeddings import EmbeddingsView
    from engramforge.faces.views.memory import MemoryView
    from engramforge.forge import Forge

Time = Annotated[str | None, Field(description="ISO 8601 with a zone, as 2026-05-01T09:00:00Z, or a date")]

Look = tuple[str, "list[MemoryView]", "TimelineView | None", "EmbeddingsView | None"]


def add_timeline_tool(server: MCPServer[Any], calls: Calls) -> None:
    """Register forge_timeline on a server."""

    @server.tool(
        name="forge_timeline",
        title="Timeline",
        description=descriptions.TIMELINE,
        annotations=ToolAnnotations(
            title="Timeline",
            read_only_hint=True,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=False,
        ),
    )
    async def forge_timeline(
        id: Annotated[str | None, Field(description="A memory: all its versions")] = None,  # noqa: A002 - the argument's name
        as_of: Time = None,
        as_of_valid: Time = None,
        as_of_recorded: Time = None,
        project: Annotated[str | None, Field(description="Without id: only this project")] = None,
        kinds: Annotated[list[str] | None, Field(description="Without id: only these kinds")] = None,
        session_id: Annotated[str | None, Field(description="Without id: only this conversation")] = None,
        tags: Annotated[
            list[str] | None, Field(description="Without id: only with all of these tags")
        ] = None,
        since: Time = None,
        until: Time = None,
        changes: Annotated[
            bool,
            Field(description="Without id: what began or ended in the range, not the memories themselves"),
        ] = False,
        embeddings: Annotated[
            bool, Field(description="With id: what each space makes of it, and how surprising it is")
        ] = False,
        limit: Annotated[int, Field(description="The most memories, or changes")] = 20,
        offset: Annotated[int, Field(description="How many of the newest to pass over")] = 0,
    ) -> Annotated[CallToolResult, Timeline]:
        """Memories and changes in the order of time."""
        points = {"as_of": as_of, "as_of_valid": as_of_valid, "as_of_recorded": as_of_recorded}
        filters = {"project": project, "kinds": kinds, "session_id": session_id, "tags": tuple(tags or ())}
        page = {"since": since, "until": until, "limit": limit, "offset": offset}

        def look(forge: Forge) -> Look:
            if id is None and not changes:
                found = forge.memories(**filters, **page, **points)  # type: ignore[arg-type]
                return "Memories, the newest first", MemoryView.list_of(found), None, None
            seen = TimelineView.of(forge.timeline(id, **filters, **page, **points))  # type: ignore[arg-type]
            if id is None:
                return "Changes, the newest first", [], seen, None
            spaces = EmbeddingsView.of(forge.embeddings(id)) if embeddings else None
            if seen.as_of_valid is None:
                return "Versions, the oldest first", seen.versions, seen, spaces
            what = f"Versions that held at {seen.as_of_valid} as known at {seen.as_of_recorded}"
            return what, seen.believed, seen, spaces

        return timeline(*(await calls.run(look)))
