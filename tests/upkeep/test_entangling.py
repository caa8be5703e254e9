"""Scans over projects: kept with time and parameters, gone on from, made anew; and orchestrate goes by them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import engramforge
from engramforge.errors import InvalidValue
from engramforge.forge import Forge
from engramforge.model.lenses.orchestration import ConvergenceType

# Which memories resonate, and what lenses make of it, no engine knows of; what is kept of a scan is asked of each.
on_sqlite = pytest.mark.parametrize("new_place", ["sqlite"], indirect=True)
PAIRS = [
    (
        "The retry of the harbour client waits twice as long each time.",
        "Our client retries, and waits double each time.",
    ),
    ("Passwords are hashed with argon2 and a salt.", "A password is hashed by argon2, salted."),
]
OTHERS = [
    "The gulls were loud on the quay.",
    "Lunch is at noon in the canteen.",
    "A choir sang in the church.",
]


@pytest.fixture
def em(place: str) -> Iterator[Forge]:
    with engramforge.open(place) as forge:
        for number, (one, other) in enumerate(PAIRS):
            forge.remember(one, project="harbour", session_id=f"h{number}")
            forge.remember(other, project="gateway", session_id=f"g{number}")
        forge.remember_many({"content": each, "project": "quay"} for each in OTHERS)
        yield forge


def said(forge: Forge, cluster: tuple[str, ...]) -> set[str]:
    return {forge.get(each).content for each in cluster}


@on_sqlite
def test_what_says_the_same_in_two_projects_resonates(em: Forge) -> None:
    assert em.lenses.latest_scan() is None
    scan = em.lenses.scan(0.7)
    assert {frozenset(said(em, each)) for each in scan.clusters} >= {frozenset(each) for each in PAIRS}
    assert (scan.threshold, scan.projects) == (0.7, 3) and scan.memories >= 7
    assert em.lenses.latest_scan() == scan
    assert not any(set(OTHERS) & said(em, each) for each in scan.clusters)


def test_a_scan_goes_on_from_the_last(em: Forge) -> None:
    first = em.lenses.scan(0.7)
    again = em.lenses.scan(0.7)
    assert (again.threshold, again.clusters, again.resonances) == (0.7, first.clusters, first.resonances)
    em.remember("A password is hashed by argon2, with a salt of its own.", project="quay")
    more = em.lenses.scan(0.7)
    assert more.resonances > first.resonances
    assert any(
        len(said(em, each)) >= 3 and any("argon2" in x for x in said(em, each)) for each in more.clusters
    )
    anew = em.lenses.scan(0.99, anew=True)
    assert anew.threshold == 0.99 and anew.resonances < more.resonances


@on_sqlite
@pytest.mark.parametrize("anew", [False, True])
def test_a_plain_scan_goes_by_the_default(em: Forge, anew: bool) -> None:
    em.lenses.scan(0.5)
    assert em.lenses.scan(anew=anew).threshold == 0.75


@on_sqlite
def test_upkeep_goes_on_as_was_asked(em: Forge) -> None:
    em.lenses.scan(0.5)
    em.remember_many(
        {"content": f"Lamp {place} stands at berth {place}.", "project": "quay"} for place in range(210)
    )
    assert "entanglement" in em.upkeep()
    scan = em.lenses.latest_scan()
    assert scan is not None and scan.threshold == 0.5


def test_what_is_forgotten_is_in_no_cluster(em: Forge) -> None:
    scan = em.lenses.scan(0.7)
    gone = next(each for cluster in scan.clusters for each in cluster if "argon2" in em.get(each).content)
    em.forget(gone)
    assert not any(gone in cluster for cluster in em.lenses.scan().clusters)


@on_sqlite
def test_a_scan_is_due_after_a_tenth_was_written_since(em: Forge) -> None:
    assert "entanglement" not in em.due(), "nobody asked for one yet"
    em.lenses.scan(0.7)
    em.remember_many({"content": f"Note {number} of the tide.", "project": "quay"} for number in range(199))
    assert "entanglement" not in em.due()
    em.remember_many({"content": f"Note {number} of the ebb.", "project": "quay"} for number in range(3))
    assert "entanglement" in em.due() and "entanglement" in em.upkeep()
    assert "entanglement" not in em.due()


@on_sqlite
def test_lenses_converge_by_clusters(em: Forge) -> None:
    em.roles.assign("harbour", "connector")
    em.roles.assign("gateway", "builder")
    em.lenses.scan(0.7)
    found = em.orchestrate("how are passwords hashed?")
    (agreed,) = (each for each in found.convergence if "argon2" in each.summary)
    assert agreed.type is ConvergenceType.ENTANGLEMENT_CLUSTER and agreed.cluster_id is not None
    assert f"[cluster #{agreed.cluster_id}]" in found.context_text


@on_sqlite
def test_a_connector_favours_what_resonates_with_another_project(em: Forge) -> None:
    """Of two that answer alike the newer stands first, and through a connector the one that a cluster holds."""
    em.lenses.scan(0.7)
    em.remember("Passwords are hashed with argon2 and a salt too.", project="harbour", session_id="h9")

    def first(role: str) -> tuple[str, dict[str, float]]:
        look = em.orchestrate(
            "Are passwords hashed with argon2 and a salt?", [{"project": "harbour", "role": role}]
        )
        found = look.per_lens[role].results
        return found[0].memory.content, {hit.memory.content: hit.parts.category_boost for hit in found}

    plain, bridging = first("builder"), first("connector")
    assert plain[0] == "Passwords are hashed with argon2 and a salt too."
    assert bridging[0] == PAIRS[1][0]
    assert bridging[1][PAIRS[1][0]] == 1.0 > bridging[1][plain[0]]


@on_sqlite
@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
def test_a_threshold_is_a_share(em: Forge, threshold: float) -> None:
    with pytest.raises(InvalidValue):
        em.lenses.scan(threshold)


def test_another_agent_has_its_own_scan(place: str, em: Forge) -> None:
    em.lenses.scan(0.7)
    with engramforge.open(place, agent="bo") as other:
        assert other.lenses.latest_scan() is None
        assert other.lenses.scan().clusters == ()


@on_sqlite
def test_what_was_forgotten_or_is_not_asked_is_not_named(place: str, em: Forge) -> None:
    asked = "How are passwords hashed?"
    scan = em.lenses.scan(0.7)
    here, there = (
        next(hit.memory for hit in em.recall(asked) if hit.memory.content == each) for each in PAIRS[1]
    )

    def named(**narrowed: Any) -> set[str]:
        return {each for hit in em.recall(asked, **narrowed) for each in hit.resonates}

    assert {here.logical_id, there.logical_id} <= named(project=["harbour", "gateway"])
    assert there.logical_id not in named(project=["harbour", "quay"]), "gateway is not asked"
    em.forget(there.logical_id)
    assert there.logical_id not in named() | named(project=["harbour", "gateway"])
    latest = em.lenses.latest_scan()
    assert latest is not None and there.logical_id not in latest.cluster_of
    assert all(len(each) > 1 for each in latest.clusters) and len(latest.clusters) == len(scan.clusters) - 1
    assert len(em.lenses.scan().clusters) == len(latest.clusters)


@on_sqlite
def test_a_recall_over_several_projects_tells_what_resonates(em: Forge) -> None:
    asked = "How are passwords hashed?"
    assert not any(hit.resonates for hit in em.recall(asked)), "nobody has scanned"
    em.lenses.scan(0.7)
    found = {hit.memory.content: hit for hit in em.recall(asked, project=["harbour", "gateway", "quay"])}
    here, there = (found[each] for each in PAIRS[1])
    assert there.memory.logical_id in here.resonates and here.memory.logical_id in there.resonates
    assert here.memory.logical_id not in here.resonates
    assert not any(hit.resonates for hit in em.recall(asked, project="harbour")), "one project alone"
    assert em.recall(asked).hits[0].resonates, "everywhere is several"


def test_what_was_revised_leaves_its_cluster(em: Forge) -> None:
    (one, other), _ = PAIRS
    scan = em.lenses.scan(0.7)
    both = next(each for each in scan.clusters if said(em, each) == {one, other})
    revised = next(each for each in both if em.get(each).content == other)
    em.revise(revised, "Bread needs flour and water and some salt to bake well.")
    lenses = [{"project": each, "role": "builder"} for each in ("harbour", "gateway")]
    asked = "How long does the client wait before a retry, and what does bread need?"
    for _ in range(2):  # before the next scan, and after it
        agreed = em.orchestrate(asked, lenses).convergence
        assert not any("Bread" in item.hit.memory.content for each in agreed for item in each.items)
        assert all(revised not in each for each in em.lenses.scan().clusters)
