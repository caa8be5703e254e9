"""The text encoder: what is stored for any text, and how a query is weighed."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.text.words import term_of, words_of
from engramforge.indexing.encode import MOST_COUNTED, QUERY_WORDS, TextEncoder, idf
from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.search.candidates import Corpus
from engramforge.spaces.words.static_model import static_model
from engramforge.spaces.words.vocabulary import Vocabulary
from engramforge.spaces.words.word_table import WordTable

ENCODER = TextEncoder()


def check(embedding: Embedding, text: str) -> None:
    words = words_of(text)
    assert embedding.encoder == ENCODER.id
    assert embedding.tokens.dtype == np.uint16
    assert embedding.terms.dtype == np.uint32
    assert embedding.counts.dtype == np.uint8
    assert len(embedding.terms) == len(embedding.counts)
    assert (np.diff(embedding.terms.astype(np.int64)) > 0).all()
    assert (embedding.counts > 0).all()
    assert (len(embedding.terms) > 0) == (len(embedding.tokens) > 0) == bool(words)
    if embedding.vector is not None:
        assert embedding.vector.dtype == np.int8
        assert embedding.vector.shape == (256,)
        assert np.abs(embedding.vector.astype(np.int16)).max() == 127


@pytest.mark.parametrize(
    ("text", "has_vector"),
    [
        ("", False),
        (" \n\t", False),
        ("?!…", False),
        ("\x00\x01", False),
        ("\ud800", False),
        ("a", True),
        ("7", True),
        ("the of and", True),
        ("😀", True),
        ("漢字仮名交じり文", True),
        ("ภาษาไทยไม่เว้นวรรค", True),
        ("नमस्ते दुनिया", True),
        ("\U0001f9ff" * 3, True),
        ("x" * 1_000_000, True),
        ("word " * 200_000, True),
        ("漢" * 333_000, True),
    ],
)
def test_any_text_is_embedded_or_abstains(text: str, has_vector: bool) -> None:
    (embedding,) = ENCODER.encode([text])
    check(embedding, text)
    assert (embedding.vector is not None) == has_vector
    query = ENCODER.encode_query(text[:10_000])
    assert (query.vector is not None) == has_vector


@given(st.lists(st.text(max_size=40), max_size=6))
def test_any_batch_is_the_same_as_one_by_one(texts: list[str]) -> None:
    together = ENCODER.encode(texts)
    assert len(together) == len(texts)
    for text, embedding in zip(texts, together, strict=True):
        check(embedding, text)
        (alone,) = ENCODER.encode([text])
        assert alone.terms.tolist() == embedding.terms.tolist()
        assert alone.tokens.tolist() == embedding.tokens.tolist()
        assert (alone.vector is None) == (embedding.vector is None)
        if alone.vector is not None and embedding.vector is not None:
            assert np.abs(alone.vector.astype(int) - embedding.vector.astype(int)).max() <= 1


def test_terms_are_content_words_with_counts() -> None:
    (embedding,) = ENCODER.encode(["The boat and the boats: a lighthouse."])
    counts = dict(zip(embedding.terms.tolist(), embedding.counts.tolist(), strict=True))
    assert counts == {term_of("boat"): 2, term_of("lighthouse"): 1}
    (many,) = ENCODER.encode(["boat " * 1_000])
    assert many.counts.tolist() == [MOST_COUNTED]
    (only_stops,) = ENCODER.encode(["to be or not to be"])
    assert set(only_stops.terms.tolist()) == {term_of(word) for word in ("to", "be", "or", "not")}


def test_embeddings_do_not_depend_on_what_came_before() -> None:
    fresh_table = WordTable(static_model())
    fresh = TextEncoder(fresh_table, Vocabulary(fresh_table))
    text = "We repaired the old lighthouse near the harbour"
    ENCODER.encode(["harbour boats and lighthouse keepers"] * 50)
    (first,), (other,) = ENCODER.encode([text]), fresh.encode([text])
    assert first.encoder == other.encoder
    assert first.vector is not None
    assert other.vector is not None
    assert first.vector.tolist() == other.vector.tolist()
    assert first.tokens.tolist() == other.tokens.tolist()


def test_the_id_names_the_analysis_and_the_model() -> None:
    assert ENCODER.id == f"static-1/words-1/{static_model().id}"


def test_a_query_keeps_its_content_words_once_in_order() -> None:
    query = ENCODER.encode_query("Which lighthouse did the keepers repair, the old lighthouse?")
    assert query.words == ("lighthouse", "keepers", "repair", "old")
    assert query.terms.tolist() == [term_of(word) for word in query.words]
    assert query.weights.sum() == pytest.approx(1)
    assert query.vectors.shape == (4, 256)
    assert query.vector is not None
    assert np.linalg.norm(query.vector) == pytest.approx(1, abs=1e-5)
    assert query.encoder == ENCODER.id


def test_a_query_of_stop_words_keeps_them() -> None:
    assert ENCODER.encode_query("to be or not to be").words == ("to", "be", "or", "not")


def test_long_queries_are_cut() -> None:
    query = ENCODER.encode_query(" ".join(f"token{number}" for number in range(100)))
    assert len(query.words) == QUERY_WORDS


def test_expansions_are_distinct_and_belong_to_a_word() -> None:
    query = ENCODER.encode_query("dog adoption agency")
    terms, weights, owners = query.expansion_terms, query.expansion_weights, query.expansion_words
    assert len(set(terms.tolist())) == len(terms)
    assert set(query.terms.tolist()) <= set(terms.tolist())
    assert ((weights > 0) & (weights <= 1)).all()
    assert set(owners.tolist()) == {0, 1, 2}
    own = {
        int(term): int(owner)
        for term, weight, owner in zip(terms, weights, owners, strict=True)
        if weight == 1
    }
    assert own == {int(term): place for place, term in enumerate(query.terms.tolist())}
    assert term_of("animal") in terms.tolist()


def corpus_of(counts: dict[str, int], total: int = 1_000) -> Corpus:
    known = dict(sorted((term_of(word), count) for word, count in counts.items()))
    return Corpus(
        total, 12 * total, np.array(list(known), np.uint32), np.array(list(known.values()), np.int64)
    )


def test_live_statistics_weigh_the_words_and_prune_expansions() -> None:
    query = ENCODER.encode_query("anna lighthouse", corpus_of({"anna": 600, "lighthouse": 3, "tower": 2}))
    weights = dict(zip(query.words, query.weights.tolist(), strict=True))
    assert weights["lighthouse"] > 5 * weights["anna"]
    assert set(query.expansion_terms.tolist()) <= {term_of(word) for word in ("anna", "lighthouse", "tower")}
    assert query.vector is not None
    lighthouse = ENCODER.encode_query("lighthouse").vector
    assert lighthouse is not None
    assert query.vector @ lighthouse > 0.95


def test_an_empty_store_weighs_words_too() -> None:
    query = ENCODER.encode_query("anna lighthouse", corpus_of({}, total=0))
    assert query.weights.sum() == pytest.approx(1)
    assert (query.weights > 0).all()


def test_idf_of_known_counts() -> None:
    values = idf(10, np.array([0, 5, 10, 99]))
    assert values == pytest.approx(np.log1p([10.5 / 0.5, 5.5 / 5.5, 0.5 / 10.5, 0.5 / 10.5]))


@pytest.mark.timed
def test_short_memories_are_encoded_fast() -> None:
    texts = [
        f"We met captain {n % 700} at pier {n % 90} and talked about painting the boats blue."
        for n in range(6_000)
    ]
    start = time.thread_time()
    ENCODER.encode(texts)
    assert len(texts) / (time.thread_time() - start) > 5_000


def test_a_query_takes_a_few_milliseconds() -> None:
    ENCODER.encode_query("warm up the vocabulary")
    best = 1.0
    for _ in range(15):
        start = time.thread_time()
        ENCODER.encode_query("When did Anna repair the old lighthouse lamp with her brother in spring?")
        best = min(best, time.thread_time() - start)
    assert best < 0.012
