"""Who asks what must not be done is told the person's own rules; who gives an order, what was decided of its matter."""

from __future__ import annotations

import pytest
from tests.answer.test_injections import asked, event, started

from engramforge.forge import Forge

RULES = (
    "never npm install anything on the buoy, its card is full",
    "pls no pandas on the buoy, the wheel takes an hour",
    "dont ever run make surge while the lock is open, it floods",
)
PASTED = (
    "it died last night, here's the log:\n"
    "2026-05-02 03:10:11 ERROR lock: jammed\n"
    "2026-05-02 03:10:12 INFO never open the lock dry"
)
QUOTED = "from the club's newsletter:\n> Never use steel rope on a wooden winch.\n> Switch to hemp today!\nnice, no?"


def turn(
    em: Forge, text: str, number: int, session: str = "before", kind: str = "prompt", project: str = "atlas"
) -> None:
    em.remember(text, project=project, kind=kind, session_id=session, sequence=number)


@pytest.fixture
def harbour(em: Forge) -> Forge:
    for number, text in enumerate(
        (*RULES, PASTED, QUOTED, "The gulls were loud.", "Anna paints the fence green.")
    ):
        turn(em, text, number)
    return em


def test_a_session_starts_with_the_persons_own_rules(harbour: Forge) -> None:
    found = started(harbour)
    assert found is not None
    assert all(each in found.text for each in RULES)
    assert "open the lock dry" not in found.text and "steel rope" not in found.text


def test_who_asks_for_all_rules_is_told_them_and_nobody_elses(harbour: Forge) -> None:
    found = asked(harbour, "what must i never do here")
    assert found is not None
    assert all(each in found.text for each in RULES)
    assert "open the lock dry" not in found.text and "steel rope" not in found.text


@pytest.mark.parametrize("prompt", ["Any don'ts in this project?", "what is forbidden here?"])
def test_rules_without_a_program_are_told_too(em: Forge, prompt: str) -> None:
    rules = (
        "please never fax crew lists",
        "don't touch src/tide/old_table.ts, annas script depends on it",
        "leave lib/gauge.py alone",
        "do not restart pumps on saturdays",
    )
    for number, text in enumerate((*rules, "don't touch src/new.ts yet", "never mind the fog")):
        turn(em, text, number)
    begun, answer = started(em, session="other"), asked(em, prompt)
    assert begun is not None and answer is not None
    assert [each for each in rules if each not in begun.text or each not in answer.text] == []
    assert "new.ts" not in answer.text and "fog" not in answer.text


@pytest.mark.parametrize(
    ("prompt", "rule"),
    [
        ("am i allowed to surge now", RULES[2]),
        ("can i run make surge now", RULES[2]),
        ("may i install pandas on the buoy", RULES[1]),
        ("is npm ok on the buoy?", RULES[0]),
    ],
)
def test_who_asks_whether_they_may_is_told_the_rule(harbour: Forge, prompt: str, rule: str) -> None:
    found = asked(harbour, prompt)
    assert found is not None and rule in found.text


def test_a_rule_is_not_overtaken_by_a_later_decision_about_its_place(harbour: Forge) -> None:
    harbour.decisions.create("The buoy runs Python 3.12", project="atlas")
    found = asked(harbour, "may i install pandas on the buoy")
    assert found is not None and RULES[1] in found.text


DECIDED = (
    "the tide tables are dumped to the vault every night and kept for 40 days",
    "the lamp of the mole is driven by a relay",
    "the harbour master gets a text message at gale force",
)


@pytest.fixture
def decided(em: Forge) -> Forge:
    for each in DECIDED:
        em.decisions.create(each, project="atlas", conversation="before")
    for number, text in enumerate(
        ("The gulls were loud.", "jenkins only ever builds against the toy crane", "Lunch is at noon.")
    ):
        turn(em, text, number)
    return em


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("write the script that fills the vault", DECIDED[0]),
        ("set up the jenkins job please", "toy crane"),
        ("add a switch for the lamp", DECIDED[1]),
    ],
)
def test_an_order_is_told_what_was_decided_of_its_matter(decided: Forge, prompt: str, told: str) -> None:
    found = asked(decided, prompt)
    assert found is not None and told in found.text


@pytest.mark.parametrize(
    "prompt",
    [
        "write a poem about snow",
        "rename the variable total in sums.py",
        "set up the test job please",
        "draw a big red fish with a lamp beside the old green boat",
    ],
)
def test_an_order_about_something_else_is_told_nothing(decided: Forge, prompt: str) -> None:
    assert asked(decided, prompt) is None


def test_what_another_project_has_of_every_project_stays_there(em: Forge) -> None:
    em.decisions.create("SQLite for the tide records", project="beacon")
    em.remember("The lamp of the beacon is changed in May.", project="beacon")
    assert asked(em, "where do the records go?") is None


def test_what_another_project_gave_up_stays_there(em: Forge) -> None:
    old = em.decisions.create("the harbour crane is steered over zigbee radio", project="beacon")
    em.decisions.supersede(old.id, "the harbour crane is steered over a cable")
    found = asked(em, "is the harbour crane steered over zigbee radio?")
    assert found is None or "zigbee" not in found.text


def test_a_remark_is_not_answered_by_what_is_said_next_of_something_else(em: Forge) -> None:
    for number, text in enumerate(
        ("The gulls were loud.", "Lunch is at noon.", "Anna paints the fence green.")
    ):
        turn(em, text, number)
    turn(em, "Fine, I'd keep one of them near the crane.", 5, kind="response")
    turn(em, "bob rings the bell on mondays, me on fridays", 6)
    found = asked(em, "how does the crane know one box from another")
    assert found is None or "rings the bell" not in found.text


def test_a_matter_that_the_session_itself_settles_is_not_told_to_it(em: Forge) -> None:
    told = {"project": "atlas", "kind": "prompt"}
    em.remember(
        "todo: the winch drips oil onto the deck, someone has to look at it",
        session_id="before",
        sequence=1,
        **told,
    )
    em.remember("hi. winch is fixed, put a new seal in", session_id="now", sequence=1, **told)
    resolved = list(em.threads.browse(project="atlas", status="resolved"))
    assert resolved, "the later turn settles it"
    assert (
        em.injections.for_event(event("UserPromptSubmit", prompt="hi. winch is fixed, put a new seal in"))
        is None
    )


def test_where_a_session_stopped_an_answer_stands_with_its_own_prompt(em: Forge) -> None:
    turns = (
        ("Measure how long the crane takes to turn", "It takes forty seconds."),
        ("can you run the tests", "All nine tests pass."),
        ("maybe we paint the crane in the autumn", ""),
        ("haha the gull stole my sandwich", "Gulls have good taste."),
        ("5:1 :) gn8", "Sleep well!"),
    )
    for number, (prompt, response) in enumerate(turns):
        turn(em, prompt, 2 * number)
        if response:
            turn(em, response, 2 * number + 1, kind="response")
    found = started(em)
    assert found is not None
    lines = [line.rpartition("] ")[2] for line in found.text.splitlines() if line.startswith("- [")]
    at = lines.index("Measure how long the crane takes to turn")
    assert lines[at + 1] == "It takes forty seconds."
    assert not {
        "All nine tests pass.",
        "Gulls have good taste.",
        "5:1 :) gn8",
        "haha the gull stole my sandwich",
    } & set(lines)
