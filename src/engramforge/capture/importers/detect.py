"""Which files of a path can be imported, and as what: told by looking at what they hold, before anything is read in.

Images are memories of their own where they are all that a path holds, or are asked for; beside texts they belong to
these. Folders are walked in a fixed order. Left out: hidden files and folders, `node_modules`, virtual environments,
and every symbolic link below the root, so that nothing outside the root is ever read. What must not enter: the
formats' own reading.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, Final

from engramforge.capture.importers.jsonl import ALIASES, starts_with_array
from engramforge.capture.importers.records import FILE_BYTES, parse_json
from engramforge.errors import InvalidSource, InvalidValue, NotFound, StoreUnavailable
from engramforge.writing.pictures import SUFFIXES

MARKDOWN, JSONL, CLAUDE_CODE, IMAGE = "markdown", "jsonl", "claude_code", "image"
FORMATS: Final = (MARKDOWN, JSONL, CLAUDE_CODE, IMAGE)
MARKDOWN_GLOBS: Final = ("**/*.md", "**/*.markdown")
_LEFT_OUT: Final = frozenset({"node_modules", "venv", "__pycache__", "site-packages"})
_LOOKED_AT_LINES: Final = 50
_LOOKED_AT_BYTES: Final = 1 << 20
_TRANSCRIPT_TYPES: Final = frozenset(
    {"user", "assistant", "summary", "system", "attachment", "progress", "queue-operation"}
    | {"file-history-snapshot", "last-prompt", "custom-title", "agent-name", "permission-mode"}
)
_TRANSCRIPT_MARKS: Final = ("sessionId", "leafUuid", "parentUuid", "isSidechain")


@dataclass(frozen=True, slots=True)
class Source:
    """One file to import.

    Parameters
    ----------
    path : resolved.
    format : one of `FORMATS`.
    size : bytes.
    mtime_ns : when it was last written, nanoseconds since 1970; tools may set it back.
    ctime_ns : when it last changed in any way, likewise; nobody can set it.
    """

    path: Path
    format: str
    size: int
    mtime_ns: int
    ctime_ns: int


@dataclass(frozen=True, slots=True)
class Survey:
    """What a path holds: the files to import in order, those that are in no format known, and those whose names
    are not UTF-8 (written with escapes), by which no memory could be stored."""

    root: Path
    is_folder: bool
    sources: tuple[Source, ...]
    unrecognised: tuple[str, ...]
    misnamed: tuple[str, ...] = ()

    @property
    def format(self) -> str:
        """The formats found, joined by `+`, in alphabetical order."""
        return "+".join(sorted({source.format for source in self.sources}))

    @property
    def files_by_format(self) -> dict[str, int]:
        """Format -> number of files."""
        return dict(sorted(Counter(source.format for source in self.sources).items()))


def survey(path: Path, format: str | None, globs: Sequence[str] = MARKDOWN_GLOBS) -> Survey:  # noqa: A002
    """Look at a file or folder and say what can be imported from it.

    Parameters
    ----------
    format : import only this; a single file is then taken at its word.
    globs : which files of a folder count as Markdown.

    Raises
    ------
    NotFound : there is no such path.
    InvalidValue : there is no such format.
    InvalidSource : nothing there can be imported.
    """
    if format is not None and format not in FORMATS:
        raise InvalidValue(
            f"There is no import format {format[:100]!r}", f"Choose one of {', '.join(FORMATS)}"
        )
    try:
        root = path.expanduser().resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise NotFound(f"There is no file or folder {str(path)[:500]!r}", "Check the path") from error
    is_folder = root.is_dir()
    if not is_folder and not root.is_file():
        raise InvalidSource(f"{root} is neither a file nor a folder", "Name a file or a folder")
    if not _is_text(str(root)):
        raise InvalidSource(f"The path {_escaped(str(root))} is not UTF-8", "Rename it")
    sources: list[Source] = []
    unrecognised: list[str] = []
    misnamed: list[str] = []
    for file in _files(root) if is_folder else [root]:
        if not _is_text(str(file)):
            misnamed.append(_escaped(str(file)))
            continue
        try:
            found = _format_of(file, root, is_folder, format, globs)
            stat = file.stat()
        except OSError as error:
            if not is_folder:
                raise StoreUnavailable(
                    f"{file} cannot be read ({error.strerror})", "Mend its permissions"
                ) from error
            unrecognised.append(str(file))
            continue
        if found is None or (format is not None and found != format):
            unrecognised.append(str(file))
        else:
            sources.append(Source(file, found, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns))
    if format is None and any(source.format != IMAGE for source in sources):
        unrecognised = sorted({*unrecognised, *(str(each.path) for each in sources if each.format == IMAGE)})
        sources = [source for source in sources if source.format != IMAGE]
    if not sources and (not is_folder or format is None or not unrecognised):
        known = "Markdown, JSONL with a `content`, Claude Code transcripts, images"
        raise InvalidSource(f"Nothing in {root} can be imported", f"Known are {known}")
    if not sources:
        raise InvalidSource(f"Nothing in {root} is {format}", "Leave the format out to have it recognised")
    return Survey(root, is_folder, tuple(sources), tuple(unrecognised), tuple(misnamed))


def _is_text(name: str) -> bool:
    """Whether a file's name is UTF-8; the system knows it as bytes, of which others come as lone surrogates."""
    return name.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in name)


def _escaped(name: str) -> str:
    return name.encode("utf-8", "backslashreplace").decode()


def is_transcript_record(value: Any) -> bool:
    """Whether a JSON value looks like a record of a Claude Code transcript."""
    if not isinstance(value, dict) or value.get("type") not in _TRANSCRIPT_TYPES:
        return False
    if isinstance(value.get("message"), dict) and value["type"] in ("user", "assistant"):
        return True
    return any(mark in value for mark in _TRANSCRIPT_MARKS)


def _files(root: Path) -> Iterator[Path]:
    for folder, inner, names in os.walk(root, followlinks=False):
        here = Path(folder)
        inner[:] = sorted(
            name
            for name in inner
            if not name.startswith(".")
            and name not in _LEFT_OUT
            and not (here / name / "pyvenv.cfg").exists()
        )
        for name in sorted(names):
            file = here / name
            if not name.startswith(".") and not file.is_symlink() and file.is_file():
                yield file


def _format_of(
    file: Path, root: Path, is_folder: bool, asked: str | None, globs: Sequence[str]
) -> str | None:
    if not is_folder and asked is not None:
        return asked
    relative = PurePath(file.relative_to(root)) if is_folder else PurePath(file.name)
    if any(_matches(relative, glob) for glob in (globs if is_folder else MARKDOWN_GLOBS)):
        return MARKDOWN
    if file.suffix.lower() in SUFFIXES:
        return IMAGE
    if file.suffix.lower() in (".jsonl", ".ndjson", ".json") or not is_folder:
        return _json_format(file)
    return None


def _matches(relative: PurePath, glob: str) -> bool:
    # `**/` also stands for no folder at all, which PurePath.match knows from Python 3.13 on.
    return relative.match(glob) or (glob.startswith("**/") and relative.match(glob[3:]))


def _json_format(file: Path) -> str | None:
    if file.suffix.lower() == ".json" or starts_with_array(file):
        document = _whole(file)
        if isinstance(document, dict) and isinstance(document.get("loglines"), list):
            return (
                CLAUDE_CODE
                if any(map(is_transcript_record, document["loglines"][:_LOOKED_AT_LINES]))
                else None
            )
        if isinstance(document, list):
            return JSONL if any(map(_has_content, document[:_LOOKED_AT_LINES])) else None
        if document is not None:
            return None
    values = list(_first_lines(file))
    if any(map(is_transcript_record, values)):
        return CLAUDE_CODE
    return JSONL if any(map(_has_content, values)) else None


def _whole(file: Path) -> Any:
    return (
        parse_json(file.read_bytes().removeprefix(b"\xef\xbb\xbf"))[0]
        if file.stat().st_size <= FILE_BYTES
        else None
    )


def _first_lines(file: Path) -> Iterator[Any]:
    with file.open("rb") as lines:
        for _ in range(_LOOKED_AT_LINES):
            line = lines.readline(_LOOKED_AT_BYTES)
            if not line:
                return
            yield parse_json(line.removeprefix(b"\xef\xbb\xbf"))[0]


def _has_content(value: Any) -> bool:
    names = ("content", *(alias for alias, field in ALIASES.items() if field == "content"))
    return isinstance(value, dict) and any(isinstance(value.get(name), str) for name in names)
