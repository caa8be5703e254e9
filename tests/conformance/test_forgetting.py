"""Forgetting: in no answer, no table, no index, no free page and no log of the whole home."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.conformance.conftest import ENCODER, NOW, Opener, days, entry
from tests.conformance.test_candidates import probe
from tests.conformance.test_scope import _link

from engramforge.model.link import Relation
from engramforge.model.memory import Chunk, Kind
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.storing.record import Extent
from engramforge.model.time import InvalidationReason, TemporalMode
from engramforge.store.door import Door

SCOPE = Scope()
SENTENCE = "Quixotic zephyrs vex the jubilant wombat of Plovdiv."


def traces(home: Path, words: list[str]) -> list[str]:
    """Which of the words are anywhere in the files of a folder, in any case."""
    found = []
    for path in sorted(home.rglob("*")):
        if path.is_file():
            raw = path.read_bytes().lower()
            found += [f"{word} in {path.name}" for word in words if word.lower().encode() in raw]
    return found


@pytest.mark.parametrize("size", [0, 3000, 300_000])
def test_no_trace_is_left_in_any_file(opener: Opener, files: Callable[[], Path], size: int) -> None:
    door, reader = opener(), opener()
    rng = random.Random(size)
    others = [entry(f"Ordinary note {index} {rng.random()}.", project="other") for index in range(400)]
    secret = entry(
        SENTENCE + " filler" * (size // 7),
        name="Jubilant heading",
        session_id="wombat-session",
        sequence=1,
        speaker="Zephyrina",
        tags=("plovdiv-tag",),
        metadata={"where": "Plovdivgrad"},
        chunk=Chunk("quixotic/file.md", 0, 1, 0),
        kind=Kind.CHUNK,
        goal="vexation",
    )
    with door.transaction(SCOPE) as writes:
        writes.insert([*others[:200], secret, *others[200:]])
    with door.transaction(SCOPE) as writes:
        for other in others[::3]:
            writes.expire(other.memory.id, days(1), InvalidationReason.REALITY_CHANGED)
    words = ["quixotic", "jubilant", "wombat", "zephyrina", "plovdiv", "vexation"]
    assert traces(files(), words)
    reader.asking(SCOPE).candidates(Selection(mode=TemporalMode.FULL_HISTORY), probe("jubilant wombat"))
    with door.transaction(SCOPE) as writes:
        (proof,) = writes.forget(Extent([secret.memory.logical_id]), NOW, reason="asked")
    assert (proof.versions, proof.logical_id) == (1, secret.memory.logical_id)
    assert traces(files(), words) == []
    everything = Selection(mode=TemporalMode.FULL_HISTORY)
    for store in (door, reader):
        found = store.asking(SCOPE).candidates(everything, probe("jubilant wombat"))
        assert secret.memory.id not in {
            each.id for each in store.asking(SCOPE).fetch_at(found.position).values()
        }
        terms = ENCODER.encode_query("wombat").terms
        assert store.asking(SCOPE).ground().corpus.frequencies(terms).tolist() == [0]
        assert store.asking(SCOPE).fetch([secret.memory.id, secret.memory.logical_id]) == {}
    assert door.asking(SCOPE).audit_log(1)[0].subject == secret.memory.logical_id
    assert door.check() == []


def test_every_version_link_and_derived_memory_goes(door: Door) -> None:
    first, derived, further, apart = (
        entry(text) for text in ("Original.", "Summary.", "Summary of it.", "Apart.")
    )
    link_one = _link(derived.memory.logical_id, first.memory.logical_id)
    link_two = _link(further.memory.logical_id, derived.memory.logical_id)
    relates = _link(apart.memory.logical_id, first.memory.logical_id)
    from dataclasses import replace

    with door.transaction(SCOPE) as writes:
        writes.insert([first, derived, further, apart])
        writes.link(
            [
                replace(link_one, relation=Relation.DERIVED_FROM),
                replace(link_two, relation=Relation.DERIVED_FROM),
                relates,
            ]
        )
    with door.transaction(SCOPE) as writes:
        proofs = writes.forget(Extent([first.memory.logical_id]), NOW)
    assert {proof.logical_id for proof in proofs} == {
        row.memory.logical_id for row in (first, derived, further)
    }
    assert sum(proof.links for proof in proofs) == 3
    assert {
        memory.content for memory in door.asking(SCOPE).browse(Selection(mode=TemporalMode.FULL_HISTORY), 10)
    } == {"Apart."}
    assert door.asking(SCOPE).links([apart.memory.logical_id]) == []


def test_positions_are_never_used_twice(door: Door) -> None:
    row = entry("Last one in.")
    with door.transaction(SCOPE) as writes:
        writes.insert([row])
    everything = Selection(mode=TemporalMode.FULL_HISTORY)
    before = door.asking(SCOPE).candidates(everything, probe("last")).position.tolist()
    with door.transaction(SCOPE) as writes:
        writes.forget(Extent([row.memory.logical_id]), NOW)
        writes.insert([entry("Last one again.")])
    after = door.asking(SCOPE).candidates(everything, probe("last")).position.tolist()
    assert len(before) == len(after) == 1
    assert after[0] > before[0]


def test_forgetting_what_is_not_there_changes_nothing(door: Door) -> None:
    item = entry("Stays.")
    with door.transaction(SCOPE) as writes:
        writes.insert([item])
        assert writes.forget(Extent(["00000000-0000-7000-8000-000000000000"]), NOW) == []
    assert door.tending(SCOPE).count().memories == 1
