"""An archive is continued without naming the conversation that goes on."""

from __future__ import annotations

from pathlib import Path

from .conftest import Cli


def test_the_conversation_is_named_after_the_archive(cli: Cli, tmp_path: Path) -> None:
    archive = tmp_path / "archive.md"
    cli("remember", "We decided to paint the boat green.", "--conversation", "chat-17")
    cli("compress", "chat-17", "--to", str(archive))
    told = cli("continue", str(archive), "--json")
    edge = told.json["edge"]
    assert edge["target_conversation_id"] == "chat-17-continued"
    assert "going on as conversation chat-17-continued" in told.err
    again = cli("continue", str(archive), "--json").json["edge"]
    assert again["id"] == edge["id"]
    # And on from there.
    cli("remember", "The boat is dry.", "--conversation", "chat-17-continued")
    cli("compress", "chat-17-continued", "--to", str(tmp_path / "next.md"))
    further = cli("continue", str(tmp_path / "next.md"), "--json").json["edge"]
    assert further["target_conversation_id"] == "chat-17-continued-continued"


def test_another_name_still_counts(cli: Cli, tmp_path: Path) -> None:
    archive = tmp_path / "archive.md"
    cli("remember", "We decided to paint the boat green.", "--conversation", "chat-17")
    cli("compress", "chat-17", "--to", str(archive))
    told = cli("continue", str(archive), "--conversation", "chat-18", "--json")
    assert told.json["edge"]["target_conversation_id"] == "chat-18" and "going on" not in told.err
