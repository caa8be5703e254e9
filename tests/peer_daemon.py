"""A small HTTP server on a unix socket: what a hook client speaks to, with answers that a test chooses."""

from __future__ import annotations

import json
import os
import socket
import socketserver
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

Answer = str | bytes | None


class Peer:
    """What came in, and what is answered: a text, or nothing (204); or never anything (`hangs`)."""

    def __init__(self, answer: Callable[[dict[str, Any]], Answer] | None = None, hangs: bool = False) -> None:
        self.events: list[dict[str, Any]] = []
        self.answer = answer or (lambda _: None)
        self.hangs = hangs
        self.ended = threading.Event()

    def named(self, name: str) -> list[dict[str, Any]]:
        """The events of one name, in order."""
        return [event for event in self.events if event.get("hook_event_name") == name]


class _Requests(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        self._say(b'{"name": "engramforge"}')

    def do_POST(self) -> None:
        peer = self.server.peer
        event = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        peer.events.append(event)
        if peer.hangs:
            peer.ended.wait(30)
            return
        said = peer.answer(event)
        if said is None:
            self.send_response(204)
            self.end_headers()
            return
        self._say(said.encode() if isinstance(said, str) else said)

    def _say(self, said: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def address_string(self) -> str:
        return "unix"

    def log_message(self, *words: object) -> None:
        """Say nothing."""


class _Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    peer: Peer


@contextmanager
def listening(run: Path, peer: Peer) -> Iterator[Peer]:
    """Serve on `run`/daemon.sock, in a folder of this user alone."""
    run.mkdir(mode=0o700, parents=True, exist_ok=True)
    run.chmod(0o700)
    place = run / "daemon.sock"
    place.unlink(missing_ok=True)
    server = _Server(str(place), _Requests)
    server.peer = peer
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield peer
    finally:
        peer.ended.set()
        server.shutdown()
        server.server_close()
        place.unlink(missing_ok=True)
        thread.join()


@contextmanager
def deaf(run: Path) -> Iterator[None]:
    """A socket on which somebody listens and never takes a connection."""
    run.mkdir(mode=0o700, parents=True, exist_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(os.fspath(run / "daemon.sock"))
        server.listen(0)
        yield
    (run / "daemon.sock").unlink()
