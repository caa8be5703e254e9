"""A small HTTP server that speaks OpenAI's and Voyage's embedding protocols, with the faults that such servers have.

The vectors make sense: words of one concept share a direction (tests/onnx_models has the same idea). `faults` are taken
in turn, one for each call; without any it answers as it should.
"""

from __future__ import annotations

import hashlib
import json
import socket
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import numpy as np

KEY = "sk-Test-S3cret-key-0123456789"
CONCEPTS = (
    ("car", "automobile", "vehicle"),
    ("doctor", "physician"),
    ("boat", "ship", "vessel"),
    ("bread", "loaf"),
    ("dog", "hound"),
)
_CONCEPT_OF = {word: concept[0] for concept in CONCEPTS for word in concept}


@dataclass(frozen=True)
class Call:
    """What a client sent."""

    path: str
    key: str | None
    body: dict[str, Any]
    at: float = field(default_factory=time.monotonic)

    @property
    def texts(self) -> list[str]:
        """The texts to embed."""
        return list(self.body["input"])


class EmbeddingServer:
    """Listens on a port of this machine while its block runs.

    Parameters
    ----------
    size : dimension of the model's vectors, where none is asked for.
    key : the key that is right; None: none is needed.
    delay_s : how long every answer takes.

    Attributes
    ----------
    seeds : model -> what its directions are made from.
    common : what every vector has in common: the more, the more alike are unrelated texts.
    """

    def __init__(self, size: int = 64, key: str | None = KEY, delay_s: float = 0.0) -> None:
        self.size, self.key, self.delay_s = size, key, delay_s
        self.seeds: dict[str, str] = {}
        self.common = 1e-4
        self.calls: list[Call] = []
        self.faults: deque[str] = deque()
        self.honours_dimensions = True
        self.tells_usage = True
        self._stopping = threading.Event()
        server = self

        class Answering(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # An answer goes out at once: held back, each waits 40 ms for the client's acknowledgement.
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                server.answer(self)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        self._http.daemon_threads = True
        # Clients that are killed or give up are part of the tests.
        self._http.handle_error = lambda *_: None  # type: ignore[method-assign]
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        """What the setting of the address gets."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._http.shutdown()
        self._http.server_close()

    @property
    def texts(self) -> list[str]:
        """All texts that were sent, in order."""
        return [text for call in self.calls for text in call.texts]

    def answer(self, asked: BaseHTTPRequestHandler) -> None:
        """One call."""
        body = json.loads(asked.rfile.read(int(asked.headers["Content-Length"])))
        given = asked.headers.get("Authorization")
        self.calls.append(Call(asked.path, given, body))
        if self.delay_s:
            time.sleep(self.delay_s)
        fault = self.faults.popleft() if self.faults else ""
        if self.key is not None and given != f"Bearer {self.key}":
            said = {"error": {"message": f"Incorrect API key provided: {given}", "code": "invalid_api_key"}}
            _send(asked, 401, said)
        elif asked.path != "/v1/embeddings":
            _send(asked, 404, {"detail": "Not Found"})
        elif fault.isdigit():
            _send(asked, int(fault), {"error": {"message": f"fault {fault} of {given}"}})
        elif fault.startswith("after:"):
            _send(
                asked, 429, {"error": {"message": "slow down"}}, {"Retry-After": fault.removeprefix("after:")}
            )
        elif fault == "hang":
            self._stopping.wait(20)
        elif fault == "drip":
            self._drip(asked)
        elif fault == "reset":
            asked.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            # The request's own files keep a closed socket open, and the client would wait instead of being refused.
            socket.close(asked.connection.detach())
        else:
            self._embed(asked, body, fault)

    def _drip(self, asked: BaseHTTPRequestHandler) -> None:
        asked.send_response(200)
        asked.send_header("Content-Length", "1000000")
        asked.end_headers()
        while not self._stopping.wait(0.05):
            try:
                asked.wfile.write(b" ")
            except OSError:
                return

    def _embed(self, asked: BaseHTTPRequestHandler, body: dict[str, Any], fault: str) -> None:
        size = self.size
        wanted = body.get("dimensions") or body.get("output_dimension")
        if wanted and self.honours_dimensions:
            size = wanted
        if fault.startswith("size:"):
            size = int(fault.removeprefix("size:"))
        data: list[Any] = [
            {
                "object": "embedding",
                "index": place,
                "embedding": self.vector(text, size, body["model"]).tolist(),
            }
            for place, text in enumerate(body["input"])
        ]
        if fault == "shuffled":
            data.reverse()
        if fault == "fewer":
            data.pop()
        if fault == "more":
            data.append({**data[0], "index": len(data)})
        if fault == "twice":
            data[-1]["index"] = 0
        if fault == "ragged":
            data[-1]["embedding"].append(0.5)
        odd = {"nan": float("nan"), "infinite": float("inf"), "huge": 1e300, "text": "0.5", "null": None}
        if fault in odd:
            data[0]["embedding"][3] = odd[fault]
        answer: Any = {"object": "list", "data": data, "model": body["model"]}
        if self.tells_usage:
            answer["usage"] = {
                "prompt_tokens": self.tokens(body["input"]),
                "total_tokens": self.tokens(body["input"]),
            }
        if fault == "list":
            answer = data
        if fault == "no data":
            answer = {"object": "list"}
        content = json.dumps(answer).encode()
        _send(asked, 200, content[: len(content) // 2] if fault == "truncated" else content)

    @staticmethod
    def tokens(texts: list[str]) -> int:
        """What a call costs: a token for each word."""
        return sum(len(text.split()) for text in texts)

    def vector(self, text: str, size: int, model: str = "") -> np.ndarray:
        """A sum of the words' directions, of any length; a model named in `seeds` has directions of its own."""
        words = ["".join(filter(str.isalnum, word)) for word in text.lower().split()]
        found = np.full(size, self.common)
        for word in words:
            known = _CONCEPT_OF.get(word)
            direction = _direction(f"{self.seeds.get(model, '')}{known or word}")[:size]
            found += direction * (1.0 if known else 0.1)
        return found


@lru_cache(maxsize=1_000)
def _direction(name: str) -> np.ndarray:
    """A word's direction."""
    seed = hashlib.sha256(name.encode()).digest()
    return np.random.default_rng(int.from_bytes(seed[:8], "big")).normal(size=4_096)


def _send(
    asked: BaseHTTPRequestHandler, status: int, content: Any, headers: dict[str, str] | None = None
) -> None:
    payload = content if isinstance(content, bytes) else json.dumps(content).encode()
    asked.send_response(status)
    for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
        asked.send_header(name, value)
    asked.send_header("Content-Length", str(len(payload)))
    asked.end_headers()
    asked.wfile.write(payload)
