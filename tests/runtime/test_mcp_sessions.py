"""MCP through the daemon: the real client, a small process beside it, and sessions that outlive their daemon."""

from __future__ import annotations

import fcntl
import json
import os
import struct
import subprocess
import sys
import termios
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO, Any

import psutil
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from engramforge.runtime.lock import is_held

from .conftest import CONSOLE, Home, wait_for

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@asynccontextmanager
async def _client(home: Home, *options: str, cwd: Path | None = None) -> AsyncIterator[Client]:
    command, *rest = [*CONSOLE, "mcp", *options]
    server = StdioServerParameters(command=command, args=rest, env=home.environment, cwd=cwd)
    async with Client(stdio_client(server)) as client:
        yield client


def _proxies(home: Home) -> list[psutil.Process]:
    own = psutil.Process().children(recursive=True)
    return [each for each in own if each.is_running() and "mcp" in each.cmdline()]


def _text(result: Any) -> str:
    assert not result.is_error, result
    return str(result.content[0].text)


async def test_a_session_starts_a_daemon_and_shares_its_store(home: Home) -> None:
    async with _client(home) as client, _client(home) as second:
        assert len((await client.list_tools()).tools) > 5
        await client.call_tool("forge_remember", {"content": "The lighthouse is red.", "project": "coast"})
        assert "lighthouse" in _text(await second.call_tool("forge_recall", {"query": "lighthouse"}))
        assert b"lighthouse" in home.run("recall", "lighthouse").stdout
        refused = await client.call_tool("forge_remember", {"nonsense": 1})
        assert refused.is_error and "nonsense" in refused.content[0].text  # type: ignore[union-attr]
        sizes = [each.memory_info().rss for each in _proxies(home)]
        assert len(sizes) == 2
        assert max(sizes) < 20_000_000
    wait_for(lambda: not _proxies(home))


async def test_a_session_is_its_agent_s_and_in_its_folder(home: Home, tmp_path: Path) -> None:
    (tmp_path / "dot.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"><text>a red dot</text></svg>')
    async with _client(home, "--agent", "ada", cwd=tmp_path) as client:
        said = await client.call_tool("forge_remember", {"content": "Ada's plan.", "images": ["dot.svg"]})
        assert not said.is_error, said
    assert b"Ada's plan" in home.run("list", "--agent", "ada").stdout
    assert b"Ada's plan" not in home.run("list").stdout


async def test_a_session_outlives_its_daemon(home: Home) -> None:
    async with _client(home) as client:
        await client.call_tool("forge_remember", {"content": "Before the fall."})
        first = home.daemon().pid
        home.kill()
        assert "Before the fall" in _text(await client.call_tool("forge_recall", {"query": "fall"}))
        assert home.daemon().pid != first
        home.run("stop")
        assert not is_held(home.places.lock)
        assert "Before the fall" in _text(await client.call_tool("forge_recall", {"query": "fall"}))


async def test_a_store_that_is_gone_is_opened_again(home: Home, another: Home) -> None:
    another.run_alone("remember", "In the other store.")
    async with _client(home) as client:
        await client.call_tool("forge_remember", {"content": "In the first store."})
        for name in ("memory.db", "memory.db-wal", "memory.db-shm"):
            (home.folder / name).unlink(missing_ok=True)
        gone = await client.call_tool("forge_recall", {"query": "store"})
        assert gone.is_error and "StoreGone" in gone.content[0].text  # type: ignore[union-attr]
        assert not (home.folder / "memory.db").exists()
        (home.folder / "memory.db").write_bytes((another.folder / "memory.db").read_bytes())
        assert "other store" in _text(await client.call_tool("forge_recall", {"query": "store"}))


def test_lines_are_answered_as_on_standard_input(home: Home) -> None:
    with subprocess.Popen(
        [*CONSOLE, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=home.environment
    ) as child:
        assert child.stdin and child.stdout
        for line, id_ in (
            (b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"x": "\xff"}}', 7),
            (b"no json", None),
            (b'{"jsonrpc": "2.0", "id": 8}', 8),
        ):
            child.stdin.write(line + b"\n")
            child.stdin.flush()
            answer = json.loads(child.stdout.readline())
            assert answer["id"] == id_ and "error" in answer
        child.stdin.close()
        assert child.wait(30) == 0


def _wait_until_passed_on(pipe: IO[bytes], reader: psutil.Process) -> None:
    """What was written has left the pipe, and its reader waits for more, so that it was passed on."""
    while struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, b"\0" * 4))[0]:
        time.sleep(0.01)
    time.sleep(0.5)
    while reader.status() not in (psutil.STATUS_SLEEPING, psutil.STATUS_IDLE):
        time.sleep(0.05)


def test_a_request_that_the_daemon_did_not_answer_gets_an_error(home: Home) -> None:
    greeting = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    }
    with subprocess.Popen(
        [*CONSOLE, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=home.environment
    ) as child:
        assert child.stdin and child.stdout

        def send(**message: Any) -> None:
            assert child.stdin
            child.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            child.stdin.flush()

        send(id=1, method="initialize", params=greeting)
        assert json.loads(child.stdout.readline())["id"] == 1
        send(method="notifications/initialized")
        home.daemon().suspend()
        send(id=2, method="tools/list")
        _wait_until_passed_on(child.stdin, psutil.Process(child.pid))
        home.kill()
        refused = json.loads(child.stdout.readline())
        assert "error" in refused and refused["error"]["code"] == -32603, refused
        # The next one is answered by a daemon that was greeted as the first was.
        send(id=3, method="tools/list")
        answer = json.loads(child.stdout.readline())
        assert answer["id"] == 3 and len(answer["result"]["tools"]) > 5
        child.stdin.close()
        assert child.wait(30) == 0


def test_without_a_daemon_it_serves_as_ever(home: Home) -> None:
    ran = home.run_alone("mcp", stdin=b"no json\n")
    assert ran.returncode == 0 and b"error" in ran.stdout
    assert not is_held(home.places.lock)


def test_the_proxy_loads_nothing_heavy() -> None:
    code = (
        "import sys, engramforge.entry.console, engramforge.entry.mcp_proxy, engramforge.entry.thin;"
        "print([each for each in ('click', 'sqlalchemy', 'numpy', 'mcp', 'anyio', 'asyncio', 'typing', 'pathlib')"
        " if each in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=os.environ)
    assert ran.stdout.strip() == b"[]"


def test_few_servers_are_kept_however_many_agents_come(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    from anyio import CapacityLimiter

    import engramforge
    from engramforge.entry import mcp_sessions
    from engramforge.runtime.shared_store import SharedStore

    monkeypatch.setattr(mcp_sessions, "_KEPT", 1)
    sessions = mcp_sessions.Sessions(str(home.folder))
    store = SharedStore(lambda: engramforge.open(str(home.folder)))
    first = sessions._server({"agent": "ada"}, store, CapacityLimiter(1))
    assert sessions._server({"agent": "ada"}, store, CapacityLimiter(1)) is first
    sessions._server({"agent": "bo"}, store, CapacityLimiter(1))
    assert sessions._server({"agent": "ada"}, store, CapacityLimiter(1)) is not first
