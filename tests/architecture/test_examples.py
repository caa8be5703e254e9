"""The examples in docstrings say what is so."""

from __future__ import annotations

import doctest
import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .conftest import Module


def test_every_example_of_a_docstring_holds(modules: list[Module]) -> None:
    told = [each.name for each in modules if ">>> " in each.path.read_text(encoding="utf-8")]
    results = {name: doctest.testmod(importlib.import_module(name)) for name in told}
    assert sum(result.attempted for result in results.values()) > 70
    assert [name for name, result in results.items() if result.failed] == []
