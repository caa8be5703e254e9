"""How each space is compared on the server: its table, its expression, its distance.

    E1            embedding_semantic   cosine distance of the vector
    E5, E7, E10   embedding_part       inner product with `near`: rows of unit length, end to end
    bits (E9)     embedding_part       Hamming distance of `near_bits`

A field is an encoder's embeddings in a space; vector indexes and scans are built from its SQL fragments.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.model.embeddings.part import QueryPart
from engramforge.model.spaces import REGISTRY, ROW_BY_SPACE, Comparison, Space
from engramforge.store.postgres.schema import NEAR_SPACES, encoder_code
from engramforge.store.postgres.wire import bits_text, vector_text
from engramforge.store.scoring.strength import quantise

NUMBER: Final[dict[str, str]] = {str(row.space): row.number.lower() for row in REGISTRY}
"""Space -> its number, for short names of indexes."""
SPACE_OF_NUMBER: Final[dict[str, str]] = {number: space for space, number in NUMBER.items()}
_MOST_INDEXED: Final = 4_000
"""The most components of a halfvec that pgvector indexes."""
_MOST_INDEXED_BITS: Final = 64_000


@dataclass(frozen=True, slots=True, order=True)
class Field:
    """One encoder's embeddings in one space.

    `encoder`, `code`: its key for this tenant, and `schema.encoder_code` of it and the shape, common to all tenants.
    `size`: components of an embedding as it is compared, bits where those are compared.
    """

    space: str
    encoder: int
    code: int
    size: int

    @property
    def is_meaning(self) -> bool:
        """Whether it is E1."""
        return self.space == Space.SEMANTIC

    @property
    def is_packed(self) -> bool:
        """Whether packed bits are compared."""
        return is_packed(Space(self.space))

    @property
    def table(self) -> str:
        """Where its embeddings are."""
        return "embedding_semantic" if self.is_meaning else "embedding_part"

    @property
    def holds(self) -> str:
        """The predicate of its indexes, over all tenants."""
        return f"encoder_code = {self.code}"

    @property
    def rows(self) -> str:
        """The predicate of the tenant's embeddings among rows v; abstentions are left out."""
        return f"v.tenant = %(tenant)s AND v.encoder_code = {self.code} AND v.vector IS NOT NULL"

    @property
    def _operator(self) -> str:
        return "<=>" if self.is_meaning else "<~>" if self.is_packed else "<#>"

    @property
    def _kind(self) -> str:
        return f"bit({self.size})" if self.is_packed else f"halfvec({self.size})"

    @property
    def _column(self) -> str:
        return "vector" if self.is_meaning else "near_bits" if self.is_packed else "near"

    def _value(self, alias: str) -> str:
        return f"CAST({alias}{self._column} AS {self._kind})"

    @property
    def probe(self) -> str:
        """The parameter `probe`, cast to the type that it is compared with."""
        return f"CAST(%(probe)s AS {self._kind})"

    @property
    def distance(self) -> str:
        """Distance of rows v to the probe, as indexes order by; NaN to an E1 of zeros."""
        return f"{self._value('v.')} {self._operator} {self.probe}"

    def beside(self, alias: str, probe: str) -> tuple[str, str]:
        """A memory's distance to another parameter, null without an embedding, and the join that brings this in."""
        its = f"{alias}.tenant = memory.tenant AND {alias}.memory_seq = memory.seq"
        join = f" LEFT JOIN {self.table} {alias} ON {its} AND {alias}.encoder_code = {self.code}"
        return f"{self._value(f'{alias}.')} {self._operator} CAST(%({probe})s AS {self._kind})", join

    @property
    def operators(self) -> str:
        """The operator class of an index of full precision."""
        kind = "bit_hamming_ops" if self.is_packed else f"halfvec_{'cosine' if self.is_meaning else 'ip'}_ops"
        return f"({self._value('')}) {kind}"

    @property
    def bit_operators(self) -> str:
        """The operator class of an index with one bit per component."""
        return f"(CAST(binary_quantize(vector) AS bit({self.size}))) bit_hamming_ops"

    @property
    def is_indexed(self) -> bool:
        """Whether it is indexed: spaces that search for candidates, of a size that pgvector can index."""
        return 0 < self.size <= (_MOST_INDEXED_BITS if self.is_packed else _MOST_INDEXED)


def is_packed(space: Space) -> bool:
    """Whether a space's values are packed bits."""
    return ROW_BY_SPACE[space].comparison is Comparison.HAMMING


def is_scanned(space: Space) -> bool:
    """Whether the server can look for candidates in a space."""
    return is_packed(space) or space in NEAR_SPACES


def has_one_weight(part: QueryPart) -> bool:
    """Whether a question's part is a single distance on the server, since concatenated bits have no weights."""
    return not is_packed(part.space) or len(set(part.weights.tolist())) == 1


def field_of(space: Space, encoder: int, encoder_id: str, rows: int, values: int) -> Field:
    """The field of embeddings with this many values in all: components, or bytes of packed bits."""
    size = values * 8 if is_packed(space) else values
    return Field(str(space), encoder, encoder_code(space, encoder_id, rows, values), size)


def probe_of(part: QueryPart) -> str:
    """A question's part as text for the server: weighted unit rows end to end, or bits.

    Rows are quantised to int8 first, as everywhere, so that the engines find the same.
    """
    if is_packed(part.space):
        return bits_text(np.ascontiguousarray(part.values, np.uint8))
    whole = np.array([quantise(np.asarray(row, np.float32)) for row in part.values], np.int8)
    weighted = near_of(whole[None])[0].reshape(len(whole), -1).astype(np.float32) * part.weights[:, None]
    return vector_text(weighted.reshape(-1))


def near_of(values: NDArray[Any]) -> NDArray[np.float16]:
    """n parts, int8 of shape (n, rows, size), as `near`: rows of unit length end to end, shape (n, rows x size)."""
    whole = values.astype(np.float32)
    norms = np.sqrt(np.einsum("nrs,nrs->nr", whole, whole))[..., None]
    unit = whole / np.where(norms > 0, norms, 1)
    return unit.reshape(len(values), -1).astype(np.float16)
