"""A closing that names a subject alone closes the thread that says more of it: where it is, for whom, since when."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Final

import pytest

from engramforge.forge import Forge

_PROJECTS: Final = count(1)


def _say(em: Forge, folder: Path, *turns: str) -> list[str]:
    """How the threads of a project of its own stand after these turns, each in a session of its own, by title."""
    number = next(_PROJECTS)
    project = folder / f"choir{number}"
    project.mkdir()
    for turn in turns:
        same = {"session_id": f"s{next(_PROJECTS)}", "cwd": str(project), "prompt_id": "p"}
        em.hooks.take([{"hook_event_name": "UserPromptSubmit", "prompt": turn, **same}])
    threads = em.threads.browse(status=None, project=project.name)
    return [str(each.status) for each in sorted(threads, key=lambda each: each.title == ORGAN)]


ORGAN: Final = "phone the tuner about the organ"
GOAT: Final = "open point: the goat register for the summer pasture has no column for the ear tag yet"
SOPRANO: Final = "still to do: the seating plan for the sopranos in the old church"
PUMP: Final = "still open: pump NW3 loses a litre an hour and nobody knows where"
SCANS: Final = "open: the contact sheets of reel 9 look blurry since they cleaned the scanner"
KILN: Final = "the sorting of broken tiles from kiln B isnt finished yet, someone has to look at it"
PARCELS: Final = "open question: how do we shelve parcels, by colour or by size with a number?"
BOILER: Final = "open: boiler K2 trips twice a night since the new valve"
GLAZE: Final = "todo: the price list of the glazes for the spring market"
FERRY: Final = "open point: the ferry table for the islands has no winter times yet"
MAST: Final = "open: the mast camera on hut 4 shows the wrong hour since the storm"


ROPES: Final = "todo for me: order new ropes for the ferry"
BELL: Final = "the bell counter on hut 4 prints nonsense, need to find out why"


@pytest.mark.parametrize(
    ("opened", "said"),
    [
        (ROPES, "the ropes came, ordered 6. so thats done"),
        (ROPES, "the new ropes arrived, that's done"),
        (GLAZE, "the glaze price list thing: in the drawer of stall 2, copied twice. so thats closed"),
        ("open question: do we rent the small kiln?", "small kiln: no, the insurance forbids it"),
        (
            "one thing thats still open: how do we find the depth of a pond, no two are alike",
            "the pond depth thing is solved",
        ),
        (
            "still an open question who gets called when the boiler trips at night",
            "tom gets called in odd months, me in even ones. settled",
        ),
        (BELL, "the counter on hut 4 was a wet plug, sorted"),
        ("somebody has to find out why the kiln camera is blank", "the kiln camera was a dead fuse, fixed"),
        (
            "need to find out why the goat bleats when the vet comes",
            "found out why the goat bleats: it was the bell",
        ),
        ("why the ferry page crashes on old phones", "the ferry page bug is gone"),
        (
            "still open: how to deal with splinters, where two bows share one box",
            "splinters are solved too: we line the box",
        ),
        (
            "need to find out why the kiln trips when the fan starts",
            "the kiln trips were the relay, new relay, gone",
        ),
        (SOPRANO, "seating plan is done"),
        (SOPRANO, "the seating plan is finished now"),
        (SOPRANO, "the sopranos' seating plan is done"),
        (GOAT, "the ear tag column is in"),
        (GOAT, "the goat register has an ear tag column now"),
        (PUMP, "NW3 is fixed, it was the gasket"),
        (PUMP, "pump NW3 is fixed, it was the gasket under the lid"),
        (SCANS, "reel 9's contact sheets look sharp again"),
        (SCANS, "the contact sheets of reel 9 look right again"),
        (SCANS, "contact sheets are fine again"),
        (KILN, "sorting for kiln B done, it was the sieve"),
        (KILN, "the tile sorting is done"),
        (PARCELS, "parcels: by size with a number N1, N2, so thats settled"),
        (BOILER, "K2 works again, the valve was upside down"),
        (BOILER, "boiler K2 is fixed"),
        (GLAZE, "glaze price list is done"),
        (GLAZE, "the price list is finished"),
        (FERRY, "the winter times are in"),
        (FERRY, "the ferry table has winter times now"),
        (MAST, "hut 4's mast cam shows the right hour again"),
    ],
)
def test_a_subject_that_is_over_closes_its_thread(em: Forge, tmp_path: Path, opened: str, said: str) -> None:
    assert _say(em, tmp_path, opened, f"todo: {ORGAN}", said) == ["resolved", "open"]


@pytest.mark.parametrize(
    ("opened", "said"),
    [
        ("still open: how to deal with splinters, where two bows share one box", "the box is gone"),
        (SOPRANO, "is the seating plan done?"),
        (ROPES, "the ferry came, so thats done"),
        (ROPES, "the belts came, ordered 6. so thats done"),
        ("one thing thats still open: how do we find the depth of a pond", "the pond colour thing is solved"),
        (
            "still an open question who gets called when the boiler trips at night",
            "tom feeds the cat in odd months. settled",
        ),
        (BELL, "the counter on hut 5 was a wet plug, sorted"),
        (BELL, "the counter on hut 4 was a good idea"),
        (SOPRANO, "half of the seating plan is done"),
        (SOPRANO, "the seating plan is not done"),
        (SOPRANO, "i wish the seating plan was done"),
        (SOPRANO, "the seating plan for the altos is done"),
        (SOPRANO, "the plan is in the drawer"),
        (GOAT, "the colour column is in"),
        (GOAT, "the ear tag column should be in"),
        (GOAT, "the register is in"),
        (PUMP, "NW2 is fixed, it was the gasket"),
        (PUMP, "pump NW3 is not fixed yet"),
        (SCANS, "reel 8's contact sheets look sharp again"),
        (SCANS, "the contact sheets look blurry again"),
        (SCANS, "the cleaned scanner is fine again"),
        (KILN, "sorting for kiln C done, it was the sieve"),
        (KILN, "almost done with the sorting for kiln B"),
        (PARCELS, "parcels: nothing settled so far"),
        (BOILER, "once boiler K2 is fixed we paint"),
        (GLAZE, "the spring market is over, we are done"),
        (FERRY, "the summer times are in"),
    ],
)
def test_what_speaks_of_something_else_closes_nothing(
    em: Forge, tmp_path: Path, opened: str, said: str
) -> None:
    assert set(_say(em, tmp_path, opened, f"todo: {ORGAN}", said)) == {"open"}


def test_a_subject_of_two_threads_closes_neither(em: Forge, tmp_path: Path) -> None:
    other = "still to do: the seating plan for the brass in the tent"
    assert _say(em, tmp_path, SOPRANO, other, "the seating plan is done") == ["open", "open"]
    assert sorted(_say(em, tmp_path, SOPRANO, other, "the brass seating plan is done")) == [
        "open",
        "resolved",
    ]


@pytest.mark.parametrize(
    ("said", "opens"),
    [
        ("oh and the bell counter on hut 4 prints nonsense, need to find out why", True),
        ("the ferry page loads twice, somebody has to figure out why", True),
        ("the tower lamp goes off at noon, we need to find out where from", True),
        ("the ferry page loads twice, you should see it", False),
        ("did you find out why the ferry page loads twice?", False),
        ("my dog barks at the ferry, need to find out why", False),
    ],
)
def test_a_fault_that_is_to_be_found_out_is_open(em: Forge, tmp_path: Path, said: str, opens: bool) -> None:
    assert _say(em, tmp_path, said) == ["open"] * opens


@pytest.mark.parametrize(
    "said",
    [
        "ordered the ropes, thats done",
        "we bought the filters at last, that's done",
        "sent the list, all done",
    ],
)
def test_a_deed_that_is_done_decides_nothing(em: Forge, folder: Path, said: str) -> None:
    same = {"session_id": folder.name, "cwd": str(folder), "prompt_id": "p"}
    em.hooks.take([{"hook_event_name": "UserPromptSubmit", "prompt": said, **same}])
    assert em.decisions.browse(status=None, project=folder.name) == []
