"""Links that a turn makes to an earlier one by saying outright what it is to it; and talk that makes none."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import engramforge
from engramforge.forge import Forge

Turns = tuple[str, ...]
"""What two say by turns, Ada first; "+" begins a turn of the same speaker as the one before."""

LINKED: list[tuple[Turns, tuple[int, str, int]]] = [
    (("The boiler job fails every night, see #41.", "This fixes #41."), (0, "RESOLVED_BY", 1)),
    (("#41 is still open.", "Hm.", "Fixed #41 with a second lock."), (0, "RESOLVED_BY", 2)),
    (("valve.py crashes on an empty list.", "The patch fixes the crash in valve.py."), (0, "RESOLVED_BY", 1)),
    (("`drain_queue` hangs at shutdown.", "Sad.", "+That change solved `drain_queue`."), (0, "RESOLVED_BY", 2)),
    (("OPS-9 is back again.", "OPS-9 is now fixed by the restart."), (0, "RESOLVED_BY", 1)),
    (("The importer leaks memory in readFrame.", "readFrame is fixed in the last build."), (0, "RESOLVED_BY", 1)),
    (("We have a broken kiln.toml on the host.", "The update resolved the error in kiln.toml."), (0, "RESOLVED_BY", 1)),
    (("OPS-7 came in today.", "I read it.", "+Closes OPS-7."), (0, "RESOLVED_BY", 2)),
    (("valve.py crashes at night.", "This fixes the valve.py crash."), (0, "RESOLVED_BY", 1)),
    (("valve.py crashes at night.", "After the third try this fixes valve.py for good."), (0, "RESOLVED_BY", 1)),
    (("OPS-7 fails at night.", "The patch solves OPS-7 once and for all."), (0, "RESOLVED_BY", 1)),
    (("The disk of the archive is full again.", "Because of the above I moved the nightly copy."), (0, "CAUSES", 1)),
    (("The disk is full.", "+Due to the above we stop the copies today."), (0, "CAUSES", 1)),
    (("The licence ends in May.", "Given the above, we renew it in April."), (0, "CAUSES", 1)),
    (("Three tests are red since noon.", "For the reasons above I took the release back."), (0, "CAUSES", 1)),
    (("The pump draws 9 A, not 6.", "Because of your last finding I ordered thicker wire."), (0, "CAUSES", 1)),
    (("The gate opens at 7.", "Fine.", "Ah.", "+Correction to my last message: it is not fine."), (3, "REVISES", 2)),
    (("The gate opens at 7.", "+Correction of what I wrote: it opens at 8."), (1, "REVISES", 0)),
    (("We need four bags.", "Good.", "I was wrong above, we need five bags."), (2, "REVISES", 0)),
    (("Use the red wire.", "Will do.", "This replaces what I said: use the blue wire."), (2, "REVISES", 0)),
    (("Which port does the pump use?", "To answer your question: port 9102."), (1, "REPLIES_TO", 0)),
    (("We should paint it green.", "In reply to your last message: green is sold out."), (1, "REPLIES_TO", 0)),
    (
        ("The roof of the shed is not tight.", "Oh.", "And the door.", "> The roof of the shed is not tight.\n\nAh."),
        (3, "REPLIES_TO", 0),
    ),
]  # fmt: skip
APART: list[Turns] = [
    ("The boiler job fails every night, see #41.", "Does this fix #41?"),
    ("The boiler job fails, see #41.", "This would fix #41, I think."),
    ("The boiler job fails, see #41.", "This does not fix #41."),
    ("The boiler job fails, see #41.", "If that patch fixes #41, we ship."),
    ("The boiler job fails, see #41.", "Please fix #41."),
    ("The boiler job fails, see #41.", "This fixes #42."),
    ("valve.py has 300 lines.", "The patch fixes the crash in valve.py."),
    ("We read about the leak in Kestrel.", "That fixed it."),
    ("The disk is full.", "We looked at it. Because of the above I moved the copy."),
    ("The disk is full.", "A shelf stands above the desk, because of the damp."),
    ("The disk is full.", "Was it because of the above?"),
    ("The disk is full.", "It is not because of the above."),
    ("The gate opens at 7.", "Correction to my last message: it opens at 8."),
    ("The gate opens at 7.", "+You were wrong above."),
    ("The gate opens at 7.", "+I was wrong about Lena."),
    ("We paint on Friday.", "To answer your question: yes."),
    ("The roof is not tight.", "> some words of a letter that nobody wrote here\n\nSo they say."),
    ("The roof is not tight.", "The roof is not tight.", "> The roof is not tight.\n\nYes."),
    ("#41 is open.", "A long day. Fixed #41, painted the door."),
    ("Python fails on the host.", "This fixes Python."),
    ("The roof is not tight.", "> The roof is not tight."),
    ("This fixes #41.", "Because of that and this, it rains."),
    ("To answer your question: yes.", "Good morning, before breakfast I repaired the last chair."),
]  # fmt: skip
STILL_OPEN: list[str] = [
    "valve.py was fixed by Bob last year and is broken again.",
    "TODO: check that this fixes valve.py",
    "Make sure this fixes valve.py",
    "Verify the patch fixes valve.py",
    "It should be that this fixes valve.py",
    "This fixed valve.py for a day, then it broke again.",
    "This change fixed valve.py but the crash is back.",
    "This fixes valve.py on Linux only; on Windows it still crashes.",
    "This fixes valve.py only partly.",
    "This fixes valve.py as soon as Bob merges it.",
    "This fixes valve.py until the next restart.",
    "This fixes valve.py, or so I thought.",
    "Fixed valve.py - not really.",
    "This solves valve.py once and for never.",
    "Fixes valve.py again broken",
    "The fix fixes valve.py, the leak of it doesn't go away.",
    "The change closes valve.py too early.",
    "This closes valve.py after each read.",
    "Closes valve.py when done.",
    "This closes valve.py",
]


def drafts(project: str, turns: Turns, **fields: object) -> list[dict[str, object]]:
    made, speaker = [], 1
    for place, text in enumerate(turns):
        speaker = speaker if text.startswith("+") else 1 - speaker
        made.append(
            {
                "content": text.removeprefix("+"),
                "kind": "message",
                "speaker": ("Ada", "Bo")[speaker],
                "project": project,
                "session_id": project,
                "sequence": place,
                "valid_at": datetime(2025, 3, 3, 9, tzinfo=UTC) + timedelta(minutes=place),
                **fields,
            }
        )
    return made


def links_of(em: Forge, ids: list[str]) -> set[tuple[int, str, int]]:
    found = (link for each in ids for link in em.links(each))
    return {
        (ids.index(link.source_id), link.relation, ids.index(link.target_id))
        for link in found
        if link.source_id in ids and link.target_id in ids
    }


@pytest.mark.parametrize("at_once", [True, False], ids=["one batch", "one by one"])
@pytest.mark.parametrize(("turns", "expected"), LINKED)
def test_a_turn_that_says_so_is_linked(
    em: Forge, project: str, turns: Turns, expected: tuple[int, str, int], at_once: bool
) -> None:
    told = drafts(project, turns)
    memories = em.remember_many(told) if at_once else [em.remember_many([each])[0] for each in told]
    assert links_of(em, [each.logical_id for each in memories]) == {expected}


@pytest.mark.parametrize("turns", APART)
def test_other_talk_is_not(em: Forge, project: str, turns: Turns) -> None:
    memories = em.remember_many(drafts(project, turns))
    assert links_of(em, [each.logical_id for each in memories]) == set()


def test_a_link_has_the_feelings_of_the_turn_and_a_confidence_of_its_own(em: Forge, project: str) -> None:
    turns = LINKED[0][0]
    em.remember_many(drafts(project, turns)[:1])
    (told,) = em.remember_many(
        drafts(
            project, turns, energy=0.9, goal="a warm house", mindstate="calm", emotion_vector={"joy": 0.4}
        )[1:]
    )
    (link,) = [each for each in em.links(told.logical_id) if each.relation == "RESOLVED_BY"]
    assert (link.energy, link.confidence, link.goal, link.mindstate) == (0.9, 0.8, "a warm house", "calm")
    assert link.emotion_vector == {"joy": 0.4}


def test_nothing_of_another_conversation_or_project_is_meant(em: Forge, project: str) -> None:
    first, last = drafts(project, LINKED[0][0])
    one = em.remember_many([first | {"session_id": "roof"}, last])
    assert links_of(em, [each.logical_id for each in one]) == set()
    two = em.remember_many([first | {"project": "roof"}, last | {"project": "cellar"}])
    assert links_of(em, [each.logical_id for each in two]) == set()


def test_no_document_is_linked(em: Forge, project: str) -> None:
    memories = em.remember_many(drafts(project, LINKED[0][0], kind="note", source="import"))
    assert links_of(em, [each.logical_id for each in memories]) == set()


def test_it_is_off_where_nothing_is_detected(tmp_path: Path) -> None:
    (tmp_path / "engramforge.toml").write_text("detection = false\n")
    with engramforge.open(tmp_path) as em:
        memories = em.remember_many(drafts("shed", LINKED[0][0]))
        assert links_of(em, [each.logical_id for each in memories]) == set()


def test_an_undo_takes_the_turn_and_its_link_back(em: Forge, project: str) -> None:
    first, last = drafts(project, LINKED[0][0])
    (one,) = em.remember_many([first])
    (two,) = em.remember_many([last])
    assert links_of(em, [one.logical_id, two.logical_id])
    em.undo()
    assert list(em.links(one.logical_id)) == []


def test_a_turn_told_twice_is_linked_once(em: Forge, project: str) -> None:
    told = drafts(project, LINKED[0][0])
    one, two = em.remember_many([{**each, "origin": f"shed/{n}"} for n, each in enumerate(told)])
    em.remember_many([{**each, "origin": f"shed/{n}"} for n, each in enumerate(told)])
    assert len(list(em.links(one.logical_id))) == 1
    assert links_of(em, [one.logical_id, two.logical_id]) == {(0, "RESOLVED_BY", 1)}


@pytest.mark.parametrize("said", STILL_OPEN)
def test_what_is_taken_back_bounded_or_planned_resolves_nothing(em: Forge, project: str, said: str) -> None:
    told = drafts(project, ("valve.py crashes at night", said))
    told[0]["resolution_state"] = "blocked"
    blocked = em.remember_many(told)[0]
    assert em.get(blocked.logical_id).resolution_state == "blocked"
    assert em.links(blocked.logical_id) == []
