"""The answer as Markdown, out of what was found: every statement with what it rests on, nothing beside."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from engramforge.model.oracle import PRIMARY, Citation, Contradiction, Succession

NOTHING_KNOWN: Final = "Nothing that is remembered answers this."
_LIKE_CITED: Final = re.compile(r"\[(?=[^\[\]]{0,200}\] ?\()")
_DATE_AT_END: Final = re.compile(r"(?:, |\A)(\d{4}-\d\d-\d\d)(?: \d\d:\d\d)?\Z")


def written(
    said: Sequence[tuple[str, Sequence[Citation]]],
    contradictions: Sequence[Contradiction],
    missing: Sequence[str],
    successions: Sequence[Succession] = (),
    *,
    with_projects: bool = False,
) -> str:
    """An answer of statements, what took whose place, contradictions with dates and tiers, and what is missing; without
    statements what the nearest memories do not say.

    A statement is a text of others: what in it looks like a citation or a link is escaped, so that it is none.
    `with_projects`: every citation names its project, as several were asked.

    >>> print(written([], [], ["ferry"]))
    Nothing that is remembered answers this. What comes nearest does not say: ferry.
    """
    if not said:
        told = f" What comes nearest does not say: {', '.join(missing)}." if missing else ""
        return NOTHING_KNOWN + told
    lines = [
        f"- {_plain(text)} {' '.join(_cited(each, with_projects) for each in cited)}" for text, cited in said
    ]
    if successions:
        lines += ["", "Superseded:", *map(_succession, successions)]
    if contradictions:
        lines += ["", "Contradictions:", *map(_contradiction, contradictions)]
    if missing:
        lines += ["", f"Nothing cited says: {', '.join(missing)}."]
    return "\n".join(lines)


def _plain(text: str) -> str:
    return _LIKE_CITED.sub(r"\\[", " ".join(text.split()))


def _cited(each: Citation, with_project: bool) -> str:
    project = each.project if with_project else ""
    store = "" if each.store == PRIMARY else f"{each.store} store"
    where = ", ".join(filter(None, (f"{each.at:%Y-%m-%d}", project, _undated(each))))
    return f"[{each.id}] ({'; '.join(filter(None, (where, each.because, store)))})"


def _undated(each: Citation) -> str:
    """Where it is from, without its date, which is told already."""
    return _DATE_AT_END.sub(lambda found: "" if found[1] == f"{each.at:%Y-%m-%d}" else found[0], each.where)


def _succession(each: Succession) -> str:
    newer, older = each.successor, each.predecessor
    return f"- [{older.id}] ({older.at:%Y-%m-%d}) was superseded by [{newer.id}] ({newer.at:%Y-%m-%d}): {each.why}"


def _contradiction(each: Contradiction) -> str:
    return f"- {_side(each.one)} against {_side(each.other)}: {each.why}"


def _side(each: Citation) -> str:
    return f"[{each.id}] ({each.at:%Y-%m-%d}, tier {each.epistemic_tier:g})"
