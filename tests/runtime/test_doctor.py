"""The doctor tells what is wrong with a home's daemon, and removes what a dead one left."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import pytest

import engramforge
from engramforge.faces.cli.connection_checks import examine_connections
from engramforge.faces.cli.daemon_checks import Check, examine_daemon
from engramforge.runtime.lock import take_lock
from engramforge.runtime.spool import Spool, line_of
from engramforge.runtime.starting import health

from .conftest import Home


def _checks(home: Home) -> dict[str, Check]:
    return {check.name: check for check in examine_daemon(home.folder, engramforge.__version__)}


def test_where_there_never_was_one_nothing_is_said(home: Home) -> None:
    assert _checks(home) == {}


def test_one_that_answers_is_fine(home: Home) -> None:
    pid = home.start().pid
    checks = _checks(home)
    assert {*checks} == {"daemon"}
    assert checks["daemon"].state == "ok" and str(pid) in checks["daemon"].found
    told = json.loads(home.run("doctor", "--json").stdout)["checks"]
    assert asdict(checks["daemon"]) in told
    (other,) = examine_daemon(home.folder, "99.0.0")
    assert other.state == "note" and "older" in other.found


def test_one_that_hangs_is_a_fault_and_what_it_leaves_when_killed_is_removed(home: Home) -> None:
    daemon = home.start()
    daemon.suspend()
    found = _checks(home)["daemon"]
    assert found.state == "fault" and f"kill -9 {daemon.pid}" in found.mend
    home.kill()
    assert Path(home.places.socket).exists()
    assert _checks(home)["daemon"].state == "note"
    assert not Path(home.places.socket).exists()
    assert _checks(home) == {}


def test_events_that_wait_and_that_were_refused(home: Home) -> None:
    spool = Spool(home.places.spool)
    spool.append({"hook_event_name": "Stop"})
    assert _checks(home)["spool"].found.endswith("1 event")
    line = line_of({"hook_event_name": "Stop"}, datetime.now(UTC))
    (spool.folder / "client-1-1.jsonl").write_bytes(line)
    spool.refuse("x", "it is none")
    (spool.folder / "client-2-1.jsonl").mkdir()
    checks = _checks(home)
    assert checks["left alone"].state == "fault" and "client-2-1" in checks["left alone"].found
    assert checks["spool"].found.endswith("2 events")
    assert "refused.jsonl" in checks["refused"].mend


@pytest.mark.parametrize("line", ["WARNING The store could not be loaded", "ERROR A hook failed"])
def test_a_fault_in_the_log_is_shown_until_the_next_start(home: Home, line: str) -> None:
    log = Path(home.places.log)
    log.parent.mkdir(mode=0o700)
    log.write_text(f"2026-05-01 10:00:00,000 INFO The daemon 7 serves it\n2026-05-01 10:00:01,000 {line}\n")
    assert line in _checks(home)["log"].found
    with log.open("a") as file:
        file.write("2026-05-01 10:00:02,000 INFO The daemon 8 serves it\n")
    assert "log" not in _checks(home)


def test_a_daemon_that_starts_is_no_fault(home: Home) -> None:
    Path(home.places.run).mkdir(mode=0o700)
    lock = take_lock(home.places.lock)
    assert lock is not None
    told = home.run("status").stdout.decode()
    assert "It starts just now" in told and "None" not in told and "fault" not in told
    first = next(examine_daemon(home.folder, "1.0"))
    assert (first.state, first.found) == ("note", "a daemon starts just now")
    os.close(lock)


def test_http_hooks_ask_the_daemon_that_they_were_written_for(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "claude" / "settings.json"
    settings.parent.mkdir()
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(settings.parent))

    def told() -> tuple[str, str]:
        (found,) = examine_connections(home.folder)
        return found.state, found.found

    home.start()
    connect = ("connect", "claude-code", "--hooks", "http", "--yes")
    assert home.run_alone(*connect, CLAUDE_CONFIG_DIR=str(settings.parent)).returncode == 0
    assert told()[0] == "ok"
    written = settings.read_text()
    token = Path(home.places.token).read_text().strip()
    settings.write_text(written.replace(token, "another"))
    assert "a token that the daemon does not take" in told()[1]
    port = (health(home.places, 5.0) or {})["port"]
    settings.write_text(written.replace(f":{port}/", ":1/"))
    assert f"port 1, and the daemon listens on {port}" in told()[1]
