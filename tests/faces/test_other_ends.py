"""Links as people read them: with what the other end says, and without those of a memory to itself."""

from __future__ import annotations

from .conftest import Cli


def test_the_other_end_is_said(cli: Cli) -> None:
    cause = cli("remember", "The index was dropped.", "--json").json["memory"]["logical_id"]
    effect = cli("remember", "Pages load slowly.", "--json").json["memory"]["logical_id"]
    cli("link", cause, effect, "--relation", "CAUSES")
    shown = cli("show", effect).out
    assert "<- CAUSES" in shown and "The index was dropped." in shown
    assert "Pages load slowly." in cli("show", cause).out
    assert "The index was dropped." in cli("links", effect).out
    assert "Pages load slowly." in cli("links", cause).out


def test_a_revision_is_no_link_to_another(cli: Cli) -> None:
    note = cli("remember", "Pages load slowly.", "--json").json["memory"]["logical_id"]
    cli("revise", note, "Pages load very slowly.")
    assert "Links" not in cli("show", note).out and "REVISES" not in cli("show", note).out
    links = cli("show", note, "--json").json["links"]
    assert [each["relation"] for each in links] == ["REVISES"]
