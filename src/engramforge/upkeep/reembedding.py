"""Moving a store's space from one encoder to another while it is in use: online, resumable, never mixed.

    look for what lacks an embedding by the new encoder -> embed -> place it beside the old -> again, until nothing
    lacks it -> let questions compare by the new one (one transaction, which checks that) -> drop the old

Until the change, questions and writes use the old encoder; from then on the store refuses both, and the refused caller
embeds again. A killed run continues with what lacks an embedding; a mark names its encoder and what is left to drop.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engramforge.errors import Conflict, StoreLocked
from engramforge.indexing.encode import item_of
from engramforge.model.embeddings.encoder_spec import PROVIDERS, STATIC_SPEC, ActiveEncoder, EncoderSpec
from engramforge.model.embeddings.part import Part
from engramforge.model.embeddings.reembedding import (
    Choice,
    EncoderStatus,
    ReembedEstimate,
    ReembedReport,
    Spending,
)
from engramforge.model.memory import Memory
from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.spaces.encoder import Item
from engramforge.store.door import Door, Transaction
from engramforge.upkeep.backfilling import Filling, PicturesOf, Progress

if TYPE_CHECKING:
    from engramforge.indexing.encoders import Encoders
    from engramforge.spaces.model_workshop import ModelWorkshop

BATCH: Final = 64
"""Memories between two commits: what a kill loses, and the size of a provider's call."""
_READ: Final = 1_000
_BYTES_PER_TOKEN: Final = 4
_OPEN_ATTEMPTS: Final = 4
"""How often the change is tried while writers are kept out only for its check."""
_MOST_ATTEMPTS: Final = 100
"""How often writes may come between the last look and the change before we report it."""

_Rows = list[tuple[int, Memory]]


@dataclass(frozen=True, slots=True)
class Reembedding:
    """Moves the spaces of one tenant's store. `pictures_of`: reads the pictures that a memory carries, for E10."""

    door: Door
    scope: Scope
    encoders: Encoders
    workshop: ModelWorkshop
    pictures_of: PicturesOf

    @property
    def filling(self) -> Filling:
        """Adds to older memories what they lack."""
        return Filling(self.door, self.scope, self.encoders, self.pictures_of)

    def status(self, wanted: Mapping[Space, Choice]) -> list[EncoderStatus]:
        """What the settings name and what the store holds, for every space with a choice. Loads nothing."""
        active = self.door.asking(self.scope).encoders()
        found = []
        for space, choice in wanted.items():
            held = active.get(space)
            spec, its_id = (str(STATIC_SPEC), None) if held is None else (held.spec, held.id)
            unfinished = self.door.asking(self.scope).mark(mark_key(space)) is not None
            found.append(EncoderStatus(space, str(choice.spec), choice.setting, spec, its_id, unfinished))
        return found

    def adopt(self, wanted: Mapping[Space, Choice]) -> None:
        """Let an empty store begin with the encoders that the settings name; other stores are left alone.

        Loads the models that are wanted. Raises ModelUnavailable.
        """
        chosen = {space: choice.spec for space, choice in wanted.items() if not choice.spec.is_static}
        if not chosen or self.door.asking(self.scope).encoders():
            return
        if self.door.tending(self.scope).count().versions:
            return
        targets = {space: self.workshop.look_up(space, spec) for space, spec in chosen.items()}

        def activate(transaction: Transaction) -> None:
            for space, target in targets.items():
                transaction.activate(space, target)

        try:
            self.door.write(self.scope, activate)
        except Conflict:
            # Somebody wrote in between, so the store is no longer empty and keeps what it has.
            return

    def estimate(self, space: Space, spec: EncoderSpec) -> ReembedEstimate | None:
        """What a reembed would take; None if the store has the embeddings already and nothing is left over.

        Reads every memory that lacks an embedding; loads no model and asks no endpoint.
        """
        held = self.door.asking(self.scope).encoders().get(space)
        source = str(STATIC_SPEC) if held is None else held.spec
        begun = self.door.asking(self.scope).mark(mark_key(space))
        if source == str(spec) and begun is None:
            return None
        target = self._held_target(space, spec, held, begun)
        memories = size = 0
        # The store's current embeddings are complete, so only an unfinished run's are to be dropped.
        is_held = held is None and spec.is_static
        for rows in () if is_held else self.lacking(space, target, _READ):
            memories += len(rows)
            size += sum(min(len(item_of(each).text.encode("utf-8", "replace")), 8_000) for _, each in rows)
        tokens = -(-size // _BYTES_PER_TOKEN) if spec.kind in PROVIDERS else 0
        money = tokens * self.workshop.price(spec) / 1_000_000
        return ReembedEstimate(space, source, str(spec), memories, tokens, money)

    def run(self, space: Space, spec: EncoderSpec, progress: Progress | None = None) -> ReembedReport | None:
        """Move a space to an encoder; None if the store has the embeddings already and nothing is left over.

        Raises ModelUnavailable, SpendingCapReached: the encoder cannot be made or does not answer; finished embeddings
        stay, questions compare as before, and the next run continues. Raises StoreLocked: others keep writing between
        the last look and the change.
        """
        return _Run(self, space, spec, progress).run()

    def lacking(self, space: Space, encoder: str, at_once: int) -> Iterator[list[tuple[int, Memory]]]:
        """Positions and memories that lack an embedding, in portions; a single pass while others write."""
        after = 0
        while rows := self.door.tending(self.scope).unencoded(space, encoder, at_once, after):
            yield rows
            if len(rows) < at_once:
                return
            after = rows[-1][0]

    def _held_target(
        self, space: Space, spec: EncoderSpec, held: ActiveEncoder | None, begun: Mapping[str, Any] | None
    ) -> str:
        """The target's id without loading it: from the store or an unfinished run, else one that does not exist."""
        if begun is not None and begun["spec"] == str(spec):
            return str(begun["id"])
        if spec.is_static:
            return self.static_target(space).id
        return held.id if held is not None and held.spec == str(spec) else f"{space}-1/{spec}/unknown"

    def static_target(self, space: Space) -> ActiveEncoder:
        """What the store would hold of the static encoder."""
        if space is Space.SEMANTIC:
            from engramforge.spaces.semantic import FULL

            return ActiveEncoder(str(STATIC_SPEC), self.encoders.id, FULL)
        part = self.encoders.static_parts.get(space)
        if part is None:
            # E12 and E13 of the static preset are computed from the words, so nothing is stored.
            return ActiveEncoder(str(STATIC_SPEC), f"{space}-1/{STATIC_SPEC}", 1)
        return ActiveEncoder(str(STATIC_SPEC), part.id, max(1, part.shape[1]))


class _Run:
    """One run of a reembed of one space."""

    def __init__(
        self, whole: Reembedding, space: Space, spec: EncoderSpec, progress: Progress | None
    ) -> None:
        self._whole, self._space, self._progress = whole, space, progress
        self._door, self._scope = whole.door, whole.scope
        self._spent_before = whole.workshop.spending
        self._target = whole.static_target(space) if spec.is_static else whole.workshop.look_up(space, spec)
        self._key = mark_key(space)
        self._embedded = self._to_embed = self._dropped = 0
        self._began = time.perf_counter()

    def run(self) -> ReembedReport | None:
        """See `Reembedding.run`."""
        begun, held = self._door.asking(self._scope).mark(self._key), self._held()
        if held.id == self._target.id and begun is None:
            if held.spec == self._target.spec:
                return None
            # The same model at another place: its vectors stay, and the store records the new place.
            self._door.write(self._scope, lambda writing: writing.activate(self._space, self._target))
            return self._report(held.id, False)
        left = self._left_over(begun)
        if held.id != self._target.id:
            self._save({"spec": self._target.spec, "id": self._target.id, "drop": left})
            left = self._embed_everything([*left, held.id])
        for encoder_id in left:
            self._dropped += self._drop(encoder_id)
        self._save(None)
        resumed = begun is not None and begun["id"] == self._target.id
        return self._report(held.id, resumed)

    def _held(self) -> ActiveEncoder:
        """What the store compares by now."""
        return self._door.asking(self._scope).encoders().get(self._space) or self._whole.static_target(
            self._space
        )

    def _drop(self, encoder_id: str) -> int:
        return self._door.write(self._scope, lambda writing: writing.drop_encoder(self._space, encoder_id))

    def _left_over(self, begun: Mapping[str, Any] | None) -> list[str]:
        """Encoders whose embeddings an earlier run left behind."""
        if begun is None:
            return []
        return [each for each in {begun["id"], *begun["drop"]} if each != self._target.id]

    def _embed_everything(self, left: Sequence[str]) -> list[str]:
        """Embed what is lacking, repeatedly while others write, until the change is made; returns what is then left to
        drop."""
        self._to_embed = sum(map(len, self._lacking(_READ)))
        self._tell()
        for attempt in range(1, _MOST_ATTEMPTS + 1):
            for rows in self._lacking(BATCH):
                self._embed(rows)
            try:
                return self._door.write(self._scope, partial(self._change, left, attempt >= _OPEN_ATTEMPTS))
            except Conflict:
                continue
        raise StoreLocked(
            f"Others write to {self._space} faster than it can be changed",
            "Run engramforge reembed again when there is less to do: it goes on here",
        )

    def _change(self, left: Sequence[str], alone: bool, writing: Transaction) -> list[str]:
        """Make the change, and note what is left to drop.

        `alone`: others have always written between the last look and the change, so the few memories still lacking an
        embedding are embedded while nobody else can write: `activate` keeps writers out from its check on.
        """
        try:
            writing.activate(self._space, self._target)
        except Conflict:
            rows = (
                self._door.tending(self._scope).unencoded(self._space, self._target.id, BATCH + 1)
                if alone
                else []
            )
            if not 0 < len(rows) <= BATCH:
                raise
            self._place(writing, rows, self._made(rows))
            writing.activate(self._space, self._target)
            self._embedded += len(rows)
        # Another run may have intervened: what it activated or left behind is read from the store as it was before this
        # change, by a read outside the transaction, and nobody else can change it any more.
        theirs = self._left_over(self._door.asking(self._scope).mark(self._key))
        drop = sorted({*left, *theirs, self._held().id} - {self._target.id})
        writing.save_mark(self._key, {"spec": self._target.spec, "id": self._target.id, "drop": drop})
        return drop

    def _lacking(self, at_once: int) -> Iterator[_Rows]:
        return self._whole.lacking(self._space, self._target.id, at_once)

    def _embed(self, rows: _Rows) -> None:
        """Embed outside any transaction, then write."""
        made = self._made(rows)
        self._door.write(self._scope, lambda writing: self._place(writing, rows, made))
        self._embedded += len(rows)
        self._tell()

    def _made(self, rows: _Rows) -> Sequence[Any]:
        """E1's vectors, or parts, of memories; None where the encoder abstains."""
        # Only E10 looks at pictures: what else is embedded needs no image files, nor Pillow to read them.
        pictures_of = self._whole.pictures_of if self._space is Space.MULTIMODAL else lambda _memory: ()
        items = [item_of(memory, pictures_of(memory)) for _, memory in rows]
        if self._space is Space.SEMANTIC:
            return self._whole.encoders.vectors([item.text for item in items], self._target)
        return self._parts_of([position for position, _ in rows], items)

    def _place(self, writing: Transaction, rows: _Rows, made: Sequence[Any]) -> None:
        places = np.array([position for position, _ in rows], np.int64)
        if self._space is Space.SEMANTIC:
            writing.place_vectors(places, self._target.id, made)
        else:
            writing.place_parts(places, self._space, self._target.id, made)

    def _parts_of(self, positions: list[int], items: list[Item]) -> list[Part | None]:
        encoders = self._whole.encoders
        is_static = self._target.spec == str(STATIC_SPEC)
        if is_static and self._space not in encoders.static_parts:
            return [None] * len(items)
        encoder = encoders.part_encoders({self._space: self._target})[self._space]
        if is_static:
            # Static encoders may use the words that the store already has for an item.
            known = self._door.asking(self._scope).signals(np.array(positions, np.int64)).embeddings
            items = [
                replace(item, embedding=known.get(position))
                for item, position in zip(items, positions, strict=True)
            ]
        made = encoder.encode(items)
        return [None if each is None else Part(self._space, self._target.id, each) for each in made]

    def _save(self, value: Mapping[str, Any] | None) -> None:
        self._door.write(self._scope, lambda writing: writing.save_mark(self._key, value))

    def _tell(self) -> None:
        if self._progress is not None:
            self._progress(str(self._space), self._embedded, max(self._to_embed, self._embedded))

    def _report(self, source: str, resumed: bool) -> ReembedReport:
        before, now = self._spent_before, self._whole.workshop.spending
        return ReembedReport(
            self._space,
            source,
            self._target.id,
            self._embedded,
            self._dropped,
            resumed,
            time.perf_counter() - self._began,
            Spending(now.calls - before.calls, now.tokens - before.tokens, now.money - before.money),
        )


def mark_key(space: Space) -> str:
    """Key of the mark that an unfinished reembed leaves."""
    return f"reembed/{space}"
