"""The portfolio of a project: what was decided and holds, what is open, where the last session stopped.

What persons entered goes in, and of what was read from talk what persons said for more than the moment, or what later
conversations came back to: a line that says nothing costs those that do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from datetime import datetime
from typing import Final

from engramforge.answer.injection.decided import beside_decisions, perhaps_turned
from engramforge.answer.injection.kept.plain_values import PlainValues
from engramforge.answer.injection.naming import Asked, with_names
from engramforge.answer.injection.occasion import Occasion
from engramforge.answer.injection.offers import SAID, Offer, sources_of
from engramforge.answer.injection.stated import said_in
from engramforge.answer.injection.stopped import stopped_offers
from engramforge.answer.injection.warned import warned_offers
from engramforge.answer.injection.weighing import SAID_OUTRIGHT, is_of, weights_of
from engramforge.core.detection.endings.perhaps_over import committed, perhaps_over
from engramforge.core.detection.endings.turned import may_be_left
from engramforge.core.detection.whose.speakers import voice_of
from engramforge.core.injection.priority import days_between, priority, recency, standing
from engramforge.core.registries.closed.doers import tells_who
from engramforge.core.registries.registration import evidence_of
from engramforge.core.text.words import content_words, stem_of, words_of
from engramforge.model.injection import COMPACT, RESUME, Reason, Section
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.detection import Voice
from engramforge.model.registries.entry import DecisionStatus, EntryQuery, Priority, ThreadStatus
from engramforge.model.search.selection import Selection
from engramforge.model.time import AsOf, TimeRange
from engramforge.registries.registered import registration_of
from engramforge.registries.threads.thread_view import PRIORITY, content_of, title_of
from engramforge.store.door import View

_ENTRIES: Final = 200
_DECIDED: Final = 6
_OPEN: Final = 4
"""The most of each that a portfolio shows: the rest is a question away."""
_MORE: Final = 8
"""So many decisions more that are sure, behind warnings and as far as there is room."""
_NEUTRAL: Final = 1.0
"""Agreement of what nothing was asked for: it neither raises nor lowers."""
_OWN: Final = 2.0
"""How much more counts, after a compaction, what the session itself decided and has open."""
_URGENCY: Final = {Priority.HIGH: 1.0, Priority.MEDIUM: 0.6, Priority.LOW: 0.3}
_CONSIDERED: Final = 24
"""Decisions among which those are chosen: what is further down weighs too little."""
_REPEATED: Final = 0.93
"""What a decision counts beside each that is told and shares a word with it."""
_LEAST: Final = 0.0001
"""The priority of what a session only said, behind warnings, which stand behind decisions."""
_LAST: Final = _LEAST / 100
"""The same of decisions for which only the room that all this leaves is."""
_NAMES: Final = 24
_SINCE: Final = 20
"""By how many words of open threads it is looked for what was said of them since, and how much of that is read."""
_RECENT_DAYS: Final = 14.0
"""For how long what was read from talk counts as open, if nobody came back to it."""


def portfolio_offers(
    asking: View, asked: Occasion, now: datetime, as_of: AsOf, plain: PlainValues
) -> list[Offer]:
    """What a session of a project that starts should know; of one that resumes only what is new since, of others'
    doing."""
    own = asked.session if asked.cause == COMPACT else None
    with asking as view:
        decided = view.entries(
            EntryQuery(kind=Kind.DECISION, statuses=(DecisionStatus.ACTIVE,), limit=_ENTRIES)
        )
        waiting = view.entries(
            EntryQuery(kind=Kind.THREAD, statuses=(ThreadStatus.OPEN,), limit=_ENTRIES, urgent_first=True)
        )
        warned = warned_offers(view, asked, as_of)
        perhaps = perhaps_turned(view)
        # What a person's few words seem to leave is not told until a review says it.
        left_out = asked.unwanted | {turn.entry for turn in perhaps if may_be_left(turn)}
        decided, waiting = (
            [each for each in entries if each.logical_id not in left_out] for entries in (decided, waiting)
        )
        weights = weights_of(view, (*decided, *waiting), own)
        since = _last_of(view, asked.session, as_of) if asked.cause == RESUME else None
        still_open = _with_said_since(view, _open(waiting, weights, now, own), as_of)
        held = beside_decisions(_held(decided, weights, now, own), perhaps)
        offers = [*held, *still_open, *warned]
        told = {key for each in offers for key in (each.memory.logical_id, *sources_of(each.memory))}
        if own is not None:
            offers += [
                Offer(memory, Section.DECIDED, Reason.HOLDS, _LEAST / place, said)
                for place, (memory, said) in enumerate(said_in(view, own, as_of, told), 1)
            ]
        elif asked.cause != COMPACT:
            stopped = stopped_offers(view, asked.session, as_of, told)
            told |= {each.memory.logical_id for each in stopped}
            offers += [
                *stopped,
                *(
                    Offer(each, Section.DECIDED, Reason.HOLDS, _LAST / (_MORE + place), each.content)
                    for place, each in enumerate(plain.last(view, asked.session, as_of, told), 1)
                ),
            ]
    offers = [each for each in offers if each.memory.logical_id not in asked.unwanted]
    if asked.cause == RESUME:
        return [each for each in offers if _is_new(each.memory, since, asked.session)]
    return offers


def _held(
    decided: Sequence[Memory], weights: Mapping[str, float], now: datetime, own: str | None
) -> list[Offer]:
    offers = [
        Offer(each, Section.DECIDED, Reason.HOLDS, weight * _worth(each, now, own), each.content)
        for each in decided
        if (weight := weights[each.logical_id])
    ]
    told = _spread(offers)
    first = {each.memory.logical_id for each in told}
    sure = [
        each
        for each in _best(offers)
        if weights[each.memory.logical_id] >= SAID_OUTRIGHT and each.memory.logical_id not in first
    ]
    return told + [replace(each, priority=_LAST / place) for place, each in enumerate(sure[:_MORE], 1)]


def _open(
    waiting: Sequence[Memory], weights: Mapping[str, float], now: datetime, own: str | None
) -> list[Offer]:
    return _best(
        Offer(each, Section.OPEN, Reason.IS_OPEN, weight * _urgency(each, now, own), _thread_text(each))
        for each in waiting
        if (weight := weights[each.logical_id]) and _is_still_open(each, now)
    )[:_OPEN]


def _with_said_since(view: View, offers: Sequence[Offer], as_of: AsOf) -> list[Offer]:
    """The open threads, beside each the last that a person said, or that was committed, since by which it may be
    over."""
    if not offers:
        return []
    named = (word for each in offers for word in content_words(words_of(title_of(each.memory))))
    words = list(dict.fromkeys(named))[:_NAMES]
    since = TimeRange(start=min(each.memory.valid_at for each in offers))
    selection = Selection(kinds=SAID, as_of=as_of, valid_range=since)
    found, _ = with_names(view, selection, Asked(words, _SINCE, rarest_first=True))
    commits = Asked([f"git commit {word}" for word in words], _SINCE)
    done, _ = with_names(view, replace(selection, kinds=(Kind.TOOL_USE,)), commits)
    found = [*(each for each in found if voice_of(each) is Voice.OWN), *done]
    later = sorted(found, key=lambda x: x.valid_at, reverse=True)
    told = []
    for offer in offers:
        thread, title = offer.memory, title_of(offer.memory)
        own = {thread.logical_id, *sources_of(thread)}
        after = (x for x in later if x.valid_at > thread.valid_at and x.logical_id not in own)
        said = next((saying for each in after if (saying := _said_of_its_end(each, title))), "")
        told.append(replace(offer, said=f'{offer.said} (said since: "{said}")') if said else offer)
    return told


def _said_of_its_end(later: Memory, title: str) -> str:
    if later.kind is Kind.TOOL_USE:
        return committed(later.content, title)
    is_told = perhaps_over(later.content, title) or tells_who(later.content, title)
    return later.content if is_told else ""


def _last_of(view: View, session: str | None, as_of: AsOf) -> datetime | None:
    """When a session last wrote something."""
    if session is None:
        return None
    turns = view.browse(Selection(session_id=session, as_of=as_of), 1)
    return turns[0].created_at if turns else None


def _best(offers: Iterable[Offer]) -> list[Offer]:
    return sorted(offers, key=lambda each: -each.priority)


def _spread(offers: Iterable[Offer]) -> list[Offer]:
    """The decisions that are told, of which each counts for less with every one before it that shares a word with it:
    not all of one matter where others are as weighty.
    """
    best = _best(offers)[:_CONSIDERED]
    left = [(each, frozenset(map(stem_of, content_words(words_of(each.said))))) for each in best]
    if len(left) <= _DECIDED:
        return [each for each, _ in left]
    told: list[tuple[Offer, frozenset[str]]] = []
    while len(told) < _DECIDED:
        told.append(
            max(
                left,
                key=lambda each: (
                    each[0].priority * _REPEATED ** sum(not each[1].isdisjoint(x) for _, x in told)
                ),
            )
        )
        left.remove(told[-1])
    return _best(each for each, _ in told)


def _is_still_open(thread: Memory, now: datetime) -> bool:
    is_entered = evidence_of(registration_of(thread)) is None
    return is_entered or days_between(thread.valid_at, now) <= _RECENT_DAYS


def _worth(memory: Memory, now: datetime, own: str | None) -> float:
    worth = priority(
        standing(memory.epistemic_tier, memory.access_count), days_between(memory.valid_at, now), _NEUTRAL
    )
    return worth * (_OWN if is_of(memory, own) else 1.0)


def _urgency(memory: Memory, now: datetime, own: str | None) -> float:
    said = registration_of(memory).details.get(PRIORITY, Priority.MEDIUM)
    urgency = _URGENCY[Priority(said)] * recency(days_between(memory.valid_at, now))
    return urgency * (_OWN if is_of(memory, own) else 1.0)


def _thread_text(memory: Memory) -> str:
    title, content = title_of(memory), content_of(memory)
    return f"{title}: {content}" if content else title


def _is_new(memory: Memory, since: datetime | None, session: str | None) -> bool:
    is_others = memory.session_id is None or memory.session_id != session
    return since is not None and is_others and memory.created_at > since


def without(offers: Sequence[Offer], known: Set[str], fresh: Set[str] = frozenset()) -> list[Offer]:
    """The offers without what is in the session's context already, by logical id; warnings for good only without what
    is `fresh` there."""
    return [
        each
        for each in offers
        if (fresh if each.is_for_good else known).isdisjoint(
            (each.memory.logical_id, *sources_of(each.memory))
        )
    ]
