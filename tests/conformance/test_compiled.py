"""Statements are compiled once in a process, whichever of its stores sends them."""

from __future__ import annotations

import pytest
from sqlalchemy.sql.compiler import SQLCompiler

from engramforge.model.scope import Scope

from .conftest import NOW, Opener, at, entry

pytestmark = pytest.mark.asks_no_candidates


def test_a_store_opened_again_compiles_nothing(
    opener: Opener, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tell(content: str) -> list[str]:
        door = opener()
        with door.transaction(scope) as writes:
            writes.insert([entry(content)])
        return sorted(memory.content for memory in door.asking(scope).browse(at(NOW), 10))

    tell("one")
    tell("two")

    def compiling(*_: object, **__: object) -> None:
        raise AssertionError("a statement is compiled again")

    monkeypatch.setattr(SQLCompiler, "__init__", compiling)
    assert tell("three") == ["one", "three", "two"]
