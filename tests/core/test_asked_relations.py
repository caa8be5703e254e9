"""Of links of equal strength those come first that a question asks for."""

from __future__ import annotations

import pytest

from engramforge.core.streams.activation import asked_for
from engramforge.core.streams.asked_relations import asked_relations, asked_way, said_of_relations
from engramforge.model.streams.stream import Path


def test_a_relation_is_asked_for_by_the_stems_of_its_words() -> None:
    for question, relation in (
        ("Who supplies the mill?", "SUPPLIED_BY"),
        ("which farms does the dairy rent from its neighbours?", "RENTS"),
        ("What is the barn insured against?", "INSURED_AGAINST"),
        ("Where do the trade agreements of Lund lead?", "TRADE_AGREEMENT_WITH"),
        ("what depends on the weir", "depends-on"),
    ):
        assert asked_relations(question)(relation) > 0, question


def test_small_words_and_what_only_looks_alike_ask_for_none() -> None:
    for question, relation in (
        ("With whom was it by the river?", "BY_WITH"),
        ("Who rented the mill?", "PARENT_OF"),
        ("Where is the barn?", "INSURED_AGAINST"),
        ("What does the weir trade?", "SUPPLIED_BY"),
        ("", "DEPENDS_ON"),
    ):
        assert asked_relations(question)(relation) == 0, question


def test_what_is_asked_for_comes_sooner_by_the_share_that_is_said_and_the_less_the_farther_it_is() -> None:
    said = said_of_relations("Who supplies the mill with grain?")
    for relations, sooner in (
        (("SUPPLIED_BY",), 0.5),
        (("SUPPLIES_GRAIN_TO",), 0.5),
        (("SUPPLIES_COAL_TO",), 0.25),
        (("OWNED_BY",), 0.0),
        (("WITH",), 0.0),
        ((), 0.0),
        # A mention is no link, and costs a step.
        (("MENTIONS", "SUPPLIED_BY"), 0.25),
        (("MENTIONS",), 0.0),
        (("SUPPLIED_BY", "OWNED_BY"), 0.125),
    ):
        path = Path(0.5, 0.5, len(relations), "mill", relations)
        assert asked_for(path, said) == pytest.approx(sooner), relations
    # Nobody asks for a mention, whatever the question is.
    assert (
        asked_for(Path(0.5, 0.5, 1, "mill", ("MENTIONS",)), said_of_relations("who mentions the mill?")) == 0
    )


@pytest.mark.parametrize(
    ("question", "relation", "name", "forward"),
    [
        ("what is the mill the owner of?", "OWNER_OF", "mill", True),
        ("what is the owner of the mill?", "OWNER_OF", "mill", False),
        ("who lost ground to Oxhill?", "LOST_GROUND_TO", "oxhill", False),
        ("to whom did Oxhill lose ground?", "LOST_GROUND_TO", "oxhill", True),
        ("which farms accuse Oxhill?", "ACCUSES", "oxhill", False),
        ("which farms are accused by Oxhill?", "ACCUSES", "oxhill", True),
        ("which farms is Oxhill accused by?", "ACCUSES", "oxhill", False),
        ("which farm does the Oxhill give seed aid to?", "SEED_AID_TO", "oxhill", True),
        ("which farm does Oxhill give seed aid to?", "SEEDAID", "oxhill", True),
        ("who gives seed aid to Oxhill?", "SEED_AID_TO", "oxhill", False),
        ("who gets seed aid from Oxhill?", "SEED_AID_TO", "oxhill", True),
        ("what seed aid does Oxhill give?", "SEED_AID_TO", "oxhill", True),
        ("what supersedes plan 7?", "SUPERSEDED_BY", "plan 7", True),
        ("what was superseded by plan 7?", "SUPERSEDED_BY", "plan 7", False),
        ("which plan replaced plan 7?", "SUPERSEDED_BY", "plan 7", True),
        ("what resolved the jammed gate?", "RESOLVED_BY", "", True),
        ("how was the jammed gate mended?", "RESOLVED_BY", "", True),
        ("what does the long gate depend on?", "DEPENDS_ON", "", True),
        ("what depends on the long gate?", "DEPENDS_ON", "", False),
        ("what supplies the lamp?", "SUPPLIED_BY", "", True),
        ("what supplies the lamp?", "SUPPLIES", "", False),
        ("what is the barn insured against?", "INSURED_AGAINST", "barn", True),
        # Nobody could tell which of two is meant, or it says nothing of that.
        ("barn owner mill", "OWNER_OF", "", None),
        ("where is the barn?", "INSURED_AGAINST", "barn", None),
    ],
)
def test_the_words_say_which_end_of_a_link_is_named(
    question: str, relation: str, name: str, forward: bool | None
) -> None:
    assert asked_way(question, relation, name).forward is forward


def test_a_link_in_the_other_direction_counts_half_and_one_of_both_nearly_as_much() -> None:
    for relation, other in (("ACCUSES", 0.5), ("TALKS_WITH", 0.9)):
        way = asked_way("whom does Oxhill talk to and accuse?", relation, "oxhill")
        assert [way.share_of(forward) for forward in (True, None, False)] == [1.0, 1.0, other]
