"""What is chosen in a dialogue with options: read from a mapping or a text, and a decision where it chooses a way."""

from __future__ import annotations

import time
from typing import Any

import pytest

from engramforge.core.detection.answers.dialogue_choices import chosen_in
from engramforge.core.detection.answers.dialogues import (
    ANSWERS,
    Question,
    kept,
    questions_of,
    read_kept,
    with_answers,
    worded,
)

WHERE = "Which database should the readings go to?"
THREE = ("SQLite", "DuckDB", "TimescaleDB")
REQUEST = {
    "questions": [
        {
            "question": WHERE,
            "header": "Database",
            "multiSelect": False,
            "options": [
                {"label": "SQLite (Recommended)", "description": "one file"},
                {"label": "DuckDB", "description": "columns"},
                {"label": "TimescaleDB"},
            ],
        },
        {
            "question": "Which exports, if any, do you want?",
            "header": "Exports",
            "multiSelect": True,
            "options": [{"label": "CSV"}, {"label": "JSON, one line each"}, {"label": "Parquet"}],
        },
    ]
}
SAID = (
    f'User has answered your questions: "{WHERE}"="DuckDB", "Which exports, if any, do you want?"="CSV, JSON, one'
    " line each\". You can now continue with the user's answers in mind."
)


@pytest.mark.parametrize(
    "outcome",
    [
        SAID,
        {"answers": {WHERE: "DuckDB", "Which exports, if any, do you want?": "CSV, JSON, one line each"}},
        {"answers": {WHERE: "DuckDB", "Which exports, if any, do you want?": ["CSV", "JSON, one line each"]}},
        {"content": SAID},
    ],
)
def test_answers_are_read_from_a_mapping_and_from_the_text_for_the_model(outcome: Any) -> None:
    found = with_answers(questions_of(REQUEST), outcome)
    assert worded(found) == (
        f"Asked: {WHERE} (SQLite, DuckDB, TimescaleDB) Answered: DuckDB\n"
        "Asked: Which exports, if any, do you want? (CSV, JSON, one line each, Parquet)"
        " Answered: CSV, JSON, one line each"
    )
    assert read_kept({ANSWERS: kept(found)}) == found
    decisions = [chosen.text for each in found if (chosen := chosen_in(each))]
    assert decisions == [
        f"DuckDB rather than SQLite or TimescaleDB ({WHERE})",
        "CSV and JSON, one line each rather than Parquet (Which exports, if any, do you want?)",
    ]


def test_notes_beside_an_answer_are_kept() -> None:
    (asked, _) = questions_of(REQUEST)
    said = f'User has answered your questions: "{WHERE}"="DuckDB" user notes: on the SD card. You can now continue'
    for outcome in (
        said,
        {"answers": {WHERE: "DuckDB"}, "annotations": {WHERE: {"notes": "on the SD card"}}},
    ):
        (found,) = with_answers((asked,), outcome)
        assert found.answer == "DuckDB, on the SD card"
        chosen = chosen_in(found)
        assert chosen is not None
        assert chosen.text == f"DuckDB rather than SQLite or TimescaleDB, on the SD card ({WHERE})"


@pytest.mark.parametrize(
    ("question", "options", "answer", "text"),
    [
        (
            WHERE,
            THREE,
            "Postgres on the NAS",
            "Postgres on the NAS rather than SQLite or DuckDB or TimescaleDB",
        ),
        (
            WHERE,
            THREE,
            "duckdb but keep the csv export",
            "DuckDB rather than SQLite or TimescaleDB, but keep the csv",
        ),
        (WHERE, THREE, "neither, postgres", "postgres rather than SQLite or DuckDB or TimescaleDB"),
        (WHERE, THREE, "the second", "DuckDB rather than SQLite or TimescaleDB"),
        (WHERE, (), "Postgres", "Postgres (Which database"),
        ("How should the scales talk to the hub?", ("LoRa", "NB-IoT"), "LoRa", "LoRa rather than NB-IoT"),
        (
            "How shall we speed it up?",
            ("Add a cache", "Rewrite the query"),
            "Add a cache",
            "Add a cache rather than",
        ),
        ("Should the header be small or large?", ("Small", "Large"), "Small", "Small rather than Large"),
        ("Tabs or spaces?", ("Tabs", "Spaces"), "Tabs", "Tabs rather than Spaces"),
        ("Should we use TypeScript for the frontend?", ("Yes", "No"), "Yes", "TypeScript for the frontend"),
        (
            "Which platforms should we support?",
            ("Linux", "macOS", "Windows"),
            "Linux, macOS",
            "Linux and macOS rather",
        ),
    ],
)
def test_a_way_that_is_chosen_is_a_decision(
    question: str, options: tuple[str, ...], answer: str, text: str
) -> None:
    found = chosen_in(Question(question, options, answer=answer))
    assert found is not None and found.text.startswith(text)


@pytest.mark.parametrize(
    ("question", "options", "answer"),
    [
        ("What should I do next?", ("Run the tests", "Commit"), "Commit"),
        ("What should I work on first?", ("Parser", "Writer"), "Parser"),
        ("Where should I start?", ("Parser", "Writer"), "Writer"),
        ("How should we proceed?", ("Fix the tests", "Leave them"), "Fix the tests"),
        ("Should I go ahead and delete the branch?", ("Yes", "No"), "Yes"),
        ("Do you want me to run the migration?", ("Yes, run it", "No, wait"), "Yes, run it"),
        ("Should we use TypeScript?", ("Yes", "No"), "No"),
        ("Which error do you see?", ("404", "500"), "404"),
        ("Is the sensor in the north or in the south bed?", ("North", "South"), "North"),
        ("Which report do you want?", ("Today", "Yesterday"), "Today"),
        ("Who should review it?", ("Pia", "Jana"), "Pia"),
        ("How long should the answer be?", ("Short", "Long"), "Short"),
        (WHERE, THREE, "not sure, what would you take?"),
        (WHERE, THREE, "let's discuss this first"),
        (WHERE, THREE, "you decide"),
        (WHERE, THREE, "none"),
        (WHERE, THREE, ""),
        ("Ready?", ("Run the tests", "Commit the change"), "Commit the change"),
    ],
)
def test_a_task_a_fact_and_what_stays_open_is_none(
    question: str, options: tuple[str, ...], answer: str
) -> None:
    assert chosen_in(Question(question, options, answer=answer)) is None


def test_a_header_that_names_a_task_makes_none() -> None:
    asked = Question("Which one?", ("Parser", "Writer"), header="Next step", answer="Parser")
    assert chosen_in(asked) is None


@pytest.mark.parametrize(
    "broken", [None, 3, [], "x", {"questions": 3}, {"questions": [3, {"question": None}]}]
)
def test_any_other_shape_asks_nothing(broken: Any) -> None:
    assert questions_of(broken) == ()
    assert with_answers(questions_of(REQUEST), broken) == ()
    assert read_kept({ANSWERS: broken}) == ()


def test_a_large_dialogue_takes_no_longer() -> None:
    begun = time.process_time()
    options = [{"label": '"="' * 5_000} for _ in range(500)]
    asked = questions_of(
        {"questions": [{"question": f'a"="{at}' * 9_000, "options": options} for at in range(500)]}
    )
    for outcome in (
        '"="' * 100_000,
        "a, " * 100_000,
        {"answers": {each.text: "a, " * 50_000 for each in asked}},
    ):
        for each in with_answers(asked, outcome):
            chosen_in(each)
    assert time.process_time() - begun < 2
