"""The benchmark of shifts on sessions of our own: its figures by hand, its sessions, its baselines, its faults."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench.harness import Options, run
from bench.topicshift import Session, read_sessions, scored
from tests.answer.test_shifts import KILN, TAXES, TIDES

from engramforge.errors import InvalidSource

VIOLIN = (
    "Which strings does the violin need for the concerto?",
    "Tune the violin a little higher before the concerto begins.",
    "The bow of the violin wants new rosin.",
    "How long do the strings of a violin stay in tune?",
)

# As many of each as a run of the data has: what is usual has to be known before something is not.
THEMES = (
    (
        *KILN,
        "The kiln fires clay bowls with a glaze at night.",
        "How many clay bowls fit into the pottery kiln?",
        "Stack the clay bowls in the kiln before it fires them.",
        "Does the glaze of the clay bowls stick to the kiln?",
    ),
    (
        *TAXES,
        "Which invoices of this quarter has the tax office doubted?",
        "Add the late invoices to the quarterly tax declaration.",
        "When does the tax office want the quarterly declaration?",
        "Sign the tax declaration of this quarter and file its invoices.",
    ),
    (
        *TIDES,
        "How high was the high water of last winter in the tide tables?",
        "The harbour master wants tide tables for every harbour.",
        "Compare the tide tables of last winter with the harbour's high waters.",
    ),
    (
        *VIOLIN,
        "Play the concerto on the violin with new strings.",
        "The strings of the violin sound dull in the concerto.",
        "Which rosin suits the bow of a violin?",
        "Put the violin and its bow away after the concerto.",
    ),
)


@pytest.fixture
def themes_file(tmp_path: Path) -> Path:
    """Each theme is an intent of a domain of its own."""
    path = tmp_path / "themes.jsonl"
    lines = [{"text": text, "intent": theme[0], "domain": theme[1]} for theme in THEMES for text in theme]
    lines.append({"text": "of no domain", "intent": "oos", "domain": None})
    path.write_text("".join(f"{json.dumps(each)}\n" for each in lines), encoding="utf-8")
    return path


def test_alerts_come_when_the_theme_changes(themes_file: Path) -> None:
    outcome = run("topicshift", [themes_file], Options())
    metrics, baselines = outcome.metrics, outcome.baselines
    assert outcome.settings["sessions"] == 1 and outcome.settings["shifts"] == 3
    assert metrics["precision"] >= 0.6 and metrics["recall"] >= 0.6
    assert baselines["any_pair"]["precision"] < metrics["precision"]
    assert baselines["any_pair"]["false_per_100"] > metrics["false_per_100"]
    assert set(baselines["cosine"]) == set(metrics) - {"spoken"}


def test_sessions_are_runs_of_neighbours_that_differ(themes_file: Path, tmp_path: Path) -> None:
    (session,) = read_sessions([themes_file])
    assert session == read_sessions([themes_file])[0], "the same every time"
    assert len(set(session.matters)) == 4 and len(session.shifts) == 3
    assert sorted(session.matters.count(each) for each in set(session.matters)) == [8] * 4
    talks = tmp_path / "talks.jsonl"
    said = (("Ann", "one"), ("Bo", " "), ("Bo", "re one"), ("Bo", "so"), ("Ann", "two"))
    turns = [{"speaker": speaker, "text": text} for speaker, text in said]
    talks.write_text(f"{json.dumps({'sessions': [{'turns': turns}]})}\n" * 2, encoding="utf-8")
    (talk,) = read_sessions([talks])
    assert (talk.prompts, talk.shifts) == (["one", "two"] * 2, [2])
    assert talk.answers == [["re one", "so"], []] * 2
    every = talk.with_every_turn()
    assert (every.prompts, every.shifts) == (["one", "re one", "so", "two"] * 2, [4])
    talks.write_text('{"text": "no intent"}\n', encoding="utf-8")
    with pytest.raises(InvalidSource, match="has no sessions, nor a text of an intent"):
        read_sessions([talks])


def test_an_alert_is_right_within_three_prompts_of_a_shift() -> None:
    session = Session(["said"] * 12, ["a"] * 4 + ["b"] * 4 + ["c"] * 4)
    found = scored([session], [[6, 7, 11]])
    assert (found["precision"], found["recall"], found["delay"]) == (1 / 3, 0.5, 2.0)
    assert found["false_per_100"] == pytest.approx(100 * 2 / 6)
    assert set(scored([session], [[]]).values()) == {0.0}
