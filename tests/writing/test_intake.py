"""Drafts go in once, checked, redacted and completed; all of a batch or nothing."""

import subprocess
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.capture.conftest import Workbench

from engramforge.errors import InvalidContent, InvalidTime, InvalidValue, OutOfScope
from engramforge.model.memory import Draft, Kind, Memory
from engramforge.model.scope import Level, Scope
from engramforge.model.storing.record import Extent


def remember(bench: Workbench, *drafts: Draft, scope: Scope | None = None) -> tuple[Memory, ...]:
    return bench.intake.write(scope or bench.scope, drafts, revive_forgotten=True).memories


def forget(bench: Workbench, memory: Memory) -> None:
    with bench.door.transaction(bench.scope) as writes:
        writes.forget(Extent([memory.logical_id]), bench.clock())


def test_a_memory_has_ids_times_and_emotions(bench: Workbench) -> None:
    memory = remember(bench, Draft(content="I am so happy and grateful that it works!", metadata={"a": 1}))[0]
    assert bench.door.asking(bench.scope).fetch([memory.id])[memory.id] == memory
    assert memory.id != memory.logical_id and memory.version == 1
    assert memory.created_at == memory.valid_at <= bench.now
    assert memory.emotion_vector
    assert memory.agent == "default"


def test_given_emotions_stay(bench: Workbench) -> None:
    assert remember(bench, Draft(content="so happy", emotion_vector={}))[0].emotion_vector == {}


def test_ids_are_ordered_by_time(bench: Workbench) -> None:
    ids = [memory.id for memory in remember(bench, *(Draft(content=f"note {n}") for n in range(50)))]
    assert ids == sorted(ids) and len(set(ids)) == 50


def test_equal_notes_are_one_memory_per_project(bench: Workbench) -> None:
    first = remember(bench, Draft(content="the same note"), Draft(content="the same note"))
    again = bench.intake.write(bench.scope, [Draft(content="the same note")], revive_forgotten=True)
    other = remember(bench, Draft(content="the same note", project="other"))
    assert first[0] == first[1] == again.memories[0]
    assert (again.written, again.duplicates) == (0, 1)
    assert other[0].id != first[0].id
    assert bench.door.tending(bench.scope).count().memories == 2


@pytest.mark.parametrize("kind", [Kind.MESSAGE, Kind.PROMPT, Kind.RESPONSE, Kind.TOOL_USE])
def test_two_turns_may_say_the_same(bench: Workbench, kind: Kind) -> None:
    remember(bench, Draft(content="ok", kind=kind), Draft(content="ok", kind=kind))
    remember(bench, Draft(content="ok", kind=kind))
    assert bench.door.tending(bench.scope).count().memories == 3


def test_one_origin_is_one_memory_whatever_it_says(bench: Workbench) -> None:
    first = remember(bench, Draft(content="said", kind=Kind.MESSAGE, origin="m1"))[0]
    again = bench.intake.write(bench.scope, [Draft(content="else", origin="m1")], revive_forgotten=True)
    assert again.memories == (first,) and again.duplicates == 1
    assert remember(bench, Draft(content="said", origin="m1", project="other"))[0].id != first.id


def test_conversation_position_and_text_recognise_a_turn(bench: Workbench) -> None:
    turn = Draft(content="ok", kind=Kind.MESSAGE, session_id="s", sequence=4)
    remember(
        bench, turn, replace(turn, sequence=5), replace(turn, content="no"), replace(turn, session_id="t")
    )
    assert bench.intake.write(bench.scope, [turn], revive_forgotten=True).duplicates == 1
    assert bench.door.tending(bench.scope).count().memories == 4


def test_agents_do_not_share_personal_duplicates(bench: Workbench) -> None:
    mine = remember(bench, Draft(content="a note"))[0]
    theirs = remember(bench, Draft(content="a note"), scope=Scope(agent="other"))[0]
    assert theirs.id != mine.id
    shared = remember(bench, Draft(content="a note", level=Level.COLLECTIVE))[0]
    assert (
        remember(bench, Draft(content="a note", level=Level.COLLECTIVE), scope=Scope(agent="other"))[0]
        == shared
    )


def test_a_note_that_changed_since_is_no_duplicate(bench: Workbench) -> None:
    old = remember(bench, Draft(content="it is blue"))[0]
    bench.revision.supersede(bench.scope, old.logical_id, "it is green")
    again = remember(bench, Draft(content="it is blue"))[0]
    assert again.content == "it is blue" and again.logical_id != old.logical_id


def test_imports_skip_what_was_forgotten_and_people_bring_it_back(bench: Workbench) -> None:
    draft = Draft(content="a line", kind=Kind.MESSAGE, origin="m1")
    forget(bench, remember(bench, draft)[0])
    skipped = bench.intake.write(bench.scope, [draft], revive_forgotten=False)
    assert (skipped.written, skipped.skipped, skipped.memories) == (0, 1, ())
    back = bench.intake.write(bench.scope, [draft], revive_forgotten=True)
    assert back.written == 1
    assert bench.intake.write(bench.scope, [draft], revive_forgotten=False).duplicates == 1


def test_an_import_of_known_drafts_writes_nothing(bench: Workbench) -> None:
    drafts = [Draft(content=f"turn {n}", kind=Kind.MESSAGE, origin=f"o{n}") for n in range(20)]
    assert bench.intake.write(bench.scope, drafts, revive_forgotten=False).written == 20
    again = bench.intake.write(bench.scope, [*drafts, Draft(content="new")], revive_forgotten=False)
    assert (again.written, again.duplicates) == (1, 20)
    assert [memory.content for memory in again.memories] == ["new"]


def test_secrets_never_reach_the_store(bench: Workbench) -> None:
    token = "ghp_" + "a1B2" * 9
    intaken = bench.intake.write(
        bench.scope, [Draft(content=f"it is {token}", name=token)], revive_forgotten=True
    )
    assert intaken.redacted == 2
    assert intaken.memories[0].content == "it is [REDACTED:github-token]"
    files = [file.read_bytes() for file in Path(bench.door.identity.location).parent.iterdir()]
    assert files and not any(token.encode() in content for content in files)


@pytest.mark.parametrize(
    "content",
    ["<private>all of it</private>", "<engramforge-context>recalled</engramforge-context>", "<private>open"],
)
def test_nothing_left_is_an_error_for_people_and_skipped_for_imports(bench: Workbench, content: str) -> None:
    with pytest.raises(InvalidContent, match="left to store"):
        remember(bench, Draft(content="fine"), Draft(content=content))
    imported = bench.intake.write(
        bench.scope, [Draft(content=content), Draft(content="x")], revive_forgotten=False
    )
    assert (imported.written, imported.skipped) == (1, 1)


def test_a_bad_draft_changes_nothing_of_its_batch(bench: Workbench) -> None:
    for bad in (Draft(content=" "), Draft(content="x", energy=2)):
        with pytest.raises((InvalidContent, InvalidValue)):
            remember(bench, Draft(content="good"), bad)
    with pytest.raises(InvalidTime):
        remember(
            bench, Draft(content="good"), Draft(content="x", recorded_at=datetime(2030, 1, 1, tzinfo=UTC))
        )
    assert bench.door.tending(bench.scope).count().memories == 0


def test_marks_and_batch_are_one_transaction(bench: Workbench) -> None:
    def failing(outcomes):  # type: ignore[no-untyped-def]
        raise RuntimeError("power cut")

    with pytest.raises(RuntimeError):
        bench.intake.write(bench.scope, [Draft(content="x")], revive_forgotten=True, marks=failing)
    assert bench.door.tending(bench.scope).count().memories == 0
    bench.intake.write(
        bench.scope,
        [Draft(content="x")],
        revive_forgotten=True,
        marks=lambda outcomes: {"k": {"n": len(outcomes)}},
    )
    assert bench.door.asking(bench.scope).mark("k") == {"n": 1}


def test_a_batch_has_a_limit(bench: Workbench) -> None:
    with pytest.raises(InvalidValue, match="1,001"):
        remember(bench, *[Draft(content="x")] * 1_001)


def test_only_ones_own_memories_may_be_written(bench: Workbench) -> None:
    with pytest.raises(OutOfScope, match="other"):
        remember(bench, Draft(content="x", agent="other"))
    with pytest.raises(OutOfScope, match="project"):
        remember(bench, Draft(content="x", project="b"), scope=Scope(projects=("a",)))
    with pytest.raises(OutOfScope):
        remember(bench, Draft(content="x", level=Level.COLLECTIVE), scope=Scope(levels=(Level.PERSONAL,)))


def test_imported_history_keeps_its_time(bench: Workbench) -> None:
    past = datetime(2020, 1, 1, tzinfo=UTC)
    memory = remember(bench, Draft(content="old", valid_at=past, recorded_at=past + timedelta(days=1)))[0]
    assert memory.valid_at == past and memory.created_at == past + timedelta(days=1)


@pytest.mark.timed
def test_preparing_is_quick(bench: Workbench) -> None:
    drafts = [Draft(content=f"We spoke of topic {n} at some length.", origin=f"o{n}") for n in range(3_000)]
    began = time.process_time()
    for draft in drafts:
        bench.changes.preparation.prepare(bench.scope, draft, bench.now)
    assert len(drafts) / (time.process_time() - began) >= 2_000


def remember_as_before(bench: Workbench, draft: Draft) -> Memory:
    """Write a note as earlier versions did, which knew one of a conversation by its content alone, too."""
    prepared = bench.changes.preparation.prepare(bench.scope, draft, bench.clock())
    assert prepared is not None and prepared.former_key is not None
    entries = bench.changes.preparation.entries(bench.scope, [replace(prepared, key=prepared.former_key)])
    with bench.door.transaction(bench.scope) as writes:
        writes.insert(entries)
    return entries[0].memory


def test_a_note_of_an_earlier_version_is_known_in_its_own_conversation(bench: Workbench) -> None:
    note = Draft(content="The rope is hemp.", session_id="c1")
    old = remember_as_before(bench, note)
    assert remember(bench, note)[0].logical_id == old.logical_id
    assert bench.intake.write(bench.scope, [note, note], revive_forgotten=False).duplicates == 2
    there = remember(bench, replace(note, session_id="c2"), replace(note, sequence=4))
    assert len({old.logical_id, *(memory.logical_id for memory in there)}) == 3
    assert bench.intake.write(bench.scope, [note], revive_forgotten=False).duplicates == 1
    bench.revision.supersede(bench.scope, old.logical_id, "The rope is nylon.")
    assert remember(bench, note)[0].logical_id != old.logical_id


def test_a_forgotten_note_of_an_earlier_version_comes_back_by_no_import(bench: Workbench) -> None:
    note = Draft(content="The rope is hemp.", session_id="c1")
    forget(bench, remember_as_before(bench, note))
    skipped = bench.intake.write(bench.scope, [note], revive_forgotten=False)
    assert (skipped.written, skipped.skipped) == (0, 1)
    assert not remember(bench, note)[0].is_duplicate
    assert bench.intake.write(bench.scope, [note], revive_forgotten=False).duplicates == 1


def test_a_first_batch_with_a_decision_loads_nothing_of_archives(tmp_path: Path) -> None:
    code = (
        "import sys, engramforge\n"
        "with engramforge.open(sys.argv[1]) as forge:\n"
        "    said = 'We decided to keep the ferry.'\n"
        "    found = forge.remember_many([{'content': said, 'kind': 'prompt', 'session_id': 's'}])\n"
        "print(len(found[0].consequences))\n"
        "print([each for each in ('numpy.ma', 'engramforge.core.archive_format.reader') if each in sys.modules])"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert shown.stdout.splitlines() == ["1", "[]"]
