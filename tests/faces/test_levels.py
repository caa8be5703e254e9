"""Threads, lineage and archives have levels: two agents see what they share, and nothing personal of each other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.faces.conftest import Cli
from tests.mcp_server import client_of

import engramforge
from engramforge.errors import EngramforgeError, InvalidValue, NotFound
from engramforge.forge import Forge

SHARED = "We decided to moor the ferry at the north pier."
OWN = "I decided to sell my share of the ferry."
QUIET = "Ann wants to sell her share."


@contextmanager
def agent(home: Path, name: str) -> Iterator[Forge]:
    with engramforge.open(home, agent=name) as forge:
        yield forge


def told(home: Path, name: str, conversation: str, texts: list[str], **fields: Any) -> None:
    """Turns of a conversation of an agent."""
    with agent(home, name) as forge:
        for place, text in enumerate(texts):
            forge.remember(
                text, kind="message", project="ferry", session_id=conversation, sequence=place, **fields
            )


@pytest.fixture
def ferry(tmp_path: Path) -> Path:
    """A home where Ann has a shared conversation and one of her own, with a decision and a thread in each."""
    home = tmp_path / "home"
    turns = ["The pier is being rebuilt.", "The ferry needs a place to moor."]
    told(home, "ann", "shared", turns, level="collective")
    told(home, "ann", "own", ["My share is worth a lot.", QUIET])
    with agent(home, "ann") as forge:
        for conversation, level, decision in (("shared", "collective", SHARED), ("own", "personal", OWN)):
            where = {"project": "ferry", "conversation": conversation, "level": level}
            forge.decisions.create(decision, local_id="D001", **where)
            forge.threads.create(f"Find who pays, {conversation}", local_id="T001", **where)
    return home


def test_threads_are_seen_by_their_level(ferry: Path) -> None:
    with agent(ferry, "bob") as forge:
        (thread,) = forge.threads.active()
        assert thread.title == "Find who pays, shared"
        assert forge.threads.get(thread.id).id == thread.id
        assert [each.id for each in forge.threads.search("Who pays?")] == [thread.id]
        assert [each.id for each in forge.threads.browse()] == [thread.id]
        forge.threads.update(thread.id, status="resolved", resolution="The town pays.", conversation="bobs")
    with agent(ferry, "ann") as forge:
        assert forge.threads.get(thread.id).resolution == "The town pays."
        assert [each.title for each in forge.threads.active()] == ["Find who pays, own"]
    with agent(ferry, "bob") as forge, pytest.raises(InvalidValue, match="level"):
        forge.threads.create("A wrong one", level="team")


def test_one_trace_of_what_is_shared(ferry: Path) -> None:
    with agent(ferry, "ann") as forge:
        archive = forge.archives.compress("shared")
        own = forge.archives.compress("own")
        forge.archives.continue_from(own.text, "anns second")
    with agent(ferry, "bob") as forge:
        # Bob sees the archive, and what is in it, and goes on from it.
        (seen,) = forge.archives.browse()
        assert (seen.id, seen.text) == (archive.id, archive.text)
        assert forge.archives.get(archive.id or "").edge.id == archive.edge.id
        assert [each.id for each in forge.lineage.browse()] == [archive.edge.id]
        assert forge.lineage.get(archive.edge.id).id == archive.edge.id
        state = forge.archives.continue_from(seen.text, "bobs")
        assert [each.decision for each in state.decisions] == [SHARED]
        assert [each.title for each in state.threads] == ["Find who pays, shared"]
        assert state.problems == () and state.differences == ()
        with pytest.raises(EngramforgeError):
            forge.lineage.get(own.edge.id)
        with pytest.raises(EngramforgeError):
            forge.archives.get(own.id or "")
        assert forge.lineage.trace("own") == forge.lineage.trace("anns second") == []
        found = forge.lineage.search("own anns second")
        assert "own" not in {each.source_conversation_id for each in found}
        bobs = forge.lineage.trace("bobs")
    with agent(ferry, "ann") as forge:
        assert forge.lineage.trace("shared") == bobs
        assert [(each.source_conversation_id, each.target_conversation_id) for each in bobs] == [
            ("shared", "bobs")
        ]
        again = forge.archives.continue_from(archive.text, "anns third")
        assert again.edge.source_conversation_id == "shared"
    with agent(ferry, "bob") as forge:
        targets = {each.target_conversation_id for each in forge.lineage.trace("shared")}
        assert targets == {"bobs", "anns third"}, "one trace for both"


def test_a_shared_archive_has_nothing_personal(ferry: Path) -> None:
    # Ann says something for herself in the shared conversation, and decides another thing of the like elsewhere.
    with agent(ferry, "ann") as forge:
        forge.remember(QUIET, kind="message", project="ferry", session_id="shared", sequence=9)
        forge.decisions.create("Moor the ferry at the south pier of my cousin.", project="cousin")
        own = forge.archives.compress("shared")
        assert QUIET in own.text
        shared = forge.archives.compress("shared", level="collective")
        assert QUIET not in shared.text and "cousin" not in shared.text and SHARED in shared.text
    with agent(ferry, "bob") as forge:
        assert [each.id for each in forge.archives.browse()] == [shared.id]
        assert [each.id for each in forge.lineage.trace("shared")] == [shared.edge.id]
        state = forge.archives.continue_from(shared.text, "bobs")
        assert QUIET not in state.text and "cousin" not in state.text


def test_who_goes_on_from_a_personal_archive_keeps_that_to_oneself(ferry: Path) -> None:
    with agent(ferry, "ann") as forge:
        own = forge.archives.compress("own")
    with agent(ferry, "bob") as forge:
        forge.archives.continue_from(own.text, "bobs")
        assert [each.source_conversation_id for each in forge.lineage.trace("bobs")] == ["own"]
    with agent(ferry, "ann") as forge:
        (edge,) = forge.lineage.trace("own")
        assert edge.target_conversation_id is None, "Bob's going on is Bob's own"


def test_edges_by_hand_have_a_level(ferry: Path) -> None:
    with agent(ferry, "ann") as forge:
        shared = forge.lineage.link("a", "b", level="collective", project="ferry")
        forge.lineage.link("b", "c", project="ferry")
    with agent(ferry, "bob") as forge:
        assert [each.id for each in forge.lineage.trace("b")] == [shared.id]
    with agent(ferry, "ann") as forge:
        assert len(forge.lineage.trace("b")) == 2


def test_a_shared_edge_names_nothing_personal(ferry: Path) -> None:
    with agent(ferry, "ann") as forge:
        (own,) = (each for each in forge.decisions.browse() if each.decision == OWN)
        with pytest.raises(NotFound):
            forge.lineage.link("talk", "later", decisions_carried=(own.id,), level="collective")
        assert forge.lineage.link("talk", "later", decisions_carried=(own.id,)).decisions_carried == (own.id,)


def test_levels_on_the_command_line(cli: Cli) -> None:
    ann, bob = ("--agent", "ann", "--json"), ("--agent", "bob", "--json")
    for level in ("collective", "personal"):
        cli("threads", "create", f"Paint the {level} hull", "--level", level, "--conversation", level, *ann)
        cli(
            "decisions",
            "create",
            f"The {level} hull is red.",
            "--level",
            level,
            "--conversation",
            level,
            *ann,
        )
    assert [each["title"] for each in cli("threads", *bob).json["threads"]] == ["Paint the collective hull"]
    assert [each["decision"] for each in cli("decisions", *bob).json["decisions"]] == [
        "The collective hull is red."
    ]
    made = cli("compress", "collective", "--level", "collective", *ann).json
    cli("compress", "personal", *ann)
    assert [each["id"] for each in cli("lineage", *bob).json["edges"]] == [made["edge"]["id"]]
    assert cli("lineage", "trace", "personal", *bob).json["edges"] == []
    cli("lineage", "link", "x", "y", "--level", "ecosystem", *ann)
    assert len(cli("lineage", "trace", "x", *bob).json["edges"]) == 1
    assert cli("threads", "create", "Paint", "--level", "team", *ann).code == 2


def test_levels_over_mcp(tmp_path: Path) -> None:
    def call(name: str, tool: str, **arguments: Any) -> dict[str, Any]:
        async def main() -> dict[str, Any]:
            async with client_of(tmp_path / "home", agent=name) as client:
                result = await client.call_tool(tool, arguments)
                assert not result.is_error, result.content
                return dict(result.structured_content or {})

        return anyio.run(main)

    def titles(answer: dict[str, Any]) -> list[str]:
        return [each["title"] for each in answer["threads"]]

    for level in ("collective", "personal"):
        where = {"level": level, "conversation": level}
        call("ann", "forge_threads", action="create", title=f"Paint the {level} hull", **where)
        call("ann", "forge_decisions", action="create", decision=f"The {level} hull is red.", **where)
    for action, asked in (("active", {}), ("list", {}), ("search", {"query": "paint the hull"})):
        assert titles(call("bob", "forge_threads", action=action, **asked)) == ["Paint the collective hull"]
    made = call("ann", "forge_archive", action="compress", conversation="collective", level="collective")[
        "archive"
    ]
    call("ann", "forge_archive", action="compress", conversation="personal")
    (seen,) = call("bob", "forge_lineage", action="list")["edges"]
    assert seen["id"] == made["edge"]["id"]
    state = call("bob", "forge_archive", action="continue", archive_text=made["text"], conversation="bobs")
    assert [each["decision"] for each in state["continuation"]["decisions"]] == [
        "The collective hull is red."
    ]
    (edge,) = call("ann", "forge_lineage", action="trace", conversation="collective")["edges"]
    assert edge["target_conversation_id"] == "bobs"
    assert call("bob", "forge_lineage", action="trace", conversation="personal")["edges"] == []


def test_a_level_is_known_by_its_number(tmp_path: Path, cli: Cli) -> None:
    with engramforge.open(tmp_path / "numbered") as forge:
        for number, level in (("N1", "personal"), ("n2", "collective"), (" N3 ", "ecosystem")):
            assert forge.remember(f"The hull of {level} is red.", level=number).level == level
        for unknown in ("N0", "N4", "n", ""):
            with pytest.raises(InvalidValue, match="There is no level"):
                forge.remember("The mast is white.", level=unknown)
    assert cli("remember", "The keel is black.", "--level", "N2", "--json").code == 0
    assert cli("context", "black keel", "--levels", "N2", "--json").json["summary"]["total"]
