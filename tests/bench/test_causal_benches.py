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


def test_why_asks_both_ways(tmp_path: Path) -> None:
    chain = {
        "domain": "boats",
        "cause": "The mast broke because a shroud had rusted through.",
        "effect": "The mast broke, so the crew rowed home.",
        "why": "Why did the mast break?",
        "then": "What happened because the mast broke?",
    }
    found = harness.run("why", [_file(tmp_path, [chain, {"other": "The sails are red."}])], harness.Options())
    assert found.n == 2
    assert found.settings["memories"] == 3
    shares = {name: each["right_first"] for name, each in found.metrics["by_side"].items()}
    # Exactly one of the two memories stands above the other, so at least one question is answered.
    assert set(shares) == {"why", "then"}
    assert all(value in (0, 1) for value in shares.values())
    assert found.metrics["by_domain"]["boats"]["right_first"] == found.metrics["right_first"]


def test_a_file_without_a_chain_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidSource, match="no chain"):
        harness.run("why", [_file(tmp_path, [{"other": "The sails are red."}])], harness.Options())
