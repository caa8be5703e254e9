"""Events wait in the spool until they are captured: none is lost, none is captured twice by its id."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from engramforge.capture.live.events import event_id_of
from engramforge.errors import InvalidValue, StoreFull
from engramforge.runtime import draining, spool
from engramforge.runtime.condition import Condition
from engramforge.runtime.draining import Draining
from engramforge.runtime.spool import LINE_BYTES, Spool, line_of, read_spooled

from .conftest import wait_for

EVENT = {"hook_event_name": "PostToolUse", "session_id": "s1", "tool_use_id": "t1", "tool_name": "Bash"}
NOW = datetime(2026, 5, 1, 9, 0, tzinfo=UTC)


class Recording:
    """Captures events, each once by its id, as whoever captures has to; it can be told to fail."""

    def __init__(self) -> None:
        self.events: dict[str, Mapping[str, Any]] = {}
        self.calls = 0
        self.fails: Exception | None = None
        self.hates: str | None = None

    def __call__(self, events: Sequence[Mapping[str, Any]]) -> None:
        self.calls += 1
        if self.fails is not None:
            raise self.fails
        for event in events:
            if self.hates and event["event"].get("prompt") == self.hates:
                raise InvalidValue("The prompt is hated", "Write another")
            self.events.setdefault(event["id"], event)

    def prompts(self) -> list[str]:
        return [event["event"]["prompt"] for event in self.events.values()]


@pytest.fixture
def recording() -> Recording:
    return Recording()


@pytest.fixture
def kept(tmp_path: Path) -> Spool:
    return Spool(tmp_path / "spool")


@pytest.fixture
def drained(kept: Spool, recording: Recording, monkeypatch: pytest.MonkeyPatch) -> Iterator[Draining]:
    monkeypatch.setattr(draining, "_AGAIN_S", (0.05,))
    worker = Draining(kept, recording, Condition())
    yield worker
    worker.close()


def _prompt(text: str, session: str = "s1") -> dict[str, Any]:
    return {"hook_event_name": "UserPromptSubmit", "session_id": session, "prompt": text}


def test_what_is_accepted_is_captured_at_once(kept: Spool, drained: Draining, recording: Recording) -> None:
    drained.start()
    for number in range(200):
        kept.append(_prompt(str(number)))
        ticket = drained.wake()
    assert drained.wait(ticket, 10)
    assert recording.prompts() == [str(number) for number in range(200)]
    assert kept.events_waiting() == 0
    assert [*kept.folder.iterdir()] == []


def test_files_are_for_their_owner_alone(kept: Spool) -> None:
    kept.append(EVENT)
    assert kept.folder.stat().st_mode & 0o777 == 0o700
    assert [each.stat().st_mode & 0o777 for each in kept.folder.iterdir()] == [0o600]


def test_a_crash_between_capture_and_removal_captures_nothing_twice(
    kept: Spool, recording: Recording
) -> None:
    kept.append(_prompt("once"))
    (apart,) = kept.take_files(time.time())
    recording(read_spooled(apart).events)
    # Here the process ends. The next one finds the file and hands its events in again.
    worker = Draining(Spool(kept.folder), recording, Condition())
    worker.start()
    wait_for(lambda: not kept.has_files())
    worker.close()
    assert recording.prompts() == ["once"] and recording.calls == 2


@pytest.mark.parametrize(
    ("plant", "fault"),
    [
        (lambda place: place.mkdir(), "no file"),
        (os.mkfifo, "no file"),
        (lambda place: place.symlink_to("/etc/passwd"), "no file"),
        (lambda place: (place.write_text("{}\n"), place.chmod(0o666)), "others"),
        (lambda place: (place.write_text("{}\n"), place.chmod(0)), "may not read"),
        pytest.param(
            lambda place: (place.write_text("{}\n"), os.chown(place, 65534, 65534)),
            "another user",
            marks=pytest.mark.skipif(os.getuid() != 0, reason="only root gives a file away"),
        ),
    ],
)
def test_a_file_that_is_not_ours_alone_is_left_and_keeps_no_other_out(
    kept: Spool, drained: Draining, recording: Recording, plant: Callable[[Path], object], fault: str
) -> None:
    kept.folder.mkdir(mode=0o700)
    for name in ("client-0-0.jsonl", "live-1-1.draining", "live.jsonl"):
        plant(kept.folder / name)
    drained.start()
    kept.append(_prompt("mine"))
    assert drained.wait(drained.wake(), 10)
    assert recording.prompts() == ["mine"]
    names = [place.name for place, _ in kept.left_alone()]
    assert names[:2] == ["client-0-0.jsonl", "live-1-1.draining"]
    assert [name.rpartition("-")[0] for name in names[2:]] == ["live.jsonl.unknown"]
    assert all(fault in said for _, said in kept.left_alone())
    assert not kept.has_files() and kept.events_waiting() == 0


def test_a_file_that_had_to_make_way_is_still_told(kept: Spool) -> None:
    kept.folder.mkdir(mode=0o700)
    live = kept.folder / "live.jsonl"
    live.write_bytes(line_of(_prompt("planted"), NOW))
    live.chmod(0o666)
    assert [place for place, _ in kept.left_alone()] == [live]
    kept.append(_prompt("mine"))
    ((aside, fault),) = kept.left_alone()
    assert b"planted" in aside.read_bytes() and "others" in fault
    aside.chmod(0o600)
    assert kept.left_alone() == [(aside, "it was set aside")]
    (apart,) = kept.take_files(time.time())
    assert [each["event"]["prompt"] for each in read_spooled(apart).events] == ["mine"]


def test_a_folder_that_is_not_ours_alone_is_not_believed(kept: Spool, tmp_path: Path) -> None:
    elsewhere = Spool(tmp_path / "elsewhere")
    elsewhere.append(_prompt("planted"))
    elsewhere.close()
    kept.folder.symlink_to(elsewhere.folder)
    assert kept.take_files(time.time()) == []
    assert "no folder" in kept.left_alone()[0][1]
    elsewhere.folder.chmod(0o777)
    assert elsewhere.take_files(time.time()) == []
    assert "others" in elsewhere.left_alone()[0][1]


def test_files_of_hooks_that_met_no_daemon_are_taken(
    kept: Spool, drained: Draining, recording: Recording
) -> None:
    kept.folder.mkdir(mode=0o700)
    for number in range(3):
        line = line_of(_prompt(f"client {number}"), datetime.now(UTC))
        (kept.folder / f"client-{number}-0.jsonl").write_bytes(line)
    drained.start()
    wait_for(lambda: len(recording.events) == 3)
    wait_for(lambda: not kept.has_files())


def test_a_line_that_is_being_written_is_left_until_it_is_whole(
    kept: Spool, drained: Draining, recording: Recording
) -> None:
    kept.folder.mkdir(mode=0o700)
    line = line_of(_prompt("slow"), datetime.now(UTC))
    place = kept.folder / "client-1-0.jsonl"
    place.write_bytes(line[:20])
    drained.start()
    drained.wait(drained.wake(), 5)
    assert place.exists() and not recording.events
    with place.open("ab") as file:
        file.write(line[20:])
    drained.wait(drained.wake(), 5)
    assert recording.prompts() == ["slow"]


def test_a_file_that_its_hook_has_not_named_yet_is_left_to_it(kept: Spool) -> None:
    kept.folder.mkdir(exist_ok=True)
    (kept.folder / ".client-1-2.jsonl").write_bytes(line_of(EVENT, NOW))
    assert kept.take_files(time.time()) == []
    (apart,) = kept.take_files(time.time() + 60)
    assert len(read_spooled(apart).events) == 1


def test_an_empty_file_of_a_hook_that_was_ended_goes_after_an_hour(kept: Spool) -> None:
    kept.folder.mkdir(exist_ok=True)
    unnamed, named = kept.folder / ".client-1-2.jsonl", kept.folder / "client-1-3.jsonl"
    for place in (unnamed, named, kept.folder / "live.jsonl"):
        place.touch(mode=0o600)
    assert kept.take_files(time.time() + 3500) == []
    assert unnamed.exists() and not named.exists()
    assert kept.take_files(time.time() + 3700) == []
    assert [each.name for each in kept.folder.iterdir()] == ["live.jsonl"]


def test_what_cannot_be_read_is_refused_and_the_rest_goes_in(
    kept: Spool, drained: Draining, recording: Recording
) -> None:
    kept.append(_prompt("before"))
    live = kept.folder / "live.jsonl"
    with live.open("ab") as file:
        file.write(b'{"id": "x", "event": \n\xff\xfe\n[1]\n{"id": 5, "received_at": "2026", "event": {}}\n')
    kept.append(_prompt("hated"))
    kept.append(_prompt("after"))
    recording.hates = "hated"
    drained.start()
    # A file that is being renamed may be missed for a moment.
    wait_for(lambda: not kept.has_files() and recording.prompts() != [])
    assert recording.prompts() == ["before", "after"]
    refused = [json.loads(line) for line in (kept.folder / "refused.jsonl").read_text().splitlines()]
    assert len(refused) == 5
    assert any("hated" in each["fault"] for each in refused)
    assert kept.events_waiting() == 0


def test_the_refused_are_capped(kept: Spool, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.append(EVENT)
    monkeypatch.setattr(spool, "REFUSED_BYTES", 1_000)
    for _ in range(50):
        kept.refuse("x" * 100, "no JSON")
    assert (kept.folder / "refused.jsonl").stat().st_size <= 1_000


def test_a_full_store_keeps_events_and_goes_on_by_itself(
    kept: Spool, drained: Draining, recording: Recording
) -> None:
    recording.fails = StoreFull("There is no space", "Free some")
    kept.append(_prompt("kept"))
    drained.start()
    wait_for(lambda: recording.calls > 2)
    assert kept.events_waiting() == 1
    recording.fails = None
    wait_for(lambda: recording.prompts() == ["kept"])
    wait_for(lambda: not kept.has_files())


def test_who_waits_is_let_go_when_nothing_can_be_captured(
    kept: Spool, drained: Draining, recording: Recording
) -> None:
    recording.fails = StoreFull("There is no space", "Free some")
    kept.append(_prompt("kept"))
    drained.start()
    assert drained.wait(drained.wake(), 5)


def test_beyond_its_size_new_events_are_dropped(kept: Spool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "SPOOL_BYTES", 2_000)
    with pytest.raises(StoreFull, match="not captured"):
        for number in range(100):
            kept.append(_prompt(str(number)))
    assert 0 < kept.bytes_waiting() <= 2_000


def test_an_event_has_one_id_within_a_second() -> None:
    one = event_id_of(EVENT, NOW.isoformat(timespec="microseconds"))
    assert len(one) == 32
    later = NOW.replace(microsecond=7)
    assert one == event_id_of({**EVENT, "more": 1}, later.isoformat(timespec="microseconds"))
    assert one != event_id_of({**EVENT, "tool_use_id": "t2"}, NOW.isoformat())
    assert one != event_id_of(EVENT, NOW.replace(second=1).isoformat(timespec="microseconds"))
    bare = _prompt("a")
    assert event_id_of(bare, NOW.isoformat()) == event_id_of(dict(reversed(bare.items())), NOW.isoformat())
    assert event_id_of(bare, NOW.isoformat()) != event_id_of(_prompt("b"), NOW.isoformat())


@pytest.mark.parametrize("letter", ["x", "\u00e9", "\ud800", "\x00"])
def test_long_texts_are_cut_and_marked(letter: str) -> None:
    event = {**EVENT, "tool_input": {"command": "ls"}, "tool_response": {"stdout": [letter * 3_000_000]}}
    line = line_of(event, NOW)
    assert len(line) <= LINE_BYTES and line.endswith(b"\n") and line.count(b"\n") == 1
    (said,) = json.loads(line)["event"]["tool_response"]["stdout"]
    assert "characters cut]" in said and said.startswith(letter * 1_000)
    assert json.loads(line)["event"]["tool_input"] == {"command": "ls"}


def test_an_event_that_is_large_in_every_way_is_refused() -> None:
    with pytest.raises(ValueError, match="bytes"):
        line_of({"hook_event_name": "X", "many": ["a"] * 1_000_000}, NOW)


def test_half_a_line_is_taken_back_when_the_disk_is_full(kept: Spool) -> None:
    import resource

    kept.append(_prompt("first"))
    size = kept.bytes_waiting()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, before[1]))
    try:
        with pytest.raises(OSError):
            kept.append(_prompt("second"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    kept.append(_prompt("third"))
    (apart,) = kept.take_files(time.time())
    assert [each["event"]["prompt"] for each in read_spooled(apart).events] == ["first", "third"]
    assert read_spooled(apart).unread == ()
    apart.unlink()
