"""What a stream reaches from a question: two links beyond what mentions a name, rare names beside common ones."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import engramforge
from engramforge.faces.views.stream import StreamView
from engramforge.forge import Forge
from engramforge.model.streams.stream import Stream
from engramforge.model.streams.ways import Tier

SOUND: dict[str, Any] = {"confidence": 0.9, "emotion_vector": {}, "goal": "g", "mindstate": "m"}
SPEAKERS = ("Anna", "Bruno")


@pytest.fixture
def forge(tmp_path: Path) -> Any:
    with engramforge.open(tmp_path / "store") as opened:
        yield opened


def graph(stream: Stream) -> dict[str, Any]:
    """What lies along links: content -> item."""
    return {item.memory.content: item for level in stream.levels.values() for item in level.graph}


def chat(forge: Forge, turns: int) -> list[str]:
    """Small talk in which everybody addresses Anna, each turn linked to the next but one; logical ids."""
    made = forge.remember_many(
        {
            "content": f"Anna, the weather of day {turn} was {'dull' if turn % 2 else 'fine'}.",
            "kind": "message",
            "session_id": f"talk {turn // 20}",
            "sequence": turn % 20,
            "speaker": SPEAKERS[turn % 2],
        }
        for turn in range(turns)
    )
    ids = [each.logical_id for each in made]
    forge.link_many(
        {"source_id": one, "target_id": other, "relation": "REFERENCES", "energy": 0.9, **SOUND}
        for one, other in zip(ids, ids[2:], strict=False)
    )
    return ids


def chain(forge: Forge, *contents: str, energy: float = 0.5) -> None:
    """Memories, each linked to the next."""
    ids = [forge.remember(each).logical_id for each in contents]
    for one, other in pairwise(ids):
        forge.link(one, other, "DEPENDS_ON", energy=energy, **SOUND)


def test_two_links_lead_on_from_what_mentions_a_name(forge: Forge) -> None:
    chain(
        forge, "Anna recommended the library.", "It parses rows.", "A compiler is needed.", "Nobody has it."
    )
    found = graph(forge.streams.by_intention("What does the library that Anna recommended need?"))
    assert found["A compiler is needed."].path.relations == ("MENTIONS", "DEPENDS_ON", "DEPENDS_ON")
    assert found["A compiler is needed."].path.depth == 3
    assert found["It parses rows."].relevance > found["A compiler is needed."].relevance > 0
    assert "Nobody has it." not in found


def test_a_name_that_everybody_mentions_still_leads_to_what_is_asked(forge: Forge) -> None:
    chat(forge, 200)
    chain(forge, "Anna recommended a library for tables.", "It parses rows.", "A compiler is needed.")
    stream = forge.streams.by_intention("what does the library for tables that anna recommended need?")
    assert {"It parses rows.", "A compiler is needed."} <= graph(stream).keys()
    assert all(len(level.graph) <= 20 for level in stream.levels.values())


def test_a_common_name_leaves_a_rare_one_its_share(forge: Forge) -> None:
    chat(forge, 200)
    chain(forge, "Quillet runs on the old machine.", "That one is loud.", "The cellar shakes.", energy=0.1)
    found = graph(forge.streams.by_intention("Would Anna like Quillet?"))
    assert {"Quillet runs on the old machine.", "That one is loud.", "The cellar shakes."} <= found.keys()
    starts = [each.path.start for each in found.values()]
    assert starts.count("anna") > starts.count("quillet") == 3


def test_names_in_lower_case(forge: Forge) -> None:
    forge.remember_many(
        {"content": content, "kind": "message", "session_id": "s", "sequence": at, "speaker": speaker}
        for at, (speaker, content) in enumerate(
            [
                ("Oisin", "We install pydantic for settings: `pip install pydantic`."),
                ("Bruno", "Melanie Smith prefers the plain way."),
                ("Will Turner", "It will be fine."),
            ]
        )
    )

    def named(question: str) -> tuple[str, ...]:
        return forge.streams.by_intention(question).entities

    assert named("what did melanie say about pydantic?") == ("melanie smith", "pydantic")
    assert named("what is melanie smith's way?") == ("melanie smith",)
    assert named("which settings has oisin?") == ("oisin",)
    assert "We install pydantic" in str(graph(forge.streams.by_intention("which settings has oisin?")).keys())
    assert named("will it rain?") == ()


def test_a_part_of_a_word_is_no_name(forge: Forge) -> None:
    forge.remember("Ann sails.")
    forge.remember("It was planned for the sails.")
    assert set(graph(forge.streams.by_intention("Does Ann have sails?"))) == {"Ann sails."}


def test_why_promotes_nothing_that_has_to_do_with_other_things(forge: Forge) -> None:
    for content in (
        "The vendor changed its rate limit without notice. The nightly sync was throttled.",
        "Since the deploy was rolled back, the customers kept the old invoice layout for another week.",
        "The payment gateway refused every call, which led to four hundred abandoned carts.",
        "Because the build broke, nobody could merge on Thursday.",
    ):
        forge.remember(content)
    asked = forge.streams.by_intention("Why did grandma sell the house?")
    assert not asked.answered
    assert max((each.relevance for each in asked.items), default=0.0) < 0.1
    assert forge.streams.by_intention("Why could nobody merge on Thursday?").answered


def test_a_mention_stands_before_the_answer_only_where_it_is_near_to_the_question(forge: Forge) -> None:
    chain(forge, "Anna recommended the library tidelib for tides.", "tidelib needs a compiler.", energy=0.7)
    for deed in ("asked for a key", "paid the fine", "brought cake", "lost her umbrella", "painted the shed"):
        forge.remember(f"Anna {deed}.")
    stream = forge.streams.by_intention("what does the library that Anna recommended need?")
    focus = [each.memory.content for each in stream.tiers[Tier.FOCUS]]
    assert sorted(focus[:2]) == [
        "Anna recommended the library tidelib for tides.",
        "tidelib needs a compiler.",
    ]


def test_a_walk_does_not_come_back(forge: Forge) -> None:
    chain(forge, "The diver is ill.", "Mount the frame in Varde.", energy=0.9)
    found = graph(forge.streams.by_intention("Varde"))
    assert found["Mount the frame in Varde."].path.relations == ("MENTIONS",)
    assert found["The diver is ill."].path.relations == ("MENTIONS", "DEPENDS_ON")


def test_thought_begins_at_what_is_nearest_to_attention(forge: Forge) -> None:
    """However likely another line of thought is."""
    chain(forge, "The gauge at Esbjerg went silent.", "Its battery froze.", energy=0.2)
    chain(forge, "The office moves to Esbjerg.", "Boxes are to be packed.", energy=1.0)
    stream = forge.streams.by_intention("why did the gauge at Esbjerg go silent?")
    view = StreamView.of(stream).traversal_graph
    likely = [each.probability for each in view.suggested_paths]
    assert likely == sorted(likely, reverse=True)
    assert view.suggested_paths[0].narrative.startswith(("The office", "Boxes"))
    assert view.leading_paths[0].narrative == (
        "The gauge at Esbjerg went silent. -DEPENDS_ON-> Its battery froze."
    )


def test_an_open_thread_is_found_by_its_title_as_goal(forge: Forge) -> None:
    crane = forge.threads.create("Fix the harbour crane", content="The rope slips.")
    forge.threads.create("Paint the office", content="In blue.")
    other = forge.remember("The crane's rope was ordered.", goal="fix the harbour crane", energy=0.9)

    def found(goal: str, **asked: Any) -> list[str]:
        stream = forge.streams.by_state(current_energy=0.5, current_goal=goal, **asked)
        return [each.memory.logical_id for held in stream.tiers.values() for each in held]

    crane_id = forge.get(crane.memory_id).logical_id
    assert found("Fix the harbour crane") == [other.logical_id, crane_id], "by energy, each once"
    assert crane_id in found("repair the crane in the harbour")
    assert found("write the annual report") == []
    forge.threads.update(crane.id, status="resolved", resolution="A new rope.")
    assert found("Fix the harbour crane") == [other.logical_id]
    assert crane_id in found("Fix the harbour crane", include_only_unresolved=False)
