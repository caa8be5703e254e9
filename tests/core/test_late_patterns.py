"""Long patterns are compiled when there is time for it, or at first use, whichever comes first."""

from __future__ import annotations

import re
from functools import partial

from engramforge.core.text import late_pattern
from engramforge.core.text.late_pattern import compile_waiting, has_waiting, late, may_wait

LONG = "|".join(f"word{number}" for number in range(800))


def _compiled(pattern: object) -> bool:
    return "_pattern" in vars(pattern)


def test_the_long_ones_are_compiled_while_there_is_time() -> None:
    compile_waiting(lambda: True)
    short, first, second = late("word7"), late(LONG), late(LONG, re.IGNORECASE)
    done: list[str] = []
    may_wait(LONG, partial(done.append, LONG))
    may_wait("short", partial(done.append, "short"))
    compile_waiting(lambda: len(done) == 0)
    # The newest first, and no more once there is no time.
    assert done == [LONG] and has_waiting() and not any(map(_compiled, (short, first, second)))
    compile_waiting(lambda: True)
    assert not has_waiting() and _compiled(first) and _compiled(second) and not _compiled(short)
    assert second.fullmatch("WORD799") and not first.fullmatch("WORD799") and short.fullmatch("word7")


def test_a_long_one_that_is_used_before_is_as_it_would_be() -> None:
    used = late(LONG)
    assert used.pattern == LONG and used.search("a word12") is not None
    compile_waiting(lambda: True)
    assert used.search("a word12") is not None
    assert late_pattern.has_waiting() is False
