"""A question as it is looked up: what took the place of something is asked in many words, and means one thing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from engramforge.core.ranking.designations import designations
from engramforge.core.text.words import words_of

_PLACE: Final = re.compile(
    r"(?i)\b(?:took|takes?|taken|taking) (?:the )?place of\b"
    r"|\b(?:(?:came|comes?|stands?|is|are|was) )?in (?:the )?(?:place|stead) of\b"
    r"|\binstead of\b|\b(?:took|takes?|taken|taking) over (?:from|for)\b|\bin lieu of\b"
)
_WORD: Final = "replaced"
_DECISION: Final = re.compile(
    r"(?i)\b(?:the |our |a |any )?decisions?(?: that)?(?: (?:was|were))?(?: (?:made|taken|reached))? "
    r"(?:about|on|for|regarding|concerning|around|to (?:use|take|go with|adopt|choose))\b"
)
_DECIDED: Final = re.compile(r"(?i)(?: been)? (?:made|taken|reached)(?=\W*\Z)")
_BECAME: Final = re.compile(
    r"(?i)\b(?:what (?:ever )?(?:became|has become|happened|has happened) (?:of|to|with))\b"
)
_CHANGED: Final = re.compile(
    r"(?i)\bwhat (?:has |have |was |is |had )?(?:been )?(?:changed|new|different) (?:about|with|in|for|to)\b"
)
_CHANGES: Final = re.compile(
    r"(?i)\b(?:chang\w+|no longer|instead|switch\w*|replac\w+|moved?|now|since|until|from \w+ on|as of|supersed\w+)\b"
)
_FURTHER: Final = re.compile(r"^(.*\w) of (?:the |our |all |its |their |any |an? )?[a-z]+\W*$")
_REPLACING: Final = re.compile(r"(?i)\b(?:replac|supersed|obsolet|succe(?:ss|ed)|rescind|took over)")
_KIND: Final = re.compile(r"\b(?:[Ww]hich|[Ww]hat) ([A-Z]{2,10})s?\b")
_HEAD: Final = 24
"""Characters at the beginning of a text in which it says what it is called."""


def in_plain_words(query: str) -> str:
    """The question with one word for all that say that something took the place of another.

    >>> in_plain_words("What took the place of RFC 7?"), in_plain_words("What do we use instead of make?")
    ('What replaced RFC 7?', 'What do we use replaced make?')
    >>> in_plain_words("Where is the place of the mill?")
    'Where is the place of the mill?'
    """
    return _PLACE.sub(_WORD, query)


def of_decision(query: str) -> str:
    """A question for a decision as one for its matter; empty where it asks for none.

    >>> of_decision("When was the decision about the anchor made?"), of_decision("When was the anchor made?")
    ('When was the anchor?', '')
    """
    told, count = _DECISION.subn("", query)
    return " ".join(_DECIDED.sub("", told).split()) if count else ""


def of_its_end(query: str) -> str:
    """The thing alone of which a question asks what became; empty where it asks no such thing.

    >>> of_its_end("What became of the old anchor?"), of_its_end("What is an anchor?")
    ('the old anchor?', '')
    """
    told, count = _BECAME.subn("", query)
    return told.strip() if count else ""


def of_change(query: str) -> str:
    """The thing alone of which a question asks what changed; empty where it asks no such thing.

    >>> of_change("What changed about the ferry fares?"), of_change("What are the ferry fares?")
    ('the ferry fares?', '')
    """
    told, count = _CHANGED.subn("", query)
    return told.strip() if count else ""


def tells_of_change(text: str) -> bool:
    """Whether a text says that something is otherwise than it was.

    >>> tells_of_change("The ferry no longer sails."), tells_of_change("The ferry sails.")
    (True, False)
    """
    return _CHANGES.search(text) is not None


def without_further(query: str) -> str:
    """A question without the last noun, of which what it asks for is; empty where there is none.

    >>> without_further("How does the buoy send readings of the tides?"), without_further("How does it send?")
    ('How does the buoy send readings', '')
    """
    found = _FURTHER.match(query)
    return found[1] if found else ""


def on_asked_succession(query: str, texts: Sequence[str]) -> list[bool]:
    """Which of some texts may say what replaced a document that a question names: those that name it, if any does.

    >>> on_asked_succession("What replaced RFC 7?", ["RFC 9 obsoletes RFC7", "RFC 8: Wheels"])
    [True, False]
    >>> on_asked_succession("What is RFC 7?", ["RFC 9 obsoletes RFC7", "RFC 8: Wheels"])
    [True, True]
    """
    asked = {*designations(query, lambda _: False)}
    if not asked or not _REPLACING.search(query):
        return [True] * len(texts)
    named = [not asked.isdisjoint(_named_in(text)) for text in texts]
    return named if any(named) else [True] * len(texts)


def is_of_asked_kind(query: str, text: str) -> bool:
    """Whether a text may be what a question asks for: not where that is a document of one kind and this one of another.

    >>> is_of_asked_kind("Which PEP is about wheels?", "RFC 7: Wheels"), is_of_asked_kind("Which PEP?", "PEP 7: Wheels")
    (False, True)
    >>> is_of_asked_kind("Which PEP is it?", "RFC 7: As in PEP 9"), is_of_asked_kind("Which API is it?", "Use REST.")
    (True, True)
    """
    asked = {name.lower() for name in _KIND.findall(query)}
    if not asked:
        return True
    kinds = {name for name, _ in _named_in(text[:_HEAD])}
    return not kinds or not asked.isdisjoint(kinds) or _says(asked, text)


def named_in(query: str, names: Sequence[str]) -> list[str]:
    """The names of projects that a question says in full.

    >>> named_in("What does the far harbour use?", ["harbour", "far-harbour", "far-mill"])
    ['harbour', 'far-harbour']
    """
    words = {*words_of(query)}
    return [each for each in names if (said := words_of(each)) and words.issuperset(said)]


def names_a_thing(query: str) -> bool:
    """Whether a question is for what one designation names, or for a document of a kind.

    >>> names_a_thing("What is rfc 2818?"), names_a_thing("Which PEP is it?"), names_a_thing("Where is the key?")
    (True, True, False)
    """
    return bool(designations(query, lambda _: False)) or _KIND.search(query) is not None


def _named_in(text: str) -> Sequence[tuple[str, str]]:
    return designations(text, lambda _: True)


def _says(asked: set[str], text: str) -> bool:
    return not asked.isdisjoint(words_of(text)) or any(name in asked for name, _ in _named_in(text))
