"""Random lives with a forget in them: what was forgotten is nowhere, or the proof names the memory that says it too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.postgres import PrivateServer
from tests.robustness.forget_trial import Life, tell, words_in_files, words_on_server

LENGTH = 14


@pytest.mark.parametrize("seed", range(3))
def test_what_was_forgotten_is_nowhere_or_named(
    seed: int, new_place: Callable[[], str], request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    place = new_place()
    search = words_in_files([Path(place)])
    if place.startswith("postgresql"):
        server = request.getfixturevalue("postgres_server")
        if not isinstance(server, PrivateServer):
            pytest.skip("an ordinary server's files are not ours to read")
        search = words_on_server(server)
    life = Life(place, tmp_path / "files", seed)
    outcome = life.live(LENGTH, search)
    assert not outcome.left and not outcome.back, (tell(outcome), life.deeds)
    assert not outcome.proof.queued
    assert outcome.proof.verified == (not outcome.proof.found)
