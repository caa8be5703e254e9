"""Turns that order another value of what they name: "change the region to ams", "the hold was too short, 15"."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engramforge.core.injection.gate import asks
from engramforge.core.injection.inputs.slots import NUMBER, UNIT
from engramforge.core.pointing.reported import Report, is_of_it, report_of
from engramforge.core.registries.changed.same_matter import means_for_now
from engramforge.core.text.late_pattern import late

_LONGEST: Final = 160
_KEPT: Final = 128
_LEAD: Final = (
    r"(?i)\A\W*(?>(?:(?:ok(?:ay)?|so|and|actually|no|nah|hm+|wait|please|pls|then|rather|let['\u2019]?s|can you"
    r"|we should|could you|now)\b\W{0,3}){0,4})"
)
_TAIL: Final = r"(?=\W*\Z|\s?[,;(\u2014\u2013]|\.\s|\s(?:then|instead|now|please|pls|because|as|since|so)\b)"
_ORDERS: Final = (
    late(
        rf"{_LEAD}(?:change|set|switch|move|migrate|raise|lower|bump|increase|decrease|reduce|extend|shorten|update)\s"
        rf"(?:the|our|all|that)\s(?P<what>[^,;:!?\n]{{2,60}}?)\s(?:from\s[^,;:!?\n]{{1,40}}?\s)?(?:back )?"
        rf"(?:over )?to\s(?P<value>[^\s,;:!?][^,;:!?\n]{{0,40}}?){_TAIL}"
    ),
    late(
        r"(?i)\A\W*(?:(?:ok(?:ay)?|so|and|hm+)\b\W{1,3}){0,2}(?P<what>[^,;:!?\n]{2,60}?)\s(?:is|was|are|were|feels|felt"
        r"|looks?|seems?|turned out)\s(?:(?:way|much|far|still|a bit|a little|just)\s)?too\s\w{2,12}"
        r"\s?[,;.:\u2014\u2013-]\s?"
        r"(?:(?:so|rather|better|make it|try|say|then|let['\u2019]?s (?:do|say|try|take))\s){0,2}"
        rf"(?P<value>{NUMBER}(?:\s?{UNIT})?)(?:\s(?:then|please|pls|instead|now|rather|it is))?\W*\Z"
    ),
)
_OUT_IN: Final = late(
    r"(?i)\A\W*(?:(?:ok(?:ay)?|so|and)\b\W{1,3}){0,2}(?!(?:log|sign|check|clock|time|opt|zoom|fade)\s)"
    r"(?P<left>[^,;:!?\n]{2,40}?)\s(?:(?:is|are|goes)\s)?out\s?"
    r"(?:[,;&+\u2014\u2013-]|and\b)\s?(?P<value>[^\s,;:!?][^,;:!?\n]{0,30}?)\s(?:(?:is|are|comes)\s)?in\W*\Z"
)
"""Names what goes and what comes: "kelp out, sand in"."""


def orders_another(turn: str, earlier: str) -> bool:
    """Whether a turn gives something that was said earlier another value, and names what.

    >>> said = "the boats moor at pier 4, flag green", "a tide is 10 min long", "bedding: kelp"
    >>> [orders_another("change the flag to red", each) for each in said]
    [True, False, False]
    >>> [orders_another("the tide was too short, 15", each) for each in said]
    [False, True, False]
    >>> [orders_another("kelp out, sand in", each) for each in said]
    [False, False, True]
    """
    order = _ordered_in(turn)
    return order is not None and is_of_it(order, order.what, order.words, earlier, is_back=order.is_back)


@lru_cache(maxsize=_KEPT)
def _ordered_in(turn: str) -> Report | None:
    if not 0 < len(turn) <= _LONGEST or asks(turn) or means_for_now(turn):
        return None
    for pattern in (*_ORDERS, _OUT_IN):
        if (hit := pattern.match(turn)) is not None and (order := report_of(hit, turn)) is not None:
            return order
    return None
