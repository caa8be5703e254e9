"""Translates errors of PostgreSQL and its driver into ours, and says which are worth another try.

Decided by SQLSTATE (PostgreSQL manual, appendix A) wherever the driver has one. It has none while connecting: there the
text decides how exact the mend is, and servers in other languages get the general one.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

import psycopg
import sqlalchemy as sa

from engramforge.errors import (
    EngramforgeError,
    InternalError,
    OutOfScope,
    StoreCorrupt,
    StoreFull,
    StoreLocked,
    StoreUnavailable,
)

T = TypeVar("T")

ATTEMPTS: Final = 5
FIRST_PAUSE_S: Final = 0.05
"""The longest pause before the second attempt; it doubles with each."""

# A key that another transaction took (23505) or removed (23503) meanwhile is visible, or gone, the next time.
_REPEATABLE: Final = frozenset({"40001", "40P01", "23503", "23505"})
_LOST: Final = frozenset({"57P01", "57P02", "57P03", "57P05", "25P03", "25P04"})
_AGAIN: Final = "Wait a moment, then try again"
_FREE_SLOTS: Final = (
    "Close other clients, let fewer processes and threads use the store at once, or raise max_connections"
)
_DENIED: Final = "Check user and password in the URL, and the server's pg_hba.conf"

# SQLSTATE, or its first two letters -> fault and mend. {place} and {said} are filled in.
_BY_STATE: Final = {
    "28P01": ("The server refuses the password for {place}", _DENIED),
    "28000": ("The server refuses the user of {place} ({said})", _DENIED),
    "3D000": (
        "There is no database {place}",
        "Create it (createdb, or CREATE DATABASE), or name another in the URL",
    ),
    "53300": ("{place} has no connection left ({said})", _FREE_SLOTS),
    "42501": (
        "The user of {place} may not do this ({said})",
        "Let the database's owner grant it, or open the store as another user",
    ),
    "53100": ("There is no space left on the server of {place}", "Free some of its disk, then try again"),
    "53200": (
        "The server of {place} has no memory left ({said})",
        "Lower work_mem or max_connections, or give it more memory, then try again",
    ),
    "53": ("The server of {place} has reached a limit ({said})", "Raise it, then try again"),
    "25006": (
        "The store {place} is read-only ({said})",
        "It may be a standby: name the primary server in the URL, or end default_transaction_read_only",
    ),
    "55P03": ("The store {place} is locked by another process", "Wait for it or stop it, then try again"),
    "57014": (
        "A statement on {place} was stopped before its end ({said})",
        "Ask for less, or raise statement_timeout",
    ),
    "40001": ("Other writes to {place} came between ({said})", _AGAIN),
    "40P01": ("Two writes to {place} waited for each other", _AGAIN),
    "57P03": ("The server of {place} is starting or stopping ({said})", _AGAIN),
    "57P04": ("The database {place} was dropped", "Restore it from a backup, or name another in the URL"),
    "XX001": ("The server reports damage in {place} ({said})", "Restore it from a backup"),
    "XX002": (
        "The server reports a damaged index in {place} ({said})",
        "REINDEX DATABASE, or restore it from a backup",
    ),
    "58": (
        "The server of {place} cannot read or write its files ({said})",
        "Look into its log, and check its disk",
    ),
}
_ERRORS: Final[dict[str, type[EngramforgeError]]] = {
    "53100": StoreFull,
    **dict.fromkeys(("55P03", "40001", "40P01"), StoreLocked),
    **dict.fromkeys(("XX001", "XX002"), StoreCorrupt),
}
"""What is raised for a state; StoreUnavailable for all others."""

# Texts of a refused connection, which has no SQLSTATE -> the SQLSTATE that the server logged with it.
_BY_TEXT: Final = (
    (re.compile(r"password authentication failed|no password supplied"), "28P01"),
    (
        re.compile(r"no pg_hba\.conf entry|role .{0,80} does not exist|is not permitted to log in|peer auth"),
        "28000",
    ),
    (re.compile(r"database .{0,80} does not exist"), "3D000"),
    (re.compile(r"too many clients|too many connections|remaining connection slots"), "53300"),
    (re.compile(r"permission denied for database"), "42501"),
    (
        re.compile(r"starting up|shutting down|recovery mode|not accepting connections|not yet accept"),
        "57P03",
    ),
    (re.compile(r"session is read-only|not in hot standby|is not read-only|read-write"), "25006"),
)
_REFUSAL: Final = re.compile(
    r"connection failed:|connection is bad:|failed to resolve host|connection timeout expired"
)
_UNREACHABLE: Final = (
    "Check that the server runs and listens there, and host and port in the URL; then try again"
)


class CommitLost(Exception):
    """The connection broke after COMMIT was sent and before its answer came; a mark in a chain of causes."""


@contextmanager
def translated(place: str) -> Iterator[None]:
    """Turn driver errors of the block into ours, naming the place, the fault and the mend."""
    try:
        yield
    except EngramforgeError:
        raise
    except CommitLost as lost:
        raise StoreUnavailable(
            f"The connection to {place} was lost during a commit: the write may or may not have been made",
            "Look whether it is there before repeating it",
        ) from lost
    except sa.exc.TimeoutError as error:
        raise StoreLocked(
            f"Every connection of this process to {place} is in use",
            "Let fewer threads use the store at once, or try again",
        ) from error
    except sa.exc.DBAPIError as error:
        raise _translate(error.orig, place) from error
    except psycopg.Error as error:
        raise _translate(error, place) from error


def is_worth_repeating(error: BaseException) -> bool:
    """Whether the same transaction may succeed if repeated: nothing of it was kept, and the fault is temporary.

    That is a serialisation failure, a deadlock, a key that another took or removed meanwhile, and a connection lost
    before COMMIT was sent. After COMMIT was sent the
    outcome is in doubt, and a second try could write twice.
    """
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, CommitLost):
            return False
        if isinstance(cause, sa.exc.DBAPIError):
            cause = cause.orig
            continue
        if isinstance(cause, psycopg.Error):
            return state_of(cause) in _REPEATABLE or is_lost(cause)
        cause = cause.__cause__
    return False


def repeated(work: Callable[[], T], attempts: int = ATTEMPTS, first_pause_s: float = FIRST_PAUSE_S) -> T:
    """Do the work, repeating it while `is_worth_repeating`, with growing random pauses.

    `work`: begins and ends its own transaction. `attempts`: how often at most, from 1. `first_pause_s`: the longest
    pause after the first attempt; it doubles with each.
    """
    for attempt in range(attempts - 1):
        try:
            return work()
        except (EngramforgeError, sa.exc.DBAPIError, psycopg.Error) as error:
            if not is_worth_repeating(error):
                raise
        # Random, so that colliding transactions do not collide again.
        time.sleep(random.uniform(0.0, first_pause_s * 2**attempt))  # noqa: S311 - no secret
    return work()


def is_lost(error: psycopg.Error) -> bool:
    """Whether the error ended a connection that had been made, or met a server that is about to accept one."""
    state = state_of(error)
    if state is not None:
        return state in _LOST or state.startswith("08")
    # Without a state the error is the driver's own; after OperationalError the connection is gone.
    return isinstance(error, psycopg.OperationalError) and not _is_refusal(error)


def state_of(error: psycopg.Error) -> str | None:
    """The SQLSTATE of an error; for a refused connection, which has none, what its text stands for."""
    if error.sqlstate is not None:
        return str(error.sqlstate)
    if _is_refusal(error):
        text = str(error)
        return next((state for pattern, state in _BY_TEXT if pattern.search(text)), None)
    return None


def _is_refusal(error: psycopg.Error) -> bool:
    """Whether the error is that no connection could be made."""
    return isinstance(error, psycopg.errors.ConnectionTimeout) or bool(_REFUSAL.search(str(error)))


def _translate(error: BaseException | None, place: str) -> EngramforgeError:
    """The typed error for what the server or the driver says."""
    if not isinstance(error, psycopg.Error):
        return InternalError(
            f"The store {place} refused a statement ({error})", "Please report it with this text"
        )
    said = " ".join((error.diag.message_primary or str(error)).split())
    state = state_of(error)
    # The message is in the server's language, the name of the C function is not (execMain.c).
    if state == "42501" and error.diag.source_function == "ExecWithCheckOptions":
        return OutOfScope(
            f"Row-level security of {place} refuses a row of another tenant", "Open the store as that tenant"
        )
    if state is not None and (known := _BY_STATE.get(state) or _BY_STATE.get(state[:2])):
        fault, mend = known
        return _ERRORS.get(state, StoreUnavailable)(fault.format(place=place, said=said), mend)
    if _is_refusal(error):
        password = getattr(error.pgconn, "used_password", False) or getattr(
            error.pgconn, "needs_password", False
        )
        return StoreUnavailable(
            f"No connection to {place} can be made ({said})", _DENIED if password else _UNREACHABLE
        )
    if is_lost(error):
        return StoreUnavailable(f"The connection to {place} was lost ({said})", _AGAIN)
    return InternalError(f"The store {place} refused a statement ({said})", "Please report it with this text")
