"""Parts a long text into portions where nothing that is taken out whole is cut: private parts, context that was put
before a model, and private keys."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from engramforge.model.fence import CONTEXT_FENCE

PORTION_CHARACTERS: Final = 1_000_000
_KEY_CHARACTERS: Final = 100_000
"""No private key is longer."""
_LONGEST_FENCE: Final = 8_000_000
_FENCE = re.compile(r"(?m)^ {0,3}(?:```|~~~)")
_MARK = re.compile(rf"(?i)<(/?)(private|{CONTEXT_FENCE})\b[^<>]*+(?:>|\Z)")


def whole_portions(pieces: Iterable[str], characters: int = PORTION_CHARACTERS) -> Iterator[str]:
    """The same text in portions of about so many characters, which end after a blank line if they can, else after a
    line.

    A block that is never closed makes its portion longer, up to the end of the text.
    """
    waiting: list[str] = []
    size, enough = 0, characters
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size < enough:
            continue
        text = "".join(waiting)
        end = _last_break(text)
        if _is_whole(text[:end]):
            yield text[:end]
            waiting, size, enough = [text[end:]], len(text) - end, characters
        else:
            # Looked at again at twice the length, so that one long block takes no more than time in proportion.
            waiting, enough = [text], 2 * size
    yield "".join(waiting)


def _last_break(text: str) -> int:
    for mark in ("\n\n", "\n", " "):
        if (at := text.rfind(mark, len(text) // 2)) >= 0:
            return at + len(mark)
    return len(text)


def _is_whole(text: str) -> bool:
    depth: Counter[str] = Counter()
    for mark in _MARK.finditer(text):
        name = mark[2].lower()
        depth[name] = max(depth[name] - 1, 0) if mark[1] else depth[name] + 1
    begin = text.rfind("-----BEGIN ")
    is_in_key = begin > text.rfind("-----END ") and len(text) - begin < _KEY_CHARACTERS
    # What the head of a table or of a file of settings says holds for all of the fence that it stands in.
    is_in_fence = len(text) < _LONGEST_FENCE and len(_FENCE.findall(text)) % 2 == 1
    return not (any(depth.values()) or is_in_key or is_in_fence)


LEAST_EXCERPT: Final = 200
"""A text is cut only where at least this much of it can be shown."""
_ELLIPSIS: Final = " …"


def excerpt_within(text: str, room: int | None, least: int = LEAST_EXCERPT) -> str | None:
    """The text itself where it fits, else its beginning cut after a word, else None.

    `room`: characters left; None for no limit. `least`: characters that an excerpt has to show at least.
    """
    if room is None or len(text) <= room:
        return text
    if room < max(least, len(_ELLIPSIS) + 1):
        return None
    head = text[: room - len(_ELLIPSIS)]
    space = head.rfind(" ")
    return (head[:space] if space > len(head) // 2 else head).rstrip() + _ELLIPSIS
