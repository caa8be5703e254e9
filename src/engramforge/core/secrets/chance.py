"""Whether a run of characters was made by chance: neither words, nor a path, nor an id that everybody shows."""

from __future__ import annotations

import re
from typing import Final

_PIECE: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_HEX: Final = re.compile(r"(?:0x)?[0-9a-fA-F]+")
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_ULID: Final = re.compile(r"0[0-9A-H][0-9A-HJKMNP-TV-Z]{24}")
_LONGEST_LOOKED_AT: Final = 200


def is_random(run: str, least: int = 16) -> bool:
    """Whether letters and digits alternate as chance makes them, in at least so many characters.

    A hexadecimal number or a UUID is not: commits, digests and ids are public. Of random texts of 20 letters and digits
    3 in 100 do not count, since they have no digit; of four words in camelCase with a number 1 in 100 does.
    """
    if len(run) < least or not any(map(str.isdigit, run)) or is_public_id(run):
        return False
    looked = run[:_LONGEST_LOOKED_AT]
    pieces = _PIECE.findall(looked)
    letters = sum(map(str.isalpha, looked))
    # Words are long pieces: chance changes between small letters, capitals and digits every second character.
    longest = 4 if looked.islower() or looked.isupper() else 3
    return letters >= len(looked) / 4 and len(pieces) * longest >= sum(map(len, pieces))


def is_public_id(run: str) -> bool:
    """Whether it is a UUID, a ULID, or one hexadecimal number such as a commit or a digest."""
    return any(shape.fullmatch(run) for shape in (_HEX, _UUID, _ULID))
