"""Rows of a store as plain values, as lines and as checksums that do not depend on their order.

Stores with the same content give the same rows, whatever their engine: no positions or internal keys are included.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from hashlib import blake2b
from typing import Any, Final

from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.storing.section import Section, SectionRow, StoredMemory

_BITS: Final = 128
_LEFT_OUT: Final = {"Project": ("memories", "first_at"), "Memory": ("tenant",)} | dict.fromkeys(
    ("Injection", "Injected"), ("text",)
)
"""Fields that are counted anew each time, given once in the header, or in no store."""
_PLAIN: Final = frozenset({str, int, float, bool, type(None)})
_ENCODED: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def plain(value: Any) -> Any:
    """A model value as JSON values: times as ISO 8601, bytes as hexadecimal digits; fields that are None left out."""
    # By far the most values are plain already, and every value of a store passes here when it is moved.
    if type(value) in _PLAIN:
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        said = ((name, getattr(value, name)) for name in _names(type(value)))
        return {
            name: item if type(item) in _PLAIN else plain(item) for name, item in said if item is not None
        }
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    return value


def line_of(section: Section, row: Any) -> bytes:
    """A row as one line of JSON in UTF-8, without its end."""
    return _ENCODED({"section": str(section), **plain(row)}).encode()


@dataclass(frozen=True, slots=True)
class Digest:
    """How many rows, and the sum of their hashes modulo 2^128: the same in any order, different for different rows."""

    count: int = 0
    total: int = 0

    def plus(self, *rows: bytes) -> Digest:
        """The digest with these rows added."""
        hashes = (int.from_bytes(blake2b(row, digest_size=_BITS // 8).digest(), "big") for row in rows)
        return Digest(self.count + len(rows), (self.total + sum(hashes)) % 2**_BITS)


def digested(section: Section, rows: tuple[SectionRow, ...]) -> dict[str, list[bytes]]:
    """The bytes to hash of a section's rows, by name; memories and their embeddings are separate."""
    if section is not Section.MEMORIES:
        return {str(section): [line_of(section, row) for row in rows]}
    stored = [row for row in rows if isinstance(row, StoredMemory)]
    memories = [line_of(section, memory.memory) + b" %d" % memory.write for memory in stored]
    return {"memories": memories, "embeddings": [_signals(memory) for memory in stored]}


def _signals(stored: StoredMemory) -> bytes:
    signals: Embedding = stored.embedding
    arrays = (signals.vector, signals.tokens, signals.terms, signals.counts, signals.intervals)
    parts = [b"-" if array is None else array.tobytes() for array in arrays]
    lengths = ",".join(str(len(part)) for part in parts)
    head = f"{stored.memory.id} {signals.encoder} {signals.cues} {lengths}\n"
    return head.encode() + b"".join(parts) + _beside(signals)


def _beside(signals: Embedding) -> bytes:
    """E1's own encoder, the parts by space and the entities; nothing where there are none of them."""
    said: list[bytes] = []
    if signals.meaning_encoder != signals.encoder:
        said.append(signals.meaning_encoder.encode())
    for space, part in sorted(signals.parts.items()):
        values = part.values
        said += [f"{space} {part.encoder} {values.dtype} {values.shape}".encode(), values.tobytes()]
    said += [name.encode() for name in signals.entities]
    return b"".join(b"\n%d\n" % len(each) + each for each in said)


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.name not in _LEFT_OUT.get(kind.__name__, ()))
