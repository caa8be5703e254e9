"""The picture of a field: a column for each lens, what agrees and pulls apart between them, in sound SVG."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import engramforge

from .conftest import Cli

SVG = "{http://www.w3.org/2000/svg}"
ASKED = "How should the ferry office take bookings?"


@pytest.fixture
def office(home: Path) -> None:
    """Three projects that agree, disagree, and know nothing."""
    with engramforge.open(str(home)) as em:
        em.remember("The ferry office takes bookings on a web form.", project="ideas")
        em.remember(
            "Take ferry bookings by paper slips </svg> & <script>alert(1)</script> \u2028 \u65e5\u672c\u8a9e.",
            project="ideas",
        )
        em.decisions.create(
            "The ferry office takes bookings on a web form.",
            alternatives_rejected=["paper slips"],
            project="codex",
            tier=0.9,
        )
        em.remember("Bread is baked at four.", project="bakery")
        for project, role in (("ideas", "connector"), ("codex", "navigator"), ("bakery", "builder")):
            em.roles.assign(project, role)


def test_the_picture_shows_columns_lines_and_marks(office: None, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "field.svg"
    told = cli("orchestrate", ASKED, "--plot", str(file), "--json").json
    root = ElementTree.parse(file).getroot()
    texts = ["".join(each.itertext()) for each in root.iter(f"{SVG}text")]
    for lens in told["per_lens"].values():
        assert any(f"{lens['role'].upper()} \u00b7 {lens['project']}" == text for text in texts)
    assert told["convergence"] and told["divergence"] and told["guardian"]
    curves = list(root.iter(f"{SVG}path"))
    assert len(curves) >= len(told["divergence"]) + len(told["convergence"])
    for each in told["convergence"]:
        assert f"{each['combined_mass']:.2f}" in texts
    for each in told["divergence"]:
        assert f"{each['tension']:.2f}" in texts
    assert any("\u26a0 navigator" in text for text in texts)
    assert any(text.startswith("1. ") for text in texts)
    assert any("nothing: a gap" in text for text in texts) == any(
        not any(x["relevant"] for x in each["results"]) for each in told["per_lens"].values()
    )
    assert not list(root.iter(f"{SVG}script")) and "<script>alert" not in file.read_text(encoding="utf-8")
    assert root.find(f"{SVG}title") is not None


def test_every_card_lies_within_the_picture(office: None, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "field.svg"
    done = cli("orchestrate", ASKED, "--plot", str(file))
    assert done.code == 0 and f"Drawn to {file}." in done.err
    root = ElementTree.parse(file).getroot()
    wide, high = float(root.get("width", 0)), float(root.get("height", 0))
    for each in root.iter(f"{SVG}rect"):
        assert float(each.get("x", 0)) + float(each.get("width", 0)) <= wide + 0.01
        assert float(each.get("y", 0)) + float(each.get("height", 0)) <= high + 0.01


@pytest.mark.parametrize(
    ("name", "error", "said"),
    [
        ("field.png", "InvalidValue", "ends in .svg"),
        ("nowhere/field.svg", "StoreUnavailable", "another file"),
    ],
)
def test_a_place_that_cannot_be_is_refused(
    office: None, cli: Cli, tmp_path: Path, name: str, error: str, said: str
) -> None:
    told = cli("orchestrate", ASKED, "--plot", str(tmp_path / name), "--json").error
    assert told["error"] == error and said in told["mend"]
    assert not (tmp_path / name).exists()


def test_without_drawsvg_the_mend_is_named(
    office: None, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "drawsvg", None)
    told = cli("orchestrate", ASKED, "--plot", str(tmp_path / "field.svg"), "--json").error
    assert told["error"] == "ModelUnavailable" and "engramforge[plot]" in told["mend"]
    assert cli("orchestrate", ASKED).code == 0, "nothing else needs it"


def test_the_picture_shows_what_stands_against_an_answer(home: Path, cli: Cli, tmp_path: Path) -> None:
    with engramforge.open(str(home)) as em:
        em.remember("The ferry sails at noon on Sundays.", project="quay")
        em.decisions.create(
            "Ferry crews wear yellow coats.", alternatives_rejected=["blue coats"], project="quay"
        )
        em.decisions.create("Ferry crews wear blue coats.", project="quay")
        em.remember("Coats are mended in winter.", project="office")
        em.conflicts.detect()
        for project, role in (("quay", "builder"), ("office", "critic")):
            em.roles.assign(project, role)
    file = tmp_path / "torn.svg"
    told = cli("orchestrate", "Which coats do ferry crews wear?", "--plot", str(file), "--json").json
    torn = [each for each in told["divergence"] if each["lens_a"] == each["lens_b"]]
    assert torn and all(each["lens_a"] == "builder" for each in torn)
    root = ElementTree.parse(file).getroot()
    assert len(list(root.iter(f"{SVG}path"))) >= len(told["divergence"])
    shown = cli("orchestrate", "Which coats do ferry crews wear?").out
    assert "builder - builder" not in shown and "Somebody has to decide first" in shown
