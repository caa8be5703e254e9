"""What a text says that it only reports: "the leaflet promises that badges are erased" is about badges."""

from __future__ import annotations

import re
from typing import Final

_REPORTS: Final = re.compile(
    r"(?i)\A(?!\W*(?:no|nobody|neither|if|when|unless)\b)(?:[\w'-]{1,30} ){1,9}?(?:promises?|says?|states?|guarantees?"
    r"|claims?|declares?|assures?(?: \w{1,14})?|tells? \w{1,14}|specif(?:y|ies)) that (?=\w)"
)
_DENIES: Final = re.compile(r"(?i)\b(?:not|never|no longer|nobody|cannot)\b|n't\b")

FALSE_THAT: Final = re.compile(
    r"\W{0,8}(?:(?:it|that)(?:['\u2019]s|\s+(?:is|was))|it)\s+(?:(?:simply|just|plainly|clearly|also)\s+)?"
    r"(?:(?:not|no longer|(?:is|was)n['\u2019]t)\s+(?:true|correct|right|so|the case)|false|untrue|wrong|incorrect"
    r"|a myth)(?:\s+to say)?\s+that\b",
    re.IGNORECASE,
)
"""Denies all that follows: "it is false that", "it is not true that"."""
_NEGATION: Final = re.compile(
    r"(?i)\b(?:(?:do|does|did)(?: not|n['\u2019]t) |(?P<verb>[a-z]{2,8})(?: not |n['\u2019]t )|never )"
)
_NEGATORS: Final = re.compile(
    r"(?i)\b(?:not?|never|nobody|none|nothing|neither|nor|without|cannot|no longer)\b|n['\u2019]t\b"
)


def affirmed(text: str) -> str:
    """A text that is called false as one that says "not true", or as what holds where what is false is a denial.

    >>> affirmed("It is false that we keep logs.")
    'It is not true that we keep logs.'
    >>> affirmed("It is not true that we do not keep logs.")
    'we keep logs.'
    """
    found = FALSE_THAT.match(text)
    if found is None:
        return text
    said = text[found.end() :].lstrip()
    if len(_NEGATORS.findall(said)) != 1 or not _NEGATION.search(said):
        return f"It is not true that {said}"
    return _NEGATION.sub(lambda hit: f"{hit['verb']} " if hit["verb"] else "", said)


def reported(text: str) -> str:
    """A text without whoever says so.

    >>> reported("The leaflet of the museum promises that badges are erased after a week.")
    'badges are erased after a week.'
    >>> reported("The leaflet does not say that badges are erased.")
    'The leaflet does not say that badges are erased.'
    """
    found = _REPORTS.match(text) if " that " in text else None
    return text if found is None or _DENIES.search(found[0]) else text[found.end() :]


_SUPPOSED: Final = re.compile(
    r"(?i)\?\s{0,4}\Z|\A\W{0,3}(?:should|could|shall|may|might|would|what if|whether) (?:we|i|it|they|the|our)\b"
    r"|\b(?:perhaps|maybe|possibly|(?:we|one|you|it|they) (?:could|might)|is (?:being )?(?:considered|discussed)"
    r"|was (?:suggested|proposed|discussed)|(?:suggested|proposed|asked) (?:that|to|for|whether)|(?:i|we) wonder)\b"
)


def is_supposed(text: str) -> bool:
    """Whether a text asks, or supposes, and claims nothing.

    >>> is_supposed("Should we paint the pier?"), is_supposed("Perhaps we paint the pier."), is_supposed("Paint it.")
    (True, True, False)
    """
    return _SUPPOSED.search(text) is not None
