"""A stranger's JSONL on the command line."""

from __future__ import annotations

import json
from pathlib import Path

from .conftest import Cli


def test_a_map_of_fields(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_text(json.dumps({"body": "The seal leaks.", "who": "Ana"}), encoding="utf-8")
    told = cli("import", str(path), "--map", "content=bodi", "--json").error
    assert "'bodi'" in told["fault"]
    assert "There are 'body', 'who'" in told["mend"]
    assert "OURS=THEIRS" in cli("import", str(path), "--map", "body", "--json").error["mend"]
    asked = ("import", str(path), "--map", "content=body, speaker=who", "--project", "plant")
    assert cli(*asked, "--dry-run", "--json").json["formats"][0]["format"] == "jsonl"
    assert cli(*asked, "--json").json["written"] == 1
    assert cli("list", "--json").json["memories"][0]["speaker"] == "Ana"
