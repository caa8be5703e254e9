"""What is told of topics beside themselves: for a question, their parts and trends, tiers, after a move."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.upkeep.test_topics import THEMES, said, told, topics_by_memory
from uuid_utils import uuid7

import engramforge
from engramforge.errors import InvalidTime, InvalidValue, NotFound
from engramforge.forge import Forge
from engramforge.model.injection import Injected, Injection, Reason, Section
from engramforge.model.memory import Memory
from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.model.topics.topic import TopicRow

SCOPE = Scope()
EVERYBODY = Scope(every_agent=True)
COUNT = 24


def dated(forge: Forge, theme: str, days: list[float], project: str = "studio") -> list[Memory]:
    """Remember sentences of a theme, each so many days ago."""
    now = datetime.now(UTC)
    return forge.remember_many(
        [
            {"content": text, "project": project, "valid_at": now - timedelta(days=day)}
            for text, day in zip(said(theme, len(days)), days, strict=True)
        ]
    )


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A store of 120 memories: kilns are new, violins were of the weeks before, the rest is long ago."""
    place = tmp_path_factory.mktemp("told")
    with engramforge.open(place) as forge:
        dated(forge, "kiln", [each / 5 for each in range(COUNT)])
        dated(forge, "violin", [9 + each / 2 for each in range(COUNT)])
        for theme in ("tomato", "router", "passport"):
            dated(forge, theme, [200 + each for each in range(COUNT)])
        forge.topics.update()
    yield place


def themes_of(texts: list[str]) -> set[str]:
    """The themes whose words the texts have."""
    words = set(" ".join(texts).lower().replace(",", " ").replace(".", " ").replace(":", " ").split())
    return {theme for theme, its in THEMES.items() if words & set(its.split())}


def test_the_topic_of_a_question_comes_first(home: Path) -> None:
    with engramforge.open(home) as forge:
        for asked, theme in (
            ("Which glaze does the porcelain want before its firing?", "kiln"),
            ("the sonata of the orchestra, and its strings", "violin"),
            ("a visa stamp at the border", "passport"),
        ):
            answer = forge.recall(asked, scope="topics", limit=3)
            assert answer.answered and not answer.hits and answer.searched >= 5 * COUNT
            first = answer.topics[0]
            assert themes_of([each.content for each in first.nearest]) == {theme}, asked
            assert first.topic.project == "studio" and 1 <= len(first.nearest) <= 3
            scores = [each.score for each in answer.topics]
            assert scores == sorted(scores, reverse=True) and 0 < scores[-1] <= scores[0] <= 1
        # A word of a name alone is enough; what nobody said fits little, and takes no word from anyone.
        topic = forge.topics.browse(limit=1)[0]
        assert forge.topics.search(topic.name)[0].topic.id == topic.id
        assert forge.recall("kiln", scope="topics", project="nowhere").note
        assert forge.lend("another").topics.search("kiln glaze") == []
        for wrong in (
            {"kinds": ["note"]},
            {"since": "2026-01-01"},
            {"entity": "Mira"},
            {"mode": "full_history"},
        ):
            with pytest.raises(InvalidValue, match="The scope topics takes no"):
                forge.recall("kiln", scope="topics", **wrong)  # type: ignore[arg-type]
        with pytest.raises(InvalidValue, match="without words"):
            forge.recall(scope="topics")
        with pytest.raises(InvalidValue, match="empty"):
            forge.topics.search("  ")


def test_trends_are_of_the_last_week_against_the_four_before(home: Path) -> None:
    with engramforge.open(home) as forge:
        trends: dict[str, set[str]] = {}
        for topic in forge.topics.browse(limit=100):
            texts = [memory.content for memory, _ in forge.topics.memories(topic.id)]
            for theme in themes_of(texts):
                trends.setdefault(theme, set()).add(topic.trend)
        assert trends["kiln"] == {"rising"} and trends["violin"] <= {"falling", "steady", "quiet"}
        assert "falling" in trends["violin"] and trends["tomato"] == {"quiet"}
        # Of another time nothing is said, nor of a project of fewer than a hundred.
        assert {each.trend for each in forge.topics.browse(since="2020-01-01")} == {""}


def test_a_topic_of_two_matters_has_two_parts(home: Path, tmp_path: Path) -> None:
    with engramforge.open(tmp_path / "own") as forge:
        mixed = [*told(forge, "kiln", 12), *told(forge, "passport", 9)]
        door = forge._stages.door
        found = forge._stages.door.asking(SCOPE).fetch(mixed)
        places = door.asking(SCOPE).places_of([each.id for each in found.values()])
        row = TopicRow(str(uuid7()), "mixed", None, datetime.now(UTC), details={"agreement": 3.0})
        positions = list(places.values())
        door.write(EVERYBODY, lambda writes: writes.save_topics("studio", [row]))
        ids = [row.id] * len(positions)
        agreed = [3.0] * len(positions)
        at = datetime.now(UTC)
        door.write(EVERYBODY, lambda writes: writes.place_members(at, positions, ids, agreed))
        assert forge.topics.parts(row.id) == []
        # From a hundred memories of the project on.
        told(forge, "tomato", 80)
        parts = forge.topics.parts(row.id)
        assert sum(each.size for each in parts) == 21 and len(parts) >= 2
        kinds = [themes_of([each.name]) | themes_of([each.middle.content]) for each in parts]
        assert all(len(each) == 1 for each in kinds) and set.union(*kinds) == {"kiln", "passport"}
        assert [each.size for each in parts] == sorted((each.size for each in parts), reverse=True)
        with pytest.raises(NotFound):
            forge.lend("another").topics.parts(row.id)


@dataclass
class Failing:
    """A door that cannot tell what is to be clustered."""

    door: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.door, name)

    def tending(self, scope: Scope) -> Any:
        raise ValueError("hidden words")


def test_tiers_say_what_a_size_gives_and_what_waits(home: Path, tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        assert forge.topics.standing() == [] and forge.topics.tiers() == []
        forge.remember("A single note.", project="alone")
        told(forge, "kiln", 12)
        large, small = forge.topics.standing()
        assert (large.project, large.tier, large.next_at) == ("studio", 3, 30)
        assert (small.tier, small.next_at, small.has) == (1, 3, "two memories are compared")
        assert large.waiting == large.of_none == 12 and large.clustered_at is None
        assert large.waiting_since is not None and not large.is_outdated
        assert not large.is_late
        later = replace(
            forge._stages.topic_reading.upkeep, clock=lambda: datetime.now(UTC) + timedelta(days=2)
        )
        reading = replace(forge._stages.topic_reading, upkeep=later)
        assert (
            reading.standing(SCOPE, "studio", 12).is_late and not reading.standing(SCOPE, "alone", 1).is_late
        )
        forge.topics.update()
        large = forge.topics.standing("studio")[0]
        assert large.waiting == 0 and large.clustered_at is not None and large.of_none < 12
        assert large.topics == len(forge.topics.browse())
        # An update that fails is told by its kind, without words; the next one that does not takes it back.
        upkeep = forge._stages.topic_upkeep
        with pytest.raises(ValueError, match="hidden"):
            replace(upkeep, door=Failing(upkeep.door)).update(SCOPE, "studio")
        assert {(each.fault, each.failed_at is None) for each in forge.topics.standing()} == {
            ("ValueError", False)
        }
        # So does a dream.
        forge.dreams.run("studio")
        assert forge.topics.standing("studio")[0].failed_at is None
        with pytest.raises(ValueError, match="hidden"):
            replace(upkeep, door=Failing(upkeep.door)).update(SCOPE, "studio")
        door = forge._stages.door
        mark = dict(door.asking(SCOPE).mark("topics/studio") or {})
        door.write(SCOPE, lambda w: w.save_mark("topics/studio", {**mark, "encoders": ["semantic=old"]}))
        assert forge.topics.standing("studio")[0].is_outdated and "topics" in forge.due()
        assert "topics" in forge.upkeep()
        healed = forge.topics.standing("studio")[0]
        assert not healed.is_outdated and healed.failed_at is None and healed.fault == ""
        with pytest.raises(NotFound):
            forge.topics.standing("nowhere")


def test_maps_and_rivers_have_every_topic_once(home: Path) -> None:
    with engramforge.open(home) as forge:
        topics = forge.topics.browse(limit=100)
        places = forge.topics.places(limit=100)
        assert [each.topic.id for each in places] == [each.id for each in topics]
        assert all(abs(each.x) <= 1 and abs(each.y) <= 1 for each in places)
        assert len({(each.x, each.y) for each in places}) == len(places)
        river = forge.topics.river(limit=2, spans=10)
        of_topics = sum(each.size for each in topics)
        assert sum(map(sum, river.counts)) + sum(river.others) == of_topics
        assert [sum(each) for each in river.counts] == [each.size for each in river.topics]
        assert len(river.begins) == 10 and river.begins[0] < river.begins[-1] < river.end
        late = forge.topics.river(since=datetime.now(UTC) - timedelta(days=8), until=datetime.now(UTC))
        texts = [m.content for m, _ in forge.topics.memories(late.topics[0].id)]
        assert themes_of(texts) == {"kiln"}
        with pytest.raises(InvalidValue, match="spans"):
            forge.topics.river(spans=1)
        with pytest.raises(InvalidTime):
            forge.topics.river(since="2026-05-02", until="2026-05-01")


def test_a_store_that_is_moved_finds_its_topics_again(home: Path, tmp_path: Path) -> None:
    with engramforge.open(home) as forge:
        before = topics_by_memory(forge)
        with (tmp_path / "all.jsonl").open("wb") as file:
            forge.export(file)
    assert b"topics/studio" not in (tmp_path / "all.jsonl").read_bytes()
    engramforge.migrate(str(home), f"sqlite:///{tmp_path / 'moved.db'}")
    with engramforge.open(tmp_path / "restored") as forge:
        forge.import_path(tmp_path / "all.jsonl")
    for place in (f"sqlite:///{tmp_path / 'moved.db'}", str(tmp_path / "restored")):
        with closing(engramforge.open(place)) as forge:
            assert forge.topics.browse() == [] and "topics" in forge.due()
            assert forge.topics.update() and "topics" not in forge.due()
            after = topics_by_memory(forge)
            # The same topics, but for what lies between two.
            assert len(after.keys() ^ before.keys()) <= 6
            groups: dict[str, set[str]] = {}
            for memory in after.keys() & before.keys():
                groups.setdefault(after[memory], set()).add(before[memory])
            assert all(len(each) == 1 for each in groups.values())
            assert len(groups) == len(set(before.values())) and groups.keys().isdisjoint(before.values())


def test_from_500_on_spaces_count_by_what_was_used(tmp_path: Path) -> None:
    """What shares names is taken up, what shares the theme is not: names count more from then on."""
    people = ("Ines Falk", "Jonas Petri", "Maja Horvat", "Tomas Ruud", "Nadia Salem", "Viktor Blom")
    with engramforge.open(tmp_path) as forge:
        drafts, of = [], []
        for theme in THEMES:
            for number, text in enumerate(said(theme, 102)):
                drafts.append({"content": f"{people[number % 6]}: {text}", "project": "studio"})
                of.append((theme, number % 6))
        memories = forge.remember_many(drafts)
        assert forge.topics.tiers()[0].tier == 6
        forge.topics.update()
        assert forge.topics.standing()[0].space_weights == {}
        rng = np.random.default_rng(5)
        records = []
        for number in range(60):
            theme, person = of[int(rng.integers(len(of)))]
            same_person = [m for m, (_, p) in zip(memories, of, strict=True) if p == person]
            same_theme = [m for m, (t, p) in zip(memories, of, strict=True) if t == theme and p != person]
            shown = [(m, True) for m in rng.choice(same_person, 3, replace=False)]  # type: ignore[arg-type]
            shown += [(m, False) for m in rng.choice(same_theme, 3, replace=False)]  # type: ignore[arg-type]
            records.append(
                Injection(
                    id=str(uuid7()),
                    event="UserPromptSubmit",
                    session=f"s{number}",
                    project="studio",
                    at=datetime.now(UTC),
                    tokens=1,
                    latency_ms=1.0,
                    memories=tuple(
                        Injected(m.logical_id, m.id, Section.RECENT, Reason.ANSWERS, 1.0, used=used)
                        for m, used in shown
                    ),
                )
            )
        forge._stages.door.write(SCOPE, lambda writes: writes.save_injections(records))
        weights = forge.topics.standing()[0].space_weights
        assert weights[Space.ENTITY] > 1.3 > weights[Space.SEMANTIC]
        assert all(0.25 <= each <= 4 for each in weights.values())
        assert forge.topics.search("a kiln with glaze")[0].nearest


def test_figures_of_all_are_told_to_who_sees_all(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        shared = [{"content": each, "project": "studio", "level": "collective"} for each in said("kiln", 9)]
        forge.remember_many(shared)
        told(forge, "violin", 9)
        pair = ("The north pump stops at two.", "the north pump stops at two")
        forge.remember_many([{"content": each, "project": "studio", "session_id": each} for each in pair])
        forge.dreams.run("studio")
        then = datetime.now(UTC)
        (own,) = forge.topics.standing()
        assert own.churn is not None and own.entropy is not None
        assert set(forge.topics.history("studio")[0]) == {"at", "memories", "topics", "churn", "entropy"}
        assert {str(each.name): each.count for each in forge.dreams.past()[0].steps}["merge"] == 1
        other = forge.lend("another")
        (seen,) = other.topics.standing()
        assert (seen.memories, seen.churn, seen.entropy) == (9, None, None)
        assert [set(each) for each in other.topics.history("studio")] == [{"at"}]
        steps = {str(each.name): (each.count, each.ids) for each in other.dreams.past()[0].steps}
        assert steps["merge"] == (0, ()) and steps["recluster"][0] == len(steps["recluster"][1])
        (report,) = other.topics.update("studio", anew=True)
        assert report.churn is None and report.entropy is None
        # Who sees some memories of a topic sees a name of their words, after they ended as well.
        names = {each.name for each in other.topics.browse(as_of=then)}
        assert names and all(names)
        for each in forge.memories(project="studio", limit=100):
            forge.invalidate(each.logical_id)
        (report,) = forge.topics.update("studio", anew=True)
        assert report.topics == 0 and report.ended > 0
        assert {each.name for each in other.topics.browse(as_of=then)} == names
        assert all(each.expired_at for each in forge.topics.browse(as_of=then))


def test_a_river_at_the_end_of_time(home: Path) -> None:
    with engramforge.open(home) as forge:
        for since in ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59.999999Z"):
            river = forge.topics.river(since=since)
            assert river.topics == () and not sum(river.others)
