"""Nothing is overwritten: revise, supersede and invalidate leave what held before."""

from cProfile import Profile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.capture.conftest import Workbench

import engramforge
from engramforge.errors import Conflict, InvalidContent, InvalidTime, InvalidValue, NotFound
from engramforge.forge import Forge
from engramforge.model.link import Relation
from engramforge.model.memory import Draft, Kind, Memory
from engramforge.model.search.selection import Selection
from engramforge.model.storing.record import Extent
from engramforge.model.time import AsOf, InvalidationReason, TemporalMode
from engramforge.writing.changes import VersionChanges
from engramforge.writing.revision import Revision

LONG_AGO = datetime(2025, 1, 1, tzinfo=UTC)
MIDWAY = datetime(2025, 6, 1, tzinfo=UTC)


@pytest.fixture
def old(bench: Workbench) -> Memory:
    draft = Draft(
        content="the port is 80",
        kind=Kind.DECISION,
        tags=("net",),
        energy=0.9,
        goal="serve",
        valid_at=LONG_AGO,
        recorded_at=LONG_AGO,
        emotion_vector={"joy": 0.4},
    )
    return bench.intake.write(bench.scope, [draft], revive_forgotten=True).memories[0]


def told(bench: Workbench, valid: datetime | None = None, recorded: datetime | None = None) -> list[str]:
    selection = Selection(
        mode=TemporalMode.POINT_IN_TIME, as_of=AsOf(valid or bench.now, recorded or bench.now)
    )
    return [memory.content for memory in bench.door.asking(bench.scope).browse(selection, 10)]


def test_revise_replaces_the_record_and_keeps_the_time_it_is_about(bench: Workbench, old: Memory) -> None:
    before = bench.now
    new = bench.revision.revise(bench.scope, old.logical_id, "the port is 8080", {"energy": 0.2})
    assert (new.version, new.logical_id, new.valid_at) == (2, old.logical_id, LONG_AGO)
    assert (new.energy, new.tags, new.kind, new.goal) == (0.2, ("net",), Kind.DECISION, "serve")
    assert new.emotion_vector == {"joy": 0.4}, "given, not read"
    first, second = bench.door.asking(bench.scope).versions(old.logical_id)
    assert first.expired_at == second.created_at == new.created_at > before
    assert first.invalidation_reason is InvalidationReason.DISCOVERED_FALSE
    assert first.correction_id == new.id and second == new
    assert told(bench) == ["the port is 8080"]
    assert told(bench, recorded=before) == ["the port is 80"]
    assert told(bench, valid=MIDWAY) == ["the port is 8080"]


def test_revise_writes_a_link_that_inherits(bench: Workbench, old: Memory) -> None:
    bench.revision.revise(bench.scope, old.logical_id, "no, 81")
    (link,) = bench.door.asking(bench.scope).links([old.logical_id])
    assert link.relation == Relation.REVISES
    assert (link.energy, link.goal, link.mindstate, link.emotion_vector) == (
        0.9,
        "serve",
        "captured",
        {"joy": 0.4},
    )
    assert link.extra == {"source_version": 2, "target_version": 1}


def test_supersede_in_the_past_answers_what_held_before(bench: Workbench, old: Memory) -> None:
    before = bench.now
    new = bench.revision.supersede(bench.scope, old.logical_id, "the port is 443", at=MIDWAY)
    assert (new.version, new.valid_at, new.logical_id) == (2, MIDWAY, old.logical_id)
    first, closing, second = bench.door.asking(bench.scope).versions(old.logical_id)
    assert first.expired_at == closing.created_at == second.created_at
    assert (closing.content, closing.version, closing.valid_at, closing.invalid_at) == (
        old.content,
        1,
        LONG_AGO,
        MIDWAY,
    )
    assert closing.id not in (first.id, second.id)
    assert closing.invalidation_reason is first.invalidation_reason is InvalidationReason.REALITY_CHANGED
    assert first.correction_id == closing.correction_id == new.id
    assert told(bench) == ["the port is 443"]
    assert told(bench, valid=MIDWAY) == ["the port is 443"]
    assert told(bench, valid=MIDWAY - timedelta(microseconds=1)) == ["the port is 80"]
    assert told(bench, recorded=before) == ["the port is 80"]
    assert [link.relation for link in bench.door.asking(bench.scope).links([old.logical_id])] == [
        Relation.SUPERSEDES
    ]


def test_supersede_goes_on_from_version_to_version(bench: Workbench, old: Memory) -> None:
    bench.revision.supersede(bench.scope, old.id, "two", at=MIDWAY)
    third = bench.revision.supersede(bench.scope, old.id, "three")
    assert third.version == 3
    assert told(bench) == ["three"] and told(bench, valid=MIDWAY) == ["two"]


def test_a_change_may_lie_ahead(bench: Workbench, old: Memory) -> None:
    ahead = bench.now + timedelta(days=30)
    bench.revision.supersede(bench.scope, old.logical_id, "the port will be 1", at=ahead)
    assert told(bench) == ["the port is 80"]
    assert told(bench, valid=ahead) == ["the port will be 1"]


def test_invalidate_ends_without_a_successor(bench: Workbench, old: Memory) -> None:
    closing = bench.revision.invalidate(bench.scope, old.logical_id, MIDWAY, "gone")
    assert closing.invalid_at == MIDWAY
    assert told(bench) == [] and told(bench, valid=LONG_AGO) == ["the port is 80"]
    assert [entry.action for entry in bench.door.asking(bench.scope).audit_log(1)] == ["invalidate"]


def test_fields_alone_may_change(bench: Workbench, old: Memory) -> None:
    new = bench.revision.revise(
        bench.scope, old.logical_id, changes={"tags": ["a"], "resolution_state": "resolved"}
    )
    assert (new.content, new.tags, new.emotion_vector) == (old.content, ("a",), {"joy": 0.4})
    moved = bench.revision.revise(bench.scope, old.logical_id, changes={"valid_at": MIDWAY})
    assert moved.valid_at == MIDWAY


def test_a_clock_that_jumps_back_leaves_no_empty_record(bench: Workbench, old: Memory) -> None:
    bench.now = LONG_AGO - timedelta(days=1)
    new = bench.revision.revise(bench.scope, old.logical_id, "later")
    first = bench.door.asking(bench.scope).versions(old.logical_id)[0]
    assert first.expired_at is not None and first.expired_at > first.created_at
    assert new.created_at == first.expired_at


def test_the_expected_version_guards(bench: Workbench, old: Memory) -> None:
    bench.revision.revise(bench.scope, old.logical_id, "two", expected_version=1)
    for change in (bench.revision.revise, bench.revision.supersede):
        with pytest.raises(Conflict, match="version 2, not 1"):
            change(bench.scope, old.logical_id, "three", expected_version=1)
    assert len(bench.door.asking(bench.scope).versions(old.logical_id)) == 2


def test_a_change_between_reading_and_writing_is_a_conflict(bench: Workbench, old: Memory) -> None:
    class Interfered(VersionChanges):
        """Somebody else revises while the new content is being encoded."""

        def successor(self, *arguments: Any) -> Any:
            made = super().successor(*arguments)
            bench.revision.revise(bench.scope, old.logical_id, "theirs")
            return made

    with pytest.raises(Conflict, match="meanwhile"):
        Revision(Interfered(bench.door, bench.changes.preparation, bench.clock)).revise(
            bench.scope, old.logical_id, "mine"
        )
    assert told(bench) == ["theirs"]


def test_what_was_forgotten_meanwhile_is_not_found(bench: Workbench, old: Memory) -> None:
    class Interfered(VersionChanges):
        """Somebody else forgets while the new content is being encoded."""

        def successor(self, *arguments: Any) -> Any:
            made = super().successor(*arguments)
            with bench.door.transaction(bench.scope) as writes:
                writes.forget(Extent([old.logical_id]), bench.now)
            return made

    with pytest.raises(NotFound, match="forgotten"):
        Revision(Interfered(bench.door, bench.changes.preparation, bench.clock)).revise(
            bench.scope, old.logical_id, "mine"
        )


@pytest.mark.parametrize("memory_id", ["00000000-0000-7000-8000-000000000000", "no id"])
def test_the_unknown_is_not_found(bench: Workbench, memory_id: str) -> None:
    for change in (bench.revision.revise, bench.revision.supersede):
        with pytest.raises(NotFound):
            change(bench.scope, memory_id, "x")
    with pytest.raises(NotFound):
        bench.revision.invalidate(bench.scope, memory_id)


def test_what_ended_says_so(bench: Workbench, old: Memory) -> None:
    bench.revision.invalidate(bench.scope, old.logical_id, MIDWAY)
    for change in (bench.revision.revise, bench.revision.supersede):
        with pytest.raises(Conflict, match="already ended at 2025-06-01"):
            change(bench.scope, old.logical_id, "x")


@pytest.mark.parametrize("at", [LONG_AGO, LONG_AGO - timedelta(days=1)])
def test_a_change_follows_what_it_changes(bench: Workbench, old: Memory, at: datetime) -> None:
    with pytest.raises(InvalidTime, match="not after"):
        bench.revision.supersede(bench.scope, old.logical_id, "x", at=at)
    with pytest.raises(InvalidTime, match="not after"):
        bench.revision.invalidate(bench.scope, old.logical_id, at)
    with pytest.raises(InvalidTime, match="time zone"):
        bench.revision.supersede(bench.scope, old.logical_id, "x", at=datetime(2025, 6, 1))  # noqa: DTZ001
    assert len(bench.door.asking(bench.scope).versions(old.logical_id)) == 1


def test_a_change_after_the_known_end_is_refused(bench: Workbench) -> None:
    draft = Draft(content="was so", valid_at=LONG_AGO, invalid_at=MIDWAY, recorded_at=LONG_AGO)
    memory = bench.intake.write(bench.scope, [draft], revive_forgotten=True).memories[0]
    with pytest.raises(InvalidTime, match="already ended"):
        bench.revision.supersede(bench.scope, memory.logical_id, "x")
    new = bench.revision.revise(bench.scope, memory.logical_id, "was otherwise")
    assert (new.valid_at, new.invalid_at) == (LONG_AGO, MIDWAY)


@pytest.mark.parametrize(
    ("content", "changes", "error"),
    [
        (None, {}, InvalidValue),
        (" ", {}, InvalidContent),
        ("x" * 1_000_001, {}, InvalidContent),
        ("<private>x</private>", {}, InvalidContent),
        ("x", {"energy": 1.5}, InvalidValue),
        ("x", {"project": "other"}, InvalidValue),
        ("x", {"enrgy": 0.5}, InvalidValue),
        (None, {"kind": "nonsense"}, InvalidValue),
        (None, {"kind": ["note"]}, InvalidValue),
    ],
)
def test_unsound_changes_change_nothing(
    bench: Workbench, old: Memory, content: str | None, changes: dict[str, Any], error: type[Exception]
) -> None:
    for change in (bench.revision.revise, bench.revision.supersede):
        with pytest.raises(error):
            change(bench.scope, old.logical_id, content, changes)
    assert bench.door.asking(bench.scope).versions(old.logical_id) == [old]


def test_the_time_of_change_is_given_once(bench: Workbench, old: Memory) -> None:
    with pytest.raises(InvalidValue, match="valid_at"):
        bench.revision.supersede(bench.scope, old.logical_id, "x", {"valid_at": MIDWAY})


def test_secrets_in_new_content_are_redacted(bench: Workbench, old: Memory) -> None:
    new = bench.revision.revise(bench.scope, old.logical_id, 'password = "hunter2"')
    assert new.content == 'password = "[REDACTED:secret-keyword]"'


def test_a_corrected_text_is_known_and_forgotten_with_its_memory(bench: Workbench) -> None:
    def write(text: str, explicit: bool) -> tuple[int, int, int]:
        became = bench.intake.write(bench.scope, [Draft(content=text)], revive_forgotten=explicit)
        return became.written, became.duplicates, became.skipped

    note = bench.intake.write(
        bench.scope, [Draft(content="the pond is deep")], revive_forgotten=True
    ).memories[0]
    bench.revision.revise(bench.scope, note.logical_id, "the pond is shallow")
    assert write("the pond is shallow", True) == (0, 1, 0)
    with bench.door.transaction(bench.scope) as writes:
        writes.forget(Extent([note.logical_id]), bench.now)
    assert write("the pond is shallow", False) == write("the pond is deep", False) == (0, 0, 1)
    assert write("the pond is shallow", True) == (1, 0, 0)


def test_a_corrected_time_does_not_reach_into_what_held_before(bench: Workbench, old: Memory) -> None:
    bench.revision.supersede(bench.scope, old.logical_id, "the port is 8080", at=MIDWAY)
    with pytest.raises(InvalidTime, match="meets version 1, which holds"):
        bench.revision.revise(bench.scope, old.logical_id, changes={"valid_at": MIDWAY - timedelta(days=1)})
    assert len(bench.door.asking(bench.scope).versions(old.logical_id)) == 3
    later = bench.revision.revise(
        bench.scope, old.logical_id, changes={"valid_at": MIDWAY + timedelta(days=2)}
    )
    moved = bench.revision.revise(bench.scope, old.logical_id, changes={"valid_at": MIDWAY})
    assert (later.version, moved.version, moved.valid_at) == (3, 4, MIDWAY)
    assert told(bench, valid=MIDWAY - timedelta(days=1)) == ["the port is 80"]
    assert told(bench, valid=MIDWAY) == ["the port is 8080"]


def test_a_revision_reads_no_more_for_many_versions_than_for_few(tmp_path: Path) -> None:
    def calls(forge: Forge, memory: Memory, content: str) -> int:
        profile = Profile()
        profile.runcall(forge.revise, memory.logical_id, content)
        return sum(each.callcount for each in profile.getstats())  # type: ignore[attr-defined]

    with engramforge.open(tmp_path) as forge:
        memory = forge.remember("the port is 80")
        for number in range(5):
            forge.revise(memory.logical_id, f"the port is {number}")
        few = calls(forge, memory, "the port is 81")
        for number in range(100, 145):
            forge.revise(memory.logical_id, f"the port is {number}")
        assert calls(forge, memory, "the port is 82") < 1.2 * few
