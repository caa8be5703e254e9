"""How similar a model finds unrelated texts, measured once when it is chosen for a store.

The questions and the texts on other subjects are fixed, so the number depends only on the model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.vectors import quantised
from engramforge.core.similarity.comparison import cosine
from engramforge.model.spaces import Space
from engramforge.spaces.chosen.model_vectors import SizedVectors

QUESTIONS: Final = (
    "Which seeds did my aunt sow beside the greenhouse?",
    "When does the ferry to the island leave on Sundays?",
    "How much did the new brakes for the bicycle cost?",
    "Who taught you to play the accordion?",
    "Why was the parliament dissolved that winter?",
    "What do penguins feed their chicks?",
    "Where did we store the tax receipts?",
    "How long should the dough rest before baking?",
)
TEXTS: Final = (
    "The glacier has lost two metres of ice since the last survey.",
    "Please restart the printer on the third floor, it is jammed again.",
    "Her violin teacher moved to Lisbon with three cats.",
    "Our goalkeeper broke a finger during the second half.",
    "The court dismissed the appeal for lack of evidence.",
    "I always soak chickpeas overnight with a pinch of soda.",
    "Telescopes in the desert recorded a faint comet last night.",
    "He painted the old wardrobe green and sold it at the market.",
)
PIECES: Final = (
    "def mean(values):\n    return sum(values) / len(values)",
    "SELECT name FROM customer WHERE city = 'Oslo' ORDER BY name",
    "for (int i = 0; i < n; i++) { swap(a[i], a[n - i - 1]); }",
    "socket.on('close', () => reconnect(host, port))",
    "class Stack:\n    def __init__(self):\n        self.items = []",
    "fn area(self) -> f64 { self.width * self.height }",
    "tar -czf backup.tar.gz /var/www && sha256sum backup.tar.gz",
    "<ul><li class='done'>Paint the fence</li></ul>",
)
SAID: Final[Mapping[Space, Sequence[str]]] = {Space.SEMANTIC: TEXTS, Space.CODE: PIECES}
"""What is compared with the questions, by space."""
_DIGITS: Final = 4


def background_of(space: Space, vectors: SizedVectors) -> float | None:
    """The median cosine, in [-1, 1]; None for other spaces, and if the model has no signal for these texts.

    Two calls of the model. Raises as `VectorModel.vectors`.
    """
    if space not in SAID:
        return None
    asked, said = vectors.of(QUESTIONS, is_query=True), vectors.of(SAID[space])
    asked, held = asked[asked.any(axis=1)], quantised(said[said.any(axis=1)])
    if not len(asked) or not len(held):
        return None
    return round(float(np.median([cosine(each, held) for each in asked])), _DIGITS)


class ModelMeaning(SizedVectors):
    """E1 by a model, which loads at first use; safe to share between threads."""

    def background(self) -> float | None:
        """How similar it finds unrelated texts (spaces/chosen/background). Asks the model."""
        return background_of(Space.SEMANTIC, self)

    def encode(self, texts: Sequence[str]) -> list[NDArray[np.int8] | None]:
        """int8, shape (size,), of each text, which depends on it alone; None for a text without signal."""
        return [row if row.any() else None for row in quantised(self.of(texts))]

    def encode_query(self, text: str) -> NDArray[np.float32] | None:
        """float32, shape (size,), unit length; None for a text without signal."""
        vector = self.of([text], is_query=True)[0]
        return vector if vector.any() else None
