"""What an import says of broken and unknown records quotes no secret, not even by half: neither its report, nor what is
printed, nor what the store keeps of it."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from tests.capture.test_records_of_any_type import DOCUMENTS, LINES
from tests.robustness.test_no_secret_in import TOKEN, held

import engramforge
from engramforge.errors import InvalidValue
from engramforge.faces.cli.program import run

HALF = TOKEN[:12]
FILL = "x" * 30
PRIVATE = "<private>rosebud seven</private>"
FAULTY: list[dict[str, Any]] = [
    *({name: TOKEN} for name in ("kind", "valid_at", "energy", "sequence", "source", "level", "tags")),
    *({name: f"{fill} {TOKEN}"} for name in ("kind", "valid_at", "energy") for fill in ("x" * 90, FILL)),
    {"session_id": f"{FILL} {TOKEN} {'y' * 200}"},
    {"speaker": f"{FILL} {TOKEN}\x07"},
    {"resolution_state": PRIVATE},
    {"emotion_vector": {f"{FILL} {TOKEN}": "strong"}},
    {"metadata": {f"{FILL} {TOKEN}": {"a": 10**30}}},
    {"metadata": {"a": [{f"{FILL} {TOKEN}\0": 1}]}},
    {"chunk": {f"{'x' * 90} {TOKEN}": 1}},
    {f"{'x' * 90}{TOKEN}": 1, "kind": "nothing"},
    {"attachments": [{f"{'x' * 90} {TOKEN}": 1}]},
    {"attachments": [{"name": f"{FILL} {TOKEN} {'y' * 200}", "media_type": "a/b"}]},
]


def said(report: Any) -> str:
    """Everything that a report says."""
    return f"{report} {[str(fault) for fault in report.faults]}"


def assert_untold(text: str) -> None:
    assert HALF not in text
    assert "rosebud" not in text


@pytest.mark.parametrize("number", range(len(FAULTY)))
def test_faults_of_fields(tmp_path: Path, number: int) -> None:
    file = tmp_path / "notes.jsonl"
    lines = [{"content": "A sound one."}, {"content": "A broken one.", **FAULTY[number]}]
    file.write_text("\n".join(map(json.dumps, lines)))
    with engramforge.open(tmp_path / "home") as forge:
        report = forge.import_path(file)
        assert report.written == 1
        assert report.faults
        assert_untold(said(report))
    assert_untold(held(tmp_path / "home").decode("latin-1"))


@pytest.mark.parametrize("cut", [5, 60, 90, 100, 200])
def test_kinds_of_records(tmp_path: Path, cut: int) -> None:
    kind = "x" * (cut - 14) + f" {TOKEN}"
    user = {"type": "user", "sessionId": "s", "uuid": "u", "message": {"role": "user", "content": "Ask"}}
    sources = {
        "claude_code.jsonl": [
            {**user, "timestamp": "2026-05-01T09:00:00Z"},
            {"type": kind},
            {"type": "system", "subtype": kind},
        ],
        "mcp_memory.jsonl": [{"type": "entity", "name": "Ada", "observations": ["sails"]}, {"type": kind}],
        "codex.jsonl": [
            {
                "type": "session_meta",
                "payload": {"id": "s", "cwd": "/a"},
                "timestamp": "2026-05-01T09:00:00Z",
            },
            {
                "type": "response_item",
                "payload": {
                    "type": "message",
                    "role": "user",
                    "content": [{"type": "input_text", "text": "Ask"}],
                },
            },
            {"type": kind, "payload": {}},
        ],
    }
    with engramforge.open(tmp_path / "home") as forge:
        for name, lines in sources.items():
            (tmp_path / name).write_text("\n".join(map(json.dumps, lines)))
            report = forge.import_path(tmp_path / name, format=name.removesuffix(".jsonl"))
            assert report.written
            assert_untold(said(report))
    assert_untold(held(tmp_path / "home").decode("latin-1"))


def test_lines_of_an_export(tmp_path: Path) -> None:
    with engramforge.open(tmp_path / "first") as forge:
        forge.remember("One.")
        forge.export(tmp_path / "export.jsonl")
    whole = (tmp_path / "export.jsonl").read_text().splitlines()
    memory = json.loads(next(line for line in whole if '"content"' in line))
    long = f"{'x' * 50} {TOKEN}"
    broken: list[dict[str, Any]] = [
        {"section": long},
        {**memory, "kind": long},
        {**memory, "energy": long},
        {**memory, "valid_at": f"{'x' * 90} {TOKEN}"},
        {**memory, "id": long},
        {**memory, f"{'x' * 90} {TOKEN}": 1},
        {**memory, "emotion_vector": {long: "a"}},
        {**memory, "metadata": {TOKEN: float("nan")}},
    ]
    spoilt = tmp_path / "spoilt.jsonl"
    spoilt.write_text("\n".join([*whole, *map(json.dumps, broken)]))
    with engramforge.open(tmp_path / "home") as forge:
        report = forge.import_path(spoilt)
        assert len(report.faults) >= len(broken)
        assert_untold(said(report))
    assert_untold(held(tmp_path / "home").decode("latin-1"))


def test_errors_that_sync_keeps(tmp_path: Path) -> None:
    with engramforge.open(tmp_path / "first") as forge:
        forge.export(tmp_path / "export.jsonl")
    header, *others = (tmp_path / "export.jsonl").read_text().splitlines()
    with engramforge.open(tmp_path / "home") as forge:
        for number, version in enumerate((TOKEN, f"v {TOKEN}")):
            file = tmp_path / f"spoilt {number}.jsonl"
            file.write_text("\n".join([json.dumps({**json.loads(header), "format": version}), *others]))
            forge.sync.add(file)
        report = forge.sync.run()
        assert [bool(source.error) for source in report.sources] == [True, True]
        assert_untold(str(report) + str(forge.sync.sources()))
    assert_untold(held(tmp_path / "home").decode("latin-1"))


def test_what_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENGRAMFORGE_HOME", str(tmp_path / "home"))
    text = "\n".join(json.dumps({"content": "Broken.", **each}) for each in FAULTY)
    for name, more in (("first.jsonl", ()), ("second.jsonl", ("--json",))):
        (tmp_path / name).write_text(text)
        run(["import", str(tmp_path / name), *more])
        answer = capsys.readouterr()
        assert "There is no kind [REDACTED" in answer.out
        assert_untold(answer.out + answer.err)


@pytest.mark.parametrize("rule", [f"text:{TOKEN}=harbour", f"title:/x {TOKEN}/=harbour", f"boats={TOKEN}"])
def test_rules_that_are_kept(tmp_path: Path, rule: str) -> None:
    (tmp_path / "notes.jsonl").write_text(json.dumps({"content": "A sound one."}))
    with engramforge.open(tmp_path / "home") as forge, pytest.raises(InvalidValue, match="holds a secret"):
        forge.import_path(tmp_path / "notes.jsonl", assign=[rule])
    assert_untold(held(tmp_path / "home").decode("latin-1"))


CUT: list[tuple[str, tuple[str | int, ...], int]] = [
    *(("graphiti", ("nodes", 0, *path), 200) for path in (("name",), ("labels", 0), ("group_id",))),
    *((name, (0, "payload", "id"), 200) for name in ("codex lines",)),
    ("codex lines", (2, "payload", "name"), 100),
    ("gemini lines", (0, "sessionId"), 200),
    ("gemini lines", (2, "toolCalls", 0, "name"), 100),
    ("claude_code lines", (1, "sessionId"), 200),
    ("claude_code lines", (1, "message", "content", 1, "name"), 100),
    ("claude_code lines", (2, "message", "content", 0, "content"), 1_000),
    ("claude_code lines", (2, "message", "content", 0, "content"), -493),
    ("mcp_memory lines", (0, "entityType"), 200),
    ("prompt_history lines", (0, "project"), 1_000),
]


@pytest.mark.parametrize("number", range(len(CUT)))
@pytest.mark.parametrize("before", [20, 10])
def test_no_text_is_cut_through_a_secret(tmp_path: Path, number: int, before: int) -> None:
    name, path, cut = CUT[number]
    document: Any = deepcopy({**DOCUMENTS, **{f"{key} lines": value for key, value in LINES.items()}}[name])
    place = document
    for step in path[:-1]:
        place = place[step]
    assert isinstance(place[path[-1]], str)
    begun = f"{'x' * (cut - before - 1)} {TOKEN} "
    place[path[-1]] = (
        f"{begun}{'y ' * 2_000}" if cut > 0 else f"{'y ' * 2_000}{TOKEN} {'x' * (-cut - before)}"
    )
    file = tmp_path / ("a.jsonl" if name.endswith("lines") else "a.json")
    file.write_text("\n".join(map(json.dumps, document)) if name.endswith("lines") else json.dumps(document))
    with engramforge.open(tmp_path / "home") as forge:
        report = forge.import_path(file)
        assert report.found
        assert TOKEN[:8] not in said(report)
    everything = held(tmp_path / "home").decode("latin-1")
    for half in (TOKEN[:8], TOKEN[-8:]):
        assert half not in everything
