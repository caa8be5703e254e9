"""Which records are degraded: each rule on a broken record and on its sound neighbour."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from engramforge.core.checks.degraded import (
    FileParts,
    judge_doubled_links,
    judge_link,
    judge_memory,
    judge_versions,
)
from engramforge.model.link import Link
from engramforge.model.memory import Chunk, Kind, Memory, Source
from engramforge.model.validation_report import Degraded

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
BARE = Memory(
    id="m", logical_id="m", version=1, kind=Kind.NOTE, content="The ferry is late.", source=Source.API,
    project="sea", valid_at=NOW, created_at=NOW,
)  # fmt: skip
FULL = replace(BARE, goal="sail", mindstate="calm", metadata={"energy_transfer_coefficient": 0.5})
RICH = {"formation_trigger": "a horn", "felt_quality": "damp", "emotion_description": "dull"}


def _link(**fields: Any) -> Link:
    return Link(
        id="l", source_id="a", target_id="b", relation="CAUSES", valid_at=NOW, created_at=NOW, energy=0.5,
        confidence=0.5, emotion_vector={}, goal="sail", mindstate="calm", **fields,
    )  # fmt: skip


def _names(memory: Memory) -> list[str]:
    return [finding.name for finding in judge_memory(memory)]


def _of_link(standing: bool = True, **fields: Any) -> list[str]:
    link: Link = replace(_link(**RICH), **fields)
    return [finding.name for finding in judge_link(link, standing, NOW)]


def test_a_complete_memory_is_not_degraded() -> None:
    assert _names(FULL) == []


def test_missing_required_fields_are_poor_and_come_with_a_command() -> None:
    (finding,) = judge_memory(BARE)
    assert (finding.name, finding.broken) == ("metadata", False)
    assert "goal, mindstate" in finding.fault
    assert "4/13" in finding.fault
    assert finding.command == "engramforge revise m --goal TEXT --mindstate TEXT"


@pytest.mark.parametrize(
    "fields",
    [
        {"valid_at": NOW, "invalid_at": NOW},
        {"valid_at": NOW, "invalid_at": NOW - DAY},
        {"created_at": NOW, "expired_at": NOW - DAY},
    ],
)
def test_intervals_that_end_before_they_begin_are_broken(fields: dict[str, Any]) -> None:
    findings = [record for record in judge_memory(replace(FULL, **fields)) if record.name == "interval"]
    assert len(findings) == 1
    assert findings[0].broken
    assert "interval" in _of_link(**fields)
    sound = {name: NOW + DAY if name.startswith(("inv", "exp")) else at for name, at in fields.items()}
    assert "interval" not in _names(replace(FULL, **sound))


@pytest.mark.parametrize(
    "fields",
    [
        {"emotion_vector": {"joy": 1.1}},
        {"energy": -0.1},
        {"confidence": 7.0},
        {"epistemic_tier": 1.5},
        {"metadata": {**FULL.metadata, "energy_transfer_coefficient": "much"}},
    ],
)
def test_values_out_of_range_are_broken(fields: dict[str, Any]) -> None:
    (finding,) = judge_memory(replace(FULL, **fields))
    assert (finding.name, finding.broken) == ("value", True)
    assert next(iter(fields)).replace("metadata", "energy_transfer_coefficient") in finding.fault


def test_a_closed_record_is_judged_by_its_intervals_alone() -> None:
    assert _names(replace(BARE, energy=7.0, expired_at=NOW + DAY)) == []
    assert _names(replace(BARE, expired_at=NOW - DAY)) == ["interval"]


def test_two_versions_that_hold_at_once_are_broken() -> None:
    first = replace(FULL, id="1")
    second = replace(FULL, id="2", version=2, valid_at=NOW + DAY)
    (finding,) = judge_versions([first, second])
    assert (finding.name, finding.broken, finding.subject) == ("doubled", True, "1")
    closed = replace(first, invalid_at=NOW + DAY)
    assert list(judge_versions([closed, second])) == []
    assert list(judge_versions([replace(first, expired_at=NOW + DAY), second])) == []


def test_a_chunk_without_its_siblings() -> None:
    def parts(*indexes: int, total: int = 3) -> list[Degraded]:
        found = FileParts()
        for index in indexes:
            found.add(replace(FULL, id=str(index), chunk=Chunk("/notes/my file.md", index, total, 0)))
        found.add(FULL)
        return list(found.judge())

    assert parts(0, 1, 2) == []
    (finding,) = parts(0, 2)
    assert finding.broken is False
    assert "1 are not there" in finding.fault
    assert finding.command == "engramforge import '/notes/my file.md' --project sea"


def test_a_sound_link_is_not_degraded() -> None:
    assert _of_link() == []
    assert _of_link(standing=False, valid_at=NOW - DAY, invalid_at=NOW) == []


def test_links_that_say_little() -> None:
    (finding,) = judge_link(_link(), True, NOW)
    assert (finding.name, finding.broken) == ("metadata", False)
    # A version's own link is written by the product; nobody can say more of it.
    assert list(judge_link(replace(_link(), relation="REVISES", target_id="a"), True, NOW)) == []


def test_a_link_that_holds_while_neither_end_does() -> None:
    assert _of_link(standing=False) == ["ends"]


def test_a_link_to_itself_is_broken_unless_it_is_between_versions() -> None:
    (finding,) = judge_link(replace(_link(**RICH), target_id="a"), True, NOW)
    assert (finding.name, finding.broken, finding.command) == ("itself", True, "engramforge unlink l")
    assert _of_link(target_id="a", relation="SUPERSEDES") == []


def test_values_of_links_are_judged() -> None:
    assert _of_link(emotion_vector={"joy": 3}) == ["value"]
    assert _of_link(goal="") == ["value"]


def test_links_that_say_the_same_at_the_same_time() -> None:
    first, two = replace(_link(), id="1"), replace(_link(), id="2", valid_at=NOW + DAY)
    (finding,) = judge_doubled_links([two, first])
    assert (finding.subject, finding.name, finding.broken) == ("2", "doubled", False)
    assert list(judge_doubled_links([replace(first, invalid_at=NOW + DAY), two])) == []
    assert list(judge_doubled_links([first, replace(two, relation="DELAYS")])) == []
    assert list(judge_doubled_links([first, replace(two, target_id="c")])) == []
    assert list(judge_doubled_links([first, replace(two, expired_at=NOW + 2 * DAY)])) == []
