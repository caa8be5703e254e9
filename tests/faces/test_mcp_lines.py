"""Every line that a client sends gets an answer, whatever it holds; and a call that was given up stops."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import IO, Any, Final

import anyio
import pytest
from mcp import Client
from mcp.server.mcpserver.exceptions import ToolError
from tests.mcp_server import client_of
from tests.timing import assert_in_proportion, repeated

import engramforge
from engramforge.faces.mcp.calls import Calls
from engramforge.faces.mcp.stdio import Lines, id_in
from engramforge.forge import Forge
from engramforge.model import limits

from .test_mcp import GREETING

DEEP: Final = "[" * 5_000 + "]" * 5_000


def call(id_: str, arguments: str, name: str = "forge_remember") -> str:
    """The line that calls a tool."""
    params = f'{{"name": "{name}", "arguments": {arguments}}}'
    return f'{{"jsonrpc": "2.0", "id": {id_}, "method": "tools/call", "params": {params}}}'


LINES: Final = {
    "a lone surrogate in a value": (call("7", '{"content": "x \\ud800 y"}'), 7),
    "a lone low surrogate": (call('"seven"', '{"content": "\\udc00"}'), "seven"),
    "a lone surrogate in a name": (call("7", '{"content": "x", "\\ud800": 1}'), 7),
    "a lone surrogate as the tool": (call("7", "{}", "\\ud800"), 7),
    "a lone surrogate as the id": (call('"\\ud800"', "{}"), None),
    "a deep list": (call("7", f'{{"content": "x", "metadata": {{"id": 1, "a": {DEEP}}}}}'), 7),
    "a deep list before the id": (
        '{"params": ' + DEEP + ', "method": "tools/call", "id": 7, "jsonrpc": "2.0"}',
        7,
    ),
    "deep objects": (call("7", '{"metadata": ' + '{"id":' * 5_000 + "1" + "}" * 5_000 + "}"), 7),
    "a cut line": (call("7", '{"content": "x"}')[:-9], 7),
    "a cut text": ('{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "forge', 7),
    "no JSON": ("hello", None),
    "a bracket": ("{", None),
    "NaN as the id": (call("NaN", "{}"), None),
    "a control character": (call("7", '{"content": "x \x01 y"}'), 7),
    "a batch": (f"[{call('7', '{}')}]", None),
    "a number": ("12", None),
    "no method": ('{"jsonrpc": "2.0", "id": 7}', 7),
    "a method that is none": ('{"jsonrpc": "2.0", "id": 7, "method": 5}', 7),
    "no version": ('{"id": 7, "method": "tools/list"}', 7),
    "an id that is null": (call("null", "{}"), None),
    "an id that is a fraction": (call("1.5", "{}"), None),
    "an id that is none": ('{"jsonrpc": "2.0", "id": {"a": 1}, "method": "tools/list"}', None),
    "an endless number": (call("7", '{"content": "x", "energy": ' + "9" * 5_000 + "}"), 7),
    "a deep text of JSON": (call("7", json.dumps({"content": "x", "metadata": DEEP})), 7),
}


LINE_BYTES: Final = 1_000_000
SERVER: Final = f"""
import sys
from engramforge.entry.console import main
from engramforge.model import limits
limits.MCP_LINE_BYTES = {LINE_BYTES}
sys.argv[1:] = ["mcp"]
sys.exit(main())
"""


@contextmanager
def served(home: Path) -> Iterator[tuple[TextIOWrapper, IO[str]]]:
    """Input and output of a server process that was greeted."""
    with subprocess.Popen(
        [sys.executable, "-c", SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "ENGRAMFORGE_HOME": str(home)},
        text=True,
        encoding="utf-8",
    ) as child:
        assert isinstance(child.stdin, TextIOWrapper)
        assert child.stdout is not None
        for request in GREETING:
            child.stdin.write(json.dumps(request) + "\n")
        child.stdin.flush()
        assert json.loads(child.stdout.readline())["id"] == 1
        yield child.stdin, child.stdout
        child.stdin.close()
        assert child.wait(60) == 0


def test_every_line_is_answered(home: Path) -> None:
    with served(home) as (requests, answers):
        for what, (line, id_) in LINES.items():
            requests.write(line + "\n")
            requests.flush()
            answer = json.loads(answers.readline())
            assert answer["id"] == id_, what
            assert "error" in answer or answer["result"]["isError"], what
        for raw in (b"caf\xe9", b"\xff", b"\xed\xa0\x80", b"\xc0\xaf"):
            requests.buffer.write(call("7", '{"content": "RAW"}').encode().replace(b"RAW", raw) + b"\n")
            requests.buffer.flush()
            answer = json.loads(answers.readline())
            assert answer["id"] == 7
            assert "not UTF-8 (byte 1" in answer["error"]["message"]
        # Too long, with the id first or last.
        first = call("7", '{"content": "LONG"}')
        last = first.replace('"id": 7, ', "").removesuffix("}") + ', "id": 8}'
        for id_, line in ((7, first), (8, last)):
            requests.write(line.replace("LONG", "a" * LINE_BYTES) + "\n")
            requests.flush()
            answer = json.loads(answers.readline())
            assert answer["id"] == id_
            assert f"longer than {LINE_BYTES:,} bytes" in answer["error"]["message"]
        # An empty line asks for nothing; what follows is answered as ever.
        requests.write("\n  \n" + call("8", '{"content": "All is well."}') + "\n")
        requests.write(call("9", "{}", "forge_timeline") + "\n")
        requests.flush()
        told = {answer["id"]: answer for answer in (json.loads(answers.readline()) for _ in range(2))}
        assert not told[8]["result"].get("isError")
    with engramforge.open(home) as forge:
        assert [memory.content for memory in forge.memories()] == ["All is well."]


def test_a_line_is_read_up_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MCP_LINE_BYTES", 10)
    lines = Lines(BytesIO(b"123456789\n1234567890\n12\n12345678901234"))
    read = [lines.readline() for _ in range(5)]
    assert read == [
        "123456789\n",
        "1234567890\n\x001234567890\n",
        "12\n",
        "12345678901\x0012345678901234",
        "",
    ]


@pytest.mark.parametrize("unit", ['"', '\\"', '"id":', "{", "[", "\\", '{"id":', " "])
def test_the_id_of_a_broken_line_is_found_in_time(unit: str) -> None:
    assert_in_proportion(id_in, repeated(unit, '{"'), 400_000)


def test_an_argument_that_a_tool_does_not_have_is_named(home: Path) -> None:
    async def main() -> list[str]:
        async with client_of(home) as client:
            asked = {
                "forge_recall": {"query": "x", "entities": ["a"]},
                "forge_remember": {"content": "x", "kinds": 1},
            }
            answers = [await client.call_tool(tool, given) for tool, given in asked.items()]
            assert all(answer.is_error for answer in answers)
            return [str(answer.content[0].model_dump()["text"]) for answer in answers]

    recall, remember = anyio.run(main)
    assert "no argument 'entities'" in recall
    assert "no argument 'kinds'" in remember
    assert " kind, " in remember
    with engramforge.open(home) as forge:
        assert forge.memories() == []


@contextmanager
def locked(home: Path) -> Iterator[None]:
    """The store while another process writes."""
    (file,) = home.rglob("memory.db")
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.close()


@pytest.mark.timed
def test_a_write_whose_time_is_over_is_not_carried_out_later(home: Path) -> None:
    with engramforge.open(home) as forge:
        forge.remember("Before.")

    async def main() -> None:
        async with client_of(home, 0.5) as client:
            await client.call_tool("forge_timeline", {})
            with locked(home):
                answer = await client.call_tool("forge_remember", {"content": "Late."})
                assert "Timeout" in str(answer.content)
            await anyio.sleep(1.5)

    anyio.run(main)
    with engramforge.open(home) as forge:
        assert [memory.content for memory in forge.memories()] == ["Before."]


@pytest.mark.each_engine
@pytest.mark.timed
def test_a_call_that_the_client_takes_back_stops(place: str) -> None:
    done: list[int] = []

    def slowly(forge: Forge) -> None:
        for number in range(1_000):
            forge.remember(f"Note {number}.")
            done.append(number)

    async def main() -> int:
        calls = Calls(place, None)
        try:
            await calls.run(lambda forge: forge.remember("Before."))
            with anyio.move_on_after(0.5):
                await calls.run(slowly)
            await anyio.sleep(0.5)
            written = len(done)
            await anyio.sleep(0.5)
            assert len(done) == written < 1_000
            return written
        finally:
            calls.close()

    with engramforge.open(place) as forge:
        before = forge.stats().memories
    written = anyio.run(main)
    with engramforge.open(place) as forge:
        assert forge.stats().memories == before + written + 1


@pytest.mark.each_engine
@pytest.mark.timed
def test_a_statement_under_way_is_interrupted(place: str) -> None:
    ended = threading.Event()

    def slowly(forge: Forge) -> None:
        try:
            with forge._stages.door.asking(forge._scope)._source.reading(forge._scope) as connection:
                connection.exec_driver_sql(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
                ).all()
        finally:
            ended.set()

    async def main() -> str:
        calls = Calls(place, None, deadline_s=1.0)
        try:
            await calls.run(lambda forge: forge.remember("Before."))
            await calls.run(slowly)
        except ToolError as error:
            assert ended.wait(5)
            return str(error)
        finally:
            calls.close()
        return ""

    assert "Timeout" in anyio.run(main)


def test_a_cancelled_request_leaves_the_server_alive(home: Path) -> None:
    with engramforge.open(home) as forge:
        forge.remember("Before.")

    def notice(request: str) -> str:
        return json.dumps(
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": request}}
        )

    with served(home) as (requests, answers), locked(home):
        requests.write(call('"late"', '{"content": "Late."}') + "\n")
        requests.flush()
        time.sleep(1.0)
        requests.write(notice("late") + "\n")
        requests.write(call('"next"', "{}", "forge_timeline") + "\n")
        requests.flush()
        told: dict[str, Any] = {}
        while "next" not in told:
            answer = json.loads(answers.readline())
            told[answer["id"]] = answer
        assert not told["next"]["result"].get("isError")
    with engramforge.open(home) as forge:
        assert [memory.content for memory in forge.memories()] == ["Before."]


def test_a_client_is_told_of_a_tool_that_is_not_there(home: Path) -> None:
    async def main(client: Client) -> None:
        answer = await client.call_tool("forge_dance", {"a": 1})
        assert "forge_dance" in str(answer.content)

    async def within() -> None:
        async with client_of(home) as client:
            await main(client)

    anyio.run(within)
