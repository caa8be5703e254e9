"""What a decision's content is made of, and read back."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from engramforge.model.memory import Kind, Memory, Source
from engramforge.model.registration import Registration
from engramforge.model.registries.entry import DecisionStatus
from engramforge.registries.decisions.decision_view import (
    Around,
    composed,
    decision_content,
    decision_draft,
    decision_of,
)

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=60)


def memory_of(content: str, registration: Registration) -> Memory:
    return Memory(
        id="1",
        logical_id="01a1fc42-e35e-73f4-b6da-e6bfc7f6f558",
        version=1,
        kind=Kind.DECISION,
        content=content,
        source=Source.API,
        project="p",
        valid_at=AT,
        created_at=AT,
        registration=registration,
    )


@given(TEXT, st.one_of(st.just(""), TEXT), st.lists(TEXT, max_size=3))
def test_what_was_decided_is_read_back_from_its_content(text: str, why: str, rejected: list[str]) -> None:
    draft = decision_draft(text, rationale=why, alternatives_rejected=rejected)
    assert draft.registration is not None
    found = decision_of(memory_of(composed(draft), draft.registration), near=Around())
    assert (found.decision, found.rationale, found.alternatives_rejected) == (text, why, tuple(rejected))


def test_the_tail_as_it_is_written() -> None:
    details = {"rationale": "It is fast", "alternatives_rejected": ["a", "b; c"]}
    assert decision_content("Use it", details) == "Use it\n\nRationale: It is fast\nRejected: a; b; c"
    assert decision_content("Use it", {"alternatives_rejected": ["a"]}) == "Use it\n\nRejected: a"
    assert decision_content("Use it", {"rationale": "", "alternatives_rejected": []}) == "Use it"


def test_content_that_somebody_wrote_otherwise_is_the_decision_as_a_whole() -> None:
    registration = Registration(entry_id="dec_1", status="active", details={"rationale": "It is fast"})
    found = decision_of(memory_of("Use it, it is fast", registration), near=Around())
    assert (found.decision, found.rationale) == ("Use it, it is fast", "It is fast")
    assert found.status is DecisionStatus.ACTIVE and found.last_validated == AT
