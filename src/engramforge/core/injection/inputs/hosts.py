"""Which hosts a command line speaks to: those of its addresses, and what people call the thing behind one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from engramforge.core.text.words import word_set

_ADDRESS: Final = re.compile(
    r"(?:\A|=)[a-z][a-z0-9+.-]{1,15}://(?:[^/@\s]{1,80}@)?(?P<host>[A-Za-z0-9][\w.-]{1,80})"
)
_NUMBERS: Final = re.compile(r"(?:\A|[@=])(?P<host>(?:\d{1,3}\.){3}\d{1,3})(?=[:/,]|\Z)")
"""An address of four numbers: whatever program is given one, it is no file."""
_PLACE: Final = re.compile(r"(?:[\w.-]{1,40}@)?(?P<host>[A-Za-z][\w.-]{1,80})(?P<path>:?)")
_BARE: Final = re.compile(
    r"(?:[\w.-]{1,40}@)?(?P<host>[A-Za-z][\w-]{0,40}(?:\.[A-Za-z][\w-]{1,40}){1,5})(?=[:/]|\Z)"
)
_CALLERS: Final = word_set("""
curl wget http https xh ping nc ncat telnet nmap dig mosquitto_pub mosquitto_sub mbpoll sftp mosh traceroute
""")
"""Programs that are given a host without `https://`, too."""
_COPIERS: Final = frozenset({"scp", "rsync"})
"""Programs that are given `host:path` beside files."""
_OWN: Final = re.compile(r"localhost\b|.*\.localhost\Z|127\.|0\.0\.0\.0\Z")
_IS_NUMBERS: Final = re.compile(r"[\d.]+")
_NO_NAMES: Final = word_set("""
www api app apps web site dev test tests staging stage prod live demo beta mail smtp ftp cdn static assets img media
docs doc blog auth login admin internal local lan home corp net com org edu gov info cloud host server raw files data
""")
"""Labels of so many hosts that they name none."""
_SHORTEST: Final = 4


def hosts_in(program: str, words: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The hosts of a command's words, each with what else the thing there is called.

    >>> list(hosts_in("curl", ["-s", "http://oven.local:80/status"]))
    [('oven.local', ('oven',))]
    >>> list(hosts_in("python", ["poll.py", "--url=https://api.kiln-works.com/v1", "http://localhost:8000"]))
    [('api.kiln-works.com', ('kiln-works',))]
    >>> list(hosts_in("ssh", ["root@oven-mac"])), list(hosts_in("nc", ["10.0.0.7", "80"]))
    ([('oven-mac', ())], [('10.0.0.7', ())])
    """
    for word in words:
        host = _host_in(program, word).casefold().rstrip(".")
        if host and _OWN.match(host) is None:
            if _IS_NUMBERS.fullmatch(host):
                yield host, ()
                continue
            labels = host.split(".")
            called = (each for each in labels[:-1] or labels if each not in _NO_NAMES and each != host)
            yield host, tuple(each for each in called if len(each) >= _SHORTEST)


def _host_in(program: str, word: str) -> str:
    """The host that a word names, "" for none."""
    hit = (
        _NUMBERS.search(word) or _ADDRESS.search(word) or (_BARE.match(word) if program in _CALLERS else None)
    )
    if hit is None and program in _COPIERS | {"ssh"}:
        hit = _PLACE.match(word)
        is_host = hit is not None and (hit["path"] or program == "ssh") and len(hit["host"]) >= _SHORTEST
        return hit["host"] if hit is not None and is_host else ""
    return "" if hit is None else hit["host"]
