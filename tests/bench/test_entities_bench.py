"""entities: scores by hand on texts of our own, aliases, and files that are no data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from bench.entities import alias_groups, count, load
from bench.harness import Options

from bench import harness
from engramforge.errors import InvalidSource


def written(path: Path, *records: dict[str, Any]) -> list[Path]:
    path.write_text("".join(json.dumps(each) + "\n" for each in records))
    return [path]


def test_scores_by_hand(tmp_path: Path) -> None:
    case: dict[str, Any] = {
        "text": "x",
        "entities": ["Odette", ["RFC 8123", "8123"], "valve.py"],
        "optional": ["UTC"],
    }
    (read,), _ = load(written(tmp_path / "a.jsonl", case))
    counted = count(read, ["odette", "ODETTE", "8123", "rfc-8123", "utc", "Marsh", ""])
    assert (counted.wanted, counted.right, counted.wrong) == (3, 2, 1)


def test_a_run(tmp_path: Path) -> None:
    paths = written(
        tmp_path / "a.jsonl",
        {
            "text": "We met Odette at RFC 8123.",
            "entities": ["Odette", "rfc8123"],
            "kind": "talk",
            "speaker": "Ivo",
        },
        {"text": "nothing of note", "entities": []},
        {"alias_groups": [["RFC 8123", "rfc8123"]], "apart": [["a/x.py", "b/x.py"]]},
        {"alias_groups": [["a/x.py", "b/x.py"]]},
    )
    outcome = harness.run("entities", paths, Options()).as_dict()
    assert outcome["n"] == 4
    assert outcome["metrics"]["f1"] == 1.0
    assert outcome["metrics"]["f1_by_kind"] == {"talk": 1.0}
    assert outcome["metrics"]["aliases_exact"] == 0.5
    assert outcome["settings"]["aliases_wrong"] == ["a/x.py, b/x.py"]
    assert outcome["baselines"]["capitalised"]["f1"] < 1
    assert "by_model" not in outcome["metrics"]


@pytest.mark.parametrize(
    "record",
    [
        {"text": "a"},
        {"text": 1, "entities": []},
        {"text": "a", "entities": [3]},
        {"text": "a", "entities": [[]]},
        {},
    ],
)
def test_what_is_no_record(record: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(InvalidSource, match=r"a\.jsonl:1"):
        load(written(tmp_path / "a.jsonl", record))


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["RFC 8123", "rfc8123", "rfc-8123", "RFC 812"], [{"RFC 8123", "rfc8123", "rfc-8123"}]),
        (["a/x.py", "b/x.py"], []),
        (["a/x.py", "b/x.py", "x.py"], []),
        (["a/x.py", "x.py"], [{"a/x.py", "x.py"}]),
        (["src/a/x.py", "a/x.py", "x.py"], [{"src/a/x.py", "a/x.py", "x.py"}]),
        (["@tessel/core", "core"], [{"@tessel/core", "core"}]),
        (["@tessel/core", "@orbit/core", "core"], []),
        (["Odette", "Odette Marsh"], [{"Odette", "Odette Marsh"}]),
        (["Odette", "Odette Marsh", "Odette Vane"], []),
        (["Will", "Will Harrow"], []),
        (["1.2", "12", "v1.2", "v12", "0.5", "05"], []),
        (["C", "C++", "C#"], []),
        (["Ivo Brandt", "IVO BRANDT", "Ivo Brandt's"], [{"Ivo Brandt", "IVO BRANDT", "Ivo Brandt's"}]),
        ([], []),
    ],
)  # fmt: skip
def test_names_that_are_one(names: list[str], expected: list[set[str]]) -> None:
    assert sorted(map(sorted, alias_groups(names))) == sorted(map(sorted, expected))
