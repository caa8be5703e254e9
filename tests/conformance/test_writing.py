"""Transactions: all or nothing, durable, origins, positions, projects."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.conformance.conftest import NOW, START, Opener, at, days, entry

from engramforge.errors import NotFound, OutOfScope
from engramforge.model.memory import Attachment, Chunk, Kind, ResolutionState
from engramforge.model.scope import Level, Scope
from engramforge.model.search.selection import Selection
from engramforge.model.storing.record import Extent, content_digest
from engramforge.model.time import InvalidationReason, TemporalMode
from engramforge.store.door import Door

pytestmark = pytest.mark.asks_no_candidates


def test_a_memory_comes_back_as_it_was_written(door: Door, scope: Scope) -> None:
    memory = entry(
        "Every field survives.",
        kind=Kind.CHUNK,
        name="Heading",
        session_id="s1",
        sequence=7,
        speaker="Ada",
        level=Level.COLLECTIVE,
        agent="other",
        tags=("alpha", "beta"),
        chunk=Chunk("docs/a.md", 1, 3, 150),
        attachments=(Attachment("a.png", "image/png", 12, "here", "a caption"),),
        metadata={"nested": {"list": [1, 2.5, None, True, "é"]}},
        invalid_at=days(5),
        expired_at=days(6),
        invalidation_reason=InvalidationReason.DISCOVERED_FALSE,
        discovery_energy=0.9,
        energy=0.1,
        confidence=0.2,
        epistemic_tier=0.3,
        emotion_vector={"joy": 0.7},
        felt_quality="warm",
        body_sensation="light",
        goal="ship",
        mindstate="calm",
        resolution_state=ResolutionState.BLOCKED,
        access_count=3,
        last_accessed_at=days(1),
        exposure_count=4,
    ).memory
    with door.transaction(scope) as writes:
        writes.insert([entry(memory.content)])
        from engramforge.model.storing.record import Entry

        writes.insert([Entry(memory, entry(memory.content).embedding)])
    assert door.asking(scope).fetch([memory.id])[memory.id] == memory


def test_a_failing_block_changes_nothing(door: Door, scope: Scope) -> None:
    with pytest.raises(ZeroDivisionError), door.transaction(scope) as writes:
        writes.insert([entry("Never seen.", origin=b"k" * 16)])
        writes.audit("remember", "x", "", START)
        writes.save_mark("m", {"a": 1})
        raise ZeroDivisionError
    assert door.tending(scope).count().versions == 0
    assert door.asking(scope).audit_log(10) == []
    assert door.asking(scope).mark("m") is None
    assert door.asking(scope).projects() == []


def test_another_connection_sees_a_commit_at_once(opener: Opener, scope: Scope) -> None:
    first, second = opener(), opener()
    row = entry("Shared between processes.")
    with first.transaction(scope) as writes:
        writes.insert([row])
    assert second.asking(scope).fetch([row.memory.id])
    assert second.asking(scope).browse(at(NOW), 10)[0].id == row.memory.id


def test_origins_are_known_per_project_and_outlive_a_forget(door: Door, scope: Scope) -> None:
    key = b"0123456789abcdef"
    row = entry("From a source.", origin=key)
    with door.transaction(scope) as writes:
        assert writes.known_origins("atlas", [key]) == {}
        writes.insert([row])
        assert writes.known_origins("atlas", [key]) == {key: row.memory.logical_id}
        assert writes.known_origins("other", [key]) == {}
    with door.transaction(scope) as writes:
        writes.forget(Extent([row.memory.logical_id]), NOW)
        assert writes.known_origins("atlas", [key]) == {key: None}
    with door.transaction(scope) as writes:
        again = entry("From a source.", origin=key)
        writes.insert([again])
        assert writes.known_origins("atlas", [key]) == {key: again.memory.logical_id}


def test_a_memory_has_further_origins_which_hold_in_all_projects(door: Door, scope: Scope) -> None:
    own, other, later = (bytes([number]) * 16 for number in (1, 2, 3))
    row = replace(entry("By two ways.", origin=own), more_origin_keys=(other,))
    logical_id = row.memory.logical_id
    with door.transaction(scope) as writes:
        writes.insert([row])
        writes.add_origins("atlas", logical_id, [later, own])
        # A key that is there stays as it is; another memory does not take over a further one.
        writes.add_origins("atlas", None, [other])
        writes.insert([replace(entry("Another."), more_origin_keys=(other,))])
        everything = {own: logical_id, other: logical_id, later: logical_id}
        assert writes.known_origins(None, [own, other, later, b"?" * 16]) == everything
        assert writes.known_origins("other", [own, other]) == {}
    with door.transaction(replace(scope, projects=("other",))) as writes:
        assert writes.known_origins(None, [other]) == {}
    with door.transaction(scope) as writes:
        writes.forget(Extent([logical_id]), NOW)
        assert writes.known_origins(None, [own, other, later]) == dict.fromkeys([own, other, later])


def test_expire_closes_one_open_version_only_once(door: Door, scope: Scope) -> None:
    row = entry("Will be corrected.")
    with door.transaction(scope) as writes:
        writes.insert([row])
        writes.expire(row.memory.id, days(1), InvalidationReason.DISCOVERED_FALSE)
    closed = door.asking(scope).fetch([row.memory.id])[row.memory.id]
    assert closed.expired_at == days(1)
    assert closed.invalidation_reason is InvalidationReason.DISCOVERED_FALSE
    with pytest.raises(NotFound), door.transaction(scope) as writes:
        writes.expire(row.memory.id, days(2), InvalidationReason.DISCOVERED_FALSE)
    assert door.asking(scope).fetch([row.memory.id])[row.memory.id].expired_at == days(1)


def test_projects_exist_from_creation_or_first_memory(door: Door, scope: Scope) -> None:
    with door.transaction(scope) as writes:
        writes.create_project("empty", START)
        writes.insert([entry("One.", project="full"), entry("Two.", project="full")])
    with door.transaction(scope) as writes:
        writes.create_project("full", days(3))
    found = door.asking(scope).projects()
    assert [(record.name, record.memories) for record in found] == [("empty", 0), ("full", 2)]
    assert found[1].created_at == START
    assert [project.name for project in door.asking(scope.within("full")).projects()] == ["full"]
    assert door.asking(scope).project_names() == ["empty", "full"]
    assert door.asking(scope.within("full", "missing")).project_names() == ["full"]


def test_marks_and_audit_lines_are_kept(door: Door, scope: Scope) -> None:
    with door.transaction(scope) as writes:
        writes.save_mark("m", {"a": [1]})
        writes.save_mark("m", {"a": [2]})
        writes.audit("forget", "id-1", "asked", START)
        writes.audit("forget", "id-2", "", days(1))
    assert door.asking(scope).mark("m") == {"a": [2]}
    assert [(line.subject, line.reason, line.agent) for line in door.asking(scope).audit_log(5)] == [
        ("id-2", "", "default"),
        ("id-1", "asked", "default"),
    ]
    assert len(door.asking(scope).audit_log(1)) == 1
    with door.transaction(scope) as writes:
        writes.save_mark("m", None)
    assert door.asking(scope).mark("m") is None


def test_files_are_found_by_prefix(door: Door, scope: Scope) -> None:
    chunks = [
        entry(f"Part {index} of {path}.", kind=Kind.CHUNK, chunk=Chunk(path, index, 2, index * 150))
        for path in ("docs/a.md", "docs/b_1.md", "docsX.md")
        for index in (1, 0)
    ]
    with door.transaction(scope) as writes:
        writes.insert(chunks)
    found = door.asking(scope).known_files("atlas", "docs/")
    assert list(found) == ["docs/a.md", "docs/b_1.md"]
    whole = door.asking(scope).fetch([known.id for known in found["docs/a.md"]])
    parts = [whole[known.id] for known in found["docs/a.md"]]
    assert [part.chunk.chunk_index for part in parts if part.chunk] == [0, 1]
    assert [known.digest for known in found["docs/a.md"]] == [content_digest(part.content) for part in parts]
    assert door.asking(scope).known_files("atlas", "docs/b%") == {}
    assert door.asking(scope).known_files("other", "docs/") == {}


def test_counts_are_of_what_is_current(door: Door, scope: Scope) -> None:
    old = entry("Old text.", session_id="s")
    with door.transaction(scope) as writes:
        writes.insert([old, entry("Ünïcode.", project="two", kind=Kind.PROMPT)])
        writes.expire(old.memory.id, days(1), InvalidationReason.REALITY_CHANGED)
    counts = door.tending(scope).count()
    assert (counts.memories, counts.versions, counts.projects, counts.sessions) == (1, 2, 2, 1)
    assert counts.by_kind == {"prompt": 1}
    assert counts.by_project == {"two": 1}
    assert counts.content_bytes == len("Ünïcode.".encode())
    assert counts.bytes_on_disk > 0


def test_another_tenant_is_refused(door: Door) -> None:
    stranger = Scope(tenant="other")
    with pytest.raises(OutOfScope):
        door.asking(stranger).browse(at(NOW), 1)
    with pytest.raises(OutOfScope), door.transaction(stranger):
        pass


def test_unknown_ids_are_absent(door: Door, scope: Scope) -> None:
    assert door.asking(scope).fetch(["nonsense", "", "00000000-0000-0000-0000-000000000000"]) == {}
    assert door.asking(scope).versions("nonsense") == []
    assert door.asking(scope).links(["nonsense"]) == []


def test_many_more_ids_than_one_statement_takes(door: Door, scope: Scope) -> None:
    many = [entry(f"Number {index}.") for index in range(1203)]
    with door.transaction(scope) as writes:
        writes.insert(many)
    ids = [row.memory.id for row in many]
    assert set(door.asking(scope).fetch(ids)) == set(ids)
    everything = Selection(mode=TemporalMode.FULL_HISTORY)
    assert len(door.asking(scope).browse(everything, 2000)) == 1203
    assert door.check() == []
