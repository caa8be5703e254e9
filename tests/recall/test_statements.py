"""A warm recall sends its store few statements, whatever is asked: each is a round trip to a server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import sqlalchemy as sa
from tests.recall.test_round_trips import ASKED, QUESTION, stored

from engramforge.forge import Forge
from engramforge.store import straight

pytestmark = pytest.mark.each_engine

__all__ = ["stored"]
MOST = {"sqlite": 7, "postgresql": 12}
"""Two of them ask for the last scan over projects; how SQLite begins and ends a transaction is not counted."""
LOOK_UP = {"sqlite": 2, "postgresql": 3}
"""Of a conversation that is left out, which may be named by the beginning of its id."""


@contextmanager
def counted() -> Iterator[list[str]]:
    """The statements that any connection sends meanwhile, beginnings and ends of transactions included."""
    sent: list[str] = []

    def send(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        sent.append(statement)

    straightly = straight.send

    def send_straight(connection: Any, text: str, values: Any) -> Any:
        sent.append(text)
        return straightly(connection, text, values)

    sa.event.listen(sa.engine.Engine, "before_cursor_execute", send)
    try:
        # Of these SQLAlchemy knows nothing.
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(straight, "send", send_straight)
            yield sent
    finally:
        sa.event.remove(sa.engine.Engine, "before_cursor_execute", send)


@pytest.fixture(scope="module")
def richer(stored: Forge) -> Forge:
    """The same with a cause, code, and names that have vectors: beside these more could be asked."""
    stored.remember("The pump in Ljubljana failed because the filter was clogged.")
    stored.remember("def moor(sloop):\n    return berth(20)\n", project="harbourside")
    stored.refresh_relations()
    return stored


@pytest.mark.parametrize("question", [QUESTION, "Why did the pump in Ljubljana fail?"])
@pytest.mark.parametrize("asked", ASKED)
def test_a_warm_recall_sends_few_statements(asked: str, question: str, richer: Forge) -> None:
    options: dict[str, Any] = {"now": "2027-07-01T00:00:00+00:00", **ASKED[asked]}
    richer.recall(question, **options)
    with counted() as sent:
        found = richer.recall(question, **options)
    engine = richer._stages.door.identity.engine
    # An empty answer within a conversation looks whether there is one of that name.
    looks_up = "exclude_session" in options or ("session_id" in options and not found.hits)
    assert len(sent) <= MOST[engine] + looks_up * LOOK_UP[engine], sent
