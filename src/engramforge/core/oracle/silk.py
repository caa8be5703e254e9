"""The answer as Markdown, out of what was found: every statement with what it rests on, nothing beside."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from engramforge.model.oracle import PRIMARY, Citation, Contradiction, Mentioned, Succession
from engramforge.model.texts.visible import visible

NOTHING_KNOWN: Final = "Nothing that is remembered answers this."
NEAREST: Final = "Nearest, which is no answer"
WAITING: Final = "a later statement waits for review"
_LINKING: Final = re.compile(r"\] ?\(")
_OPENING: Final = re.compile(r"(?<!\\)((?>(?:\\\\)*))\[")
"""A bracket that no backslash makes plain."""
_DATE_AT_END: Final = re.compile(r"(?:, |\A)(\d{4}-\d\d-\d\d)(?: \d\d:\d\d)?(?=\Z|, resolved since \S+\Z)")


def written(
    said: Sequence[tuple[str, Sequence[Citation]]],
    contradictions: Sequence[Contradiction],
    missing: Sequence[str],
    successions: Sequence[Succession] = (),
    *,
    with_projects: bool = False,
    cautions: Sequence[Mentioned] = (),
    near: Sequence[Mentioned] = (),
) -> str:
    """An answer of statements, what took whose place, contradictions with dates and tiers, and what is missing; without
    statements what the nearest memories do not say.

    A statement is a text of others: what in it looks like a citation or a link is escaped, so that it is none.
    `with_projects`: every citation names its project, as several were asked. `near`: what comes nearest where there
    are no statements. `cautions`: what waits for review and may end what is cited.

    >>> print(written([], [], ["ferry"]))
    Nothing that is remembered answers this. What comes nearest does not say: ferry.
    """
    if not said:
        told = f" What comes nearest does not say: {_listed(missing)}." if missing else ""
        return "\n\n".join(
            [NOTHING_KNOWN + told, *(f"{NEAREST}: {_mentioned(each, with_projects)}" for each in near)]
        )
    lines = [
        f"- {_plain(text)} {' '.join(_cited(each, with_projects) for each in cited)}" for text, cited in said
    ]
    if successions:
        lines += ["", "Superseded:", *map(_succession, successions)]
    if contradictions:
        lines += ["", "Contradictions:", *map(_contradiction, contradictions)]
    if cautions:
        lines += ["", "Cautions:", *(f"- {WAITING}: {_mentioned(each, with_projects)}" for each in cautions)]
    if missing:
        lines += ["", f"Nothing cited says: {_listed(missing)}."]
    return "\n".join(lines)


def _listed(missing: Sequence[str]) -> str:
    return _plain(", ".join(missing))


def _plain(text: str) -> str:
    """A text of others in a line: no citation, no link, and nothing that a terminal acts on."""
    line = visible(" ".join(text.split()))
    # Only what stands right before a parenthesis is one, but its words may hold brackets of their own.
    return _OPENING.sub(r"\1\[", line) if _LINKING.search(line) else line


def _mentioned(each: Mentioned, with_project: bool) -> str:
    where = f"{each.at:%Y-%m-%d}" + (f", {_plain(each.project)}" if with_project else "")
    store = "" if each.store == PRIMARY else f"; {each.store} store"
    why = f": {_plain(each.why)}" if each.why else ""
    return f'[{each.id}] ({where}{store}) "{_plain(each.says)}"{why}'


def _cited(each: Citation, with_project: bool) -> str:
    project = each.project if with_project else ""
    store = "" if each.store == PRIMARY else f"{each.store} store"
    said_by = f"said by {each.speaker}" if each.speaker else ""
    told = (f"{each.at:%Y-%m-%d}", said_by, project, _undated(each))
    where = ", ".join(map(_plain, filter(None, told)))
    return f"[{each.id}] ({'; '.join(filter(None, (where, each.because, store)))})"


def _undated(each: Citation) -> str:
    """Where it is from, without its date, which is told already."""
    day = f"{each.at:%Y-%m-%d}"
    return _DATE_AT_END.sub(lambda found: "" if found[1] == day else found[0], each.where).removeprefix(", ")


def _succession(each: Succession) -> str:
    newer, older = each.successor, each.predecessor
    why = _plain(each.why)
    return f"- [{older.id}] ({older.at:%Y-%m-%d}) was superseded by [{newer.id}] ({newer.at:%Y-%m-%d}): {why}"


def _contradiction(each: Contradiction) -> str:
    return f"- {_side(each.one)} against {_side(each.other)}: {_plain(each.why)}"


def _side(each: Citation) -> str:
    return f"[{each.id}] ({each.at:%Y-%m-%d}, tier {each.epistemic_tier:g})"
