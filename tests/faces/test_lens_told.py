"""What a person is told of lenses: what answers alone, steps with their ids, dates in words, clusters with a way on."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

import engramforge

from .conftest import Cli

SVG = "{http://www.w3.org/2000/svg}"
PROJECTS = ("bay", "pier", "yard")
TRIPLE = (
    '[{"project": "bay", "role": "navigator"}, {"project": "pier", "role": "critic"},'
    ' {"project": "yard", "role": "builder"}]'
)


@pytest.fixture
def three(home: Path) -> None:
    """Three projects that tell of fares and of lunch."""
    with engramforge.open(str(home)) as em:
        em.decisions.create("Ferry fares are stored as integer cents.", project="bay", valid_at="2026-01-01")
        em.remember("Ferry fares are stored by the hundred.", project="pier")
        em.decisions.create("Ferry fares are stored as floating point numbers.", project="yard")
        for project in PROJECTS:
            em.remember("Lunch for the whole crew is served at noon.", project=project)


def test_what_does_not_answer_is_said_to_be_the_nearest(three: None, cli: Cli) -> None:
    told = cli("orchestrate", "What did the captain's wedding cost?", "--lenses", TRIPLE).out
    assert "Nothing that is known answers this." in told
    assert "agree" not in told and "what to do first" not in told
    answered = cli("orchestrate", "How are ferry fares stored?", "--lenses", TRIPLE).out
    assert "Nothing that is known" not in answered and "Lunch" not in answered


def test_a_step_names_its_ids_and_what_it_is_about(three: None, cli: Cli) -> None:
    asked = ("orchestrate", "How are ferry fares stored?", "--lenses", TRIPLE)
    first = cli(*asked, "--json").json["field"]["steps"][0]
    told = cli(*asked).out
    assert first["act"] == "decide" and all(each in told for each in first["ids"])
    assert "integer cents" in first["because"] and "floating point" in first["because"]
    assert "Somebody has to decide first, whatever the coherence." in told


def test_a_lens_with_a_date_says_which(three: None, cli: Cli) -> None:
    lenses = (
        '[{"project": "bay", "role": "navigator", "as_of_valid": "2026-02-01"},'
        ' {"project": "bay", "role": "navigator"}]'
    )
    told = cli("orchestrate", "How are ferry fares stored?", "--lenses", lenses).out
    assert "navigator:bay@held 2026-02-01, directional gravity" in told
    assert "@true" not in told and "(bay as of" not in told


def test_roles_and_counts_are_told_in_english(three: None, cli: Cli) -> None:
    assert "bay is an evaluator (" in cli("roles", "assign", "bay", "evaluator").out
    assert "pier is a critic (" in cli("roles", "assign", "pier", "critic").out
    assert " 1 cluster." in cli("scan", "--threshold", "0.9").out


def test_a_scan_shows_members_of_several_projects_and_how_to_see_more(three: None, cli: Cli) -> None:
    told = cli("scan", "--threshold", "0.5", "--json").json["scan"]
    assert len(told["clusters"]) == 2
    shown = cli("scan", "--latest", "--limit", "1").out
    assert all(each in shown for each in told["clusters"][0][:3])
    assert all(name in shown for name in PROJECTS)
    assert "1 of 2 clusters; --limit 2 shows all" in shown
    assert "--limit" not in cli("scan", "--latest").out
    assert cli("scan", "--limit", "0").code != 0


def test_lines_pass_no_card_and_the_legend_stays_within(three: None, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "field.svg"
    asked = ("orchestrate", "How are ferry fares stored?", "--lenses", TRIPLE)
    view = cli(*asked, "--plot", str(file), "--json").json
    assert any({each["lens_a"], each["lens_b"]} == {"navigator", "builder"} for each in view["divergence"])
    root = ElementTree.parse(file).getroot()
    cards = [
        [float(each.get(name, 0)) for name in ("x", "y", "width", "height")]
        for each in root.iter(f"{SVG}rect")
        if each.get("rx") == "6"
    ]
    for path in root.iter(f"{SVG}path"):
        drawn = path.get("d", "")[1:]
        if "C" in drawn:
            begin, end = drawn.split(",")[0], drawn.split(",")[-2]
            assert 0 < float(end) - float(begin) <= 110, "a curve stays between two columns"
            continue
        points = [tuple(map(float, each.split(","))) for each in drawn.split("L")]
        for (x, y), (to_x, to_y) in pairwise(points):
            for left, top, wide, high in cards:
                is_over = min(x, to_x) < left + wide - 1 and max(x, to_x) > left + 1
                assert not (is_over and min(y, to_y) < top + high and max(y, to_y) > top)
    edge = float(root.get("width", 0))
    for each in root.iter(f"{SVG}text"):
        if each.get("text-anchor") != "end" and each.get("font-size") == "11":
            assert float(each.get("x", 0)) + 6 * len("".join(each.itertext())) <= edge
