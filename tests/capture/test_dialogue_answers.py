"""What a person answers in Claude Code's question dialogue is told in words and decides, live and in transcripts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engramforge.forge import Forge

WHERE = "Which database should the readings go to?"
ASKED = {
    "question": WHERE,
    "header": "Database",
    "multiSelect": False,
    "options": [
        {"label": "SQLite (Recommended)", "description": "one file"},
        {"label": "DuckDB"},
        {"label": "TimescaleDB"},
    ],
}
SAID = f'User has answered your questions: "{WHERE}"="DuckDB". You can now continue with the user\'s answers in mind.'
MAPPING = {"questions": [ASKED], "answers": {WHERE: "DuckDB"}}
WORDS = f"Asked: {WHERE} (SQLite, DuckDB, TimescaleDB) Answered: DuckDB"
DECISION = f"DuckDB rather than SQLite or TimescaleDB ({WHERE})"


def hooks(folder: Path, response: Any, name: str = "PostToolUse") -> list[dict[str, Any]]:
    event = {
        "session_id": "s1",
        "cwd": str(folder),
        "tool_name": "AskUserQuestion",
        "tool_use_id": "toolu_1",
        "tool_input": {"questions": [ASKED]},
    }
    before = {**event, "hook_event_name": "PreToolUse"}
    return [before, {**event, "hook_event_name": name, "tool_response": response}]


def transcript(folder: Path, outcome: str = SAID, *, is_error: bool = False) -> Path:
    request = {
        "type": "tool_use",
        "id": "toolu_1",
        "name": "AskUserQuestion",
        "input": {"questions": [ASKED]},
    }
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": outcome, "is_error": is_error}
    said = [("user", "where do the readings go?"), ("assistant", [request]), ("user", [result])]
    file = folder / "s1.jsonl"
    file.write_text(
        "".join(
            json.dumps(
                {
                    "type": role,
                    "sessionId": "s1",
                    "uuid": f"{at}1111111-1111-4111-8111-111111111111",
                    "cwd": str(folder),
                    "timestamp": f"2026-01-02T03:04:0{at}Z",
                    "message": {"role": role, "content": content},
                }
            )
            + "\n"
            for at, (role, content) in enumerate(said)
        )
    )
    return file


def contents(forge: Forge) -> list[str]:
    return [each.content for each in forge.memories(kinds="tool_use", limit=50)]


@pytest.mark.parametrize("response", [MAPPING, SAID])
def test_an_answer_in_a_session_is_told_in_words_and_decides(
    forge: Forge, tmp_path: Path, response: Any
) -> None:
    for event in hooks(tmp_path, response):
        forge.hooks.take([event])
    assert sorted(contents(forge)) == [f"AskUserQuestion: {WHERE} (SQLite, DuckDB, TimescaleDB)", WORDS]
    (decision,) = forge.decisions.browse()
    assert (decision.decision, decision.alternatives_rejected) == (DECISION, ("SQLite", "TimescaleDB"))
    assert decision.evidence is not None and decision.evidence.sentence == "Answered: DuckDB"


@pytest.mark.parametrize("is_imported_first", [True, False])
def test_an_answer_in_a_transcript_is_the_same_and_nothing_comes_twice(
    forge: Forge, tmp_path: Path, is_imported_first: bool
) -> None:
    file = transcript(tmp_path)
    if not is_imported_first:
        forge.hooks.take(hooks(tmp_path, MAPPING))
    forge.import_path(file)
    forge.hooks.take(hooks(tmp_path, MAPPING))
    forge.import_path(file)
    assert contents(forge).count(WORDS) == 1 and len(contents(forge)) == 2
    assert [each.decision for each in forge.decisions.browse()] == [DECISION]


def test_what_is_turned_down_or_fails_decides_nothing(forge: Forge, tmp_path: Path) -> None:
    forge.hooks.take(hooks(tmp_path, "The user doesn't want to proceed.", "PostToolUseFailure"))
    forge.import_path(transcript(tmp_path, SAID, is_error=True))
    assert forge.decisions.browse() == []


def test_text_of_other_tools_that_looks_so_decides_nothing(forge: Forge, tmp_path: Path) -> None:
    (_, event) = hooks(tmp_path, SAID)
    forge.hooks.take(
        [{**event, "tool_name": "Bash", "tool_input": {"command": "cat a", "questions": [ASKED]}}]
    )
    forge.remember(
        WORDS, kind="tool_use", metadata={"answered_questions": [{"question": WHERE, "answer": "a"}]}
    )
    assert forge.decisions.browse() == []


def test_a_later_turn_ends_what_was_chosen(forge: Forge, tmp_path: Path) -> None:
    forge.hooks.take(hooks(tmp_path, MAPPING))
    prompt = {"session_id": "s2", "cwd": str(tmp_path), "hook_event_name": "UserPromptSubmit"}
    forge.hooks.take([{**prompt, "prompt": "scrap DuckDB, we keep the readings in Postgres"}])
    stands = {each.decision: str(each.status) for each in forge.decisions.browse(status=None)}
    assert stands[DECISION] == "superseded"


def test_a_later_session_starts_with_what_was_chosen(forge: Forge, tmp_path: Path) -> None:
    forge.hooks.take(hooks(tmp_path, MAPPING))
    begun = {"hook_event_name": "SessionStart", "session_id": "s2", "cwd": str(tmp_path), "source": "startup"}
    told = forge.injections.for_event(begun)
    assert told is not None and DECISION in told.text
