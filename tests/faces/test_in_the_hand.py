"""The command line in the hand: completion, likeness, short answers, links without metadata, past times."""

from __future__ import annotations

from pathlib import Path

import pytest

from engramforge.faces.cli import program

from .conftest import Cli


def _remember(cli: Cli, text: str, *more: str) -> str:
    return str(cli("remember", text, "--project", "sea", *more, "--json").json["memory"]["id"])


def test_a_mistyped_command_is_told_its_likeness(cli: Cli) -> None:
    assert "'remember'" in cli("rmember", "x", "--json").error["fault"]
    assert "'show'" in cli("decisions", "shwo", "--json").error["fault"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_of_each_shell(cli: Cli, shell: str) -> None:
    script = cli("completion", shell)
    assert script.code == 0
    assert "_ENGRAMFORGE_COMPLETE" in script.out
    assert "engramforge" in script.out


@pytest.mark.parametrize(
    ("line", "offered"),
    [("engramforge rem", {"remember"}), ("engramforge recall --as-of", {"--as-of", "--as-of-valid"})],
)
def test_what_a_line_may_go_on_with(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, line: str, offered: set[str]
) -> None:
    monkeypatch.setenv("_ENGRAMFORGE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
    words = {each.split(",")[-1] for each in cli().out.split()}
    assert offered <= words
    assert all(each.startswith(line.split()[-1]) for each in words)


def test_an_installed_package_has_no_benchmarks(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert "bench" in cli("--help").out
    monkeypatch.setattr(program, "BENCHMARKS", tmp_path)
    assert "bench" not in cli("--help").out
    assert cli("bench", "locomo").code == 2


def test_a_link_works_without_metadata_and_says_what_it_took(cli: Cli) -> None:
    fog = _remember(cli, "The harbour is fogged in.", "--goal", "be safe", "--energy", "0.7")
    late = _remember(cli, "The ferry is late.")
    said = cli("link", fog, late, "--relation", "CAUSES")
    assert said.code == 0
    assert "Taken from the source: energy 0.7" in said.out
    assert "goal be safe, mindstate captured" in said.out
    (link,) = cli("links", late, "--json").json["links"]
    assert (link["relation"], link["energy"], link["goal"]) == ("CAUSES", 0.7, "be safe")
    assert cli("link", fog, late).code == 2


def test_a_link_takes_only_what_was_not_said(cli: Cli) -> None:
    fog, late = _remember(cli, "The harbour is fogged in."), _remember(cli, "The ferry is late.")
    made = cli("link", fog, late, "--relation", "CAUSES", "--goal", "warn", "--json").json["link"]
    assert (made["goal"], made["mindstate"]) == ("warn", "captured")


def test_a_change_in_the_past_of_a_fresh_memory(cli: Cli) -> None:
    old = _remember(cli, "The harbour opens at six.", "--valid-at", "2026-01-01")
    assert cli("supersede", old, "The harbour opens at five.", "--at", "2026-02-01").code == 0
    fresh = _remember(cli, "The pier is closed.")
    refused = cli("supersede", fresh, "The pier is open.", "--at", "2026-02-01", "--json")
    assert "revise --valid-at" in refused.error["mend"]
    assert cli("revise", fresh, "--valid-at", "2026-01-01").code == 0
    assert cli("supersede", fresh, "The pier is open.", "--at", "2026-02-01").code == 0


def test_a_time_before_the_first_record_points_to_what_held_then(cli: Cli) -> None:
    _remember(cli, "The harbour opens at six.", "--valid-at", "2020-01-01")
    for asked in (("recall", "harbour"), ("list",)):
        assert "--as-of-valid" in cli(*asked, "--as-of", "2021-01-01").out
        assert "--as-of-valid" not in cli(*asked, "--as-of-valid", "2021-01-01").out
        assert "harbour" in cli(*asked, "--as-of-valid", "2021-01-01").out
    assert "--as-of-valid" not in cli("list", "--kind", "decision").out


def test_show_is_short(cli: Cli) -> None:
    long = _remember(cli, "\n".join(f"Buoy {number} is green." for number in range(40)))
    short = cli("show", long).out
    assert len(short.splitlines()) < 25
    assert "28 lines more with --all" in short
    assert "Buoy 39" not in short
    assert "Buoy 39" in cli("show", long, "--all").out


def test_an_import_adds_up_and_says_what_it_did_not_read(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    (folder / ".git").mkdir(parents=True)
    lines = ('{"content": "Lamp oil."}', '{"content": "Lamp oil."}', '{"content": ""}', "not json")
    (folder / "notes.jsonl").write_text("\n".join(lines) + "\n")
    (folder / "program.x").write_text("x")
    (folder / "page.md").write_text("# Pier\n\nThe pier. ![](gone.png)\n")
    told = cli("import", str(folder), "--project", "sea")
    assert told.code == 0
    counted = {
        " ".join(line.split()[:-1]): line.split()[-1] for line in told.out.splitlines() if "  " in line
    }
    parts = ("remembered", "there already", "nothing to remember", "broken")
    assert int(counted["records found"]) == sum(int(counted.get(each, 0)) for each in parts) == 5
    assert "Broken, and skipped: 2 records" in told.out
    assert "With a note: 1 record" in told.out
    assert "1 file: program.x" in told.out
    assert "git history" in told.out


@pytest.mark.parametrize(("text", "code"), [("{}\n[]\n", 2), ('{"content": ""}\n{"content": 5}\n', 1)])
def test_an_import_of_broken_records_alone_fails(cli: Cli, tmp_path: Path, text: str, code: int) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text(text)
    assert cli("import", str(path)).code == code
    assert cli("import", str(path), "--json").code == code


def test_a_sweep_does_not_ask_what_imported_texts_were_for(cli: Cli, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Pier\n\nThe pier is of oak.\n")
    cli("import", str(page), "--project", "sea")
    assert cli("doctor", "--sweep", "--json").json["sweep"]["counts"] == {}
    _remember(cli, "Said by hand.")
    assert cli("doctor", "--sweep", "--json").json["sweep"]["counts"] == {"memory metadata": 1}
