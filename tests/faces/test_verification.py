"""The verification checklists of the three source documents, in this product's names: lenses (000), the oracle (001),
registries against context rot (002). Each check is written as the document has it, through the face that it names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import anyio
import pytest
from tests.mcp_server import client_of

import engramforge
from engramforge.forge import Forge

from .conftest import Cli

NEXUS, CODEX, COMPILER = "The Nexus", "The Cartographer's Codex", "The Reality Compiler"
ROLES: Final = {NEXUS: "connector", CODEX: "navigator", COMPILER: "builder"}
ASKED: Final = "How should we handle authentication for the enterprise API?"


@pytest.fixture
def em(home: Path) -> Iterator[Forge]:
    """Three projects with what the document's own example has, in other words."""
    with engramforge.open(str(home)) as forge:
        forge.decisions.create(
            "Authentication for the enterprise API follows trust networks: verify first, then delegate.",
            project=NEXUS,
            tier=0.6,
        )
        forge.threads.create("Can self and non-self inform authentication without trust?", project=NEXUS)
        forge.remember(
            "Plain JWT would be the simplest authentication for the enterprise API.", project=NEXUS
        )
        forge.decisions.create(
            "Authentication for the enterprise API is by OAuth2 with roles.",
            rationale="Tokens must be revocable.",
            alternatives_rejected=["plain JWT"],
            project=CODEX,
            tier=0.85,
        )
        forge.decisions.create("Sessions of the enterprise API survive compression.", project=CODEX, tier=0.7)
        forge.remember("Lamps in the workshop are changed in spring.", project=COMPILER)
        for project, role in ROLES.items():
            forge.roles.assign(project, role)
        forge.lenses.save(
            "gravity-assist",
            [{"project_name": NEXUS, "role": "connector"}, {"project_name": CODEX, "role": "navigator"}],
            description="lateral and directional",
        )
        yield forge


# Document 000, phase 1: roles and lens configuration


def test_roles_are_assigned_and_listed(em: Forge) -> None:
    listed = {each.project: (each.role, each.gravity_type) for each in em.roles.list()}
    assert listed == {
        NEXUS: ("connector", "lateral"),
        CODEX: ("navigator", "directional"),
        COMPILER: ("builder", "implementation"),
    }


def test_a_lens_is_saved_and_got(em: Forge) -> None:
    lens = em.lenses.get("gravity-assist")
    assert [(each.project, each.role) for each in lens.projects] == [
        (NEXUS, "connector"),
        (CODEX, "navigator"),
    ]
    assert (lens.description, lens.default_budget) == ("lateral and directional", 6_000)


# Document 000, phase 2: the engine


def test_basic_orchestration(em: Forge) -> None:
    result = em.orchestrate(ASKED, lens_name="gravity-assist")
    assert result.lenses_used == ("connector", "navigator")
    assert result.field_summary.convergence_points == len(result.convergence)
    assert result.field_summary.divergence_points == len(result.divergence)
    assert 0 <= result.field_summary.coherence <= 1
    assert 0 < result.budget_used <= result.budget == 6_000
    for name, project in (("connector", NEXUS), ("navigator", CODEX)):
        lens = result.per_lens[name]
        assert (lens.project, lens.result_count) == (project, len(lens.results))
        assert lens.result_count and 0 < lens.top_attention <= 1


def test_three_lenses_for_this_question_alone(em: Forge) -> None:
    asked = [{"project_name": project, "role": role} for project, role in ROLES.items()]
    result = em.orchestrate(ASKED, lenses=asked)
    assert len(result.lenses_used) == 3 and result.lens_name is None
    assert result.context_text


def test_the_output_has_the_parts_of_appendix_a(em: Forge) -> None:
    text = em.orchestrate(ASKED).context_text
    places = [
        text.index(each)
        for each in (
            f'=== NAVIGATOR ("{CODEX}") \u2014 directional gravity ===',
            "=== DIVERGENCE (decision tension) ===",
            "=== FIELD SUMMARY ===",
            "Coherence: ",
            "| Dominant lens: ",
            "| Convergence: ",
            "| Divergence: ",
        )
    ]
    assert places == sorted(places)
    assert f'=== CONNECTOR ("{NEXUS}") \u2014 lateral gravity ===' in text
    assert "[decision|0." in text and "[gap" in text


def test_the_guardian_stands_against_what_the_navigator_rejected(em: Forge) -> None:
    (mark,) = (each for each in em.orchestrate(ASKED).guardian if each.what == "plain JWT")
    assert (mark.lens, mark.by_lens, mark.why) == ("connector", "navigator", "Tokens must be revocable.")


# Document 000, phase 3: a recall as before


def test_a_recall_needs_no_embedding_of_its_caller_s(em: Forge) -> None:
    assert em.recall("authentication").hits


# Document 000, phase 4 and end to end: the tools, the commands


def test_the_tools_are_listed_and_answer(em: Forge, home: Path) -> None:
    assert em.roles.list()

    async def main() -> None:
        async with client_of(home) as client:
            tools = (await client.list_tools()).tools
            names = {tool.name for tool in tools}
            assert {"forge_orchestrate", "forge_roles", "forge_lenses"} <= names
            arguments = {tool.name: [*tool.input_schema["properties"]] for tool in tools}
            assert arguments["forge_orchestrate"] == ["query", "lens_name", "lenses", "budget"]
            assert arguments["forge_roles"] == ["action", "project", "role", "weight"]
            asked = {"query": ASKED, "lens_name": "gravity-assist"}
            told = (await client.call_tool("forge_orchestrate", asked)).structured_content["orchestration"]
            assert told["lenses_used"] == ["connector", "navigator"]
            assert all(told["per_lens"][name]["results"] for name in told["lenses_used"])
            assert {"convergence", "divergence", "field_summary", "context_text", "budget_used"} <= set(told)
            given = {"action": "assign", "project": COMPILER, "role": "evaluator"}
            changed = (await client.call_tool("forge_roles", given)).structured_content["roles"]
            assert [(x["project"], x["role"], x["gravity_type"]) for x in changed] == [
                (COMPILER, "evaluator", "quality")
            ]
            types = (await client.call_tool("forge_roles", {"action": "types"})).structured_content["types"]
            assert len(types) == 6

    anyio.run(main)


def test_the_commands_answer(em: Forge, cli: Cli) -> None:
    told = cli("orchestrate", ASKED, "--lens", "gravity-assist", "--json").json
    with_python = em.orchestrate(ASKED, lens_name="gravity-assist")
    assert told["context_text"] == with_python.context_text
    assert len(cli("roles", "--json").json["roles"]) == 3
    assert cli("lenses", "--json").json["lenses"][0]["name"] == "gravity-assist"


# Document 001: the oracle answers, with citations, out of what is kept, or says that it knows nothing


@pytest.mark.parametrize("depth", ["shallow", "deep"])
def test_the_oracle_answers_with_citations(em: Forge, depth: str) -> None:
    answer = em.consult("What is the authentication for the enterprise API?", depth=depth)
    assert answer.answered and answer.depth == depth
    assert answer.citations and "OAuth2" in answer.answer
    kept = {hit.memory.logical_id for hit in answer.resonant_set}
    assert kept, "the resonant set is what was found relevant"


def test_the_oracle_says_that_it_knows_nothing(em: Forge) -> None:
    answer = em.consult("Which colour has the king's third horse?")
    assert not answer.answered and answer.citations == ()


# Document 002: lineage, threads, decisions, and context across projects


def test_a_chain_of_conversations_is_traced(em: Forge) -> None:
    for source, target in (("first", "second"), ("second", "third"), ("third", "fourth")):
        em.lineage.link(source, target, tag=f"TO_{target.upper()}", bridge_summary=f"On to {target}.")
    chain = em.lineage.trace("fourth")
    assert [(each.source_conversation_id, each.target_conversation_id) for each in chain] == [
        ("first", "second"),
        ("second", "third"),
        ("third", "fourth"),
    ]
    assert [each.compression_tag for each in chain] == ["TO_SECOND", "TO_THIRD", "TO_FOURTH"]
    assert em.lineage.bridge("second", "third").edges[0].bridge_summary == "On to third."


def test_open_threads_with_priority_and_project(em: Forge) -> None:
    made = em.threads.create("Which lamps are changed next?", project=COMPILER, priority="high")
    threads = em.threads.active()
    assert [(each.priority, each.project) for each in threads] == [("high", COMPILER), ("medium", NEXUS)]
    em.threads.update(made.id, status="resolved", resolution="Those in the hall.")
    assert [each.project for each in em.threads.active()] == [NEXUS]


def test_decisions_are_searched_by_meaning_with_tier_and_project(em: Forge) -> None:
    found = em.decisions.search("authentication approach")
    assert (found[0].epistemic_tier, found[0].project) in {(0.85, CODEX), (0.6, NEXUS)}
    assert all(each.status == "active" for each in found)


@contextmanager
def months_ago(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Forge]:
    """The store as it is opened four months ago."""
    with monkeypatch.context() as patch:
        patch.setattr("engramforge.assembly.opening.now", lambda: datetime.now(UTC) - timedelta(days=120))
        with engramforge.open(str(home)) as forge:
            yield forge


def test_stale_decisions_are_found(em: Forge, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert em.decisions.stale(days=30) == []
    with months_ago(home, monkeypatch) as then:
        kept = then.decisions.create("Chairs are painted green.", project=COMPILER, tier=0.5)
    assert [each.id for each in em.decisions.stale(days=30)] == [kept.id]
    em.decisions.validate(kept.id)
    assert em.decisions.stale(days=30) == []


def test_context_reaches_across_projects(em: Forge, cli: Cli) -> None:
    alone = em.context_load("enterprise authentication", project=COMPILER)
    across = em.context_load("enterprise authentication", project=COMPILER, cross_project=True)
    assert "OAuth2" not in alone.text and "OAuth2" in across.text
    told = cli("context", "enterprise authentication", "--project", COMPILER, "--cross-project").out
    assert "OAuth2" in told


def test_an_archive_is_a_cache_and_the_registry_wins(
    em: Forge, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = {"project": NEXUS, "session_id": "c1", "kind": "message"}
    em.remember("Let us speak of the gate.", sequence=0, speaker="user", **said)
    thread = em.threads.create("Is the gate painted?", project=NEXUS, conversation="c1", local_id="T001")
    nod = "Authentication for the enterprise API at the gate is by a nod."
    with months_ago(home, monkeypatch) as then:
        stale = then.decisions.create(nod, project=NEXUS, conversation="c1", tier=0.4)
    archive = em.archives.compress("c1")
    assert "## Revalidation Required" in archive.text and stale.decision in archive.text
    assert "## Cross-Project Context" in archive.text
    em.threads.update(thread.id, status="resolved", resolution="Painted on Monday.")
    state = em.archives.continue_from(archive.text, "c2")
    assert thread.id not in {each.id for each in state.threads}, "those that are open now"
    assert any("resolved" in str(each) for each in state.differences)
    assert em.lineage.trace("c2")[0].source_conversation_id == "c1"


@pytest.mark.parametrize(
    ("scope", "query"),
    [("threads", "self and non-self"), ("decisions", "authentication"), ("lineage", "gate")],
)
def test_searches_have_scopes(em: Forge, cli: Cli, scope: str, query: str) -> None:
    em.lineage.link("a", "b", tag="GATE", bridge_summary="The gate was painted.")
    hits = cli("recall", query, "--scope", scope, "--json").json["hits"]
    assert hits and {hit["memory"]["kind"] for hit in hits} == {
        scope.rstrip("s") if scope != "lineage" else scope
    }
