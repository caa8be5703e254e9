"""What somebody is after: it has a goal, more energy than nobody gave it, or is a thread."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.conformance.conftest import NOW, at, days, entry
from tests.conformance.spaces import nothing_but, with_signals

from engramforge.model.memory import Kind
from engramforge.model.scope import Level, Scope
from engramforge.model.search.selection import Felt
from engramforge.store.door import Door
from engramforge.store.reading.streams import felt

SCOPE = Scope()


def test_only_what_is_pursued(door: Door) -> None:
    told = {
        "a note": {},
        "calm": {"energy": 0.2},
        "lively": {"energy": 0.7},
        "for a goal": {"goal": "dry cellars"},
        "a thread": {"kind": Kind.THREAD},
    }
    with door.transaction(SCOPE) as writes:
        writes.insert(
            [with_signals(entry(name, **fields), entities=("Ada",)) for name, fields in told.items()]
        )
    chosen = replace(at(NOW), felt=Felt(is_pursued=True))
    view = door.asking(SCOPE)
    pursued = {"lively", "for a goal", "a thread"}
    assert {each.content for each in view.by_energy(chosen, 9)} == pursued
    found = view.candidates(chosen, nothing_but(entities=("Ada",))).position
    assert {each.content for each in view.fetch_at(np.asarray(found)).values()} == pursued


@pytest.mark.parametrize("few", [2_000, 7, 6, 1])
def test_goals_are_told_once_the_newest_first_however_many(
    door: Door, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(felt, "_FEW_GOALS", few)
    told = [
        ("bake rye", {}),
        ("dry cellars", {}),
        ("\u00e9clairs", {}),
        ("count herons", {"agent": "somebody", "level": Level.PERSONAL}),
        ("sell kilns", {"invalid_at": days(1)}),
        ("Dry_Cellars", {}),
        ("aim high", {"kind": Kind.THREAD}),
        ("zip tents", {}),
    ]
    assert door.asking(SCOPE).goals(at(NOW), 9) == []
    with door.transaction(SCOPE) as writes:
        writes.insert(
            [
                entry(f"Note {number} for it.", **{"level": Level.COLLECTIVE, "goal": goal, **fields})
                for number, (goal, fields) in enumerate(told)
            ]
        )
    view = door.asking(SCOPE)
    known = ["zip tents", "aim high", "dry cellars", "\u00e9clairs", "bake rye"]
    assert view.goals(at(NOW), 9) == known
    assert view.goals(at(NOW), 3) == known[:3]
    assert view.goals(replace(at(NOW), kinds=(Kind.THREAD,)), 9) == ["aim high"]
