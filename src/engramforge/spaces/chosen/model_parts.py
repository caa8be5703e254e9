"""Spaces whose part has a model's vector in each row: the space supplies the texts of the rows, the model the vectors.

E5 (cause and effect) and E7 (code) by a dense model, of the hub, a folder or an endpoint.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.vectors import quantised
from engramforge.core.similarity.comparison import cosine
from engramforge.model.embeddings.encoder_spec import ActiveEncoder
from engramforge.model.embeddings.part import QueryPart
from engramforge.model.spaces import ROW_BY_SPACE, Space, SpaceRow
from engramforge.spaces.chosen.model_vectors import SizedVectors, VectorModel
from engramforge.spaces.encoder import ByCosine, Item, Similarities

if TYPE_CHECKING:
    from engramforge.model.embeddings.part import Values


@dataclass(frozen=True, slots=True)
class Question:
    """The question's text for each row of a part ("" for none), and the weight of each row in a scan."""

    texts: tuple[str, ...]
    weights: tuple[float, ...]


class TextRows(Protocol):
    """What a space reads in a text, a text for each row of its part, and how its parts are compared."""

    @property
    def row(self) -> SpaceRow:
        """The space's row of the registry."""

    @property
    def count(self) -> int:
        """Rows of every part."""

    def texts_of(self, item: Item) -> tuple[str, ...] | None:
        """The item's text for each row, "" for none; None if it abstains."""

    def question_of(self, item: Item) -> Question | None:
        """The same for a question."""

    def query_to_memories(self, query: QueryPart, values: Values, present: NDArray[np.bool_]) -> Similarities:
        """As `PartEncoder`'s, for rows of any size."""

    def memory_to_memories(self, memory: Values, values: Values, present: NDArray[np.bool_]) -> Similarities:
        """As `PartEncoder`'s, for rows of any size."""


class ModelParts:
    """A `PartEncoder` by a model.

    `rows`: the space's own part of it. `dimensions`: as `SizedVectors` has it, for each row.
    """

    def __init__(
        self,
        rows: TextRows,
        model: VectorModel,
        dimensions: int | None,
        setting: str,
        known: ActiveEncoder | None = None,
    ) -> None:
        self._rows = rows
        self.row = rows.row
        self.query_to_memories, self.memory_to_memories = rows.query_to_memories, rows.memory_to_memories
        self._vectors = SizedVectors(rows.row, model, dimensions, setting, known, rows.count)

    @property
    def id(self) -> str:
        """Name, version and dimension of a row. Loads the model or asks the endpoint, unless a store knows it."""
        return self._vectors.id

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, size). Likewise."""
        return (self._rows.count, self._vectors.size)

    def background(self) -> float | None:
        """How similar it finds unrelated texts (spaces/chosen/model_parts), if that matters. Asks the model."""
        return background_of(self.row.space, self._vectors)

    def encode(self, items: Sequence[Item]) -> list[Values | None]:
        """int8, shape (rows, size), of each item; rows that say nothing are zero."""
        said = [self._rows.texts_of(item) for item in items]
        flat = self._vectors.of([text for texts in said if texts is not None for text in texts])
        blocks = iter(quantised(flat).reshape(-1, self._rows.count, flat.shape[1]))
        found = [None if texts is None else next(blocks) for texts in said]
        return [None if values is None or not values.any() else values for values in found]

    def encode_query(self, item: Item) -> QueryPart | None:
        """float32, shape (rows, size)."""
        if (question := self._rows.question_of(item)) is None:
            return None
        # Rows with the same text are embedded once.
        distinct = list(dict.fromkeys(question.texts))
        vectors = self._vectors.of(distinct, is_query=True)
        values = vectors[[distinct.index(text) for text in question.texts]]
        if not values.any():
            return None
        return QueryPart(self.row.space, self.id, values, np.array(question.weights, np.float32))


_FENCED: Final = re.compile(r"(?ms)^[ \t]*+(`{3,}+|~{3,}+)[^\n]*+\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)")


class CodeRows(ByCosine):
    """E7 for a model of code: the fenced code of a memory, or all of it where its language is known.

    Every question has a signal: such models place questions in plain words near code.
    """

    row = ROW_BY_SPACE[Space.CODE]
    count = 1

    def texts_of(self, item: Item) -> tuple[str, ...] | None:
        """The code in one text; None where there is none."""
        blocks = [match.group(2) for match in _FENCED.finditer(item.text)]
        code = item.text if item.language and not blocks else "\n".join(blocks)
        return (code,) if code.strip() else None

    def question_of(self, item: Item) -> Question | None:
        """The piece of code in the question, else the question as it is."""
        said = item.text if item.code is None else item.code
        return Question((said,), (1.0,)) if said.strip() else None


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
        """How similar it finds unrelated texts (spaces/chosen/model_parts). Asks the model."""
        return background_of(Space.SEMANTIC, self)

    def encode(self, texts: Sequence[str]) -> list[NDArray[np.int8] | None]:
        """int8, shape (size,), of each text, which depends on it alone; None for a text without signal."""
        return [row if row.any() else None for row in quantised(self.of(texts))]

    def encode_query(self, text: str) -> NDArray[np.float32] | None:
        """float32, shape (size,), unit length; None for a text without signal."""
        vector = self.of([text], is_query=True)[0]
        return vector if vector.any() else None
