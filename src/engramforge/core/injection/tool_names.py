"""What the input of a tool names: files, packages, programs and commands, by which memories are looked for."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from itertools import dropwhile
from typing import Any, Final

TOOLS: Final = ("Edit", "Write", "MultiEdit", "NotebookEdit", "Bash")
"""Tools before which something may be injected."""
_PATHS: Final = ("file_path", "notebook_path", "path")
_EVERYDAY_PROGRAMS: Final = """
awk basename cat cd chmod cp curl cut date df diff dirname du echo env eval exit export false file find for git grep
gzip head if jq kill ls mkdir mv node npx open pip pip3 printf ps pwd python python3 read rm rmdir sed sh bash sleep
sort source ssh sudo tail tar tee test then time timeout touch tr true uniq uv wc wget which while xargs zsh npm yarn
pnpm cargo go make
"""
_EVERYDAY: Final = frozenset(_EVERYDAY_PROGRAMS.split())
"""Programs that every session runs: what is known of them is known of everything."""
_INSTALLS: Final = frozenset({"install", "add", "i", "uninstall", "remove", "get", "upgrade", "update"})
_INSTALLER_NAMES: Final = "pip pip3 uv npm yarn pnpm cargo go apt apt-get brew poetry conda gem"
_INSTALLERS: Final = frozenset(_INSTALLER_NAMES.split())
_STARTER_NAMES: Final = "npx bunx uvx sudo time env nohup exec command xargs"
_STARTERS: Final = frozenset(_STARTER_NAMES.split())
"""Programs that start the program named behind their options."""
_RUNNERS: Final[Mapping[str, frozenset[str]]] = {
    "npm": frozenset({"exec", "x"}),
    "pnpm": frozenset({"exec", "dlx"}),
    "yarn": frozenset({"exec", "dlx"}),
    "bun": frozenset({"x"}),
    **dict.fromkeys(("uv", "poetry", "pipx", "pdm", "hatch", "conda"), frozenset({"run"})),
    **dict.fromkeys(("python", "python3"), frozenset({"-m"})),
    "bundle": frozenset({"exec"}),
}
"""Programs that start another behind one of these words; behind `--`, too."""
_SHORT_RUNNERS: Final = frozenset({"pnpm", "yarn"})
"""Those that start a program without any such word, if they have no command of that name."""
_OWN_NAMES: Final = (
    "test start build dev lint format run publish pack init login audit outdated list ls why link create"
)
_OWN: Final = frozenset(_OWN_NAMES.split())
"""Their commands, and scripts that every project has."""
_WITH_VALUE: Final = frozenset({"-u", "-g", "-p", "--package", "-w", "--filter", "-F", "--from", "--with"})
"""Options of starters and runners that take the word behind them."""
_SEGMENT: Final = re.compile(r"&&|\|\||[|;\n]")
_FILE: Final = re.compile(
    r"(?>(?:[\w@/~+-]|\.(?![A-Za-z][A-Za-z0-9]{0,7}\Z))*)(?<=[\w-])\.[A-Za-z][A-Za-z0-9]{0,7}\Z"
)
_PACKAGE: Final = re.compile(r"@?[A-Za-z][\w./-]{1,60}")
_ASSIGNMENT: Final = re.compile(r"[A-Za-z_]\w*=")
_INTO: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(("docker", "podman"), frozenset({"exec", "run"})),
    "kubectl": frozenset({"exec"}),
}
"""Programs that run a command in a place: behind one of these words stand its name and the command, as behind `ssh`."""
_SHELLS: Final = frozenset({"bash", "sh", "zsh"})
_VALUED_NAMES: Final = (
    "-p -i -l -o -F -J -L -R -D -e -u -w -v -n -c -C --env --user --workdir --name --namespace"
)
_VALUED: Final = frozenset(_VALUED_NAMES.split())
"""Options that take the word behind them, of what runs a command in a place and of what is warned of by command."""
_COMMANDED_NAMES: Final = (
    "git gh npm yarn pnpm cargo make docker podman kubectl helm terraform systemctl uv poetry"
)
_COMMANDED: Final = frozenset(_COMMANDED_NAMES.split())
"""Programs whose commands warnings name: `git push`, `npm publish`."""
_COMMAND: Final = re.compile(r"[a-z][a-z-]+")
_PLAIN: Final = frozenset(
    {"index", "main", "init", "__init__", "readme", "test", "tests", "conftest", "setup", "app"}
)
"""Stems of file names that every folder has."""
_MOST: Final = 6
_LONGEST: Final = 4_000


def names_in(tool: str, given: Mapping[str, Any]) -> tuple[str, ...]:
    """The names in a tool's input, the most telling first; at most six.

    >>> names_in("Edit", {"file_path": "/projects/atlas/src/store/door.py"})
    ('door.py', 'store/door.py')
    >>> names_in("Bash", {"command": "cd src && pip install httpx==0.27 && alembic upgrade head"})
    ('httpx', 'alembic')
    >>> names_in("Bash", {"command": "npx --yes prisma@5 migrate reset; npm run db -- alembic upgrade head"})
    ('prisma', 'alembic')
    >>> names_in("Bash", {"command": "ssh -p 22 db 'alembic downgrade -1'; git push --force"})
    ('alembic', 'git push')
    >>> names_in("Bash", {"command": "ls -la | grep x"})
    ()
    """
    found: dict[str, None] = {}
    for key in _PATHS:
        if isinstance(path := given.get(key), str):
            found.update(dict.fromkeys(_of_path(path)))
    if tool == "Bash" and isinstance(command := given.get("command"), str):
        for segment in _SEGMENT.split(command[:_LONGEST]):
            found.update(dict.fromkeys(_of_words(_words(segment))))
    return tuple(found)[:_MOST]


def _of_path(path: str) -> list[str]:
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".", "..", "~")]
    if not parts:
        return []
    stem = parts[-1].split(".")[0].casefold()
    longer = ["/".join(parts[-2:])] if len(parts) > 1 else []
    return longer if stem in _PLAIN else [parts[-1], *longer]


def _words(command: str) -> list[str]:
    with suppress(ValueError):  # quotes that do not close
        return shlex.split(command)
    return command.split()


def _of_words(words: Sequence[str]) -> list[str]:
    """The names in a command's words, and in those of the command that it starts."""
    words = list(dropwhile(_ASSIGNMENT.match, words))
    if not words:
        return []
    program, rest = words[0].rsplit("/", 1)[-1], words[1:]
    program = program[:1] + program[1:].partition("@")[0]
    found = [] if program in _EVERYDAY or not _PACKAGE.fullmatch(program) else [program]
    if program in _INSTALLERS and any(word in _INSTALLS for word in rest[:2]):
        given = [word for word in rest if not word.startswith("-") and word not in _INSTALLS]
        names = (re.split(r"[=<>~\[]", word, maxsplit=1)[0] for word in given)
        return found + [name for name in names if _PACKAGE.fullmatch(name) and name not in _EVERYDAY]
    if started := _started(program, rest):
        return found + _of_words(started)
    behind = _without_options(rest, _VALUED)[:1] if program in _COMMANDED else ()
    found += [f"{program} {word}" for word in behind if _COMMAND.fullmatch(word)]
    for word in rest:
        if not word.startswith("-") and _FILE.fullmatch(word):
            found += _of_path(word)
    return found


def _started(program: str, rest: Sequence[str]) -> Sequence[str]:
    """The command that a program starts with these words; empty for none."""
    if program in _STARTERS:
        return _without_options(rest)
    if program == "ssh":
        return _inside(rest)
    if program in _SHELLS and "-c" in rest:
        return _words(next(iter(rest[rest.index("-c") + 1 :]), ""))
    if program in _INTO:
        behind = rest[1:] if rest[:1] == ["compose"] else rest
        return _inside(behind[1:]) if behind and behind[0] in _INTO[program] else ()
    runs = _RUNNERS.get(program)
    if runs is None or not rest:
        return ()
    if "--" in rest:
        return rest[rest.index("--") + 1 :]
    if rest[0] in runs:
        return _without_options(rest[1:])
    is_own = rest[0] in _OWN or rest[0] in _INSTALLS or rest[0].startswith("-")
    return rest if program in _SHORT_RUNNERS and not is_own else ()


def _inside(words: Sequence[str]) -> Sequence[str]:
    """The command that is run in a place: the words behind its name, which may be one in quotes."""
    command = [word for word in _without_options(words, _VALUED)[1:] if word != "--"]
    return _words(command[0]) if len(command) == 1 else command


def _without_options(words: Sequence[str], with_value: Set[str] = _WITH_VALUE) -> Sequence[str]:
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in with_value else words[1:]
    return words


def names_it(text: str, names: tuple[str, ...]) -> bool:
    """Whether a text has one of the names, as a whole word.

    >>> names_it("Keep Door.py small!", ("door.py",)), names_it("The indoor.python", ("door.py",))
    (True, False)
    """
    folded = text.casefold()
    return any(re.search(rf"(?<![\w.-]){re.escape(name.casefold())}(?![\w-])", folded) for name in names)
