"""Numbers of things, as people read them."""

from __future__ import annotations


def numbered(count: int, noun: str) -> str:
    """How many of what: "1 memory", "1,200 memories"."""
    if count == 1:
        return f"1 {noun}"
    return f"{count:,} {noun[:-1]}ies" if noun.endswith("ry") else f"{count:,} {noun}s"
