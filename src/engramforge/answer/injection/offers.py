"""What may go into an injection: memories with the section that they are for, the reason, and their priority."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from engramforge.core.injection.budget import BADGES, SHARES, Line, fill
from engramforge.core.injection.layout import badge, laid_out
from engramforge.core.injection.priority import RELATED, days_between, priority
from engramforge.core.injection.tokens import tokens_of
from engramforge.core.registries.registration import evidence_of
from engramforge.model.fence import named
from engramforge.model.injection import Injected, Reason, Section
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.entry import standing_of

SAID: Final = (Kind.PROMPT, Kind.MESSAGE, Kind.NOTE)
"""What may hold a person's own words."""
_ID_CHARACTERS: Final = 18
"""Of a memory's id: the millisecond of its making and twelve bits more, which tell it from others of the same import;
the rest would cost more than it tells."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A memory that may go in. `said`: what would be shown of it. `is_for_good`: whether a person warns in it, so that
    it is told at the deed though the context has it from long before. `only_with`: the logical id of what has to be
    told with it, "" for nothing."""

    memory: Memory
    section: Section
    reason: Reason
    priority: float
    said: str
    is_for_good: bool = False
    only_with: str = ""


def answering(memory: Memory, now: datetime, said: str = "") -> Offer:
    """A memory that answers a prompt by what it says, or by `said`, however similar: as relevant as can be."""
    worth = priority(1.0, days_between(memory.valid_at, now), RELATED)
    return Offer(memory, Section.RECENT, Reason.ANSWERS, worth, said or memory.content)


def make(
    event: str,
    offers: Iterable[Offer],
    session: str | None,
    now: datetime,
    project: str | None,
    shifted: str = "",
) -> tuple[str, tuple[Injected, ...]]:
    """The text of offers with what is in it, empty where nothing is: in each section the first of them, as far as the
    event's budget goes; none says the same as another: of a message several entries go in, but none beside it.

    `shifted`: what is told of a shift of activity, no memory's text; "" for nothing."""
    by_section: dict[Section, list[Offer]] = {}
    for offer in offers:
        by_section.setdefault(offer.section, []).append(offer)
    chosen: dict[str, Offer] = {}
    told: set[str] = set()
    read: dict[str, str] = {}
    lines: dict[Section, list[Line]] = {}
    before: list[tuple[str, datetime]] = []
    badges = BADGES
    for section in SHARES[event]:
        for offer in by_section.get(section, ()):
            key = offer.memory.logical_id
            sources = {each: _read_from(offer.memory) for each in sources_of(offer.memory)}
            folded = " ".join(offer.said.split()).casefold()
            is_told = key in read or any(
                each in chosen or read.get(each) == of for each, of in sources.items()
            )
            if key in chosen or is_told or folded in told or not folded:
                continue
            told.add(folded)
            read |= sources
            chosen[key] = offer
            said = _badge(offer, session, before) if badges > 0 else ""
            badges -= tokens_of(said)
            lines.setdefault(section, []).append(_line(offer, now, project, said))
            before.append((_id(offer.memory), offer.memory.told_at))
    if shifted:
        lines[Section.SHIFT] = [Line("", "-", shifted)]
    filled = fill(SHARES[event], lines)
    noted = filled.pop(Section.SHIFT, [])
    filled = _with_what_changed(filled, chosen)
    return laid_out({**filled, Section.SHIFT: noted}), tuple(_injected(filled, chosen))


def _with_what_changed(
    filled: Mapping[Section, Sequence[tuple[str, str]]], chosen: Mapping[str, Offer]
) -> dict[Section, list[tuple[str, str]]]:
    """What went in, without what may only be told with something for which there was no room."""
    keys = [key for lines in filled.values() for key, _ in lines]
    told = {id_ for key in keys for id_ in (key, *sources_of(chosen[key].memory))}
    kept = {
        section: [each for each in lines if chosen[each[0]].only_with in ("", *told)]
        for section, lines in filled.items()
    }
    return {section: lines for section, lines in kept.items() if lines}


def _injected(
    filled: Mapping[Section, Sequence[tuple[str, str]]], chosen: Mapping[str, Offer]
) -> Iterable[Injected]:
    for section, lines in filled.items():
        for key, text in lines:
            offer = chosen[key]
            source = next(iter(sources_of(offer.memory)), None)
            yield Injected(
                key, offer.memory.id, section, offer.reason, offer.priority, source_id=source, text=text
            )


def _badge(offer: Offer, session: str | None, before: Sequence[tuple[str, datetime]]) -> str:
    """When it comes from; of the portfolio's sections, which are in no order of time, nothing."""
    if offer.section not in (Section.RECENT, Section.POSSIBLE):
        return ""
    return badge(offer.memory.session_id, offer.memory.told_at, session, before)


def _line(offer: Offer, now: datetime, project: str | None, said: str) -> Line:
    memory = offer.memory
    entry = memory.registration
    form = "%Y-%m-%d" if memory.told_at.date() != now.date() else "%H:%M today"
    resolved = memory.resolved_since
    head = [
        _id(memory),
        str(memory.kind),
        standing_of(entry.status, memory.tags) if entry and memory.kind is Kind.DECISION else "",
        memory.told_at.strftime(form),
        f"resolved since {resolved:%Y-%m-%d}" if resolved else "",
        named(memory.project) if memory.project != project else "",
        named(memory.speaker) if memory.speaker else "",
        said,
    ]
    return Line(memory.logical_id, f"- [{', '.join(filter(None, head))}]", offer.said)


def _id(memory: Memory) -> str:
    """What a person or a tool finds the memory by."""
    return memory.registration.entry_id if memory.registration else memory.logical_id[:_ID_CHARACTERS]


def _read_from(memory: Memory) -> str:
    """The sentence that an entry was read from."""
    evidence = evidence_of(memory.registration) if memory.registration else None
    return evidence.sentence if evidence else ""


def sources_of(memory: Memory) -> tuple[str, ...]:
    """The message that an entry was read from: both would say the same."""
    evidence = evidence_of(memory.registration) if memory.registration else None
    return (evidence.message_id,) if evidence else ()
