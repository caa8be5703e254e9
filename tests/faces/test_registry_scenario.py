"""Decisions, threads and an archive through Python, the command line and MCP: the same answer through each."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
from tests.mcp_server import client_of

import engramforge
from engramforge.faces.views.archive import ArchiveView, ContextView, ContinuationView
from engramforge.faces.views.registry import DecisionView, LineageEdgeView, ThreadView
from engramforge.faces.views.shape import plain
from engramforge.forge import Forge

from .conftest import Cli

Told = dict[str, Any]


class _Python:
    def __init__(self, home: Path) -> None:
        self._home = home

    def _with(self, work: Callable[[Forge], object]) -> Any:
        with engramforge.open(self._home) as forge:
            return plain(work(forge))

    def decide(self, text: str) -> Told:
        fields: dict[str, Any] = {"rationale": "it sorts", "tier": 0.8, "conversation": "one", "project": "p"}
        return self._with(lambda forge: DecisionView.of(forge.decisions.create(text, **fields)))

    def revise(self, id_: str, text: str) -> Told:
        return self._with(lambda forge: DecisionView.of(forge.decisions.revise(id_, text)))

    def open_thread(self, title: str, *blockers: str) -> Told:
        return self._with(
            lambda forge: ThreadView.of(
                forge.threads.create(title, blocked_by=list(blockers), conversation="one", project="p")
            )
        )

    def compress(self) -> Told:
        return self._with(lambda forge: ArchiveView.of(forge.archives.compress("one", tag="T")))

    def resolve(self, id_: str, how: str) -> Told:
        return self._with(
            lambda forge: ThreadView.of(
                forge.threads.update(id_, status="resolved", resolution=how, conversation="other")
            )
        )

    def go_on(self, text: str) -> Told:
        return self._with(lambda forge: ContinuationView.of(forge.archives.continue_from(text, "two")))

    def trace(self) -> list[Told]:
        return list(self._with(lambda forge: LineageEdgeView.list_of(forge.lineage.trace("two"))))

    def active(self) -> list[Told]:
        return list(self._with(lambda forge: ThreadView.list_of(forge.threads.active())))

    def context(self) -> Told:
        return self._with(lambda forge: ContextView.of(forge.context_load("which ids?", "p")))


class _Cli:
    def __init__(self, home: Path, cli: Cli, folder: Path) -> None:
        self._home, self._cli, self._folder = str(home), cli, folder

    def _ask(self, *arguments: str) -> Told:
        return self._cli(*arguments, "--json", "--home", self._home).json

    def decide(self, text: str) -> Told:
        options = ("--rationale", "it sorts", "--tier", "0.8", "--conversation", "one", "--project", "p")
        return self._ask("decisions", "create", text, *options)

    def revise(self, id_: str, text: str) -> Told:
        return self._ask("decisions", "revise", id_, text)

    def open_thread(self, title: str, *blockers: str) -> Told:
        waits = [part for blocker in blockers for part in ("--blocked-by", blocker)]
        return self._ask("threads", "create", title, *waits, "--conversation", "one", "--project", "p")

    def compress(self) -> Told:
        return self._ask("compress", "one", "--tag", "T")

    def resolve(self, id_: str, how: str) -> Told:
        return self._ask("threads", "resolve", id_, how, "--conversation", "other")

    def go_on(self, text: str) -> Told:
        place = self._folder / "archive.md"
        place.write_text(text, encoding="utf-8")
        return self._ask("continue", str(place), "--conversation", "two")

    def trace(self) -> list[Told]:
        return list(self._ask("lineage", "trace", "two")["edges"])

    def active(self) -> list[Told]:
        return list(self._ask("threads")["threads"])

    def context(self) -> Told:
        return self._ask("context", "which ids?", "--text", "--project", "p")


class _Mcp:
    def __init__(self, home: Path) -> None:
        self._home = str(home)

    def _ask(self, tool: str, **arguments: Any) -> Told:
        async def main() -> Any:
            async with client_of(self._home) as client:
                return await client.call_tool(tool, arguments)

        result = anyio.run(main)
        assert not result.is_error, result.content
        return dict(result.structured_content)

    def _decision(self, **arguments: Any) -> Told:
        return dict(self._ask("forge_decisions", **arguments)["decisions"][0])

    def _thread(self, **arguments: Any) -> Told:
        return dict(self._ask("forge_threads", **arguments)["threads"][0])

    def decide(self, text: str) -> Told:
        fields: dict[str, Any] = {"rationale": "it sorts", "tier": 0.8, "conversation": "one", "project": "p"}
        return self._decision(action="create", decision=text, **fields)

    def revise(self, id_: str, text: str) -> Told:
        return self._decision(action="revise", id=id_, decision=text)

    def open_thread(self, title: str, *blockers: str) -> Told:
        place = {"conversation": "one", "project": "p"}
        return self._thread(action="create", title=title, blocked_by=list(blockers), **place)

    def compress(self) -> Told:
        return dict(self._ask("forge_archive", action="compress", conversation="one", tag="T")["archive"])

    def resolve(self, id_: str, how: str) -> Told:
        how_it_was: dict[str, Any] = {"status": "resolved", "resolution": how, "conversation": "other"}
        return self._thread(action="update", id=id_, **how_it_was)

    def go_on(self, text: str) -> Told:
        answer = self._ask("forge_archive", action="continue", archive_text=text, conversation="two")
        return dict(answer["continuation"])

    def trace(self) -> list[Told]:
        return list(self._ask("forge_lineage", action="trace", conversation="two")["edges"])

    def active(self) -> list[Told]:
        return list(self._ask("forge_threads")["threads"])

    def context(self) -> Told:
        return dict(self._ask("forge_context", query="which ids?", project="p")["context"])


def _play(face: _Python | _Cli | _Mcp) -> list[Any]:
    decided = face.decide("Use UUID v7")
    first = face.open_thread("Design the pages")
    waiting = face.open_thread("Ship the list", first["id"])
    told: list[Any] = [decided, first, waiting, face.revise(decided["id"], "Use UUID v7 for all ids")]
    archive = face.compress()
    told += [archive, face.resolve(first["id"], "Cursors"), face.go_on(archive["text"])]
    told += [face.trace(), face.active(), face.context()]
    known: dict[str, str] = {}
    return [_comparable(item, known) for item in told]


def _comparable(value: Any, known: dict[str, str]) -> Any:
    """Ids by their first appearance, times as one word, floats rounded: the rest must be the same."""
    if isinstance(value, dict):
        return {_comparable(key, known): _comparable(item, known) for key, item in value.items()}
    if isinstance(value, list):
        return [_comparable(item, known) for item in value]
    if isinstance(value, float):
        return round(value, 3)
    if not isinstance(value, str):
        return value
    ids = r"(?:dec|thr|lin|arc)_[0-9a-f]{12}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}"
    named = re.sub(ids, lambda match: known.setdefault(match[0], f"id-{len(known)}"), value)
    named = re.sub(r"\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|\+00:00))?", "TIME", named)
    return re.sub(r"\b[0-9a-f]{16,}\b", "HASH", named)


def test_the_same_answer_through_every_face(tmp_path: Path, cli: Cli) -> None:
    through_python = _play(_Python(tmp_path / "one"))
    through_cli = _play(_Cli(tmp_path / "two", cli, tmp_path))
    through_mcp = _play(_Mcp(tmp_path / "three"))
    for number, expected in enumerate(through_python):
        assert through_cli[number] == expected, f"step {number} of the command line"
        assert through_mcp[number] == expected, f"step {number} of MCP"
    decided, _, waiting, revised, archive, _, going_on, edges, active, context = through_python
    assert waiting["is_blocked"]
    assert (revised["id"], revised["version"]) == (decided["id"], 2)
    assert (archive["decisions"], archive["threads"]) == (1, 2)
    (difference,) = [row for row in going_on["differences"] if row["name"] == "status"]
    assert (difference["archive"], difference["registry"]) == ("open", "resolved")
    assert "other" in difference["because"]
    assert [thread["title"] for thread in going_on["threads"]] == ["Ship the list"]
    assert [edge["target_conversation_id"] for edge in edges] == ["two"]
    assert [(thread["title"], thread["is_blocked"]) for thread in active] == [("Ship the list", False)]
    assert "Use UUID v7 for all ids" in context["text"]
