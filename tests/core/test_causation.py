"""Rules of cause and effect: parts, direction, what a question asks for, and texts that say nothing."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engramforge.core.causes.causal_order import CUE, WORDINGS, direction_between
from engramforge.core.causes.causation import MOST_CAUSATIONS, asked_direction, causations
from engramforge.model.causation import AskedDirection

SAID = [
    ("The build broke because the cache was stale.", "the cache was stale", "The build broke"),
    ("Because of the thaw, the ferry was cancelled.", "the thaw", "the ferry was cancelled"),
    ("Due to thick fog we were late.", "thick fog", "we were late"),
    ("We added an index so that lookups are quick.", "We added an index", "lookups are quick"),
    ("The soup was cold, so I warmed it.", "The soup was cold", "I warmed it"),
    ("Since we moved to the valley, colds are rare.", "we moved to the valley", "colds are rare"),
    ("The hang was fixed by pinning the driver.", "pinning the driver", "The hang was fixed"),
    ("The importer broke after the upgrade.", "the upgrade", "The importer broke"),
    ("A leak in the pool led to an outage, but nobody woke up.", "A leak in the pool", "an outage"),
    ("Blisters are caused by tight boots.", "tight boots", "Blisters"),
    ("The dent that the hail caused is deep.", "the hail", "The dent"),
    ("Damp is one of the main causes of mould.", "Damp", "mould"),
    ("The reason for the delay is that the disk was full.", "the disk was full", "the delay"),
    ("He had headaches from varnish.", "varnish", "He had headaches"),
    ("It rained all night. As a result, the cellar flooded.", "It rained all night", "the cellar flooded"),
    ("Stress-induced hiccups bother me.", "Stress", "hiccups bother"),
    ("The outage resulted from a typo.", "a typo", "The outage"),
    ("The valve jammed, so pumps ran dry.", "The valve jammed", "pumps ran dry"),
    ("Since fuel was low, the engine stalled.", "fuel was low", "the engine stalled"),
    ("The engine stalled, since fuel was low.", "fuel was low", "The engine stalled"),
    ("Due to a full disk, the dump stopped.", "a full disk", "the dump stopped"),
]


@pytest.mark.parametrize(("text", "cause", "effect"), SAID)
def test_cause_and_effect_are_told_apart(text: str, cause: str, effect: str) -> None:
    found = causations(text)
    assert [(relation.cause, relation.effect) for relation in found] == [(cause, effect)]
    item = found[0]
    assert text[slice(*item.cause_span)] == cause
    assert text[slice(*item.effect_span)] == effect
    assert item.sentence in text
    assert item.cue in text.lower()


@pytest.mark.parametrize(
    "text",
    [
        "I have lived here since 2011.",
        "Pollen does not cause gout.",
        "Did the frost cause the crack?",
        "I created a file.",
        "She is so kind.",
        "It is late, so what?",
        "I was tired, so to speak.",
        "Since last week nothing works.",
        "because",
        "so that",
        "Weil es regnet, bleiben wir hier.",
        "因为下雨",
        "😀😀",
        "x",
        "",
    ],
)
def test_what_says_nothing_of_causes_gives_none(text: str) -> None:
    assert causations(text) == ()


@pytest.mark.parametrize(
    ("question", "direction"),
    [
        ("Why did the kettle burst?", AskedDirection.CAUSE),
        ("How come the gate is open?", AskedDirection.CAUSE),
        ("What caused the leak?", AskedDirection.CAUSE),
        ("What was the reason for the move?", AskedDirection.CAUSE),
        ("What happens when the dam opens?", AskedDirection.EFFECT),
        ("What happens then? The dam opened.", AskedDirection.EFFECT),
        ("What did the leak lead to?", AskedDirection.EFFECT),
        ("What were the consequences of the strike?", AskedDirection.EFFECT),
        ("What came of the strike?", AskedDirection.EFFECT),
        ("What did we do because the pump leaked?", AskedDirection.EFFECT),
        ("Wieso ist die Pumpe undicht?", AskedDirection.CAUSE),
        ("What did we do on Monday?", None),
        ("When did the kettle burst?", None),
        ("What happened to the kayak?", None),
        ("kettle", None),
    ],
)
def test_what_a_question_asks_for(question: str, direction: AskedDirection | None) -> None:
    assert asked_direction(question) is direction


@pytest.mark.parametrize(
    ("text", "cause", "effect", "is_said"),
    [
        ("The blaze was set off by a spark.", "spark", "blaze", True),
        ("The spark started and then caused a blaze.", "spark", "blaze", True),
        ("The rust from the rain spread.", "rain", "rust", False),
        ("The cause of the rust was the rain.", "rain", "rust", True),
        ("Because of the rain, the rust spread.", "rain", "rust", True),
        ("The rust that the rain caused spread.", "rain", "rust", True),
    ],
)
def test_direction_between_two_spans(text: str, cause: str, effect: str, is_said: bool) -> None:
    spans = [(text.index(word), text.index(word) + len(word)) for word in (cause, effect)]
    assert direction_between(text, spans[0], spans[1]).cause == 0
    turned = direction_between(text, spans[1], spans[0])
    assert (turned.cause, turned.is_said) == (1, is_said)


@pytest.mark.parametrize(
    "text",
    [
        "word " * 200_000,
        "because " * 125_000,
        "a" * 1_000_000,
        "caused by " * 100_000,
        "the cause of " * 80_000 + " is x",
        "the damage that " * 60_000 + "caused.",
        "x, " * 300_000,
        "\n" * 1_000_000,
        "İ caused by İ. " * 1_000,
    ],
    ids=lambda text: text[:12].strip(),
)
def test_hostile_texts_are_read_within_a_second(text: str) -> None:
    started = time.process_time()
    assert len(causations(text)) <= MOST_CAUSATIONS
    asked_direction(text[:10_000])
    assert time.process_time() - started < 1


@settings(max_examples=50, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(st.from_regex(re.compile(rf"\b{WORDINGS}", re.ASCII), fullmatch=True))
def test_no_wording_is_passed_over_by_its_first_letters(said: str) -> None:
    whole = re.compile(rf"\b{WORDINGS}")

    assert [hit.span() for hit in CUE.finditer(said)] == [hit.span() for hit in whole.finditer(said)]
