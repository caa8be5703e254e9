"""Why an intention found nothing, in one sentence that names the mend.

stop words alone -> nothing is there to be found -> nothing as the intention wants it -> not on record at that time ->
not known and held then -> unknown
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Final

from engramforge.core.text.words import is_stop_word, words_of
from engramforge.model.memory import Memory
from engramforge.model.scope import ALL_LEVELS, Scope
from engramforge.model.search.selection import Selection
from engramforge.model.streams.asked import RetrievalIntention
from engramforge.model.streams.ways import LEVEL_NUMBERS
from engramforge.model.time import TemporalMode
from engramforge.recall.intention.fitting import fits
from engramforge.store.door import View

_STOP_WORDS: Final = "The question has stop words alone, which say nothing: name what it is about"
_UNKNOWN: Final = "Nothing that is remembered bears on it: ask in other words"
_SINCE: Final = (
    "what is remembered holds from the day on which it was written, unless valid_at says otherwise: ask without the "
    "time, or of a later one"
)
_NONE_THEN: Final = f"Nothing that is remembered was known and held at that time; {_SINCE}"
_BY_VALID: Final = "--as-of-valid (as_of_valid) asks what held then"
_NOT_RECORDED: Final = f"Nothing was on record in that time: widen it, or leave it out; {_BY_VALID}"
_RECORDED_ELSEWHEN: Final = f"What bears on it was not on record in that time: {_BY_VALID}"
_NONE_OF_THEN: Final = f"Nothing that was known and held at that time bears on it; {_SINCE}"

Again = Callable[[RetrievalIntention], list[Memory]]
"""What another intention of the same words finds."""


def has_stop_words_alone(text: str) -> bool:
    """Whether a text says nothing by which anything could be found.

    >>> has_stop_words_alone("what is it?"), has_stop_words_alone("what is a pump?"), has_stop_words_alone("??")
    (True, False, False)
    """
    words = words_of(text)
    return bool(words) and all(map(is_stop_word, words))


def why_none(view: View, intention: RetrievalIntention, scope: Scope, again: Again, now: datetime) -> str:
    """The reason, once an intention found nothing and no way failed."""
    if has_stop_words_alone(intention.query_text):
        return _STOP_WORDS
    selection = intention.selection
    if empty := nothing_remembered(view, scope, selection):
        return empty
    anything_then = bool(view.browse(selection, limit=1))
    if not anything_then and selection.recorded_range:
        return _NOT_RECORDED
    anything = _unfiltered(intention)
    if anything_then and anything != intention and (found := again(anything)):
        return _unfit(intention, found)
    recorded_ever = _recorded_ever(selection, now)
    if recorded_ever != selection and again(replace(intention, selection=recorded_ever)):
        return _RECORDED_ELSEWHEN
    if selection.mode is TemporalMode.POINT_IN_TIME:
        return _NONE_OF_THEN if anything_then else _NONE_THEN
    return _UNKNOWN


def why_unanswered(
    intention: RetrievalIntention, answering: Callable[[RetrievalIntention], list[Memory]]
) -> str:
    """That something answers which the filters of an intention leave out, once nothing that passes them does; empty
    where nothing does. `answering`: what of another intention's memories answers."""
    anything = _unfiltered(intention)
    found = answering(anything) if anything != intention else []
    return _unfit(intention, found, "answers it", "answer it") if found else ""


def _recorded_ever(selection: Selection, now: datetime) -> Selection:
    """The same without its limit on when something was on record: at a point what held then, as it is known now."""
    if selection.recorded_range is not None:
        return replace(selection, mode=TemporalMode.FULL_HISTORY, recorded_range=None)
    if selection.mode is TemporalMode.POINT_IN_TIME and selection.as_of is not None:
        return replace(selection, as_of=replace(selection.as_of, recorded=now))
    return selection


def nothing_remembered(view: View, scope: Scope, selection: Selection) -> str:
    """That a scope has no memory at all; empty where it has one."""
    if view.browse(Selection(mode=TemporalMode.FULL_HISTORY, as_of=selection.as_of), limit=1):
        return ""
    if not scope.projects:
        return "Nothing is remembered here yet: remember something first"
    where = ", ".join(sorted(scope.projects))
    return f"Nothing is remembered in {where} yet: remember something there, or leave the project out"


def _unfiltered(intention: RetrievalIntention) -> RetrievalIntention:
    return replace(
        intention,
        query_levels=ALL_LEVELS,
        min_energy=None,
        min_confidence=None,
        required_emotions=(),
        only_fully_valid=False,
    )


def _unfit(
    intention: RetrievalIntention, found: list[Memory], one: str = "bears on it", several: str = "bear on it"
) -> str:
    """Which of what an intention wants none of these memories has."""
    every = list(_filters(intention))
    failing = [said for said, wanted in every if not any(_has(each, wanted) for each in found)]
    them = f"{len(found):,} {f'memory {one}' if len(found) == 1 else f'memories {several}'}"
    return (
        f"{them}, but none {_joined(failing or [said for said, _ in every])}: ask for less, or leave it out"
    )


def _has(memory: Memory, intention: RetrievalIntention) -> bool:
    return memory.level in intention.query_levels and fits(memory, intention)


def _filters(intention: RetrievalIntention) -> Iterator[tuple[str, RetrievalIntention]]:
    """Each filter of an intention in words, with an intention that has it alone."""
    anything = _unfiltered(intention)
    if intention.query_levels != ALL_LEVELS:
        levels = ", ".join(LEVEL_NUMBERS[each] for each in intention.query_levels)
        yield f"is of {levels} (query_levels)", replace(anything, query_levels=intention.query_levels)
    if (energy := intention.min_energy) is not None:
        yield f"has an energy of {energy:g} or more (min_energy)", replace(anything, min_energy=energy)
    if (sure := intention.min_confidence) is not None:
        yield f"has a confidence of {sure:g} or more (min_confidence)", replace(anything, min_confidence=sure)
    if felt := intention.required_emotions:
        yield f"is felt with {_joined(felt)} (required_emotions)", replace(anything, required_emotions=felt)
    if intention.only_fully_valid:
        yield "has all REQUIRED metadata (only_fully_valid)", replace(anything, only_fully_valid=True)


def _joined(said: Iterable[str]) -> str:
    return " and ".join(said)
