"""The options of a list in an assistant's turn: numbered, lettered, with headings of their own, or bullets alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from engramforge.core.detection.answers.momentary import are_of_the_moment, are_tasks, is_fact, is_task
from engramforge.core.detection.answers.tables import tabled
from engramforge.core.detection.passages import plain_words, sentences
from engramforge.core.text.late_pattern import late

_LONGEST: Final = 120
_MOST: Final = 8
"""Bullets of a list that is one of options."""
_OPTION: Final = r"(?:option|variant|approach|choice|alternative|way|plan)"
_ITEM: Final = late(
    rf"(?i)(?:^|(?<=[\s:(]))(?:{_OPTION} )?(?P<mark>[1-6]|[a-f])[.):][ \t]+"
    rf"(?P<said>\S.*?)(?=\s(?:{_OPTION} )?[1-6a-f][.):]\s|\n|\Z)"
    rf"|(?:^|(?<=[\s:(])){_OPTION} (?P<number>[1-6a-f])\s[\u2013\u2014-]\s(?P<told>\S[^\n]*)"
)
_BULLET: Final = late(r"(?m)^[ \t]{0,6}[-*\u2022][ \t]+(?P<said>\S[^\n]*)$")
_HEAD: Final = late(
    r"\s[\u2014\u2013-]\s|[:;,.(](?:\s|\Z)|\s\(|\s(?:which|because|since|as (?:it|they|that|this|we|you|the))\s"
)
_WHICH: Final = late(
    r"(?i)\b(?:prefer|choose|pick|go with|option|approach|rather|which (?:one |of (?:these|those|them|the \w+) )?"
    r"(?:do|would) you (?:want|like|favou?r)|which (?:one )?(?:should|shall) (?:we|i) (?:use|take|go))\b[^?]*\?\W*\Z"
)
"""Asks which way is preferred."""
_ANY: Final = late(
    r"(?i)\A\W*(?:(?:so|and|now|ok(?:ay)?)\b\W*)*(?:which(?: one| of (?:these|those|them))?(?: is it| shall it be)?"
    r"|what(?: do you| would you| d['\u2019]you) (?:think|say)(?: about (?:it|these|this))?|(?:any )?(?:thoughts"
    r"|preferences?)"
    r"|what (?:do|would) you (?:like|want|prefer)|what['\u2019]?s your (?:take|preference|pick)|your (?:call"
    r"|choice|pick)|agreed|ok(?:ay)?|sounds? (?:good|right))\W*\Z"
)
"""Asks for an answer, whatever stands above."""
_AFTER_MARK: Final = late(r"(?<=\b[A-F]\.)\s(?=[A-Z])")
"""Where a sentence ends with an item's mark, which looks like an initial: "I lean towards B. Which one?"."""
_TO_MAKE: Final = late(
    r"(?i)\A\W*(?:(?:so|and|now|ok(?:ay)?)\b\W*)*which(?: one| way| of (?:these|those|them))? (?:shall|should) (?:i|we)"
    r" (?:build|implement|make|wire(?: up)?|scaffold|set up|take|use)\b[^?]{0,40}\?\W*\Z"
)
"""Asks which of several ways is to be built."""
_FOR_THAT: Final = late(
    r"(?i)\b(?P<matter>for (?:the |our |your |an? )?(?!(?:it|this|that|them|you|us|me|now|each|all)\b)[\w'-]{2,30}"
    r"(?: (?!(?:there|we|you|i|are|is|have)\b)[\w'-]{2,30}){0,3})"
    r"(?: (?:there (?:are|is)|(?:we|i|you) (?:have|see|could use)))?\s*[:.?]*\s*\Z"
    r"|\A\W*(?:(?:first|next|now|then|so|ok(?:ay)?|happy to|sure|good)\b[\s,.]*)*(?P<named>(?:the|our"
    r"|your) [\w'-]{2,30}(?: [\w'-]{2,30}){0,2})\s*:\s*\Z"
)
"""Ends with what the ways are for: "Three candidates for the plot view:", "First the plot view:"."""
_SHAPE: Final = late(
    r"(?i)\b(?:how|where|what|which(?: [\w'-]+){0,4}?|as what|in which \w+)\b[^?]*?"
    r"\b(?:should|shall|do|does|would|could|can|to|go(?:es)?|will)\b[^?]*\?\W*\Z"
)
"""Asks how a thing shall be."""
_WAYS: Final = late(
    r"(?i)\b(?:ways?|options?|approach(?:es)?|alternatives?|choices?|possibilit(?:y|ies)|candidates?|variants?"
    r"|routes?|solutions?|strateg(?:y|ies)|designs?|either)\b"
)
_OTHERS: Final = late(
    r"(?i)\b(?:next steps?|steps|to-?dos?|tasks?|plan|findings?|problems?|errors?|issues?|bugs?|questions?"
    r"|changes|risks?"
    r"|reasons?|causes?|results?|summary|requirements?|advantages|drawbacks|steps|fail(?:s|ed|ures?)|warnings?)\b"
    r"|\b(?:i|we)(?:['\u2019]ve| have)?(?: now| also| just| already)?"
    r" (?:did|changed|made|fixed|added|removed|wrote|updated|renamed|moved|ran|checked|will|plan to)\b"
    r"|\b(?:done|finished)\b"
)
_DONE: Final = late(
    r"(?i)(?:\w{2,}ed (?:the|a|an|all|some|its|our|your|it|this|that|two|three|\d)\b|(?:made|wrote|built|ran|took"
    r"|did) )"
)


_Marked = tuple[str, str, re.Match[str]]
"""An item's mark, its head and where it stands."""


@dataclass(frozen=True, slots=True)
class Listed:
    """The heads of a list's items, the text before and behind it, and whether its items are called options."""

    heads: tuple[str, ...]
    above: str
    below: str
    is_of_options: bool = False


def listed(end: str) -> Listed | None:
    """The last list of a turn, which counts from 1 or A, or has bullets; or its table, where that is one of options."""
    table = tabled(end)
    if table is not None:
        return Listed(table.heads, end[: table.begin], end[table.end :], table.is_of_options)
    return _marked(end) or _bulleted(end)


def _marked(end: str) -> Listed | None:
    found = [
        ((hit["mark"] or hit["number"]).lower(), _head(hit["said"] or hit["told"]), hit)
        for hit in _ITEM.finditer(end)
    ]
    for first in ("1", "a"):
        marked = [each for each in found if each[0].isdigit() == first.isdigit()]
        begins = [at for at, each in enumerate(marked) if each[0] == first]
        run = _without_mentions(marked[begins[-1] :], end) if begins else []
        wanted = [chr(ord(first) + at) for at in range(len(run))]
        if len(run) > 1 and [mark for mark, _, _ in run] == wanted and all(head for _, head, _ in run):
            begin, stop = run[0][2], run[-1][2]
            heads = tuple(head for _, head, _ in run)
            below = f"{_asked_behind(stop['said'] or '')}{end[stop.end() :]}"
            return Listed(heads, end[: begin.start()].rstrip(" #"), below, begin[0][1:2].isalpha())
    return None


def _without_mentions(run: list[_Marked], end: str) -> list[_Marked]:
    """Items without those behind the list that only end a sentence: "I'd lean towards 2. Which one?"."""
    marks = [mark for mark, _, _ in run]
    count = next((at for at in range(1, len(marks)) if marks[at] <= marks[at - 1]), len(marks))
    is_mention = all("\n" not in end[hit.start() - 2 : hit.start()] for _, _, hit in run[count:])
    return run[:count] if count > 1 and is_mention else run


def _bulleted(end: str) -> Listed | None:
    """The last bullets of a turn, with nothing but their own lines between them."""
    runs: list[list[tuple[int, int, str]]] = []
    for hit in _BULLET.finditer(end):
        item = (hit.start(), hit.end(), _head(plain_words(hit["said"])))
        is_next = runs and not end[runs[-1][-1][1] : hit.start()].strip()
        if is_next:
            runs[-1].append(item)
        else:
            runs.append([item])
    run = runs[-1] if runs else []
    if not 1 < len(run) <= _MOST or not all(head for *_, head in run):
        return None
    return Listed(tuple(head for *_, head in run), end[: run[0][0]], end[run[-1][1] :])


def _asked_behind(said: str) -> str:
    """The question that stands in the line of a list's last item: "2. plain files. Which do you prefer?"."""
    parts = [each.strip() for each in sentences(said)]
    return parts[-1] if len(parts) > 1 and parts[-1].endswith("?") else ""


def _head(said: str) -> str:
    head = said[: end.start()] if (end := _HEAD.search(said)) else said
    return head.lstrip(" \"'#").rstrip(" .?!\"'#") if len(head) <= _LONGEST else ""


def ways_of(found: Listed, asked: str = "") -> tuple[tuple[str, ...], str] | None:
    """The heads of a list of ways that somebody is asked to choose from, and the question above it that tells the
    matter, "" for none; None where it lists tasks, things done or anything else. `asked`: the question that the turn
    answers, if any.
    """
    above, below = _last(found.above), _last(found.below)
    question = above if above.endswith("?") else ""
    last = below or question
    if any(map(_is_other, filter(None, (question, below)))):
        return None
    if 2 * sum(_DONE.match(head) is not None for head in found.heads) >= len(found.heads):
        return None
    if are_of_the_moment(found.heads, is_of_a_thing=True):
        return None
    is_of_ways = found.is_of_options or _WAYS.search(above) is not None
    is_shaped = question != "" and _SHAPE.search(question) is not None
    if not (is_of_ways or is_shaped) and _OTHERS.search(above) is not None:
        return None
    about = question if is_shaped else _matter_of(found.above) or _matter_of(below)
    if is_shaped or _WHICH.search(last):
        return found.heads, about
    is_asked = _ANY.match(below) or _TO_MAKE.match(below)
    if is_of_ways and (not below or not below.endswith("?") or is_asked):
        return found.heads, about
    is_answer = not below and asks_for_a_way(asked)
    if (is_answer or _ANY.match(below)) and not are_tasks(found.heads):
        return found.heads, about
    return None


def _matter_of(text: str) -> str:
    """What the last words of a text say that ways are for; "" for nothing."""
    line = text.rstrip().rpartition("\n")[2]
    said = [each for each in sentences(plain_words(line)) if each.strip()]
    hit = _FOR_THAT.search(said[-1].strip()) if said else None
    if hit is None:
        return ""
    return f"for {hit['named']}" if hit["named"] else f"for {hit['matter'][4:]}"


def asks_which(sentence: str) -> bool:
    """Whether a sentence asks which of what stands before it is wanted."""
    return (_WHICH.search(sentence) or _ANY.match(sentence)) is not None and not _is_other(sentence)


def asks_for_a_way(question: str) -> bool:
    """Whether a question asks how a thing shall be, and not what to do next nor how something is."""
    return (_SHAPE.search(question) or _WHICH.search(question)) is not None and not _is_other(question)


def _is_other(question: str) -> bool:
    return question.endswith("?") and (is_task(question) or is_fact(question))


def _last(text: str) -> str:
    """The last sentence of a text."""
    lines = [each for line in text.splitlines() if (each := plain_words(line).strip(" #"))]
    said = [each.strip() for each in sentences(lines[-1])] if lines else []
    return _AFTER_MARK.split(said[-1])[-1] if said else ""
