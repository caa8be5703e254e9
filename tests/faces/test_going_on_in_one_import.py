"""A transcript whose archive and whose later messages arrive together: what is said reaches the inherited entries."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import engramforge
from engramforge.forge import Forge

FIRST, SECOND = (f"{number}1111111-2222-4333-8444-555555555555" for number in (1, 2))
MADE = ("D001: We decided to use slate.", "D002: We decided to paint the door.", "T001: OPEN: find a mason.")
CHANGED = ("T001 is resolved: Ann came.", "D001 is superseded by thatch. D002 is superseded.")


def transcript(folder: Path, session: str, *said: str, above: dict[str, Any] | None = None) -> Path:
    """A transcript of Claude Code in which a person says this and is answered each time."""
    records = [above] if above else []
    for number, text in enumerate(said):
        for kind, content in (("user", text), ("assistant", [{"type": "text", "text": "Understood."}])):
            records.append(
                {
                    "type": kind,
                    "uuid": f"{session[:8]}-0000-4000-8000-{2 * number + (kind == 'assistant'):012d}",
                    "sessionId": session,
                    "timestamp": f"2026-02-0{session[0]}T10:{2 * number + (kind == 'assistant'):02d}:00Z",
                    "cwd": "/home/ann/roof",
                    "message": {"role": kind, "content": content},
                }
            )
    folder.mkdir(exist_ok=True)
    path = folder / f"{session}.jsonl"
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def archive_of(forge: Forge, folder: Path) -> str:
    """The archive of a first conversation, which is imported."""
    forge.import_path(transcript(folder, FIRST, *MADE))
    return forge.archives.compress(FIRST).text


def check_changed(forge: Forge) -> None:
    """All three entries ended, and no others but the successor were made."""
    (thread,) = forge.threads.browse(status=None)
    assert (thread.local_id, thread.status, thread.resolution) == ("T001", "resolved", "Ann came.")
    decisions = {each.local_id: each for each in forge.decisions.browse()}
    assert {name: str(each.status) for name, each in decisions.items()} == {
        "D001": "superseded",
        "D002": "superseded",
        None: "active",
    }
    assert decisions["D001"].superseded_by == decisions[None].id


@pytest.mark.parametrize("how", ["apart", "below", "summary"])
def test_what_is_said_after_the_archive_reaches_its_entries(tmp_path: Path, how: str) -> None:
    with engramforge.open(tmp_path / "home") as forge:
        archive = archive_of(forge, tmp_path / "one")
        said = (f"{archive}\n\n{CHANGED[0]}", CHANGED[1]) if how == "below" else (archive, *CHANGED)
        summary = {"type": "summary", "summary": "We planned the roof.", "leafUuid": "x", "sessionId": SECOND}
        above = summary if how == "summary" else None
        forge.import_path(transcript(tmp_path / "two", SECOND, *said, above=above))
        check_changed(forge)
        again = forge.archives.continue_from(archive, "third")
        assert not again.threads and [each.decision for each in again.decisions] == ["thatch"]
        told = {(each.local_id, each.name): each.registry for each in again.differences}
        assert told["T001", "resolution"] == "Ann came."
        assert told["D001", "status"] == told["D002", "status"] == "superseded"


def test_both_conversations_in_one_import_into_another_store(tmp_path: Path) -> None:
    with engramforge.open(tmp_path / "home") as forge:
        archive = archive_of(forge, tmp_path / "both")
    transcript(tmp_path / "both", SECOND, archive, *CHANGED)
    with engramforge.open(tmp_path / "other") as forge:
        forge.import_path(tmp_path / "both")
        check_changed(forge)


def test_a_thread_made_by_hand_takes_the_resolution_and_loses_it_with_its_message(tmp_path: Path) -> None:
    with engramforge.open(tmp_path / "home") as forge:
        thread = forge.threads.create("find a mason", project="roof", conversation="first", local_id="T001")
        place = {"kind": "prompt", "project": "roof", "session_id": "first"}
        said = forge.remember("T001 is resolved: Ann came.", **place)
        assert forge.threads.get(thread.id).resolution == "Ann came."
        forge.forget(said.id)
        kept = forge.threads.get(thread.id)
        assert (kept.status, kept.resolution, kept.title) == ("open", None, "find a mason")
