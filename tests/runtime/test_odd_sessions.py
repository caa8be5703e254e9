"""What sessions do that nobody plans for, by the hooks' client and the daemon: all of it is captured, and once."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import engramforge
from engramforge.faces.connections.claude_code import CLIENT
from engramforge.model.memory import Memory
from engramforge.runtime.client import ask
from engramforge.runtime.spool import line_of
from engramforge.runtime.starting import health

from .conftest import CONSOLE, Home, wait_for


def _prompt(text: str, session: str, **more: Any) -> dict[str, Any]:
    said = {"session_id": session, "prompt": text, "prompt_id": text}
    return {"hook_event_name": "UserPromptSubmit", **said, **more}


def _drained(home: Home) -> None:
    """Wait until nothing waits."""
    # What comes by the socket has files looked at that it would else find within two seconds.
    ask(home.places.socket, "POST", "/hook", {"hook_event_name": "Notification"})
    wait_for(lambda: (found := health(home.places)) and not found["waiting"])


def _captured(home: Home, session: str) -> list[Memory]:
    """What a session said, in its order, once nothing waits."""
    _drained(home)
    with engramforge.open(home.folder) as forge:
        found = [each for each in forge.memories(session_id=session, limit=500) if each.registration is None]
    return sorted(found, key=lambda each: each.sequence or 0)


def _without_privileges() -> list[str]:
    """What a command begins with so that permissions of folders hold for it, also for root."""
    if os.geteuid():
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("root may read everything, and setpriv is not there")
    return ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]


def test_a_folder_that_may_not_be_read_and_a_transcript_that_is_gone(home: Home, tmp_path: Path) -> None:
    bound = _without_privileges()
    folder = tmp_path / "locked"
    folder.mkdir()
    (folder / "notes.md").write_text("Nobody reads this.")
    started = [*bound, *CONSOLE, "serve", "--background"]
    assert subprocess.run(started, env=home.environment, capture_output=True, check=False).returncode == 0
    said = {"cwd": str(folder), "transcript_path": str(folder / "gone.jsonl")}
    client = [*bound, sys.executable, "-I", "-S", "-E", str(CLIENT), "UserPromptSubmit"]
    folder.chmod(0)
    try:
        assert subprocess.run([*bound, "ls", str(folder)], capture_output=True, check=False).returncode
        given = json.dumps(_prompt("Is anybody there?", "s1", **said)).encode()
        ran = subprocess.run(
            client, input=given, capture_output=True, cwd=folder, env=home.environment, check=False
        )
        assert (ran.returncode, ran.stderr) == (0, b"")
        assert ask(
            home.places.socket, "POST", "/hook", {"hook_event_name": "SessionEnd", "session_id": "s1", **said}
        )
        found = [(each.content, each.project) for each in _captured(home, "s1")]
    finally:
        folder.chmod(0o700)
    assert ("Is anybody there?", "locked") in found


def test_jumping_clocks_repeated_events_and_a_session_without_an_end(home: Home) -> None:
    home.start()
    now = datetime.now(UTC)

    def tell(text: str, at: datetime, session: str) -> None:
        # As a hook of a clock like this leaves it: the daemon takes what comes by the socket and by the spool alike.
        name = f"client-1-{len(list(Path(home.places.spool).glob('*')))}-{text}.jsonl"
        place = Path(home.places.spool) / f".{name}"
        place.write_bytes(line_of(_prompt(text, session), at))
        place.rename(place.with_name(name))

    Path(home.places.spool).mkdir(mode=0o700, exist_ok=True)
    for number, at in enumerate([now, now + timedelta(days=400), now - timedelta(days=9_000), now]):
        tell(f"jump{number}", at, "jumping")
        _drained(home)
    for _ in range(3):
        tell("again", now, "repeated")
        _drained(home)
    for number in range(120):
        tell(f"day{number:03}", now - timedelta(days=119 - number), "endless")
    assert len(_captured(home, "endless")) == 120
    home.kill()
    home.start()
    tell("day118", now - timedelta(days=1), "endless")
    tell("day120", now, "endless")
    jumped = _captured(home, "jumping")
    assert [each.content for each in jumped] == ["jump0", "jump1", "jump2", "jump3"]
    moments = [each.valid_at for each in jumped]
    assert moments == sorted(moments) and moments[-1] <= datetime.now(UTC)
    assert [each.content for each in _captured(home, "repeated")] == ["again"]
    assert [each.content for each in _captured(home, "endless")] == [
        f"day{number:03}" for number in range(121)
    ]
