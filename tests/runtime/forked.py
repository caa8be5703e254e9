"""Command lines in processes of their own that need not import what all need: each is forked off one that has it.

Runs as a program. Reads a line of JSON for each command: its words, its environment, the files that are its standard
input, output and error, whether it is waited for, and a library that it is to miss; answers with its exit code, or 0
at once.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any


class Forked:
    """The process that has the imports."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[str] | None = None

    def run(
        self, words: Sequence[str], stdin: bytes, environment: Mapping[str, str], hidden: str = ""
    ) -> subprocess.CompletedProcess[bytes]:
        """A command line in a process of its own; `hidden`: a library that is not installed there."""
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder, name) for name in ("in", "out", "err")]
            files[0].write_bytes(stdin)
            code = self._ask(words, environment, files, is_awaited=True, hidden=hidden)
            return subprocess.CompletedProcess(
                list(words), code, files[1].read_bytes(), files[2].read_bytes()
            )

    def leave(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        """A command line in a process that goes on by itself, as the leader of a session."""
        self._ask(words, environment, [Path(os.devnull)] * 3, is_awaited=False)

    def _ask(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        files: Sequence[Path],
        is_awaited: bool,
        hidden: str = "",
    ) -> int:
        if self._child is None or self._child.poll() is not None:
            pipe = subprocess.PIPE
            self._child = subprocess.Popen([sys.executable, __file__], stdin=pipe, stdout=pipe, text=True)
        assert self._child.stdin and self._child.stdout
        asked = {
            "words": list(words),
            "environment": dict(environment),
            "files": list(map(str, files)),
            "is_awaited": is_awaited,
            "hidden": hidden,
        }
        self._child.stdin.write(json.dumps(asked) + "\n")
        self._child.stdin.flush()
        return int(self._child.stdout.readline())


def _become(words: list[str], environment: dict[str, str], files: list[str], hidden: str) -> int:
    from engramforge.entry.console import main

    if hidden:
        assert hidden not in sys.modules
        sys.modules[hidden] = None  # type: ignore[assignment]  # as importlib has it
    os.environ.clear()
    os.environ.update(environment)
    for number, path in enumerate(files):
        os.dup2(os.open(path, os.O_RDONLY if not number else os.O_WRONLY | os.O_CREAT, 0o600), number)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - a descriptor, without what was read before
    sys.argv = [sys.argv[0], *words]
    try:
        return main()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def _serve(asking: IO[str], answering: IO[str]) -> None:
    from engramforge.faces.cli.program import COMMANDS
    from engramforge.spaces.words.word_table import word_table

    for module, _ in COMMANDS.values():
        importlib.import_module(module)
    for module in (
        "engramforge.answer.injection.injecting",
        "engramforge.assembly.opening",
        "engramforge.assembly.stages",
        "engramforge.entry.wiring",
        "engramforge.runtime.daemon",
        "engramforge.store.sqlite.store",
    ):
        importlib.import_module(module)
    word_table()
    for line in asking:
        asked: dict[str, Any] = json.loads(line)
        is_awaited = asked.pop("is_awaited")
        if not (child := os.fork()):
            if not is_awaited:
                os.setsid()
                if os.fork():
                    os._exit(0)
            os._exit(_become(**asked))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=answering, flush=True)


FORKED = Forked()
"""The one of this test process."""


if __name__ == "__main__":
    with os.fdopen(os.dup(0)) as taken, os.fdopen(os.dup(1), "w") as told:
        _serve(taken, told)
