"""E5: abstention, the two rows, the direction's modifiers, and knowledge of plain sentences."""

from __future__ import annotations

import numpy as np
import pytest

from engramforge.model.causation import AskedDirection
from engramforge.model.embeddings.part import QueryPart
from engramforge.model.spaces import Space
from engramforge.spaces.causal.causal_encoder import CausalEncoder
from engramforge.spaces.causal.causal_knowledge import causal_knowledge
from engramforge.spaces.encoder import Item
from engramforge.spaces.words.word_table import word_table


@pytest.fixture(scope="module")
def encoder() -> CausalEncoder:
    return CausalEncoder(word_table())


def _rows(cause: tuple[int, int], effect: tuple[int, int]) -> np.ndarray:
    return np.array([cause, effect], np.int8)


def test_it_abstains_without_cause_and_effect(encoder: CausalEncoder) -> None:
    texts = ["The kettle is blue.", "因为下雨", "😀", "x", "def f(): pass", "word " * 200_000]
    assert encoder.encode([Item(text) for text in texts]) == [None] * len(texts)
    assert encoder.encode([]) == []
    assert encoder.encode_query(Item("Where is the kettle?")) is None
    assert encoder.encode_query(Item("Why?")) is None


def test_a_part_has_its_declared_shape_and_does_not_depend_on_its_neighbours(encoder: CausalEncoder) -> None:
    text = "The kettle burst because the valve was stuck."
    alone = encoder.encode([Item(text)])[0]
    beside = encoder.encode([Item("Plain."), Item("Frost led to cracks."), Item(text)])[2]
    assert alone is not None
    assert beside is not None
    assert alone.dtype == np.int8
    assert alone.shape == encoder.shape == (2, 256)
    assert alone.size <= encoder.row.declared_size
    assert np.array_equal(alone, beside)
    assert alone.any(axis=1).all()


def test_a_why_question_prefers_the_memory_whose_effect_it_names(encoder: CausalEncoder) -> None:
    parts = encoder.encode(
        [
            Item("The kettle burst because the valve was stuck."),
            Item("The flood came because the kettle burst."),
        ]
    )
    values = np.stack([part for part in parts if part is not None])
    present = np.ones(2, np.bool_)
    why = encoder.encode_query(Item("Why did the kettle burst?"))
    then = encoder.encode_query(Item("What happens when the kettle burst?"))
    assert why is not None
    assert then is not None
    assert np.argmax(encoder.query_to_memories(why, values, present).values) == 0
    assert np.argmax(encoder.query_to_memories(then, values, present).values) == 1


def test_the_modifiers_are_1_2_with_and_0_8_against_the_direction_clamped_to_1(
    encoder: CausalEncoder,
) -> None:
    asked = np.array([[1, 0], [1, 0]], np.float32)
    why = QueryPart(Space.CAUSAL, encoder.id, asked, np.array([0.8, 1.2], np.float32))
    values = np.stack(
        [
            _rows((0, 100), (60, 80)),  # its effect at cosine 0.6
            _rows((60, 80), (0, 100)),  # its cause at cosine 0.6
            _rows((0, 100), (100, 0)),  # its effect at cosine 1
            _rows((0, 100), (-100, 0)),  # its effect at cosine -1
            _rows((0, 0), (0, 0)),
        ]
    )
    found = encoder.query_to_memories(why, values, np.array([True, True, True, True, False]))
    assert found.values == pytest.approx([0.72, 0.48, 1.0, 0.0, 0.0], abs=1e-6)
    assert found.present.tolist() == [True, True, True, True, False]
    weights = encoder.encode_query(Item("Why did the kettle burst?"))
    assert weights is not None
    assert weights.weights == pytest.approx([0.8, 1.2])


def test_memories_are_compared_across_and_by_direction(encoder: CausalEncoder) -> None:
    first, second = _rows((0, 100), (60, 80)), _rows((100, 0), (100, 0))
    leads = encoder.memory_to_memories(first, second[None], np.ones(1, np.bool_)).values[0]
    led = encoder.memory_to_memories(second, first[None], np.ones(1, np.bool_)).values[0]
    assert leads == pytest.approx(1.2 * 0.6, abs=1e-6)
    assert led == pytest.approx(0.8 * 0.6, abs=1e-6)


def test_knowledge_tells_causes_from_effects_and_from_strangers() -> None:
    table = word_table()
    asked, texts = table.rows_of(["streets", "flooded"]), ["heavy", "rain", "chocolate", "recipe"]
    rows, ends = table.rows_of(texts), np.array([2, 4], np.int64)
    rain, cake = causal_knowledge().scores(table, asked, rows, ends, AskedDirection.CAUSE).tolist()
    assert 0 <= cake < rain <= 1
    assert rain != causal_knowledge().scores(table, asked, rows, ends, AskedDirection.EFFECT)[0]


def test_knowledge_of_nothing_is_nothing() -> None:
    table, nothing = word_table(), np.zeros(0, np.int32)
    rows = table.rows_of(["rain", "flood"])
    knowledge = causal_knowledge()
    ends = np.array([0, 2], np.int64)
    found = knowledge.scores(table, rows, rows, ends, AskedDirection.CAUSE)
    assert found[0] == 0
    assert found[1] > 0
    assert knowledge.scores(table, nothing, rows, ends, AskedDirection.CAUSE).tolist() == [0, 0]
    assert len(knowledge.scores(table, rows, nothing, np.zeros(0, np.int64), AskedDirection.CAUSE)) == 0
    strange = table.rows_of(["qqzzxxv", "因为", "x" * 128])
    assert np.isfinite(knowledge.scores(table, strange, strange, np.array([3]), AskedDirection.EFFECT)).all()
