"""The analysis of text: one word is one word on every side."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.text.words import (
    LONGEST_WORD,
    STOP_WORDS,
    content_words,
    is_stop_word,
    stem_of,
    term_of,
    words_of,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        (" \t\n", []),
        ("!?… —", []),
        ("The Cat sat.", ["the", "cat", "sat"]),
        ("Anna's dog", ["anna", "dog"]),
        ("Anna\u2019s dog", ["anna", "dog"]),
        ("I don't, she'll", ["i", "don't", "she'll"]),
        ("O'Brien", ["obrien", "brien"]),
        ("rock'n'roll", ["rocknroll", "rock", "roll"]),
        ("oughtn't could've", ["ought", "could've"]),
        ("thinkin' so", ["thinkin", "so"]),
        ("e-mail a t-shirt", ["email", "mail", "a", "tshirt", "shirt"]),
        ("well-known", ["well", "known"]),
        ("a-b-c", ["a", "b", "c"]),
        ("snake_case __init__", ["snake_case", "snake", "case", "init"]),
        ("parseHTTPHeader", ["parsehttpheader", "parse", "http", "header"]),
        ("McDonald iPhone HTML", ["mcdonald", "mc", "donald", "iphone", "html"]),
        ("covid19 v2", ["covid19", "v2"]),
        ("1,200 3.11 2023-05-08 10:30", ["1200", "3.11", "2023", "05", "08", "10", "30"]),
        ("1,2", ["1", "2"]),
        ("src/main.py", ["src", "main", "py"]),
        ("Straße CAFÉ", ["strasse", "café"]),
        ("ﬁne \uff21\uff22\uff23", ["fine", "abc"]),
        ("漢字", ["漢", "字", "漢字"]),
        ("ไทย", ["ไ", "ท", "ย", "ไท", "ทย"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("I love 東京!", ["i", "love", "東", "京", "東京"]),
        ("🍕👍🏽 ❤️", ["🍕", "👍", "❤"]),
        ("👩\u200d💻", ["👩", "💻"]),
        ("🇩🇪", ["🇩🇪"]),
        ("\u0301", []),
        ("___ ' '' -", []),
    ],
)
def test_words_of_a_text(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_a_long_word_is_cut_and_a_long_unspaced_run_is_not() -> None:
    assert words_of("x" * 1_000) == ["x" * LONGEST_WORD]
    assert words_of("x" * 1_000_000) == ["x" * LONGEST_WORD]
    assert len(words_of("漢" * 1_000)) == 1_999


@pytest.mark.parametrize(
    "text",
    [
        "000," * 250_000 + "x",
        "1." * 500_000 + "x",
        "1" * 1_000_000 + "x",
        "a's" * 333_000,
        "x'" * 500_000,
        "a-" * 500_000,
        "\u0e01" + "\u0e34" * 330_000,
        "a" + "\u0301" * 400_000,
        "aB" * 500_000,
        "a_" * 500_000,
        "A" * 1_000_000,
        "\U0001f600" * 250_000,
        "' " * 500_000,
    ],
    ids=lambda text: repr(text[:4]),
)
def test_no_megabyte_takes_long(text: str) -> None:
    start = time.thread_time()
    words = words_of(text)
    assert time.thread_time() - start < 3
    assert all(len(word) <= 2 * LONGEST_WORD for word in words)


@given(st.text(max_size=200))
def test_words_are_clean_whatever_the_text(text: str) -> None:
    words = words_of(text)
    assert words == words_of(unicodedata.normalize("NFKC", text))
    for word in words:
        assert 0 < len(word) <= LONGEST_WORD
        assert not any(character.isspace() for character in word)
        assert word == unicodedata.normalize("NFKC", word)
        assert 0 <= term_of(word) < 2**32


@given(st.from_regex(r"[a-z]{2,12}( [a-z]{2,12}){0,6}", fullmatch=True))
def test_case_and_spacing_do_not_change_plain_words(text: str) -> None:
    assert words_of(text) == text.split()
    assert words_of(text.upper()) == words_of(text.title()) == words_of(f"\n{text.replace(' ', '  ')}.")


def test_stems_join_inflections_and_accents() -> None:
    assert stem_of("running") == stem_of("runs") == stem_of("run")
    assert stem_of("agencies") == stem_of("agency")
    assert stem_of("café") == stem_of("cafe")
    assert stem_of("ёлка") == "ёлка"
    assert term_of("adoption") == term_of("adopted") != term_of("adapter")


def test_terms_are_the_same_in_every_process() -> None:
    assert term_of("memory") == 0xF7DA2451
    assert term_of("漢字") == 0x9961BBAF


def test_a_digest_is_one_with_its_first_seven_digits() -> None:
    digest = "e7a5fa485a2d0c9b1f3e5d7a9b8c6d4e2f1a0b3c"
    assert term_of(digest) == term_of("e7a5fa4") == term_of(digest[:12])
    assert term_of("e7a5fb4") != term_of("e7a5fa4")
    # Words of letters, numbers and other identifiers are whole.
    for short, longer in (("deadbee", "deadbeef"), ("1234567", "12345678"), ("e7a5fg4", "e7a5fg45")):
        assert term_of(short) != term_of(longer)


def test_stop_words_are_those_that_carry_no_subject() -> None:
    assert {"the", "don't", "would", "i'm"} <= STOP_WORDS
    assert not {"paris", "not_a_word", "day", "work", "name"} & STOP_WORDS
    assert is_stop_word("x")
    assert not is_stop_word("7")
    assert not is_stop_word("漢")
    assert content_words(words_of("the cat is on the mat")) == ["cat", "mat"]
    assert content_words(words_of("to be or not to be")) == ["to", "be", "or", "not", "to", "be"]


@pytest.mark.timed
def test_analysis_is_fast_enough_for_ingest() -> None:
    sentences = [
        f"We met number {i} at the old harbour and talked about painting boats." for i in range(4_000)
    ]
    for sentence in sentences:
        words_of(sentence)
    best = min(_seconds(sentences) for _ in range(3))
    assert len(sentences) / best > 20_000


def _seconds(sentences: list[str]) -> float:
    start = time.thread_time()
    for sentence in sentences:
        for word in words_of(sentence):
            term_of(word)
    return time.thread_time() - start
