"""How often something happens, and which decision another frequency replaces: "make it hourly from now on"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engramforge.core.registries.complaints import complaint_in, is_passing, without_complaints
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import is_stop_word, stem_of, words_of

_UNITS: Final = r"(?:second|minute|min|hour|day|night|morning|evening|week|fortnight|month|quarter|year)"
_NUMBER_WORDS: Final = (
    "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty sixty"
)
_NUMBERS: Final = dict(zip(_NUMBER_WORDS.split(), (*range(1, 13), 15, 20, 30, 40, 60), strict=True))
_PLACES: Final = {"other": 2.0, "second": 2.0, "third": 3.0}
_EVERY: Final = late(
    rf"(?i)\b(?:every (?:(?P<count>\d{{1,4}}|other|second(?= (?:day|night|morning|evening|week|month))|third"
    rf"|{'|'.join(_NUMBERS)}) )?(?P<unit>{_UNITS})s?"
    rf"|(?P<times>once|twice|(?:\d{{1,3}}|three|four|five|six) times) (?:an?|per|each|every) (?P<per>{_UNITS})"
    r"|(?P<adverb>hourly|daily|nightly|weekly|monthly|quarterly|yearly|half-hourly))\b"
)
_ADVERBS: Final = {
    "hourly": (1.0, "hour"),
    "half-hourly": (30.0, "minut"),
    "daily": (1.0, "day"),
    "nightly": (1.0, "night"),
    "weekly": (1.0, "week"),
    "monthly": (1.0, "month"),
    "quarterly": (1.0, "quarter"),
    "yearly": (1.0, "year"),
}
_NO_MATTER: Final = frozenset(
    stem_of(word)
    for word in f"{_NUMBER_WORDS} second minute min hour day night morning evening week month year once twice time"
    " other decide make it now use go set run want need please rare often much seldom".split()
)

Interval = tuple[float, str]
"""How many of a unit, and the unit's stem."""


def intervals_in(text: str) -> list[Interval]:
    """The frequencies that a text names, in its order.

    >>> intervals_in("every 20 minutes eats the battery, make it hourly")
    [(20.0, 'minut'), (1.0, 'hour')]
    """
    found: list[Interval] = []
    for hit in _EVERY.finditer(text):
        if hit["adverb"]:
            found.append(_ADVERBS[hit["adverb"].lower()])
        elif hit["unit"]:
            count = (hit["count"] or "1").lower()
            number = _PLACES.get(count) or float(_NUMBERS.get(count, 0) or count)
            found.append((number, stem_of(hit["unit"].lower())))
        else:
            times = hit["times"].lower().split()[0]
            number = {"once": 1.0, "twice": 2.0}.get(times) or float(_NUMBERS.get(times, 0) or times)
            found.append((1 / number if number else 0.0, stem_of(hit["per"].lower())))
    return found


def without_intervals(text: str) -> str:
    """A text without the frequencies that it names."""
    return _EVERY.sub(" ", text)


def with_another_interval(said: str, standing: Sequence[str]) -> int | None:
    """The place of the only decision whose frequency the words change: the one that has the frequency which they name
    before, or that is of the same matter; None where that is none, or several.

    >>> decisions = ("measure every 20 minutes", "back up every night")
    >>> with_another_interval("every 20 minutes eats the battery, make it hourly", decisions)
    0
    >>> with_another_interval("the nightly backup is too rare, back up hourly from now on", decisions)
    1
    """
    if left := interval_left(said):
        said = without_complaints(said)
        new, before = intervals_in(said)[-1], intervals_in(left)
    elif named := intervals_in(said):
        new, before = named[-1], named[:-1]
    else:
        return None
    able = [
        (at, its) for at, text in enumerate(standing) if len(its := intervals_in(text)) == 1 and its[0] != new
    ]
    of_matter = [at for at, _ in able if _matter(said) & _matter(standing[at])]
    if before:
        found = [at for at, its in able if its[0] in before]
        # Two may be as frequent; the matter tells them apart.
        # Words that complain of one and name the matter of the other mean no decision of another matter.
        found = [at for at in found if at in of_matter] or ([] if left and _matter(said) else found)
    else:
        found = of_matter
    return found[0] if len(found) == 1 else None


def interval_left(said: str) -> str:
    """The frequency that words complain of beside another one; "" for none.

    >>> interval_left("backups nightly, weekly was dumb"), interval_left("backups nightly, the script was dumb")
    ('weekly', '')
    """
    complaint = complaint_in(said)
    if complaint is None or is_passing(said[complaint.begin : complaint.end]):
        return ""
    left, beside = intervals_in(complaint.left), intervals_in(without_complaints(said))
    is_other = len(left) == 1 and bool(beside) and beside[-1] not in left
    return complaint.left if is_other and not _matter(complaint.left) else ""


def _matter(text: str) -> frozenset[str]:
    return frozenset(
        stem
        for word in words_of(without_intervals(text).lower())
        if not is_stop_word(word) and (stem := stem_of(word)) not in _NO_MATTER
    )
