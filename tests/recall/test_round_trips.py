"""A recall asks its store at most five times, through one view, on every engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.recall.conftest import tell

import engramforge
from engramforge.forge import Forge
from engramforge.model.scope import Scope
from engramforge.store.door import Door, View

pytestmark = pytest.mark.each_engine

MOST = 5
QUESTION = "Where is the mooring for the sloop?"
ASKED: dict[str, dict[str, Any]] = {
    "a question": {},
    "all that fits": {"limit": 1_000, "budget": 100_000},
    "a few": {"limit": 3},
    "a small budget": {"budget": 60},
    "a project": {"project": "harbourside"},
    "names": {"entity": ("Ljubljana", "Jonas")},
    "code": {"code": "def moor(sloop):\n    return berth(19)\n", "language": "python"},
    "a session": {"session_id": "harbour"},
    "without a session": {"exclude_session": "harbour"},
    "every version": {"mode": "full_history"},
    "a point in time": {"as_of": "2025-04-01T00:00:00+00:00"},
    "nothing there": {"project": "harbourside", "kinds": "decision"},
}


class CountedView:
    """A view that counts what it is asked."""

    def __init__(self, view: View, asked: list[str]) -> None:
        self._view, self._asked = view, asked

    def __enter__(self) -> CountedView:
        self._view.__enter__()
        return self

    def __exit__(self, *raised: object) -> None:
        self._view.__exit__(*raised)

    def __getattr__(self, verb: str) -> Any:
        self._asked.append(verb)
        return getattr(self._view, verb)


class CountedDoor:
    """A door whose views count what they are asked."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self.views: list[list[str]] = []

    def asking(self, scope: Scope) -> CountedView:
        self.views.append([])
        return CountedView(self._door.asking(scope), self.views[-1])

    def __getattr__(self, verb: str) -> Any:
        raise AssertionError(f"{verb} is asked beside the view")


@pytest.fixture(scope="module")
def stored(place: str) -> Iterator[Forge]:
    """The conversations of the ranking tests, with revisions, on an engine."""
    with engramforge.open(place) as forge:
        tell(forge)
        berth = forge.recall("Which berth?", limit=1).hits[0].memory
        forge.revise(berth.id, "Berth twenty on the eastern pier.")
        forge.calibrate()
        yield forge


@pytest.mark.parametrize("asked", ASKED)
def test_a_recall_asks_at_most_five_times(asked: str, stored: Forge, monkeypatch: pytest.MonkeyPatch) -> None:
    options = ASKED[asked]
    expected = stored.recall(QUESTION, now="2025-07-01T00:00:00+00:00", **options)
    door = CountedDoor(stored._stages.door)
    monkeypatch.setattr(stored._stages.retriever, "_door", door)
    found = stored.recall(QUESTION, now="2025-07-01T00:00:00+00:00", **options)
    (verbs,) = door.views
    assert len(verbs) <= MOST, verbs
    assert verbs[:2] == ["ground", "candidates"]
    assert [hit.memory.id for hit in found.hits] == [hit.memory.id for hit in expected.hits]
