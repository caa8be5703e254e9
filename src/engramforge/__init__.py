"""engramforge: a persistent memory for LLM agents.

>>> import engramforge
>>> with engramforge.open("/tmp/some-folder") as forge:  # doctest: +SKIP
...     forge.remember("We chose SQLite because nobody has to run a server.", project="atlas")
...     forge.recall("why SQLite?", project="atlas").hits[0].memory.content

Importing this package loads the errors and nothing else: everything comes on demand.
"""

from __future__ import annotations

from engramforge.errors import (
    CallerError,
    Conflict,
    EngramforgeError,
    InternalError,
    InvalidContent,
    InvalidSource,
    InvalidTime,
    InvalidValue,
    ModelUnavailable,
    NotFound,
    OutOfScope,
    StoreCorrupt,
    StoreFull,
    StoreGone,
    StoreLocked,
    StoreTooNew,
    StoreUnavailable,
    WorldError,
)

# As of typing, which takes as long to load as a command that a daemon answers takes in all.
TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from typing import Any

    from engramforge.forge import Forge
    from engramforge.forge.draft_fields import DraftMapping
    from engramforge.model.memory import Draft, Kind, Memory
    from engramforge.model.storing.section import MoveReport

__version__ = "0.1.0"

_ON_DEMAND = {
    "Forge": "engramforge.forge",
    "Draft": "engramforge.model.memory",
    "DraftMapping": "engramforge.forge.draft_fields",
    "Memory": "engramforge.model.memory",
    "Kind": "engramforge.model.memory",
}


def open(  # noqa: A001 - the field's word for it, as in sqlite3 or shelve
    home_or_url: str | os.PathLike[str] | None = None, *, tenant: str | None = None, agent: str | None = None
) -> Forge:
    """Open the memory of a home folder or at a URL, making it when it is missing.

    Parameters
    ----------
    home_or_url : the store's folder, or postgresql://user:password@host/database, or sqlite:///path/to/folder; else
        ENGRAMFORGE_URL, else ENGRAMFORGE_HOME, else the user's folder for application state.
    tenant, agent : who asks; else the settings, else "default".

    Raises StoreUnavailable, StoreCorrupt, StoreTooNew, StoreLocked, StoreFull: the store cannot be opened;
    InvalidValue: a setting is wrong.
    """
    from engramforge.assembly import open_forge

    return open_forge(home_or_url, tenant=tenant, agent=agent)


def migrate(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    tenant: str | None = None,
    start_over: bool = False,
    progress: Callable[[str, int, int], None] | None = None,
) -> MoveReport:
    """Move everything of a tenant into an empty store, on either engine; the source is only read.

    A move that is interrupted goes on where it stopped when it is called again. At the end both sides are compared by
    counts and checksums.

    Parameters
    ----------
    source, target : as `open` takes them: a folder, postgresql://..., or sqlite:///...
    tenant : whose memories; else the settings, else "default".
    start_over : throw away what an unfinished move has brought into the target, and begin anew.
    progress : told the section at hand and how many rows of how many have been read.

    Raises
    ------
    NotFound : there is no store at the source.
    Conflict : the target holds something else, or one of the two changed while the move went on.
    InvalidValue : source and target are the same store, or a setting is wrong.
    StoreUnavailable, StoreCorrupt, StoreTooNew, StoreLocked, StoreFull : a store cannot be used.
    """
    from engramforge.assembly import move_store

    return move_store(source, target, tenant=tenant, start_over=start_over, progress=progress)


def __getattr__(name: str) -> Any:
    if name in _ON_DEMAND:
        from importlib import import_module

        return getattr(import_module(_ON_DEMAND[name]), name)
    raise AttributeError(f"module 'engramforge' has no attribute {name!r}")


__all__ = [
    "CallerError",
    "Conflict",
    "Draft",
    "DraftMapping",
    "EngramforgeError",
    "Forge",
    "InternalError",
    "InvalidContent",
    "InvalidSource",
    "InvalidTime",
    "InvalidValue",
    "Kind",
    "Memory",
    "ModelUnavailable",
    "NotFound",
    "OutOfScope",
    "StoreCorrupt",
    "StoreFull",
    "StoreGone",
    "StoreLocked",
    "StoreTooNew",
    "StoreUnavailable",
    "WorldError",
    "__version__",
    "migrate",
    "open",
]
