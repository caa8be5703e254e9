"""What a text says was rejected, whether another suggests it, and which sentences are constraints.

English wording alone; what decisions list as rejected needs no reading. A sentence that says no near what is named
suggests nothing: a mark that is wrong costs more than one that is missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from engramforge.core.text.late_pattern import late
from engramforge.core.text.summarising import sentences_of
from engramforge.core.text.words import STOP_WORDS, stem_of, stem_set, word_set, words_of

_READ: Final = 4_000
"""Characters of a text that are looked at."""
_SENTENCE: Final = 400
_REJECTING: Final = (
    r"reject(?:ed|s|ing)?|rul(?:ed|es|ing) out|turned down|declined|dismissed|decided against|(?:opted|advised) against"
    r"|said no to|gave up on|moved away from"
)
_REJECTED: Final = late(
    rf"(?i)\b(?:{_REJECTING}):? (?:using |to use |the use of |the idea of )?(?:the |an? |our |my )?"
    r"(?P<what>(?!(?:for|because|since|by|in|on|as|at|after|with|due|to|it|this|that|them)\b)\w[^,;:()\u2014]{1,60}?)"
    r"(?=[,;:()\u2014]|\.(?:\s|\Z)|\Z|\s(?:because|since|for|as|in favou?r|due|after|so|and|but|when|last|on)\b)"
)
"""What was rejected, behind the word that says so."""
_WAS_REJECTED: Final = late(
    r"(?i)(?:\A|[,;:\u2014(] ?|\b(?:that|and|but|so|because) )(?P<what>[\w+#./'-]{2,30}(?: [\w+#./'-]{2,30}){0,3}?)"
    rf"(?: (?:was|were|is|are|has been|have been|got))?(?: explicitly| firmly)? (?:{_REJECTING})"
    r"(?=[,;:.()\u2014]|\Z| \u2014| because| since| as| for| after)"
)
"""What was rejected, before it: "JWT-only was rejected", "JWT-only rejected \u2014"."""
_SAYS_NO: Final = word_set("""
not never no nor none without against avoid avoids avoiding stop stops drop drops dropped abandon abandoned forbid
forbidden forbids banned instead rather reject rejects rejected ruled declined dismissed cannot can't don't doesn't
won't shouldn't mustn't isn't aren't wasn't weren't couldn't wouldn't didn't
""")
_BEFORE, _BEHIND = 6, 3
"""Words before and behind what is named within which a no is about it."""
REFUSES: Final = (
    r"\b(?:(?:we|they) (?:always |strictly |generally )?refuse|(?:is|are|will be|be) (?:always |strictly )?refused"
    r"|(?:do|does)(?: not|n't) (?:accept|take|allow|permit|admit|let)\b|nobody (?:may|can))\b"
    r"|(?:\A|[.;!] )\W{0,4}no (?!(?:one|longer|matter)\b)"
    r"(?![^.;!]{0,200}\b(?:is|are|was|were|has|have|had|will|did|came|went|can|\w{2,20}ed)\b)"
    r"(?:[\w'-]{1,30} ){1,4}(?:in|on|at|from|inside|during|aboard|after|before)\b"
)
"""Says what may not be without a word that forbids: "we refuse cheques", "no dogs in the hall"."""
_CONSTRAINS: Final = late(
    rf"(?i){REFUSES}"
    r"|\b(?:must|(?:never|always)(?! (?:did|was|were|had|ha[sv]e?)\b)|shall|required?s?|forbid\w*|forbidden"
    r"|prohibit\w*|mandatory|compulsory|not allowed|may not|banned|at (?:most|least)|no more than|only ever"
    r"|under no circumstances)\b"
)
_VAGUE: Final = stem_set("""
proposal idea approach option plan change request offer suggestion alternative thing way use using
""")


class Rejection(NamedTuple):
    """Something that was rejected, in the words of the text, and the sentence that says so."""

    what: str
    said: str


def rejections_in(text: str) -> list[Rejection]:
    """What a text says was rejected, each once, in its order.

    >>> [each.what for each in rejections_in("We rejected JWT-only because it cannot be revoked.")]
    ['JWT-only']
    >>> [each.what for each in rejections_in("Polling was ruled out. Push stays.")]
    ['Polling']
    """
    found = {each.what.casefold(): each for each in _rejections(text)}
    return list(found.values())


def _rejections(text: str) -> Iterator[Rejection]:
    for sentence in sentences_of(text[:_READ]):
        said = sentence[:_SENTENCE]
        for pattern in (_REJECTED, _WAS_REJECTED):
            for match in pattern.finditer(said):
                if _meant(match["what"]):
                    yield Rejection(match["what"].strip(), said)


def suggested_in(text: str, what: str) -> str | None:
    """The first sentence that is for something that was rejected elsewhere; None where none is.

    >>> suggested_in("Sessions need care. Use JWT-only tokens for the API.", "JWT-only")
    'Use JWT-only tokens for the API.'
    >>> suggested_in("We do not use JWT-only tokens.", "JWT-only") is None
    True
    """
    wanted = _meant(what)
    if not wanted:
        return None
    for sentence in sentences_of(text[:_READ]):
        said = sentence[:_SENTENCE]
        words = words_of(said)
        places = [at for at, word in enumerate(words) if stem_of(word) in wanted]
        if wanted <= {stem_of(words[at]) for at in places}:
            around = words[max(places[0] - _BEFORE, 0) : places[-1] + _BEHIND + 1]
            if _SAYS_NO.isdisjoint(around):
                return said
    return None


def is_constraint(text: str) -> bool:
    """Whether a text says what must or must never be.

    >>> is_constraint("Tokens must expire within an hour."), is_constraint("Tokens expire within an hour.")
    (True, False)
    """
    return _CONSTRAINS.search(text[:_SENTENCE]) is not None


def _meant(what: str) -> frozenset[str]:
    """The stems that a name is made of; empty where it names nothing in particular."""
    words = frozenset(stem_of(word) for word in words_of(what) if word not in STOP_WORDS)
    return words if words - _VAGUE else frozenset()
