"""Dreams of real stores on either engine: nothing is lost, everything is undone, a forget follows through them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from tests.children import Child
from tests.embedding_server import KEY, EmbeddingServer
from tests.upkeep.test_topics import THEMES, said, told, topics_by_memory

import engramforge
from engramforge.assembly import open_forge
from engramforge.errors import Conflict, NotConfirmed, NotFound
from engramforge.forge import Forge
from engramforge.model.memory import Memory
from engramforge.model.scope import Scope
from engramforge.model.topics.dream import DreamReport
from engramforge.upkeep.dreams.dreaming import Dreaming

DAY: Final = timedelta(days=1)
SINCE: Final = datetime(2026, 3, 1, 9, tzinfo=UTC)
PIER: Final = "The pier server restarts every night at two."
RULE: Final = "Always run the linter before pushing a branch."


def note(content: str, session: str | None = None, **fields: Any) -> dict[str, Any]:
    return {"content": content, "project": "p", "session_id": session, "valid_at": SINCE, **fields}


def steps(report: DreamReport) -> dict[str, int]:
    return {str(each.name): each.count for each in report.steps}


def contents(forge: Forge) -> list[str]:
    return sorted(each.content for each in forge.memories(project="p", limit=1_000))


def energies(forge: Forge) -> dict[str, float]:
    return {each.logical_id: each.energy for each in forge.memories(project="p", limit=1_000)}


def dreaming(forge: Forge, clock: Callable[[], datetime]) -> Dreaming:
    """The stage with another clock."""
    stage = forge._stages.dreaming
    return replace(stage, clock=clock, topics=replace(stage.topics, clock=clock))


@pytest.fixture
def forge(place: str) -> Iterator[Forge]:
    with engramforge.open(place) as opened:
        yield opened


def filled(forge: Forge) -> list[Memory]:
    """Three of which two say the same, and one said on four days."""
    drafts = [
        note(PIER, "s1", energy=0.9),
        note("the pier server restarts every night at two", "s2"),
        note("The pier server restarts every night at three.", "s3"),
        *(note(RULE, f"r{day}", kind="prompt", valid_at=SINCE + day * DAY) for day in range(4)),
    ]
    return list(forge.remember_many(drafts))


def test_a_dream_tidies_up_and_an_undo_takes_all_of_it_back(forge: Forge) -> None:
    kept, gone, other, *rules = filled(forge)
    before, hot = contents(forge), energies(forge)
    (dry,) = forge.dreams.run("p", dry_run=True)
    assert dry.is_dry and dry.id == "" and steps(dry) == {"merge": 1, "fade": 1, "promote": 1}
    assert contents(forge) == before and energies(forge) == hot and forge.dreams.past() == []
    (done,) = forge.dreams.run("p")
    assert steps(done)["merge"] == 1 and steps(done)["fade"] == 1 and steps(done)["promote"] == 1
    assert done.ended_at is not None and forge.dreams.past("p") == [done]
    assert contents(forge) == sorted([PIER, other.content, *[RULE] * 5])
    # What is merged away is found by its id, and says what took its place.
    old = forge.get(gone.logical_id)
    assert old.content == gone.content and old.correction_id == kept.id
    door = forge._stages.door.asking(Scope())
    pairs = {(each.source_id, each.target_id) for each in door.links([kept.logical_id], to_others=True)}
    assert pairs == {(kept.logical_id, gone.logical_id), (gone.logical_id, kept.logical_id)}
    (pattern,) = forge.patterns.list("p")
    assert pattern.content == RULE
    made_of = {each.target_id for each in door.links([pattern.id])}
    assert made_of == {each.logical_id for each in rules}
    assert energies(forge)[kept.logical_id] < 0.9
    # A second dream finds nothing more to do.
    (again,) = forge.dreams.run("p")
    assert steps(again).get("merge", 0) == steps(again).get("promote", 0) == 0
    forge.dreams.undo(again.id[:8])
    with pytest.raises(NotFound):
        forge.dreams.undo(again.id)
    undone = forge.dreams.undo()
    assert undone.action == "dream" and undone.links == 6
    assert contents(forge) == before and forge.patterns.list("p") == []
    assert energies(forge) == hot
    assert [each.is_undone for each in forge.dreams.past("p")] == [True, True]
    # It is a change like any other; and what was taken back is not done again by the next dream.
    forge.undo(confirmed=True)
    assert len(contents(forge)) == len(before)
    assert [each.content for each in forge.patterns.list("p")] == [RULE]
    assert energies(forge)[kept.logical_id] < 0.9
    forge.redo()
    assert contents(forge) == before and energies(forge) == hot
    (third,) = forge.dreams.run("p")
    assert steps(third).get("merge", 0) == steps(third).get("promote", 0) == 0
    assert contents(forge) == before and forge.check() == []


def test_a_forget_follows_through_a_dream(forge: Forge) -> None:
    kept, gone, other, *rules = filled(forge)
    forge.dreams.run("p")
    proof = forge.forget(rules[1].logical_id, confirmed=True)
    assert proof.derived == 1 and forge.patterns.list("p") == []
    # Whichever of the merged is forgotten, none is left.
    assert forge.forget(gone.logical_id, confirmed=True).derived == 1
    with pytest.raises(NotFound):
        forge.get(kept.logical_id)
    assert contents(forge) == sorted([other.content, RULE, RULE, RULE])
    # Of the three that are left a pattern is made again.
    (again,) = forge.dreams.run("p")
    assert steps(again)["promote"] == 1 and forge.check() == []


def test_what_says_something_else_since_is_not_forgotten_with_what_was_merged_into_it(forge: Forge) -> None:
    def merged(word: str) -> tuple[str, str]:
        texts = (f"The {word} pier is open at night.", f"the {word} pier is open at night")
        kept, gone = forge.remember_many([note(text, text, tags=[word]) for text in texts])
        return kept.logical_id, gone.logical_id

    pairs = [merged(each) for each in ("east", "west", "north", "south")]
    forge.dreams.run("p")
    (east, old), (west, older), (north, oldest), (south, last) = pairs
    new = "Ada owns the east pier."
    forge.revise(east, new)
    assert forge.forget(old).derived == 0 and forge.get(east).content == new
    # Other fields, and a revision that was undone, change nothing of what it says.
    forge.revise(west, tags=["pier"])
    assert forge.forget(older).derived == 1
    forge.revise(north, "Ada owns the north pier.")
    forge.undo(confirmed=True)
    assert forge.forget(oldest).derived == 1
    # Whoever forgets what stays forgets what it said before, too.
    forge.revise(south, "Ada owns the south pier.")
    assert forge.forget(south).derived == 1
    with pytest.raises(NotFound):
        forge.get(last)
    assert contents(forge) == [new] and forge.check() == []


def test_an_undo_parts_what_was_revised_and_put_back_since(forge: Forge) -> None:
    kept, gone = forge.remember_many([note(PIER, each) for each in "ab"])
    forge.dreams.run("p")
    forge.revise(kept.logical_id, RULE)
    forge.undo(confirmed=True)
    forge.dreams.undo(confirmed=True)
    assert contents(forge) == [PIER, PIER] and forge.forget(gone.logical_id).derived == 0
    assert contents(forge) == [PIER] and forge.check() == []


def test_no_name_of_a_forgotten_project_is_left(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        forge.remember_many([note(PIER, each, project="quokka") for each in "ab"])
        forge.dreams.run("quokka")
        assert forge.forget(project="quokka", confirmed=True).verified
        assert not any("quokka" in each for each in forge._stages.door.asking(Scope()).marks(""))
    assert not [each for each in tmp_path.rglob("*") if each.is_file() and b"quokka" in each.read_bytes()]


def test_after_an_undo_each_is_forgotten_by_itself(forge: Forge) -> None:
    kept, gone, *_ = filled(forge)
    forge.dreams.run("p")
    forge.dreams.undo("last", project="p")
    assert forge.forget(gone.logical_id, confirmed=True).derived == 0
    assert forge.get(kept.logical_id).content == PIER
    # What came to be since stays as it is: only what nobody changed is taken back.
    forge.remember_many([note(PIER, "s9")])
    (done,) = forge.dreams.run("p")
    assert steps(done)["merge"] == 1
    forge.forget(kept.logical_id, confirmed=True)
    revised = forge.patterns.list("p")
    forge.dreams.undo(done.id)
    assert PIER not in contents(forge) and revised == [] and forge.check() == []


def test_apart_stays_what_differs_in_whose_when_or_what(forge: Forge) -> None:
    drafts = [
        note(PIER, "a"),
        note(PIER, "b", project="q"),
        note(PIER, "c", level="collective"),
        note(PIER, "d", valid_at=SINCE + DAY),
        note(PIER, "e", tags=["ops"]),
        note(PIER, "f", invalid_at=SINCE + 900 * DAY),
        note("The pier server restarts every night at 2.", "g"),
        note("The pier server never restarts every night at two.", "h"),
        note("The Pier server restarts every night at two.", "i"),
        note("Der Pier-Server startet jede Nacht um zwei neu.", "j"),
    ]
    forge.remember_many(drafts)
    forge.lend("ada").remember_many([note(PIER, "k")])
    linked = forge.remember_many([note(PIER, "l"), note("The pier has a server.", "m")])
    felt = {"energy": 0.5, "confidence": 0.5, "emotion_vector": {"calm": 0.5}, "goal": "g", "mindstate": "m"}
    forge.link(linked[0].logical_id, linked[1].logical_id, "RELATES_TO", **felt)
    reports = forge.dreams.run()
    assert [steps(each).get("merge", 0) for each in reports] == [1, 0]
    # What somebody linked stays for the one that nobody did.
    assert forge.get(linked[0].logical_id).correction_id is None
    assert {each.project for each in reports} == {"p", "q"} and forge.check() == []


def test_small_and_odd_stores(forge: Forge) -> None:
    assert forge.dreams.run() == [] and forge.dreams.past() == [] and "dreams" not in forge.due()
    with pytest.raises(NotFound):
        forge.dreams.undo()
    with pytest.raises(NotFound):
        forge.dreams.run("nowhere")
    forge.remember(PIER, project="one")
    (report,) = forge.dreams.run("one")
    assert report.ended_at is not None and steps(report) == {"recluster": 0}
    odd = [
        "\u5317\u4eac\u4e0b\u96e8\u4e86",
        "Il pleut \u00e0 P\u00e9kin",
        "\u0645\u0631\u062d\u0628\u0627",
        "\U0001f44d",
        "the",
        "...",
    ]
    forge.remember_many([note(each, f"s{number}") for number, each in enumerate([*odd, *odd[:2]])])
    (report,) = forge.dreams.run("p")
    assert steps(report)["merge"] == 2
    # Nothing stands of what it did but clusters: it is undone without asking, and only once.
    forge.dreams.undo(project="one")
    with pytest.raises(NotFound):
        forge.dreams.undo(project="one")


def test_energy_fades_by_the_time_since_whatever_the_clock_does(forge: Forge) -> None:
    now = datetime.now(UTC)
    forge.remember_many(
        [note(PIER, "a", energy=0.9), note(RULE, "b", energy=0.9, resolution_state="resolved")]
    )
    dreaming(forge, lambda: now + 10 * DAY).run(Scope(), "p")
    first = energies(forge)
    dreaming(forge, lambda: now - 300 * DAY).run(Scope(), "p")
    dreaming(forge, lambda: now + 5 * DAY).run(Scope(), "p")
    assert energies(forge) == first
    dreaming(forge, lambda: now + 45 * DAY).run(Scope(), "p")
    found = sorted(energies(forge).values())
    assert found == pytest.approx([0.5 + 0.4 * 0.5 ** (45 / 13.5), 0.7], abs=1e-6)
    assert forge.check() == []


def test_much_of_the_same_takes_little_time_and_is_undone_when_confirmed(forge: Forge, place: str) -> None:
    # More than a transaction takes on SQLite; a tenth of its speed on PostgreSQL.
    count = 1_000 if place.startswith("sqlite") else 200
    forge.remember_many([note(PIER, origin=f"o{number}") for number in range(count)])
    began = time.monotonic()
    (report,) = forge.dreams.run("p")
    assert time.monotonic() - began < 60
    assert steps(report)["merge"] == count - 1 and contents(forge) == [PIER]
    with pytest.raises(NotConfirmed):
        forge.dreams.undo()
    assert contents(forge) == [PIER]
    undone = forge.dreams.undo(confirmed=True)
    assert len(undone.restored) == count - 1 and len(contents(forge)) == count and forge.check() == []


DREAM: Final = """
import sys
import engramforge
with engramforge.open(sys.argv[1]) as forge:
    print("open", flush=True)
    forge.dreams.run("p")
"""


@pytest.mark.on_disk
def test_kill_9_in_the_middle_loses_nothing_and_the_next_dream_goes_on(forge: Forge, place: str) -> None:
    texts = [f"Ledger {number // 4} lies at the old pier." for number in range(1_000)]
    forge.remember_many([note(text, origin=f"o{at}", energy=0.9) for at, text in enumerate(texts)])
    ids = forge._stages.door.asking(Scope())
    child = Child(DREAM, place)
    try:
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and child.poll() is None:
            running = forge.dreams.past("p")
            if running and steps(running[0]).get("merge", 0):
                break
            time.sleep(0.005)
    finally:
        child.kill()
        child.wait(60)
    (killed,) = forge.dreams.past("p")
    done = steps(killed)["merge"]
    assert killed.ended_at is None and 0 < done < 750
    assert forge.check() == [] and ids.projects()[0].memories == 1_000 - done
    # It goes on by itself, when nobody is at work, without unrest.
    quiet = dreaming(forge, lambda: datetime.now(UTC) + timedelta(minutes=6))
    assert quiet.is_due(Scope()) and not forge._stages.dreaming.is_due(Scope())
    (report,) = quiet.dream_when_due(Scope())
    assert report.id == killed.id and report.ended_at is not None
    assert steps(report)["merge"] == 750 and ids.projects()[0].memories == 250
    assert not quiet.is_due(Scope())
    assert forge.check() == []


def test_of_two_that_dream_at_once_one_is_refused_and_all_is_undone(place: str) -> None:
    later = datetime.now(UTC) + 45 * DAY
    with engramforge.open(place) as forge, engramforge.open(place) as other:
        filled(forge)
        before, hot = contents(forge), energies(forge)
        refused: list[str] = []

        def clock() -> datetime:
            """While one is at it, between two of its transactions, another one is asked to dream, and to undo."""
            running = forge.dreams.past("p")
            if running and steps(running[0]).get("merge") and not refused:
                stage = dreaming(other, lambda: later)
                for ask in (lambda: stage.run(Scope(), "p"), lambda: stage.undo(Scope(), "last", "p", True)):
                    with pytest.raises(Conflict) as error:
                        ask()
                    refused.append(error.value.fault)
                assert not dreaming(other, lambda: later + timedelta(minutes=6)).is_due(Scope())
            return later

        (report,) = dreaming(forge, clock).run(Scope(), "p")
        assert len(refused) == 2 and all("now" in each for each in refused)
        assert steps(report)["merge"] == steps(report)["fade"] == steps(report)["promote"] == 1
        assert [each.id for each in other.dreams.past("p")] == [report.id]
        assert sorted(energies(forge).values())[-1] == pytest.approx(0.7, abs=1e-6)
        other.dreams.undo(confirmed=True)
        assert contents(forge) == before and energies(forge) == hot and forge.check() == []


def test_who_was_taken_over_does_nothing_more(forge: Forge) -> None:
    filled(forge)
    taken: list[DreamReport] = []

    # Another process looks at it once, when nobody is waited for any more.
    times = iter([datetime.now(UTC) + timedelta(hours=2)])

    def clock() -> datetime:
        running = forge.dreams.past("p")
        if running and steps(running[0]).get("merge") and not taken:
            taken.append(running[0])
            taken.extend(dreaming(forge, lambda: next(times, datetime.now(UTC))).run(Scope(), "p"))
        return datetime.now(UTC)

    with pytest.raises(Conflict, match="taken over"):
        dreaming(forge, clock).run(Scope(), "p")
    first, over = taken
    assert over.id == first.id and steps(over)["merge"] == steps(over)["promote"] == 1
    assert forge.dreams.past("p") == [over]
    forge.dreams.undo(confirmed=True)
    assert len(contents(forge)) == 7 and forge.check() == []


def test_last_is_the_last_that_stands_whatever_was_undone_and_put_back(forge: Forge) -> None:
    def there(word: str) -> int:
        return sum(word in each for each in contents(forge))

    def undone() -> list[bool]:
        return [each.is_undone for each in forge.dreams.past("p")]

    reports = []
    for word in ("east", "west"):
        forge.remember_many([note(f"The {word} pier is open", each) for each in "ab"])
        reports += forge.dreams.run("p")
    assert (there("east"), there("west")) == (1, 1)
    forge.dreams.undo()
    assert (there("east"), there("west"), undone()) == (1, 2, [True, False])
    forge.undo(confirmed=True)
    assert (there("east"), there("west"), undone()) == (1, 1, [False, False])
    forge.redo()
    assert (there("west"), undone()) == (2, [True, False])
    forge.undo(confirmed=True)
    # What was put back is taken back again, by its id or as the last one; then the one before.
    forge.dreams.undo("last")
    assert (there("east"), there("west"), undone()) == (1, 2, [True, False])
    forge.undo(confirmed=True)
    forge.dreams.undo(reports[1].id)
    forge.dreams.undo("last")
    assert (there("east"), there("west"), undone()) == (2, 2, [True, True])
    with pytest.raises(NotFound):
        forge.dreams.undo("last")
    assert forge.check() == []


def test_it_stops_when_a_session_is_active_and_goes_on_later(forge: Forge) -> None:
    filled(forge)
    told_at = []
    now = datetime.now(UTC)

    def clock() -> datetime:
        """Ten minutes later; somebody writes at the moment at which topics have been found."""
        running = forge.dreams.past("p")
        if running and steps(running[0]).get("recluster") is not None and not told_at:
            told_at.append(now)
            forge.remember("Somebody is at work.", project="p")
            return datetime.now(UTC)
        return datetime.now(UTC) + timedelta(minutes=0 if told_at else 10)

    stage = dreaming(forge, clock)
    stage.run(Scope(), "p", is_dry=True)
    forge._stages.door.write(Scope(), lambda writes: writes.save_mark("dreams/p", _running()))
    (report,) = stage.dream_when_due(Scope())
    assert report.ended_at is None and steps(report) == {"recluster": 2} and told_at
    assert stage.dream_when_due(Scope()) == [] and not stage.is_due(Scope())
    (report,) = dreaming(forge, lambda: datetime.now(UTC) + timedelta(minutes=10)).dream_when_due(Scope())
    assert report.ended_at is not None and steps(report)["merge"] == 1


def _running() -> dict[str, Any]:
    """The mark of a dream that has done nothing yet."""
    from engramforge.upkeep.dreams.kept import Dream, Dreams

    return Dreams(running=Dream("7f3e", datetime.now(UTC))).as_mark()


def test_a_restless_project_is_dreamt_of_after_five_minutes(forge: Forge) -> None:
    *themes, late = THEMES
    for theme in themes:
        told(forge, theme, 10)
    assert "topics" in forge.due() and "dreams" not in forge.due()
    forge.upkeep()
    started = datetime.now(UTC)
    assert not dreaming(forge, lambda: started + timedelta(minutes=4)).is_due(Scope())
    stage = dreaming(forge, lambda: started + timedelta(minutes=6))
    assert stage.is_due(Scope())
    topics = topics_by_memory(forge)
    told(forge, late, 10)
    (report,) = stage.dream_when_due(Scope())
    assert report.ended_at is not None and steps(report)["recluster"] >= 5
    assert not stage.is_due(Scope())
    # Its clusterings are undone, too.
    found = topics_by_memory(forge)
    assert len(set(found.values())) > len(set(topics.values()))
    dreaming(forge, lambda: started + timedelta(minutes=7)).undo(Scope(), "last", "studio", True)
    assert topics_by_memory(forge) == topics
    forge.topics.update("studio", anew=True)
    assert len(topics_by_memory(forge)) > len(topics) and forge.check() == []


def test_an_encoder_that_changes_between_steps(place: str, server: EmbeddingServer) -> None:
    settings = {"ENGRAMFORGE_EMBEDDING_BASE_URL": server.url, "OPENAI_API_KEY": KEY}
    where = {"ENGRAMFORGE_URL": place, **settings}
    with (
        open_forge(None, environment=where) as forge,
        open_forge(None, environment={**where, "ENGRAMFORGE_MODEL_EMBEDDING": "openai:small"}) as other,
    ):
        filled(forge)
        moved = []

        def clock() -> datetime:
            running = forge.dreams.past("p")
            if running and "merge" in steps(running[0]) and not moved:
                moved.append(other.reembed("semantic"))
            return datetime.now(UTC)

        (report,) = dreaming(forge, clock).run(Scope(), "p")
        assert moved and steps(report)["promote"] == 1 and report.ended_at is not None
        assert forge.check() == [] and forge.encoders()[0].held == "openai:small"
        forge.dreams.undo(confirmed=True)
        assert forge.check() == [] and len(contents(forge)) == 7


def sizes(forge: Forge) -> dict[str, int]:
    return {each.id: each.size for each in forge.topics.browse(limit=100)}


def test_after_an_undo_topics_are_as_before_or_are_found_anew(forge: Forge) -> None:
    for theme in ("kiln", "violin", "tomato"):
        told(forge, theme, 9, project="p")
    # There were none before the first dream.
    forge.dreams.run("p")
    forge.dreams.undo("last")
    assert sizes(forge) == {} and "topics" in forge.due()
    (report,) = forge.topics.update()
    assert report.batch and report.topics == len(sizes(forge)) > 0
    # What a dream merged is written again by its undo, and is of the same topics.
    texts = [text for theme in ("kiln", "violin", "tomato") for text in said(theme, 9, seed=1)]
    forge.remember_many([note(each, "first") for each in texts])
    forge.remember_many([note(each.replace(" ", "  ", 1), "again") for each in texts])
    forge.topics.update("p", anew=True)
    before = sizes(forge)
    (done,) = forge.dreams.run("p")
    assert steps(done)["merge"] >= 20
    forge.dreams.undo("last", confirmed=True)
    assert sizes(forge) == before
    # The clock jumped back to before any topic.
    early = dreaming(forge, lambda: SINCE - 400 * DAY)
    early.run(Scope(), "p")
    held = sizes(forge)
    assert held
    early.undo(Scope(), "last", "p", True)
    forge.topics.update()
    assert sizes(forge) and forge.check() == []
