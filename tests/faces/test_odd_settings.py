"""Connecting and taking it back, whatever settings hold: refused with a word that names the fault, or carried through
and brought back."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import settings as tried
from hypothesis import strategies as st
from tests.faces.conftest import Cli

from engramforge.errors import EngramforgeError
from engramforge.faces.connections.claude_code import EVENTS, homes_in
from engramforge.faces.connections.connecting import (
    commands_of,
    connect,
    disconnect,
    plan_back,
    plan_settings,
)
from engramforge.faces.connections.edits import Edit, parse, written

HALF = "\ud83d"
"""Half of a pair, which JSON can spell and UTF-8 cannot."""
_texts = st.text(st.characters() | st.sampled_from([HALF, "\udcff", '"', "\\", "\n"]), max_size=6)
_plain = (
    st.none()
    | st.booleans()
    | st.integers(-3, 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | _texts
)
_values = st.recursive(
    _plain, lambda held: st.lists(held, max_size=3) | st.dictionaries(_texts, held, max_size=3), max_leaves=8
)
_names = (
    st.sampled_from([*EVENTS, "hooks", "mcpServers", "projects", "enabledPlugins", "declinedPlugins"])
    | _texts
)
_groups = st.lists(
    st.fixed_dictionaries({}, optional={"matcher": _values, "hooks": _values}) | _values, max_size=3
)
_hooks = st.dictionaries(st.sampled_from([*EVENTS, "Notification"]) | _texts, _groups, max_size=4)
_servers = st.dictionaries(_texts, _values, max_size=2)
_projects = st.dictionaries(
    st.sampled_from(["/srv/shop", "", "/"]) | _texts,
    st.fixed_dictionaries({}, optional={"mcpServers": _servers | _values}) | _values,
    max_size=3,
)
_notes = {"enabledPlugins": _values, "extraKnownMarketplaces": _values, "declinedPlugins": _values}
_settings = st.builds(
    lambda one, two: {**one, **two},
    st.dictionaries(_texts, _values, max_size=3),
    st.fixed_dictionaries({}, optional={"hooks": _hooks, **_notes}),
)
_states = st.builds(
    lambda one, two: {**one, **two},
    st.dictionaries(_texts, _values, max_size=3),
    st.fixed_dictionaries({}, optional={"mcpServers": _servers, "projects": _projects}),
)
_indents = st.sampled_from([None, 1, 2, "\t"])


def spelled(value: object) -> str:
    """A JSON value in one spelling; `true` is not 1 there."""
    return json.dumps(value, sort_keys=True)


@contextmanager
def person(**files: bytes) -> Iterator[tuple[Path, Path, Path, Path]]:
    """A person's folder with settings and state: their home, and the two files."""
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, {"HOME": folder}):
        os.environ.pop("CLAUDE_CONFIG_DIR", None)
        user = Path(folder).resolve()
        (user / ".claude").mkdir()
        (user / "shop").mkdir()
        settings, state = user / ".claude" / "settings.json", user / ".claude.json"
        for place, name in ((settings, "settings"), (state, "state")):
            if name in files:
                place.write_bytes(files[name])
        yield user / "home", settings, state, user / "shop"


def put_in(home: Path, project: Path | None = None) -> None:
    connect(home, plan_settings(home, project, commands_of(home)))


def take_back(home: Path) -> None:
    disconnect(home, plan_back(home, None))


@tried(max_examples=60, deadline=None)
@given(_settings, _states, _indents)
def test_connected_and_disconnected_it_is_the_same_to_the_byte(
    settings: Any, state: Any, indent: str | int | None
) -> None:
    texts = [json.dumps(each, indent=indent).encode() for each in (settings, state)]
    with person(settings=texts[0], state=texts[1]) as (home, *places, _):
        put_in(home)
        for place, before in zip(places, (settings, state), strict=True):
            found = parse(place, place.read_bytes())
            assert homes_in(found) == {str(home)}
            rest = {key: found.get(key) for key in before if key not in ("hooks", "mcpServers")}
            assert spelled(rest) == spelled({key: before[key] for key in rest})
        take_back(home)
        assert [place.read_bytes() for place in places] == texts
        assert not home.exists()


@tried(max_examples=60, deadline=None)
@given(_settings, _states, _indents, st.booleans())
def test_what_was_there_is_there_again_when_others_wrote_in_between(
    settings: Any, state: Any, indent: str | int | None, again: bool
) -> None:
    with person(settings=json.dumps(settings).encode(), state=json.dumps(state).encode()) as (
        home,
        *places,
        _,
    ):
        put_in(home)
        for place in places:
            found = parse(place, place.read_bytes())
            place.write_text(json.dumps({**found, "of others": 1}, indent=indent))
        if again:
            put_in(home)
        take_back(home)
        for place, before in zip(places, (settings, state), strict=True):
            assert spelled(json.loads(place.read_bytes())) == spelled({**before, "of others": 1})


@tried(max_examples=60, deadline=None)
@given(_states, st.sampled_from([{}, {"mcpServers": {}}, {"allowedTools": []}, None]))
def test_a_project_s_part_of_the_state_is_there_again(state: Any, own: Any) -> None:
    with person() as (home, _, place, project):
        projects = dict(state.get("projects", {}))
        state = {**state, "projects": {**projects, str(project): own} if own is not None else projects}
        place.write_text(json.dumps(state))
        put_in(home, project)
        place.write_text(json.dumps({**parse(place, place.read_bytes()), "of others": 1}))
        take_back(home)
        assert spelled(json.loads(place.read_bytes())) == spelled({**state, "of others": 1})


@tried(max_examples=60, deadline=None)
@given(st.dictionaries(_names, _values, max_size=4), st.dictionaries(_names, _values, max_size=4))
def test_of_whatever_shape_it_is_refused_or_brought_back(settings: Any, state: Any) -> None:
    texts = [json.dumps(each).encode() for each in (settings, state)]
    with person(settings=texts[0], state=texts[1]) as (home, *places, _):
        try:
            put_in(home)
        except EngramforgeError as error:
            assert any(str(place) in error.fault for place in places) and error.mend
            assert not home.exists()
        else:
            take_back(home)
        assert [place.read_bytes() for place in places] == texts


@pytest.mark.parametrize(
    "odd",
    [
        {"hooks": {}},
        {"hooks": {"Stop": []}},
        {"hooks": {"Stop": [None, 1, "x", {}]}},
        {"hooks": {"Stop": [{"hooks": None}, {"hooks": []}, {"hooks": [None]}]}},
        {"hooks": {"Stop": [{"hooks": 5}], "PreCompact": []}},
        {"enabledPlugins": {}, "declinedPlugins": [], "extraKnownMarketplaces": None},
        {"a": 1, "b": True, "c": 1.0, "d": None, "": ""},
        {"x": HALF, "y\udcff": [HALF]},
        {"mcpServers": {}, "projects": {}},
        {"projects": {"/srv/shop": None, "/": 5, "": {}}},
        {"projects": {"/srv/shop": {"mcpServers": None}}},
    ],
)
def test_what_is_odd_or_empty_comes_back(odd: Any) -> None:
    text = json.dumps(odd).encode()
    with person(settings=text, state=text) as (home, *places, _):
        put_in(home)
        for place in places:
            place.write_text(json.dumps({**parse(place, place.read_bytes()), "theme": "dark"}))
        take_back(home)
        for place in places:
            assert spelled(json.loads(place.read_bytes())) == spelled({**odd, "theme": "dark"})


@pytest.mark.parametrize("odd", ["a\0b", HALF, "h" * 5_000, "", "x/" * 3_000, "~", "\udcff"])
def test_hooks_of_ours_that_name_no_home_go_all_the_same(odd: str) -> None:
    with person(settings=b"{}") as (home, place, *_):
        put_in(home)
        value = json.loads(place.read_bytes())
        value["hooks"]["Stop"][0]["hooks"][0]["args"][-1] = odd
        place.write_text(json.dumps({**value, "theme": "dark"}))
        take_back(home)
        assert json.loads(place.read_bytes()) == {"theme": "dark"}


def test_a_change_from_a_number_to_true_is_one() -> None:
    with person(settings=b'{"a": 1}') as (home, place, *_):
        put_in(home)
        place.write_text(json.dumps({**json.loads(place.read_bytes()), "a": True}))
        take_back(home)
        assert place.read_text() == '{"a": true}'


def test_both_connections_are_taken_back_at_once() -> None:
    state = json.dumps({"mcpServers": {}, "projects": {"/srv": {}}}).encode()
    with person(settings=b'{"hooks": {}}', state=state) as (home, settings, place, project):
        put_in(home, project)
        put_in(home)
        take_back(home)
        assert (settings.read_bytes(), place.read_bytes()) == (b'{"hooks": {}}', state)
        assert list(project.iterdir()) == [] and not home.exists()


@pytest.mark.parametrize("is_user_first", [True, False])
@pytest.mark.parametrize("goes_first", ["user", "project"])
def test_one_of_two_connections_leaves_the_other_whole(is_user_first: bool, goes_first: str) -> None:
    state = b'{ "mcpServers": {}, "projects": {"/srv": {}} }'
    with person(settings=b'{"hooks":{}}', state=state) as (home, settings, place, project):
        for each in (None, project) if is_user_first else (project, None):
            put_in(home, each)
        one, other = (None, str(project)) if goes_first == "user" else (str(project), None)
        disconnect(home, plan_back(home, [one]))
        found = json.loads(place.read_bytes())
        assert ("engramforge" in found["mcpServers"]) is (other is None)
        assert (str(project) in found["projects"]) is (other is not None)
        disconnect(home, plan_back(home, [other]))
        assert settings.read_bytes() == b'{"hooks":{}}' and not home.exists()
        assert json.loads(place.read_bytes()) == json.loads(state)
        if is_user_first is not (goes_first == "user"):
            assert place.read_bytes() == state


@pytest.mark.parametrize(
    "value",
    [
        {"mcpServers": {"engramforge": {"args": 5}}},
        {"mcpServers": {"engramforge": {"args": None}}},
        {"mcpServers": {"engramforge": None}},
        {"mcpServers": {"engramforge": "x"}},
        {"mcpServers": {"engramforge": []}},
        {"mcpServers": {"engramforge": {"args": "-m engramforge.entry.console"}}},
        {"mcpServers": None},
        {"mcpServers": []},
        {"mcpServers": 1},
    ],
)
def test_servers_of_a_shape_that_is_not_ours_are_named(value: Any) -> None:
    text = json.dumps(value).encode()
    with person(state=text) as (home, _, place, _):
        with pytest.raises(EngramforgeError) as caught:
            put_in(home)
        assert str(place) in caught.value.fault and caught.value.mend
        assert place.read_bytes() == text and not home.exists()


@pytest.mark.parametrize("kind", ["pipe", "folder", "device"])
@pytest.mark.parametrize("which", [".claude/settings.json", ".claude.json"])
def test_what_is_no_file_is_refused(kind: str, which: str) -> None:
    with person() as (home, settings, state, _):
        place = settings if "settings" in which else state
        {"pipe": os.mkfifo, "folder": os.mkdir, "device": lambda path: path.symlink_to("/dev/zero")}[kind](
            place
        )
        with pytest.raises(EngramforgeError) as caught:
            put_in(home)
        assert f"it is a {kind}" in caught.value.fault and not home.exists()
        with pytest.raises(EngramforgeError):
            take_back(home)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b'{"a": "\xff"}', "not UTF-8 (at byte 7)"),
        ('{"a": 1}'.encode("utf-16"), "not UTF-8"),
        (b'{"a":' * 300 + b"1" + b"}" * 300, "stand in each other"),
        (b'{"a":' + b"[" * 250 + b"]" * 250 + b"}", "stand in each other"),
        (b'{"a":' + b"[" * 90_000 + b"]" * 90_000 + b"}", "settings.json"),
        (b'{"a": ' + b"9" * 6_000 + b"}", "settings.json"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": -Infinity}', "Infinity"),
        (b"null", "no JSON object"),
        (b'"\\ud83d"', "no JSON object"),
    ],
)
def test_what_cannot_be_written_again_is_refused_by_its_name(text: bytes, said: str) -> None:
    with person(settings=text) as (home, place, *_):
        with pytest.raises(EngramforgeError) as caught:
            put_in(home)
        assert said in caught.value.fault and place.read_bytes() == text and not home.exists()


def test_half_of_a_pair_stays_the_escape_that_it_was() -> None:
    text = written({"a": f"x{HALF}", "b": "\U0001f600", f"{HALF}": 1}, b"{}")
    assert text == '{\n  "a": "x\\ud83d",\n  "b": "\U0001f600",\n  "\\ud83d": 1\n}'.encode()


@pytest.mark.parametrize("name", [b"caf\xe9", b"\xff", b"a\x80b"])
def test_a_home_or_project_that_settings_cannot_name_is_refused(name: bytes) -> None:
    with person(settings=b"{}") as (home, place, _, project):
        odd = project / os.fsdecode(name)
        for given_home, given_project in ((odd, None), (home, odd)):
            with pytest.raises(EngramforgeError, match="not UTF-8"):
                put_in(given_home, given_project)
        assert place.read_bytes() == b"{}" and not home.exists()


DAMAGED: list[Any] = [
    {"path": 5},
    {"path": None},
    {"path": "settings.json"},
    {"path": "/a\0b"},
    {"backup": 5},
    {"backup": "../../secret"},
    {"after": None},
    {"made_folders": "/"},
    {"made_folders": [5]},
    {"made_folders": None},
    {"project": 5},
    {"project": "a\0b"},
    {"project": []},
    {"way": None},
    {"hooks": 1},
    {"files": None},
    {"files": [None]},
    {"more": 1},
]


@pytest.mark.parametrize("change", DAMAGED, ids=str)
def test_a_damaged_record_is_named(change: dict[str, Any], cli: Cli, home: Path, tmp_path: Path) -> None:
    (tmp_path / "user").mkdir()
    cli("remember", "The ferry leaves at noon.")
    assert cli("connect", "claude-code", "--yes", "--json").json
    place = home / "connections" / "claude-code.json"
    told = json.loads(place.read_text())
    ((name, value),) = change.items()
    connection = told["connections"][0]
    (connection if name not in connection["files"][0] else connection["files"][0])[name] = value
    place.write_text(json.dumps(told))
    error = cli("disconnect", "claude-code", "--yes", "--json").error
    assert f"{place} is damaged" in error["fault"]
    checks = json.loads(cli("doctor", "--json").out)["checks"]
    assert [each["found"] for each in checks if each["state"] == "fault"] == [error["fault"]]
    place.unlink()
    assert cli("disconnect", "claude-code", "--yes", "--json").json
    assert json.loads((tmp_path / "user" / ".claude.json").read_text()) == {}


@pytest.mark.parametrize("value", [None, 5, {}, "x", [[]], [5], [{}]])
def test_a_record_of_another_shape_is_damaged(value: Any, cli: Cli, home: Path) -> None:
    (home / "connections").mkdir(parents=True)
    (home / "connections" / "claude-code.json").write_text(json.dumps({"connections": value}))
    assert "is damaged" in cli("disconnect", "claude-code", "--yes", "--json").error["fault"]


def test_a_copy_that_is_lost_costs_nobody_their_settings() -> None:
    with person(settings=b'{"model": "opus"}') as (home, place, *_):
        put_in(home)
        for copy in (home / "connections").glob("*-settings.json"):
            copy.unlink()
        take_back(home)
        assert json.loads(place.read_bytes()) == {"model": "opus"}


def test_a_file_in_the_place_of_our_folder_is_named() -> None:
    with person(settings=b"{}") as (home, place, *_):
        home.mkdir()
        (home / "connections").write_text("")
        with pytest.raises(EngramforgeError, match="connections"):
            put_in(home)
        assert place.read_bytes() == b"{}"


SECRETS = [
    ('"Authorization": "Bearer {}"', True),
    ('"authorization" : "bearer {}",', True),
    ('{{"headers":{{"Authorization":"Bearer {}"}},"a":"b"}}', True),
    ('"ANTHROPIC_API_KEY": "{}"', True),
    ('"GITHUB_TOKEN": "{}",', True),
    ('"password":"{}"', True),
    ('"args": ["-H", "Authorization: Bearer {}"]', True),
    ('"oauth_client_secret": "{}"', True),
    ('"model": "{}"', False),
    ('"command": "{}"', False),
    ('"description": "the bearer of {}"', False),
    ('"url": "http://127.0.0.1:4733/{}"', False),
    ('"timeout": 5, "matcher": "{}"', False),
]


@pytest.mark.parametrize(("line", "hidden"), SECRETS)
def test_what_is_shown_of_a_change_has_no_keys_in_it(line: str, hidden: bool) -> None:
    text = line.format("hunter2Secret99").encode()
    for before, after in ((None, text), (text, None), (b"x\n" + text, b"y\n" + text)):
        shown = Edit(Path("/f"), before, after).diff()
        assert ("hunter2Secret99" in shown) is not hidden and ("***" in shown) is hidden


def test_the_daemon_s_token_is_written_and_not_shown(cli: Cli, home: Path, tmp_path: Path) -> None:
    token = "t0ken-" + "x" * 40
    (tmp_path / "user").mkdir()
    (home / "run").mkdir(parents=True)
    (home / "run" / "daemon.json").write_text('{"port": 4733}')
    (home / "run" / "token").write_text(f"{token}\n")
    for option in ("--dry-run", "--yes"):
        said = cli("connect", "claude-code", "--hooks", "http", option)
        assert said.code == 0 and token not in said.out + said.err
    assert token in (tmp_path / "user" / ".claude" / "settings.json").read_text()
    said = cli("disconnect", "claude-code", "--dry-run")
    assert '"Authorization": "***"' in said.out and token not in said.out


@pytest.mark.parametrize("token", [b"\xff\xfe", b"", b"a\nb", b"a b", b"\x1b[2J", b"caf\xc3\xa9", None])
def test_http_hooks_are_refused_with_no_token(token: bytes | None, cli: Cli, home: Path) -> None:
    (home / "run").mkdir(parents=True)
    (home / "run" / "daemon.json").write_text('{"port": 4733}')
    place = home / "run" / "token"
    place.mkdir() if token is None else place.write_bytes(token)
    error = cli("connect", "claude-code", "--hooks", "http", "--yes", "--json").error
    assert str(place) in error["fault"] and "rm -rf" in error["mend"]


@pytest.mark.parametrize("port", ["4733", 0, -1, 65_536, 1.5, True, None, [], 10**30])
def test_http_hooks_are_refused_with_no_port(port: Any, cli: Cli, home: Path) -> None:
    (home / "run").mkdir(parents=True)
    (home / "run" / "daemon.json").write_text(json.dumps({"port": port}))
    (home / "run" / "token").write_text("token")
    error = cli("connect", "claude-code", "--hooks", "http", "--yes", "--json").error
    assert "on which port" in error["fault"]
