"""The marks around what engramforge puts before a model, and their removal.

Whoever captures a text removes what stands between them, so that recalled text never comes back as a new memory.
"""

from __future__ import annotations

import re
from typing import Final

from engramforge.model.fence import CONTEXT_FENCE as MARK
from engramforge.model.fence import CONTEXT_NOTICE, UNSEEN

_TASK_ENDED: Final = re.compile(rf"[\s{UNSEEN}]*<task-notification\b", re.IGNORECASE)

_OPENING = re.compile(rf"(?i)<{MARK}\b[^<>]*>")
_PRINTED = re.compile(
    r"(?m)^\d{1,3}\. {2}\S[^\n]*\n(?:(?:[ \t]{3}[^\n]*|[ \t]{0,2}\r?)\n){0,400}?"
    r"[ \t]{3}found by [^\n]*; id 0[0-9a-f-]{7,35}[ \t\r]*(?:\n+|\Z)"
)
"""A hit as the command line prints it."""
_CLOSING = re.compile(rf"(?i)</{MARK}\s*>")
_BARE = re.compile(rf"(?i)<{MARK}\s*>")
_NEW_LINE = re.compile(r"[ \t\r]*\n")
_BEFORE: Final = 200
"""Characters before a mark that are looked at for words."""


def tells_a_task_s_end(prompt: str) -> bool:
    """Whether a prompt is a host's notice that a background agent ended: nobody typed it, whatever stands beside it."""
    return _TASK_ENDED.match(prompt) is not None


def strip_injected(text: str) -> tuple[str, int]:
    """The text without marked blocks and printed hits, and how many were removed.

    A block that is never closed runs to the end of the text: its host cuts injected text at a length, and the
    closing mark goes with the rest. A mark that somebody mentions in a line, without what engramforge puts behind it,
    begins none.
    """
    printed = 0
    if "; id 0" in text:
        text, printed = _PRINTED.subn("", text)
    if MARK not in text.lower():
        return text, printed
    kept: list[str] = []
    removed = at = 0
    is_first, closing = True, None
    while opening := _OPENING.search(text, at):
        if is_first or (closing is not None and closing.start() < opening.end()):
            closing, is_first = _CLOSING.search(text, opening.end()), False
        if _is_mentioned(text, opening) and (
            closing is None or _OPENING.search(text, opening.end(), closing.start())
        ):
            kept.append(text[at : opening.end()])
            at = opening.end()
            continue
        kept.append(text[at : opening.start()])
        removed += 1
        if closing is None:
            at = len(text)
            break
        at = closing.end()
    kept.append(text[at:])
    return "".join(kept), removed + printed


def _is_mentioned(text: str, opening: re.Match[str]) -> bool:
    """Whether an opening mark only stands in a sentence: words before it, and behind it no beginning of ours."""
    line = text[max(text.rfind("\n", 0, opening.start()) + 1, opening.start() - _BEFORE) : opening.start()]
    behind = text[opening.end() : opening.end() + len(CONTEXT_NOTICE) + _BEFORE]
    said = behind.lstrip()
    is_ours = said != "" and (said.startswith(CONTEXT_NOTICE) or CONTEXT_NOTICE.startswith(said.rstrip()))
    is_bare = _BARE.fullmatch(opening[0]) is not None
    return is_bare and not is_ours and line.strip() != "" and _NEW_LINE.match(behind) is None
