"""The oracle tells the whole of a matter: both sides of a conflict, what took whose place, what was decided since."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engramforge.forge import Forge
from engramforge.model.oracle import OracleAnswer

NETS = "Keep the nets in the boathouse."
SHED = "The nets are dried and stored in the shed behind the quay."
_LINK = {"energy": 0.9, "confidence": 0.9, "emotion_vector": {}, "goal": "tell", "mindstate": "plain"}


def said(answer: OracleAnswer) -> list[str]:
    """What is cited, in order."""
    return [each.memory.content for each in answer.resonant_set]


def opposed_in(em: Forge) -> Forge:
    one = em.decisions.create(NETS, project="harbour", valid_at="2026-01-05", tier=0.8)
    other = em.decisions.create(SHED, project="fishery", valid_at="2026-03-01", tier=0.6)
    em.remember("The choir sings on Sunday.", project="harbour")
    em.link(other.memory_id, one.memory_id, "CONTRADICTS", **_LINK)
    return em


@pytest.fixture(scope="module")
def opposed(lasting: Callable[[], Forge]) -> Forge:
    return opposed_in(lasting())


@pytest.mark.parametrize("question", ["Which boathouse has the nets?", "What is stored behind the quay?"])
@pytest.mark.parametrize("depth", ["shallow", "deep"])
def test_the_other_side_of_an_open_conflict_is_cited(opposed: Forge, question: str, depth: str) -> None:
    answer = opposed.consult(question, depth)
    assert sorted(said(answer)) == sorted([NETS, SHED])
    (against,) = answer.contradictions
    assert (against.one.project, against.other.project) == ("fishery", "harbour"), "the newer first"
    assert "2026-03-01, tier 0.6" in answer.answer and "2026-01-05, tier 0.8" in answer.answer
    if depth == "shallow":  # the other follows links anyway
        assert "other side of an open conflict" in answer.answer
        assert [bool(each.because) for each in answer.citations] == [False, True]


def test_what_is_no_open_conflict_here_is_not_told(em: Forge) -> None:
    opposed = opposed_in(em)
    question = "Which boathouse has the nets?"
    assert said(opposed.consult(question, project="harbour")) == [NETS], "the other is out of scope"
    (conflict,) = opposed.conflicts.list()
    opposed.conflicts.dismiss(conflict.id, "two quays")
    assert said(opposed.consult(question)) == [NETS]


def test_a_side_that_no_longer_stands_is_not_told(em: Forge) -> None:
    opposed = opposed_in(em)
    (shed,) = opposed.decisions.browse(project="fishery")
    opposed.decisions.invalidate(shed.id, reason="the shed burnt down")
    assert said(opposed.consult("Which boathouse has the nets?")) == [NETS]


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        (
            "Can we sail on Sundays?",
            "No sailing to the island on Sundays.",
            "We sail to the island every Sunday.",
        ),
        (
            "May we store fuel cans?",
            "Never store fuel cans.",
            "We store fuel cans locked in the shed, so that nobody has to fetch them.",
        ),
        (
            "How long are berth permits valid?",
            "Berth permits are valid for 24 hours.",
            "Berth permits expire after 15 minutes.",
        ),
    ],
)
def test_answers_that_oppose_each_other_are_told_though_nothing_is_recorded(
    local: Forge, question: str, one: str, other: str
) -> None:
    local.decisions.create(one, project="harbour")
    local.decisions.create(other, project="fishery")
    answer = local.consult(question)
    assert sorted(said(answer)) == sorted([one, other])
    assert len(answer.contradictions) == 1 and "Contradictions:" in answer.answer


@pytest.mark.parametrize("question", ["What replaced TEP-0007?", "What took the place of TEP-0007?"])
def test_what_took_the_place_of_another_does_not_contradict_it(em: Forge, question: str) -> None:
    old = em.remember(
        "TEP-0007: Tide tables\nStatus: Obsolete. Superseded by TEP-0012.",
        project="texts",
        valid_at="2020-01-05",
    )
    new = em.remember(
        "TEP-0012: Tide almanac\nStatus: Active. Supersedes TEP-0007.", project="texts", valid_at="2024-01-05"
    )
    em.remember("TEP-0009: Mooring fees\nStatus: Active.", project="texts")
    em.link(new.logical_id, old.logical_id, "CONTRADICTS", **_LINK)
    answer = em.consult(question)
    assert [each.id for each in answer.citations] == [new.logical_id, old.logical_id], "the successor first"
    assert answer.contradictions == () and answer.gaps == ()
    (taken,) = answer.successions
    assert (taken.successor.id, taken.predecessor.id) == (new.logical_id, old.logical_id)
    told = f"- [{old.logical_id}] (2020-01-05) was superseded by [{new.logical_id}] (2024-01-05)"
    assert told in answer.answer and "Contradictions" not in answer.answer


def test_a_document_of_another_kind_is_not_what_is_asked_for(local: Forge) -> None:
    local.remember("TEP-0012: Tide almanac\nStatus: Active. It defines how tides are told.", project="texts")
    assert local.consult("Which TEP defines how tides are told?").answered
    assert not local.consult("Which MEP defines how tides are told?").answered


def test_a_later_decision_that_names_what_was_chosen_is_cited(local: Forge) -> None:
    chosen = "Use Merrow for towing: Replace the hired tow boat by our own tow boat Merrow."
    later = "We will switch to a tow contract with the yard. The harbour runs the old Merrow, which leaks."
    local.decisions.create(chosen, project="harbour", valid_at="2020-01-05")
    local.decisions.create(later, project="harbour", valid_at="2026-01-05")
    local.decisions.create("Paint the sheds green.", project="harbour", valid_at="2026-02-05")
    answer = local.consult("Which tow boat does the harbour use for towing?")
    assert said(answer) == [later, chosen] and answer.citations[0].because == "later decision that names it"


def test_a_citation_tells_its_date_once_and_its_project_among_several(em: Forge) -> None:
    em.remember(NETS, project="harbour", session_id="s1", valid_at="2026-01-05T10:00:00Z")
    answer = em.consult("Which boathouse has the nets?")
    assert answer.answer.endswith("] (2026-01-05, s1)")
    em.remember("The choir sings on Sunday.", project="town")
    assert em.consult("Which boathouse has the nets?").answer.endswith("] (2026-01-05, harbour, s1)")


def test_the_name_of_a_project_is_no_missing_word(local: Forge) -> None:
    local.remember(NETS, project="harbour")
    assert local.consult("Which harbour boathouse has the nets?").gaps == ()
    assert local.consult("Which wifi does the harbour have?").gaps == ("wifi",)


def test_what_is_asked_of_a_thing_is_not_said_of_another(em: Forge) -> None:
    em.remember(
        "RFC 8801: Ropes of hemp. Status: final. It says how ropes are spliced.", valid_at="2016-03-01"
    )
    em.remember("RFC 8802: Ropes of steel. It extends RFC 8801, as ropes rust.", valid_at="2017-05-01")
    em.remember("Every author of a manual on ropes should splice one.", valid_at="2018-02-01")
    em.remember("RFC 8900: How the board is elected. Status: final.", valid_at="2018-09-01")
    asked = em.consult("Who is the author of RFC 8801?")
    assert not asked.answered or "author" in asked.gaps
    asked = em.consult("What was RFC 8801's status in 2018?")
    assert all("8801" in each for each in said(asked))


def test_a_priming_block_is_no_answer(em: Forge) -> None:
    em.priming.add("quay", "The quay is washed on Mondays by Ines.")
    assert not em.consult("Who washes the quay on Mondays?").answered
    em.remember("The quay is washed on Mondays by Ines.", kind="note")
    assert [each.memory.kind for each in em.consult("Who washes the quay on Mondays?").resonant_set] == [
        "note"
    ]


@pytest.mark.parametrize(
    ("one", "other", "are_against"),
    [
        ("Until June the choir meets on Mondays.", "From July on the choir meets on Fridays.", False),
        ("The choir of Ghent meets on Mondays.", "The choir of Bruges meets on Fridays.", False),
        ("The choir meets on Mondays.", "The choir meets on Fridays.", True),
    ],
)
def test_days_of_other_periods_or_names_are_no_contradiction(
    em: Forge, one: str, other: str, are_against: bool
) -> None:
    em.remember(one, kind="note")
    em.remember(other, kind="note")
    asked = em.consult("When does the choir meet?")
    assert len(asked.resonant_set) == 2 and bool(asked.contradictions) is are_against
