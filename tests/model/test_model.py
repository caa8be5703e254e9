"""Limits, times, the registry of spaces against the specification's table, and links."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.errors import InvalidTime
from engramforge.model import limits
from engramforge.model.link import (
    CONDITIONAL_FIELDS,
    IMPORTANT_FIELDS,
    METADATA_FIELDS,
    REQUIRED_FIELDS,
    Link,
)
from engramforge.model.scope import Level, Scope
from engramforge.model.spaces import CATEGORY_WEIGHTS, REGISTRY, ROW_BY_SPACE, Category, Space
from engramforge.model.time import AsOf, TimeRange, from_micros, parse_time, to_micros, utc

NOW = datetime(2026, 5, 1, 9, 30, 15, 123456, tzinfo=UTC)


def test_limits_are_those_of_the_specification() -> None:
    assert limits.CONTENT_BYTES == 1_000_000
    assert limits.BATCH_MEMORIES == 1_000
    assert limits.QUERY_CHARACTERS == 10_000
    assert limits.RECALL_HITS == 1_000
    assert limits.BUDGET_CHARACTERS == 4_000


# number, size, category, comparison, topic weight, relevance weight, high, low, rhythm
TABLE = """
E1  1024  semantic   cosine           1.0 1.0  0.75 0.30 40
E2  512   temporal   cosine           0   0    -    -    8
E3  512   temporal   cosine           0   0    -    -    8
E4  512   temporal   cosine           0   0    -    -    8
E5  768   semantic   asymmetric       1.0 0.9  0.70 0.25 25
E6  30000 semantic   jaccard          1.0 0.7  0.60 0.20 4
E7  1536  semantic   cosine           1.0 0.85 0.80 0.35 25
E8  384   relational translation      0.5 0.6  0.65 -    12
E9  10000 structural hamming          0.5 0.5  0.70 -    80
E10 768   semantic   cosine           1.0 0.8  0.70 0.30 40
E11 384   relational translation      0.5 0.6  0.65 -    15
E12 128   semantic   maxsim           1.0 0.75 0.70 0.30 60
E13 30000 semantic   weighted_jaccard 1.0 0.7  0.60 0.20 4
"""
FAMILIES = {"E1": "E12", "E6": "E13", "E8": "E11"}
"""Spaces of one family, as the specification pairs them."""


def test_the_registry_is_the_specifications_table() -> None:
    lines = [line.split() for line in TABLE.strip().splitlines()]
    assert len(lines) == len(REGISTRY) == len(Space) == 13
    for line, row in zip(lines, REGISTRY, strict=True):
        number, size, category, comparison, topic, relevance, high, low, rhythm = line
        assert row.number == number
        assert row.declared_size == int(size)
        assert (row.category, row.comparison) == (category, comparison)
        assert (row.topic_weight, row.relevance_weight) == (float(topic), float(relevance))
        assert (row.high, row.low) == tuple(None if limit == "-" else float(limit) for limit in (high, low))
        assert row.rhythm_hz == int(rhythm)
        assert ROW_BY_SPACE[row.space] is row


def test_agreement_categories_and_families() -> None:
    assert sum(row.topic_weight for row in REGISTRY) == 8.5
    assert CATEGORY_WEIGHTS == {"semantic": 1.0, "temporal": 0.0, "relational": 0.5, "structural": 0.5}
    by_number = {row.number: row for row in REGISTRY}
    for first, other in FAMILIES.items():
        assert by_number[first].family == by_number[other].family
    assert len({row.family for row in REGISTRY if row.takes_part_in_relevance}) == 13 - 3 - len(FAMILIES)
    for row in REGISTRY:
        assert row.takes_part_in_relevance == (row.category is not Category.TEMPORAL)
        assert (row.high is None) == (row.category is Category.TEMPORAL)
        assert row.category_weight == CATEGORY_WEIGHTS[row.category]
        assert row.low is None or row.high is None or row.low < row.high


@pytest.mark.parametrize(
    "text, expected",
    [
        ("2026-05-01", datetime(2026, 5, 1, tzinfo=UTC)),
        ("20260501", datetime(2026, 5, 1, tzinfo=UTC)),
        (" 2026-05-01T09:00:00Z ", datetime(2026, 5, 1, 9, tzinfo=UTC)),
        ("2026-05-01T09:00:00+05:30", datetime(2026, 5, 1, 3, 30, tzinfo=UTC)),
        ("2026-05-01T09:00:00.000001-00:00", datetime(2026, 5, 1, 9, 0, 0, 1, tzinfo=UTC)),
    ],
)
def test_times_are_read_as_utc(text: str, expected: datetime) -> None:
    found = parse_time(text)
    assert found == expected
    assert found.utcoffset() == timedelta(0)


@pytest.mark.parametrize(
    "text",
    ["", "yesterday", "2026-13-01", "2026-02-30", "2026-05-01T09:00", "2026-05-01 09:00:00", "1746090000",
     "0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59-05:00"],
)  # fmt: skip
def test_what_is_no_sound_time_is_refused_by_name(text: str) -> None:
    with pytest.raises(InvalidTime, match="valid_at") as caught:
        parse_time(text, "valid_at")
    assert caught.value.mend


def test_naive_and_foreign_times_are_refused() -> None:
    assert utc(None) is None
    assert utc(NOW.astimezone(timezone(timedelta(hours=9)))) == NOW
    for wrong in (datetime(2026, 5, 1), "2026-05-01", 7):  # noqa: DTZ001 - that is what is refused
        with pytest.raises(InvalidTime, match="since"):
            utc(wrong, "since")  # type: ignore[arg-type]


@given(st.datetimes(timezones=st.just(UTC)))
def test_microseconds_are_exact_both_ways(moment: datetime) -> None:
    assert from_micros(to_micros(moment)) == moment
    assert to_micros(moment + timedelta(microseconds=1) if moment < NOW else moment) - to_micros(moment) in (
        0,
        1,
    )


@given(st.datetimes(timezones=st.just(UTC)), st.datetimes(timezones=st.just(UTC)))
def test_microseconds_keep_the_order(first: datetime, other: datetime) -> None:
    assert (first < other) == (to_micros(first) < to_micros(other))


def test_ranges_are_half_open_and_not_empty() -> None:
    later = NOW + timedelta(microseconds=1)
    assert TimeRange(NOW, later).end == later
    assert TimeRange(None, NOW) == TimeRange(end=NOW)
    for start, end in ((NOW, NOW), (later, NOW)):
        with pytest.raises(InvalidTime, match="before it begins"):
            TimeRange(start, end)
    east = timezone(timedelta(hours=9))
    assert TimeRange(NOW.astimezone(east)).start == NOW
    assert AsOf(NOW.astimezone(east)) == AsOf(valid=NOW)
    with pytest.raises(InvalidTime, match="as_of_recorded"):
        AsOf(recorded=datetime(2026, 5, 1))  # noqa: DTZ001


LINK = Link(
    id="1", source_id="2", target_id="3", relation="CAUSES", valid_at=NOW, created_at=NOW, energy=0.5, confidence=0.5,
    emotion_vector={}, goal="", mindstate="",
)  # fmt: skip


def test_completeness_counts_thirteen_fields() -> None:
    assert (len(REQUIRED_FIELDS), len(IMPORTANT_FIELDS), len(CONDITIONAL_FIELDS)) == (7, 3, 3)
    assert len(set(METADATA_FIELDS)) == 13
    assert LINK.metadata_completeness == 7 / 13
    assert LINK.energy_transfer_coefficient == 0.5
    assert LINK.resolution_state == "in_progress"


@given(st.sets(st.sampled_from(IMPORTANT_FIELDS + CONDITIONAL_FIELDS)))
def test_each_optional_field_adds_one_thirteenth(present: set[str]) -> None:
    link = replace(LINK, **dict.fromkeys(present, "said"))  # type: ignore[arg-type]
    assert link.metadata_completeness == (7 + len(present)) / 13


def test_scope_admits_personal_memories_of_its_agent_alone() -> None:
    scope = Scope(agent="ada").within("atlas", "farm")
    assert scope.projects == ("atlas", "farm")
    assert scope.admits(Level.PERSONAL, "ada")
    assert not scope.admits(Level.PERSONAL, "bob")
    assert scope.admits(Level.COLLECTIVE, "bob")
    assert not replace(scope, levels=(Level.PERSONAL,)).admits(Level.ECOSYSTEM, "ada")
