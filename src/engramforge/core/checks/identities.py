"""Names by which something is known are never changed, so one that holds a secret is refused."""

from __future__ import annotations

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
    if field not in _IDENTITIES or len(name) < _SHORTEST or name.isalpha() or is_public_id(name):
        return
    from engramforge.core.secrets.places import secret_places  # compiles a hundred shapes

    if next(secret_places(name), None) is not None:
        said = field.replace("_", " ")
        raise InvalidValue(
            f"The {said} holds a secret, and names are stored as they are", "Name it otherwise"
        )
