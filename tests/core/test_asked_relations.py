"""Of links of equal strength those come first that a question asks for."""

from __future__ import annotations

import pytest

from engramforge.core.streams.activation import asked_for
from engramforge.core.streams.asked_relations import asked_relations, said_of_relations
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
