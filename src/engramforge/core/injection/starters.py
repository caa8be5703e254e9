"""Which command a command runs: behind `sudo` or `timeout 30`, in a container, in the quotes of `bash -c`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from typing import Final

from engramforge.core.injection.shell import Command, commands_in
from engramforge.core.text.words import word_set

_KEYWORDS: Final = frozenset({"if", "then", "else", "elif", "while", "until", "do", "!", "{", "coproc"})
"""Words of the shell behind which a command stands."""
_ASSIGNMENT: Final = re.compile(r"[A-Za-z_]\w*\+?=")
_STARTERS: Final[Mapping[str, tuple[int, str]]] = {
    "sudo": (0, "-u -g -h -p -C -R -T -U -D --user --group"),
    "doas": (0, "-u -C"),
    "env": (0, "-u -C -S --unset --chdir"),
    "time": (0, "-f -o"),
    "timeout": (1, "-s -k --signal --kill-after"),
    "nice": (0, "-n --adjustment"),
    "ionice": (0, "-c -n -p"),
    "chrt": (1, ""),
    "taskset": (1, ""),
    "flock": (1, "-w -E --timeout"),
    "chroot": (1, "--userspec"),
    "stdbuf": (0, "-i -o -e"),
    "strace": (0, "-e -o -p -s"),
    "watch": (0, "-n --interval"),
    "xargs": (0, "-n -I -L -P -d -s -a --max-args"),
    "parallel": (0, "-j -a"),
    "systemd-run": (0, "-p -u --unit --property"),
    "caffeinate": (0, "-t -w"),
    **dict.fromkeys(("nohup", "exec", "command", "builtin", "setsid", "unbuffer", "busybox"), (0, "-a")),
    **dict.fromkeys(("npx", "bunx", "uvx"), (0, "-p --package --from --with")),
}
"""Programs that start the one behind their options and so many words, with the options that take a word."""
RUNNERS: Final[Mapping[str, frozenset[str]]] = {
    "npm": frozenset({"exec", "x"}),
    "pnpm": frozenset({"exec", "dlx"}),
    "yarn": frozenset({"exec", "dlx"}),
    "bun": frozenset({"x"}),
    **dict.fromkeys(("uv", "poetry", "pipx", "pdm", "hatch", "conda", "pipenv"), frozenset({"run"})),
    **dict.fromkeys(("doppler", "op", "infisical", "heroku"), frozenset({"run"})),
    **dict.fromkeys(("python", "python3"), frozenset({"-m"})),
    **dict.fromkeys(("bundle", "mise", "asdf", "direnv", "aws-vault", "nix-shell"), frozenset({"exec"})),
}
"""Programs that start another behind one of these words; behind `--`, too."""
_SHORT_RUNNERS: Final = frozenset({"pnpm", "yarn"})
"""Those that start a program without any such word, if they have no command of that name."""
INSTALLS: Final = frozenset({"install", "add", "i", "uninstall", "remove", "get", "upgrade", "update", "ci"})
_OWN: Final = word_set(
    "test start build dev lint format run publish pack init login audit outdated list ls why link create"
)
"""Their commands, and scripts that every project has."""
_WITH_VALUE: Final = frozenset({"-u", "-g", "-p", "--package", "-w", "--filter", "-F", "--from", "--with"})
_INTO: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(("docker", "podman", "nerdctl", "lxc"), frozenset({"exec", "run"})),
    **dict.fromkeys(("docker-compose", "podman-compose"), frozenset({"exec", "run"})),
    **dict.fromkeys(("kubectl", "oc"), frozenset({"exec"})),
}
"""Programs that run a command in a place named between these words and it, as `ssh` does behind its options."""
SHELLS: Final = frozenset({"bash", "sh", "zsh", "dash", "ksh", "ash"})
SCRIPT: Final = re.compile(r"\.(?:sh|bash|zsh|py|rb|pl|js|mjs|ts|php|ps1|bat|exe|exs|lua|awk)\Z")
"""The ending of a script."""
_FOR_OTHERS: Final = frozenset({"su", "runuser", "script"})
"""Programs that give a shell what is behind their `-c`."""
_SHELL_OPTION: Final = re.compile(r"[-+][A-Za-z]*\Z")
VALUED: Final = word_set(
    "-p -i -l -o -F -J -L -R -D -e -u -w -v -n -c -C -f -H -P -q --env --user --workdir --name --namespace --file"
    " --project-name --project-directory --prefix --manifest-path --host --context --network --volume --entrypoint"
)
"""Options of these, and of programs of which a command is asked for, that take the word behind them."""
_DEEPEST: Final = 5


def run_by(line: str, deep: int = 0) -> list[Command]:
    """The commands that a line runs in the end, without what only starts them.

    >>> [each.words for each in run_by("if sudo -u ann timeout 30 bash -lc 'npm publish'; then eval ls; fi")]
    [['npm', 'publish'], ['ls'], ['fi']]
    >>> [each.words for each in run_by("docker-compose -f a.yml run --rm dev cargo update")]
    [['docker-compose', '-f', 'a.yml', 'run'], ['cargo', 'update']]
    """
    return [each for command in commands_in(line) for each in _within(command, deep)]


def _within(command: Command, deep: int) -> list[Command]:
    """What a command runs: itself, unless it only starts another."""
    words = command.words
    settings = list(command.settings)
    while words and (words[0] in _KEYWORDS or _ASSIGNMENT.match(words[0])):
        settings += [words[0].partition("=")[2]] if _ASSIGNMENT.match(words[0]) else []
        words = words[1:]
    command = Command(words, command.written, command.fed, settings=settings)
    if not words or deep > _DEEPEST:
        return [command]
    program, rest = words[0].rsplit("/", 1)[-1], words[1:]
    found = [Command([], command.written)] if command.written else []
    if program in _FOR_OTHERS and (given := _given_to_a_shell(rest)) is not None:
        return found + run_by(given, deep + 1)
    if program == "eval":
        return found + run_by(" ".join(rest), deep + 1)
    if program in SHELLS:
        said = _said_to(rest)
        if said is not None:
            return found + run_by(said, deep + 1)
        return [command, *run_by(command.fed, deep + 1)] if command.fed else [command]
    if program in _STARTERS:
        between, valued = _STARTERS[program]
        started = without_options(rest, frozenset(valued.split()))
        behind = started[between:]
        settings += [word.partition("=")[2] for word in rest if program == "env" and _ASSIGNMENT.match(word)]
        started_one = Command(list(behind), [], command.fed, settings=settings)
        return found + _within(started_one, deep + 1) if behind else found
    if program == "ssh":
        where = list(without_options(rest, VALUED)[:1])
        return [*found, Command(["ssh", *where], starts=True), *_in_a_place(rest, command.fed, deep)]
    if program == "find":
        return [command, *_of_find(rest, deep)]
    if (begins := _inside(program, rest)) is not None:
        own = words[: len(words) - len(begins)]
        return [Command(own, command.written, starts=True), *_in_a_place(begins, command.fed, deep)]
    if started := _started(program, rest):
        own = words[: len(words) - len(started)]
        return [Command(own, command.written, starts=True), *_within(Command(list(started)), deep + 1)]
    return [command]


def _in_a_place(words: Sequence[str], fed: str, deep: int) -> list[Command]:
    """What is run behind the name of a place, which may be one in quotes, or be told to a shell there."""
    behind = [word for word in without_options(words, VALUED)[1:] if word != "--"]
    if not behind:
        return run_by(fed, deep + 1)
    return run_by(behind[0], deep + 1) if len(behind) == 1 else _within(Command(behind, [], fed), deep + 1)


def _inside(program: str, rest: Sequence[str]) -> Sequence[str] | None:
    """The words behind `docker exec` and its like; None for anything else."""
    if program not in _INTO:
        return None
    behind = without_options(rest, VALUED)
    if behind[:1] == ["compose"]:
        behind = without_options(behind[1:], VALUED)
    return behind[1:] if behind and behind[0] in _INTO[program] else None


def _given_to_a_shell(rest: Sequence[str]) -> str | None:
    for place, word in enumerate(rest):
        if word == "--command" or (_SHELL_OPTION.match(word) and word[0] == "-" and word.endswith("c")):
            return rest[place + 1] if place + 1 < len(rest) else None
        if word.startswith("--command="):
            return word.partition("=")[2]
        if word == "--":
            return " ".join(rest[place + 1 :])
    return None


def _said_to(rest: Sequence[str]) -> str | None:
    """What a shell is to run by its words; None where it reads a file or what it is fed."""
    is_told = False
    place = 0
    while place < len(rest) and rest[place][:1] in ("-", "+") and rest[place] != "--":
        option = rest[place]
        is_told = is_told or (not option.startswith("--") and option[0] == "-" and "c" in option)
        takes = (_SHELL_OPTION.match(option) and option[-1] in "oO") or option in ("--rcfile", "--init-file")
        place += 2 if takes else 1
    return rest[place] if is_told and place < len(rest) else None


def _of_find(rest: Sequence[str], deep: int) -> list[Command]:
    found: list[Command] = []
    place = 0
    while place < len(rest):
        end = place
        if rest[place] in ("-exec", "-execdir", "-ok", "-okdir"):
            end = next((at for at in range(place, len(rest)) if rest[at] in (";", "+")), len(rest))
            found += _within(Command(list(rest[place + 1 : end])), deep + 1)
        place = end + 1
    return found


def _started(program: str, rest: Sequence[str]) -> Sequence[str]:
    """The program that a runner starts, with its words; empty for none."""
    runs = RUNNERS.get(program)
    if runs is None or not rest:
        return ()
    if "--" in rest:
        return rest[rest.index("--") + 1 :]
    if rest[0] in runs:
        return without_options(rest[1:])
    is_own = rest[0] in _OWN or rest[0] in INSTALLS or rest[0].startswith("-")
    return rest if program in _SHORT_RUNNERS and not is_own else ()


def without_options(words: Sequence[str], with_value: Set[str] = _WITH_VALUE) -> Sequence[str]:
    """Words without the options that they begin with, and settings between these."""
    while words and (words[0].startswith(("-", "+")) or _ASSIGNMENT.match(words[0])):
        if words[0] == "--":
            return words[1:]
        words = words[2:] if words[0] in with_value else words[1:]
    return words
