"""A small HTTP server that speaks OpenAI's and Anthropic's protocols for models, with the faults that servers have.

`script` holds what it answers, one item for each call: an object to give back in the way that was asked for (a call of
the output tool, or JSON where a schema was asked for), or the name of a fault. Beyond its end the last is repeated.
"""

from __future__ import annotations

import gzip
import json
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

# What the product imports when a model is first asked takes seconds: here it is there before a test measures time.
import pydantic_ai.models.anthropic
import pydantic_ai.models.openai  # noqa: F401 - for its side effect

KEY = "sk-Test-S3cret-model-key-0123456789"
TOKENS = (1_000, 50)
"""What every answered call says it used: tokens in and out."""

USAGE: dict[str, Any] = {}
"""Stands for `TOKENS`, in the format that is spoken."""
FLOODS = ("endless", "bomb", "drip")
BOMB = gzip.compress(b" " * 2**26)
"""64 MB in some 64 kB."""

Answer = dict[str, Any] | str | Callable[["Call"], Any]


@dataclass(frozen=True)
class Call:
    """What a client sent."""

    path: str
    key: str | None
    body: dict[str, Any]
    at: float = field(default_factory=time.monotonic)

    @property
    def is_anthropic(self) -> bool:
        """Whether it came in Anthropic's format."""
        return self.path.endswith("/messages")

    @property
    def text(self) -> str:
        """All that the model would read: instructions, material and corrections."""
        return json.dumps(self.body, ensure_ascii=False)

    @property
    def material(self) -> str:
        """The last message of the user."""
        content = [each for each in self.body["messages"] if each["role"] == "user"][-1]["content"]
        return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


class ModelServer:
    """Listens on a port of this machine while its block runs.

    Attributes
    ----------
    calls : the questions; looks : how often the list of models was asked for.
    broken_off : connections that the client gave up while it was kept waiting.
    listing : a fault of the list of models, as in `script`. usage : what answers in OpenAI's format say in place of
    `TOKENS`.
    """

    def __init__(self, *script: Answer, key: str | None = KEY) -> None:
        self.script: list[Answer] = list(script)
        self.key = key
        self.calls: list[Call] = []
        self.looks = 0
        self.listing = ""
        self.usage: dict[str, Any] | None = USAGE
        self.broken_off = threading.Event()
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        server = self

        class Answering(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                server.answer(self)

            def do_GET(self) -> None:
                server.list_models(self)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        self._http.daemon_threads = True
        self._http.handle_error = lambda *_: None  # type: ignore[method-assign]
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def root(self) -> str:
        """The address without a path, as Anthropic's is given."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def url(self) -> str:
        """The address of OpenAI's protocol."""
        return f"{self.root}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._http.shutdown()
        self._http.server_close()

    def list_models(self, asked: BaseHTTPRequestHandler) -> None:
        """The list of models, which costs nothing."""
        self.looks += 1
        if self.listing:
            self._flood(asked, self.listing)
        elif self._is_right(asked):
            _send(asked, 200, {"object": "list", "data": [{"id": "tiny", "object": "model"}]})
        else:
            _send(asked, 401, {"error": {"message": "Incorrect API key"}})

    def answer(self, asked: BaseHTTPRequestHandler) -> None:
        """One call."""
        body = json.loads(asked.rfile.read(int(asked.headers["Content-Length"])))
        given = asked.headers.get("Authorization") or asked.headers.get("x-api-key")
        call = Call(asked.path, given, body)
        with self._lock:
            item = self.script[min(len(self.calls), len(self.script) - 1)]
            self.calls.append(call)
        if callable(item):
            item = item(call)
        if not self._is_right(asked):
            _send(asked, 401, {"error": {"message": f"Incorrect API key provided: {given}"}})
        elif isinstance(item, dict):
            _send(asked, 200, self._used(_said(call, item)))
        elif item.isdigit():
            _send(asked, int(item), {"error": {"message": f"fault {item} of {given}", "type": "api_error"}})
        elif item in FLOODS:
            self._flood(asked, item)
        elif item == "hang":
            self._hang(asked)
        elif item == "reset":
            asked.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            socket.close(asked.connection.detach())
        elif item == "refusal":
            _send(asked, 200, _refused(call))
        elif item == "nonsense":
            _send(asked, 200, b"<html>It works!</html>")
        else:
            _send(asked, 200, _spoken(call, item))

    def _is_right(self, asked: BaseHTTPRequestHandler) -> bool:
        given = (asked.headers.get("Authorization"), asked.headers.get("x-api-key"))
        return self.key is None or f"Bearer {self.key}" in given or self.key in given

    def _used(self, answer: dict[str, Any]) -> dict[str, Any]:
        return answer if self.usage is USAGE or "choices" not in answer else {**answer, "usage": self.usage}

    def _flood(self, asked: BaseHTTPRequestHandler, how: str) -> None:
        """An answer that goes on and on, until the client goes away."""
        asked.send_response(200)
        asked.send_header("Content-Type", "application/json")
        if how == "bomb":
            asked.send_header("Content-Encoding", "gzip")
        asked.send_header("Connection", "close")
        asked.end_headers()
        asked.close_connection = True
        piece = {"bomb": BOMB, "drip": b" ", "endless": b" " * 2**20}[how]
        try:
            while not self._stopping.wait(0.05 if how == "drip" else 0):
                asked.wfile.write(piece)
                asked.wfile.flush()
        except OSError:
            self.broken_off.set()

    def _hang(self, asked: BaseHTTPRequestHandler) -> None:
        """Keep the client waiting until it goes away."""
        asked.connection.settimeout(0.05)
        while not self._stopping.is_set():
            try:
                if not asked.connection.recv(1):
                    self.broken_off.set()
                    break
            except TimeoutError:
                continue
            except OSError:
                self.broken_off.set()
                break
        asked.close_connection = True


def _said(call: Call, item: dict[str, Any]) -> dict[str, Any]:
    """The object as a call of the tool that the client wants called, or as JSON where it wants that."""
    if call.is_anthropic:
        name = call.body["tools"][0]["name"]
        block = {"type": "tool_use", "id": "toolu_1", "name": name, "input": item}
        return _of_anthropic(call, [block], "tool_use")
    if "tools" not in call.body:
        return _of_openai(call, {"content": json.dumps(item)}, "stop")
    named = {"name": call.body["tools"][0]["function"]["name"], "arguments": json.dumps(item)}
    message = {"content": None, "tool_calls": [{"id": "call_1", "type": "function", "function": named}]}
    return _of_openai(call, message, "tool_calls")


def _spoken(call: Call, words: str) -> dict[str, Any]:
    """Plain words, where an object was asked for."""
    if call.is_anthropic:
        return _of_anthropic(call, [{"type": "text", "text": words}], "end_turn")
    return _of_openai(call, {"content": words}, "stop")


def _refused(call: Call) -> dict[str, Any]:
    if call.is_anthropic:
        return _of_anthropic(call, [], "refusal")
    return _of_openai(call, {"content": None, "refusal": "I cannot help with that."}, "stop")


def _of_openai(call: Call, message: dict[str, Any], finish: str) -> dict[str, Any]:
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}
    usage = {"prompt_tokens": TOKENS[0], "completion_tokens": TOKENS[1], "total_tokens": sum(TOKENS)}
    head = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1_760_000_000}
    return {**head, "model": call.body["model"], "choices": [choice], "usage": usage}


def _of_anthropic(call: Call, content: list[Any], reason: str) -> dict[str, Any]:
    usage = {"input_tokens": TOKENS[0], "output_tokens": TOKENS[1]}
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": call.body["model"]}
    return {**head, "content": content, "stop_reason": reason, "stop_sequence": None, "usage": usage}


def _send(asked: BaseHTTPRequestHandler, status: int, content: Any) -> None:
    payload = content if isinstance(content, bytes) else json.dumps(content).encode()
    asked.send_response(status)
    asked.send_header("Content-Type", "text/html" if isinstance(content, bytes) else "application/json")
    asked.send_header("Content-Length", str(len(payload)))
    asked.end_headers()
    asked.wfile.write(payload)
