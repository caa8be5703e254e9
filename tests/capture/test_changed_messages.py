"""When a message changes or ends, what was read from it is named, and waits for review."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import engramforge
from engramforge.forge import Forge
from engramforge.model.memory import Memory

CHOICE = "We decided to use Postgres instead of MySQL for the event log because we need row-level security."
TODO = "TODO: rotate the signing keys"


@pytest.fixture(params=["sqlite", "postgresql"])
def forge(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Forge]:
    place = tmp_path if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    with engramforge.open(place) as opened:
        yield opened


def say(forge: Forge, content: str) -> Memory:
    return forge.remember(content, kind="message", speaker="user", session_id="talk", sequence=1)


def told(memory: Memory) -> list[tuple[str, str]]:
    return [(str(each.act), each.kind) for each in memory.consequences]


def test_the_end_of_a_message_asks_for_the_end_of_what_was_read_from_it(forge: Forge) -> None:
    message = say(forge, f"{CHOICE} {TODO}")
    (decision,), (thread,) = forge.decisions.browse(), forge.threads.browse()
    ended = forge.invalidate(message.id)
    assert sorted(told(ended)) == sorted(
        [("left", "decision"), ("left", "thread"), *[("waits", x) for x in ("decision", "thread")]]
    )
    assert {each.id for each in ended.consequences if each.act == "left"} == {decision.id, thread.id}
    waiting = forge.review.pending()
    assert {each.entry.id for each in waiting if each.entry} == {decision.id, thread.id}
    assert {each.entry_status for each in waiting} == {"invalidated", "abandoned"}
    assert [each.status for each in forge.decisions.browse()] == ["active"], "nothing ended unasked"
    forge.review.accept(*(each.id for each in waiting))
    assert forge.decisions.get(decision.id).status == "invalidated"
    assert forge.threads.get(thread.id).status == "abandoned"
    assert forge.check() == []


def test_a_correction_that_says_something_else_waits_as_a_revision(forge: Forge) -> None:
    message = say(forge, CHOICE)
    (decision,) = forge.decisions.browse()
    revised = forge.revise(
        message.id, CHOICE.replace("Postgres instead of MySQL", "SQLite instead of Postgres")
    )
    assert told(revised) == [("left", "decision"), ("waits", "decision")]
    (waiting,) = forge.review.pending()
    assert waiting.entry and waiting.entry.id == decision.id and "SQLite" in waiting.text
    assert "Postgres" in forge.decisions.get(decision.id).decision
    forge.review.accept(waiting.id)
    (now,) = forge.decisions.browse()
    assert now.id == decision.id and "SQLite" in now.decision


def test_a_correction_beside_an_entry_leaves_it_alone(forge: Forge) -> None:
    message = say(forge, f"It rains. {CHOICE}")
    assert told(forge.revise(message.id, f"It snows. {CHOICE}")) == []
    assert told(forge.revise(message.id, f"It snows. {CHOICE}", tags=["weather"])) == []
    assert forge.review.pending() == []
    changed = forge.supersede(message.id, "It snows, and nothing else.")
    assert told(changed) == [("left", "decision"), ("waits", "decision")]
    forge.undo()
    assert forge.review.pending() == [] and forge.get(message.logical_id).content.endswith("security.")


def test_what_was_rejected_does_not_wait_again(forge: Forge) -> None:
    message = say(forge, CHOICE)
    forge.revise(message.id, "We talked about the event log.")
    forge.review.reject(forge.review.pending()[0].id)
    assert told(forge.invalidate(message.logical_id)) == [("left", "decision")]
    assert forge.review.pending() == []
