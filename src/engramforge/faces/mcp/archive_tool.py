"""The tools of archives and of context. Arguments in, facade calls, answers out; nothing is decided here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from mcp_types import CallToolResult, ToolAnnotations
from pydantic import BaseModel, Field

from engramforge.faces.mcp import descriptions
from engramforge.faces.mcp.actions import Action, act, answered, arguments, fenced
from engramforge.faces.mcp.answers import DATA_NOTICE
from engramforge.faces.views.archive import ArchiveView, ContextView, ContinuationView

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from engramforge.faces.mcp.calls import Calls
    from engramforge.forge import Forge


class Archives(BaseModel):
    """An archive that was made, or the state with which a conversation goes on."""

    notice: str
    archive: ArchiveView | None = None
    continuation: ContinuationView | None = None


class Context(BaseModel):
    """Context for a question."""

    notice: str
    context: ContextView


def _compressed(forge: Forge, asked: dict[str, Any]) -> Archives:
    made = forge.archives.compress(asked.pop("conversation"), **asked)
    return Archives(notice=DATA_NOTICE, archive=ArchiveView.of(made))


def _continued(forge: Forge, asked: dict[str, Any]) -> Archives:
    found = forge.archives.continue_from(asked.pop("archive_text"), asked.pop("conversation"), **asked)
    return Archives(notice=DATA_NOTICE, continuation=ContinuationView.of(found))


ACTIONS: Final[dict[str, Action[Archives]]] = {
    "compress": Action(
        _compressed, ("conversation",), ("mode", "context", "tag", "size", "turn_range", "project")
    ),
    "continue": Action(_continued, ("archive_text", "conversation"), ("project",)),
}
"""Action -> what it needs, takes and does."""


def add_archive_tools(server: MCPServer[Any], calls: Calls) -> None:
    """Register forge_archive and forge_context."""
    _add_archive(server, calls)
    _add_context(server, calls)


def _add_archive(server: MCPServer[Any], calls: Calls) -> None:
    @server.tool(
        name="forge_archive",
        title="Archive",
        description=descriptions.ARCHIVE,
        annotations=ToolAnnotations(
            title="Archive",
            read_only_hint=False,
            destructive_hint=False,
            idempotent_hint=False,
            open_world_hint=False,
        ),
    )
    async def forge_archive(
        action: Annotated[str, Field(description=f"One of {', '.join(ACTIONS)}")],
        conversation: Annotated[
            str | None, Field(description="The conversation to compress, or the one that goes on")
        ] = None,
        archive_text: Annotated[
            str | None, Field(description="continue: the archive as it was given")
        ] = None,
        mode: Annotated[
            str | None, Field(description="compress: lossless (when left out), lossy or partial")
        ] = None,
        context: Annotated[
            str | None, Field(description="compress, partial: what comes next is about")
        ] = None,
        tag: Annotated[str | None, Field(description="compress: a name for it")] = None,
        size: Annotated[int | None, Field(description="compress, lossy: at most so many characters")] = None,
        turn_range: Annotated[list[int] | None, Field(description="compress: first and last turn")] = None,
        project: Annotated[str | None, Field(description="The conversation's project")] = None,
    ) -> Annotated[CallToolResult, Archives]:
        """Compress a conversation, or go on from an archive."""
        asked = arguments(locals())
        return _told(await calls.run(lambda forge: act(forge, ACTIONS, action, asked)))


def _add_context(server: MCPServer[Any], calls: Calls) -> None:
    @server.tool(
        name="forge_context",
        title="Context",
        description=descriptions.CONTEXT,
        annotations=ToolAnnotations(
            title="Context",
            read_only_hint=True,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=False,
        ),
    )
    async def forge_context(
        query: Annotated[str, Field(description="What is at hand: a question, a task, some words")],
        project: Annotated[str | None, Field(description="The project at hand; all when left out")] = None,
        include_threads: Annotated[bool, Field(description="Open threads too")] = True,
        include_decisions: Annotated[bool, Field(description="Active decisions too")] = True,
        cross_project: Annotated[bool, Field(description="Look into the other projects, too")] = False,
        budget: Annotated[int | None, Field(description="The most characters")] = None,
    ) -> Annotated[CallToolResult, Context]:
        """Load context for a question."""
        options = {} if budget is None else {"budget": budget}
        found = await calls.run(
            lambda forge: forge.context_load(
                query,
                project,
                include_threads=include_threads,
                include_decisions=include_decisions,
                cross_project=cross_project,
                **options,
            )
        )
        view = ContextView.of(found)
        left = f" {view.left_out} more found no room." if view.left_out else ""
        text = fenced(f"Context. {DATA_NOTICE}{left}", view.text)
        return answered(Context(notice=DATA_NOTICE, context=view), text)


def _told(answer: Archives) -> CallToolResult:
    if answer.archive is not None:
        made = answer.archive
        said = f"Compressed {made.edge.source_conversation_id} as {made.edge.id}."
        said = " ".join([said, *(f"Warning: {warning}." for warning in made.warnings)])
        return answered(answer, fenced(f"{said} {DATA_NOTICE}", made.text))
    found = answer.continuation
    assert found is not None
    said = (
        f"{found.edge.target_conversation_id} goes on from {found.edge.source_conversation_id}: "
        f"{len(found.decisions)} decisions, {len(found.threads)} threads, {len(found.differences)} differences, "
        f"{len(found.problems)} problems."
    )
    return answered(answer, fenced(f"{said} {DATA_NOTICE}", found.text))
