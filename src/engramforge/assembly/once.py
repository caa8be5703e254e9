"""Parts of the stages that are built when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar, cast

T = TypeVar("T")


def once(build: Callable[[Any], T]) -> T:
    """A `cached_property` typed as the attribute that it becomes, which is what a protocol asks for."""
    return cast("T", cached_property(build))
