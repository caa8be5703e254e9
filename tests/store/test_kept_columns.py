"""Columns kept beside the store: they answer as rows do; those that do not fit, are damaged or forgotten go."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.conformance.conftest import ENCODER, NOW, at, days, entry
from tests.conformance.random_history import AGENTS, WORDS, History
from tests.conformance.test_engines_agree import probe, told

from engramforge.model.embeddings.encoder_spec import ActiveEncoder
from engramforge.model.scope import Scope
from engramforge.model.search.candidates import Probe
from engramforge.model.search.selection import Selection
from engramforge.model.spaces import Space
from engramforge.model.storing.record import Extent
from engramforge.model.time import TemporalMode
from engramforge.store.sqlite.resident.index import KEPT_FROM
from engramforge.store.sqlite.resident.kept import ColumnFiles
from engramforge.store.sqlite.store import SqliteStore, open_sqlite

SCOPE = Scope()
KEPT = "memory.db-columns-0-current"
Opener = Callable[..., SqliteStore]
_NO_WORDS = (np.empty(0, np.uint32), np.empty(0, np.float32), np.empty(0, np.int32), np.empty(0, np.float32))


@pytest.fixture
def opener(tmp_path: Path) -> Iterator[Opener]:
    """Opens the same store again and again, as several processes would; by default it keeps columns at once."""
    opened: list[SqliteStore] = []

    def open_one(kept_from: int = 1, name: str = "memory.db") -> SqliteStore:
        opened.append(open_sqlite(tmp_path / name, "default", lambda: ENCODER.id, kept_from=kept_from))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


def write(store: SqliteStore, *contents: str, **fields: Any) -> list[str]:
    """Write memories; their logical ids."""
    made = [entry(content, **fields) for content in contents]
    store.write(SCOPE, lambda writes: writes.insert(made))
    return [each.memory.logical_id for each in made]


def answers(store: SqliteStore) -> list[Any]:
    """What a store answers to questions of several kinds, as values that compare."""
    found: list[Any] = []
    rng = random.Random(1)
    for scope in (SCOPE, SCOPE.within("atlas"), Scope(agent=AGENTS[1])):
        with store.asking(scope) as view:
            ground = view.ground()
            corpus = ground.corpus
            terms = dict(zip(corpus.terms.tolist(), corpus.counts.tolist(), strict=True))
            found.append((ground.profile, corpus.total, corpus.length, {t: n for t, n in terms.items() if n}))
            for selection in (at(NOW), at(days(20)), Selection(mode=TemporalMode.FULL_HISTORY)):
                found += [
                    told(view.candidates(selection, probe(rng, speakers, 40))) for speakers in ((), ("ada",))
                ]
    return found


def is_mapped(store: SqliteStore) -> bool:
    """Whether a store that was asked has its current shard from a file."""
    return store._resident._loaded[0].current.settled > 0


def test_a_random_history_is_answered_alike_from_rows_and_from_kept_columns(opener: Opener) -> None:
    history = History(3, 120, 0.2)
    held = opener()
    for number, (agent, deed) in enumerate(history.deeds):
        with held.transaction(Scope(agent=agent)) as writes:
            deed(writes)
        if number % 40 == 20:
            answers(held)
    rows, columns = opener(KEPT_FROM), opener()
    expected = answers(rows)
    assert answers(held) == expected
    assert answers(columns) == expected
    assert is_mapped(columns) and not is_mapped(rows)


def test_a_second_process_maps_what_the_first_kept_and_reads_only_what_came_since(
    opener: Opener, tmp_path: Path
) -> None:
    first = opener()
    write(first, *(f"{WORDS[number % 30]} note {number}" for number in range(40)), speaker="Ada")
    answers(first)
    assert {path.stat().st_mode & 0o777 for path in tmp_path.glob("memory.db-columns*")} == {0o600}
    write(first, "a late note")
    second = opener()
    expected = answers(first)
    assert answers(second) == expected
    shard = second._resident._loaded[0].current
    assert (shard.settled, len(shard)) == (40, 41)
    write(second, *(f"note {number} of another process" for number in range(20)))
    answers(second)
    assert second._resident._loaded[0].current.settled == 61, "kept anew, since much has come"
    assert first._resident._loaded[0].current.settled == 40, "who mapped the file before goes on with it"
    assert answers(first) == answers(second)


@pytest.mark.parametrize("damage", ["cut", "empty", "end", "another version"])
def test_a_torn_file_is_made_anew(opener: Opener, tmp_path: Path, damage: str) -> None:
    writer = opener()
    write(writer, "one", "two", "three")
    expected = answers(writer)
    file, whole = tmp_path / KEPT, (tmp_path / KEPT).read_bytes()
    made = {
        "cut": whole[: len(whole) // 2],
        "empty": b"",
        "end": whole[:-200] + bytes(200),
        "another version": whole[:-1] + b"9",
    }
    file.unlink()
    file.write_bytes(made[damage])
    assert answers(opener()) == expected
    assert len(file.read_bytes()) == len(whole)


def test_doctor_tells_of_a_changed_byte_and_removes_the_file(opener: Opener, tmp_path: Path) -> None:
    store = opener()
    write(store, "one", "two", "three")
    answers(store)
    assert store.check() == []
    file = tmp_path / KEPT
    whole = bytearray(file.read_bytes())
    whole[0] ^= 1
    file.unlink()
    file.write_bytes(whole)
    (told_of,) = store.check()
    assert KEPT in told_of and not file.exists()
    assert store.check() == []


def test_columns_of_another_history_are_not_used(opener: Opener, tmp_path: Path) -> None:
    """An older copy was put back, and written further: its change numbers say nothing of what was kept."""
    store = opener()
    write(store, "one", "two")
    store.close()
    shutil.copy(tmp_path / "memory.db", tmp_path / "copy.db")
    store = opener()
    write(store, "three", "four")
    answers(store)
    store.close()
    shutil.copy(tmp_path / "copy.db", tmp_path / "memory.db")
    back = opener(KEPT_FROM)
    write(back, "five")
    write(back, "six")
    write(back, "seven")
    assert answers(opener()) == answers(back)


def test_columns_of_other_vectors_are_not_used(opener: Opener) -> None:
    store = opener()
    write(store, *WORDS[:9])
    answers(store)
    positions = store.asking(SCOPE).positions(at(NOW), 9)
    vectors = [np.full(256, number + 1, np.int8) for number in range(9)]
    with store.transaction(SCOPE) as writes:
        writes.place_vectors(positions, "other/256", vectors)
        writes.activate(Space.SEMANTIC, ActiveEncoder("local:/other", "other/256", 256))
    asks = Probe(np.ones(256, np.float32), *_NO_WORDS, encoder="other/256")

    def found(asked: SqliteStore) -> list[list[int]]:
        batch = asked.asking(SCOPE).candidates(at(NOW), asks)
        return [batch.vector[each].tolist() for each in np.argsort(-batch.position)]

    assert found(store) == found(opener()) == [vector.tolist() for vector in vectors], "by another encoder"
    store.write(SCOPE, lambda writes: writes.place_vectors(positions[:1], "other/256", vectors[-1:]))
    assert found(opener()) == [vector.tolist() for vector in (vectors[-1], *vectors[1:])], "placed again"


def test_what_was_forgotten_is_in_no_file_when_the_forget_returns(opener: Opener, tmp_path: Path) -> None:
    store, other = opener(), opener()
    write(store, *(f"note {number}" for number in range(30)), speaker="Ada")
    (gone,) = write(store, "zephyr umbrella", speaker="Nepomuk")
    answers(store)
    expected_before = answers(other)
    assert b"nepomuk" in (tmp_path / KEPT).read_bytes()
    store.write(SCOPE, lambda writes: writes.forget(Extent([gone]), NOW))
    assert not list(tmp_path.glob("memory.db-columns-*"))
    expected = answers(opener(KEPT_FROM))
    assert answers(store) == answers(other) == expected != expected_before
    other.close()
    assert b"nepomuk" not in (tmp_path / KEPT).read_bytes(), "kept again without it as a process ends"
    fresh = opener()
    assert answers(fresh) == expected and is_mapped(fresh)


def test_a_forget_that_died_before_it_removed_them_is_finished_by_the_next_to_open(
    opener: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opener()
    write(store, *WORDS[:9])
    (gone,) = write(store, "zephyr umbrella")
    answers(store)

    def dies(_: ColumnFiles) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(ColumnFiles, "remove", dies)
        store.write(SCOPE, lambda writes: writes.forget(Extent([gone]), NOW))
    assert (tmp_path / KEPT).exists()
    opener(KEPT_FROM)
    assert not (tmp_path / KEPT).exists()


def test_nothing_is_kept_while_somebody_forgets(opener: Opener, tmp_path: Path) -> None:
    """A forget that another process committed is not brought back by who has not noticed it yet."""
    store, other = opener(), opener()
    write(store, *WORDS[:9])
    (gone,) = write(store, "zephyr umbrella")
    answers(store)
    other.write(SCOPE, lambda writes: writes.forget(Extent([gone]), NOW))
    index = store._resident
    shard = index._loaded[0].current
    assert index._keep(0, "current", shard) is shard
    assert not list(tmp_path.glob("memory.db-columns-*"))


def test_where_nothing_can_be_kept_rows_answer(opener: Opener, tmp_path: Path) -> None:
    (tmp_path / "memory.db-columns").mkdir()
    store = opener()
    write(store, *WORDS[:9])
    assert answers(store) == answers(opener(KEPT_FROM))
    assert not is_mapped(store) and not list(tmp_path.glob("memory.db-columns-*"))


def test_who_writes_meanwhile_is_not_waited_for_long(opener: Opener, tmp_path: Path) -> None:
    store, other = opener(), opener()
    write(store, *WORDS[:9])
    with other.transaction(SCOPE):
        answers(store)
    assert not list(tmp_path.glob("memory.db-columns-*"))
    write(store, "one more")
    answers(store)
    assert is_mapped(store)
