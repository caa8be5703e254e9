"""The answer as Markdown, out of what was found: every statement with what it rests on, nothing beside."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from engramforge.model.oracle import PRIMARY, Citation, Contradiction

NOTHING_KNOWN: Final = "Nothing that is remembered answers this."
_LIKE_CITED: Final = re.compile(r"\[(?=[^\[\]]{0,200}\] ?\()")


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
        told = f" What comes nearest does not say: {', '.join(missing)}." if missing else ""
        return NOTHING_KNOWN + told
    lines = [f"- {_plain(text)} {' '.join(map(_cited, cited))}" for text, cited in said]
    if contradictions:
        lines += ["", "Contradictions:", *map(_contradiction, contradictions)]
    if missing:
        lines += ["", f"Nothing cited says: {', '.join(missing)}."]
    return "\n".join(lines)


def _plain(text: str) -> str:
    return _LIKE_CITED.sub(r"\\[", " ".join(text.split()))


def _cited(each: Citation) -> str:
    store = "" if each.store == PRIMARY else f"; {each.store} store"
    return f"[{each.id}] ({each.at:%Y-%m-%d}, {each.where}{store})"


def _contradiction(each: Contradiction) -> str:
    return f"- {_side(each.one)} against {_side(each.other)}: {each.why}"


def _side(each: Citation) -> str:
    return f"[{each.id}] ({each.at:%Y-%m-%d}, tier {each.epistemic_tier:g})"
