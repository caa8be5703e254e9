"""How long an event may wait for what was told before: what its client has left, and not what the spool takes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from engramforge.runtime.server import _left


@pytest.mark.parametrize(
    ("gone_s", "least", "most"),
    [(0.0, 0.6, 0.7), (0.5, 0.1, 0.2), (3.0, 0.0, 0.0), (-5.0, 0.7, 0.7), (3_600.0, 0.7, 0.7)],
)
def test_what_a_client_has_waited_is_gone(gone_s: float, least: float, most: float) -> None:
    assert least <= _left(0.7, datetime.now(UTC) - timedelta(seconds=gone_s)) <= most


def test_who_does_not_say_when_it_began_waits_all_of_it() -> None:
    assert _left(0.7, None) == 0.7
