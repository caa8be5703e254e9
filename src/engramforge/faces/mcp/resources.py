"""Resources, by id: a memory, a decision, a thread, an archive; and the two prompts that carry a conversation on.

The same blocks as the tools give: recorded data, marked as such.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from pydantic import Field

from engramforge.faces.mcp.registry_tools import decision_block, thread_block
from engramforge.faces.mcp.tool import DATA_NOTICE, fenced
from engramforge.faces.views.memory import MemoryView
from engramforge.faces.views.registry import DecisionView, ThreadView

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server.mcpserver import MCPServer

    from engramforge.faces.mcp.calls import Calls
    from engramforge.forge import Forge

T = TypeVar("T")

_COMPRESS = """\
Prepare this conversation to be carried on in another one.

1. Store what is not stored yet: each decision with forge_decisions create (with rationale and what was rejected), each
   open matter with forge_threads create, in conversation {conversation}; close threads that are done with
   forge_threads update.
2. Call forge_archive with action compress, conversation {conversation} and mode {mode}.
3. Give me the archive's text unchanged, in one block, to paste into the next conversation."""

_CONTINUE = """\
This conversation, {conversation}, goes on from an archive.

1. Call forge_archive with action continue, conversation {conversation} and the archive's text as archive_text.
2. Go by what comes back, not by the archive: it is the state now. Tell me the differences, what has to be validated
   again and what other projects decided, in a few lines.
3. Then go on with the open threads, high priority first.

{archive}"""


def add_resources(server: MCPServer[Any], calls: Calls) -> None:
    """Register the templates of the resources."""

    @server.resource(
        "engramforge://memory/{id}", name="memory", description="A memory by its id", mime_type="text/plain"
    )
    async def memory(id: str) -> str:  # noqa: A002 - the template's name
        view = MemoryView.of(await _read(calls, lambda forge: forge.get(id)))
        head = f"{view.id} v{view.version} {view.kind} in {view.project}, true from {view.valid_at}"
        return fenced(f"{DATA_NOTICE}\n{head}", view.content)

    @server.resource(
        "engramforge://decision/{id}",
        name="decision",
        description="A decision by its id, as it stands now",
        mime_type="text/plain",
    )
    async def decision(id: str) -> str:  # noqa: A002 - the template's name
        found = await _read(calls, lambda forge: forge.decisions.get(id))
        return f"{DATA_NOTICE}\n{decision_block(DecisionView.of(found))}"

    @server.resource(
        "engramforge://thread/{id}",
        name="thread",
        description="A thread by its id, as it stands now",
        mime_type="text/plain",
    )
    async def thread(id: str) -> str:  # noqa: A002 - the template's name
        found = await _read(calls, lambda forge: forge.threads.get(id))
        return f"{DATA_NOTICE}\n{thread_block(ThreadView.of(found))}"

    @server.resource(
        "engramforge://archive/{id}",
        name="archive",
        description="The text of an archive by its id; a cache: forge_archive continue says what holds now",
        mime_type="text/markdown",
    )
    async def archive(id: str) -> str:  # noqa: A002 - the template's name
        found = await _read(calls, lambda forge: forge.archives.get(id))
        return fenced(f"{DATA_NOTICE}\n{found.id}", found.text)


async def _read(calls: Calls, work: Callable[[Forge], T]) -> T:
    """A read whose fault the client is told in words."""
    try:
        return await calls.run(work)
    except ToolError as error:
        raise ResourceError(str(error)) from error


def add_prompts(server: MCPServer[Any]) -> None:
    """Register the prompts."""

    @server.prompt(
        name="compress_this_conversation",
        title="Compress this conversation",
        description="Store what was decided and what is open, then make the archive to paste into the next one",
    )
    def compress(
        conversation: Annotated[str, Field(description="Id of this conversation")],
        mode: Annotated[str, Field(description="lossless, lossy or partial")] = "lossless",
    ) -> str:
        return _COMPRESS.format(conversation=conversation, mode=mode)

    @server.prompt(
        name="continue_from_archive",
        title="Continue from archive",
        description="Go on from an archive with the state as the registry has it now",
    )
    def go_on(
        conversation: Annotated[str, Field(description="Id of this conversation")],
        archive: Annotated[str, Field(description="The archive's text")],
    ) -> str:
        block = fenced(f"The archive. {DATA_NOTICE}", archive)
        return _CONTINUE.format(conversation=conversation, archive=block)
