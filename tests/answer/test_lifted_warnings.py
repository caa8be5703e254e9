"""A warning is told until a person lifts it, by whatever name, and where it is of what is about to be done."""

from __future__ import annotations

import pytest
from tests.answer.test_injections import edits, runs

from engramforge.core.injection.lifting import lifts
from engramforge.core.injection.tool_names import Named
from engramforge.forge import Forge

WARNING = "never edit sticker.zpl by hand, it's generated"


def _says(em: Forge, said: str, session: str, speaker: str = "user", kind: str = "prompt") -> None:
    em.remember(said, project="atlas", kind=kind, session_id=session, speaker=speaker)


@pytest.mark.parametrize(
    "lifted",
    [
        "zpl template is ours now, you can edit it by hand",
        "the sticker template may be changed by hand now",
        "sticker.zpl isn't generated any more",
        "sticker.zpl is no longer generated. feel free to edit it",
        "it's ok to touch the sticker file again",
        "Ana dropped the generator. You can edit sticker.zpl now.",
        "we can change the zpl from now on",
    ],
)
def test_what_was_lifted_warns_no_more(em: Forge, lifted: str) -> None:
    _says(em, WARNING, "1")
    assert edits(em, "/projects/atlas/sticker.zpl", session="before it")
    _says(em, lifted, "2")
    told = edits(em, "/projects/atlas/sticker.zpl")
    # What lifts it may be told; the warning is not.
    assert told is None or (lifted in told.text and WARNING not in told.text)


@pytest.mark.parametrize(
    "said",
    [
        "you can edit the colour of the sticker now",
        "can we edit the zpl template by hand?",
        "you may print the zpl template now",
        "maybe you can edit the sticker template",
        "you can edit invoice.zpl now",
        "the sticker template is ours now, but never edit it by hand",
        "you can't edit the zpl template",
        "the zpl template can be edited only by Ana",
        "Ana says hello. You can edit the menu now.",
    ],
)
def test_what_was_not_lifted_still_warns(said: str) -> None:
    assert not lifts(said, WARNING, [Named("sticker.zpl")])


@pytest.mark.parametrize(
    ("said", "is_lifted"),
    [
        ("run fill.py whenever you like", True),
        ("fill.py is on the tower now, so run it whenever", True),
        ("call it fill.py. start fill.py any time", True),
        ("run fill.py whenever the tower is off", False),
        ("edit fill.py whenever you like", False),
        ("can i run fill.py whenever?", False),
        ("don't run fill.py whenever you like", False),
    ],
)
def test_a_script_that_may_be_run_at_any_time_warns_no_more(said: str, is_lifted: bool) -> None:
    names = [Named("fill.py", is_run=True)]
    assert lifts(said, "never run fill.py during a scan", names) is is_lifted


def test_only_a_person_lifts_and_only_what_was_said_before(em: Forge) -> None:
    lifted = "the sticker template may be changed by hand now"
    _says(em, lifted, "1")
    _says(em, WARNING, "2")
    _says(em, lifted, "3", "assistant", "response")
    assert edits(em, "/projects/atlas/sticker.zpl")
    _says(em, lifted, "own")
    assert edits(em, "/projects/atlas/sticker.zpl", session="own") is None, "it was said in this session"


@pytest.mark.parametrize(
    ("said", "command", "is_told"),
    [
        ("hands off the cron", "crontab -e", True),
        ("hands off the cron", "crontab -l", False),
        ("hands off the cron", "crontab new.txt", True),
        ("careful with the redis, it has the sessions", "redis-cli flushall", True),
        ("careful with mongo on the tower", "mongosh tower", True),
        ("never restart supervisor in the daytime", "supervisorctl restart all", True),
        ("careful with the acronym", "crontab -e", False),
    ],
)
def test_a_program_is_called_by_what_it_serves(em: Forge, said: str, command: str, is_told: bool) -> None:
    _says(em, said, "1")
    assert bool(runs(em, command)) is is_told


@pytest.mark.parametrize(
    ("said", "is_of_edits", "is_of_runs"),
    [
        ("never run fill.py on the live db", False, True),
        ("don't start fill.py before noon", False, True),
        ("fill.py must never be run twice", False, True),
        ("never edit fill.py by hand", True, False),
        ("never touch fill.py", True, True),
        ("never change or run fill.py", True, True),
        ("fill.py is fragile, it runs on the tower", True, True),
        ("we decided to never run fill.py on the live db", False, True),
    ],
)
def test_a_warning_is_of_a_use(em: Forge, said: str, is_of_edits: bool, is_of_runs: bool) -> None:
    _says(em, said, "1")
    assert (edits(em, "/projects/atlas/fill.py", session="other") is not None) is is_of_edits
    assert bool(runs(em, "python fill.py --all")) is is_of_runs
