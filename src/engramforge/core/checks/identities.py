"""Names by which something is known never change, so one that holds a secret is refused; and how faults quote them."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engramforge.core.secrets.chance import is_public_id
from engramforge.errors import InvalidValue

_SHORTEST: Final = 12
"""Characters of the shortest name that is looked through."""
_IDENTITIES: Final = frozenset(
    (
        *("project", "session_id", "agent", "tenant", "local_id", "conversation"),
        *("source conversation", "target conversation"),
        *("emotion", "emotion_vector entry", "sensory_details entry", "relation"),
    )
)


def refuse_secret(name: str, field: str) -> None:
    """Raise InvalidValue if the field is one of these names and holds a secret."""
    if field in _IDENTITIES and holds_secret(name):
        said = field.replace("_", " ")
        raise InvalidValue(
            f"The {said} holds a secret, and names are stored as they are", "Name it otherwise"
        )


def holds_secret(name: str) -> bool:
    """Whether a short text holds a secret."""
    return not (len(name) < _SHORTEST or name.isalpha() or is_public_id(name)) and _is_found(name)


def path_holds_secret(path: str) -> bool:
    """Whether a part of a path holds a secret."""
    return any(map(holds_secret, path.split("/")))


@lru_cache(1_024)
def _is_found(name: str) -> bool:
    from engramforge.core.secrets.places import secret_places  # compiles a hundred shapes
    from engramforge.core.secrets.service_tokens import tokens

    # Ids of keys are in capitals, and remain readable in small letters.
    return any(next(found, None) is not None for found in (secret_places(name), tokens(name.upper())))


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
