"""A message in two parts: the words of who speaks, and the texts that the message only holds.

What a message marks as somebody else's (containers), what it introduces or asks to be worked on (introductions), and
what has the shape of a document, is held. A person's statement after a held text counts as theirs only where a mark
says that the held text has ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Final

from engramforge.core.detection.named.entries import has_name
from engramforge.core.detection.passages import READ_CHARACTERS, sentences
from engramforge.core.detection.rule_extractor import detect, may_say
from engramforge.core.detection.whose.containers import FORMATTING, contained, talker, unopened
from engramforge.core.detection.whose.ended import HELD, is_ended, mark_spans
from engramforge.core.detection.whose.framed import framed_from
from engramforge.core.detection.whose.introductions import (
    asks_about_above,
    introduces,
    introduces_beside,
    is_title,
    tells_outcome,
)
from engramforge.core.detection.whose.letters import is_letter
from engramforge.core.detection.whose.quotations import SEVERAL, Span
from engramforge.core.detection.whose.retold import introduces_named, retold_from
from engramforge.core.detection.whose.shapes import is_foreign, odd_lines
from engramforge.core.detection.whose.surroundings import (
    answers_below,
    brought_after,
    brought_before,
    tells_of_above,
)
from engramforge.core.text.late_pattern import late
from engramforge.core.text.marks import QUOTES, folded

_LINK: Final = late(r"!?\[(?P<words>[^\[\]\n]{1,1000}+)\](?:\([^)\n]{0,1000}+\)|\[[^\[\]\n]{0,100}+\])")
_ASIDE: Final = late(r"[(\[{](?P<words>[^()\[\]{}]{10,1000})[)\]}]")
_ALONE: Final = late(r"(?m)^[^\w\n]{0,9}[(\[{](?P<words>[^()\[\]{}\n]{10,1000})[)\]}][^\w\n]{0,9}$")
_FORMATTED: Final = late(
    rf"(?i)(?:\A|[<\[](?:{FORMATTING})\b[^<>\[\]\n]{{0,200}}[>\]])(?P<words>[^<>\[\]]{{1,1000}})"
    rf"(?:[<\[]/(?:{FORMATTING})[>\]]|\Z)"
)
"""What stands between tags that only format, also where one of them is missing."""
_COLON: Final = late(r":(?:[*_]{0,3})(?=\s|$)")
_LIST: Final = late(r"\s*(?:[-*+\u2022#>]|\d{1,3}[.)]|\[[ xX]\])\s")
_RECORD: Final = late(r"\s*(?:(?:---|\+\+\+)\s*\n|#{1,3}\s+\S|\S.{0,100}\n {0,3}={3,}\s*\n)")
_PAGE: Final = late(
    r"(?im)^ {0,3}#{1,6}[ \t]+(?:licen[cs]e|install\w*|usage|(?:getting|quick) ?start\w*|contribut\w+|features"
    r"|changelog|roadmap)\b"
)
"""A section that a project's page has and no decision record."""
_STATUS: Final = late(r"(?im)^ {0,3}#{1,6}[ \t]+\W{0,3}status\b")
_QUOTES: Final = tuple("".join(QUOTES))
_QUOTING: Final = late(rf"\s*(?:>|[{''.join(QUOTES)}])")
_MARKED: Final = late(r"\s*(?:<[^<>]{1,40}>|\[[^\[\]]{1,40}\])")
_KNOWN_BY: Final = 24
_SHOWN, _MORE = 40, " \u2026"
_SPREAD: Final = 400
_OWN_SHARE: Final = 0.6
"""The least share of a message that a person's own words have, for it to be theirs."""


@dataclass(frozen=True, slots=True)
class Parted:
    """`own`: the words of who speaks, "" if there are none; `held`: texts that the message only holds."""

    own: str
    held: str


@lru_cache(maxsize=4)
def parted(text: str, *, is_person: bool) -> Parted:
    """A message's own words, and those that it only holds; of its first 50,000 characters.

    `is_person`: whether a person speaks; an assistant's answer may have headings and be long.
    """
    text = "\n".join(text[:READ_CHARACTERS].replace(HELD, " ").splitlines())
    plain, places = folded(text)
    marks = _marked(plain, is_person=is_person)
    if marks is None:
        return Parted("", text)
    if len(plain) == len(text):
        return Parted(_where(text, marks, 0), _where(text, marks, 1))
    shown = bytearray(len(text))
    for mark, begin, end in zip(marks, places, places[1:], strict=False):
        shown[begin:end] = bytes((mark,)) * (end - begin)
    return Parted(_where(text, shown, 0), _where(text, shown, 1))


def _marked(text: str, *, is_person: bool) -> bytearray | None:
    """For each character whether it is only held; None if the whole text is."""
    marks = bytearray(len(text))
    spans = [*contained(text, is_person=is_person), *_linked(text)]
    mark_spans(marks, spans)
    # A mark that closes what nothing opened hides no introduction that stands above it.
    hidden = frozenset(unopened(text)) if is_person else frozenset()
    mark_spans(seen := bytearray(len(text)), (span for span in spans if span not in hidden))
    mark_spans(marks, _introduced(text, _masked(text, seen), is_person=is_person))
    if is_person:
        if (odd := odd_lines(_masked(text, marks))) is not None:
            marks[odd:] = b"\1" * (len(text) - odd)
        mark_spans(marks, _brought(text, _masked(text, marks)))
    own = _masked(text, marks).replace(HELD, "").strip() if is_person else ""
    if own and (is_letter(text, own) or is_foreign(own)):
        return None
    return marks


def held_by(text: str, own: str, sentence: str) -> str:
    """What shows that a sentence is only held, in a few words: who or what stands before it.

    `text`: the message; `own`: the part of it that is its speaker's.
    """
    begin = max(text.find(sentence[:_KNOWN_BY]), 0)
    above, _, beside = text[:begin].rpartition("\n")
    line = beside + sentence
    if label := talker(line):
        return f'behind "{label}:"'
    if _QUOTING.match(line) or beside.rstrip().endswith(_QUOTES):
        return "quoted"
    if mark := _MARKED.match(line):
        return f"between marks, {mark[0]}"
    its = set(map(str.strip, own.split("\n"))) - {""}
    sides = {"behind": [beside], "below": above.split("\n")[::-1], "above": text[begin:].split("\n")}
    for place, side in sides.items():
        if lead := next((line.strip() for line in side if line.strip() in its), ""):
            return f'{place} "{lead[:_SHOWN].rstrip()}{_MORE * (len(lead) > _SHOWN)}"'
    return "in somebody else's text"


def is_record_alone(text: str, *, is_read: bool) -> bool:
    """Whether a text is a decision record that nothing introduces: it begins with its title.

    `is_read`: whether its decision section was found; otherwise it needs a status.
    """
    if _RECORD.match(text) is None or _PAGE.search(text) is not None:
        return False
    return is_read or _STATUS.search(text) is not None


def _linked(text: str) -> Iterator[Span]:
    """Links whose words state something by themselves: those of the page that they were copied with; brackets of
    several sentences or a whole line that do, and what tags that only format enclose.
    """
    links = _LINK.finditer(text) if "](" in text or "][" in text else ()
    asides = (hit for hit in _ASIDE.finditer(text) if SEVERAL.search(hit["words"]))
    formatted = _FORMATTED.finditer(text) if "<" in text or "[/" in text else ()
    for hit in (*links, *asides, *_ALONE.finditer(text), *formatted):
        if may_say(hit["words"]) and detect(hit["words"]):
            yield hit.span()


def _masked(text: str, marks: bytearray) -> str:
    """The text with every letter of a held part as a mark; lines stay."""
    if 1 not in marks:
        return text
    return "".join(
        HELD if mark and letter != "\n" else letter for letter, mark in zip(text, marks, strict=True)
    )


def _where(text: str, marks: bytearray, wanted: int) -> str:
    """The parts of a text with a mark, apart from each other."""
    if 1 not in marks:
        return "" if wanted else text
    parts: list[str] = []
    begin = 0
    for place in range(1, len(text) + 1):
        if place == len(text) or marks[place] != marks[begin]:
            if marks[begin] == wanted:
                parts.append(text[begin:place])
            begin = place
    return "\n\n".join(part for part in parts if part.strip())


def _introduced(text: str, masked: str, *, is_person: bool) -> list[Span]:
    """What own sentences introduce, down to the end, and what the last one asks about, up to the beginning."""
    spans: list[Span] = []
    if is_person and (begin := _title_end(masked)) and not is_ended(text, masked, begin):
        spans.append((begin, len(masked)))
    lines = [] if spans else masked.split("\n")
    end = len(masked.rstrip())
    for line, place in zip(lines, _places(lines), strict=True):
        found = _begins_in(line, place + len(line) < end, is_person=is_person)
        if found is not None and not is_ended(text, masked, place + found):
            spans.append((place + found, len(masked)))
            break
    # A question before a held text is about that text.
    if is_person and not masked.rstrip().endswith(HELD) and (end := _asked_about(masked)):
        spans.append((0, end))
    return spans


def _brought(text: str, masked: str) -> Iterator[Span]:
    """What the message's beginning and end show to be brought along, by what there is of own words."""
    if (begin := brought_after(masked)) is not None and not is_ended(text, masked, begin):
        yield begin, len(masked)
    elif (end := brought_before(masked)) is not None and masked[end:].strip(f"{HELD} \t\n"):
        yield 0, end


def _places(lines: Sequence[str]) -> Iterator[int]:
    return accumulate((len(line) + 1 for line in lines[:-1]), initial=0) if lines else iter(())


def _begins_in(line: str, leads: bool, *, is_person: bool) -> int | None:
    """Where in a line, or at its end, somebody else's text begins. `leads`: whether more lines come below."""
    own = line.replace(HELD, "").strip()
    if not own:
        return None
    for colon in _COLON.finditer(line[:_SPREAD]):
        before = line[: colon.start()]
        head = next(iter(list(sentences(before.strip()))[-1:]), before)
        if is_person and not leads and tells_outcome(head) and not has_name(line):
            continue
        follows = bool(line[colon.end() :].strip()) or leads
        if follows and introduces(head, is_person=is_person, at_colon=True):
            return colon.end()
    said = list(sentences(line.strip()))
    if is_person:
        place = 0
        for sentence in said:
            place = line.find(sentence, place)
            if retold := framed_from(sentence) or retold_from(sentence):
                return place + retold
            place += len(sentence)
            if sentence is said[-1]:
                continue
            if introduces_beside(sentence) or (introduces_named(sentence) and has_name(line[place:])):
                return place
    return len(line) if leads and introduces(said[-1], is_person=is_person, at_colon=False) else None


def _title_end(masked: str) -> int:
    """The end of a first line that is no sentence and has something below it; 0 if there is none."""
    begin = len(masked) - len(masked.lstrip(" \t\n"))
    end = masked.find("\n", begin)
    line = masked[begin:end]
    if end < 0 or not masked[end:].strip() or HELD in line or _LIST.match(line):
        return 0
    is_own = (may_say(line) and detect(line)) or not is_title(line) or answers_below(line, masked[end:])
    return 0 if is_own else end


def _asked_about(own: str) -> int:
    """Where the text ends that the last sentence asks about; 0 if it asks about none."""
    bare = own.rstrip(f"{HELD} \t\n")
    begin = bare.rfind("\n") + 1
    said = list(sentences(bare[begin:].strip()))
    if not said:
        return 0
    end = bare.rfind(said[-1])
    above = bare[:end].replace(HELD, "").strip()
    if not above:
        return 0
    return end if asks_about_above(said[-1]) or tells_of_above(said[-1]) else 0


def is_pasted(text: str) -> bool:
    """Whether a person's message is for the most part a text, a log or a listing that it only holds.

    >>> is_pasted("fails:\\n2026-11-30 ERROR gate timeout\\n2026-11-30 WARN gate retry 2 of 3\\n"), is_pasted("ok")
    (True, False)
    """
    return len(parted(text, is_person=True).own) < _OWN_SHARE * len(text)
