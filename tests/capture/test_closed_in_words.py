"""What a person says to be over closes the open thread that is meant, in whatever later session, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from engramforge.forge import Forge


def _say(em: Forge, folder: Path, *turns: str) -> dict[str, str]:
    """Each turn in a session of its own; the threads with how they stand."""
    for number, turn in enumerate(turns):
        same = {"session_id": f"{folder.name} {number}", "cwd": str(folder), "prompt_id": f"p{number}"}
        em.hooks.take([{"hook_event_name": "UserPromptSubmit", "prompt": turn, **same}])
    return {each.title: str(each.status) for each in em.threads.browse(project=folder.name, status=None)}


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
    em: Forge, folder: Path, opened: str, said: str, status: str
) -> None:
    title = opened.removeprefix("todo: ")
    assert _say(em, folder, opened, said)[title] == status


def test_where_two_may_be_meant_none_ends(em: Forge, folder: Path) -> None:
    told = _say(em, folder, "todo: repair the press", "todo: paint the press", "the press is done")
    assert {told["repair the press"], told["paint the press"]} == {"open"}


def test_an_end_is_taken_back_with_its_message(em: Forge, folder: Path) -> None:
    _say(em, folder, "todo: repair the cider press", "the cider press is fixed now")
    (thread,) = em.threads.browse(project=folder.name, status=None)
    assert thread.resolution == "the cider press is fixed now"
    em.undo()
    (thread,) = em.threads.browse(project=folder.name, status=None)
    assert str(thread.status) == "open"


def test_who_does_it_answers_who_does_it_or_waits(em: Forge, tmp_path: Path) -> None:
    asked = "open question: who prices the jam on market days?"
    said = _say(em, tmp_path / "jam", asked, "mara prices the jam")
    assert set(said.values()) == {"resolved"}
    assert set(_say(em, tmp_path / "hens", asked, "mara prices the hens").values()) == {"open"}
    # By the verb alone it is not sure, and who reads of it is told what was said.
    assert set(_say(em, tmp_path / "pots", asked, "mara prices it herself").values()) == {"open"}
    (waiting,) = em.review.pending(project="pots")
    assert waiting.sentence == "mara prices it herself"
    start = {"hook_event_name": "SessionStart", "source": "startup", "session_id": "new"}
    told = em.injections.for_event({**start, "cwd": str(tmp_path / "pots")})
    assert told is not None
    assert '(said since: "mara prices it herself")' in told.text
    em.review.accept(waiting.id)
    assert [str(each.status) for each in em.threads.browse(project="pots")] == ["resolved"]


def test_what_is_amiss_again_is_open_again(em: Forge, tmp_path: Path) -> None:
    turns = ("todo: the cider press leaks at the lid", "the cider press is fixed now")
    said = _say(em, tmp_path / "press", *turns, "the cider press is leaking again")
    assert said == {"the cider press leaks at the lid": "open"}
    em.undo()
    assert [str(each.status) for each in em.threads.browse(project="press")] == ["resolved"]
    # Another thing, and what is open anyway, change nothing.
    assert set(_say(em, tmp_path / "mill", *turns, "the mill is broken again").values()) == {"resolved"}
    assert set(_say(em, tmp_path / "lid", turns[0], "the cider press leaks again").values()) == {"open"}
    assert len(em.threads.browse(project="lid")) == 1
