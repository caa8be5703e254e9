"""The benchmark of topics on texts of our own: its figures by hand, its baselines, its faults."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from bench.clustering import Labelled, read_texts
from bench.harness import Options, run
from bench.topicnames import named_labels
from tests.upkeep.test_topics import THEMES, said

from engramforge.errors import InvalidSource


@pytest.fixture
def themes_file(tmp_path: Path) -> Path:
    path = tmp_path / "themes.jsonl.gz"
    with gzip.open(path, "wt") as file:
        for theme in THEMES:
            for text in said(theme, 14):
                file.write(json.dumps({"text": text, "label": f"{theme}_things"}) + "\n")
    return path


def test_topics_agree_with_labels_better_than_the_baselines(themes_file: Path) -> None:
    outcome = run("clustering", [themes_file], Options())
    metrics, baselines = outcome.metrics, outcome.baselines
    assert outcome.n == 70 and metrics["topics"] >= 4
    assert metrics["v_measure"] >= 0.75 and metrics["ari"] >= 0.5
    for name in ("lsa_birch", "hdbscan"):
        assert metrics["ari"] > baselines[name]["ari"]
    assert 0 <= metrics["noise_share"] <= 0.5
    assert metrics["kept_share"] >= 0.8 and metrics["joined_ms"] >= 0


def test_names_of_topics_have_words_of_labels(themes_file: Path) -> None:
    outcome = run("topicnames", [themes_file], Options())
    assert outcome.metrics["named"] == 5 and outcome.metrics["named_share"] >= 0.6
    assert 0 < outcome.metrics["covered"] <= 5 and outcome.metrics["covered_share"] >= 0.6
    assert 0 <= outcome.baselines["frequent_words"]["named_share"] <= 1


def test_a_plain_topic_is_named_by_a_stem_of_its_label() -> None:
    truth = ["card_arrival"] * 5 + ["pin_change"] * 5
    found = ["a"] * 4 + [None] + ["b"] * 5
    names = {"a": {"cards"}, "b": {"pin"}}
    assert named_labels(truth, found, {"a": {"card"}, "b": {"chang"}}) == dict.fromkeys(set(truth), True)
    assert named_labels(truth, found, names) == {"card_arrival": False, "pin_change": True}
    # Half of a label in a mixed topic is plain to nobody.
    assert named_labels(["x", "x", "y", "y"], ["a", None, "a", None], {"a": {"x"}}) == {}
    # A label in two topics of its own is plain, but covered by neither.
    parted = ["pin_change"] * 4, ["a", "a", "b", "b"]
    assert named_labels(*parted, names) == {"pin_change": True}
    assert named_labels(*parted, names, is_strict=True) == {}


def test_lines_without_text_or_label_are_told(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_text('{"text": "a", "intent": "b"}\n', encoding="utf-8")
    assert read_texts([path]) == [Labelled("a", "b")]
    path.write_text('{"text": "a", "intent": "b"}\n{"text": "a"}\n', encoding="utf-8")
    with pytest.raises(InvalidSource, match="has no text, or no label"):
        read_texts([path])
