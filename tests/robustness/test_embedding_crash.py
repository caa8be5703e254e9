"""kill -9 while memories get parts, names and another E1: nothing is half done, and it goes on from there."""

from __future__ import annotations

import random
import signal
import time
from pathlib import Path

import numpy as np
import pytest
from tests.children import Child, finished
from tests.conformance.conftest import ENCODER, NOW, at
from tests.conformance.spaces import plain

from engramforge.errors import Conflict
from engramforge.model.embeddings.encoder_spec import ActiveEncoder
from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.store.sqlite.store import SqliteStore, open_sqlite

pytestmark = pytest.mark.on_disk

SCOPE = Scope(every_agent=True)
LARGE = ActiveEncoder("local:/large", "large/300", 300)
MEMORIES = 400
KILLS = 6

EMBED = """
import sys, numpy as np
from pathlib import Path
from engramforge.model.embeddings.part import Part
from engramforge.model.embeddings.encoder_spec import ActiveEncoder
from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.store.sqlite.store import open_sqlite
store, scope = open_sqlite(Path(sys.argv[1]), "default", lambda: sys.argv[2]), Scope(every_agent=True)
while portion := store.tending(scope).unencoded(Space.SEMANTIC, "large/300", 5):
    places = np.array([at for at, _ in portion])
    with store.transaction(scope) as writes:
        writes.place_vectors(places, "large/300", [np.full(300, at % 100 + 1, np.int8) for at in places])
        parts = [Part(Space.CAUSAL, "c", np.full((2, 8), at % 100 + 1, np.int8)) for at in places]
        writes.place_parts(places, Space.CAUSAL, "c", parts)
        writes.place_mentions(places, [(f"Name {at % 7}", f"Own {at}") for at in places])
        writes.place_entities("t", [f"Name {at % 7}" for at in places], np.ones((len(places), 4), np.int8))
    print(len(portion), flush=True)
with store.transaction(scope) as writes:
    writes.activate(Space.SEMANTIC, ActiveEncoder("local:/large", "large/300", 300))
print("active", flush=True)
"""


def opened(path: Path) -> SqliteStore:
    return open_sqlite(path, "default", lambda: ENCODER.id)


def check_whole(store: SqliteStore) -> int:
    """Every memory has everything or nothing of the new; how many have it."""
    assert store.check() == []
    every = store.asking(SCOPE).positions(at(NOW), MEMORIES + 1)
    lacking = {place for place, _ in store.tending(SCOPE).unencoded(Space.SEMANTIC, LARGE.id, MEMORIES + 1)}
    told = store.asking(SCOPE).signals(every).embeddings
    for place in every.tolist():
        signals = told[place]
        if place in lacking:
            assert not signals.parts and not signals.entities
            continue
        assert signals.entities == (f"Name {place % 7}", f"Own {place}")
        assert (signals.parts[Space.CAUSAL].values == place % 100 + 1).all()
    mentioned = store.tending(SCOPE).mentions()
    assert len(mentioned.positions) == 2 * (len(every) - len(lacking))
    named = [number for number, name in enumerate(mentioned.names) if name.startswith("Name")]
    assert not len(named) or (mentioned.vectors[named] == 1).all()
    return len(every) - len(lacking)


def test_a_killed_embedding_goes_on_from_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with opened(path).transaction(SCOPE) as writes:
        writes.insert([plain(number) for number in range(MEMORIES)])
    rng = random.Random(4)
    done = 0
    for _ in range(KILLS):
        running = Child(EMBED, path, ENCODER.id)
        assert running.stdout is not None
        enough = rng.randrange(1, 8)
        acknowledged = done
        for line in running.stdout:
            acknowledged += int(line)
            enough -= 1
            if not enough:
                break
        time.sleep(rng.uniform(0, 0.02))
        running.send_signal(signal.SIGKILL)
        running.communicate()
        store = opened(path)
        done = check_whole(store)
        assert done >= acknowledged, "what was acknowledged is there"
        assert store.asking(SCOPE).encoders() == {}
        query = ENCODER.encode_query("note number")
        assert query.vector is not None
        with pytest.raises(Conflict), store.transaction(SCOPE) as writes:
            writes.activate(Space.SEMANTIC, LARGE)
        store.close()
    assert 0 < done < MEMORIES
    assert finished(Child(EMBED, path, ENCODER.id)).endswith("active\n")
    store = opened(path)
    assert check_whole(store) == MEMORIES
    assert store.asking(SCOPE).encoders() == {Space.SEMANTIC: LARGE}
    told = store.asking(SCOPE).signals(np.array([1, MEMORIES])).embeddings
    assert {item.meaning_encoder for item in told.values()} == {LARGE.id}
    store.close()
