"""Which rows have which terms, of the built part of an index and of what was added since."""

from typing import Any

import numpy as np

from engramforge.store.sqlite.resident.columns import Column, Ragged
from engramforge.store.sqlite.resident.postings import Postings

BUILT, ADDED, TERMS = 3_000, 200, 40
"""So few are added that the index is not rebuilt."""


def test_rows_have_the_terms_that_they_were_given() -> None:
    random = np.random.default_rng(7)
    # The first terms are common, the last ones rare.
    held = [
        np.flatnonzero(random.random(TERMS) < 0.5 / (1 + np.arange(TERMS))).astype(np.uint32)
        for _ in range(BUILT + ADDED)
    ]
    terms, counts = (Ragged(Column(dtype), Column(np.int64)) for dtype in (np.uint32, np.uint8))
    postings = Postings(terms, counts)

    def add(rows: list[Any]) -> None:
        lengths = np.array([len(each) for each in rows], np.int64)
        terms.append(np.concatenate(rows), lengths)
        counts.append(np.ones(int(lengths.sum()), np.uint8), lengths)

    add(held[:BUILT])
    terms_asked = np.array([0, 1, 5, 30, 99], np.uint32)
    within = [[0], [0, 1], [0, 3], [1, 2, 3], [0, 4]]
    before = postings.whole(terms_asked, within)
    add(held[BUILT:])
    after = postings.whole(terms_asked, within)

    def expected(rows: int) -> list[list[int]]:
        return [
            [row for row in range(rows) if {int(terms_asked[at]) for at in group} <= set(held[row].tolist())]
            for group in within
        ]

    assert [each.tolist() for each in before] == expected(BUILT)
    assert [each.tolist() for each in after] == expected(BUILT + ADDED)
    assert all(len(each) for each in after[:3]) and not len(after[4])
    assert after[1][-1] >= BUILT
