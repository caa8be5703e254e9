"""Which turns of a captured conversation belong to a change: what is taken back with it, and what stays.

Hooks are taken in as they come, several at once where a daemon was away: an answer may be written with the prompt
behind it, or apart from its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

from engramforge.core.text.portions import excerpt_within
from engramforge.errors import NotConfirmed
from engramforge.model.memory import Kind, Memory, Source
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.time import AsOf, TimeRange
from engramforge.store.door import Door, View
from engramforge.writing.undoing.undo_plan import READ, Found

TURNS: Final = (Kind.PROMPT, Kind.RESPONSE)
_LIVE: Final = (Source.USER_PROMPT, Source.ASSISTANT_RESPONSE)
_QUOTED: Final = 70
_NEXT: Final = 8
"""How many turns behind a prompt are looked at for its answers."""


def with_turns(door: Door, scope: Scope, found: Found, now: datetime) -> Found:
    """A captured change with all of the turns that it is of, and with no others."""
    if found.action != "import":
        return found
    return _with_answers(door, scope, _without_others(door, scope, _with_prompt(door, scope, found)), now)


def _with_prompt(door: Door, scope: Scope, found: Found) -> Found:
    """A captured answer's change with the person's turn that it was read from, where nothing was registered of that
    before: who takes back what the answer made of their words takes back these as well."""
    view = door.asking(scope)
    made = view.fetch(found.effect.made).values()
    sessions = {each.session_id for each in made if each.kind is Kind.RESPONSE and each.session_id}
    if not sessions:
        return found
    own = {each.logical_id for each in made}
    links = view.links_named(sorted(each.id for each in found.effect.linked)).values()
    read = {link.target_id for link in links if link.relation in READ} - own
    turns = [
        each
        for each in view.fetch(read).values()
        if each.kind is Kind.PROMPT and each.session_id in sessions and each.version == 1
    ]
    causes = (
        [link for link in view.links(sorted(read), to_others=True) if link.relation in READ] if turns else []
    )
    registered = {link.target_id for link in causes if link.source_id not in own}
    alone = [each.id for each in turns if each.expired_at is None and each.logical_id not in registered]
    made_too = (*found.effect.made, *alone)
    return replace(found, effect=replace(found.effect, made=made_too)) if alone else found


def _without_others(door: Door, scope: Scope, found: Found) -> Found:
    """The same without the turns of which nothing was registered, and their answers: they were only written at once."""
    view = door.asking(scope)
    turns = [each for each in view.fetch(found.effect.made).values() if each.kind in TURNS]
    turns = sorted((each for each in turns if each.source in _LIVE), key=_order)
    read = {each.logical_id for each in turns} & _read_from(view, found)
    if not read:
        return found
    others: set[str] = set()
    is_kept: dict[str | None, bool] = {}
    for each in turns:
        if each.kind is Kind.PROMPT:
            is_kept[each.session_id] = each.logical_id in read
        if each.logical_id not in read and not is_kept.get(each.session_id, False):
            others.add(each.id)
    made = tuple(each for each in found.effect.made if each not in others)
    return replace(found, effect=replace(found.effect, made=made)) if others else found


def _with_answers(door: Door, scope: Scope, found: Found, now: datetime) -> Found:
    """The same with the answers to its prompts of which nothing was registered: "Switched to Deno." tells of what is
    taken back."""
    view = door.asking(scope)
    made = view.fetch(found.effect.made).values()
    asked = [each for each in made if each.kind is Kind.PROMPT and each.source in _LIVE and each.session_id]
    answers = {each.id: each for prompt in asked for each in _answers(door, scope, prompt, now)}
    alone = _unregistered(view, answers)
    made_too = tuple(each for each in alone if each not in found.effect.made)
    effect = replace(found.effect, made=(*found.effect.made, *made_too))
    return replace(found, effect=effect) if made_too else found


def _answers(door: Door, scope: Scope, prompt: Memory, now: datetime) -> Iterable[Memory]:
    """What was captured as said to a prompt, up to the next one."""
    since = TimeRange(prompt.valid_at, None)
    said = Selection(kinds=TURNS, session_id=prompt.session_id, valid_range=since, as_of=AsOf(now, now))
    turns = door.asking(scope.within(prompt.project)).browse(said, _NEXT, newest_first=False)
    for each in sorted((each for each in turns if _order(each) > _order(prompt)), key=_order):
        if each.kind is Kind.PROMPT:
            return
        if each.version == 1 and each.source in _LIVE:
            yield each


def _unregistered(view: View, turns: Mapping[str, Memory]) -> list[str]:
    """The ids of turns from which nothing was read."""
    if not turns:
        return []
    links = view.links(sorted({each.logical_id for each in turns.values()}), to_others=True)
    registered = {link.target_id for link in links if link.relation in READ}
    return [name for name, each in turns.items() if each.logical_id not in registered]


def _read_from(view: View, found: Found) -> set[str]:
    """What a change read something from, by its links."""
    links = view.links_named(sorted(each.id for each in found.effect.linked)).values()
    return {link.target_id for link in links if link.relation in READ}


def _order(turn: Memory) -> tuple[object, ...]:
    return turn.valid_at, turn.sequence or 0, turn.id


def not_of_the_last(view: View, found: Found, last: Memory) -> NotConfirmed:
    """Why a change is not taken back unasked: who undoes means what was said last, and it is of something before."""
    is_prompt = last.kind is Kind.PROMPT
    at = f"{last.told_at:%Y-%m-%d %H:%M}"
    which = f"({at}, {_quoted(last)})" if is_prompt else f"(answered {at})"
    of = _told_of(view, found) or last
    return NotConfirmed(
        f"Nothing was {'registered' if is_prompt else 'kept'} of the last prompt {which}; the last change is of"
        f" {of.told_at:%Y-%m-%d %H:%M}: {_quoted(of)}",
        "Nothing was changed yet; confirm it by --yes, in Python by confirmed=True",
    )


def not_after_forgetting(view: View, found: Found, what: str) -> NotConfirmed:
    """Why a change is not taken back unasked behind a forgetting, of which nothing tells in which project it was."""
    of = _told_of(view, found)
    told = "" if of is None else f": {_quoted(of)}"
    return NotConfirmed(
        f"Since then {what} was forgotten, in this project or another, which cannot be undone; the last change before"
        f" is of {found.line.at:%Y-%m-%d %H:%M}{told}",
        "Nothing was changed yet; confirm it by --yes, in Python by confirmed=True",
    )


def _told_of(view: View, found: Found) -> Memory | None:
    """The record by which a change is told of: a turn, if it made one."""
    made = list(view.fetch((*found.effect.made, *found.effect.closed)).values())
    return next((each for each in made if each.kind in TURNS), made[0] if made else None)


def _quoted(turn: Memory) -> str:
    return f'"{excerpt_within(" ".join(turn.content.split()), _QUOTED, 1)}"'
