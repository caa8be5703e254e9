"""Registry entries: found by ids, statuses, conversations and staleness in scope, counted, traced, forgotten."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.conformance.conftest import NOW, START, Opener, at, days, entry
from tests.conformance.test_candidates import probe
from tests.conformance.test_forgetting import traces

from engramforge.core.registries.registration import entry_id_of
from engramforge.errors import NotFound
from engramforge.model.memory import Kind, Memory
from engramforge.model.registration import Registration
from engramforge.model.registries.entry import EntryQuery, StaleRule
from engramforge.model.registries.lineage import StoredEdge
from engramforge.model.scope import Level, Scope
from engramforge.model.search.selection import Selection
from engramforge.model.storing.record import Entry, Extent
from engramforge.model.time import InvalidationReason
from engramforge.store.door import Door

SCOPE = Scope()
DECISIONS = EntryQuery(kind=Kind.DECISION)
THREADS = EntryQuery(kind=Kind.THREAD)
EDGES = EntryQuery(kind=Kind.LINEAGE)


def registered(content: str, kind: Kind = Kind.DECISION, **fields: Any) -> Entry:
    """An entry of a registry; what belongs to its registration is told apart by its name."""
    its = {name: fields.pop(name) for name in Registration.__dataclass_fields__ if name in fields}
    made = entry(content, kind=kind, **fields)
    first = {Kind.DECISION: "active", Kind.THREAD: "open"}.get(kind, "")
    its = {"status": first, "entry_id": entry_id_of(kind, made.memory.logical_id), **its}
    return replace(made, memory=replace(made.memory, registration=Registration(**its)))


def edge(source: str, target: str | None, **fields: Any) -> Entry:
    """A lineage edge."""
    said = f"{source} went on in {target}."
    return registered(said, Kind.LINEAGE, conversations=(source,), continuation=target, **fields)


def written(door: Door, *entries: Entry, scope: Scope = SCOPE) -> list[Memory]:
    door.write(scope, lambda writes: writes.insert(entries))
    return [row.memory for row in entries]


def read_of(memory: Memory) -> StoredEdge:
    """What a trace reads of an edge."""
    assert memory.registration is not None
    its = memory.registration
    place = (memory.logical_id, memory.project, memory.content, memory.valid_at)
    return StoredEdge(*place, its.entry_id, its.origin, its.continuation, its.details)


def traced(door: Door, scope: Scope, conversation: str) -> list[StoredEdge]:
    """The edges that lead to a conversation, by the door and inside a transaction."""
    found = door.asking(scope).lineage(conversation, backward=True, limit=50)
    with door.transaction(scope) as writes:
        assert writes.lineage(conversation, backward=True, limit=50) == found
    return found


def said(found: Sequence[Memory]) -> list[str]:
    return [memory.content for memory in found]


def test_an_entry_comes_back_as_it_was_written(door: Door) -> None:
    item = registered(
        "Use slate.",
        status="active",
        local_id="D001",
        conversations=("c2", "c1"),
        last_validated=days(-3),
        validation_count=4,
        hops=2,
        details={"rationale": "It lasts: “für immer”.", "rejected": ["tin", "straw"], "n": None},
    )
    open_edge = edge("c1", None)
    whole = written(door, item, open_edge, entry("No entry at all."))
    assert door.asking(SCOPE).fetch([whole[0].id])[whole[0].id] == whole[0]
    assert door.asking(SCOPE).entries(DECISIONS) == [whole[0]]
    assert door.asking(SCOPE).entries(EDGES) == [whole[1]]
    assert door.asking(SCOPE).fetch([whole[2].id])[whole[2].id].registration is None
    assert door.asking(SCOPE).browse(at(NOW), 10, newest_first=False) == whole
    assert door.asking(SCOPE).versions(whole[0].logical_id) == [whole[0]]


def test_filters_narrow_each_other_and_the_limit_comes_after_them(door: Door) -> None:
    first, two, three, four = written(
        door,
        registered("One.", local_id="D001", conversations=("c1",), valid_at=days(1)),
        registered("Two.", local_id="D001", conversations=("c2", "c1"), valid_at=days(2)),
        registered(
            "Three.",
            local_id="D002",
            conversations=("c2",),
            valid_at=days(3),
            project="beacon",
            tags=("a", "b"),
        ),
        registered("Four.", Kind.THREAD, local_id="T001", conversations=("c1",), valid_at=days(4)),
    )
    cases: list[tuple[EntryQuery, list[str]]] = [
        (DECISIONS, ["Three.", "Two.", "One."]),
        (THREADS, ["Four."]),
        (EDGES, []),
        (replace(DECISIONS, entry_ids=(entry_id_of(Kind.DECISION, first.logical_id),)), ["One."]),
        (replace(DECISIONS, entry_ids=(entry_id_of(Kind.THREAD, four.logical_id),)), []),
        (replace(DECISIONS, local_ids=("D001",)), ["Two.", "One."]),
        (replace(DECISIONS, local_ids=("D001", "D002"), conversations=("c2",)), ["Three.", "Two."]),
        (replace(DECISIONS, conversations=("c1",)), ["Two.", "One."]),
        (replace(DECISIONS, conversations=("c1", "c2")), ["Three.", "Two.", "One."]),
        (replace(DECISIONS, statuses=("superseded",)), []),
        (replace(DECISIONS, statuses=("active", "superseded"), conversations=("c1",), limit=1), ["Two."]),
        (replace(DECISIONS, limit=1, offset=1), ["Two."]),
        (replace(DECISIONS, tags=("b", "a")), ["Three."]),
        (replace(DECISIONS, tags=("b", "c")), []),
        (replace(DECISIONS, limit=5, offset=3), []),
    ]
    for query, expected in cases:
        assert said(door.asking(SCOPE).entries(query)) == expected, query
    assert said(door.asking(SCOPE.within("beacon")).entries(DECISIONS)) == ["Three."]
    assert said(door.asking(SCOPE.within("atlas", "beacon")).entries(replace(DECISIONS, limit=2))) == [
        "Three.",
        "Two.",
    ]
    assert door.asking(SCOPE.within("nowhere")).entries(DECISIONS) == []
    assert len(door.asking(SCOPE).entries(replace(DECISIONS, limit=9))) == 3
    assert len(door.asking(SCOPE.within("atlas")).entries(replace(DECISIONS, conversations=("c2",)))) == 1
    assert three.project == "beacon"
    assert two.registration is not None
    assert two.registration.conversations == ("c2", "c1")


def test_threads_in_order_of_priority_then_age(door: Door) -> None:
    def thread(content: str, day: float, **details: Any) -> Entry:
        return registered(content, Kind.THREAD, valid_at=days(day), details=details)

    written(
        door,
        thread("Low, old.", 1, priority="low"),
        thread("Unsaid.", 2),
        thread("High, new.", 4, priority="high"),
        thread("Medium.", 3, priority="medium", note='it says "priority":"high" in words'),
        thread("High, old.", 3, note="x", priority="high"),
        thread("Low, too.", 2, priority="low"),
    )
    query = replace(THREADS, urgent_first=True)
    ordered = ["High, old.", "High, new.", "Unsaid.", "Medium.", "Low, old.", "Low, too."]
    assert said(door.asking(SCOPE).entries(query)) == ordered
    assert said(door.asking(SCOPE).entries(replace(query, limit=2, offset=1))) == ordered[1:3]


def test_what_is_stale(door: Door) -> None:
    def decision(content: str, tier: float, validated: float, hops: int = 0, **fields: Any) -> Entry:
        fields = {"epistemic_tier": tier, "last_validated": days(validated), "hops": hops, **fields}
        return registered(content, **fields)

    written(
        door,
        decision("Old and doubtful.", 0.7, 0),
        decision("Older.", 0.2, -9),
        decision("Just validated.", 0.2, 0.001),
        decision("Old and sure.", 0.71, -9),
        decision("Sure, carried far.", 1.0, 5, hops=3),
        decision("Sure, carried.", 1.0, -9, hops=2),
        decision("Ended.", 0.1, -9, hops=9, status="superseded"),
        decision("Elsewhere.", 0.1, -3, project="beacon"),
    )
    query = replace(DECISIONS, stale=StaleRule(days(0)), longest_unvalidated_first=True)
    everywhere = ["Older.", "Elsewhere.", "Old and doubtful.", "Sure, carried far."]
    assert said(door.asking(SCOPE).entries(query)) == everywhere
    assert said(door.asking(SCOPE.within("atlas")).entries(query)) == [everywhere[0], *everywhere[2:]]
    assert len(door.asking(SCOPE).entries(query)) == 4
    strict = replace(query, stale=StaleRule(days(-5), max_tier=0.5, hops=4))
    assert said(door.asking(SCOPE).entries(strict)) == ["Older."]


def test_only_what_stands_is_found_and_the_end_where_it_is_asked(door: Door) -> None:
    first = registered("It was slate.", local_id="D001", conversations=("c1",))
    written(door, first)
    old = first.memory
    closing = replace(
        old,
        id=entry("x").memory.id,
        created_at=days(1),
        invalid_at=days(1),
        invalidation_reason=InvalidationReason.REALITY_CHANGED,
        registration=replace(old.registration, status="superseded"),  # type: ignore[type-var]
    )
    other = registered("It holds.", conversations=("c1",), valid_at=days(-1))
    with door.transaction(SCOPE) as writes:
        writes.expire(old.id, days(1), InvalidationReason.REALITY_CHANGED, closing.id)
        writes.insert([Entry(closing, first.embedding), other])
    assert door.asking(SCOPE).entries(DECISIONS) == [other.memory]
    assert len(door.asking(SCOPE).entries(DECISIONS)) == 1
    ended = replace(DECISIONS, ended=True)
    assert door.asking(SCOPE).entries(ended) == [closing, other.memory]
    assert door.asking(SCOPE).entries(replace(ended, local_ids=("D001",), conversations=("c1",))) == [closing]
    assert door.asking(SCOPE).entries(replace(ended, statuses=("superseded",))) == [closing]
    assert door.asking(SCOPE).entries(replace(DECISIONS, statuses=("superseded",))) == []
    # It stands again: a new version is the last record, the closing record gives way to it.
    again = replace(old, id=entry("x").memory.id, version=2, created_at=days(2), valid_at=days(2))
    written(door, Entry(again, first.embedding))
    assert door.asking(SCOPE).entries(replace(ended, local_ids=("D001",))) == [again]
    assert door.asking(SCOPE).entries(replace(DECISIONS, local_ids=("D001",))) == [again]


def test_an_entry_that_ended_before_it_came_does_not_stand(door: Door) -> None:
    made = written(door, registered("Dropped.", status="superseded"), registered("Kept."))
    assert door.asking(SCOPE).entries(DECISIONS) == made[1:]
    assert door.asking(SCOPE).entries(replace(DECISIONS, ended=True, statuses=("superseded",))) == made[:1]


def test_statuses_are_chosen_inside_the_scan(door: Door) -> None:
    closed = [registered(f"Mend the lamp {n}.", Kind.THREAD, status="resolved") for n in range(40)]
    still = registered(
        "Mend the lamp at the pier.",
        Kind.THREAD,
        valid_at=days(-9),
        tags=("pier",),
        conversations=("c1", "c2"),
    )
    written(door, *closed[:20], still, *closed[20:], entry("A lamp is a lamp."))
    chosen = replace(at(NOW), statuses=("open",))

    def found(selection: Selection) -> list[str]:
        candidates = door.asking(SCOPE).candidates(
            selection, replace(probe("Mend the lamp"), most=3, per_way=2)
        )
        return said(list(door.asking(SCOPE).fetch_at(candidates.position).values()))

    assert said(door.asking(SCOPE).browse(chosen, 3)) == found(chosen) == [still.memory.content]
    assert found(replace(chosen, tags=("pier",))) == [still.memory.content]
    assert found(replace(chosen, tags=("quay",))) == []
    assert found(replace(chosen, statuses=("abandoned",))) == []
    assert found(replace(chosen, conversations=("c2", "c3"))) == [still.memory.content]
    assert found(replace(at(NOW), conversations=("c2",))) == [still.memory.content]
    assert said(door.asking(SCOPE).browse(replace(at(NOW), conversations=("c1",)), 9)) == [
        still.memory.content
    ]
    assert found(replace(chosen, conversations=("c3",))) == []
    assert len(door.asking(SCOPE).browse(replace(chosen, statuses=("open", "resolved")), 100)) == 41
    assert len(door.asking(SCOPE).positions(chosen, 100)) == 1


def test_what_a_scope_does_not_admit_is_no_entry(door: Door) -> None:
    ada, bo = Scope(agent="ada"), Scope(agent="bo")
    mine = registered("Mine.", agent="ada", conversations=("c1",))
    ours = registered("Ours.", agent="ada", level=Level.COLLECTIVE, valid_at=days(1))
    hidden, shared = edge("c1", "c2", agent="ada"), edge("c2", "c3", agent="ada", level=Level.COLLECTIVE)
    written(door, mine, ours, hidden, shared, scope=ada)
    assert said(door.asking(ada).entries(DECISIONS)) == ["Ours.", "Mine."]
    assert said(door.asking(bo).entries(DECISIONS)) == ["Ours."]
    assert (len(door.asking(ada).entries(DECISIONS)), len(door.asking(bo).entries(DECISIONS))) == (2, 1)
    assert door.asking(bo).entries(replace(DECISIONS, conversations=("c1",))) == []
    assert traced(door, ada, "c3") == [read_of(shared.memory), read_of(hidden.memory)]
    assert traced(door, bo, "c3") == [read_of(shared.memory)]
    for scope in (bo, ada.within("beacon")):
        with pytest.raises(NotFound), door.transaction(scope) as writes:
            writes.note_use(mine.memory, replace(mine.memory.registration, hops=7))  # type: ignore[type-var]
    assert door.asking(ada).entries(DECISIONS) == [ours.memory, mine.memory]


def test_use_is_noted_in_place(door: Door, opener: Opener) -> None:
    first = registered("Use slate.", conversations=("c1",), last_validated=START, details={"a": 1})
    (memory,) = written(door, first)
    assert memory.registration is not None
    used = replace(
        memory.registration,
        conversations=("c1", "c2"),
        last_validated=days(7),
        validation_count=3,
        hops=2,
    )
    with door.transaction(SCOPE) as writes:
        # What is versioned stays as it is.
        writes.note_use(memory, replace(used, status="superseded", details={}, local_id="D9"))
    for store in (door, opener()):
        (found,) = store.asking(SCOPE).entries(replace(DECISIONS, conversations=("c2",)))
        assert found == replace(memory, registration=used)
    with door.transaction(SCOPE) as writes:
        writes.note_use(memory, replace(used, conversations=("c2",)))
    assert door.asking(SCOPE).entries(replace(DECISIONS, conversations=("c1",))) == []
    (other,) = written(door, entry("No entry."))
    with pytest.raises(NotFound), door.transaction(SCOPE) as writes:
        writes.note_use(other, used)
    with pytest.raises(ZeroDivisionError), door.transaction(SCOPE) as writes:
        writes.note_use(memory, replace(used, hops=9))
        raise ZeroDivisionError
    assert door.asking(SCOPE).entries(DECISIONS)[0].registration == replace(used, conversations=("c2",))


def test_lineage_is_traced_both_ways(door: Door) -> None:
    chain = [edge(f"c{n}", f"c{n + 1}", project=f"p{n % 3}") for n in range(40)]
    branch = [edge("c10", "b1"), edge("b1", "b2"), edge("c38", None), edge("x", "c5")]
    written(door, *chain, *branch)

    def way(conversation: str, *, backward: bool, limit: int = 100) -> list[tuple[str, str | None]]:
        found = door.asking(SCOPE).lineage(conversation, backward, limit)
        return [(str(item.source), item.continuation) for item in found]

    back = way("c20", backward=True)
    assert back[:2] == [("c19", "c20"), ("c18", "c19")]
    assert len(back) == 21
    assert ("x", "c5") in back
    assert ("c10", "b1") not in back
    assert way("c36", backward=False) == [
        ("c36", "c37"),
        ("c37", "c38"),
        ("c38", "c39"),
        ("c38", None),
        ("c39", "c40"),
    ]
    assert way("b2", backward=True)[:3] == [("b1", "b2"), ("c10", "b1"), ("c9", "c10")]
    assert way("c20", backward=True, limit=3) == back[:3]
    assert way("c40", backward=False) == way("c0", backward=True) == way("unknown", backward=True) == []
    within = SCOPE.within("p0", "p1")
    assert len(door.asking(within).lineage("c20", True, 100)) == 2
    assert door.asking(within).lineage("c21", True, 100) == []


def test_a_cycle_ends_the_trace_and_an_ended_edge_breaks_it(door: Door) -> None:
    made = written(door, edge("a", "b"), edge("b", "c"), edge("c", "a"), edge("c", "d"))
    assert len(door.asking(SCOPE).lineage("a", backward=False, limit=50)) == 4
    # No way is longer than there are edges, so it ends soon, however many are asked for.
    assert len(door.asking(SCOPE).lineage("a", backward=False, limit=10**9)) == 4
    assert len(door.asking(SCOPE).lineage("d", backward=True, limit=50)) == 4
    with door.transaction(SCOPE) as writes:
        writes.expire(made[1].id, days(1), InvalidationReason.DISCOVERED_FALSE)
    assert traced(door, SCOPE, "d") == [read_of(made[3])]


def test_forgetting_takes_the_entry_and_what_it_says(door: Door, files: Callable[[], Path]) -> None:
    secret = registered(
        "Use slate.",
        local_id="D-wombat",
        conversations=("jubilant-conversation", "c1"),
        details={"rationale": "Quixotic zephyrs vex it.", "rejected": ["marzipan"]},
    )
    going_on = edge("plovdiv-one", "plovdiv-two")
    kept = registered("Kept.", conversations=("c1",))
    written(door, secret, going_on, kept, *(entry(f"Ordinary note {n}.") for n in range(50)))
    words = ["wombat", "jubilant", "quixotic", "marzipan", "plovdiv"]
    assert len(traces(files(), words)) >= len(words)
    with door.transaction(SCOPE) as writes:
        writes.forget(Extent([secret.memory.logical_id, going_on.memory.logical_id]), NOW)
    assert door.asking(SCOPE).entries(replace(DECISIONS, ended=True)) == [kept.memory]
    assert door.asking(SCOPE).entries(replace(DECISIONS, conversations=("jubilant-conversation",))) == []
    assert door.asking(SCOPE).entries(EDGES) == door.asking(SCOPE).lineage("plovdiv-one", False, 9) == []
    assert traces(files(), words) == []
    assert door.check() == []
