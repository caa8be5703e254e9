"""The word table: the same words from text and from tokens, growth, threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.text.words import is_stop_word, term_of, words_of
from engramforge.spaces.words.static_model import static_model
from engramforge.spaces.words.word_table import WordTable, word_table

TEXTS = (
    "We repaired the old lighthouse near the harbour.",
    "",
    "def parseHTTPHeader(snake_case): return unbelievablyComplicatedIdentifiers",
    "漢字 ไทย 😀 naïve façade",
    "The same lighthouse, again and again.",
)


@pytest.fixture
def table() -> WordTable:
    return WordTable(static_model())


def stored(table: WordTable, texts: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Tokens of texts as a store keeps them."""
    parts = [table.tokens_of(table.rows_of(words_of(text)))[0] for text in texts]
    return np.concatenate(parts), np.cumsum([len(part) for part in parts])


def test_words_keep_their_row(table: WordTable) -> None:
    rows = table.rows_of(["harbour", "boat", "harbour"])
    assert rows.dtype == np.int32
    assert rows[0] == rows[2] != rows[1]
    assert table.rows_of(["boat"])[0] == rows[1]
    assert table.words(rows) == ["harbour", "boat", "harbour"]
    assert len(table) == 2
    assert table.rows_of([]).tolist() == []


def test_a_table_that_never_saw_the_texts_reads_the_same_words_from_tokens(table: WordTable) -> None:
    tokens, ends = stored(table, TEXTS)
    expected = [word for text in TEXTS for word in words_of(text)]
    for reader in (table, WordTable(static_model())):
        rows, word_ends = reader.words_of(tokens, ends)
        assert reader.words(rows) == expected
        assert np.diff(word_ends, prepend=0).tolist() == [len(words_of(text)) for text in TEXTS]
        assert reader.terms(rows).tolist() == [term_of(word) for word in expected]
        assert reader.is_stop(rows).tolist() == [is_stop_word(word) for word in expected]
        assert reader.vectors(rows) == pytest.approx(table.vectors(table.rows_of(expected)))
        assert reader.rows_of(expected).tolist() == rows.tolist()


@given(st.lists(st.text(max_size=30), max_size=8))
def test_any_texts_survive_their_tokens(texts: list[str]) -> None:
    writer = word_table()
    tokens, ends = stored(writer, (*texts, "end"))
    rows, word_ends = WordTable(static_model()).words_of(tokens, ends)
    reader_rows, reader_ends = writer.words_of(tokens, ends)
    assert writer.words(reader_rows) == [word for text in (*texts, "end") for word in words_of(text)]
    assert len(rows) == len(reader_rows)
    assert word_ends.tolist() == reader_ends.tolist()


def test_empty_batches(table: WordTable) -> None:
    nothing = np.zeros(0, np.uint16)
    assert table.words_of(nothing, np.zeros(3, np.int64))[1].tolist() == [0, 0, 0]
    assert table.words_of(nothing, np.zeros(0, np.int64))[0].tolist() == []


def test_a_text_whose_first_token_is_unmarked_still_begins_a_word(table: WordTable) -> None:
    inner = np.flatnonzero(~static_model().starts_word & static_model().carries_meaning)[:2].astype(np.uint16)
    marked = np.array(static_model().tokens_of(["boat"])[0], np.uint16)
    rows, ends = table.words_of(np.concatenate((marked, inner)), np.array([len(marked), len(marked) + 2]))
    assert ends.tolist() == [1, 2]
    assert table.words(rows[:1]) == ["boat"]


def test_vectors_are_unit_means_of_the_tokens(table: WordTable) -> None:
    model = static_model()
    rows = table.rows_of(["lighthouse", "boat"])
    for row, tokens in zip(rows.tolist(), model.tokens_of(["lighthouse", "boat"]), strict=True):
        mean = model.rows(np.array(tokens)).mean(axis=0)
        vector = table.vectors(np.array([row]))[0]
        assert table.lengths(np.array([row]))[0] == pytest.approx(np.linalg.norm(mean), rel=1e-5)
        assert vector @ mean / np.linalg.norm(mean) == pytest.approx(1, abs=1e-3)
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
    short = table.vectors(rows, 128)
    assert short.shape == (2, 128)
    assert np.linalg.norm(short, axis=1) == pytest.approx([1, 1], abs=1e-5)


def test_int8_cosines_are_near_the_exact_ones(table: WordTable) -> None:
    words = words_of("we repaired the old lighthouse near a quiet harbour with wooden boats and rope")
    exact = np.array([static_model().rows(np.array(t)).mean(axis=0) for t in static_model().tokens_of(words)])
    exact /= np.linalg.norm(exact, axis=1, keepdims=True)
    kept = table.vectors(table.rows_of(words))
    assert np.abs(kept @ kept.T - exact @ exact.T).max() < 0.005


def test_what_the_model_has_no_token_for_means_its_name_or_nothing(table: WordTable) -> None:
    pizza, plain, unknown = table.rows_of(["🍕", "pizza", "\U0001f9ff\U0001f9ff\U0001f9ff"]).tolist()
    slice_of_pizza = table.vectors(np.array([pizza]))[0] @ table.vectors(np.array([plain]))[0]
    assert slice_of_pizza > 0.5
    assert table.lengths(np.array([unknown]))[0] == 0
    assert not table.vectors(np.array([unknown])).any()


def test_growth_keeps_rows_and_contents(table: WordTable) -> None:
    first = [f"early{number}" for number in range(50)]
    rows = table.rows_of(first)
    before = table.vectors(rows)
    many = [f"word{number}x" for number in range(20_000)]
    many_rows = table.rows_of(many)
    assert len(set(many_rows.tolist())) == 20_000
    assert table.rows_of(first).tolist() == rows.tolist()
    assert table.vectors(rows).tolist() == before.tolist()
    tokens, sizes = table.tokens_of(many_rows)
    found, _ = table.words_of(tokens, np.cumsum(sizes))
    assert found.tolist() == many_rows.tolist()
    parts = [getattr(part, field.name) for part in (table._columns, table._slots) for field in fields(part)]
    assert sum(array.nbytes for array in (*parts, table._tokens, table._single)) / len(table) < 700


def test_threads_agree_on_rows() -> None:
    table = WordTable(static_model())
    writer = WordTable(static_model())
    words = [f"thread{number % 3_000}word" for number in range(12_000)]
    tokens, sizes = writer.tokens_of(writer.rows_of(words))
    ends = np.cumsum(sizes)

    def from_text(shift: int) -> list[int]:
        shifted = words[shift:] + words[:shift]
        rows = table.rows_of(shifted).tolist()
        return rows[len(rows) - shift :] + rows[: len(rows) - shift]

    def from_tokens(_: int) -> list[int]:
        return table.words_of(tokens, ends)[0].tolist()

    with ThreadPoolExecutor(8) as pool:
        jobs = [pool.submit(from_text if n % 2 else from_tokens, 700 * n) for n in range(8)]
        results = [job.result() for job in jobs]
    for rows in results:
        assert table.words(np.array(rows)) == words
    assert all(rows == results[0] for rows in results)
    assert len(table) == 3_000


def test_the_process_shares_one_table() -> None:
    assert word_table() is word_table()
