"""Of links of equal strength those come first that a question asks for."""

from __future__ import annotations

from engramforge.core.streams.asked_relations import asked_relations


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
