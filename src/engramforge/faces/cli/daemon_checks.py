"""What the doctor looks at of a home's daemon: whether it answers, what an ended one left, and what it says.

It says nothing where there never was one. What is in nobody's way and plainly left behind it removes.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engramforge.faces.views.shape import numbered
from engramforge.runtime.client import older
from engramforge.runtime.lock import is_held, take_lock
from engramforge.runtime.places import Places
from engramforge.runtime.spool import Spool
from engramforge.runtime.starting import health, hung

if TYPE_CHECKING:
    from collections.abc import Iterator

_FAULTS: Final = (" WARNING ", " ERROR ", " CRITICAL ")
_LOG_BYTES: Final = 65_536
_SHOWN: Final = 200


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: `state` is ok, note or fault; a fault has its mend."""

    name: str
    state: str
    found: str
    mend: str = ""


def examine_daemon(home: Path, version: str) -> Iterator[Check]:
    """What there is to say of the daemon of a home; `version`: this one's."""
    if not home.is_dir():
        return
    places = Places(str(home))
    said = health(places)
    if said is not None:
        yield _alive(said, version)
    elif is_held(places.lock):
        yield _silent(hung(places))
    elif Path(places.socket).exists():
        yield _left_behind(places)
    yield from _spool(places, said is not None)
    yield from _log(places)


def _alive(said: dict[str, Any], version: str) -> Check:
    theirs = str(said.get("version"))
    if theirs != version:
        which = "an older" if older(theirs, version) else "another"
        mend = "engramforge stop ends it; whoever needs one starts one of this version"
        return Check("daemon", "note", f"the daemon {said['pid']} is of {which} version, {theirs}", mend)
    if said.get("fault"):
        return Check("daemon", "fault", f"the daemon {said['pid']} cannot write", str(said["fault"]))
    return Check("daemon", "ok", f"the daemon {said['pid']} answers, since {said['started_at']}")


def _silent(held: dict[str, Any] | None) -> Check:
    """A daemon that holds the lock and says nothing; None: it has written nothing of itself yet."""
    if held is None:
        return Check("daemon", "note", "a daemon starts just now", "Ask again in some seconds")
    mend = f"engramforge stop ends it, else kill -9 {held['pid']}; commands work without it"
    return Check("daemon", "fault", f"the daemon {held['pid']} does not answer", mend)


def _left_behind(places: Places) -> Check:
    """A socket that nobody listens to: removed, while nobody can start a daemon."""
    with suppress(OSError):
        lock = take_lock(places.lock)
        if lock is not None:
            try:
                places.clear()
            finally:
                os.close(lock)
            return Check(
                "daemon", "note", "a daemon that did not end in order left its socket; it was removed"
            )
    return Check("daemon", "note", f"{places.socket} was left behind", "The next daemon replaces it")


def _spool(places: Places, is_served: bool) -> Iterator[Check]:
    spool = Spool(places.spool)
    if waiting := spool.events_waiting():
        mend = "See what the log says" if is_served else "engramforge serve --background captures them"
        yield Check("spool", "note", f"not captured yet: {numbered(waiting, 'event')}", mend)
    if left := spool.left_alone():
        place, fault = left[0]
        more = f", and {len(left) - 1} more" if len(left) > 1 else ""
        mend = "Look at it: if it is yours, chown it to this user and chmod go-w,u+r; else remove it"
        yield Check("left alone", "fault", f"{place} is not captured: {fault}{more}", mend)
    refused = Path(places.spool) / "refused.jsonl"
    if refused.exists() and refused.stat().st_size:
        mend = f"Each is in {refused} beside its fault; remove the file when you have seen it"
        yield Check("refused", "note", "some events could not be captured", mend)


def _log(places: Places) -> Iterator[Check]:
    """The last fault that the daemon logged since it started last."""
    try:
        with Path(places.log).open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _LOG_BYTES))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return
    begun = max((at for at, line in enumerate(lines) if " INFO The daemon " in line), default=0)
    faults = [line for line in lines[begun:] if any(word in line for word in _FAULTS)]
    if faults:
        yield Check("log", "note", faults[-1][:_SHOWN], f"See {places.log}")
