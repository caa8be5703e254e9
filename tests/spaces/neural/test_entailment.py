"""A judge of contradictions by an ONNX model: off by default, before wording where it is configured."""

from __future__ import annotations

from pathlib import Path

import pytest

import engramforge
from engramforge.errors import InvalidValue, ModelUnavailable
from engramforge.settings import read_settings
from engramforge.spaces.neural.entailment import EntailmentJudge

onnx_models = pytest.importorskip("tests.onnx_models")


def test_a_judge_reads_pairs_in_both_directions(tmp_path: Path) -> None:
    judge = EntailmentJudge(onnx_models.build_entailment(tmp_path / "small-nli"))
    assert judge.name == "small-nli"
    found = judge.judge(
        [("the car is green", "the car is red"), ("the car", "a car is blue"), ("a dog", "a hound")]
    )
    assert found[0].contradiction > 0.9 and found[1].entailment > 0.9
    assert max(found[2].contradiction, found[2].entailment) < 0.5
    assert judge.judge([]) == []


def test_a_model_that_is_no_judge_is_refused_by_name(tmp_path: Path) -> None:
    for folder, fault in (
        (tmp_path / "none", "is not there"),
        (onnx_models.build_entailment(tmp_path / "mute", says=False), "does not say"),
        (onnx_models.build_dense(tmp_path / "dense"), "does not say"),
    ):
        with pytest.raises(ModelUnavailable, match=fault) as raised:
            EntailmentJudge(folder).judge([("a car", "a dog")])
        assert "conflict_judge" in str(raised.value)


def test_the_setting_switches_it_on(tmp_path: Path) -> None:
    folder = onnx_models.build_entailment(tmp_path / "small-nli")
    pairs = [("the car is green", "the dog is happy"), ("the house is red", "the house is not red")]
    with engramforge.open(tmp_path / "home") as forge:
        by_rules = forge.conflicts.compare(pairs)
    assert by_rules[0] is None and by_rules[1] is not None and by_rules[1][0] == "negation"
    (tmp_path / "home" / "engramforge.toml").write_text(f'conflict_judge = "local:{folder}"')
    with engramforge.open(tmp_path / "home") as forge:
        judged = forge.conflicts.compare(pairs)
    assert judged[0] is not None and judged[0][0] == "judge" and judged[1] is None


def test_off_and_blank_are_none_and_other_kinds_are_refused(tmp_path: Path) -> None:
    for value in ("", "off"):
        assert read_settings(tmp_path, {"ENGRAMFORGE_CONFLICT_JUDGE": value}).conflict_judge is None
    with pytest.raises(InvalidValue, match="conflict_judge"):
        read_settings(tmp_path, {"ENGRAMFORGE_CONFLICT_JUDGE": "openai:some-model"})
