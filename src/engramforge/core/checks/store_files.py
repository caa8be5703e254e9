"""Which files belong to an embedded store, by their names.

They are neither read nor written as ordinary files: a process that closes one of them ends its own locks on it, also
those by which SQLite keeps others from removing what it is writing.
"""

from __future__ import annotations

import re
from typing import Final

_NAME: Final = re.compile(r"(?:.*\.)?memory\.db(?:-wal|-shm|-journal|-columns.*)?")


def is_of_store(name: str) -> bool:
    """Whether a file of this name is a store's, or lies beside it while it is open."""
    return _NAME.fullmatch(name) is not None
