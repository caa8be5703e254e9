"""The tool of links: list, create, remove. Arguments in, facade calls, answers out; nothing is decided here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field

from engramforge.errors import InvalidValue
from engramforge.faces.mcp import descriptions
from engramforge.faces.mcp.answers import DATA_NOTICE
from engramforge.faces.views.link import LinkedView, LinkView, UnlinkedView

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp.server.mcpserver import MCPServer

    from engramforge.faces.mcp.calls import Calls
    from engramforge.forge import Forge

Time = Annotated[str | None, Field(description="ISO 8601 with a zone, as 2026-05-01T09:00:00Z, or a date")]
Share = Annotated[float | None, Field(description="create: 0..1")]
Text = Annotated[str | None, Field(description="create: a text")]
Emotions = Annotated[
    dict[str, float] | None, Field(description="create: emotion -> 0..1, {} when nothing was felt")
]
Coefficient = Annotated[float | None, Field(description="create: 0..1, 0.5 when left out")]
State = Annotated[str | None, Field(description="create: in_progress (when left out), blocked or resolved")]
Details = Annotated[str | dict[str, str] | None, Field(description="create: a text, or one for each sense")]
Unknown = Annotated[dict[str, Any] | None, Field(description="create: any other fields")]
Mode = Annotated[
    str | None,
    Field(
        description="list: current (when left out), point_in_time, evolution (with a range) or full_history"
    ),
]

_LISTED: Final = frozenset(
    "relation mode as_of as_of_valid as_of_recorded recorded_since recorded_until".split()  # noqa: SIM905 - read as words
)
_CREATED: Final = frozenset(
    "energy confidence emotion_vector goal mindstate energy_transfer_coefficient resolution_state formation_trigger "  # noqa: SIM905 - read as words
    "felt_quality emotion_description body_sensation spatial_context sensory_details valid_at invalid_at "
    "recorded_at".split()
)
_OF_ACTION: Final = {
    "list": _LISTED | {"id"},
    "create": _CREATED | {"id", "target_id", "relation", "metadata"},
    "remove": frozenset({"link_id", "reason"}),
}
_NEEDED: Final = {"list": ("id",), "create": ("id", "target_id", "relation"), "remove": ("link_id",)}


class Links(BaseModel):
    """The answer of forge_links: links that were listed or written, or the one that was taken off the record."""

    notice: str
    links: list[LinkView]
    written: bool | None = None
    warnings: list[str] = []
    unlinked: UnlinkedView | None = None


def add_link_tool(server: MCPServer[Any], calls: Calls) -> None:
    """Register forge_links on a server."""

    @server.tool(
        name="forge_links",
        title="Links",
        description=descriptions.LINKS,
        annotations=ToolAnnotations(
            title="Links",
            read_only_hint=False,
            destructive_hint=False,
            idempotent_hint=False,
            open_world_hint=False,
        ),
    )
    async def forge_links(
        action: Annotated[Literal["list", "create", "remove"], Field(description="What to do")] = "list",
        id: Annotated[str | None, Field(description="list: a memory; create: the source")] = None,  # noqa: A002 - the argument's name
        target_id: Annotated[str | None, Field(description="create: the target")] = None,
        relation: Annotated[
            str | None, Field(description="Upper-case words, as CAUSES; list: only it")
        ] = None,
        link_id: Annotated[str | None, Field(description="remove: the link")] = None,
        reason: Annotated[str | None, Field(description="remove: why, without content")] = None,
        energy: Share = None,
        confidence: Share = None,
        emotion_vector: Emotions = None,
        goal: Text = None,
        mindstate: Text = None,
        energy_transfer_coefficient: Coefficient = None,
        resolution_state: State = None,
        formation_trigger: Text = None,
        felt_quality: Text = None,
        emotion_description: Text = None,
        body_sensation: Text = None,
        spatial_context: Text = None,
        sensory_details: Details = None,
        valid_at: Time = None,
        invalid_at: Time = None,
        recorded_at: Time = None,
        metadata: Unknown = None,
        mode: Mode = None,
        as_of: Time = None,
        as_of_valid: Time = None,
        as_of_recorded: Time = None,
        recorded_since: Time = None,
        recorded_until: Time = None,
    ) -> Annotated[CallToolResult, Links]:
        """List, create or remove links."""
        asked = {name: value for name, value in locals().items() if value is not None}
        for outer in ("action", "calls", "server"):
            asked.pop(outer, None)
        return _result(*await calls.run(lambda forge: act(forge, action, asked)))


def act(forge: Forge, action: str, asked: Mapping[str, Any]) -> tuple[Links, str]:
    """Do one action with the arguments that were given; its answer and the sentence before it."""
    if missing := [name for name in _NEEDED[action] if name not in asked]:
        raise InvalidValue(f"The action {action} needs {' and '.join(missing)}", "Give it with the action")
    if foreign := sorted(asked.keys() - _OF_ACTION[action]):
        raise InvalidValue(
            f"The action {action} takes no {', '.join(foreign)}", "Leave it out, or ask for another action"
        )
    if action == "list":
        options = {name: value for name, value in asked.items() if name in _LISTED}
        found = [LinkView.of(link) for link in forge.links(asked["id"], **options)]
        return Links(notice=DATA_NOTICE, links=found), f"{len(found)} links of {asked['id']}."
    if action == "remove":
        proof = UnlinkedView.of(forge.unlink(asked["link_id"], asked.get("reason", "")))
        return Links(
            notice=DATA_NOTICE, links=[], unlinked=proof
        ), f"The link {proof.link_id} is off the record."
    unknown = asked.get("metadata", {})
    if twice := sorted(unknown.keys() & {*_OF_ACTION["create"], "source_id"}):
        raise InvalidValue(f"metadata names {', '.join(twice)}", "Give each field by its own name, once")
    fields = {name: value for name, value in asked.items() if name in _CREATED}
    linked = LinkedView.of(
        forge.link(asked["id"], asked["target_id"], asked["relation"], **unknown, **fields)
    )
    answer = Links(notice=DATA_NOTICE, links=[linked.link], written=linked.written, warnings=linked.warnings)
    done = "Linked." if linked.written else "This link was there already; nothing was written."
    return answer, " ".join([done, *(f"Warning: {warning}." for warning in linked.warnings)])


def _result(answer: Links, said: str) -> CallToolResult:
    text = "\n\n".join([f"{said} {DATA_NOTICE}" if answer.links else said, *map(_block, answer.links)])
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=answer.model_dump(mode="json")
    )


def _block(link: LinkView) -> str:
    """One link as a marked block; a mark within its texts cannot end it."""
    until = f" until {link.invalid_at}" if link.invalid_at else ""
    ended = f", off the record {link.expired_at}" if link.expired_at else ""
    head = (
        f"{link.id}: {link.source_id} {link.relation} {link.target_id}, holds from {link.valid_at}{until}{ended}, "
        f"energy {link.energy:.2f}, confidence {link.confidence:.2f}"
    )
    felt = {
        "goal": link.goal,
        "mindstate": link.mindstate,
        "formation trigger": link.formation_trigger,
        "felt quality": link.felt_quality,
        "emotions": link.emotion_description,
    }
    body = "\n".join(f"{name}: {text}" for name, text in felt.items() if text)
    guarded = body.replace("<memory", "&lt;memory").replace("</memory", "&lt;/memory")
    return f"{head}\n<memory>\n{guarded}\n</memory>"
