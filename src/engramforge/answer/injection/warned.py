"""What persons have warned of for good: told to a session that starts, before it comes to the tool, and to who orders
what a rule is of: "never deploy on a friday" at "deploy it"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from typing import Final

import numpy as np

from engramforge.answer.injection.naming import Asked, places_with_names, with_names
from engramforge.answer.injection.occasion import Occasion
from engramforge.answer.injection.offers import SAID, Offer, answering
from engramforge.core.detection.whose.own_words import parted
from engramforge.core.detection.whose.speakers import voice_of
from engramforge.core.injection.gate import begins_work
from engramforge.core.injection.inputs.deeds import Deed, asks_leave, deed_ordered, rule_of
from engramforge.core.injection.inputs.echoes import asks_for_all_rules, stems_of, things_in
from engramforge.core.injection.lifting import callings, lifts
from engramforge.core.injection.tool_names import Named
from engramforge.core.injection.warnings import files_in, standing_warning
from engramforge.core.text.words import stem_of
from engramforge.model.injection import COMPACT, Reason, Section
from engramforge.model.memory import Memory
from engramforge.model.registries.detection import Voice
from engramforge.model.search.selection import Selection
from engramforge.model.time import AsOf, TimeRange
from engramforge.recall.outcomes import outcomes
from engramforge.store.door import View

_CUE_WORDS: Final = """
never nobody careful hands limits forbidden prohibited taboo sacred directly pushes publishes deploys deployments merges
pinned sudo
"""
_CUES: Final = (
    *_CUE_WORDS.split(),
    *(f"{keep} {away}" for keep in ("keep", "stay", "steer") for away in ("away", "clear")),
    *("force push", "force pushing"),
)
"""Words of which a warning for good has one: turns are found by these, however old they are. Words without a subject of
their own ("don't", "ever") are in no posting."""
_FILES: Final = "py ts tsx js jsx go rs rb java kt ex cpp php sql sh toml ini env md css html src lib"
_DAYS: Final = "monday tuesday wednesday thursday friday saturday sunday weekend holiday"
_FORBIDDEN: Final = {
    "push commit merge deploy": "main master prod",
    "run": "prod py sh ts js sql make npm docker git terraform",
    "install use add": "npm pip pi prod server cluster",
    "edit touch change": "json yaml csv",
    "touch delete remove rename": _FILES,
    "run deploy merge release restart migration": _DAYS,
}
_PAIRS: Final = (
    "hand",
    *("leave alone", "leave untouched", "keep untouched"),
    *(
        f"{deed} {thing}"
        for deeds, things in _FORBIDDEN.items()
        for deed in deeds.split()
        for thing in things.split()
    ),
)
"""What one that says "don't ever" forbids: a deed, and what it is done to."""
_ASKED_FOR: Final = "pls plz please"
_PLACES: Final = """
app backend board build browser ci cluster code codebase core device docs firmware frontend gateway image laptop library
machine main module package phone pi prod production project repo runtime server shop site staging tests
"""
_WITHOUT: Final = tuple(f"{asked} {place}" for asked in _ASKED_FOR.split() for place in _PLACES.split())
"""What one that asks to do without something has: "pls no redux in the shop"."""
_LOOKED_AT: Final = 60
_CUED: Final = 20
_PAIRED: Final = 8
"""How many turns are read, and how many a session that starts reads, which waits: each takes a twentieth of a
millisecond."""
_READ_FIRST: Final = 16
"""Of these the newest, behind which no other is read where they warn of enough."""
_OF_A_DEED: Final = 20
"""How many turns are read that may rule a deed."""
_LIFTING: Final = 12
"""How many turns are read that name what is warned of, the newest."""
_MOST: Final = 4
_SPARE: Final = 2
_MOST_ASKED_FOR: Final = 8
"""How many warnings are told where a session starts, of how many more it is seen whether they hold; and how many to who
asks for all of them."""
_MOST_ABOUT: Final = 2
_BESIDE: Final = 0.6
"""The least that another warning has in common with a prompt, rare words before common ones, beside the first."""
_LEAST_PRIORITY: Final = 0.001
"""Of the first; all stand behind what was decided."""


def warned_offers(view: View, asked: Occasion, as_of: AsOf) -> list[Offer]:
    """The newest warnings of a project that hold, at most four; after a compaction those of the session, too."""
    own = None if asked.cause == COMPACT else asked.session
    selection = Selection(kinds=SAID, exclude_session=own, as_of=as_of)
    return [
        Offer(memory, Section.DECIDED, Reason.HOLDS, _LEAST_PRIORITY / place, told)
        for place, (memory, told) in enumerate(_standing(view, selection, _MOST), 1)
    ]


def _standing(view: View, selection: Selection, most: int) -> list[tuple[Memory, str]]:
    """The newest warnings that hold, with the sentences in which they warn."""
    asked = (
        Asked(_CUES, _CUED),
        Asked(_PAIRS, _PAIRED),
        Asked(_WITHOUT, _PAIRED),
        Asked(_ASKED_FOR.split(), _PAIRED),
    )
    entries: list[Memory] = []
    turns = _own_newest_first(view, selection, asked, entries)
    found = [each for _, each in zip(range(most + _SPARE), _warnings(turns), strict=False)]
    if not found:
        return []
    called = [" ".join(parts) for parts in callings(files_in(" ".join(told for _, told in found)))]
    if called:
        # What lifts a warning calls its thing by name, and has none of the cues.
        since = TimeRange(start=min(memory.valid_at for memory, _ in found))
        places, _ = places_with_names(view, replace(selection, valid_range=since), Asked(called, _LIFTING))
        later = [each for each in view.fetch_at(places).values() if voice_of(each) is Voice.OWN]
        found = [each for each in found if not _is_lifted(each[1], _since(later, each[0]))]
    ended = outcomes(view, entries)
    return [each for each in found[:most] if each[0].logical_id not in ended]


def _own_newest_first(
    view: View, selection: Selection, asked: Sequence[Asked], entries: list[Memory]
) -> Iterator[Memory]:
    """What persons said that has these names, the newest first, and read as far as it is wanted. `entries`: to which
    those are added that were read from it."""
    places, since = places_with_names(view, selection, *asked)
    places = places[np.argsort(-since, kind="stable")]
    for portion in filter(len, (places[:_READ_FIRST], places[_READ_FIRST:])):
        fetched, more = view.fetch_with_entries(portion)
        entries += more
        turns = (fetched[place] for place in portion.tolist() if place in fetched)
        yield from (each for each in turns if voice_of(each) is Voice.OWN)


def warned_about(view: View, selection: Selection, query: str, now: datetime) -> list[Offer]:
    """What persons have warned of for good, at most two, in a sentence that names a thing of a prompt that asks what
    must not be done; the newest, at most eight, where it names none. One look into the postings, at such prompts
    alone."""
    selection = replace(selection, kinds=SAID)
    words = things_in(query)
    if not words:
        told_of = _standing(view, selection, _MOST_ASKED_FOR) if asks_for_all_rules(query) else []
        return [answering(memory, now, told) for memory, told in told_of]
    turns, entries = with_names(view, selection, Asked(words, _LOOKED_AT))
    ended = outcomes(view, entries)
    asked = frozenset(map(stem_of, words))
    rarity = Counter(stem for each in turns for stem in stems_of(each.content) & asked)
    about = [
        (sum(1.0 / rarity[stem] for stem in shared), memory, told)
        for memory, told in _warnings(_own(turns))
        if (shared := stems_of(told) & asked) and memory.logical_id not in ended
    ]
    best = sorted(about, key=lambda each: -each[0])[:_MOST_ABOUT]
    return [answering(memory, now, told) for worth, memory, told in best if worth >= best[0][0] * _BESIDE]


def _own(turns: Sequence[Memory]) -> list[Memory]:
    """What persons said, the newest first."""
    own = (each for each in turns if voice_of(each) is Voice.OWN)
    return sorted(own, key=lambda each: each.valid_at, reverse=True)


def _since(turns: Sequence[Memory], memory: Memory) -> list[Memory]:
    return [each for each in turns if each.valid_at > memory.valid_at]


def _warnings(said: Iterable[Memory]) -> Iterator[tuple[Memory, str]]:
    """Turns with the sentence in which each warns, the newest first, without what a later turn lifts."""
    told: set[str] = set()
    later: list[Memory] = []
    for memory in said:
        warning = _own_warning(memory.content)
        if not (warning is None or warning.casefold() in told or _is_lifted(warning, later)):
            told.add(warning.casefold())
            yield memory, warning
        later.append(memory)


@lru_cache(maxsize=128)
def _own_warning(text: str) -> str | None:
    """The sentence in which a person warns by their own words: what they pasted or quoted is nobody's rule."""
    warning = standing_warning(text)
    if warning is None or len(text) == len(warning):
        return warning
    return standing_warning(parted(text, is_person=True).own)


def _is_lifted(warning: str, later: Sequence[Memory]) -> bool:
    names = files_in(warning)
    words = {part for parts in callings(names) for part in parts}
    return any(
        lifts(each.content, warning, names)
        for each in later
        if any(word in each.content.casefold() for word in words)
    )


def deed_in(prompt: str) -> Deed:
    """What a prompt orders or asks leave for; nothing for any other."""
    return deed_ordered(prompt) if begins_work(prompt) or asks_leave(prompt) else Deed()


def forbidden_offers(view: View, selection: Selection, deed: Deed, now: datetime) -> list[Offer]:
    """The newest rules of persons that are of a deed, at most two; one look into the postings."""
    asked = deed.asked()
    if not asked:
        return []
    found, entries = with_names(view, selection, Asked(asked, _OF_A_DEED, rarest_first=True))
    ended = outcomes(view, entries)
    own = sorted((each for each in found if voice_of(each) is Voice.OWN), key=lambda each: each.valid_at)
    told: list[Offer] = []
    for place, memory in enumerate(own):
        said = None if memory.logical_id in ended else rule_of(memory.content, deed)
        if said is not None and not _is_permitted(said, own[place + 1 :], deed):
            told.append(answering(memory, now, said))
    return told[-_MOST_ABOUT:]


def _is_permitted(said: str, later: Sequence[Memory], deed: Deed) -> bool:
    names = [*map(Named, deed.acts_spelled)]
    return any(lifts(each.content, said, names) for each in later)
