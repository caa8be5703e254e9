"""Imports of records in which anything may be anything: each is taken or told of, and no other record is lost by it."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from tests.capture.conftest import Workbench
from tests.capture.test_exports_of_any_shape import CHATGPT, CLAUDE, ODD, SESSIONS, changed
from tests.capture.test_other_memories import GRAPHITI, MCP, MEM0

import engramforge
from engramforge.errors import EngramforgeError
from engramforge.model.limits import COUNTED

DIGITS = "9" * 5_000
ODDER: tuple[Any, ...] = (
    *(10**400, -(10**400), float("inf"), 2**63 - 1, 2**31, -1e10, 253_402_300_800),
    *("9999-12-31T23:59:59Z", "0001-01-01T00:00:00+14:00", "\u202e", "\x1b[2J", "x" * 70_000),
    *({"\ud800": 1}, ["a"], [[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]),
)
FULL = {
    **{
        "content": "Two",
        "kind": "note",
        "session_id": "s",
        "sequence": 3,
        "project": "p",
        "level": "personal",
    },
    **{"tags": ["x"], "energy": 0.5, "metadata": {"a": 1}, "emotion_vector": {"joy": 0.5}, "origin": "o"},
    **{"valid_at": "2026-01-01T00:00:00Z", "attachments": [{"name": "a", "media_type": "b"}]},
    "chunk": {"file_path": "a", "chunk_index": 0, "total_chunks": 1, "word_offset": 0},
}
DOCUMENTS: dict[str, Any] = {
    "claude_ai": CLAUDE,
    "chatgpt": CHATGPT,
    "mem0": MEM0,
    "graphiti": GRAPHITI,
    "jsonl": [{"content": "One", "project": "p"}, FULL],
    "codex": {
        "session": {"id": "s"},
        "items": [{"type": "message", "role": "user", "content": [{"text": "Ask"}]}],
    },
    "gemini": {
        **{"sessionId": "s", "projectHash": "h", "startTime": "2026-01-01T00:00:00Z", "lastUpdated": ""},
        "messages": [{"type": "user", "id": f"u{n}", "content": "Ask"} for n in range(9)],
    },
}
LINES: dict[str, list[Any]] = {**SESSIONS, "mcp_memory": MCP, "jsonl": [FULL, *SESSIONS["jsonl"]]}


def _spoilt(text: str, chance: random.Random) -> str:
    """A text cut off, or with digits or a NUL where they do not belong, or as it is."""
    way = chance.random()
    if way < 0.1:
        return text[: chance.randint(0, len(text))]
    if way < 0.2:
        return text.replace("1", DIGITS, 1)
    return text.replace('"', "\0", 1) if way < 0.25 else text


@pytest.mark.parametrize("name", [*DOCUMENTS, *(f"{name} lines" for name in LINES)])
def test_no_import_ends_in_anything_but_an_error_of_ours(bench: Workbench, tmp_path: Path, name: str) -> None:
    chance = random.Random(name)
    odd = ODD + ODDER
    taken = 0
    for turn in range(25):
        if name in DOCUMENTS:
            path, text = tmp_path / f"{turn}.json", json.dumps(changed(DOCUMENTS[name], chance, odd))
        else:
            lines = [json.dumps(changed(line, chance, odd)) for line in LINES[name.split()[0]]]
            path, text = tmp_path / f"{turn}.jsonl", "\n".join(chance.sample(lines, len(lines)))
        path.write_text(_spoilt(text, chance))
        try:
            report = bench.importing.import_path(bench.scope, path, chance.choice((None, "p")))
        except EngramforgeError:
            continue
        taken += 1
        for counts in report.details["files"].values():
            became = (counts[each] for each in ("remembered", "duplicate", "nothing", "faulty"))
            assert counts["found"] == sum(became)
    assert taken > 2


@pytest.mark.parametrize(
    "odd",
    [
        *('"project": ["a"]', '"project": {}', '"project": 5', '"attachments": ["a"]', '"attachments": 5'),
        *(
            '"tags": [[]]',
            '"metadata": {"a": 1e400}',
            f'"metadata": {{"a": {DIGITS}}}',
            f'"energy": {DIGITS}',
        ),
        *('"name": "\\ud800"', '"session_id": "\\ud800"', '"kind": ["a"]', '"metadata": {"\\udfff": 1}'),
        *(f'"a": 1e{DIGITS}', f'"a": {"[" * 5_000}{"]" * 5_000}', '"valid_at": "99999-01-01"'),
        f'"chunk": {{"file_path": "a", "chunk_index": 0, "total_chunks": {COUNTED + 1}, "word_offset": 0}}',
    ],
)
@pytest.mark.parametrize("is_array", [False, True])
def test_a_broken_record_leaves_its_neighbours_alone(tmp_path: Path, odd: str, is_array: bool) -> None:
    good = [json.dumps({"content": text}) for text in ("Before it.", "After it.")]
    records = [good[0], f'{{"content": "The odd one.", {odd}}}', good[1]]
    path = tmp_path / ("a.json" if is_array else "a.jsonl")
    path.write_text(f"[{', '.join(records)}]" if is_array else "\n".join(records))
    with engramforge.open(tmp_path / "memory.db") as forge:
        report = forge.import_path(path)
        assert {memory.content for memory in forge.memories()} >= {"Before it.", "After it."}
        # A half of a surrogate pair is a question mark to the reader of arrays.
        assert len(report.faults) == (0 if is_array and "\\u" in odd else 1)
        assert forge.check() == []


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("history.jsonl", {"session_id": "\ud800", "ts": 1_770_000_000, "text": "Ask"}),
        ("history.jsonl", {"session_id": "s", "ts": 1_770_000_000, "text": "Ask \udfff"}),
        ("rollout-1.jsonl", {"type": "\ud800", "payload": {}}),
        ("rollout-1.jsonl", {"type": "\0" * 500, "payload": {}}),
        ("rollout-1.jsonl", {"type": "session_meta", "payload": {"id": "\ud800", "cwd": "/\ud800"}}),
    ],
)
def test_half_a_surrogate_pair_ends_no_import(tmp_path: Path, name: str, line: dict[str, Any]) -> None:
    sound = {
        "history.jsonl": {"session_id": "s2", "ts": 1_770_000_001, "text": "The sound one"},
        "rollout-1.jsonl": {
            "type": "response_item",
            "payload": {"type": "message", "role": "user", "content": [{"text": "The sound one"}]},
        },
    }[name]
    path = tmp_path / name
    path.write_text(f"{json.dumps(line)}\n{json.dumps(sound)}\n")
    with engramforge.open(tmp_path / "memory.db") as forge:
        assert forge.import_path(path).written >= 1
        assert "The sound one" in {memory.content for memory in forge.memories()}
        # What was taken in can be taken in again, which reads the marks of the first time.
        path.write_text(path.read_text() + "\n")
        assert forge.import_path(path).written == 0
