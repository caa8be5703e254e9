"""Names by which something is known are never changed, so one that holds a secret is refused."""

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


@lru_cache(1_024)
def _is_found(name: str) -> bool:
    from engramforge.core.secrets.places import secret_places  # compiles a hundred shapes

    return next(secret_places(name), None) is not None
