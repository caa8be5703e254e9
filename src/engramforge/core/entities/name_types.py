"""What kind of thing a run of capitalised words names: by its own words, then by those before and behind it."""

from __future__ import annotations

import re
from typing import Final

from engramforge.core.entities.name_words import ORGANISATIONS, PLACES
from engramforge.model.entity import EntityType

HONORIFIC: Final = re.compile(
    r"(?i)(?:^|\W)(?:mr|mrs|ms|miss|dr|prof|professor|sir|lady|captain|president|king|queen)\.? $"
)
"""Before a person's name."""
_KIN: Final = re.compile(
    r"(?i)\b(?:friend|brother|sister|mother|father|mom|dad|mum|son|daughter|wife|husband|uncle|aunt|cousin|colleague|boss"
    r"|partner|neighbou?r|named|called|met|with|hi|hey|hello|thanks|thank you|dear|bye),? $"
)
_IN_PLACE: Final = re.compile(
    r"(?i)\b(?:in|to|from|near|visit(?:ed|ing)?|through|across|around|live[sd]? in|moved to) (?:the )?$"
)
_AT_WORK: Final = re.compile(
    r"(?i)\b(?:at|joined|for|work(?:s|ed|ing)? (?:at|for|with)|ceo of|founder of|employee of) (?:the )?$"
)
_AS_TOOL: Final = re.compile(
    r"(?i)\b(?:us(?:e[sd]?|ing)|install(?:ed|ing)?|via|on top of|depends on|upgraded? to|migrat(?:ed|ing) to|written in"
    r"|with) (?:the )?$"
)
_AS_PERSON: Final = re.compile(
    r"(?:'s|\u2019s)? (?:said|says|told|asked|thinks|thought|lives?|loves?|likes?|wants|went|wrote|married|met|knows"
    r"|works|plays|bought|and I)\b"
)


def stands_out(name: str) -> bool:
    """Whether it has capitals or digits inside, unlike a plain word that begins a sentence."""
    return not name[1:].islower() and len(name) > 1 and any(c.isupper() or c.isdigit() for c in name[1:])


def type_of(text: str, words: list[str], start: int, end: int) -> EntityType:
    """By its own words, then by those before it, then by those after it."""
    last, first = words[-1].lower().rstrip("."), words[0].lower()
    is_long = len(words) > 1
    if last in ORGANISATIONS or (is_long and first in ("university", "bank", "ministry", "department")):
        return EntityType.ORGANISATION
    if last in PLACES or (is_long and first in ("lake", "mount", "san", "saint", "new", "los", "las")):
        return EntityType.PLACE
    before = text[max(start - 28, 0) : start]
    if HONORIFIC.search(before):
        return EntityType.PERSON
    if any(stands_out(word) and not word.isupper() and "'" not in word and "-" not in word for word in words):
        return EntityType.PRODUCT
    if _AS_PERSON.match(text, end) or (_KIN.search(before) and not words[0].isupper()):
        return EntityType.PERSON
    if _AT_WORK.search(before):
        return EntityType.ORGANISATION
    if _IN_PLACE.search(before):
        return EntityType.PLACE
    if _AS_TOOL.search(before):
        return EntityType.PRODUCT
    if len(words) == 1 and words[0].isupper():
        return EntityType.ORGANISATION
    if 2 <= len(words) <= 3 and not before.endswith("the ") and all(word[:1].isupper() for word in words):
        return EntityType.PERSON
    return EntityType.PERSON if text[end : end + 1] == ":" else EntityType.NAME
