"""A store that is moved is the same store: on either engine, after kill -9, or not at all."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.children import Child, finished
from tests.robustness.conftest import dump, every
from tests.upkeep.conftest import LINES, Rich, count_uses, exported

import engramforge
from engramforge.errors import Conflict, InvalidValue, NotFound
from engramforge.forge import Forge
from engramforge.model.scope import Scope
from engramforge.model.storing.section import Portion, Section, StoredMemory
from engramforge.store.sqlite.store import open_sqlite

EVERYONE = Scope(every_agent=True)
QUESTIONS = ("harbour lantern meadow", "which bucket?", "Note 1", "what does Ana say about copper?")
MOVER = """
import sys, engramforge
engramforge.migrate(sys.argv[1], sys.argv[2], progress=lambda *step: print(*step, flush=True))
print("done", flush=True)
"""


def stored(home: Path) -> list[StoredMemory]:
    """Every record with its signals, in order of writing."""
    door = open_sqlite(home / "memory.db", "default", lambda: "none")
    found: list[StoredMemory] = []
    with door.tending(EVERYONE) as shot:
        portion = Portion((), None)
        while (portion := shot.portion(Section.MEMORIES, portion.cursor, 1_000)).rows:
            found += portion.rows  # type: ignore[arg-type]
    door.close()
    return found


def answers(forge: Forge) -> list[list[str]]:
    """What a store answers, before and now."""
    found = [[hit.memory.id for hit in forge.recall(question, limit=10).hits] for question in QUESTIONS]
    then = forge.recall("Note 1", project="notes", as_of_valid="2026-01-02T00:00:00Z", limit=5)
    return [*found, [hit.memory.id for hit in then.hits]]


def registries(forge: Forge) -> list[object]:
    """What the registries say, whichever way they are asked."""
    found: list[object] = []
    for conversation in (None, "first talk", "third talk"):
        decisions = forge.decisions.browse(conversation=conversation, status=None)
        found += [decisions, forge.threads.browse(conversation=conversation)]
        assert decisions
    return [
        *found,
        [forge.decisions.history(decision.id) for decision in forge.decisions.browse(status=None)],
        forge.threads.active(),
        forge.decisions.stale(0),
        forge.lineage.browse(),
        forge.lineage.trace("second talk"),
        [forge.decisions.why(decision.id) for decision in forge.decisions.browse()],
    ]


def test_there_and_back_is_the_same(rich: Rich, postgres_url: str, tmp_path: Path) -> None:
    before, rows = exported(rich.home), dump(rich.home)
    out = engramforge.migrate(rich.home, postgres_url)
    assert dump(rich.home) == rows
    assert out.moved["memories"] == out.counts["memories"] == out.counts["embeddings"] > LINES
    assert (
        min(out.counts[name] for name in ("projects", "origins", "links", "audit", "injections", "marks")) > 0
    )
    assert exported(postgres_url) == before
    back = engramforge.migrate(postgres_url, f"sqlite://{tmp_path}/back")
    assert back.counts == out.counts
    assert exported(tmp_path / "back") == before
    for left, other in zip(stored(rich.home), stored(tmp_path / "back"), strict=True):
        assert (left.memory, left.write, left.embedding.encoder) == (
            other.memory,
            other.write,
            other.embedding.encoder,
        )
        assert left.embedding.cues == other.embedding.cues
        for name in ("vector", "tokens", "terms", "counts", "intervals"):
            first, second = getattr(left.embedding, name), getattr(other.embedding, name)
            assert (first is None) == (second is None)
            assert first is None or (first.dtype == second.dtype and np.array_equal(first, second))


def test_the_moved_store_lives_on(brief: Rich, place: str) -> None:
    engramforge.migrate(brief.home, place)
    with engramforge.open(brief.home) as old, engramforge.open(place) as new:
        assert new.identity.store_id == old.identity.store_id
        assert new.check() == []
        assert answers(new) == answers(old)
        assert new.audit_log(1_000) == old.audit_log(1_000)
        assert new.injections.list() == old.injections.list() != []
        assert [project.name for project in new.projects()] == [project.name for project in old.projects()]
        for memory in new.memories(project="notes", limit=100, mode="full_history"):
            assert new.history(memory.logical_id) == old.history(memory.logical_id)
            assert new.links(memory.logical_id) == old.links(memory.logical_id)
        assert registries(new) == registries(old)
        assert not [
            row for row in new.memories(limit=100, project="notes") if row.content == "Only Bo knows."
        ]
        undone, same = new.undo(), old.undo()
        assert [version.id for version in undone.taken_back] == [version.id for version in same.taken_back]
        assert undone.action == same.action
    with engramforge.open(place, agent="bo") as forge:
        assert "Only Bo knows." in [row.content for row in forge.memories(limit=100, project="notes")]
        assert forge.undo().action == "remember"


def test_what_one_write_wrote_is_still_undone_together(tmp_path: Path, place: str) -> None:
    with engramforge.open(tmp_path / "home") as forge:
        forge.remember("This one stays.")
        forge.remember_many([{"content": f"Together, number {number}."} for number in range(5)])
    engramforge.migrate(tmp_path / "home", place)
    with engramforge.open(place) as forge:
        assert len(forge.undo().taken_back) == 5
        assert [memory.content for memory in forge.memories()] == ["This one stays."]


def test_an_import_after_the_move_finds_nothing_new(brief: Rich, place: str) -> None:
    engramforge.migrate(brief.home, place)
    with engramforge.open(place) as forge:
        before = forge.stats().versions
        assert forge.import_path(brief.lines).written == 0
        assert forge.import_path(brief.vault, project="vault").written == 0
        # A changed file is read again as a whole: what was forgotten stays forgotten, the new line comes in.
        with brief.lines.open(encoding="utf-8") as file:
            copy = brief.home.parent / "turns.jsonl"
            copy.write_text(
                file.read() + '{"content": "A new line.", "project": "turns"}\n', encoding="utf-8"
            )
        assert forge.import_path(copy).written == 1
        assert forge.stats().versions == before + 1
        assert brief.forgotten not in [memory.content for memory in every(forge)]


def test_a_reader_that_was_there_before_sees_what_came(rich: Rich, place: str) -> None:
    with engramforge.open(place) as early:
        steps: list[str] = []

        def look(section: str, done: int, total: int) -> None:
            steps.append(section)
            assert 0 < done <= total
            early.recall("harbour", limit=1)

        engramforge.migrate(rich.home, place, progress=look)
        with engramforge.open(rich.home) as old:
            assert answers(early) == answers(old)
    assert steps[0] == "projects"
    assert steps[-1] == "checksums"


@pytest.mark.on_disk
@pytest.mark.parametrize("from_server", [False, True], ids=["from sqlite", "from postgresql"])
def test_kill_9_and_again_until_it_is_there(
    rich: Rich, place: str, from_server: bool, request: pytest.FixtureRequest
) -> None:
    source = str(rich.home)
    before = exported(source)
    if from_server:
        source = request.getfixturevalue("postgres_url")
        engramforge.migrate(rich.home, source)
    kills = 0
    while True:
        running = Child(MOVER, source, place)
        assert running.stdout is not None
        seen = [running.stdout.readline().strip() for _ in range(2)]
        if kills < 5 and "done" not in seen:
            running.send_signal(signal.SIGKILL)
            running.communicate(60)
            kills += 1
            continue
        assert finished(running).splitlines()[-1:] == ["done"] or "done" in seen
        break
    assert kills >= 3
    assert exported(place) == before
    with engramforge.open(place) as forge:
        assert forge.check() == []
    assert sum(engramforge.migrate(source, place).moved.values()) == 0


def test_a_server_that_dies_meanwhile(rich: Rich, postgres_url: str, postgres_server: object) -> None:
    before, dead = exported(rich.home), []

    def fall(section: str, _done: int, _total: int) -> None:
        if section == "memories" and not dead:
            postgres_server.kill()  # type: ignore[attr-defined]
            dead.append(section)

    with pytest.raises(engramforge.StoreUnavailable):
        engramforge.migrate(rich.home, postgres_url, progress=fall)
    postgres_server.start()  # type: ignore[attr-defined]
    report = engramforge.migrate(rich.home, postgres_url)
    assert report.resumed
    assert 0 < report.moved["memories"] < report.counts["memories"]
    assert exported(postgres_url) == before


def test_a_target_that_holds_something_else_is_refused(brief: Rich, place: str) -> None:
    with engramforge.open(place) as forge:
        forge.remember("Somebody lives here.")
    before = exported(place)
    for start_over in (False, True):
        with pytest.raises(Conflict, match=r"already holds something else.*1 memories"):
            engramforge.migrate(brief.home, place, start_over=start_over)
    assert exported(place) == before


def test_a_copy_that_has_gone_its_own_way_is_refused(brief: Rich, place: str) -> None:
    engramforge.migrate(brief.home, place)
    with engramforge.open(place) as forge:
        forge.remember("Written after the move.")
    before = exported(place)
    with pytest.raises(Conflict, match=r"another state: .*memories .*audit"):
        engramforge.migrate(brief.home, place, start_over=True)
    assert exported(place) == before


def test_a_source_that_is_not_there_is_refused_and_nothing_made(
    tmp_path: Path, place: str, postgres_url: str
) -> None:
    for source in (f"sqlite://{tmp_path}/nowhere", str(tmp_path / "nowhere"), postgres_url):
        with pytest.raises(NotFound, match="no store of tenant 'default'"):
            engramforge.migrate(source, place)
    assert not (tmp_path / "nowhere").exists()
    assert not (tmp_path / "place-1").exists()
    with pytest.raises(NotFound):  # not even its tables were made
        engramforge.migrate(postgres_url, place)


def test_a_store_is_not_moved_into_itself(brief: Rich, place: str) -> None:
    engramforge.migrate(brief.home, place)
    for source, target in ((brief.home, f"sqlite://{brief.home}/memory.db"), (place, place)):
        with pytest.raises(InvalidValue, match="the same store"):
            engramforge.migrate(source, target)


@pytest.mark.parametrize("at", ["memories", "links"])
def test_a_source_that_changes_meanwhile_is_noticed(brief: Rich, place: str, at: str) -> None:
    written: list[str] = []

    def write(section: str, _done: int, _total: int) -> None:
        if section == at and not written:
            with engramforge.open(brief.home) as forge:
                written.append(forge.remember("In between.").id)

    with pytest.raises(Conflict, match=r"source was changed while it was moved: .*memories .*audit"):
        engramforge.migrate(brief.home, place, progress=write)
    with pytest.raises(Conflict, match="changed since the move began"):
        engramforge.migrate(brief.home, place)
    report = engramforge.migrate(brief.home, place, start_over=True)
    assert not report.resumed
    assert exported(place) == exported(brief.home)


def test_a_use_of_the_source_meanwhile_is_noticed(brief: Rich, place: str) -> None:
    def use(section: str, _done: int, _total: int) -> None:
        if section == "marks":
            count_uses(brief.home)

    with pytest.raises(Conflict, match=r"source was changed while it was moved: memories \("):
        engramforge.migrate(brief.home, place, progress=use)


def test_a_target_that_is_written_to_meanwhile_is_noticed(brief: Rich, place: str) -> None:
    def write(section: str, _done: int, _total: int) -> None:
        if section == "links":
            with engramforge.open(place) as forge:
                forge.remember("A stranger.")

    with pytest.raises(Conflict, match=r"does not hold what the source does: .*memories"):
        engramforge.migrate(brief.home, place, progress=write)


def test_the_unfinished_move_of_another_store_is_refused(brief: Rich, place: str, tmp_path: Path) -> None:
    def stop(section: str, _done: int, _total: int) -> None:
        if section == "memories":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engramforge.migrate(brief.home, place, progress=stop)
    with engramforge.open(tmp_path / "other") as forge:
        forge.remember("Another store.")
    with pytest.raises(Conflict, match="unfinished move of another store"):
        engramforge.migrate(tmp_path / "other", place)
    assert engramforge.migrate(tmp_path / "other", place, start_over=True).counts["memories"] == 1
    assert exported(place) == exported(tmp_path / "other")


def test_one_tenant_moves_and_the_others_stay(
    new_place: Callable[[], str], postgres_url: str, tmp_path: Path
) -> None:
    contents = {"default": "Of the default.", "acme": "Of Acme.", "rival": "Of the rival."}
    for tenant, content in contents.items():
        with engramforge.open(postgres_url, tenant=tenant) as forge:
            forge.remember(content)
            forge.remember_many([{"content": f"{content} {number}"} for number in range(50)])
            forge.revise(forge.memories(limit=1)[0].id, f"{content} Revised.")
    target = new_place()
    report = engramforge.migrate(postgres_url, target, tenant="acme")
    assert (report.tenant, report.counts["memories"]) == ("acme", 52)
    with engramforge.open(target, tenant="acme") as forge:
        assert {memory.content.split(".")[0] for memory in forge.memories(limit=100)} == {"Of Acme"}
        assert len(forge.undo().taken_back) == 1
    with engramforge.open(target, tenant="rival") as forge:
        assert forge.stats().versions == 0
    for tenant in contents:
        with engramforge.open(postgres_url, tenant=tenant) as forge:
            assert forge.stats().versions == 52


def test_an_empty_store_can_be_moved(tmp_path: Path, place: str) -> None:
    engramforge.open(tmp_path / "home").close()
    assert set(engramforge.migrate(tmp_path / "home", place).counts.values()) == {0}
    assert exported(place) == exported(tmp_path / "home")
