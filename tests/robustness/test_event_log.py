"""kill -9 in mid-write: an event is there exactly when what it tells of is."""

from __future__ import annotations

import random
import time

from tests.children import Child

import engramforge

KILLS = 4
WRITER = """
import sys, engramforge
with engramforge.open(sys.argv[1]) as forge:
    pattern = forge.patterns.add("Oil the winch.", project="quay").id
    print("remember", pattern, flush=True)
    for number in range(1_000_000):
        tried = forge.patterns.outcome(pattern, number % 3 > 0, f"Winch number {number} of {sys.argv[2]}.")
        print("outcome", tried.outcomes[0].id, flush=True)
"""


def test_an_event_survives_with_the_write_that_it_tells_of(place: str) -> None:
    rng = random.Random(7)
    acknowledged: set[tuple[str, str]] = set()
    for number in range(KILLS):
        running = Child(WRITER, place, number)
        assert running.stdout is not None
        told = [running.stdout.readline() for _ in range(rng.randint(1, 12))]
        time.sleep(rng.uniform(0, 0.02))
        running.kill()
        out, err = running.communicate()
        assert err == ""
        lines = ("".join(told) + out).splitlines(keepends=True)
        acknowledged |= {(line.split()[0], line.split()[1]) for line in lines if line.endswith("\n")}
        with engramforge.open(place) as forge:
            events = forge.events(0, 1_000)
            written = {(each.action, each.subject) for each in events}
            assert acknowledged <= written
            memories = {each.logical_id for each in forge.memories(project="quay", limit=1_000)}
            assert {subject for _, subject in written} == memories
            assert [each.position for each in events] == sorted({each.position for each in events})
            tries = sum(each.tries for each in forge.patterns.list("quay"))
            assert tries == sum(each.action == "outcome" for each in events)
    assert len(acknowledged) > 10
