"""Nonsense through every face: a typed error that names fault and mend, and not one row of any table changed."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from tests.robustness.conftest import dump

import engramforge
from engramforge.entry.console import COMMANDS
from engramforge.errors import EngramforgeError, InvalidContent, InvalidTime, InvalidValue, NotFound
from engramforge.faces.cli.program import run
from engramforge.faces.mcp.calls import Calls
from engramforge.faces.mcp.server import build_server
from engramforge.forge import Forge
from engramforge.model.limits import CONTENT_BYTES, NAMES_PER_ARGUMENT
from engramforge.model.memory import Draft

NAIVE = datetime(2026, 5, 1, 9)  # noqa: DTZ001 - that is the fault
HERE = "a memory that is there"
"""Stands for the id of the memory that is there."""
UNKNOWN = "0190a0a0-0000-7000-8000-000000000000"

REMEMBER: list[tuple[dict[str, Any], type[EngramforgeError]]] = [
    ({"content": ""}, InvalidContent),
    ({"content": " \n\t\u200b"}, InvalidContent),
    ({"content": "é" * (CONTENT_BYTES // 2 + 1)}, InvalidContent),
    ({"content": b"half \xc3"}, InvalidContent),
    ({"content": "a NUL \x00 inside"}, InvalidContent),
    ({"content": "a surrogate \ud800 inside"}, InvalidContent),
    ({"content": 5}, InvalidContent),
    ({"content": None}, InvalidContent),
    ({"content": "<private>all of it</private>"}, InvalidContent),
    ({"valid_at": NAIVE}, InvalidTime),
    ({"valid_at": date(2026, 5, 1)}, InvalidTime),
    ({"valid_at": "2026-05-01T09:00:00"}, InvalidTime),
    ({"valid_at": "0001-01-01T00:00:00+14:00"}, InvalidTime),
    ({"recorded_at": datetime(2999, 1, 1, tzinfo=UTC)}, InvalidTime),
    ({"valid_at": "2026-05-02", "invalid_at": "2026-05-01"}, InvalidTime),
    ({"valid_at": "2026-05-02", "invalid_at": "2026-05-02"}, InvalidTime),
    ({"kind": "rumour"}, InvalidValue),
    ({"source": "rumour"}, InvalidValue),
    ({"level": "galaxy"}, InvalidValue),
    ({"resolution_state": "rumour"}, InvalidValue),
    ({"project": ""}, InvalidValue),
    ({"project": "a\ud800"}, InvalidValue),
    ({"session_id": "x" * 201}, InvalidValue),
    ({"name": "two\nlines"}, InvalidValue),
    ({"energy": 1.5}, InvalidValue),
    ({"energy": -0.1}, InvalidValue),
    ({"energy": float("nan")}, InvalidValue),
    ({"confidence": float("inf")}, InvalidValue),
    ({"epistemic_tier": "0.5"}, InvalidValue),
    ({"energy": True}, InvalidValue),
    ({"sequence": 2**63}, InvalidValue),
    ({"sequence": -1}, InvalidValue),
    ({"tags": "one"}, InvalidValue),
    ({"tags": ["\x00"]}, InvalidValue),
    ({"metadata": {"a": {1}}}, InvalidValue),
    ({"metadata": {"a": float("nan")}}, InvalidValue),
    ({"metadata": {"a": 10**400}}, InvalidValue),
    ({"emotion_vector": {"joy": float("nan")}}, InvalidValue),
    ({"chunk": {"file_path": "a"}}, InvalidValue),
    ({"nonsense": 1}, InvalidValue),
]

CALLS: list[tuple[str, list[Any], dict[str, Any], type[EngramforgeError]]] = [
    *(
        (
            name,
            [bad, *more],
            {},
            NotFound if isinstance(bad, str) and bad.strip() and bad.isprintable() else InvalidValue,
        )
        for name, more in (("get", []), ("history", []), ("links", []), ("forget", []), ("revise", ["x"]))
        for bad in (UNKNOWN, "no such id", "\ud800", "' OR 1=1 --", "", "  ", None, 5)
    ),
    ("supersede", [UNKNOWN, "x"], {}, NotFound),
    ("supersede", [HERE, "x"], {"at": NAIVE}, InvalidTime),
    ("supersede", [HERE, "x"], {"at": "1999-01-01"}, InvalidTime),
    ("supersede", [HERE, "x"], {"energy": 1.5}, InvalidValue),
    ("supersede", [HERE, "x"], {"valid_at": "2026-01-01"}, InvalidValue),
    ("supersede", [HERE], {}, InvalidValue),
    ("revise", [HERE], {}, InvalidValue),
    ("revise", [HERE, ""], {}, InvalidContent),
    ("revise", [HERE, "a\x00"], {}, InvalidContent),
    *((verb, [HERE, b"half \xc3"], {}, InvalidContent) for verb in ("revise", "supersede")),
    ("revise", [HERE, "x"], {"kind": "rumour"}, InvalidValue),
    ("revise", [HERE, "x"], {"project": "other"}, InvalidValue),
    ("revise", [HERE, "x"], {"invalid_at": "1999-01-01"}, InvalidTime),
    ("forget", [HERE], {"reason": "a\ud800"}, InvalidValue),
    ("forget", [HERE], {"reason": 5}, InvalidValue),
    ("remember_many", [[{"content": "sound"}, {"content": ""}]], {}, InvalidContent),
    ("remember_many", [[5]], {}, InvalidValue),
    ("remember_many", [[Draft(content="x", registration="x")]], {}, InvalidValue),  # type: ignore[arg-type]
    *(
        ("remember_many", [[draft]], {}, InvalidContent)
        for kind, bad in itertools.product(("note", "message", "prompt"), (5, ["a"], b"half \xc3"))
        for each in [{"content": bad, "kind": kind, "session_id": "talk"}]
        for draft in (each, Draft(**each))
    ),
    ("create_project", ["\ud800"], {}, InvalidValue),
    ("recall", ["x" * 10_001], {}, InvalidValue),
    ("recall", ["a\ud800"], {}, EngramforgeError),
    ("recall", [None], {}, EngramforgeError),
    ("memories", [], {"project": "nowhere"}, NotFound),
    ("recall", ["x"], {"project": 5}, InvalidValue),
    ("recall", ["x"], {"project": []}, InvalidValue),
    ("recall", ["x"], {"kinds": "rumour"}, InvalidValue),
    ("recall", ["x"], {"kinds": 5}, InvalidValue),
    ("recall", ["x"], {"tags": 5}, InvalidValue),
    ("recall", ["x"], {"since": NAIVE}, InvalidTime),
    ("recall", ["x"], {"since": "2026-05-02", "until": "2026-05-01"}, InvalidTime),
    ("recall", ["x"], {"as_of": "2026-05-02", "as_of_valid": "2026-05-01"}, InvalidTime),
    ("recall", ["x"], {"limit": 0}, InvalidValue),
    ("recall", ["x"], {"budget": float("nan")}, InvalidValue),
    ("recall", ["x"], {"min_score": float("nan")}, InvalidValue),
    ("recall", ["x"], {"query_embedding": 5}, InvalidValue),
    ("memories", [], {"offset": 2**70}, InvalidValue),
    ("memories", [], {"limit": 1_001}, InvalidValue),
    ("audit_log", ["x"], {}, InvalidValue),
    ("undo", [], {"confirmed": "no"}, InvalidValue),
    ("undo", [], {"confirmed": 1}, InvalidValue),
    ("sweep", [], {"keep": "no"}, InvalidValue),
    ("memories", [], {"newest_first": 0}, InvalidValue),
    ("memories", [], {"project": ["p"] * NAMES_PER_ARGUMENT}, NotFound),
    ("recall", ["x"], {"project": ["p"] * (NAMES_PER_ARGUMENT + 1)}, InvalidValue),
    ("recall", ["x"], {"entity": itertools.repeat("p")}, InvalidValue),
    ("remember_many", [itertools.count()], {}, InvalidValue),
    ("link_many", [[5]], {}, InvalidValue),
    ("audit_log", [2**70], {}, InvalidValue),
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of one memory, whose rows no test of this module may change."""
    folder = tmp_path_factory.mktemp("bad") / "home"
    with engramforge.open(folder) as forge:
        forge.remember("There before.", valid_at="2026-01-01")
    return folder


@pytest.fixture(scope="module")
def forge(home: Path) -> Iterator[Forge]:
    with engramforge.open(home) as opened:
        yield opened


@pytest.fixture(autouse=True)
def nothing_changed(home: Path) -> Iterator[None]:
    before = dump(home)
    yield
    assert dump(home) == before


def _shown(value: Any) -> str:
    return ascii(value)[:60]


def _is_told(error: EngramforgeError) -> None:
    assert error.fault and error.mend
    str(error).encode("utf-8")
    assert len(str(error)) < 1_000


@pytest.mark.parametrize(("fields", "kind"), REMEMBER, ids=_shown)
def test_remember(forge: Forge, fields: dict[str, Any], kind: type[EngramforgeError]) -> None:
    with pytest.raises(kind) as caught:
        forge.remember(**{"content": "Sound.", **fields})
    _is_told(caught.value)


@pytest.mark.parametrize(("name", "arguments", "named", "kind"), CALLS, ids=_shown)
def test_other_calls(
    forge: Forge, name: str, arguments: list[Any], named: dict[str, Any], kind: type[EngramforgeError]
) -> None:
    here = forge.memories()[0].id
    with pytest.raises(kind) as caught:
        getattr(forge, name)(*(here if argument is HERE else argument for argument in arguments), **named)
    _is_told(caught.value)


@pytest.mark.parametrize(
    "asked",
    [
        {"tenant": "../x"},
        {"tenant": 5},
        {"tenant": 0},
        {"tenant": ""},
        {"tenant": " default"},
        {"tenant": "default\n"},
        {"tenant": "Default"},
        {"agent": ""},
        {"home": "~nobody-of-this-name/memory"},
        {"home": "postgresql://host/\udcff"},
        {"agent": 5},
        {"agent": "a\x00"},
        {"agent": "\ud800"},
        {"home": 5},
        {"home": "a\x00b"},
        {"home": ""},
    ],
    ids=_shown,
)
def test_open(home: Path, asked: dict[str, Any]) -> None:
    with pytest.raises(InvalidValue) as caught:
        given = dict(asked)
        engramforge.open(given.pop("home", home), **given)
    _is_told(caught.value)


def _through_cli(home: Path, capsys: pytest.CaptureFixture[str], fields: dict[str, Any]) -> str:
    flags = [part for name, value in fields.items() for part in (f"--{name.replace('_', '-')}", str(value))]
    content = flags.pop(1) if flags[0] == "--content" else "Sound."
    flags = [flag for flag in flags if flag != "--content"]
    capsys.readouterr()
    assert run(("remember", content, *flags, "--home", str(home), "--json"), COMMANDS) == 2
    answer = json.loads(capsys.readouterr().err)
    assert answer["fault"] and answer["mend"]
    return str(answer["error"])


def _through_mcp(home: Path, capsys: pytest.CaptureFixture[str], fields: dict[str, Any]) -> str:
    async def main() -> str:
        calls = Calls(str(home), None)
        try:
            async with Client(build_server(calls)) as client:
                result = await client.call_tool("forge_remember", {"content": "Sound.", **fields})
        finally:
            calls.close()
        assert result.is_error
        return str(result.content[0].text)  # type: ignore[union-attr]

    told = anyio.run(main).removeprefix("Error executing tool forge_remember: ")
    return told.split(":")[0]


@pytest.mark.parametrize("face", [_through_cli, _through_mcp])
@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"content": " \n"}, "InvalidContent"),
        ({"content": "x" * (CONTENT_BYTES + 1)}, "InvalidContent"),
        ({"content": "a\x00"}, "InvalidContent"),
        ({"valid_at": "2026-05-01T09:00:00"}, "InvalidTime"),
        ({"valid_at": "2026-05-02", "invalid_at": "2026-05-01"}, "InvalidTime"),
        ({"recorded_at": "2999-01-01"}, "InvalidTime"),
        ({"kind": "rumour"}, "InvalidValue"),
        ({"project": " "}, "InvalidValue"),
        ({"energy": 1.5}, "InvalidValue"),
        ({"energy": "nan"}, "InvalidValue"),
    ],
    ids=_shown,
)
def test_other_faces(
    home: Path,
    capsys: pytest.CaptureFixture[str],
    face: Callable[[Path, pytest.CaptureFixture[str], dict[str, Any]], str],
    fields: dict[str, Any],
    kind: str,
) -> None:
    assert face(home, capsys, fields) == kind
