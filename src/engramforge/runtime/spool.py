"""The spool: hook events that were accepted and are not captured yet, a line of JSON each, synced before anybody says
that they are taken.

The daemon appends to `live.jsonl`; a hook that reaches no daemon writes a file of its own, `client-*.jsonl`. Both are
renamed to `*.draining` while they are read, and removed when what they hold is captured, so that a crash at any moment
loses nothing. Who captures knows an event by its id, and takes it once.

A file is believed if nobody but our own user can have written it; what is not is left alone, and `left_alone` tells it,
also where it had to make way for a file of ours and got another name.
"""

from __future__ import annotations

import json
import logging
import math
import os
import stat
import threading
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from engramforge.capture.live.events import event_id_of
from engramforge.capture.live.odd_events import TOO_MANY
from engramforge.errors import StoreFull
from engramforge.runtime.places import make_own

log = logging.getLogger(__name__)

LINE_BYTES: Final = 1_000_000
"""How long an event's line may be; longer strings of a tool's input and response are cut."""
SPOOL_BYTES: Final = 64_000_000
REFUSED_BYTES: Final = 10_000_000
STRING_CHARACTERS: Final = 20_000
_LONGEST_WORD: Final = 4_000
_ENDING: Final = " \n\t\"'=,:;"
_LIVE: Final = "live.jsonl"
_REFUSED: Final = "refused.jsonl"
_DRAINING: Final = ".draining"
_UNKNOWN: Final = ".unknown-"
_APPENDING: Final = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
_SYNCED: Final = getattr(os, "O_DSYNC", os.O_SYNC)
"""What is written is on the disk when that returns: one call, after each of which a thread waits for its turn."""
_HALF_WRITTEN_S: Final = 10.0
"""After so long without a change, a line without an end is one that its writer never finished."""
_UNNAMED_S: Final = 3600.0
"""After so long without a change, an empty file without its name is one whose hook was ended before it wrote."""


class Spooled(NamedTuple):
    """A file that is read: its whole events in order, and lines that cannot be read and why."""

    events: tuple[Mapping[str, Any], ...]
    unread: tuple[tuple[str, str], ...]


def line_of(event: Mapping[str, Any], now: datetime) -> bytes:
    """An event as a line of the spool; long strings of what tools took and gave are cut until it fits."""
    received_at = now.astimezone(UTC).isoformat(timespec="microseconds")
    spooled = {"id": event_id_of(event, received_at), "received_at": received_at, "event": event}
    line = json.dumps(spooled).encode() + b"\n"
    most = STRING_CHARACTERS
    while len(line) > LINE_BYTES and most:
        # Only a tool's text is of any length; where that is not enough, every other string is cut as well.
        names = ("tool_input", "tool_response") if most == STRING_CHARACTERS else tuple(event)
        cut = {name: _cut(value, most) if name in names else value for name, value in event.items()}
        line = json.dumps({**spooled, "event": cut}).encode() + b"\n"
        most //= 10
    if len(line) > LINE_BYTES:
        many = dict.fromkeys({"tool_input", "tool_response"} & event.keys(), TOO_MANY)
        cut = {name: _cut(value, STRING_CHARACTERS) for name, value in {**event, **many}.items()}
        line = json.dumps({**spooled, "event": cut}).encode() + b"\n"
    if len(line) > LINE_BYTES:
        raise ValueError(f"the event takes {len(line):,} bytes, and {LINE_BYTES:,} are taken")
    return line


def _cut(value: Any, most: int) -> Any:
    if isinstance(value, str) and len(value) > most:
        # Not within a word, whose front may be that of a secret; one that is very long is none.
        begin = max(most - _LONGEST_WORD, 0)
        end = max(value.rfind(sign, begin, most) for sign in _ENDING) + 1 or most
        return f"{value[:end]}[... {len(value) - end:,} characters cut]"
    if isinstance(value, list):
        return [_cut(each, most) for each in value]
    if isinstance(value, dict):
        return {name: _cut(each, most) for name, each in value.items()}
    return value


class Spool:
    """A home's spool. Appending is safe between threads; one process, the daemon, appends to `live.jsonl`."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._lock = threading.Lock()
        self._file: int | None = None
        self._bytes = 0
        self._end = 0
        self._number = 0

    def append(self, event: Mapping[str, Any], received_at: datetime | None = None) -> None:
        """Write an event and sync it.

        `received_at`: when its hook began; None: now. An event that is sent and then spooled has one id by it.

        Raises ValueError: it is too large or no JSON; StoreFull: there is no space, or the spool holds all it may;
        OSError.
        """
        line = line_of(event, received_at or datetime.now(UTC))
        with self._lock:
            file = self._open() if self._file is None else self._file
            if self._bytes + len(line) > SPOOL_BYTES:
                raise StoreFull(
                    f"The spool {self.folder} holds {SPOOL_BYTES:,} bytes that are not captured",
                    "See engramforge doctor; events are dropped until it is drained",
                )
            try:
                if os.write(file, line) < len(line):
                    raise OSError(28, "No space left on device", str(self.folder))
            except OSError:
                # Half a line would take the next one with it.
                os.ftruncate(file, self._end)
                raise
            self._bytes += len(line)
            self._end += len(line)

    def _open(self) -> int:
        make_own(str(self.folder))
        self._file = _open_to_append(self.folder / _LIVE, _SYNCED)
        self._end = os.fstat(self._file).st_size
        _sync_folder(self.folder)
        self._bytes = self.bytes_waiting()
        return self._file

    def bytes_waiting(self) -> int:
        """The size of everything that waits, in bytes."""
        return sum(_size(place) for place in self._files())

    def events_waiting(self) -> int:
        """How many events wait, by their lines."""
        return sum(_lines(place) for place in self._files())

    def has_files(self) -> bool:
        """Whether anything waits; cheap, for who looks every other second."""
        return any(_size(place) for place in self._files())

    def take_files(self, now_s: float) -> list[Path]:
        """Set apart every file that holds whole lines, oldest first; they stay until `remove`.

        `now_s`: seconds since 1970, by which a line that was never finished is known.
        """
        with self._lock:
            waiting = sorted(self._files(), key=_changed)
            found = [place for place in waiting if place.suffix == _DRAINING]
            for place in (place for place in waiting if place.suffix != _DRAINING):
                if not _size(place):
                    if now_s - _changed(place) > _kept_empty_s(place):
                        place.unlink(missing_ok=True)
                    continue
                # One with a dot is not named yet by the hook that writes it, which does so at once if it lives.
                is_begun = place.name.startswith(".") or not _is_finished(place)
                if is_begun and now_s - _changed(place) < _HALF_WRITTEN_S:
                    continue
                if place.name == _LIVE and self._file is not None:
                    os.close(self._file)
                    self._file = None
                self._number += 1
                apart = self.folder / f"{place.stem}-{os.getpid()}-{self._number}{_DRAINING}"
                place.rename(apart)
                found.append(apart)
            return found

    def remove(self, place: Path) -> None:
        """Remove a file whose events are captured."""
        place.unlink(missing_ok=True)
        with self._lock:
            self._bytes = self.bytes_waiting()

    def refuse(self, line: str, fault: str) -> None:
        """Keep a line that cannot be captured beside its fault, as far as there is room."""
        log.warning("An event was not captured: %s", fault)
        place = self.folder / _REFUSED
        kept = json.dumps({"fault": fault, "line": line[:LINE_BYTES]}).encode() + b"\n"
        if _size(place) + len(kept) > REFUSED_BYTES:
            log.warning("%s is full, so the event is dropped", place)
            return
        file = _open_to_append(place)
        try:
            os.write(file, kept)
        finally:
            os.close(file)

    def close(self) -> None:
        """Close the file; what waits stays."""
        with self._lock:
            if self._file is not None:
                os.close(self._file)
                self._file = None

    def left_alone(self) -> list[tuple[Path, str]]:
        """Files that are not captured, or the folder, and why."""
        if not self.folder.exists():
            return []
        if (fault := _distrust(self.folder, stat.S_IFDIR)) is not None:
            return [(self.folder, fault)]
        found = [(each, _distrust(each)) for each in sorted(self._named())]
        aside = [(each, _distrust(each) or "it was set aside") for each in sorted(self._set_aside())]
        return [(each, fault) for each, fault in found if fault is not None] + aside

    def _files(self) -> list[Path]:
        """The files that are believed."""
        if _distrust(self.folder, stat.S_IFDIR) is not None:
            return []
        return [each for each in self._named() if _distrust(each) is None]

    def _named(self) -> list[Path]:
        return [
            each
            for each in self.folder.iterdir()
            if each.suffix in (".jsonl", _DRAINING) and each.name != _REFUSED
        ]

    def _set_aside(self) -> list[Path]:
        """What stood where we write and was not ours alone, under the name that it has since."""
        return [each for each in self.folder.iterdir() if each.suffix.startswith(_UNKNOWN)]


def _kept_empty_s(place: Path) -> float:
    """How long an empty file is left to its writer, in seconds; one that we append to for ever."""
    if place.name.startswith(".client-"):
        return _UNNAMED_S
    return _HALF_WRITTEN_S if place.name.startswith("client-") else math.inf


def _distrust(place: Path, kind: int = stat.S_IFREG) -> str | None:
    """Why a file or folder is not read; None where it is ours alone to write, or gone by now and no fault."""
    try:
        found = place.lstat()
    except OSError as error:
        return None if isinstance(error, FileNotFoundError) and kind == stat.S_IFREG else str(error)
    if stat.S_IFMT(found.st_mode) != kind:
        return f"it is no {'file' if kind == stat.S_IFREG else 'folder'}"
    if found.st_uid != os.getuid():
        return "it belongs to another user"
    if found.st_mode & 0o022:
        return "others can write to it"
    return None if found.st_mode & stat.S_IRUSR else "its owner may not read it"


def _open_to_append(place: Path, more: int = 0) -> int:
    """A file of ours; what others left in its place is set aside. Raises OSError."""
    if _distrust(place) is not None:
        log.warning("%s is not ours alone, so it was set aside", place)
        place.rename(f"{place}{_UNKNOWN}{time.time_ns()}")
    return os.open(place, _APPENDING | os.O_NOFOLLOW | more, 0o600)


def read_spooled(place: Path) -> Spooled:
    """The events of a file that is set apart."""
    events: list[Mapping[str, Any]] = []
    unread: list[tuple[str, str]] = []
    for raw in place.read_bytes().split(b"\n"):
        if not raw.strip():
            continue
        line = raw.decode("utf-8", "backslashreplace")
        try:
            found = json.loads(raw)
            if not isinstance(found["event"], dict) or not isinstance(found["id"], str):
                raise TypeError("it has no id or no event")
            datetime.fromisoformat(found["received_at"])
            events.append(found)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            unread.append((line, f"the line cannot be read ({type(error).__name__}: {error})"))
    return Spooled(tuple(events), tuple(unread))


def _is_finished(place: Path) -> bool:
    try:
        with place.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read(1) == b"\n"
    except OSError:
        return False


def _changed(place: Path) -> float:
    try:
        return place.stat().st_mtime
    except OSError:
        return 0.0


def _size(place: Path) -> int:
    try:
        return place.stat().st_size
    except OSError:
        return 0


def _lines(place: Path) -> int:
    try:
        return place.read_bytes().count(b"\n")
    except OSError:
        return 0


def _sync_folder(folder: Path) -> None:
    """Make the name of a new file as durable as what is written to it."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
