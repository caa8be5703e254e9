"""A command line that a live daemon answers: with the standard library alone, in a few milliseconds.

What names the caller's files, asks a person, or takes long stays in the caller's process; so does everything where the
caller's environment says more than which home and agent. Whatever keeps a daemon from answering, the command then runs
in its own process, with the same answer.
"""

from __future__ import annotations

import os
import sys

from engramforge.runtime.places import Places, find_home, open_plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

READING = (
    "recall", "show", "list", "history", "timeline", "links", "context", "conversations", "projects", "stats",
    "consult", "orchestrate", "injected", "events",
)  # fmt: skip
WRITING = (
    "remember", "revise", "supersede", "link", "unlink", "invalidate", "undo", "redo", "decisions", "threads",
    "lineage", "review", "conflicts", "roles", "lenses", "patterns", "flags", "priming", "scratch", "feedback",
    "stream",
)  # fmt: skip
"""Commands that a daemon may answer, by what they do to the store. The others name files of the caller (import, sync,
export, compress, continue, migrate, init), take long and are interrupted (scan, reembed, calibrate, refresh, bench),
show what the caller's own process has to prove (forget, doctor), or open no store (completion)."""
_FILES = ("--image", "--url", "--plot")
"""Options whose values name something of the caller's, or another store."""
_ALONE = ("-h", "--help", "--version", "--trace")
"""What is answered without a store, or about the process itself."""
_ENVIRONMENT = ("ENGRAMFORGE_HOME", "ENGRAMFORGE_AGENT", "ENGRAMFORGE_DAEMON")
_FOREIGN = ("MODEL_EMBEDDING", "MODEL_REASONING")
_PROVIDERS = (b"provider", b"openai", b"voyage")
_KEYS = ("OPENAI_API_KEY", "VOYAGE_API_KEY")
_OFF = ("off", "false", "no", "0")
_STDIN_BYTES = 1_000_001


def may_ask(environment: Mapping[str, str], home: str) -> bool:
    """Whether a daemon of this home would answer as this process does, and is wanted."""
    if environment.get("ENGRAMFORGE_DAEMON", "").strip().lower() in _OFF:
        return False
    if any(environment.get(name) for name in _FOREIGN):
        return False
    for name in environment:
        if name.startswith(("ENGRAMFORGE_", "_ENGRAMFORGE_")) and name not in _ENVIRONMENT:
            return False
    return _settings_allow(Places(home).settings, any(environment.get(name) for name in _KEYS))


def _settings_allow(path: str, has_keys: bool) -> bool:
    try:
        with open_plain(path) as file:
            text = file.read()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    if has_keys and any(name in text for name in _PROVIDERS):
        # The daemon may have been started with other keys.
        return False
    if b"daemon" not in text:
        return True
    import tomllib

    try:
        value = tomllib.loads(text.decode()).get("daemon", True)
    except (ValueError, RecursionError):
        return False
    return value is True or (isinstance(value, str) and value.strip().lower() not in _OFF)


def _mentions(path: str, setting: bytes) -> bool:
    try:
        with open_plain(path) as file:
            return setting in file.read()
    except OSError:
        return False


def command_in(argv: Sequence[str]) -> tuple[str, str | None] | None:
    """The command of a line that a daemon may answer, and the home that it names; None for any other line."""
    name, home, words = None, None, iter(argv)
    for word in words:
        if word in _ALONE or word in _FILES or word.startswith(tuple(f"{each}=" for each in _FILES)):
            return None
        if word == "--home" or word.startswith("--home="):
            home = word.partition("=")[2] if "=" in word else next(words, None)
            if home is None:
                return None
        elif name is None and word == "--agent":
            next(words, None)
        elif name is None and not word.startswith("-"):
            name = word
        elif name is None and not word.startswith("--agent="):
            return None
        elif word == "--":
            break
    return (name, home) if name in READING + WRITING else None


def run(argv: Sequence[str], version: str) -> int | None:
    """Have a daemon run a command line, and print what it says: its exit code; None where this process is to run it."""
    found = command_in(argv)
    if found is None:
        return None
    name, named = found
    home = find_home(named, os.environ)
    if home is None or not may_ask(os.environ, home):
        return None
    places = Places(home)
    if name == "consult" and _mentions(places.settings, b"model_reasoning"):
        # A language model may take longer than a daemon works on a command.
        return None
    if not os.path.exists(places.socket):
        return None
    if name == "undo" and "--yes" not in argv and _is_terminal(sys.stdin):
        return None
    return _asked(places, _request(argv, version, home, named is not None), name in READING)


def _asked(places: Places, request: dict[str, Any], only_reads: bool) -> int | None:
    from engramforge.runtime.client import NoDaemon, Unanswered, ask, older

    while True:
        try:
            status, said = ask(places.socket, "POST", "/cli", request)
        except (NoDaemon, UnicodeError):
            break
        except Unanswered as error:
            if only_reads:
                break
            return _unanswered(str(error), "--json" in request["argv"])
        if status == 409 and older(str(said.get("version")), request["version"]):
            from engramforge.runtime.starting import stop

            # It makes room for one of our version, which whoever needs it starts.
            stop(places, 0.0)
            break
        if status != 200 or not isinstance(said, dict):
            break
        if "exit" in said:
            return _print(said)
        if said.get("elsewhere") != "stdin" or request["stdin"] is not None:
            break
        request["stdin"] = sys.stdin.buffer.read(_STDIN_BYTES).decode("utf-8", "surrogateescape")
    if request["stdin"] is not None:
        _put_back(request["stdin"])
    return None


def _request(argv: Sequence[str], version: str, home: str, home_given: bool) -> dict[str, Any]:
    kept = {name: os.environ[name] for name in ("NO_COLOR", "TERM") if name in os.environ}
    return {
        "version": version,
        "argv": list(argv),
        "cwd": os.getcwd(),
        "home": home,
        "home_given": home_given,
        "agent": os.environ.get("ENGRAMFORGE_AGENT"),
        "env": kept,
        "columns": _columns(),
        "tty": _is_terminal(sys.stdout),
        "err_tty": _is_terminal(sys.stderr),
        "in_tty": _is_terminal(sys.stdin),
        "encoding": getattr(sys.stdout, "encoding", None) or "ascii",
        "stdin": None,
    }


def _is_terminal(stream: Any) -> bool:
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):  # none, or closed
        return False


def _columns() -> int:
    """As `shutil.get_terminal_size` says, which takes longer to load than all of this."""
    try:
        columns = int(os.environ.get("COLUMNS", ""))
    except ValueError:
        columns = 0
    if columns > 0:
        return columns
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 100  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):
        return 100


def _print(said: dict[str, Any]) -> int:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        sys.stderr.write(said["err"])
        sys.stdout.write(said["out"])
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader is gone: keep the interpreter's last flush from complaining.
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, sys.stdout.fileno())
        os.close(sink)
        return 0
    return int(said["exit"])


def _unanswered(why: str, as_json: bool) -> int:
    fault = f"The daemon ended before it answered ({why})"
    mend = "What it had committed stands: look with engramforge timeline before repeating it"
    if as_json:
        import json

        told = json.dumps({"error": "StoreUnavailable", "fault": fault, "mend": mend})
        sys.stderr.write(f"{told}\n")
    else:
        sys.stderr.write(f"error: {fault}. {mend}.\n")
    return 5


def _put_back(text: str) -> None:
    """Let the command in this process read what was read for the daemon."""
    import io

    sys.stdin = io.TextIOWrapper(io.BytesIO(text.encode("utf-8", "surrogateescape")), encoding="utf-8")
