"""How complete metadata is, and the grade of several: exact at every bound."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.checks.completeness import (
    Tally,
    grade_of,
    metadata_completeness,
    missing_important,
    missing_required,
    report_on,
    unsound,
)
from engramforge.model.link import METADATA_FIELDS, Link
from engramforge.model.memory import Kind, Memory, Source
from engramforge.model.validation_report import NOTHING_TO_REPORT, Grade

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
VALUES: dict[str, Any] = {
    **dict.fromkeys(METADATA_FIELDS, "said"),
    "energy": 0.5,
    "confidence": 0.5,
    "energy_transfer_coefficient": 0.5,
    "emotion_vector": {"joy": 0.5},
    "resolution_state": "blocked",
}
BARE = Memory(
    id="m", logical_id="m", version=1, kind=Kind.NOTE, content="The ferry is late.", source=Source.API,
    project="sea", valid_at=NOW, created_at=NOW,
)  # fmt: skip
FULL = replace(BARE, goal="sail", mindstate="calm", metadata={n: v for n, v in VALUES.items() if n != "goal"})


def _link(**fields: Any) -> Link:
    required = {
        name: VALUES[name] for name in ("energy", "confidence", "emotion_vector", "goal", "mindstate")
    }
    return Link(
        id="l",
        source_id="a",
        target_id="b",
        relation="CAUSES",
        valid_at=NOW,
        created_at=NOW,
        **(required | fields),
    )


def test_a_memory_s_own_fields_and_its_metadata_are_looked_up() -> None:
    assert metadata_completeness(BARE) == 4 / 13  # energy, confidence, emotion vector, resolution state
    assert metadata_completeness(replace(BARE, goal="sail", metadata={"spatial_context": "quay"})) == 6 / 13
    assert metadata_completeness(replace(BARE, metadata={"goal": None, "elsewhere": 1})) == 4 / 13
    assert metadata_completeness(FULL) == 1.0


def test_link_and_function_agree() -> None:
    for link in (_link(), _link(felt_quality="warm"), _link(sensory_details={"sound": "gulls"})):
        assert metadata_completeness(link) == link.metadata_completeness


@given(st.sets(st.sampled_from(METADATA_FIELDS)), st.sampled_from(METADATA_FIELDS))
def test_completeness_is_a_share_and_never_falls(names: set[str], more: str) -> None:
    before = metadata_completeness(replace(BARE, metadata={name: VALUES[name] for name in names}))
    after = metadata_completeness(replace(BARE, metadata={name: VALUES[name] for name in {*names, more}}))
    assert 0.0 <= before <= after <= 1.0


def test_missing_fields_by_tier() -> None:
    present = {"energy": 0.5, "felt_quality": "warm"}
    assert missing_required(present) == ["confidence", "emotion_vector", "goal", "mindstate"]
    assert missing_important(present) == ["formation_trigger", "emotion_description"]


@pytest.mark.parametrize("name", METADATA_FIELDS)
def test_soundness_of_each_field(name: str) -> None:
    assert unsound({name: VALUES[name]}) == []
    assert all(unsound({name: value}) == [name] for value in (-1, True, "", {"joy": 2}))


def test_nothing_is_complete_and_excellent() -> None:
    assert report_on([]) == NOTHING_TO_REPORT
    assert (NOTHING_TO_REPORT.average_completeness, NOTHING_TO_REPORT.grade) == (1.0, Grade.EXCELLENT)


def test_a_report_counts() -> None:
    warned = replace(BARE, id="w", goal="sail", mindstate="calm")
    wrong = replace(FULL, id="x", metadata={**FULL.metadata, "energy_transfer_coefficient": 7})
    report = report_on([FULL, BARE, warned, wrong])
    assert (report.total, report.fully_valid, report.with_warnings, report.with_errors) == (4, 2, 2, 2)
    assert report.incomplete_ids == ("m", "x")
    assert report.average_completeness == pytest.approx((13 + 4 + 6 + 13) / 52)
    assert report.grade is Grade.POOR


def test_a_report_names_a_bounded_number_of_ids() -> None:
    tally = Tally(most_ids=3)
    for number in range(10):
        tally.add(replace(BARE, id=str(number)))
    assert tally.report().incomplete_ids == ("0", "1", "2")
    assert tally.report().with_errors == 10


# 100 items of 13 fields: 1300 fields, so 90 % is 1170, 75 % is 975 and 60 % is 780.
@pytest.mark.parametrize(
    ("present", "errors", "grade"),
    [
        (1300, 0, Grade.EXCELLENT),
        (1171, 0, Grade.EXCELLENT),
        (1170, 0, Grade.GOOD),
        (1300, 1, Grade.GOOD),
        (976, 9, Grade.GOOD),
        (976, 10, Grade.ACCEPTABLE),
        (975, 0, Grade.ACCEPTABLE),
        (781, 24, Grade.ACCEPTABLE),
        (781, 25, Grade.POOR),
        (780, 0, Grade.POOR),
        (1300, 25, Grade.POOR),
        (1300, 24, Grade.ACCEPTABLE),
        (0, 100, Grade.POOR),
    ],
)
def test_grades_on_both_sides_of_each_bound(present: int, errors: int, grade: Grade) -> None:
    assert grade_of(present, errors, 100) is grade


@given(st.integers(1, 500), st.data())
def test_a_grade_never_falls_with_more_fields_or_fewer_errors(total: int, data: st.DataObject) -> None:
    present = data.draw(st.integers(0, 13 * total - 1))
    errors = data.draw(st.integers(1, total))
    order = list(Grade)
    here = order.index(grade_of(present, errors, total))
    assert order.index(grade_of(present + 1, errors, total)) <= here
    assert order.index(grade_of(present, errors - 1, total)) <= here
