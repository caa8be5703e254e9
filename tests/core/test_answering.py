"""Whether a hit answers: what of the question it leaves unsaid counts against it."""

from __future__ import annotations

import numpy as np
import pytest

from engramforge.core.ranking.answering import (
    LARGE,
    OFFSET,
    PER_EXACT,
    PER_NO_NUMBER,
    PER_PERSON,
    PER_SIZE,
    PER_STRANGE,
    PER_TOTAL,
    PER_UNSAID,
    PER_UNSAID_NAME,
    PER_WORD,
    AskedWords,
    answer_odds,
    importance_of,
    size_of,
)


def asked(
    importance: list[float],
    strange: int = 0,
    exact: int = 0,
    named: int = 0,
    size: float = 1.0,
    person: bool = False,
) -> AskedWords:
    places = np.arange(len(importance))
    return AskedWords(
        np.array(importance, np.float32), places < strange, places < exact, places < named, size, person
    )


def odds(words: AskedWords, cover: list[float], total: float = 10.0, lacks: bool = False) -> float:
    column = np.array(cover, np.float32)[:, None]
    return float(answer_odds(np.array([total], np.float32), column, words, np.array([lacks]))[0])


def test_a_worked_example() -> None:
    """A hit of 10 that says one of two words, of importance 2 and 3, in a scope of 10,000 memories."""
    expected = PER_TOTAL * 10 + PER_UNSAID * 3 + PER_SIZE + PER_WORD * 2 + OFFSET
    assert odds(asked([2, 3]), [1.0, 0.0]) == pytest.approx(expected, abs=1e-5)


def test_what_counts_for_and_against() -> None:
    base = odds(asked([2, 3]), [1.0, 0.0])
    assert odds(asked([2, 3]), [1.0, 1.0]) == pytest.approx(base - 3 * PER_UNSAID, abs=1e-5)
    assert odds(asked([2, 3]), [1.0, 0.575]) == pytest.approx(base - 1.5 * PER_UNSAID, abs=1e-5)
    assert odds(asked([2, 3], strange=1), [1.0, 0.0]) == pytest.approx(base + PER_STRANGE, abs=1e-5)
    assert odds(asked([2, 3], exact=1), [1.0, 0.0]) == pytest.approx(base + PER_EXACT, abs=1e-5)
    assert odds(asked([2, 3], exact=1), [0.0, 0.0]) < base
    assert odds(asked([2, 3], size=0.5), [1.0, 0.0]) > base
    # Of names the most important one counts once more.
    assert odds(asked([2, 3], named=2), [0.0, 0.0]) == pytest.approx(
        odds(asked([2, 3]), [0.0, 0.0]) + 3 * PER_UNSAID_NAME, abs=1e-5
    )
    assert odds(asked([2, 3], named=1), [1.0, 0.0]) == base
    assert odds(asked([2, 3]), [1.0, 0.0], lacks=True) == pytest.approx(base + PER_NO_NUMBER, abs=1e-5)
    assert odds(asked([2, 3], person=True), [1.0, 0.0]) == pytest.approx(base + PER_PERSON, abs=1e-5)


def test_importance_is_rarity_times_what_the_model_gives() -> None:
    words = ("harbour", "people", "june")
    lengths = np.array([9.0, 9.0, 4.0], np.float32)
    found = importance_of(words, np.array([0, 0, 0], np.int64), LARGE, lengths, is_dated=False)
    assert found.tolist() == pytest.approx([3.0, 1.5, 2.0], abs=1e-3)
    assert importance_of(words, np.zeros(3, np.int64), LARGE, lengths, is_dated=True)[2] == 0
    common = importance_of(words, np.full(3, LARGE, np.int64), LARGE, lengths)
    assert (common < 0.3).all()
    few = importance_of(words, np.zeros(3, np.int64), 9, lengths)
    assert (few < found / 3).all()
    assert size_of(0) == 0 and size_of(10 * LARGE) == 1
