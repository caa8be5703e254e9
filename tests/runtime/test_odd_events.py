"""Events of very many pieces, of very many levels and of odd numbers: a field goes, the event stays, and nobody waits
for it; the client reads and cuts them as the daemon does."""

from __future__ import annotations

import json
import runpy
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from engramforge.capture.live.odd_events import PIECES, TOO_MANY, event_in
from engramforge.faces.connections.claude_code import CLIENT
from engramforge.runtime.spool import LINE_BYTES, line_of
from engramforge.runtime.starting import recorded
from engramforge.runtime.transports.loopback import LOOPBACK_CONNECTIONS

from .conftest import Home, wait_for
from .test_hooks import _captured, _posted, _served

NOW = datetime(2026, 3, 1, tzinfo=UTC)
KEY = "sk-ant-api03-" + "Ab3dE" * 18 + "-AAAAAA"
client = runpy.run_path(str(CLIENT))


def body(response: str, gap: str = "", call: str = "t1") -> bytes:
    """An event of a tool as it is sent, with the text of what the tool answered."""
    begin = (
        '{"session_id":"s1","hook_event_name":"PostToolUse","tool_name":"mcp__x__y","tool_input":{"q":"x"}'
    )
    return f'{begin},{gap}"tool_response":{gap}{response},{gap}"tool_use_id":{gap}"{call}"}}'.encode()


def many(piece: Any, times: int) -> str:
    return json.dumps([piece] * times, separators=(",", ":"))


ODD = {
    "texts": (many({"type": "text", "text": "abcdef"}, 100_000), "too many pieces"),
    "names": (json.dumps({"filenames": ["/a/b.py"] * 400_000, "n": 3}), "too many pieces"),
    "numbers": (many(1, 300_000), "too many pieces"),
    "flat": (json.dumps({str(number): "" for number in range(30_000)}), "too many pieces"),
    "deep lists": ("[" * 9_000 + "1" + "]" * 9_000, "nested too deep"),
    "deep objects": ('{"a":' * 400 + "1" + "}" * 400, "nested too deep"),
    "another call within": (
        many({"tool_use_id": "other", "text": 'x","tool_use_id":"no'}, 30_000),
        "too many pieces",
    ),
}
PLAIN = {
    "few": many({"type": "text", "text": "abcdef"}, 2_000),
    "commas in a text": json.dumps({"stdout": "1,2,3\n" * 50_000}),
    "quotes": json.dumps({"stdout": '\\",\\\\{"a":[1]}' * 9}),
    "numbers": "[1,-2,3.5,1e9,true,false,null]",
    "nested": "[" * 90 + "]" * 90,
    "empty": "{}",
}


@pytest.mark.parametrize("gap", ["", " "])
@pytest.mark.parametrize("name", ODD)
def test_a_field_that_is_too_much_is_cut_and_the_rest_kept(name: str, gap: str) -> None:
    response, why = ODD[name]
    sent = body(response, gap)
    event, cut = event_in(sent)
    assert cut == (f"tool_response: {why}",)
    assert event["tool_response"] == f"[engramforge cut it: {why}]"
    assert (event["tool_input"], event["tool_use_id"]) == ({"q": "x"}, "t1")
    assert client["load"](sent) == event
    assert len(line_of(event, NOW)) < 1_000


@pytest.mark.parametrize("name", PLAIN)
def test_any_other_event_is_read_as_it_is(name: str) -> None:
    sent = body(PLAIN[name])
    assert event_in(sent) == (json.loads(sent), ())
    assert client["load"](sent) == json.loads(sent)


def test_only_a_number_goes_that_is_too_long() -> None:
    sent = body('{"n":' + "7" * 5_200 + ',"m":-12}')
    event, _ = event_in(sent)
    assert event["tool_response"] == {"n": "[engramforge cut it: a long number]", "m": -12}
    assert client["load"](sent) == event
    line_of(event, NOW)


@pytest.mark.parametrize(
    "sent", [b"", b"no", b"[1]", b"null", b'{"a":[1', b'{"a":1} x', b"[" * 50_000, b'"a"']
)
def test_what_is_no_object_is_refused(sent: bytes) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        event_in(sent)
    with pytest.raises(Exception, match="was not kept"):
        client["load"](sent)


@pytest.mark.timed
@pytest.mark.parametrize("times", [100_000, 400_000, 1_300_000])
def test_the_client_takes_no_longer_for_more_pieces(times: int) -> None:
    sent = body(many({"type": "text", "text": "abcdef"}, times))
    took = []
    for _ in range(3):
        began = time.perf_counter()
        line = client["fitted"](client["load"](sent))
        took.append(time.perf_counter() - began)
    assert min(took) < 0.3 and len(line) < 1_000


def test_many_pieces_that_no_reading_cut_are_cut_in_the_spool() -> None:
    event = {"hook_event_name": "PostToolUse", "tool_use_id": "t1", "tool_response": ["abcdefgh"] * 100_000}
    kept = json.loads(line_of(event, NOW))["event"]
    assert kept == {**event, "tool_response": TOO_MANY}
    assert json.loads(client["fitted"](event)) == kept
    assert PIECES * 4 < LINE_BYTES


@pytest.mark.parametrize("before", [10, 19_900, 19_950, 19_980, 19_990, 19_999])
@pytest.mark.parametrize("blank", [" ", "\n", '"', "=", ","])
def test_no_front_of_a_key_is_left_at_a_cut(before: int, blank: str) -> None:
    said = "a " * (before // 2 - 1) + "x" + blank + KEY + " " + "b " * 600_000
    event = {"hook_event_name": "PostToolUse", "tool_response": {"stdout": said}}
    for line in (client["fitted"](event), line_of(event, NOW)):
        text = line.decode()
        assert KEY in text or KEY[:4] not in text
        assert " cut" in text


def test_a_long_word_is_cut_where_it_must() -> None:
    event = {"hook_event_name": "PostToolUse", "tool_response": {"stdout": "x" * 1_200_000}}
    assert "x" * 20_000 in client["fitted"](event).decode()
    assert "x" * 20_000 in line_of(event, NOW).decode()


def test_the_daemon_keeps_an_odd_event_and_says_what_went(home: Home) -> None:
    with _served(home):
        for name in ("texts", "deep lists"):
            _posted(home, body(ODD[name][0], call=name))
        _posted(home, b'{"a": 1')
        _posted(home, body("1", call="t3"), header="X-Received-At: 0001-01-01T00:00:00+14:00\r\n")
        _posted(home, body("2", call="t4"), header="X-Received-At: 9999-12-31T23:59:59-14:00\r\n")
        wait_for(lambda: len(_captured(home)) == 4)
    said = home.log()
    assert "tool_response: too many pieces" in said and "tool_response: nested too deep" in said
    assert "no JSON object (it breaks off)" in said and said.count("dropped") == 1


@pytest.mark.timed
def test_a_large_event_delays_no_other(home: Home) -> None:
    large = body(many({"type": "text", "text": "abcdef"}, 1_300_000))
    small = json.dumps({"hook_event_name": "Stop", "session_id": "s1"}).encode()
    with _served(home), ThreadPoolExecutor(1) as pool:
        running = pool.submit(_posted, home, large)
        took = []
        while not running.done():
            began = time.perf_counter()
            _posted(home, small)
            took.append(time.perf_counter() - began)
        running.result()
    assert sorted(took)[len(took) * 9 // 10] < 0.15


def _status(connection: HTTPConnection, asked: str, headers: dict[str, str]) -> int:
    connection.request("POST", "/hook", asked, headers)
    answer = connection.getresponse()
    answer.read()
    return answer.status


def test_hooks_find_a_place_beside_a_flood(home: Home) -> None:
    home.start()
    told = recorded(home.places)
    assert told is not None
    headers = {"Authorization": f"Bearer {Path(home.places.token).read_text().strip()}"}
    asked = json.dumps({"hook_event_name": "Stop", "session_id": "s1"})
    mine = HTTPConnection("127.0.0.1", told["port"], timeout=10)
    assert _status(mine, asked, headers) == 204
    strangers = []
    try:
        for _ in range(6):
            strangers += [
                socket.create_connection(("127.0.0.1", told["port"]), 10) for _ in range(LOOPBACK_CONNECTIONS)
            ]
            other = HTTPConnection("127.0.0.1", told["port"], timeout=10)
            assert _status(other, asked, headers) == 204
            other.close()
        # One that has shown the token before is nobody's to close.
        assert mine.sock is not None
        assert _status(mine, asked, headers) == 204
    finally:
        for each in (*strangers, mine):
            each.close()
