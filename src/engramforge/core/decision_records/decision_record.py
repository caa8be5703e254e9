"""An architecture decision record (ADR) taken apart: Markdown of Nygard, adr-tools, MADR and what teams make of them.

Source: Nygard, "Documenting Architecture Decisions" (2011); MADR 4.0. Pure: text in, a record out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from engramforge.core.decision_records.record_references import Reference, number_of_file, references_in
from engramforge.core.text.chunking import heading_words, split_front_matter
from engramforge.core.text.dates import day_of


class RecordStatus(StrEnum):
    """The status of a record."""

    ACCEPTED = "accepted"
    PROPOSED = "proposed"
    REJECTED = "rejected"
    DEPRECATED = "deprecated"
    SUPERSEDED = "superseded"
    UNSTATED = "unstated"


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """What one record says.

    Parameters
    ----------
    number : from its file name, else its heading; None if neither has one.
    title : its heading without the number; heading : as it is written.
    status, status_text : what its status means, and its words.
    date : the day it gives, at midnight UTC; None if there is none that can be read.
    decision, context, consequences : these sections as written; empty if missing.
    rest : its other sections, and what stands before the first.
    options : what was considered; chosen : what was chosen, empty if not said; reason : why.
    """

    number: int | None
    title: str
    heading: str
    status: RecordStatus
    status_text: str
    date: datetime | None
    decision: str = ""
    context: str = ""
    consequences: str = ""
    rest: str = ""
    options: tuple[str, ...] = ()
    chosen: str = ""
    reason: str = ""
    tags: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()
    front_matter: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_sign_post(self) -> bool:
        """Whether it says nothing but where its text lies, beside what stands in brackets."""
        if self.status is not RecordStatus.UNSTATED or self.decision or self.context or self.consequences:
            return False
        lines = (line for line in _BRACKETS.sub("", self.rest).splitlines() if line.strip())
        return "://" in self.rest and all("://" in line for line in lines)

    @property
    def is_rejection(self) -> bool:
        """Whether its decision says that something is rejected, which holds; else a rejected record is only a proposal
        that came to nothing."""
        return self.status is RecordStatus.REJECTED and _REJECTS.search(self.decision) is not None


_REJECTS = re.compile(
    r"(?i)\b(?:reject(?:s|ed|ing)?|declin(?:e[sd]?|ing)|rul(?:e|ed|ing) out|turn(?:ed|ing)? down"
    r"|decided (?:not|against))\b"
)
_HEADING = re.compile(r"(?m)^ {0,3}(#{1,6})[ \t]++([^\n]+)$")
_UNDERLINED = re.compile(r"\A\s*(\S[^\n]*)\n={3,}[ \t]*(?:\n|\Z)")
_FENCE = re.compile(r"(?ms)^ {0,3}(`{3,}|~{3,}).*?(?:^ {0,3}\1|\Z)")
_COMMENT = re.compile(r"(?s)<!--(?:(?!<!--).)*?-->")
_TITLE_NUMBER = re.compile(
    r"(?i)\A\[?(?:(?:ADRs?|Decision|DR)[-_ #:]*(\d{1,5})|(\d{1,5})(?=[.:) \-\u2013\u2014]))\]?[.:) \-\u2013\u2014]*"
)
_FIELD = re.compile(
    r"(?im)^[ \t]*(?:[-*+][ \t]+)?(?:\|[ \t]*)?[*_]{0,3}(status|date|decided on|last updated|tags?"
    r"|supersedes|superseded[ _-]by|replaces|replaced[ _-]by|amends|amended[ _-]by|related|depends on)"
    r"[*_]{0,3}[ \t]*+[:|]?+[*_]{0,3}+[ \t]*+(?>(?:[:|][ \t]++)?)(?<=[ \t])([^\n]+)$"
)
_STATUS_WORDS: Final = (
    (
        RecordStatus.SUPERSEDED,
        "superseded|supersceded|superceded|supercedes?d|replaced|\u231b\ufe0f?|obsoleted by",
    ),
    (RecordStatus.REJECTED, "rejected|declined|not accepted|withdrawn|abandoned|cancell?ed|\u274c"),
    (RecordStatus.DEPRECATED, "deprecated|obsolete|retired|no longer|expired"),
    (
        RecordStatus.PROPOSED,
        "proposed|proposal|pending|draft|incomplete|rfc|request for comments|in (?:discussion|review|progress)|under"
        r" (?:discussion|review)|open|wip|work in progress|to ?do|to be decided|tbd|on hold|in-progress|\U0001f914",
    ),
    (
        RecordStatus.ACCEPTED,
        "accepted|accept|approved|agreed|adopted|decided|done|implemented|active|ratified|final|current|in force"
        r"|partly superseded|partially superseded|superseded in part|amended|\u2705|\u267b\ufe0f?",
    ),
)
_STATUS: Final = tuple(
    (status, re.compile(rf"(?i)\A(?:{words})(?![\w-])|\A(?:{words})\s")) for status, words in _STATUS_WORDS
)
_PARTLY_DONE = re.compile(r"(?i)\A(?:part(?:ly|ially) supersed|superseded in part)")
_BRACKETS = re.compile(r"(?s)\([^()]{0,1000}\)")
_MARKUP = re.compile(r"[*_`>#\[\]{}()\"'~]|^\s*[-+]\s")
_EMOJI_MEANING: Final = {
    "\u2705": "accepted",
    "\u274c": "rejected",
    "\u231b": "superseded",
    "\U0001f914": "proposed",
}
_LIST_ITEM = re.compile(r"(?m)^[ \t]*(?:[-*+]|\d{1,2}[.)])[ \t]++([^\n]+)$")
_NOTHING_YET: Final = frozenset({"tbd", "todo", "tba", "n/a", "none", "to be decided", "to do"})
_DECISION_LINE = re.compile(r"(?im)^[ \t]*(?:[-*+][ \t]+)?\*{0,2}decision:\*{0,2}[ \t]*(\S.*)$")
_CHOSEN = re.compile(
    r"(?im)chosen option:?\*{0,2}:?\s*+[\"\u201c'*`]*+(?P<option>[^\"\u201d*`\n]{2,200}?)[\"\u201d'*`]{0,4}+\s*+"
    r"(?:,|because|\.|$)(?:\s*(?:because\s+)?(?P<reason>[^\n]{3,600}))?"
)
_PART_NAMES: Final = {
    part: tuple(names.split(", "))
    for part, names in {
        "decision": "decision, decision outcome, decisions, the decision, proposal, what's proposed, outcome",
        "context": "context, context and problem statement, background, problem, problem statement, introduction, "
        "context & problem, issue, motivation, user needs, reasoning, rationale, decision drivers",
        "consequences": "consequences, implications, impact, results, positive consequences, negative consequences",
        "options": "considered options, options considered, options, alternatives, alternatives considered",
        "status": "status, state",
        "tags": "tags",
    }.items()
}


def read_record(text: str, file_name: str) -> DecisionRecord | None:
    """The record in a Markdown text; None if it is not a record.

    A record has a title, and a status, or the sections context and decision; or the file is numbered and dated.
    """
    front, body = split_front_matter(text)
    plain = _COMMENT.sub("", body)
    hidden = _FENCE.sub(lambda match: " " * len(match[0]), plain)
    heading = _title_of(hidden, front)
    if not heading:
        return None
    sections = dict(_sections(plain, hidden))
    # What stands before the first section: where MADR and Nygard put date and status.
    head = hidden[
        : next((match.start() for match in _HEADING.finditer(hidden) if len(match[1]) > 1), len(hidden))
    ]
    fields = dict(map(_named_value, _FIELD.finditer(head)))
    parts = {part: _joined(sections, names) for part, names in _PART_NAMES.items()}
    own = front.get("status")
    status_text = (parts["status"] or fields.get("status") or (own if isinstance(own, str) else "")).strip()
    date = _date_of(front, fields, head, parts["status"])
    if not parts["decision"]:
        parts["decision"] = "\n".join(match[1] for match in _DECISION_LINE.finditer(hidden))
    if not status_text and not (parts["decision"] and parts["context"]):
        is_numbered = number_of_file(file_name) is not None and _TITLE_NUMBER.match(heading)
        if not (is_numbered and "date" in fields):
            return None
    chosen = _CHOSEN.search(parts["decision"])
    number = _number_of(file_name, heading)
    status = status_of(status_text)
    references = references_in(hidden, parts["status"], fields, front, number)
    if status is not RecordStatus.SUPERSEDED:
        # A record that still holds but names a successor was superseded only in part.
        references = (
            replace(reference, relation="PARTLY_SUPERSEDES")
            if reference.relation == "SUPERSEDES" and reference.is_passive
            else reference
            for reference in references
        )
    return DecisionRecord(
        number=number,
        title=_TITLE_NUMBER.sub("", heading).strip() or heading,
        heading=heading,
        status=status,
        status_text=status_text,
        date=date,
        decision=parts["decision"],
        context=parts["context"],
        consequences=parts["consequences"],
        rest=_rest(plain, hidden),
        options=tuple(_plain(match[1]) for match in _LIST_ITEM.finditer(parts["options"]))[:32],
        chosen=_plain(chosen["option"]) if chosen else "",
        reason=_plain(chosen["reason"] or "") if chosen else "",
        tags=_tags_of(front, fields, parts["tags"]),
        references=tuple(dict.fromkeys(references)),
        front_matter=front,
    )


def status_of(text: str) -> RecordStatus:
    """What the words of a status mean. Lines are read in order; being superseded outweighs any earlier status."""
    found: list[RecordStatus] = []
    for line in text.splitlines():
        said = _unmarked(line)
        if _PARTLY_DONE.match(said):
            found.append(RecordStatus.ACCEPTED)
        elif meant := next((status for status, words in _STATUS if words.match(said)), None):
            found.append(meant)
    for ended in (RecordStatus.SUPERSEDED, RecordStatus.REJECTED, RecordStatus.DEPRECATED):
        if ended in found:
            return ended
    return found[-1] if found else RecordStatus.UNSTATED


def _title_of(text: str, front: Mapping[str, Any]) -> str:
    if match := next((found for found in _HEADING.finditer(text) if len(found[1]) == 1), None):
        return _plain(heading_words(match[2]))
    if match := _UNDERLINED.match(text):
        return _plain(match[1])
    title = front.get("title")
    if isinstance(title, str) and title.strip():
        return title.strip()
    found = _HEADING.search(text)
    return _plain(heading_words(found[2])) if found and not _known_part(heading_words(found[2])) else ""


def _known_part(name: str) -> bool:
    return any(_section_name(name) in names for names in _PART_NAMES.values())


def _number_of(file_name: str, heading: str) -> int | None:
    if (number := number_of_file(file_name)) is not None:
        return number
    match = _TITLE_NUMBER.match(heading)
    return int(match[1] or match[2]) if match else None


def _named_value(field: re.Match[str]) -> tuple[str, str]:
    """The name and the value of a field, without the end of its cell in a table."""
    name = field[1].lower().replace("-", " ").replace("_", " ")
    return name, field[2].rstrip(" \t").removesuffix("|").rstrip(" \t")


def _sections(text: str, hidden: str) -> Iterator[tuple[str, str]]:
    """Name and text of each section; a section includes those below it. The first of each name counts."""
    # Where the nearest heading of each depth begins, from 1 to 6.
    nearest = [len(text)] * 7
    for match in reversed(list(_HEADING.finditer(hidden))):
        depth = len(match[1])
        if depth > 1:
            yield (
                _section_name(heading_words(match[2])),
                text[match.end() : min(nearest[: depth + 1])].strip(),
            )
        nearest[depth] = match.start()


def _rest(text: str, hidden: str) -> str:
    """What stands under the title before the first section, without its fields, and the second-level sections that are
    not one of the known parts (but the options, of which only the names are kept elsewhere), with their headings."""
    marks = [match for match in _HEADING.finditer(hidden) if len(match[1]) <= 2]
    ends = [match.start() for match in marks[1:]] + [len(text)]
    kept: list[str] = []
    for match, end in zip(marks, ends, strict=True):
        name = heading_words(match[2])
        if len(match[1]) == 1:
            lines = text[match.end() : end].splitlines()
            kept.append(
                "\n".join(line for line in lines if not (_FIELD.match(line) or _is_day(line))).strip()
            )
        elif not _known_part(name) or _section_name(name) in _PART_NAMES["options"]:
            kept.append(text[match.start() : end].strip())
    return "\n\n".join(filter(None, kept))


def _section_name(name: str) -> str:
    return _plain(name).strip(" :.?!").lower().replace("\u2019", "'")


def _joined(sections: Mapping[str, str], names: Sequence[str]) -> str:
    return "\n\n".join(
        text
        for name in names
        if (text := sections.get(name)) and text.strip(" .*_").lower() not in _NOTHING_YET
    )


def _date_of(front: Mapping[str, Any], fields: Mapping[str, str], head: str, status: str) -> datetime | None:
    given = [front.get(name) for name in ("date", "created", "decided")]
    said = [value for value in given if isinstance(value, str)]
    said += [fields[name] for name in ("date", "decided on") if name in fields]
    said += [status.splitlines()[0] if status else "", fields.get("last updated", "")]
    # Else a line of nothing but a day.
    said += [line for line in head.splitlines() if _is_day(line)]
    return next((day for text in said if (day := day_of(text))), None)


def _is_day(line: str) -> bool:
    """Whether a line holds nothing but a day."""
    return len(line.strip(" *_-")) <= 20 and day_of(line) is not None


def _tags_of(front: Mapping[str, Any], fields: Mapping[str, str], section: str) -> tuple[str, ...]:
    given = front.get("tags") or fields.get("tags") or fields.get("tag") or section
    words = given if isinstance(given, list) else str(given or "").replace(",", " ").split()
    return tuple(dict.fromkeys(word for each in words if (word := str(each).strip(" #*_`[]\"'-"))))[:16]


def _plain(text: str) -> str:
    """A line without Markdown's marks; a link is its text."""
    text = re.sub(r"\[([^\[\]]*)\]\([^)\[]*\)", r"\1", text)
    return re.sub(r"[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}", "", text).strip()


def _unmarked(line: str) -> str:
    """A line of a status without marks and pictures before its first word; a picture alone is its word."""
    said = _MARKUP.sub("", line).strip()
    words = said.lstrip("".join(letter for letter in said if not letter.isalnum())).strip()
    if words:
        return words
    return next((meaning for sign, meaning in _EMOJI_MEANING.items() if sign in said), "")
