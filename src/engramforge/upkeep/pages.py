"""How memories look on a page that people read: decisions, threads, lineage, turns, notes, as Markdown.

And the folder that an export of pages fills: safe names, complete files, nothing outside it.

Every entry has its id and its dates. Contents are written unchanged but for comments, which are escaped, so that
nothing in them can look like a mark (core/text/page_marks).
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import IO, Final

from engramforge.core.text.page_marks import MANIFEST, RATIONALE, TEXT, escaped, marked
from engramforge.errors import InvalidValue, StoreUnavailable
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.decision import Decision
from engramforge.model.registries.entry import DecisionStatus, ThreadStatus
from engramforge.model.registries.lineage import LineageEdge
from engramforge.model.registries.thread import Thread
from engramforge.upkeep.exporting import replacing

_TITLE: Final = 80
SHOWN_CHARACTERS: Final = 100_000
"""How much of a content a page shows; the JSON lines have all of it."""

DECISIONS_HEAD: Final = """# Decisions

What stands between `<!-- decision ... -->` or `<!-- rationale ... -->` and `<!-- end -->` may be edited: an import of
this folder takes the new text as a revision. Everything else on this page is made anew by the next export.
"""


def decision_block(history: Sequence[Decision], titles: Mapping[str, str]) -> str:
    """A decision with its earlier versions.

    `history`: its records, oldest first; the last gives its present state. `titles`: global id -> the beginning of
    other decisions' texts.
    """
    head = history[-1]
    parts = [f"\n### {title_of(head.decision)}\n\n", marked(TEXT, head.id, head.version, head.decision)]
    if head.rationale:
        parts += ["\nRationale:\n\n", marked(RATIONALE, head.id, head.version, head.rationale)]
    said = [
        ("id", f"{head.id}, version {head.version}"),
        ("status", _status(head, titles)),
        ("since", day(head.valid_at)),
        ("until", None if head.invalid_at is None else day(head.invalid_at)),
        ("recorded", day(head.created_at)),
        (
            "tier",
            f"{head.epistemic_tier:g}, validated {head.validation_count} times, last {day(head.last_validated)}",
        ),
        ("conversations", ", ".join(_escaped(head.conversation_ids))),
        ("called", head.local_id),
        ("rejected", "; ".join(_escaped(head.alternatives_rejected))),
        ("builds on", ", ".join(head.dependencies)),
        ("tags", ", ".join(_escaped(head.tags))),
        ("memory", head.memory_id),
    ]
    parts += ["\n", _listed(said)]
    seen = {head.version}
    for before in reversed(history[:-1]):
        if before.version not in seen:
            seen.add(before.version)
            until = f", recorded {day(before.created_at)}"
            parts.append(f"- before, version {before.version}{until}: {_line(before.decision)}\n")
    return "".join(parts)


def _status(head: Decision, titles: Mapping[str, str]) -> str:
    """Its status; of a superseded decision, also its successor."""
    if head.status is not DecisionStatus.SUPERSEDED or head.superseded_by is None:
        return str(head.status)
    title = titles.get(head.superseded_by)
    return f"superseded by {head.superseded_by}" + (f" ({title})" if title else "")


def thread_block(thread: Thread) -> str:
    """A thread."""
    blockers = ", ".join(
        f"{blocker.id} ({title_of(blocker.title)}, {blocker.status})" for blocker in thread.blocked_by
    )
    said = [
        ("id", f"{thread.id}, version {thread.version}"),
        (
            "status",
            f"{thread.status}, priority {thread.priority}" + (", blocked" if thread.is_blocked else ""),
        ),
        ("opened", day(thread.opened_at)),
        ("closed", None if thread.status is ThreadStatus.OPEN else day(thread.valid_at)),
        ("resolution", None if thread.resolution is None else _line(thread.resolution)),
        ("resolved in", thread.resolved_in),
        ("waits for", blockers),
        ("conversations", ", ".join(_escaped(thread.conversation_ids))),
        ("called", thread.local_id),
        ("tags", ", ".join(_escaped(thread.tags))),
        ("memory", thread.memory_id),
    ]
    body = f"{escaped(thread.content)}\n\n" if thread.content else ""
    return f"\n### {title_of(thread.title)}\n\n{body}{_listed(said)}"


def edge_block(edge: LineageEdge) -> str:
    """An edge of the lineage."""
    target = edge.target_conversation_id or "(nobody went on yet)"
    turns = None if edge.turn_range is None else f"{edge.turn_range[0]} to {edge.turn_range[1]}"
    said = [
        ("id", edge.id),
        ("compressed", f"{day(edge.compressed_at)}, {edge.compression_mode}"),
        ("tag", edge.compression_tag),
        ("turns", turns),
        ("decisions carried", ", ".join(edge.decisions_carried)),
        ("decisions dropped", ", ".join(edge.decisions_dropped)),
        ("threads carried", ", ".join(edge.threads_carried)),
        ("threads resolved", ", ".join(edge.threads_resolved)),
        ("archive", edge.archive_id),
        ("memory", edge.memory_id),
    ]
    summary = f"{escaped(edge.bridge_summary)}\n\n" if edge.bridge_summary else ""
    return f"\n### {title_of(edge.source_conversation_id)} to {title_of(target)}\n\n{summary}{_listed(said)}"


def memory_block(memory: Memory) -> str:
    """A turn of a conversation, a note, a chunk: who, when, what kind, its id, and what it says."""
    name = None if memory.name is None else title_of(memory.name)
    ended = None if memory.invalid_at is None else f"until {day(memory.invalid_at)}"
    who = None if memory.speaker is None else _line(memory.speaker)
    said = [who, str(memory.kind), day(memory.valid_at), ended, memory.logical_id]
    if memory.version > 1:
        said.append(f"version {memory.version}")
    heading = f"\n## {name}\n" if name and memory.kind is not Kind.CHUNK else ""
    content = memory.content
    if len(content) > SHOWN_CHARACTERS:
        content = f"{content[:SHOWN_CHARACTERS]}\n\n(... {len(content) - SHOWN_CHARACTERS:,} characters more)"
    tags = f"\n\ntags: {', '.join(_escaped(memory.tags))}" if memory.tags else ""
    return f"{heading}\n**{' · '.join(filter(None, said))}**\n\n{escaped(content)}{tags}\n"


def title_of(text: str) -> str:
    """The beginning of a text as a heading: one line."""
    line = _line(text)
    return line if len(line) <= _TITLE else f"{line[: _TITLE - 1].rstrip()}…"


def day(at: datetime) -> str:
    """A time, to the second, in UTC."""
    return at.strftime("%Y-%m-%d %H:%M:%S")


def _line(text: str) -> str:
    return escaped(" ".join(text.split()))


def _escaped(texts: Iterable[str]) -> list[str]:
    return [_line(text) for text in texts]


def _listed(said: Iterable[tuple[str, str | None]]) -> str:
    """Names and values as a list; those without a value are left out."""
    return "".join(f"- {name}: {value}\n" for name, value in said if value)


_NO_WORD: Final = re.compile(r"[^a-z0-9]+")
_NAME_CHARACTERS: Final = 60
_FORMAT: Final = 1
_JOURNAL: Final = ".engramforge-export"
"""The journal of a running export, a file per line; removed once the manifest is written."""
_SPOOL: Final = ".parts-"


def safe_name(text: str) -> str:
    """A file name from any text: lower-case letters, digits and hyphens, and a hash that keeps names distinct."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    word = _NO_WORD.sub("-", plain).strip("-")[:_NAME_CHARACTERS].strip("-")
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{word}-{digest}" if word else digest


class PageFolder:
    """A folder to export into.

    `folder`: created if missing, readable by its owner only.

    Raises InvalidValue: it holds files from elsewhere; StoreUnavailable: it cannot be created, or is a file.
    """

    def __init__(self, folder: Path) -> None:
        try:
            self.root = folder.expanduser().absolute()
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.root = self.root.resolve(strict=True)
            there = {path.name for path in self.root.iterdir()}
        except (OSError, RuntimeError, ValueError) as error:
            raise StoreUnavailable(
                f"The folder {str(folder)[:500]!r} cannot be used ({error})",
                "Name a folder that you may write to",
            ) from error
        self._journal = self.root / _JOURNAL
        if not {MANIFEST, _JOURNAL} & there and any(not name.startswith(".") for name in there):
            raise InvalidValue(
                f"The folder {self.root} holds other files, and no earlier export",
                "Name an empty or a new folder",
            )
        self._before = set(self._named() if MANIFEST in there else ())
        with suppress(OSError, ValueError):
            # The files written by an interrupted export.
            self._before.update(self._journal.read_text(encoding="utf-8").splitlines())
        self._written: list[str] = []
        self.size_bytes = 0
        for left in self.root.glob(f"{_SPOOL}*"):
            shutil.rmtree(left, ignore_errors=True)

    @contextmanager
    def page(self, *parts: str) -> Iterator[Page]:
        """A file of these parts, in place when the block ends well."""
        name = str(PurePosixPath(*parts))
        place = self._inside(name)
        try:
            # One by one, since the mode applies only to the last of several.
            for folder in reversed([parent for parent in place.parents if parent.is_relative_to(self.root)]):
                folder.mkdir(mode=0o700, exist_ok=True)
            with self._journal.open("a", encoding="utf-8") as journal:
                journal.write(f"{name}\n")
        except OSError as error:
            raise StoreUnavailable(
                f"The page {place} cannot be written ({error.strerror})",
                "Check the folder's permissions and its disk",
            ) from error
        with replacing(place) as file:
            page = Page(file)
            yield page
        self._written.append(name)
        self.size_bytes += page.size_bytes

    @contextmanager
    def spool(self) -> Iterator[Path]:
        """A temporary folder for sorting, on the same disk; always removed."""
        place = tempfile.mkdtemp(prefix=_SPOOL, dir=self.root)
        try:
            yield Path(place)
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def finish(self) -> None:
        """Write the manifest, and remove what an earlier export wrote and this one did not."""
        for name in sorted(self._before - set(self._written)):
            place = self._inside(name)
            with suppress(OSError):
                place.unlink(missing_ok=True)
                for folder in place.parents:
                    if folder == self.root or any(folder.iterdir()):
                        break
                    folder.rmdir()
        manifest = {"format": _FORMAT, "files": sorted(self._written)}
        with replacing(self.root / MANIFEST) as file:
            file.write(json.dumps(manifest, indent=1).encode() + b"\n")
        self._journal.unlink(missing_ok=True)

    def _inside(self, name: str) -> Path:
        """A path below the root that no link leads out of. Raises InvalidValue."""
        path = PurePosixPath(name)
        place = self.root.joinpath(*path.parts)
        links = [
            parent
            for parent in (place, *place.parents)
            if parent != self.root and parent.is_relative_to(self.root)
        ]
        if path.is_absolute() or ".." in path.parts or any(link.is_symlink() for link in links):
            raise InvalidValue(
                f"{name[:200]!r} leads out of {self.root}", "Remove the link, or name a new folder"
            )
        return place

    def _named(self) -> tuple[str, ...]:
        """The files named by the manifest, without any that lead out of the folder."""
        try:
            value = json.loads((self.root / MANIFEST).read_bytes())
            names = value["files"]
            assert isinstance(names, list) and all(isinstance(name, str) for name in names)
        except (OSError, ValueError, KeyError, TypeError, AssertionError):
            raise InvalidValue(
                f"The file {MANIFEST} in {self.root} is no export's", "Name an empty or a new folder"
            ) from None
        return tuple(names)


@dataclass(slots=True)
class Page:
    """A file that is being written."""

    file: IO[bytes]
    size_bytes: int = 0

    def write(self, line: bytes, /) -> int:
        """Bytes, as a stream takes them."""
        self.file.write(line)
        self.size_bytes += len(line)
        return len(line)

    def say(self, text: str) -> None:
        """Text."""
        self.write(text.encode("utf-8", "replace"))
