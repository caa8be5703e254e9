"""What all embeddings of a memory take: counted, and within the bound for a plain one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from tests.conformance.conftest import ENCODER, entry
from tests.conformance.spaces import part, with_signals

from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.store.sqlite.store import open_sqlite

SCOPE = Scope()


def test_every_array_counts(tmp_path: Path) -> None:
    store = open_sqlite(tmp_path / "memory.db", "default", lambda: ENCODER.id)
    assert store.tending(SCOPE).embedding_bytes() == 0
    plain = entry("The lantern hangs in the old harbour by the mill.")
    held = plain.embedding
    assert held.vector is not None
    own = held.vector.nbytes + held.tokens.nbytes + held.terms.nbytes + held.counts.nbytes + 1
    with store.transaction(SCOPE) as writes:
        writes.insert([plain])
    assert store.tending(SCOPE).embedding_bytes() == own
    causal = part(Space.CAUSAL, np.random.default_rng(1))
    with store.transaction(SCOPE) as writes:
        writes.insert([with_signals(entry(plain.memory.content), [causal], ("Zoë",))])
        writes.place_entities("t", ["Zoë"], np.ones((1, 8), np.int8))
    beside = causal.values.nbytes + 10 + len("Zoë") + 8
    assert store.tending(SCOPE).embedding_bytes() == 2 * own + beside
    store.close()
