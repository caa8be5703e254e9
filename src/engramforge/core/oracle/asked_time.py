"""Of which time a question asks: a day, a month or a year that it names, or what was before."""

from __future__ import annotations

import re
from typing import Final

_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_DATED: Final = re.compile(
    rf"(?i)\s?\b(?:back )?(?:in|on|as of|during|around|at the end of|at the beginning of) (?:the (?:year|month) )?"
    rf"((?:\d{{1,2}} )?{_MONTH}(?: \d{{1,2}})?,? (?:19|20)\d\d|(?:19|20)\d\d(?:-\d\d){{0,2}})(?![\w-])"
)
_BEFORE: Final = re.compile(
    r"(?i)\b(?:previously|formerly|hitherto|used to (?:be|have|use)|earlier on|in the past|before (?:that|then|this|it)"
    r"|(?:the|our) (?:former|previous|old|predecessor))\b|\b(?:before|earlier|originally)\W*\Z"
)


def without_date(query: str) -> tuple[str, str]:
    """A question without the day, month or year of which it asks, and that; empty where it names none.

    >>> without_date("Which ferry sailed in May 2021?"), without_date("Which ferry sails in fog?")
    (('Which ferry sailed?', 'May 2021'), ('Which ferry sails in fog?', ''))
    """
    found = _DATED.search(query)
    if found is None:
        return query, ""
    return query[: found.start()] + query[found.end() :], found[1]


def asks_for_former(query: str) -> bool:
    """Whether a question asks what there was before.

    >>> asks_for_former("What was the ferry called before?"), asks_for_former("What did we paint before the storm?")
    (True, False)
    """
    return _BEFORE.search(query) is not None
