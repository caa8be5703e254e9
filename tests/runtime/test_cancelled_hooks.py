"""A hook whose client goes before its answer is out: what it told is captured all the same, and at once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from engramforge.entry.wiring import wire
from engramforge.runtime.life import Life
from engramforge.runtime.server import build_app

EVENT = {"session_id": "s1", "hook_event_name": "PostToolUse", "tool_use_id": "t1", "cwd": "/tmp"}


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    made = Life(wire(str(tmp_path / "home")), self_started=False)
    yield made
    made.close()


def _told(life: Life, gone_at: str) -> int:
    """How often the queue was woken by a hook whose client goes at some message of its answer."""
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/hook",
        "headers": [],
        "query_string": b"",
        "http_version": "1.1",
        "root_path": "",
        "scheme": "http",
    }
    before = life.draining.ticket()

    async def run() -> None:
        with anyio.CancelScope() as call:

            async def receive() -> dict[str, Any]:
                if gone_at == "receive":
                    call.cancel()
                    await anyio.sleep(0)
                return {"type": "http.request", "body": json.dumps(EVENT).encode(), "more_body": False}

            async def send(message: Any) -> None:
                if message["type"] == gone_at:
                    call.cancel()
                    await anyio.sleep(0)

            await build_app(life, is_guarded=False)(scope, receive, send)
        assert call.cancelled_caught is (gone_at != "")

    anyio.run(run)
    return life.draining.ticket() - before


@pytest.mark.parametrize("gone_at", ["", "receive", "http.response.start", "http.response.body"])
def test_a_client_that_goes_leaves_no_event_asleep(life: Life, gone_at: str) -> None:
    assert _told(life, gone_at) == 1
    assert life.spool.has_files() is (gone_at != "receive")
