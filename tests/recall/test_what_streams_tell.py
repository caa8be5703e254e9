"""What a stream tells of versions, of what is far from the question, of links and of what is done."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from engramforge.errors import InvalidTime
from engramforge.faces.cli.stream_output import show_stream
from engramforge.faces.views.stream import StreamView
from engramforge.forge import Forge
from engramforge.model.streams.stream import Stream
from engramforge.model.streams.ways import Tier

SOUND: dict[str, Any] = {
    "energy": 0.5,
    "confidence": 0.9,
    "emotion_vector": {},
    "goal": "dry",
    "mindstate": "calm",
}


def told(stream: Stream) -> list[str]:
    return [each.memory.content for held in stream.tiers.values() for each in held]


def on(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(tzinfo=UTC)


def test_versions_of_a_belief_stand_in_the_order_of_time_and_say_that_they_ended_later(forge: Forge) -> None:
    weights = [
        "The bell weighs a ton.",
        "The bell of the chapel weighs two tons.",
        "How heavy the bell is: three tons.",
    ]
    bell = forge.remember(weights[0], valid_at="2024-01-03", recorded_at="2024-01-03")
    forge.revise(bell.logical_id, weights[1], recorded_at="2024-03-03")
    forge.revise(bell.logical_id, weights[2], recorded_at="2024-05-03")
    rope = forge.remember(
        "The bell hangs on a rope of hemp.", valid_at="2024-01-05", recorded_at="2024-01-05"
    )
    forge.supersede(rope.logical_id, "The bell hangs on a chain.", at="2024-06-02", recorded_at="2024-06-04")
    wood = forge.remember(
        "The bell hangs in a tower of oak.", valid_at="2024-01-06", recorded_at="2024-01-06"
    )
    forge.revise(
        wood.logical_id, "The bell hangs in a tower of oak.", tags=["tower"], recorded_at="2024-07-01"
    )
    for times in (
        {"temporal_mode": "full_history"},
        {"temporal_mode": "evolution", "time_range_start": "2024-01-01"},
    ):
        stream = forge.streams.by_intention("how heavy is the bell?", **times)
        for items in (stream.items, stream.tiers[Tier.FOCUS]):
            assert [
                each.memory.content for each in items if each.memory.logical_id == bell.logical_id
            ] == weights
    then = forge.streams.by_intention(
        "what of the bell?",
        temporal_mode="evolution",
        time_range_start="2024-01-01",
        time_range_end="2024-03-20",
    )
    ends = {
        each.memory.content: (each.ending, each.ended_at) for held in then.tiers.values() for each in held
    }
    assert ends == {
        weights[0]: ("was_wrong", None),
        weights[1]: ("ended_later", on("2024-05-03")),
        "The bell hangs on a rope of hemp.": ("ended_later", on("2024-06-02")),
        "The bell hangs in a tower of oak.": (None, None),
    }


def test_what_is_far_below_the_best_fills_up_no_focus_and_is_counted(
    forge: Forge, capsys: pytest.CaptureFixture[str]
) -> None:
    forge.remember("The glass dome is cleaned every second spring by two climbers.")
    for each in (
        "The windows are clean.",
        "Ladders are checked every month.",
        "Ines often bakes rye.",
        "The spring of the clock is broken.",
    ):
        forge.remember(each, energy=0.9, emotion_vector={"grief": 0.9})
    stream = forge.streams.by_intention("how often is the glass dome cleaned?")
    near = [*stream.tiers[Tier.FOCUS], *stream.tiers[Tier.PERIPHERAL]]
    best = near[0].relevance
    assert all(each.relevance >= 0.2 * best for each in near) and "glass dome" in near[0].memory.content
    assert stream.far == len(stream.memories) - len(near) == len(stream.tiers[Tier.BACKGROUND]) > 0
    # What is left out says nothing of how what is told is felt.
    assert "grief" not in stream.summary.emotional_themes
    show_stream(StreamView.of(stream))
    assert f"{stream.far} far less relevant than the best left out above" in capsys.readouterr().out
    # Without a question nothing is far from it.
    assert not forge.streams.by_state(current_energy=0.5, query_mode="find_what_i_was_doing").far


@pytest.mark.parametrize(
    ("question", "changed"),
    [
        ("what does Ines bake?", "Ines bakes rye on Mondays."),
        ("how long is the ferry queue?", "The ferry queue is 20 minutes long."),
        ("office", "Our office is on Elm street."),
    ],
)
def test_no_change_is_told_of_what_is_far_from_the_question(
    forge: Forge, question: str, changed: str
) -> None:
    for before, after in (
        ("The ferry queue is 20 minutes long.", "The queue for the ferry takes 35 minutes."),
        ("Ines bakes rye on Mondays.", "Ines bakes rye on Tuesdays."),
        ("The clock tower has four bells.", "The clock tower has five bells."),
        ("A walk to the beach takes 10 minutes.", "A walk to the beach takes 15 minutes."),
        ("Our office is on Elm street.", "Our office moved to Oak street."),
    ):
        one = forge.remember(before, recorded_at="2026-01-03", valid_at="2026-01-03", near=False)
        forge.revise(one.logical_id, after, recorded_at="2026-02-03")
    for times in ({"temporal_mode": "full_history"}, {"temporal_mode": "evolution"}):
        stream = forge.streams.by_intention(question, **times)
        assert [each.original for each in stream.dissonances] == [changed]
        # Nor is there a pattern of them: two walks and queues took longer than was thought.
        assert not stream.corrections


DONE = (
    *(
        "Mara caulked the hull with hemp.",
        "Jens Lund mended the net.",
        "I have written to the harbour master.",
    ),
    *(
        "Rebuilt the rudder in oak.",
        "The mast was varnished on Monday.",
        "The keel of the sloop was scraped.",
    ),
)
NOT_DONE = (
    *("Cut the rope at the north end.", "I am varnishing the mast.", "Order seed for the shared beds."),
    *("Mara started caulking the hull.", "Half of the mast was varnished.", "The rudder was not rebuilt."),
    *("Fit the hardened bolt.", "Was the keel scraped?", "The pump that leaked needs a seal."),
)


def test_what_i_was_doing_leaves_out_what_is_told_as_done_and_closed_threads(forge: Forge) -> None:
    for each in (*DONE, *NOT_DONE):
        forge.remember(each, kind="action", energy=0.8, near=False)
    notes = {
        each: forge.remember(each, energy=0.9, near=False)
        for each in (
            "The seating of the choir is done.",
            "The seating of the band is almost done.",
            "Sails were sewn.",
        )
    }
    todo = forge.remember("TODO: paint the pier before the feast.", goal="open the pier", near=False)
    other = forge.remember("TODO: mow the meadow before the feast.", goal="open the meadow", near=False)
    (thread,) = (each.id for each in forge.threads.browse() if "pier" in each.title)

    def doing() -> set[str]:
        return set(told(forge.streams.by_state(current_energy=0.5, query_mode="find_what_i_was_doing")))

    # What happened and serves no goal, and what was learned, is nothing that anybody is doing.
    for each in ("We launched the sloop at noon.", "Lesson: tar the seams twice."):
        forge.remember(each, kind="learning" if "Lesson" in each else "note", energy=0.9, near=False)
    second = list(notes)[1]
    served = forge.remember("Masts were stepped.", energy=0.9, goal="sail in May", near=False).content
    assert doing() == {*NOT_DONE, second, served, todo.content, other.content}
    forge.threads.update(thread, status="resolved")
    assert doing() == {*NOT_DONE, second, served, other.content}


def test_since_and_until_go_by_when_the_version_that_holds_began_to(forge: Forge) -> None:
    """By the valid axis: what was resolved is another state of the world from that day on; what held before is asked
    as of a day."""
    leak = forge.remember("The hold of the sloop leaks.", resolution_state="blocked", valid_at="2024-11-17")
    tar = forge.remember("The seams of the sloop were tarred.", valid_at="2024-11-26")
    forge.link(leak.id, tar.id, "RESOLVED_BY", valid_at="2024-11-26", **SOUND)

    def states(**times: str) -> list[tuple[str, str]]:
        hits = [each.memory for each in forge.recall("what leaks in the sloop?", **times).hits]
        return [
            (str(each.resolution_state), f"{each.told_at:%m-%d}") for each in hits if "leaks" in each.content
        ]

    assert states(since="2024-11-20") == states() == [("resolved", "11-17")]
    assert states(until="2024-11-20") == []
    assert states(until="2024-11-20", as_of_valid="2024-11-20") == [("blocked", "11-17")]
    assert states(since="2024-11-20", as_of_valid="2024-11-20") == []


def test_a_question_without_a_name_says_that_nothing_was_sought_along_links(
    forge: Forge, capsys: pytest.CaptureFixture[str]
) -> None:
    cask = forge.remember("The big cask in the cellar leaks.")
    assert not forge.streams.by_intention("what leaks in the cellar?").by_meaning_alone
    hoop = forge.remember("Its third hoop rusted through.", near=False)
    named = forge.remember("Edda Voss made the cask.", near=False)
    forge.link(cask.id, hoop.id, "CAUSES", **SOUND)
    forge.link(named.id, cask.id, "MADE", **SOUND)
    stream = forge.streams.by_intention("what leaks in the cellar?")
    assert stream.by_meaning_alone
    show_stream(StreamView.of(stream))
    assert "nothing was sought along links: --spreading does" in capsys.readouterr().out
    assert not forge.streams.by_intention("what leaks in the cellar?", spreading=True).by_meaning_alone
    assert not forge.streams.by_intention("what did Edda Voss make?").by_meaning_alone
    assert not forge.streams.by_state(current_energy=0.5, current_goal="dry").by_meaning_alone


def test_what_links_lead_to_is_measured_by_what_they_lead_to(forge: Forge) -> None:
    """In a chain of links a path weighs less with each, and no less of the question is at its end."""
    said = (
        "Ilse praised the Kestrel press at the fair.",
        "A Kestrel prints on felt.",
        "Size 9 rollers fit it.",
    )
    first, second, third = (forge.remember(each, near=False) for each in said)
    forge.link(first.id, second.id, "RELATES_TO", **SOUND)
    forge.link(second.id, third.id, "DEPENDS_ON", **SOUND)
    for each in (
        *("Lunch is at noon.", "The yard floods in March.", "Otto keeps bees behind the shed."),
        # That it mentions her is no link.
        "Ilse parks by the gate.",
    ):
        forge.remember(each, near=False)
    stream = forge.streams.by_intention("what does the press that Ilse praised need?")
    assert {*said} <= {each.memory.content for each in stream.tiers[Tier.FOCUS]}
    far = {each.memory.content for each in stream.tiers[Tier.BACKGROUND]}
    assert stream.far == len(far) and not far & {*said}
    # What answers is no more relevant than it is.
    best = max(each.relevance for each in stream.items)
    assert best < 0.9 and all(each.relevance < 0.2 * best for each in stream.tiers[Tier.BACKGROUND])


def test_a_belief_was_held_since_it_came_on_record_whatever_range_is_asked(forge: Forge) -> None:
    tide = forge.remember("The sluice opens at 2 metres.", valid_at="2024-01-03", recorded_at="2024-01-04")
    forge.supersede(
        tide.logical_id, "The sluice opens at 3 metres.", at="2024-04-02", recorded_at="2024-04-05"
    )
    forge.revise(tide.logical_id, "The sluice opens at 4 metres.", recorded_at="2024-08-07")
    every = [("2024-01-04", "2024-04-05"), ("2024-04-05", "2024-08-07")]
    for since, until, held in (
        ("2024-05-01", "2024-06-01", every[:1]),
        ("2024-02-01", "2024-06-01", every[:1]),
        ("2024-05-01", "2024-09-01", every),
        ("2024-02-01", "2024-03-01", []),
    ):
        stream = forge.streams.by_intention(
            "when does the sluice open?",
            temporal_mode="evolution",
            time_range_start=since,
            time_range_end=until,
        )
        found = [(f"{each.held_from:%F}", f"{each.held_until:%F}") for each in stream.dissonances]
        assert found == held


def test_changes_before_a_range_are_told_with_their_own_dates(forge: Forge) -> None:
    ferry = forge.remember(
        "The ferry leaves at seven.", valid_at="2020-01-01", recorded_at="2020-01-01", near=False
    )
    for year, hour in ((2021, "eight"), (2022, "nine"), (2025, "ten")):
        day = f"{year}-01-01"
        ferry = forge.supersede(ferry.id, f"The ferry leaves at {hour}.", at=day, recorded_at=day)
    stream = forge.streams.by_intention(
        "when does the ferry leave?",
        temporal_mode="evolution",
        time_range_start="2023-01-01",
        time_range_end="2024-01-01",
    )
    told = [
        (
            each.original.split()[-1][:-1],
            f"{each.held_from:%Y}",
            f"{each.held_until:%Y}",
            f"{each.corrected_at:%Y}",
        )
        for each in stream.dissonances
    ]
    assert told == [("seven", "2020", "2021", "2021"), ("eight", "2021", "2022", "2022")]


def test_a_day_that_ends_a_range_belongs_to_it(forge: Forge) -> None:
    ferry = forge.remember(
        "The ferry leaves at seven.", valid_at="2024-01-01", recorded_at="2024-01-01", near=False
    )
    forge.supersede(
        ferry.id, "The ferry leaves at nine.", at="2024-03-05T10:00:00Z", recorded_at="2024-03-05T10:00:00Z"
    )

    def versions(start: str, end: str) -> set[int]:
        stream = forge.streams.by_intention(
            "when does the ferry leave?",
            temporal_mode="evolution",
            time_range_start=start,
            time_range_end=end,
        )
        return {each.memory.version for each in stream.items}

    assert versions("2024-02-01", "2024-03-05") == versions("2024-03-05", "2024-03-05") == {1, 2}
    assert versions("2024-02-01", "2024-03-04") == versions("2024-03-05", "2024-03-05T09:00:00Z") == {1}
    with pytest.raises(InvalidTime):
        versions("2024-03-05", "2024-03-04")


def test_the_versions_of_a_belief_stand_together_where_the_nearest_stands(forge: Forge) -> None:
    for lamp in range(6):
        forge.remember(f"The lighthouse lamp {lamp} turns.", near=False)
    lamp = forge.remember("The lighthouse lamp turns twice a minute.", near=False)
    for text in ("It stands still.", "A belt drives it.", "The lighthouse lamp turns thrice a minute."):
        lamp = forge.supersede(lamp.id, text)
    stream = forge.streams.by_intention(
        "how often does the lighthouse lamp turn in a minute?", temporal_mode="full_history"
    )
    for held in stream.tiers.values():
        versions = [each.memory.version for each in held if each.memory.logical_id == lamp.logical_id]
        assert versions in ([], sorted(versions))
    own = [
        each.memory.version for each in stream.tiers[Tier.FOCUS] if each.memory.logical_id == lamp.logical_id
    ]
    found = {each.memory.version for each in stream.items if each.memory.logical_id == lamp.logical_id}
    assert own == sorted(found) and own[-1] == 4


def test_what_an_undo_and_a_redo_brought_back_is_told_once(forge: Forge) -> None:
    crane = forge.remember("The quay crane lifts 8 tons.", near=False).logical_id
    forge.revise(crane, "The quay crane lifts 9 tons.")

    def versions(**times: Any) -> list[tuple[int, str | None]]:
        stream = forge.streams.by_intention("what does the quay crane lift?", **times)
        assert stream.summary.total == len(stream.items) and not any(each.fault for each in stream.ways)
        items = [each for held in stream.tiers.values() for each in held]
        assert {each.memory.id for each in items} == {each.memory.id for each in stream.items}
        return [(each.memory.version, each.ending) for each in items if each.memory.logical_id == crane]

    middle = forge.history(crane)[-1].created_at + timedelta(microseconds=1)
    evolution: dict[str, Any] = {"temporal_mode": "evolution"}
    assert versions(**evolution) == [(1, "was_wrong"), (2, None)]
    forge.undo()
    # The one on record stands for both.
    assert sorted(versions(**evolution)) == [(2, "undone"), (3, None)]
    forge.redo()
    assert len(forge.history(crane)) == 4
    assert versions(**evolution) == versions(temporal_mode="full_history") == [(1, "was_wrong"), (4, None)]
    assert versions(**evolution, time_range_end=middle) == [(1, "was_wrong"), (2, None)]
    assert versions(**evolution, time_range_start=middle) == [(3, "undone"), (4, None)]
    # Who says again what was said before brings nothing back: each time it was believed.
    forge.revise(crane, "The quay crane lifts 8 tons.")
    assert [version for version, _ in versions(**evolution)] == [1, 2, 5]
