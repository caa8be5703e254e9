"""What lenses stand against is marked, and shown all the same; and the field as a router or planner reads it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engramforge.faces.views.lens import WholeFieldView
from engramforge.faces.views.shape import plain
from engramforge.forge import Forge
from engramforge.model.fence import CONTEXT_FENCE
from engramforge.model.lenses.orchestration import Act, DivergenceType, MarkType, Orchestration, Stance

ASKED = "How should the ferry office take bookings?"
ALL_OF_THEM = "What of ferry bookings?"
IDEAS, CODEX, YARD = "ideas", "codex", "yard"


def office_in(em: Forge) -> Forge:
    """Ideas, decisions and a workshop that do not all agree."""
    em.remember("Take ferry bookings by paper slips, as the office always did.", project=IDEAS)
    em.remember("The ferry office might take bookings by a phone robot.", project=IDEAS)
    em.remember("Ferry bookings are confirmed by fax.", project=IDEAS, epistemic_tier=0.3)
    em.decisions.create(
        "The ferry office takes bookings on a web form.",
        rationale="Slips get lost in the rain.",
        alternatives_rejected=["paper slips"],
        project=CODEX,
        tier=0.85,
    )
    em.remember("For ferry bookings we ruled out a phone robot because passengers hang up.", project=CODEX)
    old = em.decisions.create("Ferry bookings are confirmed by fax.", project=CODEX, tier=0.7)
    em.decisions.supersede(old.id, "Ferry bookings are confirmed by mail.", rationale="Nobody has a fax.")
    em.decisions.create("Bookings must close two hours before a ferry leaves.", project=CODEX, tier=0.9)
    em.remember("Bookings must close two minutes before a ferry leaves.", project=YARD, epistemic_tier=0.4)
    em.remember("The ferry office takes its bookings on a web form.", project=YARD, epistemic_tier=0.8)
    for project, role in ((IDEAS, "connector"), (CODEX, "navigator"), (YARD, "builder")):
        em.roles.assign(project, role)
    return em


@pytest.fixture
def own_office(em: Forge) -> Forge:
    """An office for a test that writes to it."""
    return office_in(em)


@pytest.fixture(scope="module")
def office(lasting: Callable[[], Forge]) -> Forge:
    return office_in(lasting())


@pytest.fixture(scope="module")
def found(office: Forge) -> Orchestration:
    """What the three find."""
    return office.orchestrate(ASKED)


def test_what_a_decision_rejected_is_marked_where_another_lens_suggests_it(found: Orchestration) -> None:
    (mark,) = (each for each in found.guardian if each.what == "paper slips")
    assert (mark.type, mark.lens, mark.by_lens) == (MarkType.REJECTED, "connector", "navigator")
    assert mark.item.memory.content.startswith("Take ferry bookings by paper slips")
    assert mark.why == "Slips get lost in the rain." and mark.severity == pytest.approx(0.85)


def test_what_a_text_says_was_rejected_is_marked(found: Orchestration) -> None:
    (mark,) = (each for each in found.guardian if each.what == "phone robot")
    assert (mark.lens, mark.by_lens) == ("connector", "navigator")
    assert "passengers hang up" in mark.why


def test_what_a_lens_has_given_up_is_marked_with_what_took_its_place(office: Forge) -> None:
    found = office.orchestrate(ALL_OF_THEM)
    (mark,) = (each for each in found.guardian if each.what == "Ferry bookings are confirmed by fax")
    assert (mark.type, mark.lens, mark.by_lens) == (MarkType.REJECTED, "connector", "navigator")
    assert "confirmed by mail" in mark.why
    # And the two do not count as one matter.
    for each in found.convergence:
        said = {item.hit.excerpt for item in each.items}
        assert not ({"Ferry bookings are confirmed by fax."} <= said and any("by mail" in x for x in said))


def test_clashing_constraints_go_to_a_person(office: Forge) -> None:
    found = office.orchestrate(ALL_OF_THEM)
    (mark,) = (each for each in found.guardian if each.type is MarkType.CONSTRAINT)
    assert {mark.lens, mark.by_lens} == {"builder", "navigator"}
    assert mark.lens == "builder", "the less sure one is marked"
    assert found.guardian[0] is mark, "it comes first"
    assert found.field.needs_a_person
    assert found.field.steps[0].act is Act.SETTLE and set(found.field.steps[0].lenses) == {
        "builder",
        "navigator",
    }


def test_marks_are_told_in_the_text_and_nothing_is_left_out(found: Orchestration, own_office: Forge) -> None:
    text = found.context_text
    assert "=== GUARDIAN (who stands against what) ===" in text
    assert "[GUARDIAN: navigator against this]" in text
    assert "Take ferry bookings by paper slips" in text.partition("=== DIVERGENCE")[0]
    for mark in found.guardian:
        shown = [hit.source_id for hit in found.per_lens[mark.lens].results]
        assert mark.item.source_id in shown
    assert text.count(f"</{CONTEXT_FENCE}>") == 1
    own_office.decisions.create("Tickets cost one coin.", project=CODEX)
    plain_text = own_office.orchestrate("What do tickets cost?", [{"project": CODEX}]).context_text
    assert "GUARDIAN" not in plain_text


def test_one_lens_stands_against_nothing_of_its_own(own_office: Forge) -> None:
    own_office.remember("Take bookings by paper slips after all.", project=CODEX)
    alone = own_office.orchestrate(ASKED, [{"project": CODEX}])
    assert alone.guardian == ()


def test_who_says_no_to_it_too_suggests_nothing(own_office: Forge) -> None:
    said = {
        "The office does not take bookings by paper slips.",
        "Never use paper slips for ferry bookings.",
        "We rejected paper slips for ferry bookings as well.",
        "Ferry bookings come by web form instead of paper slips.",
        "Bookings for ferries are on paper, slips of the tongue aside, nowhere: avoid paper slips.",
    }
    own_office.remember_many({"content": each, "project": YARD} for each in said)
    found = own_office.orchestrate(ASKED)
    assert said <= {hit.memory.content for hit in found.per_lens["builder"].results}
    marked = {mark.item.memory.content for mark in found.guardian if mark.what == "paper slips"}
    assert marked and not said & marked


def test_the_field_says_which_way_is_rejected_by_whom_and_why(found: Orchestration) -> None:
    field = found.field
    assert field.coherence == found.field_summary.coherence
    assert field.dominant_lens == found.field_summary.dominant_lens
    ways = {each.says: each for each in field.directions}
    slips = next(each for says, each in ways.items() if "paper slips, as" in says)
    assert slips.stance is Stance.REJECTED
    assert [(each.lens, "Slips get lost" in each.why) for each in slips.against] == [("navigator", True)]
    form = next(each for says, each in ways.items() if "web form" in says)
    assert form.stance is Stance.AGREED and {"navigator", "builder"} <= set(form.lenses)
    masses = [each.mass for each in field.directions]
    assert masses == sorted(masses, reverse=True)
    shown = {hit.source_id for each in found.per_lens.values() for hit in each.results}
    assert {each.id for each in field.directions} <= shown


def test_steps_settle_before_they_follow_and_explore_last(found: Orchestration) -> None:
    acts = [each.act for each in found.field.steps]
    order = [Act.SETTLE, Act.DECIDE, Act.AVOID, Act.FOLLOW]
    first = [acts.index(act) for act in order if act in acts]
    assert first == sorted(first)
    assert all(each.because and each.lenses for each in found.field.steps)
    avoided = {each.because for each in found.field.steps if each.act is Act.AVOID}
    assert any("paper slips" in each for each in avoided)


def test_the_field_is_plain_data(found: Orchestration) -> None:
    data = plain(WholeFieldView.of(found.field))
    assert set(data) == {"coherence", "dominant_lens", "directions", "steps", "needs_a_person"}
    assert set(data["directions"][0]) == {
        *("id", "says", "kind", "lenses", "mass", "epistemic_tier", "stance", "against"),
    }
    assert set(data["steps"][0]) == {"act", "lenses", "ids", "because"}


def test_a_gap_is_to_be_filled(em: Forge) -> None:
    em.remember("The lighthouse tower has 212 steps.", project="lamp")
    em.remember("The lighthouse tower is white.", project="doors")
    for project in ("bakery", "brewery"):
        em.remember("Bread and beer are made at four.", project=project)
    found = em.orchestrate(
        "How many steps has the lighthouse tower?",
        [
            {"project": project, "role": role}
            for project, role in (
                ("lamp", "navigator"),
                ("doors", "connector"),
                ("bakery", "builder"),
                ("brewery", "compiler"),
            )
        ],
    )
    assert [(each.act, each.lenses[-1]) for each in found.field.steps] == [
        (Act.FOLLOW, "navigator"),
        (Act.FILL, "connector"),
    ], "what a lens that has nothing near lacks is none of its matters"
    assert [each.type for each in found.divergence] == [DivergenceType.GAP] * 3, "all are counted"
    assert "Nothing near it: builder and compiler." in found.context_text
    assert not found.field.needs_a_person


def test_weights_stay_unless_one_asks(office: Forge) -> None:
    assert all(each.weighed is None for each in office.orchestrate(ASKED).per_lens.values())
    adapted = office.orchestrate(ASKED, adaptive=True).per_lens["connector"].weighed
    assert adapted is not None and (adapted.before, adapted.after, adapted.judged) == (1.0, 1.0, 0)
    assert "stays" in adapted.why


def test_weights_follow_what_was_said_and_say_why(own_office: Forge) -> None:
    for number in range(5):
        for project in (IDEAS, CODEX):
            kept = own_office.remember(f"Ferry number {number} has a bell.", project=project)
            own_office.injections.feedback(kept.id, useful=project == CODEX)
    own_office.roles.assign(CODEX, "navigator", weight=0.6)
    found = own_office.orchestrate(ASKED, adaptive=True).per_lens
    worse, better, silent = (found[name].weighed for name in ("connector", "navigator", "builder"))
    assert worse and better and silent
    assert (worse.before, worse.after, worse.useful, worse.judged) == (1.0, 0.75, 0, 5)
    assert (better.before, better.after, better.useful) == (0.6, 0.75, 5)
    assert silent.after == silent.before
    assert found["connector"].weight == 0.75
    assert "0 of 5 judged memories were of use" in worse.why and "at most 25%" in worse.why
    # Said again, it counts once, as said last.
    own_office.injections.feedback(kept.id, useful=False)
    again = own_office.orchestrate(ASKED, adaptive=True).per_lens["navigator"].weighed
    assert again and (again.useful, again.judged) == (4, 5)


@pytest.mark.each_engine
def test_a_saved_lens_may_be_adaptive(office: Forge) -> None:
    lens = office.lenses.save("pair", [{"project": IDEAS}, {"project": CODEX}], adaptive=True)
    assert lens.adaptive and office.lenses.get("pair").adaptive
    assert office.orchestrate(ASKED, lens_name="pair").per_lens["connector"].weighed
    assert not office.orchestrate(ASKED, lens_name="pair", adaptive=False).per_lens["connector"].weighed
