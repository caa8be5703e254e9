"""The same words in two conversations are two memories, act in both, and wait in both; said again, they are one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

import engramforge
from engramforge.forge import Forge
from engramforge.model.memory import Memory

DONE = "T001 is done."
ROPE = "The rope is hemp."
CHOICE = "We decided to use Postgres instead of MySQL for the log of the ferries."


@dataclass(frozen=True)
class Talks:
    """A project of a test's own with three conversations, each with its own T001 and D001, made by hand."""

    em: Forge
    project: str
    a: str
    b: str
    c: str

    def say(self, text: str, conversation: str, **fields: Any) -> Memory:
        return self.em.remember(text, project=self.project, session_id=conversation, **fields)

    def state(self, text: str, conversation: str) -> Memory:
        """Say it as an assistant, whose word changes nothing that a person made."""
        return self.say(text, conversation, source="assistant_response")

    def threads(self) -> list[str]:
        return [self.em.threads.get("T001", conversation=each).status for each in (self.a, self.b, self.c)]

    def decisions(self) -> list[str]:
        return [self.em.decisions.get("D001", conversation=each).status for each in (self.a, self.b, self.c)]


@pytest.fixture
def talks(em: Forge) -> Talks:
    name = uuid4().hex
    made = Talks(em, name, *(f"{name}-{each}" for each in "abc"))
    for each in (made.a, made.b, made.c):
        em.threads.create(f"Tune {each[-1]}", project=name, conversation=each, local_id="T001")
        em.decisions.create(f"Use {each[-1]}", project=name, conversation=each, local_id="D001")
    return made


def test_words_act_in_the_conversation_they_are_said_in(talks: Talks) -> None:
    first, second = talks.say(DONE, talks.a), talks.say(DONE, talks.b)
    assert first.logical_id != second.logical_id
    assert talks.threads() == ["resolved", "resolved", "open"]
    outside = talks.em.remember(DONE, project=talks.project)
    assert outside.session_id is None and not outside.is_duplicate


def test_words_said_again_in_one_place_are_one_memory(talks: Talks) -> None:
    first = talks.say(DONE, talks.a)
    again = talks.say(DONE, talks.a)
    assert (again.logical_id, again.is_duplicate, again.consequences) == (first.logical_id, True, ())
    assert not first.is_duplicate and not talks.em.get(first.id).is_duplicate
    assert [talks.say("ok", talks.a, sequence=each).is_duplicate for each in (1, 2, 2)] == [
        False,
        False,
        True,
    ]
    batch = [
        {"content": "fine", "project": talks.project, "session_id": each}
        for each in (talks.a, talks.b, talks.a)
    ]
    made = talks.em.remember_many(batch)
    assert [each.is_duplicate for each in made] == [False, False, True]
    assert len({each.logical_id for each in made}) == 2


def test_what_a_note_did_is_told_with_it(talks: Talks) -> None:
    text = "D002: use hemp ropes. D001 is superseded by D002. T001 is done. TODO: order the hemp ropes"
    told = talks.say(text, talks.a)
    assert {(each.act, each.kind, each.local_id, each.status) for each in told.consequences} == {
        ("made", "decision", "D002", "active"),
        ("ended", "decision", "D001", "superseded"),
        ("ended", "thread", "T001", "resolved"),
        ("made", "thread", None, "open"),
    }
    by_name = {each.local_id: each for each in told.consequences}
    assert by_name["D001"].text == "Use a"
    assert by_name["D002"].id == talks.em.decisions.get("D002", conversation=talks.a).id
    reopened = talks.say("reopen T001, it broke again", talks.a)
    assert [(each.act, each.status) for each in reopened.consequences] == [("changed", "open")]
    assert talks.say("The harbour is quiet.", talks.a).consequences == ()
    assert talks.em.get(told.id).consequences == ()


@pytest.mark.each_engine
def test_the_same_words_wait_in_each_conversation(talks: Talks) -> None:
    said = [talks.state("D001 is superseded.", each) for each in (talks.a, talks.b)]
    assert [[each.act for each in memory.consequences] for memory in said] == [["waits"], ["waits"]]
    held = "What do you make of this?\n\n<document>\nD001 is superseded.\n</document>"
    assert [each.act for each in talks.say(held, talks.c).consequences] == ["waits"]
    waiting = {each.conversation_id: each for each in talks.em.review.pending(project=talks.project)}
    assert set(waiting) == {talks.a, talks.b, talks.c}
    assert [each.id for memory in said for each in memory.consequences] == [
        waiting[talks.a].id,
        waiting[talks.b].id,
    ]
    for conversation, each in waiting.items():
        assert conversation is not None and each.local_id == "D001" and each.entry is not None
        assert (each.entry.text, each.entry.status) == (f"Use {conversation[-1]}", "active")
    talks.em.review.accept(waiting[talks.b].id)
    talks.em.review.reject(waiting[talks.a].id, waiting[talks.c].id)
    assert talks.decisions() == ["active", "superseded", "active"]
    assert talks.state("D001 is superseded!", talks.a).consequences == ()
    assert talks.em.review.pending(project=talks.project) == []


def test_new_words_for_what_a_person_made_wait_in_each_conversation(talks: Talks) -> None:
    for each in (talks.a, talks.b):
        talks.state("D001: use hemp ropes", each)
    waiting = talks.em.review.pending(project=talks.project)
    assert sorted(each.entry.text for each in waiting if each.entry) == ["Use a", "Use b"]


def test_what_would_make_an_entry_waits_once_in_a_project(talks: Talks) -> None:
    for each in (talks.a, talks.b):
        talks.say(f"Sum it up:\n<document>\n{CHOICE}\n</document>", each)
    (waiting,) = talks.em.review.pending(project=talks.project)
    assert waiting.conversation_id == talks.a and waiting.entry is None


def test_a_name_that_came_by_an_archive_is_shown(talks: Talks) -> None:
    text = talks.em.archives.compress(talks.c, project=talks.project).text
    other = f"{talks.project}-d"
    talks.em.archives.continue_from(text, other, project=talks.project)
    talks.state("D001 is superseded.", other)
    (waiting,) = talks.em.review.pending(project=talks.project)
    assert waiting.entry is not None and waiting.entry.text == "Use c"


def test_an_import_of_notes_adds_nothing_twice(talks: Talks, tmp_path: Path) -> None:
    shared = {"content": ROPE, "project": talks.project}
    lines = [{**shared, "session_id": talks.a}, {**shared, "session_id": talks.b}, shared]
    file = tmp_path / "notes.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    assert talks.em.import_path(file).written == 3
    file.write_text("\n".join(map(json.dumps, [*lines, {**shared, "content": "One more."}])))
    assert talks.em.import_path(file).written == 1
    assert talks.say(ROPE, talks.b).is_duplicate


def test_notes_of_an_export_are_known_where_they_came_to(tmp_path: Path) -> None:
    line = {"content": ROPE, "project": "p", "session_id": "a"}
    lines = [line, {**line, "session_id": "b", "sequence": 3}]
    with engramforge.open(tmp_path / "one") as one:
        one.remember_many(lines)
        one.export(tmp_path / "export.jsonl")
    with engramforge.open(tmp_path / "two") as two:
        two.remember("something else")
        two.import_path(tmp_path / "export.jsonl")
        assert [each.is_duplicate for each in two.remember_many(lines)] == [True, True]
        assert not two.remember(ROPE, project="p", session_id="c").is_duplicate


def test_what_waits_already_does_not_wait_again_once_its_name_is_known(talks: Talks) -> None:
    held = "Sum it up:\n<document>\nD007: use hemp ropes for the ferry.\n</document>"
    talks.say(held, talks.a)
    talks.em.decisions.create("Use nylon", project=talks.project, conversation=talks.a, local_id="D007")
    talks.say(f"Once more. {held}", talks.a)
    (waiting,) = talks.em.review.pending(project=talks.project)
    assert waiting.entry is not None and waiting.entry.text == "Use nylon"
    talks.em.decisions.create("Use steel", project=talks.project, conversation=talks.b, local_id="D007")
    talks.say(held, talks.b)
    assert {each.entry and each.entry.text for each in talks.em.review.pending(project=talks.project)} == {
        "Use nylon",
        "Use steel",
    }


def test_a_named_entry_is_its_own_where_the_same_words_ended_or_are_called_otherwise(talks: Talks) -> None:
    talks.say("D004: use hemp ropes. T004: tar the pier", talks.a)
    talks.say("D004 is no longer valid. T004 is done.", talks.a)
    made = talks.say("D004: use hemp ropes. T004: tar the pier. D005: use steel", talks.b)
    assert [(each.act, each.local_id) for each in made.consequences] == [
        ("made", "D004"),
        ("made", "T004"),
        ("made", "D005"),
    ]
    assert [each.act for each in talks.say("D009: use steel", talks.c).consequences] == ["made"]
    talks.say("D009 is no longer valid", talks.c)
    decisions = talks.em.decisions
    assert decisions.get("D004", conversation=talks.a).status == "invalidated"
    assert decisions.get("D004", conversation=talks.b).status == "active"
    assert decisions.get("D005", conversation=talks.b).status == "active"
    assert decisions.get("D009", conversation=talks.c).status == "invalidated"
    assert talks.say("Again: D004: use hemp ropes", talks.b).consequences == ()


def test_one_name_for_the_same_words_is_one_entry_of_both_conversations(talks: Talks) -> None:
    talks.say("D004: use hemp ropes", talks.a)
    assert talks.say("D004: use hemp ropes", talks.b).consequences == ()
    one, other = (talks.em.decisions.get("D004", conversation=each) for each in (talks.a, talks.b))
    assert one.id == other.id


@pytest.mark.parametrize(
    ("said", "again"),
    [
        ("From now on the gate opens at 8080", "Please change the gate to open at 8080"),
        ("From now on, the backups are weekly.", "Change the backups to weekly"),
        ("from now on, my boat is juno", "please change my boat to juno"),
    ],
)
def test_a_change_to_what_holds_changes_nothing(em: Forge, said: str, again: str) -> None:
    project = uuid4().hex
    em.remember(said, project=project)
    before = [each.id for each in em.decisions.browse(project=project)]
    em.remember(again, project=project)
    assert before and [each.id for each in em.decisions.browse(project=project, status="active")] == before
