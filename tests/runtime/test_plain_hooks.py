"""Hooks as our client sends them are answered without h11: like all others, and nothing else is taken for one."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Awaitable, Callable
from functools import partial

import pytest
import uvicorn
from starlette.responses import Response

from engramforge.runtime.starting import stop
from engramforge.runtime.transports.plain_hooks import plain_hook, protocol_of

from .conftest import Home, wait_for

LINE = b"POST /hook HTTP/1.1\r\n"
FIELDS = b"Host: localhost\r\nConnection: close\r\nContent-Length: 2\r\n"


def test_a_request_of_the_client_is_read() -> None:
    asked = plain_hook(LINE + FIELDS + b"Content-Type: application/json\r\nX-Received-At: at noon\r\n\r\n{}")
    assert asked is not None and (asked.body, asked.came) == (b"{}", "at noon")
    bare = plain_hook(LINE + FIELDS + b"\r\n{}")
    assert bare is not None and bare.came == ""


@pytest.mark.parametrize(
    "request_",
    [
        b"",
        LINE + FIELDS,
        LINE + FIELDS + b"\r\n{",
        LINE + FIELDS + b"\r\n{}{}",
        LINE + FIELDS + b"Transfer-Encoding: chunked\r\n\r\n{}",
        LINE + FIELDS + b"Content-Length: 2\r\n\r\n{}",
        LINE + FIELDS + b" folded: yes\r\n\r\n{}",
        LINE + FIELDS.replace(b"close", b"keep-alive") + b"\r\n{}",
        LINE + FIELDS.replace(b"Host: localhost\r\n", b"") + b"\r\n{}",
        LINE.replace(b"hook", b"stop") + FIELDS + b"\r\n{}",
        LINE + FIELDS.replace(b": 2", b": 70000") + b"\r\n" + b"x" * 70_000,
    ],
)
def test_all_else_is_left_to_others(request_: bytes) -> None:
    assert plain_hook(request_) is None


def _request(prompt: str, more: str = "") -> bytes:
    event = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": prompt, "cwd": "/srv/quay"}
    body = json.dumps(event).encode()
    head = f"POST /hook HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{more}Content-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def _all_of(ends: socket.socket) -> bytes:
    said = b""
    while part := ends.recv(65_536):
        said += part
    return said


def test_in_parts_or_with_other_fields_it_is_answered_the_same(home: Home) -> None:
    home.start()
    home.run("remember", "The quay crane is painted yellow.", "--project", "quay", "--kind", "decision")
    told = []
    for number, more in enumerate(("", "Accept: */*\r\n", "")):
        asked = _request(f"{number}: how is the quay crane painted?", more)
        with socket.socket(socket.AF_UNIX) as ends:
            ends.connect(home.places.socket)
            parts = [asked[:50], asked[50:]] if number == 2 else [asked]
            for part in parts:
                ends.sendall(part)
                time.sleep(0.1)
            head, _, body = _all_of(ends).partition(b"\r\n\r\n")
        line, *fields = head.lower().split(b"\r\n")
        told.append((line, sorted(fields), json.loads(body) if body else None))
    assert told[0][0] == b"http/1.1 200 ok" and b"content-type: application/json" in told[0][1]
    assert "yellow" in json.dumps(told[0][2])
    assert {line for line, _, _ in told} <= {b"http/1.1 200 ok", b"http/1.1 204 no content"}
    assert all(b"connection: close" in fields for _, fields, _ in told)


def test_what_was_asked_before_the_daemon_ends_is_answered_and_kept(home: Home) -> None:
    home.start()
    with socket.socket(socket.AF_UNIX) as gone, socket.socket(socket.AF_UNIX) as ends:
        for each in (gone, ends):
            each.connect(home.places.socket)
            each.sendall(_request("we moor at the north pier"))
        gone.close()
        stop(home.places)
        assert _all_of(ends).split()[1] in (b"200", b"204")
    home.start()
    wait_for(lambda: b"north pier" in home.run("list").stdout)


def test_a_hook_whose_answer_fails_is_told_so_at_once(caplog: pytest.LogCaptureFixture) -> None:
    followed: list[None] = []

    async def fails(body: Callable[[], Awaitable[bytes | None]], came: str) -> Response:
        raise RuntimeError("no answer to this")

    async def asked() -> bytes:
        loop = asyncio.get_running_loop()
        config = uvicorn.Config(lambda: None, log_config=None, lifespan="off")
        config.load()
        plain = protocol_of(fails, lambda: followed.append(None))
        made = partial(plain, config, uvicorn.server.ServerState(), {})
        ours, theirs = socket.socketpair()
        await loop.connect_accepted_socket(made, ours)
        reads, writes = await asyncio.open_connection(sock=theirs)
        writes.write(LINE + FIELDS + b"\r\n{}")
        try:
            return await asyncio.wait_for(reads.read(), 10)
        finally:
            writes.close()

    assert asyncio.run(asked()).startswith(b"HTTP/1.1 500 ")
    assert followed == [None] and "no answer to this" in caplog.text
