"""A server that speaks Anthropic's streaming Messages API and answers as a script says."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Block = dict[str, Any]
Script = "Callable[[dict[str, Any]], list[Block]]"
_NUMBERS = count(1)


def says(text: str) -> Block:
    """The model says a text."""
    return {"type": "text", "text": text}


def uses(tool: str, **given: Any) -> Block:
    """The model calls a tool."""
    return {"type": "tool_use", "id": f"toolu_{next(_NUMBERS):024}", "name": tool, "input": given}


class Model:
    """The requests that came, and the script: a function from a request's body to the blocks of the answer."""

    def __init__(self, script: Callable[[dict[str, Any]], list[Block]]) -> None:
        self.requests: list[dict[str, Any]] = []
        self.script = script

    @property
    def turns(self) -> list[dict[str, Any]]:
        """The requests of the conversation itself: Claude Code asks for titles and the like without tools."""
        return [request for request in self.requests if request.get("tools")]


def last_said(request: dict[str, Any]) -> str:
    """The texts of the last message of a request, tools' results included."""
    content = request["messages"][-1]["content"]
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def everything_said(request: dict[str, Any]) -> str:
    """All that the model reads: the system's part and all messages."""
    return json.dumps([request.get("system"), request["messages"]], ensure_ascii=False)


class _Requests(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_HEAD(self) -> None:
        self._answer({})

    def do_GET(self) -> None:
        self._answer({"data": [], "has_more": False})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        if not self.path.startswith("/v1/messages"):
            self._answer({})
        elif "count_tokens" in self.path:
            self._answer({"input_tokens": 100})
        else:
            model = self.server.model
            model.requests.append(body)
            blocks = model.script(body)
            message = {
                "id": f"msg_{next(_NUMBERS):024}",
                "type": "message",
                "role": "assistant",
                "model": body.get("model", "claude"),
                "content": blocks,
                "stop_reason": "tool_use" if any(b["type"] == "tool_use" for b in blocks) else "end_turn",
                "stop_sequence": None,
                "usage": {"input_tokens": 100, "output_tokens": 20},
            }
            if body.get("stream"):
                self._stream(message)
            else:
                self._answer(message)

    def _answer(self, value: object) -> None:
        said = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(said)

    def _stream(self, message: dict[str, Any]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self._event("message_start", message={**message, "content": [], "stop_reason": None})
        for index, block in enumerate(message["content"]):
            if block["type"] == "text":
                empty, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
            else:
                empty = {**block, "input": {}}
                delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            self._event("content_block_start", index=index, content_block=empty)
            self._event("content_block_delta", index=index, delta=delta)
            self._event("content_block_stop", index=index)
        ended = {"stop_reason": message["stop_reason"], "stop_sequence": None}
        self._event("message_delta", delta=ended, usage={"output_tokens": 20})
        self._event("message_stop")
        self.close_connection = True

    def _event(self, name: str, **more: Any) -> None:
        self.wfile.write(f"event: {name}\ndata: {json.dumps({'type': name, **more})}\n\n".encode())
        self.wfile.flush()

    def log_message(self, *words: object) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    model: Model


@contextmanager
def serving(model: Model) -> Iterator[str]:
    """The address of the server while it runs."""
    server = _Server(("127.0.0.1", 0), _Requests)
    server.model = model
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
