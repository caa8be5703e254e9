"""What may be linked: the three tiers, every fault named at once, unknown fields kept within bounds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.checks.link_validation import CheckedLink, Faults, check_link, check_relation
from engramforge.errors import CallerError, InvalidTime, InvalidValue
from engramforge.model.link import IMPORTANT_FIELDS, METADATA_FIELDS, REQUIRED_FIELDS, Relation
from engramforge.model.memory import ResolutionState

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SOUND: dict[str, Any] = {
    "energy": 0.7,
    "confidence": 0.9,
    "emotion_vector": {"relief": 0.6},
    "goal": "ship the ferry timetable",
    "mindstate": "focused",
}
RICH = {
    **SOUND,
    "energy_transfer_coefficient": 0.2,
    "resolution_state": "resolved",
    "formation_trigger": "the harbour closed",
    "felt_quality": "a weight lifted",
    "emotion_description": "quiet relief",
    "body_sensation": "loose shoulders",
    "spatial_context": "at the quay",
    "sensory_details": {"sound": "gulls"},
}


def _check(relation: object = "CAUSES", **fields: Any) -> CheckedLink:
    faults = Faults()
    checked = check_link(relation, fields, NOW, faults)
    faults.refuse("The link")
    assert checked is not None
    return checked


def _refused(relation: object = "CAUSES", **fields: Any) -> CallerError:
    with pytest.raises(CallerError) as caught:
        _check(relation, **fields)
    return caught.value


def test_a_rich_link_has_no_warning() -> None:
    checked = _check(**RICH)
    assert checked.warnings == ()
    assert set(checked.metadata) == set(METADATA_FIELDS)
    assert checked.metadata["resolution_state"] is ResolutionState.RESOLVED
    assert (checked.recorded_at, checked.valid_at, checked.invalid_at) == (NOW, NOW, None)


def test_two_required_fields_have_defaults() -> None:
    checked = _check(**SOUND)
    assert checked.metadata["energy_transfer_coefficient"] == 0.5
    assert checked.metadata["resolution_state"] is ResolutionState.IN_PROGRESS


@pytest.mark.parametrize("name", IMPORTANT_FIELDS)
def test_each_important_field_that_is_missing_is_one_warning(name: str) -> None:
    warnings = _check(**{key: value for key, value in RICH.items() if key != name}).warnings
    assert len(warnings) == 1
    assert name in warnings[0]


def test_every_fault_is_named_at_once() -> None:
    error = _refused(
        "causes",
        energy=1.5,
        emotion_vector={"joy": 2, "fear": "much", "calm": 0.1},
        mindstate="",
        resolution_state="done",
        felt_quality=7,
        sensory_details={"sound": 3},
        valid_at="2026-05-01T09:00",
        invalid_at="yesterday",
        recorded_at=NOW + timedelta(days=1),
        depth={1, 2},
        expired_at="2026-05-01",
    )
    assert type(error) is InvalidValue
    for named in (
        "'causes'",
        "energy is 1.5",
        "confidence is missing",
        "emotion_vector['joy']",
        "emotion_vector['fear']",
        "goal is missing",
        "mindstate is empty",
        "no resolution state 'done'",
        "felt quality is a int",
        "sensory_details['sound'] ".replace("_", " "),
        "valid_at 2026-05-01T09:00:00 has no time zone",
        "invalid_at 'yesterday'",
        "recorded_at 2026-03-02",
        "metadata.depth is a set",
        "expired_at is set by the store",
    ):
        assert named in error.fault, named
    assert "has 15 faults" in error.fault
    assert "'calm'" not in error.fault
    assert "Did you mean CAUSES?" in error.mend


@given(st.sets(st.sampled_from(REQUIRED_FIELDS)))
def test_exactly_the_missing_required_fields_are_named(left_out: set[str]) -> None:
    fields = {name: value for name, value in RICH.items() if name not in left_out}
    without_default = left_out - {"energy_transfer_coefficient", "resolution_state"}
    if not without_default:
        _check(**fields)
        return
    fault = _refused(**fields).fault
    assert {name for name in REQUIRED_FIELDS if f"{name} is missing" in fault} == without_default


def test_one_fault_stays_itself() -> None:
    assert _refused(**{**SOUND, "energy": -0.1}).fault == "energy is -0.1"


def test_faults_of_one_kind_keep_it() -> None:
    error = _refused(**SOUND, recorded_at=NOW + timedelta(days=1), valid_at=NOW, invalid_at=NOW)
    assert type(error) is InvalidTime
    assert "2 faults" in error.fault


@pytest.mark.parametrize("share", [0, 1, 0.0, 1.0])
def test_the_bounds_of_shares_belong_to_them(share: float) -> None:
    assert _check(**{**SOUND, "energy": share, "emotion_vector": {"awe": share}}).metadata["energy"] == share


@pytest.mark.parametrize("share", [-1e-9, 1.0000001, float("nan"), float("inf"), True, "0.5", 10**400])
@pytest.mark.parametrize("name", ["energy", "confidence", "energy_transfer_coefficient"])
def test_shares_out_of_range_are_refused(name: str, share: object) -> None:
    assert name in _refused(**{**SOUND, name: share}).fault


@pytest.mark.parametrize(
    "vector", ["joy", ["joy"], {"": 0.5}, {"joy": None}, {str(n): 0.1 for n in range(65)}]
)
def test_a_wrong_emotion_vector_is_refused(vector: object) -> None:
    assert "emotion" in _refused(**{**SOUND, "emotion_vector": vector}).fault


def test_nothing_felt_is_an_emotion_vector() -> None:
    assert _check(**{**SOUND, "emotion_vector": {}}).metadata["emotion_vector"] == {}


@pytest.mark.parametrize("relation", [*Relation, "BLOCKS", "PART_OF", "V2_OF", "ÉCLAIRE"])
def test_the_vocabulary_is_open(relation: str) -> None:
    assert check_relation(relation) == str(relation)


@pytest.mark.parametrize(
    "relation",
    ["", "causes", "Causes", "DEPENDS ON", "_A", "A_", "A__B", "2ND", "A-B", "X" * 65, 7, None, "A\n", "A;B"],
)
def test_other_relations_are_refused(relation: object) -> None:
    with pytest.raises(InvalidValue):
        check_relation(relation)


@pytest.mark.parametrize(("relation", "near"), [("depends on", "DEPENDS_ON"), ("Part-Of", "PART_OF")])
def test_a_refused_relation_names_the_right_one(relation: str, near: str) -> None:
    with pytest.raises(InvalidValue, match=near):
        check_relation(relation)


def test_a_relation_that_binds_deletion_says_so() -> None:
    assert any("forget" in warning for warning in _check("DERIVED_FROM", **RICH).warnings)


def test_unknown_fields_are_kept() -> None:
    assert _check(**RICH, weather={"wind": [1, 2.5, None, True]}).extra == {
        "weather": {"wind": [1, 2.5, None, True]}
    }


def _nested(depth: int) -> Any:
    return 1 if depth == 0 else {"x": _nested(depth - 1)}


@pytest.mark.parametrize(
    "value", ["x" * 65_536, _nested(16), float("nan"), b"raw", {1: 2}, "a\0b", 10**30, "\ud800"]
)
def test_unknown_fields_are_bounded(value: object) -> None:
    assert _refused(**RICH, more=value).fault


@pytest.mark.parametrize("length", [1_999, 2_000])
def test_felt_texts_have_a_length(length: int) -> None:
    assert len(_check(**{**SOUND, "goal": "g" * length}).metadata["goal"]) == length
    assert "goal" in _refused(**{**SOUND, "goal": "g" * 2_001}).fault


def test_valid_time_begins_with_recorded_time() -> None:
    checked = _check(**SOUND, recorded_at=NOW - timedelta(days=2), invalid_at=NOW - timedelta(days=1))
    assert checked.valid_at == checked.recorded_at == NOW - timedelta(days=2)
