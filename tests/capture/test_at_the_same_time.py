"""What a hook tells and what an import of its session brings at the same moment is in the store once, whoever comes
first, on every engine, in one process and in several that are killed."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from tests.capture.test_live_capture import SESSION, START, Talk, said, usual

import engramforge
from engramforge.capture.live.taking import LiveCapture
from engramforge.capture.writers.told_live import BesideTold

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from engramforge.forge import Forge


def named(talk: Talk) -> Talk:
    return talk


def unnamed(talk: Talk) -> Talk:
    """Of a version whose events have no prompt's id."""
    for each in talk.told:
        each["event"].pop("prompt_id", None)
    return talk


def once_in_between(
    monkeypatch: pytest.MonkeyPatch, where: type, name: str, happens: Callable[[], object]
) -> list[object]:
    """Let something happen before a method of a class goes on, the first time it is called with work to do."""
    real, done = getattr(where, name), []

    def between(self: Any, *arguments: Any) -> Any:
        batch = arguments[-1]
        if not done and getattr(batch, "drafts", True):
            done.append(None)
            done[0] = happens()
        return real(self, *arguments)

    monkeypatch.setattr(where, name, between)
    return done


def test_an_import_between_the_halves_of_a_capture(
    either: Forge, other: Forge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = usual()
    place = talk.transcript(tmp_path)
    other.import_path(place)
    happened = once_in_between(monkeypatch, LiveCapture, "_write", lambda: either.import_path(place))
    taken = either.hooks.take(talk.told)
    assert happened and (taken.captured, taken.faults) == (0, ())
    assert [each.content for each in said(either)] == [each.content for each in said(other)]
    assert either.import_path(place).written == 0
    assert either.hooks.take(talk.told).captured == 0
    assert len(either.decisions.browse()) == len(other.decisions.browse())


@pytest.mark.parametrize("of", [named, unnamed])
@pytest.mark.parametrize("lines", [1, 2, 4, 7, 9, 11])
def test_a_part_of_the_transcript_in_between(
    forge: Forge,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    of: Callable[[Talk], Talk],
    lines: int,
) -> None:
    talk = Talk()
    for number in range(3):
        talk.at += timedelta(seconds=5)
        talk.prompt("continue")
        talk.tool("Bash", {"command": f"echo {number}"}, {"stdout": "same"}, "same")
        talk.response("Done.")
    talk = of(talk)
    half = Talk()
    half.lines = talk.lines[:lines]
    place = half.transcript(tmp_path)
    once_in_between(monkeypatch, LiveCapture, "_write", lambda: forge.import_path(place))
    forge.hooks.take(talk.told)
    forge.import_path(talk.transcript(tmp_path))
    assert Counter(each.content for each in said(forge)) == Counter(
        {
            "continue": 3,
            "Done.": 3,
            **{f"Bash: echo {number}": 1 for number in range(3)},
            **{f"Outcome of Bash: echo {number}\nsame": 1 for number in range(3)},
        }
    )


@pytest.mark.parametrize("told_before", [0, 2, 5])
def test_a_capture_between_the_halves_of_an_import(
    either: Forge, other: Forge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told_before: int
) -> None:
    talk = usual()
    place = talk.transcript(tmp_path)
    other.import_path(place)
    either.hooks.take(talk.told[:told_before])
    real = BesideTold.place
    left = [talk.told]

    def between(self: BesideTold, *arguments: Any) -> Any:
        placed = real(self, *arguments)
        if left:
            either.hooks.take(left.pop())
        return placed

    monkeypatch.setattr(BesideTold, "place", between)
    either.import_path(place)
    assert not left
    assert [each.content for each in said(either)] == [each.content for each in said(other)]
    assert either.import_path(place).written == 0


def test_one_told_in_between_is_the_one_of_its_time(
    either: Forge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hooks know the third "ok" of a session as their first one, and the fourth comes while it is imported."""
    talk = Talk()
    for _ in range(4):
        talk.prompt("ok")
        talk.response("Planted.")
        talk.at += timedelta(hours=1)
    told = talk.told[4:]
    either.hooks.take(told[:2])
    place = talk.transcript(tmp_path)
    real, left = BesideTold.place, [told[2:]]

    def between(self: BesideTold, *arguments: Any) -> Any:
        placed = real(self, *arguments)
        if left:
            either.hooks.take(left.pop())
        return placed

    monkeypatch.setattr(BesideTold, "place", between)
    either.import_path(place)
    assert [each.content for each in said(either)] == ["ok", "Planted."] * 4
    assert [f"{each.valid_at:%H}" for each in said(either)] == [
        f"{hour}" for hour in (12, 12, 13, 13, 14, 14, 15, 15)
    ]
    assert [each.source.value != "import" for each in said(either)] == [False] * 4 + [True] * 4
    assert either.import_path(place).written == 0


def test_what_was_forgotten_stays_so_between_the_halves(
    forge: Forge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = usual()
    place = talk.transcript(tmp_path)

    def comes_and_goes() -> None:
        forge.import_path(place)
        forge.forget(
            [each.id for each in said(forge) if each.content in ("Read: /beds/north", "Bash: ls beds")]
        )

    once_in_between(monkeypatch, LiveCapture, "_write", comes_and_goes)
    forge.hooks.take(talk.told)
    forge.import_path(place)
    assert {each.content for each in said(forge)}.isdisjoint({"Read: /beds/north", "Bash: ls beds"})


_TELLING = """
import json, sys, engramforge
place, told = sys.argv[1:]
with engramforge.open(place) as forge:
    for line in open(told):
        forge.hooks.take([json.loads(line)])
"""
_IMPORTING = """
import sys, engramforge
place, transcript = sys.argv[1:]
with engramforge.open(place) as forge:
    for _ in range(5):
        forge.import_path(transcript)
"""


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_processes_that_are_killed_write_everything_once(
    request: pytest.FixtureRequest, tmp_path: Path, engine: str
) -> None:
    place = str(tmp_path / "home") if engine == "sqlite" else request.getfixturevalue("postgres_url")
    chance = random.Random(7)
    talk = Talk(start=datetime.now(UTC) - timedelta(hours=1))
    for number in range(12):
        talk.prompt(chance.choice(["continue", f"please check bed {number}"]))
        talk.tool("Bash", {"command": f"echo {number}"}, {"stdout": f"{number} out"}, f"{number} out")
        talk.response(chance.choice(["Done.", f"I checked bed {number}."]))
    told, transcript = tmp_path / "told.jsonl", tmp_path / f"{SESSION}.jsonl"
    for path in (told, transcript):
        path.touch()
    with engramforge.open(place):
        pass

    def begin(code: str, file: Path) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", code, place, str(file)], env=dict(os.environ))

    works = {_TELLING: told, _IMPORTING: transcript}
    running = {code: begin(code, file) for code, file in works.items()}
    shares = [(talk.told, told), (talk.lines, transcript)]
    for part in range(1, 9):
        for lines, path in shares:
            portion = lines[len(lines) * (part - 1) // 8 : len(lines) * part // 8]
            with path.open("a") as file:
                file.write("".join(json.dumps(line) + "\n" for line in portion))
        time.sleep(chance.uniform(0.1, 0.5))
        for code, file in works.items():
            if running[code].poll() is None and chance.random() < 0.4:
                running[code].send_signal(signal.SIGKILL)
                running[code].wait()
            if running[code].poll() is not None:
                running[code] = begin(code, file)
    assert all(process.wait(60) == 0 for process in running.values())
    for code, file in works.items():
        assert begin(code, file).wait(60) == 0
    expected = Counter(
        line["message"]["content"] for line in talk.lines if isinstance(line["message"]["content"], str)
    )
    expected += Counter(
        block["text"] for line in talk.lines for block in line["message"]["content"] if "text" in block
    )
    expected += Counter(f"Bash: echo {number}" for number in range(12))
    expected += Counter(f"Outcome of Bash: echo {number}\n{number} out" for number in range(12))
    with engramforge.open(place) as forge:
        assert Counter(each.content for each in said(forge)) == expected


_EACH = """
import sys, engramforge
place, folder = sys.argv[1:]
from pathlib import Path
with engramforge.open(place) as forge:
    for transcript in sorted(Path(folder).glob("*.jsonl")):
        forge.import_path(transcript)
"""


def test_processes_that_run_side_by_side_write_everything_once(tmp_path: Path) -> None:
    place, told, folder = str(tmp_path / "home"), tmp_path / "told", tmp_path / "transcripts"
    folder.mkdir()
    talks = []
    for session in range(10):
        talk = Talk(f"{session:08d}-2222-4333-8444-555555555555", start=START + timedelta(hours=session))
        for number in range(6):
            talk.prompt("continue" if number % 2 else f"please check bed {number}")
            talk.tool("Bash", {"command": f"echo {number}"}, {"stdout": f"{number} out"}, f"{number} out")
            talk.response("Done." if number % 3 else f"I checked bed {number}.")
        (folder / f"{talk.session}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in talk.lines))
        talks.append(talk)
    told.write_text("".join(json.dumps(event) + "\n" for talk in talks for event in talk.told))
    with engramforge.open(place):
        pass
    works = ((_TELLING, told), (_EACH, folder))
    running = [subprocess.Popen([sys.executable, "-c", code, place, str(file)]) for code, file in works]
    assert [process.wait(60) for process in running] == [0, 0]
    with engramforge.open(place) as forge:
        for talk in talks:
            found = [each.content for each in said(forge, talk.session)]
            assert len(found) == len(talk.lines), talk.session
            assert Counter(found)["continue"] == 3
