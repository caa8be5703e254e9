"""Budgets: how much of a text is shown. Budgets are characters and are never exceeded."""

from __future__ import annotations

from typing import Final

LEAST_EXCERPT: Final = 200
"""A text is cut only where at least this much of it can be shown."""
_ELLIPSIS: Final = " …"


def excerpt_within(text: str, room: int | None, least: int = LEAST_EXCERPT) -> str | None:
    """The text itself where it fits, else its beginning cut after a word, else None.

    `room`: characters left; None for no limit. `least`: characters that an excerpt has to show at least.
    """
    if room is None or len(text) <= room:
        return text
    if room < least:
        return None
    head = text[: room - len(_ELLIPSIS)]
    space = head.rfind(" ")
    return (head[:space] if space > len(head) // 2 else head).rstrip() + _ELLIPSIS
