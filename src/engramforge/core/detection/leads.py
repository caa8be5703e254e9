"""Words before a statement that say nothing themselves: greetings, "by the way", "please record that"."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engramforge.core.detection.cues.cue_rule import beginnings
from engramforge.core.detection.cues.language_cues import GREETINGS
from engramforge.core.detection.cues.settling_cues import KEEPING, KEPT
from engramforge.core.detection.passages import Passage
from engramforge.core.text.late_pattern import late

_LEAD: Final = late(
    rf"(?i)^\W{{0,3}}(?:(?:(?:{GREETINGS})\b[ ,!:\u2013\u2014-]*){{1,3}}(?<=[,!:\u2013\u2014-])\s*(?=\S)|"
    r"(?:no|nope|yes|yep|yeah|correct|exactly|right|indeed|done)(?:\s*[,:!\u2013\u2014]|\.(?=\s))\s*(?=\S)|(?:hi|hey"
    r"|hello|(?:good )?morning|good (?:afternoon|evening))(?: (?:(?-i:[A-Z])\w+|all|team|there|everyone"
    r"|folks))?\s*[,!]\s*(?=\S)|(?:(?:ok(?:ay)?|so|and|also|oh|well|right|alright|yes|yeah|hey|hi|one (?:more|other)"
    r" thing)\b[\s,.:!-]*){0,3}(?:by the way|btw|please note|note|fyi|for the record|just so you know|heads[- ]up"
    r"|quick update|update|to be clear|for your information|as of (?:today|now)|from my side|status|news|good news"
    r"|important|reminder|also|additionally|as (?:just |already |we )?(?:discussed|mentioned|said|promised|announced"
    r"|agreed|requested|planned)(?: (?:yesterday|today|earlier|before|above|with \w+|on \w+|in \w+))?|in addition"
    r"|separately|on another note|unrelated(?:ly)?|anyway|meanwhile|finally|(?:please )?(?:remember|note|record|log"
    r"|mark|write)(?: (?:this|that|it|the following))?(?: down)?|don['\u2019]?t forget|i can confirm|confirmed"
    r"|confirming|i confirm|we can confirm)\b(?:\s*[:,\u2013\u2014-]\s*(?:that\s+)?|\s+that\s+)(?=\S))"
)
_KEEPS: Final = late(
    rf"(?i)\W{{0,3}}+(?:(?:and|also|so|ok|okay|hi|hey|hello)\b[\s,!.-]*+){{0,3}}{KEPT}"
    r"(?:\s*[:,\u2013\u2014-]\s*(?:that\s+)?|\s+(?:that|dass|que)\s+)(?=\S)"
)
"""Asks that what follows be kept for good."""


def without_lead(passage: Passage) -> Passage:
    """A sentence from its first word on that says something."""
    end = end_of_lead(passage.plain)
    return passage.part(end) if end >= 0 else passage


@lru_cache(maxsize=64)
def end_of_lead(plain: str) -> int:
    """Where it ends; -1 without one. A sentence is read by several."""
    may_keep = not KEEPING.isdisjoint(beginnings(plain))
    lead = (_KEEPS.match(plain) if may_keep else None) or _LEAD.match(plain)
    return -1 if lead is None else lead.end()


def asks_to_keep(passage: Passage) -> bool:
    """Whether a sentence asks to record what it states: "Please record: tokens expire after an hour"."""
    return _KEEPS.match(passage.plain) is not None
