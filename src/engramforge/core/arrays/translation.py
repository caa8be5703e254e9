"""TransE: entities and relations as vectors, so that head + relation lies near the tail.

Source: Bordes, Usunier, Garcia-Duran, Weston, Yakhnenko: Translating Embeddings for Modeling Multi-relational Data
(NIPS 2013): the score of (h, r, t) is the L1 norm of h + r - t. Trained by softmax over negatives, which Ruffinelli,
Broscheit, Gemulla: You CAN Teach an Old Dog New Tricks! (ICLR 2020) found best for it, with Adagrad (Duchi, Hazan,
Singer 2011) on the rows that a batch touches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Indexes = NDArray[np.int64]

_BLOCK: Final = 1 << 22
_TINY: Final = np.float32(1e-8)


@dataclass(frozen=True, slots=True)
class TransEOptions:
    """How to train.

    Parameters
    ----------
    epochs : how often every triple is seen.
    batch : triples per step.
    negatives : entities that each step sets against its triples, all where there are no more.
    rate : step of Adagrad, in units of the vectors.
    sharpness : what a distance is multiplied by before the softmax.
    least_steps : a small graph has fewer steps in an epoch, so it has more epochs.
    most_steps : bounds the work of a large graph: fewer epochs, at least one.
    """

    epochs: int = 20
    batch: int = 128
    negatives: int = 64
    rate: float = 0.1
    sharpness: float = 1.0
    least_steps: int = 300
    most_steps: int = 5_000


@dataclass(frozen=True, slots=True)
class Translations:
    """The vectors of n entities and k relations, float32, shapes (n, d) and (k, d)."""

    entities: Floats
    relations: Floats


def train(
    start: Translations, triples: Indexes, rng: np.random.Generator, options: TransEOptions | None = None
) -> Translations:
    """Vectors that explain the triples, from where `start` has them.

    `triples`: int64, shape (m, 3): places of head, relation and tail; repeated ones count as often.

    Negatives that are triples themselves are left out ("filtered"). The same input and the same `rng` give the same
    vectors. Vectors of entities in no triple move only as negatives of others.
    """
    chosen = options or TransEOptions()
    if not len(triples):
        return Translations(start.entities.copy(), start.relations.copy())
    state = _State(start, triples, rng, chosen)
    steps = -(-len(triples) // chosen.batch)
    wanted = max(chosen.epochs, -(-chosen.least_steps // steps))
    epochs = max(1, min(wanted, chosen.most_steps // steps))
    for _ in range(epochs):
        order = rng.permutation(len(triples))
        for begin in range(0, len(triples), chosen.batch):
            state.step(triples[order[begin : begin + chosen.batch]])
    return Translations(state.entities, state.relations)


class _State:
    """Vectors on their way, with Adagrad's sums of squares and the known neighbours of each question."""

    def __init__(
        self, start: Translations, triples: Indexes, rng: np.random.Generator, options: TransEOptions
    ) -> None:
        self.entities = start.entities.astype(np.float32).copy()
        self.relations = start.relations.astype(np.float32).copy()
        self._entity_squares = np.zeros_like(self.entities)
        self._relation_squares = np.zeros_like(self.relations)
        self._rng, self._options = rng, options
        self._known = KnownTriples(triples, len(start.relations))

    def step(self, batch: Indexes) -> None:
        """One step of Adagrad over the tails and the heads of a batch."""
        count = len(self.entities)
        pool = np.arange(count)
        if count > self._options.negatives:
            pool = self._rng.choice(count, self._options.negatives, replace=False, shuffle=False)
        heads, relations, tails = batch.T
        toward = _gradients(self, self.entities[heads] + self.relations[relations], tails, pool, batch, 0)
        back = _gradients(self, self.entities[tails] - self.relations[relations], heads, pool, batch, 1)
        self._descend(
            self.entities,
            self._entity_squares,
            np.concatenate((heads, tails, pool, tails, heads)),
            np.concatenate((toward[0], toward[1], toward[2] + back[2], back[0], back[1])),
        )
        self._descend(self.relations, self._relation_squares, relations, toward[0] - back[0])

    def mask(self, batch: Indexes, pool: Indexes, side: int) -> NDArray[np.bool_]:
        """Which of the pool are true answers to each triple's question, shape (b, p)."""
        return self._known.among(batch, pool, len(self.entities), side)

    @property
    def sharpness(self) -> np.float32:
        """What a distance is multiplied by."""
        return np.float32(self._options.sharpness)

    def _descend(self, values: Floats, squares: Floats, rows: Indexes, gradients: Floats) -> None:
        """Adagrad on the rows that have a gradient; the gradients of a row named twice are summed."""
        order = np.argsort(rows, kind="stable")
        begins = np.flatnonzero(np.diff(rows[order], prepend=-1))
        touched = rows[order[begins]]
        total = np.add.reduceat(gradients[order], begins, axis=0)
        sums = squares[touched] + total * total
        squares[touched] = sums
        values[touched] -= np.float32(self._options.rate) * total / (np.sqrt(sums) + _TINY)


def _gradients(
    state: _State, asked: Floats, answers: Indexes, pool: Indexes, batch: Indexes, side: int
) -> tuple[Floats, Floats, Floats]:
    """Gradients of the mean cross entropy of true answers against the pool: by question, answer and pool entity."""
    true = asked - state.entities[answers]
    others = asked[:, None, :] - state.entities[pool][None, :, :]
    scores = np.concatenate((np.abs(true).sum(1)[:, None], np.abs(others).sum(2)), axis=1)
    scores *= -state.sharpness
    scores[:, 1:][state.mask(batch, pool, side)] = -np.inf
    scores -= scores.max(axis=1, keepdims=True)
    shares = np.exp(scores)
    shares /= shares.sum(axis=1, keepdims=True)
    # d loss / d distance: pull the true answer, push the others by their share of the softmax.
    pull = ((1 - shares[:, :1]) * (state.sharpness / len(batch))).astype(np.float32)
    push = (shares[:, 1:] * (-state.sharpness / len(batch))).astype(np.float32)
    by_answer = -pull * np.sign(true)
    signs = np.sign(others, out=others)
    by_question = np.matmul(push[:, None, :], signs)[:, 0, :] - by_answer
    by_pool = -np.einsum("bp,bpd->pd", push, signs)
    return by_question, by_answer, by_pool


class KnownTriples:
    """The known triples, to be left out of negatives.

    `triples`: int64, shape (m, 3). `relation_count`: how many relations there are.
    """

    def __init__(self, triples: Indexes, relation_count: int) -> None:
        self._relations = relation_count
        self._sorted: list[tuple[Indexes, Indexes]] = []
        for fixed, free in ((0, 2), (2, 0)):
            keys = triples[:, fixed] * relation_count + triples[:, 1]
            order = np.argsort(keys, kind="stable")
            self._sorted.append((keys[order], triples[order, free]))

    def among(self, batch: Indexes, pool: Indexes, count: int, side: int) -> NDArray[np.bool_]:
        """For each triple of the batch, which entities of the pool answer it, shape (b, p)."""
        keys, answers = self._sorted[side]
        asked = batch[:, 0 if side == 0 else 2] * self._relations + batch[:, 1]
        begins, ends = np.searchsorted(keys, asked), np.searchsorted(keys, asked, side="right")
        sizes = ends - begins
        rows = np.repeat(np.arange(len(batch)), sizes)
        offsets = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        columns = np.full(count, -1, np.int64)
        columns[pool] = np.arange(len(pool))
        places = columns[answers[np.repeat(begins, sizes) + offsets]]
        found = np.zeros((len(batch), len(pool)), np.bool_)
        found[rows[places >= 0], places[places >= 0]] = True
        return found


def distances(asked: Floats, entities: Floats) -> Floats:
    """The L1 norm of asked - entity for all pairs, float32, shape (q, n): small is likely."""
    found = np.empty((len(asked), len(entities)), np.float32)
    rows = max(_BLOCK // max(entities.shape[1], 1), 1)
    for row, each in enumerate(asked):
        for begin in range(0, len(entities), rows):
            part = entities[begin : begin + rows]
            found[row, begin : begin + rows] = np.abs(part - each).sum(axis=1)
    return found
