"""Whether what is over is the subject of a thread, whose title says more of it: where it is, for whom, since when."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from engramforge.core.registries.closed.matters import (
    ASKS_WHOM,
    ASKS_WITHIN,
    BESIDE_IT,
    asks,
    fault_in,
    matter_of,
)
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import is_stop_word, stem_of, words_of

ASIDE: Final = late(
    r"(?i)\s(?:since|because|before|after|until|till|when|once|as|so)\s|[,;]\s"
    r"|\sand\s(?:nobody|no one|somebody|someone|i|we|it|that)\s"
)
"""Begins what a title tells beside its matter: when it began, and who knows of it."""
_LACKS: Final = late(
    r"(?i)\b(?:(?:has|have|had|gets?|got|comes? with|shows?|there(?:['\u2019]s| is| are))\s(?:still\s)?no"
    r"|(?:is|are)\s(?:still\s)?(?:missing|without|lacking)|lacks?|misses|still\swithout)\s(?P<what>[^,;:.?!]{2,80})"
)
"""Tells what is not there: "the export has no column for the tax yet"."""
_NEEDS: Final = late(
    r"(?i)\b(?:needs?|wants?|waits? for|(?:is|are) waiting for|is short of)\s(?:still )?(?:an?|the|another|some"
    r"|new|more|\d{1,6})\s(?P<what>[^,;:.?!]{2,60}?)(?=\W*\Z|[,;:.?!]|\s(?:on|in|at|for|to|from|with|by|under|over|behind|near|and|so"
    r"|because)\s)"
)
"""The same of what somebody has to get for it: "hall 3 needs a new pump"."""
_NAME: Final = late(r"\b\w{0,20}(?:[A-Z]{2}|\d)\w{0,20}\b")
"""A name of its own, which says alone what is meant: "NW3"."""
_LETTER: Final = late(r"\b[B-HJ-Z]\b")
"""Tells one of several apart, and is no word of its own: "kiln B"."""
_IS_NAMED: Final = late(r"(?i)\b(?:the|an?|our|my|your|their|this|that|these|those|of|for|all|some)\s\Z")
"""Before a word that is no verb then: "the contact sheets"."""
_SHORT_FORMS: Final = {
    stem_of(short): frozenset(map(stem_of, full.split()))
    for short, full in (
        ("ad", "advertisement"),
        ("admin", "administration administrator"),
        ("app", "application"),
        ("auth", "authentication authorization"),
        ("bike", "bicycle"),
        ("cam", "camera"),
        ("config", "configuration"),
        ("db", "database"),
        ("dedup", "dedupe deduplication"),
        ("dedupe", "dedup deduplication"),
        ("demo", "demonstration"),
        ("doc", "document documentation"),
        ("fridge", "refrigerator"),
        ("img", "image"),
        ("info", "information"),
        ("intro", "introduction"),
        ("mic", "microphone"),
        ("perf", "performance"),
        ("phone", "telephone"),
        ("photo", "photograph"),
        ("pic", "picture"),
        ("repo", "repository"),
        ("spec", "specification"),
        ("sync", "synchronization synchronisation"),
        ("temp", "temperature"),
    )
}


def is_subject(what: str, title: str, *, is_answer: bool = False) -> bool:
    """Whether all that names what is over stands in what a title is about, and some of it before its "for" or "of".
    `is_answer`: whether it is told, too, what a title wants to know.

    >>> is_subject("the seating plan", "the seating plan for the sopranos in the old church")
    True
    >>> is_subject("the church", "the seating plan for the sopranos in the old church")
    False
    >>> is_subject("the ear tag column", "the goat register has no ear tag column yet")
    True
    """
    about = ASIDE.split(title, maxsplit=1)[0]
    before = BESIDE_IT.split(about, maxsplit=1)[0]
    head, read = lacking_in(title) or matter_of(before), matter_of
    if not head:
        # Of "the sorting of broken tiles" the deed is the matter.
        head, read = _all_of(before), _all_of
    said, words = read(what), read(about)
    if (
        not said
        or (_is_no_deed(title) and not is_answer)
        or not all(_stands_in(each, words) for each in said)
    ):
        return False
    if not set(_LETTER.findall(what)) <= set(_LETTER.findall(about)):
        return False
    named = [each for each in said if _stands_in(each, head)]
    # Of one word alone the form counts too: "dependencies" are nothing that "depends on the migration".
    is_form = len(said) > 1 or not _forms(what).isdisjoint(_forms(about))
    if not named or not is_form:
        return False
    if len(said) > 1 or 2 * len(named) >= len(head) or _NAME.search(what) is not None:
        return True
    # Of "the greenhouse door squeaks" the door is.
    last = title[: fault_in(title) or 0].split()[-1:]
    return said == _all_of("".join(last))


def is_given(what: str, title: str) -> bool:
    """Whether a title tells that something lacks what it is told to have."""
    said, lacking = matter_of(what), lacking_in(title)
    if not lacking and (needed := _NEEDS.search(title)) is not None:
        lacking = matter_of(needed["what"])
    return bool(said & lacking) and said <= matter_of(ASIDE.split(title, maxsplit=1)[0])


def lacking_in(title: str) -> frozenset[str]:
    """The matter that is not there by a title; nothing where it tells of none."""
    hit = _LACKS.search(title)
    return frozenset() if hit is None else matter_of(ASIDE.split(hit["what"], maxsplit=1)[0])


def _is_no_deed(title: str) -> bool:
    """Whether a title only wants to know, or to ask somebody: nobody says then what the answer is."""
    hit = ASKS_WHOM.search(title)
    is_errand = hit is not None and _IS_NAMED.search(title[: hit.start()]) is None
    return is_errand or asks(title) or ASKS_WITHIN.search(title) is not None


def _forms(text: str) -> frozenset[str]:
    """The words of a text that say something, without a plural's ending."""
    return frozenset(word.removesuffix("s") for word in words_of(text.lower()) if not is_stop_word(word))


def _all_of(text: str) -> frozenset[str]:
    """The words of a text, and those too that name no matter."""
    return frozenset(stem_of(word) for word in words_of(text.lower()) if not is_stop_word(word))


def _stands_in(word: str, words: Collection[str]) -> bool:
    return word in words or not _SHORT_FORMS.get(word, frozenset()).isdisjoint(words)
