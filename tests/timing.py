"""Whether work takes time in proportion to the length of its text, by the processor's clock."""

import time
from collections.abc import Callable

ENOUGH_SECONDS = 0.02
"""Below this, nothing is slow, and the clock is coarse."""


def assert_in_proportion(work: Callable[[str], object], text: Callable[[int], str], size: int) -> None:
    """`text`: a text of about so many characters; tried with `size` and a quarter of it.

    Where it seems slow it is measured again, since a busy machine is slow at times.
    """
    long = _seconds(work, text(size))
    for _ in range(3):
        if long < ENOUGH_SECONDS:
            return
        short = _seconds(work, text(size // 4))
        # Four times the text; a square would be sixteen times the time.
        if long < 9 * short:
            return
        long = min(long, _seconds(work, text(size)))
    raise AssertionError(
        f"{text(40)!r}: {long:.2f} s, {long / short:.0f} times that of a quarter of the text"
    )


def repeated(part: str, before: str = "") -> Callable[[int], str]:
    """The texts of a part again and again; at the end, what no pattern takes, so that it tries all it can."""
    return lambda size: f"{before}{part * (size // len(part))}\x01"


def _seconds(work: Callable[[str], object], text: str) -> float:
    began = time.process_time()
    work(text)
    return time.process_time() - began
