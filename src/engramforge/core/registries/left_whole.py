"""What somebody leaves whole, by its name and for no single purpose: "drop Redis again, it ate the memory".

What follows is then a reason, or what comes in its place; it names no purpose that the decision would have to share.
"""

from __future__ import annotations

from typing import Final

from engramforge.core.registries.named_stems import stems_in
from engramforge.core.text.late_pattern import late

_WORD: Final = r"(?>[\w@][\w+#/&@'\u2019-]{0,30}(?:\.[\w+#-]{1,20}){0,3})"
_NAME: Final = (
    r"(?!(?:the|an?|our|my|your|his|her|its|their|that|this|these|those|it|them|all|any|some|everything|about|what|me|him"
    rf"|us|one)\b){_WORD}(?:\s{_WORD}){{0,2}}?"
)
_LEAD: Final = (
    r"(?i)\A\W*(?>(?:(?:ok(?:ay)?|actually|nope|nah|oh|hm+|well|sorry|so|right|alright|yeah|yes|then|please|let['\u2019]?s)"
    r"\b\W{0,3}){0,4})"
)
_OF_ONE_PURPOSE: Final = r"(?!\W{0,3}(?:but |and )?(?:for|in|on|at)\b)"
_STOP: Final = rf"(?=\W*\Z|\s*[,;:.!\u2014\u2013]){_OF_ONE_PURPOSE}"
_WHY: Final = (
    r"(?=\W*\Z|\s*[.!](?:\s|\Z)|\s*[,;:\u2014\u2013]\s*(?:and )?(?:it|they|nobody|no one|because|since"
    r"|we (?:never|don['\u2019]?t|do not)|not)\b|\s*;)"
)
"""Nothing follows but the reason, or what is done instead: "drop Sass, run the tests" speaks of the moment."""
_OUTRIGHT: Final = late(
    rf"{_LEAD}(?![^?]*\?)(?:(?:drop|forget|scrap|ditch|abandon|axe|retire|get rid of) {_NAME}"
    r"(?>(?: (?:again|please|completely|altogether|for good)){0,2})"
    rf"|(?:remove|kick out|throw out) {_NAME}(?: please)? again|{_NAME}(?<!\d) (?:is|are) out){_WHY}{_OF_ONE_PURPOSE}"
)
"""Leaves a thing by its name, whatever takes its place. With a number, "is out" mostly says that it was published."""
_OF_MIND: Final = late(rf"(?i)\bchang(?:ed|ing) (?:my|our) minds? (?:about|on) [^,;:.!?]{{2,60}}{_STOP}")
_STATED: Final = late(
    r"(?i);\s*(?P<said>(?!(?:it|its|that|this|they|he|she|i|you|nobody|no one|everyone|because|since)\b)"
    r"(?:(?:the|our|all|every|each) )?\w+(?: [\w-]+){0,5}? (?:over|with|via|through|by|on|in|to|from|as)"
    r"\s(?=\w)[^;?]*)\Z"
)
_TOLD: Final = late(
    r"(?i)\b(?:was|were|had|did|made|ate|broke|kept|lost|went|got|took|\w{2,}ed|would|could|should|might|may|can|must)\b"
)
_GOES_BACK: Final = late(
    r"(?i)(?:\A|(?<=[,;.]))\W{0,4}(?>(?:(?:ok(?:ay)?|so|and|actually|the|our|all)\b\W{1,3}){0,3})"
    rf"(?P<what>{_WORD}(?:\s{_WORD}){{0,2}}?) (?:go(?:es)?|are going|is going) back to"
    r" (?!(?:the|an?|our|my|your|his|her|their|this|that|it|being|normal|green|red|work|sleep|bed|school|zero|start"
    r"|square|basics|business|scratch|me|you|him|them|us|review|stock)\b)(?=(?-i:[a-z0-9]))"
)


def is_left_outright(sentence: str) -> bool:
    """Whether a sentence leaves something by its name alone.

    >>> [is_left_outright(each) for each in ("Drop Redis again, it ate the memory", "drop the old rows")]
    [True, False]
    """
    return _OUTRIGHT.match(sentence) is not None


def of_the_turn(sentence: str) -> str:
    """What of a sentence says what is left, where that is left whole; else the sentence.

    >>> of_the_turn("changed my mind on the font, 9 pt is too small on the train, go to 11")
    'changed my mind on the font'
    """
    hit = _OUTRIGHT.match(sentence) or _OF_MIND.search(sentence)
    return sentence if hit is None else sentence[: hit.end()]


def stated_behind(sentence: str) -> tuple[int, int] | None:
    """Where a sentence says how a thing is done from then on, behind what it leaves outright; None for nowhere."""
    hit = _STATED.search(sentence) if is_left_outright(sentence) else None
    return None if hit is None or _TOLD.search(hit["said"]) else hit.span("said")


def what_goes_back(sentence: str) -> frozenset[str]:
    """The stems of what a sentence says to go back to what it was; none where it does not.

    >>> sorted(what_goes_back("The rota goes back to weekly shifts")), what_goes_back("the build goes back to green")
    (['rota'], frozenset())
    """
    hit = _GOES_BACK.search(sentence)
    return frozenset() if hit is None else stems_in(hit["what"])
