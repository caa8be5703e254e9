"""Histories of prompts: what outlived its transcript comes in, what a transcript has is not brought twice."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.capture.conftest import Workbench, run, write

from engramforge.model.memory import Kind, Memory

SESSION = "11111111-2222-4333-8444-555555555555"
OTHER = "99999999-2222-4333-8444-555555555555"
KEY = "AKIA" + "Z7Q4M2X8K1L5P9W3"


def typed(text: str, number: int, session: str | None = SESSION, **more: Any) -> dict[str, Any]:
    own = {
        "display": text,
        "timestamp": 1_767_225_600_000 + number * 1_000,
        "project": "/home/ann/code/garden",
    }
    return own | {"pastedContents": {}} | ({"sessionId": session} if session else {}) | more


def said(text: str, number: int) -> dict[str, Any]:
    return {
        "type": "user",
        "uuid": f"00000000-0000-4000-8000-{number:012d}",
        "sessionId": SESSION,
        "timestamp": f"2026-01-01T00:00:{number:02d}Z",
        "cwd": "/home/ann/code/garden",
        "message": {"role": "user", "content": text},
    }


def prompts(bench: Workbench) -> list[Memory]:
    return [memory for memory in bench.every() if memory.kind is Kind.PROMPT]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    root = tmp_path / "home-of-ann"
    write(
        root / "history.jsonl",
        typed("plant the\n beans", 1),
        typed("water them", 2),
        typed("water them", 3),
        typed(f"use {KEY}", 4),
        typed("an older matter", 0, OTHER),
        typed("before sessions had ids", 0, None),
    )
    write(
        root / "projects" / "-home-ann-code-garden" / f"{SESSION}.jsonl",
        said("plant the beans", 1),
        said("water them", 2),
        said(f"use {KEY}", 4),
    )
    return root


@pytest.mark.parametrize("order", ["both", "history first", "transcript first"])
def test_a_prompt_comes_in_once_whichever_came_first(bench: Workbench, home: Path, order: str) -> None:
    parts = {
        "both": [home],
        "history first": [home / "history.jsonl", home / "projects"],
        "transcript first": [home / "projects", home / "history.jsonl"],
    }[order]
    reports = [run(bench, part) for part in parts]
    assert sum(report.found for report in reports) == 9
    texts = sorted(" ".join(prompt.content.split()) for prompt in prompts(bench))
    assert texts[:3] == ["an older matter", "before sessions had ids", "plant the beans"]
    assert texts[3].startswith("use ") and texts[4:] == ["water them", "water them"]
    assert {prompt.project for prompt in prompts(bench)} == {"garden"}
    assert KEY not in " ".join(memory.content for memory in bench.every())
    for account in [file for report in reports for file in report.details["files"].values()]:
        assert account["found"] == sum(
            account[name] for name in ("remembered", "duplicate", "nothing", "faulty")
        )
    before = [memory.id for memory in bench.every()]
    for part in parts:
        assert run(bench, part).written == 0
    assert [memory.id for memory in bench.every()] == before


def test_a_history_that_grew_adds_what_is_new(bench: Workbench, home: Path) -> None:
    run(bench, home)
    file = home / "history.jsonl"
    file.write_text(file.read_text() + json.dumps(typed("water them", 9)) + "\nnot json\n")
    report = run(bench, home)
    assert report.written == 1 and len(report.faults) == 1 and report.faults[0].line == 8
    grown = home / "projects" / "-home-ann-code-garden" / f"{SESSION}.jsonl"
    grown.write_text(grown.read_text() + json.dumps(said("water them", 10)) + "\n")
    assert run(bench, home).written == 0
    assert [prompt.content for prompt in prompts(bench)].count("water them") == 3


def test_pasted_texts_stand_where_they_were_pasted(bench: Workbench, tmp_path: Path) -> None:
    (tmp_path / "paste-cache").mkdir()
    (tmp_path / "paste-cache" / "0123456789abcdef.txt").write_text("from the cache")
    pasted = {
        "1": {"id": 1, "type": "text", "content": "first\nsecond"},
        "2": {"id": 2, "type": "text", "contentHash": "0123456789abcdef"},
        "3": {"id": 3, "type": "text", "contentHash": "../../secret"},
        "4": {"id": 4, "type": "image", "mediaType": "image/png"},
    }
    text = "Fix [Pasted text #1 +1 lines] and [Pasted text #2] not [Pasted text #3]"
    run(bench, write(tmp_path / "history.jsonl", typed(text, 1, pastedContents=pasted), typed("  ", 2)))
    (only,) = bench.every()
    assert only.content == "Fix first\nsecond and from the cache not [Pasted text #3]"
    assert [attachment.media_type for attachment in only.attachments] == ["image/png"]
    assert (only.speaker, only.session_id, only.valid_at.isoformat()) == (
        "user",
        SESSION,
        "2026-01-01T00:00:01+00:00",
    )


def test_the_history_of_codex(bench: Workbench, tmp_path: Path) -> None:
    file = write(
        tmp_path / "history.jsonl", {"session_id": "s", "ts": 1_767_225_600, "text": "mend the gate"}
    )
    report = run(bench, file)
    assert (report.format, report.found, report.written) == ("prompt_history", 1, 1)
    assert bench.every()[0].valid_at.year == 2026


def test_what_a_compaction_repeats_is_not_brought_twice(bench: Workbench, tmp_path: Path) -> None:
    folder = tmp_path / "projects" / "-home-ann-code-garden"
    copied = said("plant the beans", 30) | {"isSidechain": True, "agentId": "acompact-1"}
    summary = {"type": "summary", "summary": "Beans.", "leafUuid": copied["uuid"], "sessionId": SESSION}
    write(folder / f"{SESSION}.jsonl", said("plant the beans", 1), said("[Request interrupted by user]", 2))
    write(folder / SESSION / "subagents" / "agent-acompact-1.jsonl", copied, said("a new one", 31), summary)
    report = run(bench, tmp_path)
    assert (report.found, report.written) == (4, 3)
    assert sorted(memory.content for memory in bench.every()) == ["Beans.", "a new one", "plant the beans"]
    assert run(bench, tmp_path).written == 0


@pytest.mark.parametrize("session", [SESSION, None])
@pytest.mark.parametrize("asked", ["what is the password for staging?", "sudo apt install nginx"])
def test_a_password_that_was_typed_after_a_question_is_redacted(
    bench: Workbench, tmp_path: Path, session: str | None, asked: str
) -> None:
    told = [typed(asked, 1, session), typed("Rosengarten77", 2, session), typed("Thursday", 3, session)]
    report = run(bench, write(tmp_path / "history.jsonl", *told))
    assert report.redacted == 1
    assert [each.content for each in prompts(bench)] == [asked, "[REDACTED:secret-keyword]", "Thursday"]
