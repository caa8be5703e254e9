"""Changing files that belong to other programs: shown first, kept beside, written whole, and taken back."""

from __future__ import annotations

import difflib
import errno
import json
import math
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engramforge.errors import InvalidSource, StoreUnavailable

_CONTEXT_LINES: Final = 2
_DEEPEST: Final = 200
"""How far objects and lists may stand in each other: far more than settings have, and less than Python writes."""
_KINDS: Final = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_STRING: Final = r'"(?:[^"\\]|\\.)*+"'
_TOLD: Final = re.compile(rf"({_STRING})(\s*:\s*){_STRING}")
_SECRET: Final = re.compile(
    r"(?i)auth|token|secret|passw|api.?key|access.?key|private.?key|credential|cookie"
)
_BEARER: Final = re.compile(r"(?i)(authorization\s*:\s*bearer\s+)[^\s\"\\]+")


@dataclass(frozen=True, slots=True)
class Edit:
    """One file as it is and as it shall be; None where there is none. `path`: no link, so that links stay links."""

    path: Path
    before: bytes | None
    after: bytes | None

    @property
    def changes(self) -> bool:
        """Whether there is anything to write."""
        return self.before != self.after

    def diff(self) -> str:
        """What changes, as a unified diff; keys and tokens in it are masked."""
        old, new = (
            (text or b"").decode("utf-8", "replace").splitlines(keepends=True)
            for text in (self.before, self.after)
        )
        names = (
            str(self.path) if self.before is not None else "/dev/null",
            str(self.path) if self.after is not None else "/dev/null",
        )
        lines = difflib.unified_diff(old, new, *names, n=_CONTEXT_LINES)
        return "".join(masked(line if line.endswith("\n") else f"{line}\n") for line in lines)

    def write(self) -> None:
        """Bring the file to `after`. Raises StoreUnavailable: it changed since it was read, or cannot be written."""
        if read(self.path) != self.before:
            raise StoreUnavailable(f"{self.path} was changed by another program just now", "Run it again")
        try:
            if self.after is None:
                self.path.unlink()
            else:
                _replace(self.path, self.after)
        except OSError as error:
            fault = f"{self.path} cannot be written ({error.strerror or error})"
            raise StoreUnavailable(fault, f"Check the permissions: ls -ld {self.path.parent}") from error


def _replace(path: Path, content: bytes) -> None:
    """Write a file beside its place, synced, then let it take the place; its mode stays."""
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:  # noqa: PTH123 - a descriptor
            os.fchmod(file.fileno(), mode)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def read(path: Path) -> bytes | None:
    """A file's bytes, None where there is none. Raises StoreUnavailable: it cannot be read."""
    try:
        # A pipe or a device would keep us waiting.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            mode = os.fstat(descriptor).st_mode
            if not stat.S_ISREG(mode):
                raise OSError(errno.EINVAL, f"it is {_KINDS.get(stat.S_IFMT(mode), 'no file')}")
            with open(descriptor, "rb", closefd=False) as file:
                return file.read()
        finally:
            os.close(descriptor)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        fault = f"{path} cannot be read ({getattr(error, 'strerror', None) or error})"
        raise StoreUnavailable(fault, f"Check what it is and its permissions: ls -ld {path}") from error


def parse(path: Path, content: bytes | None, *, to_write: bool = True) -> dict[str, Any]:
    """The JSON object that a file holds; empty where there is no file, or an empty one.

    `to_write`: whether it is read to be written, which a fault then says was not done.

    Raises InvalidSource: it is broken, or holds a name twice, of which writing it again would lose one.
    """
    if content is None or not content.strip():
        return {}

    undone = ", so nothing was written" if to_write else ""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise InvalidSource(
                f"{path} has the name {twice[:100]!r} twice", "Leave one of them, then run it again"
            )
        return found

    try:
        value = json.loads(
            content.decode("utf-8-sig"), object_pairs_hook=unique, parse_float=_finite, parse_constant=_finite
        )
    except UnicodeDecodeError as error:
        fault = f"{path} is not UTF-8 (at byte {error.start:,}){undone}"
        raise InvalidSource(fault, "Mend it, or move it away, then run it again") from error
    except (ValueError, RecursionError) as error:
        fault = f"{path} is not JSON ({error}){undone}"
        raise InvalidSource(fault, "Mend it, or move it away, then run it again") from error
    if not isinstance(value, dict):
        raise InvalidSource(f"{path} is no JSON object{undone}", "Mend it, then run it again")
    if _is_deeper(value, _DEEPEST):
        fault = f"{path} has more than {_DEEPEST} parts that stand in each other{undone}"
        raise InvalidSource(fault, "Mend it, or move it away, then run it again")
    return value


def _is_deeper(value: Any, most: int) -> bool:
    """Whether objects and lists stand deeper in each other than that."""
    level = [value]
    for _ in range(most):
        held = (each.values() if isinstance(each, dict) else each for each in level)
        level = [each for holder in held for each in holder if isinstance(each, (dict, list))]
        if not level:
            return False
    return True


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are the same: `true` is not 1, as Python has it; the order of names does not count."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(each, other[name]) for name, each in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return isinstance(one, bool) is isinstance(other, bool) and bool(one == other)


def masked(line: str) -> str:
    """A line of settings to show, without the values of what is called a token, a key or the like."""

    def value(found: re.Match[str]) -> str:
        return f'{found[1]}{found[2]}"***"' if _SECRET.search(found[1]) else found[0]

    return _BEARER.sub(r"\1***", _TOLD.sub(value, line))


def _finite(number: str) -> float:
    """A number that comes out as it went in, which 1e400 would not."""
    if not math.isfinite(found := float(number)):
        raise ValueError(f"the number {number[:50]} cannot be written again")
    return found


def written(value: dict[str, Any], like: bytes | None) -> bytes:
    """A JSON object as a file, with the indentation and the last line's end of the file that it replaces."""
    text = (like or b"").decode("utf-8", "replace")
    found = re.search(r"\{\r?\n([ \t]+)\"", text)
    indent: str | int | None = found[1] if found else 2
    if text.strip().startswith("{") and "\n" not in text.strip() and text.strip() != "{}":
        indent = None
    end = "\n" if not text or text.endswith("\n") else ""
    said = json.dumps(value, ensure_ascii=False, indent=indent)
    # Half of a pair, which no UTF-8 has, stays the escape that it was.
    said = _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", said)
    return (said + end).encode()
