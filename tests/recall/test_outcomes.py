"""A hit says what became of what it tells: a message stays, while what was read from it is replaced or closed."""

from __future__ import annotations

from engramforge.forge import Forge

SAID = "We decided to heat with wood because gas got too dear."


def test_a_message_whose_decision_was_superseded_names_what_holds_below_it(forge: Forge) -> None:
    forge.remember(SAID, project="home")
    forge.remember("The garden gate is painted green.", project="home")
    (decision,) = forge.decisions.search("heat")
    assert forge.recall("Do we heat with wood?", project="home").hits[0].but_now == ""
    first = forge.decisions.supersede(decision.id, "We heat with a heat pump")
    holding, said, *_ = forge.recall("Do we heat with wood?", project="home").hits
    assert (holding.memory.content, said.memory.content) == ("We heat with a heat pump", SAID)
    assert said.but_now.startswith("superseded by decision ")
    assert said.but_now.endswith(": We heat with a heat pump")
    forge.decisions.supersede(first.id, "We heat with district heating")
    told = {hit.memory.content: hit.but_now for hit in forge.recall("Do we heat with wood?", project="home")}
    assert told[SAID].endswith(": We heat with district heating")


def test_a_message_whose_decision_was_invalidated_says_so(forge: Forge) -> None:
    forge.remember(SAID, project="home")
    (decision,) = forge.decisions.search("heat")
    forge.decisions.invalidate(decision.id)
    (hit,) = forge.recall("Do we heat with wood?", project="home").hits
    assert hit.but_now.endswith(": invalidated")


def test_a_message_whose_matter_is_closed_says_how(forge: Forge) -> None:
    forge.remember("TODO: call the chimney sweep before December", project="home")
    (thread,) = forge.threads.search("sweep")
    forge.threads.update(thread.id, status="resolved", resolution="came on Tuesday")
    hit = forge.recall("Is the chimney sweep still to be called?", project="home").hits[0]
    assert hit.but_now.endswith(": Resolved: came on Tuesday")
    text = forge.context_load("chimney sweep", project="home").text
    assert "came on Tuesday" in text


def test_of_two_statements_that_differ_in_a_choice_the_newer_comes_first(forge: Forge) -> None:
    forge.remember("The London office opens at 8.", project="work")
    forge.remember("The London office opens at 9.", project="work")
    forge.remember("The Paris office opens at 9.", project="work")
    hits = forge.recall("When does the London office open?", project="work").hits
    assert [hit.memory.content for hit in hits][:2] == [
        "The London office opens at 9.",
        "The London office opens at 8.",
    ]
