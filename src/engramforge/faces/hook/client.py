"""Hand one hook event of Claude Code to the daemon, or keep it in the spool; print what the daemon answers.

    python -I -S -E client.py EVENT [--home FOLDER]

A person waits for this process at every tool call, so it is one file of the standard library, run isolated, and
imports at first only what a plain round trip needs. It always exits 0 and never writes to standard error: what goes
wrong is a line in <home>/log/hooks.log. An event that no daemon takes is a synced file in <home>/spool. A home that is
named is left alone where connect.json is gone: a session that still runs does not undo disconnect.
"""

import _socket as socket  # the module `socket` itself takes twice as long to import as all the rest
import posix
import sys
import time

TYPE_CHECKING = False  # neither is `typing` worth its time, nor `__future__`, so that annotations are quoted
if TYPE_CHECKING:
    import os
    from typing import Any
else:
    os = posix  # all that a plain round trip needs: the module `os` itself takes 0.7 ms

BEGAN = time.monotonic()
CONNECT_S = 0.05
WHOLE_S = {"UserPromptSubmit": 1.45, "SessionStart": 4.6, "SessionEnd": 0.9}
OTHERWISE_S = 0.37
"""Seconds for the daemon, from the start of this file on; of tool events Claude Code waits 500 ms in all."""
START_S, START_AGAIN_S = 3.0, 30.0
WAITS_S = {"SessionStart": 4.0, "UserPromptSubmit": 1.3}
"""How long an event waits for a daemon that it has started: a prompt's needs the rest of its time for the answer."""
SPEAKING = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse")
"""Events whose output may reach the model; what others print would stop or prolong the session."""
MOST_READ = MOST_SPOOL = 64_000_000
CUT = 20_000
"""Characters that are left of a tool's string; an event of fewer bytes has none that is longer, and goes as it came."""
LONGEST_WORD = 4_000  # one that is longer is no secret, and is cut anywhere
MOST_LINE = MOST_ANSWER = MOST_LOG = 1_000_000
ENDING = " \n\t\"'=,:;"
MOST_PIECES, DEEPEST = 20_000, 100  # values in a field
CUT_OUT = "[engramforge cut it: %s]"
KEPT_LOG, SOCKET_PATH, NAMES = 250_000, 100, sys.getfilesystemencoding()


class Fault(Exception):
    """Why the daemon was not asked, or its answer not taken."""


def whole_os() -> None:
    """Have `os` be the whole module, for what is off the plain way."""
    global os
    import os


def home_folder(given: "str | None") -> str:
    """The home: what was given, ENGRAMFORGE_HOME, or the platform's folder for a user's data."""
    home = given or posix.environ.get(b"ENGRAMFORGE_HOME", b"").decode(NAMES, "surrogateescape")
    if home[:1] == "/" and not {"", ".", ".."}.intersection(home[1:].split("/")):
        return home
    whole_os()
    if not home:
        above = os.environ.get("XDG_DATA_HOME", "").strip() or "~/.local/share"
        home = ("~/Library/Application Support" if sys.platform == "darwin" else above) + "/engramforge"
    return os.path.abspath(os.path.expanduser(home))


def run_folder(home: str) -> str:
    """Where the daemon's socket is: in the home, or in /tmp where that path is too long for a socket."""
    folder = home.rstrip("/") + "/run"
    if len(folder.encode(NAMES, "surrogateescape")) + len("/daemon.sock") <= SOCKET_PATH:
        return folder
    whole_os()
    from hashlib import sha256

    return f"/tmp/engramforge-{os.getuid()}/{sha256(os.fsencode(home)).hexdigest()[:16]}"  # noqa: S108


def check_folder(folder: str) -> None:
    """Refuse a folder that is not ours alone: who can write there could put a socket of their own."""
    found = os.lstat(folder)
    if found.st_mode & 0o170000 != 0o040000 or found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise Fault(f"{folder} is not a folder of this user alone (mode {found.st_mode & 0o7777:o})")


def ask(run: str, event: bytes, received_at: str, deadline: float) -> bytes:
    """The body that the daemon answers to an event, empty where it has nothing to say. Raises Fault or OSError."""
    if run.startswith(f"/tmp/engramforge-{os.getuid()}/"):  # noqa: S108
        check_folder(run.rpartition("/")[0])
    check_folder(run)
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)  # closed when it is given up
    connection.settimeout(CONNECT_S)
    connection.connect(run + "/daemon.sock")
    # LOCAL_PEERCRED at SOL_LOCAL: version, uid, groups; SO_PEERCRED: pid, uid, gid.
    asks = (0, 1, 76) if sys.platform == "darwin" else (socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    peer = connection.getsockopt(*asks)
    if int.from_bytes(peer[4:8], sys.byteorder) != os.geteuid():
        raise Fault(f"the socket in {run} belongs to another user")
    asked = (
        "POST /hook HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
        f"X-Received-At: {received_at}\r\nContent-Length: {len(event)}\r\n\r\n"
    )
    connection.settimeout(max(deadline - time.monotonic(), 0.001))
    connection.sendall(asked.encode() + event)
    answer = b""
    while True:
        connection.settimeout(max(deadline - time.monotonic(), 0.001))
        part = connection.recv(262_144)
        answer += part
        head, blank, body = answer.partition(b"\r\n\r\n")
        if blank and head[9:12] == b"204":
            return b""
        if blank and head[9:12] != b"200":
            raise Fault("the daemon answered " + head.split(b"\r\n")[0][:100].decode("latin-1"))
        length = head.lower().partition(b"content-length:")[2].split(b"\r\n")[0]
        if blank and length.strip().isdigit() and len(body) >= int(length):
            return body[: int(length)]
        if not part:
            raise Fault("the daemon hung up within its answer")
        if len(answer) > MOST_ANSWER:
            raise Fault(f"an answer of more than {MOST_ANSWER} bytes")


def read_event() -> bytes:
    """Standard input to its end, also of an event too long to keep: Claude Code writes all of it."""
    parts, length = [], 0
    while part := os.read(0, 1_048_576):
        length += len(part)
        parts += [part] if length <= MOST_READ else []
    if length > MOST_READ:
        raise Fault(f"an event of {length} bytes was not kept")
    return b"".join(parts)


def load(event: bytes) -> "dict[str, Any]":
    """The event's fields, one of too many pieces or levels replaced (as by capture/live/odd_events). Raises Fault."""
    import json.decoder
    import re

    reading: Any = json.decoder
    text = event.decode("utf-8", "replace")
    gap: Any = re.compile(r"[\s,:]*").match
    call = re.compile(r',\s*"tool_use_id"\s*:')
    left, long = MOST_PIECES, CUT_OUT % "a long number"
    once = reading.JSONDecoder(parse_int=lambda said: int(said) if len(said) < 600 else long).scan_once

    def part(at: int, depth: int) -> "tuple[Any, int]":
        nonlocal left
        left -= 1
        if left < 0 or depth > DEEPEST:
            raise Fault("too many pieces" if left < 0 else "nested too deep")
        if text[at] not in "[{":
            scalar: tuple[Any, int] = once(text, at)
            return scalar
        end, at = "]}"[text[at] == "{"], gap(text, at + 1).end()
        found: dict[Any, Any] = {}
        while text[at] != end:
            name: Any = len(found)
            if end == "}":
                name, at = reading.scanstring(text, at + 1)
                at = gap(text, at).end()
            try:
                found[name], at = part(at, depth + 1)
            except Fault as fault:
                if depth:
                    raise
                # What stands behind it is found without reading it.
                calls = () if "tool_use_id" in found else call.finditer(text, max(at, len(text) - 65_536))
                found[name], left = CUT_OUT % fault, MOST_PIECES
                at = max((each.start() for each in calls), default=text.rindex("}"))
            at = gap(text, at).end()
        return list(found.values()) if end == "]" else found, at + 1

    try:
        fields, end = part(gap(text).end(), 0)
    except (ValueError, IndexError, StopIteration) as error:
        raise Fault(f"an event that is not JSON was not kept ({type(error).__name__})") from None
    if not isinstance(fields, dict) or text[end:].strip():
        raise Fault("an event that is no JSON object was not kept")
    return fields


def dump(fields: "dict[str, Any]", canonical: bool = False) -> bytes:
    """Fields as a line of JSON without its end."""
    import json

    try:
        return json.dumps(fields, ensure_ascii=canonical, sort_keys=canonical, separators=(",", ":")).encode()
    except UnicodeEncodeError:  # half of a surrogate pair has no UTF-8, but an escape
        return json.dumps(fields, separators=(",", ":")).encode()


def fitted(fields: "dict[str, Any]") -> bytes:
    """The event as a line of at most 1 MB: tools' strings at 20,000 characters; all strings shorter if need be."""
    length = 0

    def cut(value: "Any", most: int) -> "Any":
        nonlocal length
        if isinstance(value, str):
            length += min(len(value), most)
            if len(value) <= most:
                return value
            # Not within a word, whose front may be that of a secret.
            end = max(value.rfind(sign, max(most - LONGEST_WORD, 0), most) for sign in ENDING) + 1 or most
            return f"{value[:end]} [engramforge cut {len(value) - end} characters]"
        if isinstance(value, dict):
            return {name: cut(item, most) for name, item in value.items()}
        return [cut(item, most) for item in value] if isinstance(value, list) else value

    tools = dict.fromkeys({"tool_input", "tool_response"} & fields.keys(), CUT)
    for most in (MOST_READ, 200_000, CUT, 2_000, 200, CUT):
        length = 0
        kept = {name: cut(each, min(most, tools.get(name, most))) for name, each in fields.items()}
        line = dump(kept) if length <= MOST_LINE else b""
        if 0 < len(line) <= MOST_LINE:
            return line
        if most == 200:
            fields = {**fields, **dict.fromkeys(tools, CUT_OUT % "too many pieces")}
    raise Fault(f"an event of more than {MOST_LINE} bytes was not kept")


def event_id(fields: "dict[str, Any]", received_at: str) -> str:
    """Who takes in an event names it, so that the same one twice is seen to be the same."""
    from hashlib import sha256

    which = fields.get("tool_use_id") or fields.get("prompt_id")
    which = which if isinstance(which, str) else dump(fields, True).decode()
    of = (*map(fields.get, ("hook_event_name", "session_id", "agent_id")), which, received_at[:19])
    return sha256("\n".join(map(str, of)).encode("utf-8", "backslashreplace")).hexdigest()[:32]


def folder_in(above: str, name: str) -> str:
    """A folder that is ours alone, made where there is none."""
    os.makedirs(os.path.join(above, name), mode=0o700, exist_ok=True)
    return os.path.join(above, name)


def spool(home: str, event: bytes, received_at: str) -> None:
    """Keep an event for the next daemon: a file of its own, whole and synced before it has its name."""
    whole_os()
    fields = load(event)
    try:
        with os.scandir(folder := folder_in(home, "spool")) as found:
            held = sum(each.stat(follow_symlinks=False).st_size for each in found)
    except FileNotFoundError:  # one was taken in, or got its name, since it was listed: things move on
        held = 0
    if held > MOST_SPOOL:
        raise Fault(f"the spool holds {held} bytes, so an event was not kept")
    head = f'{{"id":"{event_id(fields, received_at)}","received_at":"{received_at}","event":'
    name = f"client-{os.getpid()}-{time.time_ns()}.jsonl"
    beside = os.path.join(folder, "." + name)
    try:
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(head.encode() + dump(fields) + b"}\n")
            file.flush()
            os.fsync(file.fileno())
        os.rename(beside, os.path.join(folder, name))
    except OSError:
        os.unlink(beside)
        raise
    os.fsync(os.open(folder, os.O_RDONLY))  # closed with this process


def serve_command(home: str) -> "list[str]":
    """How a daemon is started: as connect wrote it down, or as it is installed."""
    try:
        with open(os.path.join(home, "connect.json"), "rb") as file:
            return [str(word) for word in load(file.read())["serve"]]
    except (OSError, Fault, KeyError, TypeError):
        pass
    for folder in (os.path.dirname(sys.executable), *os.environ.get("PATH", "").split(os.pathsep)):
        if os.path.isabs(folder) and os.access(folder + "/engramforge", os.X_OK):
            return [folder + "/engramforge", "--home", home, "serve", "--background", "--until-idle"]
    raise Fault("no daemon runs, and engramforge is not on PATH: engramforge connect claude-code mends it")


def may_start(run: str, event: str) -> bool:
    """Whether nobody tried to start a daemon just now; from here on somebody has."""
    whole_os()
    os.makedirs(os.path.dirname(run), mode=0o700, exist_ok=True)
    folder_in(os.path.dirname(run), os.path.basename(run))
    check_folder(run)
    stamp = os.path.join(run, "started-by-hook")
    age = time.time() - os.stat(stamp).st_mtime if os.path.exists(stamp) else -1.0
    if 0 <= age < (START_S if event == "SessionStart" else START_AGAIN_S):
        return False
    os.close(os.open(stamp, os.O_WRONLY | os.O_CREAT, 0o600))
    os.utime(stamp)
    return True


def start(home: str, command: "list[str]") -> int:
    """Start a daemon that outlives this process and shares nothing with it; its process id."""
    log = folder_in(home, "log") + "/hooks.log"
    told, tell = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.setsid()
            if os.fork():
                os._exit(0)
            os.write(tell, b"%d" % os.getpid())
            os.dup2(os.open(os.devnull, os.O_RDWR), 0)
            os.dup2(0, 1)
            os.dup2(os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), 2)
            os.closerange(3, min(os.sysconf("SC_OPEN_MAX"), 65_536))
            os.chdir("/")
            kept = {name: value for name, value in os.environ.items() if not name.startswith("CLAUDE")}
            os.execve(command[0], command, kept)
        finally:
            os._exit(127)
    os.close(tell)
    os.waitpid(child, 0)
    number = os.read(told, 20)
    os.close(told)
    return int(number or 0)


def wait_for(run: str, pid: int, until: float) -> bool:
    """Whether the daemon listens before the time is up; no longer once who was to start it has ended."""
    ended = False
    while time.monotonic() < until:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listens = connection.connect_ex(run + "/daemon.sock") == 0
        if listens or ended:
            return listens
        try:
            os.kill(pid, 0)
            time.sleep(0.02)
        except OSError:
            ended = True
    return False


def note(home: str, event: str, what: str) -> None:
    """A line in the log, which is kept at 1 MB."""
    whole_os()
    path = folder_in(home, "log") + "/hooks.log"
    line = f"{now()} {event}: {' '.join(what.split())[:500]}\n"
    file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
    length = os.fstat(file).st_size
    if length + len(line) > MOST_LOG:
        os.lseek(file, -min(length, KEPT_LOG), os.SEEK_END)
        rest = os.read(file, KEPT_LOG).partition(b"\n")[2]
        os.ftruncate(file, 0)
        os.write(file, rest)
    os.write(file, line.encode("utf-8", "backslashreplace"))  # closed with this process


def now() -> str:
    """The time as ISO 8601 in UTC, with microseconds."""
    seconds, rest = divmod(time.time_ns(), 1_000_000_000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{rest // 1_000:06}+00:00"


def take(event: str, home: str) -> bytes:
    """Bring one event home; what is to be printed. Raises what went wrong once the event is kept."""
    received_at = now()
    deadline = BEGAN + WHOLE_S.get(event, OTHERWISE_S)
    body = read_event()
    if len(body) > CUT:
        body = fitted(load(body))
    run, why = run_folder(home), ""
    try:
        try:
            return ask(run, body, received_at, deadline)
        except (FileNotFoundError, ConnectionRefusedError):  # nobody listens there
            pass
        until = BEGAN + WAITS_S.get(event, 0.0)
        if may_start(run, event) and wait_for(run, start(home, serve_command(home)), until):
            return ask(run, body, received_at, deadline)
    except (Fault, OSError) as fault:
        why = str(fault) or type(fault).__name__
    spool(home, body, received_at)
    if why:
        raise Fault(f"{why}; the event is in the spool")
    return b""


def main(words: "list[str]") -> None:
    """Take the event that the command line names; nothing escapes."""
    event = words[0] if words else "unknown"
    try:
        named = words[2] if words[1:2] == ["--home"] else None
        home = home_folder(named)
        if named and not os.access(home + "/connect.json", os.F_OK):
            read_event()  # whoever writes it waits until all is read
            return
        try:
            said = take(event, home)
            while said and event in SPEAKING:
                said = said[os.write(1, said) :]
        except BaseException as fault:  # noqa: BLE001 - whatever it is, the session goes on
            note(home, event, ("" if isinstance(fault, Fault) else type(fault).__name__ + ": ") + str(fault))
    except BaseException:  # noqa: BLE001, S110 - not even the log can be written, and nobody is to hear of it
        pass


if __name__ == "__main__":
    main(sys.argv[1:])
    os._exit(0)  # nothing is buffered, and an interpreter that is taken down takes 2 ms
