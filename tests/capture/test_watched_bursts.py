"""Whatever the order in which the system tells of changes, and whenever they are looked at: in the end the store has
what a first import of the folder gives. Real files and a real store; the clock of a burst is set."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.capture.watched import QUICK, fresh, said

import engramforge
from engramforge.capture.watching.following import Followed, Following
from engramforge.capture.watching.pending import MOST_PATHS, Pace, Pending, home_of, moves, outermost

FOLDERS = ("", "one", "one/in", "two")
FILES = [f"{folder}/{name}".lstrip("/") for folder in FOLDERS for name in ("a.md", "b.md")]
TEXTS = ("", "The harvester runs on diesel.", "The barn has a red door.", "Geese guard the yard.\n\n" * 90)
STEPS = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(FILES), st.sampled_from(TEXTS)),
    st.tuples(st.just("replace"), st.sampled_from(FILES), st.sampled_from(TEXTS)),
    st.tuples(st.just("delete"), st.sampled_from(FILES), st.just("")),
    st.tuples(st.just("move"), st.sampled_from(FILES), st.sampled_from(FILES)),
    st.tuples(st.just("move folder"), st.sampled_from(FOLDERS[1:]), st.sampled_from(("one", "two", "three"))),
    st.tuples(st.just("tell"), st.integers(0, 50), st.just("")),
    st.tuples(st.just("wait"), st.sampled_from((0.02, 0.2, 0.8)), st.just("")),
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(STEPS, max_size=25))
def test_any_order_of_events_ends_where_an_import_does(steps: Sequence[tuple[str, object, str]]) -> None:
    with tempfile.TemporaryDirectory() as place:
        home = Path(place)
        folder = home / "notes"
        folder.mkdir()
        with engramforge.open(home / "store") as forge:
            forge.watching.add(folder)
            stage = forge._stages.watching(forge._scope)
            followed = Followed(stage.scope, stage.redactor, stage.make_importing, QUICK, stage.remembered)
            following = Following(followed, threading.Event(), lambda _: None, None, lambda _: None)
            following._look_for_folders()
            now, untold = time.monotonic(), []
            for step in steps:
                if step[0] == "wait":
                    now += float(str(step[1]))
                elif step[0] == "tell" and untold:
                    told = untold.pop(int(str(step[1])) % len(untold))
                    following._pending.add(following._relevant([told]), now)
                else:
                    untold += _done(folder, *step)
                following._work(now)
            following._pending.add(following._relevant(reversed(untold)), now)
            for _ in range(12):
                now += 0.4
                following._work(now)
            assert not following._pending
            assert said(forge) == fresh(home / "other", folder, "notes")


def _done(folder: Path, step: str, first: object, second: str) -> list[str]:
    """Do a step; the paths that a system tells of it."""
    path = folder / str(first)
    if step in ("write", "replace"):
        path.parent.mkdir(parents=True, exist_ok=True)
        written = path if step == "write" else path.with_name("4913~")
        written.write_text(second)
        # Old enough for an empty one to be believed.
        os.utime(written, (time.time() - 60, time.time() - 60))
        written.rename(path)
        return [str(path.parent), str(written), str(path)]
    if step == "delete" and path.is_file():
        path.unlink()
        return [str(path)]
    to = folder / second
    if step == "move" and path.is_file() and to.parent.is_dir():
        path.rename(to)
        return [str(path), str(to)]
    if step == "move folder" and path.is_dir() and not to.exists() and to not in (path, *path.parents):
        shutil.move(path, to)
        return [str(path), str(to)]
    return []


def test_a_burst_is_over_when_nothing_came_for_a_while() -> None:
    pending = Pending(Pace(settle=0.2, longest=1.0))
    pending.add(["/f/a.md"], 10.0)
    assert pending.due(10.1) == ()
    pending.add(["/f/b.md"], 10.15)
    assert pending.due(10.3) == ()
    assert pending.due(10.36) == ("/f/a.md", "/f/b.md")
    assert not pending


def test_a_burst_without_end_is_taken_now_and_then() -> None:
    pending = Pending(Pace(settle=0.2, longest=1.0))
    taken = []
    for number in range(40):
        pending.add([f"/f/{number}.md"], number * 0.1)
        taken.append(len(pending.due(number * 0.1)))
    assert [count for count in taken if count] == [11, 11, 11]


def test_what_is_put_back_waits_unless_it_is_told_of() -> None:
    pending = Pending(Pace(settle=0.2))
    pending.put_back(["/f/a.md"], 5.0)
    assert pending.due(4.0) == ()
    assert pending.due(5.0) == ("/f/a.md",)


def test_very_many_paths_are_their_folders() -> None:
    pending = Pending()
    pending.add((f"/f/{number % 9}/{number}.md" for number in range(3 * MOST_PATHS)), 1.0)
    due = pending.due(9.0)
    assert set(due) == {f"/f/{number}" for number in range(9)}


def test_the_innermost_folder_has_a_path() -> None:
    assert home_of("/a/b/c.md", ["/a", "/a/b", "/a/bc"]) == "/a/b"
    assert home_of("/a/bcd.md", ["/a/b"]) is None
    assert outermost(["/a/b", "/a", "/c", "/ab"]) == ["/a", "/ab", "/c"]


def test_moves_are_told_by_what_files_say_and_their_names() -> None:
    come = {"/n/x.md": "1", "/n/y.md": "1", "/n/z.md": "2"}
    gone = {"/o/y.md": "1", "/o/a.md": "1", "/o/b.md": "1", "/o/q.md": "3"}
    assert moves(come, gone) == {"/n/y.md": "/o/y.md", "/n/x.md": "/o/a.md"}
