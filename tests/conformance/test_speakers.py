"""A speaker is one and the same in whatever case the name is written, for search and for browsing."""

from __future__ import annotations

import pytest
from tests.conformance.conftest import NOW, at, entry
from tests.conformance.test_candidates import probe

from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.store.door import Door

SPEAKERS = (
    "Straße",
    "STRASSE",
    "strasse",
    "Strase",
    "Σοφός",
    "ΣΟΦΌΣ",
    "İpek",
    "Ada",
    "aDA",
    "\ufb01n",
    "Fin",
    "",
)
OTHERS = {"Strase": {"Strase"}, "ipek": set(), "str": set(), "nobody": set()}


@pytest.mark.parametrize("asked", [*filter(None, SPEAKERS), *OTHERS])
def test_search_and_browsing_know_a_speaker_by_one_rule(door: Door, asked: str) -> None:
    made = [entry(f"The copper lantern, told by {name}.", speaker=name or None) for name in SPEAKERS]
    with door.transaction(Scope()) as writes:
        writes.insert(made)
    wanted = OTHERS.get(asked, {name for name in SPEAKERS if name.casefold() == asked.casefold()})
    selection = Selection(speaker=asked, as_of=at(NOW).as_of)
    view = door.asking(Scope())
    found = view.fetch_at(view.candidates(selection, probe("copper lantern")).position).values()
    browsed = view.browse(selection, 20)
    assert {memory.speaker for memory in found} == wanted
    assert {memory.speaker for memory in browsed} == wanted
