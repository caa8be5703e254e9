"""Ids may be shortened wherever one is taken, and a terminal shows them so."""

from __future__ import annotations

import re

import pytest

import engramforge

from .conftest import Cli

_STYLES = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def two(cli: Cli) -> tuple[str, str]:
    """The ids of two memories that were made one after the other."""
    said = ("The harbour opens at six.", "Boats come in from the north.")
    one, two = (cli("remember", each, "--project", "sea", "--json").json["memory"]["id"] for each in said)
    return one, two


def test_every_command_takes_beginnings(cli: Cli, two: tuple[str, str]) -> None:
    whole, other = two
    one, north = whole[:18], other[:18]
    assert cli("show", one, "--json").json["memory"]["id"] == whole
    assert cli("history", one, "--json").json["logical_id"]
    assert cli("revise", one, "The harbour opens at five.", "--json").json["memory"]["version"] == 2
    metadata = (
        "--energy",
        "0.5",
        "--confidence",
        "0.5",
        "--emotion",
        "none",
        "--goal",
        "g",
        "--mindstate",
        "m",
    )
    link = cli("link", one, "CAUSES", north, *metadata, "--json").json["link"]["id"]
    assert [each["id"] for each in cli("links", north, "--json").json["links"]] == [link]
    assert cli("unlink", link[:18], "--json").json["unlinked"]["link_id"] == link
    assert cli("timeline", one, "--json").json["timeline"]["changes"]
    assert cli("invalidate", one, "--json").code == 0
    assert cli("forget", north, "--yes", "--json").code == 0


def test_a_beginning_of_two_names_both_and_changes_nothing(cli: Cli, two: tuple[str, str]) -> None:
    refused = cli("forget", two[0][:6], "--yes", "--json")
    assert refused.code == 2
    for each in two:
        assert each in refused.error["fault"]
    assert len(cli("list", "--json").json["memories"]) == 2


def test_entries_are_named_by_beginnings(cli: Cli) -> None:
    made = cli("decisions", "create", "We ship on Thursdays.", "--project", "sea", "--json").json["id"]
    assert cli("decisions", "show", made[:8], "--json").json["decision"]["id"] == made
    assert [each["id"] for each in cli("decisions", "search", made[:8], "--json").json["decisions"]] == [made]
    assert cli("show", made[:8], "--json").json["memory"]["content"] == "We ship on Thursdays."


def test_a_local_id_of_digits_stays_one(cli: Cli) -> None:
    where = ("--conversation", "planning")
    make = ("--local-id", "D0000012", "--project", "sea", "--json")
    made = cli("decisions", "create", "We ship on Fridays.", *where, *make).json["id"]
    assert cli("decisions", "show", "D0000012", *where, "--json").json["decision"]["id"] == made


def test_a_batch_has_ids_that_can_be_shortened(home: object) -> None:
    with engramforge.open() as forge:
        drafts = [{"content": f"Buoy {number} is green.", "project": "sea"} for number in range(200)]
        ids = [memory.id for memory in forge.remember_many(drafts)]
        assert ids == sorted(ids)
        assert [forge.get(each[:18]).id for each in ids[::20]] == ids[::20]


def test_a_terminal_shows_them_short_and_lists_within_its_columns(
    cli: Cli, on_terminal: Cli, two: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    listed = on_terminal("list").out
    assert two[0][:18] in listed
    assert two[0] not in listed
    assert max(len(_STYLES.sub("", line)) for line in listed.splitlines()) <= 80
    assert "The harbour opens at six." in listed
    assert two[0] in cli("list").out


def test_entries_are_read_on_a_terminal_of_eighty_columns(
    cli: Cli, on_terminal: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = "We ship the harbour's timetable on Thursdays."
    made = cli("decisions", "create", text, "--project", "sea", "--json").json["id"]
    cli("threads", "create", "Who tells the boats from the north?", "--project", "sea")
    for command in (("decisions",), ("threads",), ("history", made)):
        lines = _STYLES.sub("", on_terminal(*command).out).splitlines()
        assert max(map(len, lines)) <= 80
        assert not [line for line in lines if line.rstrip().endswith("-")]
        said = "Who tells the boats from the north?" if command == ("threads",) else text
        assert any(line.endswith(said) for line in lines), lines
    assert made in on_terminal("decisions").out


def test_a_long_title_pads_no_piped_list(cli: Cli, home: object) -> None:
    title = "The harbour master's long account of " + "boats and " * 12 + "lamps"
    with engramforge.open() as forge:
        forge.remember("Fine.", project="sea", session_id="one", metadata={"conversation": title})
    lines = cli("list").out.splitlines()
    assert title[:50] in lines[1]
    assert lines[0].index("content") - lines[0].index("from") <= 62
    assert lines[1].index("Fine.") == lines[0].index("content")
    assert title in cli("list", "--json").json["memories"][0]["where"]
