"""Two statements say contrary things of one subject, in words that no opposite tells: free, and what it costs.

Each way has two sides, told by the shape of a whole sentence: what is free or not taken, and what costs something, or
who pays for it; what is possible, and what nobody gives; what is public, and what is for some alone; who needs
something, and who does without it. Subjects are the same in all words; a sentence that says more ("free on Mondays")
has no such shape.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.conflicts.statements import KEPT
from engramforge.core.text.words import root_of, roots_of, words_of

STRENGTH: Final = 0.65
_LONGEST: Final = 160
_THING: Final = r"(?P<thing>[\w' -]{2,60}?)"
_SUM: Final = (
    r"(?:[€$£] ?\d[\d.,]{0,9}|\d[\d.,]{0,9} ?(?:€|euros?|eur|dollars?|usd|pounds?|francs?|cents?|crowns?))"
)
_EACH: Final = r"(?: (?:extra|each|more|(?:a|an|per) \w{1,15}))?"
_SOME: Final = r"(?:employees|staff|members|insiders|the crew|crew|admins|administrators|the team|colleagues)"
_WHO: Final = r"(?P<who>[\w'-]{3,30}(?: [\w'-]{3,30})?)"
_WHEN: Final = r"(?: (?:on|at|in|during|every|each|per) [\w' -]{2,30})?"
_SHAPES: Final = tuple(
    (way, side, re.compile(rf"(?i)\A(?:{shape})[.!]?\Z"))
    for way, side, shape in (
        ("charge", "free", rf"{_THING} (?:is|are) (?:free(?: of charge)?|gratis|complimentary|at no (?:extra )?"
                           r"(?:cost|charge)|included(?: in the price)?)"),
        ("charge", "free", rf"there (?:is|are) no {_THING}"),
        ("charge", "free", rf"we (?:take|charge|ask|ask for|want|require|demand|have) no {_THING}"),
        ("charge", "free", rf"no {_THING} (?:is|are) (?:taken|charged|needed|required|asked for|due)"),
        ("charge", "paid", rf"{_THING} (?:costs?|(?:is|are)|amounts? to) {_SUM}{_EACH}"),
        ("charge", "paid", rf"we charge {_SUM} for {_THING}"),
        ("charge", "paid", rf"we (?:take|charge|ask|ask for|want|require|demand) {_THING} of {_SUM}"),
        ("pay", "free", rf"{_THING} (?:is|are) (?:free|free of charge) for {_WHO}"),
        ("pay", "free", rf"{_WHO} (?:gets?|receives?|has|have) (?:a |an |their |the )?free {_THING}{_WHEN}"),
        ("pay", "paid", rf"{_WHO} (?:(?:have|has|need|needs) to |must )?pays? for (?:their |the |its |all )?"
                        rf"(?:own )?{_THING}{_WHEN}"),
        ("leave", "possible", rf"{_THING} (?:is|are) possible(?: (?:until|up to|at|on|in|from|within|for)"
                              r" [\w' -]{2,60})?"),
        ("leave", "refused", rf"(?:we|they) (?:give|grant|offer|allow|make) no {_THING}"),
        ("leave", "refused", rf"no {_THING} (?:is|are) (?:given|granted|offered|possible)"),
        ("access", "public", rf"{_THING} (?:is|are) (?:public|open to (?:everybody|everyone|the public|all)"
                             r"|visible to (?:everybody|everyone|all))"),
        ("access", "closed", rf"{_THING} (?:is|are) (?:internal|private|confidential|secret|for {_SOME} only"
                             rf"|only for {_SOME}|(?:open|visible) to {_SOME} only|only (?:open|visible) to {_SOME})"),
        ("need", "needed", rf"{_THING} (?:needs?|requires?|must have) (?P<what>[\w' -]{{3,60}})"),
        ("need", "without", rf"{_THING} (?:(?:may|can) )?\w{{2,15}} without (?P<what>[\w' -]{{3,60}})"),
    )
)  # fmt: skip
_MORE: Final = re.compile(r"(?i)\b(?:not|never|no longer|if|when|unless|until|only if|perhaps|for|and|or)\b")
"""What makes another thing of a subject, or of what is needed."""


class Said(NamedTuple):
    """What a text says of a thing: in which way, and on which side; of a need also of what."""

    way: str
    side: str
    thing: frozenset[str]


@lru_cache(maxsize=KEPT)
def said_of(text: str) -> Said | None:
    """Which side of a way a text takes, and for what; None for any other sentence.

    >>> said_of("The tower is free of charge."), said_of("The tower is free on Mondays.")
    (Said(way='charge', side='free', thing=frozenset({'tower'})), None)
    """
    text = text.strip()
    if len(text) > _LONGEST:
        return None
    for way, side, shape in _SHAPES:
        if (found := shape.match(text)) is None:
            continue
        parts = [part for part in found.groupdict().values() if part]
        things = [roots_of(part) for part in parts]
        if not all(things) or any(_MORE.search(part) for part in parts):
            continue
        return Said(way, side, frozenset().union(*things))
    return None


def contrary(text: str, other: str) -> Disagreement | None:
    """The two sides of one way, of one thing.

    >>> contrary("The lift costs 3 euros.", "The lift is free of charge.").why
    'one says paid and the other free: lift'
    """
    mine, theirs = said_of(text), said_of(other)
    if mine is None or theirs is None or mine.way != theirs.way:
        return None
    if mine.side == theirs.side or mine.thing != theirs.thing:
        return None
    of = dict.fromkeys(word for word in words_of(text) if root_of(word) in mine.thing)
    why = f"one says {mine.side} and the other {theirs.side}: {', '.join(of)}"
    return Disagreement(Signal.OPPOSITE, why, STRENGTH)
