"""The bench of the oracle: its three kinds of data, and its figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench.harness import Options

from bench import oracle

FIGURES = {"evidence_recall", "citation_precision", "abstention_accuracy", "answered", "silent"}


def test_figures_of_what_was_cited() -> None:
    asked = [
        oracle.Asked("both?", frozenset({"a", "b"})),
        oracle.Asked("one?", frozenset({"c"})),
        oracle.Asked("none?", frozenset()),
        oracle.Asked("nor this?", frozenset()),
    ]
    cited = [
        [frozenset({"a"}), frozenset({"x"}), frozenset({"y"}), frozenset()],
        [],
        [frozenset({"z"})],
        [],
    ]
    assert oracle.measure(asked, cited) == {
        "evidence_recall": 0.25,
        "citation_precision": 0.25,
        "abstention_accuracy": 0.5,
        "answered": 0.5,
        "silent": 0.5,
    }


@pytest.mark.parametrize("order", [1, -1])
def test_longmemeval(longmemeval_files: list[Path], order: int) -> None:
    measured = oracle.run(longmemeval_files[::order], Options())
    assert set(measured.metrics) == set(measured.baselines["bm25"]) == FIGURES
    assert measured.metrics["evidence_recall"] > 0


def test_locomo_asks_within_a_conversation(locomo_file: Path) -> None:
    measured = oracle.run([locomo_file], Options())
    assert measured.metrics["evidence_recall"] > 0.5
    assert measured.metrics["silent"] is not None, "the adversarial questions have no answer"


def test_a_folder_as_of_mixed(tmp_path: Path) -> None:
    notes = tmp_path / "sources" / "harbour" / "notes.md"
    notes.parent.mkdir(parents=True)
    notes.write_text("# Lights\n\nThe lighthouse was lit in 1908 by a keeper called Anselm.\n")
    asked = [
        {"id": "fact-01", "question": "who lit the lighthouse?", "kind": "fact", "right": "anselm"},
        {"id": "none-01", "question": "price of a violin", "kind": "unanswerable"},
    ]
    (tmp_path / "questions.jsonl").write_text("\n".join(map(json.dumps, asked)))
    measured = oracle.run([tmp_path], Options())
    assert measured.n == 2
    assert measured.metrics["evidence_recall"] == measured.metrics["citation_precision"] == 1
    assert measured.metrics["abstention_accuracy"] == 1
