"""Patterns that are compiled at first use: those of rare wordings, which most texts never reach.

A long pattern takes up to a tenth of a second, and all of them together longer than the writing of a first memory.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any, cast


class _LatePattern:
    """Stands for a pattern until something is asked of it; then its methods are the pattern's own."""

    def __init__(self, wording: str, flags: int) -> None:
        self._wording = wording
        self._flags = flags

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self._wording, self._flags)

    def __getattr__(self, name: str) -> Any:
        # Called only for what is no attribute yet: once for each method.
        found = getattr(self._pattern, name)
        setattr(self, name, found)
        return found


def late(wording: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`, at first use.

    >>> late(r"ADR[- ]?(\\d+)").search("see ADR 7")[1]
    '7'
    """
    return cast("re.Pattern[str]", _LatePattern(wording, flags))
