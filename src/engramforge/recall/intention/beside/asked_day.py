"""A day in a question that asks how something stood then: a hint of time, and no words that a memory has to say.

"what was the opening time on 1 March 2026?" -> "what was the opening time?", and that day

What happened on a day is asked with the day: what is told of it says the day, too. Questions in English alone.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final, NamedTuple

from engramforge.model.time import TimeRange
from engramforge.recall.asked_dates import asked_period

_STATE: Final = re.compile(
    r"(?i)(?:what|which|who|where|how (?:much|many|long|often|far|high|large|old|big))\b[^?]{0,200}?"
    r"\b(?:was|were|is|are|had|held)\b"
)
_DEED: Final = re.compile(
    r"(?i)\b(?:did|do|does|done|happen\w*|said|told|(?:was|were|is|are) \w+(?:ed|ing))\b"
)
_BEFORE_LAST: Final = re.compile(r"(?i),?\s(?:on|as of|in|at)\s")
_TRIED, _LONGEST_DAY = 4, 40
_FIRST: Final = re.compile(r"(?i)\s*(?:on|as of|in|at)\s+(?P<day>[^,?!]{3,40}?),\s*(?P<rest>.{3,})")


class AskedDay(NamedTuple):
    """What is asked without its time, and that time."""

    text: str
    period: TimeRange

    @property
    def hint(self) -> str:
        """How to ask it of that time."""
        start, end = self.period.start, self.period.end
        assert start is not None and end is not None
        days = (end - start).days
        said = f"{start:%Y-%m-%d}" if days == 1 else f"{start:%Y-%m}" if days < 32 else f"{start:%Y}"
        return f"This tells what holds now: --as-of-valid {said} (as_of_valid) asks what held then"


def asked_day(question: str, now: datetime) -> AskedDay | None:
    """The past day, month or year of which a question asks how something stood; None of any other.

    >>> from datetime import UTC
    >>> now = datetime(2026, 7, 1, tzinfo=UTC)
    >>> asked_day("what was the opening time on 1 March 2026?", now).text
    'what was the opening time?'
    >>> asked_day("in 2024, who was the director?", now).hint.split(" (")[0]
    'This tells what holds now: --as-of-valid 2024'
    >>> asked_day("what did Ada say on 1 March 2026?", now), asked_day("where is the dome in the rain?", now)
    (None, None)
    """
    rest, day = _parts(question)
    if not day or not _STATE.match(rest) or _DEED.search(rest):
        return None
    period = asked_period(day, now)
    if period is None or period.end is None or period.end > now:
        return None
    return AskedDay(f"{rest.rstrip('?.! ')}?", period)


def _parts(question: str) -> tuple[str, str]:
    """What is asked, and the day at its beginning or end; empty where there is none."""
    if (first := _FIRST.fullmatch(question)) is not None:
        return first["rest"].strip(), first["day"]
    for joint in list(_BEFORE_LAST.finditer(question))[-_TRIED:]:
        rest, day = question[: joint.start()].strip(), question[joint.end() :].strip(" \t\n?.!")
        if 3 <= len(day) <= _LONGEST_DAY and len(rest) >= 3 and not {",", "?", "!"} & set(day):
            return rest, day
    return "", ""
