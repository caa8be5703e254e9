"""Fixtures that every test can use: a PostgreSQL server, fresh databases on it, a user who owns nothing."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.postgres import PostgresServer

ORDINARY = pytest.StashKey[str | None]()


def pytest_configure(config: pytest.Config) -> None:
    """Take the URL of an ordinary server out of the environment: it is no setting of the product."""
    # The main process of pytest-xdist runs no test, and its workers need the variable.
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        config.stash[ORDINARY] = os.environ.pop("ENGRAMFORGE_TEST_POSTGRES", None)


@pytest.fixture(scope="session")
def postgres_server(request: pytest.FixtureRequest) -> Iterator[PostgresServer]:
    """A server, one per test process: `.url` of its superuser, `.kill()`, `.stop()`, `.start()`.

    Whoever kills or stops it starts it again.
    """
    from tests.postgres import open_server

    server = open_server(request.config.stash.get(ORDINARY, None))
    try:
        yield server
    finally:
        server.close()


@pytest.fixture
def postgres_url(request: pytest.FixtureRequest, postgres_server: PostgresServer) -> Iterator[str]:
    """A fresh database with a store's tables and no tenant; the URL is its owner's, who is a superuser.

    Beside `owned_url` it is empty: there another user has to make the tables.
    """
    is_empty = "owned_url" in request.fixturenames
    name = postgres_server.create_empty_database() if is_empty else postgres_server.create_database()
    try:
        yield postgres_server.database_url(name)
    finally:
        postgres_server.drop_database(name)
        postgres_server.drop_roles()


@pytest.fixture
def empty_url(postgres_server: PostgresServer) -> Iterator[str]:
    """A fresh empty database with the extension vector; the URL is its owner's, who is a superuser."""
    name = postgres_server.create_empty_database()
    try:
        yield postgres_server.database_url(name)
    finally:
        postgres_server.drop_database(name)
        postgres_server.drop_roles()


@pytest.fixture
def owned_url(postgres_server: PostgresServer, postgres_url: str) -> str:
    """The same database, empty, for the user who owns it and is nothing else; the URL has a password."""
    user, password = postgres_server.create_role()
    name = postgres_server.name_of(postgres_url)
    postgres_server.run(f"ALTER DATABASE {name} OWNER TO {user}")
    return postgres_server.database_url(name, user, password)


@pytest.fixture
def app_url(postgres_server: PostgresServer, postgres_url: str) -> Callable[..., str]:
    """Makes URLs of the same database for users who own nothing: `app_url("IN ROLE engramforge_app")`."""

    def make(options: str = "") -> str:
        user, password = postgres_server.create_role(options)
        return postgres_server.database_url(postgres_server.name_of(postgres_url), user, password)

    return make
