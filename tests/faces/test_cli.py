"""The command line: every command, in text and as JSON."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import unicodedata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import engramforge
from engramforge.entry import console
from engramforge.faces.cli.commands import doctor

from .conftest import Cli

OVERVIEW = [
    "init",
    "remember",
    "recall",
    "import",
    "show",
    "history",
    "timeline",
    "invalidate",
    "undo",
    "redo",
    "revise",
    "supersede",
    "link",
    "links",
    "unlink",
    "forget",
    "list",
    "projects",
    "stats",
    "doctor",
    "bench",
    "mcp",
]


def _remember(
    cli: Cli, content: str = "We ship on Thursdays, support is short on Fridays.", *more: str
) -> str:
    return str(cli("remember", content, *more, "--json").json["memory"]["id"])


def test_overview_names_every_command(cli: Cli) -> None:
    answer = cli("--help")
    assert answer.code == 0
    for name in OVERVIEW:
        assert f"\n  {name} " in answer.out
    assert "Exit codes" in answer.out


def test_no_command_shows_the_overview(cli: Cli) -> None:
    answer = cli()
    assert answer.code == 2
    assert "Commands" in answer.err


@pytest.mark.parametrize("name", OVERVIEW)
def test_every_command_has_help(cli: Cli, name: str) -> None:
    answer = cli(name, "--help")
    assert answer.code == 0
    assert "--json" in answer.out
    assert "--home" in answer.out


def test_version(cli: Cli) -> None:
    assert engramforge.__version__ in cli("--version").out


def test_init_creates_once_and_connects_nothing(cli: Cli, home: Path) -> None:
    first = cli("init", "--json").json
    assert first["created"] is True
    assert Path(first["location"]).is_relative_to(home)
    assert Path(first["location"]).is_file()
    assert first["claude_code"]["transcripts"] == 0
    again = cli("init", "--json").json
    assert again["created"] is False
    assert again["store_id"] == first["store_id"]
    assert "is there already" in cli("init").out


def test_init_offers_what_claude_code_keeps(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "user" / ".claude" / "projects" / "-boat"
    folder.mkdir(parents=True)
    (folder / "one.jsonl").write_text("{}\n")
    answer = cli("init")
    assert "1 transcripts" in answer.out
    assert f"engramforge import '{folder.parent}'" in answer.out or f"import {folder.parent}" in answer.out
    assert cli("stats", "--json").json["memories"] == 0


def test_remember_then_recall(cli: Cli) -> None:
    memory = cli(
        *("remember", "We ship on Thursdays, support is short on Fridays.", "--project", "shop"),
        *("--kind", "decision", "--speaker", "Ada", "--tag", "release", "--tag", "team", "--energy", "0.8"),
        *(
            "--valid-at",
            "2026-05-01T09:00:00Z",
            "--metadata",
            '{"ticket": 7}',
            "--emotion",
            "joy=0.7",
            "--json",
        ),
    ).json["memory"]
    assert memory["project"] == "shop"
    assert memory["kind"] == "decision"
    assert memory["tags"] == ["release", "team"]
    assert memory["energy"] == 0.8
    assert memory["emotion_vector"] == {"joy": 0.7}
    assert memory["metadata"] == {"ticket": 7}
    assert memory["valid_at"] == "2026-05-01T09:00:00+00:00"
    _remember(cli, "The kitchen smells of coffee.", "--project", "home")

    answer = cli("recall", "when do we ship?", "--project", "shop", "--json").json
    assert [hit["memory"]["id"] for hit in answer["hits"]] == [memory["id"]]
    hit = answer["hits"][0]
    assert hit["rank"] == 1
    assert 0 < hit["mass"] <= 1
    assert set(hit["parts"]) == {
        "similarity",
        "epistemic_tier",
        "freshness",
        "conflict_salience",
        "category_boost",
    }
    assert hit["signals"]
    assert hit["matches"]
    assert hit["found_by"]


def test_recall_prints_reasons(cli: Cli) -> None:
    id_ = _remember(cli, "We ship on Thursdays.", "--speaker", "Ada", "--session", "monday")
    short = cli("recall", "when do we ship?").out
    assert "We ship on Thursdays." in short
    assert id_ in short
    assert "mass" not in short
    out = cli("recall", "when do we ship?", "--explain").out
    assert "We ship on Thursdays." in out
    for word in (
        "mass",
        "similarity",
        "epistemic tier",
        "freshness",
        "signals",
        "spaces",
        "found by",
        "source   api",
    ):
        assert word in out
    assert id_ in out
    assert "default  note  Ada  monday, " in out
    assert "Ada" in out
    assert "\x1b" not in out


def test_recall_of_nothing(cli: Cli) -> None:
    assert "Nothing was found among 0 memories" in cli("recall", "anything at all").out


def test_filters_reach_the_facade(cli: Cli) -> None:
    _remember(
        cli, "The ferry leaves at noon.", "--kind", "decision", "--tag", "sea", "--valid-at", "2024-05-01"
    )
    _remember(cli, "The ferry leaves at dusk.", "--session", "s-9", "--valid-at", "2025-05-01")

    def found(*options: str) -> list[str]:
        hits = cli("recall", "when does the ferry leave?", *options, "--json").json["hits"]
        return sorted(hit["memory"]["content"].split()[-1] for hit in hits)

    assert found() == ["dusk.", "noon."]
    assert found("--kind", "decision") == ["noon."]
    assert found("--tag", "sea") == ["noon."]
    assert found("--session", "s-9") == ["dusk."]
    assert found("--since", "2025-01-01") == ["dusk."]
    assert found("--until", "2025-01-01") == ["noon."]
    assert found("--as-of-valid", "2024-06-01") == ["noon."]
    assert found("--as-of-recorded", "2024-06-01") == []
    assert len(found("--limit", "1")) == 1
    assert found("--min-score", "1") == []
    assert found("--budget", "0") == ["dusk.", "noon."]
    assert len(found("--budget", "30")) == 1


def test_several_projects(cli: Cli) -> None:
    for project in ("a", "b", "c"):
        _remember(cli, f"The bridge in {project} is closed.", "--project", project)
    hits = cli("recall", "bridge closed", "--project", "a", "--project", "c", "--json").json["hits"]
    assert {hit["memory"]["project"] for hit in hits} == {"a", "c"}


def test_content_from_standard_input(cli: Cli) -> None:
    text = "Grüße aus dem Hafen: ☀ und Wind.\nZweite Zeile."
    memory = cli("remember", "-", "--json", stdin=text.encode()).json["memory"]
    assert memory["content"] == text
    assert cli("remember", "--json", stdin=b"Without a dash.").json["memory"]["content"] == "Without a dash."
    assert cli("recall", "-", "--json", stdin=b"harbour wind").json["query"] == "harbour wind"


def test_show_lists_fields_and_links(cli: Cli) -> None:
    id_ = _remember(cli, "The gate code is on the fridge.", "--goal", "get in", "--tag", "house")
    shown = cli("show", id_, "--json").json
    assert shown["memory"]["id"] == id_
    assert shown["links"] == []
    out = cli("show", id_).out
    assert "The gate code is on the fridge." in out
    assert "get in" not in out
    assert "get in" in cli("show", id_, "--all").out
    cli("revise", id_, "The gate code is in the drawer.")
    links = cli("show", id_, "--json").json["links"]
    assert [link["relation"] for link in links] == ["REVISES"]
    out = cli("show", shown["memory"]["logical_id"]).out
    assert "in the drawer" in out
    assert "Links" not in out


def test_a_write_says_how_many_secrets_it_replaced(cli: Cli) -> None:
    keys = ["ghp_" + "a1B2" * 9, "ghp_" + "c3D4" * 9]
    said = cli("remember", f"The keys are {keys[0]} and {keys[1]}.", "--tag", keys[0])
    assert said.out.endswith("as note. 3 secrets were replaced.\n")
    again = cli("remember", f"The keys are {keys[0]} and {keys[1]}.", "--json").json
    assert again["redacted"] == 2
    assert again["memory"]["id"] in said.out
    revised = cli("revise", again["memory"]["id"], f"The key is {keys[1]}.")
    assert revised.out.endswith(" 1 secret was replaced.\n")
    plain = cli("supersede", again["memory"]["logical_id"], "There is no key any more.", "--json").json
    assert plain["redacted"] == 0


def test_revise_and_history(cli: Cli) -> None:
    id_ = _remember(cli, "The limit is 210 cm.")
    revised = cli("revise", id_, "The limit is 205 cm.", "--confidence", "0.9", "--json").json["memory"]
    assert revised["version"] == 2
    assert revised["confidence"] == 0.9
    only_tags = cli("revise", id_, "--tag", "water", "--expected-version", "2", "--json").json["memory"]
    assert only_tags["content"] == "The limit is 205 cm."
    assert only_tags["tags"] == ["water"]
    history = cli("history", id_, "--json").json
    assert history["logical_id"] == revised["logical_id"]
    assert [version["version"] for version in history["versions"]] == [1, 2, 3]
    assert history["versions"][0]["invalidation_reason"] == "discovered_false"
    out = cli("history", id_).out
    assert "The limit is 210 cm." in out
    assert "discovered_false" in out
    told = cli("revise", id_, "-", stdin=b"The limit is 200 cm.").out
    newest = cli("history", id_, "--json").json["versions"][-1]
    lasting = f"{newest['logical_id']} names it in every version."
    assert told == f"Revised {id_}: its version 4 is {newest['id']}. {lasting}\n"
    assert "in every version" not in cli("revise", newest["logical_id"], "It is 195 cm.").out
    assert f"Ended {id_}: it held until" in cli("invalidate", id_).out


def test_supersede_keeps_what_was_true(cli: Cli) -> None:
    id_ = _remember(cli, "Billing is Ada's job.", "--valid-at", "2026-01-01", "--recorded-at", "2026-01-01")
    new = cli("supersede", id_, "Billing is Ben's job.", "--at", "2026-05-01", "--json").json["memory"]
    assert new["valid_at"] == "2026-05-01T00:00:00+00:00"

    def answer(*options: str) -> str:
        hits = cli("recall", "whose job is billing?", *options, "--json").json["hits"]
        return str(hits[0]["memory"]["content"])

    assert answer() == "Billing is Ben's job."
    assert answer("--as-of-valid", "2026-04-15") == "Billing is Ada's job."
    assert answer("--as-of", "2026-04-15") == "Billing is Ada's job."
    assert "since" in cli("supersede", id_, "Billing is Cleo's job.").out


def test_conflict(cli: Cli) -> None:
    id_ = _remember(cli)
    cli("revise", id_, "Something else.")
    answer = cli("revise", id_, "Too late.", "--expected-version", "1", "--json")
    assert answer.code == 4
    assert answer.error["error"] == "Conflict"


def test_forget_needs_a_yes(cli: Cli) -> None:
    id_ = _remember(cli, "The spare key hangs behind the clock.")
    refused = cli("forget", id_, "--json")
    assert refused.code == 2
    assert "--yes" in refused.error["mend"]
    assert cli("show", id_).code == 0
    proof = cli("forget", id_, "--yes", "--reason", "asked for", "--json").json["forgotten"]
    assert proof["versions"] == 1
    assert proof["verified"] is True
    assert cli("show", id_, "--json").error["error"] == "NotFound"
    assert cli("forget", id_, "--yes").code == 3
    other = _remember(cli, "The spare key hangs behind the mirror.")
    assert "nothing of it is left" in cli("forget", other, "--yes").out


def test_list_and_projects(cli: Cli) -> None:
    assert "No memory fits" in cli("list").out
    assert "no project" in cli("projects").out
    for number in range(3):
        _remember(cli, f"Entry {number}.", "--project", "log", "--valid-at", f"2025-01-0{number + 1}")
    listed = cli("list", "--project", "log", "--limit", "2", "--json").json
    assert [each["content"] for each in listed["memories"]] == ["Entry 2.", "Entry 1."]
    assert (listed["limit"], listed["offset"]) == (2, 0)
    assert [each["content"] for each in cli("list", "--offset", "2", "--json").json["memories"]] == [
        "Entry 0."
    ]
    assert "Entry 1." in cli("list").out
    projects = cli("projects", "--create", "empty", "--json").json["projects"]
    assert {each["name"]: each["memories"] for each in projects} == {"log": 3, "empty": 0}
    assert "log" in cli("projects").out


def test_stats(cli: Cli, home: Path) -> None:
    _remember(cli, "Counted.", "--project", "p", "--session", "s", "--kind", "learning")
    stats = cli("stats", "--json").json
    assert stats["memories"] == 1
    assert stats["by_kind"] == {"learning": 1}
    assert stats["by_project"] == {"p": 1}
    assert stats["bytes_on_disk"] > 0
    assert str(home) in stats["location"]
    out = cli("stats").out
    assert str(home) in out
    assert "learning" in out


def test_import_reports_and_repeats_nothing(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "turns.jsonl"
    lines = [json.dumps({"content": f"Turn number {number} about the tide."}) for number in range(3)]
    path.write_text("\n".join([*lines, "{broken"]) + "\n")
    first = cli("import", str(path), "--project", "sea", "--json").json
    assert first["written"] == 3
    assert [fault["line"] for fault in first["faults"]] == [4]
    assert cli("import", str(path), "--project", "sea", "--json").json["written"] == 0
    out = cli("import", str(path), "--project", "river").out
    assert "3" in out
    assert f"{path}:4" in out


def test_import_of_markdown(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("# Tides\n\nSpring tides follow the full moon by two days.\n")
    report = cli("import", str(folder), "--project", "sea", "--json").json
    assert report["files"] == 1
    assert report["written"] >= 1
    assert cli("recall", "spring tides", "--project", "sea", "--json").json["hits"]


def test_an_agent_sees_its_own(cli: Cli) -> None:
    _remember(cli, "Ada keeps bees.", "--agent", "ada")
    assert cli("recall", "bees", "--agent", "ada", "--json").json["hits"]
    assert cli("--agent", "ada", "recall", "bees", "--json").json["hits"]
    assert not cli("recall", "bees", "--agent", "ben", "--json").json["hits"]


def test_home_of_the_call_wins(cli: Cli, tmp_path: Path, home: Path) -> None:
    other = tmp_path / "other"
    _remember(cli, "Elsewhere.", "--home", str(other))
    assert not home.exists()
    assert cli("--home", str(other), "stats", "--json").json["memories"] == 1
    assert cli("--home", str(home), "stats", "--home", str(other), "--json").json["memories"] == 1


def test_terminal_commands_in_a_memory_are_made_visible(cli: Cli) -> None:
    id_ = _remember(cli, "Clear \x1b[2J the \x9b31m screen \u202egnorw\u202c now.")
    for command in (("recall", "clear the screen"), ("show", id_), ("list",), ("history", id_)):
        out = cli(*command).out
        assert "\x1b" not in out
        assert "\x9b" not in out
        assert "\u202e" not in out
    assert "\\x1b[2J" in cli("show", id_).out
    assert "\x1b[2J" in cli("show", id_, "--json").json["memory"]["content"]


def test_doctor_on_an_empty_machine(cli: Cli, home: Path) -> None:
    report = cli("doctor", "--json").json
    assert report["sound"] is True
    assert "note" in {check["state"] for check in report["checks"]}
    assert not home.exists()


def test_doctor_on_a_sound_store(cli: Cli) -> None:
    _remember(cli)
    report = cli("doctor", "--json").json
    assert report["sound"] is True
    assert {check["state"] for check in report["checks"]} == {"ok"}
    assert {"store", "integrity", "model", "encoders", "permission", "space"} <= {
        check["name"] for check in report["checks"]
    }
    assert "Everything is sound" in cli("doctor").out


def test_doctor_finds_a_damaged_store(cli: Cli, home: Path) -> None:
    _remember(cli)
    location = Path(cli("stats", "--json").json["location"])
    location.write_bytes(b"this is no database, whatever its name says" * 200)
    for path in location.parent.glob(location.name + "-*"):
        path.unlink()
    answer = cli("doctor", "--json")
    assert answer.code == 1
    faults = [check for check in json.loads(answer.out)["checks"] if check["state"] == "fault"]
    assert [check["name"] for check in faults] == ["store"]
    assert "StoreCorrupt" in faults[0]["found"]
    assert faults[0]["mend"]
    text = cli("doctor")
    assert text.code == 1
    assert faults[0]["mend"] in text.out


def test_doctor_finds_a_wrong_setting(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGRAMFORGE_BUSY_TIMEOUT_MS", "soon")
    answer = cli("doctor", "--json")
    assert answer.code == 1
    assert "busy_timeout_ms" in answer.out


def test_a_colourless_table_is_aligned(cli: Cli) -> None:
    _remember(cli, "One.", "--project", "short")
    _remember(cli, "Two.", "--project", "a-much-longer-name")
    lines = cli("projects").out.splitlines()
    assert lines[0].split() == ["project", "memories", "since"]
    assert len({line.index(" 1 ") for line in lines[1:]}) == 1


def test_a_project_is_as_old_as_the_first_that_is_true_in_it(cli: Cli) -> None:
    _remember(cli, "The mill was built.", "--project", "mill", "--valid-at", "1890-03-01")
    _remember(cli, "The mill turns.", "--project", "mill")
    cli("projects", "--create", "empty")
    empty, mill = (line.split() for line in cli("projects").out.splitlines()[1:])
    assert (empty, mill) == (["empty", "0"], ["mill", "2", "1890-03-01"])
    assert cli("projects", "--json").json["projects"][1]["first_at"] == "1890-03-01T00:00:00+00:00"


def test_a_terminal_gets_colour(cli: Cli, on_terminal: Cli) -> None:
    _remember(cli, "We ship on [bold]Thursdays[/bold], always.", "--project", "shop")
    for command in (("recall", "when do we ship?"), ("projects",), ("list",), ("doctor",), ("init",)):
        answer = on_terminal(*command)
        assert answer.code == 0
        assert "\x1b[" in answer.out, command
    assert "[bold]Thursdays[/bold]" in on_terminal("recall", "when do we ship?").out


def test_a_table_fits_the_terminal(cli: Cli, on_terminal: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "70")
    _remember(cli, "漢字 are counted as two columns each, and a long text goes on in the next line.")
    _remember(cli, "Short.")
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in on_terminal("timeline").out.splitlines()]
    columns = [sum(1 + (unicodedata.east_asian_width(part) in "WF") for part in line) for line in lines]
    assert max(columns) <= 70
    assert len(lines) > 4, "it was wrapped"


def test_a_terminal_is_asked_before_much_is_undone(cli: Cli, on_terminal: Cli) -> None:
    _remember(cli, " ".join(f"T0{number}: tar plank {number}." for number in range(10, 35)))
    refused = on_terminal("undo", typed="n\n")
    assert (refused.code, refused.out) == (0, "")
    assert refused.err.endswith("Nothing was changed.\n") and "Interrupted" not in refused.err
    assert len(cli("threads", "--limit", "100", "--json").json["threads"]) == 25
    assert on_terminal("undo", typed="y\n").code == 0
    assert cli("threads", "--json").json["threads"] == []


def test_a_terminal_is_asked_before_forgetting(cli: Cli, on_terminal: Cli) -> None:
    id_ = _remember(cli, "The old password list is in the attic.")
    refused = on_terminal("forget", id_, typed="n\n")
    assert refused.code == 0
    assert "Nothing was removed" in refused.err
    assert "Interrupted" not in refused.err
    assert "attic" in refused.err
    assert cli("show", id_).code == 0
    assert "nothing of it is left" in on_terminal("forget", id_, typed="y\n").out
    assert cli("show", id_).code == 3


def test_a_conversation_a_file_and_a_project_are_forgotten_as_one(
    cli: Cli, on_terminal: Cli, tmp_path: Path
) -> None:
    for number in range(3):
        _remember(
            cli, f"Attic {number}.", "--kind", "message", "--session", "talk", "--sequence", str(number)
        )
    page = tmp_path / "page.md"
    page.write_text("# Cellar\n\nThe wine is in the cellar.\n")
    assert cli("import", str(page), "--project", "house").code == 0
    refused = on_terminal("forget", "--conversation", "talk", typed="n\n")
    assert refused.code == 0 and "removes 3 memories" in refused.err
    assert "Add --yes" in cli("forget", "--conversation", "talk").err
    assert "3 memories" in on_terminal("forget", "--conversation", "talk", typed="y\n").out
    assert cli("forget", "--file", str(page), "--yes", "--json").json["forgotten"]["memories"] == 1
    assert cli("forget", "--project", "house", "--yes", "--json").json["forgotten"]["memories"] == 0
    assert cli("forget", "--project", "house", "--yes").code == 3
    ids = [_remember(cli, f"Roof {number}.") for number in range(2)]
    assert cli("forget", *ids, "--yes", "--json").json["forgotten"]["memories"] == 2
    assert cli("forget", "--yes").code == 2


def test_an_empty_terminal_is_no_content(on_terminal: Cli) -> None:
    answer = on_terminal("remember")
    assert answer.code == 2
    assert "There is no content" in answer.err


def test_import_moves_a_bar_on_a_terminal(on_terminal: Cli, tmp_path: Path) -> None:
    path = tmp_path / "turns.jsonl"
    path.write_text("".join(json.dumps({"content": f"Turn {number}."}) + "\n" for number in range(600)))
    answer = on_terminal("import", str(path), "--project", "p")
    assert answer.code == 0
    assert "1/1 file," in answer.err
    assert "600 memories" in answer.err


def test_the_console_entry_point(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("remember", "Something.")
    monkeypatch.setattr(sys, "argv", ["engramforge", "stats", "--json"])
    assert console.main() == 0


def test_unlikely_things_that_the_doctor_finds(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _remember(cli)
    monkeypatch.setattr(doctor, "_LEAST_FREE_BYTES", 10**18)
    answer = cli("doctor", "--json")
    assert answer.code == 1
    faults = [check for check in json.loads(answer.out)["checks"] if check["state"] == "fault"]
    assert [check["name"] for check in faults] == ["space"]
    assert "free" in faults[0]["found"]


def test_the_doctor_finds_a_missing_model(cli: Cli, tmp_path: Path) -> None:
    _remember(cli)
    spec = find_spec("wordllama")
    assert spec is not None
    assert spec.submodule_search_locations
    copy = tmp_path / "site" / "wordllama"
    shutil.copytree(
        spec.submodule_search_locations[0], copy, ignore=shutil.ignore_patterns("*.safetensors", "*.so")
    )
    answer = _fresh_doctor(copy.parent)
    assert answer[0] == 1
    faults = [check for check in answer[1]["checks"] if check["state"] == "fault"]
    assert [check["name"] for check in faults] == ["model"]
    assert "ModelUnavailable" in faults[0]["found"]
    assert faults[0]["mend"]


def _fresh_doctor(first: Path) -> tuple[int, dict[str, Any]]:
    """The doctor in a process of its own, which looks for packages in a folder first."""
    done = subprocess.run(
        [sys.executable, "-m", "engramforge.entry.console", "doctor", "--json"],
        env={**os.environ, "PYTHONPATH": str(first)},
        capture_output=True,
        check=False,
    )
    return done.returncode, json.loads(done.stdout)


def test_a_forget_and_its_undo_name_what_was_asked_for(cli: Cli) -> None:
    first = cli("remember", "The cellar floods in March", "--json").json["memory"]
    version = cli("revise", first["id"], "The cellar floods in April", "--json").json["memory"]["id"]
    assert f"Forgotten: {version}," in cli("forget", version, "--yes").out
    for said in ("Ada keeps the pump", "Ben keeps the hose"):
        cli("remember", said, "--session", "talk-9")
    cli("forget", "--conversation", "talk-9", "--yes")
    refused = cli("undo")
    assert refused.code == 4
    assert "forgetting 2 memories at once" in refused.err


def test_a_forget_says_what_else_may_repeat_it(cli: Cli) -> None:
    said = ("the locker opens with marigold 8830", "Fine, marigold 8830.")
    code, answer = (
        cli("remember", each, "--session", "talk-7", "--json").json["memory"]["id"] for each in said
    )
    out = cli("forget", code, "--yes").out
    assert "talk-7 has 1 other memory" in out and "forget --conversation talk-7" in out
    assert "--conversation" not in cli("forget", answer, "--yes").out
    alone = _remember(cli, "the gulls are loud")
    assert "--conversation" not in cli("forget", alone, "--yes").out
