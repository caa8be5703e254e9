"""The answer as Markdown, out of what was found: every statement with what it rests on, nothing beside."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from engramforge.model.fence import uncontrolled
from engramforge.model.oracle import PRIMARY, Citation, Contradiction

NOTHING_KNOWN: Final = "Nothing that is remembered answers this."
_LINKING: Final = re.compile(r"\] ?\(")
_OPENING: Final = re.compile(r"(?<!\\)((?:\\\\)*+)\[")
"""A bracket that no backslash makes plain."""


def written(
    said: Sequence[tuple[str, Sequence[Citation]]],
    contradictions: Sequence[Contradiction],
    missing: Sequence[str],
) -> str:
    """An answer of statements, contradictions with dates and tiers, and what is missing; without statements what the
    nearest memories do not say.

    A statement is a text of others: what in it looks like a citation or a link is escaped, so that it is none.

    >>> print(written([], [], ["ferry"]))
    Nothing that is remembered answers this. What comes nearest does not say: ferry.
    """
    if not said:
        told = f" What comes nearest does not say: {_listed(missing)}." if missing else ""
        return NOTHING_KNOWN + told
    lines = [f"- {_plain(text)} {' '.join(map(_cited, cited))}" for text, cited in said]
    if contradictions:
        lines += ["", "Contradictions:", *map(_contradiction, contradictions)]
    if missing:
        lines += ["", f"Nothing cited says: {_listed(missing)}."]
    return "\n".join(lines)


def _listed(missing: Sequence[str]) -> str:
    return _plain(", ".join(missing))


def _plain(text: str) -> str:
    """A text of others in a line: no citation, no link, and nothing that a terminal acts on."""
    line = uncontrolled(" ".join(text.split()))
    # Only what stands right before a parenthesis is one, but its words may hold brackets of their own.
    return _OPENING.sub(r"\1\[", line) if _LINKING.search(line) else line


def _cited(each: Citation) -> str:
    store = "" if each.store == PRIMARY else f"; {each.store} store"
    return f"[{each.id}] ({each.at:%Y-%m-%d}, {_plain(each.where)}{store})"


def _contradiction(each: Contradiction) -> str:
    return f"- {_side(each.one)} against {_side(each.other)}: {_plain(each.why)}"


def _side(each: Citation) -> str:
    return f"[{each.id}] ({each.at:%Y-%m-%d}, tier {each.epistemic_tier:g})"
