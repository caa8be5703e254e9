"""What the input of a tool names: files, packages and programs, by which memories are looked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from engramforge.core.injection.shell import Command
from engramforge.core.injection.starters import INSTALLS, SHELLS, VALUED, run_by, without_options

TOOLS: Final = ("Edit", "Write", "MultiEdit", "NotebookEdit", "Bash")
"""Tools before which something may be injected."""
_PATHS: Final = ("file_path", "notebook_path", "path")
_EVERYDAY_PROGRAMS: Final = """
awk basename cat cd chmod cp curl cut date df diff dirname du echo env eval exit export false file find for git grep
gzip head if jq kill ls mkdir mv node npx open pip pip3 printf ps pwd python python3 read rm rmdir sed sh bash sleep
sort source ssh sudo tail tar tee test then time timeout touch tr true uniq uv wc wget which while xargs zsh npm yarn
pnpm cargo go make fi done esac case function select local set unset shift return break continue trap wait cmp less
more nl od stat egrep fgrep rg tree realpath readlink
"""
_EVERYDAY: Final = frozenset(_EVERYDAY_PROGRAMS.split())
"""Programs that every session runs, and words of the shell: what is known of them is known of everything."""
_INSTALLER_NAMES: Final = "pip pip3 uv npm yarn pnpm cargo go apt apt-get brew poetry conda gem"
_INSTALLERS: Final = frozenset(_INSTALLER_NAMES.split())
_COMMANDED_NAMES: Final = (
    "git gh npm yarn pnpm cargo make docker podman kubectl helm terraform systemctl uv poetry go pip pip3"
)
_COMMANDED: Final = frozenset(_COMMANDED_NAMES.split())
"""Programs of which it is the command that one is warned of: `git push`, `npm publish`."""
_COMMAND: Final = re.compile(r"[a-z][a-z-]+")
_ALTERING: Final = frozenset({"rm", "rmdir", "mv", "cp", "chmod", "kill", "curl"})
"""Everyday programs of which one is warned with an option: `rm -rf`."""
_FORCES: Final = frozenset({"--force", "-f"})
_FORCED: Final = ("force push", "force-push", "push --force", "push -f", "push with --force")
"""What people call `git push --force`."""
_SERVED: Final = frozenset({"systemctl", "service"})
"""Programs of which it is the service that one is warned of."""
_READER_NAMES: Final = """
cat less more head tail grep egrep fgrep zgrep rg ag ack diff cmp comm ls ll wc file stat du nl od xxd hexdump strings
bat zcat md5sum sha1sum sha256sum cksum column cut sort uniq jq yq awk tree realpath readlink basename dirname test [
echo printf which type man tac fold
"""
_READERS: Final = frozenset(_READER_NAMES.split())
"""Programs that change no file that they are given."""
_GIT_READS: Final = frozenset(
    {"diff", "log", "show", "blame", "status", "grep", "ls-files", "cat-file", "shortlog", "describe"}
)
_ALTERERS: Final = frozenset(
    {"rm", "rmdir", "mv", "chmod", "chown", "shred", "truncate", "touch", "tee", "sed", "find"}
)
"""Programs that change what they are given, of which folders are looked at; of those that copy, the last."""
_WRITES_ROWS: Final = re.compile(
    r"(?i)\b(?:insert\s+into|delete\s+from|truncate(?:\s+table)?|(?:drop|alter)\s+table(?:\s+if\s+exists)?|merge\s+into"
    r"|replace\s+into|update(?=\s+\S{1,80}\s+set\b))\s+[\"`\[]?(?:\w{1,40}\.)?[\"`\[]?(?P<table>\w{2,40})"
)
_COPIERS: Final = frozenset({"cp", "scp", "ln", "install"})
"""Programs of which only the last file is written to."""
_CHANGES_BY: Final[Mapping[str, re.Pattern[str]]] = {
    "sed": re.compile(r"-[A-Za-z]*i|--in-place"),
    "find": re.compile(r"-delete"),
}
"""Programs that change files by an option of this form only."""
_FILE: Final = re.compile(
    r"(?>(?:[\w@/~+-]|\.(?![A-Za-z][A-Za-z0-9]{0,7}\Z))*)(?<=[\w-])\.[A-Za-z][A-Za-z0-9]{0,7}\Z"
)
SCRIPT: Final = re.compile(r"\.(?:sh|bash|zsh|py|rb|pl|js|mjs|ts|php|ps1|bat|exe|lua|awk)\Z")
_TOOL_OF: Final = re.compile(
    r"(?P<served>[a-z][a-z-]{2,}[a-z])-?(?:tab|ctl|cli|sh|adm|admin)\d?\Z|(?P<plain>[a-z]{4,})\d\Z"
)
"""A program that is named after what it serves: people warn of `cron`, and `crontab` changes it."""
_LOOKS: Final = frozenset({"-l", "--list", "--help", "--version"})
"""With one of these alone a program tells something and changes nothing."""
_PACKAGE: Final = re.compile(r"@?[A-Za-z][\w./-]{1,60}")
_PLAIN: Final = frozenset(
    {"index", "main", "init", "__init__", "readme", "test", "tests", "conftest", "setup", "app"}
)
"""Stems of file names that every folder has."""
_MOST: Final = 6
_LONGEST: Final = 4_000
_NEAREST: Final = 3
_ON_ROWS: Final = ("write to", "insert into", "delete from", "update", "truncate", "drop", "alter")


@dataclass(frozen=True, slots=True)
class Named:
    """A name in a tool's input. `said`: the name, of a program with its command. `words`: those of the command line
    behind a program's name, in their order; None for a file or package. `is_run`: whether it is a program, or a script
    that is started. `by_option`: whether it is only meant with one of its options, or in marks of code. `also`: what
    else it is called. `given`: the words behind a script that is started. `is_place`: whether it is a folder in which
    something is changed, or a table of a database: then only what forbids to change it warns of it.
    """

    said: str
    words: tuple[str, ...] | None = None
    is_run: bool = False
    by_option: bool = False
    also: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    is_place: bool = False


def named_in(tool: str, given: Mapping[str, Any]) -> tuple[Named, ...]:
    """The names in a tool's input, the most telling first; at most six. What is only read is no name: nothing that
    is known of changing it matters then.
    """
    found: dict[str, Named] = {}
    places: list[Named] = []
    for key in _PATHS:
        if isinstance(path := given.get(key), str):
            _keep(found, map(Named, _of_path(path)))
            places += _folders_of(path)
    if tool == "Bash" and isinstance(line := given.get("command"), str):
        for command in run_by(line[:_LONGEST]):
            _keep(found, _of_command(command))
            places += _places_of(command)
    return (*tuple(found.values())[:_MOST], *tuple(dict.fromkeys(places))[:_MOST])


def names_in(tool: str, given: Mapping[str, Any]) -> tuple[str, ...]:
    """The same names as words.

    >>> names_in("Edit", {"file_path": "/projects/atlas/src/store/door.py"})
    ('door.py', 'store/door.py')
    >>> names_in("Bash", {"command": "cd src && pip install httpx==0.27 && alembic upgrade head"})
    ('httpx', 'pip install', 'alembic')
    >>> names_in("Bash", {"command": "npx --yes prisma@5 migrate reset; npm run db -- alembic upgrade head"})
    ('prisma', 'alembic')
    >>> names_in("Bash", {"command": "ssh -p 22 db 'alembic downgrade -1'; git push --force"})
    ('alembic', 'git push')
    >>> names_in("Bash", {"command": "cat <<E\\ngit push\\nE\\ngrep -n x door.py; echo 'git push' > note.md"})
    ('note.md',)
    >>> names_in("Bash", {"command": "ls -la | grep x"})
    ()
    """
    return tuple(each.said for each in named_in(tool, given) if not each.is_place)


def _keep(found: dict[str, Named], names: Iterator[Named]) -> None:
    """Of a program that is run twice, the words of both runs are kept."""
    for each in names:
        before = found.get(each.said)
        if before is None:
            found[each.said] = each
        elif each.words != before.words:
            words = (*(before.words or ()), *(each.words or ()))
            found[each.said] = Named(
                each.said, words, is_run=True, by_option=each.by_option, also=each.also or before.also
            )
        elif each.given:
            found[each.said] = replace(before, is_run=True, given=(*before.given, *each.given))


def _of_path(path: str) -> list[str]:
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".", "..", "~")]
    if not parts:
        return []
    stem = parts[-1].rsplit(".", 1)[0].casefold()
    longer = ["/".join(parts[-2:])] if len(parts) > 1 else []
    return longer if stem in _PLAIN else [parts[-1], *longer]


def _of_command(command: Command) -> Iterator[Named]:
    if command.words:
        program = command.words[0].rsplit("/", 1)[-1]
        program = program[:1] + program[1:].partition("@")[0]
        yield from _of_program(program, command.words[0], tuple(command.words[1:]), starts=command.starts)
    for path in command.written:
        if _FILE.fullmatch(path):
            yield from map(Named, _of_path(path))


def _folders_of(path: str) -> list[Named]:
    """The folders in which a path is, the nearest first, and the path itself where it names no file."""
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".", "..", "~", "*")]
    if parts and _FILE.fullmatch(parts[-1]):
        parts.pop()
    nearest = parts[: -_NEAREST - 1 : -1]
    return [
        Named(
            f"{part}/", also=tuple(f"{part} {word}" for word in ("folder", "directory", "dir")), is_place=True
        )
        for part in nearest
    ]


def _places_of(command: Command) -> Iterator[Named]:
    """The folders in which a command changes something, and the tables whose rows it writes."""
    program = command.words[0].rsplit("/", 1)[-1] if command.words else ""
    rest = command.words[1:]
    paths = [word for word in rest if not word.startswith("-")]
    if program in _COPIERS or program == "rsync":
        paths = paths[-1:]
    elif program not in _ALTERERS or not _changes(program, rest):
        paths = []
    for path in (*paths, *command.written):
        yield from _folders_of(path.rpartition(":")[2])
    if program in _READERS or program == "git":
        return
    for hit in _WRITES_ROWS.finditer(" ".join((*rest, command.fed))):
        table = hit["table"].casefold()
        called = (f"table {table}", f"`{table}`", *(f"{act} {table}" for act in _ON_ROWS))
        yield Named(f"{table} table", also=called, is_place=True)


def _of_program(program: str, path: str, rest: tuple[str, ...], *, starts: bool) -> Iterator[Named]:
    if SCRIPT.search(program):
        yield from (Named(each, is_run=True, given=rest) for each in _of_path(path))
    elif program not in _EVERYDAY and _PACKAGE.fullmatch(program):
        if len(rest) == 1 and rest[0] in _LOOKS:
            return
        served = _TOOL_OF.fullmatch(program)
        also = () if served is None else (served["served"] or served["plain"],)
        yield Named(program, rest, is_run=True, also=also)
        if (stem := program.partition(".")[0]) != program and len(stem) > 2:
            yield Named(stem, rest, is_run=True)  # `mkfs.ext4` is called `mkfs`
    behind = [word for word in without_options(rest, VALUED) if not word.startswith("+")]
    if program in _INSTALLERS and any(word in INSTALLS for word in behind[:2]):
        given = (word for word in behind if not word.startswith("-") and word not in INSTALLS)
        bare = (re.split(r"[=<>~\[]", word, maxsplit=1)[0] for word in given)
        yield from (Named(each) for each in bare if _PACKAGE.fullmatch(each) and each not in _EVERYDAY)
    if program in _COMMANDED and behind and not starts and _COMMAND.fullmatch(behind[0]):
        is_forced = program == "git" and behind[0] == "push" and not _FORCES.isdisjoint(rest)
        yield Named(f"{program} {behind[0]}", tuple(rest), is_run=True, also=_FORCED if is_forced else ())
    if program in _ALTERING:
        yield Named(program, rest, is_run=True, by_option=True)
        places = (word.rstrip("/") for word in rest if "/" in word.strip("/") and not word.startswith("-"))
        yield from (
            Named(_of_path(each)[-1]) for each in places if not _FILE.fullmatch(each) and _of_path(each)
        )
    if program in _SERVED:
        yield from (Named(word) for word in behind if _PACKAGE.fullmatch(word) and word not in _EVERYDAY)
    yield from _of_files(program, rest)


def _of_files(program: str, rest: Sequence[str]) -> Iterator[Named]:
    """The files in a program's words that it may change or run."""
    if not _changes(program, rest):
        return
    files = [word for word in rest if not word.startswith("-") and _FILE.fullmatch(word)]
    starts = program in SHELLS or program.startswith(("python", "node", "ruby", "perl", "source", "."))
    for path in files[-1:] if program in _COPIERS else files:
        given = tuple(rest[rest.index(path) + 1 :]) if starts else ()
        yield from (Named(each, is_run=starts, given=given) for each in _of_path(path))


def _changes(program: str, rest: Sequence[str]) -> bool:
    if program in _READERS or (
        program == "git" and _GIT_READS.intersection(without_options(rest, VALUED)[:1])
    ):
        return False
    by = _CHANGES_BY.get(program)
    return by is None or any(by.match(word) for word in rest)
