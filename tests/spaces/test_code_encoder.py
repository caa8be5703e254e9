"""E7: shape and words of code, abstention, questions, hostile texts, the same in every process, and its speed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import zlib

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.spaces.code_samples import CLONE, DIFF, HOSTILE, OTHER, SAMPLES, TALK, TRACES

from engramforge.core.text.code_words import asks_about_code
from engramforge.model.spaces import Space
from engramforge.spaces.code.code_encoder import SIZE, CodeEncoder
from engramforge.spaces.encoder import Item

ENCODER = CodeEncoder()
LEAST_PER_SECOND = 150


def rows_of(text: str) -> NDArray[np.float64]:
    """Both rows at unit length; zero where a row says nothing."""
    values = ENCODER.encode([Item(text)])[0]
    assert values is not None
    rows = values.astype(np.float64)
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def similarity(question: Item, *texts: str) -> list[float]:
    query = ENCODER.encode_query(question)
    assert query is not None
    values = np.stack([part for part in ENCODER.encode([Item(text) for text in texts]) if part is not None])
    found = ENCODER.query_to_memories(query, values, np.ones(len(values), np.bool_))
    assert found.present.all()
    return [float(value) for value in found.values]


def test_its_row_and_size() -> None:
    assert ENCODER.row.space is Space.CODE
    assert ENCODER.shape == (2, SIZE)
    assert ENCODER.shape[0] * ENCODER.shape[1] <= ENCODER.row.declared_size
    assert str(SIZE) in ENCODER.id


@pytest.mark.parametrize("text", [*SAMPLES.values(), DIFF])
def test_code_has_both_rows(text: str) -> None:
    values = ENCODER.encode([Item(text)])[0]
    assert values is not None
    assert (values.dtype, values.shape) == (np.dtype(np.int8), (2, SIZE))
    assert values.any(axis=1).all()


@pytest.mark.parametrize("text", [*TRACES.values(), "Ask load_basket() for it."])
def test_names_alone_have_no_shape(text: str) -> None:
    values = ENCODER.encode([Item(text)])[0]
    assert values is not None
    assert values.any(axis=1).tolist() == [False, True]


def test_talk_abstains_and_does_not_ask_for_code() -> None:
    assert ENCODER.encode([Item(text) for text in TALK]) == [None] * len(TALK)
    assert [text for text in TALK if ENCODER.encode_query(Item(text)) is not None] == []


def test_a_clone_with_other_names_has_the_same_shape() -> None:
    sample, clone, other = (rows_of(text)[0] for text in (SAMPLES["python"], CLONE, OTHER))
    assert sample @ clone > 0.99
    assert sample @ other < 0.6


def test_the_same_function_in_another_language_is_nearer_than_another_function() -> None:
    sample, twin, other = (rows_of(text)[0] for text in (SAMPLES["java"], SAMPLES["javascript"], OTHER))
    assert sample @ twin > sample @ other


def test_documentation_is_no_shape() -> None:
    bare = 'def f(a):\n    """Adds."""\n    return a + 1\n'
    told = (
        'def f(a):\n    """Adds one to what is given, and gives it back to who asked."""\n    return a + 1\n'
    )
    assert rows_of(bare)[0] @ rows_of(told)[0] == pytest.approx(1, abs=1e-6)
    assert rows_of(bare)[1] @ rows_of(told)[1] < 0.99


def test_a_question_in_words_meets_names_and_documentation() -> None:
    mean, mail = similarity(Item("python moving average of a series"), SAMPLES["python"], OTHER)
    assert mean > mail + 0.2
    mean, mail = similarity(Item("deliver letters to a mailbox in python"), SAMPLES["python"], OTHER)
    assert mail > mean + 0.2


def test_words_that_mean_the_same_in_code_meet() -> None:
    texts = ("def erase_dir(place):\n    rmtree(place)\n", "def plant_tree(place):\n    dig(place)\n")
    erase, plant = similarity(Item("python delete folder"), *texts)
    assert erase > plant + 0.1


def test_a_question_in_words_leaves_the_shape_alone() -> None:
    query = ENCODER.encode_query(Item("reverse a list in python"))
    assert query is not None
    assert query.weights.tolist() == [0, 1]
    assert not query.values[0].any()
    assert np.linalg.norm(query.values[1]) == pytest.approx(1, abs=1e-5)


def test_the_name_of_a_language_is_no_word_of_the_question() -> None:
    first, two = (
        ENCODER.encode_query(Item(text, language="python"))
        for text in ("reverse a list", "python reverse a list")
    )
    assert first is not None and two is not None
    assert np.array_equal(first.values, two.values)


def test_a_question_that_is_code_compares_shape_too() -> None:
    query = ENCODER.encode_query(Item(CLONE, code=CLONE))
    assert query is not None
    assert (query.weights > 0).all()
    clone, other = similarity(Item(CLONE, code=CLONE), SAMPLES["python"], OTHER)
    assert clone > other + 0.3
    odd = ENCODER.encode_query(Item("zzz", code="zzz yyy"))
    assert odd is not None and not odd.values[0].any()


def test_memories_compare_as_memories() -> None:
    values = ENCODER.encode([Item(text) for text in (SAMPLES["python"], CLONE, OTHER)])
    kept = np.stack([part for part in values if part is not None])
    found = ENCODER.memory_to_memories(kept[0], kept, np.array([True, True, False]))
    assert found.values[0] == pytest.approx(1, abs=1e-5)
    assert found.present.tolist() == [True, True, False]
    assert found.values[2] == 0
    names = ENCODER.encode([Item(TRACES["go"])])[0]
    assert names is not None
    mixed = ENCODER.memory_to_memories(
        names, np.stack([kept[0], np.zeros_like(kept[0])]), np.ones(2, np.bool_)
    )
    assert mixed.present.tolist() == [True, False]


@pytest.mark.parametrize(
    ("text", "is_code"),
    [
        ("how to sort a dict by value in python", True),
        ("pandas drop empty columns", True),
        ("java convert string to int", True),
        ("why does c++ copy my vector", True),
        ("regex for a uuid in json", True),
        ("Where did Nora buy the kayak?", False),
        ("What does Piet feed his python?", False),
        ("Which island did they visit, Java or Bali?", False),
        ("What is on the list of things to buy?", False),
        ("When did Ann go to the class about rust on iron?", False),
        ("", False),
    ],
)
def test_which_questions_are_about_code(text: str, is_code: bool) -> None:
    assert asks_about_code(text) is is_code


@pytest.mark.parametrize("name", sorted(HOSTILE))
@pytest.mark.timed
def test_hostile_texts_end_soon(name: str) -> None:
    started = time.perf_counter()
    values = ENCODER.encode([Item(HOSTILE[name])])[0]
    query = ENCODER.encode_query(Item(HOSTILE[name]))
    given = ENCODER.encode([Item(HOSTILE[name], language="python")])[0]
    assert time.perf_counter() - started < 6
    assert all(part is None or part.shape == (2, SIZE) for part in (values, given))
    assert query is None or bool(np.isfinite(query.values).all())


def test_the_same_in_every_process() -> None:
    program = (
        "import zlib; from engramforge.spaces.code.code_encoder import CodeEncoder; "
        "from engramforge.spaces.encoder import Item; from tests.spaces.code_samples import SAMPLES; "
        "print(zlib.crc32(b''.join(p.tobytes() for p in CodeEncoder().encode([Item(t) for t in SAMPLES.values()]))))"
    )
    here = zlib.crc32(
        b"".join(
            part.tobytes() for part in ENCODER.encode([Item(t) for t in SAMPLES.values()]) if part is not None
        )
    )
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True
        )
        assert int(done.stdout) == here


def test_importing_the_encoder_loads_no_grammar() -> None:
    program = (
        "import sys; import engramforge.spaces.code.code_encoder; "
        "print([m for m in sys.modules if m.startswith('tree_sitter')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.timed
def test_encoding_is_fast_enough() -> None:
    texts = [
        f"def name_{number}(first, second):\n{SAMPLES['python'].partition(chr(10) * 1)[2]}"
        for number in range(150)
    ]
    items = [Item(text.replace("sums", f"sums{number}")) for number, text in enumerate(texts)]
    ENCODER.encode(items[:5])
    started = time.perf_counter()
    assert all(part is not None for part in ENCODER.encode(items))
    assert len(items) / (time.perf_counter() - started) > LEAST_PER_SECOND


@pytest.mark.timed
def test_talk_costs_next_to_nothing() -> None:
    items = [Item(TALK[0])] * 2_000
    started = time.perf_counter()
    ENCODER.encode(items)
    assert (time.perf_counter() - started) / len(items) < 3e-4
