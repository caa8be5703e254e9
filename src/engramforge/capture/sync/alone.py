"""A lock on a file for work that one process at a time does; the system releases it when its process ends."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

from engramforge.errors import Conflict, StoreUnavailable
from engramforge.model.scope import Scope
from engramforge.store.door import Door


@contextmanager
def alone(door: Door, scope: Scope, folder: Path, work: str, taken: Conflict) -> Iterator[None]:
    """Hold the lock of some work of this store and agent.

    `folder`: where the lock lies; created if missing. Raises `taken` where somebody else has it, StoreUnavailable where
    it cannot be made.
    """
    whose = f"{door.identity.store_id}\0{scope.agent}".encode()
    file = folder / f"{work}-{blake2b(whose, digest_size=6).hexdigest()}.lock"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        opened = file.open("wb")
    except OSError as error:
        raise StoreUnavailable(
            f"The lock {file} cannot be made ({error.strerror})", "Check the permissions of its folder"
        ) from error
    with opened:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise taken from None
        yield
