"""What the input of a tool names: files, packages and programs, by which memories are looked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise
from typing import Any, Final

from engramforge.core.injection.inputs.hosts import hosts_in
from engramforge.core.injection.inputs.manifests import packages_added
from engramforge.core.injection.inputs.paths import parts_of
from engramforge.core.injection.inputs.tasks import task_of
from engramforge.core.injection.shell import Command
from engramforge.core.injection.starters import INSTALLS, SCRIPT, SHELLS, VALUED, run_by, without_options
from engramforge.core.text.words import word_set

TOOLS: Final = ("Edit", "Write", "MultiEdit", "NotebookEdit", "Bash")
"""Tools before which something may be injected."""
_PATHS: Final = ("file_path", "notebook_path", "path")
_EVERYDAY: Final = word_set("""
awk basename cat cd chmod cp curl cut date df diff dirname du echo env eval exit export false file find for git grep
gzip head if jq kill ls mkdir mv node npx open pip pip3 printf ps pwd python python3 read rm rmdir sed sh bash sleep
sort source ssh sudo tail tar tee test then time timeout touch tr true uniq uv wc wget which while xargs zsh npm yarn
pnpm cargo go make fi done esac case function select local set unset shift return break continue trap wait cmp less
more nl od stat egrep fgrep rg tree realpath readlink
""")
"""Programs that every session runs, and words of the shell: what is known of them is known of everything."""
_INSTALLERS: Final = word_set(
    "pip pip3 pipenv pdm uv npm yarn pnpm bun cargo go apt apt-get brew poetry conda gem"
)
_COMMANDED: Final = word_set(
    "git gh npm yarn pnpm cargo make docker podman kubectl helm terraform systemctl uv poetry go pip pip3"
)
"""Programs of which it is the command that one is warned of: `git push`, `npm publish`."""
_COMMAND: Final = re.compile(r"[a-z][a-z-]+")
_ALTERING: Final = frozenset({"rm", "rmdir", "mv", "cp", "chmod", "kill", "curl"})
"""Everyday programs of which one is warned with an option: `rm -rf`."""
_FORCES: Final = re.compile(r"--force\b.*|-[a-zA-Z]{0,4}f[a-zA-Z]{0,4}|\+.+")
"""By which words a push is forced."""
_HELPS: Final = frozenset({"--help", "--version"})
_TELLS: Final = word_set("""
status show cat help is-active is-enabled is-failed list-units list-unit-files list-dependencies list-timers
""")
"""Commands of `systemctl` and `service` that change no service."""
_FORCED: Final = (
    *(f"force{mark}push{end}" for mark in " -" for end in ("", "es", "ing")),
    *("push --force", "push -f", "push with --force"),
)
"""What people call `git push --force`."""
_SERVED: Final = frozenset({"systemctl", "service"})
"""Programs of which it is the service that one is warned of."""
_READERS: Final = word_set("""
cat less more head tail grep egrep fgrep zgrep rg ag ack diff cmp comm ls ll wc file stat du nl od xxd hexdump strings
bat zcat md5sum sha1sum sha256sum cksum column cut sort uniq jq yq awk tree realpath readlink basename dirname test [
echo printf which type man tac fold
""")
"""Programs that change no file that they are given."""
_TRIES: Final = word_set("""
pytest jest vitest mocha ava tap rspec phpunit behave tox nox eslint tsc mypy pyright pylint flake8 ruff shellcheck
hadolint cc gcc g++ clang clang++ javac rustc kotlinc psql mysql sqlite3 gdb valgrind strace hyperfine streamlit uvicorn
gunicorn vim vi nano emacs code docker podman kubectl helm terraform ansible ansible-playbook pdftotext exiftool ffprobe
""")
"""Programs that try, check, compile, run or show what they are given."""
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
_ADDS_ROWS: Final = re.compile(r"(?i)insert")
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
_RUNS_FILES: Final = frozenset(
    {"mix", "elixir", "deno", "bun", "tsx", "ts-node", "go", "php", "lua", "perl", "ruby"}
)
"""Programs that run the script that they are given, perhaps behind `run`."""
_ADDS: Final = frozenset({"add", "stage", "commit"})
"""Commands of git by which files get into it."""
_MESSAGE: Final = re.compile(r"-[A-Za-z]*[mFC]|--(?:message|file|author|date)")
"""Options of `git commit` of which the next word is no file."""
_VERSION: Final = re.compile(r"[=<>~\[]|(?<=.)@")
EVERYDAY_ENDINGS: Final = word_set("""
c cc cfg conf cpp cs css csv env go h html ini java js json jsx log md php py rb rs sh sql toml ts tsx txt xml yaml yml
zsh
""")
"""Endings of so many files that they name none."""
_TOOL_OF: Final = re.compile(
    r"(?P<served>[a-z][a-z-]{2,}[a-z])-?(?:tab|ctl|cli|sh|adm|admin)\d?\Z|(?P<plain>[a-z]{4,})\d\Z"
)
"""A program that is named after what it serves: people warn of `cron`, and `crontab` changes it."""
_LOOKS: Final = frozenset({"-l", "--list", "--help", "--version"})
"""With one of these alone a program tells something and changes nothing."""
_PACKAGE: Final = re.compile(r"@?[A-Za-z][\w./-]{1,60}")
_MAJOR: Final = re.compile(r"v\d{1,3}")
_PLAIN: Final = frozenset(
    {"index", "main", "init", "__init__", "readme", "test", "tests", "conftest", "setup", "app"}
)
"""Stems of file names that every folder has."""
_SHORTEST_STEM: Final = 3
_MOST: Final = 6
_LONGEST: Final = 4_000
_NEAREST: Final = 3
_ON_ROWS: Final = ("write to", "insert into", "delete from", "update", "truncate", "drop", "alter")


class Doing(Enum):
    """What is done to a place: something in it is changed, is committed, or is pushed to it; a host is called; rows
    are added to a table."""

    ADDS = "adds"
    CALLS = "calls"
    CHANGES = "changes"
    COMMITS = "commits"
    PUSHES = "pushes"


@dataclass(frozen=True, slots=True)
class Named:
    """A name in a tool's input. `said`: the name, of a program with its command. `words`: those of the command line
    behind a program's name, in their order; None for a file or package. `is_run`: whether it is a program, or a script
    that is started. `is_task`: whether it is a task that a program or script does, which is meant only where a text
    speaks of running it. `by_option`: whether it is only meant with one of its options, or in marks of code. `also`:
    what else it is called. `given`: the words behind a script that is started, and the option by which a branch is
    pushed to. `settings`: what variables are set to where it is run. `is_place`: whether it is a folder in which
    something is done, a table of a database, a branch or a host: then only what forbids to do so warns of it; `doing`:
    what is done. `path`: of a file or folder, whole: a text may name its folders and patterns that it fits. `sought`:
    the words by which texts about it are looked for, if others.
    """

    said: str
    words: tuple[str, ...] | None = None
    is_run: bool = False
    is_task: bool = False
    by_option: bool = False
    also: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    is_place: bool = False
    doing: Doing = Doing.CHANGES
    path: str = ""
    sought: tuple[str, ...] = ()

    @property
    def asked(self) -> tuple[str, ...]:
        """The names by which texts about it are looked for."""
        return self.sought or (self.said, *self.also)


def named_in(tool: str, given: Mapping[str, Any]) -> tuple[Named, ...]:
    """The names in a tool's input, the most telling first; at most six. What is only read is no name: nothing that
    is known of changing it matters then.
    """
    found: dict[str, Named] = {}
    places: list[Named] = []
    packages: list[Named] = []
    for key in _PATHS:
        if isinstance(path := given.get(key), str):
            _keep(found, _of_file(path))
            places += _folders_of(path)
            packages += map(Named, packages_added(path, given))
    if tool == "Bash" and isinstance(line := given.get("command"), str):
        for command in run_by(line[:_LONGEST]):
            if not _HELPS.isdisjoint(command.words[1:]):
                continue  # It tells how it is used, or which one it is.
            _keep(found, _of_command(command))
            places += _places_of(command)
    return (*tuple(found.values())[:_MOST], *packages, *tuple(dict.fromkeys(places))[:_MOST])


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


def _keep(found: dict[str, Named], names: Iterable[Named]) -> None:
    """Of a program that is run twice, the words of both runs are kept."""
    for each in names:
        before = found.get(each.said)
        if before is None:
            found[each.said] = each
        elif each.words != before.words:
            words = (*(before.words or ()), *(each.words or ()))
            found[each.said] = replace(
                each, words=words, is_run=True, also=each.also or before.also, settings=each.settings
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


def _of_file(path: str, *, is_run: bool = False, given: tuple[str, ...] = ()) -> Iterator[Named]:
    """The names of a file; of a script also what people call it."""
    for place, name in enumerate(_of_path(path)):
        stem = " ".join(re.findall("[a-z]{2,}", name.casefold().rpartition(".")[0]))
        also: tuple[str, ...] = ()
        if not place and len(stem) > _SHORTEST_STEM and SCRIPT.search(name):
            one = stem.removesuffix("s")
            also = tuple(
                dict.fromkeys((f"{one} script", f"{one} scripts", f"{stem} script", f"{stem} scripts"))
            )
        yield Named(name, is_run=is_run, given=given, also=also)


def _of_command(command: Command) -> Iterator[Named]:
    if command.words:
        program = command.words[0].rsplit("/", 1)[-1]
        program = program[:1] + program[1:].partition("@")[0]
        found = _of_program(program, command.words[0], tuple(command.words[1:]), starts=command.starts)
        settings = tuple(command.settings)
        yield from (replace(each, settings=settings) if settings else each for each in found)
    for path in command.written:
        if _FILE.fullmatch(path):
            yield from map(Named, _of_path(path))


def _folders_of(path: str, doing: Doing = Doing.CHANGES) -> list[Named]:
    """The folders in which a path is, and the path itself where it names no file or is committed."""
    parts = parts_of(path)
    folders = [part for part in parts if part.strip("*")]
    name = folders.pop() if folders and _FILE.fullmatch(folders[-1]) else ""
    nearest = folders[: -_NEAREST - 1 : -1]
    ending = name.lstrip(".").partition(".")[2].casefold()
    sought = [*nearest, *([f".{ending}"] if ending and ending not in EVERYDAY_ENDINGS else [])]
    sought += [name] if name and doing is Doing.COMMITS else []
    if not sought:
        return []
    called = tuple(f"{part} {word}" for part in nearest for word in ("folder", "directory", "dir"))
    whole = "/".join(parts)
    return [Named(whole, also=called, is_place=True, doing=doing, path=whole, sought=tuple(sought))]


def _places_of(command: Command) -> Iterator[Named]:
    """The folders in which a command changes something or of which it commits something, the branches to which it
    pushes, the hosts that it calls, and the tables whose rows it writes."""
    program = command.words[0].rsplit("/", 1)[-1] if command.words else ""
    rest = command.words[1:]
    if program == "git":
        yield from _places_of_git(without_options(rest, VALUED))
    paths = [word for word in rest if not word.startswith("-")]
    if program in _COPIERS or program == "rsync":
        paths = paths[-1:]
    elif program not in _ALTERERS:
        paths = [each for each in paths if _FILE.fullmatch(each)] if _may_alter(program) else []
    elif not _changes(program, rest):
        paths = []
    for path in (*paths, *command.written):
        yield from _folders_of(path.rpartition(":")[2])
    if program in _READERS or program == "git":
        return
    for host, also in hosts_in(program, rest):
        yield Named(host, also=also, is_place=True, doing=Doing.CALLS)
    for hit in _WRITES_ROWS.finditer(" ".join((*rest, command.fed))):
        table = hit["table"].casefold()
        called = (f"table {table}", f"`{table}`", *(f"{act} {table}" for act in _ON_ROWS))
        own = (table,) if "_" in table else (f"rows in {table}", f"rows of {table}", f"rows from {table}")
        doing = Doing.ADDS if _ADDS_ROWS.match(hit[0]) else Doing.CHANGES
        yield Named(f"{table} table", also=(*called, *own), is_place=True, doing=doing)


def _may_alter(program: str) -> bool:
    """Whether a program may change the files that it is given, by what is known of it: none of those that read, run
    or try them."""
    is_known = program in _READERS or program in _EVERYDAY or program in _RUNS_FILES or program in _TRIES
    return not (is_known or program in SHELLS or SCRIPT.search(program) is not None)


def _places_of_git(rest: Sequence[str]) -> Iterator[Named]:
    """What `git add` and `git commit` take, and where `git push` pushes to."""
    called = rest[0] if rest else ""
    plain = [
        word
        for before, word in pairwise(rest)
        if not word.startswith("-") and (called != "commit" or not _MESSAGE.fullmatch(before))
    ]
    if called in _ADDS:
        for path in plain:
            yield from _folders_of(path, Doing.COMMITS)
    elif called == "push":
        forces = any(map(_FORCES.fullmatch, filter(lambda word: word[0] == "-", rest)))
        for word in plain[1:]:
            by = ("--force",) if forces or word[0] == "+" else ()
            branch = word.rpartition(":")[2].removeprefix("+").removeprefix("refs/heads/")
            if branch and branch != "HEAD":
                sought = tuple(f"{act} {branch}" for act in ("push", "commit"))
                yield Named(branch, given=by, is_place=True, doing=Doing.PUSHES, sought=sought)


def _of_program(program: str, path: str, rest: tuple[str, ...], *, starts: bool) -> Iterator[Named]:
    if SCRIPT.search(program):
        yield from _of_file(path, is_run=True, given=rest)
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
        bare = (_VERSION.split(word, maxsplit=1)[0] for word in given)
        yield from (
            Named(each, also=_called_by_its_end(each))
            for each in bare
            if _PACKAGE.fullmatch(each) and each not in _EVERYDAY
        )
    if (task := task_of(program, rest)) is not None:
        yield Named(task[0], is_run=True, is_task=True, given=task[1])
    if program in _COMMANDED and behind and not starts and _COMMAND.fullmatch(behind[0]):
        is_forced = program == "git" and behind[0] == "push" and any(map(_FORCES.fullmatch, rest))
        yield Named(f"{program} {behind[0]}", tuple(rest), is_run=True, also=_FORCED if is_forced else ())
    if program in _ALTERING:
        yield Named(program, rest, is_run=True, by_option=True)
        places = (word.rstrip("/") for word in rest if "/" in word.strip("/") and not word.startswith("-"))
        yield from (
            Named(_of_path(each)[-1]) for each in places if not _FILE.fullmatch(each) and _of_path(each)
        )
    if program in _SERVED and _TELLS.isdisjoint(behind):
        services = behind[1:] if program == "systemctl" else behind[:1]
        yield from (Named(word) for word in services if _PACKAGE.fullmatch(word) and word not in _EVERYDAY)
    yield from _of_files(program, rest)


def _called_by_its_end(package: str) -> tuple[str, ...]:
    """What people call a package that is named by an address: `gorm` for `gorm.io/gorm`."""
    host, *folders = package.split("/")
    named = [each for each in folders if not _MAJOR.fullmatch(each)]
    return (named[-1].casefold(),) if "." in host and named and len(named[-1]) > _SHORTEST_STEM - 1 else ()


def _of_files(program: str, rest: Sequence[str]) -> Iterator[Named]:
    """The files in a program's words that it may change or run."""
    if program == "ssh" or not _changes(program, rest):
        return
    files = [word for word in rest if not word.startswith("-") and _FILE.fullmatch(word)]
    starts = program in SHELLS or program.startswith(("python", "node", "ruby", "perl", "source", "."))
    starts = starts or (
        program in _RUNS_FILES and SCRIPT.search(next((w for w in rest if w != "run"), "")) is not None
    )
    for path in files[-1:] if program in _COPIERS else files:
        given = tuple(rest[rest.index(path) + 1 :]) if starts else ()
        yield from _of_file(path, is_run=starts, given=given)


def _changes(program: str, rest: Sequence[str]) -> bool:
    if program in _READERS or (
        program == "git" and _GIT_READS.intersection(without_options(rest, VALUED)[:1])
    ):
        return False
    by = _CHANGES_BY.get(program)
    return by is None or any(by.match(word) for word in rest)
