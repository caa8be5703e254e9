"""Some minutes of the day that scripts/measure_soak.py lives through, and twenty sessions at once."""

from __future__ import annotations

from pathlib import Path

from .conftest import Home
from .soak import Day, check, crowd, soak


def test_nothing_is_lost_or_comes_twice_over_a_kill_and_a_restart(home: Home) -> None:
    told = soak(home, Day.made(3, 4), ["kill", "restart"])
    assert told["events"] == 240 and told["spooled_by_the_client"]
    assert told["children"] == [0] and told["descriptors"][-1] < 50
    assert told["injections"]["SessionStart"]


def test_twenty_sessions_at_once(home: Home) -> None:
    home.start()
    day = Day.made(20, 1)
    crowd(home, day, range(20), 1.0, 0.3)
    check(home, day)
    assert sum(day.expected.values()) >= 20
    # All threads allocate from one place: glibc's others begin at multiples of 64 MB.
    maps = [line.split() for line in Path(f"/proc/{home.daemon().pid}/maps").read_text().splitlines()]
    assert not [each for each in maps if len(each) == 5 and int(each[0].split("-")[0], 16) % 2**26 == 0]
