"""Which memories are as an intention wants them: as predicates of the store's query, and of what a walk came to; and
which are what a name of the question calls."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from engramforge.core.checks.completeness import metadata_of, missing_required, unsound
from engramforge.core.emotions.emotion_names import normalised
from engramforge.core.entities.spellings import squeezed
from engramforge.core.text.words import words_of
from engramforge.model.memory import Kind, Memory
from engramforge.model.scope import Level
from engramforge.model.search.selection import Felt, Selection
from engramforge.model.streams.asked import RetrievalIntention

_BEGINNING: Final = 100
_NAME_WORDS: Final = 5


def wanted(intention: RetrievalIntention) -> Selection:
    """An intention's selection with what memories have to be like."""
    felt = Felt(
        energy=(intention.min_energy, None),
        min_confidence=intention.min_confidence,
        emotions=intention.required_emotions,
    )
    return intention.selection if felt == Felt() else replace(intention.selection, felt=felt)


def has_room(found: Mapping[Level, Sequence[object]], memory: Memory, intention: RetrievalIntention) -> bool:
    """Whether a memory is as an intention wants it and its level has room for one more."""
    held = found.get(memory.level)
    return held is not None and len(held) < intention.max_results_per_level and fits(memory, intention)


def fits(memory: Memory, intention: RetrievalIntention) -> bool:
    """Whether a memory is as an intention wants it."""
    if intention.min_energy is not None and memory.energy < intention.min_energy:
        return False
    if intention.min_confidence is not None and memory.confidence < intention.min_confidence:
        return False
    if not set(intention.required_emotions) <= normalised(memory.emotion_vector).keys():
        return False
    if not intention.only_fully_valid:
        return True
    present = metadata_of(memory)
    return not missing_required(present) and not unsound(present)


def called(memory: Memory) -> str:
    """What a memory is called, squeezed; "" where it has no name."""
    name = memory.name or (memory.content if memory.kind is Kind.ENTITY else "")
    return squeezed(name) if name else ""


def tells_of(memory: Memory, keys: Collection[str]) -> bool:
    """Whether a memory is of something itself by its squeezed names: it is called so, or begins with it."""
    if called(memory) in keys:
        return True
    begin = [each.removesuffix("'s") for each in words_of(memory.content[:_BEGINNING])]
    begin = begin[1:] if begin[:1] == ["the"] else begin
    return any(squeezed(" ".join(begin[:count])) in keys for count in range(1, _NAME_WORDS + 1))


def called_by(names: Sequence[str], memories: Iterable[Memory]) -> set[str]:
    """The logical ids of those memories that have one of some names themselves."""
    keys = {key for name in names if (key := squeezed(name))}
    return {each.logical_id for each in memories if called(each) in keys} if keys else set()
