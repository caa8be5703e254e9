"""MCP servers within the test process: built once, for the store that a test is about.

The schemas of all tools take a third of a second to build, and are the same for every store.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from mcp import Client
from mcp.server.mcpserver import MCPServer

from engramforge.faces.mcp.calls import DEADLINE_S, Calls
from engramforge.faces.mcp.server import build_server
from engramforge.forge import Forge

T = TypeVar("T")


class _Lent(Calls):
    """Calls on whichever store is being served."""

    def __init__(self) -> None:
        super().__init__(None, None)
        self.served: Calls | None = None

    async def run(self, work: Callable[[Forge], T]) -> T:
        """Run `work` on the store that is served now."""
        assert self.served is not None
        return await self.served.run(work)


@lru_cache(maxsize=1)
def _built() -> tuple[_Lent, MCPServer[Any]]:
    lent = _Lent()
    return lent, build_server(lent)


@contextmanager
def serving(
    store: Path | str, deadline_s: float = DEADLINE_S, agent: str | None = None
) -> Iterator[MCPServer[Any]]:
    """The server, on a store; it serves one at a time, and closes it at the end."""
    lent, server = _built()
    assert lent.served is None
    lent.served = Calls(str(store), agent, deadline_s)
    try:
        yield server
    finally:
        lent.served.close()
        lent.served = None


@asynccontextmanager
async def client_of(
    store: Path | str, deadline_s: float = DEADLINE_S, agent: str | None = None
) -> AsyncIterator[Client]:
    """A client of the server, on a store."""
    with serving(store, deadline_s, agent) as server:
        async with Client(server) as client:
            yield client
