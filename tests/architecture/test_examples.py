"""The examples in docstrings say what is so, and scripts ask for what is there."""

from __future__ import annotations

import ast
import doctest
import importlib
import importlib.util
from typing import TYPE_CHECKING

import pytest

from .conftest import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import Module


def test_every_example_of_a_docstring_holds(modules: list[Module]) -> None:
    told = [each.name for each in modules if ">>> " in each.path.read_text(encoding="utf-8")]
    results = {name: doctest.testmod(importlib.import_module(name)) for name in told}
    assert sum(result.attempted for result in results.values()) > 70
    assert [name for name, result in results.items() if result.failed] == []


@pytest.mark.parametrize("script", sorted(REPOSITORY.glob("scripts/*.py")), ids=lambda each: each.name)
def test_a_script_finds_what_it_imports_of_ours(script: Path) -> None:
    """Nothing else runs most of them, and the shipped numbers are theirs."""
    for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("engramforge"):
            module = importlib.import_module(node.module)
            missing = [
                each.name
                for each in node.names
                if not hasattr(module, each.name)
                and importlib.util.find_spec(f"{node.module}.{each.name}") is None
            ]
            assert missing == []
