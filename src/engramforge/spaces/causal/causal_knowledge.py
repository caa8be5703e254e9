"""What causes what, learned once from pairs of sentences: a map of word vectors and how rare words are (E5).

Numbers only, made by scripts/fit_causal.py (docs/measurements/causal.md). It serves texts that do not mention cause and
effect.
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import distinct, distinct_values
from engramforge.core.ranking.causal_signals import causal_features, causal_fit
from engramforge.errors import ModelUnavailable
from engramforge.model.causation import AskedDirection
from engramforge.spaces.words.word_table import Ends, Rows, WordTable

FILE: Final = "causal.npz"
RAREST: Final = 255
"""Rarity of words that are not in the learned texts; rarities are uint8, RAREST being 1.0."""
_FRAME: Final = """
happen happens happened happening cause causes caused causing reason reasons result results resulted effect effects
consequence consequences outcome lead leads led next made make makes come explain explanation think
"""
FRAME: Final = frozenset(_FRAME.split())
"""Words that ask for cause or effect without describing them."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class CausalKnowledge:
    """The learned numbers.

    `matrix`: float32, shape (256, 256): cause' W effect. `terms`, `rarities`: uint32, ascending, and float32 in (0, 1],
    shape (t,): how rare the words of a stem are. `weights`: float32, shape (5,), see core/ranking/causal_signals.
    `span`: the log-odds that become 0 and 1.
    """

    matrix: Floats
    terms: NDArray[np.uint32]
    rarities: Floats
    weights: Floats
    span: tuple[float, float]

    def rarity_of(self, terms: NDArray[np.uint32]) -> Floats:
        """How rare each term is, float32, in (0, 1]; 1 where it is unknown."""
        places = np.minimum(np.searchsorted(self.terms, terms), len(self.terms) - 1)
        return np.where(self.terms[places] == terms, self.rarities[places], 1).astype(np.float32)

    def features(
        self, table: WordTable, query: Rows, rows: Rows, ends: Ends, direction: AskedDirection
    ) -> Floats:
        """`core.ranking.causal_signals.causal_features` of n texts given as rows of the word table, shape (n, 5)."""
        query = distinct_values(query)
        rows, ends = _once_per_text(rows, ends)
        known, _, places = distinct(rows)
        asked, held = table.vectors(query), table.vectors(known)
        rarity, text_rarity = self.rarity_of(table.terms(query)), self.rarity_of(table.terms(known))
        weight = (np.sqrt(table.lengths(query)) * rarity).astype(np.float32)
        text_weight = (np.sqrt(table.lengths(known)) * text_rarity).astype(np.float32)
        # In a question for causes, its words are the effect.
        mapped = asked @ (self.matrix.T if direction is AskedDirection.CAUSE else self.matrix)
        pairs = np.asarray(mapped @ held.T, np.float32)[:, places]
        alike = np.asarray(asked @ held.T, np.float32)[:, places]
        norm = float(np.linalg.norm(weight @ asked))
        return causal_features(
            pairs, alike, (rarity, weight, norm), (text_rarity[places], text_weight[places]), ends
        )

    def scores(
        self, table: WordTable, query: Rows, rows: Rows, ends: Ends, direction: AskedDirection
    ) -> Floats:
        """How well n texts fit as the cause, or effect, of the question's words: float32, shape (n,), in [0, 1].

        `query`: int32, shape (q,): rows of the question's content words. `rows`, `ends`: int32 (w,) and int64 (n,):
        rows of the texts' content words, text i's end at ends[i]. `direction`: whether causes or effects are asked for.
        """
        if not len(ends):
            return np.zeros(0, np.float32)
        if not len(query) or not len(rows):
            return np.zeros(len(ends), np.float32)
        fits = causal_fit(self.features(table, query, rows, ends, direction), self.weights, self.span)
        fits[np.diff(ends, prepend=0) == 0] = 0
        return fits


def _once_per_text(rows: Rows, ends: Ends) -> tuple[Rows, Ends]:
    owners = np.repeat(np.arange(len(ends), dtype=np.int64), np.diff(ends, prepend=0))
    pairs = distinct_values(owners << np.int64(32) | rows)
    counts = np.bincount(pairs >> np.int64(32), minlength=len(ends))
    return (pairs & np.int64(0xFFFFFFFF)).astype(np.int32), np.cumsum(counts).astype(np.int64)


@lru_cache(maxsize=1)
def causal_knowledge() -> CausalKnowledge:
    """The shipped numbers. Raises ModelUnavailable where their file is missing or damaged."""
    try:
        with (files(__package__) / FILE).open("rb") as file, np.load(file, allow_pickle=False) as held:
            low, high = held["span"].tolist()
            return CausalKnowledge(
                matrix=held["matrix"].astype(np.float32) * np.float32(held["step"]),
                terms=held["terms"],
                rarities=held["rarities"].astype(np.float32) / np.float32(RAREST),
                weights=held["weights"],
                span=(low, high),
            )
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        raise ModelUnavailable(
            f"The package's file {FILE} is missing or damaged ({error})", "Install engramforge again"
        ) from error
