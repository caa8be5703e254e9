"""Values in messages: messages are logged and kept, so no secret may stand in one, not even its first half."""

from __future__ import annotations

from typing import Final

from engramforge.core.checks.identities import holds_secret

_LOOKED_AT: Final = 2_000
"""How much of a value is looked through beyond what is shown: a secret that begins there ends within it."""


def quoted(value: object, most: int = 60) -> str:
    """A value as Python writes it, cut; one that is private or holds a secret is not shown."""
    text = value if isinstance(value, str) else repr(value)
    looked_at = text[: most + _LOOKED_AT]
    if "<private" in looked_at.lower() or holds_secret(looked_at):
        return "[REDACTED]"
    return repr(text[:most]) if isinstance(value, str) else text[:most]


def called(name: str, most: int = 40) -> str:
    """The name of a field for the place of a fault, cut, without quotes; asked for each field, so a short one is not
    looked through."""
    return name if len(name) <= most else quoted(name, most)
