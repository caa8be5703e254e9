"""The scratchpad on both engines: notes for a while, of one agent, which nothing else finds and nobody keeps."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import engramforge
from engramforge.errors import InvalidContent, InvalidValue, NotFound
from engramforge.forge import Forge
from engramforge.model.scope import Scope
from engramforge.model.storing.section import SCRATCH_MARKS
from engramforge.registries.scratchpad import MOST_ENTRIES

pytestmark = pytest.mark.each_engine


class Clock:
    """A clock that a test may set forward."""

    ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of every store that the test opens."""
    made = Clock()
    monkeypatch.setattr("engramforge.assembly.opening.now", made)
    return made


@pytest.fixture
def em(clock: Clock, place: str, request: pytest.FixtureRequest) -> Iterator[Forge]:
    """A forge on an empty store: a tenant of the test's own."""
    assert clock.ahead == timedelta()
    with engramforge.open(place, tenant=_tenant(request)) as forge:
        yield forge


def _tenant(request: pytest.FixtureRequest) -> str:
    return request.node.originalname.replace("_", "-")[:60]


def _kept(forge: Forge) -> int:
    """How many entries of all agents the store holds."""
    door, scope = forge._stages.door, forge._scope
    return len(door.asking(Scope(scope.tenant, every_agent=True)).marks(SCRATCH_MARKS))


def test_an_entry_is_read_by_its_key_and_session(em: Forge) -> None:
    made = em.scratch.put("draft", "half a thought", session="s1", ttl_hours=2)
    assert made.expires_at - made.written_at == timedelta(hours=2)
    assert em.scratch.get("draft", session="s1") == made
    with pytest.raises(NotFound, match="may have expired"):
        em.scratch.get("draft")
    other = em.scratch.put("draft", "of no session")
    em.scratch.put("draft", "of another", session="s2")
    assert [each.text for each in em.scratch.list()] == ["of another", "of no session", "half a thought"]
    assert [each.text for each in em.scratch.list("s1")] == ["half a thought"]
    replaced = em.scratch.put("draft", "a whole thought", session="s1")
    assert em.scratch.get("draft", session="s1") == replaced
    assert em.scratch.remove("draft") == other
    assert len(em.scratch.list()) == 2


def test_what_has_expired_is_neither_found_nor_kept(em: Forge, clock: Clock) -> None:
    em.scratch.put("short", "gone soon", ttl_hours=1)
    em.scratch.put("long", "stays", ttl_hours=100)
    em.lend("another").scratch.put("theirs", "gone soon, too", ttl_hours=1)
    assert _kept(em) == 3
    clock.ahead = timedelta(hours=2)
    assert [each.key for each in em.scratch.list()] == ["long"]
    with pytest.raises(NotFound):
        em.scratch.get("short")
    em.scratch.put("more", "stays, too", ttl_hours=100)
    assert _kept(em) == 3, "a write removes one's own"
    assert "scratch" in em.upkeep() and _kept(em) == 2, "upkeep whoever's it was"
    clock.ahead = timedelta(hours=200)
    assert "scratch" in em.upkeep() and _kept(em) == 0 and "scratch" not in em.due()


def test_a_clock_that_was_wrong_for_a_while_costs_no_entry(em: Forge, clock: Clock) -> None:
    em.scratch.put("mine", "stays")
    em.lend("another").scratch.put("theirs", "stays, too")
    clock.ahead = timedelta(hours=48)
    assert em.scratch.list() == []
    with pytest.raises(NotFound):
        em.scratch.remove("mine")
    em.write_counts()
    clock.ahead = timedelta()
    assert em.scratch.get("mine").text == "stays"
    assert em.lend("another").scratch.get("theirs").text == "stays, too"
    clock.ahead = timedelta(hours=48)
    em.scratch.put("new", "written then")
    clock.ahead = timedelta()
    assert em.lend("another").scratch.list(), "a write removes nothing of others"


def test_nothing_and_nobody_else_finds_it(em: Forge, tmp_path: Path) -> None:
    em.remember("The harbour opens at six.", project="atlas", session_id="s1")
    em.scratch.put("plan", "zephyrine thoughts about the harbour", session="s1")
    other = em.lend("another")
    assert other.scratch.list() == [] and other.scratch.list("s1") == []
    with pytest.raises(NotFound):
        other.scratch.get("plan", session="s1")
    other.scratch.put("plan", "their own", session="s1")
    assert em.scratch.get("plan", session="s1").text == "zephyrine thoughts about the harbour"
    for forge in (em, other):
        assert not any("zephyrine" in hit.memory.content for hit in forge.recall("zephyrine harbour").hits)
        assert "zephyrine" not in forge.context_load("zephyrine harbour").text
    assert em.undo().action == "remember", "nothing of it is undone"
    em.redo()
    assert {each.action for each in em.events()} == {"remember", "undo", "redo"}
    out = tmp_path / "all.jsonl"
    em.export(out)
    text = out.read_text(encoding="utf-8")
    assert "zephyrine" not in text and "their own" not in text
    header = json.loads(text.splitlines()[0])
    assert header["counts"]["marks"] == sum('"section":"marks"' in line for line in text.splitlines()[1:])


def test_forgetting_a_conversation_takes_its_entries(em: Forge) -> None:
    em.remember("The zephyrine code is on the quay.", project="atlas", session_id="s1")
    em.scratch.put("code", "zephyrine code, quay", session="s1")
    em.scratch.put("other", "of another", session="s2")
    proof = em.forget(conversation="s1")
    assert proof.verified and proof.found == ()
    assert [each.key for each in em.scratch.list()] == ["other"]


def test_bounds(em: Forge) -> None:
    for wrong in (
        {"key": " "},
        {"ttl_hours": 0.0},
        {"ttl_hours": 721.0},
        {"text": "x" * 10_001},
        {"text": " "},
    ):
        with pytest.raises(InvalidValue):
            em.scratch.put(**{"key": "k", "text": "t", **wrong})
    with pytest.raises(InvalidContent, match="private"):
        em.scratch.put("k", "<private>mine</private>")
    kept = em.scratch.put("token", "use ghp_" + "a1B2" * 9)
    assert kept.redacted == 1 and "ghp_" not in em.scratch.get("token").text
    for number in range(MOST_ENTRIES - 1):
        em.scratch.put(f"key {number}", "text")
    with pytest.raises(InvalidValue, match="are kept already"):
        em.scratch.put("one more", "text")
    em.scratch.put("key 3", "another text")
    em.lend("another").scratch.put("one more", "text")
