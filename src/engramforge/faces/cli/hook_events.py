"""What the commands for hooks share: Claude Code's JSON on standard input, and where faults go.

A hook must never fail the session that it is part of: whatever goes wrong, it exits 0 and says nothing to the model.
What could not be captured leaves a line in `log/hooks.log` in the home folder.
"""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engramforge.errors import EngramforgeError, InvalidContent
from engramforge.faces.cli.output import remark, say, show_json

if TYPE_CHECKING:
    from engramforge.faces.cli.options import Call

EVENT_BYTES: Final = 256_000_000
"""The longest event that is read; a tool may have given back 50 MB, and JSON escapes some of it."""
ASKED_BYTES: Final = 2_000_000
"""The longest event for which something is injected."""
LOG_BYTES: Final = 1_000_000
SESSION_VARIABLES: Final = ("CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_ID")
"""Where Claude Code may say in which session a command runs."""


def session_here() -> str | None:
    """The session that this process runs in, where its environment says so."""
    return next((value for name in SESSION_VARIABLES if (value := os.environ.get(name, "").strip())), None)


def take(call: Call, name: str, **given: Any) -> None:
    """Capture the event of a hook; faults go to the log.

    `name`: the event's, where it does not say. `given`: fields that were given as options; without a standard input
    they are the event.
    """
    try:
        event = {"hook_event_name": name, **_here(), **_read(), **given}
        with call.open() as forge:
            faults = forge.hooks.take([event]).faults
    except Exception as error:  # noqa: BLE001 - a hook fails no session
        said = str(error) if isinstance(error, EngramforgeError) else f"{type(error).__name__}: {error}"
        faults = (f"{name}: {said}",)
    for fault in faults:
        _log(call, fault)


def inject(call: Call, name: str) -> None:
    """Print what to put before the model at the event on standard input; faults go to standard error, which the host
    keeps for whoever looks for it. `name`: the event's, where it does not say.
    """
    try:
        said = _event_of(sys.stdin.buffer.read(ASKED_BYTES + 1), ASKED_BYTES)
        with call.open() as forge:
            found = forge.injections.for_event({"hook_event_name": name, **said})
    except Exception as error:  # noqa: BLE001 - nothing may reach the host
        remark(f"engramforge: {type(error).__name__}: {error}")
        return
    if call.as_json:
        from engramforge.faces.views.injection import InjectionView

        show_json({"injection": None if found is None else InjectionView.of(found)})
    elif found is not None:
        answer = {"hookEventName": found.event, "additionalContext": found.text}
        say(json.dumps({"hookSpecificOutput": answer}, ensure_ascii=False))


def _here() -> dict[str, Any]:
    """The working folder, for an event that does not say it; nothing where that is gone."""
    try:
        return {"cwd": str(Path.cwd())}
    except OSError:
        return {}


def _read() -> dict[str, Any]:
    """The event on standard input; nothing where a person sits there, or it is empty."""
    if sys.stdin is None or sys.stdin.isatty():
        return {}
    raw = sys.stdin.buffer.read(EVENT_BYTES + 1)
    return _event_of(raw, EVENT_BYTES) if raw.strip() else {}


def _event_of(raw: bytes, most: int) -> dict[str, Any]:
    if len(raw) > most:
        raise InvalidContent(f"The event is larger than {most:,} bytes", "Have the tool give back less")
    try:
        event = json.loads(raw.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        raise InvalidContent(f"The event is no JSON ({error})", "Pass on what Claude Code gives") from error
    if not isinstance(event, dict):
        raise InvalidContent("The event is no JSON object", "Pass on what Claude Code gives")
    return event


def _log(call: Call, said: str) -> None:
    """Add a line to the log; without effect where that cannot be written."""
    from engramforge.assembly import home_of

    try:
        log = home_of(call.home) / "log" / "hooks.log"
        log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        line = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {' '.join(said.split())[:2_000]}\n"
        _append(log, line.encode("utf-8", "replace"))
    except (OSError, EngramforgeError):
        return


def _append(log: Path, line: bytes) -> None:
    """Append a line; of a log that became too long the later half is kept."""
    if log.exists() and log.stat().st_size > LOG_BYTES:
        kept = log.read_bytes()[-LOG_BYTES // 2 :].partition(b"\n")[2]
        beside = log.with_suffix(f".{os.getpid()}")
        beside.write_bytes(kept)
        beside.replace(log)
    descriptor = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(descriptor, line)
    finally:
        os.close(descriptor)
