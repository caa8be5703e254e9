"""Patterns that are compiled at first use: those of rare wordings, which most texts never reach.

A long pattern takes up to a tenth of a second, and all of them together longer than the writing of a first memory. Who
has time may compile the long ones before somebody waits for them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any, Final, cast

_LONG: Final = 4_000
"""Of so many characters a wording takes some milliseconds."""
_waiting: Final[list[Callable[[], object]]] = []


class _LatePattern:
    """Stands for a pattern until something is asked of it; then its methods are the pattern's own."""

    def __init__(self, wording: str, flags: int) -> None:
        self._wording = wording
        self._flags = flags
        may_wait(wording, lambda: self._pattern)

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


def may_wait(wording: str, compiles: Callable[[], object]) -> None:
    """Have a wording compiled when there is time, if it is long."""
    if len(wording) > _LONG:
        _waiting.append(compiles)


def has_waiting() -> bool:
    """Whether a long wording of what is loaded was never compiled by `compile_waiting`."""
    return bool(_waiting)


def compile_waiting(goes_on: Callable[[], bool]) -> None:
    """Compile the long ones, each as long as there is time for it."""
    while _waiting and goes_on():
        _waiting.pop()()
