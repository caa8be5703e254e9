"""What a person says to be over closes the open thread that is meant, in whatever later session, and no other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import engramforge
from engramforge.forge import Forge


@pytest.fixture
def forge(tmp_path: Path) -> Iterator[Forge]:
    with engramforge.open(tmp_path / "home") as opened:
        yield opened


def _say(forge: Forge, tmp_path: Path, *turns: str) -> dict[str, str]:
    """Each turn in a session of its own; the threads with how they stand."""
    project = tmp_path / "orchard"
    project.mkdir(exist_ok=True)
    for number, turn in enumerate(turns):
        same = {"session_id": f"s{number}", "cwd": str(project), "prompt_id": f"p{number}"}
        forge.hooks.take([{"hook_event_name": "UserPromptSubmit", "prompt": turn, **same}])
    return {each.title: str(each.status) for each in forge.threads.browse(status=None)}


@pytest.mark.parametrize(
    ("opened", "said", "status"),
    [
        ("todo: prune the pear trees", "the pear trees are pruned, and pruning the pear trees is done", "resolved"),
        ("todo: repair the cider press", "the cider press is fixed now", "resolved"),
        ("todo: repair the cider press", "we finished the cider press. On to the labels.", "resolved"),
        ("todo: repair the cider press", "done: the cider press", "resolved"),
        ("todo: repair the cider press", "we can close the cider press todo", "resolved"),
        ("todo: repair the cider press", "drop the cider press todo, not needed", "abandoned"),
        ("todo: repair the cider press", "the cider press is no longer needed", "abandoned"),
        ("we still need to decide who prices the cider", "Mira prices the cider, that's settled", "resolved"),
        ("todo: the labels have to show the year", "the labels show the year now, that's done", "resolved"),
        ("todo: repair the cider press", "is the cider press fixed?", "open"),
        ("todo: repair the cider press", "the cider press is not fixed yet", "open"),
        ("todo: repair the cider press", "the cider press is almost done", "open"),
        ("todo: repair the cider press", "once the cider press is fixed we bottle", "open"),
        ("todo: repair the cider press", "the cider labels are done", "open"),
        ("todo: repair the cider press", "Mira says the cider press is fixed", "open"),
        ("todo: repair the cider press", "the press release for the county fair is done", "open"),
    ],
)  # fmt: skip
def test_a_thread_ends_where_a_person_says_that_it_is_over(
    forge: Forge, tmp_path: Path, opened: str, said: str, status: str
) -> None:
    title = opened.removeprefix("todo: ")
    assert _say(forge, tmp_path, opened, said)[title] == status


def test_where_two_may_be_meant_none_ends(forge: Forge, tmp_path: Path) -> None:
    told = _say(forge, tmp_path, "todo: repair the press", "todo: paint the press", "the press is done")
    assert {told["repair the press"], told["paint the press"]} == {"open"}


def test_an_end_is_taken_back_with_its_message(forge: Forge, tmp_path: Path) -> None:
    _say(forge, tmp_path, "todo: repair the cider press", "the cider press is fixed now")
    (thread,) = forge.threads.browse(status=None)
    assert thread.resolution == "the cider press is fixed now"
    forge.undo()
    (thread,) = forge.threads.browse(status=None)
    assert str(thread.status) == "open"
