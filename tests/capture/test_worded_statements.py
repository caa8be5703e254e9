"""Decisions and threads in words that no rule knows: the learned models of wording, through the public facade."""

from __future__ import annotations

from pathlib import Path

import pytest

import engramforge
from engramforge.capture.hearing import learned_wording
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


def _shown(home: Path, text: str) -> tuple[list[str], list[float]]:
    """Decisions that are read, and the confidence of those that wait."""
    with engramforge.open(home) as forge:
        forge.remember(text, project="tides", kind="prompt", speaker="user", session_id="s")
        waiting = [each.confidence for each in forge.review.pending(project="tides")]
        return [entry.decision for entry in forge.decisions.browse(project="tides")], waiting


STATED = (
    "statements go out thru docusign",
    "stickers: 50mm round, matt",
    "posters: a2, 150 g paper",
    "one cup per guest, max 0.3 l",
    "two seats per order, no more",
    "anglers can log up to 4 catches a day, no comments, they get rude",
    "only shift leads can void a sale",
    "no faces in the brochure, the school said no",
    "we use affinity",
    "we use terraform",
    "we sand at 240 grit",
    "we retire ropes after 5 years",
    "box per donor, labelled by the accession number, not by name. names get spelt three ways",
    "jar per batch, named by the batch code, not by date",
)
NOT_STATED = (
    "statements go out twice",
    "stickers: three are torn",
    "posters: where are they",
    "one cup per guest is missing",
    "two seats per order are double booked, can you check",
    "anglers can log a catch twice, looks like a bug",
    "only shift leads showed up",
    "no faces in the picture you sent",
    "we use a lot of ram",
    "we use it all the time",
    "we sand it again tomorrow",
    "we lose the rope after 5 metres",
    "there is a box per donor in the cellar",
    "the other museum uses a jar per batch",
    "they use terraform",
    "do we use affinity?",
)


@pytest.mark.parametrize("text", STATED)
def test_a_rule_of_the_house_in_a_few_words_is_read_or_waits(tmp_path: Path, text: str) -> None:
    read, waiting = _shown(tmp_path, text)
    assert len(read) + len(waiting) == 1
    assert all(0.4 <= sure < 0.6 for sure in waiting)


@pytest.mark.parametrize("text", NOT_STATED)
def test_what_only_sounds_like_one_does_not_even_wait(tmp_path: Path, text: str) -> None:
    assert _shown(tmp_path, text) == ([], [])
