"""What takes the place of something by its name and where it runs: "scrap SQLite. Postgres on the old laptop"."""

from __future__ import annotations

from typing import Final

from engramforge.core.registries.such_names import WORD, of_one_kind
from engramforge.core.text.late_pattern import late

_PLACED: Final = late(
    rf"(?i)(?:\A|(?<=[,;:.!\u2014\u2013])|(?<=\s-))\W{{0,4}}(?:(?:so|then|now|just|and|with)\s){{0,2}}"
    rf"(?P<said>(?P<taken>{WORD}(?:\s{WORD}){{0,1}}?) (?:on|in|at) (?:the |our |my |an? )?"
    rf"{WORD}(?:\s{WORD}){{0,6}}?)(?: (?:then|instead|from now on|please))?(?=\W*\Z|\s*[,;:.!(\u2014\u2013])"
)
_LEFT_FOR: Final = late(
    r"(?i)\A\W*(?:(?:ok(?:ay)?|so|actually|now|and|sorry|no)\W{1,3}){0,3}(?:(?:we|i|let['\u2019]?s)\s(?:now |just )?)?"
    r"(?:drop|scrap|scratch|ditch|abandon|dump|give up(?: on)?|get rid of|stop using|forget(?: about)?)\s"
    r"(?:(?!(?:on|in|at|for|with)\b)(?>[^\s,;:.]{1,30})\s?){1,4}(?:[,;.\u2014\u2013]|\s-)\s(?:[^,;:.?!]{3,60}[.,;]\s)?"
    rf"(?:(?:and |so |then )?(?:we|i|let['\u2019]?s)(?:['\u2019]ll)? (?:now |just )?(?:go with|use|take|run|switch to"
    rf"|move to) )?(?P<taken>{WORD}(?:\s{WORD}){{0,1}}?) (?:on|in|at)\s"
)
"""Leaves something whole, and takes another thing at a place, which is no purpose beside others."""
_VERB: Final = late(
    r"(?i)\b(?:is|are|was|were|has|have|had|does|do|did|will|would|could|should|may|might|can|cannot|fails?|failed"
    r"|runs?|ran|crashe?[sd]?|works?|broke|breaks?|died|dies|needs?|again|too|still|today|tomorrow|yesterday|tests?"
    r"|errors?|no|not|never|if|what|or)\b|\?"
)
"""Tells something of what is named, or asks: that takes nothing."""


def placed_name(said: str, left: str) -> str:
    """What of some words takes a name of the same kind as what is left, by that and its place; "" for nothing.

    >>> placed_name("scrap sqlite, the card died. postgres on the old laptop", "sqlite")
    'postgres on the old laptop'
    >>> placed_name("scrap sqlite. dinner on the terrace", "sqlite")
    ''
    """
    hits = [hit for hit in _PLACED.finditer(said) if of_one_kind(left, hit["taken"])]
    return hits[0]["said"] if len(hits) == 1 and not _VERB.search(hits[0]["said"]) else ""


def is_placed_instead(sentence: str, left: str) -> bool:
    """Whether a sentence leaves something whole and says where a name of the same kind is in its place.

    >>> is_placed_instead("scrap sqlite, we go with postgres on the old laptop", "sqlite")
    True
    >>> is_placed_instead("scrap sqlite on the phone, we go with postgres on the phone", "sqlite")
    False
    """
    hit = _LEFT_FOR.match(sentence)
    return hit is not None and of_one_kind(left, hit["taken"])
