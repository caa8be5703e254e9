"""A lens per model's answers works on Claude Code: transcripts name the model of each, and hooks lead to them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engramforge.forge import Forge

NINE = "I think the lighthouse shop opens at nine."
TEN = "The lighthouse shop opens at ten, as far as I can tell."


def turn(number: int, said: str, model: str | None) -> dict[str, Any]:
    """A record of a transcript; without a model a person's."""
    who = "user" if model is None else "assistant"
    message: dict[str, Any] = {"role": who, "content": [{"type": "text", "text": said}]}
    return {
        "type": who,
        "uuid": f"00000000-0000-4000-8000-{number:012d}",
        "sessionId": "s1",
        "cwd": "/work/shop",
        "timestamp": f"2026-03-0{number}T10:00:00Z",
        "message": message if model is None else {**message, "model": model},
    }


def transcript(folder: Path, *records: dict[str, Any]) -> Path:
    place = folder / "s1.jsonl"
    place.write_text("".join(json.dumps(each) + "\n" for each in records))
    return place


def stop(folder: Path, said: str, place: Path | str) -> dict[str, Any]:
    return {
        "hook_event_name": "Stop",
        "session_id": "s1",
        "prompt_id": said[:8],
        "cwd": str(folder),
        "transcript_path": str(place),
        "last_assistant_message": said,
    }


def seen_by(forge: Forge, project: str, model: str) -> list[str]:
    lens = [{"name": model, "projects": [project], "model": model, "role": "evaluator"}]
    (look,) = forge.orchestrate("When does the lighthouse shop open?", lens).per_lens.values()
    return [hit.memory.content for hit in look.results]


def test_a_lens_looks_at_one_model_s_answers_of_an_import(forge: Forge, tmp_path: Path) -> None:
    asked = turn(1, "When does the lighthouse shop open?", None)
    place = transcript(tmp_path, asked, turn(2, NINE, "tern-large-2"), turn(3, TEN, "gull-small-1"))
    forge.import_path(place)
    assert seen_by(forge, "shop", "tern-large-2") == [NINE]
    assert seen_by(forge, "shop", "Gull-Small-1") == [TEN]
    assert seen_by(forge, "shop", "auk") == []


def test_what_the_program_says_itself_names_no_model(forge: Forge, tmp_path: Path) -> None:
    forge.import_path(transcript(tmp_path, turn(1, NINE, "<synthetic>")))
    assert all("model" not in hit.memory.metadata for hit in forge.recall("lighthouse shop").hits)


def test_an_answer_that_a_hook_told_has_the_model_that_its_transcript_names(
    forge: Forge, tmp_path: Path
) -> None:
    place = transcript(tmp_path, turn(1, NINE, "tern-large-2"), turn(2, TEN, "gull-small-1"))
    forge.hooks.take([stop(tmp_path, NINE, place), stop(tmp_path, TEN, place)])
    assert seen_by(forge, tmp_path.name, "tern-large-2") == [NINE]
    assert seen_by(forge, tmp_path.name, "gull-small-1") == [TEN]


@pytest.mark.parametrize(
    ("models", "wanted"), [(["tern-large-2"] * 2, "tern-large-2"), (["tern-large-2", "gull-small-1"], None)]
)
def test_an_answer_not_written_down_yet_is_the_only_model_s(
    forge: Forge, tmp_path: Path, models: list[str], wanted: str | None
) -> None:
    place = transcript(tmp_path, *(turn(n, f"Hm, {n}.", model) for n, model in enumerate(models, 1)))
    forge.hooks.take([stop(tmp_path, TEN, place)])
    (hit,) = forge.recall("When does the lighthouse shop open?").hits
    assert hit.memory.metadata.get("model") == wanted


@pytest.mark.parametrize("place", ["", "/nowhere/at-all.jsonl", "/dev/zero", "/"])
def test_without_a_transcript_the_answer_is_kept_all_the_same(
    forge: Forge, tmp_path: Path, place: str
) -> None:
    forge.hooks.take([stop(tmp_path, TEN, place)])
    (hit,) = forge.recall("When does the lighthouse shop open?").hits
    assert hit.memory.content == TEN and "model" not in hit.memory.metadata


def test_the_end_of_a_long_transcript_is_enough(forge: Forge, tmp_path: Path) -> None:
    long = [turn(1, "word " * 40_000, "gull-small-1") for _ in range(3)]
    place = transcript(tmp_path, *long, turn(2, TEN, "tern-large-2"))
    with place.open("a") as file:
        file.write('{"half a rec')
    forge.hooks.take([stop(tmp_path, TEN, place)])
    assert seen_by(forge, tmp_path.name, "tern-large-2") == [TEN]
