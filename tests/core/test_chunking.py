"""Chunking: laws over any text, and the places where cuts fall."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engramforge.core.text.chunking import (
    CHUNK_WORDS,
    NEAR_WORDS,
    OVERLAP_WORDS,
    RUN_CHARACTERS,
    chunk_markdown,
    chunk_portions,
    split_front_matter,
)
from engramforge.core.text.portions import whole_portions
from engramforge.model.limits import CONTENT_BYTES
from engramforge.writing.redact import Redactor

WORDS = st.sampled_from(
    ["alpha", "beta.", "gamma", "delta!", "`code`", "e.g.", "x", "\n", "\n\n", "# Title\n", "字", "naïve"]
)
TEXTS = st.lists(WORDS, max_size=900).map(" ".join)
FENCED = st.lists(
    st.one_of(WORDS, st.sampled_from(["\n```\n", "\n~~~~\n", "\n````python\n"])), max_size=900
).map(" ".join)


def pieces(text: str) -> list[str]:
    """Words as a reader counts them: runs between spaces, with Chinese characters on their own."""
    return re.findall(r"[\u3400-\u9fff]|[^\s\u3400-\u9fff]+", text)


@settings(max_examples=150, deadline=None)
@given(st.one_of(TEXTS, FENCED))
def test_chunks_cover_every_word_in_order(text: str) -> None:
    words = pieces(text)
    chunks = chunk_markdown(text, "a.md").chunks
    assert [chunk.place.chunk_index for chunk in chunks] == list(range(len(chunks)))
    reached = 0
    for chunk in chunks:
        inside = pieces(chunk.text)
        assert 1 <= len(inside) <= CHUNK_WORDS
        begin = chunk.place.word_offset
        assert inside == words[begin : begin + len(inside)]
        assert chunk.place.total_chunks == len(chunks)
        assert begin <= reached < begin + len(inside)
        reached = begin + len(inside)
    assert reached == len(words)


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_neighbours_share_fifty_words_without_fences(text: str) -> None:
    chunks = chunk_markdown(text, "a.md").chunks
    for first, two in pairwise(chunks):
        end = first.place.word_offset + len(pieces(first.text))
        assert end - two.place.word_offset == OVERLAP_WORDS
        assert len(pieces(first.text)) >= CHUNK_WORDS - NEAR_WORDS


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=3_000))
def test_any_text_is_chunked_without_loss(text: str) -> None:
    front_matter, body = split_front_matter(text)
    chunks = chunk_markdown(text, "a.md").chunks
    assert bool(chunks) == bool(body.strip())
    if chunks:
        assert "".join(body.split()).startswith("".join(chunks[0].text.split()))
        assert "".join(body.split()).endswith("".join(chunks[-1].text.split()))
    assert all(isinstance(value, str | list) for value in front_matter.values())


@pytest.mark.parametrize(
    "text",
    [
        "a" * 300_000,
        "字" * 50_000,
        "```\n" * 30_000,
        "# h\n" * 30_000,
        "---\n" * 30_000,
        "\n" * 300_000,
        "`" * 300_000,
    ],
    ids=["one run", "no spaces", "fences", "headings", "rules", "blank", "ticks"],
)
def test_hostile_texts_end_and_stay_bounded(text: str) -> None:
    chunks = chunk_markdown(text, "a.md").chunks
    assert all(len(chunk.text) <= CHUNK_WORDS * (RUN_CHARACTERS + 1) for chunk in chunks)


def test_cut_falls_at_the_sentence_end_that_is_near() -> None:
    text = " ".join("end." if place == 180 else "word" for place in range(300))
    first, second = chunk_markdown(text, "a.md").chunks
    assert len(first.text.split()) == 181
    assert first.text.endswith("end.")
    assert second.place.word_offset == 131


def test_cut_falls_after_word_200_when_no_sentence_end_is_near() -> None:
    text = " ".join("end." if place == 140 else "word" for place in range(300))
    assert len(chunk_markdown(text, "a.md").chunks[0].text.split()) == 200


@pytest.mark.parametrize("word", ["e.g.", "Dr.", "3.", "A."])
def test_abbreviation_is_no_sentence_end(word: str) -> None:
    text = " ".join(word if place == 180 else "word" for place in range(300))
    assert len(chunk_markdown(text, "a.md").chunks[0].text.split()) == 200


def test_heading_is_a_stronger_cut_than_a_later_sentence() -> None:
    before = " ".join(["word"] * 159) + " end.\n\n# Next part\n\n" + " ".join(["more."] * 200)
    assert chunk_markdown(before, "a.md").chunks[0].text.endswith("end.")


def test_code_fence_stays_whole_where_it_fits() -> None:
    code = "```\n" + "\n".join(f"line {number} of code" for number in range(15)) + "\n```"
    text = " ".join(["word"] * 165) + "\n\n" + code + "\n\n" + " ".join(["after"] * 150)
    chunks = chunk_markdown(text, "a.md").chunks
    assert any(code in chunk.text for chunk in chunks)
    assert all(chunk.text.count("```") % 2 == 0 for chunk in chunks)


def test_overlap_does_not_begin_inside_a_fence() -> None:
    code = "```\n" + " ".join(["code"] * 60) + "\n```"
    text = " ".join(["word"] * 120) + "\n\n" + code + "\n\n" + " ".join(["after"] * 150)
    second = chunk_markdown(text, "a.md").chunks[1]
    assert second.text.startswith("```\ncode")


def test_long_fence_is_cut_at_its_lines() -> None:
    text = "```\n" + "\n".join(f"one two three {number}" for number in range(120)) + "\n```"
    first = chunk_markdown(text, "a.md").chunks[0]
    assert re.search(r"three \d+\Z", first.text)


def test_names_are_the_headings_above() -> None:
    text = (
        "intro\n\n# Guide\n\n"
        + "word " * 220
        + "\n\n## Setup\n\n"
        + "word " * 220
        + "\n\n# Other\n\nlast " * 1
    )
    names = [chunk.name for chunk in chunk_markdown(text, "a.md").chunks]
    assert names[0] == "Guide"
    assert "Guide > Setup" in names


def test_a_comment_in_a_fence_is_no_heading() -> None:
    assert chunk_markdown("```\n# not a heading\n```\ntext", "a.md").chunks[0].name is None


def test_long_heading_paths_keep_the_inner_heading() -> None:
    text = f"# {'outer ' * 30}\n\n## {'inner ' * 10}\n\n### Here\n\ntext"
    chunk = chunk_markdown("x\n\n" + "w " * 190 + "\n\n" + text, "a.md").chunks[-1]
    assert chunk.name is not None and len(chunk.name) <= 200


def test_front_matter_is_read_and_kept_out_of_the_text() -> None:
    text = '---\ntitle: "My page"\ntags: [a, b]\ncreated: 2026-01-02\naliases:\n- one\n- two\n'
    text += "nested:\n  x: 1\n---\nBody here."
    document = chunk_markdown(text, "a.md")
    assert document.front_matter["title"] == "My page"
    assert document.front_matter["tags"] == ["a", "b"]
    assert document.front_matter["created"] == "2026-01-02"
    assert document.front_matter["aliases"] == ["one", "two"]
    assert [chunk.text for chunk in document.chunks] == ["Body here."]
    assert document.chunks[0].place.word_offset == 0


def test_a_removed_secret_is_no_list() -> None:
    fields, _ = split_front_matter("---\napi_token: [REDACTED:github-token]\nkinds: [REDACTED, b]\n---\nText")
    assert fields == {"api_token": "[REDACTED:github-token]", "kinds": ["REDACTED", "b"]}


def test_a_rule_is_no_front_matter() -> None:
    assert split_front_matter("---\njust text\n---\nmore")[0] == {}


def test_an_edit_moves_only_the_chunks_near_it() -> None:
    paragraphs = [
        f"Paragraph {number} says " + "something plain " * 25 + f"number {number}." for number in range(40)
    ]
    before = [chunk.text for chunk in chunk_markdown("\n\n".join(paragraphs), "a.md").chunks]
    paragraphs.insert(3, "An added paragraph of a few words that nobody expected here.")
    after = [chunk.text for chunk in chunk_markdown("\n\n".join(paragraphs), "a.md").chunks]
    assert len(set(before) & set(after)) >= len(before) * 2 // 3


@settings(max_examples=150, deadline=None)
@given(FENCED, st.integers(1, 12))
def test_a_text_in_portions_has_the_same_chunks(text: str, every: int) -> None:
    lines = text.splitlines(keepends=True)
    portions = ["".join(lines[at : at + every]) for at in range(0, len(lines), every)]
    assert list(chunk_portions(portions, "a.md").chunks) == list(chunk_markdown(text, "a.md").chunks)


KEY = f"-----BEGIN PRIVATE KEY-----\n{'Ab3/x9' * 10}\n\n{'Cd4/y8' * 10}\n-----END PRIVATE KEY-----"


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["word ", "\n", "\n\n", "<private>a\n\nb</private>", "<private>\n\n<private>c</private>", KEY]
        )
    ),
    st.integers(1, 90),
)
def test_portions_cut_nothing_that_is_taken_out_whole(pieces: list[str], size: int) -> None:
    portions = list(whole_portions(pieces, size))
    assert "".join(portions) == "".join(pieces)
    redact = Redactor().redact
    whole = redact("".join(pieces)).text
    assert "".join(redact(portion).text for portion in portions) == whole


@pytest.mark.parametrize("gap", ["\n", " ", " \n", "\u3000", "\n\t\t\t"])
@pytest.mark.parametrize("size", [60_000, 150_000])
def test_chunks_with_long_gaps_are_the_same_wherever_portions_end(gap: str, size: int) -> None:
    text = f"# One\n\nFirst words.{gap * size}\n\n# Two\n\nMore{gap * 3}words.{gap * size}Last words."
    whole = list(chunk_markdown(text, "a.md").chunks)
    for length in (70_000, 300_000):
        portions = [text[at : at + length] for at in range(0, len(text), length)]
        assert list(chunk_portions(portions, "a.md").chunks) == whole
    assert pieces("".join(chunk.text for chunk in whole)) == pieces(text)
    assert all(len(chunk.text.encode()) <= CONTENT_BYTES for chunk in whole)
    assert f"More{gap * 3}words." in whole[0].text
