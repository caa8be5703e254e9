"""Whether a person says outright that something is decided: then it holds for more than the moment."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engramforge.core.detection.traps import is_asserted
from engramforge.core.text.late_pattern import late

_APOSTROPHE: Final = r"['\u2019]"
_WHEN: Final = (
    r"(?:(?:now|just|finally|already|also|all|both|together|together with \w+|yesterday|today|tonight"
    r"|this (?:morning|week|afternoon)|last (?:week|night|month|time)"
    r"|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|in the \w+|with \w+|after all)\s){0,3}"
)
_LEAD: Final = (
    r"(?:\A|(?<=[.,;:!\u2014\u2013])|(?<=\s-)|\b(?:so|and|but|because)\b)\W{0,4}"
    r"(?:(?:ok(?:ay)?|so|then|and|well|good|right|fine|yes|fyi|btw|also|now)\b\W{0,3}){0,3}"
)
_OUTRIGHT: Final = late(
    rf"(?i){_LEAD}(?:(?:we|i)(?:{_APOSTROPHE}ve| have)? {_WHEN}(?:decided|agreed|settled|resolved) {_WHEN}"
    r"(?:to|on|that|against|for|not to|upon|we|i|there|the|it)\b"
    rf"|(?:we|i)(?:{_APOSTROPHE}?(?:re|m)| are| am) (?:now |definitely |finally )?(?:going with|sticking with"
    rf"|staying with)\b|(?:the |my |our )?(?:final|firm) (?:decision|word|answer|call)\b"
    r"|(?:it|that)(?:['\u2019]?s| is) (?:now |all )?(?:decided|final|settled)\b)"
)
_RULE: Final = late(
    rf"(?i)\b(?:that|this|it)(?:{_APOSTROPHE}?s| is) (?:an? )?(?:hard|firm|fixed|strict|absolute|iron|golden|standing"
    rf"|house"
    rf"|binding|non-?negotiable) (?:rule|law|limit|decision|requirement)\b|\b(?:that|this|it)(?:{_APOSTROPHE}?s| is)"
    r" (?:non-?negotiable|final|not up for (?:debate|discussion)|set in stone|carved in stone)\b|\bno exceptions\b"
)
_BEHIND: Final = 80
"""Characters behind a sentence in which it may still be said that this is a rule."""
_HELD_BACK: Final = late(
    rf"(?i)n{_APOSTROPHE}t\b|\b(?:(?:do|does|did|have|has|is|are|was|were)nt|not|never|almost|nearly|would|might|may"
    r"|could|for now|for the moment|for today|tentatively|no longer|yet)\b"
)


_CONTRASTS: Final = late(
    r"(?i)(?:,|\band)\s(?:and )?not (?:in|on|via|with|by|as|through|from|into|to|at)\s+(?!(?:now|today|all)\b)\w"
    r"|\b(?:instead of|rather than)\s+\w"
)
_LASTS: Final = late(
    r"(?i)\b(?:everywhere|always|never|from now on|by default|for good|throughout|across the board|consistently"
    r"|no matter (?:what|where|who|which)"
    r"|(?:in|on|for|at|of|with) (?:all|every|each|any)(?: (?:the|our|of the|of our))? \w+"
    r"|every (?:\w+ )?(?:time|day|night|week|month|hour|morning|release|commit|build))\b"
)
_OF_THE_MOMENT: Final = late(
    r"(?i)\b(?:first|now|today|tonight|tomorrow|next|later|again|then|already|yet|for this)\b"
)


def contrasts(sentence: str) -> bool:
    """Whether an order says how something is to be, and how not: that is no order of the moment.

    >>> [contrasts(each) for each in ("let's keep fares in a table, not in code", "let's do the map first")]
    [True, False]
    """
    return _CONTRASTS.search(sentence) is not None and _OF_THE_MOMENT.search(sentence) is None


def lasts(sentence: str) -> bool:
    """Whether an order says that something is so everywhere, always or in each of its kind: it is none of the moment.

    >>> [lasts(each) for each in ("lets put the fares in cents everywhere", "lets put the fares in cents")]
    [True, False]
    """
    return _LASTS.search(sentence) is not None and _OF_THE_MOMENT.search(sentence) is None


@lru_cache(maxsize=512)
def says_outright(sentence: str, text: str) -> bool:
    """Whether a sentence, or what stands right behind it in its text, says in so many words that it is decided.

    >>> says_outright("we decided yesterday to power the fans from the rail", "")
    True
    >>> says_outright("never let both run at once", "never let both run at once. thats a hard rule")
    True
    >>> says_outright("we haven't decided on the rail yet", "")
    False
    """
    if not is_asserted(sentence):
        return False
    hit = _OUTRIGHT.search(sentence)
    if hit is not None and _HELD_BACK.search(sentence[: hit.end()].removesuffix("not to")) is None:
        return True
    begin = text.find(sentence)
    behind = text[begin + len(sentence) : begin + len(sentence) + _BEHIND] if begin >= 0 else ""
    return _RULE.search(sentence) is not None or _RULE.match(behind.lstrip(" .,;:!-\n")) is not None
