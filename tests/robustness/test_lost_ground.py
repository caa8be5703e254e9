"""The store's own ground is taken away: nothing is acknowledged that would be lost, nobody waits for ever."""

from __future__ import annotations

import io
import shutil
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.robustness.conftest import traces

import engramforge
from engramforge.errors import StoreUnavailable
from engramforge.forge import Forge

CALLS: list[Callable[[Forge, str], object]] = [
    lambda forge, item: forge.remember("After the loss."),
    lambda forge, item: forge.revise(item, "After the loss."),
    lambda forge, item: forge.supersede(item, "After the loss."),
    lambda forge, item: forge.forget(item),
    lambda forge, item: forge.create_project("after the loss"),
    lambda forge, item: forge.check(),
    lambda forge, item: forge.recall("what was before?"),
    lambda forge, item: forge.get(item),
    lambda forge, item: forge.memories(),
    lambda forge, item: forge.stats(),
    lambda forge, item: forge.context_load("what was before?"),
    lambda forge, item: forge.decisions.browse(),
    lambda forge, item: forge.export(io.BytesIO()),
]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_home_that_is_gone_is_noticed_at_the_next_call(
    tmp_path: Path, call: Callable[[Forge, str], object], is_replaced: bool
) -> None:
    home, other = tmp_path / "home", tmp_path / "other"
    with engramforge.open(home) as forge:
        kept = forge.remember("Before the loss.")
        forge.recall("warm up")
        shutil.rmtree(home)
        if is_replaced:
            with engramforge.open(other) as another:
                another.remember("Somebody else's.")
            shutil.copytree(other, home)
        with pytest.raises(StoreUnavailable, match="removed or replaced"):
            call(forge, kept.logical_id)
    if is_replaced:
        with engramforge.open(home) as forge:
            assert [memory.content for memory in forge.memories()] == ["Somebody else's."]
    else:
        assert not home.exists()


def test_a_long_reader_delays_forgetting_and_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engramforge.store.sqlite.erasure._WAIT_S", 1.0)
    home = tmp_path / "home"
    with engramforge.open(home) as forge:
        planted = forge.remember("A jubilant wombat.")
        reader = sqlite3.connect(home / "memory.db", isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT COUNT(*) FROM memory").fetchone()
        began = time.monotonic()
        proof = forge.forget(planted.id)
        assert time.monotonic() - began < 5
        assert proof.queued and not proof.verified
        assert [(held.place, held.name) for held in proof.found] == [("file", "memory.db-wal")]
        assert "this process" in proof.found[0].why and "jubilant" not in repr(proof)
        assert forge.stats().memories == 0
        assert [entry.action for entry in forge.audit_log(1)] == ["forget"]
        began = time.monotonic()
        kept = forge.remember("Written beside the reader.")
        assert time.monotonic() - began < 1
        reader.close()
        forge.forget(kept.id)
        assert traces(home, ["jubilant", "wombat"]) == set()
