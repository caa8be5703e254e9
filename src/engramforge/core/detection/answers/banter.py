"""Turns in which somebody only tells a tale or jokes: whatever is said to them decides nothing."""

from __future__ import annotations

from typing import Final

from engramforge.core.text.late_pattern import late

SUCH_IT_IS: Final = "it is this"
"""The rule of what an assistant may say in fun: "Brenda it is"."""
_LAUGHS: Final = late(r"(?i)\b(?:lol|(?:ha){2,8}h?|(?:he){2,8}|rofl|lmao|jk)\b|[\U0001f602\U0001f923]")
_TELLS: Final = late(
    r"(?i)\A\W*(?:(?:btw|fun fact|today|yesterday|so|and|ok|oh|guess what)\W+){0,2}"
    r"(?:(?:the|my|our|an?|some|this|that) (?:[\w'\u2019-]{1,30} ){1,6}?|(?:somebody|someone|everyone|everybody|he|she"
    r"|they|i) (?:just |always |really )?)(?:calls?|called|says?|said|named|nicknamed|walked|jumped|fell|sang|ate|slept"
    r"|met|saw|looks? like|sounds? like|thinks?|dreamt|dreamed)\b"
)
_WANTS: Final = late(
    r"(?i)\b(?:should|shall|need|want|wants|please|pls|must|use|let['\u2019]?s|prefer|rather|make|decid\w+|agreed?"
    r"|go with|take|better|instead|from now on|never|always)\b|\?"
)
_NO_NAME: Final = late(
    r"(?i)\b(?:boss|customers?|clients?|team|lawyers?|legal|finance|marketing|council|board)\b"
)
"""Who may decide, and is no matter of fun."""


def is_banter(text: str) -> bool:
    """Whether a person's turn asks for nothing and orders nothing, but laughs or tells what somebody did or said.

    >>> is_banter("lol the kettle has a face"), is_banter("the intern calls the van Gertrude")
    (True, True)
    >>> is_banter("name it Gertrude"), is_banter("dark blue or red?"), is_banter("the boss says dark blue")
    (False, False, False)
    """
    if _WANTS.search(text) or _NO_NAME.search(text):
        return False
    return _LAUGHS.search(text) is not None or _TELLS.match(text) is not None
