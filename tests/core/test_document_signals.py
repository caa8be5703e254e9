"""Signals of memories that stand alone: titles, and a status that says that they ended."""

from __future__ import annotations

import numpy as np
import pytest

from engramforge.core.ranking.document_signals import TITLE_WORDS, says_it_ended, title_share


def test_the_share_of_a_title_that_a_question_says() -> None:
    # Three distinct words: the question says the first wholly, the second half, the third not at all.
    closeness = np.array([[1.0, 0.0, 0.0], [0.0, 0.5, 0.0]], np.float32)
    importance = np.array([2.0, 2.0, 4.0], np.float32)
    long = [0, 1] + [2] * (TITLE_WORDS - 2)
    words, ends = np.array([*long, 0, 0, *long[:2]]), np.array([TITLE_WORDS + 2, TITLE_WORDS + 4])
    first, second = title_share(closeness, importance, words, ends).tolist()
    assert first == pytest.approx((2 + 1) / (4 + 4 * (TITLE_WORDS - 2)), rel=1e-5)
    assert second == 0  # no longer than a title, so it has none
    assert title_share(closeness[:0], importance, words, ends).tolist() == [0, 0]
    assert title_share(closeness, importance, words[:0], np.zeros(2, np.int64)).tolist() == [0, 0]


def test_a_status_counts_within_one_text() -> None:
    status, rejected, obsoleted, by = 1, 2, 3, 4
    keys = np.array([status, rejected, 9, obsoleted, by, 9, status, rejected], np.int32)
    one = np.array([rejected], np.int32), np.array([obsoleted], np.int32)

    def ended(*ends: int) -> list[float]:
        return says_it_ended(keys, np.array(ends), status, *one, by).tolist()

    assert ended(2, 5, 8) == [1, 1, 1]
    assert ended(1, 4, 8) == [0, 0, 1]
    assert ended(3, 4, 7, 8) == [1, 0, 0, 0]
    assert ended(0, 8) == [0, 1]
