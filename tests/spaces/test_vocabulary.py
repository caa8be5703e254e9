"""The fixed vocabulary and its neighbourhoods."""

from __future__ import annotations

import time

import numpy as np

from engramforge.core.text.words import is_stop_word, term_of
from engramforge.spaces.words.vocabulary import FLOOR, Vocabulary, vocabulary
from engramforge.spaces.words.word_table import word_table


def test_it_holds_whole_lower_case_words() -> None:
    words = vocabulary().words
    assert len(words) > 8_000
    assert {"dog", "repair", "restaurant"} <= set(words)
    assert all(word.isalpha() and word.islower() and not is_stop_word(word) for word in words)


def test_neighbours_are_close_in_meaning_and_ordered() -> None:
    near = vocabulary().nearest(["dog", "fix"])
    assert near.terms.shape == near.weights.shape == (2, 16)
    assert {term_of("animal"), term_of("pet")} <= set(near.terms[0].tolist())
    assert term_of("repair") in near.terms[1].tolist()
    assert (np.diff(near.weights, axis=1) <= 0).all()
    used = near.weights[near.weights > 0]
    assert (used >= FLOOR**2 - 1e-6).all()
    assert (used <= 1).all()


def test_a_word_is_not_its_own_neighbour_and_no_stem_comes_twice() -> None:
    words = ["adoption", "painting", "running"]
    near = vocabulary().nearest(words)
    for row, word in enumerate(words):
        terms = near.terms[row][near.weights[row] > 0].tolist()
        assert term_of(word) not in terms
        assert len(set(terms)) == len(terms)


def test_a_word_without_meaning_has_no_neighbours() -> None:
    near = vocabulary().nearest(["\U0001f9ff\U0001f9ff\U0001f9ff"])
    assert not near.weights.any()
    assert vocabulary().nearest([]).terms.shape == (0, 16)


def test_expansion_depends_on_no_corpus() -> None:
    before = vocabulary().nearest(["harbour"]).terms.tolist()
    word_table().rows_of([f"harbour{number}" for number in range(500)])
    assert vocabulary().nearest(["harbour"]).terms.tolist() == before
    assert Vocabulary(word_table()).words == vocabulary().words


def test_eight_words_take_a_few_milliseconds() -> None:
    words = ["garden", "boat", "deploy", "pizza", "crash", "music", "adoption", "travel"]
    vocabulary().nearest(words)
    best = 1.0
    for _ in range(15):
        start = time.thread_time()
        vocabulary().nearest(words)
        best = min(best, time.thread_time() - start)
    assert best < 0.01
