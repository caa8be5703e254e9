"""The replay of transcripts: consoles and talks are read as turns, and what is injected is judged beside lots."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from bench.harness import Options
from bench.harness import run as run_bench
from bench.transcripts import PROMPT, RESPONSE, TOOL, read_sessions

CONSOLE = """claude
╭───────────╮
│ ✻ Welcome │
╰───────────╯

> why does the harbour client time out when the crane moves?

⏺ The harbour client times out when the crane moves, because lock_crane is held for the whole call.

⏺ Update(src/crane.py)…
  ⎿  Updated

⏺ Bash(pytest -q)…
  ⎿  2 passed

> continue

⏺ Done: lock_crane is held per move now.
"""


def test_a_console_is_read_as_turns(tmp_path: Path) -> None:
    path = tmp_path / "day-002.md"
    path.write_text(CONSOLE)
    (session,) = read_sessions(path)
    assert [turn.kind for turn in session.turns] == [PROMPT, RESPONSE, TOOL, TOOL, PROMPT, RESPONSE]
    assert [turn.tool for turn in session.turns if turn.tool] == ["Edit", "Bash"]
    assert session.turns[2].given == {"file_path": "src/crane.py"}
    assert session.turns[3].given == {"command": "pytest -q"}
    assert "Welcome" not in session.turns[0].text


def test_a_replay_injects_and_judges(tmp_path: Path) -> None:
    paths = []
    for day in (2, 3):
        paths.append(tmp_path / f"day-{day:03}.md")
        paths[-1].write_text(CONSOLE)
    talk = tmp_path / "talk.jsonl.gz"
    turns = [{"id": "D1:1", "speaker": "Ada", "text": "I saw the gulls on the quay."}]
    record = {"sample_id": "c1", "sessions": [{"n": 1, "date": "2025-01-01T10:00", "turns": turns}]}
    talk.write_bytes(gzip.compress(json.dumps(record).encode()))
    outcome = run_bench("injection", [*paths, talk], Options()).as_dict()
    asked = outcome["metrics"]["UserPromptSubmit"]
    assert outcome["n"] == 3
    assert asked["events"] == 5
    assert 0 < asked["injected"] < 1
    assert asked["shares"] > 0
    assert asked["tokens_max"] <= 1_250
    assert outcome["metrics"]["SessionStart"]["injected"] > 0
