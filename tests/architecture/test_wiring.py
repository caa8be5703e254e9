"""Assembly alone wires: what it builds for a forge is built nowhere else."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .conftest import Module


def _built(tree: ast.AST) -> dict[str, int]:
    """Classes and functions of this package that a module calls by their imported names, each with a line."""
    names = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("engramforge.")
        for alias in node.names
    }
    return {
        names[node.func.id]: node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names
    }


def _stages(modules: list[Module]) -> set[str]:
    """The stages that assembly builds."""
    (wiring,) = (module for module in modules if module.name == "engramforge.assembly.stages")
    built = {name for name in _built(wiring.tree) if name.rpartition(".")[2][0].isupper()}
    # Values that a stage is called with are no stages.
    return {name for name in built if not name.startswith("engramforge.model.")}


def test_only_assembly_builds_stages(modules: list[Module]) -> None:
    stages = _stages(modules)
    assert len(stages) > 20
    faults = [
        f"{module.name}:{line} {name}"
        for module in modules
        if not module.name.startswith("engramforge.assembly")
        for name, line in _built(module.tree).items()
        if name in stages
    ]
    assert faults == []


def test_a_stage_that_is_built_elsewhere_is_found(modules: list[Module]) -> None:
    planted = ast.parse(
        "def verb(self):\n"
        "    from engramforge.writing.revision import Revision\n"
        "    return Revision(self.door, self.intake, self.clock)\n"
    )
    assert _stages(modules) & _built(planted).keys() == {"engramforge.writing.revision.Revision"}
