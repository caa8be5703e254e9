"""Which memories no language model is given."""

from __future__ import annotations

from typing import Final

from engramforge.model.memory import Memory

PRIVATE: Final = "private"
"""The tag, or the name in the metadata, that keeps a memory from every language model."""
_NO: Final = ("", "0", "false", "no", "off")


def is_private(memory: Memory) -> bool:
    """Whether a memory is marked private: it has the tag, or the metadata say so."""
    said = str(memory.metadata.get(PRIVATE, "")).strip().lower()
    return said not in _NO or any(tag.strip().lower() == PRIVATE for tag in memory.tags)
