"""engramforge: a persistent memory for LLM agents.

>>> import engramforge
>>> with engramforge.open("/tmp/some-folder") as forge:  # doctest: +SKIP
...     forge.remember("We chose SQLite because nobody has to run a server.", project="atlas")
...     forge.recall("why SQLite?", project="atlas").hits[0].memory.content

Importing this package loads the errors and nothing else: everything comes on demand.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

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
    StoreLocked,
    StoreTooNew,
    StoreUnavailable,
    WorldError,
)

if TYPE_CHECKING:
    from engramforge.forge import Forge
    from engramforge.model.memory import Draft, Kind, Memory

__version__ = "0.1.0"

_ON_DEMAND = {
    "Forge": "engramforge.forge",
    "Draft": "engramforge.model.memory",
    "Memory": "engramforge.model.memory",
    "Kind": "engramforge.model.memory",
}


def open(  # noqa: A001 - the field's word for it, as in sqlite3 or shelve
    home_or_url: str | os.PathLike[str] | None = None,
    *,
    tenant: str | None = None,
    agent: str | None = None,
) -> Forge:
    """Open the memory of a home folder or at a URL, making it when it is missing.

    Parameters
    ----------
    home_or_url : the store's folder, or postgresql://user:password@host/database, or sqlite:///path/to/folder; else
        ENGRAMFORGE_URL, else ENGRAMFORGE_HOME, else the user's folder for application state.
    tenant, agent : who asks; else the settings, else "default".

    Raises
    ------
    StoreUnavailable, StoreCorrupt, StoreTooNew, StoreLocked, StoreFull : the store cannot be opened.
    InvalidValue : a setting is wrong.
    """
    from engramforge.assembly import open_forge

    return open_forge(home_or_url, tenant=tenant, agent=agent)


def __getattr__(name: str) -> Any:
    if name in _ON_DEMAND:
        from importlib import import_module

        return getattr(import_module(_ON_DEMAND[name]), name)
    raise AttributeError(f"module 'engramforge' has no attribute {name!r}")


__all__ = [
    "CallerError",
    "Conflict",
    "Draft",
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
    "StoreLocked",
    "StoreTooNew",
    "StoreUnavailable",
    "WorldError",
    "__version__",
    "open",
]
