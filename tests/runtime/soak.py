"""A day of hook events through the daemon itself, on an accelerated clock, while it is restarted and killed.

Events go the way of the hooks' client, whose own functions send them, and spool them where nobody answers. Each says in
its `X-Received-At` when it came, spread over the 24 hours before now. Used by the tests for some seconds and by
scripts/measure_soak.py at length.
"""

from __future__ import annotations

import json
import random
import re
import resource
import runpy
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Barrier, Lock
from typing import Any

import psutil
from bench.measures import percentile
from bench.synthetic import Generator
from tests.runtime.conftest import Home, wait_for

import engramforge
from engramforge.core.injection.budget import SHARES
from engramforge.core.injection.layout import LONGEST
from engramforge.core.injection.tokens import tokens_of
from engramforge.faces.connections.claude_code import CLIENT
from engramforge.model.memory import Kind
from engramforge.runtime.starting import health

EVENTS = 20
"""Events of one sitting of a session."""
DAY = timedelta(hours=24)
_MARK = re.compile(r"\bm\d+x\d+[a-z]\b")
"""By what each thing that is said is known: session, sitting and a letter."""
_CALLS = "abcdefghijklmn"
"""Letters of the calls of tools in a sitting."""
_LANES = 4
_TWICE = 20
"""Of so many events one is sent twice, as hooks that are installed twice do."""


class Sender:
    """Sends events as the client does; what came of them."""

    def __init__(self, home: Home) -> None:
        self._home = str(home.folder)
        self._client = runpy.run_path(str(CLIENT))
        self._run = self._client["run_folder"](self._home)
        self._naming = Lock()
        self.waits: dict[str, list[float]] = {}
        self.spooled: Counter[str] = Counter()
        self.injected: dict[str, list[int]] = {}
        self.over: list[str] = []

    def send(self, event: Mapping[str, Any], at: datetime) -> bool:
        """Send an event that came at a time, or spool it; whether the daemon took it."""
        name = event["hook_event_name"]
        told = at.isoformat(timespec="microseconds")
        body, begun = json.dumps(event).encode(), time.monotonic()
        limit = self._client["WHOLE_S"].get(name, self._client["OTHERWISE_S"])
        try:
            said = self._client["ask"](self._run, body, told, begun + limit)
        except (self._client["Fault"], OSError) as fault:
            # Its files are named by process and time, and here one process is all the hooks.
            with self._naming:
                time.sleep(0.001)
                self._client["spool"](self._home, body, told)
            self.spooled[str(fault)] += 1
            return False
        finally:
            # Who got no answer waited, too.
            self.waits.setdefault(name, []).append(time.monotonic() - begun)
        if said:
            self._look_at(name, json.loads(said)["hookSpecificOutput"]["additionalContext"])
        return True

    def _look_at(self, name: str, text: str) -> None:
        lines = [line for line in text.splitlines() if line.startswith("- ")]
        tokens = sum(tokens_of(line) + 1 for line in lines)
        self.injected.setdefault(name, []).append(tokens)
        if tokens > sum(SHARES[name].values()) or len(text) >= LONGEST:
            self.over.append(text)


@dataclass
class Day:
    """Sessions of two projects, a sitting after the other, and what each is to leave behind.

    `expected`: the mark of what was said -> how many memories have it.
    """

    sessions: int
    sittings: int
    texts: list[str]
    questions: list[str]
    began: datetime = field(default_factory=lambda: datetime.now(UTC) - DAY)
    expected: Counter[str] = field(default_factory=Counter)

    @classmethod
    def made(cls, sessions: int, sittings: int) -> Day:
        """A day with texts enough."""
        generator = Generator()
        texts = [each["content"] for each in generator.drafts({"day": sessions * 20})]
        return cls(sessions, sittings, texts, generator.queries(sessions * 20))

    def sitting(self, session: int, number: int) -> Iterator[tuple[Mapping[str, Any], datetime]]:
        """The events of one sitting, each with when it came; a session's last one ends it, but of every fourth."""
        rng = random.Random(f"{session}/{number}")
        at = self.began + DAY * number / self.sittings + timedelta(milliseconds=session)
        same = {
            "session_id": f"soak-{session}",
            "cwd": f"/home/ann/code/{('garden', 'harbour')[session % 2]}",
        }
        for place, (name, more, marks) in enumerate(self._events(rng, f"m{session}x{number}")):
            for mark, count in marks.items():
                self.expected[mark] = max(self.expected[mark], count)
            yield {**same, "hook_event_name": name, **more}, at + timedelta(seconds=2 * place)
        ends = "PreCompact" if session % 4 == 0 else "SessionEnd"
        yield {**same, "hook_event_name": ends, "reason": "other"}, at + timedelta(seconds=2 * EVENTS)

    def _events(self, rng: random.Random, mark: str) -> Iterator[tuple[str, dict[str, Any], dict[str, int]]]:
        file = f"src/part_{rng.randrange(50)}.py"
        said = rng.choice(self.texts)
        if rng.random() < 0.1:
            said = f"We decided to keep {file} free of imports. {said}"
        yield "SessionStart", {"source": "startup"}, {}
        asked = rng.choice(self.questions) + "?" if rng.random() < 0.5 else rng.choice(self.texts)
        yield "UserPromptSubmit", {"prompt": f"{asked} {mark}p", "prompt_id": mark}, {f"{mark}p": 1}
        for letter, tool in zip(_CALLS, ("Edit", "Bash", *["Read"] * len(_CALLS)), strict=False):
            said_to_it = {"file_path": f"src/{mark}{letter}/part_{rng.randrange(50)}.py"}
            if tool == "Bash":
                said_to_it = {"command": f"make {file} # {mark}{letter}"}
            call = {"tool_name": tool, "tool_input": said_to_it, "tool_use_id": f"toolu_{mark}{letter}"}
            if tool != "Read":
                yield "PreToolUse", call, {f"{mark}{letter}": 1}
            # What was asked and what came out: a memory each.
            yield (
                "PostToolUse",
                {**call, "tool_response": {"stdout": f"{mark}{letter} is done"}},
                {f"{mark}{letter}": 2},
            )
        yield "Stop", {"last_assistant_message": f"{said} {mark}s", "prompt_id": mark}, {f"{mark}s": 1}


def soak(home: Home, day: Day, troubles: list[str], say: Callable[[str], object] = str) -> dict[str, Any]:
    """Live through the day; what was measured. `troubles`: `restart` or `kill`, one in each of the first sittings.

    After those comes one life of the daemon. Its memory at the end is compared with that of a new one, which takes the
    last sittings in and so has loaded all that the other has; the store is a little larger by then.

    Raises AssertionError where something was lost, came in twice or was over its budget.
    """
    # The client leaves it to its end to close what it opened.
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    sender, rng, begun = Sender(home), random.Random(7), time.monotonic()
    home.start()
    samples = []
    # A new daemon has to have done what loads everything: the last sittings are its.
    last = day.sittings - max(day.sittings // 10, 1)
    for number in range(day.sittings):
        if number == last:
            assert home.run("stop").returncode == 0
            home.start()
        _sit(sender, home, day, number, troubles[number] if number < len(troubles) else None, rng)
        samples.append(_sample(home))
        say(f"sitting {number + 1} of {day.sittings}: {samples[-1]}")
    lived = samples[len(troubles) : last]
    window = max(len(lived) // 5, 1)
    seconds = time.monotonic() - begun
    home.run("stop")
    memories = check(home, day)
    assert not sender.over, sender.over[0]
    told = {"events": day.sessions * day.sittings * EVENTS, "sessions": day.sessions, "memories": memories}
    told |= {
        "kills": troubles.count("kill"),
        "restarts": troubles.count("restart") + 1,
        "seconds": round(seconds, 1),
    }
    return told | _report(sender, samples, lived, window)


def _report(
    sender: Sender, samples: list[dict[str, Any]], lived: list[dict[str, Any]], window: int
) -> dict[str, Any]:
    """What the daemon took and said; the last sample is the new daemon's."""
    fresh = samples[-1]
    return {
        "spooled_by_the_client": dict(sender.spooled),
        "anonymous_mb": {
            "first_window": _mean(lived[:window], "anonymous_mb"),
            "last_window": _mean(lived[-window:], "anonymous_mb"),
            "a_new_daemon_then": fresh["anonymous_mb"],
            "every_sitting": [each["anonymous_mb"] for each in samples],
        },
        "growth_beside_the_store": round(lived[-1]["anonymous_mb"] / fresh["anonymous_mb"] - 1, 3),
        "descriptors": sorted({each["descriptors"] for each in lived}),
        "threads": sorted({each["threads"] for each in lived}),
        "children": sorted({each["children"] for each in lived}),
        "injected_tokens_most": {name: max(each) for name, each in sender.injected.items()},
        "injections": {name: len(each) for name, each in sender.injected.items()},
        "wait_ms": waits_ms(sender),
    }


def _sit(sender: Sender, home: Home, day: Day, number: int, trouble: str | None, rng: random.Random) -> None:
    """A sitting of every session, four at a time, and trouble in the middle of it."""

    def one(session: int) -> None:
        chance = random.Random(f"{session}/{number}/twice")
        for event, at in day.sitting(session, number):
            for _ in range(1 + (chance.randrange(_TWICE) == 0)):
                if not sender.send(event, at):
                    time.sleep(0.1)

    # A sitting of few sessions is over in less than a second.
    latest = 2 if day.sessions > _LANES else 0.4
    with ThreadPoolExecutor(_LANES + 1) as pool:
        disturbing = None if trouble is None else pool.submit(_disturb, home, trouble, rng.uniform(0, latest))
        sitting = [pool.submit(one, session) for session in range(day.sessions)]
        for each in sitting if disturbing is None else [disturbing, *sitting]:
            each.result()
    wait_for(lambda: (said := health(home.places)) and not said["waiting"], 120)


def _disturb(home: Home, trouble: str, after_s: float) -> None:
    time.sleep(after_s)
    if trouble == "kill":
        home.kill()
    else:
        assert home.run("stop").returncode == 0
    home.start()


def _sample(home: Home) -> dict[str, Any]:
    """What the daemon takes now, while nobody asks it."""
    daemon = psutil.Process(health(home.places, 5.0)["pid"])  # type: ignore[index]
    told = Path(f"/proc/{daemon.pid}/smaps_rollup").read_text()
    anonymous = next(int(line.split()[1]) for line in told.splitlines() if line.startswith("Anonymous:"))
    return {
        "anonymous_mb": round(anonymous / 1024, 1),
        "descriptors": daemon.num_fds(),
        "threads": daemon.num_threads(),
        "children": len(daemon.children(recursive=True)),
    }


def check(home: Home, day: Day) -> int:
    """See that every event came in once; how many memories there are. Raises AssertionError."""
    found: Counter[str] = Counter()
    with engramforge.open(home.folder) as forge:
        total = forge.stats().memories
        for session in range(day.sessions):
            offset = 0
            while portion := forge.memories(session_id=f"soak-{session}", limit=500, offset=offset):
                offset += len(portion)
                for memory in portion:
                    if memory.registration is None and memory.kind is not Kind.SESSION_SUMMARY:
                        found.update(set(_MARK.findall(memory.content)) or ["unknown"])
    lost, twice = day.expected - found, found - day.expected
    assert not lost and not twice, (len(lost), len(twice), lost.most_common(5), twice.most_common(5))
    return total


def crowd(home: Home, day: Day, sessions: range, seconds: float, pause_s: float) -> Sender:
    """Sessions at once for some seconds, each an event and a pause in turn; how they fared."""
    sender, barrier = Sender(home), Barrier(len(sessions))

    def one(session: int) -> None:
        barrier.wait()
        time.sleep(pause_s * (session - sessions.start) / len(sessions))
        until = time.monotonic() + seconds
        for number in range(day.sittings):
            for place, (event, _) in enumerate(day.sitting(session, number)):
                sender.send(event, datetime.now(UTC))
                time.sleep(pause_s)
                # However busy the machine is, everybody says something.
                if time.monotonic() > until and number * EVENTS + place > 2:
                    return

    with ThreadPoolExecutor(len(sessions)) as pool:
        list(pool.map(one, sessions))
    wait_for(lambda: (said := health(home.places)) and not said["waiting"], 120)
    return sender


def waits_ms(*senders: Sender) -> dict[str, Any]:
    """p50 and p95 of what each kind of event waited, and of all."""
    kinds: dict[str, list[float]] = {"all": []}
    for name, waits in (each for sender in senders for each in sender.waits.items()):
        kinds.setdefault(name, []).extend(waits)
        kinds["all"] += waits
    return {
        name: {f"p{share}": round(percentile(its, share / 100) * 1_000, 1) for share in (50, 95)}
        for name, its in kinds.items()
    }


def _mean(samples: list[dict[str, Any]], name: str) -> float:
    return round(sum(each[name] for each in samples) / len(samples), 1)
