"""E9: like shapes are similar whatever they speak of; nothing crashes it; it is quick."""

from __future__ import annotations

import time

import numpy as np
import pytest

from engramforge.spaces.encoder import Item
from engramforge.spaces.hyperdimensional import HyperdimensionalEncoder

LIST_A = "# Tools\n\n- a hammer of steel\n- a saw with teeth\n- two long chisels\n"
LIST_B = "# Fruit\n\n- a basket of pears\n- a bowl with plums\n- six green apples\n"
CODE_A = "def area(width, height):\n    size = width * height\n    return size\n"
CODE_B = "def total(price, count):\n    cost = price + count\n    return cost\n"
PROSE = (
    "The ferry left late because fog lay on the river. Nobody minded, since there was tea and a warm stove."
)
ANSWER = "Sure, that works for me!"


@pytest.fixture(scope="module")
def encoder() -> HyperdimensionalEncoder:
    return HyperdimensionalEncoder()


def similarities(encoder: HyperdimensionalEncoder, text: str, others: list[str]) -> list[float]:
    query = encoder.encode_query(Item(text))
    assert query is not None
    parts = encoder.encode([Item(other) for other in others])
    present = np.array([part is not None for part in parts])
    values = np.stack([np.zeros(encoder.shape, np.uint8) if part is None else part for part in parts])
    found = encoder.query_to_memories(query, values.astype(np.uint8), present)
    assert found.present.tolist() == present.tolist()
    return [float(value) for value in found.values]


@pytest.mark.parametrize(("text", "twin"), [(LIST_A, LIST_B), (CODE_A, CODE_B)])
def test_the_same_shape_is_the_nearest(encoder: HyperdimensionalEncoder, text: str, twin: str) -> None:
    others = [twin, *({LIST_A, CODE_A, PROSE, ANSWER} - {text})]
    found = similarities(encoder, text, others)
    assert found[0] > max(found[1:]) + 0.05


def test_the_order_of_words_counts(encoder: HyperdimensionalEncoder) -> None:
    said = "the old baker sold the young miller a horse"
    turned = "a young horse sold the miller the old baker"
    other = "one red kettle made this slow sailor some soup"
    same, order, nothing = similarities(encoder, said, [said, turned, other])
    assert same == 1
    assert same > order > nothing


def test_similarity_is_symmetric_and_a_share(encoder: HyperdimensionalEncoder) -> None:
    there, back = similarities(encoder, LIST_A, [PROSE]), similarities(encoder, PROSE, [LIST_A])
    assert there == back
    assert 0.4 < there[0] < 0.8


def test_a_part_is_128_bytes_and_the_same_in_any_batch(encoder: HyperdimensionalEncoder) -> None:
    batch = encoder.encode([Item(text) for text in (PROSE, "", LIST_A, CODE_A)])
    for text, part in zip((LIST_A, CODE_A), batch[2:], strict=True):
        (alone,) = HyperdimensionalEncoder().encode([Item(text)])
        assert alone is not None
        assert part is not None
        assert part.shape == encoder.shape == (1, 128)
        assert part.dtype == np.uint8
        assert np.array_equal(alone, part)


def test_texts_of_any_length_do_not_disturb_each_other(encoder: HyperdimensionalEncoder) -> None:
    words = PROSE.split()
    items = [Item(" ".join(words[: 7 * place % (len(words) + 1)])) for place in range(300)]
    for item, part in zip(items, encoder.encode(items), strict=True):
        (alone,) = HyperdimensionalEncoder().encode([item])
        assert (alone is None) == (part is None)
        assert alone is None or np.array_equal(alone, part)


@pytest.mark.parametrize("text", ["", "   \n", "x", "word", "\U0001f600", "again again again", "????"])
def test_it_abstains_where_nothing_has_an_order(encoder: HyperdimensionalEncoder, text: str) -> None:
    assert encoder.encode([Item(text)]) == [None]
    assert encoder.encode_query(Item(text)) is None


@pytest.mark.parametrize(
    "text",
    [
        "a" * 1_000_000,
        "word " * 200_000,
        "one two " * 120_000,
        "你好世界" * 100_000,
        "สวัสดีชาวโลก" * 50_000,
        "\U0001f600 \U0001f680" * 100_000,
        "\n" * 1_000_000,
        "a\n" * 400_000,
        "\ud800 lone",
        "# \n- \n```\n| | |\n> \n",
    ],
)
def test_no_text_is_too_odd(encoder: HyperdimensionalEncoder, text: str) -> None:
    started = time.perf_counter()
    (part,) = encoder.encode([Item(text)])
    assert time.perf_counter() - started < 1
    assert part is None or part.shape == encoder.shape


def test_scripts_without_spaces_have_an_order(encoder: HyperdimensionalEncoder) -> None:
    same, other = similarities(encoder, "猫は庭で鳥を見た。", ["猫は庭で鳥を見る。", "駅前の店が今日は休み?"])
    assert same > other


def test_many_words_do_not_grow_the_memory(encoder: HyperdimensionalEncoder) -> None:
    for start in range(0, 60_000, 6_000):
        encoder.encode([Item(" ".join(f"w{start + i + j}" for j in range(30))) for i in range(0, 6_000, 30)])
    held = len(encoder._folded) + len(encoder._items)
    assert held < 30_000


def test_texts_of_marks_alone_have_a_shape() -> None:
    made = HyperdimensionalEncoder().encode([Item("! ?"), Item("? ! ."), Item("")])
    assert [None if each is None else each.shape for each in made] == [(1, 128), (1, 128), None]
