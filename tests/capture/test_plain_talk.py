"""What a person says in passing to a coding assistant: what decides, ends or opens something, and what only sounds so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

import engramforge
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


@pytest.fixture(scope="module")
def em(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forge]:
    """A store for all cases, each in a project of its own."""
    with engramforge.open(tmp_path_factory.mktemp("talk")) as opened:
        yield opened


def told(em: Forge, project: str, *turns: Turn) -> tuple[list[str], list[str]]:
    """The decisions that hold and the threads that are open after some turns."""
    for said, answer in turns:
        for words, kind, speaker in ((said, "response", "assistant"), (answer, "prompt", "user")):
            if words:
                em.remember(words, kind=kind, project=project, session_id=project, speaker=speaker)
    decisions = [each.decision for each in em.decisions.browse(project=project) if each.status == "active"]
    threads = [each.title for each in em.threads.browse(project=project) if each.status == "open"]
    return decisions, threads


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
