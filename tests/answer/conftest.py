"""A forge for each test: a tenant of its own, so that projects and conversations are few."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from uuid import uuid4

import pytest

import engramforge
from engramforge.forge import Forge


@contextmanager
def _opening(place: str) -> Iterator[Callable[[], Forge]]:
    with ExitStack() as opened:
        yield lambda: opened.enter_context(engramforge.open(place, tenant=f"t-{uuid4().hex[:12]}"))


@pytest.fixture
def another(place: str) -> Iterator[Callable[[], Forge]]:
    """Opens an empty store, another one each time."""
    with _opening(place) as opens:
        yield opens


@pytest.fixture(scope="module")
def lasting(place: str) -> Iterator[Callable[[], Forge]]:
    """Opens an empty store for the whole module: for what is filled once, and only read."""
    with _opening(place) as opens:
        yield opens


@pytest.fixture
def em(another: Callable[[], Forge]) -> Forge:
    """A forge on an empty store."""
    return another()


@pytest.fixture
def local(tmp_path: object) -> Iterator[Forge]:
    """A forge on an empty SQLite store, for what does not touch the engine."""
    with engramforge.open(str(tmp_path)) as forge:
        yield forge
