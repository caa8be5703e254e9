"""Whether what somebody states answers the question that a thread asks."""

from __future__ import annotations

from typing import Final

from engramforge.core.registries.closed.matters import ASKS_WITHIN, asks, core_of, matter_of
from engramforge.core.text.late_pattern import late
from engramforge.core.text.words import stem_set, words_of

_FEWEST: Final = 2
_ASKS_WHO: Final = late(
    r"(?i)\bwho\s(?P<does>[^,;?.]{4,80}?)(?=\s(?:when|if|in case|while|after|before)\s|[,;?.]|\Z)"
)
_WHEN: Final = late(r"(?i)\s(?:if|when|in case|where|after|before|so that)\s")
_DETECTING: Final = stem_set("detect notice tell recognise recognize handle dont know doesnt clue unclear")
"""What somebody asks how to do with a thing."""
_ASKS_WHAT: Final = late(
    r"(?i)(?:\A\W*|\b(?:decide|clarify|settle|know|find out|sure|idea|question:?)\s)"
    r"(?P<asks>who|whose|which|what|when|how (?:long|much|many|often|far|big|old)|where|do|does|should|shall|may|can|is"
    r"|are)\s(?P<matter>.{4,300}?)(?=[?.]|\Z)"
)
_CASE: Final = r"(?:if|when|once|whenever|in case)"
_WHAT_HAPPENS: Final = late(
    rf"(?i)\bwhat (?:happens|should happen|will happen|to do|(?:do|should|shall|can) we do|we do|the \w+ does) {_CASE}"
    r" (?P<case>[^,;?]{4,120})"
)
_IN_CASE: Final = late(
    rf"(?i)\b{_CASE} (?P<case>\S.{{2,80}}?)(?=\s*[,;:]|\s(?:the|we|it|then|an?|all|our|everything)\s|\Z)"
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


_YES_OR_NO: Final = late(r"(?i)\A\W{0,4}(?:yes|yeah|yep|no|nope|nah)(?=\W*\Z|\s*[,;.!\u2014\u2013-])")
_ASKS_WHETHER: Final = late(
    r"(?i)(?:\A\W*|\b(?:whether|if|question:?|decide|clarify|settle|find out)\s)(?:do|does|should|shall|may|can|is|are"
    r"|will|we|i|the|it)\b"
)


def is_yes_or_no(answer: str) -> bool:
    """Whether an answer says yes or no first."""
    return _YES_OR_NO.match(answer) is not None


def is_answered_under(what: str, title: str) -> bool:
    """Whether what is called by its name, with an answer behind the colon, is what a title asks.

    >>> is_answered_under("blue glaze: no, it runs", "do we need a blue glaze?")
    True
    >>> is_answered_under("blue glaze: no, it runs", "what does the blue glaze cost?")
    False
    """
    if not (asks(title) or ASKS_WITHIN.search(title)):
        return False
    topic, _, answer = what.partition(": ")
    said, matter = core_of(topic), core_of(title)
    if not said or not said <= matter:
        return False
    if not is_yes_or_no(answer):
        return True
    return 2 * len(said) > len(matter) and _ASKS_WHETHER.search(title) is not None


def is_answered(what: str, title: str) -> bool:
    """Whether what is told answers the question of a title: all that it asks about, or one of its sides."""
    matter, told = matter_of(title), matter_of(what)
    if not (asks(title) or ASKS_WITHIN.search(title) is not None):
        return False
    if _says_what_is_asked(what, title) or _tells_the_case(what, title):
        return True
    if len(matter) < _FEWEST:
        return False
    return matter <= told or _takes_side(told, title) or _answers_by_topic(what, title)


def who_is_asked_for(title: str) -> str:
    """What a title asks who does it; "" where it asks for nobody."""
    hit = _ASKS_WHO.search(title)
    return "" if hit is None else hit["does"]


def _says_what_is_asked(told: str, title: str) -> bool:
    """Whether an answer tells of somebody what a question asks of whom: "Ann feeds them" of "who feeds them when"."""
    hit = _ASKS_WHO.search(title)
    said = "" if hit is None else " ".join(words_of(hit["does"].lower()))
    is_of_two = len(said.split()) >= _FEWEST and bool(matter_of(said))
    return is_of_two and f" {said} " in f" {' '.join(words_of(told.lower()))} "


def _tells_the_case(told: str, title: str) -> bool:
    """Whether an answer says what happens in the case of which a question asks that: "if the pump stops, the valve
    closes" of "what happens when the main pump stops at night"."""
    asked, case = _WHAT_HAPPENS.search(title), _IN_CASE.search(told)
    if asked is None or case is None:
        return False
    one, other = core_of(case["case"]), core_of(asked["case"])
    return len(one) >= _FEWEST and one <= other


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


def is_decided(what: str, title: str) -> bool:
    """Whether a title asks what a decision answers: all that is asked about, and in the way that it is asked."""
    hit = _ASKS_WHAT.search(title)
    if hit is None or _ANOTHER.search(what):
        return False
    told = core_of(what)
    question, _, others = hit["matter"].partition(",")
    asked = core_of(question)
    if len(asked) < _FEWEST or not asked <= told:
        return False
    answers = next(pattern for words, pattern in _ANSWERS if words.match(hit["asks"]))
    sides = [core_of(each) for each in _OR.split(others or question)]
    is_either = len(sides) > 1 and any(side and side <= told for side in sides)
    return is_either if answers is None else is_either or answers.search(what) is not None
