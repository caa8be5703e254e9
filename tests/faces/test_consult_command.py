"""`engramforge consult`: an answer as text and as JSON, and what is told of a second store."""

from __future__ import annotations

from pathlib import Path

import pytest

import engramforge

from .conftest import Cli

QUESTION = "When does the ferry to the far island leave?"


def test_an_answer_cites_and_tells_its_store(cli: Cli) -> None:
    kept = cli("remember", "The ferry to the far island leaves at noon.", "--project", "sea", "--json").json
    found = cli("consult", QUESTION, "--deep", "--json").json
    assert [each["id"] for each in found["citations"]] == [kept["memory"]["logical_id"]]
    assert (found["answered"], found["depth"], found["sources"], found["degraded"]) == (
        True,
        "deep",
        ["primary"],
        "",
    )
    assert found["citations"][0]["store"] == "primary"
    told = cli("consult", QUESTION)
    assert told.code == 0 and "leaves at noon" in told.out and kept["memory"]["logical_id"] in told.out


def test_a_second_store_answers_or_its_fault_is_told(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("remember", "The gulls were loud on the quay this morning.", "--project", "sea")
    with engramforge.open(tmp_path / "older") as older:
        older.remember("The ferry to the far island leaves at noon.", project="sea")
    monkeypatch.setenv("ORACLE_FALLBACK", str(tmp_path / "older"))
    assert "fallback store" in cli("consult", QUESTION).out
    monkeypatch.setenv("ORACLE_FALLBACK", str(tmp_path / "gone"))
    told = cli("consult", QUESTION)
    assert told.code == 0 and "Nothing that is remembered answers this." in told.out
    assert "The fallback store was not asked" in told.out + told.err


def test_what_held_is_answered_though_it_became_known_later(cli: Cli) -> None:
    said = "The ferry to the far island leaves at noon."
    cli("remember", said, "--project", "sea", "--valid-at", "2022-01-10")
    then = cli("consult", QUESTION, "--as-of", "2022-06-01")
    assert "Nothing that is remembered answers this." in then.out and "--as-of-valid TIME" in then.err
    assert "leaves at noon" in cli("consult", QUESTION, "--as-of-valid", "2022-06-01").out
    assert "leaves at noon" not in cli("consult", QUESTION, "--as-of-valid", "2021-06-01").out
    lenses = '[{"project": "sea", "role": "builder"}]'
    early = cli("orchestrate", QUESTION, "--lenses", lenses, "--as-of", "2022-06-01")
    assert "leaves at noon" not in early.out and "--as-of-valid TIME" in early.err
    asked = cli("orchestrate", QUESTION, "--lenses", lenses, "--as-of-valid", "2022-06-01")
    assert "leaves at noon" in asked.out


def test_what_was_not_on_record_yet_is_hinted_at(cli: Cli) -> None:
    cli("remember", "The harbour master is deaf.", "--project", "sea", "--recorded-at", "2022-01-10")
    said = "The ferry to the far island leaves at noon."
    cli("remember", said, "--project", "sea", "--valid-at", "2022-01-10")
    then = cli("consult", QUESTION, "--as-of", "2022-06-01")
    assert "Nothing that is remembered answers this." in then.out and "not on record yet" in then.err
    assert "not on record" not in cli("consult", "Which wine suits goose?", "--as-of", "2022-06-01").err


def test_the_speaker_is_told(cli: Cli) -> None:
    said = "The ferry to the far island leaves at noon."
    cli("remember", said, "--project", "sea", "--kind", "message", "--speaker", "Inga", "--session", "s1")
    assert cli("consult", QUESTION, "--json").json["citations"][0]["speaker"] == "Inga"
    assert "said by Inga" in cli("consult", QUESTION).out
