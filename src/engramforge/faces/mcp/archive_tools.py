"""The tools of archives and of context."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel

from engramforge.faces.arguments import ARCHIVE, CONTEXT
from engramforge.faces.mcp import descriptions
from engramforge.faces.mcp.tool import DATA_NOTICE, Actions, Answered, Tool, block
from engramforge.faces.views.archive import ArchiveView, ContextView, ContinuationView
from engramforge.faces.views.shape import numbered
from engramforge.forge.archives import ArchiveVerbs
from engramforge.model.fence import CONTEXT_NOTICE, guarded, named

if TYPE_CHECKING:
    from engramforge.forge import Forge

_ARCHIVES: Final = Actions(
    {"compress": ArchiveVerbs.compress, "continue": ArchiveVerbs.continue_from}, namespace="archives"
)


class Archives(BaseModel):
    """An archive that was made, or the state with which a conversation goes on."""

    notice: str
    archive: ArchiveView | None = None
    continuation: ContinuationView | None = None


class Context(BaseModel):
    """Context for a question."""

    notice: str
    context: ContextView


def _carry(forge: Forge, asked: dict[str, Any]) -> Answered:
    action = asked.pop("action")
    found = _ARCHIVES.do(forge, action, asked)
    if action == "compress":
        made = ArchiveView.of(found)
        said = f"Compressed {named(made.edge.source_conversation_id)} as {named(made.edge.id)}."
        said = " ".join([said, *(f"Warning: {guarded(warning)}." for warning in made.warnings)])
        return Archives(notice=DATA_NOTICE, archive=made), block(f"{said} {DATA_NOTICE}", made.text)
    state = ContinuationView.of(found)
    said = (
        f"{named(state.edge.target_conversation_id or 'It')} goes on from {named(state.edge.source_conversation_id)}: "
        f"{numbered(len(state.decisions), 'decision')}, {numbered(len(state.threads), 'thread')}, "
        f"{numbered(len(state.differences), 'difference')}, {numbered(len(state.problems), 'problem')}."
    )
    return Archives(notice=DATA_NOTICE, continuation=state), block(f"{said} {DATA_NOTICE}", state.text)


def _load(forge: Forge, asked: dict[str, Any]) -> Answered:
    view = ContextView.of(forge.context_load(**asked))
    left = f" {view.left_out} more found no room." if view.left_out else ""
    # The text has marks of its own, which a prompt that it is put into needs as well.
    note = f" {guarded(view.note)}" * bool(view.note)
    text = (
        f"Context.{note}{left}\n{view.text}" if view.text else f"Context: nothing relevant was found.{note}"
    )
    return Context(notice=CONTEXT_NOTICE, context=view), text


TOOLS: Final = (
    Tool("forge_archive", descriptions.ARCHIVE, _ARCHIVES.with_arguments(ARCHIVE), Archives, _carry),
    Tool("forge_context", descriptions.CONTEXT, CONTEXT, Context, _load, reads=True),
)
