"""hooks: how long a person waits for each hook of Claude Code, the client's process included.

N memories are made in a temporary home and its daemon is started; with --home the daemon of that home is asked, and
what the events say is captured there, under a project of its own. In each round every event is sent once: by the
client as Claude Code runs it, by a bare client (the same interpreter, which connects, sends an empty event and takes
the empty answer), and beside both an interpreter that does nothing. All are interleaved, so that what else the machine
does falls on all.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import engramforge
from bench.harness import Measured, Options, ms_of
from bench.measures import percentile
from bench.synthetic import Generator
from engramforge.errors import InvalidValue, StoreUnavailable
from engramforge.faces.connections.claude_code import LAUNCHER
from engramforge.runtime.places import Places
from engramforge.runtime.starting import CannotStart, health, start, stop

EVENTS: Final = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd")
_ROUNDS: Final = 200
_WARM_UP: Final = 3
_BATCH: Final = 1_000
_PROJECT: Final = "engramforge-bench"
_ISOLATED: Final = ("-I", "-S", "-E")
_BARE: Final = """
import _socket, sys
s = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
s.connect(sys.argv[1])
s.sendall(b"POST /hook HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\nContent-Type: application/json\\r\\n"
          b"Content-Length: 2\\r\\n\\r\\n{}")
while s.recv(65536):
    pass
"""


def run(paths: Sequence[Path], options: Options) -> Measured:
    """Measure; `limit` sets the number of rounds when it is below 200."""
    if paths:
        raise InvalidValue("The benchmark hooks makes its own memories and events", "Leave --data out")
    rounds = min(_ROUNDS, options.limit or _ROUNDS)
    texts = _questions(rounds + _WARM_UP)
    with _home(options, texts) as home, _daemon(home):
        options.say(f"Sending {len(EVENTS)} events {rounds} times")
        waits = measure(home, texts, rounds)
    metrics: dict[str, Any] = {}
    for event in EVENTS:
        ours, bare = waits[event], waits[f"{event} bare"]
        metrics[event] = {
            **_told(ours),
            "p50_of_bare": percentile(ours, 0.5) / percentile(bare, 0.5),
            "p95_of_bare": percentile(ours, 0.95) / percentile(bare, 0.95),
        }
    baselines = {
        "bare_client": {event: _told(waits[f"{event} bare"]) for event in EVENTS},
        "nothing": _told(waits["nothing"]),
    }
    memories = None if options.home else options.memories
    return Measured(rounds, metrics, baselines, {"memories": memories, "client": "isolated standard library"})


def _questions(count: int) -> list[str]:
    """What people type, about texts as they are in the home."""
    generator = Generator()
    list(generator.drafts({_PROJECT: count}))
    return generator.queries(count)


def measure(home: Path, texts: Sequence[str], rounds: int) -> dict[str, list[float]]:
    """Milliseconds of each event's client, of the bare one beside it, and of an interpreter alone."""
    socket = Places(str(home)).socket
    python = [sys.executable, *_ISOLATED]
    found: dict[str, list[float]] = {}

    # Named on the command line, a home has to be connected.
    environment = {**os.environ, "ENGRAMFORGE_HOME": str(home)}

    def timed(name: str, command: Sequence[str], given: bytes = b"") -> None:
        send = partial(
            subprocess.run, command, input=given, stdout=subprocess.DEVNULL, check=True, env=environment
        )
        found.setdefault(name, []).append(ms_of(send))

    for number, text in enumerate(texts[: rounds + _WARM_UP]):
        if number == _WARM_UP:
            found.clear()
        for event, given in events(text, number).items():
            timed("nothing", [*python, "-c", "pass"])
            timed(f"{event} bare", [*python, "-c", _BARE, socket])
            timed(event, [*python, str(LAUNCHER), event], json.dumps(given).encode())
    return found


def events(text: str, number: int) -> Mapping[str, Mapping[str, Any]]:
    """One session's events about a text, by name, in the order in which they come."""
    session, prompt, tool = str(uuid4()), str(uuid4()), f"toolu_{uuid4().hex[:24]}"
    about: Mapping[str, Mapping[str, Any]] = {
        "SessionStart": {"source": "startup"},
        "UserPromptSubmit": {"prompt": text, "prompt_id": prompt},
        "PreToolUse": {
            "tool_name": "Edit",
            "tool_input": {"file_path": f"src/part_{number}.py", "old_string": "pass", "new_string": text},
            "tool_use_id": tool,
        },
        "PostToolUse": {
            "tool_name": "Bash",
            "tool_input": {"command": f"make part_{number}", "description": text},
            "tool_response": {"stdout": text, "stderr": "", "interrupted": False},
            "tool_use_id": f"{tool}b",
        },
        "Stop": {"stop_hook_active": False, "last_assistant_message": text, "prompt_id": prompt},
        "SessionEnd": {"reason": "other"},
    }
    same = {"session_id": session, "cwd": "/tmp/engramforge-bench", "transcript_path": "/tmp/none.jsonl"}
    return {name: {**same, "hook_event_name": name, **more} for name, more in about.items()}


def _told(waits: Sequence[float]) -> dict[str, float]:
    return {f"p{share}_ms": percentile(waits, share / 100) for share in (50, 95)}


@contextmanager
def _home(options: Options, texts: Sequence[str]) -> Iterator[Path]:
    """The home given, or a temporary one with memories, and a warning of each file that a tool is to touch."""
    if options.home is not None:
        yield Path(options.home).absolute()
        return
    with tempfile.TemporaryDirectory(prefix="engramforge-bench-") as folder:
        options.say(f"Remembering {options.memories:,} memories")
        drafts = list(Generator().drafts({_PROJECT: options.memories}))
        warnings = (
            f"Never edit src/part_{number}.py by hand: {text}" for number, text in enumerate(texts[::-1])
        )
        drafts += [{"content": warning, "kind": "note", "project": _PROJECT} for warning in warnings]
        with engramforge.open(folder) as forge:
            for at in range(0, len(drafts), _BATCH):
                forge.remember_many(drafts[at : at + _BATCH])
        yield Path(folder)


@contextmanager
def _daemon(home: Path) -> Iterator[None]:
    """A daemon of the home: the one that runs, or one that is started and stopped again. Raises StoreUnavailable."""
    runs = health(Places(str(home)), 1.0) is not None
    try:
        start(str(home), self_started=False)
    except CannotStart as error:
        fault = f"No daemon could be started: {error}"
        raise StoreUnavailable(fault, "Run engramforge serve to see why") from error
    try:
        yield
    finally:
        if not runs:
            stop(Places(str(home)))
