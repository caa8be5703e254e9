"""The marks around what engramforge puts before a model, and their removal.

Whoever captures a text removes what stands between them, so that recalled text never comes back as a new memory.
"""

from __future__ import annotations

import re

from engramforge.model.fence import CONTEXT_FENCE as MARK

_OPENING = re.compile(rf"(?i)<{MARK}\b[^<>]*>")
_CLOSING = re.compile(rf"(?i)</{MARK}\s*>")


def strip_injected(text: str) -> tuple[str, int]:
    """The text without marked blocks, and how many were removed.

    A block that is never closed runs to the end of the text: its host cuts injected text at a length, and the
    closing mark goes with the rest.
    """
    if MARK not in text.lower():
        return text, 0
    kept: list[str] = []
    removed = at = 0
    while opening := _OPENING.search(text, at):
        kept.append(text[at : opening.start()])
        removed += 1
        if (closing := _CLOSING.search(text, opening.end())) is None:
            at = len(text)
            break
        at = closing.end()
    kept.append(text[at:])
    return "".join(kept), removed
