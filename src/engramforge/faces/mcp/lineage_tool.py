"""The tool of lineage. Arguments in, facade calls, answers out; nothing is decided here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from mcp_types import CallToolResult, ToolAnnotations
from pydantic import BaseModel, Field

from engramforge.faces.mcp import descriptions
from engramforge.faces.mcp.actions import Action, act, answered, arguments, fenced
from engramforge.faces.mcp.answers import DATA_NOTICE
from engramforge.faces.views.registry import BridgeView, LineageEdgeView

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcp.server.mcpserver import MCPServer

    from engramforge.faces.mcp.calls import Calls
    from engramforge.forge import Forge
    from engramforge.model.registries.lineage import LineageEdge

Ids = Annotated[list[str] | None, Field(description="link: global ids")]


class Lineage(BaseModel):
    """Edges of a lineage, the oldest ancestor first; with `bridge` what changed between two conversations."""

    notice: str
    edges: list[LineageEdgeView]
    bridge: BridgeView | None = None


def _found(edges: Iterable[LineageEdge]) -> Lineage:
    return Lineage(notice=DATA_NOTICE, edges=LineageEdgeView.list_of(edges))


def _bridge(forge: Forge, asked: dict[str, Any]) -> Lineage:
    found = BridgeView.of(forge.lineage.bridge(asked["source"], asked["target"]))
    return Lineage(notice=DATA_NOTICE, edges=found.edges, bridge=found)


ACTIONS: Final[dict[str, Action[Lineage]]] = {
    "trace": Action(
        lambda forge, asked: _found(forge.lineage.trace(asked.pop("conversation"), **asked)),
        ("conversation",),
        ("direction", "limit"),
    ),
    "bridge": Action(_bridge, ("source", "target")),
    "search": Action(
        lambda forge, asked: _found(forge.lineage.search(asked.pop("query"), **asked)),
        ("query",),
        ("project", "limit"),
    ),
    "list": Action(lambda forge, asked: _found(forge.lineage.browse(**asked)), (), ("project", "limit")),
    "link": Action(
        lambda forge, asked: _found(
            [forge.lineage.link(asked.pop("source"), asked.pop("target", None), **asked)]
        ),
        ("source",),
        (
            "target",
            "tag",
            "mode",
            "turn_range",
            "decisions_carried",
            "decisions_dropped",
            "threads_carried",
            "threads_resolved",
            "bridge_summary",
            "project",
        ),
    ),
}
"""Action -> what it needs, takes and does."""


def add_lineage_tool(server: MCPServer[Any], calls: Calls) -> None:
    """Register the tool."""

    @server.tool(
        name="forge_lineage",
        title="Lineage",
        description=descriptions.LINEAGE,
        annotations=ToolAnnotations(
            title="Lineage",
            read_only_hint=False,
            destructive_hint=False,
            idempotent_hint=False,
            open_world_hint=False,
        ),
    )
    async def forge_lineage(
        action: Annotated[str, Field(description=f"One of {', '.join(ACTIONS)}")] = "trace",
        conversation: Annotated[str | None, Field(description="trace: the conversation")] = None,
        direction: Annotated[str | None, Field(description="trace: ancestors, descendants or both")] = None,
        source: Annotated[str | None, Field(description="The conversation that was compressed")] = None,
        target: Annotated[str | None, Field(description="The conversation that goes on")] = None,
        query: Annotated[str | None, Field(description="search: a tag, or what changed")] = None,
        tag: Annotated[str | None, Field(description="link: a name for the compression")] = None,
        mode: Annotated[str | None, Field(description="link: lossless, lossy or partial")] = None,
        turn_range: Annotated[list[int] | None, Field(description="link: first and last turn")] = None,
        decisions_carried: Ids = None,
        decisions_dropped: Ids = None,
        threads_carried: Ids = None,
        threads_resolved: Ids = None,
        bridge_summary: Annotated[str | None, Field(description="link: what changed, in words")] = None,
        project: Annotated[str | None, Field(description="Its project; all when left out")] = None,
        limit: Annotated[int | None, Field(description="The most edges")] = None,
    ) -> Annotated[CallToolResult, Lineage]:
        """Trace a chain of conversations, see what changed between two of them, record that one goes on."""
        asked = arguments(locals())
        return _told(action, await calls.run(lambda forge: act(forge, ACTIONS, action, asked)))


def _told(action: str, answer: Lineage) -> CallToolResult:
    number = len(answer.edges)
    blocks = [f"{action}: {number} edge{'' if number == 1 else 's'}. {DATA_NOTICE}"]
    blocks += [_block(edge) for edge in answer.edges]
    if answer.bridge is not None:
        blocks.append(fenced("What changed:", answer.bridge.summary))
    return answered(answer, "\n\n".join(blocks))


def _block(view: LineageEdgeView) -> str:
    head = (
        f"{view.id}: {view.source_conversation_id} -> {view.target_conversation_id or '(nobody yet)'}, "
        f"{view.compression_mode} at {view.compressed_at}, {len(view.decisions_carried)} decisions and "
        f"{len(view.threads_carried)} threads carried"
    )
    return fenced(head, "\n".join(filter(None, (view.compression_tag, view.bridge_summary))))
