"""Of many links of equal strength the stream tells first what the question asks for."""

from __future__ import annotations

import pytest

from engramforge.faces.views.stream import StreamView
from engramforge.forge import Forge
from engramforge.model.streams.ways import Tier

_FARMS = ("Alder", "Birchley", "Cedarholt", "Dogwood", "Elmsted", "Firbank", "Gorsehill", "Hazelden")


def test_links_that_are_asked_for_come_first_among_equal_ones(forge: Forge) -> None:
    told = {
        name: forge.remember(f"{name} is a farm.", name=name, kind="entity", near=False).id
        for name in ("Thornmere", *_FARMS)
    }
    for name, relation in zip(_FARMS, ("SHARES_BARN_WITH", "BORDERS", "SELLS_TO") * 3, strict=False):
        forge.link(
            *(told["Thornmere"], told[name], relation),
            energy=0.6,
            confidence=0.9,
            emotion_vector={},
            goal="know farms",
            mindstate="calm",
        )
    for question, wanted in (
        ("Which farms border Thornmere?", {"Birchley", "Elmsted", "Hazelden"}),
        ("With whom does Thornmere share barns?", {"Alder", "Dogwood", "Gorsehill"}),
        ("To whom does Thornmere sell?", {"Cedarholt", "Firbank"}),
    ):
        stream = forge.streams.by_intention(question)
        by_links = [item.memory.name for item in stream.items if item.path is not None and item.path.depth]
        assert set(by_links[: len(wanted)]) == wanted, question
        # However alike in the words of the question the ends of other links are.
        focus = [item.memory.name for item in stream.tiers[Tier.FOCUS]]
        assert set(focus[: len(wanted)]) == wanted, question
        for path in stream.traversal_graph.paths[:2]:
            assert path.narrative.startswith("Thornmere -"), question
            assert path.narrative.rpartition(" ")[2] in wanted, question


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("with which country does Avalon have a military alliance?", "Borduria"),
        ("Who are Avalon's military allies in an alliance?", "Borduria"),
        ("Whom does Avalon trade with?", "Cascara"),
        ("what does Avalon export to whom?", "Drumont"),
    ],
)
def test_what_is_asked_for_stands_first_in_the_focus(forge: Forge, question: str, first: str) -> None:
    told = {
        name: forge.remember(text, name=name, kind="entity", near=False, goal=goal).id
        for name, text, goal in (
            ("Avalon", "Avalon is an island.", None),
            ("Borduria", "Borduria.", None),
            # Nearer in words, and better told of.
            ("Cascara", "Cascara is a country whose military sends ships; it has no alliance.", "know them"),
            ("Drumont", "Drumont is a country with trade, allies and a military.", "know them"),
        )
    }
    for name, relation in (
        ("Cascara", "TRADES_WITH"),
        ("Drumont", "EXPORTS_TO"),
        ("Borduria", "MILITARY_ALLIANCE_WITH"),
    ):
        forge.link(
            *(told["Avalon"], told[name], relation),
            energy=0.5,
            confidence=0.9,
            emotion_vector={},
            goal="know lands",
            mindstate="calm",
        )
    stream = forge.streams.by_intention(question)
    focus = stream.tiers[Tier.FOCUS]
    assert focus[0].memory.name == first, [(each.memory.name, each.activation) for each in focus]
    # What is asked for says what comes first, and not how relevant that is.
    assert focus[0].relevance == pytest.approx(0.5)


def test_what_is_asked_for_is_not_lost_to_a_longer_way(forge: Forge) -> None:
    names = ("Avalon", "Borduria", "Cascara", "Drumont", "Elbe", "Florin", "Gondal", "Hyrule")
    told = {
        name: forge.remember(f"{name} is a country.", name=name, kind="entity", near=False).id
        for name in names
    }
    links = [("Avalon", "MILITARY_ALLIANCE", "Gondal"), ("Borduria", "TRADES_WITH", "Gondal")]
    links += [("Avalon", "TRADES_WITH", other) for other in names[1:] if other != "Gondal"]
    links += [
        (one, "MILITARY_ALLIANCE", other)
        for one, other in (("Borduria", "Cascara"), ("Drumont", "Elbe"), ("Florin", "Hyrule"))
    ]
    for one, relation, other in links:
        forge.link(
            *(told[one], told[other], relation),
            energy=0.5,
            confidence=0.8,
            emotion_vector={},
            goal="know countries",
            mindstate="calm",
        )
    stream = forge.streams.by_intention("with which country does Avalon have a military alliance?")
    first = stream.tiers[Tier.FOCUS][0]
    assert first.memory.name == "Gondal"
    # The relevance is that of the path that is told.
    assert first.path is not None and first.path.relations == ("MILITARY_ALLIANCE",)
    assert first.relevance == pytest.approx(first.path.energy / first.path.depth**2)
    assert forge.streams.by_intention("Whom does Borduria trade with?").tiers[Tier.FOCUS][
        0
    ].path.relations == (  # type: ignore[union-attr]
        "TRADES_WITH",
    )


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Who are Avalon's military allies in an alliance?", "Borduria"),
        ("Whom does Avalon trade with?", "Cascara"),
        ("what does Avalon export to whom?", "Drumont"),
    ],
)
def test_a_walk_goes_sooner_by_the_relation_that_is_asked_for(
    forge: Forge, question: str, first: str
) -> None:
    texts = (
        "Avalon is an island.",
        "Borduria.",
        "Cascara ships to Drumont.",
        "Drumont trades with its allies.",
    )
    names = ("Avalon", "Borduria", "Cascara", "Drumont")
    told = {
        name: forge.remember(text, name=name, kind="entity", near=False).id
        for name, text in zip(names, texts, strict=True)
    }
    relations = ("MILITARY_ALLIANCE_WITH", "TRADES_WITH", "EXPORTS_TO")
    for name, relation in zip(names[1:], relations, strict=True):
        forge.link(
            *(told["Avalon"], told[name], relation),
            energy=0.5,
            confidence=0.9,
            emotion_vector={},
            goal="know lands",
            mindstate="calm",
        )
    stream = forge.streams.by_intention(question, graph_way="pagerank")
    ranked = [each.memory.name for held in stream.levels.values() for each in held.graph]
    assert set(ranked) == set(names)
    assert next(each for each in ranked if each != "Avalon") == first


def test_a_link_from_what_mentions_a_name_to_what_has_it_is_walked(forge: Forge) -> None:
    """Such a link leads back to where the walk begins."""
    farm = forge.remember(
        "Thornmere is a farm.", name="Thornmere", kind="entity", near=False, energy=0.2
    ).logical_id
    dairy = forge.remember("Birchley sells milk to Thornmere.", name="Birchley", kind="entity", near=False).id
    told = {"confidence": 0.9, "emotion_vector": {}, "goal": "know farms", "mindstate": "calm"}
    forge.link(farm, dairy, "BORDERS", energy=0.3, **told)
    stream = forge.streams.by_intention("who sells milk to Thornmere?")
    assert stream.answered and not any(each.fault for each in stream.ways)
    assert stream.tiers[Tier.FOCUS][0].memory.name == "Birchley"
    # A line of thought begins at what is asked for by its name, however little active that is.
    assert stream.traversal_graph.asked == (farm,)
    leading = StreamView.of(stream).traversal_graph.leading_paths
    assert leading[0].narrative.startswith("Thornmere -BORDERS-> Birchley")


def test_a_link_that_is_asked_for_is_found_behind_many_others(forge: Forge) -> None:
    told = {"confidence": 0.8, "emotion_vector": {}, "goal": "know towns", "mindstate": "calm"}
    avalon, bolton, *others = (
        each.id
        for each in forge.remember_many(
            {"content": name, "name": name, "level": "N3"}
            for name in ("Avalon", "Bolton", *(f"Town {number:02d}x" for number in range(60)))
        )
    )
    forge.link(avalon, bolton, "MILITARYALLIANCE", energy=0.5, **told)
    forge.link_many(
        {"source_id": avalon, "target_id": each, "relation": "TRADES_WITH", "energy": 0.6, **told}
        for each in others
    )
    stream = forge.streams.by_intention("with which town does Avalon have a military alliance?")
    first = stream.tiers[Tier.FOCUS][0]
    assert first.memory.name == "Bolton" and first.path is not None
    assert first.path.led == (("MILITARYALLIANCE", True),)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("who lost land to Mirefield?", "Oxhill"),
        ("to whom did Mirefield lose land?", "Sedgeley"),
        ("Who accuses Mirefield?", "Oxhill"),
        ("Who is accused by Mirefield?", "Sedgeley"),
        ("what is Mirefield the owner of?", "Sedgeley"),
        ("who is the owner of Mirefield?", "Oxhill"),
    ],
)
def test_a_link_in_the_direction_that_is_asked_for_comes_first(
    forge: Forge, question: str, first: str
) -> None:
    told = {"energy": 0.5, "confidence": 0.8, "emotion_vector": {}, "goal": "know them", "mindstate": "calm"}
    ids = {
        name: forge.remember(name, name=name, kind="entity", near=False).id
        for name in ("Mirefield", "Oxhill", "Sedgeley")
    }
    for relation in ("LOST_LAND_TO", "ACCUSES", "OWNER_OF"):
        forge.link(ids["Oxhill"], ids["Mirefield"], relation, **told)
        forge.link(ids["Mirefield"], ids["Sedgeley"], relation, **told)
    stream = forge.streams.by_intention(question)
    by_links = [each for each in stream.tiers[Tier.FOCUS] if each.path is not None and each.path.led]
    assert [each.memory.name for each in by_links][:1] == [first]
    assert {each.memory.name for each in by_links} == {"Oxhill", "Sedgeley"}


def test_what_is_named_with_its_number_is_not_lost_to_what_is_called_so_alone(forge: Forge) -> None:
    told = {"energy": 0.7, "confidence": 0.9, "emotion_vector": {}, "goal": "know plans", "mindstate": "calm"}
    forge.remember("ZEP is how we call plans.", name="ZEP", kind="entity", near=False)
    ids = {
        number: forge.remember(f"ZEP {number}: a plan of the quay.", name=f"ZEP {number}", near=False).id
        for number in range(20, 60)
    }
    for old, new in ((21, 34), (34, 45), (45, 56), (22, 23), (24, 25)):
        forge.link(ids[old], ids[new], "SUPERSEDED_BY", **told)
    for question in ("which ZEP supersedes ZEP 21?", "what replaced ZEP 21?"):
        stream = forge.streams.by_intention(question)
        assert stream.entities == ("zep 21",)
        by_links = [each for each in stream.tiers[Tier.FOCUS] if each.path is not None and each.path.led]
        assert by_links[0].memory.name == "ZEP 34"
