"""A git repository as events: one memory of kind action for each commit, oldest first.

Read by the `git` command, in order and as a stream; nothing of the repository's own settings runs: no shell, hooks,
pager, signature check, filter or fetch. A path that is the repository itself (a `.git`, or a bare one) is recognised;
a folder that has a `.git` beside its files is read as git only where that is asked for (`format="git"`), because such
a folder is more often brought in for its texts.

What is read: everything that HEAD and the local branches reach. The text is the commit's message and the first files
that it touched; author as speaker, the author's time as `valid_at`, the committer's as `recorded_at`; hash, parents and
files as metadata. Its hash is its origin, so a clone adds nothing. Contents of files and e-mail addresses are never
read into a memory.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Final

from engramforge.capture.reading.cutting import cut
from engramforge.capture.reading.format import Context, Format, Naming
from engramforge.capture.reading.records import Item, Place
from engramforge.capture.reading.sources import ImportSource, Listing
from engramforge.capture.reading.transcript_text import shortened
from engramforge.capture.reading.values import digest_of, printable, time_of
from engramforge.errors import InvalidSource
from engramforge.model.memory import Draft, Kind, Source

FILES_KEPT: Final = 100
"""Files of a commit that its metadata names; all are counted."""
FILES_SAID: Final = 10
"""Files of a commit that its text names, so that a question about a file finds it."""
MESSAGE_CHARACTERS: Final = 20_000
_PATH_CHARACTERS: Final = 300
_MARK: Final = b"\x01commit\x01"
_FIELDS: Final = ("%H", "%P", "%an", "%at", "%ct", "%B")
_LOG: Final = (
    *("log", "-z", "--reverse", "--date-order", "--name-only", "--no-renames", "--no-color", "--no-decorate"),
    *("--no-show-signature", "--no-notes", "--no-ext-diff", "--no-textconv", "--no-mailmap"),
    "--encoding=UTF-8",
    f"--format=%x00{_MARK.decode()}%x00{'%x00'.join(_FIELDS)}%x00",
)
_SAFE: Final = (
    *("--no-pager", "--no-optional-locks"),
    *("-c", "safe.directory=*", "-c", "core.hooksPath=" + os.devnull, "-c", "core.fsmonitor=false"),
    *("-c", "protocol.allow=never", "-c", "log.showSignature=false", "-c", "core.quotePath=false"),
    *("-c", "log.showRoot=true", "-c", "log.follow=false", "-c", "core.attributesFile=" + os.devnull),
)
_ENVIRONMENT: Final[Mapping[str, str]] = {
    "PATH": os.defpath,
    "LC_ALL": "C",
    "HOME": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_PAGER": "cat",
}
_BLOCK_BYTES: Final = 1 << 18


def is_repository(listing: Listing) -> bool:
    """Whether a folder is a repository itself: a `.git`, or a bare one."""
    return "HEAD" in listing.files and {"objects", "refs"} <= set(listing.folders)


def read_git(source: ImportSource, context: Context) -> Iterator[Item]:
    """The commits of a repository as items, oldest first. Raises InvalidSource where git cannot read it."""
    place = _git_folder(source.path)
    starts = _starts(place)
    total = int(_said(place, "rev-list", "--count", *starts, "--") or 0) if starts else 0
    for number, commit in enumerate(_commits(place, starts) if starts else (), 1):
        where = Place(str(source.path), number, source.size * min(number, total) // max(total, 1))
        if len(commit) < len(_FIELDS):
            yield where.fault("commit", "git gave an incomplete commit", is_message=True)
        else:
            yield where.item("commit", _draft(commit, context))


def _draft(commit: list[str], context: Context) -> Draft:
    commit_id, parents, author, written, committed, message = commit[: len(_FIELDS)]
    files = commit[len(_FIELDS) :]
    text = shortened(message.strip() or "(a commit without a message)", MESSAGE_CHARACTERS)
    if files:
        more = f" and {len(files) - FILES_SAID} more" if len(files) > FILES_SAID else ""
        text += f"\n\nFiles: {', '.join(files[:FILES_SAID])}{more}"
    recorded = context.dated(time_of(_number(committed)))
    ids = parents.split()
    return Draft(
        content=text,
        kind=Kind.ACTION,
        source=Source.IMPORT,
        project=context.own_project,
        speaker=printable(author) or None,
        tags=("commit", "merge") if len(ids) > 1 else ("commit",),
        metadata={
            "commit": commit_id,
            "parents": ids[:16],
            "files": [cut(name, _PATH_CHARACTERS) for name in files[:FILES_KEPT]],
            "files_changed": len(files),
        },
        valid_at=min(time_of(_number(written)) or recorded, context.now),
        recorded_at=recorded,
        origin=f"git:{commit_id}",
    )


def _number(text: str) -> int:
    return int(text) if text.strip().lstrip("-").isdigit() else 0


def _git_folder(path: Path) -> Path:
    """The repository of a folder: its `.git`, else the folder itself."""
    inner = path / ".git"
    return inner if inner.exists() else path


def _starts(place: Path) -> list[str]:
    """What to read from: the local branches, and HEAD where it is at a commit. None in an empty repository."""
    has_branches = bool(_said(place, "for-each-ref", "--count=1", "--format=%(objectname)", "refs/heads"))
    has_head = bool(_said(place, "rev-parse", "--verify", "--quiet", "HEAD^{commit}", may_fail=True))
    return ["--branches"] * has_branches + ["HEAD"] * has_head


def _command(place: Path, *arguments: str) -> list[str]:
    git = shutil.which("git")
    if git is None:
        raise InvalidSource(
            "There is no git command to read a repository with", "Install git, or import an export of its log"
        )
    return [git, *_SAFE, f"--git-dir={place}", *arguments]


def _said(place: Path, *arguments: str, may_fail: bool = False) -> str:
    """What a short git command prints."""
    done = subprocess.run(  # noqa: S603 - no shell, our own arguments and environment
        _command(place, *arguments),
        capture_output=True,
        env=_ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode and not may_fail:
        raise _refusal(place, done.stderr)
    return done.stdout.decode("utf-8", "replace").strip()


def _commits(place: Path, starts: list[str]) -> Iterator[list[str]]:
    """For each commit its fields, then the files that it touched."""
    with tempfile.TemporaryFile() as errors:
        running = subprocess.Popen(  # noqa: S603 - likewise
            _command(place, *_LOG, *starts, "--"),
            stdout=subprocess.PIPE,
            stderr=errors,
            stdin=subprocess.DEVNULL,
            env=_ENVIRONMENT,
        )
        assert running.stdout is not None
        try:
            yield from _grouped(running.stdout)
            if running.wait():
                errors.seek(0)
                raise _refusal(place, errors.read(2_000))
        finally:
            running.kill()
            running.wait()
            running.stdout.close()


def _grouped(stream: IO[bytes]) -> Iterator[list[str]]:
    current: list[str] | None = None
    for token in _tokens(stream):
        if token == _MARK:
            if current is not None:
                yield current
            current = []
        elif current is not None and len(current) < len(_FIELDS):
            current.append(token.decode("utf-8", "replace").replace("\0", ""))
        elif current is not None and (name := token.removeprefix(b"\n")):
            current.append(name.decode("utf-8", "replace"))
    if current is not None:
        yield current


def _tokens(stream: IO[bytes]) -> Iterator[bytes]:
    """The parts of a stream between NULs."""
    left = b""
    while block := stream.read(_BLOCK_BYTES):
        *whole, left = (left + block).split(b"\0")
        yield from whole
    if left:
        yield left


def _refusal(place: Path, said: bytes) -> InvalidSource:
    reason = " ".join(said.decode("utf-8", "replace").split())[:300]
    return InvalidSource(f"git cannot read {place} ({reason})", "Check it with `git fsck`")


def _digest(source: ImportSource) -> str:
    """A hash of the positions of branches and HEAD; while these stay, there are no new commits."""
    place = _git_folder(source.path)
    branches = _said(place, "for-each-ref", "--format=%(objectname)", "refs/heads")
    head = _said(place, "rev-parse", "--verify", "--quiet", "HEAD^{commit}", may_fail=True)
    return digest_of(f"{head}\n{branches}", 16)


FORMAT: Final = Format(
    name="git",
    title="git repositories",
    read=read_git,
    claims=is_repository,
    naming=Naming.WORKING_FOLDER,
    # The repository's folder, so that its project is that of sessions that ran there; a bare one's is named NAME.git.
    working_folder=lambda source: str(source.path).removesuffix("/.git").removesuffix(".git"),
    digest=_digest,
)
