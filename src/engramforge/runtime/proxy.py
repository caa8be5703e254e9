"""An MCP session between a client's standard streams and a daemon: bytes both ways, in a small process.

Standard library only. The session outlives its daemon: when that ends, what was asked and not answered gets an error,
and the next request finds the daemon that runs then, or starts one, and is greeted there as the client greeted before.
"""

from __future__ import annotations

import json
import os
import select
import socket

from engramforge.runtime.client import object_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

PREFACE = b"ENGRAMFORGE "
"""How a client of mcp.sock begins that says who it is; a JSON object ends the line. JSON-RPC begins with `{`."""
_PART = 65_536
_TRACKED_BYTES = 4_000_000
"""How long a request's line may be for its id to be known; longer ones pass all the same."""
_WAITING_BYTES = 8_000_000
"""How much may wait for a slow daemon before no more is read from the client."""
_GREETS_S = 10.0
_SOURCE, _TARGET = 0, 1
"""Descriptors of standard input and output."""
_INTERNAL = -32603


class Proxy:
    """One session. `connects`: a fresh connection to a daemon, on which a session begins; raises OSError where there is
    none to be had. `first`: one on which a session has begun."""

    def __init__(self, connects: Callable[[], socket.socket], first: socket.socket) -> None:
        first.setblocking(False)
        self._connects = connects
        self._daemon: socket.socket | None = first
        self._to_daemon = bytearray()
        self._answer = bytearray()
        self._line = bytearray()
        self._line_is_lost = False
        self._open_requests: dict[str, Any] = {}
        self._greeting: list[bytes] = []

    def run(self) -> int:
        """Serve until the client closes its end; returns the exit code."""
        reads = True
        while reads or self._daemon is not None:
            daemon = self._daemon
            waiting = [] if daemon is None else [daemon]
            sources: list[Any] = [*waiting]
            if reads and len(self._to_daemon) < _WAITING_BYTES:
                sources.append(_SOURCE)
            readable, writable, _ = select.select(sources, waiting if self._to_daemon else [], [])
            try:
                if writable:
                    self._send()
                if any(each is daemon for each in readable):
                    self._receive()
            except OSError:
                self._lost()
            if _SOURCE in readable:
                part = os.read(_SOURCE, _PART)
                if part:
                    self._take(part)
                else:
                    reads = False
            if not reads and self._daemon is not None and not self._to_daemon:
                # The daemon answers what it has, then closes its end too.
                self._close_ours()
        return 0

    def _close_ours(self) -> None:
        try:
            assert self._daemon is not None
            self._daemon.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def _take(self, part: bytes) -> None:
        """Pass on what the client sent, line by line."""
        while part:
            line, end, part = part.partition(b"\n")
            piece = line + end
            if len(self._line) < _TRACKED_BYTES:
                self._line += piece
            if self._daemon is None and not self._line_is_lost and len(self._line) == len(piece):
                self._connect()
            if self._daemon is None:
                self._line_is_lost = True
            elif not self._line_is_lost:
                self._to_daemon += piece
            if end:
                self._note(bytes(self._line))
                self._line.clear()
                self._line_is_lost = False

    def _note(self, line: bytes) -> None:
        """Know what a line asks, and answer where it reached nobody."""
        asked = object_in(line)
        if asked is None or "method" not in asked:
            return
        if asked["method"] == "initialize":
            self._greeting = [line]
        elif asked["method"] == "notifications/initialized":
            self._greeting = [*self._greeting[:1], line]
        if "id" in asked:
            self._open_requests[json.dumps(asked["id"])] = asked["id"]
            if self._line_is_lost:
                self._fail_open()

    def _send(self) -> None:
        assert self._daemon is not None
        sent = self._daemon.send(self._to_daemon[: _PART * 4])
        del self._to_daemon[:sent]

    def _receive(self) -> None:
        assert self._daemon is not None
        part = self._daemon.recv(_PART)
        if not part:
            raise ConnectionResetError
        self._answer += part
        end = self._answer.rfind(b"\n") + 1
        if end:
            lines = bytes(self._answer[:end])
            del self._answer[:end]
            for line in lines.splitlines():
                said = object_in(line) or {}
                if "method" not in said:
                    self._open_requests.pop(json.dumps(said.get("id")), None)
            self._write(lines)

    def _lost(self) -> None:
        """The daemon is gone: nothing of what it was sent will be answered."""
        if self._daemon is not None:
            self._daemon.close()
            self._daemon = None
        self._to_daemon.clear()
        self._answer.clear()
        self._line_is_lost = bool(self._line)
        self._fail_open()

    def _fail_open(self) -> None:
        for asked in self._open_requests.values():
            said = (
                "The daemon ended before it answered. What it had committed stands: look with forge_timeline before "
                "repeating a write"
            )
            error = {"code": _INTERNAL, "message": said}
            self._write(json.dumps({"jsonrpc": "2.0", "id": asked, "error": error}).encode() + b"\n")
        self._open_requests.clear()

    def _connect(self) -> None:
        try:
            daemon = self._connects()
        except OSError:
            return
        try:
            daemon.settimeout(_GREETS_S)
            # A client that asked to be greeted and then spoke the protocol without greetings said no second line.
            if len(self._greeting) > 1:
                daemon.sendall(self._greeting[0])
                _skip_line(daemon)
                daemon.sendall(b"".join(self._greeting[1:]))
            daemon.setblocking(False)
        except OSError:
            daemon.close()
            return
        self._daemon = daemon

    def _write(self, lines: bytes) -> None:
        view = memoryview(lines)
        while view:
            view = view[os.write(_TARGET, view) :]


def _skip_line(ends: socket.socket) -> None:
    while (part := ends.recv(_PART)) and not part.endswith(b"\n"):
        pass
    if not part:
        raise ConnectionResetError


def begin(ends: socket.socket, preface: dict[str, Any]) -> dict[str, Any]:
    """Begin a session on a connection: what the daemon says to it, {"ok": true} or its version. Raises OSError."""
    ends.sendall(PREFACE + json.dumps(preface).encode() + b"\n")
    said = bytearray()
    while not said.endswith(b"\n"):
        part = ends.recv(1)
        if not part:
            raise ConnectionResetError("the daemon ended")
        said += part
    return object_in(bytes(said)) or {}
