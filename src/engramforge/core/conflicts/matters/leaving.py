"""One says that something never leaves a device, the other that it is sent away from there.

The ban names another verb than what is done: what is sent to a server has left the phone. What is sent must be all that
may not leave; what is counted, masked or made anonymous before is something else.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from engramforge.core.conflicts.matters.matter import read_matter
from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.conflicts.statements import KEPT
from engramforge.core.text.words import root_of, roots_of

STRENGTH: Final = 0.75
_DEVICE: Final = r"(?:phone|device|laptop|browser|tablet|computer|handset|watch|machine|terminal)s?"
_CONFINED: Final = (
    re.compile(
        r"(?i)\A(?P<what>[\w' -]{3,60}?) (?:(?:must|may|should|shall|can|do|does|will) (?:never|not)|never|cannot"
        r"|(?:must|do|does|should|can|will)n't) (?:ever )?leaves? (?:the|a|your|their|our|his)"
        rf" [\w' -]{{0,30}}?{_DEVICE}[.!]?\Z"
    ),
    re.compile(
        r"(?i)\A(?P<what>[\w' -]{3,60}?) (?:must (?:stay|remain|be kept)|stays?|remains?) only on"
        rf" (?:the|a|your|their|our|his) [\w' -]{{0,30}}?{_DEVICE}[.!]?\Z"
    ),
)
_SENT: Final = re.compile(
    r"(?i)\b(?:sends?|uploads?|transmits?|transfers?|posts?|forwards?|exports?|mirrors?|reports?|streams?|submits?"
    r"|shares?|copies|pushes) (?P<what>[\w' -]{3,80}?) (?:to|with|into) (?P<to>[\w' -]{2,40})"
)
_IS_SENT: Final = re.compile(
    r"(?i)\A(?P<what>[\w' -]{3,60}?) (?:is|are) (?:sent|uploaded|transmitted|transferred|posted|forwarded|exported"
    r"|mirrored|reported|streamed|submitted|shared|copied|pushed) (?:to|with|into) (?P<to>[\w' -]{2,40})"
)
_AWAY: Final = re.compile(
    r"(?i)\b(?:servers?|cloud|backend|back end|provider|vendor|database|api|us|headquarters|data ?cent(?:re|er)"
    r"|partners?|third part(?:y|ies)|analytics|warehouse|advertisers?)\b"
)
_OTHERWISE: Final = re.compile(
    r"(?i)\b(?:never|not|no|nobody|if|unless|only|without|anonym\w{1,12}|aggregat\w{1,8}|masked|hashed|redacted"
    r"|pseudonym\w{1,10}|number of|count of|statistics|agreed|consents?|tried|formerly|was|were|when)\b|n't\b"
)
_LOOSE: Final = frozenset(map(root_of, ("data", "information", "all", "any", "every")))


class Moved(NamedTuple):
    """What may not leave, or is sent away: roots."""

    what: frozenset[str]
    is_confined: bool
    said: str


@lru_cache(maxsize=KEPT)
def moved(text: str) -> Moved | None:
    """What a text confines to a device, or sends away from where it is; None where it does neither.

    >>> moved("The position of a rider must never leave the phone").is_confined
    True
    >>> moved("The app sends the position of the rider to our server.").is_confined
    False
    """
    text = text.strip()
    for rule in _CONFINED:
        if (found := rule.match(text)) is not None:
            return Moved(_roots(found["what"]), True, found["what"])
    sent = read_matter(text).text
    found = _IS_SENT.search(sent) or _SENT.search(sent)
    if found is None or _AWAY.search(found["to"]) is None or _OTHERWISE.search(text) is not None:
        return None
    return Moved(_roots(found["what"]), False, found["what"])


def _roots(text: str) -> frozenset[str]:
    return roots_of(text) - _LOOSE


def leaves(text: str, other: str) -> Disagreement | None:
    """What one confines, sent away by the other.

    >>> leaves("Contacts never leave the phone.", "The app uploads contacts to the cloud.").why
    'one keeps on a device what the other sends away: Contacts'
    """
    mine, theirs = moved(text), moved(other)
    if mine is None or theirs is None or mine.is_confined is theirs.is_confined or not mine.what:
        return None
    confined, sent = (mine, theirs) if mine.is_confined else (theirs, mine)
    # "Location permissions" are no location: what is sent says as much, and no more.
    if confined.what != sent.what:
        return None
    why = f"one keeps on a device what the other sends away: {confined.said}"
    return Disagreement(Signal.NEGATION, why, STRENGTH)
