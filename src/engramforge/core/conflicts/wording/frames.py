"""What a text says that it only reports: "the leaflet promises that badges are erased" is about badges."""

from __future__ import annotations

import re
from typing import Final

_REPORTS: Final = re.compile(
    r"(?i)\A(?!\W*(?:no|nobody|neither|if|when|unless)\b)(?:[\w'-]{1,30} ){1,9}?(?:promises?|says?|states?|guarantees?"
    r"|claims?|declares?|assures?(?: \w{1,14})?|tells? \w{1,14}|specif(?:y|ies)) that (?=\w)"
)
_DENIES: Final = re.compile(r"(?i)\b(?:not|never|no longer|nobody|cannot)\b|n't\b")


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
