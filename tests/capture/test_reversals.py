"""A reversal in plain words ends the decision that is meant, waits where that is not clear, and else does nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.capture.talk import decisions, say, say_apart

from engramforge.errors import InvalidValue
from engramforge.registries.detected import detected_lookup

if TYPE_CHECKING:
    from engramforge.forge import Forge

QUEUE = "We decided to use SQLite for the job queue instead of Postgres."
CACHE = "We decided to use Redis for the cache."


@pytest.mark.parametrize(
    "turn",
    [
        "let's use Postgres after all",
        "Actually, scrap SQLite, we go with Postgres.",
        "Forget what I said about SQLite. We'll do Postgres.",
        "no wait, go back to Postgres",
        "We're moving the job queue from SQLite to Postgres.",
    ],
)
def test_what_is_meant_ends_with_its_successor(em: Forge, project: str, turn: str) -> None:
    say_apart(em, project, QUEUE, CACHE, turn)
    old = next(
        each for each in em.decisions.browse(project=project, status=None) if "for the job" in each.decision
    )
    assert old.status == "superseded" and old.superseded_by is not None
    new = em.decisions.get(old.superseded_by)
    assert new.status == "active" and "Postgres" in new.decision
    assert decisions(em, project)[CACHE.rstrip(".")] == "active"
    em.undo()
    assert set(decisions(em, project).values()) == {"active"} and len(decisions(em, project)) == 2


def test_however_many_decisions_other_projects_have_the_own_is_found(
    forge: Forge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(detected_lookup, "_MOST_NAMED", 2)
    say(forge, "jobs", QUEUE)
    say(
        forge,
        "shop",
        CACHE,
        "We decided to use Kafka for the events.",
        "We decided to use Sass for the styles.",
    )
    say(forge, "jobs", "Actually, scrap SQLite, we go with Postgres.", session="two")
    assert decisions(forge, "jobs")[QUEUE.rstrip(".")] == "superseded"


@pytest.mark.parametrize(
    "turn",
    [
        "Should we use Postgres after all?",
        "If the disk fills up we scrap SQLite and go with Postgres.",
        "Tom says: scrap SQLite, we go with Postgres.",
        "Don't drop SQLite, we go on with it.",
        "Drop the old rows from the SQLite table, then we start.",
        "Let's use Kafka for the events instead of RabbitMQ.",
        "> scrap SQLite, we go with Postgres\n\nWho wrote this?",
    ],
)
def test_what_turns_from_nothing_ends_nothing(em: Forge, project: str, turn: str) -> None:
    say_apart(em, project, QUEUE, turn)
    assert decisions(em, project)[QUEUE.rstrip(".")] == "active"
    assert not [each for each in em.review.pending(project=project) if each.entry_status == "superseded"]


def test_what_is_not_clear_waits_and_does_it_when_accepted(em: Forge, project: str) -> None:
    say_apart(
        em, project, CACHE, "We decided to use Redis for the sessions.", "Scrap Redis, we go with Memcached."
    )
    assert "superseded" not in decisions(em, project).values()
    (waiting,) = em.review.pending(project=project)
    assert waiting.entry is not None and "Redis" in waiting.entry.text
    assert waiting.why == "it is not clear which decision it ends, or whether"
    with pytest.raises(InvalidValue, match="a text has no place in it"):
        em.review.edit(waiting.id, text="Sessions live in Memcached.")
    assert "superseded" not in decisions(em, project).values()
    em.review.accept(waiting.id)
    ended = [text for text, status in decisions(em, project).items() if status == "superseded"]
    assert len(ended) == 1 and "Redis" in ended[0]


def test_an_assistant_reverses_nothing(em: Forge, project: str) -> None:
    say_apart(em, project, QUEUE)
    say_apart(em, project, "A: Actually, scrap SQLite, we go with Postgres.")
    assert decisions(em, project)[QUEUE.rstrip(".")] == "active"


def test_there_and_back_again(em: Forge, project: str) -> None:
    say_apart(
        em,
        project,
        CACHE,
        "Scrap Redis, we go with Memcached.",
        "Let's go back to Redis after all.",
    )
    assert list(decisions(em, project).values()).count("active") == 1
    (active,) = em.decisions.browse(project=project, status="active")
    assert active.decision.startswith("Let's go back to Redis")


@pytest.mark.parametrize(
    ("before", "turn", "by"),
    [
        # A complaint beside a choice leaves what it is about.
        ("We go with Pelikan for the ink.", "Pelikan is too dear, let's go with Lamy.", "Lamy"),
        ("we use sway as the desktop", "sway keeps crashing on the laptop. back to xfce then", "xfce"),
        (
            "We use Celery for the jobs, decided.",
            "Celery was a mistake, we're replacing it with Dramatiq.",
            "Dramatiq",
        ),
        ("We host at Uberspace, decided.", "We're moving to Manitu, Uberspace is too much work.", "Manitu"),
        ("We decided to use Mapbox.", "Mapbox wants a contract, MapLibre it is.", "MapLibre"),
        (
            "Decision: the minutes are kept for 2 years.",
            "2 years is too short, we keep the minutes for 5 years.",
            "5 years",
        ),
        # The same with another value.
        ("We rehearse on Mondays, decided.", "From now on we rehearse on Thursdays.", "Thursdays"),
        ("Decision: four seats per table.", "Make that six seats per table.", "six seats"),
        # None at all, or only a name in its place.
        (
            "We decided to use Mapnik for the tiles.",
            "Scrap that, no tiles at all in the first version.",
            "no tiles",
        ),
        ("We decided on Sass for the styling.", "never mind Sass, no preprocessor at all", "no preprocessor"),
        ("We decided on Sass for the styling.", "drop Sass, plain stylesheets", "plain stylesheets"),
        (
            "Decision: notes are plain text files, no wiki.",
            "so no more text files, notes go into a wiki instead",
            "wiki",
        ),
    ],
)
def test_what_is_left_without_being_named_as_such_ends(
    em: Forge, project: str, before: str, turn: str, by: str
) -> None:
    say_apart(em, project, before, turn)
    every = em.decisions.browse(project=project, status=None)
    (old,) = [each for each in every if str(each.status) == "superseded"]
    assert old.superseded_by is not None
    assert by in em.decisions.get(old.superseded_by).decision


@pytest.mark.parametrize(
    ("before", "turn"),
    [
        (
            "We go with Pelikan for the ink.",
            "Pelikan is slow to dry, anyway let's use grid paper for the notes.",
        ),
        ("We go with Pelikan for the ink.", "Pelikan is too dear, let's go with Lamy for the nibs."),
        ("We go with Pelikan for the ink.", "Pelikan is too dear, let's use a coupon."),
        ("We go with Pelikan for the ink.", "Pelikan is too thin, let's go with Pelikan cartridges."),
        ("We go with Pelikan for the ink.", "Pelikan is too dear, let's use it only for letters."),
        ("We use Celery for the jobs, decided.", "Celery is slow."),
        ("We use Celery for the jobs, decided.", "If Celery crashes again, we go back to cron."),
        ("We use Celery for the jobs, decided.", "When Celery is slow, we go with Dramatiq."),
        ("We use Celery for the jobs, decided.", "Tom says Celery is slow, let's go with Dramatiq."),
        ("We use Celery for the jobs, decided.", "Celery is slow, maybe we go with Dramatiq."),
        ("We use Celery for the jobs, decided.", "Celery is slow, should we go with Dramatiq?"),
        ("We use Celery for the jobs, decided.", "Is Celery too slow? Let's go with the tabs."),
        (
            "We use Celery for the jobs, decided.",
            "Celery is slow if the queue is long, let's go with Dramatiq.",
        ),
        ("We use Celery for the jobs, decided.", "Celery is slow, let's go with Dramatiq for now."),
        ("We use Celery for the jobs, decided.", "Celery is slow. Also, let's go with tabs."),
        ("We use Celery for the jobs, decided.", "Celery keeps crashing, let's move to the next topic."),
        ("We use Celery for the jobs, decided.", "Celery is slow, we're going with message batching."),
        ("We use Celery for the jobs, decided.", "Celery is slow. Let's go with two workers."),
        ("We use Celery for the jobs, decided.", "Celery is slow, let's switch to bigger machines."),
        ("We use Celery for the jobs, decided.", "Celery fails to start. Friday it is."),
        (
            "We use Celery for the jobs, decided.",
            "Celery is slow, I fixed the queue and we're going with tabs.",
        ),
        ("We use Celery for the jobs, decided.", "Celery needs a name, let's go with herald."),
        ("We decided to use Sass.", "drop Sass, run the tests"),
        ("We decided to use Sass.", "drop Sass, too heavy"),
        ("We deploy on Mondays, decided.", "Deploys are too slow, let's go with Buildkite."),
        ("Decision: invoices are PDF files.", "Invoices are too slow, let's go with Typst."),
        (
            "Decision: the minutes are kept for 2 years.",
            "2 years is too short, we keep the recordings for 5 years.",
        ),
        ("We rehearse on Mondays, decided.", "From now on we rehearse on Thursdays, too."),
        ("We rehearse on Mondays, decided.", "Should we rehearse on Thursdays from now on?"),
        ("We rehearse on Mondays, decided.", "From now on the soloists rehearse on Thursdays."),
        ("Decision: four seats per table.", "Make that six chairs on the terrace."),
        ("We decided to use Mapnik for the tiles.", "Hm, there are no tiles at all on my screen."),
        ("We decided to use Mapnik for the tiles.", "Scrap that, no tiles at all in the mails."),
        ("We don't support Opera 12, decided.", "We no longer support Opera 12."),
        ("We decided to support Opera 12.", "If it costs too much, we no longer support Opera 12."),
    ],
)
def test_a_complaint_or_another_value_for_itself_ends_nothing(
    em: Forge, project: str, before: str, turn: str
) -> None:
    say_apart(em, project, before, turn)
    statuses = set(decisions(em, project).values())
    assert statuses == {"active"}


def test_a_complaint_about_what_two_decisions_chose_ends_neither(em: Forge, project: str) -> None:
    say_apart(em, project, CACHE, "We decided to use Redis for the sessions.")
    say_apart(em, project, "Redis keeps crashing, let's go with Valkey.")
    assert "superseded" not in decisions(em, project).values()


def test_what_is_no_longer_supported_ends_with_nothing_in_its_place(em: Forge, project: str) -> None:
    say_apart(em, project, "We decided to support Opera 12.", "We no longer support Opera 12.")
    assert decisions(em, project) == {"We decided to support Opera 12": "invalidated"}


def test_a_complaint_and_back_again(em: Forge, project: str) -> None:
    say_apart(
        em,
        project,
        "We go with Pelikan.",
        "Pelikan is too dear, let's go with Lamy.",
        "actually back to Pelikan",
    )
    (active,) = em.decisions.browse(project=project, status="active")
    assert active.decision == "actually back to Pelikan"


@pytest.mark.parametrize(
    ("between", "status"), [((), "invalidated"), (("A: I set it up and wait.",), "active")]
)
def test_the_next_prompt_scraps_what_the_one_before_decided(
    em: Forge, project: str, between: tuple[str, ...], status: str
) -> None:
    say(em, project, CACHE, *between, "scrap that")
    assert decisions(em, project) == {CACHE.rstrip("."): status}


ROTA = "Only Berta and I can swap a shift, nurses can only ask for it."


@pytest.mark.parametrize(
    ("old", "turn", "new"),
    [
        (
            "We decided on a font of 9 points for the menu.",
            "changed my mind on the font, 9 points is too small on the terrace, go to 12 and print the prices in bold",
            "changed my mind on the font",
        ),
        ("We use Trello for the shifts.", "Drop Trello.", ""),
        ("We use Trello for the shifts.", "forget trello, it pinged us in the night", ""),
        ("We use Trello for the shifts.", "Remove Trello again, nobody in the kitchen looked at it.", ""),
        ("We use Trello for the shifts.", "trello is out, it cost a fortune", ""),
        (
            "We use Trello for the shifts.",
            "Scrap Trello again, it pinged us in the night; the shifts hang on paper in the hallway.",
            "the shifts hang on paper in the hallway",
        ),
        (ROTA, "From now on nurses may swap shifts too.", "From now on nurses may swap shifts too"),
        (
            "We decided the invoice is a PDF with blue headings.",
            "The invoice goes back to plain black text; the printer has no ink.",
            "The invoice goes back to plain black text",
        ),
        (
            "We take three readings per bed.",
            "three readings is overkill, one is fine unless it smells",
            "three readings is overkill, one is fine unless it smells",
        ),
        (
            "We take three readings per bed.",
            "three readings is overkill, two is fine",
            "We take two readings per bed",
        ),
    ],
)
def test_a_reason_behind_it_does_not_hide_what_ends(
    em: Forge, project: str, old: str, turn: str, new: str
) -> None:
    say_apart(em, project, old, turn)
    found = decisions(em, project)
    (left,) = [text for text in found if text == old.rstrip(".")]
    assert found[left] == ("superseded" if new else "invalidated")
    active = [text for text, status in found.items() if status == "active"]
    assert [text.startswith(new) for text in active] == [True] * bool(new)


@pytest.mark.parametrize(
    ("old", "turn"),
    [
        ("We use Trello for the shifts.", "Drop Trello for a moment."),
        ("We use Trello for the shifts.", "drop trello for now"),
        ("We use Trello for the shifts.", "Drop the trello cards."),
        ("We use Trello for the shifts.", "changed my mind on trello for the menu, paper is fine there"),
        ("We use Angular 17 for the till.", "Angular 17 is out"),
        ("We decided the greenhouse runs on solar power.", "the greenhouse goes back to green"),
        (ROTA, "nurses may see the shifts too"),
        (ROTA, "berta may swap shifts too"),
    ],
)
def test_what_leaves_nothing_whole_ends_nothing(em: Forge, project: str, old: str, turn: str) -> None:
    say_apart(em, project, old, turn)
    assert decisions(em, project).get(old.rstrip("."), "active") == "active"


def test_an_echo_by_the_choice_alone_is_no_second_decision(em: Forge, project: str) -> None:
    ways = "Two ways:\n\n1. Print labels on paper and glue them on.\n2. Engrave tin plates.\n\nWhich one do you want?"
    say(em, project, "what could we use for the tree names?", f"A: {ways}")
    say(em, project, "2, paper rots", "A: Tin plates then. I'll order forty blanks.")
    assert [text.startswith("Engrave tin plates") for text in decisions(em, project)] == [True]
