"""replay on small transcripts: what hooks are told, and what is there when the transcripts come in on top."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest

from bench import harness
from engramforge.errors import InvalidSource

if TYPE_CHECKING:
    from pathlib import Path

CONSOLE = """claude
* Welcome to Claude Code!
   cwd: /home/ann/garden

> Where are the beans?

\u23fa Let me look.

\u23fa Read(beds.md)
  \u23bf  Read 3 lines

\u23fa They are in the north bed.

> ok

\u23fa Anything else?
"""


def _line(number: int, role: str, content: Any, **more: Any) -> str:
    record = {
        "type": role,
        "uuid": f"00000000-0000-4000-8000-{number:012d}",
        "sessionId": "11111111-2222-4333-8444-555555555555",
        "timestamp": f"2026-03-01T12:00:{number:02d}Z",
        "cwd": "/home/ann/garden",
        "message": {"role": role, "content": content},
    }
    return json.dumps(record | more) + "\n"


def test_hooks_give_what_an_import_gives(tmp_path: Path) -> None:
    (tmp_path / "day.md.gz").write_bytes(gzip.compress(CONSOLE.encode()))
    call = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls"}}
    came = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "beds"}
    (tmp_path / "talk.jsonl").write_text(
        _line(0, "user", "List the beds.")
        + _line(1, "assistant", [{"type": "text", "text": "I look."}, call])
        + _line(2, "user", [came], toolUseResult={"stdout": "beds"})
        + _line(3, "assistant", [{"type": "text", "text": "There are beds."}])
        + "no JSON\n"
    )
    measured = harness.run("replay", [tmp_path], harness.Options())
    metrics = measured.metrics
    assert (measured.settings["transcripts"], measured.settings["turns"]) == (2, 12)
    assert metrics["recall"]["prompt"] == metrics["recall"]["tool_use"] == 1.0
    assert metrics["recall"]["response"] == 3 / 5
    assert set(metrics["precision"].values()) == {1.0}
    assert metrics["last_response"] == {"recall": 1.0, "in_import": 1.0}
    assert [metrics[name] for name in ("duplicates", "missing", "in_order", "faults")] == [0, 0, 1.0, 0]
    assert measured.baselines["nothing recognised"]["duplicates"] == 10


def test_files_without_a_transcript_are_refused(tmp_path: Path) -> None:
    (tmp_path / "other.jsonl").write_text('{"a": 1}\n')
    with pytest.raises(InvalidSource):
        harness.run("replay", [tmp_path], harness.Options())
