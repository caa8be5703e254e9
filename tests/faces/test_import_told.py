"""What an import tells: what it read, what it made of it, and since when that holds."""

from __future__ import annotations

import json
from pathlib import Path

from .conftest import Cli

SAID = ("We decided to use slate for the roof.", "The mason comes on Monday.", "TODO: order the nails.")


def talk(folder: Path, *said: str) -> Path:
    """A conversation of a day in 2023, as lines of JSON."""
    folder.mkdir(exist_ok=True)
    path = folder / "talk.jsonl"
    lines = [
        {
            "content": text,
            "kind": "message",
            "speaker": "Ann",
            "session_id": "roof-1",
            "sequence": place,
            "valid_at": f"2023-05-04T10:{place:02}:00Z",
        }
        for place, text in enumerate(said)
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def test_a_decision_of_an_old_talk_counts_as_validated_when_it_was_said(cli: Cli, tmp_path: Path) -> None:
    assert cli("import", str(talk(tmp_path / "talks", *SAID)), "--project", "roof").code == 0
    (decision,) = cli("decisions", "--json").json["decisions"]
    assert decision["last_validated"] == decision["valid_at"] == "2023-05-04T10:00:00+00:00"
    told = cli("decisions", "show", decision["id"]).out
    assert "not yet; made or revised 2023-05-04T10:00:00, 0 hops since" in told
