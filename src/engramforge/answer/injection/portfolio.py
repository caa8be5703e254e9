"""The portfolio of a project: what was decided and holds, what is open, where the last session stopped.

What persons entered goes in, and of what was read from talk what persons said for more than the moment, or what later
conversations came back to: a line that says nothing costs those that do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import datetime
from typing import Final

from engramforge.answer.injection.occasion import Occasion
from engramforge.answer.injection.offers import Offer, sources_of
from engramforge.answer.injection.stopped import stopped_offers
from engramforge.core.detection.adr_text import RECORD
from engramforge.core.detection.answers.chosen import ANSWERED
from engramforge.core.detection.cues.decision_cues import ORDERS
from engramforge.core.detection.cues.label_cues import LABEL
from engramforge.core.detection.likelihood import WORDED
from engramforge.core.detection.traps import is_asserted, is_hedged
from engramforge.core.detection.whose.speakers import voice_of
from engramforge.core.injection.outright import says_outright
from engramforge.core.injection.priority import days_between, priority, recency, standing
from engramforge.core.registries.registration import evidence_of
from engramforge.core.text.words import content_words, words_of
from engramforge.model.injection import COMPACT, RESUME, Reason, Section
from engramforge.model.link import Relation
from engramforge.model.memory import Kind, Memory
from engramforge.model.registration import Registration
from engramforge.model.registries.detection import Voice
from engramforge.model.registries.entry import DecisionStatus, EntryQuery, Priority, ThreadStatus
from engramforge.model.search.selection import Selection
from engramforge.model.time import AsOf
from engramforge.registries.registered import registration_of
from engramforge.registries.threads.thread_view import PRIORITY, content_of, title_of
from engramforge.store.door import View

_ENTRIES: Final = 200
_DECIDED: Final = 6
_OPEN: Final = 4
"""The most of each that a portfolio shows: the rest is a question away."""
_NEUTRAL: Final = 1.0
"""Agreement of what nothing was asked for: it neither raises nor lowers."""
_OWN: Final = 2.0
"""How much more counts, after a compaction, what the session itself decided and has open."""
_URGENCY: Final = {Priority.HIGH: 1.0, Priority.MEDIUM: 0.6, Priority.LOW: 0.3}
_SAID: Final = 0.7
"""How much what a person said in a conversation counts beside what was entered."""
_CAME_BACK: Final = 0.5
"""The same of what others said, where later conversations came back to it."""
_LIKELY: Final = 0.3
"""The same of what a person said in words that leave more doubt: it takes the room that surer entries leave."""
_SHORT: Final = 200
"""Characters of a message that says little else: in a longer one a wording may be of a report or of what was pasted."""
_SURE: Final = 0.8
"""How sure it must be that it was said."""
_BEYOND_DOUBT: Final = 0.95
"""The same where a person is heard by the wording alone: then it stands behind what rules read."""
_FEWEST_WORDS: Final = 3
_FEWEST_CHOSEN: Final = 2
"""Content words of an entry that says something; of one that a rule for choices or labels reads."""
_RECENT_DAYS: Final = 14.0
"""For how long what was read from talk counts as open, if nobody came back to it."""


def portfolio_offers(asking: View, asked: Occasion, now: datetime, as_of: AsOf) -> list[Offer]:
    """What a session of a project that starts should know; of one that resumes only what is new since, of others'
    doing."""
    with asking as view:
        decided = view.entries(
            EntryQuery(kind=Kind.DECISION, statuses=(DecisionStatus.ACTIVE,), limit=_ENTRIES)
        )
        waiting = view.entries(
            EntryQuery(kind=Kind.THREAD, statuses=(ThreadStatus.OPEN,), limit=_ENTRIES, urgent_first=True)
        )
        stopped = [] if asked.cause == COMPACT else stopped_offers(view, asked.session, as_of)
        said_in = view.fetch(filter(None, map(_message_of, (*decided, *waiting))))
        reversals = _reversals(view, decided)
        since = _last_of(view, asked.session, as_of) if asked.cause == RESUME else None
    own = asked.session if asked.cause == COMPACT else None
    offers = [
        *_best(
            Offer(each, Section.DECIDED, Reason.HOLDS, weight * _worth(each, now, own), each.content)
            for each in decided
            if (weight := _weight(each, said_in, own, each.logical_id in reversals))
        )[:_DECIDED],
        *_best(
            Offer(each, Section.OPEN, Reason.IS_OPEN, weight * _urgency(each, now, own), _thread_text(each))
            for each in waiting
            if (weight := _weight(each, said_in, own)) and _is_still_open(each, now)
        )[:_OPEN],
        *stopped,
    ]
    if asked.cause == RESUME:
        return [each for each in offers if _is_new(each.memory, since, asked.session)]
    return offers


def _last_of(view: View, session: str | None, as_of: AsOf) -> datetime | None:
    """When a session last wrote something."""
    if session is None:
        return None
    turns = view.browse(Selection(session_id=session, as_of=as_of), 1)
    return turns[0].created_at if turns else None


def _best(offers: Iterable[Offer]) -> list[Offer]:
    return sorted(offers, key=lambda each: -each.priority)


def _message_of(entry: Memory) -> str | None:
    """The message that an entry was read from."""
    return next(iter(sources_of(entry)), None)


def _reversals(view: View, decided: Sequence[Memory]) -> set[str]:
    """Which of the decisions that were read from talk took the place of another, by logical id."""
    read = [each.logical_id for each in decided if _message_of(each)]
    links = view.links(read, to_others=True) if read else []
    return {each.source_id for each in links if each.relation == Relation.SUPERSEDES}.intersection(read)


def _is_confirmed(registration: Registration) -> bool:
    """Whether somebody validated it or accepted it in review; archives that carry it count hops as well."""
    return registration.validation_count > registration.hops


def _weight(
    entry: Memory, said_in: Mapping[str, Memory], own: str | None, is_reversal: bool = False
) -> float:
    """How much an entry counts by how it came about, 0..1; 0 for what is not worth a line."""
    registration = registration_of(entry)
    evidence = evidence_of(registration)
    if evidence is None or _is_confirmed(registration):
        return 1.0
    message = said_in.get(evidence.message_id)
    is_short = message is not None and len(message.content) <= _SHORT
    is_persons = message is not None and (evidence.rule == ANSWERED or voice_of(message) is Voice.OWN)
    is_outright = message is not None and is_persons and says_outright(evidence.sentence, message.content)
    is_heard = evidence.rule.startswith(WORDED) or evidence.rule in ORDERS
    is_standing = is_outright or (not is_heard and entry.confidence >= _SURE)
    is_choice = entry.kind is Kind.DECISION
    is_cut = entry.content.rstrip().endswith(":") or (is_choice and is_hedged(evidence.sentence))
    is_own_choice = is_persons and is_choice and not is_heard
    fewest = _FEWEST_CHOSEN if is_own_choice or evidence.rule == LABEL else _FEWEST_WORDS
    says = not is_cut and len(set(content_words(words_of(entry.content)))) >= fewest
    if is_reversal or (says and is_standing and (is_persons or evidence.rule == RECORD)):
        return _SAID
    is_clear = is_persons and evidence.rule.startswith(WORDED) and entry.confidence >= _BEYOND_DOUBT
    came_back = is_clear or len(registration.conversations) > 1 or entry.access_count > 0
    if says and (came_back or _is_of(entry, own)):
        return _CAME_BACK
    if not (says and is_choice and is_persons and is_short) or evidence.rule in ORDERS:
        return 0.0
    return _LIKELY if is_asserted(evidence.sentence) else 0.0


def _is_still_open(thread: Memory, now: datetime) -> bool:
    is_entered = evidence_of(registration_of(thread)) is None
    return is_entered or days_between(thread.valid_at, now) <= _RECENT_DAYS


def _worth(memory: Memory, now: datetime, own: str | None) -> float:
    worth = priority(
        standing(memory.epistemic_tier, memory.access_count), days_between(memory.valid_at, now), _NEUTRAL
    )
    return worth * (_OWN if _is_of(memory, own) else 1.0)


def _urgency(memory: Memory, now: datetime, own: str | None) -> float:
    said = registration_of(memory).details.get(PRIORITY, Priority.MEDIUM)
    urgency = _URGENCY[Priority(said)] * recency(days_between(memory.valid_at, now))
    return urgency * (_OWN if _is_of(memory, own) else 1.0)


def _is_of(memory: Memory, session: str | None) -> bool:
    return session is not None and (
        memory.session_id == session or session in registration_of(memory).conversations
    )


def _thread_text(memory: Memory) -> str:
    title, content = title_of(memory), content_of(memory)
    return f"{title}: {content}" if content else title


def _is_new(memory: Memory, since: datetime | None, session: str | None) -> bool:
    is_others = memory.session_id is None or memory.session_id != session
    return since is not None and is_others and memory.created_at > since


def without(offers: Sequence[Offer], known: Set[str]) -> list[Offer]:
    """The offers without what is in the session's context already, by logical id."""
    return [
        each
        for each in offers
        if each.memory.logical_id not in known and not known & set(sources_of(each.memory))
    ]
