"""Which open thread a person means who says in plain words that something is over. A wrong end is worse than none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final

from engramforge.core.registries.closed.matters import (
    ASKS_WHOM,
    ASKS_WITHIN,
    BESIDE_IT,
    FAULTS,
    asks,
    fault_in,
    matter_of,
)
from engramforge.core.registries.closed.subjects import ASIDE, is_given, is_subject
from engramforge.core.registries.told_verbs import doing, told_of
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import stem_of, words_of


class Over(StrEnum):
    """In which words somebody says that something is over, which says what has to be the same.

    NAMED: the matter by its name; LISTED: by a part of its name that says it is one ("the labels todo"); ACTED:
    what was to be done as done, the verb first; COME: that what was to be got is there; MENDED: a thing, or its
    fault, that was faulty; WORKS: a thing that was to be made; HAS: a thing, and what it lacked; TOLD: what happened,
    beside words that say that this was it; ANSWERED: a statement that is said to settle a question;
    SENT: who sent what; REPLIED, SAID: who answered, or told something, and what; THERE: things that are where they
    were to be; CLEARED:
    what was told before "done"; DECIDED: a decision, which may be the answer to a question.
    """

    NAMED = "closed in plain words"
    LISTED = "closed as one of a list"
    ACTED = "told as done"
    COME = "told to have come"
    MENDED = "told to work again"
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


_GETTING_WORDS: Final = "order reorder buy purchase get fetch request procure acquire wait pick apply"
_GETTING: Final = frozenset(map(stem_of, _GETTING_WORDS.split()))
_ASK: Final = stem_of("ask")
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
_MAKING_WORDS: Final = """
add automate build code create debug draft finish fix get implement install make mend port program redo repair rewrite
script set test try wire write
"""
_MAKING: Final = frozenset(map(stem_of, _MAKING_WORDS.split()))


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
    return _is_most(said, matter) or (matter <= said and len(matter) > 1)


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


def _is_acted(what: str, title: str) -> bool:
    """Whether a title says to do what is told as done, to the same thing."""
    words = words_of(what.lower())
    verb, thing = words[0] if words else "", words[1:]
    to_do = frozenset(words_of(title.lower()))
    acts = [base for base in told_of(verb) if not to_do.isdisjoint(doing(base))]
    if not acts or stem_of(acts[0]) in FAULTS:
        return False
    said, matter = matter_of(" ".join(thing)), matter_of(title)
    act = frozenset(stem for base in acts for form in doing(base) if (stem := stem_of(form)) in matter)
    if _ASK in act and said and said == matter_of(" ".join(_asked(title)[: len(thing)])):
        return True
    return bool(said) and _is_most(said | act, matter)


def _asked(title: str) -> list[str]:
    """The words of a title from whom it says to ask."""
    words = words_of(title.lower())
    at = next((at for at, word in enumerate(words) if stem_of(word) == _ASK), len(words))
    return words[at + 1 :]


def _is_come(what: str, title: str) -> bool:
    """Whether a title says to get what is told to be there."""
    named = frozenset(stem_of(word) for word in words_of(title.lower()))
    said, matter = matter_of(what), matter_of(title) - _GETTING
    return not named.isdisjoint(_GETTING) and bool(said and matter) and _is_most(said, matter)


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


def _is_answered(what: str, title: str) -> bool:
    matter, told = matter_of(title), matter_of(what)
    if not (asks(title) or ASKS_WITHIN.search(title) is not None) or len(matter) < _FEWEST:
        return False
    return matter <= told or _takes_side(told, title) or _answers_by_topic(what, title)


def _answers_by_topic(what: str, title: str) -> bool:
    """Whether what stands before the colon of an answer is what is asked about: "merging: the last one wins"."""
    topic, colon, _ = what.partition(": ")
    asked = matter_of(_WHEN.split(title, maxsplit=1)[0]) - _DETECTING
    return bool(colon and asked and matter_of(topic)) and asked <= matter_of(topic) | _DETECTING


def _takes_side(told: frozenset[str], title: str) -> bool:
    """Whether words name what is asked about and one of the sides behind it: "returns by size" of "how do we shelve
    returns, by colour or by size?"."""
    question, _, others = title.partition(",")
    sides = [matter_of(each) for each in _OR.split(others)]
    is_about = not told.isdisjoint(matter_of(question) - matter_of(others))
    return is_about and len(sides) > 1 and any(side and side <= told for side in sides)


def _is_replied(what: str, title: str) -> bool:
    """Whether a title says to ask those who answered; where they answered about something, about that."""
    who, _, told = what.partition(": ")
    if (topic := _asked_for(who, title)) is None:
        return False
    about = _ABOUT.match(told)
    return about is None or not topic or not topic.isdisjoint(_core(about["what"]))


def _is_sent(what: str, title: str) -> bool:
    """Whether a title waits for what somebody sent, from them or by asking them."""
    who, _, thing = what.partition(": ")
    name, said, matter = _core(who) - _HONORIFICS, _core(thing), _core(title)
    if not any(map(str.isdigit, matter)):
        said = frozenset(each for each in said if not each.isdigit())
    if not (name and said and name <= matter and said <= matter - name):
        return False
    if (asked := _asked_for(who, title)) is not None:
        return said <= asked
    return any(name <= _core(hit["who"]) for hit in _FROM.finditer(title))


def _is_said(what: str, title: str) -> bool:
    """Whether a title says to ask those who said something, for what they speak of."""
    who, _, told = what.partition(": ")
    topic = _asked_for(who, title)
    return topic is not None and bool(topic) and 2 * len(topic & _core(told)) >= len(topic)


def _asked_for(who: str, title: str) -> frozenset[str] | None:
    """What somebody is to be asked by a title; None where it is somebody else, or nobody, who is to be asked."""
    name = _core(who) - _HONORIFICS
    hit = ASKS_WHOM.search(title)
    asked = frozenset[str]() if hit is None else _core(hit["who"])
    if not name or not name <= asked:
        return None
    return _core(f"{title[: hit.start()]} {title[hit.start('who') :]}" if hit else "") - name - _HONORIFICS


def _is_there(what: str, title: str) -> bool:
    """Whether a title says to bring things where they are told to be."""
    things, _, place = what.rpartition(" in ")
    hit = _BRINGS.search(title)
    if hit is None or not _core(place) or not _core(place) <= _core(hit["place"]):
        return False
    matter = _core(hit["what"])
    return bool(_core(things) & matter) and _is_most(_core(things), matter)


def _is_cleared(what: str, title: str) -> bool:
    """Whether a title only wants something cleared up, of which somebody told to the end."""
    if not asks(title) and _CLEARS.search(title) is None:
        return False
    said = _core(what)
    matter = next((each for part in _PARTS.split(title) if len(each := _core(part)) >= _FEWEST), _core(title))
    same = said & matter
    return len(same) >= _FEWEST and 2 * len(same) >= len(matter)


def _is_decided(what: str, title: str) -> bool:
    """Whether a title asks what a decision answers: all that is asked about, and in the way that it is asked."""
    hit = _ASKS_WHAT.search(title)
    if hit is None or _ANOTHER.search(what):
        return False
    told = _core(what)
    question, _, others = hit["matter"].partition(",")
    asked = _core(question)
    if len(asked) < _FEWEST or not asked <= told:
        return False
    answers = next(pattern for words, pattern in _ANSWERS if words.match(hit["asks"]))
    sides = [_core(each) for each in _OR.split(others or question)]
    is_either = len(sides) > 1 and any(side and side <= told for side in sides)
    return is_either if answers is None else is_either or answers.search(what) is not None


_BESIDE_WORDS: Final = """
somebody someone anybody everybody everyone nobody clue thing things stuff there theres theyre please asap
"""
_BESIDE: Final = frozenset(map(stem_of, _BESIDE_WORDS.split()))
"""What names no matter, beside what threads say of any."""
_HONORIFICS: Final = frozenset(("frau", "herr", "mr", "mrs", "ms", "miss", "dr", "prof", "madam"))
_ABOUT: Final = late(r"(?i)\A\W*(?:about|on|regarding|concerning|as for)\s(?P<what>[^,;:]{2,80})")
_FROM: Final = late(
    r"(?i)\b(?:from|of|by)\s(?P<who>[^\s,;:.?!]{2,30}(?:\s(?!(?:from|of|by)\b)[^\s,;:.?!]{2,30}){0,2})"
)
"""Names whom something is to come from."""
_WHEN: Final = late(r"(?i)\s(?:if|when|in case|where|after|before|so that)\s")
_DETECTING_WORDS: Final = "detect notice tell recognise recognize handle dont know doesnt clue unclear"
_DETECTING: Final = frozenset(map(stem_of, _DETECTING_WORDS.split()))
"""What somebody asks how to do with a thing."""
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
_ASKS_WHAT: Final = late(
    r"(?i)(?:\A\W*|\b(?:decide|clarify|settle|know|find out|sure|idea|question:?)\s)"
    r"(?P<asks>who|whose|which|what|when|how (?:long|much|many|often|far|big|old)|where|do|does|should|shall|may|can|is"
    r"|are)\s(?P<matter>.{4,300}?)(?=[?.]|\Z)"
)
_ANSWERS: Final = (
    (
        late(r"(?i)who"),
        late(
            r"(?i)\b(?:only|nobody (?:but|else|except)|no one (?:but|else|except)|everybody|everyone|anybody|anyone"
            r"|nobody|no one|alone|always|may|can|must)\b"
        ),
    ),
    (
        late(r"(?i)when|how"),
        late(r"(?i)\d|\b(?:once|twice|one|two|three|four|five|six|ten|half|every|always|never)\b"),
    ),
    (late(r"(?i)which|what|where|do|does|should|shall|may|can|is|are"), None),
)
"""How a question is asked, and what a decision has to say that answers it; None where only one of what it offers
does."""
_OR: Final = late(r"(?i)\s(?:or|vs\.?|versus)\s")
_ANOTHER: Final = late(
    r"(?i)\b(?:still open|not decided|undecided|until we know|for now|for the moment|maybe)\b|\?"
)


_FITS: Final[dict[Over, Callable[[str, str], bool]]] = {
    Over.NAMED: _is_named,
    Over.LISTED: _is_listed,
    Over.ACTED: _is_acted,
    Over.COME: _is_come,
    Over.MENDED: _is_mended,
    Over.WORKS: _is_working,
    Over.HAS: is_given,
    Over.TOLD: _is_told,
    Over.ANSWERED: _is_answered,
    Over.SENT: _is_sent,
    Over.REPLIED: _is_replied,
    Over.SAID: _is_said,
    Over.THERE: _is_there,
    Over.CLEARED: _is_cleared,
    Over.DECIDED: _is_decided,
}

_SHORTLY: Final = frozenset((Over.NAMED, Over.MENDED))


def _is_most(said: frozenset[str], matter: frozenset[str]) -> bool:
    return said <= matter and 2 * len(said) >= len(matter)


def _core(text: str) -> frozenset[str]:
    return matter_of(text) - _BESIDE
