"""Decisions that come and change as memories: the same one twice is one, and none changes ahead of time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import engramforge
from engramforge.errors import InvalidTime


@pytest.fixture
def forge(tmp_path: Path) -> Iterator[engramforge.Forge]:
    with engramforge.open(tmp_path / "home") as opened:
        yield opened


def test_the_same_decision_is_remembered_once(forge: engramforge.Forge) -> None:
    first = forge.remember("We paint the hulls blue.", kind="decision", project="port")
    again = forge.remember("We paint the hulls blue.", kind="decision", project="port")
    assert again.is_duplicate and again.logical_id == first.logical_id
    assert [each.memory_id for each in forge.decisions.browse(project="port")] == [first.logical_id]
    other = forge.remember("We paint the hulls blue.", kind="decision", project="yard")
    assert not other.is_duplicate and other.logical_id != first.logical_id
    # One that ended since is decided anew.
    forge.decisions.invalidate(first.logical_id)
    anew = forge.remember("We paint the hulls blue.", kind="decision", project="port")
    assert not anew.is_duplicate
    (active,) = forge.decisions.browse(project="port", status="active")
    assert active.memory_id == anew.logical_id


def test_it_is_known_again_in_another_store(forge: engramforge.Forge, tmp_path: Path) -> None:
    forge.remember("We paint the hulls blue.", kind="decision", project="port")
    forge.export(tmp_path / "port.jsonl")
    with engramforge.open(tmp_path / "other") as other:
        other.import_path(tmp_path / "port.jsonl")
        assert other.remember("We paint the hulls blue.", kind="decision", project="port").is_duplicate


def test_a_decision_does_not_change_ahead_of_time(forge: engramforge.Forge) -> None:
    blue = forge.remember("We paint the hulls blue.", kind="decision", project="port")
    ahead = datetime.now(UTC) + timedelta(days=200)
    with pytest.raises(InvalidTime, match="in the future"):
        forge.supersede(blue.id, "We paint the hulls red.", at=ahead)
    with pytest.raises(InvalidTime, match="in the future"):
        forge.invalidate(blue.id, at=ahead)
    (active,) = forge.decisions.browse(project="port", status="active")
    assert active.decision == "We paint the hulls blue." and active.version == 1
    # What is no decision has no status, and may.
    note = forge.remember("The hulls are blue.", project="port")
    forge.supersede(note.id, "The hulls are red.", at=ahead)
    assert forge.recall("which colour are the hulls?", project="port", kinds="note").hits[0].excerpt == (
        "The hulls are blue."
    )
