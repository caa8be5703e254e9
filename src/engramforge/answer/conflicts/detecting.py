"""Looks for conflicts among neighbours in meaning, and keeps what it finds (spec chapter 6).

    door.meanings -> neighbours, in cells of pivots -> calibrated \
                                                                  -> claims -> rules, judge -> CONTRADICTS links
    statements -> cells of what they are about ------------------ /

A detection goes on from the last one, with what was written since. A memory is compared with its nearest few, so that
pairs grow with the memories, and what finds them with n^1.5 at most (core/lenses/entangling).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.answer.conflicts.conflict_links import (
    SIGNALS,
    conflict_link,
    conflict_of,
    is_as_said,
    is_detected,
    is_open,
    is_replacement,
    side_of,
    unsaved,
)
from engramforge.answer.conflicts.judging_by_model import (
    Candidate,
    JudgingByModel,
    candidate_of,
    given_of,
    unjudged_among,
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
from engramforge.answer.conflicts.pairs import Pair, comparable, pairs_by_name
from engramforge.core.conflicts.matters.pairing import pairs_of_one_matter
from engramforge.core.conflicts.signals import Signal, is_plain
from engramforge.core.lenses.entangling import neighbours_across
from engramforge.core.oracle.reasoning import Given
from engramforge.core.similarity.calibration import Direction
from engramforge.core.text.words import words_of
from engramforge.indexing.calibrations import Calibrations
from engramforge.indexing.encoders import Encoders
from engramforge.model.embeddings.encoder_spec import Meanings
from engramforge.model.language_models.private import is_private
from engramforge.model.lenses.conflict import Conflict, ConflictReport, ConflictSide
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Kind, Memory
from engramforge.model.scope import Scope
from engramforge.model.search.candidates import Probe
from engramforge.model.search.selection import Selection
from engramforge.model.spaces import Space
from engramforge.model.storing.effect import Effect, Step
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


@dataclass(frozen=True, slots=True)
class ConflictDetection:
    """Detects conflicts. `encoder`: of texts that are checked. `opposing`: judges pairs; `reading`: reads what it finds
    once more, None for nobody.
    """

    door: Door
    encoder: Encoders
    calibrations: Calibrations
    opposing: Opposing
    clock: Callable[[], datetime]
    reading: JudgingByModel | None = None

    def is_due(self, scope: Scope) -> bool:
        """Whether some were written since the last detection, and a tenth of what there was then."""
        kept = self.door.asking(scope).mark(_key(scope))
        if kept is None:
            return False  # nobody asked for one yet
        before = int(kept.get("memories", 0))
        return self.door.tending(scope).count().memories - before >= max(_DUE_FEW, _DUE_SHARE * before)

    def begin_again(self, scope: Scope) -> None:
        """Have the next detection compare everything: what one had found was taken back."""
        if (kept := self.door.asking(scope).mark(_key(scope))) is not None:
            self.door.write(scope, lambda writes: writes.save_mark(_key(scope), {**kept, "last_position": 0}))

    def detect(
        self, scope: Scope, anew: bool = False, most: int | None = None, step: Step = Step.CHANGE
    ) -> ConflictReport:
        """Compare what was written since the last detection, or everything: `anew`, and where projects are named.

        `most`: compare so many at most, the oldest first, and leave the rest to the next detection. `step`: whether
        somebody asked for it.
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
            ids |= {end for link in standing for end in _ends_of(link)}
            memories = view.fetch(sorted(ids))
            links = [*standing, *view.links(sorted(ids - changed), to_others=True)] if ids else standing
        pairs = comparable([*named, *pairs_by_name(memories, changed)], memories, links)
        there = {frozenset(_ends_of(x)): x for x in links if x.relation == Relation.CONTRADICTS}
        opposed, rejected = self._read(self._opposed(pairs), there)
        if self.reading is not None:  # which takes its time
            memories = self.door.asking(scope).fetch(sorted(ids))
            opposed = [each for each in opposed if _is_as_read(each[0], memories)]
        at = self.clock()
        fresh_links = [
            (conflict_link(*pair, found_, at), found_.unjudged)
            for pair, found_ in opposed
            if not _is_known(there.get(_ends(pair)), pair, found_)
        ]
        settled = self._settled(there.values(), memories, changed, rejected)
        outdated = [link for x, _ in fresh_links if (link := there.get(frozenset(_ends_of(x))))]
        mark = None if scope.projects is not None else (key, self._mark(scope, kept, found, later))
        fresh_ones = [link for link, _ in fresh_links]
        closed = [*settled, *(x for x in outdated if x not in settled)]
        self._write(scope, fresh_ones, closed, at, mark, Effect(step=step))
        told = list(_told(fresh_links, memories))
        return ConflictReport(
            at=at,
            compared=len(changed),
            left=len(later),
            pairs=len(pairs),
            found=tuple(sorted(told, key=lambda x: (-x.score, x.id))),
            settled=sum(map(is_open, settled)),
            replaced=sum(map(is_replacement, fresh_ones)),
            degraded=unjudged_among(told),
        )

    def _mark(
        self, scope: Scope, kept: Mapping[str, Any] | None, found: Meanings, later: NDArray[np.int64]
    ) -> dict[str, int]:
        """How far a detection came, and how many memories there were once one came to the end."""
        compared = found.positions[: later[0]] if len(later) else found.positions
        count = (kept or {}).get("memories", 0) if len(later) else self.door.tending(scope).count().memories
        return {"last_position": int(compared[-1]) if len(compared) else 0, "memories": int(count)}

    def check(self, scope: Scope, claim: Claim, project: str) -> tuple[Conflict, ...]:
        """What in scope a text would contradict, what rejects or forbids it first, then the surest; nothing is kept.

        `project`: of the text."""
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
        seen = [
            (memory, found) for (memory, _), found in zip(others, opposed, strict=True) if found is not None
        ]
        if self.reading is not None:
            told_ = Given(claim.text, at, claim.tier, project)
            upheld = self.reading.of(
                [Candidate(found, told_, given_of(memory), is_private(memory)) for memory, found in seen]
            )
            seen = [
                (memory, found) for (memory, _), found in zip(seen, upheld, strict=True) if found is not None
            ]
        told = [unsaved(mine, side_of(memory), found, at) for memory, found in seen]
        return tuple(sorted(told, key=lambda each: (not is_plain(each.signal), -each.score, each.older.id)))

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
        # Each is a neighbour of several.
        claims = {
            each.id: claim_of(each) for each in {each.id: each for pair in pairs for each in pair}.values()
        }
        kept = [
            (pair, (mine, theirs))
            for pair in pairs
            if (mine := claims[pair[0].id]) is not None
            and (theirs := claims[pair[1].id]) is not None
            and may_oppose(mine, theirs)
        ]
        found = self.opposing.of([each for _, each in kept])
        return [(pair, each) for (pair, _), each in zip(kept, found, strict=True) if each is not None]

    def _read(
        self, opposed: Sequence[tuple[Pair, Opposition]], there: Mapping[frozenset[str], Link]
    ) -> tuple[Sequence[tuple[Pair, Opposition]], set[frozenset[str]]]:
        """What a language model, where there is one, leaves of what the rules find, and the pairs that it rejects.

        Not asked about what somebody dismissed or stated, nor again about what a judge confirmed.
        """
        if self.reading is None:
            return opposed, set()
        asked = [each for each in opposed if _is_asked(there.get(_ends(each[0])), *each)]
        upheld = self.reading.of([candidate_of(*each) for each in asked])
        by_ends = {_ends(pair): found for (pair, _), found in zip(asked, upheld, strict=True)}
        read = [(pair, by_ends.get(_ends(pair), found)) for pair, found in opposed]
        rejected = {_ends(pair) for pair, found in read if found is None}
        return [(pair, found) for pair, found in read if found is not None], rejected

    def _settled(
        self,
        links: Iterable[Link],
        memories: Mapping[str, Memory],
        changed: set[str],
        rejected: Collection[frozenset[str]],
    ) -> list[Link]:
        """Open links that a detection made whose statements, of which one changed, contradict each other no more.

        `rejected`: pairs that the rules alone still take for a contradiction.
        """
        stale = [
            (link, (memories[link.source_id], memories[link.target_id]))
            for link in links
            if (is_open(link) or is_replacement(link))
            and is_detected(link)
            and {link.source_id, link.target_id} & changed
            and {link.source_id, link.target_id} <= memories.keys()
        ]
        opposed = {
            _ends(pair): _is_settled(found)
            for pair, found in self._opposed([pair for _, pair in stale])
            if _ends(pair) not in rejected
        }
        return [link for link, pair in stale if opposed.get(_ends(pair)) is not is_replacement(link)]

    def _write(
        self,
        scope: Scope,
        links: Sequence[Link],
        settled: Sequence[Link],
        at: datetime,
        mark: tuple[str, Mapping[str, Any]] | None,
        effect: Effect,
    ) -> None:
        def work(writes: Transaction) -> None:
            if mark is not None:
                writes.save_mark(*mark)
            # What was forgotten while it was compared, with its links, keeps nothing of the others back.
            there = writes.fetch({end for each in (*links, *settled) for end in _ends_of(each)})
            kept, closed = (
                [each for each in some if all(end in there for end in _ends_of(each))]
                for some in (links, settled)
            )
            for link in closed:
                writes.expire_link(link.id, at, InvalidationReason.REALITY_CHANGED)
                writes.audit("settle", link.id, f"from {link.source_id} to {link.target_id}", at, effect)
            writes.link(kept)
            for link in kept:
                writes.audit("conflict", link.id, f"from {link.source_id} to {link.target_id}", at, effect)

        self.door.write(scope, work)


def _told(links: Iterable[tuple[Link, str]], memories: Mapping[str, Memory]) -> Iterator[Conflict]:
    """The conflicts of new links, each with why no model judged it; a replacement is none."""
    for link, unjudged in links:
        if not is_replacement(link) and (conflict := conflict_of(link, memories)) is not None:
            yield replace(conflict, degraded=unjudged)


def _ends_of(link: Link) -> tuple[str, str]:
    return link.source_id, link.target_id


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


def _is_as_read(pair: Pair, memories: Mapping[str, Memory]) -> bool:
    """Whether two statements were neither changed nor forgotten since they were read."""
    return all((now := memories.get(each.logical_id)) is not None and now.id == each.id for each in pair)


def _is_asked(link: Link | None, pair: Pair, found: Opposition) -> bool:
    """Whether a language model is to read a pair that may have a link; never one that declares how it stands."""
    if _is_settled(found):
        return False
    if link is None or not _is_known(link, pair, found):
        return True
    is_judged = Signal.JUDGE in link.extra.get(SIGNALS, ()) and is_as_said(link, pair)
    return is_open(link) and is_detected(link) and not is_judged
