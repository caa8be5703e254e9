"""Verbs whose particle makes a noun of them: "backed up" says of a thing what "backups of it" says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engramforge.core.text.words import root_of, stem_of

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
