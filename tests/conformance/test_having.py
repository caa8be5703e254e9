"""Memories that have every term of a name are bounded, and both engines keep the same of too many."""

from __future__ import annotations

import numpy as np
import pytest
from tests.conformance.conftest import NOW, at, days, entry
from tests.conformance.test_candidates import probe

from engramforge.model.memory import Kind
from engramforge.model.scope import Scope
from engramforge.store.door import Door

NAMES = ("copper lantern", "meadow")
GROUPS = [np.sort(probe(text).terms) for text in NAMES]


@pytest.mark.parametrize("most", [1, 3, 6, 9, 100])
def test_of_too_many_decisions_come_first_and_then_the_last_written(door: Door, most: int) -> None:
    told = ["A copper lantern.", "The meadow.", "A copper kettle.", "A copper lantern on the meadow."] * 4
    made = [
        entry(
            text,
            project=f"p{number % 3}",
            kind=Kind.DECISION if number in (0, 5, 7) else Kind.NOTE,
            valid_at=days(20 - number),
        )
        for number, text in enumerate(told)
    ]
    with door.transaction(Scope()) as writes:
        writes.insert(made)
    view = door.asking(Scope())
    found = view.having(at(NOW), GROUPS, most)
    memories = view.fetch_at(found.position)
    got = {
        memories[place].id: found.has[:, row].tolist() for row, place in enumerate(found.position.tolist())
    }
    fits = [number for number, text in enumerate(told) if "kettle" not in text]
    first = sorted(fits, key=lambda number: (made[number].memory.kind is not Kind.DECISION, -number))[:most]
    assert got == {
        made[number].memory.id: [all(word in told[number] for word in name.split()) for name in NAMES]
        for number in first
    }
