"""Every verb of the door has a caller outside the store: what nobody asks for is not kept."""

from __future__ import annotations

import ast
import functools
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from engramforge.store import door

OPENED = {"asking": "View", "tending": "Upkeep"}
"""Verbs of the door that give a protocol."""
PROTOCOLS = {name: getattr(door, name) for name in ("Door", "View", "Transaction", "Upkeep")}


def verbs(protocol: str) -> set[str]:
    """What a protocol declares beside entering and leaving."""
    return {name for name in vars(PROTOCOLS[protocol]) if not name.startswith("_")}


def _protocol_of(value: ast.expr | None) -> str | None:
    """The protocol of `...asking(...)`, `...tending(...)`."""
    is_call = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)
    return OPENED.get(value.func.attr) if is_call else None  # type: ignore[union-attr]


def _name(node: ast.expr | None) -> str | None:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else None


def _bound(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Names of a module, and the protocol whose instance each is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign) and (said := _name(node.annotation)) in PROTOCOLS:
            name = node.arg if isinstance(node, ast.arg) else _name(node.target)
            yield from ((each, str(said)) for each in (name, f"_{name}") if each)
        elif isinstance(node, ast.withitem) and (opened := _protocol_of(node.context_expr)):
            yield str(_name(node.optional_vars)), opened
        elif isinstance(node, ast.Assign) and (opened := _protocol_of(node.value)):
            yield from ((str(_name(target)), opened) for target in node.targets)
        elif (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "write"
        ):
            for argument in node.args:
                if isinstance(argument, ast.Lambda):
                    yield from ((each.arg, "Transaction") for each in argument.args.args)


@functools.cache
def called(package: Path) -> dict[str, set[str]]:
    """Which verbs of each protocol are called in a package outside its store."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in package.rglob("*.py"):
        if path.relative_to(package).parts[0] == "store":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        kinds = defaultdict(set)
        for name, protocol in _bound(tree):
            kinds[name].add(protocol)
        for node in ast.walk(tree):
            if not isinstance(node, ast.Attribute):
                continue
            opened = _protocol_of(node.value)
            name = _name(node.value) or ""
            owners = {opened} if opened else kinds.get(name, {"Door"} if name.endswith("door") else set())
            for owner in owners:
                found[owner].add(node.attr)
    return found


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_verb_has_a_caller(protocol: str, source: Path) -> None:
    assert verbs(protocol) - called(source)[protocol] == set()


def test_a_verb_without_a_caller_is_noticed(source: Path, tmp_path: Path) -> None:
    """The check does not take a method of something else for a call of the door."""
    (tmp_path / "stage.py").write_text(
        "def told(door: Door, writes: Transaction) -> None:\n"
        "    text.count('a')\n"
        "    door.asking(scope).fetch(ids)\n"
        "    with door.tending(scope) as kept:\n"
        "        kept.graph()\n"
        "    writes.link([])\n",
        encoding="utf-8",
    )
    assert called(tmp_path) == {
        "Door": {"asking", "tending"},
        "View": {"fetch"},
        "Upkeep": {"graph"},
        "Transaction": {"link"},
    }
    assert "count" in verbs("Upkeep") - called(tmp_path)["Upkeep"]
