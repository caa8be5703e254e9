"""Some minutes of the day that scripts/measure_soak.py lives through, and twenty sessions at once."""

from __future__ import annotations

from itertools import pairwise
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
    assert not _arenas(home.daemon().pid)


def _arenas(pid: int) -> list[str]:
    """glibc's second and further places of allocation: 64 MB at a multiple of 64 MB, a part in use before the rest."""
    maps = [line.split() for line in Path(f"/proc/{pid}/maps").read_text().splitlines()]
    spans = [(*(int(end, 16) for end in each[0].split("-")), each[1], len(each) == 5) for each in maps]
    return [
        f"{start:x}"
        for (start, end, mode, unnamed), (rest, last, rest_mode, _) in pairwise(spans)
        if unnamed
        and mode == "rw-p"
        and rest_mode == "---p"
        and rest == end
        and not start % 2**26
        and last == start + 2**26
    ]
