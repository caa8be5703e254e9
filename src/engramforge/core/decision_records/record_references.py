"""What decision records say of each other: supersedes, amended by, clarifies, and which record is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference from one record to another.

    `relation`: SUPERSEDES, PARTLY_SUPERSEDES, AMENDS, CLARIFIES, EXTENDS, DEPENDS_ON or RELATES_TO. `is_passive`:
    whether the other record is the agent (superseded by). `file`, `number`: the other record's file name and number;
    empty or None if not given.
    """

    relation: str
    is_passive: bool
    file: str = ""
    number: int | None = None


_FILE_NUMBER = re.compile(r"(?i)\A(?:adrs?|decision|dr)?[-_ ]?(\d{1,5})(?=\D|\Z)")
_DAY_FILE = re.compile(r"\A\d{4}-?\d{2}-?\d{2}(?=\D|\Z)")
_LINK = r"\[[^\[\]\n]*\]\((?P<target>[^)\s\[]++)[^)\n\[]*+\)"
_NUMBERED = r"(?:ADRs?|decisions?)[-_ #]*(?P<number>\d{1,5})|#(?P<hash>\d{1,5})\b"
_VERB = re.compile(
    r"(?i)(?P<part>\b(?:in part|part(?:ly|ially))\s+)?\b(?P<verb>supers?c?eded?s?|supers?c?edes|replaces?d?"
    r"|obsoletes?d?|amends?|amended|clarif(?:y|ies|ied)|extends?|extended|complements?|complemented"
    r"|depends? on|relate[sd]? to|linked to)\b(?P<by>\s+by\b)?(?P<after>\s+in part(?:\s+by\b)?)?"
)
_OTHER = re.compile(rf"(?i){_LINK}|{_NUMBERED}")
_RELATIONS: Final = {
    "super": "SUPERSEDES", "replace": "SUPERSEDES", "obsolete": "SUPERSEDES", "amend": "AMENDS",
    "clarif": "CLARIFIES", "extend": "EXTENDS", "complement": "EXTENDS", "depend": "DEPENDS_ON",
    "relate": "RELATES_TO", "linked": "RELATES_TO",
}  # fmt: skip
_ALONE = re.compile(r"(?i)\s*[\"'\[]*(?:ADR[-_ #]*)?(\d{1,5})(?:\D.*)?")
_FIRM: Final = ("super", "amend", "clarif", "obsolete")
"""Verbs that count anywhere in a text; the others count only in status lines."""
_NEAR_CHARACTERS: Final = 40
"""How far behind its verb another record may be named."""


def number_of_file(name: str) -> int | None:
    """The number that a file's name begins with, 0021 or adr-21; None if it begins with a date, or without a number."""
    match = None if _DAY_FILE.match(name) else _FILE_NUMBER.match(name)
    return int(match[1]) if match else None


def references_in(
    text: str, status: str, fields: Mapping[str, str], front: Mapping[str, Any], number: int | None
) -> Iterator[Reference]:
    """All references of a record to others, repeated ones included.

    Parameters
    ----------
    text : all of it, without code. status : its section.
    fields, front : the lines `name: value` at its head, and its front matter.
    number : its own, to be left out.
    """
    for name, value in [*front.items(), *fields.items()]:
        if (verb := _VERB.match(name.replace("_", " ").replace("-", " "))) and name != "status":
            for each in value if isinstance(value, list) else [value]:
                yield from _named(str(each), verb, bare=True)
    for said in (status, fields.get("status", ""), str(front.get("status", ""))):
        yield from _spoken(said, firm_only=False)
    yield from (
        reference
        for reference in _spoken(text, firm_only=True)
        if reference.number != number or reference.number is None
    )


def _spoken(text: str, *, firm_only: bool) -> Iterator[Reference]:
    for verb in _VERB.finditer(text):
        if firm_only and not verb["verb"].lower().startswith(_FIRM):
            continue
        rest = text[verb.end() : verb.end() + 400].split("\n\n")[0]
        yield from _named(rest, verb, bare=False)


def _named(text: str, verb: re.Match[str], *, bare: bool) -> Iterator[Reference]:
    """The other records that a text names right after a verb, separated by commas or `and`."""
    word = verb["verb"].lower()
    relation = next(relation for start, relation in _RELATIONS.items() if word.startswith(start))
    is_passive = verb["by"] is not None or "by" in (verb["after"] or "")
    if relation == "SUPERSEDES" and (verb["part"] or verb["after"]):
        relation = "PARTLY_SUPERSEDES"
    at = 0
    for other in _OTHER.finditer(text):
        between = text[at : other.start()]
        if len(between) > _NEAR_CHARACTERS or re.search(r"[.;!?]\s", between) or _VERB.search(between):
            return
        at = other.end()
        if target := other["target"]:
            name = target.partition("#")[0].partition("?")[0].rstrip("/").rpartition("/")[2]
            yield Reference(relation, is_passive, name, number_of_file(name))
        else:
            yield Reference(relation, is_passive, number=int(other["number"] or other["hash"]))
    if bare and at == 0 and (only := _ALONE.fullmatch(text)):
        yield Reference(relation, is_passive, number=int(only[1]))
