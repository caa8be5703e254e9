"""A quick check, made on every message, whether a text may hold an archive at all; it loads nothing else."""

from __future__ import annotations

from typing import Final

HEAD_KEY: Final = "engramforge_archive"
"""The first key of an archive's head."""
LOOKED_AT_CHARACTERS: Final = 200_000
"""How far into a text an archive may begin."""
_CLUES: Final = (
    HEAD_KEY, "# archive", "compress", "continuation", "retrieval protocol", "external_store", "conversation archive",
    "context archive", "session archive",
)  # fmt: skip


def may_be_archive(text: str) -> bool:
    """Whether a text has any of the clues that every archive has; False is certain."""
    lowered = text[:LOOKED_AT_CHARACTERS].lower()
    return any(clue in lowered for clue in _CLUES)
