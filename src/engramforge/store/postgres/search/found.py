"""Memories as a search found them: their signals as columns, from rows of the server to a batch of candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import decode_ragged
from engramforge.model.embeddings.part import PartBatch
from engramforge.model.search.candidates import Candidates
from engramforge.model.spaces import Space
from engramforge.store.postgres.search.scoring import Positions
from engramforge.store.postgres.wire import int8_vectors
from engramforge.store.rows import KIND_CODE
from engramforge.store.schema import DIMENSION

_GIVEN: Final = (
    *("position", "project", "session", "sequence", "kind", "valid_at", "created_at"),
    *("epistemic_tier", "vector", "cues"),
)
"""Columns that candidates have, too."""


@dataclass(frozen=True, slots=True)
class Found:
    """Signals of n memories, ascending by position.

    Parameters
    ----------
    position, session, sequence, length, valid_at, project, created_at : int64 (n,); session -1 without one.
    kind, epistemic_tier, cues : uint8, float32 and uint8 (n,).
    raw_speaker : n names as they are written, "" where nobody is named.
    vector : int8 (n, size of E1); zero where it abstains.
    tokens, terms, counts, intervals : n stored blobs.
    """

    position: Positions
    session: Positions
    sequence: Positions
    length: Positions
    valid_at: Positions
    project: Positions
    created_at: Positions
    kind: NDArray[np.uint8]
    epistemic_tier: NDArray[np.float32]
    cues: NDArray[np.uint8]
    raw_speaker: NDArray[Any]
    vector: NDArray[np.int8]
    tokens: NDArray[Any]
    terms: NDArray[Any]
    counts: NDArray[Any]
    intervals: NDArray[Any]

    @classmethod
    def of(cls, rows: Sequence[Any], size: int = DIMENSION) -> Found:
        """From rows of the statement: numbers, kind, speaker, tier, vector, words.

        `size` is the vectors' size if no memory has one.
        """
        columns: list[Any] = list(zip(*rows, strict=True)) if rows else [()] * 16
        # Sent vectors begin with the number of their components.
        sizes = (int.from_bytes(raw[:2], "big") for raw in columns[10] if raw is not None)
        names = ("position", "session", "sequence", "length", "valid_at", "project", "created_at")
        numbers: dict[str, Any] = {
            name: np.array(column, np.int64) for name, column in zip(names, columns[:7], strict=True)
        }
        return cls(
            **numbers,
            kind=np.array([KIND_CODE[kind] for kind in columns[7]], np.uint8),
            raw_speaker=_objects([speaker or "" for speaker in columns[8]]),
            epistemic_tier=np.array(columns[9], np.float32),
            vector=int8_vectors(columns[10], next(sizes, size)),
            tokens=_objects([blob or b"" for blob in columns[11]]),
            terms=_objects([blob or b"" for blob in columns[12]]),
            counts=_objects([blob or b"" for blob in columns[13]]),
            cues=np.array([cues or 0 for cues in columns[14]], np.uint8),
            intervals=_objects([blob or b"" for blob in columns[15]]),
        )

    def __len__(self) -> int:
        return len(self.position)

    def candidates(self, parts: Mapping[Space, PartBatch], **scored: NDArray[Any] | None) -> Candidates:
        """These as a batch, in the order of sessions; `parts` and `scored` are further columns of them."""
        at = np.lexsort((self.position, self.sequence, self.session))
        names = [speaker.casefold() for speaker in self.raw_speaker[at]]
        speaker_names = ("", *sorted({name for name in names if name}))
        code = {name: place for place, name in enumerate(speaker_names)}
        tokens, token_lengths = decode_ragged(list(self.tokens[at]), np.uint16)
        terms, term_lengths = decode_ragged(list(self.terms[at]), np.uint32)
        counts, _ = decode_ragged(list(self.counts[at]), np.uint8)
        intervals, interval_lengths = decode_ragged(list(self.intervals[at]), np.int32)
        flat: dict[str, Any] = {name: getattr(self, name)[at] for name in _GIVEN}
        return Candidates(
            **flat,
            speaker=np.array([code[name] for name in names], np.int32),
            tokens=tokens,
            token_ends=np.cumsum(token_lengths),
            terms=terms,
            counts=counts,
            term_ends=np.cumsum(term_lengths),
            intervals=intervals.reshape(-1, 3),
            interval_ends=np.cumsum(interval_lengths) // 3,
            speaker_names=speaker_names,
            parts={space: PartBatch(batch.values[at], batch.present[at]) for space, batch in parts.items()},
            # The names of `scored` are fields of these types.
            **{name: None if values is None else values[at] for name, values in scored.items()},  # type: ignore[arg-type]
        )


def _objects(values: list[Any]) -> NDArray[Any]:
    """A column of texts or blobs as objects, since NumPy's own types would pad them and cut trailing zeros."""
    column = np.empty(len(values), object)
    column[:] = values
    return column
