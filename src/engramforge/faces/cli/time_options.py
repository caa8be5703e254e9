"""Options about the two time axes, which several commands share. No command of its own is here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")


def point_options(function: F) -> F:
    """Add --as-of, --as-of-valid and --as-of-recorded."""
    for option in (
        click.option("--as-of-recorded", metavar="TIME", help="What we knew at this time."),
        click.option("--as-of-valid", metavar="TIME", help="What held at this time."),
        click.option("--as-of", metavar="TIME", help="What we knew at this time of what held at this time."),
    ):
        option(function)
    return function


def mode_options(function: F) -> F:
    """Add --mode, the range of evolution, and the options of a point."""
    for option in (
        click.option(
            "--recorded-until", metavar="TIME", help="With --mode evolution: on record before this time."
        ),
        click.option(
            "--recorded-since", metavar="TIME", help="With --mode evolution: on record at or after this time."
        ),
        click.option(
            "--mode",
            metavar="MODE",
            help="current, point_in_time (as of a time), evolution (every version on record during a range) or "
            "full_history (every version).",
        ),
    ):
        option(function)
    return point_options(function)
