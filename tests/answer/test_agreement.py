"""Lenses agree only where they say the same; what does not answer the question takes no part; steps go together."""

from __future__ import annotations

import pytest

from engramforge.forge import Forge
from engramforge.model.lenses.orchestration import Act, DivergenceType, MarkType, Orchestration, Stance

BAY, PIER = "bay", "pier"
TWO = [{"project": BAY, "role": "navigator"}, {"project": PIER, "role": "builder"}]


def decided(forge: Forge, here: str, there: str, **more: float) -> None:
    """A decision of each of the two projects."""
    forge.decisions.create(here, project=BAY, **more)
    forge.decisions.create(there, project=PIER)


def contradicting(found: Orchestration) -> set[frozenset[str]]:
    """The texts of what pulls in two directions."""
    return {
        frozenset((each.item_a.memory.content, each.item_b.memory.content))
        for each in found.divergence
        if each.type is DivergenceType.CONFLICTING_DIRECTION and each.item_a and each.item_b
    }


@pytest.mark.parametrize(
    ("asked", "here", "there"),
    [
        (
            "Do we sail on Mondays?",
            "No sailings from the pier on Mondays.",
            "We sail from the pier every Monday.",
        ),
        (
            "May we keep passport numbers?",
            "Never keep passport numbers.",
            "We keep passport numbers encrypted in the crew table, so that boarding needs no typing.",
        ),
    ],
)
def test_who_contradicts_does_not_agree(local: Forge, asked: str, here: str, there: str) -> None:
    decided(local, here, there)
    found = local.orchestrate(asked, TWO)
    assert found.convergence == ()
    assert contradicting(found) == {frozenset((here, there))}
    assert found.field_summary.coherence < 0.5
    first = found.field.steps[0]
    assert first.act in (Act.DECIDE, Act.SETTLE) and len(first.ids) == 2
    assert here.rstrip(".") in first.because, "the step says of what it speaks"
    assert found.field.needs_a_person
    assert not any(each.act is Act.FOLLOW for each in found.field.steps)
    assert {each.stance for each in found.field.directions} <= {Stance.CONTESTED, Stance.REJECTED}


@pytest.mark.parametrize(
    ("asked", "here", "there"),
    [
        (
            "How long are logs kept?",
            "Harbour logs are kept for 30 days.",
            "Harbour logs are kept for 7 years.",
        ),
        (
            "Which radio do we use?",
            "The bridge radio runs release 3.11.",
            "The engine radio runs release 3.12.",
        ),
        ("Who sends mail?", "We send crew mail through Gullpost.", "Refund mail is sent automatically."),
    ],
)
def test_near_matters_are_no_agreement(local: Forge, asked: str, here: str, there: str) -> None:
    decided(local, here, there)
    assert local.orchestrate(asked, TWO).convergence == ()


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("We never log passwords.", "Passwords are not written to logs."),
        ("Passwords are kept out of the logs.", "Passwords are kept out of the logs, whatever happens."),
    ],
)
def test_who_says_the_same_agrees(local: Forge, here: str, there: str) -> None:
    decided(local, here, there)
    found = local.orchestrate("Are passwords in the logs?", TWO)
    assert len(found.convergence) == 1 and found.field.steps[0].act is Act.FOLLOW
    assert not found.field.needs_a_person


def test_a_dismissed_conflict_is_neither_tension_nor_agreement(em: Forge) -> None:
    decided(em, "All boats run on diesel.", "We do not run diesel; boats run on plain batteries.")
    em.conflicts.detect()
    (conflict,) = em.conflicts.list()
    asked = "Do boats run on diesel?"
    assert contradicting(em.orchestrate(asked, TWO))
    em.conflicts.dismiss(conflict.id, "the pier has no diesel boats")
    found = em.orchestrate(asked, TWO)
    assert (found.convergence, found.divergence, found.guardian) == ((), (), ())
    assert found.field_summary.coherence == 0.5 and not found.field.needs_a_person


def test_a_recorded_contradiction_counts_though_no_word_tells_it(em: Forge) -> None:
    texts = "Night ferries carry bicycles.", "The night ferries carry bicycles on deck."
    one, other = (em.remember(text, project=name) for text, name in zip(texts, (BAY, PIER), strict=True))
    asked = "Do night ferries carry bicycles?"
    assert em.orchestrate(asked, TWO).convergence
    felt = {"energy": 0.5, "confidence": 0.8, "emotion_vector": {}, "goal": "tell", "mindstate": "calm"}
    em.link(one.id, other.id, "CONTRADICTS", **felt)
    found = em.orchestrate(asked, TWO)
    assert found.convergence == () and contradicting(found) == {frozenset(texts)}


def test_where_nothing_answers_the_field_is_empty(local: Forge) -> None:
    decided(local, "Prices are stored as integer cents.", "Prices are stored as floating point numbers.")
    decided(local, "The crew eats at noon.", "The crew eats at noon.")
    found = local.orchestrate("What did the captain's wedding cost?", TWO)
    assert not found.answered
    assert (found.convergence, found.divergence, found.guardian) == ((), (), ())
    assert (found.field.directions, found.field.steps) == ((), ())
    assert found.field_summary.coherence == 0.5 and found.field_summary.dominant_lens is None
    assert found.field_summary.total_candidates == 0
    assert "Nothing that is known answers this." in found.context_text
    assert "cents" not in found.context_text
    assert local.orchestrate("How are prices stored?", TWO).answered


def test_what_does_not_answer_pulls_nothing_apart(local: Forge) -> None:
    decided(local, "Prices are stored as integer cents.", "Prices are stored as floating point numbers.")
    decided(local, "The crew eats at noon.", "The crew eats at noon.")
    found = local.orchestrate("When does the crew eat?", TWO)
    assert contradicting(found) == set() and len(found.convergence) == 1
    assert [each.act for each in found.field.steps] == [Act.FOLLOW]


def test_tiers_lie_apart_within_one_matter(local: Forge) -> None:
    decided(local, "Crew lists are printed on paper.", "Crew lists are printed on thick paper.", tier=0.9)
    decided(local, "Crew rosters hang in the mess.", "Crew wages are paid on Fridays.", tier=0.9)
    found = local.orchestrate("What holds for crew lists and crew wages?", TWO)
    told = [each for each in found.divergence if each.type is DivergenceType.TIER_MISMATCH]
    for each in told:
        assert each.item_a and each.item_b
        assert "printed" in each.item_a.memory.content and "printed" in each.item_b.memory.content


def test_what_was_rejected_for_one_thing_is_not_for_another(local: Forge) -> None:
    local.decisions.create(
        "Keep crew sessions in Saltstore.",
        rationale="They expire by themselves.",
        alternatives_rejected=["Tidebase"],
        project=BAY,
    )
    local.decisions.create("The ship catalogue is read from Tidebase through a view.", project=PIER)
    local.decisions.create("Crew sessions are stored in Tidebase.", project=PIER)
    found = local.orchestrate("What of crew sessions, the ship catalogue and Tidebase?", TWO)
    marked = {each.item.memory.content for each in found.guardian}
    assert marked == {"Crew sessions are stored in Tidebase."}
    assert not any("catalogue" in text for pair in contradicting(found) for text in pair)
    # Two decisions that hold: somebody decides, and neither is avoided before that.
    steps = [each for each in found.field.steps if each.act in (Act.DECIDE, Act.AVOID)]
    assert [each.act for each in steps] == [Act.DECIDE]
    assert "Tidebase" in steps[0].because and "Saltstore" in steps[0].because


def test_what_an_idea_repeats_is_avoided_with_the_reason_apart(local: Forge) -> None:
    local.decisions.create(
        "Keep crew sessions in Saltstore.",
        rationale="They expire by themselves.",
        alternatives_rejected=["Tidebase"],
        project=BAY,
    )
    local.remember("Crew sessions might go to Tidebase.", project=PIER)
    found = local.orchestrate("Where do crew sessions go?", TWO)
    (step,) = (each for each in found.field.steps if each.act is Act.AVOID)
    assert step.because == "navigator rejected Tidebase (They expire by themselves.)"
    assert not any(each.act is Act.DECIDE for each in found.field.steps), "each pair comes up once"
    assert not found.field.needs_a_person


def test_what_a_newer_decision_renews_is_not_rejected(local: Forge) -> None:
    old = local.decisions.create("Ferries sail from two piers.", project=BAY, valid_at="2021-01-01")
    local.decisions.supersede(old.id, "Ferries sail from one pier.", at="2022-01-01")
    local.decisions.create("Ferries sail from two piers.", project=PIER, valid_at="2023-01-01")
    asked = "From how many piers do ferries sail?"
    assert any(each.type is MarkType.REJECTED for each in local.orchestrate(asked, TWO).guardian)
    local.decisions.create("Ferries sail from two piers again.", project=BAY, valid_at="2024-01-01")
    found = local.orchestrate(asked, TWO)
    assert not any(each.what.startswith("Ferries sail from two") for each in found.guardian)


def test_a_superseded_decision_is_not_an_alternative_of_anything_alike(em: Forge) -> None:
    old = em.decisions.create("The ship catalogue is kept in Saltstore.", project=BAY, valid_at="2021-01-01")
    em.decisions.supersede(old.id, "The ship catalogue is kept in Tidebase.", at="2022-01-01")
    em.decisions.create("Crew sessions are kept in Saltstore.", project=PIER)
    found = em.orchestrate("What is kept in Saltstore: the ship catalogue, crew sessions?", TWO)
    assert found.guardian == ()


def test_today_violates_nothing_that_holds_no_more(em: Forge) -> None:
    old = em.decisions.create(
        "Ferries must carry 40 lifebelts.", project=BAY, valid_at="2021-01-01", tier=0.9
    )
    em.decisions.supersede(old.id, "Ferries must carry 60 lifebelts.", at="2022-01-01", tier=0.5)
    found = em.orchestrate(
        "How many lifebelts do ferries carry?",
        [
            {"project": BAY, "role": "navigator", "as_of_valid": "2021-06-01"},
            {"project": BAY, "role": "critic"},
        ],
    )
    assert contradicting(found), "what changed pulls apart"
    assert found.guardian == ()
    assert not any(each.act in (Act.SETTLE, Act.DECIDE) for each in found.field.steps)
    assert not any("40" in each.because for each in found.field.steps), "it holds no more"
    assert not found.field.needs_a_person


def test_what_stands_against_one_of_a_matter_stands_against_it(local: Forge) -> None:
    for project in (BAY, PIER):
        local.remember("Sessions of the crew are kept in Saltstore.", project=project)
    local.remember("Sessions of the crew are kept in Tidebase.", project="yard")
    found = local.orchestrate("Where are crew sessions kept?", [*TWO, {"project": "yard", "role": "critic"}])
    assert len(found.convergence) == 1
    assert not any(each.stance is Stance.AGREED for each in found.field.directions)
    assert Act.FOLLOW not in {each.act for each in found.field.steps}
    pairs = [frozenset(each.ids) for each in found.field.steps]
    assert len(pairs) == len(set(pairs))
