"""The benchmark of contradictions: what it counts, what it leaves out, and how it reads a register."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from bench.contradiction import measures
from bench.harness import Options, run

from engramforge.errors import InvalidSource


def write(path: Path, records: Sequence[dict[str, Any]]) -> Path:
    """JSON lines, gzipped where the name says so."""
    raw = "\n".join(map(json.dumps, records)).encode()
    path.write_bytes(gzip.compress(raw) if path.suffix == ".gz" else raw)
    return path


PAIRS = [
    ("The pump hums at night.", "The pump does not hum at night.", "contradiction", "a"),
    ("The pump hums at night.", "A pump hums.", "entailment", "a"),
    ("The choir sang on Sunday.", "Lunch is never served in the mill.", "neutral", "a"),
    ("The ferry sails at noon.", "The ferry does not sail at noon.", "not_entailment", "b"),
    ("The ferry sails at noon.", "The ferry sails.", "entailment", "b"),
]


def test_precision_recall_f1_and_accuracy() -> None:
    found = measures([True, True, False, False], [True, False, True, False])
    assert found == {"f1": 0.5, "precision": 0.5, "recall": 0.5, "accuracy": 0.5}
    assert measures([False], [False]) == {"f1": 0.0, "precision": 0.0, "recall": 0.0, "accuracy": 1.0}


def test_pairs_are_judged_beside_a_cue_and_two_way_labels_left_out(tmp_path: Path) -> None:
    records = [dict(zip(("premise", "hypothesis", "label", "src"), each, strict=True)) for each in PAIRS]
    found = run("contradiction", [write(tmp_path / "pairs.jsonl.gz", records)], Options())
    assert (found.n, found.settings["judged"]) == (5, 3)
    assert found.metrics["f1"] == found.metrics["accuracy"] == 1.0
    assert found.baselines["negation_cue"]["precision"] == 0.5
    assert found.metrics["called_of_not_entailment"] == 1.0 and found.metrics["called_of_entailment"] == 0.0
    assert found.metrics["signals"] == {"negation": {"called": 1, "precision": 1.0}}
    assert found.metrics["unrelated_called"] < 0.1 and found.settings["unrelated"] == 2000


def test_claims_are_read_as_they_are_written(tmp_path: Path) -> None:
    told = {
        "claim": "Harbourline was founded in 1911 .",
        "evidence": "Harbourline -LRB- founded in 1934 -RRB- ships oats .",
        "label": "REFUTES",
    }
    other = {"claim": "Oats are shipped .", "evidence": "Harbourline ships oats .", "label": "SUPPORTS"}
    found = run("contradiction", [write(tmp_path / "claims.jsonl", [told, other])], Options())
    assert found.metrics["accuracy"] == 1.0 and set(found.metrics["signals"]) == {"other_number"}
    with pytest.raises(InvalidSource):
        run("contradiction", [write(tmp_path / "none.jsonl", [{"text": "x"}])], Options())


def test_a_register_is_asked_for_what_its_new_records_reject(tmp_path: Path) -> None:
    titles = {
        1: ("Format of the ferry log", "Lines of text."),
        2: ("Boxes for the ferry log", "This replaces the lines of :pep:`1`, which nobody could read."),
        3: ("Paint of the quay", "Green, as ever."),
        4: ("Soup in the canteen", "Twice a week."),
    }
    decisions = [{"id": key, "title": title, "abstract": text} for key, (title, text) in titles.items()]
    pairs = [{"old": 1, "new": 2}, {"old": 3, "new": 4}, {"old": 9, "new": 1}]
    files = [write(tmp_path / "decisions.jsonl", decisions), write(tmp_path / "pairs.jsonl", pairs)]
    found = run("contradiction", files, Options())
    assert (found.n, found.metrics["top5_share"]) == (2, 0.5)
    assert found.metrics["found_by"] == {"replacement": 1}
    assert found.baselines["bm25"]["top5_share"] == 1.0
