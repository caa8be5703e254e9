"""MCP sessions in the daemon: a server for each agent, on the store that the daemon holds."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final, cast

import anyio
import anyio.to_thread

if TYPE_CHECKING:
    import asyncio

    from anyio import CapacityLimiter

    from engramforge.faces.mcp.stdio import StdioServer
    from engramforge.runtime.shared_store import SharedStore
    from engramforge.runtime.wiring import Json

_KEPT: Final = 8
"""Servers, of those asked for last."""


class Sessions:
    """Serves sessions of one home. Servers are kept: the schemas of the tools take a third of a second to build."""

    def __init__(self, home: str) -> None:
        self._home = home
        self._building = threading.Lock()
        self._servers: OrderedDict[tuple[Any, ...], StdioServer] = OrderedDict()

    async def serve(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        preface: Json,
        store: SharedStore,
        limiter: CapacityLimiter,
    ) -> None:
        """Serve one session until its client ends it; `preface`: what the client said of itself."""
        server = await anyio.to_thread.run_sync(self._server, preface, store, limiter)
        from engramforge.faces.mcp.session_folder import SESSION_FOLDER
        from engramforge.faces.mcp.socket_lines import SocketAnswers, SocketLines

        SESSION_FOLDER.set(preface.get("cwd"))
        lines = cast("anyio.AsyncFile[str]", SocketLines(reader, preface.get("begun", b"")))
        await server.run_on(lines, cast("anyio.AsyncFile[str]", SocketAnswers(writer)))

    def _server(self, preface: Json, store: SharedStore, limiter: CapacityLimiter) -> StdioServer:
        # Imported with the first session: it takes half a second and 60 MB.
        from engramforge.assembly import tools_off
        from engramforge.faces.mcp.calls import DEADLINE_S, Calls
        from engramforge.faces.mcp.server import build_server

        agent, deadline_s = preface.get("agent"), float(preface.get("deadline_s", DEADLINE_S))
        without = tools_off(self._home)
        key = (agent, deadline_s, without)
        with self._building:
            if key not in self._servers:
                calls = Calls(self._home, agent, deadline_s, shared=store, limiter=limiter)
                self._servers[key] = build_server(calls, without)
                if len(self._servers) > _KEPT:
                    self._servers.popitem(last=False)
            self._servers.move_to_end(key)
            return self._servers[key]
