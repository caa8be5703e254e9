"""Whether a text that a message introduces ends before the message does, so that its writer goes on below it.

A fence, a quotation or a pair of marks shows where it ends. Lines as of a log, a table, a comment or a web page show
nothing: pages hold such lines themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engramforge.core.detection.whose.containers import FORMATTING, enclosed
from engramforge.core.detection.whose.quotations import Span
from engramforge.core.detection.whose.shapes import HEADING
from engramforge.core.detection.whose.surroundings import BLANK
from engramforge.core.text.late_pattern import late

HELD: Final = "\0"
"""Stands for each letter of a held part."""
_BLOCK: Final = late(
    r"(?i)[ \t]*</?(?:a|abbr|address|article|aside|audio|blockquote|body|button|canvas|caption|center|cite|code|col"
    r"|colgroup|dd|del|details|dfn|div|dl|dt|fieldset|figcaption|figure|font|footer|form|h[1-6]|head|header|hgroup"
    r"|html|iframe|ins|label|legend|li|link|main|menu|meta|nav|noscript|object|ol|option|p|picture|pre|q|samp|script"
    r"|section|select|source|span|strike|style|summary|svg|table|tbody|td|template|textarea|tfoot|th|thead|time|title"
    rf"|tr|tt|u|ul|var|video|{FORMATTING})(?=[\s>/])|[ \t]*<!"
)
"""Begins an element of a web page."""
_LINE: Final = 80
_SHORT: Final = 300


def mark_spans(marks: bytearray, spans: Iterable[Span]) -> None:
    """Mark the places that lie in spans."""
    for begin, end in spans:
        marks[begin:end] = b"\1" * (end - begin)


def is_ended(text: str, masked: str, begin: int) -> bool:
    """Whether what is introduced is held between marks, and only a few own words in one paragraph come after it.

    `masked`: the text with `HELD` for held letters. `begin`: where what is introduced begins.
    """
    rest = masked[begin:]
    bare = rest.lstrip(" \t\n:*_")
    if not bare.startswith(HELD):
        return False
    after = bare.replace(HELD, "").strip()
    first, *below = bare.split("\n")
    is_all_below = len(below) > 1 and all(line.strip() and HELD not in line for line in below[:2])
    if is_all_below and len(first) < _LINE and not first.strip(f"{HELD} "):
        return False  # The first line of a text is a quotation.
    own = [part for part in BLANK.split(bare) if part.replace(HELD, "").strip()]
    if len(own) > 1 or len(after) > _SHORT or HEADING.search(after):
        return False
    return not _holds_loose(text, masked, begin)


def _holds_loose(text: str, masked: str, begin: int) -> bool:
    """Whether above the last own words a line is held for its shape alone, neither quoted nor between marks."""
    inside = bytearray(len(text))
    mark_spans(inside, (span for span in enclosed(text) if not _BLOCK.match(text, span[0])))
    end = len(masked[begin:].rstrip(f"{HELD} \t\n")) + begin
    place, is_quoted = begin, False
    for line in text[begin:end].split("\n"):
        bare = line.lstrip()
        first = place + len(line) - len(bare)
        is_quoted = bool(bare) and (is_quoted or bare.startswith(">"))
        if bare and masked[first] == HELD and not (is_quoted or inside[first]):
            return True
        place += len(line) + 1
    return False
