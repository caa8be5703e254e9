"""Addresses of PostgreSQL stores: a URL as people write it, parsed for the driver, printable without its password.

libpq's own parser does the reading, so that sockets, several hosts and every option mean what its manual says. Its
messages quote what it could not parse, which may be part of a password, so they never leave this module.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, unquote

import psycopg
from psycopg.conninfo import conninfo_to_dict

from engramforge.errors import InvalidValue

SCHEMES: Final = ("postgresql", "postgres", "postgresql+psycopg")
_MEND: Final = (
    "Write postgresql://user:password@host:5432/database?option=value, options being those of libpq, and letters"
    " such as @ : / ? # % and spaces in a user or password as %40, %3A, %2F, %3F, %23, %25 and %20"
)


def read_url(url: str) -> dict[str, str]:
    """The connection parameters of a URL, by libpq's names.

    An @ or ? in a password may stand as it is; other letters with a meaning in URLs have to be percent-encoded.

    Raises InvalidValue: it is not a PostgreSQL URL; the message shows nothing of it, since any part may be a password.
    """
    scheme, separator, rest = url.strip().partition("://")
    if not separator or scheme.lower() not in SCHEMES:
        raise InvalidValue("A PostgreSQL URL begins with postgresql://", _MEND)
    if "\x00" in rest:
        raise InvalidValue("The PostgreSQL URL has a NUL in it", _MEND)
    authority, tail = re.fullmatch(r"([^/]*)(.*)", rest, re.DOTALL).groups()  # type: ignore[union-attr]
    credentials, at, hosts = authority.rpartition("@")
    path = tail.partition("?")[0]
    if not at and "@" in path:
        # user:pass/word@host: the part before the slash would be taken for the host.
        raise InvalidValue("The PostgreSQL URL cannot be read: there is an @ after its first slash", _MEND)
    try:
        given = conninfo_to_dict(f"postgresql://{credentials.replace('@', '%40')}{at}{hosts}{tail}")
    except psycopg.Error:
        raise InvalidValue("The PostgreSQL URL cannot be read", _MEND) from None
    parameters = {name: str(value) for name, value in given.items() if value is not None}
    if not re.fullmatch(r"[0-9]{0,5}(,[0-9]{0,5})*", parameters.get("port", "")):
        raise InvalidValue("The PostgreSQL URL cannot be read: its port is not a number", _MEND)
    return parameters


def place(url: str) -> str:
    """The URL as people may see it: user, host, port and database, no password and no other option."""
    parameters = read_url(url)
    hosts = parameters.get("host", "").split(",")
    ports = parameters.get("port", "").split(",")
    if len(ports) == 1:
        ports = ports * len(hosts)
    user = quote(parameters["user"], safe="") + "@" if parameters.get("user") else ""
    database = quote(parameters.get("dbname", ""), safe="")
    if any(host.startswith(("/", "@")) for host in hosts):
        options = f"?host={','.join(hosts)}" + (f"&port={','.join(ports)}" if any(ports) else "")
        return f"postgresql://{user}/{database}{options}"
    named = (f"[{host}]" if ":" in host else unquote(host) for host in hosts)
    pairs = zip(named, [*ports, *[""] * len(hosts)], strict=False)
    return f"postgresql://{user}{','.join(host + (port and ':' + port) for host, port in pairs)}/{database}"
