"""An answer that leaves things as they are, where a person asked whether to turn to something else: "nah, leave it in
postgres then", behind "should we switch to redis for the holds?".
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import stem_of, word_set, words_of

_NAME: Final = r"[\w@][\w.+#/-]{1,30}"
_STAYS: Final = late(
    r"(?i)\A\W*(?:(?:nah|no|nope|naw|na|hm+|ok(?:ay)?|well|right|then|actually|rather)\b[\s,.!\u2013\u2014-]*){1,3}"
    r"(?:(?:just|please|pls|we|i|let['\u2019]?s|i['\u2019]?d|better)\s+){0,2}"
    r"(?:(?:leave|keep) (?:it|them|that|this|those|all|everything) (?:all )?(?:in|on|with|at|as|under|inside)"
    r"|(?:stay|stick|staying|sticking) (?:with|on|in|at)|keep (?:using )?)\s*(?:the |our |plain )?"
    rf"(?P<name>{_NAME}(?: {_NAME})??)(?:,? (?:then|please|pls|for good|as (?:it is|before|now)))?"
    r"(?:[,;.]\s*(?P<why>\S.*))?\W*\Z"
)
_TURNS_TO: Final = late(
    rf"(?i)\b(?:(?:switch|move|migrate|change|go)(?: \w+){{0,3}}? (?:over )?to|use|using|try|add|introduce|bring in"
    rf"|take) (?:the |an? |our )?(?P<name>{_NAME})"
)
_LEFT_OPEN: Final = late(
    r"(?i)\b(?:for (?:now|today|the moment|a while)|until|till|tomorrow|later|but|if|unless|first|not sure|maybe)\b"
)
_NO_NAMES: Final = word_set("""
it that this there here hold mind now then place one ones same way is was be on off in out them those these me us you
""")


class Staying(NamedTuple):
    """What it stays with, what it was asked of, and why."""

    name: str
    other: str
    why: str


def may_stay(answer: str) -> bool:
    """Whether an answer may leave something as it is."""
    return _STAYS.match(answer) is not None


def staying(turn: str, answer: str, question: str) -> Staying | None:
    """What an answer stays with; None where the question asked for no other thing, or nobody named what it stays with.

    >>> staying("Redis adds a service; Postgres is enough.", "nah leave it in postgres", "should we switch to redis?")
    Staying(name='postgres', other='redis', why='')
    >>> staying("Redis adds a service.", "nah leave it in there", "should we switch to redis?") is None
    True
    """
    hit = _STAYS.match(answer)
    asked = _TURNS_TO.search(question) if hit is not None else None
    if hit is None or asked is None or _LEFT_OPEN.search(answer):
        return None
    words = words_of(hit["name"].casefold())
    named = set(map(stem_of, words_of(f"{turn} {question}".casefold())))
    if not words or not _NO_NAMES.isdisjoint(words) or not named.issuperset(map(stem_of, words)):
        return None
    other = asked["name"].strip(".")
    if stem_of(other.casefold()) in map(stem_of, words):
        return None
    return Staying(hit["name"], other, hit["why"] or "")
