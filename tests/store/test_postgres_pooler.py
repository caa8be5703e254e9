"""A store behind PgBouncer in transaction mode, where one is installed: every transaction brings its own settings, and
none is left in a session that another program gets next.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict
from tests.postgres import PostgresServer

import engramforge
from engramforge.store.postgres.connection import (
    has_own_session,
    open_pool,
    read_connection,
    write_transaction,
)

BOUNCER = shutil.which("pgbouncer", path=os.environ.get("PATH", "") + ":/usr/sbin")
LEFT = "SELECT name FROM pg_settings WHERE source = 'session' AND name <> 'application_name'"
SETTINGS = ("jit", "random_page_cost", "lock_timeout", "engramforge.tenant")


@pytest.fixture
def pooled_url(postgres_server: PostgresServer, postgres_url: str, tmp_path: Path) -> Iterator[str]:
    """A database's URL through a pooler that shares two sessions among all, and passes on no options."""
    if BOUNCER is None:
        pytest.skip("pgbouncer is not installed")
    given = conninfo_to_dict(postgres_url)
    with closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    known = tmp_path / "users.txt"
    known.write_text(f'"{given["user"]}" "{given.get("password") or ""}"\n')
    settings = tmp_path / "pgbouncer.ini"
    server = " ".join(f"{name}={given[name]}" for name in ("host", "port", "user") if given.get(name))
    settings.write_text(
        f"[databases]\nstore = {server} dbname={given['dbname']}\n[pgbouncer]\nlisten_addr = 127.0.0.1\n"
        f"listen_port = {port}\nunix_socket_dir =\nauth_type = any\nauth_file = {known}\npool_mode = transaction\n"
        "default_pool_size = 2\nignore_startup_parameters = options\n"
    )
    for path in (tmp_path, known, settings):
        path.chmod(0o755)
    is_root = os.geteuid() == 0
    command = [BOUNCER, *(("-u", "nobody") if is_root else ()), str(settings)]
    pooler = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    url = f"postgresql://{given['user']}@127.0.0.1:{port}/store"
    try:
        for _ in range(100):
            with suppress(psycopg.OperationalError):
                psycopg.connect(url).close()
                break
            time.sleep(0.1)
        yield url
    finally:
        pooler.terminate()
        pooler.wait()


def test_transactions_bring_their_settings(pooled_url: str) -> None:
    pool = open_pool(pooled_url, lock_timeout_ms=1234)
    try:
        for begin in (read_connection, write_transaction):
            with begin(pool, "x", "acme", None) as connection:
                found = [connection.exec_driver_sql(f"SHOW {name}").scalar() for name in SETTINGS]
            assert found == ["off", "1.1", "1234ms", "acme"]
        with pool.connect() as connection:
            assert not has_own_session(connection)
    finally:
        pool.dispose()


def test_nothing_is_left_in_a_shared_session(pooled_url: str) -> None:
    with engramforge.open(pooled_url, tenant="acme") as forge:
        kept = forge.remember("The ferry is late.")
        assert forge.recall("is the ferry late?").hits[0].memory == kept
        forge.undo()
    with psycopg.connect(pooled_url, autocommit=True) as one, psycopg.connect(pooled_url) as other:
        other.execute("SELECT 1")  # holds one of the two sessions, so that the first has the other
        for each in (one, other):
            assert each.execute(LEFT).fetchall() == []


def test_a_session_of_its_own_is_known(postgres_url: str) -> None:
    pool = open_pool(postgres_url)
    try:
        with pool.connect() as connection:
            assert has_own_session(connection)
    finally:
        pool.dispose()
