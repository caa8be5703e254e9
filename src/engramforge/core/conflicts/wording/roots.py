"""The root of a word beyond its stem: irregular verbs, and verbs whose particle makes a noun of them.

"Flown" is a form of "fly", which no stemmer knows; "backed up" says of a thing what "backups of it" says. Both matter
to comparing alone: what is indexed is analysed by stems (core/text/words).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from engramforge.core.text.words import stem_of

_FORMS: Final = (
    "become became", "begin began begun", "bind bound", "blow blew blown", "break broke broken", "breed bred",
    "bring brought", "build built", "burn burnt", "buy bought", "catch caught", "choose chose chosen", "deal dealt",
    "dig dug", "do did done", "draw drew drawn", "drive drove driven", "eat ate eaten", "fall fell fallen", "feed fed",
    "find found", "fly flew flown", "forbid forbade forbidden", "freeze froze frozen", "give gave given",
    "go went gone", "grow grew grown", "hang hung", "hide hid hidden", "hold held", "keep kept", "know knew known",
    "lay laid", "lead led", "learn learnt", "leave left", "lend lent", "light lit", "lose lost", "make made",
    "meet met", "pay paid", "ride rode ridden", "ring rang rung", "rise rose risen", "run ran", "say said",
    "see saw seen", "sell sold", "send sent", "shake shook shaken", "shoot shot", "show shown", "sing sang sung",
    "sink sank sunk", "sleep slept", "speak spoke spoken", "spend spent", "steal stole stolen", "stick stuck",
    "sweep swept", "swim swam swum", "take took taken", "teach taught", "tear tore torn", "tell told", "think thought",
    "throw threw thrown", "understand understood", "wake woke woken", "wear wore worn", "win won",
    "withdraw withdrew withdrawn", "write wrote written",
)  # fmt: skip
"""Verbs, and the forms of which Snowball makes another stem."""
_BASES: Final = {form: verb for verb, *forms in map(str.split, _FORMS) for form in forms}
_KEPT: Final = 32_768
_PHRASAL: Final = {
    (stem_of(verb), particle): noun
    for noun, verb, particle in (
        ("backup", "back", "up"), ("signoff", "sign", "off"), ("signup", "sign", "up"), ("rollback", "roll", "back"),
        ("rollout", "roll", "out"), ("setup", "set", "up"), ("cleanup", "clean", "up"), ("shutdown", "shut", "down"),
        ("handover", "hand", "over"), ("takeover", "take", "over"), ("logout", "log", "out"),
        ("lockdown", "lock", "down"), ("payout", "pay", "out"), ("pickup", "pick", "up"), ("startup", "start", "up"),
        ("writeoff", "write", "off"), ("checkout", "check", "out"), ("buyout", "buy", "out"),
    )
}  # fmt: skip
_PARTICLES: Final = frozenset(particle for _, particle in _PHRASAL)


@lru_cache(maxsize=_KEPT)
def root_of(word: str) -> str:
    """The stem of a word, of an irregular form that of its verb.

    >>> root_of("flown") == root_of("fly"), root_of("Flights".lower())
    (True, 'flight')
    """
    return stem_of(_BASES.get(word, word))


def with_phrasal(words: Sequence[str]) -> list[str]:
    """The words, of which a verb with its particle is the noun that the two make.

    >>> with_phrasal(["tapes", "are", "backed", "up"])
    ['tapes', 'are', 'backup']
    """
    if _PARTICLES.isdisjoint(words):
        return list(words)
    found: list[str] = []
    for word in words:
        noun = _PHRASAL.get((root_of(found[-1]), word)) if found and word in _PARTICLES else None
        if noun is None:
            found.append(word)
        else:
            found[-1] = noun
    return found
