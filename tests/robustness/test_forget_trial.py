"""Random lives with a forget in them: what was forgotten is nowhere, or the proof names the memory that says it too."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from tests.robustness.forget_trial import Life, tell

LENGTH = 14


@pytest.mark.parametrize("seed", range(3))
def test_what_was_forgotten_is_nowhere_or_named(
    seed: int, place: str, search: Callable[[Iterable[str]], set[str]], tmp_path: Path
) -> None:
    life = Life(place, tmp_path / "files", seed)
    outcome = life.live(LENGTH, search)
    assert not outcome.left and not outcome.back, (tell(outcome), life.deeds)
    assert not outcome.proof.queued
    assert outcome.proof.verified == (not outcome.proof.found)
