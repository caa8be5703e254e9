"""Finds the place of a store, a file in a folder or a PostgreSQL database, and opens it there."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote

from engramforge.errors import InvalidValue, NotFound, StoreFull, StoreUnavailable
from engramforge.forge.signatures import checked
from engramforge.settings import Settings, read_settings
from engramforge.store.door import Door
from engramforge.store.sqlite.setup import FILE_NAME
from engramforge.store.sqlite.store import open_sqlite


def open_store(settings: Settings, tenant: str, encoder_id: Callable[[], str]) -> Door:
    """The store at the settings' URL, or else in a file in the home folder.

    A missing folder is created, readable only by its owner.
    """
    path = _file_of(settings, tenant)
    if path is None:
        with _psycopg_needed():
            from engramforge.store.postgres.store import open_postgres

            return open_postgres(
                str(settings.url), tenant, encoder_id, lock_timeout_ms=settings.busy_timeout_ms
            )
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise StoreFull(
                f"There is no space left for {path.parent}", "Free some disk space, then try again"
            ) from error
        raise StoreUnavailable(
            f"The home folder {path.parent} cannot be made ({error.strerror})",
            "Choose another with ENGRAMFORGE_HOME, or mend its permissions",
        ) from error
    return open_sqlite(path, tenant, encoder_id, settings.busy_timeout_ms)


def check_there(settings: Settings, tenant: str) -> None:
    """Raise NotFound if there is no store yet, since opening it would create it."""
    path = _file_of(settings, tenant)
    if path is None:
        with _psycopg_needed():
            from engramforge.store.postgres.store import holds_store
        is_there = holds_store(str(settings.url), tenant)
    else:
        is_there = path.exists()
    if not is_there:
        where = _shown(settings) if path is None else path
        raise NotFound(
            f"There is no store of tenant {tenant!r} at {where}",
            "Check the place of the source, and --tenant",
        )


@checked
def locate(home_or_url: str | os.PathLike[str] | None = None, tenant: str | None = None) -> Path | str:
    """Where `open_forge` would open a store: a file, or a database's URL without its password.

    Nothing is created or opened.

    Raises InvalidValue for a wrong setting.
    """
    settings = read_settings(home_or_url, os.environ)
    path = _file_of(settings, settings.tenant if tenant is None else tenant)
    if path is not None:
        return path
    with _psycopg_needed():
        return _shown(settings)


def _shown(settings: Settings) -> str:
    from engramforge.store.postgres.address import place

    return place(str(settings.url))


def check_tenant(tenant: str) -> str:
    """The tenant's name, which must be plain on every engine: a tenant may be a file, and may move."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,63}", tenant):
        raise InvalidValue(
            f"The tenant {tenant[:100]!r} is not a usable name",
            "Use up to 64 of a-z, 0-9, - and _, a letter or digit first; it is taken as it is written",
        )
    return tenant


def _file_of(settings: Settings, tenant: str) -> Path | None:
    """The SQLite file, in the home folder or at sqlite:///PATH; None if the store is in PostgreSQL.

    A path is the file itself if it is one already, or ends in .db and is no folder.
    """
    name = FILE_NAME if check_tenant(tenant) == "default" else f"{tenant}.{FILE_NAME}"
    if settings.url is None:
        if os.path.realpath(settings.home) == os.sep:
            raise InvalidValue(
                f"The home folder {str(settings.home)!r} is the root of all files",
                "Name a folder in it, in which the store may lie",
            )
        return settings.home / name
    if not settings.url.lower().startswith("sqlite://"):
        return None
    path = unquote(settings.url.partition("://")[2])
    if not path.startswith("/") or path.strip("/") == "" or "?" in path or "\x00" in path:
        raise InvalidValue(
            f"The URL {settings.url!r} names no file or folder",
            "Write sqlite:///path/to/folder or sqlite:///path/to/file.db, from the root on and without options",
        )
    place = Path("/", path.lstrip("/"))
    return place if place.is_file() or (place.suffix == ".db" and not place.is_dir()) else place / name


@contextmanager
def _psycopg_needed() -> Iterator[None]:
    """Say what to install if the PostgreSQL driver, or the libpq that it needs, is missing."""
    try:
        yield
    except ImportError as error:
        if not (error.name or str(error)).startswith(("psycopg", "no pq wrapper")):
            raise
        raise StoreUnavailable(
            "A PostgreSQL store needs the driver psycopg, which is not installed or lacks libpq",
            "Run pip install 'engramforge[postgres]'",
        ) from error
