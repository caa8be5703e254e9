"""What a person said since against what is about to be told: an older value by itself is worse than silence.

Whether or not a registry has either, the later turn is told before the older one, both with their dates; where the
session has the later one before its eyes, by its own turns or by an injection, the older one is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from itertools import islice
from typing import Final

from engramforge.answer.injection.decided import beside, cut
from engramforge.answer.injection.kept.talks import Moment, Talks
from engramforge.answer.injection.naming import Asked, with_names
from engramforge.answer.injection.occasion import Occasion
from engramforge.answer.injection.offers import SAID, Offer, sources_of
from engramforge.answer.injection.since.answers import (
    answers_since,
    changed_by_answers,
    changed_by_reports,
    prompt_of,
)
from engramforge.answer.injection.stated import told_of, with_question
from engramforge.core.detection.whose.speakers import voice_of
from engramforge.core.injection.gate import asks
from engramforge.core.injection.inputs.matters import distinctive
from engramforge.core.injection.inputs.overtaking import (
    left_standing,
    looked_for,
    overtakes,
    repeats,
)
from engramforge.core.injection.inputs.slots import values_of
from engramforge.core.injection.warnings import standing_warning
from engramforge.core.pointing.in_talk import changed_as_reported, changed_in_talk, changed_unnamed
from engramforge.core.pointing.meant import Choice, meant
from engramforge.core.pointing.ordered import orders_another
from engramforge.core.pointing.pointed import Pointed, pointed_in
from engramforge.model.injection import Reason
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.detection import Said, Talk, Voice
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.time import TimeRange
from engramforge.recall.outcomes import outcomes
from engramforge.recall.request import PRESENT, in_time
from engramforge.store.door import Door, View

_MAY_BE_STALE: Final = frozenset((*SAID, Kind.RESPONSE, Kind.DECISION))
_MOST: Final = 20
_MOST_FOR_EACH: Final = 4
"""Later turns that are looked at: altogether, or for each statement where those are many."""
_AFTER: Final = 12
"""Turns of its own session behind a statement that are looked at."""
_AFTER_A_QUESTION: Final = 6
_QUESTIONS: Final = 3
"""Turns behind a later question of a statement that are looked at, and of how many such questions."""
_SHORT_TURN: Final = 160
_VALUED: Final = 300
_FOLLOWED: Final = 3
_TURNS_KEPT: Final = 128
"""How many turns are kept as they were read."""
_PAIRS_KEPT: Final = 2_048
_SHORT_PAIR: Final = 600
"""Of how many turns and statements it is kept whether the one changes the other, and characters of such a pair."""
_BEFORE: Final = 1.01
"""How much more the later turn counts than what it overtakes."""


@dataclass(frozen=True, slots=True)
class _Statement:
    """What is about to be told, in the words that a later turn may be of. `changed`: the turns that change it without
    naming it, by logical id."""

    memory: Memory
    texts: frozenset[str]
    changed: dict[str, Memory]


@dataclass(frozen=True, slots=True)
class Overtaken:
    """Looks for the last turn of a person that changes what is about to be told."""

    door: Door
    clock: Callable[[], datetime]
    talks: Talks

    def as_said_since(
        self, scope: Scope, offers: Sequence[Offer], asked: Occasion, known: Set[str]
    ) -> list[Offer]:
        """The offers, before each that was overtaken the later turn. `known`: logical ids of what is in the session's
        context, beside its own turns."""
        stale = [each for each in offers if _may_be_stale(each)]
        for project in dict.fromkeys(each.memory.project for each in stale):
            own = scope if project is None else scope.within(project)
            older = [each for each in stale if each.memory.project == project]
            offers = self._of_project(own, offers, older, asked, known)
        return list(offers)

    def _of_project(
        self,
        scope: Scope,
        offers: Sequence[Offer],
        older: Sequence[Offer],
        asked: Occasion,
        known: Set[str],
    ) -> list[Offer]:
        with self.door.asking(scope) as view:
            now = self.clock()
            found = _statements(view, older, self.talks, now)
            named, ended = self._named_since(view, list(found.values()))
            of_talks = [each for each in named if each.session_id is not None and _begins_a_change(each)]
            statements = _with_talk_of(view, found, of_talks, self.talks, now)
        kept = {each.logical_id: each for each in named}
        kept |= {key: turn for each in statements.values() for key, turn in each.changed.items()}
        own = [each for key, each in kept.items() if voice_of(each) is Voice.OWN and key not in ended]
        later = sorted(own, key=lambda each: each.valid_at, reverse=True)
        told: list[Offer] = []
        for offer in offers:
            said = statements.get(id(offer))
            newer = None if said is None else _newer(said, later)
            if said is None or newer is None or _is_quoted(newer, offer):
                told.append(offer)
                continue
            is_before_eyes = asked.is_in_context(newer) or newer.logical_id in known
            if not is_before_eyes:
                worth = offer.priority * _BEFORE
                told.append(replace(offer, memory=newer, said=_told(newer, said), priority=worth))
            # The values beside the one that was changed hold.
            turns = [each.content for each in later if each.valid_at > offer.memory.valid_at]
            rest = left_standing(turns, told_of(offer.memory))
            if rest and distinctive(rest) & distinctive(asked.prompt):
                told.append(replace(offer, said=rest))
            elif not (is_before_eyes or rest or _is_alone(offer)):
                told.append(replace(offer, only_with=newer.logical_id))
        return told

    def _named_since(self, view: View, statements: Sequence[_Statement]) -> tuple[list[Memory], Set[str]]:
        """What was said since the first of these statements that has a word of one, and the logical ids of what has
        ended of it."""
        texts = (text for each in statements for text in each.texts)
        names = list(dict.fromkeys(name for text in texts for name in looked_for(text)))
        if not names:
            return [], frozenset()
        since = TimeRange(start=min(each.memory.valid_at for each in statements))
        selection = in_time(Selection(kinds=SAID, valid_range=since), PRESENT, self.clock())
        most = max(_MOST, _MOST_FOR_EACH * len(statements))
        found, entries = with_names(view, selection, Asked(names, most))
        return found, frozenset(outcomes(view, entries))


def _may_be_stale(offer: Offer) -> bool:
    """Whether a later turn may have changed what is offered; a warning is lifted otherwise, and where the last session
    stopped nothing came after."""
    if offer.is_for_good or offer.memory.kind not in _MAY_BE_STALE or offer.reason is Reason.STOPPED_AT:
        return False
    return offer.memory.kind is Kind.DECISION or _warning_in(offer.memory.content) is None


_warning_in = lru_cache(maxsize=_TURNS_KEPT)(standing_warning)


def _is_alone(offer: Offer) -> bool:
    """Whether what is offered is told only while it holds, and nothing of it where it was changed: a plain value."""
    return offer.reason is Reason.HOLDS and offer.memory.kind is not Kind.DECISION


def _is_quoted(newer: Memory, offer: Offer) -> bool:
    """Whether a decision is told with a later turn behind it."""
    return offer.memory.kind is Kind.DECISION and beside(offer.memory, newer.content) == offer.said


def _statements(view: View, offers: Sequence[Offer], talks: Talks, now: datetime) -> dict[int, _Statement]:
    """What each of the offers says, by its identity."""
    texts = {id(each): frozenset((each.said, told_of(each.memory))) for each in offers}
    followed = {id(each) for each in offers if _is_followed(each.memory, texts[id(each)])}
    memories = [each.memory for each in offers]
    answered, reported = answers_since(view, memories, [id(each) in followed for each in offers], talks, now)
    begun = {
        id(each): (session, each.memory.valid_at) for each in offers if (session := _session_of(each.memory))
    }
    turns = talks.after(view, set(begun.values()), _AFTER, now)
    told: dict[int, _Statement] = {}
    for each, answers, reports in zip(offers, answered, reported, strict=True):
        key, memory = id(each), each.memory
        after = turns[begun[key]] if key in begun else []
        own = {memory.logical_id, *sources_of(memory)}
        if key in followed:
            said = _followed(view, memory, texts[key], answers, after, now)
        else:
            said = _Statement(memory, texts[key], changed_in_talk(after, told_of(memory), own))
        changed = said.changed | changed_as_reported(after, said.texts, own)
        changed |= changed_by_reports(view, said.memory, said.texts, reports, own, now)
        told[key] = replace(said, changed=changed)
    return told


def _is_followed(memory: Memory, texts: Set[str]) -> bool:
    """Whether a statement has a value, which turns that do not name it may change."""
    is_of_session = memory.session_id is not None and memory.kind is not Kind.DECISION
    return is_of_session and any(map(_has_value, texts))


def _followed(
    view: View,
    memory: Memory,
    said: frozenset[str],
    answers: Sequence[Memory],
    turns: Sequence[Memory],
    now: datetime,
) -> _Statement:
    """What is said, also without what it is told with: a reply's question says much beside. An answer repeats what it
    was said to, and a turn of the session may change it without naming it ("set it to 12")."""
    texts = set(said)
    prompt = prompt_of(view, memory, now) if memory.kind is Kind.RESPONSE else None
    if prompt is not None and voice_of(prompt) is Voice.OWN and repeats(memory.content, prompt.content):
        texts |= {prompt.content, f"{prompt.content} {memory.content}"}
    changed = changed_by_answers(view, memory, answers, now)
    changed |= changed_unnamed([each for each in turns if each.id != memory.id], texts)
    changed |= changed_in_talk(turns, told_of(memory), {memory.logical_id})
    return _Statement(memory, frozenset(texts), changed)


def _session_of(memory: Memory) -> str | None:
    """The conversation in which a memory, or what an entry was read from, was said."""
    return memory.session_id if memory.registration is None else memory.registration.origin


def _with_talk_of(
    view: View, found: Mapping[int, _Statement], turns: Sequence[Memory], talks: Talks, now: datetime
) -> dict[int, _Statement]:
    """The statements also with what changes them behind later questions, and other short turns, of them elsewhere."""
    newest = sorted(turns, key=lambda each: each.valid_at, reverse=True)
    asked = [each for each in newest if asks(each.content)]
    others = [(each, _matter_of(each.content)) for each in newest if each not in asked]
    later = {key: _told_after(said.memory, asked, others) for key, said in found.items()}
    behind = talks.after(view, {each for its in later.values() for each in its}, _AFTER_A_QUESTION, now)
    statements: dict[int, _Statement] = {}
    for key, said in found.items():
        memory, changed = said.memory, dict(said.changed)
        for each in later[key]:
            own = {memory.logical_id, *changed}
            changed |= changed_in_talk(behind[each], told_of(memory), own)
            changed |= changed_as_reported(behind[each], said.texts, own)
        statements[key] = replace(said, changed=changed)
    return statements


def _begins_a_change(turn: Memory) -> bool:
    """Whether behind a turn, or by it, something may be changed: a question, or few words of a person."""
    return asks(turn.content) or len(turn.content) <= _SHORT_TURN


def _told_after(
    memory: Memory, asked: Sequence[Memory], others: Sequence[tuple[Memory, frozenset[str]]]
) -> list[Moment]:
    """The last questions that were asked elsewhere behind a statement, and the last turns that have a word of its
    matter; none behind an answer. `asked`, `others`: the newest first, the latter with their words of a matter."""
    if memory.kind is Kind.RESPONSE:
        return []
    own, matter = _session_of(memory), _matter_of(told_of(memory))

    def is_later(each: Memory) -> bool:
        return each.session_id != own and each.valid_at > memory.valid_at

    of_it = (each for each, its in others if not matter.isdisjoint(its) and is_later(each))
    newest = (*islice(filter(is_later, asked), _QUESTIONS), *islice(of_it, _QUESTIONS))
    return [(each.session_id, each.valid_at) for each in newest if each.session_id is not None]


_matter_of = lru_cache(maxsize=_TURNS_KEPT)(distinctive)


def _has_value(text: str) -> bool:
    return any(map(str.isdecimal, text)) or bool(values_of(text[:_VALUED]))


def _told(newer: Memory, said: _Statement) -> str:
    """A later turn as it is told: with what it changes, where it does not name that."""
    is_unnamed = newer.logical_id in said.changed
    return with_question(newer, cut(told_of(said.memory))) if is_unnamed else newer.content


def _changes(later: str, earlier: str) -> bool:
    """Whether a turn changes a statement; kept where both are short, for the same are told again and again."""
    return (_changes_kept if len(later) + len(earlier) <= _SHORT_PAIR else _changes_read)(later, earlier)


def _changes_read(later: str, earlier: str) -> bool:
    """The same as it is read: also where it names that ahead of a pronoun ("the hull is dull. make it red")."""
    if overtakes(later, earlier) or orders_another(later, earlier):
        return True
    given = _given_ahead(later)
    return given is not None and bool(
        meant(given, Talk((Said(given.before, "", True),)), [Choice(earlier, "")])[0]
    )


_changes_kept = lru_cache(maxsize=_PAIRS_KEPT)(_changes_read)


@lru_cache(maxsize=_TURNS_KEPT)
def _given_ahead(later: str) -> Pointed | None:
    """What a turn gives by a pronoun, ahead of which it says something; kept, for each turn is compared with each
    statement."""
    given = pointed_in(later)
    return None if given is None or given.is_name or not given.before else given


def _newer(said: _Statement, later: Sequence[Memory]) -> Memory | None:
    """The last of these turns, newest first, that overtakes a statement, or what has overtaken that."""
    own = {said.memory.logical_id, *sources_of(said.memory)}
    since = [each for each in later if each.logical_id not in own]
    newest, texts, at = None, set(said.texts), said.memory.valid_at
    for _ in range(_FOLLOWED):
        after = (
            each
            for each in since
            if each.valid_at > at
            and (each.logical_id in said.changed or any(_changes(each.content, text) for text in texts))
        )
        if (found := next(after, None)) is None:
            break
        # "Back to 15" says of what only together with what it takes back.
        newest, at = found, found.valid_at
        texts = {f"{text} {newest.content}" for text in texts}
    return newest
