"""What somebody is after: it has a goal, more energy than nobody gave it, or is a thread."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.conformance.conftest import NOW, at, entry
from tests.conformance.spaces import nothing_but, with_signals

from engramforge.model.memory import Kind
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Felt
from engramforge.store.door import Door

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
