"""Resources, by id: memory, decision, thread, topic, archive; and the two prompts that carry a conversation on.

The same blocks as the tools give: recorded data, marked as such.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from pydantic import Field

from engramforge.faces.mcp.memory_tools import memory_names
from engramforge.faces.mcp.registry_tools import decision_block, thread_block
from engramforge.faces.mcp.relation_tools import topic_block
from engramforge.faces.mcp.tool import DATA_NOTICE, block
from engramforge.faces.views.memory import MemoryView
from engramforge.faces.views.registry import DecisionView, ThreadView
from engramforge.faces.views.topic import TopicPartView, TopicView
from engramforge.model.fence import named

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from mcp.server.mcpserver import MCPServer

    from engramforge.faces.mcp.calls import Calls
    from engramforge.forge import Forge

_OF_TOPIC: Final = 20
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


def _memory(forge: Forge, id_: str) -> str:
    view = MemoryView.of(forge.get(id_))
    head = f"{named(view.id)} v{view.version} {view.kind}, true from {view.valid_at}"
    return block(f"{DATA_NOTICE}\n{head}", view.content, memory_names(view))


def _decision(forge: Forge, id_: str) -> str:
    return f"{DATA_NOTICE}\n{decision_block(DecisionView.of(forge.decisions.get(id_)))}"


def _thread(forge: Forge, id_: str) -> str:
    return f"{DATA_NOTICE}\n{thread_block(ThreadView.of(forge.threads.get(id_)))}"


def _topic(forge: Forge, id_: str) -> str:
    found = [MemoryView.of(memory) for memory, _ in forge.topics.memories(id_, limit=_OF_TOPIC)]
    parts = TopicPartView.list_of(forge.topics.parts(id_))
    return f"{DATA_NOTICE}\n{topic_block(TopicView.of(forge.topics.get(id_)), found, parts=parts)}"


def _archive(forge: Forge, id_: str) -> str:
    found = forge.archives.get(id_)
    return block(f"{DATA_NOTICE}\n{named(found.id or id_)}", found.text)


_RESOURCES: Final = {
    "memory": (_memory, "A memory by its id", "text/plain"),
    "decision": (_decision, "A decision by its id, as it stands now", "text/plain"),
    "thread": (_thread, "A thread by its id, as it stands now", "text/plain"),
    "topic": (
        _topic,
        "A topic by its id, with its parts and those of its memories that agree most",
        "text/plain",
    ),
    "archive": (
        _archive,
        "The text of an archive by its id; a cache: forge_archive continue says what holds now",
        "text/markdown",
    ),
}
"""Name -> what reads it, what it is, its type."""


def add_resources(server: MCPServer[Any], calls: Calls) -> None:
    """Register the templates of the resources."""
    for name, (read, description, media_type) in _RESOURCES.items():
        register = server.resource(
            f"engramforge://{name}/{{id}}", name=name, description=description, mime_type=media_type
        )
        register(_fetching(calls, read))


def _fetching(calls: Calls, read: Callable[[Forge, str], str]) -> Callable[[str], Awaitable[str]]:
    """What reads a resource; its fault is told the client in words."""

    async def fetch(id: str) -> str:  # noqa: A002 - the template's name
        try:
            return await calls.run(lambda forge: read(forge, id))
        except ToolError as error:
            raise ResourceError(str(error)) from error

    return fetch


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
        return _COMPRESS.format(conversation=named(conversation), mode=named(mode))

    @server.prompt(
        name="continue_from_archive",
        title="Continue from archive",
        description="Go on from an archive with the state as the registry has it now",
    )
    def go_on(
        conversation: Annotated[str, Field(description="Id of this conversation")],
        archive: Annotated[str, Field(description="The archive's text")],
    ) -> str:
        pasted = block(f"The archive. {DATA_NOTICE}", archive)
        return _CONTINUE.format(conversation=named(conversation), archive=pasted)
