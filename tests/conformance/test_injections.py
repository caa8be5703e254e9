"""Records of injections: kept and read back, of one agent, replaced in place; a forget leaves ids and no word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from tests.conformance.conftest import NOW, Opener, entry
from tests.conformance.test_forgetting import traces
from uuid_utils import uuid7

from engramforge.model.injection import ACTS, ASKS, Injected, Injection, InjectionQuery, Reason, Section
from engramforge.model.scope import Scope
from engramforge.model.storing.record import Extent
from engramforge.store.door import Door

SCOPE = Scope()
pytestmark = pytest.mark.asks_no_candidates


def record(*memory_ids: str, **fields: Any) -> Injection:
    """A record of these memories."""
    its = tuple(Injected(each, each, Section.RECENT, Reason.ANSWERS, 0.75) for each in memory_ids)
    said: dict[str, Any] = {"event": ASKS, "session": "s1", "project": "atlas", "at": NOW}
    said |= {"id": str(uuid7()), "tokens": 40, "latency_ms": 12.5, "memories": its}
    return Injection(**said | fields)


def made_at(at: datetime, seconds: int) -> str:
    """An id that was made so many seconds after a time."""
    return str(UUID(int=int((at.timestamp() + seconds) * 1_000) << 80))


def saved(door: Door, *records: Injection, scope: Scope = SCOPE) -> None:
    door.write(scope, lambda writes: writes.save_injections(records))


def test_records_come_back_newest_first_as_they_were(opener: Opener) -> None:
    memory = entry("The harbour opens at six.").memory
    first = record(memory.logical_id)
    second = record(event=ACTS, at=NOW + timedelta(seconds=1), session=None, project=None, note="of use")
    saved(opener(), first, second)
    asking = opener().asking(SCOPE)
    assert asking.injections(InjectionQuery()) == [second, first]
    assert asking.injections(InjectionQuery(session="s1")) == [first]
    assert asking.injections(InjectionQuery(project="atlas", memory_id=memory.logical_id)) == [first]
    assert asking.injections(InjectionQuery(memory_id=first.id)) == []
    assert asking.injections(InjectionQuery(begins=second.id[:32])) == [second]
    assert asking.injections(InjectionQuery(begins=second.id)) == [second]
    assert asking.injections(InjectionQuery(limit=1, offset=1)) == [first]


def test_a_record_is_replaced_in_place(opener: Opener) -> None:
    door = opener()
    one, other = record("a" * 36, "b" * 36), record("c" * 36)
    saved(door, one, other)
    first, second = one.memories
    saved(door, replace(one, memories=(replace(first, used=False), replace(second, used=True))))
    (read,) = door.asking(SCOPE).injections(InjectionQuery(begins=one.id))
    assert [each.used for each in read.memories] == [False, True]
    assert len(door.asking(SCOPE).injections(InjectionQuery())) == 2


def test_the_oldest_are_pruned_a_batch_at_a_time(opener: Opener) -> None:
    door = opener()
    old, kept = [record(id=made_at(NOW, number)) for number in range(3)], record(id=made_at(NOW, 10))
    saved(door, *old, kept)
    before = NOW + timedelta(seconds=10)
    door.write(replace(SCOPE, agent="another"), lambda writes: writes.prune_injections(before, 2))
    assert {each.id for each in door.asking(SCOPE).injections(InjectionQuery())} == {old[2].id, kept.id}
    door.write(SCOPE, lambda writes: writes.prune_injections(before, 2))
    assert door.asking(SCOPE).injections(InjectionQuery()) == [kept]


def test_an_agent_sees_its_own_and_a_scope_its_projects(opener: Opener) -> None:
    door = opener()
    mine, ours = record(), record(project="beacon")
    saved(door, mine, ours)
    assert door.asking(replace(SCOPE, agent="another")).injections(InjectionQuery()) == []
    assert door.asking(SCOPE.within("beacon")).injections(InjectionQuery()) == [ours]
    everyone = replace(SCOPE, agent="another", every_agent=True)
    assert len(door.asking(everyone).injections(InjectionQuery())) == 2


def test_a_forget_leaves_ids_and_no_word(opener: Opener, files: Callable[[], Path]) -> None:
    door = opener()
    gone = entry("The zephyrine code is on the quay.", session_id="zephyrine-session", project="atlas")
    kept = entry("The harbour opens at six.", session_id="s1", project="atlas")
    door.write(SCOPE, lambda writes: writes.insert([gone, kept]))
    told = record(gone.memory.logical_id, kept.memory.logical_id, note="zephyrine was right")
    other = record(kept.memory.logical_id, note="of use")
    of_it = record(kept.memory.logical_id, session="zephyrine-session")
    saved(door, told, other, of_it)
    forgotten = door.write(SCOPE, lambda writes: writes.forget(Extent([gone.memory.logical_id]), NOW))
    assert [each.logical_id for each in forgotten] == [gone.memory.logical_id]
    found = {each.id: each for each in door.asking(SCOPE).injections(InjectionQuery())}
    assert found == {told.id: replace(told, note=""), other.id: other}
    door.finish_erasure()
    assert traces(files(), ["zephyrine"]) == []


def test_what_went_into_a_project_goes_with_it(opener: Opener) -> None:
    door = opener()
    only = entry("The harbour opens at six.", project="zephyrine")
    door.write(SCOPE, lambda writes: writes.insert([only, entry("Elsewhere.", project="atlas")]))
    there, elsewhere = record(project="zephyrine", session="s9"), record()
    saved(door, there, elsewhere)
    scope = SCOPE.within("zephyrine")
    door.write(scope, lambda writes: writes.forget(Extent(projects=True), NOW))
    assert door.asking(SCOPE).injections(InjectionQuery()) == [elsewhere]
