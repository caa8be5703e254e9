"""Looks for conflicts among neighbours in meaning, and keeps what it finds (spec chapter 6).

    door.meanings -> neighbours, in cells of pivots -> calibrated \
                                                                  -> claims -> rules, judge -> CONTRADICTS links
    statements -> cells of what they are about ------------------ /

A detection goes on from the last one, with what was written since. A memory is compared with its nearest few, so that
pairs grow with the memories, and what finds them with n^1.5 at most (core/lenses/entangling).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.answer.conflicts.conflict_links import (
    conflict_link,
    conflict_of,
    is_as_said,
    is_detected,
    is_open,
    is_replacement,
    side_of,
    unsaved,
)
from engramforge.answer.conflicts.opposing import (
    KINDS,
    Claim,
    Opposing,
    Opposition,
    about,
    claim_of,
    may_oppose,
)
from engramforge.core.conflicts.matters.pairing import pairs_of_one_matter
from engramforge.core.conflicts.replacement import names_in
from engramforge.core.conflicts.signals import Signal
from engramforge.core.lenses.entangling import neighbours_across
from engramforge.core.ranking.designations import Designation
from engramforge.core.similarity.calibration import Direction
from engramforge.core.text.words import words_of
from engramforge.indexing.calibrations import Calibrations
from engramforge.indexing.encoders import Encoders
from engramforge.model.embeddings.encoder_spec import Meanings
from engramforge.model.lenses.conflict import Conflict, ConflictReport, ConflictSide
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Kind, Memory
from engramforge.model.scope import Scope
from engramforge.model.search.candidates import Probe
from engramforge.model.search.selection import Selection
from engramforge.model.spaces import Space
from engramforge.model.time import AsOf, InvalidationReason
from engramforge.spaces.encoder import Item
from engramforge.spaces.presets import static_preset
from engramforge.store.door import Door, Transaction, View

NEIGHBOURS: Final = 6
"""How many of the nearest a memory is compared with."""
NEAR: Final = 0.35
"""Calibrated similarity from which two statements may be about the same thing."""
_LEAST_COSINE: Final = 0.3
_CHECKED: Final = 24
_READ_AT_ONCE: Final = 2_000
_MARK: Final = "conflicts:detected"
_SEED: Final = 11
_DUE_SHARE: Final = 0.1
_DUE_FEW: Final = 50
Pair = tuple[Memory, Memory]


@dataclass(frozen=True, slots=True)
class ConflictDetection:
    """Detects conflicts. `encoder`: of texts that are checked. `opposing`: judges pairs."""

    door: Door
    encoder: Encoders
    calibrations: Calibrations
    opposing: Opposing
    clock: Callable[[], datetime]

    def is_due(self, scope: Scope) -> bool:
        """Whether some were written since the last detection, and a tenth of what there was then."""
        kept = self.door.asking(scope).mark(_key(scope))
        if kept is None:
            return False  # nobody asked for one yet
        before = int(kept.get("memories", 0))
        return self.door.tending(scope).count().memories - before >= max(_DUE_FEW, _DUE_SHARE * before)

    def detect(self, scope: Scope, anew: bool = False, most: int | None = None) -> ConflictReport:
        """Compare what was written since the last detection, or everything: `anew`, and where projects are named.

        `most`: compare so many at most, the oldest first, and leave the rest to the next detection.
        """
        key = _key(scope)
        with self.door.asking(scope) as view:
            kept = None if anew or scope.projects is not None else view.mark(key)
            found = view.meanings(KINDS)
            fresh = found.positions > (0 if kept is None else kept["last_position"])
            later = np.flatnonzero(fresh)[len(fresh) if most is None else most :]
            fresh[later] = False
            named = self._neighbours(scope, found, fresh)
            changed = {
                each for each, is_fresh in zip(found.logical_ids, fresh.tolist(), strict=True) if is_fresh
            }
            named += self._of_one_matter(view, found.logical_ids, changed)
            standing = view.links(sorted(changed), to_others=True) if changed else []
            ids = {each for pair in named for each in pair}
            ids |= {end for link in standing for end in (link.source_id, link.target_id)}
            memories = view.fetch(sorted(ids))
            links = [*standing, *view.links(sorted(ids - changed), to_others=True)] if ids else standing
        at = self.clock()
        pairs = _comparable([*named, *_by_name(memories, changed)], memories, links)
        opposed = self._opposed(pairs)
        there = {
            frozenset((x.source_id, x.target_id)): x for x in links if x.relation == Relation.CONTRADICTS
        }
        fresh_links = [
            conflict_link(*pair, found_, at)
            for pair, found_ in opposed
            if not _is_known(there.get(_ends(pair)), pair, found_)
        ]
        settled = self._settled(there.values(), memories, changed)
        outdated = [link for x in fresh_links if (link := there.get(frozenset((x.source_id, x.target_id))))]
        mark = None if scope.projects is not None else (key, self._mark(scope, kept, found, later))
        self._write(scope, fresh_links, settled, [x for x in outdated if x not in settled], at, mark)
        told = [conflict_of(link, memories) for link in fresh_links if not is_replacement(link)]
        return ConflictReport(
            at=at,
            compared=len(changed),
            pairs=len(pairs),
            found=tuple(sorted((x for x in told if x is not None), key=lambda x: (-x.score, x.id))),
            settled=sum(map(is_open, settled)),
            replaced=sum(map(is_replacement, fresh_links)),
        )

    def _mark(
        self, scope: Scope, kept: Mapping[str, Any] | None, found: Meanings, later: NDArray[np.int64]
    ) -> dict[str, int]:
        """How far a detection came, and how many memories there were once one came to the end."""
        compared = found.positions[: later[0]] if len(later) else found.positions
        count = (kept or {}).get("memories", 0) if len(later) else self.door.tending(scope).count().memories
        return {"last_position": int(compared[-1]) if len(compared) else 0, "memories": int(count)}

    def check(self, scope: Scope, claim: Claim, project: str) -> tuple[Conflict, ...]:
        """What in scope a text would contradict, the surest first; nothing is kept. `project`: of the text."""
        at = self.clock()
        with self.door.asking(scope) as view:
            (embedding,) = self.encoder.encode([Item(claim.text)], active=view.encoders())
            if embedding.vector is None:
                return ()
            probe = Probe(
                *(embedding.vector.astype(np.float32), np.empty(0, np.uint32), np.empty(0, np.float32)),
                *(np.empty(0, np.int32), np.empty(0, np.float32)),
                most=_CHECKED,
                encoder=embedding.vector_encoder,
            )
            nearest = view.nearest(Selection(kinds=KINDS, as_of=AsOf(at, at)), probe)
            held = view.fetch_at(np.array(sorted(nearest), np.int64)) if nearest else {}
        places = [place for place in nearest if place in held]
        lengths = [min(len(words_of(x)) for x in (claim.text, held[place].content)) for place in places]
        cosines = np.array([nearest[place] for place in places])
        alike = self._calibrated(scope, embedding.vector_encoder, cosines, np.array(lengths, np.int64))
        near = [held[place] for place, value in zip(places, alike.tolist(), strict=True) if value >= NEAR]
        others = [(memory, its) for memory in near if (its := claim_of(memory)) is not None]
        mine = ConflictSide(
            id="", entry_id=None, kind=Kind.NOTE, project=project, text=claim.text, rationale="",
            epistemic_tier=claim.tier, at=at,
        )  # fmt: skip
        opposed = self.opposing.of([(claim, its) for _, its in others])
        told = [
            unsaved(mine, side_of(memory), found, at)
            for (memory, _), found in zip(others, opposed, strict=True)
            if found is not None
        ]
        return tuple(sorted(told, key=lambda each: (-each.score, each.older.id)))

    def _neighbours(self, scope: Scope, found: Meanings, fresh: NDArray[np.bool_]) -> list[tuple[str, str]]:
        """Pairs of logical ids of memories that may be about the same thing."""
        vectors = found.vectors.astype(np.float32)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        each, rng = np.arange(len(vectors)), np.random.default_rng(_SEED)
        pairs, cosines = neighbours_across(
            vectors, each, fresh, _LEAST_COSINE, rng, NEIGHBOURS, is_mutual=False
        )
        alike = self._calibrated(
            scope, found.encoder, cosines, found.lengths[pairs].min(axis=1, initial=1 << 30)
        )
        ids = found.logical_ids
        return [(ids[one], ids[other]) for one, other in pairs[alike >= NEAR].tolist()]

    def _of_one_matter(
        self, view: View, logical_ids: Sequence[str], changed: Collection[str]
    ) -> list[tuple[str, str]]:
        """Pairs that may exclude each other by what they are about, however many others are nearer."""
        said: dict[str, tuple[str, ...]] = {}
        for begin in range(0, len(logical_ids) if changed else 0, _READ_AT_ONCE):
            portion = view.fetch(logical_ids[begin : begin + _READ_AT_ONCE])
            said.update((name, about(x)) for name, memory in portion.items() if (x := claim_of(memory)))
        return sorted(pairs_of_one_matter(said, changed))

    def _calibrated(
        self, scope: Scope, encoder: str | None, cosines: NDArray[Any], lengths: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Calibrated similarities; 0 where nothing is known of what chance gives by the encoder."""
        by = encoder or static_preset()[Space.SEMANTIC].id
        calibration = self.calibrations.current(scope).find(Space.SEMANTIC, Direction.MEMORY_TO_MEMORY, by)
        if calibration is None or not len(cosines):
            return np.zeros(len(cosines))
        similarity: NDArray[np.float64] = calibration.apply(cosines, lengths).similarity
        return similarity

    def _opposed(self, pairs: Sequence[Pair]) -> list[tuple[Pair, Opposition]]:
        claims = [(claim_of(one), claim_of(other)) for one, other in pairs]
        kept = [
            (pair, (mine, theirs))
            for pair, (mine, theirs) in zip(pairs, claims, strict=True)
            if mine is not None and theirs is not None and may_oppose(mine, theirs)
        ]
        found = self.opposing.of([each for _, each in kept])
        return [(pair, each) for (pair, _), each in zip(kept, found, strict=True) if each is not None]

    def _settled(
        self, links: Iterable[Link], memories: Mapping[str, Memory], changed: set[str]
    ) -> list[Link]:
        """Open links that a detection made whose statements, of which one changed, contradict each other no more."""
        stale = [
            (link, (memories[link.source_id], memories[link.target_id]))
            for link in links
            if (is_open(link) or is_replacement(link))
            and is_detected(link)
            and {link.source_id, link.target_id} & changed
            and {link.source_id, link.target_id} <= memories.keys()
        ]
        opposed = {
            _ends(pair): _is_settled(found) for pair, found in self._opposed([pair for _, pair in stale])
        }
        return [link for link, pair in stale if opposed.get(_ends(pair)) is not is_replacement(link)]

    def _write(
        self,
        scope: Scope,
        links: Sequence[Link],
        settled: Sequence[Link],
        outdated: Sequence[Link],
        at: datetime,
        mark: tuple[str, Mapping[str, Any]] | None,
    ) -> None:
        def work(writes: Transaction) -> None:
            if mark is not None:
                writes.save_mark(*mark)
            for link in settled:
                writes.expire_link(link.id, at, InvalidationReason.REALITY_CHANGED)
                writes.audit("settle", link.id, f"from {link.source_id} to {link.target_id}", at)
            for link in outdated:
                writes.expire_link(link.id, at, InvalidationReason.REALITY_CHANGED)
            writes.link(links)
            for link in links:
                writes.audit("conflict", link.id, f"from {link.source_id} to {link.target_id}", at)

        self.door.write(scope, work)


def _by_name(memories: Mapping[str, Memory], changed: Collection[str]) -> list[tuple[str, str]]:
    """Pairs of which one says by name that it replaces the other; of those that were looked at."""
    claims = {name: claim for name, memory in memories.items() if (claim := claim_of(memory)) is not None}
    called: dict[Designation, list[str]] = {}
    for name, claim in claims.items():
        for designation in claim.called:
            called.setdefault(designation, []).append(name)
    return [
        (name, other)
        for name, claim in claims.items()
        if called and name in changed
        for designation in names_in(claim.told)
        for other in called.get(designation, ())
        if other != name
    ]


def _key(scope: Scope) -> str:
    return f"{_MARK}/{scope.agent}"


def _ends(pair: Pair) -> frozenset[str]:
    return frozenset(each.logical_id for each in pair)


def _is_known(link: Link | None, pair: Pair, found: Opposition) -> bool:
    """Whether a link tells of the conflict already; a dismissed one no longer does once a statement says another thing,
    nor an open one once one of the two is known to take the other's place."""
    if link is None:
        return False
    if is_open(link) or is_replacement(link):
        return is_replacement(link) is _is_settled(found)
    return is_as_said(link, pair)


def _is_settled(found: Opposition) -> bool:
    return found.first.signal is Signal.REPLACED


def _comparable(
    named: Iterable[tuple[str, str]], memories: Mapping[str, Memory], links: Sequence[Link]
) -> list[Pair]:
    """The pairs to be judged, the newer first: neither is read from the other, nor has an entry in its place."""
    read = {(x.source_id, x.target_id) for x in links if x.relation == Relation.DERIVED_FROM}
    of = {target for source, target in read if source in memories and memories[source].kind is Kind.DECISION}
    pairs = []
    for ends in {frozenset(each): each for each in named}.values():
        if not set(ends) <= memories.keys() or set(ends) & of or ends in read or ends[::-1] in read:
            continue
        one, other = (memories[end] for end in ends)
        newer, older = sorted((one, other), key=lambda each: (each.valid_at, each.id), reverse=True)
        pairs.append((newer, older))
    return pairs
