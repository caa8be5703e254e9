"""Linear algebra runs in one thread during our calls, and in as many as the host program wants outside of them."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import engramforge
from engramforge.forge.one_thread import ONE_THREAD

_OWN = ONE_THREAD._numpys


def _threads() -> int | None:
    return _OWN and _OWN.number()


def _set(threads: int) -> None:
    if _OWN is not None:
        _OWN.put(threads)


@pytest.fixture(autouse=True)
def _three_threads() -> Iterator[None]:
    before = _threads()
    assert before is not None, "NumPy's linear algebra is not known"
    _set(3)
    yield
    _set(before)


def test_a_call_has_one_thread_and_leaves_the_hosts(tmp_path: Path) -> None:
    seen: list[int | None] = []

    def drafts() -> Iterator[dict[str, str]]:
        seen.append(_threads())
        yield {"content": "The gate opens at seven."}

    with engramforge.open(tmp_path) as forge:
        forge.remember_many(drafts())
        assert seen == [1]
        assert _threads() == 3
        with pytest.raises(engramforge.EngramforgeError):
            forge.recall("gate", limit=-1)
        assert _threads() == 3


def test_a_setting_that_the_host_changes_during_a_call_stays(tmp_path: Path) -> None:
    def drafts() -> Iterator[dict[str, str]]:
        _set(2)
        yield {"content": "The gate opens at seven."}

    with engramforge.open(tmp_path) as forge:
        forge.remember_many(drafts())
    assert _threads() == 2


def test_of_calls_at_a_time_the_last_gives_the_threads_back(tmp_path: Path) -> None:
    inside, over = threading.Event(), threading.Event()

    def drafts() -> Iterator[dict[str, str]]:
        inside.set()
        over.wait(60)
        yield {"content": "The gate opens at seven."}

    with engramforge.open(tmp_path) as forge:
        slow = threading.Thread(target=lambda: forge.remember_many(drafts()))
        slow.start()
        inside.wait(60)
        forge.recall("gate")
        assert _threads() == 1
        over.set()
        slow.join(60)
        assert _threads() == 3
