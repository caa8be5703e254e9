"""Many parts are found at every place at which they are, as a search for each alone finds them."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from engramforge.store.erasing import finding
from engramforge.store.erasing.finding import Finder
from engramforge.store.erasing.traces import MOST_LETTERS, Sample


@pytest.mark.parametrize("seed", range(6))
def test_all_places_are_found(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "BLOCK", 256)
    rng = random.Random(seed)
    letters = "abé \u4e16" if seed % 2 else "ab"
    text = "".join(rng.choice(letters) for _ in range(4_000))
    parts = set()
    for length in (6, 7, 8, 9, 23, 24, 25, 40):
        for _ in range((3, 40)[seed > 2]):
            begin = rng.randrange(len(text) - length)
            parts |= {text[begin : begin + length], "".join(rng.choice(letters) for _ in range(length))}
    parts |= {text[-6:], text[-24:], text[:6], text[:30]}
    raw = text.encode()
    naive = set()
    for part in parts:
        place = raw.find(part.encode())
        while place >= 0:
            naive.add((place, part))
            place = raw.find(part.encode(), place + 1)
    assert set(Finder(parts).places(raw)) == naive
    first = {part for _, part in Finder(parts).places(raw, every=False)}
    assert first == {part for _, part in naive}


def test_rows_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "BLOCK", 300)
    rows = [f"row {number} says word{number:04d}x" if number % 3 else "" for number in range(200)]
    parts = [f"word{number:04d}x" for number in range(0, 200, 5)] + ["says word0007x"]
    found = dict(pair for batch in Finder(parts).among(rows, str) for pair in batch)
    expected = {row: {part for part in parts if part in row} for row in rows}
    assert found == {row: its for row, its in expected.items() if its}
    assert [*Finder([]).among(rows, str)][-1] == []


def test_a_sample_is_bounded_and_even() -> None:
    sample = Sample()
    sample.add(f"{number:06d}" * 1_000 for number in range(20_000))
    assert MOST_LETTERS / 2 < sum(map(len, sample)) <= MOST_LETTERS
    places = [int(text[:6]) for text in sample]
    steps = {later - before for before, later in pairwise(places)}
    assert len(steps) == 1 and places[-1] > 19_900
