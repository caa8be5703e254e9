"""Lenses that answer one question differently: nobody is told to follow both; what is not asked leads to nothing."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from engramforge.forge import Forge
from engramforge.model.lenses.orchestration import Act, DivergenceType, Orchestration

HARBOUR, LIGHTS, PORT_LAW = "harbour", "lights", "port law"
TWO = [{"project": HARBOUR, "role": "builder"}, {"project": LIGHTS, "role": "navigator"}]
GUARDED = [{"project": HARBOUR, "role": "builder"}, {"project": PORT_LAW, "role": "critic"}]


def told(em: Forge, *said: tuple[str, str, int]) -> None:
    """Remember decisions of these projects, each of its month of a year."""
    for project, content, month in said:
        at = datetime(2026, month, 1, tzinfo=UTC)
        em.remember(content, project=project, kind="decision", valid_at=at)


def acts(found: Orchestration) -> list[Act]:
    return [each.act for each in found.field.steps]


@pytest.mark.parametrize(
    ("query", "one", "other"),
    [
        (
            "How long do we keep tide tables?",
            "we keep printed tide tables for 80 days, pilots want to look back",
            "Printed tide tables are kept for 20 days and then shredded.",
        ),
        (
            "How long are crane permits valid?",
            "Boat permits last 2 hours, crane permits are valid for 20 days.",
            "Crane permits are valid for 60 days, masters apply far too often.",
        ),
        (
            "Do berth vouchers expire?",
            "Berth vouchers expire after 9 months.",
            "The leaflet promises: berth vouchers never expire.",
        ),
        (
            "May guests fish without a licence?",
            "Guests may fish without a licence.",
            "Fishing by guests without a licence is not allowed.",
        ),
        (
            "Do tow orders go over Hawser or Bollard?",
            "Tow orders go over Hawser.",
            "Tow orders move to Bollard, running Hawser costs a crew.",
        ),
    ],
)
def test_other_answers_to_one_question_are_never_both_followed(
    em: Forge, query: str, one: str, other: str
) -> None:
    told(em, (HARBOUR, one, 1), (LIGHTS, other, 2))
    found = em.orchestrate(query, TWO)
    (apart,) = (each for each in found.divergence if each.type is DivergenceType.CONFLICTING_DIRECTION)
    assert {apart.lens_a, apart.lens_b} == {"builder", "navigator"}
    assert found.field.needs_a_person and found.field.steps[0].act in (Act.SETTLE, Act.DECIDE)
    assert Act.FOLLOW not in acts(found)
    assert em.consult(query).contradictions, "the oracle says the same"


def test_of_one_lens_the_later_answer_is_followed_and_the_older_told_as_older(em: Forge) -> None:
    told(
        em,
        (LIGHTS, "Tow orders reach us over Hawser.", 1),
        (LIGHTS, "Tow orders reach us over Bollard now.", 5),
    )
    found = em.orchestrate("Do tow orders reach us over Hawser or Bollard?", TWO[1:])
    (step,) = (each for each in found.field.steps if each.act is Act.FOLLOW)
    assert step.because.startswith("Tow orders reach us over Bollard now.")
    assert '(older: 2026-01-01 "Tow orders reach us over Hawser.")' in step.because
    assert not found.field.needs_a_person


def test_what_agrees_with_the_older_answer_of_a_lens_stands_against_its_later_one(em: Forge) -> None:
    told(
        em,
        (HARBOUR, "Tow orders go over Hawser.", 1),
        (LIGHTS, "Tow orders go over Hawser to us.", 2),
        (LIGHTS, "Tow orders move to Bollard, running Hawser costs a crew.", 5),
    )
    em.lenses.scan()
    found = em.orchestrate("Do tow orders go over Hawser or Bollard?", TWO)
    assert not found.convergence and found.field_summary.coherence < 0.5
    assert found.field.needs_a_person and Act.FOLLOW not in acts(found)


def test_a_conflict_that_is_not_asked_about_leads_to_no_step(em: Forge) -> None:
    told(
        em,
        (HARBOUR, "Crane data is copied to the training yard each month.", 1),
        (PORT_LAW, "Mr. Reed is the data officer of the port.", 1),
        (PORT_LAW, "Mrs. Moor is the data officer of the port.", 3),
    )
    em.conflicts.detect()
    asked = em.orchestrate("Who is the data officer of the port?", GUARDED)
    assert asked.field.steps[0].act is Act.DECIDE and asked.field.needs_a_person
    found = em.orchestrate("Is crane data copied to the training yard each month?", GUARDED)
    assert Act.DECIDE not in acts(found) and not found.field.needs_a_person


def test_a_prohibition_in_other_words_is_looked_at_before_anything_is_followed(em: Forge) -> None:
    told(
        em,
        (HARBOUR, "Real crane records are copied to the training yard each month.", 1),
        (PORT_LAW, "Details of actual ships must never be loaded into practice systems.", 1),
        (PORT_LAW, "Ropes must be coiled.", 1),
    )
    found = em.orchestrate("May real crane records be copied to the training yard?", GUARDED)
    first, then = found.field.steps[:2]
    assert (first.act, then.act) == (Act.VALIDATE, Act.FOLLOW) and found.field.needs_a_person
    assert first.because.startswith("a rule that may bear on it: Details of actual ships")
    assert "[a rule that may bear on it]" in found.context_text
    assert "(not counting rules that may bear on it)" in found.context_text
    found = em.orchestrate("Where are real crane records copied to each month?", GUARDED)
    assert not found.field.needs_a_person, "nobody asked whether it may be"


def test_who_asks_whether_something_may_be_hears_who_rejected_it(em: Forge) -> None:
    told(
        em,
        (HARBOUR, "All our signals are flags on masts. We rejected Semaphore, fog hides it.", 1),
        (LIGHTS, "The lamp talks Semaphore to the pier: one message per ship.", 2),
    )
    found = em.orchestrate("Should the new lamps use Semaphore?", TWO)
    assert acts(found) == [Act.DECIDE], "neither side is followed"


def test_far_behind_a_contested_answer_nothing_is_followed(em: Forge) -> None:
    told(
        em,
        (HARBOUR, "we keep printed tide tables for 80 days, pilots want to look back", 1),
        (HARBOUR, "Tide gauges are read 80 times a day.", 1),
        (LIGHTS, "Printed tide tables are kept for 20 days and then shredded.", 2),
    )
    found = em.orchestrate("How long do we keep tide tables?", TWO)
    assert acts(found) == [Act.DECIDE]
