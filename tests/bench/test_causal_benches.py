"""The benchmarks ecare and semeval on tiny files of our own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from bench import harness
from engramforge.errors import InvalidSource

if TYPE_CHECKING:
    from pathlib import Path

PLAIN = [
    {
        "premise": "The streets are flooded.",
        "ask-for": "cause",
        "hypothesis1": "It rained heavily all night.",
        "hypothesis2": "The chess club elected a treasurer.",
        "label": 0,
    },
    {
        "premise": "The gardener watered the seeds.",
        "ask-for": "effect",
        "hypothesis1": "The printer was out of paper.",
        "hypothesis2": "The plants grew quickly.",
        "label": 1,
    },
]
MARKED = [
    {"text": "The <e1>dent</e1> was caused by <e2>hail</e2>.", "label": "Cause-Effect(e2,e1)"},
    {"text": "The <e1>frost</e1> led to a <e2>crack</e2>.", "label": "Cause-Effect(e1,e2)"},
    {"text": "The <e1>lid</e1> of the <e2>pot</e2> is blue.", "label": "Component-Whole(e1,e2)"},
]


def _file(folder: Path, records: list[dict[str, Any]]) -> Path:
    path = folder / "cases.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_ecare_asks_the_facade(tmp_path: Path) -> None:
    found = harness.run("ecare", [_file(tmp_path, PLAIN)], harness.Options()).as_dict()
    assert found["n"] == 2
    assert found["metrics"]["accuracy"] == 1
    assert found["metrics"]["answered"] == 1
    assert found["baselines"]["majority"] == {"accuracy": 0.5}
    # "The streets are flooded" and "The chess club ..." share an article; the second case likewise on both sides.
    assert found["baselines"]["overlap"]["accuracy"] == 0.25


def test_semeval_reads_direction_and_detection(tmp_path: Path) -> None:
    found = harness.run("semeval", [_file(tmp_path, MARKED)], harness.Options()).as_dict()
    assert found["metrics"] == {
        "accuracy": 1,
        "three_way": 1,
        "detection": {"precision": 1, "recall": 1, "f1": 1},
    }
    assert found["baselines"]["majority"]["detection"]["recall"] == 1


@pytest.mark.parametrize(
    ("name", "record"),
    [
        ("ecare", {**PLAIN[0], "label": 2}),
        ("ecare", {**PLAIN[0], "ask-for": "reason"}),
        ("ecare", {"premise": "x"}),
        ("semeval", {"text": "No marks at all.", "label": "Other"}),
        ("semeval", {"text": "<e1></e1> and <e2>x</e2>", "label": "Other"}),
    ],
)
def test_a_file_of_another_format_is_refused(tmp_path: Path, name: str, record: dict[str, Any]) -> None:
    with pytest.raises(InvalidSource, match=r"cases\.jsonl:1"):
        harness.run(name, [_file(tmp_path, [record])], harness.Options())


def test_why_counts_which_side_of_a_chain_stands_first(tmp_path: Path) -> None:
    """Both questions hold the words of the cause alone, so one is answered rightly and the other wrongly."""
    chain = {
        "domain": "boats",
        "cause": "The mast broke because a shroud had rusted through.",
        "effect": "Everybody rowed home in the rain.",
        "why": "Why was it that the mast broke, a shroud?",
        "then": "What came of the mast and the rusted shroud?",
    }
    found = harness.run("why", [_file(tmp_path, [chain, {"other": "The sails are red."}])], harness.Options())
    assert (found.n, found.settings["memories"]) == (2, 3)
    for metrics in (found.metrics, found.baselines["bm25"]):
        assert metrics["by_side"] == {
            "why": {"right_first": 1, "hit_at_1": 1},
            "then": {"right_first": 0, "hit_at_1": 0},
        }
        assert metrics["by_domain"]["boats"] == {"right_first": 0.5, "hit_at_1": 0.5}


def test_a_file_without_a_chain_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidSource, match="no chain"):
        harness.run("why", [_file(tmp_path, [{"other": "The sails are red."}])], harness.Options())
