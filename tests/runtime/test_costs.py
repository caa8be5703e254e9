"""What a command costs that a daemon answers: the standard library alone, and a few times a bare interpreter."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import time
import weakref

import psutil
import pytest

from engramforge.runtime.daemon import Tidying

from .conftest import Home

HEAVY = {
    "click",
    "sqlalchemy",
    "numpy",
    "mcp",
    "asyncio",
    "typing",
    "pathlib",
    "dataclasses",
    "sqlite3",
    "logging",
}
_LOADED = """
import json, sys
from engramforge.entry.console import main
sys.argv[1:] = json.loads(sys.argv[1])
code = main()
print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)
"""
MOST = 6.0


@pytest.fixture
def served(home: Home) -> Home:
    home.run_alone("remember", "We chose SQLite, because nobody has to run a server.", "--project", "atlas")
    home.start_by_command()
    return home


def test_a_client_loads_the_standard_library_alone(served: Home) -> None:
    for command, expected in (
        (["recall", "why SQLite?"], 0),
        (["list", "--json"], 0),
        (["show", "000000"], 3),
    ):
        code = [sys.executable, "-c", _LOADED, json.dumps(command)]
        ran = subprocess.run(code, env=served.environment, capture_output=True, text=True, check=True)
        exit_code, loaded = json.loads(ran.stderr.splitlines()[-1])
        assert exit_code == expected
        assert not HEAVY & set(loaded)
        ours = {name for name in loaded if name.startswith("engramforge")}
        assert ours == {
            "engramforge", "engramforge.errors", "engramforge.entry", "engramforge.entry.console",
            "engramforge.entry.thin", "engramforge.runtime", "engramforge.runtime.places", "engramforge.runtime.client",
        }  # fmt: skip


@pytest.mark.timed
def test_a_recall_through_a_warm_daemon_is_quick(
    served: Home, record_property: pytest.RecordProperty
) -> None:
    """In pairs, since the machine may be busy."""
    recall = [sys.executable, "-m", "engramforge.entry.console", "recall", "why SQLite?"]
    bare = [sys.executable, "-c", "pass"]

    def seconds(command: list[str]) -> float:
        begin = time.perf_counter()
        subprocess.run(command, env=served.environment, capture_output=True, check=True)
        return time.perf_counter() - begin

    seconds(recall)
    pairs = sorted(seconds(recall) / seconds(bare) for _ in range(15))
    record_property("times_bare_python", round(pairs[7], 2))
    assert pairs[7] <= MOST


def test_the_daemon_of_a_small_store_is_small(served: Home) -> None:
    served.run("recall", "why SQLite?")
    assert psutil.Process(served.daemon().pid).memory_info().rss < 250_000_000


class _Knot:
    """Something that names itself, so that only the collector can free it."""

    def __init__(self) -> None:
        self.itself = self


def test_what_was_answered_is_given_back_once_for_each_time_that_something_is_asked() -> None:
    tidying, first, second = Tidying(asked_at=1.0), _Knot(), _Knot()
    young, old = weakref.ref(first), weakref.ref(second)
    gc.collect()  # both are old now
    del first
    tidying.tidy(asked_at=1.0, idle_s=60.0)
    assert young() is not None, "nothing was asked"
    tidying.tidy(asked_at=2.0, idle_s=1.0)
    assert young() is not None, "only what is young is looked at while somebody asks"
    third = _Knot()
    new = weakref.ref(third)
    del second, third
    tidying.tidy(asked_at=2.0, idle_s=2.0)
    assert new() is not None
    tidying.tidy(asked_at=3.0, idle_s=0.0)
    assert new() is None
    assert old() is not None
    tidying.tidy(asked_at=3.0, idle_s=11.0)
    assert (young(), old()) == (None, None)
