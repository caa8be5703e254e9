"""What is said since of an open matter and may have ended it, without saying so beyond doubt: it stays open, and nobody
who reads of it takes it for open unaware."""

from __future__ import annotations

from typing import Final

from engramforge.core.detection.traps import is_asserted, is_conditional
from engramforge.core.registries.closed.matters import core_of
from engramforge.core.registries.told_verbs import told_of
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import words_of

_LONGEST: Final = 240
_FEWEST: Final = 2
_OF_ALL: Final = 3
_ENDS: Final = late(
    r"(?i)\b(?:done|ready|here|there|came|in place|works?|fine|gone|over|off the list|sorted|live|online)\b"
)
_PLANS: Final = late(
    r"(?i)\b(?:not|no|never|nobody|still|yet|will|shall|should|must|needs?|ha(?:ve|s) to|want|wants|plan|plans|going to"
    r"|gonna|tomorrow|later|soon|next|maybe|perhaps|hopefully|almost|nearly|half|remember|remind|todo|open)\b"
    r"|n['\u2019]t\b|['\u2019]ll\b"
)
_COMMITS: Final = late(
    r"""(?i)\bgit commit\b[^\n"']{0,80}\s-(?:am|m)\s?["'](?:\$\(cat <<["']?\w{1,12}["']?\n)?"""
    r"""(?P<said>[^\n"']{6,200})"""
)
_FIXES: Final = late(
    r"(?i)\b(?:fix|close|resolve|repair|replace|mend|finish|complete|renew|remove|add)(?:e?s|e?d)?\b"
)


def committed(deed: str, title: str) -> str:
    """The message of a commit that tells to have fixed, or done, what a title is about; "" for any other deed.

    >>> title = "the chart export drops the last buoy"
    >>> committed("Bash: git commit -am 'Fix the chart export for long routes'", title)
    'Fix the chart export for long routes'
    >>> committed("Bash: git commit -m 'Paint the buoy'", title), committed("Edit: chart_export.py", title)
    ('', '')
    """
    hit = _COMMITS.search(deed)
    said = "" if hit is None else hit["said"]
    tells = _FIXES.search(said) and not _PLANS.search(said) and _is_of(said, title)
    return said if tells else ""


def perhaps_over(said: str, title: str) -> bool:
    """Whether words tell of a deed, or of how something is, by two words at least of what a title is about.

    >>> title = "renew the boat licence at the harbour office"
    >>> [perhaps_over(each, title) for each in ("the boat licence was stamped today", "the boat licence is still old")]
    [True, False]
    >>> [perhaps_over(each, title) for each in ("will stamp the boat licence", "is the boat licence renewed?", "done")]
    [False, False, False]
    """
    if not 0 < len(said) <= _LONGEST or _PLANS.search(said) or not is_asserted(said):
        return False
    if not _is_of(said, title) or is_conditional(said, len(said)):
        return False
    return _ENDS.search(said) is not None or any(map(told_of, words_of(said.lower())))


def _is_of(said: str, title: str) -> bool:
    """Whether words share two at least with what a title is about, and a third of it."""
    matter = core_of(title)
    same = core_of(said) & matter
    return len(same) >= _FEWEST and _OF_ALL * len(same) >= len(matter)
