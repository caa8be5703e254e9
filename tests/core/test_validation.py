"""Every check on a draft, tried on both sides of its edge."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.checks.draft_from_mapping import draft_from
from engramforge.core.checks.validation import (
    ATTACHMENTS_PER_MEMORY,
    EMOTIONS_PER_MEMORY,
    check_code,
    check_content,
    check_draft,
    check_metadata,
    check_name,
    check_query,
    check_unit,
)
from engramforge.errors import CallerError, InvalidContent, InvalidTime, InvalidValue
from engramforge.model.memory import Attachment, Chunk, Draft, Kind, ResolutionState, Source
from engramforge.model.scope import Level

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def checked(**fields: object) -> Draft:
    return check_draft(draft_from({"content": "a plain note", **fields}), NOW)


def test_defaults_are_filled_in() -> None:
    draft = checked()
    assert draft.recorded_at == draft.valid_at == NOW
    assert (draft.energy, draft.confidence, draft.epistemic_tier) == (0.5, 0.5, 0.5)
    assert draft.emotion_vector is None and draft.invalid_at is None


def test_words_given_as_text_become_words() -> None:
    draft = checked(kind=" Decision ", source="import", level="collective", resolution_state="resolved")
    assert draft.kind is Kind.DECISION
    assert draft.source is Source.IMPORT
    assert draft.level is Level.COLLECTIVE
    assert draft.resolution_state is ResolutionState.RESOLVED


def test_times_become_utc() -> None:
    there = timezone(timedelta(hours=2))
    draft = checked(valid_at=datetime(2026, 4, 1, 9, tzinfo=there), recorded_at="2026-04-02T00:00:00+00:00")
    assert draft.valid_at == datetime(2026, 4, 1, 7, tzinfo=UTC) and draft.valid_at.tzinfo is UTC
    assert draft.recorded_at == datetime(2026, 4, 2, tzinfo=UTC)


def test_valid_at_defaults_to_recorded_at() -> None:
    assert checked(recorded_at="2026-04-02").valid_at == datetime(2026, 4, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "  \n\t",
        "\u200b\ufeff ",
        "\u2003",
        "a\0b",
        "\ud800",
        b"\xff\xfe",
        b"",
        7,
        None,
        "x" * 1_000_001,
        "é" * 500_001,
    ],
)
def test_unsound_content_is_refused(content: object) -> None:
    with pytest.raises(InvalidContent) as caught:
        check_content(content)
    assert caught.value.fault and caught.value.mend


@pytest.mark.parametrize("content", ["x" * 1_000_000, "é" * 500_000, " . ", b"caf\xc3\xa9", "\x1b[31mred"])
def test_sound_content_is_kept(content: str | bytes) -> None:
    assert check_content(content) == (content.decode() if isinstance(content, bytes) else content)


@pytest.mark.parametrize(
    "value", [-0.0001, 1.0001, float("nan"), float("inf"), True, False, "0.5", None, 10**400, [0.5]]
)
@pytest.mark.parametrize("field", ["energy", "confidence", "epistemic_tier"])
def test_numbers_outside_the_unit_interval_are_refused(field: str, value: object) -> None:
    with pytest.raises(InvalidValue, match=field):
        check_draft(replace(Draft(content="x"), **{field: value}), NOW)


@pytest.mark.parametrize("value", [0, 1, 0.25, np.float32(0.5), np.int64(1)])
def test_any_real_number_in_the_unit_interval_is_taken(value: object) -> None:
    assert check_unit(value, "energy") == float(value)  # type: ignore[arg-type]
    assert type(check_unit(value, "energy")) is float


@pytest.mark.parametrize("field", ["kind", "source", "level", "resolution_state"])
@pytest.mark.parametrize("value", ["nonsense", 3, "", b"note"])
def test_unknown_words_are_refused(field: str, value: object) -> None:
    with pytest.raises(InvalidValue, match="Choose one of"):
        check_draft(replace(Draft(content="x"), **{field: value}), NOW)


def test_the_nearest_word_is_suggested() -> None:
    with pytest.raises(InvalidValue, match="Did you mean decision"):
        checked(kind="desicion")


@pytest.mark.parametrize("field", ["valid_at", "recorded_at", "invalid_at"])
@pytest.mark.parametrize("value", [datetime(2026, 1, 1), "2026-01-01T10:00:00", "yesterday", 5, ""])  # noqa: DTZ001
def test_naive_and_unreadable_times_are_refused(field: str, value: object) -> None:
    with pytest.raises(InvalidTime, match=field):
        check_draft(replace(Draft(content="x"), **{field: value}), NOW)


def test_the_future_is_refused_beyond_the_skew_of_clocks() -> None:
    with pytest.raises(InvalidTime, match="future"):
        checked(recorded_at=NOW + timedelta(seconds=5, microseconds=1))
    assert checked(recorded_at=NOW + timedelta(seconds=5)).recorded_at == NOW
    assert checked(valid_at=NOW + timedelta(days=30)).valid_at == NOW + timedelta(days=30)


def test_an_end_has_to_follow_its_beginning() -> None:
    for end in (NOW, NOW - timedelta(days=1)):
        with pytest.raises(InvalidTime, match="invalid_at"):
            checked(valid_at=NOW, invalid_at=end)
    assert checked(valid_at=NOW, invalid_at=NOW + timedelta(microseconds=1)).invalid_at is not None


@pytest.mark.parametrize("field", ["name", "project", "session_id", "speaker", "agent"])
@pytest.mark.parametrize("value", ["", "  ", "x" * 201, "a\nb", "a\x00b", "é\u0085x", "\ud800x", 5, "\u200b"])
def test_unsound_names_are_refused(field: str, value: object) -> None:
    with pytest.raises(InvalidValue, match=field.replace("_", " ")):
        check_draft(replace(Draft(content="x"), **{field: value}), NOW)


def test_names_are_stripped_and_may_be_as_long_as_the_limit() -> None:
    assert check_name(f"  {'x' * 200} ", "project") == "x" * 200
    assert check_name("Projekt Ü 計画", "project") == "Projekt Ü 計画"


@pytest.mark.parametrize(
    "tags", [["x"] * 2 + [f"t{n}" for n in range(64)], "one", 5, [""], [3], ["a\nb"], {"a": 1}]
)
def test_unsound_tags_are_refused(tags: object) -> None:
    with pytest.raises(InvalidValue, match="tag"):
        check_draft(replace(Draft(content="x"), tags=tags), NOW)  # type: ignore[arg-type]


def test_tags_are_made_distinct_in_order() -> None:
    assert checked(tags=["b", "a", " b "]).tags == ("b", "a")
    assert len(checked(tags=[f"t{n}" for n in range(64)]).tags) == 64
    assert checked(tags={"b", "a"}).tags == ("a", "b")


def nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = {"k": value}
    return value


def looped() -> dict[str, object]:
    value: dict[str, object] = {}
    value["self"] = value
    return value


@pytest.mark.parametrize(
    "metadata",
    [
        {"x": float("nan")},
        {"x": float("-inf")},
        {"x": object()},
        {"x": {1, 2}},
        {1: "x"},
        {"x": b"bytes"},
        {"x": 2**63},
        {"x": 10**5_000},
        {"x": "\ud800"},
        {"x": "a\0"},
        {"x\0": 1},
        {"x": "y" * 65_536},
        nested(17),
        looped(),
        [],
        "text",
    ],
    ids=lambda value: str(type(value)),
)
def test_unsound_metadata_is_refused(metadata: object) -> None:
    with pytest.raises(InvalidValue):
        check_metadata(metadata)


def test_sound_metadata_is_copied_as_plain_json() -> None:
    given_lists = {"a": (1, 2.5, None, True), "b": {"c": ["é"]}}
    assert check_metadata(given_lists) == {"a": [1, 2.5, None, True], "b": {"c": ["é"]}}
    assert check_metadata(nested(16)) == nested(16)
    assert check_metadata({"x": "y" * (65_536 - len('{"x": ""}'))})


@pytest.mark.parametrize("value", [-1, 2**63, True, 1.5, "3"])
def test_unsound_sequences_are_refused(value: object) -> None:
    with pytest.raises(InvalidValue, match="sequence"):
        check_draft(replace(Draft(content="x"), sequence=value), NOW)  # type: ignore[arg-type]
    assert checked(sequence=2**63 - 1).sequence == 2**63 - 1


@pytest.mark.parametrize(
    "chunk",
    [
        Chunk("", 0, 1, 0),
        Chunk("a", 1, 1, 0),
        Chunk("a", -1, 1, 0),
        Chunk("a", 0, 1, True),
        Chunk(None, 0, 1, 0),
        "a",
    ],  # type: ignore[arg-type]
)
def test_unsound_chunks_are_refused(chunk: object) -> None:
    with pytest.raises(InvalidValue):
        check_draft(replace(Draft(content="x"), chunk=chunk), NOW)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "attachments",
    [
        "a.png",
        ["a.png"],
        [Attachment("")],
        [Attachment("a", size_bytes=-1)],
        [Attachment("a", caption="x" * 2_001)],
        [Attachment("a", location="\0")],
        [Attachment(f"a{n}") for n in range(ATTACHMENTS_PER_MEMORY + 1)],
    ],
)
def test_unsound_attachments_are_refused(attachments: object) -> None:
    with pytest.raises(InvalidValue, match="ttachment"):
        check_draft(replace(Draft(content="x"), attachments=attachments), NOW)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "vector",
    [{"joy": 1.1}, {"joy": True}, {"": 0.5}, ["joy"], {f"e{n}": 0.1 for n in range(EMOTIONS_PER_MEMORY + 1)}],
)
def test_unsound_emotions_are_refused(vector: object) -> None:
    with pytest.raises(InvalidValue, match="emotion"):
        check_draft(replace(Draft(content="x"), emotion_vector=vector), NOW)  # type: ignore[arg-type]


@pytest.mark.parametrize("field", ["goal", "mindstate", "felt_quality", "body_sensation", "origin"])
@pytest.mark.parametrize("value", ["", "x" * 4_097, "a\0", 5])
def test_unsound_texts_are_refused(field: str, value: object) -> None:
    with pytest.raises(InvalidValue, match=field.replace("_", " ")):
        check_draft(replace(Draft(content="x"), **{field: value}), NOW)


def test_a_full_draft_passes_and_checking_twice_changes_nothing() -> None:
    draft = checked(
        name=" Title ",
        session_id="s",
        sequence=0,
        speaker="Ann",
        agent="me",
        tags=["t"],
        chunk={"file_path": "a.md", "chunk_index": 0, "total_chunks": 1, "word_offset": 0},
        attachments=[{"name": "a.png", "media_type": "image/png"}],
        metadata={"k": [1]},
        emotion_vector={"joy": 1},
        goal="g",
        mindstate="m",
        felt_quality="f",
        body_sensation="b",
        origin="o",
    )
    assert draft.name == "Title"
    assert check_draft(draft, NOW + timedelta(seconds=1)) == draft


@pytest.mark.parametrize("query", ["", " \n", "x" * 10_001, "a\0b", "\ud800", None, 5])
def test_unsound_queries_are_refused(query: object) -> None:
    with pytest.raises(InvalidValue, match="query"):
        check_query(query)
    assert check_query("x" * 10_000)


@pytest.mark.parametrize("code", ["", " \n", "x" * 10_001, "a\0b", "\ud800", None, 5])
def test_unsound_code_to_ask_by_is_refused_as_code(code: object) -> None:
    with pytest.raises(InvalidValue, match="The code"):
        check_code(code)
    assert check_code("f(" * 5_000)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"content": "x", "contnet": "y"}, "Did you mean content"),
        ({"content": "x", "zzz": 1}, "no field 'zzz'"),
        ({"content": "x", "chunk": {"file_path": "a"}}, "lacks chunk_index"),
        ({"content": "x", "chunk": {"path": "a"}}, "chunk field"),
        ({"content": "x", "attachments": [{"nam": "a"}]}, "attachment field"),
    ],
)
def test_unknown_fields_are_refused_by_name(values: dict[str, object], words: str) -> None:
    with pytest.raises(InvalidValue, match=words):
        draft_from(values)


def test_a_draft_needs_content_and_a_mapping() -> None:
    with pytest.raises(InvalidContent):
        draft_from({"kind": "note"})
    with pytest.raises(InvalidContent):
        draft_from({"content": None})
    with pytest.raises(InvalidValue):
        draft_from(["content"])  # type: ignore[arg-type]
    assert draft_from({"content": b"bytes", "name": None}).content == "bytes"
    assert draft_from(Draft(content="x")) == Draft(content="x")


@given(
    st.dictionaries(
        st.sampled_from(
            ["content", "kind", "energy", "tags", "valid_at", "metadata", "sequence", "chunk", "name"]
        ),
        st.one_of(
            st.none(),
            st.text(max_size=5),
            st.integers(),
            st.floats(),
            st.lists(st.text(max_size=3), max_size=3),
        ),
    )
)
def test_whatever_comes_is_checked_or_refused_by_a_typed_error(values: dict[str, object]) -> None:
    try:
        draft = check_draft(draft_from(values), NOW)
    except CallerError as error:
        assert error.fault and error.mend
    else:
        assert draft.content.strip() and 0 <= draft.energy <= 1
