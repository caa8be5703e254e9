"""Fills in what memories lack that are older than the static spaces and names: online, resumable.

Only memories up to a position can lack them; the mark "unfilled", left by the schema migration, says up to which, and
how far a filling has come. Existing parts are not touched, and a memory that abstains gets none.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engramforge.indexing.comparing import NAMES_ALONE
from engramforge.indexing.encode import item_of
from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.embeddings.encoder_spec import STATIC_SPEC
from engramforge.model.embeddings.part import Part
from engramforge.model.embeddings.reembedding import ReembedEstimate, ReembedReport, Unfilled
from engramforge.model.memory import Memory
from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.spaces.encoder import Item, PartEncoder, Picture
from engramforge.store.door import Door, Transaction

if TYPE_CHECKING:
    from engramforge.indexing.encoders import Encoders

UNFILLED_MARK: Final = "unfilled"
"""{"upto": last position that may lack something, "left": memories to look at, "after": done so far, "id": of that}."""
FILLED: Final = (Space.CAUSAL, Space.CODE, Space.HYPERDIMENSIONAL, Space.MULTIMODAL, Space.ENTITY)
"""The spaces made from a memory's own content. E8 comes from links, by a refresh."""
BATCH: Final = 128
"""How many memories are written between two commits."""
NOTHING: Final = "nothing"
"""The source in the report of a filling."""
_NOBODY: Final = "nobody"
"""Id of an encoder that does not exist: every memory lacks an embedding by it, so all are found, by position."""

Progress = Callable[[str, int, int], None]
"""Called with what is embedded, the memories that this run has done, and how many there are."""
PicturesOf = Callable[[Memory], tuple[Picture, ...]]


@dataclass(frozen=True, slots=True)
class _Batch:
    """Parts and names of some memories, ready to be written; `after` and `last_id` say where the batch ends."""

    parts: Mapping[Space, Mapping[int, Part]]
    names: Mapping[int, tuple[str, ...]]
    after: int
    last_id: str
    looked_at: int


@dataclass(frozen=True, slots=True)
class Filling:
    """Fills one tenant's store. `pictures_of`: reads the pictures that a memory carries, for E10."""

    door: Door
    scope: Scope
    encoders: Encoders
    pictures_of: PicturesOf

    def unfilled(self) -> Unfilled | None:
        """What is lacking; None if nothing. Loads no encoder."""
        mark = self.door.asking(self.scope).mark(UNFILLED_MARK)
        left = 0 if mark is None else int(mark["left"])
        return Unfilled(left, self._spaces()) if left > 0 else None

    def estimate(self) -> list[ReembedEstimate]:
        """What filling would take; embedding is local, so it costs nothing."""
        if (found := self.unfilled()) is None:
            return []
        static = str(STATIC_SPEC)
        return [ReembedEstimate(space, NOTHING, static, found.memories, 0, 0.0) for space in found.spaces]

    def run(self, progress: Progress | None = None) -> list[ReembedReport]:
        """Fill until nothing is lacking; a report for each space that was written."""
        mark = self.door.asking(self.scope).mark(UNFILLED_MARK)
        if mark is None:
            return []
        began, placed = time.perf_counter(), Counter[Space]()
        encoders: dict[Space, PartEncoder] = {
            space: self.encoders.static_parts[space] for space in self._spaces() if space is not Space.ENTITY
        }
        after, left = self._begun(mark), int(mark["left"])
        resumed, total, done = after > 0, left, 0
        while batch := self._made(encoders, after, int(mark["upto"])):
            after, left, done = batch.after, max(0, left - batch.looked_at), done + batch.looked_at
            state = {"upto": mark["upto"], "left": max(left, 1), "after": after, "id": batch.last_id}
            self._write(batch, state)
            placed.update({space: len(each) for space, each in batch.parts.items()})
            placed[Space.ENTITY] += len(batch.names)
            if progress is not None:
                progress("what older memories lack", done, max(total, done))
        self.door.write(self.scope, lambda writing: writing.save_mark(UNFILLED_MARK, None))
        seconds = time.perf_counter() - began
        ids = {space: encoder.id for space, encoder in encoders.items()}
        return [
            ReembedReport(space, NOTHING, ids.get(space, NAMES_ALONE), count, 0, resumed, seconds)
            for space, count in placed.items()
            if count
        ]

    def _spaces(self) -> tuple[Space, ...]:
        """The spaces that may lack something; a space whose encoder was chosen was complete at that time."""
        chosen = self.door.asking(self.scope).encoders()
        return tuple(space for space in FILLED if space not in chosen)

    def _begun(self, mark: Mapping[str, Any]) -> int:
        """Where to continue: from the start if positions have changed, as after a move."""
        after = int(mark.get("after", 0))
        held = self.door.asking(self.scope).fetch_at(np.array([after], np.int64)) if after else {}
        is_there = after in held and held[after].id == mark.get("id")
        return after if is_there else 0

    def _made(self, encoders: Mapping[Space, PartEncoder], after: int, upto: int) -> _Batch | None:
        """The next memories, embedded outside any transaction; None at the end."""
        found = self.door.tending(self.scope).unencoded(Space.HYPERDIMENSIONAL, _NOBODY, BATCH, after)
        rows = [(position, memory) for position, memory in found if position <= upto]
        if not rows:
            return None
        positions = np.array([position for position, _ in rows], np.int64)
        known = self.door.asking(self.scope).signals(positions).embeddings
        items = {
            position: replace(item_of(memory, self.pictures_of(memory)), embedding=known[position])
            for position, memory in rows
            if position in known
        }
        names = {
            position: said
            for position, item in items.items()
            if not known[position].entities and (said := self.encoders.names_of(item))
        }
        parts = {space: _parts(space, encoder, items, known) for space, encoder in encoders.items()}
        return _Batch(parts, names, rows[-1][0], rows[-1][1].id, len(rows))

    def _write(self, batch: _Batch, state: Mapping[str, Any]) -> None:
        def work(writing: Transaction) -> None:
            for space, each in batch.parts.items():
                if each:
                    its_encoder = next(iter(each.values())).encoder
                    places = np.array(list(each), np.int64)
                    writing.place_parts(places, space, its_encoder, list(each.values()))
            if batch.names:
                writing.place_mentions(np.array(list(batch.names), np.int64), list(batch.names.values()))
            writing.save_mark(UNFILLED_MARK, state)

        self.door.write(self.scope, work)


def _parts(
    space: Space, encoder: PartEncoder, items: Mapping[int, Item], known: Mapping[int, Embedding]
) -> dict[int, Part]:
    """Parts by position, for items that have none in the space and do not abstain."""
    lacking = [position for position in items if space not in known[position].parts]
    made: Sequence[Any] = encoder.encode([items[position] for position in lacking])
    return {
        position: Part(space, encoder.id, values)
        for position, values in zip(lacking, made, strict=True)
        if values is not None
    }
