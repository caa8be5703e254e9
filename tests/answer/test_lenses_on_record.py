"""What the store has on record between statements counts for lenses: open conflicts, and what took whose place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from engramforge.errors import NotFound
from engramforge.forge import Forge
from engramforge.model.lenses.orchestration import Act, Divergence, DivergenceType, Orchestration, Stance

KILN, SHOP = "kiln", "shop"
BOTH = [{"project": KILN, "role": "builder"}, {"project": SHOP, "role": "critic"}]
ASKED = "How do potters open the kiln room?"
KEYS = "Potters open the kiln room by a code, there are no keys."
BRASS = "Potters open the kiln room with brass keys."


def against(found: Orchestration) -> Sequence[Divergence]:
    return [each for each in found.divergence if each.type is DivergenceType.CONFLICTING_DIRECTION]


def followed(found: Orchestration) -> set[str]:
    return {one for step in found.field.steps if step.act is Act.FOLLOW for one in step.ids}


def dated(*whens: str | None, project: str = KILN) -> list[dict[str, Any]]:
    return [
        {"project": project, "role": "navigator"} | ({} if when is None else {"as_of_valid": when})
        for when in whens
    ]


def two_ways(em: Forge, older: str = KILN, newer: str = KILN) -> tuple[str, str]:
    """Two decisions that contradict each other, found by a detection; the newer one first."""
    first = em.decisions.create(
        KEYS, project=older, tier=0.8, alternatives_rejected=["brass keys"], valid_at="2026-01-07"
    )
    last = em.decisions.create(BRASS, project=newer, tier=0.5, valid_at="2026-05-03")
    for project in (KILN, SHOP):
        em.remember("Glaze buckets are stirred on Mondays.", project=project)
    em.conflicts.detect()
    assert len(list(em.conflicts.list())) == 1
    return last.id, first.id


def test_one_project_that_is_torn_itself_goes_to_a_person(em: Forge) -> None:
    newer, older = two_ways(em)
    for lenses in (BOTH, BOTH[:1]):
        found = em.orchestrate(ASKED, lenses)
        (torn,) = against(found)
        assert torn.lenses == ("builder",) and not torn.changed
        assert torn.item_a is not None and torn.item_b is not None
        assert (torn.item_a.source_id, torn.item_b.source_id) == (newer, older)
        assert "brass keys" in torn.description and "rejected_alternative" in torn.description
        assert "2026-05-03 tier 0.5 against 2026-01-07 tier 0.8" in torn.description
        step = found.field.steps[0]
        assert (step.act, step.lenses, step.ids) == (Act.DECIDE, ("builder",), (newer, older))
        assert found.field.needs_a_person and followed(found).isdisjoint((newer, older))
        stances = {each.id: each.stance for each in found.field.directions}
        assert stances.keys() & {newer, older} and all(
            stances.get(each, Stance.CONTESTED) is Stance.CONTESTED for each in (newer, older)
        )


def test_a_settled_conflict_leaves_one_way(em: Forge) -> None:
    newer, older = two_ways(em)
    em.decisions.invalidate(older, reason="The lock was taken out.")
    found = em.orchestrate(ASKED, BOTH)
    assert not against(found) and newer in followed(found) and not found.field.needs_a_person


def test_a_dismissed_conflict_within_a_project_is_none(em: Forge) -> None:
    newer, older = two_ways(em)
    (conflict,) = em.conflicts.list()
    em.conflicts.dismiss(conflict.id, "the keys are for emergencies")
    found = em.orchestrate(ASKED, BOTH)
    assert not against(found) and not followed(found).isdisjoint((newer, older))


def test_what_was_revised_since_is_compared_again(em: Forge) -> None:
    newer, _ = two_ways(em)
    em.decisions.revise(newer, "Potters open the kiln room by a code, too.")
    assert list(em.conflicts.list()) == []
    assert not against(em.orchestrate(ASKED, BOTH))


@pytest.mark.parametrize("is_found", [True, False])
def test_the_other_side_counts_though_it_does_not_answer(em: Forge, is_found: bool) -> None:
    said = "All ovens burn propane.", "The gas for firing comes from the digester since the pipe burst."
    one, other = (em.remember(text, project=name) for text, name in zip(said, (KILN, SHOP), strict=True))
    felt = {"energy": 0.5, "confidence": 0.8, "emotion_vector": {}, "goal": "tell", "mindstate": "calm"}
    em.link(other.id, one.id, "CONTRADICTS", **felt)
    for number in range(0 if is_found else 12):
        em.remember(f"Oven {number} burns its propane in a row of jets.", project=SHOP, tags=["jets"])
    lenses = (
        BOTH
        if is_found
        else [BOTH[0], {"name": "jets", "projects": [SHOP], "tags": ["jets"], "role": "critic"}]
    )
    found = em.orchestrate("Do all ovens burn propane?", lenses)
    assert one.logical_id in {hit.source_id for hit in found.per_lens["builder"].answering}
    critic = found.per_lens["critic"]
    assert other.logical_id not in {hit.source_id for hit in critic.answering}
    assert (other.logical_id in {hit.source_id for hit in critic.results}) is is_found
    pairs = [{x.item_a.source_id, x.item_b.source_id} for x in against(found) if x.item_a and x.item_b]
    assert {one.logical_id, other.logical_id} in pairs
    assert one.logical_id not in followed(found) and found.field.needs_a_person
    gaps = [(x.lens_a, x.lens_b) for x in found.divergence if x.type is DivergenceType.GAP]
    assert ("builder", "critic") not in gaps, "it has something to say"
    assert "since the pipe burst" in found.context_text


def test_what_does_not_hold_at_a_lens_s_date_stands_against_nothing_there(em: Forge) -> None:
    newer, older = two_ways(em)
    assert older in followed(em.orchestrate(ASKED, dated("2026-03")))
    now = em.orchestrate(ASKED, dated("2026-06"))
    assert against(now) and followed(now).isdisjoint((newer, older))


def test_a_successor_in_other_words_is_a_change_and_dominates(em: Forge) -> None:
    old = em.decisions.create("Customers hear of their pots by letter.", project=KILN, valid_at="2026-01-05")
    new = em.decisions.supersede(
        old.id, "A message on the phone tells customers that the pots are done.", at="2026-04-10"
    )
    found = em.orchestrate("How do customers hear of their pots?", dated("2026-02", None))
    (change,) = against(found)
    assert change.changed and change.description.startswith("changed between the two dates")
    assert (
        new.id in change.description and old.id in change.description and "2026-04-10" in change.description
    )
    assert change.item_a is not None and change.item_a.source_id == new.id
    assert followed(found) == {new.id} and not found.field.needs_a_person
    assert not found.convergence and not found.guardian


def test_a_version_that_says_something_else_dominates_the_one_before(em: Forge) -> None:
    old = em.remember("The big kiln fires at 1200 degrees.", project=KILN, valid_at="2026-01-05")
    em.supersede(old.id, "The big kiln fires at 1050 degrees.", at="2026-04-10")
    found = em.orchestrate("How hot does the big kiln fire?", dated("2026-02", None))
    (change,) = against(found)
    assert change.changed and "gave way to" in change.description
    then, now = found.per_lens
    assert [step.lenses for step in found.field.steps if step.act is Act.FOLLOW] == [(now,)]
    assert (change.lens_a, change.lens_b) == (now, then) and not found.field.needs_a_person


def test_steps_replaced_in_between_are_a_change_too(em: Forge) -> None:
    first = em.decisions.create("Pots are wrapped in straw.", project=KILN, valid_at="2026-01-05")
    second = em.decisions.supersede(first.id, "Pots are wrapped in newspaper.", at="2026-02-10")
    third = em.decisions.supersede(second.id, "Wrapping: honeycomb sheets round pots.", at="2026-03-10")
    found = em.orchestrate("How are pots wrapped?", dated("2026-01-20", None))
    changes = [(x.item_a.source_id, x.item_b.source_id) for x in against(found) if x.item_a and x.item_b]
    assert (third.id, first.id) in changes and all(each.changed for each in against(found))


def test_documents_of_other_numbers_never_agree(em: Forge) -> None:
    for number, project in (("401", KILN), ("512", SHOP), ("401", SHOP)):
        em.remember(f"ISO {number}: Firing of earthenware in gas kilns.", project=project)
    found = em.orchestrate("Which standard is for firing earthenware in gas kilns?", BOTH)
    (agreed,) = found.convergence
    assert {item.hit.memory.content[:7] for item in agreed.items} == {"ISO 401"}


def test_what_is_agreed_weakly_is_not_followed_before_a_strong_answer(em: Forge) -> None:
    strong = em.decisions.create(
        "The Westerwald quarry delivers the white clay for plates.", project=KILN, tier=0.95
    )
    jars = [f"Shelf {number} of the cellar holds jar {7 * number} with buttons." for number in range(30)]
    for project in (KILN, SHOP):
        em.remember_many({"content": each, "project": project} for each in jars)
        weak = "White clay cracks in frost."
        em.remember(weak, project=project, epistemic_tier=0.1, valid_at="2019-01-01")
    found = em.orchestrate("Which quarry delivers the white clay for plates?", BOTH)
    (agreed,) = (x for x in found.field.directions if x.stance is Stance.AGREED)
    assert agreed.says == weak and agreed.mass < found.field.directions[0].mass
    assert [step.ids for step in found.field.steps if step.act is Act.FOLLOW] == [(strong.id,)]


def test_a_role_of_a_project_that_is_gone_is_passed_over(em: Forge) -> None:
    for project in (KILN, "old shop"):
        em.remember("Glaze buckets are stirred on Mondays.", project=project)
        em.roles.assign(project, "builder")
    em.forget(project="old shop", confirmed=True)
    found = em.orchestrate("When are glaze buckets stirred?")
    assert found.answered and list(found.per_lens) == ["builder"]
    (note,) = found.notes
    assert "'old shop'" in note and "engramforge roles remove 'old shop'" in note
    em.roles.remove("old shop")
    assert em.orchestrate("When are glaze buckets stirred?").notes == ()
    em.forget(project=KILN, confirmed=True)
    with pytest.raises(NotFound, match="which has a role") as refused:
        em.orchestrate("When are glaze buckets stirred?")
    assert "engramforge roles remove kiln" in refused.value.mend


def test_a_small_text_repeats_no_passage_in_its_notes(em: Forge) -> None:
    two_ways(em)
    long = "The tall chimney was rebuilt with yellow bricks from Zeeland after the storm took its crown. " * 4
    em.remember(long, project=KILN)
    for asked, most in (("Who rebuilt the tall chimney after the storm?", 800), (ASKED, 1_000)):
        found = em.orchestrate(asked, BOTH, budget=500)
        assert found.divergence
        notes = found.context_text.partition("=== DIVERGENCE")[2].partition("=== FIELD")[0]
        assert long[:60] not in notes and len(found.context_text) < most, found.context_text


def test_a_raised_mass_reads_as_no_sum(em: Forge) -> None:
    for project in (KILN, SHOP):
        em.remember("Glaze buckets are stirred on Mondays.", project=project)
    text = em.orchestrate("When are glaze buckets stirred?", BOTH).context_text
    assert ", raised from 0." in text and " + " not in text


@pytest.mark.each_engine
def test_other_sides_cost_one_statement_at_most(em: Forge, monkeypatch: pytest.MonkeyPatch) -> None:
    two_ways(em, KILN, SHOP)
    door = em._stages.door
    statements: list[str] = []
    view = type(door.asking(em._scope))
    plain = {name: getattr(view, name) for name in ("links", "fetch", "versions")}

    def counted(name: str) -> Callable[..., object]:
        def call(self: object, *given: object, **more: object) -> object:
            statements.append(name)
            found: object = plain[name](self, *given, **more)
            return found

        return call

    for name in plain:
        monkeypatch.setattr(view, name, counted(name))
    em.orchestrate(ASKED, BOTH)
    assert statements.count("links") <= 1 and statements.count("fetch") <= 1 and "versions" not in statements
