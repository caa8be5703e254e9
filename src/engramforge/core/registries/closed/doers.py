"""Who does what a thread asks who does: "ines locks the yard herself" of "who locks the yard on sundays?"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from engramforge.core.registries.closed.matters import matter_of
from engramforge.core.registries.closed.questions import who_is_asked_for
from engramforge.core.registries.wording.passed_on import without_source
from engramforge.core.text.words import is_stop_word, stem_of, word_set, words_of

_LONGEST: Final = 100
_MOST_NAMES: Final = 3
"""Characters of a statement that says no more than who does something, and words that say who."""
_MODALS: Final = word_set(
    "is are was were will would should shall can could may must to be do does did going"
)
_PARTICLES: Final = word_set("off up out in on over down back away through")
_ARTICLES: Final = word_set("the our a an")
_NOBODY: Final = word_set("""
i we you it they this that these those there here he she who what which nobody noone none no not never everybody
everyone somebody someone anybody anyone one if when while as and or but ok so please let lets only maybe perhaps
""")
_OTHERS: Final = word_set("he she they")
"""Who was named right before, as the one who says so."""
_BESIDE: Final = word_set(
    "himself herself themselves itself always now alone anyway both all them it those these"
)
_DENIES: Final = word_set(
    "not never no nobody cannot maybe perhaps probably might could would should if until unless used when once soon"
)


class _Asked(NamedTuple):
    """What somebody is asked for to do: the verb, the particle behind it, "" for none, and all that is asked about."""

    verb: str
    particle: str
    matter: frozenset[str]


def may_tell_who(said: str) -> bool:
    """Whether few words may say who does something: they begin with a name and a verb, and ask and deny nothing."""
    words = words_of(without_source(said).casefold())
    if not 0 < len(said) <= _LONGEST or "?" in said or len(words) < 2 or not _DENIES.isdisjoint(words):
        return False
    return next(_places(words, is_passed_on=without_source(said) != said), None) is not None


def tells_who(said: str, title: str) -> bool:
    """Whether a statement says of somebody that they do what a title asks who does, and speaks of nothing else.

    >>> title = "who locks the yard on sundays?"
    >>> [tells_who(each, title) for each in ("ines locks it herself", "ines says she locks it herself", "ines has it")]
    [True, True, False]
    >>> tells_who("ines locks the shed", title), tells_who("ines locked the yard", title)
    (False, False)
    """
    return _told_of(said, title) is not None


def tells_surely_who(said: str, title: str) -> bool:
    """The same where the statement also names of what it is."""
    told, asked = _told_of(said, title), _asked(title)
    return told is not None and asked is not None and (bool(told) or asked.matter <= {stem_of(asked.verb)})


def _told_of(said: str, title: str) -> frozenset[str] | None:
    """What of a title's matter a statement names beside the verb; None where it does not answer."""
    asked = _asked(title)
    if asked is None or not may_tell_who(said):
        return None
    own = without_source(said)
    words = words_of(own.casefold())
    for at in _places(words, is_passed_on=own != said):
        if stem_of(words[at]) != stem_of(asked.verb) or _is_past(words[at]) != _is_past(asked.verb):
            continue
        rest = words[at + 1 :]
        if asked.particle and rest[:1] != [asked.particle]:
            continue
        beside = _BESIDE | _PARTICLES
        named = {_stem(each) for each in rest if not (is_stop_word(each) or each in beside)}
        if named <= asked.matter:
            return frozenset(named)
    return None


def _asked(title: str) -> _Asked | None:
    does = words_of(who_is_asked_for(title).casefold())
    while does and does[0] in _MODALS:
        does = does[1:]
    if not does:
        return None
    particle = next((each for each in does[1:2] if each in _PARTICLES), "")
    return _Asked(does[0], particle, matter_of(title) | {stem_of(does[0])})


def _places(words: list[str], *, is_passed_on: bool) -> Iterator[int]:
    """Where the verb of a statement may stand, in the form of the third person: behind the name that it begins with."""
    nobody = _NOBODY - _OTHERS if is_passed_on else _NOBODY
    named = 0
    for at, word in enumerate(words):
        if named and word not in _ARTICLES and (word.endswith("s") or words[at - 1].endswith("s")):
            yield at
        if word in nobody or word in _MODALS or named == _MOST_NAMES:
            return
        named += word not in _ARTICLES


def _stem(word: str) -> str:
    """The stem of a word, and of "5s" the number."""
    return word[:-1] if word[:-1].isdigit() and word.endswith("s") else stem_of(word)


def _is_past(verb: str) -> bool:
    return verb.endswith("ed")
