"""Lineage through the facade: edges, what they carry, ways, cycles, bridges."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime, timedelta
from itertools import count, pairwise

import psycopg
import pytest
from tests.conformance.test_entries import edge

import engramforge
from engramforge.errors import Conflict, InvalidTime, InvalidValue, NotFound
from engramforge.forge import Forge
from engramforge.model.limits import NAME_CHARACTERS
from engramforge.model.registries.lineage import CompressionMode, LineageEdge

_numbers = count(1)


@pytest.fixture
def talk() -> str:
    """The beginning of the names of a test's own conversations and project."""
    return f"talk{next(_numbers)}"


def ends(edges: list[LineageEdge], talk: str) -> list[str]:
    """The edges as "source>target", without what the names begin with."""
    each = ((item.source_conversation_id, item.target_conversation_id or "") for item in edges)
    return [f"{source}>{target}".replace(f"{talk}-", "") for source, target in each]


def chained(em: Forge, talk: str, names: str) -> list[LineageEdge]:
    """Edges between conversations "a", "b", ... in order."""
    return [em.lineage.link(f"{talk}-{a}", f"{talk}-{b}") for a, b in pairwise(names)]


@pytest.mark.each_engine
def test_an_edge_with_all_its_fields(em: Forge, talk: str) -> None:
    kept, left = (
        em.decisions.create(item, project=talk, conversation=talk) for item in ("Keep it", "Leave it")
    )
    still = em.threads.create("Still there", project=talk, conversation=talk, local_id="T001")
    done = em.threads.create("Done", project=talk, conversation=talk)
    made = em.lineage.link(
        talk,
        f"{talk}-on",
        tag="HARBOR",
        mode="partial",
        turn_range=(1, 35),
        decisions_carried=[kept.id],
        decisions_dropped=[left.memory_id],
        threads_carried=still.id.upper(),
        threads_resolved=[done.id, done.memory_id],
        local_ids={still.id: "T001"},
        bridge_summary="The quay was chosen.\n\nNothing else.",
        project=talk,
        compressed_at="2026-01-02T03:04:05Z",
    )
    assert made.id == "lin_" + made.memory_id[-12:]
    assert (made.source_conversation_id, made.target_conversation_id) == (talk, f"{talk}-on")
    assert (made.compression_tag, made.compression_mode) == ("HARBOR", CompressionMode.PARTIAL)
    assert (made.turn_range, made.project) == ((1, 35), talk)
    assert made.compressed_at == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert (made.decisions_carried, made.decisions_dropped) == ((kept.id,), (left.id,))
    assert (made.threads_carried, made.threads_resolved) == ((still.id,), (done.id,))
    assert made.local_ids == {still.id: "T001"}
    assert made.bridge_summary == "The quay was chosen.\n\nNothing else."
    assert em.lineage.get(made.id) == em.lineage.get(made.memory_id) == made
    memory = em.get(made.memory_id)
    assert (memory.name, memory.valid_at) == ("HARBOR", made.compressed_at)
    plain = em.lineage.link(f"{talk}-x")
    assert (plain.target_conversation_id, plain.turn_range, plain.bridge_summary) == (None, None, "")
    assert plain.compression_mode is CompressionMode.LOSSLESS
    assert plain.project == "default"


@pytest.mark.each_engine
def test_carrying_counts_and_an_undo_takes_it_back(em: Forge, talk: str) -> None:
    before = [em.decisions.create(f"Rule {n}", project=talk, conversation=talk) for n in range(2)]
    thread = em.threads.create("Still there", project=talk)
    made = em.lineage.link(
        talk,
        decisions_carried=[record.id for record in before],
        threads_carried=thread.id,
        for_revalidation=before[1].id,
    )
    first, second = (em.decisions.get(record.id) for record in before)
    assert (first.hops, first.validation_count, first.last_validated) == (
        1,
        1,
        em.get(made.memory_id).created_at,
    )
    assert (second.hops, second.validation_count) == (1, 0)
    assert second.last_validated == before[1].last_validated
    carries = em.links(made.memory_id, relation="CARRIES")
    assert [link.target_id for link in carries] == [item.memory_id for item in (first, second, thread)]
    assert [link.extra["bumped"] for link in carries] == [True, False, False]
    assert carries[0].extra["before"]["hops"] == 0
    assert em.decisions.why(first.id).carried_by == (made.id,)
    em.undo()
    assert [em.decisions.get(record.id) for record in before] == before
    assert em.links(thread.memory_id, relation="CARRIES") == []
    with pytest.raises(NotFound):
        em.lineage.get(made.id)
    em.redo()
    assert em.decisions.get(first.id).hops == 1
    assert em.lineage.get(made.id).decisions_carried == (first.id, second.id)


def test_an_edge_of_before_makes_nothing_older(em: Forge, talk: str) -> None:
    rule = em.decisions.create("Rule", project=talk)
    old = em.lineage.link(talk, decisions_carried=rule.id, recorded_at="2026-01-02T03:04:05Z")
    assert old.compressed_at == em.get(old.memory_id).created_at == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    after = em.decisions.get(rule.id)
    assert (after.last_validated, after.hops) == (rule.last_validated, 1)


def test_the_first_who_goes_on_completes_the_edge(em: Forge, talk: str) -> None:
    rule = em.decisions.create("Rule", project=talk, conversation=talk)
    open_edge = em.lineage.link(
        talk, tag="T", decisions_carried=rule.id, bridge_summary="So far.", project=talk
    )
    lineage = em._stages.lineage
    scope = em._scope
    done = lineage.complete(scope, open_edge.id, f"{talk}-one")
    assert done.id == open_edge.id
    assert done.target_conversation_id == f"{talk}-one"
    assert (done.compressed_at, done.bridge_summary) == (open_edge.compressed_at, "So far.")
    assert len(em.history(done.memory_id)) == 3
    assert lineage.complete(scope, open_edge.id, f"{talk}-one") == done
    other = lineage.complete(scope, em.get(open_edge.memory_id), f"{talk}-two")
    assert other.id != done.id
    assert (other.decisions_carried, other.compressed_at) == (done.decisions_carried, done.compressed_at)
    assert lineage.complete(scope, open_edge.id, f"{talk}-two") == other
    assert lineage.complete(scope, other.id, f"{talk}-one") == done
    assert em.lineage.browse(source=talk) == [other, done]
    # One compression, however many go on from it.
    assert em.decisions.get(rule.id).hops == 1
    assert set(em.decisions.why(rule.id).carried_by) == {done.id, other.id}
    for target in (talk, ""):
        with pytest.raises(InvalidValue):
            lineage.complete(scope, open_edge.id, target)
    em.lineage.link(f"{talk}-before", talk)
    with pytest.raises(InvalidValue, match="itself goes on from"):
        lineage.complete(scope, open_edge.id, f"{talk}-before")


@pytest.mark.each_engine
def test_the_way_to_a_conversation_and_on_from_it(em: Forge, talk: str) -> None:
    chained(em, talk, "abcdef")
    em.lineage.link(f"{talk}-c", f"{talk}-x")
    em.lineage.link(f"{talk}-d")

    def traced(conversation: str, *asked: str | int) -> list[str]:
        return ends(em.lineage.trace(f"{talk}-{conversation}", *asked), talk)  # type: ignore[arg-type]

    assert traced("c", "ancestors") == ["a>b", "b>c"]
    assert traced("c", "descendants") == ["c>d", "c>x", "d>e", "d>", "e>f"]
    assert traced("c") == ["a>b", "b>c", "c>d", "c>x", "d>e", "d>", "e>f"]
    assert traced("f", "ancestors", 2) == ["d>e", "e>f"]
    assert traced("x") == ["a>b", "b>c", "c>x"]
    assert traced("nobody") == []
    assert ends(em.lineage.browse(source=f"{talk}-c"), talk) == ["c>x", "c>d"]
    assert ends(em.lineage.browse(target=f"{talk}-c"), talk) == ["b>c"]
    with pytest.raises(InvalidValue, match="direction"):
        em.lineage.trace(talk, "sideways")


def test_no_conversation_goes_on_from_itself(em: Forge, talk: str) -> None:
    chained(em, talk, "abcdefgh")
    rule = em.decisions.create("Rule", project=talk)
    stats = em.stats().versions
    for source, target in (("a", "a"), ("b", "a"), ("h", "a"), ("e", "b")):
        with pytest.raises(InvalidValue) as refused:
            em.lineage.link(f"{talk}-{source}", f"{talk}-{target}", decisions_carried=rule.id)
        assert f"{talk}-{source}" in str(refused.value)
        assert f"{talk}-{target}" in str(refused.value)
    assert em.stats().versions == stats
    assert em.decisions.get(rule.id).hops == 0
    # Two ways to the same conversation are no cycle.
    em.lineage.link(f"{talk}-a", f"{talk}-h")


@pytest.mark.each_engine
def test_two_who_close_a_cycle_together(place: str, talk: str) -> None:
    begin, faults = threading.Barrier(2), []

    def link(source: str, target: str) -> None:
        with engramforge.open(place) as forge:
            begin.wait()
            try:
                forge.lineage.link(source, target)
            except InvalidValue as error:
                faults.append(error)

    names = (f"{talk}-hen", f"{talk}-egg")
    both = [threading.Thread(target=link, args=item) for item in (names, names[::-1])]
    for each in both:
        each.start()
    for each in both:
        each.join()
    assert len(faults) == 1


def test_the_same_edge_is_recorded_once(em: Forge, talk: str) -> None:
    made = em.lineage.link(talk, f"{talk}-on", tag="T", turn_range=[1, 9], project=talk)
    assert em.lineage.link(talk, f"{talk}-on", tag="T", turn_range=[1, 9], project=talk) == made
    with pytest.raises(Conflict, match=made.id):
        em.lineage.link(talk, f"{talk}-on", tag="T", turn_range=[1, 8], project=talk)
    assert em.lineage.link(talk, f"{talk}-on", tag="U", turn_range=[1, 8], project=talk).id != made.id
    assert len(em.lineage.browse(project=talk)) == 2


@pytest.mark.each_engine
def test_what_changed_over_a_chain(em: Forge, talk: str) -> None:
    a, b, c, elsewhere = (f"{talk}-{name}" for name in ("a", "b", "c", "elsewhere"))
    facts = {"project": talk, "conversation": a}
    kept, revised, dropped, replaced = (
        em.decisions.create(text, **facts)  # type: ignore[arg-type]
        for text in ("Kept as it is", "To be revised", "Dropped on the way", "To be replaced")
    )
    still, closed, lost = (
        em.threads.create(title, **facts)
        for title in ("Goes on", "Closed on another branch", "Lost on the way")
    )
    everything = {"project": talk, "threads_carried": [still.id, closed.id]}
    decided = [record.id for record in (kept, revised, dropped, replaced)]
    first = em.lineage.link(a, b, tag="ONE", decisions_carried=decided, **everything)  # type: ignore[arg-type]
    added = em.decisions.create("Made in between", project=talk, conversation=b)
    opened = em.threads.create("Opened in between", project=talk, conversation=b)
    em.decisions.revise(revised.id, "As revised", conversation=b)
    second = em.lineage.link(
        b,
        c,
        tag="TWO",
        decisions_carried=[kept.id, revised.id, replaced.id, added.id],
        decisions_dropped=dropped.id,
        **everything,  # type: ignore[arg-type]
    )
    successor = em.decisions.supersede(replaced.id, "The replacement", conversation=elsewhere)
    em.threads.update(closed.id, status="resolved", resolution="Nailed shut.", conversation=elsewhere)
    found = em.lineage.bridge(a, c)
    assert found.edges == (first, second)
    assert (found.source_conversation_id, found.target_conversation_id) == (a, c)
    assert [decision.id for decision in found.decisions_added] == [added.id]
    assert [(decision.id, decision.decision) for decision in found.decisions_revised] == [
        (revised.id, "As revised")
    ]
    assert [(decision.id, decision.superseded_by) for decision in found.decisions_ended] == [
        (replaced.id, successor.id)
    ]
    assert [decision.id for decision in found.decisions_dropped] == [dropped.id]
    assert [thread.id for thread in found.threads_added] == [opened.id]
    assert [(thread.id, thread.resolution) for thread in found.threads_resolved] == [
        (closed.id, "Nailed shut.")
    ]
    assert [thread.id for thread in found.threads_dropped] == [lost.id]
    for told in (added.id, "As revised", successor.id, "Nailed shut", elsewhere, lost.id, "over 1 other"):
        assert told in found.summary
    assert kept.id not in found.summary
    near = em.lineage.bridge(b, c)
    assert near.edges == (second,)
    assert near.decisions_added == ()
    assert [decision.id for decision in near.decisions_ended] == [replaced.id]
    calm = em.lineage.link(f"{talk}-p", f"{talk}-q", project=talk)
    assert em.lineage.bridge(f"{talk}-p", f"{talk}-q").edges == (calm,)
    assert "Nothing changed" in em.lineage.bridge(f"{talk}-p", f"{talk}-q").summary


def test_a_bridge_takes_the_shortest_way_and_needs_one(em: Forge, talk: str) -> None:
    chained(em, talk, "abcd")
    short = em.lineage.link(f"{talk}-a", f"{talk}-d")
    assert em.lineage.bridge(f"{talk}-a", f"{talk}-d").edges == (short,)
    for source, target, said in (
        ("d", "a", "the other way round"),
        ("a", "z", "No lineage"),
        ("a", "a", "No lineage"),
        ("z", "a", "No lineage"),
    ):
        with pytest.raises(NotFound, match=said):
            em.lineage.bridge(f"{talk}-{source}", f"{talk}-{target}")


@pytest.mark.each_engine
def test_edges_are_searched(em: Forge, talk: str) -> None:
    wanted = em.lineage.link(
        f"{talk}-a", f"{talk}-b", tag="QUAY", bridge_summary="We settled on larch planks.", project=talk
    )
    em.lineage.link(f"{talk}-c", f"{talk}-d", bridge_summary="Prices of paint.", project=talk)
    em.decisions.create("Larch planks for the quay", project=talk)
    found = em.lineage.search("larch planks", project=talk, limit=1)
    assert [record.id for record in found] == [wanted.id]
    assert 0 < (found[0].score or 0) <= 1
    assert em.lineage.search("quay", project=talk)[0].id == wanted.id
    assert em.lineage.search("planks", project=talk, conversation=f"{talk}-c", limit=1)[0:1] != [wanted]
    assert em.lineage.search(wanted.id)[0].id == wanted.id
    kinds = {hit.memory.kind.value for hit in em.recall("larch", project=talk, scope="lineage").hits}
    assert kinds == {"lineage"}
    for scope, kind in (("threads", set()), ("decisions", {"decision"})):
        assert {hit.memory.kind.value for hit in em.recall("larch", project=talk, scope=scope).hits} == kind
    assert len({hit.memory.kind for hit in em.recall("larch", project=talk, scope="memories").hits}) == 2
    for asked in ({"scope": "all"}, {"scope": "threads", "kinds": "note"}):
        with pytest.raises(InvalidValue, match="scope"):
            em.recall("larch", **asked)  # type: ignore[arg-type]


def test_what_is_not_sound_changes_nothing(em: Forge, talk: str) -> None:
    thread = em.threads.create("No decision", project=talk)
    stats = em.stats().versions
    refused = [
        (InvalidValue, {"mode": "zip"}),
        (InvalidValue, {"turn_range": (0, 3)}),
        (InvalidValue, {"turn_range": (4, 3)}),
        (InvalidValue, {"turn_range": "1-3"}),
        (InvalidValue, {"turn_range": (True, 3)}),
        (InvalidValue, {"tag": "x" * (NAME_CHARACTERS + 1)}),
        (InvalidValue, {"bridge_summary": 7}),
        (InvalidValue, {"target": "two\nlines"}),
        (NotFound, {"decisions_carried": "D001"}),
        (InvalidValue, {"decisions_carried": [thread.id]}),
        (Conflict, {"decisions_carried": [thread.memory_id]}),
        (NotFound, {"threads_carried": ["thr_000000000000"]}),
        (InvalidTime, {"recorded_at": datetime.now(UTC) + timedelta(days=1)}),
        (InvalidTime, {"compressed_at": "2026-01-01T10:00:00"}),
    ]
    for error, asked in refused:
        with pytest.raises(error):
            em.lineage.link(talk, **asked)  # type: ignore[arg-type]
    assert em.stats().versions == stats
    for error, named in ((InvalidValue, "c1"), (Conflict, thread.memory_id), (NotFound, "lin_000000000000")):
        with pytest.raises(error):
            em.lineage.get(named)


@pytest.mark.each_engine
def test_another_agent_s_lineage_is_not_there(place: str, em: Forge, talk: str) -> None:
    made = chained(em, talk, "abc")
    with engramforge.open(place, agent="bo") as other:
        assert other.lineage.trace(f"{talk}-b") == []
        with pytest.raises(NotFound):
            other.lineage.get(made[0].id)
        with pytest.raises(NotFound):
            other.lineage.bridge(f"{talk}-a", f"{talk}-c")


@pytest.mark.each_engine
def test_forgetting_an_edge_breaks_the_chain(em: Forge, talk: str) -> None:
    made = chained(em, talk, "abcd")
    em.forget(made[1].memory_id)
    assert ends(em.lineage.trace(f"{talk}-d"), talk) == ["c>d"]
    with pytest.raises(NotFound):
        em.lineage.bridge(f"{talk}-a", f"{talk}-d")


@pytest.mark.each_engine
@pytest.mark.timed
def test_a_long_chain_is_traced_at_once(em: Forge, place: str, talk: str) -> None:
    made = [edge(f"{talk}-{n}", f"{talk}-{n + 1}", project=talk) for n in range(1_000)]
    em._stages.door.write(em._scope, lambda writes: writes.insert(made))
    if place.startswith("postgresql:"):
        # As the server's own upkeep does soon: planned for an empty table, the first trace takes half a minute.
        with psycopg.connect(place, autocommit=True) as connection:
            connection.execute("ANALYZE")
    took = []
    for _ in range(7):
        began = time.perf_counter()
        found = em.lineage.trace(f"{talk}-1000")
        took.append((time.perf_counter() - began) * 1e3)
    assert [item.source_conversation_id for item in found] == [f"{talk}-{n}" for n in range(1_000)]
    print(f"trace of 1,000 edges: {min(took):.0f} ms")
    # In a chain of a thousand as in one of ten: steps, not scans.
    assert min(took) < 250
    with pytest.raises(InvalidValue, match="itself goes on from"):
        em.lineage.link(f"{talk}-1000", f"{talk}-0")
    assert len(em.lineage.bridge(f"{talk}-0", f"{talk}-1000").edges) == 1_000
