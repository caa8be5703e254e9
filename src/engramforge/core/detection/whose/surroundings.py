"""Whether what stands before or after a text shows that it is somebody else's, by the shape of the whole message.

No list of introductions ends, so what is looked at is who speaks in each sentence. Somebody who states something
speaks of what they do ("we", "I", "you") or leans on what was said ("it works now"). Where a message begins or ends
with a heading, a label, a request or a question, and the rest holds sentences in which nobody of the conversation
speaks, the rest was brought along.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice, pairwise
from typing import Final

from engramforge.core.detection.cues.topic_words import work_words
from engramforge.core.detection.named_entries import has_name
from engramforge.core.detection.passages import sentences
from engramforge.core.detection.rule_extractor import detect, may_say
from engramforge.core.detection.said_parts import alternatives_line, reason_line
from engramforge.core.detection.settling import settles
from engramforge.core.detection.whose.introductions import (
    TEXT_NOUN,
    asks_for_else,
    asks_for_work,
    brings,
    hands_over,
    is_label_of_own,
    is_signal,
    names_text,
    own_part,
    points_at_text,
    tells_of_above,
)

_SPEAKS: Final = re.compile(
    r"(?i)\b(?:i|we|me|us|my|our|ours|mine|let's|you|your|yours|claude|ich|wir|mich|uns|unser\w*|mein\w*"
    r"|je|nous|notre|yo|nosotros|nuestr\w+)\b|\bj['\u2019]"
)
_CALLS: Final = re.compile(r"(?i)\b(?:i|we|us|our|you|your|ich|wir|du|nous|vous|tu)\b")
_OWN: Final = re.compile(
    r"(?i)\W*(?:for [^,:.]{3,60}?,? )?(?:we|i|wir|ich|nous|nosotros|hemos|on a)(?:['\u2019]\w{1,2})?\b"
)
_LEANS: Final = re.compile(
    r"(?i)\W*(?:it|they|that|this|these|those|he|she|both|so|but|and|then|because|also|there|none|all of)\b"
)
_KNOWN: Final = re.compile(
    r"(?i)\W*the (?:\w+ )?(?:ones?|other|others|same|rest|old|new|current|existing|first|second|last)\b"
)
"""Speaks of a thing as one that was named: "The old one is slow"."""
_MARK: Final = re.compile(
    r"\s(?:--?|\u2014|\u2013|[-=]>|\u2192|=|::|\|)\s+|:{1,2}\s+|(?<=\w)>\s+|(?<=\S)[)\]]\s+(?=[A-Z])"
)
_FROM: Final = re.compile(r"(?i)\b(?:from|by|via|per|of|says?|said|wrote|at)\b")
_CERTAIN_MARK: Final = re.compile(r"\s*(?:[-=]>|\u2192|=|::|\||>)\s*\Z")
_ATTRIBUTES: Final = re.compile(
    r"(?i)\s*(?:[-\u2013\u2014~]{1,3}\s?(?=\w)|\^|\(?(?:source|from|via|quoted|posted|taken|see|by|aus|von|quelle"
    r"|fuente)\b)|[\[(][^\])]*[\])]\W*\Z"
)
_NUMBERED: Final = re.compile(
    r"\W*(?:[^\W\d_]+ (?:\d+|[A-Z]|(?i:one|two|three|four|five|six))|(?:p|pp|s|\u00a7)\W*\d+)[.:]?\s+(?=[A-Z])"
)
_HAS_VERB: Final = re.compile(
    r"(?i)\b(?:is|are|was|were|has|have|had|will|works?|went|goes|can|does|did|runs?|go|lives?|uses?|gets?|stays?|moves?|keeps?|needs?|\w{2,}ed)\b|['\u2019]s\b"
)
_TEXT_ASKED: Final = re.compile(
    rf"(?i)\W*(?:[\w'\u2019./@-]+\s+){{0,8}}?{TEXT_NOUN}\b(?:\s+[\w'\u2019./@-]+){{0,8}},\s+(?:is|are|was|were"
    rf"|do|does|did|what|how|why"
    r"|which|who|where|any|should|can|could|would|has|have)\b[^\n]{0,160}\?\W*\Z"
)
_TEXT_WANTED: Final = re.compile(
    rf"(?i)(?:\b{TEXT_NOUN}|\w\.(?:pdf|docx?|txt|md|csv|html?|rst))\b[^\n,]{{0,80}},\s+(?:please|pls|(?:can"
    rf"|could|would|will) you)\b"
)
"""A text that is named, with a question behind it: "Release notes of X, do we have to change anything?"."""
_PRESENTS: Final = re.compile(r"(?i)\W*(?:here(?:['\u2019]s| is| are)|this is|these are)\b")
_IS_THIS: Final = re.compile(
    r"(?i)\W*(?:so |and |ok |hey )?(?:is|are|was|does|do|did|what|who|how|why|which|should|can"
    r"|could)\b(?: \w+){0,3}? (?:this|these|that)\b"
)
_SECTION: Final = re.compile(
    r"(?i)\W*(?:\d[\d.]*\s+)?(?:abstract|introduction|preface|preamble|foreword|prologue|executive summary|summary"
    r"|quick recap|(?:section|chapter|part|clause|article|appendix|annex|slide|page) (?:\d[\d.]*|[ivx]+|[a-z]))\W*"
)
_ITEM: Final = re.compile(r"\s*(?:[-*+\u2022]|\d{1,3}[.)]|\[[ xX]\])\s")
_SHORT: Final = 4
_LINE: Final = 160
_READ: Final = 12
"""Sentences of the rest that are looked at."""


def brought_after(text: str) -> int | None:
    """Where in a person's message the text begins that its beginning shows to be brought along; None if none."""
    begin = len(text) - len(text.lstrip())
    line, _, below = text[begin:].partition("\n")
    if len(line) <= _LINE and below.strip() and _leads_below(line.strip(), below):
        return begin + len(line)
    mark = _MARK.search(line, 0, _LINE)
    if mark is not None and _labels(line[: mark.end()], mark[0], line[mark.end() :]):
        return begin + mark.end()
    numbered = _NUMBERED.match(line)
    if numbered is not None and _is_part(numbered[0], line[numbered.end() :]):
        return begin + numbered.end()
    said = list(islice(sentences(line.strip()), _READ))
    if len(said) > 1 and _leads_beside(said[0], said[1:]):
        return begin + line.find(said[0]) + len(said[0])
    return None


def brought_before(text: str) -> int | None:
    """Where in a person's message the text ends that its last line shows to be brought along; None if none."""
    bare = text.rstrip()
    begin = bare.rfind("\n") + 1
    last, above = bare[begin:].strip(), bare[:begin].strip()
    if above and any(map(tells_of_above, sentences(last[: 2 * _LINE]))):
        return begin
    if not above or len(last) > _LINE or is_signal(last) or is_label_of_own(last) or _states(last):
        return None
    is_listed = _ITEM.match(above[above.rfind("\n") + 1 :]) is not None
    if _ATTRIBUTES.match(last) and not is_listed and not last.endswith((".", "!", "?", ":")):
        return None if _SPEAKS.search(last[:12]) and last[0] != "(" else begin
    rest = _first_sentences(above)
    if len(rest) < 2 or is_listed:
        return None
    is_bare = len(last.split()) <= _SHORT and not last.istitle() and not _SPEAKS.search(last)
    if points_at_text(last) or (is_bare and not last.endswith(("!", "."))):
        return begin
    is_request = (last.endswith("?") or asks_for_work(last)) and not (
        _SPEAKS.search(last) or asks_for_else(last)
    )
    is_foreign = _is_any_detached(rest) or not any(
        _SPEAKS.search(each) or _states(each) or settles(each) for each in rest
    )
    return begin if is_request and is_foreign else None


def is_detached(sentence: str) -> bool:
    """Whether nobody of the conversation speaks in a sentence, nothing is stated or asked, and it leans on nothing."""
    if len(sentence.split()) < _SHORT or sentence.endswith("?"):
        return False
    is_led = _LEANS.match(sentence) or _KNOWN.match(sentence)
    return not (is_led or _SPEAKS.search(sentence) or _states(sentence))


def _is_any_detached(said: Sequence[str]) -> bool:
    """Whether one of several sentences is detached, and neither decided by the next nor part of a decision."""
    return any(
        is_detached(each)
        and not (settles(each) or settles(after) or reason_line(each) or alternatives_line(each))
        for each, after in pairwise([*said, ""])
    )


def _leads_below(line: str, below: str) -> bool:
    """Whether a line that is no talk of one's own stands above several sentences."""
    rest = _first_sentences(below)
    if settles(rest[0]):
        return False
    if hands_over(line):
        return _is_any_detached(rest)
    if below.startswith("\n") and _asks_of_text(line) and not _states(line):
        return True
    if is_label_of_own(line) or is_signal(line) or _states(line):
        return False
    is_list = all(_ITEM.match(each) for each in below.split("\n") if each.strip())
    if brings(line):
        return len(rest) > 1 or line.endswith(":")
    if names_text(line.rstrip(":")) and not is_list:
        return True
    is_talk = _SPEAKS.search(own_part(line)) is not None and not asks_for_work(line)
    if len(rest) < 2 or is_list:
        return False
    if (line.endswith("?") or asks_for_work(line)) and not _CALLS.search(line) and below.startswith("\n"):
        return True
    if line.endswith(":"):
        return not is_talk or _is_any_detached(rest)
    return not is_talk and _is_any_detached(rest)


def _asks_of_text(line: str) -> bool:
    """Whether a paragraph names a text and asks about it, or asks about what it only calls "this"."""
    said = list(islice(sentences(line), _READ))
    if (
        _TEXT_ASKED.match(line)
        or _TEXT_WANTED.search(line)
        or ((len(said) > 1 or "," in line) and _PRESENTS.match(line) and line.endswith("?"))
    ):
        return True
    if asks_for_work(line) and points_at_text(line):
        return True
    return any(each.endswith("?") and _IS_THIS.match(each) for each in said)


def _labels(label: str, mark: str, rest: str) -> bool:
    """Whether a label of some words in front of a text names where that is from."""
    head = label.strip() if mark[0] in ")]" else label[: -len(mark)].strip()
    if (
        not head
        or is_label_of_own(head)
        or is_signal(head)
        or _states(head)
        or len(head.split()) > 3 * _SHORT
    ):
        return False
    if brings(head) or names_text(head):
        return True
    is_certain = _CERTAIN_MARK.match(mark) is not None
    if _SPEAKS.search(head) or (_HAS_VERB.search(head) and not is_certain):
        return False
    said = list(islice(sentences(rest), _READ))
    is_topic = len(head.split()) <= _SHORT and not mark.strip("= :") and not has_name(rest)
    is_typed = head.islower() and rest[:1].islower() and len(said) <= 2 and not _FROM.search(head)
    is_typed = is_typed and (" " in head or work_words(head) > 0)
    if is_topic and (is_typed or (len(said) > 1 and settles(said[1])) or _is_told(head, said)):
        return False
    return bool(said) and (is_certain or len(said) > 1)


def _is_told(topic: str, said: Sequence[str]) -> bool:
    """Whether behind a topic, which is no name, somebody states what "we" do, and at most asks for more."""
    is_name = " " not in topic and topic.istitle()
    rest = said[1:]
    begins = said and not is_name and (_OWN.match(said[0]) or any(map(asks_for_else, rest)))
    return bool(begins) and _states(said[0]) and all(is_signal(each) or asks_for_else(each) for each in rest)


def _is_part(label: str, rest: str) -> bool:
    """Whether a label with a number, such as "Exhibit A.", leads several sentences."""
    return len(list(islice(sentences(rest), 2))) > 1 and not is_label_of_own(label) and not _states(label)


def _leads_beside(head: str, rest: Sequence[str]) -> bool:
    """Whether a first sentence is a heading, a request or a report, and what follows is not its writer's."""
    if is_label_of_own(head) or _states(head) or head.endswith("!"):
        return False
    if _SECTION.fullmatch(head):
        return True
    if brings(head) or points_at_text(head):
        return len(rest) > 1 or _is_any_detached(rest)
    if _LEANS.match(rest[0]) or settles(rest[0]):
        return False
    is_heading = len(head.split()) <= _SHORT and not (_HAS_VERB.search(head) or is_signal(head))
    is_heading = is_heading and not _CALLS.search(rest[0])
    is_request = head.endswith("?") or asks_for_work(head)
    if not (is_heading or is_request) or (is_request and len(rest) == 2 and _SPEAKS.search(rest[1])):
        return False
    return _is_any_detached(rest) or (len(rest) > 2 and not _SPEAKS.search(head) and not _LEANS.match(head))


def _states(sentence: str) -> bool:
    return may_say(sentence) and bool(detect(sentence))


def _first_sentences(text: str) -> list[str]:
    """The first sentences of the first lines of a text."""
    found: list[str] = []
    for line in islice((line for line in text.split("\n") if line.strip()), _READ):
        found += islice(sentences(line.strip()), _READ)
    return found[:_READ]
