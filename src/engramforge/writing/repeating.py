"""Repeats a write from its beginning if the store changed between embedding or planning and writing.

A write embeds first, which may take long, and then begins its transaction. If another process has meanwhile moved the
store to another encoder, the transaction is refused and nothing is changed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar

from engramforge.errors import EncoderChanged, PlanOutdated

MOST_TRIES: Final = 3
"""Moves to another encoder take minutes, so a second one during a write is hardly ever seen."""

P = ParamSpec("P")
T = TypeVar("T")


def embedding_again(write: Callable[P, T]) -> Callable[P, T]:
    """The same write, repeated from its beginning after EncoderChanged or PlanOutdated."""

    @wraps(write)
    def repeated(*arguments: P.args, **options: P.kwargs) -> T:
        for _ in range(MOST_TRIES - 1):
            try:
                return write(*arguments, **options)
            except (EncoderChanged, PlanOutdated):
                continue
        return write(*arguments, **options)

    return repeated
