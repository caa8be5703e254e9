"""`undo` in a project's folder takes back that project's last change, and says what it was, where and when."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

import engramforge
from engramforge.model.scope import Scope
from engramforge.writing.undoing.undo_plan import touched_by

from .conftest import Cli


def _type(home: Path, folder: Path, *prompts: str) -> None:
    """Prompts as hooks tell them."""
    with engramforge.open(home) as forge:
        event = {"hook_event_name": "UserPromptSubmit", "session_id": str(uuid4()), "cwd": str(folder)}
        forge.hooks.take([{**event, "transcript_path": "", "prompt": each} for each in prompts])


def test_the_last_change_of_the_project_is_taken_back(
    home: Path, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    skylark, bakery = tmp_path / "skylark", tmp_path / "bakery"
    skylark.mkdir()
    bakery.mkdir()
    _type(home, skylark, "we decided to recoat the mirror in may")
    _type(home, bakery, "we decided to bake with spelt")

    monkeypatch.chdir(skylark)
    said = cli("undo").out
    assert f"Undone: what was captured in skylark, {datetime.now(UTC):%Y-%m-%d}" in said
    assert "decision (dec_" in said and "recoat the mirror" in said
    assert "spelt" not in said and "import" not in said

    # Nothing is left of this project; the other stands, and is reached by its name.
    assert "in skylark to undo" in cli("undo").err
    assert "spelt" in cli("decisions").out
    assert "recoat" in cli("redo").out
    assert "spelt" in cli("undo", "--project", "bakery").out
    # Elsewhere nobody means the last of all without saying so.
    monkeypatch.chdir(tmp_path)
    refused = cli("undo")
    assert refused.code != 0 and "recoat" in cli("decisions").out
    assert (
        "in skylark, and this folder is of no project" in refused.err and "--project skylark" in refused.err
    )
    assert "in skylark" in cli("undo", "--all-projects").out
    assert cli("decisions", "--json").json["decisions"] == []
    cli("remember", "The kettle is on.")
    assert "Undone: remember in default" in cli("undo").out


def test_a_change_before_those_of_others_is_reached(home: Path, cli: Cli) -> None:
    with engramforge.open(home) as forge:
        one = forge.remember("The winch is red.", project="harbour")
        forge.remember("The oven is cold.", project="bakery")
        forge.revise(one.logical_id, "The winch is blue.")
        forge.remember("The oven is hot.", project="bakery")
    assert "Undone: revise in harbour" in cli("undo", "--project", "harbour").out
    assert "The winch is red." in cli("list", "--project", "harbour").out
    assert "Undone: remember in bakery" in cli("undo", "--all-projects").out


def test_what_was_undone_in_a_project_comes_again_whatever_was_done_in_others(
    home: Path, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("harbour", "bakery"):
        (tmp_path / name).mkdir()
    with engramforge.open(home) as forge:
        forge.remember("The winch is red.", project="harbour")
        forge.remember("The crane is tall.", project="harbour")
        forge.remember("The oven is cold.", project="bakery")
    for text in ("crane", "winch"):
        assert text in cli("undo", "--project", "harbour").out
    assert "oven" in cli("undo", "--project", "bakery").out
    # A change elsewhere leaves what was undone here.
    cli("remember", "The kettle is on.")
    assert "nothing of agent" in cli("redo").err
    monkeypatch.chdir(tmp_path / "bakery")
    assert "nothing of agent" in cli("redo", "--all-projects").err
    assert "winch" in cli("redo", "--project", "harbour").out
    assert "oven" in cli("redo").out
    assert "in bakery to redo" in cli("redo").err
    monkeypatch.chdir(tmp_path / "harbour")
    # What was brought again may be undone again, and a change here is one.
    assert "crane" in cli("redo").out and "crane" in cli("undo").out
    cli("remember", "The quay is long.", "--project", "harbour")
    assert "in harbour to redo" in cli("redo").err
    said = [each["content"] for each in cli("list", "--project", "harbour", "--json").json["memories"]]
    assert sorted(said) == ["The quay is long.", "The winch is red."]
    assert cli("redo", "--project", "nowhere").code != 0


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("<private>my rent is 900 euro</private>", "Nothing of the last prompt (answered "),
        ("my rent is 900 euro, keep it to yourself", '"my rent is 900 euro, keep it to yourself"'),
    ],
)
def test_a_last_prompt_of_which_nothing_can_be_taken_back_is_told_of(
    home: Path, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prompt: str, told: str
) -> None:
    skylark, session = tmp_path / "skylark", str(uuid4())
    skylark.mkdir()
    event = {"session_id": session, "cwd": str(skylark), "transcript_path": ""}
    with engramforge.open(home) as forge:
        for asked in ("we decided to recoat the mirror in may", "we decided to use sidereal time", prompt):
            forge.hooks.take([{**event, "hook_event_name": "UserPromptSubmit", "prompt": asked}])
            answer = {"hook_event_name": "Stop", "last_assistant_message": f"I will: {asked[-12:]}"}
            forge.hooks.take([{**event, **answer}])
            # What upkeep rewrites is no change.
            forge.hooks.take([{**event, "hook_event_name": "PreCompact", "trigger": "auto"}])
    monkeypatch.chdir(skylark)
    refused = cli("undo")
    assert refused.code != 0 and "of the last prompt" in refused.err and "use sidereal time" in refused.err
    assert "sidereal" in cli("decisions").out, "nobody could be asked"
    first, second = cli("undo", "--yes").out, cli("undo").out
    assert told in first.splitlines()[0] and "sidereal" in first
    assert "last prompt" not in second and "recoat" in second
    assert "supersede" not in first + second
    assert cli("redo", "--json").json["redone"]["passed_over"] is None
    cli("redo")
    # What is said after it is passed over anew, whatever was undone before, and wherever.
    _type(home, skylark, "the dome is cold")
    refused = cli("undo")
    assert refused.code != 0 and "the dome is cold" in refused.err


FELT: dict[str, Any] = {
    "energy": 0.5,
    "confidence": 0.9,
    "emotion_vector": {},
    "goal": "bake aboard",
    "mindstate": "calm",
}


def test_a_link_is_a_change_of_the_projects_of_both_ends(home: Path) -> None:
    with engramforge.open(home) as forge:
        winch, oven, kite = (
            forge.remember(text, project=project, near=False).logical_id
            for text, project in (
                ("The winch is red.", "harbour"),
                ("The oven is cold.", "bakery"),
                ("The kite is up.", "meadow"),
            )
        )
        forge.link(winch, oven, "HEATED_BY", **FELT)
        for project in ("bakery", "harbour"):
            undone = forge.undo(project=project)
            assert (undone.action, undone.links, undone.taken_back) == ("link", 1, ())
            assert not forge.links(oven)
            assert forge.redo().links == 1
        # So is its end; and who stands in a third project is asked of neither.
        (link,) = forge.links(winch)
        forge.unlink(link.id)
        assert [each.logical_id for each in forge.undo(project="meadow").taken_back] == [kite]
        assert forge.undo(project="bakery").action == "unlink" and forge.links(winch)
        # What it resolves counts for the project to which it leads, too.
        forge.link(winch, oven, "RESOLVED_BY", **FELT)
        head = forge.get(winch)
        assert head is not None and head.resolution_state == "resolved"
        assert forge.undo(project="bakery").action == "link"
        head = forge.get(winch)
        assert head is not None and head.resolution_state == "in_progress"
        assert "RESOLVED_BY" not in {each.relation for each in forge.links(winch)}


def test_what_is_linked_beside_a_new_memory_is_no_change_of_the_project_of_what_it_speaks_of(
    home: Path,
) -> None:
    with engramforge.open(home) as forge:
        oven = forge.remember("The oven is cold.", project="bakery", near=False)
        net = forge.remember("A cold oven dries nets.", project="harbour", near=False)
        link = forge.link(oven.id, net.id, "ENABLES", **FELT)
        (written,) = (each for each in forge.audit_log() if each.action == "link")
        assert written.effect is not None
        door, scope = forge._stages.door, Scope(agent=written.agent)
        of_links = touched_by(door, scope, written, written.effect)
        assert of_links == {oven.logical_id, net.logical_id} and link
        beside = replace(written.effect, made=(net.id,))
        remembered = replace(written, action="remember", subject=net.logical_id)
        assert touched_by(door, scope, remembered, beside) == {net.id}


def test_json_has_the_prompt_that_an_undo_passes_over(
    home: Path, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    skylark = tmp_path / "skylark"
    skylark.mkdir()
    for prompt in ("we decided to recoat the mirror in may", "the dome is cold"):
        _type(home, skylark, prompt)
    monkeypatch.chdir(skylark)
    undone = cli("undo", "--yes", "--json").json["undone"]
    assert undone["passed_over"]["content"] == "the dome is cold"
    assert [each["content"] for each in undone["taken_back"] if each["kind"] == "decision"]
