"""Asking a live daemon: HTTP/1.1 over its unix socket, whose peer has to be our own user.

Standard library only. A body is sent when the daemon asks for it (100-continue) and not before: one that hangs, and
goes on when its client has long turned elsewhere, carries out nothing.
"""

from __future__ import annotations

import json
import os
import socket
import struct
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ANSWERS_S = 0.5
"""How long a daemon may take to say that it is there."""
WORKS_S = 90.0
"""How long it may work, when it has taken the request; it gives up on its own before."""
_MOST_BYTES = 1 << 30
_HEAD_BYTES = 1 << 16


class NoDaemon(Exception):
    """No daemon of ours answers, and nothing was asked of one."""


class Unanswered(Exception):
    """The daemon took the request and ended, or fell silent: it may have been carried out."""


def connect(path: str, wait_s: float = ANSWERS_S) -> socket.socket:
    """A connection to a socket of our own user. Raises NoDaemon."""
    try:
        ends = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    except OSError as error:
        raise NoDaemon(str(error)) from error
    try:
        ends.settimeout(wait_s)
        ends.connect(path)
        if peer_of(ends) != os.getuid():
            raise NoDaemon(f"{path} is another user's")
    except (OSError, ValueError) as error:
        ends.close()
        raise NoDaemon(str(error)) from error
    except BaseException:
        ends.close()
        raise
    return ends


def peer_of(ends: socket.socket) -> int:
    """The user at the other end of a unix socket."""
    if sys.platform == "darwin":
        # struct xucred: version, user, ...; SOL_LOCAL is 0, LOCAL_PEERCRED 1.
        return int(struct.unpack("2I", ends.getsockopt(0, 1, 8))[1])
    return int(struct.unpack("3i", ends.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[1])


def ask(
    path: str,
    method: str,
    route: str,
    body: object = None,
    wait_s: float = ANSWERS_S,
    works_s: float = WORKS_S,
) -> tuple[int, Any]:
    """Ask the daemon at a socket: the status and the JSON of its answer, None where it has none.

    `body`: sent as JSON. `wait_s`: for a sign of life; `works_s`: for the answer after it.

    Raises NoDaemon: nothing was asked; Unanswered: the request was sent, and no answer came.
    """
    sent = b"" if body is None else json.dumps(body).encode()
    head = f"{method} {route} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    if sent:
        head += f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\nExpect: 100-continue\r\n"
    with connect(path, wait_s) as ends:
        stream = ends.makefile("rb")
        try:
            ends.sendall(head.encode() + b"\r\n")
            status = _status(stream)
        except (OSError, ValueError) as error:
            raise NoDaemon(str(error)) from error
        try:
            ends.settimeout(works_s)
            if status == 100:
                _headers(stream)
                ends.sendall(sent)
                status = _status(stream)
            return status, _body(stream, _headers(stream))
        except (OSError, ValueError) as error:
            raise Unanswered(str(error)) from error
        finally:
            stream.close()


def _status(stream: Any) -> int:
    line = stream.readline(_HEAD_BYTES)
    if not line.startswith(b"HTTP/1.1 "):
        raise ValueError("the connection ended")
    return int(line[9:12])


def _headers(stream: Any) -> dict[bytes, bytes]:
    found = {}
    while line := stream.readline(_HEAD_BYTES).strip():
        name, _, value = line.partition(b":")
        found[name.strip().lower()] = value.strip()
    return found


def _body(stream: Any, headers: dict[bytes, bytes]) -> Any:
    if headers.get(b"transfer-encoding") == b"chunked":
        parts = []
        while size := int(stream.readline(_HEAD_BYTES).split(b";")[0], 16):
            parts.append(_exactly(stream, size))
            stream.readline(_HEAD_BYTES)
        text = b"".join(parts)
    else:
        text = _exactly(stream, int(headers.get(b"content-length", b"0")))
    return json.loads(text) if text.strip() else None


def _exactly(stream: Any, size: int) -> bytes:
    if size > _MOST_BYTES:
        raise ValueError("the answer is too large")
    part: bytes = stream.read(size)
    if len(part) < size:
        raise ValueError("the connection ended within the answer")
    return part


def object_in(text: bytes) -> dict[str, Any] | None:
    """The JSON object that a text is; None where it is none. What is no UTF-8 in it becomes U+FFFD."""
    try:
        found = json.loads(text if text.isascii() else text.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def older(ours: str, theirs: str) -> bool:
    """Whether the version `ours` is older than `theirs`; one that is no version is not."""
    try:
        return [int(part) for part in ours.split(".")] < [int(part) for part in theirs.split(".")]
    except ValueError:
        return False
