"""Whom what was said in a conversation is about, where a question names somebody who speaks.

What one says of oneself is in the same words as what the other says of himself, so what counts is who speaks, who is
addressed, and which person a sentence has: "I won" is about the speaker, "you won" about the one who listens.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Final

from engramforge.core.oracle.resonance import asked_stems
from engramforge.core.text.summarising import sentences_of
from engramforge.core.text.words import root_of, words_of

_FIRST: Final = frozenset(
    ["i", "i'm", "i've", "i'd", "i'll", "me", "my", "mine", "myself", "we", "we're", "we've", "we'd", "we'll", "us",
     "our", "ours"]
)  # fmt: skip
_SECOND: Final = frozenset(
    ["you", "you're", "you've", "you'd", "you'll", "your", "yours", "yourself", "y'all"]
)
_WORD: Final = re.compile(r"[^\W_]+")
_ENDS: Final = frozenset(",.!?;:\u2026")
_SAYING: Final = re.compile(
    r"(?i)\b(?:say|says|said|tell|tells|told|think|thinks|thought|suggest\w*|recommend\w*|advi[sc]e\w*|ask\w*|mention\w*"
    r"|react\w*|respond\w*|opinion|view|describe\w*|call|calls|called|according)\b"
)
_ASKS: Final = re.compile(r"(?i)(?<!\bright)(?<!\bhuh)(?<!\bisn't it)\?\s*$")
_OWNED: Final = re.compile(r"(?i)\b(?:her|his|their)\b")
"""What somebody said to another counts where it is asked what he said, but not of a thing of his own."""
_PRAISE: Final = re.compile(
    r"(?i)\b(?:congrat\w*|wow|way to go|well done|woohoo|awesome|amazing|great|glad to hear|good for you|nice|cool"
    r"|lovely|sounds|proud|happy for|good luck|sorry)\b"
)
"""Words with which one answers what the other has told."""
_LEAD: Final = 2
"""Words before a name with which a sentence that addresses somebody begins: "Hey", "Way to go"."""
_KEPT: Final = 64


def about_whom(name: str, query: str, text: str, *, speaks: bool, listens: bool) -> bool | None:
    """Whether what is said answers a question about somebody; None where it says none of what is asked, so that only
    what stands around it can tell.

    `speaks`, `listens`: whether the one who is named says it, or it is said to him.

    >>> asked = "Which race did Ada win?"
    >>> about_whom("ada", asked, "I won the race!", speaks=True, listens=False)
    True
    >>> about_whom("ada", asked, "I won the race!", speaks=False, listens=True)
    False
    >>> about_whom("ada", asked, "So you won the race?", speaks=False, listens=True)
    True
    >>> about_whom("ada", asked, "So you won the race?", speaks=True, listens=False)
    False
    """
    asked = asked_stems(query) - set(map(root_of, words_of(name)))
    read = _sentences(text)
    sentences = [each for each, _ in read]
    touching = [each for each, stems in read if asked & stems]
    if speaks:
        if not touching:
            return None
        if _SAYING.search(query) and not _OWNED.search(query):
            return True
        has_first = any(not _FIRST.isdisjoint(words_of(each)) for each in sentences)
        return any(_tells(each, has_first, text) for each in touching)
    if any(names(name, each) for each in sentences):
        return True
    return (listens or addresses(name, text)) and any(map(_is_of_the_other, touching))


def _tells(sentence: str, has_first: bool, text: str) -> bool:
    """Whether a sentence tells of the one who speaks: no question, and not said of the one who listens."""
    if not _FIRST.isdisjoint(words_of(sentence)):
        return True
    if _is_of_the_other(sentence) or _ASKS.search(sentence):
        return False
    return has_first or _PRAISE.search(text) is None


def names(name: str, sentence: str) -> bool:
    """Whether a sentence speaks of somebody by name, and does not merely address him.

    >>> names("ada", "Ada rows well."), names("ada", "Hi Ada! I row well."), names("ada", "Well done, Ada.")
    (True, False, False)
    """
    return any(not _is_address(sentence, found) for found in _found(name, sentence))


def addresses(name: str, text: str) -> bool:
    """Whether a text speaks to somebody by name."""
    return any(_is_address(text, found) for found in _found(name, text))


def _found(name: str, text: str) -> list[re.Match[str]]:
    parts = {part for part in words_of(name) if len(part) > 1}
    return [found for found in _WORD.finditer(text) if found[0].casefold() in parts]


def _is_address(text: str, found: re.Match[str]) -> bool:
    """Whether a name stands apart from the sentence: behind a comma or a greeting, and before a mark or the end."""
    after = text[found.end() : found.end() + 1]
    if after and after not in _ENDS:
        return False
    before = text[: found.start()].rstrip()
    if not before or before[-1] in _ENDS:
        return True
    lead = re.split(r"[.!?,;:]", before)[-1]
    return len(lead.split()) <= _LEAD


def _is_of_the_other(sentence: str) -> bool:
    """Whether a sentence is about the one who listens, and not about the one who speaks."""
    words = set(words_of(sentence))
    return _FIRST.isdisjoint(words) and not _SECOND.isdisjoint(words)


@lru_cache(maxsize=_KEPT)
def _sentences(text: str) -> tuple[tuple[str, AbstractSet[str]], ...]:
    """The sentences of a text with their stems; kept, since every name that is asked for reads them."""
    return tuple((each, frozenset(map(root_of, words_of(each)))) for each in sentences_of(text) or [text])
