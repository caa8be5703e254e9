"""The options of a Markdown table in an assistant's turn: rows with a number or a letter, or with their names alone."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from engramforge.core.text.late_pattern import late

_ROW: Final = late(r"(?m)^[ \t]{0,6}\|(?P<cells>[^\n]*)\|[ \t]*$")
_RULE: Final = late(r"(?m)^[ \t]{0,6}\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)+\|?[ \t]*$")
_OPTIONS: Final = late(
    r"(?i)(?:the )?(?:options?|ways?|approach(?:es)?|choices?|alternatives?|candidates?|variants?|solutions?|designs?"
    r"|strateg(?:y|ies)|tools?|librar(?:y|ies)|frameworks?|toolkits?|stores?|engines?|databases?|formats?|languages?"
    r"|services?|providers?|hosts?|hosting|renderers?|names?)\Z"
)
_FOR_AND_AGAINST: Final = late(
    r"(?i)(?:pros?|cons?|for|against|advantages?|drawbacks?|benefits?|upsides?|downsides?|trade-?offs?|remarks?)\Z"
)
"""Heads of columns that weigh an option."""
_NO_OPTIONS: Final = late(
    r"(?i)(?:tasks?|to-?dos?|tests?|files?|errors?|bugs?|issues?|steps?|columns?|fields?|state|status|types?|results?"
    r"|ms|time|owner|due|line|date)\Z"
)
"""Heads of columns of a table that lists something else."""
_MARK: Final = late(r"(?i)\(?(?:option )?(?P<mark>\d|[a-h])[.):]?\Z")
_LEAST, _MOST = 2, 8


class Tabled(NamedTuple):
    """The names in the rows of a table, where it begins and ends, and whether it is one of options."""

    heads: tuple[str, ...]
    begin: int
    end: int
    is_of_options: bool


def tabled(text: str) -> Tabled | None:
    """The last table of a text that may hold options; None for none, or one of tasks, files or the like.

    >>> tabled("|  | way |\\n|---|---|\\n| A | cron |\\n| B | systemd timers |\\n").heads
    ('cron', 'systemd timers')
    >>> tabled("| # | task |\\n|---|---|\\n| 1 | fix it |\\n| 2 | test it |\\n") is None
    True
    """
    rules = list(_RULE.finditer(text))
    if not rules:
        return None
    rule = rules[-1]
    before = text[: rule.start()].rstrip("\n")
    begin = before.rfind("\n") + 1
    names = _cells(before[begin:])
    rows, end = [], rule.end()
    for hit in _ROW.finditer(text, rule.end()):
        if text[end : hit.start()].strip():
            break
        rows.append(_cells(hit[0]))
        end = hit.end()
    if not _LEAST <= len(rows) <= _MOST or any(len(row) < _LEAST for row in rows):
        return None
    if any(map(_NO_OPTIONS.match, filter(None, names))):
        return None
    at = 1 if _are_counted([row[0] for row in rows]) else 0
    heads = tuple(row[at].strip(" .") for row in rows)
    if not all(heads) or len(set(heads)) < len(heads):
        return None
    is_named = len(names) > at and _OPTIONS.match(names[at]) is not None
    is_weighed = any(map(_FOR_AND_AGAINST.match, names[at + 1 :]))
    return Tabled(heads, begin, end, is_named or is_weighed)


def _cells(line: str) -> list[str]:
    return [re.sub(r"[*_`]", "", each).strip() for each in line.strip().strip("|").split("|")]


def _are_counted(marks: list[str]) -> bool:
    """Whether cells count rows from 1 or A."""
    hits = [_MARK.match(each) for each in marks]
    said = [hit["mark"].lower() for hit in hits if hit is not None]
    return len(said) == len(marks) and said in (list("12345678"[: len(said)]), list("abcdefgh"[: len(said)]))
