"""What is known of the file, package, program or command that a tool is given: decisions and warnings that name it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from engramforge.answer.injection.naming import Asked, passage_naming, with_names
from engramforge.answer.injection.occasion import Occasion
from engramforge.answer.injection.offers import SAID, Offer
from engramforge.core.detection.whose.speakers import voice_of
from engramforge.core.injection.inputs.deeds import Deed, deed_of, rule_of
from engramforge.core.injection.inputs.pins import Bump, bumps_in, changes_pin, pin_of, pins
from engramforge.core.injection.lifting import callings, lifts
from engramforge.core.injection.mentions import names_it
from engramforge.core.injection.priority import RELATED, days_between, priority, standing
from engramforge.core.injection.tool_names import TOOLS, Named, named_in
from engramforge.core.injection.warnings import (
    forbids,
    holds_for_good,
    is_of_another_use,
    warning_in,
)
from engramforge.core.registries.registration import evidence_of
from engramforge.model.injection import Reason, Section
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.detection import Voice
from engramforge.model.registries.entry import DecisionStatus
from engramforge.model.search.selection import Selection
from engramforge.model.time import AsOf, TimeRange
from engramforge.recall.outcomes import outcomes, stands
from engramforge.registries.registered import registration_of
from engramforge.store.door import View

_ASKED: Final = 20
_OF_PLACES: Final = 50
"""The same of folders and branches, whose names are words of which much is said beside."""
_SAID: Final = 300
"""Characters of a decision that are looked at and shown: where it names the thing."""
_KINDS: Final = (Kind.DECISION, Kind.NOTE, Kind.LEARNING, Kind.PATTERN, Kind.PROMPT, Kind.MESSAGE, Kind.CHUNK)
"""Of what kinds warnings are taken: what a model said by the way warns of too much, as does a summary of it."""
_TAKEN_UP: Final = re.compile(
    r"(?i)\W*(?:(?:we|i|let['\u2019]?s|have|decided|agreed|to)\s+){0,4}(?:switch|move|migrate|change)d?\s+to\s+[\w.-]+"
    r"(?:\s+(?:for|as|in)\s+[^,;.:]{1,60})?[.!]?\s*\Z"
    r"|(?:(?:we|i|let['\u2019]?s|will|decided|agreed|to) ){0,4}(?:(?:use|take|go with|chose|run) )?[\w.-]{1,60}+"
    r" for [^,;.:\n]{1,60}+[.!]?(?:\s{0,4}\Z|\s{1,4}Rationale:)"
)
"""A decision that only takes up a program."""


@dataclass(frozen=True, slots=True)
class _Ahead:
    """What a tool is about to do: the names in its input, the deed, and the versions that it sets."""

    names: tuple[Named, ...]
    deed: Deed
    bumps: tuple[Bump, ...]

    @classmethod
    def of(cls, asked: Occasion) -> _Ahead:
        given = asked.tool, asked.given
        return cls(named_in(*given), deed_of(*given), bumps_in(*given))


def brief_offers(asking: View, asked: Occasion, now: datetime, as_of: AsOf) -> list[Offer]:
    """A project's standing decisions and warnings that name what the tool is about."""
    if asked.tool not in TOOLS:
        return []
    ahead = _Ahead.of(asked)
    names = ahead.names
    if not (names or ahead.deed or ahead.bumps):
        return []
    selection = asked.not_fresh(_KINDS, as_of)
    with asking as view:
        found, entries = _naming(view, selection, ahead)
        became = outcomes(view, entries)
    told = _sentences(entries)
    offers = []
    for memory in found:
        offer = _offer(memory, names, now)
        if offer is None or (ahead.bumps and pins(offer.said)):
            offer = _of_deed(memory, ahead, found, now)
        holds = became.get(memory.logical_id)
        if offer is not None and holds is not None and _is_of(offer.said, told[memory.logical_id]):
            # It warns of what ended: what stands in its place is said, whatever that names.
            offer = _weighed(holds, holds.content[:_SAID], now) if stands(holds) else None
        offers.append(offer)
    new = [
        each
        for each in offers
        if each is not None and (each.is_for_good or not asked.is_in_context(each.memory))
    ]
    return _not_lifted(asking, new, [*names, *map(Named, ahead.deed.acts_spelled)], as_of)


def _naming(view: View, selection: Selection, ahead: _Ahead) -> tuple[list[Memory], list[Memory]]:
    """What names one of these, or may be a rule of the deed. Folders and tables apart: their words are so common that
    they would crowd out files."""
    words = {
        is_place: [word for each in ahead.names if each.is_place is is_place for word in each.asked]
        for is_place in (False, True)
    }
    rules = (*ahead.deed.asked(), *(word for each in ahead.bumps for word in each.asked()))
    return with_names(
        view,
        selection,
        Asked(words[False], _ASKED),
        Asked(words[True], _OF_PLACES, rarest_first=True),
        Asked(rules, _ASKED, rarest_first=True),
    )


def _not_lifted(asking: View, offers: list[Offer], names: Sequence[Named], as_of: AsOf) -> list[Offer]:
    """The offers that no person has lifted since, whatever they called the thing."""
    if not offers:
        return []
    since = TimeRange(start=min(each.memory.valid_at for each in offers))
    words = [word for each in names for word in each.asked]
    words += [" ".join(parts) for parts in callings(names)]
    with asking as view:
        # Of the session that asks, too.
        said = Selection(kinds=SAID, as_of=as_of, valid_range=since)
        found, _ = with_names(view, said, Asked(words, _ASKED))
    later = [each for each in found if voice_of(each) is Voice.OWN]
    return [
        offer
        for offer in offers
        if not any(
            each.valid_at > offer.memory.valid_at and lifts(each.content, offer.said, names) for each in later
        )
    ]


def _sentences(entries: Iterable[Memory]) -> Mapping[str, list[str]]:
    """The sentences from which entries were read, by the logical id of their message."""
    told = defaultdict(list)
    for each in entries:
        if (evidence := evidence_of(registration_of(each))) is not None:
            told[evidence.message_id].append(evidence.sentence)
    return told


def _is_of(said: str, sentences: Iterable[str]) -> bool:
    plain = said.strip(" .")
    return any(plain in each or each.strip(" .") in plain for each in sentences)


def _offer(memory: Memory, names: Sequence[Named], now: datetime) -> Offer | None:
    if not names:
        return None
    entry = memory.registration
    if memory.kind is not Kind.DECISION:
        said = warning_in(memory.content, names)
    elif entry is None or entry.status == DecisionStatus.ACTIVE:
        said = passage_naming(memory.content, [word for each in names for word in each.asked], _SAID)
    else:
        return None
    if said is None or not names_it(said, names) or is_of_another_use(said, names):
        return None
    if _TAKEN_UP.match(said) and all(each.is_run for each in names):
        return None  # Who runs what was switched to has to be told nothing.
    # A turn may warn for the moment; a decision is for good, but most forbid nothing.
    forbids_it = holds_for_good(said) if entry is None else forbids(said, names)
    return replace(_weighed(memory, said, now), is_for_good=forbids_it and voice_of(memory) is Voice.OWN)


def _of_deed(memory: Memory, ahead: _Ahead, found: Sequence[Memory], now: datetime) -> Offer | None:
    """What a person, or a decision that holds, rules of the deed, whatever else it names; no version that a later one
    has overtaken."""
    entry = memory.registration
    is_own = voice_of(memory) is Voice.OWN
    is_ruling = is_own and memory.kind in SAID
    if not is_ruling and (
        memory.kind is not Kind.DECISION or entry is None or entry.status != DecisionStatus.ACTIVE
    ):
        return None
    said = rule_of(memory.content, ahead.deed)
    if said is None and (said := pin_of(memory.content, ahead.bumps)) is not None:
        later = (each for each in found if each.valid_at > memory.valid_at and voice_of(each) is Voice.OWN)
        said = None if any(changes_pin(each.content, ahead.bumps) for each in later) else said
    if said is None:
        return None
    return replace(_weighed(memory, said, now), is_for_good=is_own and holds_for_good(said))


def _weighed(memory: Memory, said: str, now: datetime) -> Offer:
    # All name the thing, so similarity tells nothing more: as in a portfolio, it counts how sure and used they are.
    worth = priority(
        standing(memory.epistemic_tier, memory.access_count), days_between(memory.valid_at, now), RELATED
    )
    return Offer(memory, Section.RECENT, Reason.NAMES, worth, said)
