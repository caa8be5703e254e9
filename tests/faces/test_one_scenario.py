"""One scenario through Python, the command line and MCP: the same answer through each."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.mcp_server import client_of

import engramforge
from engramforge.faces.views.memory import ForgottenView, MemoryView
from engramforge.faces.views.recall import RecallView
from engramforge.faces.views.shape import plain

from .conftest import Cli

FACTS: list[dict[str, Any]] = [
    {
        "content": "Billing is Ada's job.",
        "project": "office",
        "kind": "decision",
        "valid_at": "2026-01-10T09:00:00Z",
        "recorded_at": "2026-01-10T09:00:00Z",
        "tags": ["people"],
    },
    {
        "content": "The office plant wants water on Mondays.",
        "project": "office",
        "valid_at": "2026-02-01T09:00:00Z",
        "recorded_at": "2026-02-01T09:00:00Z",
        "speaker": "Ben",
        "energy": 0.7,
    },
    {
        "content": "Sail number 41 is torn along the leech.",
        "project": "boat",
        "session_id": "spring",
        "sequence": 3,
        "valid_at": "2026-03-01T09:00:00Z",
        "recorded_at": "2026-03-01T09:00:00Z",
    },
]
QUERIES: list[dict[str, Any]] = [
    {"query": "whose job is billing?"},
    {"query": "which sail is torn?", "project": "boat"},
    {"query": "plant water", "project": ["office", "boat"], "limit": 2},
    {"query": "billing", "as_of": "2026-01-15T00:00:00Z"},
    {"query": "which sail?", "project": "boats"},
    {"query": "which sail is torn?", "exclude_session": "spring"},
    {"query": "billing", "kinds": ["decision"], "tags": ["people"], "budget": None},
]

Ask = Callable[..., dict[str, Any]]


class PythonFace:
    """The facade itself."""

    def __init__(self, home: Path) -> None:
        self._forge = engramforge.open(home)

    def remember(self, fact: dict[str, Any]) -> dict[str, Any]:
        return dict(plain(MemoryView.of(self._forge.remember(**fact))))

    def recall(self, asked: dict[str, Any]) -> dict[str, Any]:
        return dict(plain(RecallView.of(self._forge.recall(**asked))))

    def revise(self, id_: str, content: str) -> dict[str, Any]:
        return dict(plain(MemoryView.of(self._forge.revise(id_, content))))

    def supersede(self, id_: str, content: str, at: str) -> dict[str, Any]:
        return dict(plain(MemoryView.of(self._forge.supersede(id_, content, at=at))))

    def history(self, id_: str) -> list[dict[str, Any]]:
        return [plain(MemoryView.of(memory)) for memory in self._forge.history(id_)]

    def newest(self, project: str) -> list[dict[str, Any]]:
        return [plain(MemoryView.of(memory)) for memory in self._forge.memories(project=project)]

    def forget(self, id_: str) -> dict[str, Any]:
        return dict(plain(ForgottenView.of(self._forge.forget(id_))))

    def fault(self, project: str) -> str:
        with pytest.raises(engramforge.EngramforgeError) as caught:
            self._forge.memories(project=project)
        return f"{caught.value.code}: {caught.value}"

    def close(self) -> None:
        self._forge.close()


class CliFace:
    """The command line."""

    def __init__(self, home: Path, cli: Cli) -> None:
        self._home, self._cli = str(home), cli

    def _ask(self, *arguments: str) -> dict[str, Any]:
        answer = self._cli(*arguments, "--json", "--home", self._home)
        assert answer.code == 0 or '"note": "There is no project' in answer.out
        return dict(json.loads(answer.out))

    def remember(self, fact: dict[str, Any]) -> dict[str, Any]:
        names = {"session_id": "session", "tags": "tag"}
        options = []
        for name, value in fact.items():
            if name != "content":
                for each in value if isinstance(value, list) else [value]:
                    options += [f"--{names.get(name, name).replace('_', '-')}", str(each)]
        return dict(self._ask("remember", fact["content"], *options)["memory"])

    def recall(self, asked: dict[str, Any]) -> dict[str, Any]:
        names = {"kinds": "kind", "tags": "tag", "as_of": "as-of", "exclude_session": "exclude-session"}
        options = []
        for name, value in asked.items():
            if name != "query":
                for each in value if isinstance(value, list) else [0 if value is None else value]:
                    options += [f"--{names.get(name, name)}", str(each)]
        return self._ask("recall", asked["query"], *options)

    def revise(self, id_: str, content: str) -> dict[str, Any]:
        return dict(self._ask("revise", id_, content)["memory"])

    def supersede(self, id_: str, content: str, at: str) -> dict[str, Any]:
        return dict(self._ask("supersede", id_, content, "--at", at)["memory"])

    def history(self, id_: str) -> list[dict[str, Any]]:
        return list(self._ask("history", id_)["versions"])

    def newest(self, project: str) -> list[dict[str, Any]]:
        return list(self._ask("list", "--project", project)["memories"])

    def forget(self, id_: str) -> dict[str, Any]:
        return dict(self._ask("forget", id_, "--yes")["forgotten"])

    def fault(self, project: str) -> str:
        error = self._cli("list", "--project", project, "--home", self._home, "--json").error
        return f"{error['error']}: {error['fault']}. {error['mend']}."

    def close(self) -> None:
        """Every command closed the store itself."""


class McpFace:
    """The MCP tools, through the SDK's client."""

    def __init__(self, home: Path) -> None:
        self._home = str(home)

    def _ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        async def main() -> Any:
            async with client_of(self._home) as client:
                return await client.call_tool(tool, arguments)

        result = anyio.run(main)
        if result.is_error:
            return {"refusal": result.content[0].text}
        return dict(result.structured_content)

    def remember(self, fact: dict[str, Any]) -> dict[str, Any]:
        return dict(self._ask("forge_remember", **fact)["memory"])

    def recall(self, asked: dict[str, Any]) -> dict[str, Any]:
        return dict(self._ask("forge_recall", **asked, explain=True)["recall"])

    def revise(self, id_: str, content: str) -> dict[str, Any]:
        return dict(self._ask("forge_remember", content=content, revises=id_)["memory"])

    def supersede(self, id_: str, content: str, at: str) -> dict[str, Any]:
        return dict(self._ask("forge_remember", content=content, supersedes=id_, valid_at=at)["memory"])

    def history(self, id_: str) -> list[dict[str, Any]]:
        return list(self._ask("forge_timeline", id=id_)["memories"])

    def newest(self, project: str) -> list[dict[str, Any]]:
        return list(self._ask("forge_timeline", project=project)["memories"])

    def forget(self, id_: str) -> dict[str, Any]:
        return dict(self._ask("forge_forget", id=id_)["forgotten"])

    def fault(self, project: str) -> str:
        return str(self._ask("forge_timeline", project=project)["refusal"])

    def close(self) -> None:
        """Every call closed the store itself."""


Face = PythonFace | CliFace | McpFace


def _comparable(value: Any, ids: dict[str, str]) -> Any:
    """Ids by their first appearance, and without what a clock makes: the rest must be the same."""
    if isinstance(value, dict):
        # Over MCP a model speaks: the source of what it remembers is another.
        left_out = {
            "timings_ms",
            "at",
            "exposure_count",
            "access_count",
            "last_accessed_at",
            "as_of",
            "source",
            # A person's recall has none, a model's has one.
            "budget",
        }
        return {key: _comparable(item, ids) for key, item in value.items() if key not in left_out}
    if isinstance(value, list):
        return [_comparable(item, ids) for item in value]
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, str) and len(value) == 36 and value.count("-") == 4:
        return ids.setdefault(value, f"id-{len(ids)}")
    if isinstance(value, str) and value[:4].isdigit() and "T" in value and not value.startswith("2026-0"):
        return "now"
    return value


def _play(face: Face) -> Any:
    told: list[Any] = [face.remember(fact) for fact in FACTS]
    billing, plant = told[0]["id"], told[1]["id"]
    told += [face.recall(asked) for asked in QUERIES]
    told.append(face.supersede(billing, "Billing is Cleo's job.", "2026-04-01T00:00:00Z"))
    told.append(face.revise(plant, "The office plant wants water on Tuesdays."))
    told += [face.recall({"query": "whose job is billing?"}), face.recall(QUERIES[3])]
    told += [face.history(billing), face.history(plant), face.newest("office")]
    told += [face.forget(plant), face.newest("office"), face.fault("nowhere")]
    face.close()
    ids: dict[str, str] = {}
    return [_comparable(each, ids) for each in told]


def test_the_same_answer_through_every_face(tmp_path: Path, cli: Cli) -> None:
    through_python = _play(PythonFace(tmp_path / "one"))
    through_cli = _play(CliFace(tmp_path / "two", cli))
    through_mcp = _play(McpFace(tmp_path / "three"))
    for number, expected in enumerate(through_python):
        assert through_cli[number] == expected, f"step {number} of the command line"
        assert through_mcp[number] == expected, f"step {number} of MCP"
    assert through_python[3]["hits"][0]["memory"]["content"] == "Billing is Ada's job."
    assert through_python[7]["note"] == "There is no project 'boats'. Did you mean 'boat'?"
    assert through_python[7]["hits"] == []
    assert "spring" not in {hit["memory"]["session_id"] for hit in through_python[8]["hits"]}
    assert through_python[12]["hits"][0]["memory"]["content"] == "Billing is Cleo's job."
    assert through_python[13]["hits"][0]["memory"]["content"] == "Billing is Ada's job."
