"""The turns that change a statement as the answers to them tell, wherever they were said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from datetime import datetime
from itertools import chain
from typing import Final

import numpy as np

from engramforge.answer.injection.kept.talks import Talks
from engramforge.answer.injection.naming import Asked, places_of_each
from engramforge.answer.injection.offers import SAID
from engramforge.answer.injection.stated import told_of
from engramforge.core.detection.whose.speakers import voice_of
from engramforge.core.injection.inputs.overtaking import is_of_a_matter
from engramforge.core.injection.inputs.slots import amounts_in
from engramforge.core.pointing.meant import Choice, meant
from engramforge.core.pointing.pointed import pointed_in
from engramforge.core.pointing.reported import may_report_another, reports_another
from engramforge.core.text.words import content_words, words_of
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.detection import Talk, Voice
from engramforge.model.search.selection import Selection
from engramforge.model.time import TimeRange
from engramforge.recall.request import PRESENT, in_time
from engramforge.store.door import View

_NAMED: Final = 6
_ANSWERS: Final = 8
_LONGEST_ANSWER: Final = 200
"""By how many words of a statement answers of later sessions are looked for, how many are read, and how long ones."""


def answers_since(
    view: View, memories: Sequence[Memory], are_followed: Sequence[bool], talks: Talks, now: datetime
) -> tuple[list[list[Memory]], list[list[Memory]]]:
    """Of each of some memories the newest answers since that have a word of it, where it is followed, and those of them
    that report a change; one look for all."""
    asked = [Asked(_words_of_matter(told_of(each)), _ANSWERS) for each in memories]
    since = TimeRange(start=min(each.valid_at for each in memories))
    selection = in_time(Selection(kinds=(Kind.RESPONSE,), valid_range=since), PRESENT, now)
    # Of the newest since the first of them those since another are the newest since that.
    found = [places.tolist() for places, _ in places_of_each(view, selection, *asked)]
    followed = [its if is_it else [] for its, is_it in zip(found, are_followed, strict=True)]
    every = list(dict.fromkeys(chain.from_iterable(followed)))
    fetched = view.fetch_at(np.array(every, np.int64)) if every else {}
    reports = talks.that_change(view, set(chain.from_iterable(found)))
    answers, reported = (
        [
            [its[place] for place in places if place in its and its[place].valid_at >= memory.valid_at]
            for memory, places in zip(memories, chosen, strict=True)
        ]
        for its, chosen in ((fetched, followed), (reports, found))
    )
    return answers, reported


def _words_of_matter(said: str) -> list[str]:
    return [word for word in content_words(words_of(said.casefold())) if is_of_a_matter(word)][:_NAMED]


def changed_by_answers(
    view: View, memory: Memory, answers: Iterable[Memory], now: datetime
) -> dict[str, Memory]:
    """The turns of later sessions that change a statement without naming it, by what was answered to them: "set it to
    365", and "Set the interval of the tests to 365 days."."""
    changed: dict[str, Memory] = {}
    for answer in answers:
        is_other = answer.session_id is not None and answer.session_id != memory.session_id
        if not is_other or len(answer.content) > _LONGEST_ANSWER or not any(amounts_in(answer.content)):
            continue
        turn = prompt_of(view, answer, now)
        given = None if turn is None or voice_of(turn) is not Voice.OWN else pointed_in(turn.content)
        if turn is None or given is None or given.is_name:
            continue
        if meant(given, Talk((), answer.content), [Choice(told_of(memory), "")]) == ([0], True):
            changed[turn.logical_id] = turn
    return changed


def changed_by_reports(
    view: View, memory: Memory, texts: Iterable[str], reports: Iterable[Memory], own: Set[str], now: datetime
) -> dict[str, Memory]:
    """The turns that change a statement in whatever words, as the answers to them report: "Backups are kept for 90 days
    now.". `texts`: what it says; `own`: the logical ids of it and its sources."""
    changed: dict[str, Memory] = {}
    for answer in sorted(reports, key=lambda each: each.valid_at):
        if answer.id == memory.id or answer.session_id is None:
            continue
        its = [text for text in texts if may_report_another(answer.content, text)]
        turn = prompt_of(view, answer, now) if its else None
        if turn is None or turn.logical_id in own or voice_of(turn) is not Voice.OWN:
            continue
        is_changed = bool(changed)
        if any(reports_another(turn.content, answer.content, text, is_changed=is_changed) for text in its):
            changed[turn.logical_id] = turn
    return changed


def prompt_of(view: View, response: Memory, now: datetime) -> Memory | None:
    """What a response was said to."""
    before = Selection(
        kinds=SAID, session_id=response.session_id, valid_range=TimeRange(end=response.valid_at)
    )
    return next(iter(view.browse(in_time(before, PRESENT, now), 1)), None)
