"""Decisions in words that no rule knows: the learned model of wording, through the public facade."""

from __future__ import annotations

from pathlib import Path

import pytest

import engramforge
from engramforge.capture.learned_decisions import learned_decisions
from engramforge.core.detection.likelihood import Likelihood, features
from engramforge.core.detection.rule_extractor import detect

WORDED = (
    ("floats are out, radar is in. whole coast.", "radar"),
    ("Ines signed the contract, so the buoys come from Kiel.", "Kiel"),
)
NOT_DECIDED = (
    "The gauge reader parses one line at a time.",
    "Can you move the tide tables to Parquet?",
    "Maybe radar instead of floats?",
    "The port of Hull moved to radar in 1998.",
    "If the pilots agree, alarms go out by SMS.",
    "I moved the exports to another folder.",
    "We love sailing together, it was so inspiring!",
)


def _decided(home: Path, text: str, speaker: str = "user") -> list[str]:
    with engramforge.open(home) as forge:
        forge.remember(text, project="tides", kind="prompt", speaker=speaker, session_id="s")
        return [entry.decision for entry in forge.decisions.browse(project="tides")]


@pytest.mark.parametrize(("text", "word"), WORDED)
def test_a_decision_in_words_that_no_rule_knows_is_read(tmp_path: Path, text: str, word: str) -> None:
    assert not detect(text)
    (decision,) = _decided(tmp_path, text)
    assert word in decision


def test_it_is_read_in_a_persons_own_words_alone(tmp_path: Path) -> None:
    said = WORDED[0][0]
    assert not _decided(tmp_path / "assistant", said, speaker="assistant")
    assert not _decided(tmp_path / "page", f"Please summarise this page:\n\n{said}")


def test_what_decides_nothing_is_not_read(tmp_path: Path) -> None:
    assert not _decided(tmp_path, "\n".join(NOT_DECIDED))
    assert not [text for text in NOT_DECIDED if learned_decisions().decision_in(text)]


def test_a_likelihood_is_the_logistic_of_the_mean_weight() -> None:
    said = ["Radar it will be."]
    count = len(features(said, 0))
    assert Likelihood({}, 0.0).of(said, 0) == 0.5
    sure = Likelihood({"w radar": 3 * count**0.5}, -3.0)
    assert sure.of(said, 0) == pytest.approx(0.5)
    assert sure.of(["Floats it will be."], 0) < 0.05


def test_what_is_beside_a_sentence_counts() -> None:
    alone, decided = features(["Radar."], 0), features(["Radar.", "Final."], 0)
    assert "last" in alone - decided
    assert ">w final" in decided - alone
