"""Quotations of more than a sentence, by their marks, also where one of a pair is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engramforge.core.text.late_pattern import late

Span = tuple[int, int]

_OPENING: Final = late(r"(?:(?<=[\s(\[{>:=,*_\u2014\u2013-])|^)\"(?= ?[^\s\"])", re.M)
_CLOSING: Final = late(r"(?<=[^\s\"])(?:\"|\s\"(?!\S))(?=$|[\s.,;:!?)\]}*_\u2014\u2013-])", re.M)
_SINGLE: Final = late(r"(?:(?<=[\s(\[{>:=,\u2014\u2013-])|^)'(?=[^\W\d])(?!(?:tis|em|til|cause|n)\b)", re.M)
_SINGLE_END: Final = late(r"(?<=[^\s'])'(?=$|[\s.,;:!?)\]}\u2014\u2013-])", re.M)
_TICK: Final = late(r"(?<![`\w])`(?=[^`\s])")
_TICK_END: Final = late(r"(?<=[^`])`(?![`\w])")
SEVERAL: Final = late(r"[.!?][\"')\]]*\s+\S|\n")
_LONG_QUOTE: Final = 200


def quoted(text: str) -> Iterator[Span]:
    """Quotations of more than a sentence; shorter ones are left out of the sentence in which they stand."""
    found = _between(text, _OPENING, _CLOSING) if '"' in text else []
    found += _between(text, _TICK, _TICK_END) if "`" in text else []
    # An apostrophe opens nothing that another mark does not close.
    if "'" in text:
        found += (span for span in _between(text, _SINGLE, _SINGLE_END) if text[span[1] - 1] == "'")
    long = [span for span in found if span[1] - span[0] > _LONG_QUOTE or SEVERAL.search(text, *span)]
    if len(long) > 1:
        yield min(begin for begin, _ in long), max(end for _, end in long)
    else:
        yield from long
    yield from _unpaired(text)


def _unpaired(text: str) -> Iterator[Span]:
    """What stands before a mark that closes what none opened, or behind one at the beginning that nothing closes."""
    begin = len(text) - len(text.lstrip())
    for sign, opening, closing in (('"', _OPENING, _CLOSING), ("'", _SINGLE, _SINGLE_END)):
        opened, closed = (opening.search(text), closing.search(text)) if sign in text else (None, None)
        if closed is None and opened is not None and opened.start() == begin:
            yield begin, len(text)
        is_first = closed is not None and (opened is None or closed.start() < opened.start())
        # An apostrophe may end a word, and a mark may mean inches.
        if closed is not None and is_first and closed[0] == '"' and not text[: closed.start()][-1:].isdigit():
            yield 0, closed.end()


def _between(text: str, opening: re.Pattern[str], closing: re.Pattern[str]) -> list[Span]:
    """From each opening mark to the next closing one, or to the end of the text."""
    spans: list[Span] = []
    place = 0
    while (begin := opening.search(text, place)) is not None:
        end = closing.search(text, begin.end())
        place = len(text) if end is None else end.end()
        spans.append((begin.start(), place))
    return spans
