"""E5 and E7 by a model: what is embedded of a text, and that it is compared as the static encoders compare."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from engramforge.spaces.causal.causal_encoder import (
    AGAINST_DIRECTION,
    WITH_DIRECTION,
    CausalEncoder,
    CausalRows,
)
from engramforge.spaces.chosen.model_parts import CodeRows, ModelParts
from engramforge.spaces.encoder import Item
from engramforge.spaces.words.word_table import word_table


class Bags:
    """A model whose vectors are sums of words: what shares words is near."""

    name = "bags"
    asked_size = None

    def __init__(self) -> None:
        self.sent: list[str] = []

    def vectors(self, texts: Sequence[str], is_query: bool = False) -> NDArray[np.float32]:
        self.sent += texts
        found = np.zeros((len(texts), 64), np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                found[row] += np.random.default_rng(list(word.encode())).normal(size=64)
        return found


STORY = "The pump stopped because the filter was clogged."


def test_causes_and_effects_are_embedded_apart() -> None:
    model = Bags()
    encoder = ModelParts(CausalRows(), model, None, "encoder_causal")
    told, plain = encoder.encode([Item(STORY), Item("The pump is green.")])
    assert plain is None
    assert told is not None and told.shape == (2, 64) == encoder.shape
    assert set(model.sent) >= {"the filter was clogged", "The pump stopped"}
    asked = encoder.encode_query(Item("Why did the pump stopped?"))
    assert asked is not None
    assert asked.weights.tolist() == pytest.approx([AGAINST_DIRECTION, WITH_DIRECTION])
    # Asked alike in both rows, so it is sent once.
    assert sum("did the pump" in text for text in model.sent) == 1
    assert encoder.encode_query(Item("Which pump is green?")) is None
    assert encoder.encode_query(Item("Why?")) is None


def test_a_why_question_meets_effects() -> None:
    encoder = ModelParts(CausalRows(), Bags(), None, "encoder_causal")
    told = [Item(STORY), Item("The garden flooded because the pump stopped.")]
    values = np.array([each for each in encoder.encode(told) if each is not None])
    present = np.ones(2, np.bool_)
    why = encoder.encode_query(Item("Why has the pump stopped?"))
    then = encoder.encode_query(Item("What happens when the pump stopped?"))
    assert why is not None and then is not None
    effect, cause = encoder.query_to_memories(why, values, present).values
    assert effect > cause
    effect, cause = encoder.query_to_memories(then, values, present).values
    assert cause > effect
    # The first's effect is the second's cause: it leads there, and not back.
    onward = encoder.memory_to_memories(values[0], values, present).values[1]
    back = encoder.memory_to_memories(values[1], values, present).values[0]
    assert onward > back


def test_both_encoders_compare_by_one_rule() -> None:
    static, rows = CausalEncoder(word_table()), CausalRows()
    values = np.array(
        [each for each in static.encode([Item(STORY), Item("Rain led to mud.")]) if each is not None]
    )
    present = np.array([True, False])
    asked = static.encode_query(Item("Why did the pump stop?"))
    assert asked is not None
    ours, theirs = (each.query_to_memories(asked, values, present) for each in (static, rows))
    assert ours.values.tolist() == theirs.values.tolist()
    assert ours.present.tolist() == theirs.present.tolist() == [True, False]
    ours, theirs = (each.memory_to_memories(values[0], values, present) for each in (static, rows))
    assert ours.values.tolist() == theirs.values.tolist()


def test_a_question_with_a_piece_of_code_is_that_piece() -> None:
    model = Bags()
    encoder = ModelParts(CodeRows(), model, None, "encoder_code")
    assert encoder.encode_query(Item("What is this?\nreturn tide", code="return tide")) is not None
    assert encoder.encode_query(Item("Where is the tide read?")) is not None
    assert model.sent[-2:] == ["return tide", "Where is the tide read?"]
    assert encoder.encode_query(Item("What is this?", code=" ")) is None
