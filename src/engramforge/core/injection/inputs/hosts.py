"""Which hosts a command line speaks to: those of its addresses, and what people call the thing behind one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

_ADDRESS: Final = re.compile(
    r"(?:\A|=)[a-z][a-z0-9+.-]{1,15}://(?:[^/@\s]{1,80}@)?(?P<host>[A-Za-z][\w.-]{1,80})"
)
_BARE: Final = re.compile(
    r"(?:[\w.-]{1,40}@)?(?P<host>[A-Za-z][\w-]{0,40}(?:\.[A-Za-z][\w-]{1,40}){1,5})(?=[:/]|\Z)"
)
_CALLER_NAMES: Final = (
    "curl wget http https xh ping nc ncat telnet nmap dig mosquitto_pub mosquitto_sub mbpoll"
)
_CALLERS: Final = frozenset(_CALLER_NAMES.split())
"""Programs that are given a host without `https://`, too."""
_OWN: Final = re.compile(r"localhost\b|.*\.localhost\Z")
_PART_NAMES: Final = """
www api app apps web site dev test tests staging stage prod live demo beta mail smtp ftp cdn static assets img media
docs doc blog auth login admin internal local lan home corp net com org edu gov info cloud host server raw files data
"""
_NO_NAMES: Final = frozenset(_PART_NAMES.split())
"""Labels of so many hosts that they name none."""
_SHORTEST: Final = 4


def hosts_in(program: str, words: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The hosts of a command's words, each with what else the thing there is called.

    >>> list(hosts_in("curl", ["-s", "http://oven.local:80/status"]))
    [('oven.local', ('oven',))]
    >>> list(hosts_in("python", ["poll.py", "--url=https://api.kiln-works.com/v1", "http://localhost:8000"]))
    [('api.kiln-works.com', ('kiln-works',))]
    """
    for word in words:
        hit = _ADDRESS.search(word) or (_BARE.match(word) if program in _CALLERS else None)
        if hit is None:
            continue
        host = hit["host"].casefold().rstrip(".")
        if _OWN.match(host) is None:
            labels = host.split(".")
            called = (each for each in labels[:-1] or labels if each not in _NO_NAMES)
            yield host, tuple(each for each in called if len(each) >= _SHORTEST)
