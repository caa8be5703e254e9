"""What a person says in passing to a coding assistant: what decides, ends or opens something, and what does not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.capture.talk import holding, threads

from engramforge.forge import Forge

Turn = tuple[str, str]
"""What an assistant said before, "" for nothing, and what a person says."""

REMARKS: tuple[Turn, ...] = (
    ("The TypeError of the camera is not handled. I fixed it with a guard.", "thanks, runs now"),
    ("Three tables then.", "ok"),
    ("OK, the tempo is dropped at the reader.", "fine"),
    ("", "new project for the allotment planner, let's start"),
    ("", "new week, lets go with the next ticket"),
    ("", "our manager decided to hire a gardener"),
    ("", "we went with a cheap tent last summer, was horrible"),
    ("", "name on the label not right, see"),
    ("", "sum at the bottom not visible"),
)
KEPT: tuple[Turn, ...] = (
    ("", "new project with svelte and sqlite, let's go with vite as the bundler"),
    ("", "our manager decided to use oracle for the stock list"),
    ("", "name on the label, not on the box"),
)
TURNS = (
    # An earlier turn, another that turns from it, and what is left to hold.
    ("we keep the drafts in couchdb", "couchdb lost drafts again, so we moved to sqlite", "sqlite"),
    ("we use lmdb for the tiles", "lmdb keeps losing tiles on windows, we switched to duckdb", "duckdb"),
    (
        "we decided on metres for all heights",
        "metres were a mistake, the pilots misread them. feet everywhere, metres only on the poster",
        "feet",
    ),
    ("all labels in latin, not english", "latin was a mistake, english it is", "english"),
    (
        "we go with one csv file per member",
        "no wait, one csv per member is silly. one csv for the whole club",
        "one csv for the whole club",
    ),
)
NO_TURNS = (
    ("we keep the drafts in couchdb", "my watch lost its battery again, so i changed to a new one"),
    ("we decided on metres for all heights", "metres were a mistake in the poster"),
    ("we decided on metres for all heights", "the trip was a mistake, my back hurts. tea for everyone"),
    ("we use lmdb for the tiles", "lmdb is slow today, so we went to the beach"),
)
SETTINGS = (
    "fan delay 30s",
    "valve pulse 120 ms for the small pots",
    "cooldown is 5 min",
    "make the gap between two cards 12 not 8",
    "set the timeout to 90 s, not 60",
    "max 3 pumps at the same time, otherwise the breaker trips",
    "no more than 2 uploads at once",
    "nobody edits plots.toml by hand",
    "everything has to work without internet",
    "labels always in lower case",
    "releases only on weekdays",
    "sold plots never get deleted, they keep their number",
    "outlines are stored as geojson",
    "no lodash in this project",
    "we use the pca9685 rather than timers",
    "all readings in celsius, not kelvin",
    "a loan isn't closed before the librarian has checked it",
    "the parcel isnt handed out untill two neighbours have signed",
)
SEEN = (
    "the fan delay was 30s yesterday",
    "response delay 300 ms, why?",
    "make the demo run",
    "cpu load max 4 at the same time as the backup, weird",
    "nobody edits it anyway",
    "everything has to work for the demo tomorrow",
    "builds always in the red",
    "crashes only on sundays",
    "temp files never get deleted",
    "dates are stored as strings, is that a bug?",
    "no tests in this project",
    "no signal in this valley",
    "we use the car instead of the bus today",
    "the loan isn't closed yet",
    "again the same crash, nobody knows why",
)
OVER = (
    ("we take the pca9685 over i2c", ()),
    ("we chose modbus over tcp for the meters", ()),
    ("we picked coap over dtls for the sensors", ()),
    ("we chose kotlin over java for the app", ("java",)),
    ("we picked ethernet over wifi for the cameras", ("wifi",)),
)
CHANGED = (
    (
        "I'd use RabbitMQ for the jobs. Shall we do that?",
        "sounds good but nats not rabbitmq",
        "nats for the jobs",
    ),
    (
        "I'd take BC547B transistors with a pull-down each. OK?",
        "yes but bc548, we have a bag of them",
        "bc548 ",
    ),
    ("I'd take MySQL for the members. OK?", "yes but mariadb instead", "mariadb for the members"),
)
NOT_CHANGED = (
    ("I'd take MySQL for the members. OK?", "yes but first commit"),
    ("I'd take MySQL for the members. OK?", "yes but not today"),
)
CLOSED = (
    (
        "todo: we still don't know how to notice a blocked pipe",
        "blocked pipe: a flow meter tells it, so thats settled",
    ),
    (
        "open question: how do we rank if two boats have one time",
        "ranking: the older hull first. so that question is answered",
    ),
    ("todo: need the register of members from petra", "petra sent the 2021 register, its in data/list.csv"),
    ("todo: waiting for the plan of the pump from jonas", "jonas mailed the plan, it's in docs/pump.pdf"),
    ("todo: ask the archive for the maps", "the archive uploaded the maps"),
)
STILL_OPEN = (
    ("todo: ask the archive for the maps", "the archive uploaded the invoice"),
    ("todo: need the register of members from petra", "petra sent a joke about registers"),
    ("todo: need the register of members from petra", "jonas sent the register of pumps"),
    ("todo: waiting for the plan of the pump from jonas", "jonas sent half of the plan, the rest is missing"),
    ("todo: send the plan of the pump to jonas", "jonas sent the plan back, it is torn"),
    (
        "open question: how do we rank if two boats have one time",
        "rigging: the older hull first. so that is answered",
    ),
)
ANSWERED = (
    (
        "Which framework shall I start with, Lit or Solid?",
        "solid, my brother knows it",
        "Solid rather than Lit",
    ),
    (
        "There is no chart yet. Should I draw it with plotly or with bokeh?",
        "bokeh",
        "bokeh rather than plotly",
    ),
    ("Which port, 7000 or 7070?", "7070", "7070 rather than 7000"),
    ("Shall we use MongoDB?", "nah, plain csv files", "plain csv files rather than MongoDB"),
)
NOT_ANSWERED = (
    ("Which file shall I start with, lexer or parser?", "parser"),
    ("Shall I write the tests or the docs?", "docs"),
    ("Shall I look at port 7000 or 7070 first?", "7070"),
    ("Shall we use MongoDB?", "nah, looks fine already"),
)


def told(em: Forge, project: str, *turns: Turn) -> tuple[list[str], list[str]]:
    """The decisions that hold and the threads that are open after some turns."""
    for said, answer in turns:
        for words, kind, speaker in ((said, "response", "assistant"), (answer, "prompt", "user")):
            if words:
                em.remember(words, kind=kind, project=project, session_id=project, speaker=speaker)
    open_matters = [title for title, status in threads(em, project).items() if status == "open"]
    return holding(em, project), open_matters


def named(cases: Sequence[object]) -> list[str]:
    """Short names of cases."""
    return [str(at) for at in range(len(cases))]


@pytest.mark.parametrize("turn", REMARKS, ids=named(REMARKS))
def test_a_remark_decides_nothing(em: Forge, turn: Turn) -> None:
    """An assistant's aside, the begin of the work, a boss's staff and a look at a page make no decision."""
    assert told(em, f"remark {REMARKS.index(turn)}", turn)[0] == []


@pytest.mark.parametrize("turn", KEPT, ids=named(KEPT))
def test_what_stands_near_a_remark_decides(em: Forge, turn: Turn) -> None:
    """The same words with a choice in them make one."""
    assert len(told(em, f"kept {KEPT.index(turn)}", turn)[0]) == 1


@pytest.mark.parametrize("case", TURNS, ids=named(TURNS))
def test_what_a_cause_or_a_mistake_names_ends(em: Forge, case: tuple[str, str, str]) -> None:
    """Only what takes its place holds, without the complaint of the old one alone."""
    first, then, holds = case
    (decided,), _ = told(em, f"turn {TURNS.index(case)}", ("", first), ("Hello.", then))
    assert holds in decided


@pytest.mark.parametrize("case", NO_TURNS, ids=named(NO_TURNS))
def test_a_complaint_of_something_else_ends_nothing(em: Forge, case: Turn) -> None:
    """A complaint without a choice, of another thing or of the day leaves what holds."""
    first, then = case
    assert first in told(em, f"no turn {NO_TURNS.index(case)}", ("", first), ("Hello.", then))[0]


@pytest.mark.parametrize("said", SETTINGS)
def test_a_setting_or_rule_in_a_few_words_decides(em: Forge, said: str) -> None:
    """Whoever gives it, and for whatever: it opens no thread."""
    decisions, threads = told(em, f"set {said}", ("", said))
    assert (len(decisions), threads) == (1, [])


@pytest.mark.parametrize("said", SEEN)
def test_what_is_seen_decides_and_opens_nothing(em: Forge, said: str) -> None:
    """How something is, was or fails."""
    assert told(em, f"seen {said}", ("", said))[0] == []


@pytest.mark.parametrize("said", SETTINGS[:4])
def test_an_assistant_sets_nothing(em: Forge, said: str) -> None:
    """The same from an assistant is only told."""
    assert told(em, f"assistant {said}", (said, "ok"))[0] == []


@pytest.mark.parametrize(("said", "others"), OVER)
def test_what_goes_over_a_medium_rejects_none(em: Forge, said: str, others: tuple[str, ...]) -> None:
    """A bus or protocol under something is no alternative to it; one of the same layer is."""
    told(em, f"over {said}", ("", said))
    (decision,) = em.decisions.browse(project=f"over {said}")
    assert tuple(decision.alternatives_rejected) == others


@pytest.mark.parametrize(("offer", "answer", "taken"), CHANGED)
def test_a_changed_yes_takes_the_other_thing(em: Forge, offer: str, answer: str, taken: str) -> None:
    """The decision names what is taken, and rejects what was proposed."""
    told(em, f"changed {answer}", (offer, answer))
    (decision,) = em.decisions.browse(project=f"changed {answer}")
    assert decision.decision.lower().startswith(taken)
    assert len(decision.alternatives_rejected) == 1


@pytest.mark.parametrize(("offer", "answer"), NOT_CHANGED)
def test_a_yes_with_an_order_exchanges_nothing(em: Forge, offer: str, answer: str) -> None:
    """What is to be done first is no other thing."""
    told(em, f"kept {answer}", (offer, answer))
    assert all(not each.alternatives_rejected for each in em.decisions.browse(project=f"kept {answer}"))


@pytest.mark.parametrize(("first", "then"), CLOSED)
def test_what_came_or_was_settled_closes(em: Forge, first: str, then: str) -> None:
    """Who sent it, and what stands before the colon of an answer, tell which thread is over."""
    assert len(told(em, f"open {then}", ("", first))[1]) == 1
    assert told(em, f"open {then}", ("Hello.", then))[1] == []


@pytest.mark.parametrize(("first", "then"), STILL_OPEN)
def test_what_something_else_is_told_of_stays_open(em: Forge, first: str, then: str) -> None:
    """Another thing, another person, a part of it, or the other way round."""
    assert len(told(em, f"still {then}", ("", first), ("Hello.", then))[1]) == 1


@pytest.mark.parametrize(("asked", "answer", "taken"), ANSWERED)
def test_a_choice_is_asked_in_any_words(em: Forge, asked: str, answer: str, taken: str) -> None:
    """Which one the work is begun with is the one that is used."""
    (decision,), _ = told(em, f"asked {asked}", (asked, answer))
    assert decision.startswith(taken)


@pytest.mark.parametrize(("asked", "answer"), NOT_ANSWERED)
def test_the_order_of_the_work_is_no_choice(em: Forge, asked: str, answer: str) -> None:
    """What comes first decides nothing of how it shall be."""
    assert told(em, f"order {asked} {answer}", (asked, answer))[0] == []
