"""The exam of a mixed store, from folder to answer."""

from __future__ import annotations

import json
from pathlib import Path

from bench.harness import Options

from bench import mixed


def test_a_small_exam(tmp_path: Path) -> None:
    notes = tmp_path / "sources" / "harbour" / "notes.md"
    notes.parent.mkdir(parents=True)
    notes.write_text("# Lights\n\nThe lighthouse was lit in 1908 by a keeper called Anselm.\n")
    asked = [
        {"id": "fact-01", "question": "who lit the lighthouse?", "kind": "fact", "right": "anselm"},
        {
            "id": "fact-02",
            "question": "lighthouse",
            "kind": "fact",
            "project": "harbour",
            "right": "no such thing",
        },
        {"id": "none-01", "question": "price of a violin", "kind": "unanswerable"},
    ]
    (tmp_path / "questions.jsonl").write_text("\n".join(map(json.dumps, asked)))
    measured = mixed.run([tmp_path], Options())
    assert measured.n == 3
    for metrics in (measured.metrics, measured.baselines["bm25"]):
        assert metrics["top1"] == metrics["top3"] == metrics["top3_content"] == 0.5
    assert measured.metrics["by_kind"] == {"fact": {"n": 2, "top1": 0.5, "top3": 0.5}}
    assert measured.metrics["pollution"] == {
        "decisions": 0,
        "threads": 0,
        "per_1000": 0,
        "decision_records": 0,
    }
    assert measured.settings["missed"] == ["fact-02"]


def test_what_counts_as_the_same_and_as_a_question() -> None:
    said = "we moved the boats to the inner harbour before the storm came in from the west"
    assert mixed.says_the_same(said, f"On Monday {said}.")
    assert not mixed.says_the_same(said, "the storm came in from the west, so the boats were moved")
    assert mixed.only_asks("Where are the boats? And who moved them?")
    assert not mixed.only_asks("We moved the boats. Where are they now?")
