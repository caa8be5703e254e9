"""In which state, when, for which part and for which age a statement holds, as it is said beside its claim.

"While riding" and "while parked" do not meet, what was so last year says nothing of today, a price from January on is
announced and not denied, the first service is not each of them, and "tickets for students" are a part of the tickets.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import Final

from engramforge.core.conflicts.matters.matter import PLACING
from engramforge.core.conflicts.numbers import is_day
from engramforge.core.conflicts.scopes.when_and_where import MONTH, ORDINALS
from engramforge.core.conflicts.statements import COUNTS, KEPT
from engramforge.core.text.words import is_stop_word, root_of, roots_of, words_of

_STATE: Final = re.compile(
    r"(?i)(?:\A|[\s,])(?:while|when|whenever|if|during|as long as) ([^,;:.!?]{3,60})(?:, |[.!]?\Z)"
)
_LONG_AGO: Final = re.compile(
    r"(?i)\b(?:last (?:year|month|week|summer|winter|spring|autumn|season|quarter|night|time)|yesterday|formerly"
    r"|previously|originally|used to|back then|in those days|in the past|at the time"
    r"|(?:years?|months?|weeks?|days?) ago)\b"
)
_THEN: Final = re.compile(
    rf"\b(?:[Oo]n \d{{1,2}}(?:st|nd|rd|th)? {MONTH}|[Oo]n {MONTH} \d{{1,2}}|(?:[Ii]n|[Uu]ntil|[Tt]ill|[Bb]efore)"
    rf"(?: the (?:end|start) of)? (?:{MONTH}|(?:19|20)\d\d))\b"
)
"""A day, a month or a year: of the past where the verb is."""
_ENDED: Final = re.compile(rf"\b(?:[Uu]ntil|[Tt]ill)(?: the (?:end|start) of)? (?:{MONTH}|(?:19|20)\d\d)\b")
_RELATIVE: Final = re.compile(r"(?i),? (?:that|which|who|whose) |;")
_PAST_VERBS: Final = frozenset(
    {"was", "were", "had", "did", "took", "ran", "went", "came", "gave", "got", "made", "paid", "sold", "kept", "held",
     "cost", "began", "sent", "wrote", "spoke", "built", "lost", "drove", "met", "found", "stood", "left", "saw",
     "needed", "used"}
)  # fmt: skip
_AUXILIARIES: Final = frozenset({"is", "are", "be", "been", "being", "must", "may", "gets", "get", "not"})
_PRESENT: Final = frozenset({"is", "are", "has", "have", "does", "do", "may", "must", "can", "will"})
_MONEY: Final = re.compile(
    r"(?i)[€$£]\s?\d|\d\s?(?:€|euros?\b|eur\b|dollars?\b|usd\b|pounds?\b|gbp\b|francs?\b|cents?\b|crowns?\b)"
)
_ANNOUNCED: Final = re.compile(rf"(?i)\b(?:from|as of|starting(?: in| from)?) (?:{MONTH}|next|20\d\d)\b")
_ORDINALS: Final = frozenset((*ORDINALS, "last"))
_BEFORE_ORDINAL: Final = frozenset({"the", "a", "our", "its", "their", "your", "each"})
_OF: Final = frozenset({"for", "of"})
_ARTICLES: Final = frozenset({"the", "a", "an", "our", "their"})
_ALL: Final = frozenset({"all", "every", "each", "any", "no", "everything"})
_UNITS: Final = frozenset(
    map(root_of, ("second", "minute", "hour", "day", "week", "month", "year", "time", "activity", "inactivity"))
)  # fmt: skip
_MAY: Final = re.compile(
    r"(?i)\b(?:may|can|could|(?:is|are) (?:possible|allowed to|free to|able to)) (?!not\b)"
)
_BUT_ONE: Final = re.compile(
    r"(?i)\b(?:only|exclusively|solely|nothing but|must|not|no|never|cannot|nobody|except|instead|either)\b|n't\b"
)
_ALSO: Final = re.compile(r"(?i)\b(?:also|too|as well(?! as))\b(?! (?:many|much|few|late|long|big|small)\b)")
_PLACE: Final = re.compile(
    r"(?i)\b(?:in|on|at|inside|outside|aboard) (?:the|our|its) ([^\W\d_]{3,20}(?: [^\W\d_]{3,20})?)[.!]?\Z"
)


def hold_apart(text: str, other: str) -> bool:
    """Whether two statements hold in different states, or one of the first and the other of each of a kind.

    >>> hold_apart("The gauge reports hourly while moored.", "The gauge reports every minute while sailing.")
    True
    >>> hold_apart("The first survey is after 20 days.", "Surveys are held every 90 days.")
    True
    """
    mine, theirs = _states(text), _states(other)
    if mine - theirs and theirs - mine:
        return True
    return _is_one_of(text, other) or _is_one_of(other, text)


@lru_cache(maxsize=KEPT)
def _states(text: str) -> frozenset[str]:
    found = _STATE.search(text)
    # "Above 5" and "above 8" are one state with another number, which other rules compare.
    return frozenset() if found is None else frozenset(x for x in roots_of(found[1]) if not x[0].isdigit())


def _is_one_of(text: str, other: str) -> bool:
    """Whether a text speaks of the first, or another one, of what the other speaks of without saying which."""
    words, theirs = words_of(text), words_of(other)
    for place, (word, noun) in enumerate(pairwise(words)):
        is_which = place == 0 or words[place - 1] in _BEFORE_ORDINAL
        if word not in _ORDINALS or not is_which or is_stop_word(noun):
            continue
        at = [here for here, each in enumerate(theirs) if root_of(each) == root_of(noun)]
        if at and not any(theirs[here - 1] in _ORDINALS for here in at if here):
            return True
    return False


def is_then_and_now(text: str, other: str, is_one_matter: bool = False) -> bool:
    """Whether one says how it was, and the other how it is; or one which price is announced, and the other one today's.
    `is_one_matter`: they are known to speak of the same.

    >>> is_then_and_now("Last year a berth was 9 euros.", "A berth is 11 euros.")
    True
    >>> is_then_and_now("A berth was 9 euros in May.", "A berth was 11 euros in May.")
    False
    >>> is_then_and_now("A berth costs 9 euros.", "A berth costs 11 euros from April on.")
    True
    """
    past = _is_past(text, is_one_matter), _is_past(other, is_one_matter)
    if past[0] is not past[1]:
        now = other if past[0] else text
        return not _has_past_verb(now) or bool(_PRESENT & set(words_of(now)))
    if not (_MONEY.search(text) and _MONEY.search(other)):
        return False
    return (_ANNOUNCED.search(text) is None) is not (_ANNOUNCED.search(other) is None)


@lru_cache(maxsize=KEPT)
def _is_past(text: str, is_one_matter: bool) -> bool:
    """Whether a main clause says how it was. Of one matter a day is told, and no scope."""
    main = _RELATIVE.split(text, maxsplit=1)[0]
    if _LONG_AGO.search(main) is not None:
        return True
    when = _ENDED if is_one_matter else _THEN
    return when.search(main) is not None and _has_past_verb(main)


@lru_cache(maxsize=KEPT)
def _has_past_verb(text: str) -> bool:
    words = words_of(text)
    return any(
        word in _PAST_VERBS or (len(word) > 4 and word.endswith("ed") and _is_told(words[:place]))
        for place, word in enumerate(words)
    )


def _is_told(before: list[str]) -> bool:
    """Whether a word like "needed" is what somebody did: no auxiliary and no article stands before it."""
    return bool(before) and not {*before[-2:]} & _AUXILIARIES and before[-1] not in _ARTICLES


def is_of_part(text: str, other: str, is_one_matter: bool = False) -> bool:
    """Whether one speaks of a part of what the other speaks of, which is not all of it: "tickets for students".
    `is_one_matter`: they are known to speak of the same, of which "of" tells more.

    >>> is_of_part("Berths for rowers cost 3 euros.", "Berths cost 9 euros.")
    True
    >>> is_of_part("Berths for rowers cost 3 euros.", "All berths cost 9 euros.")
    False
    """
    joints = frozenset({"for"}) if is_one_matter else _OF
    return _is_part(text, other, joints) or _is_part(other, text, joints)


def _is_part(text: str, other: str, joints: frozenset[str]) -> bool:
    words, theirs = words_of(text), words_of(other)
    if _ALL & set(theirs):
        return False
    roots = set(map(root_of, theirs))
    for place, word in enumerate(words):
        if word not in joints or not place or root_of(words[place - 1]) not in roots:
            continue
        behind = [x for x in words[place + 1 : place + 3] if x not in _ARTICLES]
        # "Kept for 30 days" tells no part, nor does "run of the mill" where both say it.
        if behind and _is_kind(behind[0]) and root_of(behind[0]) not in roots:
            return root_of(words[place - 1]) not in PLACING
    return False


def _is_kind(word: str) -> bool:
    is_number = word[:1].isdigit() or word in COUNTS
    return not (is_number or is_stop_word(word) or root_of(word) in _UNITS)


@lru_cache(maxsize=KEPT)
def is_option(text: str) -> bool:
    """Whether a text says what one may do, beside which one may do something else.

    >>> is_option("Guests may pay by card."), is_option("Guests may pay by card only.")
    (True, False)
    """
    return _MAY.search(text) is not None and _BUT_ONE.search(text) is None


def is_beside(text: str, other: str) -> bool:
    """Whether what two statements choose may stand side by side: both are options, or one says that it is so as well.

    >>> is_beside("Guests may pay by card.", "Guests may pay by bill.")
    True
    >>> is_beside("Pay by card.", "Pay by bill, too.")
    True
    >>> is_beside("Guests pay by card only.", "Guests pay by bill, too.")
    False
    """
    if is_option(text) and is_option(other):
        return True
    return any(
        _ALSO.search(one) is not None and not (_BUT_ONE.search(another) or _ALL & set(words_of(another)))
        for one, another in ((text, other), (other, text))
    )


def are_other_rooms(text: str, other: str) -> bool:
    """Whether both say where or on which days, and these are others: "on the quay", "in the hall".

    >>> are_other_rooms("Dogs are let off on the quay.", "Dogs are not let off in the hall.")
    True
    >>> are_other_rooms("We sail on Mondays.", "We do not sail on Fridays.")
    True
    """
    days = [frozenset(filter(is_day, words_of(each))) for each in (text, other)]
    if all(days) and not days[0] & days[1]:
        return True
    mine, theirs = _PLACE.search(text), _PLACE.search(other)
    if mine is None or theirs is None:
        return False
    return not roots_of(mine[1]) & roots_of(other) and not roots_of(theirs[1]) & roots_of(text)
