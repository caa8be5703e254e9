"""What lenses see: one project at several dates, departments of several projects, tags, agents, models' answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

import engramforge
from engramforge.errors import EngramforgeError, InvalidTime, InvalidValue, NotFound
from engramforge.forge import Forge
from engramforge.model.lenses.orchestration import ConvergenceType, DivergenceType

ASKED = "When does the harbour close?"


def harbour_in(em: Forge) -> Forge:
    """A project whose belief changed in March and was corrected in May."""
    old = em.remember(
        "The harbour closes at six.", project="harbour", valid_at="2026-01-01", recorded_at="2026-01-02"
    )
    em.supersede(old.id, "The harbour closes at nine.", at="2026-03-01")
    em.remember(
        "The harbour bells ring at noon.", project="harbour", valid_at="2026-01-01", recorded_at="2026-01-02"
    )
    em.roles.assign("harbour", "navigator")
    return em


@pytest.fixture(scope="module")
def harbour(lasting: Callable[[], Forge]) -> Forge:
    return harbour_in(lasting())


def seen(forge: Forge, *lenses: dict[str, Any], **more: Any) -> dict[str, list[str]]:
    found = forge.orchestrate(ASKED, list(lenses), **more)
    return {name: [hit.memory.content for hit in each.results] for name, each in found.per_lens.items()}


@pytest.mark.each_engine
def test_one_project_is_asked_at_two_dates(harbour: Forge) -> None:
    found = harbour.orchestrate(ASKED, [{"project": "harbour", "as_of": "2026-02"}, {"project": "harbour"}])
    assert found.lenses_used == ("navigator:harbour@2026-02", "navigator:harbour@now")
    then, now = found.per_lens.values()
    assert "The harbour closes at six." in [hit.memory.content for hit in then.results]
    assert "The harbour closes at nine." in [hit.memory.content for hit in now.results]
    assert "The harbour closes at six." not in [hit.memory.content for hit in now.results]
    assert (then.sight.when, now.sight.when) == ("2026-02", "")
    assert "(harbour as of 2026-02)" in found.context_text
    # What changed between the dates pulls apart; what did not agrees.
    (changed,) = (x for x in found.divergence if x.type is DivergenceType.CONFLICTING_DIRECTION)
    assert "gave way to" in changed.description or "another choice" in changed.description
    assert not any("closes" in each.summary for each in found.convergence)
    found = harbour.orchestrate(
        "When do the harbour bells ring?",
        [{"project": "harbour", "as_of": "2026-02"}, {"project": "harbour"}],
    )
    assert any("bells" in each.summary for each in found.convergence)
    assert all(each.type is ConvergenceType.SEMANTIC_OVERLAP for each in found.convergence)


def test_a_date_is_of_what_was_known_then_too(em: Forge) -> None:
    harbour = harbour_in(em)
    harbour.remember("The harbour closes for storms.", project="harbour", valid_at="2026-01-05")
    known = "The harbour closes for storms."
    answers = seen(
        harbour,
        {"project": "harbour", "as_of": "2026-02-01"},
        {"project": "harbour", "as_of_valid": "2026-02-01"},
    )
    then, held = answers.values()
    assert known not in then, "it was told later"
    assert known in held, "it held then, as is known now"


def test_the_question_s_date_is_of_the_lenses_that_have_none(harbour: Forge) -> None:
    at = {"as_of": "2026-02-01"}
    then, later = seen(
        harbour, {"project": "harbour"}, {"project": "harbour", "as_of": "2026-06"}, **at
    ).values()
    assert "The harbour closes at six." in then and "The harbour closes at nine." not in then
    assert "The harbour closes at nine." not in later, "recorded today"
    with pytest.raises(InvalidValue, match="named twice"):
        harbour.orchestrate(ASKED, [{"project": "harbour"}, {"project": "harbour", **at}], **at)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({}, {}),
        ({"as_of": "2026-02-01"}, {"as_of": "2026-02-01"}),
        ({"as_of": "2026-02"}, {"as_of": "feb 2026"}),
        ({"tags": ["a", "b"]}, {"tags": ["a", "b"], "role": "critic"}),
    ],
)
def test_the_same_project_twice_is_refused_where_the_dates_are_equal(
    harbour: Forge, one: dict[str, Any], other: dict[str, Any]
) -> None:
    with pytest.raises(InvalidValue, match="'harbour' is named twice") as refused:
        harbour.orchestrate(ASKED, [{"project": "harbour", **one}, {"project": "harbour", **other}])
    assert "another as_of" in refused.value.mend


def company_in(em: Forge) -> Forge:
    """Departments over projects, tags, agents and models."""
    for content, project, more in (
        ("The harbour closes at nine, by the office's rule.", "rules", {"tags": ["law"]}),
        ("The harbour closes when the last ferry is in.", "ferries", {"tags": ["ops"]}),
        ("The harbour closes earlier in winter.", "weather", {"tags": ["ops"]}),
        (
            "I think the harbour closes at ten.",
            "talk",
            {"speaker": "assistant", "metadata": {"model": "tern-2"}},
        ),
        (
            "The harbour closes at eleven, surely.",
            "talk",
            {"speaker": "assistant", "metadata": {"model": "gull-1"}},
        ),
        ("When does the harbour close?", "talk", {"speaker": "user"}),
    ):
        em.remember(content, project=project, level="collective", **more)
    return em


@pytest.fixture(scope="module")
def company(lasting: Callable[[], Forge]) -> Forge:
    return company_in(lasting())


def test_a_department_is_several_projects_under_a_name(em: Forge) -> None:
    company = company_in(em)
    lenses = [
        {"name": "Operations", "projects": ["ferries", "weather"], "role": "builder"},
        {"name": "Compliance", "tags": ["law"], "role": "critic"},
    ]
    company.lenses.save("company", json.dumps(lenses))
    found = company.orchestrate(ASKED, lens_name="company")
    assert found.lenses_used == ("builder", "critic")
    operations, compliance = found.per_lens.values()
    assert operations.project == "Operations"
    assert {hit.memory.project for hit in operations.results} == {"ferries", "weather"}
    assert {hit.memory.project for hit in compliance.results} == {"rules"}
    assert "=== BUILDER (Operations)" in found.context_text
    kept = company.lenses.get("company").projects
    assert [(x.project, x.sees.projects, x.sees.tags) for x in kept] == [
        ("Operations", ("ferries", "weather"), ()),
        ("Compliance", (), ("law",)),
    ]


def test_a_model_s_answers_are_a_lens(company: Forge) -> None:
    models = [{"name": name, "model": name.upper(), "role": "evaluator"} for name in ("tern-2", "gull-1")]
    assert seen(company, *models) == {
        "evaluator:tern-2": ["I think the harbour closes at ten."],
        "evaluator:gull-1": ["The harbour closes at eleven, surely."],
    }
    answers = seen(company, {"project": "talk", "speaker": "Assistant", "role": "critic"})
    assert len(answers["critic"]) == 2


@pytest.mark.each_engine
def test_an_agent_s_lens_shows_no_more_than_one_may_see(place: str) -> None:
    tenant = f"t-{uuid4().hex[:12]}"
    with (
        engramforge.open(place, tenant=tenant, agent="ada") as ada,
        engramforge.open(place, tenant=tenant, agent="bo") as bo,
    ):
        ada.remember("The harbour closes at nine.", project="talk", level="collective")
        bo.remember("The harbour closes at ten.", project="talk", level="collective")
        bo.remember("The harbour closes when I say so.", project="talk")
        lenses = [{"name": name, "agent": name, "role": "critic"} for name in ("ada", "bo", "stowaway")]
        assert seen(ada, *lenses) == {
            "critic:ada": ["The harbour closes at nine."],
            "critic:bo": ["The harbour closes at ten."],
            "critic:stowaway": [],
        }


@pytest.mark.parametrize(
    ("lens", "said"),
    [
        ({"role": "critic"}, "names no project"),
        ({"projects": [], "role": "critic"}, "names no project"),
        ({"as_of": "2026-01", "role": "critic"}, "names no project"),
        ({"project": "rules", "projects": ["talk"], "role": "critic"}, "both project and projects"),
        ({"projects": ["rules", "Atlantis"], "role": "critic"}, "no project 'Atlantis'"),
        ({"projects": 7, "role": "critic"}, "project is '7'"),
        ({"projects": {"rules": 1}, "role": "critic"}, "and no list"),
        ({"projects": {}, "tags": ["rule"], "role": "critic"}, "and no list"),
        ({"project_name": "", "tags": ["rule"], "role": "critic"}, "project_name of a lens is ''"),
        ({"project_name": {}, "tags": ["rule"], "role": "critic"}, "project_name of a lens is {}"),
        ({"projects": "", "tags": ["rule"], "role": "critic"}, "project is empty"),
        ({"projects": ["rules"]}, "'rules' has no role"),
        ({"project": "rules", "role": "critic", "source": "rumour"}, "no source 'rumour'"),
        ({"project": "rules", "role": "critic", "as_of": "whenever"}, "whenever"),
        ({"project": "rules", "role": "critic", "as_of": 7}, "as_of"),
        (
            {"project": "rules", "role": "critic", "as_of": "2026-01", "as_of_valid": "2026-01"},
            "one of its axes",
        ),
        ({"project": "rules", "role": "critic", "tags": 7}, "tags"),
        ({"project": "rules", "role": "critic", "agent": ""}, "agent is empty"),
        ({"project": "rules", "role": "critic", "model": ["tern"]}, "not text"),
        ({"project": ["rules"], "role": "critic"}, "not text"),
    ],
)
def test_an_odd_lens_is_refused_by_what_is_odd(company: Forge, lens: dict[str, Any], said: str) -> None:
    for ask in (lambda: company.orchestrate(ASKED, [lens]), lambda: company.lenses.save("odd", [lens])):
        with pytest.raises(EngramforgeError, match=said) as refused:
            ask()
        assert refused.value.mend
        assert isinstance(refused.value, InvalidValue | InvalidTime | NotFound)
    assert list(company.lenses.list()) == []


def test_a_lens_whose_project_was_forgotten_says_which_and_how_to_mend_it(em: Forge) -> None:
    company = company_in(em)
    company.lenses.save(
        "pair", [{"project": "rules", "role": "critic"}, {"project": "talk", "role": "builder"}]
    )
    company.roles.assign("rules", "critic")
    company.forget(project="rules", confirmed=True)
    with pytest.raises(NotFound, match="no project 'rules', at which the lens 'pair' looks") as refused:
        company.orchestrate(ASKED, lens_name="pair")
    assert "Save it without that one" in refused.value.mend
    with pytest.raises(NotFound, match="no project 'rules', which has a role"):
        company.orchestrate(ASKED)
