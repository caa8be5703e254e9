"""One statement forbids what the other says is done.

A prohibition says "never", "must not", "no X" or "is forbidden", without a condition. Everything that it forbids must
be in the other statement, whatever that one says beside it; and the last of it must not be the beginning of a name for
something else ("card numbers", "card number tokens").
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import Final

from engramforge.core.conflicts.matters.matter import Matter, is_content, read_matter
from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.conflicts.statements import COUNTS, DENYING, KEPT, NEGATORS
from engramforge.core.text.dates import MONTHS, WEEK
from engramforge.core.text.words import is_stop_word, root_of, words_of

STRENGTH: Final = 0.75
_FORBIDS: Final = re.compile(
    r"(?i)\b(?:never|(?:must|may|shall|should|can) not|(?:must|should|can)n't|cannot|no longer|forbidden|prohibited"
    r"|banned|disallowed|off limits|(?:nobody|no one) (?:may|must|can)|not (?:allowed|permitted|acceptable))\b"
)
_FORBIDS_FIRST: Final = re.compile(
    r"(?i)(?:no|(?:we )?do(?:n't| not)|avoid|ban|forbid|we (?:have|use|keep) no"
    r"|[^\W\d]{1,40}s are not [^\W\d]{1,40}ed)\b"
)
"""What forbids anywhere in a text, and what does as its beginning."""
_CONDITION: Final = re.compile(
    r"(?i)\b(?:unless|except|without|until|before|other than|outside|only|more than|less than|fewer than|alone|just"
    r"|at least|at most|directly|both|same|anymore)\b"
)
_STEM_ONLY: Final = frozenset(
    map(root_of, ("forbidden", "prohibited", "banned", "disallowed", "allowed", "permitted", "acceptable", "avoid",
     "ban", "forbid", "limits", "longer", "allow", "anywhere", "ever", "anyone", "circumstances"))
)  # fmt: skip
_DONE_BEFORE: Final = frozenset(
    map(root_of, ("evaluated", "considered", "discussed", "compared", "tried", "used", "formerly", "previously", "once",
     "removed", "migrated", "moved", "replaced", "retired", "checked", "check", "detect", "detects", "scan", "scans",
     "mask", "masked", "redact", "redacted", "strip", "stripped", "warn", "alert", "alerts", "find", "finds",
     "reject", "rejects", "block", "blocks", "blocked", "filter", "filtered", "anonymised", "anonymized", "without",
     "fails", "fail", "refuse", "instead"))
)  # fmt: skip
"""Words of what was done before, or is done against it."""
_EITHER: Final = re.compile(
    r"(?i)\A(no) ([\w'-]{2,30}) (?:or|and) ([\w'-]{2,30}) ((?:in|on|at|inside|into|aboard)\b.+)"
)
_INSIDE: Final = re.compile(
    r"(?i)\b(?:in|into|inside|on|onto|at|to|aboard) (?:the |our |any |a )?([\w'-]{2,30}(?: [\w'-]{2,30})?)"
)
_OF_WHOM: Final = re.compile(
    r"(?i)\b([^\W\d_]{3,20}) of (?:the |a |an |every |each |our |all )?([^\W\d_]{3,20}?)(?:'s|s')(?= )"
)
_KEEPS: Final = re.compile(
    r"(?i)\b(?:stor(?:e|es|ed|ing)|sav(?:e|es|ed|ing)|keeps?|kept|keeping|retain\w{0,3}|hold|held)\b"
)
_BESIDE: Final = frozenset({"morning", "afternoon", "evening", "night", "noon"})
_DEEDS: Final = frozenset(
    map(root_of, ("deploy", "release", "write", "ship", "deliver", "perform", "build", "implement", "develop", "create",
     "send", "sent", "offer", "provide", "make", "made", "work", "talk", "speak", "give", "given", "handle", "manage",
     "move", "migrate", "expose", "do"))
)  # fmt: skip
"""Deeds that say more than where something is put: to forbid them forbids something."""
_TIMES: Final = frozenset(map(root_of, (*WEEK, *MONTHS, "weekend", "day", "night", "holidays")))
"""To forbid a time alone forbids nothing."""


@lru_cache(maxsize=KEPT)
def forbidden(matter: Matter) -> frozenset[str]:
    """Stems of what a statement forbids; empty where it forbids nothing, or under a condition.

    >>> from engramforge.core.conflicts.matters.matter import read_matter
    >>> sorted(forbidden(read_matter("No deployments to production on Fridays.")))
    ['deploy', 'friday', 'product']
    """
    if not _forbids(matter.text) or _CONDITION.search(matter.text) is not None:
        return frozenset()
    found = frozenset(
        stem
        for word, stem in zip(matter.words, matter.stems, strict=True)
        if stem not in _STEM_ONLY
        and word not in NEGATORS
        and (is_content(word, stem) or (stem in _DEEDS and not is_stop_word(word)))
    )
    return frozenset() if found <= _TIMES else found


def _forbids(text: str) -> bool:
    return _FORBIDS_FIRST.match(text) is not None or _FORBIDS.search(text) is not None


def forbidden_and_done(one: Matter, other: Matter) -> Disagreement | None:
    """Whether one says is done what the other forbids.

    >>> from engramforge.core.conflicts.matters.matter import read_matter
    >>> told = read_matter("Never store card numbers"), read_matter("We store card numbers encrypted in a table")
    >>> forbidden_and_done(*told).why
    'one forbids what the other says is done: card, numbers'
    """
    sides = [(each, other) for each in _each_of(one, other)] + [(each, one) for each in _each_of(other, one)]
    for rule, practice in sides:
        wanted = forbidden(rule)
        if not wanted or practice.negated or _forbids(practice.text):
            continue
        if _is_done(wanted, rule, practice):
            words = dict(zip(rule.stems, rule.words, strict=True))
            told = ", ".join(words[stem] for stem in words if stem in wanted)
            return Disagreement(Signal.NEGATION, f"one forbids what the other says is done: {told}", STRENGTH)
    return None


def _each_of(rule: Matter, practice: Matter) -> tuple[Matter, ...]:
    """What a rule forbids, each by itself where the other statement speaks of the same place: "no bread or wine in the
    hall" forbids either there."""
    found = _EITHER.match(rule.text)
    if found is None:
        return (rule,)
    first, either, other, rest = found.groups()
    places = _INSIDE.findall(practice.text)
    if root_of(rule.words[-1]) not in {root_of(word) for place in places for word in words_of(place)[:2]}:
        return (rule,)
    return tuple(read_matter(f"{first} {each} {rest}") for each in (either, other))


def _is_done(wanted: frozenset[str], rule: Matter, practice: Matter) -> bool:
    have = set(practice.stems)
    if not wanted <= have or have & (_DONE_BEFORE | DENYING) - wanted:
        return False
    numbers = [
        frozenset(COUNTS.get(x, x) for x in each.words if x in COUNTS or x[0].isdigit())
        for each in (rule, practice)
    ]
    if all(numbers) and not numbers[0] & numbers[1]:  # on deck two, on deck four
        return False
    if len(wanted) == 1 and len(practice.about() - wanted) > 2 and not _is_name(wanted, rule):
        return False
    if _is_turned(wanted, rule, practice):
        return True
    return not _goes_on(wanted, practice)


def _is_turned(wanted: frozenset[str], rule: Matter, practice: Matter) -> bool:
    """Whether what is forbidden to be kept is kept, told the other way round: "customer photos", "a photo of every
    customer's card"."""
    found = _OF_WHOM.search(practice.text)
    if found is None or {root_of(found[1].lower()), root_of(found[2].lower())} != wanted:
        return False
    return all(_KEEPS.search(each.text) is not None for each in (rule, practice))


def _is_name(wanted: frozenset[str], rule: Matter) -> bool:
    return any(root_of(word) in wanted for word in rule.named)


def _goes_on(wanted: frozenset[str], practice: Matter) -> bool:
    """Whether the words that are forbidden stand before another one that makes a name of something else of them."""
    told = list(zip(practice.words, practice.stems, strict=True))
    for place, ((_, stem), (word, following)) in enumerate(pairwise(told)):
        is_noun = is_content(word, following) and not word.endswith(("ed", "ly", "ing"))
        if stem not in wanted or following in wanted or not is_noun or word in _BESIDE:
            continue
        # What stands between two things that are forbidden is what is done: "the page shows full names".
        if not wanted & set(practice.stems[place + 2 :]):
            return True
    return False
