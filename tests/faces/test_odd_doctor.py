"""The doctor and status tell what they find in files of any shape: they never end on it, and believe no process or port
that is none."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as tried
from hypothesis import strategies as st
from tests.faces.conftest import Cli

from engramforge.entry.thin import may_ask
from engramforge.faces.cli.connection_checks import examine_connections
from engramforge.faces.cli.daemon_checks import Check, examine_daemon
from engramforge.faces.connections.claude_code import LAUNCHER
from engramforge.runtime.lock import take_lock
from engramforge.runtime.places import Places
from engramforge.runtime.starting import hung, pid_in, port_in

_values: Any = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(), max_size=5),
    lambda held: st.lists(held, max_size=3) | st.dictionaries(st.text(max_size=5), held, max_size=3),
    max_leaves=6,
)


@pytest.fixture
def places(home: Path) -> Places:
    """The places of a home's daemon, made."""
    found = Places(str(home))
    found.make()
    return found


@pytest.fixture
def settings(home: Path, tmp_path: Path, cli: Cli) -> Path:
    """The settings of a person who is connected, and has a store."""
    (tmp_path / "user" / ".claude").mkdir(parents=True)
    cli("remember", "The ferry leaves at noon.")
    assert cli("connect", "claude-code", "--yes", "--json").json
    return tmp_path / "user" / ".claude" / "settings.json"


def examined(cli: Cli) -> dict[str, dict[str, str]]:
    answer = cli("doctor", "--json")
    assert answer.code in (0, 1), answer.err
    assert cli("doctor").code == answer.code
    return {check["name"]: check for check in json.loads(answer.out)["checks"]}


HOOK = {"type": "command", "command": "/bin/true", "args": [str(LAUNCHER), "Stop", "--home", "/nowhere"]}
HTTP = {"type": "http", "url": "http://127.0.0.1:4733/hook?engramforge", "headers": {}}
FINE = [
    {"Other": None},
    {"Other": 5},
    {"Other": "x"},
    {"Other": {"hooks": []}},
    {"Other": [None, 1, "x", [], {}]},
    {"Other": [{"hooks": None}]},
    {"Other": [{"hooks": 5}]},
    {"Other": [{"hooks": {}}]},
    {"Other": [{"hooks": "x"}]},
    {"Other": [{"hooks": [None, 1, "x", [], {}]}]},
]
ODD = [
    {**HOOK, "command": None},
    {**HOOK, "command": "a\0b"},
    {**HOOK, "command": "c" * 5_000},
    {**HOOK, "command": ["x"]},
    {**HOOK, "command": "/bin/" + "d/" * 3_000},
    {**HOOK, "args": [*HOOK["args"][:-1], "a\0b"]},
    {**HOOK, "args": [*HOOK["args"][:-1], "h" * 5_000]},
    {**HOOK, "args": [*HOOK["args"][:-1], "\ud83d"]},
    {**HOOK, "args": [*HOOK["args"][:-1], 5]},
    {**HOOK, "args": [None, *HOOK["args"]]},
    {**HTTP, "url": "http://127.0.0.1:$PORT/hook?engramforge"},
    {**HTTP, "url": "http://127.0.0.1:99999/hook?engramforge"},
    {**HTTP, "url": "http://[::1/hook?engramforge"},
    {**HTTP, "url": "http://127.0.0.1:-1/hook?engramforge"},
    {**HTTP, "url": "/hook?engramforge"},
]


@pytest.mark.parametrize("hooks", FINE, ids=str)
def test_what_others_wrote_is_passed_over(hooks: Any, cli: Cli, settings: Path) -> None:
    value = json.loads(settings.read_text())
    settings.write_text(json.dumps({**value, "hooks": {**hooks, **value["hooks"]}}))
    assert examined(cli)["connection"]["state"] == "ok"


@pytest.mark.parametrize("hook", ODD, ids=lambda hook: ascii(hook)[:60])
def test_a_hook_of_ours_that_was_changed_is_a_fault(hook: Any, cli: Cli, settings: Path) -> None:
    settings.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [hook]}]}}))
    found = examined(cli)["connection"]
    assert found["state"] == "fault" and found["mend"] and len(found["found"]) < 400


@pytest.mark.parametrize(
    "value", [None, 5, "x", [], {"hooks": None}, {"hooks": []}, {"hooks": {"Stop": None}}]
)
def test_settings_without_our_hooks_are_a_fault(value: Any, cli: Cli, settings: Path) -> None:
    settings.write_text(json.dumps(value))
    found = examined(cli)["connection"]
    assert found["state"] == "fault" and str(settings) in found["found"]


def _pipe(place: Path) -> None:
    place.unlink()
    os.mkfifo(place)


def _folder(place: Path) -> None:
    place.unlink()
    place.mkdir()


CHANGES: list[Callable[[Path], object]] = [
    _pipe,
    _folder,
    lambda place: place.write_bytes(b"\xff\xfe"),
    lambda place: place.write_bytes(b"{" * 90_000),
    lambda place: place.write_bytes(b'{"a":' + b"9" * 6_000 + b"}"),
    lambda place: place.write_bytes(b'{"hooks":' + b"[" * 900 + b"]" * 900 + b"}"),
]


@pytest.mark.parametrize("change", CHANGES)
def test_settings_that_cannot_be_read_are_named(
    change: Callable[[Path], object], cli: Cli, settings: Path
) -> None:
    change(settings)
    found = examined(cli)["connection"]
    assert found["state"] == "fault" and str(settings) in found["found"] and found["mend"]


@pytest.mark.parametrize("change", CHANGES)
def test_a_record_that_cannot_be_read_is_named(
    change: Callable[[Path], object], cli: Cli, settings: Path, home: Path
) -> None:
    place = home / "connections" / "claude-code.json"
    change(place)
    checks = [each for each in json.loads(cli("doctor", "--json").out)["checks"] if each["state"] == "fault"]
    assert [str(place) in each["found"] and each["name"] for each in checks] == ["connection"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"serve": 5}', '{"serve": [5]}', '{"serve": null}', "\0"])
def test_connecting_again_mends_our_own_file(text: str, cli: Cli, settings: Path, home: Path) -> None:
    place = home / "connect.json"
    before = place.read_text()
    place.write_text(text)
    examined(cli)
    assert cli("connect", "claude-code", "--yes", "--json").json["changed"] == [str(place)]
    assert place.read_text() == before
    place.write_text(text)
    assert cli("disconnect", "claude-code", "--yes", "--json").json
    assert not place.exists() and not settings.exists()


@tried(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "type": st.just("http"),
            "url": _values,
            "command": _values,
            "args": _values,
            "headers": _values,
        },
    ),
    _values,
)
def test_no_hook_ends_the_doctor(settings: Path, home: Path, hook: Any, other: Any) -> None:
    hook = {**hook, "args": [str(LAUNCHER), other]} if "args" in hook else hook
    for value in (
        {"hooks": {"Stop": [{"hooks": [hook, other]}, other], "X": other}},
        {"hooks": other},
        other,
    ):
        settings.write_text(json.dumps(value))
        assert {each.name for each in examine_connections(home)} == {"connection"}


@pytest.mark.parametrize(
    "pid", [0, -1, 1.5, True, None, "1", [], 99999999999999999999, 2**31, 10**400, float("nan"), "a\0b"]
)
def test_a_pid_that_is_none_is_believed_by_nobody(pid: Any, cli: Cli, places: Places, home: Path) -> None:
    cli("remember", "The ferry leaves at noon.")
    Path(places.record).write_text(json.dumps({"pid": pid, "idle_s": "x", "port": {}, "version": 5}))
    assert pid_in({"pid": pid}) is None and hung(places) is None
    lock = take_lock(places.lock)
    assert lock is not None
    try:
        found = examined(cli)
        assert not any("kill" in each["mend"] for each in found.values())
        assert found["record"]["state"] == "fault" and places.record in found["record"]["found"]
        said = cli("status")
        assert said.code == 0 and places.record in said.out and "kill" not in said.out
        assert cli("status", "--json").json["running"]
    finally:
        os.close(lock)


@pytest.mark.parametrize(
    "held", [{"idle_s": "x"}, {"idle_s": None}, {"waiting": []}, {"version": {}}, {"port": -1}]
)
def test_status_of_one_that_hangs_tells_what_it_can(held: Any, cli: Cli, places: Places) -> None:
    Path(places.record).write_text(json.dumps({"pid": os.getpid(), **held}))
    lock = take_lock(places.lock)
    assert lock is not None
    try:
        said = cli("status")
        assert said.code == 0 and str(os.getpid()) in said.out and "does not answer" in said.out
        assert f"kill -9 {os.getpid()}" in examined_daemon(places)["daemon"].mend
    finally:
        os.close(lock)


def examined_daemon(places: Places) -> dict[str, Check]:
    return {each.name: each for each in examine_daemon(Path(places.home), "1.0.0")}


RECORDS: list[Callable[[Path], object]] = [
    os.mkfifo,
    lambda place: place.mkdir(),
    lambda place: place.symlink_to("/dev/zero"),
    lambda place: place.symlink_to("/nowhere"),
    lambda place: place.write_bytes(b"\xff\xfe"),
    lambda place: place.write_bytes(b""),
    lambda place: place.write_bytes(b"{}"),
    lambda place: place.write_bytes(b"[" * 90_000),
    lambda place: place.write_bytes(b'{"pid": ' + b"9" * 6_000 + b"}"),
]


@pytest.mark.parametrize("make", RECORDS)
def test_a_daemon_s_record_that_says_nothing_is_named(
    make: Callable[[Path], object], cli: Cli, places: Places
) -> None:
    make(Path(places.record))
    found = examined_daemon(places)["record"]
    assert found.state == "fault" and places.record in found.found and "rm -rf" in found.mend
    assert cli("status").code == 0
    assert (
        "on which port" in cli("connect", "claude-code", "--hooks", "http", "--yes", "--json").error["fault"]
    )


TOKENS: list[Callable[[Path], object]] = [
    os.mkfifo,
    lambda place: place.mkdir(),
    lambda place: place.symlink_to("/nowhere"),
    lambda place: (place.write_text("t" * 43), place.chmod(0o644)),
    lambda place: (place.write_bytes(b"\xff\xfe"), place.chmod(0o600)),
    lambda place: (place.write_bytes(b""), place.chmod(0o600)),
    lambda place: (place.write_bytes(b"a\0b"), place.chmod(0o600)),
    lambda place: (place.write_bytes(b"\x1b[2J"), place.chmod(0o600)),
]


@pytest.mark.parametrize("make", TOKENS)
def test_a_token_that_is_none_is_named(make: Callable[[Path], object], cli: Cli, places: Places) -> None:
    make(Path(places.token))
    found = examined_daemon(places)["token"]
    assert found.state == "fault" and places.token in found.found and "rm -rf" in found.mend


def test_a_sound_record_and_token_need_no_word(places: Places) -> None:
    Path(places.record).write_text('{"pid": 4711, "port": 4733}')
    Path(places.token).write_text("t" * 43)
    Path(places.token).chmod(0o600)
    assert examined_daemon(places) == {}


@pytest.mark.parametrize("port", [0, -1, 65_536, 1.5, True, "4733", None, [], 10**40])
def test_a_port_that_is_none_is_not_believed(port: Any) -> None:
    assert port_in({"port": port}) is None


NOW = "2026-11-29 04:00:01,222"
GLUED = [
    (f"{NOW} WARNING The spool ca{NOW} INFO The daemon 12 serves /home/a", None),
    (f"{NOW} ERROR a\n{NOW} WARNING{NOW} INFO The daemon 12 serves /home/a", None),
    (f"{NOW} WARNING half{NOW} INFO The daemon 12 serves /a\n{NOW} ERROR new", f"{NOW} ERROR new"),
    (f"{NOW} WARNING half{NOW} ERROR full", f"{NOW} ERROR full"),
    (f"{NOW} ERROR old\n{NOW} INFO The daemon 12 serves /a", None),
    (
        f"{NOW} WARNING it said: 'x INFO The daemon 5 serves'",
        f"{NOW} WARNING it said: 'x INFO The daemon 5 serves'",
    ),
    (f"{NOW} INFO The daemon 12 serves /tmp/ ERROR x", None),
    (f"{NOW} INFO The daemon 12 serves /a\nTraceback (most recent call last):", None),
    (f"rest of a line{NOW} WARNING new", f"{NOW} WARNING new"),
]


@pytest.mark.parametrize(("text", "told"), GLUED)
def test_a_line_that_was_cut_off_tells_no_old_fault_as_new(
    text: str, told: str | None, places: Places
) -> None:
    Path(places.log).write_text(f"{text}\n")
    found = examined_daemon(places).get("log")
    assert (None if found is None else found.found) == told


@pytest.mark.parametrize(
    "make", [os.mkfifo, lambda place: place.mkdir(), lambda place: place.symlink_to("/dev/zero")]
)
def test_a_log_that_is_no_file_keeps_nobody_waiting(make: Callable[[Path], object], places: Places) -> None:
    make(Path(places.log))
    assert examined_daemon(places) == {}


def test_transcripts_that_are_none_are_passed_over(cli: Cli, settings: Path) -> None:
    folder = settings.parent / "projects" / "-srv-atlas"
    folder.mkdir(parents=True)
    (folder / "gone.jsonl").symlink_to("/nowhere")
    (folder / "folder.jsonl").mkdir()
    odd = folder / os.fsdecode(b"\xff" + b"x" * 200 + b".jsonl")
    odd.write_text("{}")
    for place in settings.parents[2].rglob("claude-code.json"):
        os.utime(place, (time.time() - 5_000, time.time() - 5_000))
    os.utime(odd, (time.time() - 900, time.time() - 900))
    assert examined(cli)["connection"]["state"] == "ok"


TOML: list[Callable[[Path], object]] = [
    os.mkfifo,
    lambda place: place.mkdir(),
    lambda place: place.symlink_to("/dev/zero"),
    lambda place: place.write_bytes(b"\xff\xfe"),
    lambda place: place.write_text(f"daemon = {'[' * 3_000}{']' * 3_000}"),
    lambda place: place.write_text(f"daemon = {'9' * 6_000}"),
    lambda place: place.write_text("daemon = {"),
    lambda place: place.write_text("nonesuch = 1"),
]


@pytest.mark.parametrize("make", TOML)
def test_our_own_settings_of_any_shape_are_named(
    make: Callable[[Path], object], cli: Cli, home: Path
) -> None:
    home.mkdir()
    make(home / "engramforge.toml")
    assert examined(cli)["settings"]["state"] == "fault"
    assert may_ask({}, str(home)) in (True, False), "a daemon is asked or not, and nothing ends"
    assert cli("status").code == 0
    error = cli("list", "--json").error
    assert "engramforge.toml" in error["fault"] or "daemon" in error["fault"]


def test_settings_that_are_empty_by_a_link_are_none(cli: Cli, home: Path) -> None:
    home.mkdir()
    (home / "engramforge.toml").symlink_to("/dev/null")
    assert cli("list", "--json").json["memories"] == []
