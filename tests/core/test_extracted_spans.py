"""What a model reads out of a message, span by span against the message."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.extraction.extracted import (
    Extracted,
    ReadDecision,
    ReadThread,
    detections_in,
    names_in_text,
    span_in,
)
from engramforge.model.memory import Kind

TEXT = "We keep the ferry timetable in the shed, because paper gets wet; the kiosk was too far.\nMalin should be asked."


def _one(**fields: object) -> Extracted:
    said = {"sentence": "We keep the ferry timetable in the shed", "text": "Keep the timetable in the shed"}
    return Extracted([ReadDecision(**{**said, **fields})], [], [])  # type: ignore[arg-type]


def test_spans_that_stand_there() -> None:
    read = _one(rationale="paper gets wet", rejected=["the kiosk", "the harbour office"], confidence=0.8)
    read.threads = [ReadThread("the kiosk was too far.\n Malin should be asked", "Ask Malin", 0.7)]
    decision, thread = detections_in(read, TEXT, "model x")
    assert (decision.kind, decision.text) == (Kind.DECISION, "Keep the timetable in the shed")
    assert decision.rationale == "paper gets wet" and decision.alternatives_rejected == ("the kiosk",)
    assert (decision.confidence, decision.status, decision.rule) == (0.8, "active", "model x")
    assert thread.kind is Kind.THREAD and thread.sentence in TEXT and thread.status == "open"


@pytest.mark.parametrize(
    "sentence",
    [
        "We keep the ferry in the shed",
        "e keep the ferry",
        "we keep the ferry timetable",
        "",
        "   ",
        "...\x00",
    ],
)
def test_a_sentence_that_does_not_stand_there_is_dropped(sentence: str) -> None:
    assert detections_in(_one(sentence=sentence), TEXT, "model x") == ()


def test_words_of_the_model_s_own_give_way_to_the_sentence() -> None:
    (found,) = detections_in(_one(text="Sell everything to the king of Spain"), TEXT, "model x")
    assert found.text == "We keep the ferry timetable in the shed"
    (found,) = detections_in(_one(rationale="the king said so"), TEXT, "model x")
    assert found.rationale == ""


@pytest.mark.parametrize(
    ("told", "kept"), [(7.0, 0.9), (-1.0, 0.0), (math.nan, 0.0), (math.inf, 0.9), (0.3, 0.3)]
)
def test_no_model_is_surer_than_it_may_be(told: float, kept: float) -> None:
    (found,) = detections_in(_one(confidence=told), TEXT, "model x")
    assert found.confidence == kept


def test_names_that_stand_there() -> None:
    read = Extracted([], [], ["Malin", "Malin", "Olof", "ferry  timetable", "alin"])
    assert names_in_text(read, TEXT) == ("malin", "ferry timetable")


@given(st.text(), st.text())
def test_a_span_is_always_of_the_text(copied: str, text: str) -> None:
    found = span_in(copied, text)
    assert found is None or (found in text and found.split() == copied.split())
