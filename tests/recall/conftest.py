"""A store of small conversations of our own, asked through the facade."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

import engramforge
from engramforge.forge import Forge
from engramforge.model.search.hit import Recall

START = datetime(2025, 3, 3, 9, tzinfo=UTC)
"""A Monday."""
NOW = datetime(2025, 7, 1, tzinfo=UTC)

TALKS: dict[str, list[tuple[str, str]]] = {
    "harbour": [
        ("Mara", "Did you find a mooring for the sloop after all?"),
        ("Jonas", "Yes, berth nineteen on the eastern pier."),
        ("Mara", "What does it cost?"),
        ("Jonas", "Eighty a month, and the first one is free."),
    ],
    "kitchen": [
        ("Mara", "I burned the lentils again."),
        ("Jonas", "Use the heavy pot and less heat."),
        ("Mara", "My sister lent me her copper kettle."),
        ("Jonas", "Copper is lovely but it stains."),
    ],
    "garden": [
        ("Jonas", "I planted forty tulips along the fence."),
        ("Mara", "I planted forty garlic cloves along the wall."),
        ("Jonas", "Frost is coming on Thursday."),
        ("Mara", "Cover them with straw."),
    ],
    "travel": [
        ("Mara", "The night train to Ljubljana was cancelled."),
        ("Jonas", "Take the bus through the valley then."),
        ("Mara", "The bus has no room for my cello."),
        ("Jonas", "Send the cello ahead by courier."),
    ],
}


def tell(forge: Forge, project: str = "harbourside") -> None:
    """One conversation a week, a turn a minute."""
    forge.remember_many(
        {
            "content": text,
            "project": project,
            "kind": "message",
            "session_id": session,
            "sequence": place,
            "speaker": speaker,
            "valid_at": START + timedelta(weeks=week, minutes=place),
        }
        for week, (session, turns) in enumerate(TALKS.items())
        for place, (speaker, text) in enumerate(turns)
    )


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forge]:
    """A store that holds the conversations; not to be written to."""
    with engramforge.open(tmp_path_factory.mktemp("told")) as opened:
        tell(opened)
        yield opened


def contents(found: Recall) -> list[str]:
    """What came back, best first."""
    return [hit.memory.content for hit in found.hits]
