"""Two statements name different holders of one thing that one alone holds: who owns it, who decides it.

Holders that share a matter ("together with", "Ines and Tomasz"), deputies, and rules for everybody are left alone.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from engramforge.core.conflicts.matters.alternatives import is_alternative
from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.conflicts.statements import KEPT, NEGATORS
from engramforge.core.text.words import root_of, roots_of, words_of

STRENGTH: Final = 0.65
_HOLDS: Final = (
    (
        "holds",
        r"owns|maintains|looks after|is in charge of|is responsible for|is the owner of|takes care of|heads",
        r"(?:is|are) (?:owned|maintained|looked after|headed) by|belongs? to",
    ),
    (
        "decides",
        r"decides(?: on)?|approves|signs off(?: on)?|has the last word on",
        r"(?:is|are) (?:decided|approved|signed off) by",
    ),
    ("writes", r"writes", r"(?:is|are) written by"),
    ("edits", r"edits", r"(?:is|are) edited by"),
    ("leads", r"leads|chairs|moderates", r"(?:is|are) (?:led|chaired|moderated) by"),
    ("organises", r"organi[sz]es|plans", r"(?:is|are) (?:organi[sz]ed|planned) by"),
)
_OF_ONE_THING: Final = frozenset({"holds", "decides"})
"""What one alone does whatever it is; the rest only where the thing is a definite one ("the newsletter")."""
_DEFINITE: Final = re.compile(r"(?i)\A(?:the|our|this) (?![^.]{0,60}s\Z)")  # fmt: skip
_PATTERNS: Final = tuple(
    (name, re.compile(rf"(?i) (?:{active}) "), re.compile(rf"(?i) (?:{passive}) "))
    for name, active, passive in _HOLDS
)
_OWNER: Final = re.compile(r"(?i)\A(?:the )?(?:owner|maintainer|lead|head) of (.{2,60}?) is (?=\S)")
_ENDS: Final = re.compile(r"(?i)[,;:.(](?:\s|\Z)| (?:because|since|until|from|as of|but|and|so that) ")
_SHARED: Final = re.compile(
    r"(?i)\b(?:and|or|also|together|jointly|deputy|deputies|one of|both|everybody|everyone|anybody|anyone|each|every"
    r"|all|any|co|who|which|usually|sometimes|either|no|nobody|if|when)\b"
)
_PERSON: Final = re.compile(r"[A-Z][\w'-]{1,20}(?: [A-Z][\w'-]{1,20}){0,2}")
_MOST: Final = 6
"""Words of a holder."""


class Held(NamedTuple):
    """Who holds what, in which way: roots, and the holder as it is written."""

    way: str
    holder: frozenset[str]
    thing: frozenset[str]
    said: str


@lru_cache(maxsize=KEPT)
def held(text: str) -> Held | None:
    """What a text says that somebody holds; None where it says nothing of it.

    >>> held("The key register is owned by Marta since May.").said
    'Marta'
    """
    text = _OWNER.sub(r"\1 is owned by ", text)
    for way, active, passive in _PATTERNS:
        for pattern, is_passive in ((active, False), (passive, True)):
            found = pattern.search(text)
            if found is None:
                continue
            before, behind = text[: found.start()].strip(), text[found.end() :]
            end = _ENDS.search(behind)
            behind = behind[: end.start()] if end is not None else behind
            holder, thing = (behind, before) if is_passive else (before, behind)
            about = roots_of(holder), roots_of(thing)
            if not all(about) or len(words_of(holder)) > _MOST or _SHARED.search(holder):
                return None
            if way not in _OF_ONE_THING and not (_DEFINITE.match(thing) and _is_person(holder)):
                continue
            return (
                None if NEGATORS & set(words_of(text)) - {"nobody"} else Held(way, *about, holder.strip(" ."))
            )
    return None


def _is_person(holder: str) -> bool:
    """Whether a holder is written like a person's name: "the worker writes the log" tells of one of many."""
    holder = holder.strip(" .")
    return _PERSON.fullmatch(holder) is not None and not is_alternative(holder)


def other_holder(text: str, other: str) -> Disagreement | None:
    """Different holders of one thing.

    >>> other_holder("Marta owns the key register.", "Olek is in charge of the key register.").why
    'Marta against Olek for key, register'
    """
    mine, theirs = held(text), held(other)
    if mine is None or theirs is None or mine.way != theirs.way or mine.thing != theirs.thing:
        return None
    if mine.holder <= theirs.holder or theirs.holder <= mine.holder:
        return None
    of = ", ".join(dict.fromkeys(word for word in words_of(text) if root_of(word) in mine.thing))
    return Disagreement(Signal.CHOICE, f"{mine.said} against {theirs.said} for {of}", STRENGTH)
