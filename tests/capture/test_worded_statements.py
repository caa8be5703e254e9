"""Decisions and threads in words that no rule knows: the learned models of wording, through the public facade."""

from __future__ import annotations

from pathlib import Path

import pytest

import engramforge
from engramforge.capture.detecting import learned_wording
from engramforge.core.detection.likelihood import Likelihood, features
from engramforge.core.detection.passages import passages
from engramforge.core.detection.rule_extractor import detect
from engramforge.core.detection.wording_weights import Weights, packed
from engramforge.model.memory import Kind

WORDED = (
    ("floats are out, radar is in. whole coast.", "radar"),
    ("Ines signed the contract, so the buoys come from Kiel.", "Kiel"),
    ("We standardise on Fluentd for shipping logs.", "Fluentd"),
    ("Audits are quarterly now.", "quarterly"),
    ("As of today a threat model is mandatory for new services.", "threat model"),
    ("Raw scans live on the tape server and nowhere else.", "tape server"),
    ("Let's take Brevo for the mails.", "Brevo"),
)
TYPED = (
    ("im going with a light theme for the buoy list", "light theme"),
    ("we'll use flatpickr for the date fields", "flatpickr"),
    ("leaks go to nadia by phone, mails she never reads", "nadia"),
    ("we keep the recordings at 128 kbit", "128"),
    ("overtime: we allow 6 hours a month", "6 hours"),
    ("i'd keep the poll interval at 10 minutes", "10 minutes"),
    ("i want the reports by mail, not in the app", "by mail"),
)
TYPED_IN_PASSING = (
    "im going with anna to the match",
    "we'll use what is left and see",
    "the leaks go on and on",
    "we keep seeing the same warning",
    "overtime: 6 hours this month already",
    "i'd keep that for later, lets look at the logs",
    "i want the first five rows, not everything",
)
LEFT_OPEN = (
    ("The licence of the harbour map is still missing, I have to ask for it.", "licence"),
    ("we never finished the tide tables for Emden, back to it after the holidays", "Emden"),
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


@pytest.mark.parametrize(("text", "words"), TYPED)
def test_a_decision_typed_in_a_hurry_is_read(tmp_path: Path, text: str, words: str) -> None:
    (decision,) = _decided(tmp_path, text)
    assert words in decision


@pytest.mark.parametrize("text", TYPED_IN_PASSING)
def test_what_only_looks_like_one_is_none(tmp_path: Path, text: str) -> None:
    assert _decided(tmp_path, text) == []


def _opened(home: Path, text: str) -> list[str]:
    with engramforge.open(home) as forge:
        forge.remember(text, project="tides", kind="prompt", session_id="s")
        return [entry.title for entry in forge.threads.browse(project="tides")]


@pytest.mark.parametrize(("text", "word"), LEFT_OPEN)
def test_a_thread_in_words_that_no_rule_is_sure_of_is_read(tmp_path: Path, text: str, word: str) -> None:
    assert not any(found.confidence >= 0.7 for found in detect(text))
    (title,) = _opened(tmp_path, text)
    assert word in title


def test_a_message_may_state_several_decisions(tmp_path: Path) -> None:
    said = "The gauges get new firmware, that's settled. Alarms go out by SMS now, no more pagers."
    found = _decided(tmp_path, said)
    assert len(found) == 2
    assert any("SMS" in decision for decision in found)


def test_a_model_that_is_surer_of_a_sentence_than_a_rule_decides(tmp_path: Path) -> None:
    said = "I'm switching the tide tables to Parquet for good, the CSV exports are deleted."
    assert all(found.confidence < 0.7 for found in detect(said))
    assert len(_decided(tmp_path, said)) == 1


def test_what_a_rule_guesses_and_the_model_hears_is_as_sure_as_both(tmp_path: Path) -> None:
    said = "Harbour meetings are on Mondays from here on, voted on it."
    assert all(found.confidence < 0.7 for found in detect(said))
    assert len(_decided(tmp_path, said)) == 1


def test_it_is_read_in_a_persons_own_words_alone(tmp_path: Path) -> None:
    said = WORDED[0][0]
    assert not _decided(tmp_path / "assistant", said, speaker="assistant")
    assert not _decided(tmp_path / "page", f"Please summarise this page:\n\n{said}")


def _stated(text: str) -> list[str]:
    return [each.sentence for each in learned_wording().stated_in(text) if each.kind is Kind.DECISION]


def test_what_decides_nothing_is_not_read(tmp_path: Path) -> None:
    assert not _decided(tmp_path, "\n".join(NOT_DECIDED))
    assert not [text for text in NOT_DECIDED if _stated(text)]


COMMON = frozenset({"it", "will", "be", "by"})


def test_a_likelihood_is_the_logistic_of_the_mean_weight() -> None:
    said = ["Radar it will be."]
    count = len(features(said, 0, COMMON))
    assert Likelihood(Weights({}, 1.0), (0.0, 0.0), COMMON).of(said, 0) == (0.5, 0.5)
    weight = 3 * count**0.5
    weights = Weights(packed({"w radar": (weight, 0.0)}, weight), weight)
    decided, opened = Likelihood(weights, (-3.0, -3.0), COMMON).of(said, 0)
    assert decided == pytest.approx(0.5)
    assert opened < 0.05
    assert max(Likelihood(weights, (-3.0, -3.0), COMMON).of(["Floats it will be."], 0)) < 0.05


def test_a_words_beginning_and_end_count_and_what_is_beside_it() -> None:
    found = set(features(["Radar, not floating gauges."], 0, COMMON))
    assert {"w floating", "p floa", "p floati", "e ing", "b not floating"} <= found
    assert "p not" not in found


def test_what_is_beside_a_sentence_counts_and_its_shape() -> None:
    alone = set(features(["Radar."], 0, COMMON))
    assert {"> w final", "> x"} <= set(features(["Radar.", "final."], 0, COMMON)) - alone
    assert set(features(["Alarms: by SMS."], 0, COMMON)) - alone > {"shape labelled"}


def test_a_text_is_read_as_its_sentences_are_weighed() -> None:
    model = learned_wording()
    for text, _ in WORDED:
        said = [passage.plain for passage in passages(text)]
        likely = max(model.of(said, place)[0] for place in range(len(said)))
        (stated, *_) = [each for each in model.stated_in(text) if each.kind is Kind.DECISION]
        assert 0.5 < stated.confidence == pytest.approx(likely, abs=1e-3)
