"""One store for a module of tests; each test keeps to projects and conversations of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import engramforge
from engramforge.forge import Forge


@pytest.fixture(scope="module")
def em(place: str) -> Iterator[Forge]:
    """A forge on the module's store."""
    with engramforge.open(place) as forge:
        yield forge
