"""Patterns with outcomes, priming blocks and flags through the facade."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

import engramforge
from engramforge.errors import Conflict, InvalidContent, InvalidTime, InvalidValue, NotFound
from engramforge.forge import Forge
from engramforge.model.memory import Kind, ResolutionState
from engramforge.model.registries.learned import FlagStatus

FREEZE = "Before a release, freeze the lock file and build from it."
_numbers = count(1)


class Clock:
    """The clock of the module's store, which a test may set forward."""

    ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead


CLOCK = Clock()


@pytest.fixture(scope="module")
def em(place: str) -> Iterator[Forge]:
    """A forge on the module's store, by the clock above."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engramforge.assembly.opening.now", CLOCK)
        with engramforge.open(place) as forge:
            yield forge


@pytest.fixture
def project() -> str:
    """A project of the test's own."""
    return f"learned-{next(_numbers)}"


def test_a_pattern_and_what_came_of_it(em: Forge, project: str) -> None:
    made = em.patterns.add(FREEZE, name="Frozen release", project=project, tags=["release"])
    assert (made.tries, made.successes, made.success_score, made.outcomes) == (0, 0, None, ())
    memory = em.get(made.id)
    assert (memory.kind, memory.name, memory.registration) == (Kind.PATTERN, "Frozen release", None)
    for number in range(3):
        em.patterns.outcome(made.id, True, f"Release {number} went out.", at=f"2026-01-0{number + 1}")
    tried = em.patterns.outcome(made.id, False, "The mirror was down.", session_id="talk")
    assert (tried.successes, tried.tries, round(tried.success_score or 0, 3)) == (3, 4, 0.301)
    newest = tried.outcomes[0]
    assert (newest.success, newest.note) == (False, "The mirror was down.")
    assert tried.outcomes[-1].at == datetime(2026, 1, 1, tzinfo=UTC)
    assert em.patterns.get(made.id[:18]) == tried
    note = em.get(newest.id)
    assert (note.kind, note.project, note.session_id, note.tags) == (
        Kind.LEARNING,
        project,
        "talk",
        ("release",),
    )
    hit = em.recall("what happened to the mirror?", project=project).hits[0]
    assert hit.memory.logical_id == newest.id
    assert tried.version == 1, "an outcome is no new version of the pattern"


def test_patterns_that_work_come_first(em: Forge, project: str) -> None:
    tried = {
        name: em.patterns.add(f"Do it the {name} way.", name=name, project=project)
        for name in ("lucky", "proven", "untried", "bad")
    }
    em.patterns.outcome(tried["lucky"].id, True)
    for _ in range(3):
        em.patterns.outcome(tried["proven"].id, True)
    em.patterns.outcome(tried["bad"].id, False)
    names = [each.name for each in em.patterns.list(project)]
    assert names == ["proven", "lucky", "bad", "untried"]
    assert [each.name for each in em.patterns.list(project, limit=1, offset=1)] == ["lucky"]
    assert [each.outcomes for each in em.patterns.list(project)] == [()] * 4
    assert em.patterns.list(project, tags="nowhere") == []
    (bad,) = [each for each in em.patterns.list(project) if each.name == "bad"]
    assert (bad.success_score, bad.tries) == (0.0, 1)


def test_whatever_memory_is_a_pattern_shows_as_one(em: Forge, project: str) -> None:
    told = em.remember("Ask the harbour master before noon.", kind="pattern", project=project)
    assert [each.id for each in em.patterns.list(project)] == [told.logical_id]
    em.patterns.outcome(told.logical_id, True)
    em.revise(told.id, "Ask the harbour master before ten.")
    found = em.patterns.get(told.id)
    assert (found.content, found.version, found.tries) == ("Ask the harbour master before ten.", 2, 1)
    (searched,) = em.patterns.search("when do I ask the harbour master?", project=project)
    assert searched.id == told.logical_id and 0 < (searched.score or 0) <= 1
    em.invalidate(told.id)
    assert em.patterns.list(project) == []
    with pytest.raises(NotFound, match="does not hold any more"):
        em.patterns.outcome(told.id, True)


@pytest.mark.each_engine
def test_an_outcome_is_undone_and_forgotten_with_its_pattern(em: Forge, project: str) -> None:
    made = em.patterns.add("Oil the capstan before the regatta.", project=project)
    kept = em.patterns.outcome(made.id, True, "The capstan turned.").outcomes[0]
    em.patterns.outcome(made.id, False, "It jammed all the same.")
    undone = em.undo()
    assert undone.action == "outcome" and em.patterns.get(made.id).outcomes == (kept,)
    em.redo()
    assert em.patterns.get(made.id).tries == 2
    proof = em.forget(made.id)
    # The one that was undone and brought again is one memory.
    assert (proof.verified, proof.derived) == (True, 2)
    with pytest.raises(NotFound):
        em.get(kept.id)


@pytest.mark.each_engine
def test_outcomes_are_seen_by_those_who_see_the_pattern(em: Forge, project: str) -> None:
    shared = em.patterns.add(FREEZE, project=project, level="collective")
    other = em.lend("another")
    other.patterns.outcome(shared.id, True, "It held for us, too.")
    assert em.patterns.get(shared.id).outcomes[0].note == "It held for us, too."
    own = em.patterns.add("Nobody else's way.", project=project)
    with pytest.raises(NotFound):
        other.patterns.get(own.id)
    assert [each.id for each in other.patterns.list(project)] == [shared.id]


def test_what_is_no_pattern_is_refused(em: Forge, project: str) -> None:
    note = em.remember("Only a note.", project=project)
    flag = em.flags.add("Something odd.", project=project)
    with pytest.raises(Conflict, match="of the kind note, and no pattern") as told:
        em.patterns.outcome(note.id, True)
    assert told.value.mend == "Give the id of a pattern"
    with pytest.raises(Conflict, match="of the kind flag, and no priming"):
        em.priming.get(flag.id)
    for wrong, fault in (
        ({"content": " "}, InvalidContent),
        ({"content": "x", "level": "all"}, InvalidValue),
    ):
        with pytest.raises(fault):
            em.patterns.add(**wrong, project=project)
    with pytest.raises(InvalidContent):
        em.patterns.outcome(em.patterns.add("A way.", project=project).id, True, "<private>x</private>")
    with pytest.raises(NotFound, match="no project"):
        em.patterns.list("nowhere")
    redacted = em.patterns.add("Push with ghp_" + "a1B2" * 9 + ".", project=project)
    assert redacted.redacted == 1 and "ghp_" not in redacted.content


def test_priming_blocks_serve_their_territory_until_they_expire(em: Forge, project: str) -> None:
    soon = CLOCK() + timedelta(hours=1)
    tide = em.priming.add(
        "harbour ferries", "The quay is tidal: boats leave on the flood.", project=project, expires_at=soon
    )
    em.priming.add("Harbour Ferries", "The purser keeps the timetable.", project=project)
    em.priming.add("gearboxes", "Oil of the old gearbox is changed at ten thousand hours.", project=project)
    assert (tide.territory, tide.expires_at, tide.made_from) == ("harbour ferries", soon, ())
    found = em.priming.find_relevant_priming("harbour ferries", project)
    assert found[0].territory.casefold() == "harbour ferries" and 0 < (found[0].score or 0) <= 1
    assert tide.id in {each.id for each in found}
    assert em.priming.find_relevant_priming("knitting of woollen socks", project) == []
    named = [(each.name, each.blocks, each.project) for each in em.priming.territories(project)]
    assert named == [("gearboxes", 1, project), ("Harbour Ferries", 2, project)]
    assert len(em.priming.list(project, territory="HARBOUR ferries")) == 2
    em.roles.assign(project, "compiler")
    asked = "when do boats leave on the flood?"
    for hits in (
        em.recall(asked, project=project).hits,
        em.orchestrate(asked, [{"project": project}]).per_lens["compiler"].results,
    ):
        assert hits[0].memory.logical_id == tide.id
    assert tide.id in em.context_load(asked, project).memory_ids
    CLOCK.ahead = timedelta(hours=2)
    try:
        assert tide.id not in {each.id for each in em.priming.find_relevant_priming(asked, project)}
        assert [each.blocks for each in em.priming.territories(project)] == [1, 1]
        assert tide.id not in {hit.memory.logical_id for hit in em.recall(asked, project=project).hits}
        looked = em.orchestrate(asked, [{"project": project}]).per_lens["compiler"].results
        assert tide.id not in {hit.memory.logical_id for hit in looked}
        assert tide.id not in em.context_load(asked, project).memory_ids
        then = em.recall(asked, project=project, as_of=soon - timedelta(minutes=1)).hits
        assert then[0].memory.logical_id == tide.id, "it was so then"
    finally:
        CLOCK.ahead = timedelta()
    with pytest.raises(InvalidTime, match="would have expired"):
        em.priming.add("past", "Too late.", project=project, expires_at="2020-01-01")


def test_an_expedition_compiles_what_bears_on_a_territory(em: Forge, project: str) -> None:
    like = em.flags.add(
        "Ferries wait for the flood as trains wait for a clear block.", type="Isomorphism", project=project
    )
    apart = em.flags.add("The tide table of the ferries is a year old.", project=project)
    other = em.flags.add("The gearbox hums in third.", type="risk", project=project)
    assert (like.type, like.status, apart.type) == ("isomorphism", FlagStatus.PENDING, "observation")
    assert [each.id for each in em.flags.list(project)] == [other.id, apart.id, like.id]
    assert [each.id for each in em.flags.list(project, type="isomorphism")] == [like.id]
    assert em.recall("what do ferries wait for?", project=project).hits[0].memory.logical_id == like.id
    made = em.flags.compile("what the ferries wait for: flood and tide table", project=project)
    assert set(made.made_from) == {like.id, apart.id}
    assert "isomorphism: Ferries wait for the flood" in made.content
    compiled = {each.id: each for each in em.flags.list(project, status="compiled")}
    assert set(compiled) == {like.id, apart.id}
    assert compiled[like.id].compiled_in == (made.id,)
    assert em.get(like.id).resolution_state is ResolutionState.RESOLVED
    assert [each.id for each in em.flags.list(project)] == [other.id]
    assert {each.id for each in em.flags.search("ferries", project=project, status="compiled")} == set(
        compiled
    )
    assert em.priming.get(made.id) == made
    with pytest.raises(NotFound, match="No pending flag is about") as told:
        em.flags.compile("woollen socks", project=project)
    assert "flags lists what is pending" in told.value.mend
    with pytest.raises(Conflict, match="compiled already"):
        em.flags.compile("again", ids=like.id)


@pytest.mark.each_engine
def test_an_expedition_is_one_change(em: Forge, project: str) -> None:
    flags = [em.flags.add(f"Oddity {number} of the crane.", project=project).id for number in range(3)]
    made = em.flags.compile(
        "cranes", ids=flags, content="The crane is odd in three ways.", expires_at="2099-01-01"
    )
    assert (made.content, made.project) == ("The crane is odd in three ways.", project)
    assert em.events(limit=1)[0].action == "expedition"
    em.undo(confirmed=True)
    assert len(em.flags.list(project)) == 3 and em.priming.list(project) == []
    em.redo()
    assert em.flags.list(project) == [] and len(em.priming.list(project)) == 1
    # What was compiled from a flag repeats it, so it goes with it.
    proof = em.forget(flags[0])
    assert (proof.verified, proof.derived) == (True, 1)
    assert em.priming.list(project) == []
    assert {each.id for each in em.flags.list(project, status=None)} == set(flags[1:])


@pytest.mark.each_engine
def test_a_filter_makes_no_search_shorter(em: Forge, project: str) -> None:
    said = [f"The ferry of line {number} waits for the flood at the old quay." for number in range(9)]
    done = [em.flags.add(each, project=project).id for each in said]
    em.flags.compile("floods", ids=done)
    late = em.flags.add("One ferry is late.", project=project)
    asked = "which ferry waits for the flood at the old quay?"
    assert em.flags.search(asked, project=project, limit=1)[0].id in done
    assert [each.id for each in em.flags.search(asked, project=project, status="pending", limit=1)] == [
        late.id
    ]


def test_flags_of_several_projects_need_a_project(em: Forge, project: str) -> None:
    ids = [em.flags.add("One thing.", project=name).id for name in (project, f"{project}-b")]
    with pytest.raises(InvalidValue, match="are of the projects"):
        em.flags.compile("things", ids=ids)
    assert em.flags.compile("things", ids=ids, project=project).project == project


def test_detections_that_wait_are_no_flags(em: Forge, project: str) -> None:
    em.remember("<page>\nTODO: paint the door of the boathouse\n</page>", project=project)
    (waiting,) = em.review.pending(project)
    assert em.flags.list(project, status=None) == []
    with pytest.raises(Conflict, match="waits for review"):
        em.flags.get(waiting.id)
