"""cosqa on a tiny code base written here: files in any order, metrics, limits, and faults that name line and mend."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from bench.harness import Options
from tests.bench.conftest import write_lines

from bench import cosqa
from engramforge.errors import InvalidSource

FUNCTIONS = [
    (
        "parcel_weight",
        "Sum up what every item of a parcel weighs.",
        "return sum(item.grams for item in parcel)",
    ),
    ("rotate_picture", "Turn a picture by a quarter.", "return picture.transpose(ROTATE_90)"),
    ("read_settings", "Load the settings from a YAML file.", "return yaml.safe_load(open(parcel))"),
    ("slug_of", "Make a title fit for a URL.", "return re.sub('[^a-z]+', '-', parcel.lower())"),
    ("delete_folder", "Remove a directory and all that it holds.", "shutil.rmtree(parcel)"),
    ("is_palindrome", "Whether a word reads the same backwards.", "return parcel == parcel[::-1]"),
]
QUESTIONS = [
    ("python rotate an image", 21),
    ("how to load yaml file in python", 22),
    ("python erase directory recursively", 24),
    ("check if a string is a palindrome python", 25),
]


@pytest.fixture
def codebase(tmp_path: Path) -> Path:
    code = [
        {"id": 20 + number, "code": f'def {name}(parcel):\n    """{told}"""\n    {body}\n'}
        for number, (name, told, body) in enumerate(FUNCTIONS)
    ]
    code.append({"id": 40, "code": "def broken(parcel:\n    return ((\n"})
    return write_lines(tmp_path / "code.jsonl.gz", code)


@pytest.fixture
def queries(tmp_path: Path) -> Path:
    asked = [{"qid": f"q{gold}", "query": text, "gold": gold} for text, gold in QUESTIONS]
    return write_lines(tmp_path / "asked.jsonl", asked)


def test_metrics(codebase: Path, queries: Path) -> None:
    measured = cosqa.run([queries, codebase], Options())
    assert measured.n == len(QUESTIONS)
    assert measured.settings["functions"] == len(FUNCTIONS) + 1
    assert measured.metrics["mrr"] == 1
    assert measured.metrics["recall_at_10"] == 1
    assert measured.metrics["parse_rate"] == pytest.approx(len(FUNCTIONS) / (len(FUNCTIONS) + 1))
    assert 0 < measured.baselines["bm25"]["mrr"] <= 1
    assert measured.metrics["ingest_per_second"] > 0


def test_a_limit_leaves_the_code_base_whole(codebase: Path, queries: Path) -> None:
    measured = cosqa.run([codebase, queries], Options(limit=2))
    assert (measured.n, measured.settings["functions"]) == (2, len(FUNCTIONS) + 1)


def test_what_is_not_found_counts_nothing(codebase: Path, queries: Path) -> None:
    _, questions = cosqa.load([codebase, queries])

    class _Nothing:
        def rank(self, *_: object, **__: object) -> list[Any]:
            return []

    assert cosqa.measure(_Nothing(), questions) == {"mrr": 0, "recall_at_10": 0}


def test_faults(tmp_path: Path, codebase: Path, queries: Path) -> None:
    with pytest.raises(InvalidSource, match="question"):
        cosqa.load([codebase])
    with pytest.raises(InvalidSource, match="function"):
        cosqa.load([queries])
    with pytest.raises(InvalidSource, match="comes twice"):
        cosqa.load([codebase, codebase, queries])
    strange = write_lines(tmp_path / "strange.jsonl", [{"text": "?"}])
    with pytest.raises(InvalidSource, match=r"strange\.jsonl:1.*neither"):
        cosqa.load([codebase, queries, strange])
    lost = write_lines(tmp_path / "lost.jsonl", [{"query": "kayak", "gold": 99}])
    with pytest.raises(InvalidSource, match=r"lost\.jsonl:1.*99"):
        cosqa.load([codebase, lost])
