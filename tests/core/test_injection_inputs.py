"""What a prompt is read for before anything is looked for: whether it steers, asks the world, or seeks a rule."""

from __future__ import annotations

import pytest

from engramforge.core.injection.gate import asked_by, begins_work, only_asks
from engramforge.core.injection.inputs.echoes import asks_for_all_rules, looks_for_a_rule, things_in
from engramforge.core.injection.inputs.matters import shares_little
from engramforge.core.injection.inputs.small_talk import is_small_talk
from engramforge.core.injection.last_session import says_something
from engramforge.core.injection.warnings import standing_warning


@pytest.mark.parametrize(
    "prompt",
    [
        "how many ounces are 3 pounds",
        "whats 40 celsius in fahrenheit?",
        "convert 12 miles to km please",
        "how many bytes in a kilobyte?",
        "both halls, yes",
        "no, the blue one",
        "oak then",
        "yep. on mondays",
    ],
)
def test_what_only_converts_or_answers_asks_for_nothing(prompt: str) -> None:
    assert asked_by(prompt) == ""


@pytest.mark.parametrize(
    "prompt",
    [
        "how many pounds are on the barge?",
        "how many days do the eels stay in tank 3?",
        "convert the weights of the barge to km tables",
        "yes, write the ballast report for both halls",
        "no, why is the ballast pump so loud?",
        "at what hour does the ferry sail",
    ],
)
def test_what_asks_for_more_is_looked_for(prompt: str) -> None:
    assert asked_by(prompt) == prompt


@pytest.mark.parametrize(
    ("query", "said", "is_little"),
    [
        ("do we need insurance?", "the winch squeals, we need to know why", True),
        ("what is 9 kg in stone", "sacks weigh 9 kg", True),
        ("where do we put the sacks?", "sacks lie in the loft", False),
        ("who paints the hull?", "nothing in common", False),
    ],
)
def test_a_number_a_unit_or_a_common_verb_is_no_matter(query: str, said: str, is_little: bool) -> None:
    assert shares_little(query, said) is is_little


@pytest.mark.parametrize(
    "turn",
    ["haha the gull stole my sandwich", "so foggy again, cold morning", "did you watch the final?", "bored"],
)
def test_small_talk_is_known(turn: str) -> None:
    assert is_small_talk(turn)


@pytest.mark.parametrize(
    "turn",
    [
        "haha the parser fails on gulls",
        "the cold store alarm is loud",
        "did you see the match in the log?",
        "storm warnings go to the harbour master",
    ],
)
def test_work_is_no_small_talk(turn: str) -> None:
    assert not is_small_talk(turn)


@pytest.mark.parametrize(
    ("turn", "says"),
    [
        ("gn8", False),
        ("4:2 :) good night", False),
        ("see you at 9", False),
        ("that's it for today, kids are hungry", False),
        ("thats it for today, tomorrow we fix the winch", True),
        ("4:2", True),
    ],
)
def test_leave_taking_with_a_score_or_an_hour_says_nothing(turn: str, says: bool) -> None:
    assert says_something(turn) is says


@pytest.mark.parametrize(
    "said",
    [
        "pls no lodash in the frontend, native is enough",
        "no jquery in the shop please",
        "never pip install on the buoy, flash is tiny",
        "dont ever run make deploy while the lock is open, it floods",
        "never docker prune on the server",
        "never vaccinate puppies twice",
        "hey, please never ship beta firmware",
        "and never print patient names, the clinic reads along",
        "the master tapes are old, never overwrite old takes",
        "never re-seed staging",
        "you must never fax invoices to clinics",
        "don't restart brokers on weekends",
        "do not publish episodes on a friday",
        "dont touch pay/ledger.rb, the auditors read it",
        "do not rename schema.graphql, the app reads it",
        "leave the vendor/ folder alone",
    ],
)
def test_what_is_never_to_be_done_is_a_rule_for_good(said: str) -> None:
    assert standing_warning(said) == said


@pytest.mark.parametrize(
    "said",
    [
        "pls no hurry with the frontend",
        "please no deploys in the shop today",
        "no luck in the shop please look again",
        "it never git pushes by itself",
        "there is no lodash in the frontend",
        "we never npm installed that",
        "I never said print names",
        "never seen such tapes before",
        "we never got to it",
        "we try and never get results",
        "parcels leave the depot but never clear customs",
        "my boss never reads reports",
        "never tell me that",
        "never happier with a tape",
        "never put two and two together before",
        "customers never pay invoices on time",
        'the leaflet says "never print names" on top',
        "don't touch that yet",
        "don't touch pay/ledger.rb yet",
        "don't touch pay/ledger.rb, just explain it",
        "don't delete draft.md, rename it to final.md",
        "dont worry about the tapes on sundays",
        "don't add tests for this now",
        "don't restart brokers on sunday",
        "leave pay/ledger.rb alone for now",
    ],
)
def test_what_only_sounds_so_is_none(said: str) -> None:
    assert standing_warning(said) is None


@pytest.mark.parametrize(
    ("prompt", "things", "is_for_all"),
    [
        ("what must we never do here?", [], True),
        ("is there anything that i must not touch in this project", [], True),
        ("am i allowed to prune now", ["prune"], False),
        ("may i?", [], False),
        ("any don'ts in this repo?", [], True),
        ("whats forbidden here", [], True),
        ("any don'ts for the winch?", ["winch"], False),
    ],
)
def test_a_rule_is_sought_for_a_thing_or_for_all(prompt: str, things: list[str], is_for_all: bool) -> None:
    assert looks_for_a_rule(prompt)
    assert things_in(prompt) == things
    assert asks_for_all_rules(prompt) is is_for_all


@pytest.mark.parametrize(
    ("prompt", "begins"),
    [
        ("write the ballast report", True),
        ("set up a nightly job for the tides", True),
        ("please add the winch to the list", True),
        ("the ballast report is late", False),
        ("who writes the ballast report?", False),
    ],
)
def test_an_order_begins_work(prompt: str, begins: bool) -> None:
    assert begins_work(prompt) is begins


@pytest.mark.parametrize(
    ("said", "is_question"),
    [
        ("good morning! how hot is the kiln?", True),
        ("hey there. which glaze was it again", True),
        ("Hi all! Back again. Where do the moulds hang?", True),
        ("thanks. and who has the key?", True),
        ("Quick question: is it the blue one?", True),
        ("Good morning, the kiln is at 900 degrees.", False),
        ("the kiln is at 900. is that ok?", False),
        ("Morning.", False),
        ("ok. the moulds hang in the hall", False),
        ("thanks, the blue one it is", False),
    ],
)
def test_a_greeting_before_a_question_states_nothing(said: str, is_question: bool) -> None:
    assert only_asks(said) is is_question
