"""The ids of everything that is written."""

from __future__ import annotations


def new_id() -> str:
    """A UUIDv7: unique, and ordered by creation time."""
    from uuid_utils import uuid7

    return str(uuid7())
