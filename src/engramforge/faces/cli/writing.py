"""Writing a text to a file that a person named: whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from engramforge.errors import InvalidValue


def write_text(place: Path, text: str) -> None:
    """Write a file beside its place, then let it take the place; OSError where the system refuses."""
    if place.is_dir():
        raise InvalidValue(f"{place} is a folder", "Name a file")
    beside = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(place)
    finally:
        beside.unlink(missing_ok=True)
