"""A write tells what it did beside storing: on the command line, in JSON and over MCP; a quiet one says no more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.mcp_server import client_of

import engramforge

from .conftest import Cli

TEXT = "D002: use hemp ropes. D001 is superseded by D002. T001: order the ropes"
PLACE = ("--project", "ferry", "--session", "c1")


def _begin(cli: Cli) -> None:
    for conversation in ("c1", "c2"):
        name = f"Use nylon for {conversation}"
        cli(
            "decisions",
            "create",
            name,
            "--project",
            "ferry",
            "--conversation",
            conversation,
            "--local-id",
            "D001",
        )


def _remember(home: Path, *texts: str, **fields: Any) -> list[tuple[str, dict[str, Any]]]:
    """Texts remembered over MCP: what a model reads, and what a program does."""

    async def asked() -> list[tuple[str, dict[str, Any]]]:
        async with client_of(home) as client:
            answers = [
                await client.call_tool(
                    "forge_remember", {"content": text, "project": "ferry", "session_id": "c1", **fields}
                )
                for text in texts
            ]
        return [(each.content[0].text, each.structured_content) for each in answers]  # type: ignore[union-attr,misc]

    return anyio.run(asked)


def test_the_command_line_tells_what_words_did(cli: Cli) -> None:
    _begin(cli)
    told = cli("remember", TEXT, *PLACE).out.splitlines()
    assert [line.partition(" (")[0] for line in told[1:]] == [
        "Made decision D002",
        "Made thread T001",
        "Ended decision D001",
    ]
    assert told[3].endswith("superseded): Use nylon for c1")
    assert cli("remember", TEXT, *PLACE).out.startswith("There already: ")
    quiet = cli("remember", "The harbour is quiet.", *PLACE).out
    assert quiet.startswith("Remembered ") and quiet.count("\n") == 1
    source = ("--source", "assistant_response")
    waits = cli("remember", "D002 is superseded.", *PLACE, *source)
    assert waits.out.count("\n") == 2
    many = cli(
        "remember", " ".join(f"T1{number:02d}: tar plank {number}." for number in range(12)), *PLACE
    ).out
    assert many.count("Made thread") == 8 and "\n4 more: engramforge links " in many


def test_json_and_mcp_have_the_same_fields(cli: Cli, home: Path) -> None:
    _begin(cli)
    by_cli = cli("remember", TEXT, *PLACE, "--json").json
    assert [(each["act"], each["local_id"]) for each in by_cli["consequences"]] == [
        ("made", "D002"),
        ("made", "T001"),
        ("ended", "D001"),
    ]
    assert by_cli["is_duplicate"] is False
    again, quiet, did = _remember(
        home, TEXT, "The harbour is quiet.", "T001 is done. D002 is superseded.", speaker="user"
    )
    assert again[0].startswith("There already: ") and again[1]["is_duplicate"] is True
    assert again[1]["memory"]["logical_id"] == by_cli["memory"]["logical_id"]
    assert (quiet[1]["consequences"], quiet[1]["is_duplicate"]) == ([], False)
    assert quiet[0].endswith("as note.")
    assert {(each["act"], each["local_id"]) for each in did[1]["consequences"]} == {
        ("ended", "T001"),
        ("ended", "D002"),
    }
    assert did[1]["consequences"][0].keys() == by_cli["consequences"][0].keys()
    assert f'ended thread T001 {by_cli["consequences"][1]["id"]} "order the ropes"' in did[0]


def test_a_name_that_nothing_has_is_told_in_the_same_words(cli: Cli, home: Path) -> None:
    _begin(cli)
    for named in ("--session", "--conversation"):
        told = cli("remember", f"D009 no longer holds, said by {named}", "--project", "ferry", named, "c1")
        assert told.out.splitlines()[1:] == ["No D009 in this conversation."]
    several = cli("remember", "D001 no longer holds", "--project", "ferry").out
    assert "Several conversations have a D001 (" in several and "c1" in several and "c2" in several
    elsewhere = cli("remember", "T009 is done", "--project", "ferry", "--json").json["consequences"]
    assert elsewhere == [
        {
            "act": "unknown",
            "kind": "thread",
            "id": "",
            "local_id": "T009",
            "text": "No T009 in this project",
            "status": "",
            "why": "",
        }
    ]
    ((told, answer),) = _remember(home, "D009 is superseded.", speaker="user")
    assert told.endswith(" No D009 in this conversation.")
    assert [(each["act"], each["local_id"]) for each in answer["consequences"]] == [("unknown", "D009")]
    assert "wait" not in told and cli("review").out.startswith("Nothing waits")


def test_nothing_ends_for_a_successor_that_cannot_be(home: Path) -> None:
    for text in ("D001: use tar", "D002: use pitch", "D003: use wax", "D001 is superseded by D002."):
        _remember(home, text, speaker="user")
    _remember(home, "D002 is superseded by D003.", speaker="user")
    for text, said in (
        ("D003 is superseded by D003.", "D003 cannot take its own place"),
        ("D003 is superseded by D099.", "No D099 in this conversation"),
        ("D003 is superseded by D001.", "D001 cannot take the place of D003: it is superseded"),
    ):
        ((told, answer),) = _remember(home, text, speaker="user")
        assert [(each["act"], each["text"]) for each in answer["consequences"]] == [("unknown", said)]
        assert f" {said}." in told
    with engramforge.open(home) as forge:
        assert [each.local_id for each in forge.decisions.browse(status="active")] == ["D003"]


def test_an_entry_is_told_by_its_name(cli: Cli) -> None:
    _begin(cli)
    made = cli(
        "decisions", "create", "Use DVC", "--local-id", "D003", "--session", "c1", "--project", "ferry"
    ).out
    assert made.startswith("Decided D003 (dec_") and made.endswith("active, version 1): Use DVC\n")
    told = cli("remember", "Use black", "--kind", "decision", "--project", "ferry").out.splitlines()[1]
    assert told.startswith("Made decision dec_") and told.endswith(" (active): Use black")
    opened = cli("threads", "create", "Ship it", "--local-id", "T003", "--conversation", "c1").out
    assert opened.startswith("Opened T003 (thr_") and opened.endswith("open, medium): Ship it\n")
    head, *rows = cli("decisions", "--session", "c1").out.splitlines()
    assert head.startswith("name  decision ") and {row[:4] for row in rows} == {"D001", "D003"}
    assert cli("threads").out.splitlines()[1].startswith("T003  Ship it ")


def test_what_waits_is_told_with_its_entry_and_conversation(cli: Cli, home: Path) -> None:
    _begin(cli)
    for conversation in ("c1", "c2"):
        ((told, answer),) = _remember(home, "D001 is superseded.", session_id=conversation, near=False)
        assert told.endswith("1 waits for review, its entry was made by hand (engramforge review).")
        assert [(each["act"], each["why"]) for each in answer["consequences"]] == [
            ("waits", "its entry was made by hand")
        ]
    waiting = {each["conversation_id"]: each for each in cli("review", "--json").json["pending"]}
    assert {name: each["entry"]["text"] for name, each in waiting.items()} == {
        "c1": "Use nylon for c1",
        "c2": "Use nylon for c2",
    }
    rows = [line for line in cli("review").out.splitlines() if "flg_" in line]
    for conversation, each in waiting.items():
        (row,) = [line for line in rows if each["id"] in line]
        assert f"D001 Use nylon for {conversation}" in row and f" {conversation} " in row


@pytest.mark.parametrize(
    ("text", "speaker", "by", "why"),
    [
        ("Bob: we decided to tar the hull.", None, "user", 'behind "Bob:"'),
        ('"We decided to tar the hull. We will paint it too."', None, "user", "quoted"),
        ("Please summarise this page:\n\n# News\nWe decided to tar the hull.", None, "user", 'below "Please'),
        ("We decided to tar the hull. It took a day.\n\nWhat does this mean?", None, "user", 'above "What'),
        ("<page>We decided to tar the hull.</page>", None, "user", "between marks, <page>"),
        ("We decided to tar the hull.", "browser", "browser", "its speaker only reports"),
        ("Team settled on hemp ropes I guess", "user", "user", "not sure enough"),
    ],
)
def test_by_whom_and_why_something_waits(cli: Cli, text: str, speaker: str | None, by: str, why: str) -> None:
    said = cli("remember", text, *PLACE, *(("--speaker", speaker) if speaker else ())).out
    (waiting,) = cli("review", "--json").json["pending"]
    assert waiting["speaker"] == by and waiting["why"].startswith(why)
    assert f"1 waits for review, {waiting['why']} (engramforge review)." in said
    (row,) = [line for line in cli("review").out.splitlines() if "flg_" in line]
    assert f" {by} " in row and why in row
    assert '"' not in f"{waiting['text'][0]}{waiting['text'][-1]}{waiting['sentence'][0]}"


def test_an_undo_tells_what_became_of_memories_and_entries(cli: Cli) -> None:
    _begin(cli)
    made = cli("remember", "T001: order the ropes", *PLACE, "--json").json["consequences"][0]["id"]
    cli("remember", "D002: use hemp ropes. D001 is superseded by D002. T001 is done.", *PLACE)
    told = cli("undo", "--all-projects").out
    assert "\nnote (" in told and "is gone: D002: use hemp ropes. D001" in told
    assert f"thread T001 ({made}) is open again: order the ropes" in told
    assert "decision D001 (dec_" in told and "is active again: Use nylon for c1" in told
    assert "decision D002 (dec_" in told and "is gone: use hemp ropes" in told
    assert "record" not in told.lower()
    again = cli("redo", "--json").json["redone"]["consequences"]
    assert {(each["kind"], each["act"], each["status"]) for each in again} == {
        ("note", "back", ""),
        ("decision", "back", "active"),
        ("decision", "back", "superseded"),
        ("thread", "back", "resolved"),
    }
    cli("remember", "Bob: we decided to tar the hull.", *PLACE)
    waiting = cli("review", "--json").json["pending"][0]["id"]
    cli("review", "accept", waiting)
    assert f"decision ({waiting}) waits for review again: Bob: we" in cli("undo", "--all-projects").out
