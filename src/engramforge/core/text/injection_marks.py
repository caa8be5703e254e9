"""The marks around everything that engramforge puts before a model, and their removal.

Whoever injects wraps with `mark_injected`; whoever captures removes with `strip_injected`: so recalled text
never comes back as a new memory. Pure text; no I/O, and nothing about what is injected.
"""

from __future__ import annotations

import re
from typing import Final

MARK: Final = "engramforge-context"
"""The name of the fenced block: `<engramforge-context ...> ... </engramforge-context>`."""

_OPENING = re.compile(rf"<{MARK}\b[^<>]*>", re.IGNORECASE)
_CLOSING = re.compile(rf"</{MARK}\s*>", re.IGNORECASE)
_ANY_MARK = re.compile(rf"<(?=/?{MARK}\b)", re.IGNORECASE)


def mark_injected(text: str, *, origin: str = "recall") -> str:
    """The text inside one marked block.

    Parameters
    ----------
    text : what is injected; marks inside it are defused, so that it cannot close its own block.
    origin : a word that says which way it was made; letters, digits, `-` and `_` survive.
    """
    word = re.sub(r"[^A-Za-z0-9_-]", "", origin) or "recall"
    return f'<{MARK} origin="{word}">\n{_ANY_MARK.sub("&lt;", text)}\n</{MARK}>'


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
        closing = _CLOSING.search(text, opening.end())
        if closing is None:
            at = len(text)
            break
        at = closing.end()
    kept.append(text[at:])
    return "".join(kept), removed
