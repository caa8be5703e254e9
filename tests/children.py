"""Child processes that run a piece of Python, with everything imported before they begin.

Importing takes a new process most of a second, ten times what most of them do. So they are forked by the fork server
of `multiprocessing`, which has imported the product once for each test process. They are processes like any other: of
their own memory and their own connections, and killed by kill -9.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from subprocess import TimeoutExpired
from typing import IO, Final

_CONTEXT: Final = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(
    [
        "tests.children",
        "engramforge.assembly",
        "engramforge.capture.detecting",
        "engramforge.capture.imports.importing",
        "engramforge.registries.detected.detected_entries",
        "engramforge.store.postgres.store",
        "engramforge.writing.secret_patterns",
        "numpy.ma",
        "psycopg_binary",
    ]
)
ENVIRONMENT: Final = {
    **os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"
}  # fmt: skip
"""As it was before a test changed it, with one thread for NumPy."""
# What the fork server imports reads them as it starts.
os.environ |= {name: ENVIRONMENT[name] for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}


class Child:
    """A process that runs code; what `subprocess.Popen` has of it that the tests ask for.

    `stdin` is None unless asked for, and then the process reads nothing.
    """

    def __init__(self, code: str, *arguments: object, stdin: bool = False) -> None:
        read, write = _CONTEXT.Pipe(duplex=False)
        self._pipes = [(read, write), *(_CONTEXT.Pipe(duplex=False) for _ in range(2))]
        theirs = (read, self._pipes[1][1], self._pipes[2][1])
        self._process = _CONTEXT.Process(
            target=_run, args=(code, [*map(str, arguments)], ENVIRONMENT, *theirs), daemon=True
        )
        self._process.start()
        for end in theirs:
            end.close()
        self.stdin: IO[str] | None = _stream(write, "w") if stdin else None
        if not stdin:
            write.close()
        self.stdout, self.stderr = (_stream(ours, "r") for ours, _ in self._pipes[1:])

    @property
    def pid(self) -> int:
        """The process's number."""
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """None while it runs; minus the signal that killed it."""
        return self._process.exitcode

    def poll(self) -> int | None:
        """The same."""
        return self._process.exitcode

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal to it, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """kill -9."""
        self._process.kill()

    def wait(self, seconds: float | None = None) -> int:
        """Wait for its end, at most so long."""
        self._process.join(seconds)
        if self._process.exitcode is None:
            assert seconds is not None
            raise TimeoutExpired("a child process", seconds)
        return self._process.exitcode

    def communicate(self, seconds: float | None = None) -> tuple[str, str]:
        """What it still prints and complains of until it ends."""
        if self.stdin is not None and not self.stdin.closed:
            self.stdin.close()
        with ThreadPoolExecutor(2) as readers:
            read = [readers.submit(stream.read) for stream in (self.stdout, self.stderr)]
            try:
                self.wait(seconds)
            except TimeoutExpired:
                self.kill()
                raise
            return read[0].result(), read[1].result()


def _stream(end: Connection, mode: str) -> IO[str]:
    """Our end of a pipe as text."""
    with end:
        return os.fdopen(os.dup(end.fileno()), mode, encoding="utf-8")


def _run(code: str, arguments: list[str], environment: dict[str, str], *ends: Connection) -> None:
    """What the child does: the code, as `python -c` would run it, but for functions registered with `atexit`."""
    os.environ.clear()
    os.environ.update(environment)
    for target, end in enumerate(ends):
        os.dup2(end.fileno(), target)
        end.close()
    sys.stdin = os.fdopen(0, encoding="utf-8")
    sys.stdout, sys.stderr = (os.fdopen(target, "w", buffering=1, encoding="utf-8") for target in (1, 2))
    sys.argv = ["-c", *arguments]
    exec(compile(code, "<a child process>", "exec"), {"__name__": "__main__"})


def finished(running: Child, seconds: float = 120) -> str:
    """What a process printed; it must have ended well."""
    out, err = running.communicate(seconds)
    assert running.returncode == 0, err
    return out
