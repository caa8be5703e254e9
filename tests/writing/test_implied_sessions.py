"""Turns without a session form implied ones; notes do not, and nothing takes an implied session for a told one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import engramforge
from engramforge.errors import InvalidValue, NotFound
from engramforge.forge import Forge

TALK = (
    "Hi Nora, how did your move to the harbour flat go?",
    "Thanks for asking! I carried most of it with my brother, and you would love the balcony.",
    "I bet! Did you take the old piano with you?",
    "No, we gave it to the music school in Lindau last week.",
    "That is kind of you. Who plays it there?",
    "My former teacher does, and she wrote me a letter about it.",
)
NOTES = (
    "The gateway listens on port 8080.",
    "Certificates are renewed by a timer every Sunday.",
    "The warehouse in Gdansk closes at six.",
    "Invoices are sent as PDF, never as plain text.",
    "Backups of the ledger are kept for ninety days.",
    "The staging cluster has three nodes.",
)


def implied(forge: Forge, texts: tuple[str, ...]) -> list[str | None]:
    return [forge.remember(text, project="p").implied_session for text in texts]


def in_bulk(forge: Forge, texts: tuple[str, ...]) -> list[str | None]:
    drafts = [{"content": text, "project": "p"} for text in texts]
    return [memory.implied_session for memory in forge.remember_many(drafts)]


@pytest.mark.parametrize("write", [implied, in_bulk])
def test_turns_of_a_talk_are_of_one_session(forge: Forge, write: type) -> None:
    sessions = write(forge, TALK)
    assert None not in sessions
    assert len(set(sessions)) == 1


@pytest.mark.parametrize("write", [implied, in_bulk])
def test_notes_are_of_none(forge: Forge, write: type) -> None:
    assert set(write(forge, NOTES)) == {None}


def test_turns_by_their_kind_are_of_a_session(forge: Forge) -> None:
    first = forge.remember(NOTES[0], kind="message", project="p")
    assert forge.remember(NOTES[1], kind="message", project="p").implied_session == first.implied_session
    assert forge.remember(NOTES[1], kind="message", project="q").implied_session != first.implied_session


def test_a_long_silence_begins_another(forge: Forge) -> None:
    at = datetime(2026, 3, 1, 12, tzinfo=UTC)
    moments = (at, at + timedelta(minutes=29), at + timedelta(minutes=60))
    one, two, three = (
        forge.remember(text, kind="message", recorded_at=when).implied_session
        for text, when in zip(TALK, moments, strict=False)
    )
    assert one == two != three


def test_another_process_continues_what_the_store_has(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as before:
        session = implied(before, TALK[:4])[-1]
    with engramforge.open(tmp_path) as after:
        assert implied(after, TALK[4:]) == [session, session]


def test_a_setting_turns_it_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGRAMFORGE_IMPLIED_SESSION_MINUTES", "0")
    with engramforge.open(tmp_path) as forge:
        assert set(implied(forge, TALK)) == {None}


def test_callers_cannot_tell_one(forge: Forge) -> None:
    with pytest.raises(InvalidValue, match="implied_session"):
        forge.remember("A text.", implied_session="mine")


def test_it_is_no_told_session(forge: Forge) -> None:
    session = implied(forge, TALK)[-1]
    assert session is not None
    stored = forge.memories(project="p")
    assert {memory.session_id for memory in stored} == {memory.sequence for memory in stored} == {None}
    assert forge.memories(session_id=session) == []
    assert forge.stats().sessions == 0
    assert forge.conversations() == []
    with pytest.raises(NotFound):
        forge.forget(conversation=session, confirmed=True)


def test_a_new_version_stays_in_it_until_one_is_told(forge: Forge) -> None:
    session = implied(forge, TALK)[-1]
    memory = forge.memories(project="p")[0]
    revised = forge.revise(memory.id, "My sister plays it, and wrote me a letter.")
    assert revised.implied_session == forge.get(revised.id).implied_session == session
    told = forge.revise(revised.id, session_id="move")
    assert (told.session_id, told.implied_session) == ("move", None)


def test_an_undo_and_redo_keep_it(forge: Forge) -> None:
    session = implied(forge, TALK)[-1]
    forge.undo()
    forge.redo()
    assert {memory.implied_session for memory in forge.memories(project="p")} == {session}


def test_an_export_brings_it_back(forge: Forge, tmp_path: Path) -> None:
    session = implied(forge, TALK)[-1]
    forge.export(tmp_path / "all.jsonl")
    with engramforge.open(tmp_path / "other") as other:
        other.import_path(tmp_path / "all.jsonl")
        assert {memory.implied_session for memory in other.memories(project="p")} == {session}


def test_it_is_ranked_as_if_it_were_told(tmp_path: Path) -> None:
    found = []
    for name, fields in (("implied", {}), ("told", {"session_id": "move"})):
        with engramforge.open(tmp_path / name) as forge:
            for text in TALK:
                forge.remember(text, project="p", **fields)
            hits = forge.recall("What happened to the old piano?", project="p").hits
            found.append([(hit.memory.content, hit.parts.similarity) for hit in hits])
    assert found[0] == found[1]


def test_one_alone_is_ranked_like_a_note(tmp_path: Path) -> None:
    found = []
    for kind in ("note", "message"):
        with engramforge.open(tmp_path / kind) as forge:
            forge.remember(NOTES[0], project="p", kind=kind)
            found.append(forge.recall("gateway port", project="p").hits[0].parts.similarity)
    assert found[0] == found[1]
