"""What was captured: conversations by project, and naming one by the beginning of its id."""

from __future__ import annotations

import pytest

import engramforge

from .conftest import Cli

PIER = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
LAMP = "7c9e6679-9999-40de-944b-e07fc1f90ae7"


@pytest.fixture
def spoken(home: object) -> None:
    """Two conversations of two projects."""
    with engramforge.open() as forge:
        for session, project, day in ((PIER, "sea", 1), (LAMP, "house", 3)):
            for place, text in enumerate(("Shall we mend the pier?", "Yes, with oak.", "Good.")):
                forge.remember(
                    text,
                    project=project,
                    kind="message",
                    session_id=session,
                    sequence=place,
                    valid_at=f"2026-02-{day + place:02}",
                    metadata={"conversation": "The lamp"} if session == LAMP else {},
                )
        forge.remember("Said without a conversation.", project="sea")


@pytest.mark.usefixtures("spoken")
def test_conversations_are_listed_with_titles_counts_and_times(cli: Cli) -> None:
    found = cli("conversations", "--json").json["conversations"]
    assert [(each["project"], each["id"], each["title"], each["memories"]) for each in found] == [
        ("house", LAMP, "The lamp", 3),
        ("sea", PIER, "Shall we mend the pier?", 3),
    ]
    assert found[0]["first_at"].startswith("2026-02-03")
    assert found[0]["last_at"].startswith("2026-02-05")
    assert [
        each["id"] for each in cli("conversations", "--project", "sea", "--json").json["conversations"]
    ] == [PIER]
    with engramforge.open() as forge:
        assert [each.id for each in forge.conversations(limit=1)] == [LAMP]
        assert [each.id for each in forge.conversations(limit=1, offset=1)] == [PIER]


@pytest.mark.usefixtures("spoken")
def test_a_conversation_is_named_by_the_beginning_of_its_id(cli: Cli) -> None:
    assert len(cli("list", "--conversation", PIER[:13], "--json").json["memories"]) == 3
    assert cli("recall", "oak", "--conversation", PIER[:13], "--json").json["hits"]
    assert cli("compress", PIER[:13], "--json").json["edge"]["source_conversation_id"] == PIER
    both = cli("list", "--conversation", PIER[:8], "--json")
    assert both.code == 2
    assert PIER in both.error["fault"] and LAMP in both.error["fault"]
    assert cli("forget", "--conversation", LAMP[:13], "--yes", "--json").code == 0
    assert [each["id"] for each in cli("conversations", "--json").json["conversations"]] == [PIER]


@pytest.mark.usefixtures("spoken")
def test_a_terminal_shows_them_within_its_columns(on_terminal: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = on_terminal("conversations").out
    assert PIER[:18] in shown
    assert PIER not in shown
    assert "Shall we mend the pier?" in shown
    assert max(map(len, shown.splitlines())) <= 90
    assert (
        on_terminal("conversations", "--project", "sea", "--offset", "5").out
        == "No conversation fits that.\n"
    )
