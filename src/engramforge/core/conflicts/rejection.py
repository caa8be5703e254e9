"""One chooses what the other explicitly rejected, for the same matter.

What is rejected for sessions may well be chosen for the catalogue: beside the alternative itself, the two statements
must be about the same.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from engramforge.core.conflicts.matters.alternative_kinds import WHOLE
from engramforge.core.conflicts.matters.alternatives import chosen
from engramforge.core.conflicts.matters.matter import CONTRASTS, Matter, is_same_matter, read_matter
from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.conflicts.statements import Statement, read_statement
from engramforge.core.text.words import root_of, words_of

STRENGTH: Final = 0.9
_MOST_CHOSEN: Final = 4
IN_WORDS: Final = 0.8
_REJECTS: Final = re.compile(
    r"(?i)\bwe (?:have )?(?:rejected|ruled out|decided against|turned down|discarded|dismissed)\b"
    r"|\b(?:was|were|is|are|has been) (?:rejected|ruled out|turned down|discarded|dismissed)\b"
)
_ONCE: Final = WHOLE | {"API style"}
_APART: Final = CONTRASTS - frozenset(
    map(root_of, ("backend", "frontend", "mobile", "web", "desktop", "ios", "android"))
)
_SUPPORTING: Final = frozenset(map(root_of, ("support", "accept", "available", "admit")))
"""Verbs of choosing something for others."""
_REJECTING: Final = frozenset(
    map(root_of, words_of("rejected ruled decided against turned down discarded dismissed"))
)
_SHOWN: Final = 80
_MOSTLY: Final = 2 / 3


def rejected_alternative(
    one: Statement,
    other: Statement,
    rejected: Sequence[str],
    rejected_by_other: Sequence[str],
    *,
    is_one_matter: bool = False,
) -> Disagreement | None:
    """The alternatives that each rejected against what the other says. `is_one_matter`: they speak of the same.

    >>> from engramforge.core.conflicts.statements import read_statement
    >>> told = read_statement("Use Kafka as the event bus"), read_statement("RabbitMQ carries all events")
    >>> rejected_alternative(*told, ["RabbitMQ"], []).why
    'one chooses what the other rejected (RabbitMQ)'
    """
    for choosing, rejecting, turned_down in ((other, one, rejected), (one, other, rejected_by_other)):
        for alternative in turned_down:
            if _chooses(choosing, alternative) and (
                is_one_matter or _is_same(choosing.text, rejecting.text, alternative)
            ):
                return Disagreement(
                    Signal.REJECTED, f"one chooses what the other rejected ({alternative[:_SHOWN]})", STRENGTH
                )
    return None


def rejected_in_words(one: Matter, other: Matter) -> Disagreement | None:
    """One says that it rejected, for whatever, what the other chooses, of a kind of which one is chosen for everything.

    >>> told = read_matter("We ruled out GraphQL."), read_matter("The clients talk GraphQL.")
    >>> rejected_in_words(*told).why
    'one chooses what the other rejected (GraphQL)'
    """
    for rejecting, choosing in ((one, other), (other, one)):
        if _REJECTS.search(rejecting.text) is None or _REJECTS.search(choosing.text) is not None:
            continue
        if rejecting.negated or choosing.negated or choosing.about() & _APART:
            continue
        theirs = {(each.kind, each.which) for each in chosen(choosing) if each.kind in _ONCE}
        for each in chosen(rejecting):
            beside = rejecting.about(each.places) - _REJECTING
            if (each.kind, each.which) in theirs and not beside:
                return Disagreement(
                    Signal.REJECTED, f"one chooses what the other rejected ({each.said})", IN_WORDS
                )
    return None


def _chooses(statement: Statement, alternative: str) -> bool:
    """Whether a statement holds every word of an alternative, none of them negated."""
    wanted = {word.stem for word in read_statement(alternative).words}
    holding = {word.stem for word in statement.words if not word.negated}
    return bool(wanted) and wanted <= holding


def _is_same(choosing: str, rejecting: str, alternative: str) -> bool:
    """Whether a text chooses an alternative for what another one, which rejected it, is about."""
    turned_down = frozenset(map(root_of, words_of(alternative)))
    one, other = read_matter(choosing), read_matter(rejecting)
    of, of_other = _about(one, turned_down), _about(other, turned_down)
    if not any(map(str.isalpha, of_other)):  # the other names its choice alone, at most with a version
        return True
    shared, fewer = of & of_other, min(len(of), len(of_other))
    is_most = fewer > 1 and len(shared) >= _MOSTLY * fewer
    return is_most or is_same_matter(of, of_other, one.is_universal, other.is_universal)


def _about(matter: Matter, without: Collection[str]) -> frozenset[str]:
    named = frozenset(at for each in chosen(matter) for at in each.places)
    # What stands before "only" at the beginning is what was chosen: "phones only for the first season".
    alone = range(matter.words[:_MOST_CHOSEN].index("only")) if "only" in matter.words[:_MOST_CHOSEN] else ()
    return matter.about(named | set(alone), without) - _SUPPORTING
