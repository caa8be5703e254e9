"""Which open thread a person means who says in plain words that something is over. A wrong end is worse than none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final

from engramforge.core.registries.closed.deeds import is_acted, is_come, is_done_by, is_replaced
from engramforge.core.registries.closed.doers import tells_surely_who, tells_who
from engramforge.core.registries.closed.matters import (
    ASKS_WHOM,
    ASKS_WITHIN,
    BESIDE_IT,
    FAULTS,
    asks,
    core_of,
    fault_in,
    is_most,
    matter_of,
)
from engramforge.core.registries.closed.questions import is_answered, is_answered_under, is_decided
from engramforge.core.registries.closed.subjects import ASIDE, is_given, is_subject
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import stem_of, stem_set


class Over(StrEnum):
    """In which words somebody says that something is over, which says what has to be the same.

    NAMED: the matter by its name; LISTED: by a part of its name that says it is one ("the labels todo"); ACTED: what
    was to be done as done, the verb first; DID: the same, behind who did it; COME: that what was to be got is there;
    MENDED: a thing, or its fault, that was faulty; REPLACED: a thing in whose place there is another; WORKS: a thing
    that was to be made; HAS: a thing, and what it lacked; TOLD: what happened, beside words that say that this was it;
    ANSWERED: a statement that is said to settle a question; SENT: who sent what; REPLIED, SAID: who answered, or told
    something, and what; THERE: things that are where they were to be; CLEARED: what was told before "done"; DECIDED: a
    decision, which may be the answer to a question; TOPIC: what a matter is called, and an answer;
    WHO: somebody, and what they do.
    """

    NAMED = "closed in plain words"
    LISTED = "closed as one of a list"
    ACTED = "told as done"
    DID = "told who did it"
    COME = "told to have come"
    MENDED = "told to work again"
    REPLACED = "told to be replaced"
    WORKS = "told to work"
    HAS = "told to have it"
    TOLD = "told, and done with it"
    ANSWERED = "answered and settled"
    SENT = "told to have been sent"
    REPLIED = "told what somebody answered"
    SAID = "told what somebody said"
    THERE = "told to be in its place"
    CLEARED = "told to the end"
    DECIDED = "answered by a decision"
    CAUSED = "told what it was"
    TOPIC = "answered under its name"
    WHO = "told who does it"


_FEWEST: Final = 2
_BEHIND: Final = late(
    r"(?i)\s(?:for|in|of|on|with|from|about|at|into|before|after|until|till|by|so that|because|since|when|once|as"
    r"|and)\s"
)
"""Begins what a title says beside its matter."""
_DOES: Final = late(
    r"(?i)(?:\A\W*|\b(?:to|gotta|must|should|still|lets|let['\u2019]?s)\s)(?P<verb>"
    r"(?!(?:the|this|that|these|those|all|our|some|any|each|every|both|many|more|most|other|which|what|who|why|how|when"
    r"|there|they|his|her|their|your|its|not|one|two)\b)[a-z-]{3,20}) (?:(?:the|all|our|my"
    r"|those|these|every|both|an?|old|new)\b|[a-z-]{2,20}s\b)"
)
"""What a title says to do to something."""
_MAKING: Final = stem_set("""
add automate build code create debug draft finish fix get implement install make mend port program redo repair rewrite
script set test try wire write
""")

_OF_IT: Final = late(r"(?i)\s(?:thing|stuff|problem|issue|matter|business|story)\b")
"""Stands for a matter behind its name."""
_MENDS: Final = late(
    r"(?i)\b(?:fix|repair|mend|debug|replace|check|look (?:at|into)|solve|find out why|investigate|unclog|tighten)\b"
)
"""Says that something is to be mended."""


def meant_thread(what: str, titles: Sequence[str], over: Over = Over.NAMED) -> int | None:
    """The place of the only title whose matter is what somebody says to be over; None for none, or for several.

    >>> titles = ("write the privacy page", "which font do we use?", "who owns the domain?", "move the domain")
    >>> [meant_thread(each, titles) for each in ("the privacy page", "the font question", "the domain", "the map")]
    [0, 1, None, None]
    >>> meant_thread("moved the domain", titles, Over.ACTED)
    3
    >>> meant_thread("dedupe", ("dedupe all customer names before the import", "import the new names"))
    0
    """
    alike = [place for place, title in enumerate(titles) if _FITS[over](what, title)]
    if not alike and over in _SHORTLY:
        alike = [place for place, title in enumerate(titles) if _is_named_shortly(what, title)]
        # Where no title is as short: the only one that has all these words.
        alike = alike or [place for place, title in enumerate(titles) if is_subject(what, title)]
        alike = alike or _only_of(what, titles)
    if len({titles[place] for place in alike}) != 1:
        return None
    is_short = over in _SHORTLY and not matter_of(titles[alike[0]]) <= matter_of(what)
    others = [title for title in titles if is_short and title != titles[alike[0]] and is_subject(what, title)]
    return None if others else alike[0]


def meant_again(what: str, titles: Sequence[str], *, is_named: bool = False) -> int | None:
    """The place of the only title that tells of a fault of what is said to be amiss again; None for none, or several.
    `is_named`: somebody only wants it open again, whatever it is about.

    >>> titles = ("the winch jams in the rain", "paint the winch house", "repair the bilge pump")
    >>> [meant_again(each, titles) for each in ("the winch", "the bilge pump", "the winch house", "the mast")]
    [0, 2, None, None]
    >>> meant_again("the winch house", titles, is_named=True)
    1
    """
    what = _OF_IT.sub(" ", what)
    if is_named:
        return meant_thread(what, titles)
    places = [at for at, each in enumerate(titles) if fault_in(each) is not None or _MENDS.search(each)]
    found = meant_thread(what, [titles[at] for at in places], Over.MENDED)
    return None if found is None else places[found]


_COMPLEMENT: Final = late(r"(?i)\s(?:for|of)\s")
"""Behind these stands what a matter is for, or part of."""


def _only_of(what: str, titles: Sequence[str]) -> list[int]:
    """The title that alone has all these words, where they are half at least of what it says first."""
    said = matter_of(what)
    having = [place for place, title in enumerate(titles) if said and said <= matter_of(title)]
    if len(having) != 1:
        return []
    first = ASIDE.split(titles[having[0]], maxsplit=1)[0]
    # "The parser is done" leaves the tests for the parser.
    is_beside = said.isdisjoint(matter_of(_COMPLEMENT.split(first, maxsplit=1)[0]))
    return (
        having
        if not is_beside and said <= matter_of(first) and 2 * len(said) >= len(matter_of(first))
        else []
    )


def is_of_another(what: str, title: str) -> bool:
    """Whether what is over and a thread each have a word of their own: "the leak in the upload worker" is not the one
    "in the thumbnail worker"."""
    said, matter = matter_of(what), matter_of(title)
    return bool(said - matter) and bool(matter - said)


def _is_named(what: str, title: str) -> bool:
    """Whether words name a matter: half of it at least and nothing else, or all of it beside others."""
    said, matter = matter_of(what), matter_of(title)
    if not said or not matter:
        return False
    # What a title is about is before its "for": done with the parser are no "tests for the parser".
    head = matter_of(BESIDE_IT.split(title, maxsplit=1)[0])
    if head and head.isdisjoint(said):
        return False
    return is_most(said, matter) or (matter <= said and len(matter) > 1)


def _is_named_shortly(what: str, title: str) -> bool:
    """Whether words name the head of what is to be done, or the doing itself: "dedupe" is "dedupe all names before
    the import". A question is not closed so: nobody says then what the answer is."""
    said = matter_of(what)
    if not said or asks(title) or ASKS_WITHIN.search(title):
        return False
    head = matter_of(_BEHIND.split(title, maxsplit=1)[0])
    does = _DOES.search(title)
    if does is None:
        return False
    return said == matter_of(does["verb"]) or (said <= head and 2 * len(said) >= len(head))


def _is_working(what: str, title: str) -> bool:
    """Whether a title says to make, or to mend, what is told to work."""
    does = _DOES.search(title)
    is_made = does is not None and stem_of(does["verb"].lower()) in _MAKING
    if asks(title) or not (is_made or fault_in(title) is not None):
        return False
    return _is_named(what, title) or _is_named_shortly(what, title)


def _is_listed(what: str, title: str) -> bool:
    said = matter_of(what)
    return bool(said) and said <= matter_of(title)


def _is_mended(what: str, title: str) -> bool:
    """Whether a title tells that a thing is faulty which is told to work again, or the fault itself."""
    said, at = matter_of(what), fault_in(title)
    # "The login bug" is that the login fails.
    said = (at is not None and said - FAULTS) or said
    if at is None or not said <= matter_of(title):
        return _is_named(what, title)
    before = matter_of(_FILE_PARTS.sub(" ", title[:at]))
    before = frozenset(each for each in before if "_" not in each)
    return _is_named(what, title) or (bool(before) and before <= said)


_FILE_PARTS: Final = late(r"(?<!\S)(?:[\w.-]{1,60}/){1,12}|(?<=\w)\.[a-z]{1,6}(?::\d{1,6}){0,2}(?!\w)")
"""Where a file is, and of what kind it is, which nobody says who speaks of it."""


def _is_told(what: str, title: str) -> bool:
    said, matter = matter_of(what), matter_of(title)
    same = said & matter
    is_near = 2 * len(same) >= len(matter) and 2 * len(same) >= len(said)
    return _is_named(what, title) or (len(same) >= _FEWEST and is_near)


def _is_replied(what: str, title: str) -> bool:
    """Whether a title says to ask those who answered; where they answered about something, about that."""
    who, _, told = what.partition(": ")
    if (topic := _asked_for(who, title)) is None:
        return False
    about = _ABOUT.match(told)
    return about is None or not topic or not topic.isdisjoint(core_of(about["what"]))


def _is_sent(what: str, title: str) -> bool:
    """Whether a title waits for what somebody sent, from them or by asking them."""
    who, _, thing = what.partition(": ")
    name, said, matter = core_of(who) - _HONORIFICS, core_of(thing), core_of(title)
    if not any(map(str.isdigit, matter)):
        said = frozenset(each for each in said if not each.isdigit())
    if not (name and said and name <= matter and said <= matter - name):
        return False
    if (asked := _asked_for(who, title)) is not None:
        return said <= asked
    return any(name <= core_of(hit["who"]) for hit in _FROM.finditer(title))


def _is_said(what: str, title: str) -> bool:
    """Whether a title says to ask those who said something, for what they speak of."""
    who, _, told = what.partition(": ")
    if tells_surely_who(f"{who} says {told}", title):
        return True
    topic = _asked_for(who, title)
    return topic is not None and bool(topic) and 2 * len(topic & core_of(told)) >= len(topic)


def _asked_for(who: str, title: str) -> frozenset[str] | None:
    """What somebody is to be asked by a title; None where it is somebody else, or nobody, who is to be asked."""
    name = core_of(who) - _HONORIFICS
    hit = ASKS_WHOM.search(title)
    asked = frozenset[str]() if hit is None else core_of(hit["who"])
    if not name or not name <= asked:
        return None
    return core_of(f"{title[: hit.start()]} {title[hit.start('who') :]}" if hit else "") - name - _HONORIFICS


def _is_there(what: str, title: str) -> bool:
    """Whether a title says to bring things where they are told to be."""
    things, _, place = what.rpartition(" in ")
    hit = _BRINGS.search(title)
    if hit is None or not core_of(place) or not core_of(place) <= core_of(hit["place"]):
        return False
    matter = core_of(hit["what"])
    return bool(core_of(things) & matter) and is_most(core_of(things), matter)


def _is_caused(what: str, title: str) -> bool:
    """Whether a title tells a fault, or asks for its cause, of what is told to have been something else."""
    is_open = fault_in(title) is not None or ASKS_WITHIN.search(title) is not None
    return is_open and (_is_named(what, title) or is_subject(what, title, is_answer=True))


def _is_cleared(what: str, title: str) -> bool:
    """Whether a title only wants something cleared up, of which somebody told to the end."""
    if not asks(title) and _CLEARS.search(title) is None:
        return False
    said = core_of(what)
    matter = next(
        (each for part in _PARTS.split(title) if len(each := core_of(part)) >= _FEWEST), core_of(title)
    )
    same = said & matter
    return len(same) >= _FEWEST and 2 * len(same) >= len(matter)


_HONORIFICS: Final = frozenset(("frau", "herr", "mr", "mrs", "ms", "miss", "dr", "prof", "madam"))
_ABOUT: Final = late(r"(?i)\A\W*(?:about|on|regarding|concerning|as for)\s(?P<what>[^,;:]{2,80})")
_FROM: Final = late(
    r"(?i)\b(?:from|of|by)\s(?P<who>[^\s,;:.?!]{2,30}(?:\s(?!(?:from|of|by)\b)[^\s,;:.?!]{2,30}){0,2})"
)
"""Names whom something is to come from."""
_BRINGS: Final = late(
    r"(?i)\b(?:get|move|bring|put|copy|load|import|migrate|transfer|upload|export|convert|push|carry|take|ship|send)\s"
    r"(?P<what>[^,;:?!]{2,100}?)\s(?:over (?:in)?to|into|onto|to|in|on)\s(?P<place>[^,;:?!]{2,60})"
)
"""Says to bring something somewhere."""
_CLEARS: Final = late(
    r"(?i)\b(?:check|ask|call|phone|clarify|find out|figure out|see (?:if|whether|what|how|who|to)"
    r"|look (?:in|at)(?:to)?|sort out|deal with|think (?:about|of)|talk (?:to|about)|discuss|decide|settle|plan"
    r"|no (?:idea|clue)|not sure|do(?:n['\u2019]?t| not) know|unclear|unsolved|unresolved|what to do|how to)\b"
)
"""Wants to know, or to settle, and not to make."""
_PARTS: Final = late(r"[,;:]\s|[.?!]\s")
_FITS: Final[dict[Over, Callable[[str, str], bool]]] = {
    Over.NAMED: _is_named,
    Over.LISTED: _is_listed,
    Over.ACTED: is_acted,
    Over.DID: is_done_by,
    Over.COME: is_come,
    Over.REPLACED: is_replaced,
    Over.MENDED: _is_mended,
    Over.WORKS: _is_working,
    Over.HAS: is_given,
    Over.TOLD: _is_told,
    Over.ANSWERED: is_answered,
    Over.SENT: _is_sent,
    Over.REPLIED: _is_replied,
    Over.SAID: _is_said,
    Over.THERE: _is_there,
    Over.CLEARED: _is_cleared,
    Over.DECIDED: is_decided,
    Over.CAUSED: _is_caused,
    Over.TOPIC: is_answered_under,
    Over.WHO: tells_who,
}

_SHORTLY: Final = frozenset((Over.NAMED, Over.MENDED))
