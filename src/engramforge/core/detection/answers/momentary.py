"""What is a matter of the moment and no decision of a project: a point in time, a person, how much of something is
shown, a task that comes first, or a fact that somebody asks for.

A way that is chosen holds from then on. Which of two days is meant, who is asked, and whether the short or the long
text is wanted, is over when the answer is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engramforge.core.names.given_names import GIVEN_NAMES
from engramforge.core.text.dates import MONTHS, WEEK
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import word_set

_FILLING: Final = word_set("""
a an the of on in at by for from to until till before after one ones version it them this that these those
""")

_TIMES: Final = word_set("""
today yesterday tomorrow tonight now later soon immediately morning afternoon evening night noon midnight week weekend
month quarter year hour day days weeks months years last next previous current past this ago already yet earlier recent
""").union(WEEK, MONTHS)
_SIZES: Final = word_set("""
small smaller smallest large larger largest big bigger short shorter long longer quick quicker slow slower fast faster
full brief whole half complete first second third last other rest all everything some few more less most least top
bottom left right upper lower north south east west up down old new older newer detailed rough simple simpler high
higher low
""")
_SHOWN: Final = word_set("""
diff file files summary log logs output explanation detail details excerpt example examples snippet code overview list
answer page pages line lines report message trace outline
""")
_PERSONS: Final = frozenset(
    ["me", "you", "him", "her", "us", "myself", "yourself", "someone", "somebody", "nobody", "mine", "yours", "hers",
     "ours", "theirs"]
)  # fmt: skip
_CLOCK: Final = late(r"(?i)\d{1,2}(?::\d\d|\s?[ap]m|\s?o['\u2019]?clock)\Z")
_DOING: Final = (
    r"(?:start|begin|continue|explain|show|look|fix|tackle|work|read|run|ask|check|test|delete|remove|commit|push"
    r"|merge|send|open|close|print|wait|restart|debug|try|go over|go on|see|help|tell|review|clean|refactor|rename"
    r"|update|rerun|repeat|retry|revert|undo|investigate|proceed|do|finish|focus|call|write|add|create|move|stop"
    r"|install|kill|skip|change|edit|deploy|release|publish|roll out|rebase|prioriti[sz]e|describe|summari[sz]e)"
)
DOES: Final = late(rf"(?i)\A\W*{_DOING}\b(?!-)")
"""Begins with something to do at once."""
_TASK: Final = late(
    r"(?i)\b(?:should|shall|can|could|may|must|do you want|would you like|want|like)\s(?:i|we|you|me to|us to|me"
    rf"|us)\s(?:(?:\w+ly|first|now|then|also|rather|just)\s)?{_DOING}\b"
    rf"|\b(?:want|like|prefer)\s(?:(?:me|us)\s)?to\s(?:(?:\w+ly|first|now|then|also)\s)?{_DOING}\b"
    r"|\b(?:first|next|start|begin|priority|to do|todo)\b[^?:]*\?\W*\Z|\bwhat (?:now|next|else)\b"
    r"|\b(?:anything|something) else\b"
)
_FACT: Final = late(
    r"(?i)\A\W*(?:(?:so|and|ok(?:ay)?|hm+|also|or|but|then|just to be sure|to be clear)\b\W*)*"
    r"(?:(?:is|are|was|were|did|does|has|have|had|am|isn['\u2019]?t|aren['\u2019]?t)\b"
    r"|do (?:you (?!want\b|prefer\b|like\b|favou?r\b|wish\b)|they|the)\b)"
    r"|\bdo you (?:mean|see|have|know|remember|get|use|run|recall|hear|notice|work)\b|\b(?:did|have) you\b"
    r"|\bwhich (?:[\w'-]+ ){0,4}?(?:is|are|was|were|did|does|has|failed|happened|came)\b"
    r"|\bwhat(?: is| are| was| were| does| did)\b|\b(?:why|who|whose|when) (?:is|are|was|were|did|does|do|has"
    r"|should|shall)\b"
)


def is_task(question: str) -> bool:
    """Whether a question asks what to do, or in which order."""
    return _TASK.search(question) is not None


def is_fact(question: str) -> bool:
    """Whether a question asks how something is."""
    return _FACT.search(question) is not None


def are_tasks(options: Sequence[str]) -> bool:
    """Whether half of some options or more begin with something to do at once."""
    return 2 * sum(DOES.match(option) is not None for option in options) >= len(options)


def are_of_the_moment(options: Sequence[str], *, is_of_a_thing: bool = False) -> bool:
    """Whether options are points in time, persons, sizes or things to be shown.

    `is_of_a_thing`: whether the question is how a thing of the project shall be, which has a size.

    >>> are_of_the_moment(("today", "yesterday")), are_of_the_moment(("hourly", "nightly"))
    (True, False)
    """
    said = [_words(option) for option in options]
    if any(
        _CLOCK.match(option.strip()) or _is_of(words, _TIMES)
        for option, words in zip(options, said, strict=True)
    ):
        return True
    if all(words and words[0] in GIVEN_NAMES and len(words) <= 2 for words in said):
        return True
    if any(words and all(word in _PERSONS for word in words) for words in said):
        return True
    if is_of_a_thing:
        return False
    return any(_is_of(words, _SIZES) for words in said) or all(
        _is_of(words, _SIZES | _SHOWN) for words in said
    )


def _words(text: str) -> list[str]:
    plain = (word.strip(".,;:!?\"'()`*").replace("\u2019", "'") for word in text.casefold().split())
    return [word.removesuffix("'s") if word.endswith("'s") else word for word in plain if word]


def _is_of(words: Sequence[str], known: frozenset[str]) -> bool:
    """Whether all that a text says is among known words."""
    telling = [word for word in words if word not in _FILLING or word in known]
    return bool(telling) and all(
        word in known or (known is not _TIMES and word.isdigit()) or word.removesuffix("s") in known
        for word in telling
    )
