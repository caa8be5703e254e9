"""Which task a command has a program or script do: `flush` of `manage.py flush`, `seed` of `npm run seed`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from engramforge.core.injection.starters import VALUED, without_options
from engramforge.core.text.words import word_set

_RUNNERS: Final = word_set("""
make just task npm yarn pnpm bun rake rails mix invoke inv gradle gradlew mvn artisan fab deno composer console
""")
"""Programs whose first word is a task of the project's own."""
_INTERPRETERS: Final = re.compile(r"(?:python|ruby|node|php|perl|bun|deno|tsx|ts-node)[\d.]*")
_SCRIPT: Final = re.compile(
    r"[\w./-]{1,80}\.(?:sh|bash|py|rb|pl|js|mjs|ts|php)|(?:[\w./-]{1,60}/)?(?:artisan|console)"
)
_RUN: Final = frozenset({"run", "run-script"})
_TASK: Final = re.compile(r"[a-z][a-z0-9]{2,20}(?:[:._-][a-z0-9]{1,20}){0,4}")
_OF_ALL: Final = word_set("""
add all audit build check ci clean dev exec format get help info init install lint list login new pack publish remove
run server serve start stop test tests uninstall update upgrade version watch
""")
"""Tasks that every project has: what is known of one is known of none."""


def task_of(program: str, rest: Sequence[str]) -> tuple[str, tuple[str, ...]] | None:
    """The task, and the words behind it; None where the command runs none, or one that every project has.

    >>> task_of("python", ("manage.py", "flush", "--noinput")), task_of("npm", ("run", "seed"))
    (('flush', ('--noinput',)), ('seed', ()))
    >>> task_of("make", ("build",)), task_of("cat", ("flush",)), task_of("python", ("-m", "flush"))
    (None, None, None)
    """
    words = list(without_options(rest, VALUED))
    if _INTERPRETERS.fullmatch(program):
        if not words or _SCRIPT.fullmatch(words[0]) is None:
            return None
        words = words[1:]
    elif program not in _RUNNERS and _SCRIPT.fullmatch(program) is None:
        return None
    if words[:1] and words[0] in _RUN:
        words = words[1:]
    if not words or _TASK.fullmatch(words[0]) is None or words[0] in _OF_ALL or _SCRIPT.fullmatch(words[0]):
        return None
    return words[0], tuple(rest[rest.index(words[0]) + 1 :])
