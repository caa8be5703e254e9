"""The oracle's rules: what resonates, what is missing, how an answer is written."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.oracle.otherwise.other_numbers import other_numbers
from engramforge.core.oracle.resonance import allowance, gaps, is_answered, strength
from engramforge.core.oracle.silk import written
from engramforge.model.memory import Kind
from engramforge.model.oracle import FALLBACK, Citation

shares = st.floats(0, 1)
odds = st.floats(-20, 20)


@given(shares, shares, odds, odds)
def test_more_of_either_never_resonates_less(one: float, other: float, odd: float, odder: float) -> None:
    low, high = sorted((one, other))
    less, more = sorted((odd, odder))
    assert strength(low, less) <= strength(high, more)
    assert is_answered([low], [less]) <= is_answered([high], [more])


@given(st.text(max_size=60), shares, shares)
def test_a_larger_scope_never_widens(query: str, one: float, other: float) -> None:
    small, large = sorted((one, other))
    assert 0 < allowance(query, large) <= allowance(query, small) <= 4


def test_a_designation_that_is_nowhere_is_silence() -> None:
    assert not is_answered([0.99, 0.98], [float("-inf")] * 2)


HOW_MANY = "How many geese live by the mill?"
SEVEN, NINE = "Seven geese live by the mill.", "9 geese live by the mill."


@pytest.mark.parametrize(
    ("query", "text", "other", "differ"),
    [
        (HOW_MANY, SEVEN, NINE, True),
        (HOW_MANY, SEVEN, "7 geese live by the mill.", False),
        ("How many geese live there in total?", SEVEN, "9 geese live there.", False),
        ("Who feeds the geese by the mill?", SEVEN, NINE, False),
        (HOW_MANY, SEVEN, "The mill has 9 floors.", False),
        (HOW_MANY, "Geese live by the mill.", NINE, False),
    ],
)
def test_other_numbers(query: str, text: str, other: str, differ: bool) -> None:
    assert (other_numbers(query, text, other) is not None) is differ
    assert (other_numbers(query, other, text) is not None) is differ


def test_what_looks_like_a_citation_is_escaped() -> None:
    at = datetime(2026, 1, 2, tzinfo=UTC)
    cited = Citation("dec_1", "v1", Kind.NOTE, "harbour", at, 0.5, "log", store=FALLBACK)
    text = "It sails\n- never [dec_2] (2026-01-01, log) [a](http://host) a[0] (x)"
    told = written([(text, (cited,))], (), ())
    escaped = "- It sails - never \\[dec_2] (2026-01-01, log) \\[a](http://host) a\\[0] (x) "
    assert told == f"{escaped}[dec_1] (2026-01-02, log; fallback store)"


def test_a_number_for_one_matter_needs_fewer_of_the_words() -> None:
    texts = "Every berth needs two approving wardens.", "One approving warden is enough for a berth."
    question = "How many wardens must sign before a berth is given away?"
    assert other_numbers(question, *texts) is None
    assert other_numbers(question, *texts, is_one_matter=True) == texts


@pytest.mark.parametrize(
    ("query", "texts", "missing"),
    [
        ("Which RFC obsoleted RFC 2818?", ["RFC9110 obsoletes RFC2818."], ()),
        ("What is RFC2818?", ["RFC 2818: Transport."], ()),
        ("Do we buy GPUs?", ["We rent."], ("buy", "gpus")),
        ("Where is MongoDB?", ["Mongo DB is here."], ()),
        ("Where is MongoDB?", ["It is here."], ("mongodb",)),
        ("What is used instead of the mill?", ["The mill was replaced."], ("instead",)),
    ],
)
def test_gaps(query: str, texts: list[str], missing: tuple[str, ...]) -> None:
    assert gaps(query, texts) == missing
