"""What was refused or overtaken is told with what became of it, or not at all; small talk never."""

from __future__ import annotations

import pytest
from tests.answer.test_injections import asked, started

from engramforge.core.injection.gate import asked_in, is_of_own_project, proposes, replies, steers
from engramforge.core.injection.warnings import standing_warning
from engramforge.forge import Forge

TALK = (
    ("user", "The gulls were loud on the quay this morning."),
    ("assistant", "They are looking for the herring boats."),
    ("user", "The trainee painted the fence of the garden green."),
    ("assistant", "Green suits the garden well."),
    ("user", "A choir sang in the old church on Sunday."),
    ("assistant", "Choirs draw many people."),
)


def _talk(local: Forge, *turns: tuple[str, str], session: str = "before", project: str = "atlas") -> None:
    for number, (speaker, said) in enumerate((*TALK, *turns)):
        kind = "prompt" if speaker == "user" else "response"
        local.remember(said, project=project, kind=kind, session_id=session, speaker=speaker, sequence=number)


def _told(local: Forge, prompt: str) -> str:
    found = asked(local, prompt)
    return "" if found is None else found.text


def test_a_proposal_is_told_by_the_reply_to_it(local: Forge) -> None:
    _talk(
        local,
        ("assistant", "I'd write the invoices in Danish and English, by the customer's country."),
        ("user", "only danish"),
        ("assistant", "Danish only."),
    )
    told = _told(local, "in which language do we write the invoices?")
    assert "in Danish only" in told
    assert "] I'd write" not in told


def test_a_proposal_that_nobody_replied_to_is_not_told(local: Forge) -> None:
    _talk(local, ("assistant", "I'd write the invoices in Danish and English. Shall I?"))
    assert "Danish" not in _told(local, "in which language do we write the invoices?")


def test_a_decision_that_holds_goes_before_the_turns_and_ends_older_ones(local: Forge) -> None:
    _talk(
        local,
        ("assistant", "For the alerts I'd add RabbitMQ, so that they are sent again. Shall I?"),
        ("user", "nah, overkill. a cron script for the alerts is enough"),
        ("assistant", "Fine, a script that cron calls."),
    )
    _talk(
        local,
        ("user", "The script died again. Let's send the alerts through RabbitMQ after all."),
        session="b",
    )
    assert any("RabbitMQ" in each.decision for each in local.decisions.browse(project="atlas"))
    told = _told(local, "how do we send the alerts, cron?")
    assert "RabbitMQ after all" in told and "overkill" not in told


@pytest.mark.parametrize(
    "prompt", ["when do the labels go to print?", "is it me or is the printer slow today"]
)
def test_small_talk_and_orders_for_the_moment_answer_nothing(local: Forge, prompt: str) -> None:
    small = (
        "ok go on with the label print page",
        "good. anything else you need from me today?",
        "hm ok, let me sleep on it",
        "thanks, done for today",
    )
    _talk(local, *(("user", each) for each in small))
    told = _told(local, prompt)
    assert not any(each in told for each in small)


def test_what_another_project_does_is_no_answer_of_this_one(local: Forge) -> None:
    _talk(local, project="atlas")
    _talk(local, ("assistant", "I'll ask before I deploy on a Friday."), project="beacon")
    assert "Friday" not in _told(local, "how do we deploy this?")


def test_a_session_starts_with_warnings_that_hold(local: Forge) -> None:
    _talk(
        local,
        ("user", "Never commit anything from exports/members, those are private addresses!"),
        ("user", "hands off lib/sheet.ex. The margins are tuned."),
        ("user", "don't commit yet"),
        ("user", "you can edit sheet.ex again, it is ours now"),
    )
    for source in ("startup", "compact"):
        found = started(local, source, session=source)
        assert found is not None
        decided = found.text.partition("Where The Last")[0]
        assert "Never commit anything from exports/members" in decided
        assert "hands off" not in decided and "don't commit yet" not in decided


def test_a_warning_stands_however_many_turns_ago_it_was_given(local: Forge) -> None:
    _talk(
        local,
        ("user", "Never edit tide.csv by hand, it comes from the harbour office."),
        ("user", "hands off lib/sheet.ex. The margins are tuned."),
        *(("user", f"the boat number {number} came in with cod") for number in range(70)),
        ("user", "you can edit sheet.ex again, it is ours now"),
    )
    found = started(local, session="later")
    assert found is not None and "Never edit tide.csv" in found.text
    assert "hands off" not in found.text.partition("Where The Last")[0]


def test_what_is_half_remembered_is_no_answer(local: Forge) -> None:
    _talk(local, ("user", "we had some rule about the bell ropes..."), ("user", "The ropes are of hemp."))
    assert "some rule" not in _told(local, "what are the bell ropes made of?")


def test_after_a_compaction_the_session_s_own_warnings_are_told(local: Forge) -> None:
    _talk(local, ("user", "Never push to main."), session="now")
    found = started(local, "compact")
    assert found is not None and "Never push to main" in found.text


@pytest.mark.parametrize(
    "said",
    [
        "dont ever push to main",
        "don't push to main ever",
        "do not push to main, ever",
        "no force pushes",
        "don't run tools/reshelve.py ever, it mixes the years",
        "dont ever edit seals/crown.json by hand, the smith's rig writes it",
        "hands off seals/",
        "careful with seals/",
        "never ring the great bell after ten",
    ],
)
def test_a_session_starts_with_warnings_in_everyday_words(local: Forge, said: str) -> None:
    _talk(local, ("user", said), *TALK[:4])
    found = started(local)
    assert found is not None and said in found.text


def test_turns_are_told_apart() -> None:
    assert all(
        map(proposes, ("I'd use oak. OK?", "Oak or larch: which one do you want?", "How about larch?"))
    )
    assert not any(map(proposes, ("The hatch is of oak.", "I'll use oak then.", "Oak it is.")))
    assert all(map(replies, ("yes but 1600", "nope", "jo", "only german", "do that, but 60 minutes")))
    assert not any(
        map(
            replies,
            (
                "no chrome on that server",
                "only the smith may move a bell",
                "The hatch is of oak.",
                "noted posts are oak",
            ),
        )
    )
    assert all(map(steers, ("ok go on with the login page", "next is the hatch", "continue please")))
    assert not any(
        map(steers, ("the show must go on at eight", "let's do the alerts with RabbitMQ after all"))
    )
    assert asked_in("Better not. I'd add oak beams, so that it holds. Shall I?").startswith("I'd add oak")
    assert is_of_own_project("how do we deploy this?") and not is_of_own_project(
        "we moved the lock to the gate"
    )


@pytest.mark.parametrize(
    ("said", "is_warning"),
    [
        ("never push to main", True),
        ("and dont edit fixtures/golden/*.json by hand, only through go test -update", True),
        ("careful with fly deploy on fridays", True),
        ("nobody touches anything under sql/legacy", True),
        ("Don't run tools/reshelve.py on the parish register again, it mixed two years.", True),
        ("please stay away from the stamps in seals/, the mould is broken", True),
        ("don't run reshelve.py again until the shelf is empty", False),
        ("never mind the deploy", False),
        ("I never use git push", False),
        ("don't run deploy.sh now", False),
        ("is it forbidden to push?", False),
        ("be careful out there", False),
        ("do not push to the fair, ever", True),
        ("no force pushes please, the smith lost a day", True),
        ("no deploys without the smith", True),
        ("never start the saw without goggles", True),
        ("do not ever clean the lens with alcohol", True),
        ("no deploys since the fair", False),
        ("no problem pushing", False),
        ("don't push anything yet", False),
        ("the saw hangs, never reaches the end", False),
        ("never heard of the fair", False),
        ("they never oil the hinge", False),
        ('the smith wrote: "you should never oil the hinge." what does he want', False),
    ],
)
def test_a_warning_for_good_names_a_thing(said: str, is_warning: bool) -> None:
    assert (standing_warning(said) is not None) is is_warning


def test_what_a_later_order_changed_is_told_with_it(local: Forge) -> None:
    said = ("the gate closes after 8 seconds", "soak the beans for 12 hours", "rate limit is 100 requests")
    _talk(local, *(("user", each) for each in said), session="first")
    since = (
        "8s is too quick for prams, 14 will do",
        "12 hours is overkill, make it 6",
        "set the rate limit to 40",
    )
    _talk(local, *(("user", each) for each in since), session="later")
    told = _told(local, "when does the gate close?")
    assert "14 will do" in told and told.index("14 will do") < told.index("8 seconds")
    told = _told(local, "how long do we soak the beans?")
    assert "make it 6" in told and told.index("make it 6") < told.index("for 12 hours")
    _talk(local, ("user", "the hall smells, back to 12 hours for the beans"), session="last")
    told = _told(local, "how long do we soak the beans?")
    assert "back to 12" in told and "make it 6" not in told
    local.remember(
        "bump the rate limit to 70", project="atlas", kind="prompt", session_id="now", speaker="user"
    )
    assert "100" not in _told(local, "what is the rate limit?")


def test_what_was_said_since_answers_a_question_behind_a_greeting(local: Forge) -> None:
    _talk(
        local, ("user", "morning. how hot is the kiln again?"), ("assistant", "I cannot tell."), session="a"
    )
    _talk(local, ("user", "kiln stays at 900 degrees"), session="b")
    told = _told(local, "how hot is the kiln?")
    assert "900" in told and "again" not in told
    # So does the answer to one that was noted as open, and is closed by it.
    _talk(local, ("user", "open question: how do we price moorings?"), session="c")
    _talk(local, ("user", "moorings question: by the metre, 12 euro each"), session="d")
    assert not local.threads.active(project="atlas")
    assert "12 euro" in _told(local, "how do we price moorings?")
