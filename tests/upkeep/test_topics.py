"""Topics of real stores: found, named, kept over new clusterings; valid for whatever a store holds."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Final

import pytest

import engramforge
from engramforge.errors import InvalidTime, InvalidValue, NotFound
from engramforge.forge import Forge
from engramforge.model.scope import Scope
from engramforge.model.topics.topic import FEATURES, TopicQuery
from engramforge.upkeep.topics.keeping import GROWN
from engramforge.upkeep.topics.updating import TopicUpkeep

THEMES: Final = {
    "kiln": "kiln glaze clay pottery firing cone bisque wheel porcelain ceramic",
    "violin": "violin strings bow rosin concerto orchestra tuning peg melody sonata",
    "tomato": "tomato seedlings greenhouse compost soil pruning basil harvest watering trellis",
    "router": "router firewall packet gateway subnet firmware wireless ethernet latency switch",
    "passport": "passport visa embassy border stamp consulate traveller flight ticket customs",
}
FRAMES: Final = (
    "The {0} and the {1} need more {2}",
    "We talked about {0}, {1} and the {2}",
    "Ask Mira about the {0} before the {1} and {2}",
    "Notes on {0}: {1} first, then {2}",
)
NOW: Final = datetime(2026, 5, 1, tzinfo=UTC)


def said(theme: str, count: int, seed: int = 0) -> list[str]:
    """Sentences of a theme, no two alike."""
    rng = random.Random(f"{theme}{seed}")
    words = THEMES[theme].split()
    return [
        f"{rng.choice(FRAMES).format(*rng.sample(words, 3))}, item {seed}{number}." for number in range(count)
    ]


def told(forge: Forge, theme: str, count: int, seed: int = 0, project: str = "studio") -> list[str]:
    """Remember sentences of a theme; their logical ids."""
    drafts = [{"content": text, "project": project} for text in said(theme, count, seed)]
    return [memory.logical_id for memory in forge.remember_many(drafts)]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, list[str]]]]:
    """A store with five themes of fifteen memories, and their ids."""
    home = tmp_path_factory.mktemp("themes")
    with engramforge.open(home) as forge:
        yield home, {theme: told(forge, theme, 15) for theme in THEMES}


def topics_by_memory(forge: Forge, related: bool = False) -> dict[str, str]:
    """Logical id -> topic."""
    return {
        memory.logical_id: topic.id
        for topic in forge.topics.browse("studio", limit=100)
        for memory, _ in forge.topics.memories(topic.id, limit=1_000, related=related)
    }


def test_themes_are_found_named_and_go_on(made: tuple[Path, dict[str, list[str]]]) -> None:
    home, ids = made
    with engramforge.open(home) as forge:
        assert "topics" in forge.due()
        (report,) = forge.topics.update("studio")
        assert report.batch and report.memories == 75 and report.fresh == 75 and report.topics >= 5
        assert "topics" not in forge.due() and forge.topics.update() == []
        of = topics_by_memory(forge)
        names = {topic.id: topic.name for topic in forge.topics.browse("studio")}
        for theme, its in ids.items():
            counts = Counter(of[each] for each in its if each in of)
            # Of each topic, none has memories of two themes.
            others = {of[each] for other in ids if other != theme for each in ids[other] if each in of}
            assert sum(counts.values()) >= 12 and others.isdisjoint(counts)
            main = counts.most_common(1)[0][0]
            assert set(THEMES[theme].split()) & set(names[main].replace(",", "").split()), names[main]
        topic = forge.topics.get(forge.topics.browse("studio")[0].id[:13])
        assert topic.confidence >= 2.5 / 8.5 and len(topic.profile) == 13
        assert (topic.phase, topic.membership_stability, topic.centroid_stability) == ("emerging", 1.0, 1.0)
        # What comes joins, without a new clustering; enough of it makes one, in which the topics go on.
        before = set(names)
        (one,) = told(forge, "kiln", 1, seed=1)
        (report,) = forge.topics.update()
        assert not report.batch and report.fresh == 1 and report.churn <= 0.05
        kiln = Counter(of[each] for each in ids["kiln"] if each in of)
        assert topics_by_memory(forge, related=True)[one] in kiln
        for theme in THEMES:
            told(forge, theme, 4, seed=2)
        (report,) = forge.topics.update()
        assert report.batch and report.memories >= GROWN * 75
        after = {each.id for each in forge.topics.browse("studio", limit=100)}
        main = {
            counts.most_common(1)[0][0]
            for its in ids.values()
            if (counts := Counter(of[i] for i in its if i in of))
        }
        assert main <= before & after
        assert [each["memories"] for each in forge.topics.history("studio")] == [75, 96]


def test_a_forget_takes_the_name_until_the_next_update(made: tuple[Path, dict[str, list[str]]]) -> None:
    home, ids = made
    with engramforge.open(home) as forge:
        forge.topics.update()
        of = topics_by_memory(forge)
        gone = next(each for each in ids["violin"] if each in of)
        topic = of[gone]
        forge.forget(gone)
        held = forge._stages.door.asking(Scope())
        assert {each.id: each.name for each in held.topics(TopicQuery())}[topic] == ""
        # Whoever asks is told a name all the same, of what is left.
        assert forge.topics.get(topic).name
        forge.topics.update()
        assert {each.id: each.name for each in held.topics(TopicQuery())}[topic]


def test_every_store_has_a_valid_answer(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        assert forge.topics.browse() == [] and forge.topics.update() == []
        forge.remember("One memory alone.", project="studio")
        assert [each.topics for each in forge.topics.update("studio")] == [0]
        forge.remember("Zwei Erinnerungen, eine davon deutsch.", project="studio")
        assert [each.topics for each in forge.topics.update("studio", anew=True)] == [0]
        told(forge, "tomato", 6)
        (report,) = forge.topics.update("studio", anew=True)
        assert report.memories == 8 and report.unclustered >= 2
        with pytest.raises(NotFound, match="nowhere"):
            forge.topics.update("nowhere")
        with pytest.raises(NotFound, match="is no topic"):
            forge.topics.get("ffffffff")
        with pytest.raises(InvalidValue, match="limit"):
            forge.topics.browse(limit=0)
        with pytest.raises(InvalidTime):
            forge.topics.browse(since="2026-05-02", until="2026-05-01")


def test_what_says_the_same_is_one_topic(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        same = [
            {
                "content": "The ferry leaves the harbour at six.",
                "project": "studio",
                "session_id": f"s{number}",
            }
            for number in range(400)
        ]
        forge.remember_many(
            [{**each, "valid_at": NOW - timedelta(minutes=number)} for number, each in enumerate(same)]
        )
        told(forge, "kiln", 10)
        forge.topics.update("studio", anew=True)
        largest = forge.topics.browse("studio")[0]
        count = len(forge.memories(limit=1_000))
        assert largest.size >= count - 20 and "ferry" in largest.name


def test_a_clock_that_jumps_back_loses_nothing(
    made: tuple[Path, dict[str, list[str]]], tmp_path: Path
) -> None:
    with engramforge.open(tmp_path) as forge:
        told(forge, "router", 12)
        told(forge, "passport", 12)
        door, sizes = forge._stages.door, []
        for day in (10, 3, 20):
            TopicUpkeep(door, partial(NOW.__add__, timedelta(days=day))).update(Scope(), "studio", anew=True)
            found = forge.topics.browse("studio")
            sizes.append({each.id: each.size for each in found})
        assert sizes[0] and sizes == [sizes[0]] * 3


def test_each_agent_is_told_what_it_may_see(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        told(forge, "kiln", 12)
        told(forge, "router", 12)
        forge.topics.update()
        other = forge.lend("another")
        assert forge.topics.browse() and other.topics.browse() == []
        with pytest.raises(NotFound):
            other.topics.update("studio")
        told(other, "violin", 9)
        (report,) = other.topics.update("studio", anew=True)
        found = other.topics.browse()
        assert report.memories == 9 and report.topics == len(found) and report.unclustered <= 9
        words = set(" ".join(THEMES["violin"].split() + said("violin", 9)).lower().split())
        assert all(set(each.name.replace(",", "").split()) <= words for each in found)


def test_newcomers_that_fit_none_make_up_a_topic_of_their_own(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        for theme in ("kiln", "violin", "tomato", "router"):
            told(forge, theme, 25)
        forge.topics.update()
        before = {each.id for each in forge.topics.browse("studio", limit=100)}
        told(forge, "passport", 9)
        (report,) = forge.topics.update()
        assert not report.batch and report.found == 0, "too few wait"
        told(forge, "passport", 6, seed=1)
        (report,) = forge.topics.update()
        assert not report.batch and report.found >= 1
        new = [each for each in forge.topics.browse("studio", limit=100) if each.id not in before]
        assert sum(each.size for each in new) >= 8
        assert any(set(each.name.split()) & set(THEMES["passport"].split()) for each in new)
        # What comes later joins it, and it is a topic as the others are at the next clustering.
        (late,) = told(forge, "passport", 1, seed=2)
        forge.topics.update()
        assert topics_by_memory(forge, related=True).get(late) in {each.id for each in new}
        (report,) = forge.topics.update("studio", anew=True)
        after = {each.id for each in forge.topics.browse("studio", limit=100)}
        assert before <= after and after & {each.id for each in new}


def test_a_recall_by_clusters_finds_what_is_alike_first(made: tuple[Path, dict[str, list[str]]]) -> None:
    home, ids = made
    with engramforge.open(home) as forge:
        forge.topics.update()
        query = "Which tuning of the strings does the orchestra use?"
        found = forge.topics.recall(query, "studio", limit=10)
        mine = [hit.memory.logical_id in ids["violin"] for hit in found.hits]
        before = [hit.memory.logical_id in ids["violin"] for hit in forge.recall(query, limit=10).hits]
        assert len(mine) == 10 and sum(mine) >= max(sum(before), 8)
        assert {hit.memory.id for hit in found.hits[:1]} == {
            hit.memory.id for hit in forge.recall(query, limit=1).hits
        }
        for wrong in (0, 201):
            with pytest.raises(InvalidValue, match="limit"):
                forge.topics.recall(query, limit=wrong)
        with pytest.raises(NotFound, match="nowhere"):
            forge.topics.recall(query, "nowhere")
    with engramforge.open(home.with_name("none")) as forge:
        assert forge.topics.recall("anything").hits == ()


def test_a_forget_drops_what_newcomers_join_by(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        told(forge, "kiln", 30)
        (gone, *_) = told(forge, "violin", 30)
        forge.topics.update()
        view = forge._stages.door.asking(Scope())
        assert (before := view.mark(FEATURES + "studio")) is not None
        of = topics_by_memory(forge)
        forge.forget(gone)
        assert view.mark(FEATURES + "studio") is None
        (one,) = told(forge, "kiln", 1, seed=1)
        (report,) = forge.topics.update()
        after = view.mark(FEATURES + "studio")
        assert not report.batch and after is not None and after["topics"] == before["topics"]
        assert topics_by_memory(forge, related=True)[one] in of.values()


def test_thirty_days_of_somebody_whose_work_changes(tmp_path: Path) -> None:
    """Five themes, each for nine days, two at a time: all are found and named; those that ended decline."""
    today = NOW
    with engramforge.open(tmp_path) as forge:
        upkeep = TopicUpkeep(forge._stages.door, lambda: today)
        seen: dict[str, set[str]] = {}
        for day in range(30):
            today = NOW + timedelta(days=day)
            for number, theme in enumerate(THEMES):
                if 5 * number <= day < 5 * number + 9:
                    texts = said(theme, 4, seed=day)
                    forge.remember_many(
                        {"content": text, "project": "studio", "valid_at": today} for text in texts
                    )
            for report in upkeep.update(Scope()):
                assert report.entropy <= 1
        forge._stages.clock = lambda: today  # type: ignore[misc]
        for topic in forge.topics.browse("studio", limit=100):
            its = [theme for theme, words in THEMES.items() if set(topic.name.split()) & set(words.split())]
            assert len(its) == 1, topic.name
            seen.setdefault(its[0], set()).add(topic.phase)
        assert seen.keys() == THEMES.keys()
        # The first three ended 21, 16 and 11 days ago, the last goes on.
        assert all(seen[theme] == {"declining"} for theme in list(THEMES)[:3]), seen
        assert "declining" not in seen["passport"], seen
