"""A day of hook events through a daemon that is restarted and killed, or many sessions at once on one home.

    PYTHONPATH=. python scripts/measure_soak.py [--sessions 40] [--sittings 25] [--kills 10] [--restarts 5]
    PYTHONPATH=. python scripts/measure_soak.py --at-once 20 [--seconds 60] [--pause 1.0]

The first prints what the daemon's memory, descriptors and processes do, and what was injected; a sitting is 20 events
of each session. The second lets one session and many work in turn, each an event and a pause, and compares their waits.
Both end with an error where an event was lost, came in twice, or more was injected than a budget allows.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from tests.runtime.conftest import Home
from tests.runtime.soak import Day, Sender, check, crowd, soak, waits_ms

_TURNS: Final = 3
"""How often one session and many take turns."""


def main() -> None:
    """Run and print one JSON object."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sessions", type=int, default=40)
    parser.add_argument("--sittings", type=int, default=25)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--restarts", type=int, default=5)
    parser.add_argument("--at-once", type=int, metavar="SESSIONS")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pause", type=float, default=1.0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="engramforge-soak-") as folder:
        home = Home(Path(folder) / "home")
        try:
            found = _at_once(home, asked) if asked.at_once else _day(home, asked)
        finally:
            home.kill()
    print(json.dumps(found, indent=2))


def _day(home: Home, asked: argparse.Namespace) -> dict[str, Any]:
    # The last restart comes by itself, before the comparison.
    troubles = ["kill"] * asked.kills
    for number in range(asked.restarts - 1):
        troubles.insert(3 * number + 2, "restart")
    day = Day.made(asked.sessions, asked.sittings)
    return soak(home, day, troubles, lambda said: print(said, file=sys.stderr, flush=True))


def _at_once(home: Home, asked: argparse.Namespace) -> dict[str, Any]:
    day = Day.made(_TURNS * (asked.at_once + 1), 10_000)
    home.start()
    alone, together = [], []
    for turn in range(_TURNS):
        first = turn * (asked.at_once + 1)
        each_s = asked.seconds / _TURNS
        alone.append(crowd(home, day, range(first, first + 1), each_s, asked.pause))
        together.append(crowd(home, day, range(first + 1, first + 1 + asked.at_once), each_s, asked.pause))
    one, many = waits_ms(*alone), waits_ms(*together)
    return {
        "sessions": asked.at_once,
        "seconds": asked.seconds,
        "pause_s": asked.pause,
        "one": {"events": _events(alone), "spooled": _spooled(alone), "wait_ms": one},
        "many": {"events": _events(together), "spooled": _spooled(together), "wait_ms": many},
        "p95_of_one": round(many["all"]["p95"] / one["all"]["p95"], 2),
        "memories": check(home, day),
    }


def _events(senders: list[Sender]) -> int:
    return sum(len(its) for sender in senders for its in sender.waits.values())


def _spooled(senders: list[Sender]) -> int:
    return sum(sender.spooled.total() for sender in senders)


if __name__ == "__main__":
    main()
