"""What an answer cites: hits, and memories that the question did not find and that belong beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from engramforge.core.text.portions import excerpt_within
from engramforge.model.memory import Kind, Memory
from engramforge.model.oracle import Citation
from engramforge.model.registries.entry import STANDING
from engramforge.model.search.hit import AttentionParts, Hit
from engramforge.model.search.selection import Selection
from engramforge.model.time import TemporalMode
from engramforge.registries.decisions.decision_view import decision_text
from engramforge.store.door import View

SAID: Final = 300
"""Characters of a statement."""
_NO_PARTS: Final = AttentionParts(0.0, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Cited:
    """A hit that an answer rests on. `because`: why, where the question's words did not find it."""

    hit: Hit
    because: str = ""

    def said(self) -> Cited:
        """The same with what it says to the question, and what became of it, as its excerpt."""
        hit = self.hit
        line = " ".join((hit.gist or hit.excerpt).split())
        said = excerpt_within(line, SAID, least=1) or ""
        told = f"{said} (but now: {hit.but_now})" if hit.but_now else said
        return replace(self, hit=replace(hit, excerpt=told))


def beside(memory: Memory, because: str) -> Cited:
    """A memory that no question found, as it is cited."""
    hit = Hit(memory, 0.0, _NO_PARTS, {}, (), (), True, 0.0, memory.content)
    return Cited(hit, because)


def citation(hit: Hit, store: str, because: str = "") -> Citation:
    """What a statement that rests on this hit names. `store`: primary or fallback."""
    memory = hit.memory
    entry = memory.registration
    return Citation(
        id=entry.entry_id if entry else memory.logical_id,
        version_id=memory.id,
        kind=memory.kind,
        project=memory.project,
        at=memory.valid_at,
        epistemic_tier=memory.epistemic_tier,
        where=hit.where,
        store=store,
        because=because,
        speaker=memory.speaker,
    )


def statement_of(memory: Memory) -> str:
    """What a decision says, without its reasons; of any other memory all of it."""
    return decision_text(memory) if memory.kind is Kind.DECISION else memory.content


def standing_versions(view: View, logical_ids: Sequence[str], selection: Selection) -> dict[str, Memory]:
    """Of each logical id the version that stands at a selection's times; empty where all versions are asked for."""
    if selection.mode not in (TemporalMode.CURRENT, TemporalMode.POINT_IN_TIME):
        return {}
    found = {each: _standing(view.versions(each), selection) for each in logical_ids}
    return {each: memory for each, memory in found.items() if memory is not None}


def _standing(versions: Sequence[Memory], selection: Selection) -> Memory | None:
    return next((each for each in reversed(versions) if stands_at(each, selection)), None)


def stands_at(version: Memory, selection: Selection) -> bool:
    """Whether a version was known, held and stood at a selection's point in time."""
    as_of = selection.as_of
    if as_of is None or as_of.valid is None or as_of.recorded is None:
        return False
    is_known = version.created_at <= as_of.recorded and (
        version.expired_at is None or version.expired_at > as_of.recorded
    )
    holds = version.valid_at <= as_of.valid and (
        version.invalid_at is None or version.invalid_at > as_of.valid
    )
    return is_known and holds and (version.registration is None or version.registration.status in STANDING)
