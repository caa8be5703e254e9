"""Whether a decision answers a question by what it decides, or only by a word of its reasons.

Reasons speak of other things: "kept in slate, since the host looks after it" is nothing that is hosted.
"""

from __future__ import annotations

import re
from typing import Final

from engramforge.core.oracle.resonance import asked_stems, gaps
from engramforge.core.text.words import root_of, words_of

_WHY: Final = re.compile(r"(?i)\b(?:why|reasons?|because|rationale)\b")


def says_all(query: str, text: str) -> bool:
    """Whether a statement says every word that a question asks with.

    >>> says_all("Where is the boat moored?", "The boat is moored at quay 4."), says_all("Why?", "It rains.")
    (True, False)
    """
    return bool(asked_stems(query)) and not gaps(query, [text])


def by_reasons_alone(query: str, said: str, whole: str) -> bool:
    """Whether a word that a question asks with is in the reasons of a decision and not in what it says.

    >>> said = "Boat papers are kept in slate"
    >>> by_reasons_alone("Where is the boat moored?", said, f"{said}. Rationale: a moor is dry")
    True
    >>> by_reasons_alone("Where are boat papers?", said, f"{said}. Rationale: a moor is dry")
    False
    """
    if _WHY.search(query):
        return False
    mine = set(map(root_of, words_of(said)))
    return not (asked_stems(query) & (set(map(root_of, words_of(whole))) - mine)) <= mine
